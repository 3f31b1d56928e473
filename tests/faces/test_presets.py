"""The presets: what the three commands of CONTRIBUTING.md would do, in a copy of the sources, with the toy alone.

`nox -s cpp` builds and tests by the preset `asan`.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.kit.games import ROOT
from tests.kit.running import run

SOURCES = ("CMakeLists.txt", "CMakePresets.json", "pyproject.toml", "bench", "cmake", "cpp", "docs")
SOURCES += ("tests/cpp", "tests/games", "tests/lab", "web/decimals.cpp")


def test_the_presets_configure_and_know_the_tests(tmp_path: Path) -> None:
    for name in (*SOURCES, "python/tilery/data"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, tmp_path / name)
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    words = {"cmake": "-DTILERY_GAMES=toy", "cmake --build": "--target help", "ctest": "-N"}
    for command in words:
        assert f"\n{command} --preset dev\n" in page
    _, targets, tests = (run(*f"{each} --preset dev {more}".split(), cwd=tmp_path) for each, more in words.items())
    assert "\ntilery_rules_native: " in targets
    assert "laws_toy" in tests
