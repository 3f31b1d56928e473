"""The cost of an evaluation in C to a search: python bench/own_value.py [GAME ...]

Both searches judge leaves by the points if the game ended there: one by itself, the other by a function of C that asks
the C table, so they choose the same. Needs a C compiler, `cc`. Prints the least CPU time of several searches each, in
turn, and by how much the second is longer.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import tilery

HERE = Path(__file__).parent
POLICY = "mcts:2000,tuning=prospects:0+depth:8"
ROUNDS = 15


def compiled(folder: Path) -> Any:
    """The function `search` of own_value.c."""
    words = ["cc", "-O2", "-shared", "-fPIC", f"-I{tilery.get_include()}", HERE / "own_value.c"]
    subprocess.run([*words, "-o", folder / "own.so"], check=True)
    search = ctypes.CDLL(str(folder / "own.so")).search
    search.restype = ctypes.c_double
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    search.argtypes = [pointer, pointer, text, ctypes.c_size_t, text, ctypes.c_int, pointer]
    return search


def pointer_of(capsule: Any, name: str) -> int:
    """The pointer in a capsule of this name."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(get(capsule, name.encode()))


def decision_of(name: str) -> Any:
    """A decision with a choice, half-way through a random game."""
    state, rng = tilery.load(name).new_initial_state(), tilery.Rng(1, 0)
    for _ in range(int(tilery.simulate(name, 1, seed=1)["num_actions"][0]) // 2):
        state.apply_action(state.random_action(rng))
    while state.is_chance_node() or len(state.legal_actions()) == 1:
        state.apply_action(state.random_action(rng))
    return state


def measure(search: Any, name: str) -> tuple[float, float]:
    """Least seconds of a search by itself, and by the function of C."""
    state = decision_of(name)
    handle = state.game._c_handle()
    table = pointer_of(getattr(tilery, name)._C_API, f"tilery.{name}._C_API")
    game = pointer_of(handle, f"tilery.{name}.Game")
    data, chosen = state.serialize(), ctypes.c_int32()
    times: tuple[list[float], list[float]] = ([], [])
    actions = set()
    for _ in range(ROUNDS):
        for own in (0, 1):
            seconds = search(table, game, data, len(data), POLICY.encode(), own, ctypes.byref(chosen))
            if seconds < 0:
                raise SystemExit(f"{name}: the search failed")
            times[own].append(seconds)
            actions.add(chosen.value)
    if len(actions) != 1:
        raise SystemExit(f"{name}: the searches do not choose the same")
    return min(times[0]), min(times[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=tilery.games(), metavar="GAME")
    with tempfile.TemporaryDirectory() as folder:
        search = compiled(Path(folder))
        for name in parser.parse_args().games:
            itself, own = measure(search, name)
            print(f"{name:<12} {1e3 * itself:7.2f} ms  by a function of C {1e3 * own:7.2f} ms  {own / itself - 1:+.1%}")


if __name__ == "__main__":
    main()
