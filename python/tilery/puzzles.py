"""Puzzles: positions of recorded games in which one action is clearly the best, and not the obvious one.

A puzzle is a `tilery.tutorial.Lesson`, so it can be played as one.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import tilery
from tilery.luck import Judge
from tilery.policies import Search
from tilery.record import Record, positions
from tilery.reviews import ERRORS as MARKED
from tilery.reviews import FIRST_WORLDS, MARKS, Comparison, judge_of
from tilery.simulation import PolicyLike
from tilery.tutorial import PUZZLE, Lesson
from tilery.words import words_of

ERRORS = 4
"""The least lead of the best action over each other, in standard errors."""
OTHERS = 3
"""The number of next best actions that are compared with it."""
CHECK = 10
"""They are compared in the worlds of a review, and the second best in this many times as many to confirm it."""
GAP = 0.02
"""The least lead of the best action in utility at first sight."""
TIES = 8
"""The number of seeds with which `greedy` misses it: it breaks ties at random."""
LEAST = 4
"""The least number of legal actions of a puzzle."""
APART = 20
"""Decisions between puzzles of one game at least, and before the first half as many."""
SAME = 15
"""The most puzzles after one and the same number of decisions."""


def mine(records: Iterable[Record], *, policy: PolicyLike | None = None, seed: int = 0) -> Iterator[Lesson]:
    """Puzzles of recorded games for player 0.

    In a puzzle the best action beats each of the next best `OTHERS` by more than `ERRORS` standard errors of the lead
    and by an inaccuracy (`tilery.reviews.MARKS`), in the worlds of a review; and the second best again in `CHECK` times
    as many. The judge takes it, also with `CHECK` times the turns to look at, and `greedy` another.
    policy: who judges, as for `tilery.review`. seed: of the worlds of the first record; each record has its own.

    Raises `RecordError` for an illegal action, and what `tilery.policy` raises.
    """
    after = Counter[int]()
    for number, record in enumerate(records, start=seed):
        game: Any = tilery.record.game_of(record)
        judge = judge_of(game, policy)
        compare, check = Comparison(judge, seed=number), Comparison(judge, seed=number + 1)
        before: list[str] = []
        decisions, least, drawn = 0, APART // 2, True
        for token, position in positions(record):
            state: Any = position
            if token is not None:
                before.append(token)
                decisions += not drawn
            drawn = state.is_chance_node()
            if state.current_player() != 0 or decisions < least or after[decisions] == SAME:
                continue
            if state.num_legal_actions() < LEAST:
                continue
            found = _clear(judge, (compare, check), state, number)
            if found is not None:
                yield _lesson(game, state, before, found)
                after[decisions] += 1
                least = decisions + APART


def _clear(
    judge: Judge, compare: tuple[Comparison, Comparison], state: Any, seed: int
) -> tuple[int, int, float, float] | None:
    """The best action, the obvious one, and by how many points of lead it beats the next best, with the error.

    None where no action is clearly best, or it is obvious.
    """
    ranked: Any = judge.quick
    if not isinstance(ranked, Search):
        return None
    player = state.current_player()
    rows = ranked.analyse(state, seed).actions
    best = int(rows[0]["action"])
    first, second = (row["utilities"][player] for row in rows[:2])
    if first - second < GAP:
        return None
    greedy = tilery.policy("greedy")
    obvious = [greedy.choose(state, luck) for luck in range(TIES)]
    if best in obvious or judge.best.choose(state, seed) != best:
        return None
    others = [int(row["action"]) for row in rows[1 : OTHERS + 1]]
    _, _, part = MARKS[-1]
    usual = compare[0].worlds_for(state)
    for other in others:  # at once, since most positions fail
        if compare[0].lost(state, best, other, range(min(usual, FIRST_WORLDS)), 0)[:, 0, 0].mean() < part * judge.scale:
            return None
    second, least = others[0], math.inf
    for other in others:
        points, error = _beats(compare[0], state, (best, other), usual)
        if points < part * judge.scale:
            return None
        if points < least:
            second, least = other, points
    wider = re.sub(r":(\d+)", lambda found: f":{CHECK * int(found[1])}", str(judge.best), count=1)
    if tilery.policy(wider).choose(state, seed) != best:
        return None
    worlds = CHECK * usual if usual > 1 else 1  # where nothing is hidden or drawn, one says all
    points, error = _beats(compare[1], state, (best, second), worlds)
    return (best, obvious[0], points, error) if points >= part * judge.scale else None


def _beats(compare: Comparison, state: Any, actions: tuple[int, int], worlds: int) -> tuple[float, float]:
    """By how many points of lead the first of two actions beats the other, with the error; 0 if it is not clear."""
    (points, wins), errors, drifts = compare.measured(state, *actions, worlds)
    error, wins_error = map(math.hypot, errors, drifts)
    clear = points > ERRORS * error and wins > MARKED * wins_error
    return (float(points) if clear else 0.0), error


def _lesson(game: Any, state: Any, before: list[str], found: tuple[int, int, float, float]) -> Lesson:
    best, obvious, points, error = found
    defaults = tilery.load(game.name).rules.as_dict()
    words = words_of(state, best)
    by = f"{points:.1f} \u00b1 {error:.1f}" if error else f"{points:.0f}"
    return Lesson(
        game=game.name,
        title=PUZZLE,
        text="One action is clearly better than all others. Find it.",
        rule="",
        why=f"{words[:1].upper()}{words[1:]}: that is {by} points of lead "
        f"better than the next best. The most points at once are in another one: {words_of(state, obvious)}.",
        options={name: value for name, value in game.rules.as_dict().items() if value != defaults[name]},
        actions=" ".join(before),
        do=re.escape(state.action_to_string(best)),
    )
