"""Taj Mahal: the order of palaces within a withdrawal (TM-14) loses no outcome, by enumeration; and TM-R12."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilery
from tests.games.tajmahal.options import SHIPPED, odd_map
from tests.games.tajmahal.test_rules import Table
from tests.kit.walking import legal_tokens, look

rule = pytest.mark.rule

GOODS = ("rice", "tea", "spice", "gems")
Outcome = tuple[frozenset[str], str | None, int, tuple[int, ...], int]
"""The ordinary palaces built, the mogul palace, points, symbols of goods, and cards to be drawn."""


def in_any_order(known: dict[str, Any], data: dict[str, Any], left: int) -> set[Outcome]:
    """All ways to build at most this many ordinary palaces and a mogul palace, one after another."""
    me, province = known["turn"], known["provinces"][known["visit"] - 1] if known["visit"] < 12 else "G"
    cities = sorted(city["id"] for city in data["cities"] if city["id"][0] == province)
    taj_mahal = data["taj_mahal"]
    persons, moguls = known["build"]
    found: set[Outcome] = set()
    seen = set()

    def build(ordinary: frozenset[str], mogul: str | None, points: int, goods: tuple[int, ...], draws: int) -> None:
        if (ordinary, mogul, points, goods, draws) in seen:
            return
        seen.add((ordinary, mogul, points, goods, draws))
        found.add((ordinary, mogul, points + palace_points(known, data, me, ordinary, mogul), goods, draws))
        if len(ordinary) + (mogul is not None) == left:
            return
        if mogul is None and moguls:
            for city in cities:
                build(ordinary, city, points, goods, draws)
        for city in cities:
            if len(ordinary) == persons or city in ordinary or city in known["ordinary"]:
                continue
            tile = known["bonus"].get(city)
            scored, gained, drawn = 0, list(goods), 0
            if tile in GOODS:
                gained[GOODS.index(tile)] += 1
                scored = gained[GOODS.index(tile)]
            elif tile == "card":
                drawn = 1
            elif tile is not None:
                scored = 2
            if city == taj_mahal["city"]:
                scored += taj_mahal["points"]
            build(ordinary | {city}, mogul, points + scored, tuple(gained), draws + drawn)

    build(frozenset(), None, known["points"][me], tuple(known["goods"][me]), known["draws"])
    return found


def palace_points(
    known: dict[str, Any], data: dict[str, Any], me: int, ordinary: frozenset[str], mogul: str | None
) -> int:
    """A point for a palace in the province, and one for each other province joined to it by roads of own palaces."""
    own = {city for kind in ("ordinary", "mogul") for city, owner in known[kind].items() if owner == me}
    own |= ordinary | ({mogul} if mogul else set())
    province = known["provinces"][known["visit"] - 1] if known["visit"] < 12 else "G"
    reached = [city for city in own if city[0] == province]
    for city in reached:
        roads = [set(road) for road in data["roads"] if city in road]
        reached += [other for road in roads for other in road - {city} if other in own and other not in reached]
    return len({city[0] for city in reached})


def in_ascending_order(state: Any, known: dict[str, Any]) -> set[Outcome]:
    """What the engine reaches until building ends."""
    me, found, waiting = known["turn"], set(), [state]
    for here in waiting:
        now = look(here, me)
        if now["phase"] in ("build", "crown") and now["turn"] == me:
            waiting += [here.child(action) for action in here.legal_actions()]
            continue
        built = {
            kind: {city for city, owner in now[kind].items() if owner == me and city not in known[kind]}
            for kind in ("ordinary", "mogul")
        }
        mogul = min(built["mogul"], default=None)
        found.add((frozenset(built["ordinary"]), mogul, now["points"][me], tuple(now["goods"][me]), now["draws"]))
    return found


@rule("TM-14", "TM-R11")
@pytest.mark.parametrize("data", [SHIPPED, odd_map()], ids=["shipped", "odd"])
def test_no_outcome_is_lost_by_the_order_of_palaces(data: dict[str, Any]) -> None:
    game = tilery.load("tajmahal", players=3, data=data)
    rng = np.random.default_rng(14)
    compared = several = 0
    for _ in range(400):
        state, token = game.new_initial_state(), ""
        while not state.is_terminal():
            before = look(state, 0)
            if token == "out" and before["phase"] == "build" and sum(before["build"]) > 1:
                me = before["turn"]
                built = sum(owner == me for kind in ("ordinary", "mogul") for owner in before[kind].values())
                here = in_any_order(before, data, 20 - built)
                assert in_ascending_order(state, before) == here, legal_tokens(state)
                compared += 1
                several += len(here) > 10
            tokens = [other for other in legal_tokens(state) if other != "out"] if rng.random() < 0.8 else []
            token = str(rng.choice(tokens or legal_tokens(state)))
            state.apply_action(state.string_to_action(token))
        if several >= 40:
            break
    assert several >= 40
    assert compared >= several


@rule("TM-19", "TM-R12")
def test_cards_of_the_pile_are_drawn_without_a_question(load: Any) -> None:
    tile = Table(load, "gVV", bonus="card").do("gVV").withdraw().withdraw().do("out at:A1")
    for table in (Table(load).do("out"), tile):
        assert table.state.is_chance_node()
        assert table.look()["phase"] == "draw"
