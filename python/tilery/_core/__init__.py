"""The compiled engine, in the fastest build that this processor runs.

`TILERY_BUILD=v2` in the environment asks for the build for x86-64 processors without AVX2.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from tilery._core import _cpu
from tilery.errors import OptionError, unknown
from tilery.protocol import EngineGame, EngineState


def _choose(built: Sequence[str], wanted: str, level: int) -> str:
    """The build to import of those that are there, on a processor of this level of x86-64 (0: another processor).

    wanted: a build by its name, or "" for the fastest that runs.
    """
    if level == 1:
        raise ImportError(
            "tilery needs a processor with SSE4.2 and POPCNT (x86-64-v2, every x86 processor since 2009 to 2013), "
            "which this one does not have"
        )
    if wanted == "baseline" and level > 0:
        warnings.warn("TILERY_BUILD=baseline is now called v2", FutureWarning, stacklevel=2)
        wanted = "v2"
    known = ("v2", "v3") if level > 0 else ("baseline",)
    if wanted not in ("", *known):
        raise ImportError(f"TILERY_BUILD must be {' or '.join(map(repr, known))}, got {wanted!r}")
    both = "`python3 dev.py prepare` in the checkout builds both"
    if wanted and wanted not in built:
        raise ImportError(f"TILERY_BUILD asks for {wanted!r}, which was not built; {both}")
    runs = [name for name in known if name in built and (wanted or name != "v3" or level == 3)]
    if not runs:
        raise ImportError(f"tilery was built only for processors with AVX2, which this one does not have; {both}")
    return wanted or runs[-1]


build: str = _choose(
    [name for name in ("baseline", "v2", "v3") if importlib.util.find_spec(f"tilery._core.{name}") is not None],
    os.environ.get("TILERY_BUILD", ""),
    _cpu.x86_64_level(),
)
"""The build in use: "v3" (x86-64 with AVX2) or "v2" (without), "baseline" on other processors."""

_module = importlib.import_module(f"tilery._core.{build}")
Policy = _module.Policy
Batch = _module.Batch
_load_weights = _module._load_weights
_set_shipped = _module._set_shipped
_calibrated = _module._calibrated
_without_unlearned = _module._without_unlearned
_resolve = _module._resolve
take_number = _module.take_number
games: tuple[str, ...] = _module.games
"""The names of all games in the engine, the toy included."""
Rng = _module.Rng
compiler: str = _module.compiler
"""The version of the compiler that made the module."""
version: str = _module.version
"""The version of tilery."""

for _game in games:
    sys.modules[f"tilery._core.{_game}"] = globals()[_game] = _types = getattr(_module, _game)
    EngineGame.register(_types.Game)
    EngineState.register(_types.State)


def _of_game(name: str) -> Any:
    """What the engine has of a game: its types, options and editions. Raises `ValueError` for an unknown game."""
    if name not in games:
        raise ValueError(unknown("game", name, (known for known in games if known != "toy")))
    return getattr(_module, name)


def load(name: str, *, edition: str = "default", **options: Any) -> Any:
    """The game of this name with these options: `load("pueblo", players=3)`.

    `tilery.options(name)` lists the options. An edition sets some of them in one word, and options given explicitly
    override it: "default" sets none, "source" and "official" what `tilery.editions(name)` lists. The game has the
    options alone; it does not know the edition. Raises `ValueError` for an unknown game, and `OptionError`, a
    `ValueError`, for an unknown edition or option or a value that is not allowed.
    """
    found = _of_game(name)
    if not isinstance(edition, str) or edition not in found.editions:
        raise OptionError(unknown("edition", edition, found.editions))
    return found.Game(**{**found.editions[edition], **options})
