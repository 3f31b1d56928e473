"""Whole random games of the same seeds, inside the engine and inside the reference."""

from __future__ import annotations

from typing import Any

import pytest

import tilery
from tilery.reference.base import play_random


@pytest.mark.benchmark(group="game inside")
def test_game_inside(benchmark: Any, game: Any, backend: str, name: str) -> None:
    """Times are of 1,000 games of the engine, and of one game of the reference."""
    if backend == "native":
        results = benchmark.pedantic(tilery.simulate, (game, 1000), {"seed": 1, "threads": 1}, rounds=5)
        assert len(results) == 1000
        return
    state, actions = benchmark.pedantic(play_random, (game, 1, 0), rounds=3)
    expected = tilery.simulate(tilery.load(name), 1, seed=1)[0]
    assert state.scores() == expected["scores"].tolist()
    assert len(actions) == expected["num_actions"]
