"""The examples run, for every game."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

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
