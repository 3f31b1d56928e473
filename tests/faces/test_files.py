"""Every file name that a command takes, as whatever may lie there: refused or read, soon and in little memory."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.kit.running import QUIET_FORKS
from tilery import files, record
from tilery.play import Session
from tilery.play.saved import SavedGame
from tilery.runs.shards import Run, plan

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")

SHELL = """
import io, json, os, resource, sys
from tilery.cli import main

MEMORY, SECONDS = 1 << 30, 10
import numpy, rich.table, rich.console, rich.progress  # what a command imports later
try:
    import pyarrow.parquet
except ImportError:
    pass
for line in sys.stdin:
    words = json.loads(line)
    reader, tell = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        os.dup2(0, 1)
        os.dup2(tell, 2)
        code = 99
        try:
            code = main(words)
        finally:
            sys.stderr.flush()
            os._exit(code)
    os.close(tell)
    with open(reader) as pipe:
        printed = pipe.read()
    print(json.dumps([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), printed]), flush=True)
"""
"""Runs command lines, each in a process of its own with 1 GiB and 10 seconds of the processor."""


class Shell:
    """Commands in processes with limits."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, *QUIET_FORKS, "-c", SHELL],
            cwd=folder,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: object) -> tuple[int, str]:
        """The exit status of a command, and what it wrote on standard error; fails if it hangs."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([str(word) for word in words]) + "\n")
        self._process.stdin.flush()
        watch = threading.Timer(120, self._process.kill)
        watch.start()
        answer = self._process.stdout.readline()
        watch.cancel()
        assert answer, f"hangs: {words}"
        status, printed = json.loads(answer)
        return status, printed

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    started = Shell(tmp_path)
    yield started
    started.close()


def pipe(path: Path) -> None:
    os.mkfifo(path)


def directory(path: Path) -> None:
    path.mkdir()


def dangling(path: Path) -> None:
    path.symlink_to(path.parent / "elsewhere")


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def endpoint(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


def large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 30)  # zeros that take no room


def bomb(path: Path) -> None:
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(64):
            file.write(bytes(1 << 24))


KINDS: list[Callable[[Path], None]] = [pipe, directory, dangling, device, endpoint, large, bomb]


def known(folder: Path) -> None:
    """A file of records and a run, to be damaged."""
    game = tilery.load("toy")
    record.write(folder / "games.jsonl", record.simulated(game, 3, seed=7))
    for form in ("npz", "parquet") if find_spec("pyarrow") else ("npz",):
        Run.start(folder / form, plan(game, 40, shard=20, seed=1, files=form)).work(threads=1)


RUN = [["report", "npz", "--no-page", "--sample", "5"], ["compare", "npz", "npz"]]
AGAIN = ["simulate", "toy", "--games", "40", "--shard", "20", "--seed", "1", "--files", "npz", "--out", "npz"]
READ: dict[str, list[list[str]]] = {
    "games.jsonl": [
        ["replay", "games.jsonl"],
        ["show", "games.jsonl"],
        ["analyse", "games.jsonl", "--after", "9", "--policy", "mcts:10"],
        ["play", "toy", "--text", "--bot", "random", "--record", "games.jsonl"],
    ],
    "games.jsonl.gz": [["replay", "games.jsonl.gz"], ["show", "games.jsonl.gz"]],
    "games.jsonl.zst": [["replay", "games.jsonl.zst"]],
    "map.json": [
        [*words, name, *more, "--set", f"{option.name}=map.json"]
        for name in tilery.games()
        for option in tilery.options(name).values()
        if option.kind == "file"
        for words, more in ((["simulate"], ["--games", "1"]), (["play"], ["--text"]))
    ],
    "npz/manifest.json": [*RUN, AGAIN],
    "npz/games-000001.npz": RUN,
    "npz/.claims": [AGAIN],
    "parquet/manifest.json": [["report", "parquet", "--no-page"]],
    "parquet/games-000001.parquet": [["report", "parquet", "--no-page", "--sample", "5"]],
}
"""Names of files that commands read, and the commands."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_is_read_may_be_anything(kind: Callable[[Path], None], shell: Shell, tmp_path: Path) -> None:
    """A sentence, and nothing is made where a link leads."""
    known(tmp_path)
    for name, commands in READ.items():
        if not (tmp_path / name).parent.is_dir() or (name.endswith("claims") and kind in (large, bomb)):
            continue  # what a regular file of claims holds is not read
        with _instead(tmp_path / name, kind):
            for words in commands:
                status, printed = shell.run(*words)
                assert status in (1, 2), (words, status, printed)
                assert printed.startswith("tilery: "), (words, printed)
                assert printed.count("\n") == 1, (words, printed)
                assert not (tmp_path / "elsewhere").exists(), words
    assert [shell.run(*words) for words in (*RUN, AGAIN)] == [(0, "")] * 3


