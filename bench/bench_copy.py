"""A copy of a middle-game position as a new Python object, and the position from its bytes."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.benchmark(group="copy")
def test_clone(benchmark: Any, middle: Any) -> None:
    assert benchmark(middle.clone) == middle


@pytest.mark.benchmark(group="deserialize")
def test_deserialize(benchmark: Any, middle: Any) -> None:
    """Bytes hold what cannot be derived: Carcassonne finds roads, cities and fields again by union-find."""
    game, data = middle.game, middle.serialize()
    assert benchmark(game.deserialize_state, data) == middle
