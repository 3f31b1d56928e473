"""Fair deals in Carcassonne with tiles in hand (CA-H3, CA-H4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.games.carcassonne.drawing import BOX, TYPES
from tests.kit.deals import Deal, Hand, assert_fair, others_of, ways_of
from tests.kit.walking import look, play

rule = pytest.mark.rule

CITIES = [bool(tile["cities"]) for tile in BOX]
ROADS = [bool(tile["roads"]) for tile in BOX]


def ways_to_deal(state: Any, player: int, fits: Sequence[bool] | None = None) -> dict[Deal, int]:
    """CA-H3 and CA-H4; with `fits` (which types fit) the mover has a tile that does, shown ones included."""
    seen, others = look(state, player), others_of(state, player)
    sizes = [seen["hands"][seat]["size"] - len(seen["hands"][seat]["shown"]) for seat in others]
    assert sum(seen["unseen"]) == sum(sizes) + seen["pile"]
    if fits is None:
        return ways_of(seen["unseen"], sizes)
    assert not any(fits[TYPES.index(kind)] for kind in seen["hands"][seen["turn"]]["shown"])
    place = others.index(seen["turn"])
    return ways_of(
        seen["unseen"], sizes, lambda deal: any(count and fit for count, fit in zip(deal[place], fits, strict=False))
    )


def unknown_tiles(kinds: int) -> Callable[[dict[str, Any]], Hand]:
    def read(own: dict[str, Any]) -> Hand:
        hand = own["hands"][own["player"]]
        return tuple(hand["held"].count(kind) - hand["shown"].count(kind) for kind in TYPES[:kinds])

    return read


@rule("CA-H4")
@pytest.mark.parametrize(
    ("options", "tokens", "player"),
    [
        ({"hand_size": 1, "players": 2}, "*U *C", 0),
        ({"hand_size": 1, "players": 3}, "*U *C *D", 1),
        ({"hand_size": 3, "players": 2, "table": [0, 0, 0, 2]}, "*G *U *U *E *U *V tile:G 0,1@0 -", 0),
    ],
)
def test_hands(load: Any, options: dict[str, Any], tokens: str, player: int) -> None:
    """Where nobody is about to choose a tile, every tile not seen may be anywhere; also before a refill."""
    state = play(load("carcassonne", tiles="base", **options), tokens)
    assert_fair(state, player, unknown_tiles(24), ways_to_deal(state, player))


@rule("CA-H4")
def test_who_chooses_has_a_tile_that_fits(load: Any) -> None:
    """At 0,2, the one open cell of the table, a city is asked for; player 1 is to choose a tile."""
    game = load("carcassonne", tiles="base", hand_size=3, table=[0, 0, 0, 2])
    state = play(game, "*G *U *U *E *U *V tile:G 0,1@0 - *W")
    assert look(state, 0)["phase"] == "choose"
    assert_fair(state, 0, unknown_tiles(24), ways_to_deal(state, 0, CITIES))


@pytest.mark.slow
def test_the_hand_of_a_bystander_is_free(load: Any) -> None:
    """Three players: the mover's hand is bound, the other one takes from what that leaves; by tiles with a city."""
    game = load("carcassonne", tiles="base", players=3, hand_size=3, table=[0, 0, 0, 2])
    state = play(game, "*G *U *U *E *U *V *B *B *B tile:G 0,1@0 - *W")
    unseen = look(state, 0)["unseen"]
    good = sum(copies for copies, fit in zip(unseen, CITIES, strict=False) if fit)
    ways = ways_of([good, sum(unseen) - good], [3, 3], lambda deal: deal[0][0] > 0)

    def by_cities(own: dict[str, Any]) -> Hand:
        cities = sum(CITIES[TYPES.index(kind)] for kind in own["hands"][own["player"]]["held"])
        return cities, 3 - cities

    assert_fair(state, 0, by_cities, ways, 5000)


@rule("CA-H4")
def test_a_hand_shown_stays_and_its_last_tile_must_fit(load: Any) -> None:
    """Player 1 showed B B B, which fit nowhere, discarded one and drew a hidden tile, and is to choose now.

    At 0,1 a city is asked for and at 1,1 a road: the third tile has one of them. Before it is drawn nothing is hidden.
    """
    game = load("carcassonne", tiles="base", hand_size=3, table=[0, 0, 1, 2])
    state = play(game, "*X *L *U *B *B *B tile:X 1,0@0 - *U discard:B")
    assert ways_to_deal(state, 0) == {((0,) * 24,): 1}
    assert look(state.determinize(0, 1), 1)["hands"][1] == look(state, 1)["hands"][1]
    state.apply_action(state.string_to_action("*E"))
    assert look(state, 0)["phase"] == "choose"
    fits = [city or road for city, road in zip(CITIES, ROADS, strict=True)]
    assert_fair(state, 0, unknown_tiles(24), ways_to_deal(state, 0, fits))
