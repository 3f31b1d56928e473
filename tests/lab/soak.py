"""Makes, copies, serializes, refuses and searches states by the million, and checks the memory of the process.

    python -m tests.lab.soak [--states 10000000] [--seed S] [--ledger]

All games take part, with random options. After the first tenth, the memory of the process may grow by a few megabytes
and the number of Python's objects by a thousand, however long the run is.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import gc
import mmap
import pickle
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import tilery
from tests.kit.forging import mutations
from tests.kit.games import GAMES, sample_options
from tests.lab.campaign import commit, write_line

ALLOWED = 8 << 20
"""Bytes of growth. Heaps may not have reached their final size; a leak in every state would be more."""


def occupied() -> int:
    """Bytes of memory of the process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE


def refuse(game: Any, state: Any, data: bytes, rng: np.random.Generator) -> None:
    """Pass wrong input of every kind."""
    for changed in mutations(data, rng, 20):
        with contextlib.suppress(tilery.StateDataError):
            game.deserialize_state(changed)
    for action in (-1, game.num_distinct_actions, 2**70, None, "x"):
        with contextlib.suppress(tilery.IllegalActionError):
            state.apply_action(action)
    with contextlib.suppress(tilery.ParseError):
        game.string_to_action("nonsense")
    with contextlib.suppress(tilery.OptionError):
        tilery.load(game.name, players=[{"deep": [1, 2, {"er": None}]}])
    with contextlib.suppress(ValueError):
        tilery.policy("uct:0")


def play(game: Any, rng: np.random.Generator) -> int:
    """Play one game and use what states can do; returns how many states were made."""
    stream, state, made = tilery.Rng(int(rng.integers(2**32))), game.new_initial_state(), 0
    search = tilery.policy("uct:8")
    while not state.is_terminal():
        made += sum(child is not None for child in [state.clone() for _ in range(40)])
        data = state.serialize()
        made += game.deserialize_state(data) == state
        made += sum(state.child(action) != state for action in state.legal_actions()[:20])
        if rng.integers(16) == 0:
            refuse(game, state, data, rng)
            made += 2 * (copy.deepcopy(state) == pickle.loads(pickle.dumps(state)))
            for player in range(game.num_players):
                state.information_state_string(player)
                state.observation_tensor(player)
                made += state.determinize(player, stream) is not None
            if not state.is_chance_node():
                search.choose(state, stream)
            str(state), repr(state), hash(state), state.public_state_string()
        state.apply_action(state.random_action(stream))
    batch = game.batch(32, seed=int(rng.integers(2**32)))
    for _ in range(20):
        batch.step(batch.random_indices())
    tilery.simulate(game, 32, seed=int(rng.integers(2**32)), threads=2)
    return made + 32 * 22


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ledger", action="store_true", help="append a line to tests/lab/ledger.md")
    options = parser.parse_args()
    rng = np.random.default_rng([options.seed, 6])
    tested, started = commit(), time.perf_counter()
    made, before, looked_at = 0, (0, 0), 0
    while made < options.states:
        for name in GAMES:
            made += play(tilery.load(name, **sample_options(name, rng)), rng)
        if not before[0] and 10 * made >= options.states:
            gc.collect()
            before = (occupied(), len(gc.get_objects()))
        if before[0] and made >= looked_at:
            looked_at = made + options.states // 10
            gc.collect()
            print(f"{made:>12,} states: {occupied() >> 20} MiB, {len(gc.get_objects()):,} objects", flush=True)
    gc.collect()
    grown, objects = occupied() - before[0], len(gc.get_objects()) - before[1]
    counted = f"{made:,} states, memory {grown / 2**20:+.1f} MiB, {objects:+,} objects"
    print(counted)
    if grown > ALLOWED or objects > 1000:
        sys.exit("the memory grows")
    if options.ledger:
        write_line("soak", "all", counted, (time.perf_counter() - started) / 60, tested, options.seed)


if __name__ == "__main__":
    main()
