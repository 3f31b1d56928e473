"""docs/sources.md: each test it names is there and each test from a source is in it, with rules of its game's page."""

from __future__ import annotations

import ast
import re

import pytest

import tilery
from tests.kit.games import ROOT
from tests.kit.tables import table


@pytest.mark.parametrize("name", tilery.games())
def test_the_table_of_a_source_names_its_rules_and_tests(name: str) -> None:
    title = tilery.rules_page(name).partition("\n")[0].removeprefix("# ").partition(",")[0]
    rows = table((ROOT / "docs" / "sources.md").read_text(encoding="utf-8"), title)
    tree = ast.parse((ROOT / "tests" / "games" / name / "test_source.py").read_text(encoding="utf-8"))
    tests = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}
    assert {test for row in rows for test in row["test"].split(", ")} == tests
    page = tilery.rules_page(name)
    for row in rows:
        for number in row["rule"].split(", "):
            assert re.search(rf"^- \*\*{number}\*\*", page, re.MULTILINE), number
