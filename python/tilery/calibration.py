"""Shares of the win that a network predicts, corrected by what happened in games that it played against itself.

What learned from games with noise thinks less sure than it is. So the file of a network ends with a calibration: for
each number of players a map from predicted shares of the win to those that came about. `tilery train` fits it at its
end. Nothing is chosen by it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

import tilery
from tilery import _core
from tilery.runs.rungs import opener, opening
from tilery.simulation import threads_of
from tilery.statistics import win_share
from tilery.weights import load_weights

Shares = npt.NDArray[np.float64]
"""float64[positions, players]: of the win, 0 to 1."""

POSITIONS = 8
"""Positions of each game that a map is fitted to."""
STEPS, UNIT = 32, 1 << 16
"""The number of steps of a map in a file, and the unit of its shares, 1 / UNIT."""
FINE = 64
"""The factors by which maps are stretched are multiples of 1 / FINE."""


def positions(
    game: Any,
    games: int,
    *,
    policy: str = "nn",
    seed: int = 0,
    first: int = 0,
    each: int = 1,
    threads: int | None = None,
) -> Iterator[tuple[Any, npt.NDArray[np.float64]]]:
    """Random positions of games of a network against itself, `each` of a game, and the shares of the win at the end.

    They are of `games` games from number `first` on. A game without chance begins with a turn of each seat by a rung
    with luck, since a network would repeat one game.
    """
    first_turns = None if game.max_chance_nodes else opener(game.name)

    def play(number: int) -> tuple[Any, Any, list[str]]:
        start = game.new_initial_state()
        if first_turns is not None:
            start, _ = opening(game, first_turns, tilery.Rng(seed, number))
        (result,), (text,) = tilery.simulate(
            start, 1, seed=seed, first=number, policies=policy, records=True, threads=1
        )
        return start, win_share(result["returns"][: game.num_players], game.num_players), text.split()

    with ThreadPoolExecutor(threads_of(threads)) as pool:
        for number, (state, shares, tokens) in enumerate(pool.map(play, range(first, first + games)), first):
            rng, at = tilery.Rng(seed, 2**32 + number), 0
            for place in sorted(rng.below(len(tokens)) for _ in range(each)):
                for token in tokens[at:place]:
                    state.apply_action(state.string_to_action(token))
                at = place
                yield state, shares


def fit(predicted: Shares, happened: Shares) -> list[int]:
    """The map that makes the squared errors least, as a file has it: at 31 equal steps between 0 and 1, times 65,536.

    An equal share stays as it is, and others are stretched around it: where the share is `1/2 + x / (2 sqrt(1 + x**2))`
    and `x0` that of an equal one, `x - x0` becomes `b (x - x0) + c (x - x0)**3`.
    """
    players = predicted.shape[1]

    def error(b: int, c: int) -> float:
        mapped = _mapped(predicted, players, b, c)
        mapped /= mapped.sum(axis=1, keepdims=True)
        return math.fsum(np.square(mapped - happened).ravel().tolist())

    best, lowest = (FINE, 0), (FINE // 4, 0)
    least = error(*best)
    for step in (16, 4, 1):
        better = True
        while better:
            better = False
            for by in ((step, 0), (-step, 0), (0, step), (0, -step), (step, -step), (-step, step)):
                b, c = (max(low, now + change) for low, now, change in zip(lowest, best, by, strict=True))
                if (now := error(b, c)) < least:
                    best, least, better = (b, c), now, True
    places = np.arange(1, STEPS)
    whole = np.rint(UNIT * _mapped(places / STEPS, players, *best)).astype(int)
    ascending = np.maximum.accumulate(np.clip(whole, places, UNIT - STEPS + places) - places) + places
    return [int(share) for share in ascending]


def _mapped(shares: Shares, players: int, b: int, c: int) -> Shares:
    x = _stretched(shares) - (equal := _stretched(np.array(1 / players)))
    x = equal + (b * x + c * x * x * x) / FINE
    return np.asarray(0.5 + 0.5 * x / np.sqrt(1 + x * x))


def _stretched(shares: Shares) -> Shares:
    around = np.clip(2 * shares - 1, -0.99999, 0.99999)
    return np.asarray(around / np.sqrt(1 - around * around))


def calibrated(data: bytes, games: int, *, seed: int = 0, threads: int | None = None, **options: Any) -> bytes:
    """The bytes of a network with maps fitted to `games` games of two players, and to half as many of more players.

    options: those of all games. Equal arguments give equal bytes; what the network plays, and its name, stay.
    """
    data = _core._calibrated(data, None)
    weights = load_weights(data)
    policy = f"nn,eval={weights.name}"
    maps = [[UNIT // STEPS * step for step in range(1, STEPS)] for _ in range(4)]
    known = tilery.options(weights.game)["players"]
    for players in range(2, (known.high or 2) + 1) if "players" not in options else [options["players"]]:
        game = tilery.load(weights.game, **{**options, "players": players})
        predicted, happened = [], []
        part = games if players == 2 else -(-games // 2)
        for state, shares in positions(game, part, policy=policy, seed=seed, each=POSITIONS, threads=threads):
            if not state.is_chance_node():
                predicted.append(tilery.evaluate(state, policy).wins)
                happened.append(shares)
        if predicted:
            maps[players - 2] = fit(np.array(predicted), np.array(happened))
    return bytes(_core._calibrated(data, maps))
