"""Runs on disk: the same bytes however often they were interrupted, and nothing of others overwritten."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES, ROOT
from tests.kit.running import QUIET_FORKS
from tilery.cli import main
from tilery.runs import shards
from tilery.runs.report import sample_of
from tilery.runs.shards import Run, RunError, plan


def small(**changed: Any) -> Any:
    """A plan of twenty shards, the last one shorter."""
    game = tilery.load(changed.pop("game", "toy"))
    return plan(game, **{"games": 1950, "shard": 100, "seed": 5, "files": "npz"} | changed)


def content(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.iterdir()}


def rewrite(path: Path, name: str, content: bytes, compression: int = zipfile.ZIP_STORED) -> None:
    """Replace a member of a shard."""
    with zipfile.ZipFile(path) as archive:
        members = {each: archive.read(each) for each in archive.namelist()}
    with zipfile.ZipFile(path, "w", compression) as archive:
        for each, values in (members | {name: content}).items():
            archive.writestr(each, values)


@pytest.fixture
def whole(tmp_path: Path) -> dict[str, bytes]:
    """The files of a run that was not interrupted."""
    Run.start(tmp_path / "whole", small()).work(threads=1)
    return content(tmp_path / "whole")


FORMATS = [
    "npz",
    pytest.param(
        "parquet",
        marks=pytest.mark.skipif(find_spec("pyarrow") is None, reason="needs pyarrow: pip install 'tilery[arrow]'"),
    ),
]


@pytest.mark.parametrize("files", FORMATS)
@pytest.mark.parametrize("name", GAMES)
def test_a_run_holds_the_results_of_simulate(name: str, files: str, tmp_path: Path) -> None:
    run = Run.start(tmp_path / "run", small(game=name, games=9, shard=4, first=7, files=files))
    run.work(threads=2)
    assert sorted(content(run.path)) == [*(f"games-00000{k}.{files}" for k in range(3)), "manifest.json"]
    results = tilery.simulate(tilery.load(name), 9, seed=5, first=7)
    expected = tilery.columns(results)
    found = list(Run.open(run.path))
    for column, values in expected.items():
        assert np.array_equal(np.concatenate([shard[column] for shard in found]), values)
        assert found[0][column].dtype == values.dtype
    assert run.summary().to_dict() == tilery.summary(results).to_dict()
    assert Run.open(run.path).summary().to_dict() == tilery.summary(results).to_dict()


def test_rotated_policies_are_in_the_shards(tmp_path: Path) -> None:
    chosen = small(policies=["greedy", "random"], rotate=True, games=60, shard=25)
    run = Run.start(tmp_path / "run", chosen)
    run.work()
    results = tilery.simulate(tilery.load("toy"), 60, seed=5, policies=["greedy", "random"], rotate=True)
    assert run.summary().to_dict() == tilery.summary(results).to_dict()


@pytest.mark.parametrize("files", FORMATS)
def test_an_interrupted_run_ends_with_the_same_bytes(files: str, tmp_path: Path) -> None:
    """Interrupted after every few shards, with other numbers of threads."""
    chosen = small(files=files)
    Run.start(tmp_path / "whole", chosen).work(threads=1)
    there = 0

    def interrupt(done: int) -> None:
        if done > there + 250:
            raise KeyboardInterrupt

    for threads in range(1, 30):
        run = Run.start(tmp_path / "cut", chosen)
        there = sum(map(run.games_in, run.finished()))
        try:
            run.work(threads=threads % 3 + 1, progress=interrupt)
        except KeyboardInterrupt:
            assert 0 < len(run.finished()) < run.shards
            assert run.summary().games == sum(map(run.games_in, run.finished()))
        else:
            break
    assert threads > 4  # it was interrupted several times
    assert content(tmp_path / "cut") == content(tmp_path / "whole")


WORKER = """
import sys
from tilery.runs.shards import Run
run = Run.open(sys.argv[1])
began = len(run.finished())
print("ready", flush=True)
run.work(threads=1)
print(len(run._counted))
"""


def worker(path: Path) -> subprocess.Popen[str]:
    """A process that works on a run; says "ready" when it begins and at the end how many shards it has played."""
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, str(path)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


KILLER = """
import os, random, signal, sys, time
import tilery, tilery.runs.files
from tilery.runs.shards import Run

