"""Runs on a local Ray cluster: the same bytes, also when a worker is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

import tilery
from tests.kit.games import ROOT
from tests.runs.test_shards import check_ctrl_c, content
from tilery.runs import on_ray
from tilery.runs.shards import Run, RunError, plan
from tilery.train import Plan, Training

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="needs ray: pip install 'tilery[ray]'"),
    pytest.mark.skipif(sys.platform != "linux", reason="finds workers in /proc"),
]


def command(path: Path, *more: str) -> list[str]:
    return [
        *(sys.executable, "-m", "tilery", "simulate", "toy", "--games", "600", "--shard", "10", "--files", "npz"),
        *("--seed", "5", "--policy", "uct:200", "--out", str(path), *more),
    ]


def whole(path: Path) -> dict[str, bytes]:
    """The files of the run on this machine alone."""
    chosen = plan(tilery.load("toy"), 600, seed=5, shard=10, files="npz", policies="uct:200")
    Run.start(path, chosen).work()
    return content(path)


def workers(of: int) -> list[int]:
    """The processes that play shards, among those started by a process."""
    parents, names = {}, {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(process.name)] = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            names[int(process.name)] = (process / "cmdline").read_bytes()
        except OSError:
            continue

    def descends(process: int) -> bool:
        while process in parents and process != of:
            process = parents[process]
        return process == of

    return [process for process, name in names.items() if name.startswith(b"ray::shard_of") and descends(process)]


def test_a_worker_is_killed_and_the_bytes_are_the_same(tmp_path: Path) -> None:
    expected = whole(tmp_path / "alone")
    run = subprocess.Popen(
        command(tmp_path / "ray", "--ray", "--threads", "2"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    killed = 0
    with run:
        while run.poll() is None and killed < 2:
            if len(list((tmp_path / "ray").glob("*.npz"))) > 5 * (killed + 1) and (found := workers(run.pid)):
                os.kill(found[0], signal.SIGKILL)
                killed += 1
            time.sleep(0.02)
        out, err = run.communicate(timeout=170)
    assert killed == 2
    assert run.returncode == 0, err
    assert "600 games in 60 of 60 shards" in out
    assert content(tmp_path / "ray") == expected


def test_ctrl_c_and_going_on(tmp_path: Path) -> None:
    check_ctrl_c(tmp_path / "run", "--ray", "--threads", "2")


def test_a_training_has_the_same_bytes(tmp_path: Path) -> None:
    given = Plan("toy", rounds=3, games=130, match_games=8)
    assert Training(tmp_path / "ray", given).run(ray="local") == Training(tmp_path / "alone", given).run(threads=1)


def test_a_worker_of_another_version_plays_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver sees the worker's error itself."""
    run = Run.start(tmp_path / "run", plan(tilery.load("toy"), 20, shard=10, files="npz"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "sitecustomize.py").write_text("import tilery\ntilery.__version__ = '0.0.9'\n")
    with pytest.raises(RunError, match=r"tilery is '0\.1\.0' there and '0\.0\.9' here"):
        on_ray.work(run, workers=1)
    assert not run.finished()
    with pytest.raises(RunError, match=r"tilery is '0\.1\.0' there and '0\.0\.9' here"):
        Training(tmp_path / "training", Plan("toy", rounds=1, games=10)).run(threads=1, ray="local")


def test_ray_refuses_what_does_not_play_the_same_again(tmp_path: Path) -> None:
    for more, sentence in (
        (["--policy", "uct,seconds=1"], "policies without a budget in seconds"),
        (["--records", "x.jsonl"], "do not go together"),
        (["--out", "games.csv"], "--ray is for --out DIR"),
    ):
        ended = subprocess.run(
            command(tmp_path / "run", "--ray", *more), cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 2
        assert sentence in ended.stderr
    assert not (tmp_path / "run").exists()
