"""CompactActions of Carcassonne: the ids of the game, with placements counted from the window."""

from __future__ import annotations

import copy
import pickle
from typing import Any

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


@pytest.mark.parametrize("autoreset", [True, False])
def test_a_batch_has_the_ids_of_its_states(autoreset: bool) -> None:
    game = carcassonne.Game(players=2, hand_size=1)
    ids = carcassonne.CompactActions(game, window=9)
    batch = game.batch(12, seed=3, autoreset=autoreset, threads=2)
    mask, rng = np.empty((12, ids.num_actions), bool), np.random.default_rng(5)
    for _ in range(150):
        assert ids.batch_mask(batch, mask) is mask
        waits = batch.num_legal_actions == 0
        any_ids = rng.integers(0, ids.num_actions, 12)
        for slot in range(12):
            state = batch[slot]
            assert np.array_equal(mask[slot], ids.mask(state) & ~waits[slot])
            assert ids.batch_expand(batch, any_ids)[slot] == ids.expand(state, any_ids[slot])
        stuck = ~mask.any(axis=1)
        chosen = np.where(stuck, -1, (rng.random(mask.shape) * mask).argmax(axis=1))
        actions = ids.batch_expand(batch, chosen)
        assert (actions[stuck] == -1).all()
        batch.apply_actions(actions)
        batch.reset(stuck)


def test_what_a_batch_refuses() -> None:
    game = carcassonne.Game()
    ids = carcassonne.CompactActions(game, window=3)
    batch = game.batch(2)
    for wrong in (-2, -(2**40), ids.num_actions, 2**40):
        actions = ids.batch_expand(batch, [0, wrong])
        assert actions.tolist() == [0, -2]
        with pytest.raises(tilery.IllegalActionError):
            batch.apply_actions(actions)
    for ids_given in ([0], [0, 1, 2], [[0, 1]], [0.5, 1.0], "ab", None, [None, 0], np.zeros(2, np.uint64)):
        with pytest.raises(ValueError, match=r"ids must be integers\[2\]"):
            ids.batch_expand(batch, ids_given)
    for out in (np.empty((2, 5), bool), np.empty((2, ids.num_actions), np.float32)):
        with pytest.raises(ValueError, match="out must have"):
            ids.batch_mask(batch, out)
    for other in (carcassonne.Game(players=3).batch(2), tilery.load("toy").batch(2)):
        with pytest.raises(ValueError, match="other rules"):
            ids.batch_mask(other)
        with pytest.raises(ValueError, match="other rules"):
            ids.batch_expand(other, [0, 0])
    with pytest.raises(TypeError, match=r"must be a tilery\.Batch"):
        ids.batch_mask(game.new_initial_state())


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
    with pytest.raises(ValueError, match="other rules"):
        ids.mask(carcassonne.Game(players=3).new_initial_state())
    with pytest.raises(TypeError):
        ids.mask(tilery.load("toy").new_initial_state())


def test_states_of_equal_games_and_copies() -> None:
    game, same = carcassonne.Game(), carcassonne.Game()
    ids = carcassonne.CompactActions(game, np.int64(9))
    state, rng = same.new_initial_state(), tilery.Rng(1)
    for _ in range(20):
        state.apply_action(state.random_action(rng))
    batch = same.batch(3, seed=1)
    for copied in (pickle.loads(pickle.dumps(ids)), copy.deepcopy(ids)):
        assert copied.legal_actions(state) == ids.legal_actions(state)
        assert np.array_equal(copied.batch_mask(batch), ids.batch_mask(batch))
    assert ids.num_actions == carcassonne.CompactActions(game, 9).num_actions


def test_nothing_is_made_without_its_value() -> None:
    kind = carcassonne.CompactActions
    for make in (kind, lambda: kind.__new__(kind), lambda: object.__new__(kind), lambda: type("Mine", (kind,), {})):
        with pytest.raises(TypeError):
            make()
    with pytest.raises(TypeError, match="immutable"):
        kind.x = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("shown", ["\ud800", "x\0y", 0, 2, 2**70, True])
def test_windows_that_are_refused(shown: Any) -> None:
    class Named:
        def __repr__(self) -> str:
            return str(shown)

    window: Any = Named() if isinstance(shown, str) else shown
    game = carcassonne.Game()
    with pytest.raises(ValueError, match="window must be an odd number from 1 to 167, got "):
        game.new_initial_state().observation_tensor(0, window=window)
    with pytest.raises(ValueError, match="window must be an odd number"):
        carcassonne.CompactActions(game, window=window)


def test_integers_in_windows() -> None:
    state = carcassonne.Game().new_initial_state()
    state.playout(tilery.Rng(1))
    for window, dtype in ((1, "uint8"), (15, "int16"), (167, "uint8")):
        seen = state.observation_tensor(0, window=window)
        shown = np.full(seen.shape, 9, dtype)
        assert state.observation_tensor(0, shown, window=window, dtype=dtype) is shown
        assert np.array_equal(shown > 0, seen > 0)
        with pytest.raises(ValueError, match="out must have dtype float32"):
            state.observation_tensor(0, shown, window=window)
