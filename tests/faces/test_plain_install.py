"""What a plain `pip install .` runs: NumPy and the standard library are there, and no package of an extra."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tests.kit.running import run

pytestmark = pytest.mark.slow

PROGRAM = """
import contextlib, importlib.machinery, io, json, sys

class Blocked(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if path is None and name not in ("numpy", "tilery", *sys.stdlib_module_names):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked)
from tilery.cli import main

found = []
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = main(words)
    found.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(found))
"""

COMMANDS = {
    "simulate toy --games 40 --policy random --policy greedy --rotate": "win share",
    "simulate toy --games 20 --records {}/games.jsonl": "written to",
    "simulate toy --games 20 --out {}/run": "20 games in",
    "simulate toy --games 20 --out {}/games.csv": "written to",
    "compare toy --policy random --policy greedy --games 20": "difference",
    "match toy random greedy --games 4": "mean lead",
    "report {}/run --no-page": "Where points come from",
    "analyse {}/games.jsonl --policy mcts:10 --all": "player 0",
    "replay {}/games.jsonl": "20 games",
    "show {}/games.jsonl": "after",
    "show {}/games.jsonl --svg {}/position.svg": "",
    "perft toy --depth 2": "2",
    "games toy": "players",
    "rules toy": "# ",
    "docs": "rules/toy",
    "docs start": "# Quick start",
    "doctor": "extra cli",
}
"""Command -> a part of what it prints."""
REFUSED = {
    "report {}/run --page {}/report.html": "pip install 'tilery[plot]'",
    "simulate toy --games 20 --out {}/games.parquet": "pip install 'tilery[arrow]'",
    "show {}/games.jsonl --png {}/position.png": "pip install 'tilery[png]'",
    "completion bash": "pip install 'tilery[cli]'",
}
"""Command -> a part of what it says of the extra that it needs."""


def test_every_command_that_needs_no_picture_runs(tmp_path: Path) -> None:
    commands = [command.format(*[tmp_path] * command.count("{}")).split() for command in (*COMMANDS, *REFUSED)]
    found = json.loads(run(sys.executable, "-W", "error", "-c", PROGRAM, json.dumps(commands)))
    for (command, part), (code, out, err) in zip(COMMANDS.items(), found, strict=False):
        assert (code, part in out) == (0, True), (command, out, err)
    for (command, part), (code, _, err) in zip(REFUSED.items(), found[len(COMMANDS) :], strict=True):
        assert (code, part in err) == (2, True), (command, err)


def test_extras_are_listed_with_their_packages() -> None:
    found = json.loads(run(sys.executable, "-m", "tilery", "doctor", "--json"))
    assert {"cli", "arrow", "plot", "png", "match", "widget", "gymnasium"} <= found["extras"].keys()
    assert set(found["extras"]["cli"]) == {"markdown-it-py", "rich", "shtab"}
    assert re.fullmatch(r"\d+\.\d+.*", found["numpy"])
    assert found["threads"] >= 1
