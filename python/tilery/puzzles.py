"""Puzzles: positions of recorded games in which one action is clearly the best, and not the obvious one.

A puzzle is a `tilery.tutorial.Lesson`, so it can be played as one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import tilery
from tilery.luck import Judge
from tilery.policies import Search
from tilery.record import Record, positions
from tilery.reviews import MARKS, Comparison, describe
from tilery.run import PolicyLike
from tilery.tutorial import Lesson

ERRORS = 4
"""The best action is better than each other by more than so many standard errors."""
OTHERS = 3
"""So many of the next best actions are compared with it."""
WORLDS = 16
"""Worlds in which they are, and `CHECK` times as many to confirm it."""
CHECK = 10
LEAST = 4
"""Legal actions that a puzzle has at least."""


def mine(records: Iterable[Record], *, policy: PolicyLike | None = None, seed: int = 0) -> Iterator[Lesson]:
    """Puzzles of recorded games for player 0, at most one of each game.

    In a puzzle the best action beats each of the next best `OTHERS` by more than `ERRORS` standard errors and by a
    mistake (`tilery.reviews.MARKS`), in `WORLDS` worlds and again in `CHECK` times as many; and `greedy` takes another.
    policy: who judges, as for `tilery.review`. seed: of the worlds.

    Raises `RecordError` for an illegal action, and what `tilery.policy` raises.
    """
    for record in records:
        game: Any = tilery.record.game_of(record)
        judge = Judge(game, policy)
        compare, check = (
            Comparison(judge, worlds=WORLDS, turns=2 * game.num_players, seed=each, all_open=False)
            for each in (seed, seed + 1)
        )
        before: list[str] = []
        for token, state in positions(record):
            if token is not None:
                before.append(token)
            if state.current_player() != 0 or len(state.legal_actions()) < LEAST:
                continue
            found = _clear(judge, (compare, check), state, seed)
            if found is not None:
                yield _lesson(game, state, before, found)
                break


class _Puzzle(NamedTuple):
    """The best action, the obvious one, and by how many points of lead it beats the next best, with the error."""

    best: int
    obvious: int
    points: float
    error: float


def _clear(judge: Judge, compare: tuple[Comparison, Comparison], state: Any, seed: int) -> _Puzzle | None:
    """The puzzle that a position is; None where no action is clearly best, or it is obvious."""
    best, obvious = (each.choose(state, seed) for each in (judge.best, tilery.policy("greedy")))
    ranked: Any = judge.quick
    if best == obvious or not isinstance(ranked, Search):
        return None
    rows = [int(row["action"]) for row in ranked.analyse(state, seed).actions]
    others = [each for each in dict.fromkeys([obvious, *rows]) if each != best][:OTHERS]
    _, _, part = MARKS[1]
    least = (math.inf, 0.0)
    for comparison, worlds in zip(compare, (WORLDS, CHECK * WORLDS), strict=True):
        least = (math.inf, 0.0)
        for other in others:
            (points, wins), (error, wins_error) = comparison.measured(state, best, other, worlds)
            if points < max(part * judge.scale, ERRORS * error) or wins < ERRORS * wins_error:
                return None
            least = min(least, (float(points), float(error)))
    return _Puzzle(best, obvious, *least)


def _lesson(game: Any, state: Any, before: list[str], found: _Puzzle) -> Lesson:
    """A puzzle as a lesson."""
    defaults = tilery.load(game.name).rules
    best, obvious = (state.action_to_string(each) for each in (found.best, found.obvious))
    return Lesson(
        game=game.name,
        title="Puzzle",
        text="One action is clearly better than all others. Find it.",
        rule="G-6",
        why=f"{describe(game, best).capitalize()}: that is {found.points:.1f} \u00b1 {found.error:.1f} points of lead "
        f"better than the next best. The most points at once are in another one: {describe(game, obvious)}.",
        options={name: value for name, value in game.rules.as_dict().items() if value != defaults[name]},
        actions=" ".join(before),
        do=re.escape(best),
    )
