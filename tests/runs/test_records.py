"""Compressed records, and records on standard output."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.kit.games import GAMES
from tilery import record
from tilery.cli import main


def path_with(suffix: str, folder: Path) -> Path:
    if suffix == ".zst":
        pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'tilery[arrow]'")
    return folder / f"games.jsonl{suffix}"


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_records_are_compressed_by_suffix(suffix: str, tmp_path: Path) -> None:
    path = path_with(suffix, tmp_path)
    records = list(record.simulated(tilery.load("toy"), 200, seed=3))
    assert record.write(path, records) == 200
    assert list(record.read(path)) == records
    written = path.read_bytes()
    record.write(path, records)
    assert path.read_bytes() == written
    assert suffix != ".gz" or not any(written[4:8]), "the time is in it"
    plain = sum(len(each.to_json()) + 1 for each in records)
    assert len(written) == plain if not suffix else len(written) < plain / 4


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_a_file_is_replaced_only_by_all_of_its_records(suffix: str, tmp_path: Path) -> None:
    path = path_with(suffix, tmp_path)
    records = list(record.simulated(tilery.load("toy"), 20))
    record.write(path, records[:5])

    def failing() -> Iterator[record.Record]:
        yield from records
        raise KeyError("no more")

    with pytest.raises(KeyError):
        record.write(path, failing())
    assert list(record.read(path)) == records[:5]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_compressed_file_that_is_cut_off_is_read_as_far_as_it_goes(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = path_with(suffix, tmp_path)
    record.write(path, record.simulated(tilery.load("toy"), 2500))
    path.write_bytes(path.read_bytes()[:-100])
    assert main(["replay", str(path), "--skip-broken", "--json"]) == 1
    out, err = capsys.readouterr()
    content = json.loads(out)
    assert content["broken"] == 1
    assert 0 < content["games"] < 2500
    assert "the compressed file is cut off or damaged" in err


def test_a_file_that_is_not_compressed_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl.gz"
    path.write_text("plain text")
    assert main(["replay", str(path)]) == 1
    assert "line 1: record: the compressed file is cut off or damaged" in capsys.readouterr().err
    assert main(["replay", str(tmp_path / "none.jsonl.gz")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_records_on_standard_output_are_alone_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    assert main(["simulate", "toy", "--games", "3", "--seed", "4", "--records", "-"]) == 0
    out, err = capsys.readouterr()
    expected = [each.to_json() for each in record.simulated(tilery.load("toy"), 3, seed=4)]
    assert out.splitlines() == expected
    assert "3 random games, seed 4" in err
    (tmp_path / "games.jsonl").write_text(out)
    with (tmp_path / "games.jsonl").open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert main(["replay", "-"]) == 0


def test_first_goes_on_where_a_run_has_ended(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "toy", "--games", "3", "--first", "1_000", "--records", "-", "--json"]) == 0
    out, err = capsys.readouterr()
    assert [json.loads(line)["index"] for line in out.splitlines()] == [1000, 1001, 1002]
    assert json.loads(err)["first"] == 1000


@pytest.mark.parametrize(
    ("name", "option"),
    [(name, option.name) for name in GAMES for option in tilery.options(name).values() if option.kind == "file"],
)
def test_a_record_opens_no_file(name: str, option: str, tmp_path: Path) -> None:
    """A record may come from others: its rules hold a custom board whole. Reading /dev/zero would never end."""
    for path in ("/dev/zero", str(tmp_path / "board.json"), str(tmp_path), ""):
        written = record.Record(game=name, rules={option: path}, actions="")
        for call in (record.replay, record.game_of, lambda each: next(record.positions(each))):
            with pytest.raises(
                tilery.RecordError, match=rf"record: {option} must be .*, not a path to a file: got '{path}'"
            ):
                call(written)
    for shipped in tilery.options(name)[option].choices:
        record.replay(record.Record(game=name, rules={option: shipped}, actions=""))
