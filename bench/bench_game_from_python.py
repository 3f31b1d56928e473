"""A whole random game driven from Python, one call at a time, as a bot written for OpenSpiel would."""

from __future__ import annotations

import random
from typing import Any

import pytest


def play(game: Any) -> Any:
    choose = random.Random(1).random
    state = game.new_initial_state()
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[int(choose() * len(legal))])
    return state


@pytest.mark.benchmark(group="game from Python")
def test_game_from_python(benchmark: Any, game: Any) -> None:
    assert benchmark.pedantic(play, (game,), rounds=5).scores() == play(game).scores()
