"""The documentation site is built from the pages without a warning."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tilery
from tests.kit.games import ROOT


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--quiet", "-c", "docs", ".", str(tmp_path)]
    run = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 0, run.stderr
    api = (tmp_path / "docs" / "api.html").read_text(encoding="utf-8")
    for name in tilery.games():
        assert (tmp_path / "docs" / "rules" / f"{name}.html").exists()
        assert f'id="tilery.{name}.Game"' in api
    assert 'id="tilery.simulate"' in api
    assert "What you get" in (tmp_path / "index.html").read_text(encoding="utf-8")
