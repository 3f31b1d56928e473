"""Rule numbers: every one that is cited is defined on a page, and every one that is defined has a test."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from tests.kit.games import ROOT

PAGES = sorted((ROOT / "docs").rglob("*.md"))
CITING = [
    *("cpp/**/*.hpp", "cpp/**/*.cpp", "cpp/**/*.h", "python/**/*.py", "python/**/*.pyi", "python/**/*.pxd"),
    *("tests/**/*.py", "tests/**/*.cpp", "tests/**/*.hpp", "examples/**/*.py", "examples/**/*.pyx"),
    *("docs/**/*.md", "*.md"),
]
DEFINITION = re.compile(r"^(?:- |\| )?\*\*([A-Z]+-[HR]?\d+[a-z]?)\*\*( \*\(definition\)\*)?", re.MULTILINE)
"""A number in bold begins an item, a row or a paragraph; a mere definition says so and needs no test."""


def definitions() -> Iterator[tuple[str, bool]]:
    """Each number that a page defines, and whether the page exempts it from having a test."""
    for page in PAGES:
        for number, exempt in DEFINITION.findall(page.read_text(encoding="utf-8")):
            yield number, bool(exempt)


def markers() -> Iterator[tuple[str, str]]:
    """Each number named by a `rule` marker on a test, with the test."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "rule":
                    for number in decorator.args:
                        yield ast.literal_eval(number), f"{path.relative_to(ROOT)}: {node.name}"


def test_each_rule_is_defined_once() -> None:
    twice = [number for number, times in Counter(number for number, _ in definitions()).items() if times > 1]
    assert not twice


def test_each_rule_cited_is_defined() -> None:
    known = dict(definitions())
    prefixes = "|".join({number.partition("-")[0] for number in known})
    citation = re.compile(rf"(?<![\w-])(?:{prefixes})-[HR]?\d+[a-z]?(?!\w)")
    unknown = {
        f"{path.relative_to(ROOT)}: {number}"
        for pattern in CITING
        for path in ROOT.glob(pattern)
        for number in citation.findall(path.read_text(encoding="utf-8"))
        if number not in known
    }
    assert len(known) > 100
    assert not unknown


def test_each_rule_has_a_test() -> None:
    tested = {number for number, _ in markers()}
    assert {number for number, exempt in definitions() if not exempt} - tested == set()


def test_each_marker_names_a_rule_that_a_test_can_break() -> None:
    testable = {number for number, exempt in definitions() if not exempt}
    assert [f"{test} names {number}" for number, test in markers() if number not in testable] == []
