"""Figures over the rungs of a ladder: how they change from weak play to the champion's.

An interval of games says how far luck may move a figure of one policy. Another policy may give another figure, and the
doubt about that is often greater. So the same games are played by some rungs, and the trend stands beside each figure.

    >>> import tilery
    >>> from tilery.runs import rungs
    >>> game = tilery.load("tajmahal", players=3)
    >>> found = rungs.climb(game, 40, numbers=[1, 2], threads=1)
    >>> [step.rung.policy for step in found.steps]
    ['random', 'mcts:15']
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import tilery
from tilery import ladder
from tilery.policies import policy
from tilery.protocol import Policy
from tilery.runs.columns import columns
from tilery.runs.compare import compare
from tilery.runs.summary import Figure, summary
from tilery.simulation import simulate, threads_of
from tilery.statistics import holm, normal_tail
from tilery.tables import Table

GAMES = 200
"""The games of each rung where nothing else is asked for."""


class Step(NamedTuple):
    """The figures of one rung."""

    rung: ladder.Rung
    games: int
    figures: list[Figure]


@dataclass
class Climb:
    """Figures over rungs, the weakest first."""

    steps: list[Step] = field(default_factory=list)

    def trend(self, name: str) -> tuple[float, float] | None:
        """The change of a figure per 100 Elo points above the lowest rung, and its standard error.

        By least squares, weighted by the errors of the figure; None from fewer than two such rungs. The ratings are
        those of games of two players.
        """
        steps = [(step.rung.rating / 100, each) for step in self.steps for each in step.figures if each.name == name]
        points = [(at, each.value, each.error) for at, each in steps if at > 0 and each.error > 0]
        if len(points) < 2:
            return None
        at, values, errors = np.array(points).T
        weights = errors**-2.0
        apart = at - weights @ at / weights.sum()
        spread = float(weights @ apart**2)
        return float(weights @ (apart * values)) / spread, spread**-0.5

    def table(self, title: str = "") -> Table:
        """A row for each figure, a column for each rung and the trend; the title ends by saying what `±` is."""
        title += "; ± is the half of the 95% sampling interval" if title else ""
        rows = [["rating, Elo", *(f"{step.rung.rating:.0f}" for step in self.steps), ""]]
        rows.append(["games", *(f"{step.games:,}" for step in self.steps), ""])
        for which, figure in enumerate(self.steps[-1].figures):
            trend = self.trend(figure.name)
            slope = "" if trend is None else f"{trend[0] * figure.scale:+.2f} ±{1.96 * trend[1] * figure.scale:.2f}"
            rows.append([figure.name, *(step.figures[which].short() for step in self.steps), slope])
        names = [f"{step.rung.number} {step.rung.policy.partition(',eval=')[0]}" for step in self.steps]
        return Table(title, ["", *names, "per 100 Elo"], rows, (2,))

    def may_change(self) -> str:
        """A sentence on figures that may still change with the strength of play, from the last two rungs."""
        if len(self.steps) < 2:
            return "One rung says nothing of how figures change with the strength of play."
        below, top = self.steps[-2:]
        pairs = zip(below.figures, top.figures, strict=True)
        apart = [(b, a.value - b.value, math.hypot(a.error, b.error)) for b, a in pairs]
        known = [(each, change, error) for each, change, error in apart if error > 0]
        tests = holm([normal_tail(change / error) for _, change, error in known])
        moved = [each.name for (each, _, _), p in zip(known, tests, strict=True) if p < 0.05]
        between = f"from rung {below.rung.number} to {top.rung.number}"
        if moved:
            return (
                f"May still change: {', '.join(moved)} moved {between} by more than luck explains; "
                "a stronger player may move them further."
            )
        unseen = max((1.96 * error * each.scale for each, _, error in known if each.scale > 1), default=0.0)
        missed = f" A change of a share by up to {unseen:.1f} percentage points would not have been seen."
        if unseen >= 100:
            missed = " These are too few games to see any change of a share."
        return (
            f"No figure moved {between} by more than luck explains.{missed if unseen else ''} "
            f"A stronger player than rung {top.rung.number} may move them."
        )

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON types."""
        steps = [
            {**asdict(step.rung), "games": step.games, "figures": [each._asdict() for each in step.figures]}
            for step in self.steps
        ]
        return {"rungs": steps, "may_change": self.may_change()}

    def __str__(self) -> str:
        return f"{self.table()}\n{self.may_change()}"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_() + f"<p>{self.may_change()}</p>"


