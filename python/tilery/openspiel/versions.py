"""The versions of OpenSpiel that the adapter supports."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re

OLDEST = "2.0.2"
"""The oldest version supported, with which the tests run."""
FIRST_UNSUPPORTED = "2.1"
"""The first version that is not."""


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(int(number) for number in found[0].split(".")) if found else ()


def installed() -> str:
    """The version of OpenSpiel that is installed. Raises `ImportError` if there is none."""
    if importlib.util.find_spec("pyspiel") is None:
        raise ImportError("tilery.openspiel needs OpenSpiel: pip install 'tilery[openspiel]'")
    return importlib.metadata.version("open_spiel")


def check() -> None:
    """Raise `ImportError` unless a supported version of OpenSpiel is installed."""
    version = installed()
    if not _numbers(OLDEST) <= _numbers(version) < _numbers(FIRST_UNSUPPORTED):
        raise ImportError(
            f"tilery.openspiel supports open_spiel from {OLDEST} up to but not including {FIRST_UNSUPPORTED}; "
            f"{version} is installed: pip install 'tilery[openspiel]'"
        )
