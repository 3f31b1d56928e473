"""A drawing of a middle-game position, with the things that one can point at."""

from __future__ import annotations

from typing import Any

import pytest

import tilery
from tests.kit.walking import random_game


@pytest.mark.benchmark(group="picture")
def test_to_svg(benchmark: Any, name: str) -> None:
    state: Any = random_game(tilery.load(name), seed=1, actions=60)
    player = max(0, state.current_player())
    svg = benchmark(state.to_svg, player, None, True)
    assert svg == state.to_svg(player, targets=True)
    assert svg.endswith("</svg>")
