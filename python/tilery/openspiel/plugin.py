"""The plug-in: the games of tilery as C++ games of OpenSpiel, compiled on the machine of the user.

plugin.cpp is compiled against the headers in the wheel of OpenSpiel, and loaded into the process next to the module
pyspiel, whose symbols it uses. Playing needs no Python: only making games does, and structs of positions.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pyspiel

import tilery
from tilery import _core
from tilery.files import read
from tilery.openspiel.games import KEYS, PREFIX, PYTHON, Game, begun, core_name, game_type, names
from tilery.openspiel.games import load as load_core
from tilery.protocol import EngineGame

SOURCE = Path(__file__).parent / "plugin.cpp"


class BuildError(RuntimeError):
    """The plug-in cannot be compiled on this machine."""


def library_path() -> Path:
    """Where the plug-in of these sources and this OpenSpiel is or would be."""
    digest = hashlib.sha256()
    for path in (SOURCE, *sorted((Path(tilery.get_include()) / "tilery").rglob("capi.h"))):
        digest.update(read(path))
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    version, python = importlib.metadata.version("open-spiel"), sys.implementation.cache_tag
    name = f"openspiel-{version}-{python}-{digest.hexdigest()[:16]}.so"
    return Path(cache) / "tilery" / name


def find() -> Path | None:
    """The plug-in, if it is built."""
    path = library_path()
    return path if path.is_file() else None


def compiler() -> str:
    """The C++ compiler: `$CXX`, or the first of c++, g++ and clang++. Raises `BuildError` if there is none."""
    candidates = [os.environ["CXX"]] if os.environ.get("CXX") else ["c++", "g++", "clang++"]
    for candidate in candidates:
        if shutil.which(candidate):
            return candidate
    raise BuildError(f"no C++ compiler: none of {', '.join(candidates)} is installed")


def build(*, force: bool = False) -> Path:
    """Compile the plug-in unless it is built, and return its path, in the folder `tilery` of the user's cache.

    force: compile in any case. Raises `BuildError` if this platform is not supported, or with what the compiler says.
    """
    if os.name == "nt":
        raise BuildError("the plug-in is not supported on Windows; the Python games are")
    path = library_path()
    if force or not path.is_file():
        compile_library(SOURCE, path)
    return path


def compile_library(source: Path, library: Path) -> None:
    """Compile a source that uses OpenSpiel into a library that can be loaded next to it. Raises `BuildError`."""
    library.parent.mkdir(parents=True, exist_ok=True)
    fresh = library.with_suffix(f".{os.getpid()}")
    words = [compiler(), "-std=c++17", "-O3", "-fPIC", "-shared", "-w", "-o", str(fresh), str(source)]
    site = Path(pyspiel.__file__).parent
    bundled = [site / "open_spiel" / name for name in ("abseil-cpp", "json/include")]
    words += [f"-I{folder}" for folder in (site, *bundled, tilery.get_include())]
    if sys.platform == "darwin":
        words += ["-undefined", "dynamic_lookup"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BuildError(f"{words[0]} cannot compile {source.name}:\n{done.stderr.strip()}")
        fresh.replace(library)
    finally:
        fresh.unlink(missing_ok=True)


def description(short_name: str, game: EngineGame[Any], keys: str) -> dict[str, Any]:
    """The facts about a game that plugin.cpp needs."""
    return {
        "handle": _pointer(game._c_handle(), f"tilery.{game.name}.Game"),
        "type": game_type(short_name, game).__getstate__(),
        "hashes": keys == "hash",
        "hides": game.hides_information,
        "chance_actions": game.num_chance_actions,
        "decisions": game.max_decisions,
        "chance_nodes": game.max_chance_nodes,
        "min_utility": game.min_utility,
        "max_utility": game.max_utility,
        "shape": game.observation_tensor_shape,
        "parts": [(part.name, part.shape) for part in game.observation_parts],
    }


@functools.cache
def load(path: Path) -> ctypes.CDLL:
    """Load the plug-in into this process, and register its games."""
    # The plug-in looks up the symbols of OpenSpiel in the process; a module of Python keeps its own to itself.
    ctypes.CDLL(pyspiel.__file__, mode=os.RTLD_GLOBAL | os.RTLD_NOLOAD | os.RTLD_NOW)
    library = ctypes.CDLL(str(path))
    library.tilery_register.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ANSWERER]
    library.tilery_register.restype = ctypes.c_char_p
    library.tilery_set.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    library.tilery_set.restype = None
    for name in names():
        short_name = f"{PREFIX}{name}"
        answerer = ANSWERER(functools.partial(_answer, library, short_name))
        _ANSWERERS.append(answerer)
        table = _pointer(getattr(_core, name)._C_API, f"tilery.{name}._C_API")
        kind = game_type(short_name, load_core(name, ())).__getstate__()
        if refused := library.tilery_register(table, kind.encode(), answerer):
            raise ImportError(f"{path}: {refused.decode()}")
    return library


ANSWERER = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p)
"""The type of the function that plugin.cpp calls: the parameters of a game, a question about it as JSON, and a
std::string that takes the reply as JSON."""
_ANSWERERS: list[Any] = []
"""The answerers that OpenSpiel may call, kept alive."""


def _answer(library: ctypes.CDLL, short_name: str, parameters: bytes, question: bytes, result: int) -> None:
    """Answer, or say what is wrong. The game stays alive, because `load_core` keeps it."""
    try:
        given = pyspiel.game_parameters_from_string(f"{short_name}{parameters.decode()}")
        given.pop("name")
        game = load_core(core_name(short_name), tuple(sorted(given.items())))
        asked = json.loads(question)
        if "bytes" in asked:
            found = game.deserialize_state(bytes.fromhex(asked["bytes"])).to_dict()
        elif "position" in asked:
            found = begun(game.state_from_dict(asked["position"]), json.dumps(asked["position"]))
        else:
            found = description(short_name, game, given.get(KEYS, "json"))
    except Exception as error:
        found = {"error": str(error)}
    library.tilery_set(result, json.dumps(found).encode())


_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype, _get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _pointer(capsule: Any, name: str) -> int:
    pointer: int = _get_pointer(capsule, name.encode())
    return pointer


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
    library = find()
    if library is not None:
        load(library)
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
    pyspiel.register_game(game_type(short_name, load_core(name, ())), maker)
