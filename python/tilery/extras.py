"""Optional packages, and the sentence that names the extra which is missing."""

from __future__ import annotations

import importlib
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
