"""What the documentation says runs, and what it quotes is there."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path

import pytest

import tilery
from tests.kit.games import GAMES, ROOT

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "bench" / "README.md",
]
LABELLED = {"ids": lambda path: path.relative_to(ROOT).as_posix()}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("page", PAGES, **LABELLED)
def test_python_snippets_run(page: Path) -> None:
    results = doctest.testfile(str(page), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert results.failed == 0


@pytest.mark.parametrize("module", ["", ".record", *(f".{name}" for name in GAMES)])
def test_docstring_examples_run(module: str) -> None:
    __import__(f"tilery{module}")
    assert doctest.testmod(sys.modules[f"tilery{module}"], optionflags=FLAGS).failed == 0


QUOTED = {
    "cpp": ("cpp/**/*.hpp", "cpp/**/*.cpp", "cpp/**/*.h"),
    "c": ("cpp/**/*.h", "examples/**/*.c"),
    "cython": ("python/**/*.pxd", "examples/**/*.pyx"),
    "cmake": ("examples/**/CMakeLists.txt",),
}


@pytest.mark.parametrize("page", PAGES, **LABELLED)
def test_quoted_code_stands_in_the_sources(page: Path) -> None:
    """A quotation of C++, C, Cython or CMake is word for word in some source."""
    text = page.read_text(encoding="utf-8")
    for language, patterns in QUOTED.items():
        sources = [path.read_text(encoding="utf-8") for pattern in patterns for path in ROOT.glob(pattern)]
        for quoted in re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL):
            assert any(quoted in source for source in sources), quoted


@pytest.mark.parametrize("page", PAGES, **LABELLED)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, **LABELLED)
def test_commands_exist(page: Path) -> None:
    """Every command of dev.py that a page names is one, and so is every script."""
    text = page.read_text(encoding="utf-8")
    commands = re.findall(r"dev\.py ([a-z]+)", text)
    known = set(re.findall(r'^    "(\w+)": \(', (ROOT / "dev.py").read_text(), re.MULTILINE))
    assert set(commands) <= known
    for script in re.findall(r"python3? ((?:tools|bench)/\w+\.py)", text):
        assert (ROOT / script).exists(), script


@pytest.mark.parametrize("name", tilery.games())
def test_every_option_is_on_the_page(name: str) -> None:
    page = (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
    for option in tilery.load(name).rules:
        assert f"`{option}`" in page, option
