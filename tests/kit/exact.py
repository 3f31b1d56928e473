"""Exact values near the end of games of two, by enumeration of everything that can follow."""

from __future__ import annotations

from typing import Any


class Undefined(Exception):
    """The position has no exact value: too much can follow, or somebody who acts does not know all of it."""


DEALS = 4
"""Deals of what is hidden, over which the value of every action must be the same."""


class Solver:
    """The value of positions to the player to act when both play best, each for `worth` alone; means over chance.

    worth: "lead", the points ahead at the end, or "win", the share of the win. most: steps of the enumeration from one
    root. Where something is hidden, the values must be the same in all deals that are tried, and the other player
    must have no choice that matters: so nothing depends on what anybody knows. all_open: all hands are known.
    remember: count a position that is reached in several ways once.
    """

    def __init__(self, game: Any, worth: str, most: int, *, all_open: bool = False, remember: bool = True) -> None:
        self.game, self.worth, self.most = game, worth, most
        self.remember = remember
        self.hides = game.hides_information and not all_open
        self.sign = -1 if game.fewest_points_win else 1
        self.known: dict[Any, float] = {}
        self.left, self.player = most, 0

    def of_actions(self, state: Any) -> dict[int, float]:
        """The value of each legal action. Raises `Undefined`."""
        self.known.clear()
        self.left, self.player = self.most, state.current_player()
        values = {action: self.value(state.child(action)) for action in state.legal_actions()}
        if self.hides:
            for deal in range(DEALS):
                world = state.determinize(self.player, deal)
                if world == state:
                    continue
                if any(abs(self.value(world.child(action)) - value) > 1e-9 for action, value in values.items()):
                    raise Undefined
        return values

    def value(self, state: Any) -> float:
        """The value of a position below the root."""
        self.left -= 1
        if self.left < 0:
            raise Undefined
        if state.is_terminal():
            if self.worth == "win":
                return (float(state.returns()[self.player]) + 1) / 2
            scores = state.scores()
            return float(self.sign * (scores[self.player] - scores[1 - self.player]))
        found = self.known.get(state)
        if found is not None:
            return found
        if state.is_chance_node():
            found = sum(share * self.value(state.child(action)) for action, share in state.chance_outcomes())
        else:
            values = [self.value(state.child(action)) for action in state.legal_actions()]
            found, least = max(values), min(values)
            if state.current_player() != self.player:
                if self.hides and found - least > 1e-9:
                    raise Undefined
                found = least
        if self.remember:
            self.known[state] = found
        return found
