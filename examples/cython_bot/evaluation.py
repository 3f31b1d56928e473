"""A bot for Carcassonne of a few lines: the best action one ply ahead, by an evaluation of its own.

`tilery match carcassonne py:evaluation:choose greedy` in this folder plays it; fast_evaluation.pyx is the same in
Cython.
"""

from __future__ import annotations

from typing import Any

OUT = 1.5
"""Points that a meeple on the land costs."""
HOPE = 0.5
"""The part of the points of an unfinished city that are still to come, by its open ends."""


def value(state: Any) -> list[float]:
    """What I think each player will have."""
    worth = [float(points) for points in state.scores_if_over()]
    for feature in state.features():
        most = max(feature["meeples"])
        hope = HOPE * feature["points"] / (1 + feature["open_ends"])
        for seat, meeples in enumerate(feature["meeples"]):
            worth[seat] -= OUT * meeples
            if meeples == most > 0 and feature["kind"] == "city" and not feature["complete"]:
                worth[seat] += hope
    return worth


def choose(state: Any) -> int:
    """A policy: the action after which the player to act leads the best other by most."""
    player, best, most = state.current_player(), -1, float("-inf")
    for action in state.legal_actions():
        worth = value(state.child(action))
        lead = worth.pop(player) - max(worth)
        if lead > most:
            best, most = action, lead
    return best
