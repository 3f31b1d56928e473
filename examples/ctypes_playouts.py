"""The C table from ctypes: random games without compiling anything.

    python examples/ctypes_playouts.py pueblo --games 1000

The table is a struct of function pointers. Its members come in the order of tilery/c/capi.h, so this script reads
their names from the header. Calls through ctypes are slow; examples/numba_playouts.py makes the same calls
from compiled code.
"""

from __future__ import annotations

import argparse
import ctypes
import re
from pathlib import Path
from typing import Any

import tilery

HEAD = ("version", "struct_size", "name", "state_size")
"""The members of tilery_api that are not functions: two uint32, a pointer and a size_t."""


def pointer_of(capsule: Any) -> int:
    """The pointer in a capsule."""
    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(get(capsule, name(capsule)))


def members() -> list[str]:
    """The functions of the table, in its order."""
    header = (Path(tilery.get_include()) / "tilery" / "c" / "capi.h").read_text(encoding="utf-8")
    struct = header[header.index("typedef struct tilery_api {") : header.index("} tilery_api;")]
    return re.findall(r"\(\*(\w+)\)\(", struct)


class Table:
    """The table of a game and its rules, as ctypes functions: `table.function("playout", None, ...)`."""

    def __init__(self, game: Any) -> None:
        self.capsule = game._c_handle()  # keeps the game alive
        self.game = ctypes.c_void_p(pointer_of(self.capsule))
        address = pointer_of(getattr(tilery, game.name)._C_API)
        self.state_size = ctypes.c_size_t.from_address(address + 16).value
        functions = (ctypes.c_void_p * len(members())).from_address(address + 24)
        self.address = dict(zip(members(), functions, strict=True))

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        """A function of the table; its first argument, the game, is given by self.game."""
        return ctypes.CFUNCTYPE(result, ctypes.c_void_p, *arguments)(self.address[name])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="pueblo, java, ...")
    parser.add_argument("--games", type=int, default=1000)
    options = parser.parse_args()
    game = tilery.load(options.game)
    table = Table(game)
    initial_state = table.function("initial_state", ctypes.c_int32, ctypes.c_void_p)
    playout = table.function("playout", None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    scores = table.function("scores", None, ctypes.c_void_p, ctypes.c_void_p)
    seed_rng = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)(table.address["seed_rng"])
    state = (ctypes.c_uint64 * -(-table.state_size // 8))()  # aligned to 8
    rng, points = (ctypes.c_uint64 * 2)(), (ctypes.c_int32 * game.num_players)()
    total = [0] * game.num_players
    for index in range(options.games):
        seed_rng(rng, 7, index)
        initial_state(table.game, state)
        playout(table.game, state, rng, None)
        scores(table.game, state, points)
        total = [sum(pair) for pair in zip(total, points, strict=True)]
    means = ", ".join(f"{points / options.games:.2f}" for points in total)
    print(f"{game.name}: {options.games} games through ctypes, mean scores {means}")


if __name__ == "__main__":
    main()
