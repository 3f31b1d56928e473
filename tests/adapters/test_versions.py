"""The adapters are tested with the oldest versions that their extras allow."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from typing import Any

import pytest

from tests.kit.games import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PINNED: dict[str, str] = dict(package.split("==") for package in PROJECT["dependency-groups"]["adapters"])


@pytest.mark.parametrize("package", PINNED)
def test_the_oldest_supported_version_is_installed(package: str) -> None:
    extras = PROJECT["project"]["optional-dependencies"].values()
    bounds = {re.split("[<>=]", needed)[0]: needed for extra in extras for needed in extra}
    assert f"{package}>={PINNED[package]}" == bounds[package].partition(",")[0]
    try:
        installed = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{package} is not installed: nox -s adapters")
    assert installed == PINNED[package]
