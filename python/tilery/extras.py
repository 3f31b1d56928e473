"""Packages that an extra of tilery installs: imported when they are needed, and checked against its requirements."""

from __future__ import annotations

import importlib
import re
from typing import Any


class MissingExtraError(ImportError):
    """A package that only an extra of tilery installs is not there."""


def imported(module: str, extra: str, what: str) -> Any:
    """Return a module of an optional package.

    Raises `MissingExtraError`, an `ImportError`, saying that `what` needs `tilery[extra]`.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(f"{error}; {what} need the extra: pip install 'tilery[{extra}]'") from None


def installed() -> dict[str, dict[str, str | None]]:
    """The extras of tilery: of each its packages, with the versions that are installed, or None for one that is not."""
    import importlib.metadata

    found: dict[str, dict[str, str | None]] = {}
    for line in importlib.metadata.requires("tilery") or ():
        name, extra = re.match(r"[\w.-]+", line), re.search(r"extra == ['\"]([\w-]+)", line)
        if name is None or extra is None or name[0] == "tilery":
            continue
        try:
            version: str | None = importlib.metadata.version(name[0])
        except importlib.metadata.PackageNotFoundError:
            version = None
        found.setdefault(extra[1], {})[name[0]] = version
    return found


def need(extra: str) -> None:
    """Check the packages of an extra against its requirements.

    Raises `MissingExtraError` with the versions that are supported and the command that installs them.
    """
    import importlib.metadata

    requirements = imported("packaging.requirements", extra, f"the environments of {extra}")
    for line in importlib.metadata.requires("tilery") or ():
        wanted = requirements.Requirement(line)
        if wanted.extras or wanted.marker is None or not wanted.marker.evaluate({"extra": extra}):
            continue
        try:
            version = importlib.metadata.version(wanted.name)
        except importlib.metadata.PackageNotFoundError:
            found = "it is not installed"
        else:
            if wanted.specifier.contains(version, prereleases=True):
                continue
            found = f"found {wanted.name} {version}"
        message = f"tilery.{extra} needs {wanted.name}{wanted.specifier}, {found}: pip install 'tilery[{extra}]'"
        raise MissingExtraError(message, name=wanted.name)
