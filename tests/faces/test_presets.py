"""The presets: the three commands of CONTRIBUTING.md, in a copy of the sources, with the toy alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.kit.games import ROOT
from tests.kit.running import run

SOURCES = ("CMakeLists.txt", "CMakePresets.json", "pyproject.toml", "bench", "cmake", "cpp", "docs")
SOURCES += ("tests/cpp", "tests/games", "tests/lab", "web/decimals.cpp")


@pytest.mark.slow
def test_the_presets_configure_build_and_test(tmp_path: Path) -> None:
    for name in (*SOURCES, "python/tilery/data"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, tmp_path / name)
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for command in ("cmake --preset dev", "cmake --build --preset dev", "ctest --preset dev"):
        assert f"\n{command}\n" in page
        words = [*command.split(), *(["-DTILERY_GAMES=toy"] if command == "cmake --preset dev" else [])]
        printed = run(*words, cwd=tmp_path)
    assert "100% tests passed" in printed
    assert "laws_toy" in printed
