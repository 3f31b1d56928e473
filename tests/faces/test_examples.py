"""The examples run, for every game."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.games import GAMES, ROOT

EXAMPLES = ROOT / "examples"
NEEDS_NUMBA = pytest.mark.skipif(
    importlib.util.find_spec("numba") is None, reason="numba is not installed: pip install numba"
)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "words",
    [
        ["flat_monte_carlo.py", "--playouts", "4"],
        ["one_call_per_decision.py", "--games", "3"],
        ["ctypes_playouts.py", "--games", "5"],
        pytest.param(["numba_playouts.py", "--games", "5"], marks=[NEEDS_NUMBA, pytest.mark.slow]),
    ],
)
def test_example(name: str, words: list[str]) -> None:
    script, *more = words
    run = subprocess.run(
        [sys.executable, EXAMPLES / script, name, *more], capture_output=True, text=True, check=True, timeout=300
    )
    assert "scores" in run.stdout or "decisions" in run.stdout
    assert run.stderr == ""


@pytest.mark.slow
def test_self_play_learns_to_beat_greedy(tmp_path: Path) -> None:
    """In short form; docs/training.md has more. What was stored plays as a policy."""
    words = ["--rounds", "2", "--games", "64", "--simulations", "16", "--matches", "100", "--strength", "32"]
    words += ["--save", str(tmp_path / "alphazero.npz")]
    run = subprocess.run(
        [sys.executable, EXAMPLES / "alphazero_pueblo.py", *words],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert run.stderr == ""
    found = re.search(r"against greedy: wins (\d+\.\d)% \+- \d+\.\d% of 100 games", run.stdout)
    assert found
    assert float(found[1]) > 70
    path = os.pathsep.join([str(EXAMPLES), *filter(None, [os.environ.get("PYTHONPATH")])])
    match = ["-m", "tilery", "match", "pueblo", "py:alphazero_pueblo:player", "random", "--games", "10", "--json"]
    told = subprocess.run(
        [sys.executable, *match],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    (table,) = json.loads(told.stdout)["tables"]
    assert table["sides"][0]["share"] > 0.5