class _instead:
    """Something else at the place of a file, which comes back."""

    def __init__(self, path: Path, kind: Callable[[Path], None]) -> None:
        self._path, self._kept, self._kind = path, path.with_name("kept"), kind

    def __enter__(self) -> None:
        if self._path.exists():
            self._path.rename(self._kept)
        self._kind(self._path)

    def __exit__(self, *_error: object) -> None:
        if self._path.is_dir():
            shutil.rmtree(self._path)
        else:
            self._path.unlink()
        if self._kept.exists():
            self._kept.rename(self._path)


WRITTEN: dict[str, list[str]] = {
    "out.jsonl": ["simulate", "toy", "--games", "3", "--records"],
    "out.gz": ["match", "toy", "random", "greedy", "--games", "2", "--records"],
    "out.svg": ["show", "games.jsonl", "--svg"],
    "out.png": ["show", "games.jsonl", "--png"],
    "out.html": ["show", "games.jsonl", "--steps"],
    "page.html": ["report", "npz", "--sample", "5", "--page"],
    "out.csv": ["simulate", "toy", "--games", "3", "--out"],
    "out.npy": ["simulate", "toy", "--games", "3", "--out"],
}
"""Names of files that commands write, and the commands without them."""


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written_replaces_nothing_unasked(name: str, shell: Shell, tmp_path: Path) -> None:
    known(tmp_path)
    words, path, real = WRITTEN[name], tmp_path / name, tmp_path / "real"
    for kind in (pipe, directory, dangling, endpoint):
        if kind is directory and words[-1] == "--out":
            continue  # for a run
        with _instead(path, kind):
            status, printed = shell.run(*words, name)
            assert (status, printed.count("\n")) == (2, 1), (kind, printed)
            assert printed.startswith("tilery: ")
            assert not (tmp_path / "elsewhere").exists()
    path.write_text("precious")
    status, printed = shell.run(*words, name)
    assert (status, path.read_text()) == (2, "precious")
    assert printed == f"tilery: {name} exists; name a new file, or add --overwrite\n"
    path.rename(real)
    path.symlink_to(real)
    assert shell.run(*words, name)[0] == 2
    assert real.read_text() == "precious"
    assert shell.run(*words, name, "--overwrite") == (0, "")
    assert path.is_symlink()
    assert "precious" not in real.read_text(errors="replace")
    path.unlink()
    status, printed = shell.run(*words, f"nowhere/{name}")
    assert (status, printed) == (2, "tilery: the folder nowhere does not exist\n")
    assert shell.run(*words, f"/dev/null{Path(name).suffix}")[0] in (0, 2)
    assert not list(tmp_path.glob("*.part"))


def test_a_device_is_written_as_it_is(tmp_path: Path) -> None:
    """And stays one."""
    with files.whole_file("/dev/null") as file:
        file.write(b"x")
    with files.open_output("/dev/null", overwrite=True) as file:
        file.write(b"x")
    assert Path("/dev/null").is_char_device()
    os.mkfifo(tmp_path / "pipe")
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    while True:
        try:
            file = files.open_output(tmp_path / "pipe")
        except OSError:  # it is not read yet
            continue
        break
    with file:
        file.write(b"x" * 200_000)
    reader.join(60)
    assert heard == [b"x" * 200_000]


@pytest.mark.parametrize("suffix", ["", ".gz", pytest.param(".zst", marks=pytest.mark.skipif(
    find_spec("pyarrow") is None, reason="needs pyarrow"))])  # fmt: skip
