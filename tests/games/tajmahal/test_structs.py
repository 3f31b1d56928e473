"""The structs of tilery/views/tajmahal.h say what the views of Python say."""

from __future__ import annotations

import tilery
from tests.kit.structs import structs
from tests.kit.walking import half_way


def test_cities_players_and_cards() -> None:
    state = half_way(tilery.load("tajmahal", players=4))
    cities = structs(state, "cities", [("palace", "i1"), ("mogul", "i1"), ("bonus_tile", "i1")])
    assert cities["palace"].tolist() == state.ordinary_palaces().tolist()
    assert cities["mogul"].tolist() == state.mogul_palaces().tolist()
    assert cities["bonus_tile"].tolist() == state.bonus_tiles().tolist()
    counts = [("symbols", "u1", 6), ("special_cards", "u1", 4), ("person_tiles", "u1", 4), ("goods", "u1", 4)]
    players = structs(state, "players", [("in", "u1"), *counts])
    assert players["in"].astype(bool).tolist() == state.still_in().tolist()
    for name, *_ in counts:
        assert players[name].tolist() == getattr(state, name)().astype(int).tolist()
    cards = structs(state, "cards", [("seat", "u1"), ("type", "u1"), ("hand", "u1"), ("played", "u1")])
    assert cards["hand"].sum() > 0
