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
from tests.kit.tables import table

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


_DECLARED = re.compile(r"^@nox\.session(?:\(name=\"(\w+)\"\))?\ndef (\w+)\(", re.MULTILINE)
SESSIONS = {name or function for name, function in _DECLARED.findall((ROOT / "noxfile.py").read_text(encoding="utf-8"))}


@pytest.mark.parametrize("page", PAGES, **LABELLED)
def test_commands_exist(page: Path) -> None:
    """Every session, module and preset that a page names exists."""
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r"dev\.py (\w+)", text)) <= SESSIONS | {"simulate"}
    assert set(re.findall(r"nox -s (\w+)", text)) <= SESSIONS
    for script in re.findall(r"python3? ((?:\w+/)+\w+\.py)", text):
        assert (ROOT / script).exists(), script
    for module in re.findall(r"python3? -m (tests[\w.]+)", text):
        assert (ROOT / f"{module.replace('.', '/')}.py").exists(), module
    presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
    known = {preset["name"] for kind in ("configurePresets", "workflowPresets") for preset in presets[kind]}
    assert set(re.findall(r"--preset (\w+)", text)) <= known


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_run_sessions_only(workflow: Path) -> None:
    """What a workflow does can be tried on any machine: its jobs run sessions, and actions that only move files."""
    text = workflow.read_text(encoding="utf-8")
    sessions = re.findall(r"- run: python (?:dev\.py|-m nox -s) (\w+)$", text, re.MULTILINE)
    assert set(sessions) <= SESSIONS
    others = {"bash .ci/run", 'python -m pip install "nox>=2025.5"'}
    others.add("npm publish --access public tilery-${{ matrix.package }}-*.tgz")
    commands = re.findall(r"run: (.+)", text)
    assert len([command for command in commands if command not in others]) == len(sessions) > 0


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_may_do_little_and_start_by_hand(workflow: Path) -> None:
    """Each job names its permissions; one that may write publishes, which only a tag does."""
    text = workflow.read_text(encoding="utf-8")
    opening, _, rest = text.partition("\njobs:\n")
    assert all(line in opening.split("\n") for line in ("  workflow_dispatch:", "permissions: {}", "concurrency:"))
    jobs = re.split(r"^  (?=\w+:$)", rest, flags=re.MULTILINE)[1:]
    assert jobs
    for job in jobs:
        assert "\n    permissions:\n" in job, job
        assert ": write" not in job or "\n    if: github.event_name == 'push' && github.ref_type == 'tag'\n" in job, job


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_by_hash(workflow: Path) -> None:
    used = re.findall(r"uses: (\S+)", workflow.read_text(encoding="utf-8"))
    assert used
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action) for action in used)


def test_ci_runs_the_command_of_the_readme_and_the_rest() -> None:
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.findall(r"^python3 dev\.py (\w+)$", text, re.MULTILINE) == ["test", "all"]


def test_the_list_of_sessions_is_complete() -> None:
    """`python3 dev.py` lists all sessions, each with a sentence."""
    run = subprocess.run(
        [sys.executable, "-m", "nox", "--list"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=300
    )
    listed = dict(re.findall(r"^[*-] (\w+) -> (.+\.)$", run.stdout, re.MULTILINE))
    assert set(listed) == SESSIONS


@pytest.mark.parametrize("name", GAMES)
def test_the_table_of_options_says_what_the_engine_says(name: str) -> None:
    """The sentences and defaults of the page are those of `tilery.options`, in the same order."""
    rows = table(tilery.rules_page(name), "Options")
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
