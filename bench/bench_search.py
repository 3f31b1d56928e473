"""Simulations per second of `uct`, and leaves per second with an evaluator in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.walking import random_game

SIMULATIONS = 2_000


def middle_of(name: str) -> Any:
    """A decision half-way through a random game of the engine."""
    game = tilery.load(name)
    length = int(tilery.simulate(game, 1, seed=1)["num_actions"][0])
    state = random_game(game, seed=1, actions=length // 2)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


@pytest.mark.benchmark(group="search")
@pytest.mark.parametrize("policy", ["uct", "mcts"])
def test_search(benchmark: Any, name: str, policy: str) -> None:
    """Times are of 2,000 simulations on one thread."""
    state = middle_of(name)
    search: Any = tilery.policy(f"{policy}:{SIMULATIONS}")
    analysis = benchmark.pedantic(search.analyse, (state, 7), rounds=5)
    assert analysis.simulations == SIMULATIONS == sum(row["visits"] for row in analysis.actions)


@pytest.mark.benchmark(group="search")
def test_playouts(benchmark: Any, name: str) -> None:
    """Times are of 2,000 playouts from the same state, without determinizations."""
    state = middle_of(name)
    results = benchmark.pedantic(tilery.simulate, (state, SIMULATIONS), {"threads": 1}, rounds=5)
    assert len(results) == SIMULATIONS


@pytest.mark.benchmark(group="evaluators")
def test_leaves(benchmark: Any, name: str) -> None:
    """Times are of 100 leaves for each of 256 positions, with an evaluator that returns zeros."""
    state = middle_of(name)
    leaves = 0

    def evaluator(_observations: Any, masks: Any, players: Any) -> tuple[Any, Any]:
        nonlocal leaves
        leaves += len(players)
        return np.zeros(masks.shape, np.float32), np.zeros((len(players), state.game.num_players), np.float32)

    found = benchmark.pedantic(tilery.search.run, ([state] * 256, evaluator), {"simulations": 100}, rounds=3)
    assert len(found) == 256
    assert leaves > 0
