"""Packages that an extra of tilery installs: imported when they are needed, and checked against its requirements."""

from __future__ import annotations

import importlib
import importlib.metadata
import re
from collections.abc import Iterator
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


def requirements(extra: str) -> Iterator[tuple[str, str]]:
    """The packages of an extra with the versions that it allows: ("gymnasium", ">=1.1,<2")."""
    for line in importlib.metadata.requires("tilery") or ():
        requirement, _, marker = line.partition(";")
        if re.search(rf"extra\s*==\s*['\"]{extra}['\"]", marker) and "[" not in requirement:
            found = re.match(r"([\w.-]+)\s*(.*)", requirement.strip())
            if found:
                bounds = found[2].replace(" ", "").strip("()").split(",")
                yield found[1], ",".join(sorted(bounds, reverse=True))  # lower bounds first


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, without zeros at the end: (1, 27) of "1.27.0rc1"."""
    release = re.match(r"[\d.]*", version)
    found = [int(number) for number in release[0].split(".") if number] if release else []
    while found and found[-1] == 0:
        found.pop()
    return tuple(found)


def allows(wanted: str, version: str) -> bool:
    """Whether a version is among those of a requirement such as ">=1.25,<2"."""
    have = numbers(version)
    for bound in wanted.split(","):
        relation, limit = bound.rstrip("0123456789."), numbers(bound.lstrip("<>="))
        if (relation == ">=" and have < limit) or (relation == "<" and have >= limit):
            return False
    return True


def need(extra: str) -> None:
    """Check the packages of an extra.

    Raises `ImportError` with the versions that are supported and the command that installs them.
    """
    for package, wanted in requirements(extra):
        try:
            version = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            version = ""
        if not version or not allows(wanted, version):
            found = f"found {package} {version}" if version else "it is not installed"
            raise ImportError(
                f"tilery.{extra} needs {package}{wanted}, {found}: pip install 'tilery[{extra}]'", name=package
            )
