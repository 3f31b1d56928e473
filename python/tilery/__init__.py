"""tilery: a rules-exact, fast engine for Carcassonne Winter Edition, Java, Pueblo and Taj Mahal.

>>> import tilery
>>> game = tilery.load("toy", players=3)
>>> state = game.new_initial_state()
>>> state.is_chance_node()
True
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tilery import _core, record
from tilery.errors import (
    IllegalActionError,
    OptionError,
    ParseError,
    RecordError,
    StateDataError,
    TileryError,
)
from tilery.protocol import CHANCE, TERMINAL, Game, State
from tilery.rules import Rules
from tilery.run import simulate

if TYPE_CHECKING:
    from tilery._core._surface import GameSurface, StateSurface

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "TERMINAL",
    "Game",
    "IllegalActionError",
    "OptionError",
    "ParseError",
    "RecordError",
    "Rules",
    "State",
    "StateDataError",
    "TileryError",
    "games",
    "get_include",
    "load",
    "record",
    "simulate",
]


# So that tilery.<game>.Game is there after `import tilery`, for every game of the engine, and the
# table for C where PyCapsule_Import("tilery.<game>._C_API") looks for it.
for _name in _core.games:
    vars(importlib.import_module(f"tilery.{_name}"))["_C_API"] = getattr(_core, _name)._C_API


def games() -> list[str]:
    """The names of the games, for `load`. (The toy of the documentation is not among them.)"""
    return sorted(name for name in _core.games if name != "toy")


def load(name: str, **options: object) -> GameSurface[StateSurface]:
    """The game of this name with these options: `load("pueblo", players=3)`.

    Raises `ValueError` for an unknown game and `OptionError`, a `ValueError`, for wrong options.
    """
    if name not in _core.games:
        raise ValueError(f"unknown game {name!r}; there are {', '.join(games())}")
    game: GameSurface[StateSurface] = sys.modules[f"tilery.{name}"].Game(**options)
    return game


def get_include() -> str:
    """The folder with `tilery/capi.h`, for the compiler of a C, C++ or Cython program (docs/embedding.md)."""
    package = Path(__file__).parent
    for folder in (package / "include", package.parents[1] / "cpp"):  # installed; a checkout
        if (folder / "tilery" / "capi.h").is_file():
            return str(folder)
    raise FileNotFoundError("tilery/capi.h is neither in this package nor in a checkout around it")
