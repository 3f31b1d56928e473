"""What the reference says of Carcassonne's bounds, parts and secrets, in random games of all variants."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import variants
from tilery.reference import carcassonne
from tilery.reference.rng import Rng


@pytest.mark.parametrize("options", variants("carcassonne"))
def test_bounds_and_parts(options: dict[str, Any]) -> None:
    game, engine = carcassonne.Game(**options), tilery.load("carcassonne", **options)
    parts = game.observation_parts
    assert len({name for name, *_ in parts}) == len(parts)
    ends = [offset + math.prod(shape) for _, offset, shape, *_ in parts]
    assert [offset for _, offset, *_ in parts] == [0, *ends[:-1]]
    assert (ends[-1],) == game.observation_tensor_shape == engine.observation_tensor_shape
    assert game.max_decisions + game.max_chance_nodes == game.max_game_length == engine.max_game_length
    state, rng, decisions, draws = game.new_initial_state(), Rng(6), 0, 0
    while not state.is_terminal():
        if (decisions + draws) % 12 == 0:
            values = state.observation_tensor(0)
            for name, offset, shape, low, high, _ in parts:
                part = values[offset : offset + math.prod(shape)]
                assert low <= part.min() <= part.max() <= np.float32(high), name
        action = state.random_action(rng)
        if state.is_chance_node():
            draws += 1
            assert action < game.num_chance_actions
        else:
            decisions += 1
            assert action >= game.num_chance_actions
        state.apply_action(action)
    assert decisions <= game.max_decisions
    assert draws <= game.max_chance_nodes


@pytest.mark.parametrize("options", variants("carcassonne"))
def test_others_see_no_draw_for_a_hidden_hand(options: dict[str, Any]) -> None:
    """CA-H3: everybody sees the same but for deals and refills of hidden hands, which the owner alone sees."""
    game = carcassonne.Game(**options)
    state, rng, hidden = game.new_initial_state(), Rng(7), 0
    while not state.is_terminal():
        action = state.random_action(rng)
        seen = [state.action_seen_by(player, action) for player in range(game.players)]
        phase, unseen = state.phase, seen.count(-1)
        assert set(seen) <= {action, -1}
        assert unseen in (0, game.players - 1)
        assert unseen == 0 or (game.hides_information and phase in ("deal", "refill"))
        hidden += unseen
        state.apply_action(action)
        if game.hand_size != 1 and phase in ("deal", "refill") and game.hides_information:
            assert unseen > 0
    assert (hidden > 0) == game.hides_information
