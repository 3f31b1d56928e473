"""Facts from a sample of games that results do not hold: where points come from, and how many actions there are.

Games are functions of the seed, so a sample is played again instead of being kept.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tilery.protocol import Game
from tilery.run import Options, PolicyLike, simulate

TENTHS = 10
"""Parts of a game, by decisions, of which `Sample.branching` has the mean number of legal actions."""


@dataclass
class Sample:
    """Statistics of some games, action by action.

    games: how many. by_game: for each game the points by source and seat. points: the sums over games. scores, winners:
    of each game and seat. lead_changes: how often in each game another seat came to lead alone in points. branching: by
    tenth of the game, the sum of numbers of legal actions at decisions, and how many decisions. phases: the same by
    phase.
    """

    seats: int
    by_game: list[dict[str, npt.NDArray[np.int64]]] = field(default_factory=list)
    scores: list[list[int]] = field(default_factory=list)
    winners: list[list[bool]] = field(default_factory=list)
    lead_changes: list[int] = field(default_factory=list)
    branching: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros((TENTHS, 2), dtype=np.int64))
    phases: dict[str, npt.NDArray[np.int64]] = field(default_factory=dict)

    @property
    def games(self) -> int:
        return len(self.by_game)

    @property
    def points(self) -> dict[str, npt.NDArray[np.int64]]:
        found: dict[str, npt.NDArray[np.int64]] = {}
        for each in self.by_game:
            for source, points in each.items():
                found[source] = found.get(source, 0) + points
        return found

    def of_source(self, source: str | None) -> npt.NDArray[np.float64]:
        """The points of each game and seat from a source, from all of them with None: float64[games, seats]."""
        if source is None:
            return np.array(self.scores, dtype=np.float64)
        return np.array([each.get(source, np.zeros(self.seats)) for each in self.by_game], dtype=np.float64)

    def points_per_game(self) -> dict[str, list[float]]:
        """The mean points from each source by seat, the richest source first."""
        means = {name: (points / self.games).tolist() for name, points in self.points.items()}
        return dict(sorted(means.items(), key=lambda item: (-sum(map(abs, item[1])), item[0])))

    def branching_by_tenth(self) -> list[float]:
        """The mean number of legal actions in each tenth of a game."""
        means: list[float] = (self.branching[:, 0] / np.maximum(self.branching[:, 1], 1)).tolist()
        return means

    def branching_by_phase(self) -> dict[str, tuple[float, float]]:
        """By phase the mean number of legal actions, and how many decisions of it a game has."""
        return {
            name: (float(total / number), float(number / self.games))
            for name, (total, number) in sorted(self.phases.items())
        }


def sample(
    game: Game,
    games: int,
    *,
    seed: int = 0,
    first: int = 0,
    policies: PolicyLike | Sequence[PolicyLike] = "random",
    rotate: bool = False,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Sample:
    """Play games as `tilery.simulate` does, and look at every action.

    Raises what `tilery.simulate` raises.
    """
    how: Options = {"seed": seed, "first": first, "policies": policies, "rotate": rotate, "threads": threads}
    how["progress"] = progress
    _, tokens = simulate(game, games, records=True, **how)
    made = Sample(game.num_players)
    module = importlib.import_module(f"tilery.{game.name}")
    for line in tokens:
        _look(game, module, line.split(), made)
    return made


def _look(game: Any, module: Any, tokens: list[str], made: Sample) -> None:
    """Add one game."""
    state = game.new_initial_state()
    choices, leader, changes, points = [], -1, 0, dict[str, npt.NDArray[np.int64]]()
    sign = -1 if game.fewest_points_win else 1
    for token in tokens:
        action = game.string_to_action(token)
        if state.current_player() >= 0:
            number = state.num_legal_actions()
            choices.append(number)
            made.phases.setdefault(_phase(module, state), np.zeros(2, dtype=np.int64))[:] += (number, 1)
        for event in state.score_events(action):
            seats = points.setdefault(event["source"], np.zeros(made.seats, dtype=np.int64))
            seats[event["player"]] += event["points"]
        state.apply_action(action)
        ahead = sorted(((sign * each, seat) for seat, each in enumerate(state.scores())), reverse=True)
        if ahead[0][0] > ahead[1][0] and ahead[0][1] != leader:
            changes += leader >= 0
            leader = ahead[0][1]
    made.by_game.append(points)
    made.scores.append(state.scores())
    made.winners.append([each == max(state.returns()) for each in state.returns()])
    made.lead_changes.append(changes)
    for number, legal in enumerate(choices):
        made.branching[number * TENTHS // len(choices)] += (legal, 1)


def _phase(module: Any, state: Any) -> str:
    """What is decided, as the module of the game says."""
    return str(module.phase(state.information_state(state.current_player())))
