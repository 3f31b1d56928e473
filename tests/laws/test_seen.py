"""`state.seen_by(player)`: a view answers by what the player knows, and keeps nothing else."""

from __future__ import annotations

import copy
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import Phase, given, settings

import tilery
from tests.kit.games import BACKENDS, GAMES, options_of
from tests.kit.walking import random_game
from tilery.seen import SeenState

ANSWERS: dict[str, Callable[[SeenState[Any]], Any]] = {
    "to act": lambda view: (view.current_player(), view.is_terminal()),
    "points": lambda view: (view.scores(), view.returns()),
    "legal": lambda view: view.legal_actions(),
    "mask": lambda view: np.flatnonzero(view.legal_actions_mask()).tolist(),
    "number": lambda view: view.num_legal_actions(),
    "known": lambda view: view.information_state_string(),
    "public": lambda view: view.public_state_string(),
    "observed": lambda view: view.observation_tensor().tolist(),
    "drawn": lambda view: view.determinize(5).serialize(),
    "pickle": lambda view: pickle.loads(pickle.dumps(view)).determinize(3).serialize(),
}
OF_THE_ENGINE: dict[str, Callable[[SeenState[Any]], Any]] = {
    "why": lambda view: [view.why_illegal(action) for action in range(0, view.game.num_distinct_actions, 97)],
    "dict": lambda view: view.information_state(),
    "text": lambda view: (str(view), view.to_string()),
    "drawing": lambda view: view.to_svg(targets=True),
}


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=15)
@given(data=st.data())
def test_a_view_is_the_same_for_all_positions_that_its_player_cannot_tell_apart(name: str, data: st.DataObject) -> None:
    check("native", name, data, most=80)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=3, phases=[Phase.generate])
@given(data=st.data())
def test_so_is_a_view_of_the_reference(name: str, data: st.DataObject) -> None:
    check("reference", name, data, most=30)


def check(backend: str, name: str, data: st.DataObject, most: int) -> None:
    """The law, for a game with options and a position after up to this many actions."""
    game: Any = BACKENDS[backend](name, **data.draw(options_of(name)))
    actions = data.draw(st.integers(0, most))
    state = random_game(game, seed=data.draw(st.integers(0, 2**32)), actions=actions)
    for player in range(game.num_players):
        view = state.seen_by(player)
        other = state.determinize(player, data.draw(st.integers(0, 2**32))).seen_by(player)
        for key, answer in {**ANSWERS, **(OF_THE_ENGINE if backend == "native" else {})}.items():
            assert answer(view) == answer(other), key
        assert view == other
        assert hash(view) == hash(other)
        assert view == copy.deepcopy(view)
        assert view != state.seen_by((player + 1) % game.num_players)
        # What it keeps is what the player knows.
        assert view._state == other._state
        assert view.information_state_string() == state.information_state_string(player)
        assert view.public_state_string() == state.public_state_string()
        assert (view.observation_tensor() == state.observation_tensor(player)).all()
        assert (view.current_player(), view.scores()) == (state.current_player(), state.scores())
        acts = state.current_player() == player
        assert view.legal_actions() == (state.legal_actions() if acts else [])
        if acts and backend == "native":
            assert all(view.why_illegal(a) == state.why_illegal(a) for a in range(0, game.num_distinct_actions, 97))


@pytest.mark.parametrize("name", GAMES)
def test_states_and_drivers_take_weak_references(name: str) -> None:
    """A copy has none of its original's, and they end with what they refer to."""
    game: Any = tilery.load(name)
    state, driver = game.new_initial_state(), game.driver(seed=1)
    gone: list[Any] = []
    seen = [weakref.ref(each, gone.append) for each in (state, driver, copy.copy(state), driver.state())]
    assert gone == seen[2:]  # nobody held these
    assert [each() for each in seen[:2]] == [state, driver]
    notes = weakref.WeakKeyDictionary({state: "note"})
    twin = state.clone()
    assert weakref.getweakrefcount(state) == 2
    assert not weakref.getweakrefcount(twin)
    assert notes[twin] == "note"  # equal
    del state, driver
    assert gone == [*seen[2:], *seen[:2]]
    assert not notes


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_wrong_player_is_refused(backend: str) -> None:
    state: Any = BACKENDS[backend]("toy").new_initial_state()
    for player in (-1, 2, 2**40):
        with pytest.raises(ValueError, match="player must be"):
            state.seen_by(player)
    view = state.seen_by(1)
    assert view != state
    assert (view.player, view.game) == (1, state.game)
    assert repr(view) == f"<SeenState of {state.game!r}, player 1>"
    if backend == "native":
        assert view.why_illegal(0) == "G-4: player 1 is not to act"
        assert isinstance(view, tilery.SeenState)
