"""Bulk simulation: many games inside the engine, at random or between policies, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Literal, TypedDict, Unpack, overload

import numpy as np
import numpy.typing as npt

import tilery
from tilery.errors import BotError, integer
from tilery.policies import SECONDS, EnginePolicy, Judged, OutsidePolicy, Random, Seen, naming, policy
from tilery.protocol import Game, Policy, State

PolicyLike = str | Policy | Callable[..., int]
"""A policy for a seat: anything that `tilery.policy` takes."""


def result_dtype(num_players: int, *, rotate: bool = False) -> np.dtype[np.void]:
    """The fields of a result, one element for each game:

    - `returns`: float64[num_players], rule G-6
    - `scores`: int32[num_players]
    - `num_actions`: int32, chance included
    - `num_decisions`: int32, by players only
    - `policy`, with rotate: uint8[num_players], which of the policies played each seat
    """
    fields: list[Any] = [
        ("returns", np.float64, (num_players,)),
        ("scores", np.int32, (num_players,)),
        ("num_actions", np.int32),
        ("num_decisions", np.int32),
    ]
    if rotate:
        fields.append(("policy", np.uint8, (num_players,)))
    return np.dtype(fields)


def available_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def threads_of(threads: int | None) -> int:
    """The number of threads that an argument means. Raises `ValueError` for another than 1 to 1024 or None."""
    return available_cores() if threads is None else integer("threads", threads, 1, 1024)


def game_named(game: Game | str) -> Game:
    """A game of the engine or the one of a name. Raises `ValueError` for anything else."""
    found = tilery.load(game) if isinstance(game, str) else game
    if not hasattr(found, "_simulate_into"):
        raise ValueError(f"game must be a game of the engine or its name, got {game!r}")
    return found


class Options(TypedDict, total=False):
    """The arguments of `simulate` besides the game, the number of games and `records`."""

    seed: int
    threads: int | None
    first: int
    policies: PolicyLike | Sequence[PolicyLike]
    rotate: bool
    separate: bool
    player: int | None
    progress: Callable[[int], object] | None


@overload
def simulate(
    game: Game | State | str, n: int, *, records: Literal[False] = ..., **options: Unpack[Options]
) -> npt.NDArray[np.void]: ...


@overload
def simulate(
    game: Game | State | str, n: int, *, records: Literal[True], **options: Unpack[Options]
) -> tuple[npt.NDArray[np.void], list[str]]: ...


def simulate(
    game: Game | State | str,
    n: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    first: int = 0,
    records: bool = False,
    policies: PolicyLike | Sequence[PolicyLike] = "random",
    rotate: bool = False,
    separate: bool = False,
    player: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Any:
    """Play n games between policies, by default at random, on many threads and without the GIL.

    game: a game or the name of one, played from its initial state, or a state to play on from.
    n: the number of games, at least 0.
    seed: an integer in [0, 2**64). Game i of a run at random is played with the random stream
        (seed, first + i) of docs/interface.md. A run between policies takes its chance and the luck of each
        seat from separate streams (docs/bots.md). So results do not depend on the number of threads, and a
        run may be cut into pieces with `first`.
    threads: from 1 to 1024; None for one on each core this process may use.
    records: also return each game's actions as tokens (chance included, separated by blanks).
    policies: one policy for all seats, or a sequence with exactly one for each: whatever `tilery.policy` takes. A
        function f(state) or f(state, rng) gets a state that holds no more than its player knows, and a NumPy
        generator, and returns an action id; with functions and programs all games are played on one thread.
    rotate: seat p of game i is played by `policies[(p + i) % num_players]`, as the field `policy` of the results says.
    separate: take chance and the luck of each seat from separate streams also where all play at random, so that game i
        has the same chance as game i of any other run of this seed.
    player: determinize the state for this player before each game, so that the games see what the
        player knows. Without it, all games start from the state's true hidden cards.
    progress: called now and then, and at the end, with the number of games that are over. What it
        raises ends the games.

    Returns a structured array of n results (`result_dtype`), with records a pair of it and a list of n strings. Raises
    `ValueError` naming an argument out of range, a wrong text or a wrong number of policies, also for a player without
    a state, `TypeError` for anything but a policy, `IllegalActionError` naming seat and game when a function
    returns an illegal id, and `BotError` when a program fails, or a function that is named by a text.
    """
    how: Options = {"seed": seed, "first": first, "threads": threads, "player": player, "progress": progress}
    how |= {"policies": policies, "rotate": rotate, "separate": separate}
    results, tokens = play(game, n, records=records, **how)
    return (results, tokens) if records else results


def play(
    game: Any,
    n: int,
    *,
    seed: int,
    threads: int | None,
    first: int,
    records: bool,
    policies: Any,
    rotate: bool = False,
    separate: bool = False,
    player: int | None = None,
    progress: Callable[[int], object] | None = None,
    thinking: npt.NDArray[np.float64] | None = None,
    referee: Referee | None = None,
) -> tuple[npt.NDArray[np.void], list[str]]:
    """Do what `simulate` does, and measure how long the policies think.

    thinking: float64[n, num_players, 3], to which seconds, decisions and CPU seconds of each seat are added, unless all
        seats play at random.
    referee: judges policies that fail, instead of raising what they raise. The other arguments are those of `simulate`.
    """
    start = game if hasattr(game, "game") else None
    rules: Any = game_named(game if start is None else game.game)
    if player is not None and start is None:
        raise ValueError(f"player must be None with a game instead of a state, got {player!r}")
    if progress is not None and not callable(progress):
        raise ValueError(f"progress must be callable, got {progress!r}")
    threads, n, first = threads_of(threads), integer("n", n, 0, 2**40), integer("first", first, 0, 2**63)
    seats = _seats(policies, rules.num_players)
    at_random = not separate and all(isinstance(seat, Random) for seat in seats)
    outside = any(isinstance(seat, OutsidePolicy) for seat in seats)
    results = np.zeros(n, dtype=result_dtype(rules.num_players))
    rows = results.view(np.uint8).reshape(n, results.dtype.itemsize)
    if any(getattr(seat, "by_game", False) for seat in seats) or (referee is not None and outside):
        tokens = []
        for i in range(n):
            line_up = [seats[(seat + (first + i if rotate else 0)) % len(seats)] for seat in range(len(seats))]
            timed = None if thinking is None else thinking[i : i + 1]
            which = (start, player, 1, seed, first + i, 1, rows[i : i + 1], records, None)
            tokens += _game_of_bots(rules, line_up, referee, (i, first + i, results[i]), (which, timed))
            if progress is not None:
                progress(i + 1)
    else:
        with naming(seats), ExitStack() as stack:
            native = [_native(_seated(stack, rules, each, seat, None)) for seat, each in enumerate(seats)]
            tokens = rules._simulate_into(
                *(start, player, n, seed, first, 1 if any(map(callable, native)) else threads, rows, records, progress),
                *(None if at_random else native, bool(rotate), thinking),
            )
    if rotate:
        results = _with_policies(results, rules.num_players, first)
    return results, tokens or []


@dataclass
class Referee:
    """Judges policies that are not of the engine: one that fails loses the game, which ends then.

    seconds: for each answer of a program. log: to which the standard error of programs is written.
    failures: of those that failed, by the place of the game among those played.
    """

    seconds: float = SECONDS
    log: BinaryIO | None = None
    failures: dict[int, BotError] = field(default_factory=dict)


def _game_of_bots(
    rules: Any, line_up: list[Any], referee: Referee | None, game: tuple[int, int, Any], how: tuple[Any, Any]
) -> list[str]:
    """Play one game in which policies from outside sit, and return its tokens; all others win what a bot has lost.

    game: its place among those played, its index and the row of its result. how: the arguments of `_simulate_into`
    before and after the seats.
    """
    (place, index, result), (which, thinking) = game, how
    try:
        with ExitStack() as stack:
            seats = [_seated(stack, rules, each, seat, referee) for seat, each in enumerate(line_up)]
            tokens = rules._simulate_into(*which, list(map(_native, seats)), False, thinking) or [""]
            for each in seats:
                if isinstance(each, Seen):
                    each.over(result["scores"].tolist(), result["returns"].tolist())
    except BotError as error:
        if referee is None:
            reason = f"{line_up[error.seat]}, seat {error.seat} in game {index}: {error.reason}"
            raise BotError(error.seat, reason, error.details) from None
        referee.failures[place] = error
        result["returns"] = 1 / (rules.num_players - 1)
        result["returns"][error.seat] = -1
        return [""]
    return list(tokens)


def _seats(policies: Any, num_players: int) -> list[Any]:
    if isinstance(policies, np.ndarray):
        policies = policies.tolist()
    if isinstance(policies, str | Policy | Seen) or callable(policies):
        seats = [policies] * num_players
    elif isinstance(policies, Sequence):
        seats = list(policies)
        if len(seats) != num_players:
            raise ValueError(f"policies must be one, or one for each of {num_players} seats, got {len(seats)}")
    else:
        raise TypeError(f"policies must be a policy or a sequence of policies, got {policies!r}")
    return [seat if isinstance(seat, Seen) else policy(seat) for seat in seats]


def _seated(stack: ExitStack, rules: Any, seat: Any, number: int, referee: Referee | None) -> Any:
    """A policy at work in a seat, until the stack is left."""
    if not isinstance(seat, OutsidePolicy):
        return seat
    if referee is None:
        return stack.enter_context(seat.seat(rules, number))
    return Judged(stack.enter_context(seat.seat(rules, number, seconds=referee.seconds, log=referee.log)), number)


def _native(seat: Any) -> Any:
    """A seat as the engine takes it: the engine's own policy, or a function of a state, a number and what was seen."""
    return seat._native if isinstance(seat, EnginePolicy) else seat.choose


def _with_policies(results: npt.NDArray[np.void], num_players: int, first: int) -> npt.NDArray[np.void]:
    rotated = np.zeros(len(results), dtype=result_dtype(num_players, rotate=True))
    rotated[list(results.dtype.names or ())] = results
    games = np.arange(len(results)) + first % num_players
    rotated["policy"] = (games[:, None] + np.arange(num_players)) % num_players
    return rotated