run, rng = Run.open(sys.argv[1]), random.Random(1)
if run.plan.files == "parquet":
    import pyarrow.parquet
for _ in range(int(sys.argv[2])):
    there = len(run.finished())
    process = os.fork()
    if not process:
        Run.open(run.path).work(threads=1)
        os._exit(0)
    wanted = there + rng.choice((0, 0, 1, 2, 5))
    while len(run.finished()) < wanted:
        time.sleep(0.0002)
    time.sleep(rng.random() * 0.004)
    os.kill(process, signal.SIGKILL)
    assert os.waitpid(process, 0)[1] == signal.SIGKILL
    print(len(run.finished()), sum(each.suffix == ".part" for each in run.path.iterdir()))
"""


def killed_often(path: Path, times: int) -> list[tuple[int, int]]:
    """Kill a process that works on a run, so often and at random moments, and then finish it.

    Returns how many shards and how many files that were being written there were after each time.
    """
    killer = [sys.executable, *QUIET_FORKS, "-c", KILLER, str(path), str(times)]
    ended = subprocess.run(killer, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert (ended.returncode, ended.stderr) == (0, "")
    with worker(path) as process:
        _, errors = process.communicate(timeout=300)
        assert (process.returncode, errors) == (0, "")
    after = [(int(shards), int(written)) for shards, written in map(str.split, ended.stdout.splitlines())]
    assert len(after) == times
    return after


@pytest.mark.long
@pytest.mark.parametrize("files", FORMATS)
def test_a_run_killed_a_hundred_times_ends_with_the_same_bytes(files: str, tmp_path: Path) -> None:
    """Each time in the middle of the run, and some times in the middle of a file."""
    chosen = small(files=files, games=50_000, shard=50)
    Run.start(tmp_path / "whole", chosen).work()
    run = Run.start(tmp_path / "killed", chosen)
    after = killed_often(run.path, 100)
    assert after[0][0] < after[-1][0] < run.shards
    assert after[-1][1] > 0
    assert content(run.path) == content(tmp_path / "whole")


def test_small_shards_are_played_together_and_have_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that slow policies, with a game or two in a shard, keep all threads busy; shards of others are left out."""
    chosen = small(games=61, shard=2)
    real, calls = Run.play, []

    def play(self: Any, shard: int, threads: int, progress: Any = None, *, count: int = 1) -> Any:
        calls.append((shard, count))
        return real(self, shard, threads, progress, count=count)

    monkeypatch.setattr(Run, "play", play)
    Run.start(tmp_path / "alone", chosen).work(threads=1)
    assert calls[:2] == [(0, 2), (2, 2)]
    calls.clear()
    run = Run.start(tmp_path / "together", chosen)
    for shard in (3, 4, 9, 30):
        run.write(shard, run.play(shard, 1))
    calls.clear()
    run.work(threads=6)
    assert calls == [(0, 3), (5, 4), (10, 5), (15, 12), (27, 3)]
    assert content(run.path) == content(tmp_path / "alone")
    assert run.summary().to_dict() == Run.open(run.path).summary().to_dict()


