"""Positions from outside that no game reaches."""

from __future__ import annotations

from typing import Any

import pytest

import tilery
from tests.kit.walking import legal_tokens, random_game


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nobody_moves_the_chieftain_before_the_first_block(players: int) -> None:
    """Such a position had one decision more than `max_decisions` when it was played to the end."""
    game = tilery.load("pueblo", players=players)
    position = game.new_initial_state().to_dict()
    position |= {"step": "move", "player": players - 1}
    with pytest.raises(tilery.StateDataError, match="a move before the first block"):
        game.state_from_dict(position)


@pytest.mark.parametrize("options", [{}, {"players": 3, "demolition": True}, {"players": 4, "pro": True}])
def test_points_are_bounded_by_the_views_so_far(options: dict[str, Any]) -> None:
    """Of a view a player has at most one cube on each level (PB-8) or 16 squares (PB-9); each block gives one view."""
    game: Any = tilery.load("pueblo", **options)
    bounded = 0
    for seed in range(12):
        position = random_game(game, seed=seed, actions=5 + 8 * seed).to_dict()
        assert game.state_from_dict(position).to_dict() == position
        high = max(len(column) for column in position["columns"])
        blocks = sum(len(column) for column in position["columns"]) // 3
        most = blocks * max(16, high * (high + 1) // 2) + game.rules.pro * position["part"] * game.rules.max_bid
        building = position["part"] < 3 and position["step"] in ("place", "move")
        bounded += building
        for seat in range(game.num_players):
            for points in [65_558, *[most + 1] * building]:
                scores = list(position["scores"])
                scores[seat] = points
                with pytest.raises(tilery.StateDataError, match="more points"):
                    game.state_from_dict({**position, "scores": scores})
    assert bounded > 3


@pytest.mark.parametrize("demolition", [False, True])
def test_a_tower_is_read_as_it_was_written(demolition: bool) -> None:
    """PB-6: four players put up all of their blocks on 2 x 2 squares, and take them down again."""
    game: Any = tilery.load("pueblo", players=4, demolition=demolition)
    state, highest = game.new_initial_state(), 0
    while not state.is_terminal():
        here = [token for token in legal_tokens(state) if token[1:] in ("d4ne", "d5se")]
        state.apply_action(state.string_to_action(here[0] if here else legal_tokens(state)[0]))
        position = state.to_dict()
        assert game.state_from_dict(position) == state
        assert game.deserialize_state(state.serialize()) == state
        highest = max(highest, *map(len, position["columns"]))
    assert highest == 36
