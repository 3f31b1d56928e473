"""Matches on disk: nothing that was played is lost, and nothing changes by being interrupted."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.kit.games import GAMES
from tilery import cli, match, record
from tilery.runs.shards import RunError

WORDS = [
    "match",
    "toy",
    "greedy",
    "uct:300",
    "random",
    "--games",
    "24",
    "--set",
    "hand=4",
    "--seed",
    "6",
    "--threads",
    "2",
]


def content(folder: Path) -> dict[str, bytes]:
    """The files of a match, times aside."""
    return {each.name: each.read_bytes() for each in sorted(folder.iterdir()) if not each.name.startswith("times-")}


def parsed(out: str) -> Any:
    """What a match says, times aside."""
    return json.loads(re.sub(r'"seconds[a-z_]*": [-+.e0-9]+', "", out).replace(", ,", ",").replace(", }", "}"))


def played(folder: Path, *words: str) -> None:
    assert cli.main([*WORDS, "--out", str(folder), "--json", *words]) == 0


def test_a_match_on_disk_is_that_in_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played(tmp_path / "one")
    first = parsed(capsys.readouterr().out)
    files = content(tmp_path / "one")
    assert cli.main([*WORDS, "--json", "--records", str(tmp_path / "games.jsonl")]) == 0
    assert parsed(capsys.readouterr().out) == first
    lines = b"".join(data for name, data in files.items() if name.startswith("deals-"))
    assert lines == (tmp_path / "games.jsonl").read_bytes()
    for each in record.read(tmp_path / "games.jsonl"):
        record.replay(each)
    numbers = [int(match[1]) for name in files if (match := re.fullmatch(r"deals-(\d+)\..*", name))]
    assert sorted(numbers) == list(range(len(numbers)))  # of all tables, in the order in which they are played
    played(tmp_path / "one")  # all is there
    assert parsed(capsys.readouterr().out) == first
    assert content(tmp_path / "one") == files
    assert ".claims" not in files


@pytest.mark.parametrize("times", [8, pytest.param(50, marks=pytest.mark.long)])
def test_a_match_that_is_killed_again_and_again_ends_with_the_same_bytes(
    times: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played(tmp_path / "whole")
    expected = parsed(capsys.readouterr().out)
    killed, luck, kills = tmp_path / "killed", random.Random(3), 0
    code = (
        "import sys, tilery.cli, tilery.match as m, time\n"
        "real = m._piece\n"
        "def slow(*a):\n    time.sleep(0.05)\n    return real(*a)\n"
        "m._piece = slow\n"
        "print('ready', flush=True)\n"
        f"sys.exit(tilery.cli.main({[*WORDS, '--out', str(killed), '--json']!r}))\n"
    )
    for _ in range(times):
        with subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(luck.random() * 0.4)
            process.send_signal(luck.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT]))
            kills += process.wait() != 0
    assert kills > 0
    played(killed)
    assert parsed(capsys.readouterr().out) == expected
    assert content(killed) == content(tmp_path / "whole")


def test_ctrl_c_prints_what_there_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    count, real = [0], match._count

    def interrupted(*arguments: Any) -> None:
        real(*arguments)
        count[0] += 1
        if count[0] == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(match, "_count", interrupted)
    out = tmp_path / "run"
    for words, says in (([], "with --out DIR the same"), (["--out", str(out)], "the same command goes on")):
        count[0] = 0
        assert cli.main([*WORDS, *words]) == 130
        captured = capsys.readouterr()
        assert "greedy" in captured.out
        assert "95% interval" in captured.out
        assert f"tilery: interrupted; {says}" in captured.err
    monkeypatch.undo()
    played(out)
    played(tmp_path / "whole")
    assert content(out) == content(tmp_path / "whole")


def test_an_early_stop_leaves_the_same_files_on_any_number_of_threads(tmp_path: Path) -> None:
    game: Any = tilery.load("toy", hand=4)
    for threads in (1, 3):
        out = tmp_path / str(threads)
        how: dict[str, Any] = {"games": 4000, "sprt": match.Sprt(0.1, 0.3), "threads": threads, "out": out}
        (table,) = match.play(game, ["greedy", "random"], **how)
        assert table.verdict == "high"
        assert sum(len(data.splitlines()) for name, data in content(out).items() if "deals" in name) == table.games
    assert content(tmp_path / "1") == content(tmp_path / "3")


def test_programs_and_functions_go_on_where_they_were(tmp_path: Path) -> None:
    (tmp_path / "bot.sh").write_text(
        f'echo x >>{tmp_path / "started"}; read hello; echo \'{{"type": "ready"}}\'; read choose; exit 3\n',
        encoding="ascii",
    )
    game: Any = tilery.load("toy", hand=1)
    bot = f"cmd:sh {tmp_path / 'bot.sh'}"
    how: dict[str, Any] = {"games": 4, "out": tmp_path / "run", "allow_failures": True}
    (table,) = match.play(game, [bot, "random"], **how)
    started = (tmp_path / "started").read_text(encoding="ascii")
    (again,) = match.play(game, [bot, "random"], **how)
    assert (tmp_path / "started").read_text(encoding="ascii") == started, "nothing is played again"
    assert table == again
    assert len(again.failures) == 4


def test_networks_are_named_by_their_hash(tmp_path: Path) -> None:
    """In the plan and the records: a match with other networks is another match. Tables have the text asked for."""
    game = tilery.load(next(name for name in GAMES if tilery.load(name).num_inputs), players=2)
    full = str(tilery.policies.NN().resolved(game.name))
    assert full.startswith("nn,eval=")
    written: list[Any] = []
    for _ in range(2):
        (table,) = match.play(game, ["nn", "random"], games=2, seed=1, out=tmp_path / "m", records=written.append)
        assert [side.policy for side in table.sides] == ["nn", "random"]
    assert {tuple(each.more["policies"]) for each in written} == {(full, "random"), ("random", full)}
    assert full in (tmp_path / "m" / "manifest.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words", [["--seed", "7"], ["--games", "26"], ["--set", "hand=3"], ["--seconds", "3"], ["--sprt", "0.5,0.6"]]
)
def test_another_match_is_refused(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played(tmp_path / "run")
    before = content(tmp_path / "run")
    assert cli.main([*WORDS, "--out", str(tmp_path / "run"), *words]) == 2
    assert "holds another match" in capsys.readouterr().err
    assert content(tmp_path / "run") == before


def test_damage_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    played(run)
    name = next(name for name in content(run) if name.startswith("deals-"))
    for wrong in (b"", b"{}\n", (run / name).read_bytes()[:-40]):
        (run / name).write_bytes(wrong)
        capsys.readouterr()
        assert cli.main([*WORDS, "--out", str(run)]) == 2
        assert re.search(f"{name} is damaged .*; delete it and continue", capsys.readouterr().err)
    (run / name).unlink()
    for each in run.glob("times-*"):
        each.write_bytes(b"[")
    played(run)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    assert cli.main([*WORDS, "--out", str(tmp_path / "other")]) == 2
    assert cli.main(["simulate", "toy", "--games", "3", "--out", str(run)]) == 2


@pytest.mark.skipif(os.name == "nt", reason="locks differ")
def test_one_process_plays_a_match(tmp_path: Path) -> None:
    run = tmp_path / "run"
    played(run)
    code = (
        "from pathlib import Path; from tilery.runs.shards import Claims\n"
        f"claims = Claims(Path({str(run)!r})); claims.take(0); print(1, flush=True); input()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(RunError, match="another process plays the match"):
            match.play(tilery.load("toy"), ["greedy", "random"], games=2, out=run)
        process.communicate(b"\n")


def test_a_budget_is_measured_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [
        "match",
        "toy",
        "uct",
        "uct:7,trees=2",
        "greedy",
        "--games",
        "2",
        "--budget",
        "2ms",
        "--json",
        "--out",
        str(tmp_path / "run"),
    ]
    assert cli.main(words) == 0
    first = [side["policy"] for table in json.loads(capsys.readouterr().out)["tables"] for side in table["sides"]]
    assert first[1].endswith(",trees=2")
    assert "greedy" in first
    assert json.loads((tmp_path / "run" / "manifest.json").read_text("utf-8"))["budget"] == 0.002
    monkeypatch.setattr(match, "within_budget", None)
    assert cli.main(words) == 0
    assert first == [
        side["policy"] for table in json.loads(capsys.readouterr().out)["tables"] for side in table["sides"]
    ]
    with pytest.raises(SystemExit):
        cli.main([*words, "--budget", "2"])


def test_more_time_is_more_simulations() -> None:
    game: Any = tilery.load("toy")
    few, many = (match.within_budget(game, tilery.policy("uct:5,c=2"), seconds) for seconds in (1e-4, 1e-1))
    assert few.parameters["simulations"] < many.parameters["simulations"]  # type: ignore[attr-defined]
    assert str(many).endswith(",c=2")
    for text in ("mcts:5,tuning=depth:2", "mcts:5"):
        assert str(match.within_budget(game, tilery.policy(text), 1e-4)).partition(",")[2] == text.partition(",")[2]
    assert match.within_budget(game, tilery.policy("greedy"), 1.0) == tilery.policy("greedy")


@pytest.mark.parametrize("name", [name for name in GAMES if name != "toy"])
def test_time_is_measured_over_a_whole_game(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Early decisions may take much longer than late ones."""
    chosen = []
    monkeypatch.setattr(tilery.policies.UCT, "choose", lambda _policy, state, _seed: chosen.append(str(state)))
    match.within_budget(tilery.load(name), tilery.policy("uct:5"), 1e-9)
    assert len(set(chosen)) >= 8


@pytest.mark.parametrize(("seconds", "simulations"), [(1e-3, 16), (1e-4, 8), (10.0, 512)])
def test_time_is_measured_no_longer_than_it_takes(
    seconds: float, simulations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to the time that is given, or until all positions together take a fifth of a second."""
    clock, measured = [0.0], list[int]()

    def choose(policy: Any, _state: Any, _seed: int) -> None:
        measured.append(policy.parameters["simulations"])
        clock[0] += 1e-4 * measured[-1]

    monkeypatch.setattr(tilery.policies.UCT, "choose", choose)
    monkeypatch.setattr("tilery.match.time.thread_time", lambda: clock[0])
    found: Any = match.within_budget(tilery.load("toy"), tilery.policy("uct:5"), seconds)
    assert found.parameters["simulations"] == pytest.approx(seconds / 1e-4, rel=0.01)
    assert max(measured) == simulations