@pytest.mark.slow
def test_processes_share_a_run(tmp_path: Path) -> None:
    """Three at once, one of them killed: every shard is there, and none was played twice by those that ended."""
    chosen = small(games=400_000, shard=2000)
    Run.start(tmp_path / "whole", chosen).work()
    Run.start(tmp_path / "shared", chosen)
    processes = [worker(tmp_path / "shared") for _ in range(3)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    processes[0].kill()
    ended = [process.communicate(timeout=300) for process in processes]
    assert [process.returncode for process in processes] == [-9, 0, 0]
    assert 0 < sum(int(out) for out, _ in ended[1:]) <= 200
    assert content(tmp_path / "shared") == content(tmp_path / "whole")


@contextlib.contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Let no file grow beyond a size."""
    resource = pytest.importorskip("resource")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)


def test_a_file_that_cannot_be_written_is_a_sentence(
    whole: dict[str, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["simulate", "toy", "--games", "1950", "--shard", "100", "--seed", "5", "--files", "npz"]
    command += ["--out", str(tmp_path / "full")]
    with largest_file(3000):
        assert main(command) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "0 of 20 shards are whole, and the same command continues" in err
    assert {each.suffix for each in (tmp_path / "full").iterdir()} <= {".json", ""}
    assert main(command) == 0
    assert content(tmp_path / "full") == whole


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[tuple[Path, Callable[[int], object]]]:
    """A file system of its own without room, and a function that gives it room for a number of bytes more."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(disk)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a tmpfs (root)")
    (disk / "filler").write_bytes(bytes(4096))

    def grow(room: int) -> None:
        size = shutil.disk_usage(disk).used + room
        subprocess.run(["mount", "-o", f"remount,size={size}", str(disk)], check=True)

    yield disk, grow
    subprocess.run(["umount", str(disk)], check=True)


@pytest.fixture
def small_quota(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Callable[[int], object]]:
    """The same for who may not mount: new files take this many bytes until they say that the disk is full."""
    room = [0]

    class Limited(io.FileIO):
        def write(self, data: Any) -> int:
            if not room[0]:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            written = super().write(memoryview(data).cast("B")[: room[0]])
            room[0] -= written
            return written

    really_open = Path.open

    def opened(self: Path, mode: str = "r", *arguments: Any, **named: Any) -> Any:
        if mode != "xb":
            return really_open(self, mode, *arguments, **named)
        return io.BufferedWriter(Limited(self, mode))

    monkeypatch.setattr(Path, "open", opened)
    return tmp_path, lambda more: room.__setitem__(0, more)


