"""Searches in a game that hides cards and draws others."""

from __future__ import annotations

from typing import Any

import tilery


def test_nodes_behind_chance_are_told_apart() -> None:
    """The node behind edge 5 and outcome 3 is not that behind edge 6 and outcome 4: other actions are legal there."""
    policy: Any = tilery.policy("mcts:200,eval=nn")
    game = tilery.load("tajmahal", players=2)
    for seed in range(3):
        state, rng = game.new_initial_state(), tilery.Rng(seed)
        for _ in range(40):
            action = state.random_action(rng) if state.is_chance_node() else policy.choose(state, rng)
            state.apply_action(action)
