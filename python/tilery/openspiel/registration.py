"""Which games OpenSpiel can load."""

from __future__ import annotations

import ctypes
import functools
import warnings

import pyspiel

from tilery.openspiel import plugin
from tilery.openspiel.games import PREFIX, PYTHON, Game, game_type, load, names


def register() -> list[str]:
    """Make the games of tilery known to OpenSpiel, and return the names that `pyspiel.load_game` then takes.

    `tilery_<game>_py` is a Python game. `tilery_<game>` is the game of the plug-in if that is built
    (`python -m tilery.openspiel build`), otherwise the Python game again, and a `RuntimeWarning` says so.
    May be called again, also after the plug-in has been built.
    """
    registered = set(pyspiel.registered_names())
    for name in names():
        if f"{PREFIX}{name}{PYTHON}" not in registered:
            _register_python(name, f"{PREFIX}{name}{PYTHON}")
    library = plugin.find()
    if library is not None:
        plugin.load(library)
    elif f"{PREFIX}{names()[0]}" not in registered:
        for name in names():
            _register_python(name, f"{PREFIX}{name}")
        warnings.warn(
            f"the plug-in of tilery for OpenSpiel is not built, so {PREFIX}* are Python games, which are slow and on "
            "which the C++ bots of OpenSpiel crash; `python -m tilery.openspiel build` compiles it",
            RuntimeWarning,
            stacklevel=2,
        )
    return [f"{PREFIX}{name}{ending}" for name in names() for ending in ("", PYTHON)]


def _register_python(name: str, short_name: str) -> None:
    maker = functools.partial(Game, short_name)
    # OpenSpiel lets go of it after the interpreter has ended, when nothing may be freed any more.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(maker))
    pyspiel.register_game(game_type(short_name, load(name, ())), maker)
