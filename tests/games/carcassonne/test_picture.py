"""The picture data of the tiles."""

from __future__ import annotations

import json

import pytest

import tilery
from tests.games.carcassonne.drawing import BOX
from tests.tools import carcassonne_pictures

PICTURES = json.loads(carcassonne_pictures.TARGET.read_text(encoding="utf-8"))


def test_every_segment_has_a_place_for_a_meeple() -> None:
    for tile in BOX:
        segments = {f"{kind[0]}{i}" for kind in ("cities", "roads", "fields") for i in range(len(tile[kind]))}
        anchors = PICTURES[tile["id"]]["anchors"]
        assert {*anchors} == segments | ({"m"} if tile["monastery"] else set())
        assert all(4 <= coordinate <= 96 for anchor in anchors.values() for coordinate in anchor)
        assert len({tuple(anchor) for anchor in anchors.values()}) == len(anchors)


@pytest.mark.slow
def test_the_data_is_what_the_tool_makes() -> None:
    """python -m tests.tools.carcassonne_pictures"""
    assert carcassonne_pictures.TARGET.read_text(encoding="utf-8") == carcassonne_pictures.content()


def test_steps_in_words() -> None:
    game = tilery.carcassonne.Game()
    assert game.describe_pick("none") == "place no meeple"
    assert game.describe_pick("turn:1") == "turn 1"
