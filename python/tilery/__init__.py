"""A rules-exact, fast engine for Carcassonne Winter Edition, Java, Pueblo and Taj Mahal.

Play a game, action by action:

>>> import tilery
>>> game = tilery.load("toy", players=3)  # or "carcassonne", "java", "pueblo", "tajmahal"
>>> state = game.new_initial_state()
>>> while not state.is_terminal():
...     state.apply_action(state.legal_actions()[0])
>>> state.scores()
[3, 0, 6]

Play many games at random, on all cores:

>>> results = tilery.simulate(game, 1000, seed=7)
>>> results["scores"].shape
(1000, 3)

Read the page of a game, with its rules, options, actions and observations:

>>> print(tilery.rules_page("toy")[:5])
# Toy

`help(tilery.java)` describes a game and its views, `help(tilery.State)` the calls that all games share. The errors are
in `tilery.errors`; those about a value from outside are `ValueError`.
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

from tilery import _core, pages
from tilery._core import Batch as Batch
from tilery._core import Rng as Rng
from tilery._core import load
from tilery.errors import IllegalActionError as IllegalActionError
from tilery.errors import OptionError as OptionError
from tilery.errors import ParseError as ParseError
from tilery.errors import RecordError as RecordError
from tilery.errors import StateDataError as StateDataError
from tilery.errors import StoppedError as StoppedError
from tilery.errors import TileryError as TileryError
from tilery.errors import WeightsError as WeightsError
from tilery.files import folder
from tilery.options import editions, options
from tilery.protocol import CHANCE, TERMINAL
from tilery.protocol import Game as Game
from tilery.protocol import State as State
from tilery.rules import Rules as Rules

if TYPE_CHECKING:
    from tilery import agents, match, policies, record, search
    from tilery.policies import policy
    from tilery.reviews import review
    from tilery.runs.columns import arrow, columns
    from tilery.runs.moves import table
    from tilery.runs.summary import summary
    from tilery.seen import SeenState as SeenState
    from tilery.simulation import simulate
    from tilery.weights import Expectation as Expectation
    from tilery.weights import evaluate, load_weights

__version__: str = _core.version
__all__ = [  # what help(tilery) lists; types and errors are described in modules of their own
    "CHANCE",
    "TERMINAL",
    "agents",
    "arrow",
    "build_info",
    "cmake_dir",
    "columns",
    "editions",
    "evaluate",
    "games",
    "get_include",
    "load",
    "load_weights",
    "match",
    "options",
    "policies",
    "policy",
    "record",
    "review",
    "rules_page",
    "search",
    "simulate",
    "summary",
    "table",
]


_LATER = {
    "Expectation": "weights",
    "SeenState": "seen",
    "arrow": "runs.columns",
    "columns": "runs.columns",
    "evaluate": "weights",
    "load_weights": "weights",
    "policy": "policies",
    "review": "reviews",
    "simulate": "simulation",
    "summary": "runs.summary",
    "table": "runs.moves",
}
"""The module in which a name is. Modules are imported when they are asked for, since most import NumPy."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        module = _LATER.get(name, name)
        known = name.isidentifier() and not name.startswith("_") and importlib.util.find_spec(f"tilery.{module}")
        if not known:
            raise AttributeError(f"module 'tilery' has no attribute {name!r}")
        found = importlib.import_module(f"tilery.{module}")
        return globals().setdefault(name, getattr(found, name) if name in _LATER else found)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_LATER})


# So that tilery.<game>.Game is there after `import tilery`, for every game of the engine, and the
# table for C where PyCapsule_Import("tilery.<game>._C_API") looks for it.
for _name in _core.games:
    _module = importlib.import_module(f"tilery.{_name}")
    vars(_module)["_C_API"] = getattr(_core, _name)._C_API
    _module.__doc__ = pages.with_opening(_module.__doc__ or "", f"rules/{_name}.md")
    del _module


def games() -> list[str]:
    """The names of the games, for `load`. (The toy of the documentation is not among them.)"""
    return sorted(name for name in _core.games if name != "toy")


def rules_page(name: str) -> str:
    """The page of a game as Markdown: the game in short, its rules by number, options, actions and all the rest.

    Raises `ValueError` for an unknown game.
    """
    _core._of_game(name)
    return pages.page(f"rules/{name}.md")


def build_info() -> dict[str, Any]:
    """The version and build of tilery: `version`, `build` ("v3": x86-64 with AVX2, "v2": without, "baseline": other
    processors), `compiler`, `python`, `platform`, `numpy`, and `games`, the names of the games in it."""
    import platform

    import numpy

    return {
        "version": __version__,
        "build": _core.build,
        "compiler": _core.compiler,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "numpy": numpy.__version__,
        "games": games(),
    }


def get_include() -> str:
    """The folder with `tilery/capi.h`, for the compiler of a C, C++ or Cython program (docs/embedding.md)."""
    return str(folder("include", "cpp", "tilery/capi.h"))


def cmake_dir() -> str:
    """The folder of the CMake package, for `-Dtilery_DIR=...` of a C or C++ program (docs/embedding.md)."""
    return str(folder("cmake", "cmake", "tilery-config.cmake"))