@pytest.mark.long
@pytest.mark.parametrize("files", FORMATS)
@pytest.mark.parametrize("kind", ["small_disk", "small_quota"])
def test_a_disk_full_a_hundred_times_loses_nothing(
    kind: str, files: str, tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each time the same command goes a little further, until all is there."""
    disk, grow = request.getfixturevalue(kind)
    chosen = ["simulate", "toy", "--games", "30_000", "--shard", "100", "--seed", "5", "--files", files, "--out"]
    rng, times, there = random.Random(1), 0, dict[str, bytes]()
    while main([*chosen, str(disk / "run")]):
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert "No space left on device" in err
        now = content(disk / "run")
        assert there.items() <= now.items()
        assert not [name for name in now if name.endswith(".part")]
        there = {name: data for name, data in now.items() if name != ".claims"}
        times += 1
        grow(rng.randrange({"npz": 16_000, "parquet": 8_000}[files]))
    assert times >= 100
    grow(10**8)
    assert "30,000 games in 300 of 300 shards" in capsys.readouterr().out
    Run.start(tmp_path / "whole", small(games=30_000, files=files)).work()
    assert content(disk / "run") == content(tmp_path / "whole")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"seed": 6}, "seed is 5 there and 6 here"),
        ({"games": 1951}, "games is 1950 there and 1951 here"),
        ({"policies": "greedy"}, r"policies is \['random'\] there and \['greedy'\] here"),
        ({"shard": 7}, "shard is 100 there and 7 here"),
        ({"rotate": True}, "rotate is False there"),
    ],
)
def test_another_run_is_not_touched(changed: Any, sentence: str, tmp_path: Path, whole: dict[str, bytes]) -> None:
    with pytest.raises(RunError, match=sentence):
        Run.start(tmp_path / "whole", small(**changed))
    assert content(tmp_path / "whole") == whole


def test_rules_and_versions_are_compared(tmp_path: Path, whole: dict[str, bytes]) -> None:
    path = tmp_path / "whole" / "manifest.json"
    manifest = json.loads(path.read_text())
    for change, sentence in (
        ({"rules": manifest["rules"] | {"hand": 4}}, "hand is 4 there and 3 here"),
        ({"tilery": "0.0.9"}, "tilery is '0.0.9' there .*; continue with that version"),
    ):
        path.write_text(json.dumps(manifest | change))
        with pytest.raises(RunError, match=sentence):
            Run.start(path.parent, small())
    assert content(path.parent).keys() == whole.keys()


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"format": "tilery-run/2"}', '{"format": "tilery-run/1"}', "[" * 9999, "\x00"],
)
def test_a_damaged_manifest_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(text)
    for call in (Run.open, lambda path: Run.start(path, small())):
        with pytest.raises(RunError, match=r"manifest\.json is damaged"):
            call(tmp_path)
    assert (tmp_path / "manifest.json").read_text() == text


@pytest.mark.parametrize(
    "change",
    [
        {"shard": 0},
        {"games": -1},
        {"files": "xls"},
        {"seed": "x"},
        {"more": 1},
        {"rotate": 1},
        {"shard": True},
        {"policies": []},
        {"policies": [5]},
    ],
)
def test_a_manifest_with_wrong_values_is_damaged(change: Any, tmp_path: Path, whole: dict[str, bytes]) -> None:
    path = tmp_path / "whole" / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(RunError, match="is damaged"):
        Run.open(path.parent)


@pytest.mark.parametrize("change", [{"policies": ["random"] * 5}, {"rules": {"nosuchoption": 1}}, {"game": "nosuch"}])
def test_a_manifest_of_no_game_is_damaged(change: Any, tmp_path: Path, whole: dict[str, bytes]) -> None:
    path = tmp_path / "whole" / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    for call in (lambda run: run.game, Run.summary, sample_of):
        with pytest.raises(RunError, match=r"manifest\.json is damaged"):
            call(Run.open(path.parent))


@pytest.mark.parametrize(
    ("name", "option"),
    [(name, option.name) for name in GAMES for option in tilery.options(name).values() if option.kind == "file"],
)
def test_a_manifest_opens_no_other_file(name: str, option: str, tmp_path: Path) -> None:
    """A manifest may come from others; a custom board lies in it whole."""
    run = Run.start(tmp_path / "run", small(game=name, games=1))
    (tmp_path / "board.json").write_text("{}")
    path = run.path / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["rules"][option] = str(tmp_path / "board.json")
    path.write_text(json.dumps(manifest))
    with pytest.raises(RunError, match=rf"manifest\.json is damaged: {option} must be .*, not a path"):
        Run.open(run.path).work()


def test_foreign_directories_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("my thesis")
    with pytest.raises(RunError, match=r"holds 'thesis\.txt' and no manifest\.json; name a new or empty directory"):
        Run.start(tmp_path, small())
    with pytest.raises(RunError, match="not the directory of a run"):
        Run.open(tmp_path)
    with pytest.raises(RunError, match="is not a directory"):
        Run.start(tmp_path / "thesis.txt", small())
    assert content(tmp_path) == {"thesis.txt": b"my thesis"}


WRONG: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "strings": ("score_0", lambda column: column.astype(str)),
    "null": ("num_actions", lambda column: np.where(column == column[0], np.nan, column)),
    "wide": ("score_1", lambda column: column.astype(np.int64)),
    "nan": ("return_1", lambda column: np.full_like(column, np.nan)),
    "far": ("num_decisions", lambda column: column + 2**24),
    "policy": ("policy_0", lambda column: column + np.uint8(2)),
}


@pytest.mark.parametrize("files", FORMATS)
@pytest.mark.parametrize("wrong", WRONG)
def test_a_shard_with_other_values_is_named(files: str, wrong: str, tmp_path: Path) -> None:
    """The names of the columns are right, their content is not."""
    run = Run.start(tmp_path / "run", small(games=150, files=files, policies=["random", "greedy"], rotate=True))
    run.work()
    flat = dict(run.read(1))
    name, change = WRONG[wrong]
    run.write(1, flat | {name: change(flat[name])})
    with pytest.raises(RunError, match=rf"games-000001\.{files} is damaged \({name} .*; delete it and"):
        Run.open(run.path).summary()


def test_a_column_of_pairs_is_named(tmp_path: Path) -> None:
    run = Run.start(tmp_path / "run", small(games=150))
    run.work()
    run.write(1, dict(run.read(1)) | {"score_0": np.zeros((50, 2), np.int32)})
    with pytest.raises(RunError, match=r"games-000001\.npz is damaged \(score_0\.npy has the shape \(50, 2\) "):
        Run.open(run.path).summary()


@pytest.mark.parametrize("shape", [(10**12,), (10**18,), (49,)])
def test_a_header_that_promises_other_values_is_named(shape: tuple[int, ...], tmp_path: Path) -> None:
    """Nothing is allocated for values that the file does not hold."""
    run = Run.start(tmp_path / "run", small(games=150))
    run.work()
    header = io.BytesIO()
    fields = {"descr": "<i4", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(header, fields)
    rewrite(run.path_of(1), "score_0.npy", header.getvalue() + bytes(200))
    with pytest.raises(RunError, match=r"games-000001\.npz is damaged \(score_0\.npy has the shape .* of \(50,\)\)"):
        Run.open(run.path).summary()


def test_values_that_are_not_there_are_named(tmp_path: Path) -> None:
    """The manifest and the header agree on more values than the file has bytes."""
    run = Run.start(tmp_path / "run", small(games=150))
    run.work()
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**8,)})
    rewrite(run.path_of(0), "return_0.npy", header.getvalue())
    manifest = run.path / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"games": 10**9, "shard": 10**8}))
    with pytest.raises(RunError, match=r"games-000000\.npz is damaged \(return_0\.npy has no values of float64\)"):
        Run.open(run.path).read(0)


@pytest.mark.parametrize("change", ["compressed", "long", "short"])
def test_a_member_that_was_packed_otherwise_is_named(change: str, tmp_path: Path) -> None:
    run = Run.start(tmp_path / "run", small(games=150))
    run.work()
    with zipfile.ZipFile(run.path_of(1)) as archive:
        good = archive.read("return_0.npy")
    member = {"compressed": good, "long": good + b"x", "short": good[:-1]}[change]
    rewrite(
        run.path_of(1), "return_0.npy", member, zipfile.ZIP_DEFLATED if change == "compressed" else zipfile.ZIP_STORED
    )
    with pytest.raises(RunError, match=r"games-000001\.npz is damaged \(return_0\.npy "):
        Run.open(run.path).summary()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("files", FORMATS)
def test_pipes_in_a_run_are_not_waited_for(files: str, tmp_path: Path) -> None:
    run = Run.start(tmp_path / "run", small(games=150, files=files))
    run.work()
    run.path_of(1).unlink()
    os.mkfifo(run.path_of(1))
    with pytest.raises(RunError, match=rf"games-000001\.{files} is damaged \(it is not a regular file\)"):
        Run.open(run.path).summary()
    (run.path / "manifest.json").unlink()
    os.mkfifo(run.path / "manifest.json")
    with pytest.raises(RunError, match=r"manifest\.json is damaged: it is not a regular file"):
        Run.open(run.path)


def test_a_manifest_has_to_be_a_small_file(tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.json"
    manifest.write_bytes(b" " * (2**24 + 1))
    with pytest.raises(RunError, match="the file has more than 16,777,216 bytes"):
        Run.open(tmp_path)
    manifest.unlink()
    manifest.mkdir()
    with pytest.raises(RunError, match="it is a directory"):
        Run.open(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize("files", FORMATS)
def test_a_directory_whose_name_is_not_utf_8(files: str, tmp_path: Path) -> None:
    run = Run.start(tmp_path / "run-\udcff", small(games=150, files=files))
    run.work()
    assert Run.open(run.path).summary().games == 150


@pytest.mark.parametrize("files", FORMATS)
def test_a_shard_that_is_a_link_to_nothing_is_named(files: str, tmp_path: Path) -> None:
    run = Run.start(tmp_path / "run", small(games=150, files=files))
    run.work()
    path = run.path_of(1)
    path.unlink()
    path.symlink_to(tmp_path / "nothing")
    with pytest.raises(RunError, match=rf"games-000001\.{files} is a link to nothing; delete it and continue the run"):
        Run.open(run.path).summary()
    path.unlink()
    Run.start(run.path, small(games=150, files=files)).work()
    assert Run.open(run.path).summary().games == 150


@pytest.mark.parametrize("files", FORMATS)
@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "other"])
def test_a_damaged_shard_is_named(files: str, damage: str, tmp_path: Path) -> None:
    run = Run.start(tmp_path / "run", small(files=files))
    run.work()
    path = run.path_of(3)
    good = path.read_bytes()
    middle = len(good) // 2
    path.write_bytes(
        {
            "cut": good[:middle],
            "flipped": good[:-30] + bytes(30),
            "empty": b"",
            "other": run.path_of(run.shards - 1).read_bytes(),
        }[damage]
    )
    with pytest.raises(RunError, match=rf"games-000003\.{files} is damaged .*; delete it and continue the run"):
        Run.open(run.path).summary()
    path.unlink()
    Run.start(run.path, small(files=files)).work()
    assert path.read_bytes() == good


def test_what_killed_processes_left_is_removed(tmp_path: Path, whole: dict[str, bytes]) -> None:
    for name in ("games-000004.npz.1-abc.part", "manifest.json.1-abc.part", ".claims"):
        (tmp_path / "whole" / name).write_bytes(b"x")
    Run.start(tmp_path / "whole", small()).work()
    assert content(tmp_path / "whole") == whole


@pytest.mark.parametrize("policies", ["mcts,seconds=0.1", "py:a:b", "cmd:./bot", [lambda _s, _r: 0] * 2])
def test_policies_that_do_not_play_the_same_again_are_refused(policies: Any) -> None:
    with pytest.raises(ValueError, match="a run in shards needs policies"):
        small(policies=policies)


@pytest.mark.parametrize(
    "wrong", [{"games": 0}, {"games": 2**40 + 1}, {"first": -1}, {"seed": 2**64}, {"shard": 0}, {"files": "xls"}]
)
def test_arguments_out_of_range_are_named(wrong: Any) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be"):
        small(**wrong)


def test_the_size_of_a_shard_depends_on_game_and_policies_alone() -> None:
    game = tilery.load("toy")
    sizes = [shards.games_of_shard(game, [text]) for text in ("random", "greedy", "uct:10", "mcts:1000")]
    assert sizes == [1_000_000, 50_000, 50_000, 500]
    assert shards.games_of_shard(game, ["nn:3"]) < shards.games_of_shard(game, ["nn"]) < sizes[0]
    assert plan(game, 10).shard == 10
    assert not plan(game, 10).rotate


def test_the_command_continues_after_ctrl_c(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    command = ["simulate", "toy", "--games", "1950", "--shard", "100", "--seed", "5", "--files", "npz"]
    command += ["--out", str(tmp_path / "run")]
    real, calls = Run.play, []

    def play(self: Any, shard: int, *arguments: Any, **named: Any) -> Any:
        calls.append(shard)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return real(self, shard, *arguments, **named)

    monkeypatch.setattr(Run, "play", play)
    assert main(command) == 130
    out, err = capsys.readouterr()
    assert "300 games in 3 of 20 shards" in out
    assert f"the rest is played by: tilery {' '.join(command)}" in err
    assert main(command) == 0
    assert "1,950 games in 20 of 20 shards" in capsys.readouterr().out
    assert main(command) == 0
    assert len(calls) == 21


def interrupted(words: list[str], ready: Callable[[], bool]) -> tuple[str, str]:
    """Start a command as a terminal does, press Ctrl-C when it is ready, and return its two outputs."""
    program = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"  # jobs may ignore it
    program += "import tilery.cli\nraise SystemExit(tilery.cli.main())\n"
    process = subprocess.Popen(
        [sys.executable, "-c", program, *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        while not ready():
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    return out, err


def check_ctrl_c(path: Path, *more: str) -> None:
    """Ctrl-C prints the table of what is done and a command; that one makes the files of a run without it."""
    words = ["simulate", "toy", "--games", "6_000", "--shard", "40", "--seed", "5", "--files", "npz"]
    words += ["--policy", "uct:100", "--out", str(path), *more]
    out, err = interrupted(words, lambda: len(list(path.glob("*.npz"))) > 5)
    done = re.search(r"([\d,]+) games in (\d+) of 150 shards", out)
    assert done
    assert 5 < int(done[2]) < 150
    assert int(done[1].replace(",", "")) == 40 * int(done[2])
    assert "win share" in out
    offered = re.search(r"interrupted; the rest is played by: tilery (.*)\n", err)
    assert offered
    assert shlex.split(offered[1]) == words
    assert main(shlex.split(offered[1])) == 0
    run = Run.start(path.with_name("whole"), Run.open(path).plan)
    run.work()
    assert content(path) == content(run.path)


@pytest.mark.slow
def test_ctrl_c_in_a_terminal(tmp_path: Path) -> None:
    check_ctrl_c(tmp_path / "run")


def test_the_command_in_memory_says_how_to_go_on(capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    from tilery.cli import simulate as command

    real, calls = command.play, []

    def play(*arguments: Any, **named: Any) -> Any:
        calls.append(named["first"])
        if len(calls) == 4:
            raise KeyboardInterrupt
        return real(*arguments, **named)

    monkeypatch.setattr(command, "play", play)
    assert main(["simulate", "toy", "--games=1000", "--first", "50", "--seed", "3"]) == 130
    out, err = capsys.readouterr()
    assert "30 random games, seed 3" in out
    assert "tilery simulate toy --seed 3 --first 80 --games 970" in err


@pytest.mark.parametrize("suffix", [".csv", ".npy", ".parquet"])
def test_a_single_file(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'tilery[arrow]'")
    path = tmp_path / f"games{suffix}"
    command = ["simulate", "toy", "--games", "40", "--seed", "2", "--out", str(path)]
    assert main(command) == 0
    assert f"40 games written to {path}" in capsys.readouterr().out
    results = tilery.simulate(tilery.load("toy"), 40, seed=2)
    if suffix == ".npy":
        assert np.array_equal(np.load(path), results)
    elif suffix == ".csv":
        table = np.genfromtxt(path, delimiter=",", names=True)
        assert all(np.array_equal(table[name], column) for name, column in tilery.columns(results).items())
    else:
        from pyarrow import parquet

        assert parquet.read_schema(path).metadata is None  # it would name the version of the library
        table = parquet.read_table(path)
        assert all(np.array_equal(table[name], column) for name, column in tilery.columns(results).items())
    before = path.read_bytes()
    assert main(command) == 2
    assert "exists; name a new file" in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--out", "games.xls"], "a file that ends with .csv, .npy, .parquet, got 'games.xls'"),
        (["--out", "games.csv", "--games", "1e8"], "more than 10,000,000 games need a directory"),
        (["--out", "games", "--records", "x.jsonl"], "--out and --records do not go together"),
        (["--shard", "10"], "--shard and --files are for --out DIR"),
        (["--out", "games", "--policy", "mcts,seconds=1"], "without a budget in seconds"),
        (["--out", "/proc/nothing/games"], "/proc/nothing"),
    ],
)
def test_wrong_commands_are_sentences(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "toy", *arguments]) == 2
    err = capsys.readouterr().err
    assert sentence in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["greedy", "flat:9", "uct:9", "mcts:9", "mcts:9,eval=nn", "nn", "nn:2", "champion"])
def test_every_policy_of_the_engine_plays_runs(text: str) -> None:
    """The games of a shard follow from the parameters, which policies do not all have."""
    game = tilery.load(tilery.games()[0])
    slow, fast = plan(game, 10**6, policies=text).shard, plan(game, 10**6).shard
    assert 1 <= slow < fast


def test_the_end_of_a_run_is_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The claims are gone, and a loss of power does not bring them back."""
    run, synced = Run.start(tmp_path / "run", small()), []

    def sync(folder: Path) -> None:
        synced.append((folder, (folder / shards.CLAIMS).exists()))

    monkeypatch.setattr(shards, "sync_folder", sync)
    run.work()
    assert synced[-1] == (tmp_path / "run", False)