def test_records_are_added_where_that_is_asked_for(suffix: str, tmp_path: Path) -> None:
    path, game = tmp_path / f"games.jsonl{suffix}", tilery.load("toy")
    written = list(record.simulated(game, 4, seed=1))
    for mode, some in (("x", written[:2]), ("a", written[2:])):
        with record.opened(path, mode) as file:  # type: ignore[arg-type]
            file.writelines(each.to_json() + "\n" for each in some)
    assert list(record.read(path)) == written
    with pytest.raises(FileExistsError), record.opened(path, "x"):
        pass
    record.write(path, written[:1])
    assert list(record.read(path)) == written[:1]


def test_sessions_share_a_file(tmp_path: Path) -> None:
    """Each keeps its own record, also when all write at once; nothing follows a link of a name that can be guessed."""
    path, game = tmp_path / "games.jsonl", tilery.load("toy", hand=4)
    sessions = [Session(game, [None, None], seed=seed) for seed in range(6)]
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / f".{path.name}.{os.getpid()}").symlink_to(victim)
    saved = [SavedGame(path) for _ in sessions]

    def play(session: Session, file: SavedGame) -> None:
        for _ in range(8):
            file.save(session)
            if session.actor < 0:
                break
            session.play(game.action_to_string(session.state.legal_actions()[0]))
        file.save(session)

    threads = [threading.Thread(target=play, args=pair) for pair in zip(sessions, saved, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = sorted(record.read(path), key=lambda each: each.more["seed"])
    assert kept == [session.record() for session in sessions]
    assert victim.read_text() == "precious"


def test_a_line_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    [written] = record.simulated(tilery.load("toy"), 1, seed=1)
    path.write_text(f"{written.to_json()}\n{' ' * (files.LARGEST + 1)}\n{written.to_json()}\n")
    found = list(record.lines(path))
    assert [number for number, _ in found] == [1, 2]
    assert "more than 16,777,216 characters" in str(found[1][1])


def test_many_shards_take_no_memory(tmp_path: Path) -> None:
    """The missing shards of a run of 2**40 are not listed."""
    run = Run.start(tmp_path / "run", plan(tilery.load("toy"), 2**40, shard=1, files="npz"))

    def enough(games: int) -> None:
        if games > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.work(threads=1, progress=enough)


@pytest.mark.parametrize(
    "changed",
    [{"games": 2**62}, {"shard": 0}, {"seed": -1}, {"seed": 2**70}, {"first": 2**63}, {"policies": ["cmd:x"]},
     {"policies": ["mctx"]}, {"policies": ["py:a:b"]}, {"policies": ["mcts,seconds=1"]}, {"files": "csv"}],
)  # fmt: skip
def test_a_manifest_has_the_bounds_of_a_plan(changed: dict[str, Any], tmp_path: Path) -> None:
    run = Run.start(tmp_path / "run", plan(tilery.load("toy"), 20, shard=20, files="npz"))
    manifest = run.path / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | changed))
    with pytest.raises(tilery.runs.shards.RunError, match="is damaged: "):
        Run.open(run.path)


def test_a_shard_is_looked_at_before_it_is_read(tmp_path: Path) -> None:
    """Columns of other kinds, and more bytes than the games need, whatever they decode to."""
    arrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
    from pyarrow import parquet

    run = Run.start(tmp_path / "run", plan(tilery.load("toy"), 200, shard=200, files="parquet"))
    run.work(threads=1)
    table = parquet.read_table(run.path_of(0))
    name = table.column_names[0]
    texts = arrow.DictionaryArray.from_arrays(arrow.array([0] * 200, arrow.int32()), arrow.array(["0" * 100_000]))
    for changed, sentence in (
        (table.append_column("x", texts), "other columns"),
        (table.set_column(0, name, texts), "is not a column of"),
    ):
        parquet.write_table(changed, run.path_of(0), compression="zstd", store_schema=False)
        with pytest.raises(tilery.runs.shards.RunError, match=sentence):
            run.read(0)


@pytest.mark.skipif(os.name == "nt", reason="folders cannot be synchronised there")
def test_a_rename_outlasts_a_loss_of_power(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The content of a new file, then the folder with its name, are written to the disk."""
    kinds = []

    def synchronise(opened: int) -> None:
        kinds.append(stat.S_ISDIR(os.fstat(opened).st_mode))

    monkeypatch.setattr(os, "fsync", synchronise)
    with files.whole_file(tmp_path / "file") as file:
        file.write(b"x")
    assert kinds == [False, True]
