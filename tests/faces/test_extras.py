"""The packages of extras: what is said of one that is missing, or of a version that is not supported."""

from __future__ import annotations

import importlib.metadata
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tilery import extras

PROJECTS = ["gymnasium", "pettingzoo"]


def requirement(project: str) -> Requirement:
    found = map(Requirement, importlib.metadata.requires("tilery") or ())
    return next(each for each in found if each.name == project)


@pytest.mark.parametrize("project", PROJECTS)
def test_a_version_that_is_not_supported_is_named(project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, installed = requirement(project), {"packaging": "99"}
    monkeypatch.setattr(importlib.metadata, "version", lambda name: installed[name])
    oldest = min(Version(bound.version) for bound in wanted.specifier)
    for version in ("0.1", f"{oldest.major - 1}.99", "99.0"):
        installed[project] = version
        with pytest.raises(extras.MissingExtraError) as error:
            extras.need(project)
        command = f"pip install 'tilery[{project}]'"
        assert str(error.value) == (
            f"tilery.{project} needs {project}{wanted.specifier}, found {project} {version}: {command}"
        )
    for version in (str(oldest), f"{oldest}.1", f"{oldest.major}.99rc1"):
        installed[project] = version
        extras.need(project)


@pytest.mark.parametrize("project", PROJECTS)
def test_a_package_that_is_missing_is_named(project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(ImportError, match=r"it is not installed: pip install 'tilery\["):
        extras.need(project)
