"""The compiled engine, in the fastest build that this processor runs.

`TILERY_BUILD=baseline` in the environment asks for the build that runs everywhere.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from typing import Any

from tilery._core import _cpu
from tilery.errors import OptionError, unknown


def _choose(built: Sequence[str], wanted: str, has_v3: bool) -> str:
    """The build to import of those that are there; wanted: of this name, or "" for the fastest."""
    if wanted not in ("", "baseline", "v3"):
        raise ImportError(f"TILERY_BUILD must be 'baseline' or 'v3', got {wanted!r}")
    both = "`python3 dev.py prepare` in the checkout builds both"
    if wanted:
        if wanted not in built:
            raise ImportError(f"TILERY_BUILD asks for {wanted!r}, which was not built; {both}")
        return wanted
    if has_v3 and "v3" in built:
        return "v3"
    if "baseline" not in built:
        raise ImportError(f"tilery was built only for processors with AVX2, which this one does not have; {both}")
    return "baseline"


build: str = _choose(
    [name for name in ("baseline", "v3") if importlib.util.find_spec(f"tilery._core.{name}") is not None],
    os.environ.get("TILERY_BUILD", ""),
    _cpu.has_x86_64_v3(),
)
"""The build in use: "v3" or "baseline"."""

_module = importlib.import_module(f"tilery._core.{build}")
Policy = _module.Policy
Batch = _module.Batch
_load_weights = _module._load_weights
_set_shipped = _module._set_shipped
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
    sys.modules[f"tilery._core.{_game}"] = globals()[_game] = getattr(_module, _game)


def load(name: str, *, edition: str = "default", **options: Any) -> Any:
    """The game of this name with these options: `load("pueblo", players=3)`.

    `tilery.options(name)` lists the options. An edition sets some of them in one word, and options given explicitly
    override it: "default" sets none, "source" and "official" what `tilery.editions(name)` lists. The game has the
    options alone; it does not know the edition. Raises `ValueError` for an unknown game, and `OptionError`, a
    `ValueError`, for an unknown edition or option or a value that is not allowed.
    """
    if name not in games:
        raise ValueError(unknown("game", name, (known for known in games if known != "toy")))
    editions = getattr(_module, name).editions
    if not isinstance(edition, str) or edition not in editions:
        raise OptionError(unknown("edition", edition, editions))
    return getattr(_module, name).Game(**{**editions[edition], **options})
