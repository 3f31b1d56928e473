"""The rules again in plain Python, written from the rule texts alone: what the engine is checked against.

The library never uses the reference by itself; ask for it with `tilery.reference.load("pueblo", players=3)`.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from tilery.errors import unknown
from tilery.reference import base

_SHARED = {"base", "rng"}


def games() -> list[str]:
    """The names of the games that have a reference."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name not in _SHARED)


def load(name: str, **options: Any) -> base.Game:
    """The reference of a game with these options; `ValueError` if either is unknown."""
    if name not in games():
        raise ValueError(unknown("game", name, games()))
    game: base.Game = importlib.import_module(f"tilery.reference.{name}").Game(**options)
    return game
