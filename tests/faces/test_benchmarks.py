"""`pytest bench` as users run it: with tilery, pytest and pytest-benchmark alone."""

from __future__ import annotations

import re
import sys

import pytest

from tests.kit.games import ROOT
from tests.kit.running import run

PROGRAM = """
import importlib.machinery, sys

class Blocked(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if path is None and name in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked)
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""
BLOCKED = {
    "gymnasium",
    "hypothesis",
    "pettingzoo",
    "playwright",
    "polars",
    "pyarrow",
    "pyspiel",
    "pytest_rerunfailures",
    "rich",
    "scipy",
    "xdist",
}


@pytest.mark.slow
def test_benchmarks_need_no_tool_of_the_tests() -> None:
    """All are collected, and one file is run."""
    plain = (
        "-p",
        "no:hypothesispytest",
        "-p",
        "no:xdist",
        "-p",
        "no:rerunfailures",
        "-p",
        "no:cacheprovider",
        "--benchmark-disable",
        "-q",
    )
    words = (sys.executable, "-c", f"BLOCKED = {BLOCKED}\n{PROGRAM}", *plain)
    collected = run(*words, "--collect-only", "bench")
    assert int(re.findall(r"(\d+) tests? collected", collected)[0]) > 40
    assert "passed" in run(*words, "bench/bench_step.py", "-k", "native")


def test_only_benchmarks_are_named_like_them() -> None:
    for path in sorted((ROOT / "bench").glob("bench_*.py")):
        assert "pytest.mark.benchmark(" in path.read_text(encoding="utf-8"), path.name
