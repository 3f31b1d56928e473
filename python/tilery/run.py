"""Bulk simulation: many random games inside the engine, on all cores."""

from __future__ import annotations

import os
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from tilery.protocol import Game, State


def result_dtype(num_players: int) -> np.dtype[np.void]:
    """The fields of a result, one element for each game:

    - `returns`: float64[num_players], rule G-6
    - `scores`: int32[num_players]
    - `num_actions`: int32, chance included
    - `num_decisions`: int32, by players only
    """
    return np.dtype(
        [
            ("returns", np.float64, (num_players,)),
            ("scores", np.int32, (num_players,)),
            ("num_actions", np.int32),
            ("num_decisions", np.int32),
        ]
    )


def available_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@overload
def simulate(
    game: Game | State,
    n: int,
    *,
    seed: int = ...,
    threads: int | None = ...,
    first: int = ...,
    records: Literal[False] = ...,
) -> npt.NDArray[np.void]: ...


@overload
def simulate(
    game: Game | State,
    n: int,
    *,
    seed: int = ...,
    threads: int | None = ...,
    first: int = ...,
    records: Literal[True],
) -> tuple[npt.NDArray[np.void], list[str]]: ...


def simulate(
    game: Game | State,
    n: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    first: int = 0,
    records: bool = False,
) -> Any:
    """Play n random games without the GIL, and return their results.

    game: a game, played from its initial state, or a state to play on from. From a state the games
        see everything, hidden cards included: `determinize` it first, or a bot cheats.
    n: the number of games, at least 0.
    seed: in [0, 2**64). Game i is played with the random stream (seed, first + i) of
        docs/interface.md, so results do not depend on the number of threads, and a run may be cut
        into pieces with `first`.
    threads: how many; None for one on each core this process may use.
    records: also return the actions of each game as tokens (chance included, separated by blanks).

    Returns a structured array of n results (`result_dtype`), with records a pair of it and a list
    of n strings. Raises `ValueError` naming an argument out of range.
    """
    start: Any = None
    rules: Any = game
    if hasattr(game, "game"):
        start, rules = game, game.game
    if not hasattr(rules, "_simulate_into"):
        raise ValueError(f"game must be a game or a state of the engine, got {game!r}")
    threads = available_cores() if threads is None else threads
    for name, value, low, high in (
        ("n", n, 0, 2**40),
        ("first", first, 0, 2**63),
        ("threads", threads, 1, 1024),
    ):
        if isinstance(value, bool) or not hasattr(value, "__index__") or not low <= value <= high:
            raise ValueError(f"{name} must be an integer from {low} to {high}, got {value!r}")
    results = np.zeros(n, dtype=result_dtype(rules.num_players))
    rows = results.view(np.uint8).reshape(n, results.dtype.itemsize)
    tokens = rules._simulate_into(start, n, seed, first, threads, rows, records)
    return (results, tokens) if records else results
