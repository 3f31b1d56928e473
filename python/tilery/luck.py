"""The luck of the draws of a game: the expectation after each draw, less its mean over all outcomes by exact weights.

    >>> import tilery
    >>> from tilery import luck, record
    >>> game = tilery.load("toy")
    >>> [played] = record.simulated(game, 1, seed=3)
    >>> judge = luck.Judge(game, "greedy")
    >>> given = luck.of_game(judge, played)
    >>> given.shape  # points and share of the win, for each seat
    (2, 2)

The mean of what a draw gives is 0 whatever judges the positions. So the points of a game less the luck in them have the
same expectation as the points, and vary less the better the judgement is: a control variate (docs/review.md).
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

import tilery
from tilery.errors import WeightsError
from tilery.options import declared
from tilery.policies import NN, Champion, EnginePolicy, Greedy, Random, policy
from tilery.protocol import Game, Policy
from tilery.record import Record, positions
from tilery.simulation import PolicyLike, game_named
from tilery.statistics import win_share
from tilery.weights import Expectation, evaluate

Values = npt.NDArray[np.float64]
"""float64[2, num_players]: the points of each seat, and its share of the win."""

COMPLETIONS = 8
"""The number of outcomes of coming draws over which a position is judged, the same ones everywhere."""
OTHERS = 16
"""Draws in a row are compared with this many others that could have occurred instead."""
PATHS = 4
"""The number of times that a game is played on after draws in a row, or for a round of more than two players."""
PLAYOUTS = 32
"""Games that are played on from a position where no network can judge it."""


def default_policy(game: Game) -> EnginePolicy:
    """The champion of a game; without a ladder `nn`, and without a network `greedy`."""
    for given in (Champion(), NN()):
        with suppress(WeightsError):
            chosen = given.resolved(game.name)
            if network_of(chosen):
                return chosen
    return Greedy()


def network_of(chosen: Policy) -> str | None:
    """The SHA-256 of the network that a policy judges by; None without one."""
    name = chosen.parameters.get("eval") if isinstance(chosen, EnginePolicy) else None
    return str(name) if name and name != "nn" else None


class Judge:
    """Judges positions of a game by a network, or by games that a policy plays on; remembers them.

    game: a game of the engine or the name of one.
    given: the policy, `best`; None for `default_policy`. `quick` plays on and judges: `nn` by the network of `best`, or
        `best` itself if it is `random` or `greedy`. Others are too slow for that, and the default judges for them.
    """

    def __init__(self, game: Game | str, given: PolicyLike | None = None) -> None:
        game = game_named(game)
        chosen = default_policy(game) if given is None else policy(given)
        if isinstance(chosen, EnginePolicy):
            chosen = chosen.resolved(game.name)
        self.game: Game = game
        self.best = chosen
        quick = network_of(chosen) or isinstance(chosen, Greedy | Random)
        self.quick: Policy = chosen if quick else default_policy(game)
        self.learned = bool(network := network_of(self.quick))
        if self.learned:
            self.quick = NN(eval=network)
        self._known: dict[Any, Values] = {}
        self._chosen: dict[tuple[int, int], int] = {}
        self.stop = threading.Event()  # when it is set, choices that are under way raise StoppedError
        self.looked: dict[str, Any] = {}
        """The findings of reviews by position, as JSON types."""

    def check(self, game: Game) -> None:
        """Raise `ValueError` for a game of another name or with other rules."""
        if game != self.game:
            raise ValueError(f"the judge knows {self.game!r}, and this is a game of {game!r}")

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """While the block runs, an exception in it, such as Ctrl-C, stops the choices that other threads make."""
        self.stop.clear()
        try:
            yield
        except BaseException:
            self.stop.set()
            raise

    def values(self, state: Any) -> Values:
        """The expectation of each seat: after the best turn of the player to act, or over what is still to be drawn."""
        found = self._known.get(state)
        if found is None:
            self._known[state.clone()] = found = self.fresh(state)
        return found

    @cached_property
    def scale(self) -> float:
        """The points of a game: the mean over seats of what each may expect at the start."""
        return float(np.mean(np.abs(self.values(self.game.new_initial_state())[0])))

    def fresh(self, state: Any) -> Values:
        """The same without remembering it."""
        if state.is_terminal():
            return np.array([state.scores(), win_share(np.array(state.returns()), self.game.num_players)])
        if not self.learned:
            played = tilery.simulate(state, PLAYOUTS, policies=self.quick, separate=True, threads=1)
            shares = win_share(played["returns"], self.game.num_players)
            return np.stack([played["scores"].mean(axis=0), shares.mean(axis=0)])
        if state.is_chance_node():
            completed = (_drawn(state, tilery.Rng(number, 2)) for number in range(COMPLETIONS))
            mean: Values = np.mean([self.fresh(each) for each in completed], axis=0)
            return mean
        expected = evaluate(state, self.quick)
        return np.array([expected.points, expected.wins])

    def over_a_round(self, state: Any) -> Values:
        """The expectation of each seat, as the mean over `PATHS` of a judgement now and after each turn of a round.

        A network thinks too well of those who have just moved; over a round that cancels.
        """
        if state.is_terminal() or not self.learned:
            return self.values(state)
        others = self.game.num_players - 1
        streams = [tilery.Rng(number, 4) for number in range(PATHS if others > 1 else 1)]
        rounds = [[self.values(state), *self.play_on(state, luck, others)] for luck in streams]
        found: Values = np.mean(rounds, axis=1).mean(axis=0)
        return found

    def _again(self, state: Any) -> int:
        """The choice of `quick`, cached by what the player knows: it recurs within a turn, and in other worlds."""
        player = state.current_player()
        known = player, state.information_state_hash(player)
        if known not in self._chosen:
            self._chosen[known] = self.quick.choose(state, 0)
        return self._chosen[known]

    def play_on(self, state: Any, luck: tilery.Rng, turns: int) -> Iterator[Values]:
        """Yield the expectation after each of the next turns from a position."""
        for _ in range(turns):
            state = _drawn(state, luck)
            turn_of = state.current_player()
            while state.current_player() == turn_of and not state.is_terminal():
                state.apply_action(self._again(state))
            yield self.values(state)

    def draw(self, state: Any, outcome: int) -> Values:
        """The luck of each seat in an outcome of a chance node; its mean over all outcomes by their weights is 0."""
        weights = state.chance_weights()
        if len(weights) == 1:
            return np.zeros((2, self.game.num_players))
        values = {each: self.values(state.child(each)) for each, _ in weights}
        mean = sum(weight * values[each] for each, weight in weights) / sum(weight for _, weight in weights)
        found: Values = values[outcome] - mean
        return found

    def draws(self, before: Any, after: Any, luck: tilery.Rng) -> Values:
        """The luck of each seat in draws in a row, against `OTHERS` that might have been; its mean is 0."""
        found = []
        for state in (after, *(_drawn(before, luck) for _ in range(OTHERS))):
            paths = [self.fresh(self._ahead(state, tilery.Rng(path, 6))) for path in range(PATHS)]
            found.append(np.mean(paths, axis=0))
        given: Values = found[0] - np.mean(found[1:], axis=0)
        return given

    def _ahead(self, state: Any, luck: tilery.Rng) -> Any:
        """The last decision before the draws after next: what draws bring shows late."""
        for _ in range(2):
            last = state = _drawn(state, luck)
            while not state.is_terminal() and not state.is_chance_node():
                last, state = state, state.child(self._again(state))
        return last


def _drawn(state: Any, luck: tilery.Rng) -> Any:
    """The state after the draws that are due."""
    state = state.clone()
    while state.is_chance_node():
        state.apply_action(state.random_action(luck))
    return state


def of_draws(judge: Judge, record: Record) -> Values:
    """The luck of each seat in each draw of a game, float64[draws, 2, num_players]: points and share of the win.

    Where `DRAWS_SHOW_LATE` in a game the first of draws in a row has what all of them gave, against draws that might
    have been; in other games each draw is weighed against all its outcomes.
    """
    late = declared(record.game, "DRAWS_SHOW_LATE")
    luck = tilery.Rng(zlib.crc32(record.actions.encode()), 5)  # independent of the luck of the game
    found = [np.zeros((0, 2, judge.game.num_players))]
    tokens, states = zip(*positions(record), strict=True)
    judge.check(states[0].game)
    for drawn, plies in groupby(range(len(tokens) - 1), lambda ply: states[ply].is_chance_node()):
        if drawn and late:
            first, *others = plies
            given = judge.draws(states[first], states[first + len(others) + 1], luck)
            found += [given[None], np.zeros((len(others), *given.shape))]
        elif drawn:
            found += [judge.draw(states[ply], states[ply].string_to_action(tokens[ply + 1]))[None] for ply in plies]
    return np.concatenate(found)


def of_game(judge: Judge, record: Record) -> Values:
    """The sum of the luck of each seat over the draws of a game; its expectation is 0 for all policies."""
    total: Values = of_draws(judge, record).sum(axis=0)
    return total


def expectation(values: Values, errors: Values) -> Expectation:
    """Values and their errors as what seats may expect, or as a change of it."""
    (points, wins), (points_error, wins_error) = (each.tolist() for each in (values, errors))
    return Expectation(tuple(wins), tuple(points), tuple(wins_error), tuple(points_error))
