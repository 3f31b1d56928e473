"""The panel of Pueblo's drawing: what is seen from each side."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import tilery
from tests.kit.walking import walk


@pytest.mark.parametrize("players", [2, 3, 4])
def test_elevations_add_up_to_what_the_chieftain_sees(players: int) -> None:
    """The points below each of the four are those from the eight spaces of its side (PB-8)."""
    game = tilery.load("pueblo", players=players)
    for seed in range(4):
        state = walk(game, seed=seed, actions=8 + 6 * seed)
        texts = ET.fromstring(state.to_svg(part="panel")).iter("{http://www.w3.org/2000/svg}text")
        shown = [int(text.text or "") for text in texts if text.get("font-size") == "12" and text.get("font-weight")]
        sides = [[state.seen_from(9 * side + k) for k in range(1, 9)] for side in range(4)]
        assert shown == [sum(seen[seat] for seen in side) for side in sides for seat in range(players)]
