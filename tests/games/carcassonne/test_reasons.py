"""Why an action of Carcassonne is not legal: the sentence in IllegalActionError, for the most common cases."""

from __future__ import annotations

from typing import Any

import pytest

import tilery
from tests.games.carcassonne.drawing import go, known, tokens
from tests.games.carcassonne.test_house_rules import CITIES_ROUND_A_HOLE
from tests.kit.walking import random_game
from tilery.reference.rng import Rng


def reason(state: Any, token: str) -> str:
    """The sentence about an illegal token; the state is not changed."""
    before = state.clone()
    with pytest.raises(tilery.IllegalActionError) as caught:
        go(state, token)
    assert state == before
    return str(caught.value).split(" is not legal. ")[1]


@pytest.fixture
def start() -> Any:
    return tilery.load("carcassonne").new_initial_state()


def test_a_placement_is_due(start: Any) -> None:
    go(start, "*U")
    for token in ("-", "m", "*D"):
        assert reason(start, token) == "CA-7: player 0 is to place the tile U"


def test_placements_that_are_not_legal(start: Any) -> None:
    go(start, "*U")
    assert reason(start, "0,0@0") == "CA-4: there is a tile at 0,0 already"
    assert reason(start, "5,-3@0") == "CA-4: the cell 5,-3 does not share an edge with the land"
    assert reason(start, "1,0@2") == "CA-3: the tile U looks the same in a lower rotation than 2"
    assert reason(start, "0,1@0") == (
        "CA-4: on its southern edge the tile U would have a field where the neighbour has a city"
    )


def test_meeples_that_cannot_be_placed(start: Any) -> None:
    go(start, "*U 1,0@0")
    assert reason(start, "2,0@0") == (
        "CA-8: player 0 is to place a meeple on the tile at 1,0 or go on without one ('-')"
    )
    assert reason(start, "c1") == "CA-8: the tile U at 1,0 has no segment c1"
    go(start, "r0 *V 2,0@0")
    assert reason(start, "r0") == "CA-8: there is a meeple in the road of r0 already"


def test_segments_of_one_feature() -> None:
    """Of segments that the land joins the first is named."""
    game, rng, found = tilery.load("carcassonne"), Rng(3), 0
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            if known(state)["phase"] == "meeple":
                for token in {"r1", "r2", "r3", "f1", "f2", "f3", "c1"} - set(tokens(state)):
                    sentence = reason(state, token)
                    assert sentence.startswith("CA-8: ")
                    found += "belongs to the same" in sentence
            state.apply_action(legal[rng.below(len(legal))])
    assert found > 0


def test_no_farmers() -> None:
    state = tilery.load("carcassonne", farmers=False).new_initial_state()
    assert reason(go(state, "*U 1,0@0"), "f0") == "CA-17: no meeple is placed on a field in this game"


def test_hands_of_three() -> None:
    state = tilery.load("carcassonne", hand_size=3).new_initial_state()
    go(state, "*U *U *V *D *D *D")
    assert tokens(state) == ["tile:U", "tile:V"]
    assert reason(state, "tile:X") == "CA-H4: player 0 does not hold the tile X"
    assert reason(state, "discard:U") == "CA-H4: no tile is discarded while one of the hand fits"
    assert reason(state, "1,0@0") == "CA-H4: player 0 is to choose a tile of the hand"


def test_sales() -> None:
    state = tilery.load("carcassonne", players=3, tile_sale=True).new_initial_state()
    go(state, CITIES_ROUND_A_HOLE)
    assert reason(state, "0,1@0").startswith("CA-H7: player 0 is to offer the tile")
    go(state, "offer")
    assert reason(state, "price:3") == "CA-H7: player 1 has 2 points and cannot pay 3"
    assert reason(go(state, "price:2"), "price:1") == "CA-H7: the price must be higher than 2"
    assert reason(state, "accept") == "CA-H7: player 2 is to name a price or pass"
    assert reason(go(state, "pass"), "pass") == "CA-H7: player 0 is to accept or decline the price of 2"


def test_chance_and_the_end(start: Any) -> None:
    assert reason(start, "-").startswith("G-2: ")
    assert reason(random_game(start.game, seed=1, actions=10**6), "-").startswith("G-4: ")
