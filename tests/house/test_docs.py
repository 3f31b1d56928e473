"""What the documentation says runs, and what it quotes is there."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tilery
from tests.kit.games import GAMES, ROOT
from tilery import pages

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
    "cython": ("cmake/*.pxd.in", "examples/**/*.pyx"),
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
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)  # [&](int n)
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), target


SESSIONS = set(
    re.findall(r"^@nox\.session.*\ndef (\w+)\(", (ROOT / "noxfile.py").read_text(encoding="utf-8"), re.MULTILINE)
)


@pytest.mark.parametrize("page", PAGES, **LABELLED)
def test_commands_exist(page: Path) -> None:
    """Every session, module and preset that a page names exists."""
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r"dev\.py ([a-z_]+)", text)) <= SESSIONS | {"simulate"}
    assert set(re.findall(r"nox -s ([a-z_]+)", text)) <= SESSIONS
    for script in re.findall(r"python3? ((?:\w+/)+\w+\.py)", text):
        assert (ROOT / script).exists(), script
    for module in re.findall(r"python3? -m (tests[\w.]+)", text):
        assert (ROOT / f"{module.replace('.', '/')}.py").exists(), module
    presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
    known = {preset["name"] for kind in ("configurePresets", "workflowPresets") for preset in presets[kind]}
    assert set(re.findall(r"--preset (\w+)", text)) <= known


def test_the_workflow_runs_sessions_only() -> None:
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"dev\.py ([a-z_]+)", text)) <= SESSIONS
    commands = re.findall(r"- run: (.+)", text)
    assert commands
    assert all(command.startswith(("python dev.py ", "sudo apt-get ")) for command in commands)


def test_the_list_of_sessions_is_complete() -> None:
    """`python3 dev.py` lists all sessions, each with a sentence."""
    run = subprocess.run(
        [sys.executable, "-m", "nox", "--list"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    listed = dict(re.findall(r"^[*-] (\w+) -> (.+\.)$", run.stdout, re.MULTILINE))
    assert set(listed) == SESSIONS


@pytest.mark.parametrize("name", GAMES)
def test_the_table_of_options_says_what_the_engine_says(name: str) -> None:
    """The sentences and defaults of the page are those of `tilery.options`, in the same order."""
    rows = pages.table(tilery.rules_page(name), "Options")
    described = tilery.options(name)
    assert [row["option"] for row in rows] == list(described)
    for row, option in zip(rows, described.values(), strict=True):
        assert row["what it does"] == option.about
        assert row["default"].strip('"') == str(option.default)


@pytest.mark.parametrize("name", tilery.games())
def test_every_option_is_on_the_page(name: str) -> None:
    page = (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
    for option in tilery.load(name).rules:
        assert f"`{option}`" in page, option
