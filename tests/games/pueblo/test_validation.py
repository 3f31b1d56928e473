"""Positions from outside that no game reaches."""

from __future__ import annotations

import pytest

import tilery


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nobody_moves_the_chieftain_before_the_first_block(players: int) -> None:
    """Such a position had one decision more than `max_decisions` when it was played to the end."""
    game = tilery.load("pueblo", players=players)
    position = game.new_initial_state().to_dict()
    position |= {"step": "move", "player": players - 1}
    with pytest.raises(tilery.StateDataError, match="a move before the first block"):
        game.state_from_dict(position)
