"""The picture of the game: what could lie above something else."""

from __future__ import annotations

import re
from itertools import pairwise

import tilery
from tests.kit.walking import walk


def test_special_cards_leave_the_counters_free() -> None:
    """Also all four of them, of one player."""
    game = tilery.load("tajmahal", players=3)
    position = walk(game, seed=3, actions=250).to_dict()
    tiles = [[2, 2, 2, 2], [0, 0, 0, 0], [0, 0, 0, 0]]
    state = game.state_from_dict(position | {"special": [0, 0, 0, 0], "used": [], "tiles": tiles})
    svg = state.to_svg(0)
    counters = [int(x) for x in re.findall(r'<text x="(\d+)" y="113" font-size="13"', svg)]
    cards = sorted(int(x) for x in re.findall(r'<rect x="(\d+)" y="94" width="27"', svg))
    assert len(cards) == 4
    assert len(counters) == 8
    assert max(counters) + 7 <= cards[0]
    assert all(later - earlier >= 27 for earlier, later in pairwise(cards))
