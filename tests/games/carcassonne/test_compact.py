"""CompactActions of Carcassonne: the ids of the game, with placements counted from the window."""

from __future__ import annotations

import numpy as np
import pytest

import tilery
from tilery import carcassonne
from tilery.reference.rng import Rng


@pytest.mark.parametrize("window", [5, 25])
def test_compact_ids_and_actions_are_the_same_pairs(window: int) -> None:
    game = carcassonne.Game(players=2, hand_size=3)
    ids = carcassonne.CompactActions(game, window=window)
    rng, outside = Rng(4), 0
    state = game.new_initial_state()
    while not state.is_terminal():
        legal = state.legal_actions()
        inside = []
        for action in legal:
            try:
                compact = ids.compact(state, action)
            except ValueError:
                outside += 1
                continue
            assert 0 <= compact < ids.num_actions
            assert ids.expand(state, compact) == action
            inside.append(compact)
        assert inside == sorted(inside) == ids.legal_actions(state)
        assert np.flatnonzero(ids.mask(state)).tolist() == inside
        state.apply_action(legal[rng.below(len(legal))])
    assert (outside > 0) == (window == 5)


def test_a_placement_moves_with_the_window() -> None:
    """The plane of fits and the compact ids of placements are in the same order."""
    game = carcassonne.Game()
    ids = carcassonne.CompactActions(game)
    state = game.new_initial_state()
    rng, area = Rng(8), 25 * 25
    fits = 37 + game.num_players
    for _ in range(120):
        if state.information_state(0)["phase"] == "place":
            planes = state.observation_tensor(0)[fits * area : (fits + 4) * area]
            assert np.array_equal(planes.astype(bool), ids.mask(state)[-4 * area :])
        legal = state.legal_actions()
        state.apply_action(legal[rng.below(len(legal))])


def test_compact_ids_that_do_not_apply() -> None:
    game = carcassonne.Game()
    ids = carcassonne.CompactActions(game, window=3)
    state = game.new_initial_state()
    with pytest.raises(ValueError, match="odd number"):
        carcassonne.CompactActions(game, window=4)
    with pytest.raises(ValueError, match="compact already"):
        carcassonne.CompactActions(carcassonne.Game(table=[-3, -3, 3, 3]))
    with pytest.raises(ValueError, match="outside the window"):
        ids.compact(state, game.string_to_action("5,0@0"))
    for wrong in (-1, ids.num_actions):
        with pytest.raises(ValueError, match="ids are"):
            ids.expand(state, wrong)
    with pytest.raises(ValueError, match="ids are"):
        ids.compact(state, game.num_distinct_actions)
    with pytest.raises(ValueError, match="another game"):
        ids.mask(carcassonne.Game(players=3).new_initial_state())
    with pytest.raises(TypeError):
        ids.mask(tilery.load("toy").new_initial_state())
