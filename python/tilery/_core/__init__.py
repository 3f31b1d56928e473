"""The compiled engine, in the fastest build that this processor runs.

`TILERY_BUILD=baseline` in the environment asks for the build that runs everywhere.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from typing import Any

from tilery._core import _cpu
from tilery.errors import unknown


def _choose() -> str:
    wanted = os.environ.get("TILERY_BUILD", "")
    if wanted not in ("", "baseline", "v3"):
        raise ImportError(f"TILERY_BUILD must be 'baseline' or 'v3', got {wanted!r}")
    if wanted:
        return wanted
    built = importlib.util.find_spec("tilery._core.v3") is not None
    return "v3" if built and _cpu.has_x86_64_v3() else "baseline"


build: str = _choose()
"""The build in use: "v3" or "baseline"."""

_module = importlib.import_module(f"tilery._core.{build}")
Policy = _module.Policy
Batch = _module.Batch
games: tuple[str, ...] = _module.games
"""The names of all games in the engine, the toy included."""
Rng = _module.Rng
compiler: str = _module.compiler
"""The version of the compiler that made the module."""

for _game in games:
    sys.modules[f"tilery._core.{_game}"] = globals()[_game] = getattr(_module, _game)


def load(name: str, **options: Any) -> Any:
    """The game of this name with these options: `load("pueblo", players=3)`.

    `tilery.options(name)` lists the options. Raises `ValueError` for an unknown game, and `OptionError`, a
    `ValueError`, for an unknown option or a value that is not allowed.
    """
    if name not in games:
        raise ValueError(unknown("game", name, (known for known in games if known != "toy")))
    return getattr(_module, name).Game(**options)
