"""The picture data of the tiles."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import tilery
from tests.games.carcassonne.drawing import BOX
from tests.kit.walking import walk
from tests.lab import carcassonne_pictures
from tilery.play import Session
from tilery.play.view import drawn, view
from tilery.words import words_of

PICTURES = json.loads(carcassonne_pictures.TARGET.read_text(encoding="utf-8"))


def test_every_segment_has_a_place_for_a_meeple() -> None:
    for tile in BOX:
        segments = {f"{kind[0]}{i}" for kind in ("cities", "roads", "fields") for i in range(len(tile[kind]))}
        anchors = PICTURES[tile["id"]]["anchors"]
        assert {*anchors} == segments | ({"m"} if tile["monastery"] else set())
        assert all(4 <= coordinate <= 96 for anchor in anchors.values() for coordinate in anchor)
        assert len({tuple(anchor) for anchor in anchors.values()}) == len(anchors)


def test_segments_are_called_by_their_place() -> None:
    """On the tile as it lies, in lists of actions and of moves; two of a kind have two names."""
    session = Session(tilery.load("carcassonne"), [None, None], seed=4)
    named = 0
    while session.actor >= 0:
        labels, number = session.state.panel(session.actor)["labels"], len(session.moves)
        assert len(set(labels.values())) == len(labels)
        assert all(re.fullmatch(r"the monastery|the (city|road|field) in the [a-z]+", each) for each in labels.values())
        action = session.state.legal_actions()[-1]
        session.play(session.game.action_to_string(action))
        if (pick := session.game.picks(action)[0]) in labels:
            assert session.words_seen(number, 1) == f"place a meeple on {labels[pick]}"
            named += 1
    assert named > 3
    game = tilery.load("carcassonne")
    state = game.new_initial_state()
    for token in ("*V", "1,0@0", "r0", "*W10", "0,-1@0", "m", "*V", "1,-1@1", "-", "*W07", "0,1@2"):
        state.apply_action(state.string_to_action(token))
    labels = state.panel(1)["labels"]
    assert labels["segment:c0"] == "the city in the south"
    assert words_of(state, state.string_to_action("c0")) == "place a meeple on the city in the south"


@pytest.mark.slow
def test_the_data_is_what_the_tool_makes() -> None:
    """python -m tests.lab.carcassonne_pictures"""
    assert carcassonne_pictures.TARGET.read_text(encoding="utf-8") == carcassonne_pictures.content()


def test_steps_in_words() -> None:
    game = tilery.carcassonne.Game()
    assert game.describe_pick("none") == "place no meeple"
    assert game.describe_pick("turn:1") == "turned clockwise by a quarter"
    assert game.describe_pick("segment:f0") == "the first field"
    assert game.describe_pick("segment:m") == "the monastery"
    assert game.describe_action(game.string_to_action("r1")) == "place a meeple on the second road"


def test_the_tile_below_a_meeple_is_marked() -> None:
    """A meeple's action does not say where the tile lies, so the tile placed before it keeps its mark."""
    session = Session(tilery.load("carcassonne"), [None, None], seed=4)
    for _ in range(2):
        session.play(session.game.action_to_string(session.state.legal_actions()[-1]))
    tile, meeple = [move.action for move in session.moves if move.player >= 0][-2:]
    plain = session.state.to_svg(0)
    assert session.state.to_svg(0, last=meeple) == plain
    assert drawn(session, 0, len(session.moves)) == session.state.to_svg(0, last=tile) != plain
    assert view(session, 0)["picture"] == session.state.to_svg(0, last=tile, targets=True, part="board")


def test_a_preview_has_the_size_of_the_position() -> None:
    """So that nothing moves below the pointer, also where the land grows."""
    state = walk(tilery.load("carcassonne"), seed=2, actions=40)
    while not state.game.picks(state.legal_actions()[0])[0].startswith("cell:"):
        state.apply_action(state.legal_actions()[0])
    size = re.search('viewBox="[^"]*"', state.to_svg(0, part="board"))
    assert size
    for action in state.legal_actions():
        shown = re.search('viewBox="[^"]*"', state.to_svg(0, part="board", ghost=action))
        assert shown
        assert shown[0] == size[0]


def test_the_panel_shows_what_was_not_seen_yet() -> None:
    """Each type with its copies, and how many tiles are in the pile."""
    state: Any = walk(tilery.load("carcassonne"), seed=2, actions=60)
    known = state.information_state(0)
    panel = state.to_svg(0, part="panel")
    assert f"{known['pile']} tiles left" in panel
    counts = re.findall(r'font-size="13" fill="[^"]*">(\d+)</text>', panel)
    assert [int(copies) for copies in counts] == [copies for copies in known["unseen"] if copies > 0]
