"""A bot for Pueblo of a few lines: the best action one ply ahead, by an evaluation of its own.

`tilery match pueblo py:evaluation:choose greedy` in this folder plays it; fast_evaluation.pyx is the same in Cython.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tilery

RISK = 0.25
"""Points that the side of a cube costs its owner where it rises above the next square."""


def value(state: Any) -> list[float]:
    """What I think each player will have; few points are good."""
    worth = [float(points) for points in state.scores_if_over()]
    heights, owners = state.heights().tolist(), state.owners().tolist()
    for rank in range(8):
        for file in range(8):
            owner, height = owners[rank][file], heights[rank][file]
            if not 0 <= owner < len(worth):
                continue
            for there, here in ((rank - 1, file), (rank + 1, file), (rank, file - 1), (rank, file + 1)):
                beside = heights[there][here] if 0 <= there < 8 and 0 <= here < 8 else 0
                if beside < height:
                    worth[owner] += RISK * (height - beside)
    return worth


def order(state: Any, actions: Sequence[int]) -> list[float]:
    """By how much the player to act is ahead of the best other after each action."""
    player, leads = state.current_player(), []
    for action in actions:
        worth = value(state.child(action))
        leads.append(-worth.pop(player) + min(worth))
    return leads


def choose(state: Any) -> int:
    """A policy: the action after which the player to act is the farthest ahead of the best other."""
    actions = state.legal_actions()
    leads = order(state, actions)
    return int(actions[leads.index(max(leads))])


search = tilery.search.MCTS(100, value=value, order=order)
"""The same as evaluation and order of the search of the engine: `py:evaluation:search`."""
