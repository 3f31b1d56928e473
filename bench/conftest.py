"""The parameters of every benchmark: game x backend, and a middle-game position of each game.

The benchmarks need tilery, pytest and pytest-benchmark, and no tool of the tests.
"""

from __future__ import annotations

from typing import Any

import pytest

import tilery
import tilery.reference
from tests.kit.walking import half_way

BACKENDS = {"native": tilery.load, "reference": tilery.reference.load}


@pytest.fixture(params=tilery.games())
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=list(BACKENDS))
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def game(name: str, backend: str) -> Any:
    return BACKENDS[backend](name)


@pytest.fixture
def middle(game: Any) -> Any:
    """The position half-way through one and the same game on both backends."""
    return half_way(game)
