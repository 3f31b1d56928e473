"""Every rule number that is cited is defined on a page of the documentation."""

from __future__ import annotations

import re
from collections import Counter

from tests.kit.games import ROOT

PAGES = sorted((ROOT / "docs").rglob("*.md"))
CITING = (
    *("cpp/**/*.hpp", "cpp/**/*.cpp", "cpp/**/*.h", "python/**/*.py", "python/**/*.pyi", "python/**/*.pxd"),
    *(
        "tests/**/*.py",
        "tests/**/*.cpp",
        "tests/**/*.hpp",
        "docs/**/*.md",
        "examples/**/*.py",
        "examples/**/*.pyx",
        "*.md",
    ),
)
DEFINITION = re.compile(r"^(?:- |\| )?\*\*([A-Z]+-[HR]?\d+[a-z]?)\*\*", re.MULTILINE)


def defined() -> Counter[str]:
    """The numbers that begin an item, a row or a paragraph of a page, and how often."""
    return Counter(number for page in PAGES for number in DEFINITION.findall(page.read_text(encoding="utf-8")))


def test_each_rule_is_defined_once() -> None:
    twice = [number for number, times in defined().items() if times > 1]
    assert not twice


def test_each_rule_cited_is_defined() -> None:
    known = defined()
    prefixes = "|".join({number.partition("-")[0] for number in known})
    citation = re.compile(rf"(?<![\w-])(?:{prefixes})-[HR]?\d+[a-z]?(?!\w)")
    unknown = {
        f"{path.relative_to(ROOT)}: {number}"
        for pattern in CITING
        for path in ROOT.glob(pattern)
        if path.is_file()
        for number in citation.findall(path.read_text(encoding="utf-8"))
        if number not in known
    }
    assert len(known) > 100
    assert not unknown
