"""The C table from Numba: a loop over decisions that is compiled, so that a call costs nanoseconds.

    pip install numba
    python examples/numba_playouts.py pueblo --games 1000

Numba calls ctypes functions without Python in between. The policy is yours to change: this one takes the first legal
action with probability 1/2 and a random one otherwise.
"""

from __future__ import annotations

import argparse
import ctypes
from typing import Any

import numba
import numpy as np
from ctypes_playouts import Table

import tilery


def compiled_loop(game: Any) -> Any:
    """A function (seed, index, scores int32[num_players]) that plays one game."""
    table = Table(game)
    handle, size = table.game.value, -(-table.state_size // 8)
    seed_rng = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)(table.address["seed_rng"])
    below = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p, ctypes.c_uint32)(table.address["below"])
    initial_state = table.function("initial_state", ctypes.c_int32, ctypes.c_void_p)
    current_player = table.function("current_player", ctypes.c_int32, ctypes.c_void_p)
    random_action = table.function("random_action", ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)
    legal_action = table.function("legal_action", ctypes.c_int32, ctypes.c_void_p, ctypes.c_uint32)
    apply_action = table.function("apply_action", None, ctypes.c_void_p, ctypes.c_int32)
    get_scores = table.function("scores", None, ctypes.c_void_p, ctypes.c_void_p)

    @numba.njit
    def play(seed: int, index: int, scores: Any) -> None:
        memory, rng = np.empty(size, np.uint64), np.empty(2, np.uint64)
        state, stream = memory.ctypes.data, rng.ctypes.data
        seed_rng(stream, seed, index)
        initial_state(handle, state)
        while True:
            player = current_player(handle, state)
            if player == tilery.TERMINAL:
                break
            if player != tilery.CHANCE and below(stream, 2) == 0:
                action = legal_action(handle, state, 0)
            else:
                action = random_action(handle, state, stream)
            apply_action(handle, state, action)
        get_scores(handle, state, scores.ctypes.data)

    play.table = table  # the pointers are good as long as the game lives
    return play


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="pueblo, java, ...")
    parser.add_argument("--games", type=int, default=1000)
    options = parser.parse_args()
    game = tilery.load(options.game)
    play = compiled_loop(game)
    scores = np.zeros((options.games, game.num_players), np.int32)
    for index in range(options.games):
        play(7, index, scores[index])
    means = ", ".join(f"{points:.2f}" for points in scores.mean(axis=0))
    print(f"{game.name}: {options.games} games through Numba, mean scores {means}")


if __name__ == "__main__":
    main()
