"""The packages of extras: what is said of one that is missing, or of a version that is not supported."""

from __future__ import annotations

import importlib.metadata
import tomllib
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tests.kit.games import ROOT
from tilery import extras

DECLARED: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]
VERSIONS = ["0.9", "1", "1.0.0", "1.1", "1.1.0", "1.1.1", "1.24.4", "1.25.0", "1.27", "1.100", "2", "2.0.2", "2.1.0"]


@pytest.mark.parametrize("extra", DECLARED)
def test_the_requirements_of_an_extra_are_those_of_the_project(extra: str) -> None:
    declared = [Requirement(line) for line in DECLARED[extra]]
    wanted = {each.name: each.specifier for each in declared if not each.extras}
    assert {name: SpecifierSet(text) for name, text in extras.requirements(extra)} == wanted
    for text in dict(extras.requirements(extra)).values():
        for version in VERSIONS:
            assert extras.allows(text, version) == SpecifierSet(text).contains(version), (text, version)


@pytest.mark.parametrize("extra", ["gymnasium", "pettingzoo"])
def test_a_version_that_is_not_supported_is_named(extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ((package, wanted),) = extras.requirements(extra)
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "0.1")
    with pytest.raises(ImportError) as error:
        extras.need(extra)
    command = f"pip install 'tilery[{extra}]'"
    assert str(error.value) == f"tilery.{extra} needs {package}{wanted}, found {package} 0.1: {command}"

    def missing(name: str) -> Any:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(ImportError, match=r"it is not installed: pip install 'tilery\["):
        extras.need(extra)
    monkeypatch.setattr(importlib.metadata, "version", lambda _: wanted.split(",")[0].lstrip(">="))
    extras.need(extra)
