"""The packages of extras: the message about one that is missing, or about a version that is not supported."""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tilery import extras

PROJECTS = {"gymnasium": "gymnasium", "pettingzoo": "pettingzoo", "openspiel": "open-spiel"}
"""Adapters, and extras of the same names -> the package that they adapt to."""


def requirement(project: str) -> Requirement:
    found = map(Requirement, importlib.metadata.requires("tilery") or ())
    return next(each for each in found if each.name == project)


@pytest.mark.parametrize("project", PROJECTS)
def test_a_version_that_is_not_supported_is_named(project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    package = PROJECTS[project]
    wanted, installed = requirement(package), {"packaging": "99"}
    monkeypatch.setattr(importlib.metadata, "version", lambda name: installed[name])
    oldest = min(Version(bound.version) for bound in wanted.specifier)
    for version in ("0.1", f"{oldest.major - 1}.99", "99.0"):
        installed[package] = version
        with pytest.raises(extras.MissingExtraError) as error:
            extras.need(project)
        command = f"pip install 'tilery[{project}]'"
        assert str(error.value) == (
            f"tilery.{project} needs {package}{wanted.specifier}, found {package} {version}: {command}"
        )
    for version in (str(oldest), f"{oldest}.1", f"{oldest.major}.{oldest.minor}.99rc1"):
        installed[package] = version
        extras.need(project)


@pytest.mark.parametrize("project", PROJECTS)
def test_a_package_that_is_missing_is_named(project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(ImportError, match=r"it is not installed: pip install 'tilery\["):
        extras.need(project)


def test_every_extra_that_a_message_names_exists() -> None:
    sources = (path.read_text(encoding="utf-8") for path in Path(extras.__file__).parent.rglob("*.py"))
    named = {extra for text in sources for extra in re.findall(r'\bimported\("[\w.]+", "(\w+)"', text)}
    assert {"arrow", "onnx", "png"} <= named <= extras.installed().keys()
