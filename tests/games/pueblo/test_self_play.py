"""The learner of examples/alphazero_pueblo.py."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.games import ROOT

EXAMPLES = ROOT / "examples"


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
