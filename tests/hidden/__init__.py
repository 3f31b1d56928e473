"""Per game: who draws in secret, what the rules lay open, and positions with something to hide."""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Sequence
from types import ModuleType
from typing import Any


def look(state: Any, player: int = 0) -> dict[str, Any]:
    """What the player knows."""
    seen: dict[str, Any] = json.loads(state.information_state_string(player))
    return seen


def first_below(full: int, sizes: Sequence[int]) -> int | None:
    """The first seat whose hand is not full."""
    return next((seat for seat, size in enumerate(sizes) if size < full), None)


def secrets_of(name: str) -> ModuleType | None:
    """tests/hidden/<game>.py; None for a game in which nothing is hidden."""
    if importlib.util.find_spec(f"hidden.{name}") is None:
        return None
    return importlib.import_module(f"hidden.{name}")
