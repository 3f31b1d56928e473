"""The exact yardsticks: their positions are those of the files, and so are the values of the actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.exact import Solver, Undefined
from tests.kit.games import GAMES
from tests.lab.yardsticks import FOLDER, Yardstick, loss, losses, yardsticks

NAMES = [name for name in GAMES if (FOLDER / f"{name}.npz").exists()]
FEW = 5


@pytest.mark.parametrize("name", NAMES)
def test_files_hold_what_is_solved(name: str) -> None:
    """The first positions, solved again."""
    game: Any = tilery.load(name, players=2)
    for each in yardsticks(name, FEW):
        for worth, lost in (("lead", each.points), ("win", each.wins)):
            assert np.allclose(loss(Solver(game, worth, 200_000).of_actions(each.state)), lost, atol=1e-5)
        assert each.points.any()
        assert each.points.min() == each.wins.min() == 0


def test_a_policy_loses_what_its_action_loses() -> None:
    """By the place of the action among the legal ones."""
    state: Any = tilery.load("toy", players=2).new_initial_state()
    rng = tilery.Rng(1)
    while state.is_chance_node():
        state.apply_action(state.random_action(rng))
    actions = len(state.legal_actions())
    points = np.arange(actions, dtype=np.float32)
    found = losses("random", [Yardstick(0, 0, state, points, points / np.float32(10))] * 200)
    assert set(found[:, 0]) == set(range(actions))
    assert np.allclose(found[:, 1], found[:, 0] / 10)


def test_what_is_hidden_and_matters_has_no_value() -> None:
    """A position where the other player decides, and what they hold is hidden."""
    game: Any = tilery.load("toy", players=2)
    state, rng = game.new_initial_state(), tilery.Rng(1)
    while state.is_chance_node():
        state.apply_action(state.random_action(rng))
    with pytest.raises(Undefined):
        Solver(game, "lead", 10_000).of_actions(state)
