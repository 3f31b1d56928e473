"""What a learner sees of a position: true of every state of every game that has inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilery
from tests.laws.test_laws import law


@law(20)
def test_inputs_are_ids_with_names_and_show_nothing_hidden(game: Any, state: Any, seed: int) -> None:
    names = game.input_names
    assert len(names) == len(set(names)) == game.num_inputs <= 2**16
    for player in range(game.num_players):
        if not game.num_inputs:
            with pytest.raises(tilery.WeightsError, match="has no inputs"):
                state.inputs(player)
            continue
        ids = state.inputs(player)
        assert ids.dtype == np.uint16
        assert ids.ndim == 1
        assert 0 < len(ids) < 512
        assert (np.diff(ids.astype(int)) >= 0).all()
        assert ids[-1] < game.num_inputs
        for twin in (state.determinize(player, seed), game.deserialize_state(state.serialize())):
            assert np.array_equal(twin.inputs(player), ids)
    for nobody in (-1, game.num_players, "0"):
        with pytest.raises(ValueError, match="player"):
            state.inputs(nobody)


def test_inputs_of_toy_say_what_a_player_knows() -> None:
    """Two players with one card each; the viewer is seat 0, whatever their number."""
    game = tilery.load("toy", players=2, hand=1)
    position = {
        "deck": [3, 3, 4, 4, 3],
        "undealt": 0,
        "hands": [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0]],
        "prize": 5,
        "table": [0, 0],
        "scores": [0, 0],
    }
    state = game.state_from_dict(position)
    seen = [{game.input_names[i] for i in state.inputs(player)} for player in (0, 1)]
    assert "hand:value=0,copies=1" in seen[0]
    assert "hand:value=1,copies=1" in seen[1]
    assert {"prize:value=5,rounds=1", "players:count=2", "lead:seat=1,points=15"} <= seen[0] & seen[1]
    assert "unseen:value=1,copies=4" in seen[0]
    assert "unseen:value=1,copies=3" in seen[1]
