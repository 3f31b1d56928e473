"""The adapters are tested with the oldest versions that their extras allow, and with the newest known ones."""

from __future__ import annotations

import importlib.metadata
import sys
import tomllib
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.kit.games import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pinned(group: str) -> dict[str, str]:
    return dict(package.split("==") for package in PROJECT["dependency-groups"][group])


OLDEST, NEWEST = pinned("adapters"), pinned("adapters-newest")
HERE = NEWEST if sys.prefix.endswith("adapters-newest") else OLDEST
"""The versions of this environment."""
EXTRAS = {
    each.name: each
    for extra in PROJECT["project"]["optional-dependencies"].values()
    for each in map(Requirement, extra)
    if not each.extras
}


@pytest.mark.parametrize("package", OLDEST)
def test_the_oldest_and_newest_versions_are_those_of_the_extra(package: str) -> None:
    supported = EXTRAS[package].specifier
    assert f">={OLDEST[package]}" in map(str, supported)
    assert NEWEST.get(package, OLDEST[package]) in supported


@pytest.mark.parametrize("package", HERE)
def test_these_versions_are_installed(package: str) -> None:
    try:
        installed = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{package} is not installed: nox -s adapters")
    assert installed == HERE[package]
