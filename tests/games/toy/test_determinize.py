"""Fair deals in Toy: the hands of the others."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.deals import assert_fair, minus, others_of, ways_of
from tests.kit.walking import look, play

rule = pytest.mark.rule


@rule("T-2")
@pytest.mark.parametrize(
    ("players", "hand", "tokens", "player"),
    [
        (2, 3, "*1 *1 *4 *4 *4 *5 *3", 0),
        (3, 1, "*1 *2 *3 *5 1", 1),
        (3, 2, "*1 *2 *3 *3 *5 *5 *4 1", 1),
        (4, 1, "*2 *2 *2 *3", 3),
    ],
)
def test_hands(load: Any, players: int, hand: int, tokens: str, player: int) -> None:
    state = play(load("toy", players=players, hand=hand), tokens)
    seen = look(state, player)
    unseen = minus(minus([4] * 5, seen["open"]), seen["hand"])
    sizes = [seen["hand_sizes"][seat] for seat in others_of(state, player)]
    assert_fair(state, player, lambda own: own["hand"], ways_of(unseen, sizes))