def chosen(game: str, numbers: Sequence[int] | None = None) -> list[ladder.Rung]:
    """Rungs of a game by number; by default the weakest, that in the middle, the first network and the champion.

    By default no rung is a player with noise. Raises `LadderError` for a game without a ladder, and for a rung that it
    does not have.
    """
    known = ladder.rungs(game)
    if numbers is None:
        own = [rung for rung in known if ",noise=" not in rung.policy]
        middle = min(own, key=lambda rung: abs(rung.rating - known[-1].rating / 2))
        learned = next((rung for rung in own if ",eval=" in rung.policy), known[-1])
        numbers = [known[0].number, middle.number, learned.number, known[-1].number]
    for number in numbers:
        if not 1 <= number <= len(known):
            raise ladder.LadderError(f"{game} has rungs 1 to {len(known)}, got {number}")
    return [known[number - 1] for number in sorted(set(numbers))]


def climb(
    game: Any,
    games: int,
    *,
    changed: Any = None,
    numbers: Sequence[int] | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
    found: Climb | None = None,
) -> Climb:
    """Play games of one kind by some rungs of its ladder, all seats by the same.

    changed: the game under other rules, with which it is compared game by game. numbers: of the rungs. found: to which
    each rung is added when it is over, so that an interrupted climb keeps them.
    """
    made, before = Climb() if found is None else found, 0
    for rung in chosen(game.name, numbers):
        results = []
        for each in [game] if changed is None else [game, changed]:
            further = None if progress is None else lambda now, before=before: progress(before + now)
            results.append(played(each, games, f"rung:{rung.number}", seed=seed, threads=threads, progress=further))
            before += games
        made.steps.append(Step(rung, games, figures(*results)))
    return made


def figures(first: npt.NDArray[np.void], second: npt.NDArray[np.void] | None = None) -> list[Figure]:
    """The figures of results, or what changes from the first results to the second."""
    return summary(first).figures() if second is None else compare([columns(first)], [columns(second)]).figures()


def played(
    game: Any,
    n: int,
    text: str,
    *,
    seed: int = 0,
    first: int = 0,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> npt.NDArray[np.void]:
    """Play games by one policy in all seats, with the chance and luck of the seed.

    In a game without chance, networks would play one and the same game over and over: there the first turn of each seat
    is played by the strongest rung with luck of its own, the same for all policies.
    """
    if game.max_chance_nodes:
        return simulate(
            game, n, seed=seed, first=first, policies=text, threads=threads, separate=True, progress=progress
        )
    first_turns = opener(game.name)

    def one(number: int) -> npt.NDArray[np.void]:
        start, decisions = opening(game, first_turns, tilery.Rng(seed, number))
        result = simulate(start, 1, seed=seed, first=number, policies=text, threads=1, separate=True)
        result["num_decisions"] += decisions
        return result

    made = []
    with ThreadPoolExecutor(threads_of(threads)) as pool:
        for result in pool.map(one, range(first, first + n)):
            made.append(result)
            if progress is not None:
                progress(len(made))
    return np.concatenate(made)


def opener(game: str) -> Policy:
    """The strongest rung of a game with luck of its own: the last one without a network; `greedy` without a ladder."""
    return policy(["greedy", *(text for text in ladder.texts(game) if ",eval=" not in text)][-1])


def opening(game: Any, first_turns: Policy, rng: tilery.Rng) -> tuple[Any, int]:
    """The position after the first turn of each seat, which a policy plays, and the number of decisions before it."""
    state, over, seat, decisions = game.new_initial_state(), set[int](), -1, 0
    while not state.is_terminal():
        if state.current_player() != seat:
            over |= {seat}
            seat = state.current_player()
            if seat in over:
                break
        state.apply_action(first_turns.choose(state, rng.next()))
        decisions += 1
    return state, decisions
