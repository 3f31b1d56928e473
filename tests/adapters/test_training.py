"""The example that learns, in short form; and what docs/training.md says of it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.games import ROOT

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install 'tilery[gymnasium]'")

EXAMPLE = ROOT / "examples" / "ppo.py"


def test_the_example_learns(tmp_path: Path) -> None:
    """Random play has a mean return of 0, with a standard error of 0.03 over these games."""
    picture = tmp_path / "learning.svg"
    words = ["toy", "--decisions", "80000", "--games", "1024", "--plot", str(picture)]
    run = subprocess.run([sys.executable, EXAMPLE, *words], capture_output=True, text=True, check=True, timeout=300)
    assert run.stderr == ""
    found = re.search(r"wins .* of 1024 games, mean return ([+-]\d\.\d+)", run.stdout)
    assert found
    assert float(found[1]) > 0.09
    drawn = picture.read_text(encoding="utf-8")
    assert drawn.count(",") > 8
    assert "81,920 decisions" in drawn


def test_the_example_is_short() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 200
