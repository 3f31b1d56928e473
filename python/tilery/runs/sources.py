"""Facts from a sample of games that results do not hold: where points come from, who did what, and how lucky they were.

Games are functions of the seed, so a sample is played again instead of being kept.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from tilery import record
from tilery.luck import Judge, of_draws
from tilery.protocol import Game
from tilery.runs.moves import Words, mapped
from tilery.simulation import Options, available_cores, simulate

TENTHS = 10
"""Parts of a game, by decisions, of which `Sample.branching` has the mean number of legal actions."""


@dataclass
class Sample:
    """Statistics of some games, action by action.

    games: how many. by_game: for each game the points by source and seat. points: the sums over games. scores, winners:
    of each game and seat. lead_changes: how often in each game another seat came to lead alone in points. branching: by
    tenth of the game, the sum of numbers of legal actions at decisions, and how many decisions. phases: the same by
    phase. done: for each game, by kind of action (kind, "") and by tile, card or province that it was done with
    (kind, what), the number of draws before each such action, and its seat. places: the points, gains and losses alike,
    that each place of the board was for. luck: of the first games, as many as asked for, the points that each draw gave
    each seat (`tilery.luck`). board: the empty board, or the board after the first game where that shows more, as an
    SVG with places in `data-spot`. records: the games.
    """

    seats: int
    by_game: list[dict[str, npt.NDArray[np.int64]]] = field(default_factory=list)
    scores: list[list[int]] = field(default_factory=list)
    winners: list[list[bool]] = field(default_factory=list)
    lead_changes: list[int] = field(default_factory=list)
    branching: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros((TENTHS, 2), dtype=np.int64))
    phases: dict[str, npt.NDArray[np.int64]] = field(default_factory=dict)
    done: list[dict[tuple[str, str], list[tuple[int, int]]]] = field(default_factory=list)
    places: Counter[str] = field(default_factory=Counter)
    luck: list[npt.NDArray[np.float64]] = field(default_factory=list)
    board: str = ""
    records: list[record.Record] = field(default_factory=list)

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

    def counts(self, done: tuple[str, str]) -> npt.NDArray[np.float64]:
        """How often each seat did a thing in each game: float64[games, seats]."""
        found = np.zeros((self.games, self.seats))
        for game, each in enumerate(self.done):
            for _, seat in each.get(done, ()):
                found[game, seat] += 1
        return found

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


def sample(game: Game, games: int, *, luck: int = 0, **options: Unpack[Options]) -> Sample:
    """Play games as `tilery.simulate` does with these options, and look at every action.

    luck: in how many of the games the luck of the draws is judged, about one game a second and core.
    Raises what `tilery.simulate` raises.
    """
    results, tokens = simulate(game, games, records=True, **options)
    made, words = Sample(game.num_players), Words(game)
    for line in tokens:
        _look(game, words, line.split(), made)
    seed, first = options.get("seed", 0), options.get("first", 0)
    made.records += record.of_results(game, results, tokens, seed=seed, first=first)
    lucky = made.records[:luck]
    if lucky:
        cores = min(options.get("threads") or available_cores(), len(lucky))
        parts = [lucky[len(lucky) * core // cores : len(lucky) * (core + 1) // cores] for core in range(cores)]
        made.luck = [points for part in mapped(_luck, parts, cores) for points in part]
    return made


def _luck(records: list[record.Record]) -> list[npt.NDArray[np.float64]]:
    """The points that the draws of each game gave, by seat."""
    judge = Judge(record.game_of(records[0]))
    return [of_draws(judge, each)[:, 0] for each in records]


def _look(game: Any, words: Words, tokens: list[str], made: Sample) -> None:
    state = game.new_initial_state()
    choices, leader, changes, points = [], -1, 0, dict[str, npt.NDArray[np.int64]]()
    done, draws = dict[tuple[str, str], list[tuple[int, int]]](), 0
    empty = "" if made.board else _board(state)
    sign = -1 if game.fewest_points_win else 1
    for token in tokens:
        action, seat = words.action(token), state.current_player()
        if seat >= 0:
            number, known = state.num_legal_actions(), state.information_state(seat)
            choices.append(number)
            made.phases.setdefault(words.module.phase(known), np.zeros(2, dtype=np.int64))[:] += (number, 1)
            kind, what = words.of(token, known)
            for each in {(kind, ""), (kind, what)}:
                done.setdefault(each, []).append((draws, seat))
        draws += seat < 0
        for event in state.score_events(action):
            for place in event["on"]:
                made.places[place] += abs(event["points"]) / len(event["on"])
            seats = points.setdefault(event["source"], np.zeros(made.seats, dtype=np.int64))
            seats[event["player"]] += event["points"]
        state.apply_action(action)
        ahead = sorted(((sign * each, seat) for seat, each in enumerate(state.scores())), reverse=True)
        if ahead[0][0] > ahead[1][0] and ahead[0][1] != leader:
            changes += leader >= 0
            leader = ahead[0][1]
    if not made.board:
        made.board = max(empty, _board(state), key=lambda board: board.count('data-spot="'))
    made.by_game.append(points)
    made.done.append(done)
    made.scores.append(state.scores())
    made.winners.append([each == max(state.returns()) for each in state.returns()])
    made.lead_changes.append(changes)
    for number, legal in enumerate(choices):
        made.branching[number * TENTHS // len(choices)] += (legal, 1)


def _board(state: Any) -> str:
    """The board of a position, with its places, as one sees it who is not to act."""
    other = (state.current_player() + 1) % len(state.scores())
    return str(state.to_svg(other, part="board", targets=True))
