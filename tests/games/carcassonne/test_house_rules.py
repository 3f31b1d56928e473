"""Carcassonne's house rules, CA-H2..CA-H11, each alone and together; tokens CA-23."""

from __future__ import annotations

import collections
import math
import random
from typing import Any

import numpy as np
import pytest

from tests.games.carcassonne.drawing import (
    BOX,
    LONGEST_LINE_TO_THE_EAST,
    TYPES,
    cells,
    draw_out,
    go,
    known,
    land,
    lay,
    place,
    tokens,
)
from tests.kit.walking import play
from tilery.reference.rng import Rng

rule = pytest.mark.rule


def unseen(state: Any, kind: str, player: int = 0) -> int:
    return known(state, player)["unseen"][TYPES.index(kind)]


# CA-H2: who starts.


@rule("CA-H2")
def test_ca_h2_the_tile_with_most_road_segments_starts(load: Any) -> None:
    state = play(load("carcassonne", players=3, first_player="most_roads"), "*U *X *W")
    assert known(state)["turn"] == 1
    movers = []
    for x in (1, 2, 3):
        go(state, f"*U {x},0@0")
        movers.append(state.current_player())
        go(state, "-")
    assert movers == [1, 2, 0]


@rule("CA-H2")
def test_ca_h2_by_default_seat_0_starts(load: Any) -> None:
    assert known(play(load("carcassonne", players=3), ""))["turn"] == 0


@rule("CA-H2")
def test_ca_h2_drawn_tiles_are_not_put_back_within_a_round_and_go_back_after_it(load: Any) -> None:
    game = load("carcassonne", first_player="most_roads")
    state = play(game, "*X")
    assert "*X" not in tokens(state)
    go(state, "*U")
    assert "*X" in tokens(state)
    assert known(state)["pile"] == 83


@rule("CA-H2", "CA-R3")
def test_ca_h2_those_tied_for_most_draw_again(load: Any) -> None:
    state = play(load("carcassonne", players=4, first_player="most_roads"), "*U *B *V *E")
    assert known(state)["order"] == {"round": 2, "contenders": [0, 2], "drawn": []}
    go(state, "*B *U")
    assert known(state)["turn"] == 2


@rule("CA-H2", "CA-R3")
def test_ca_h2_after_ten_rounds_the_lowest_seat_still_tied_starts(load: Any) -> None:
    game = load("carcassonne", players=4, first_player="most_roads")
    state = play(game, "*B *U *U *U" + " *U *U *U" * 8)
    assert known(state)["order"]["round"] == 10
    assert known(go(state.clone(), "*U *U *U"))["turn"] == 1
    assert known(go(state.clone(), "*B *U *U"))["turn"] == 2
    assert known(go(state.clone(), "*U *U *U"))["phase"] == "draw"


@rule("CA-H2")
def test_ca_h2_everybody_sees_the_draws(load: Any) -> None:
    state = play(load("carcassonne", players=3, first_player="most_roads", hand_size=1), "*U *X")
    for player in range(3):
        assert known(state, player)["order"] == {"round": 1, "contenders": [0, 1, 2], "drawn": ["U", "X"]}


@rule("CA-H2")
@pytest.mark.parametrize("in_bag", [False, True])
def test_ca_h2_the_start_tile_takes_part_only_if_it_is_in_the_bag(load: Any, in_bag: bool) -> None:
    game = load("carcassonne", players=5, first_player="most_roads", start_tile_in_bag=in_bag)
    assert ("*D" in tokens(play(game, "*D *D *D"))) == in_bag


@rule("CA-H2")
def test_ca_h2_roads_count_as_printed(load: Any) -> None:
    """L has three road segments, also where CA-H6 joins them to one."""
    state = play(load("carcassonne", first_player="most_roads", trees_end_roads=False), "*D *L")
    assert known(state)["turn"] == 1
    state = play(load("carcassonne", first_player="most_roads"), "*W12 *L")
    assert known(state)["turn"] == 1
    state = play(load("carcassonne", first_player="most_roads"), "*W12 *U")
    assert known(state)["turn"] == 0


@rule("CA-H2")
def test_ca_h2_comes_before_the_deal_which_begins_with_seat_0(load: Any) -> None:
    state = play(load("carcassonne", first_player="most_roads", hand_size=1), "*U *X")
    assert known(state)["phase"] == "deal"
    go(state, "*V")
    assert [hand["size"] for hand in known(state)["hands"]] == [1, 0]
    go(state, "*W")
    assert state.current_player() == 1
    assert known(state)["tile"] == "W"


# CA-H3: a hand of one tile.


@rule("CA-H3")
def test_ca_h3_every_player_is_dealt_a_tile_and_refills_after_his_turn(load: Any) -> None:
    state = play(load("carcassonne", players=3, hand_size=1), "*U *V *W")
    assert known(state)["phase"] == "place"
    assert known(state)["tile"] == "U"
    go(state, "1,0@0 -")
    assert known(state)["phase"] == "refill"
    assert known(state)["turn"] == 0
    go(state, "*B")
    assert known(state)["phase"] == "place"
    assert known(state)["tile"] == "V"
    assert state.current_player() == 1
    assert known(state, 0)["hands"][0]["held"] == ["B"]


@rule("CA-H3")
def test_ca_h3_a_hidden_tile_is_public_when_it_is_its_owners_turn_to_place_it(load: Any) -> None:
    state = play(load("carcassonne", hand_size=1), "*U *V")
    assert known(state, 0)["hands"] == [
        {"size": 0, "shown": [], "held": []},
        {"size": 1, "shown": [], "held": None},
    ]
    assert known(state, 1)["hands"][1]["held"] == ["V"]
    assert known(state, 1)["tile"] == "U"
    assert (unseen(state, "V", 0), unseen(state, "V", 1)) == (9, 8)
    go(state, "1,0@0 - *W")
    assert known(state, 0)["tile"] == "V"
    assert unseen(state, "V", 0) == 8


@rule("CA-H3")
def test_ca_h3_open_hands_are_seen_by_all(load: Any) -> None:
    state = play(load("carcassonne", hand_size=1, hands="open"), "*U *V")
    assert known(state, 0)["hands"][1] == {"size": 1, "shown": [], "held": ["V"]}
    assert unseen(state, "V", 0) == 8


@rule("CA-H3")
def test_ca_h3_a_tile_that_fits_nowhere_goes_out_of_the_game_without_an_action(load: Any) -> None:
    state = play(load("carcassonne", hand_size=1), "*E *C 0,1@2 - *U")
    assert known(state)["phase"] == "refill"
    assert known(state)["turn"] == 1
    assert known(state)["again"]
    assert [known(state, p)["unseen"][TYPES.index("C")] for p in (0, 1)] == [0, 0]
    go(state, "*V")
    assert state.current_player() == 1
    assert known(state)["tile"] == "V"


@rule("CA-H3")
def test_ca_h3_the_game_ends_when_pile_and_hands_are_empty(load: Any) -> None:
    """On a table of two cells all tiles after the first are discarded by chance actions alone."""
    state = play(load("carcassonne", players=3, hand_size=1, table=[0, 0, 0, 1]), "*M *M *N 0,1@1 c0")
    assert known(state)["pile"] == 80
    actions = 0
    while not state.is_terminal():
        assert known(state)["phase"] == "refill"
        assert state.scores() == [0, 0, 0]
        state.apply_action(state.legal_actions()[0])
        actions += 1
    # Player 0 refills, player 1 discards and draws until the pile is empty; then players 2 and 0 discard.
    assert actions == 80
    assert state.scores() == [3, 0, 0]


@rule("CA-H3", "CA-R11")
@pytest.mark.parametrize("hand_size", [1, 3])
def test_ca_h3_who_has_no_tile_is_skipped(load: Any, hand_size: int) -> None:
    """With the pile empty, ordinary turns go round among those who have tiles."""
    skipped = 0
    for seed in range(12):
        game = load("carcassonne", players=5, hand_size=hand_size, tiles="base", table=[-3, -3, 3, 3])
        state, dice = game.new_initial_state(), random.Random(seed)
        last = -1
        while not state.is_terminal():
            seen = known(state)
            if seen["pile"] == 0 and not state.is_chance_node():
                sizes = [hand["size"] for hand in seen["hands"]]
                player = state.current_player()
                assert sizes[player] > 0 or seen["phase"] in ("place", "meeple")
                if player != last and last >= 0:
                    between = [(last + k) % 5 for k in range(1, (player - last) % 5)]
                    assert all(sizes[seat] == 0 for seat in between)
                    skipped += len(between)
                last = player
            state.apply_action(dice.choice(state.legal_actions()))
        assert [hand["size"] for hand in known(state)["hands"]] == [0] * 5
        assert known(state)["pile"] == 0
    assert skipped > 0


# CA-H4: a hand of three.


@rule("CA-H4")
def test_ca_h4_three_tiles_are_dealt_to_one_player_before_the_next(load: Any) -> None:
    state = play(load("carcassonne", hand_size=3), "*U *V *U *W")
    assert known(state, 0)["hands"][0]["held"] == ["U", "U", "V"]
    assert known(state, 1)["hands"][1]["held"] == ["W"]
    assert known(state, 0)["phase"] == "deal"


@rule("CA-H4")
def test_ca_h4_each_type_of_the_hand_that_fits_is_listed_once(load: Any) -> None:
    state = play(load("carcassonne", hand_size=3), "*V *U *U *B *B *B")
    assert tokens(state) == ["tile:U", "tile:V"]
    go(state, "tile:U")
    assert known(state, 1)["tile"] == "U"
    assert {token[-1] for token in tokens(state)} == {"0"}
    go(state, "1,0@0 -")
    assert known(state)["phase"] == "refill"
    go(state, "*X")
    # Always an action, even with only one type.
    assert tokens(state) == ["tile:B"]


@rule("CA-H4")
def test_ca_h4_types_that_fit_nowhere_are_not_listed(load: Any) -> None:
    state = play(load("carcassonne", hand_size=3), "*E *U *U *C *V *V tile:E 0,1@2 - *X")
    assert tokens(state) == ["tile:V"]


UNFIT = """
    *X *W03 *U  *B *B *B
    tile:X 1,0@0 - *U
"""
"""On the table [0, 0, 1, 2]: a city is asked for at 0,1, a road at 1,1; player 1 holds three B."""


def unfit(load: Any, more: str = "", **options: Any) -> Any:
    return play(load("carcassonne", hand_size=3, table=[0, 0, 1, 2], **options), UNFIT + more)


@rule("CA-H4", "CA-R11")
def test_ca_h4_a_player_none_of_whose_tiles_fits_discards_one_and_refills(load: Any) -> None:
    state = unfit(load)
    assert known(state)["phase"] == "discard"
    assert tokens(state) == ["discard:B"]
    go(state, "discard:B")
    assert known(state)["phase"] == "refill"
    assert (known(state)["turn"], known(state)["again"]) == (1, True)
    assert tokens(go(state.clone(), "*B")) == ["discard:B"]
    assert tokens(go(state.clone(), "*L")) == ["tile:L"]


@rule("CA-H4")
def test_ca_h4_the_tile_to_discard_is_of_the_players_choice(load: Any) -> None:
    """At 0,2 a city is asked for; V and B have none."""
    state = play(
        load("carcassonne", hand_size=3, table=[0, 0, 0, 2]),
        "*G *U *U *V *V *B tile:G 0,1@0 - *W",
    )
    assert tokens(state) == ["discard:B", "discard:V"]
    go(state, "discard:V *E")
    assert known(state, 1)["hands"][1]["held"] == ["B", "E", "V"]
    assert tokens(state) == ["tile:E"]


@rule("CA-H4")
def test_ca_h4_a_hand_shown_stays_known_until_its_tiles_are_used(load: Any) -> None:
    state = unfit(load)
    assert known(state, 0)["hands"][1] == {"size": 3, "shown": ["B", "B", "B"], "held": None}
    assert unseen(state, "B") == 1
    go(state, "discard:B")
    assert known(state, 0)["hands"][1] == {"size": 2, "shown": ["B", "B"], "held": None}
    go(state, "*L")
    assert known(state, 0)["hands"][1] == {"size": 3, "shown": ["B", "B"], "held": None}
    assert unseen(state, "L") == 3
    go(state, "tile:L")
    assert unseen(state, "L") == 2
    assert known(state, 0)["hands"][1] == {"size": 2, "shown": ["B", "B"], "held": None}


@rule("CA-H4")
def test_ca_h4_the_known_copy_is_the_one_used(load: Any) -> None:
    """Player 1 holds two B that were shown and draws the last one unseen; then they use one."""
    state = unfit(load, "discard:B *L tile:L 1,1@0 - *B tile:W03 0,1@2 - *U")
    assert known(state, 0)["hands"][1] == {"size": 3, "shown": ["B", "B"], "held": None}
    assert known(state, 1)["hands"][1] == {"size": 3, "shown": ["B", "B"], "held": ["B", "B", "B"]}
    assert unseen(state, "B", 0) == 1
    go(state, "tile:B")
    assert known(state, 0)["hands"][1] == {"size": 2, "shown": ["B"], "held": None}
    assert unseen(state, "B", 0) == 1


@rule("CA-H4")
def test_ca_h4_open_hands_need_no_showing(load: Any) -> None:
    state = unfit(load, hands="open")
    assert known(state, 0)["hands"][1] == {"size": 3, "shown": [], "held": ["B", "B", "B"]}
    assert unseen(state, "B", 0) == 1


@rule("CA-H4")
def test_ca_h4_with_an_empty_pile_a_player_may_lose_his_whole_hand(load: Any) -> None:
    """On a full table player 1 discards all of the pile and their hand, then player 0 theirs."""
    state = play(load("carcassonne", hand_size=3, table=[0, 0, 0, 1]), "*E *U *U *V *V *V tile:E 0,1@2 - *W")
    discards = collections.Counter[int]()
    while known(state)["pile"] > 0:
        assert state.current_player() in (-1, 1)
        discards[state.current_player()] += 1
        state.apply_action(state.legal_actions()[0])
    assert discards == {-1: 76, 1: 76}
    actors = []
    while not state.is_terminal():
        actors.append(state.current_player())
        state.apply_action(state.legal_actions()[0])
    assert actors == [1, 1, 1, 0, 0, 0]


# CA-H3, CA-H4: determinization.


@rule("CA-H3")
@pytest.mark.parametrize(
    ("options", "start"),
    [
        ({}, "*U"),
        ({"hand_size": 1, "hands": "open"}, "*U *V"),
        ({"hand_size": 3, "hands": "open"}, "*U *V *W *U"),
    ],
)
def test_ca_h3_without_hidden_hands_determinize_returns_the_state(
    load: Any, options: dict[str, Any], start: str
) -> None:
    state = play(load("carcassonne", **options), start)
    for player in (0, 1):
        assert state.determinize(player, 7) == state


def dealt(state: Any, player: int, owner: int, seeds: int) -> collections.Counter[tuple[str, ...]]:
    """How often each hand of the owner comes out, as the owner would see it."""
    counts = collections.Counter[tuple[str, ...]]()
    for seed in range(seeds):
        other = state.determinize(player, seed)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert (other.observation_tensor(player) == state.observation_tensor(player)).all()
        counts[tuple(known(other, owner)["hands"][owner]["held"])] += 1
    return counts


@rule("CA-H3")
def test_ca_h3_determinize_deals_unseen_tiles_uniformly(load: Any) -> None:
    """Of 70 tiles that player 0 has not seen 9 are V, 7 are U, 1 is C."""
    state = play(load("carcassonne", hand_size=1, tiles="base"), "*U *C")
    counts = dealt(state, 0, 1, 400)
    assert 30 < counts["V",] < 75  # 51 expected
    assert 20 < counts["U",] < 60  # 40 expected
    assert 0 < counts["C",] < 20  # 6 expected
    assert set(dealt(state, 1, 1, 3)) == {("C",)}


@rule("CA-H3")
def test_ca_h3_determinize_draws_as_on_the_docs_page(load: Any) -> None:
    """Hands by ascending seat, one draw for each unknown place, types by ascending number."""
    state = play(load("carcassonne", players=4, hand_size=1), "*U *C *D *E")
    for seed in range(20):
        left, stream, hands = list(known(state, 1)["unseen"]), Rng(seed), []
        for _ in range(2):
            hands.append([drawn(left, left, stream)])
        other = state.determinize(1, seed)
        assert [known(other, owner)["hands"][owner]["held"] for owner in (2, 3)] == hands
        assert known(other, 1)["hands"][1]["held"] == ["C"]


def drawn(left: list[int], weights: list[int], stream: Rng) -> str:
    """A type drawn by its weight, and one copy of it taken away."""
    r = stream.below(sum(weights))
    number = next(i for i in range(36) if sum(weights[: i + 1]) > r)
    left[number] -= 1
    return TYPES[number]


@rule("CA-H4")
def test_ca_h4_determinize_weighs_as_on_the_docs_page(load: Any) -> None:
    """Only tiles with a city fit at 0,2: the mover, player 1, has at least one; their hand is drawn first."""
    state = play(
        load("carcassonne", players=3, hand_size=3, table=[0, 0, 0, 2]),
        "*G *U *U *E *U *V *B *B *B tile:G 0,1@0 - *W",
    )
    assert known(state)["phase"] == "choose"
    fits = [bool(tile["cities"]) for tile in BOX]
    for player, seed in [(0, seed) for seed in range(20)] + [(2, seed) for seed in range(20)]:
        left, stream, hand = list(known(state, player)["unseen"]), Rng(seed), []
        for places in (3, 2, 1):
            weights = list(left)
            if not any(fits[TYPES.index(kind)] for kind in hand):
                bad = sum(count for count, fit in zip(left, fits, strict=True) if not fit)
                ways = math.perm(sum(left) - 1, places - 1)
                bad_ways = math.perm(bad - 1, places - 1)
                weights = [count * (ways if fit else ways - bad_ways) for count, fit in zip(left, fits, strict=True)]
            hand.append(drawn(left, weights, stream))
        other_hand = sorted((drawn(left, left, stream) for _ in range(3)), key=TYPES.index)
        other = state.determinize(player, seed)
        assert known(other, 1)["hands"][1]["held"] == sorted(hand, key=TYPES.index)
        assert known(other, 2 - player)["hands"][2 - player]["held"] == other_hand


@rule("CA-H4")
def test_ca_h4_determinize_keeps_what_was_shown(load: Any) -> None:
    state = unfit(load, "discard:B *L tile:L 1,1@0 - *B")
    for hand in dealt(state, 0, 1, 50):
        assert len(hand) == 3
        assert hand.count("B") >= 2


@rule("CA-H4", "CA-R12")
def test_ca_h4_who_is_about_to_choose_has_a_tile_that_fits(load: Any) -> None:
    """Two shown B do not fit: the third tile must have a city or a road; not so at the node before."""
    state = unfit(load, "discard:B")
    before = state.clone()
    go(state, "*L")
    fitting = {kind for (_, _, kind) in dealt(state, 0, 1, 150) if kind != "B"}
    assert len(fitting) > 10
    assert not any(hand == ("B", "B", "B") for hand in dealt(state, 0, 1, 150))
    assert dealt(before, 0, 1, 20) == {("B", "B"): 20}
    # Once the tile is chosen the rest of the hand tells nothing.
    go(state, "tile:L")
    assert dealt(state, 0, 1, 20) == {("B", "B"): 20}


@rule("CA-H4")
@pytest.mark.slow
def test_ca_h4_determinize_is_uniform_over_the_hands_that_can_choose(load: Any) -> None:
    """A table with one open cell that asks for a city: hands with 0, 1, 2, 3 tiles that have one."""
    state = play(
        load("carcassonne", hand_size=3, tiles="base", table=[0, 0, 0, 2]),
        "*G *U *U *E *U *V tile:G 0,1@0 - *W",
    )
    assert known(state)["phase"] == "choose"
    cities = [tile["id"] for tile in BOX if tile["cities"]]
    pool = [kind for kind, count in zip(TYPES, known(state, 0)["unseen"], strict=False) for _ in range(count)]
    good = sum(kind in cities for kind in pool)
    ways = [math.comb(good, fits) * math.comb(len(pool) - good, 3 - fits) for fits in range(4)]
    found = [0] * 4
    for hand, count in dealt(state, 0, 1, 1500).items():
        found[sum(kind in cities for kind in hand)] += count
    assert found[0] == 0
    for fits in (1, 2, 3):
        expected = 1500 * ways[fits] / sum(ways[1:])
        assert abs(found[fits] - expected) < 4 * expected**0.5


# CA-H5: the bag.


@rule("CA-H5")
def test_ca_h5_the_first_tile_drawn_lies_at_0_0(load: Any) -> None:
    state = load("carcassonne", start_tile_in_bag=True).new_initial_state()
    assert known(state)["land"] == []
    assert known(state)["pile"] == 84
    assert tokens(state) == [f"*{kind}" for kind in TYPES]
    go(state, "*K")
    assert land(state) == {(0, 0): "K@0"}
    assert state.current_player() == 0
    assert tokens(state) == ["-", "c0", "r0", "f0", "f1"]
    go(state, "c0")
    assert known(state)["turn"] == 1
    assert cells(state, "E") == ["1,0@0", "1,0@1", "1,0@2", "0,1@2"]


@rule("CA-H5")
def test_ca_h5_the_first_tile_of_hands_of_one_is_placed_inside_the_deal(load: Any) -> None:
    state = play(load("carcassonne", start_tile_in_bag=True, hand_size=1), "*C *U")
    assert land(state) == {(0, 0): "C@0"}
    assert known(state)["phase"] == "meeple"
    assert tokens(state) == ["-", "c0"]
    go(state, "c0 *V")
    # U does not fit on C and is out of the game.
    assert known(state)["phase"] == "refill"
    assert known(state)["turn"] == 1


@rule("CA-H5")
def test_ca_h5_with_hands_of_three_the_first_tile_is_chosen(load: Any) -> None:
    state = play(load("carcassonne", start_tile_in_bag=True, hand_size=3), "*C *B *X *U *U *U")
    assert tokens(state) == ["tile:B", "tile:C", "tile:X"]
    go(state, "tile:X")
    assert land(state) == {(0, 0): "X@0"}
    assert tokens(state) == ["-", "r0", "r1", "r2", "r3", "f0", "f1", "f2", "f3"]


@rule("CA-H5")
def test_ca_h5_scoring_follows_the_first_tile_as_any(load: Any) -> None:
    game = load("carcassonne", start_tile_in_bag=True, table=[0, 0, 1, 0], edge_closes=True)
    assert play(game, "*E c0").scores() == [2, 0]
    assert known(play(game, "*E c0"))["supply"] == [7, 7]


@rule("CA-H5")
def test_ca_h5_returned_tiles_stay_in_the_pile_and_are_not_listed(load: Any) -> None:
    state = play(load("carcassonne", unplaceable="return"), "*E 0,1@2 -")
    assert "*C" not in tokens(state)
    assert unseen(state, "C") == 1
    assert known(state)["pile"] == 82
    chances = {state.action_to_string(action): chance for action, chance in state.chance_outcomes()}
    assert chances["*U"] == 8 / 81
    assert sum(chances.values()) == pytest.approx(1)
    # As soon as it fits it is listed.
    go(state, "*T 1,0@0 -")
    assert "*C" in tokens(state)


@rule("CA-H5", "CA-R10")
def test_ca_h5_the_game_ends_inside_the_action_if_no_tile_fits(load: Any) -> None:
    state = play(load("carcassonne", unplaceable="return", table=[0, 0, 0, 1]), "*M 0,1@1 c0")
    assert state.is_terminal()
    assert state.scores() == [3, 0]
    assert known(state)["pile"] == 82


# CA-H6: trees.


@rule("CA-H6")
def test_ca_h6_the_three_roads_of_a_junction_with_trees_are_one_segment(load: Any) -> None:
    state = play(load("carcassonne", trees_end_roads=False, start_tile_in_bag=True), "*L")
    assert tokens(state) == ["-", "c0", "r0", "f0", "f1", "f2"]
    state = play(load("carcassonne", trees_end_roads=False), "*A -1,0@2 r0 *L 1,0@0")
    assert tokens(state) == ["-", "c0", "f0", "f1"]
    go(state, "-")
    assert state.scores() == [0, 0]
    # A road with three ends: A in the west, A in the east, W09 in the south; D and L between them.
    go(state, "*A 2,0@0 - *W09 1,-1@1 -")
    assert state.scores() == [5, 0]


@rule("CA-H6")
@pytest.mark.parametrize("kind", ["W", "W11", "X", "W09", "A", "W10", "T", "W03"])
def test_ca_h6_villages_monasteries_and_gates_still_end_roads(load: Any, kind: str) -> None:
    state = play(load("carcassonne", trees_end_roads=False), f"*A -1,0@2 r0 *{kind} 1,0@0 -")
    assert state.scores() == [3, 0]


# CA-H7: a tile is sold.

CITIES_ROUND_A_HOLE = """
    *A 0,-1@2 -   *W09 1,-1@0 r0  *E 1,-2@2 c0
    *U 1,0@0 -    *U -1,0@0 -     *E 1,-3@0 -
    *E 1,1@3 -    *E -1,1@1 -     *B 1,2@0 -
    *E 0,2@2 -    *U -2,0@0 -     *U 2,0@0 -
    *C
"""
"""Three players; C is the only tile for the hole at 0,1, where four cities end. Points: 0, 2, 4."""


def hole(load: Any, more: str = "", **options: Any) -> Any:
    return play(load("carcassonne", players=3, tile_sale=True, **options), CITIES_ROUND_A_HOLE + more)


@rule("CA-H7", "CA-R7")
def test_ca_h7_the_only_tile_that_completes_a_feature_may_be_offered_or_kept(load: Any) -> None:
    state = hole(load)
    assert state.scores() == [0, 2, 4]
    assert state.current_player() == 0
    assert tokens(state) == ["offer", "keep"]
    go(state, "keep")
    assert (state.current_player(), tokens(state)) == (0, ["0,1@0"])


@rule("CA-H7")
def test_ca_h7_a_feature_with_meeples_counts_as_well(load: Any) -> None:
    state = play(
        load("carcassonne", players=3, tile_sale=True),
        CITIES_ROUND_A_HOLE.replace("*E -1,1@1 -", "*E -1,1@1 c0"),
    )
    assert tokens(state) == ["offer", "keep"]


@rule("CA-H7")
def test_ca_h7_a_tile_that_completes_nothing_cannot_be_offered(load: Any) -> None:
    state = play(load("carcassonne", tile_sale=True), "*C")
    assert tokens(state) == ["0,1@0"]


@rule("CA-H7")
def test_ca_h7_without_the_option_there_is_no_sale(load: Any) -> None:
    state = play(load("carcassonne", players=3), CITIES_ROUND_A_HOLE)
    assert tokens(state) == ["0,1@0"]


GATE = """
    .    .    V@0  B@0  .
    .    E@1  .    E@3  .
    {}   U@0  (D)  U@0  {}
"""
"""The hole at 0,1 asks for a road in the north and cities elsewhere: T has it, and both S."""


@rule("CA-H7")
def test_ca_h7_another_tile_of_the_pile_that_could_complete_it_prevents_the_offer(load: Any) -> None:
    game = load("carcassonne", tile_sale=True)
    assert tokens(go(lay(game, GATE.format("S@2", "S@0")), "*T")) == ["offer", "keep"]
    assert "offer" not in tokens(go(lay(game, GATE.format("S@2", ".")), "*T"))


@rule("CA-H7")
def test_ca_h7_a_second_copy_in_the_pile_prevents_the_offer(load: Any) -> None:
    game = load("carcassonne", tile_sale=True)
    assert tokens(go(lay(game, GATE.format("S@2", "T@0")), "*S")) == ["offer", "keep"]
    assert "offer" not in tokens(go(lay(game, GATE.format(".", "T@0")), "*S"))


@rule("CA-H7", "CA-R6")
def test_ca_h7_the_others_name_prices_clockwise_up_to_their_score(load: Any) -> None:
    state = hole(load, "offer")
    assert (state.current_player(), tokens(state)) == (1, ["price:1", "price:2", "pass"])
    go(state, "price:1")
    assert (state.current_player(), tokens(state)) == (2, ["price:2", "price:3", "price:4", "pass"])
    assert (known(state)["price"], known(state)["buyer"]) == (1, 1)
    go(state, "price:4")
    assert (state.current_player(), tokens(state)) == (0, ["accept", "decline"])
    assert (known(state)["price"], known(state)["buyer"]) == (4, 2)


@rule("CA-R6")
def test_ca_r6_the_buyer_loses_the_points_when_the_mover_accepts(load: Any) -> None:
    state = hole(load, "offer price:1 price:3")
    assert state.scores() == [0, 2, 4]
    assert go(state.clone(), "decline").scores() == [0, 2, 4]
    assert go(state, "accept").scores() == [0, 2, 1]


@rule("CA-H7")
def test_ca_h7_who_cannot_bid_still_passes(load: Any) -> None:
    state = hole(load, "offer price:2")
    go(state.clone(), "price:3")
    game = load("carcassonne", players=2, tile_sale=True)
    state = go(lay(game, GATE.format("S@2", "T@0")), "*S offer")
    assert tokens(state) == ["pass"]


@rule("CA-H7")
def test_ca_h7_if_all_pass_the_mover_goes_on(load: Any) -> None:
    state = hole(load, "offer pass pass")
    assert (state.current_player(), tokens(state)) == (0, ["0,1@0"])
    assert (known(state)["price"], known(state)["buyer"]) == (0, -1)


@rule("CA-H7")
def test_ca_h7_the_buyer_pays_places_the_tile_and_a_meeple(load: Any) -> None:
    """The city of C, D and three E with one shield gives 12."""
    state = hole(load, "offer price:1 price:3 accept")
    assert state.scores() == [0, 2, 1]
    assert (state.current_player(), tokens(state)) == (2, ["0,1@0"])
    go(state, "0,1@0 c0")
    assert state.scores() == [0, 2, 13]
    assert known(state)["supply"] == [7, 7, 7]
    assert (known(state)["phase"], known(state)["turn"]) == ("draw", 1)


@rule("CA-H7")
def test_ca_h7_the_highest_price_need_not_be_the_last_word(load: Any) -> None:
    state = hole(load, "offer price:2 pass accept 0,1@0 c0")
    assert state.scores() == [0, 12, 4]
    assert known(state)["turn"] == 1


@rule("CA-H7")
def test_ca_h7_a_declined_tile_is_the_movers_and_not_offered_again(load: Any) -> None:
    state = hole(load, "offer pass price:4 decline")
    assert (state.current_player(), tokens(state)) == (0, ["0,1@0"])
    assert state.scores() == [0, 2, 4]
    go(state, "0,1@0 c0")
    assert state.scores() == [12, 2, 4]


@rule("CA-H7")
def test_ca_h7_the_first_tile_of_the_bag_is_never_for_sale(load: Any) -> None:
    game = load("carcassonne", tile_sale=True, start_tile_in_bag=True, table=[0, 0, 1, 0], edge_closes=True)
    assert tokens(play(game, "*C")) == ["-", "c0"]


@rule("CA-H7")
def test_ca_h7_only_placements_on_the_table_count(load: Any) -> None:
    """Edges that the table closes complete the city with any tile that has a city there."""
    game = load("carcassonne", tile_sale=True, table=[0, 0, 0, 1])
    assert "offer" not in tokens(play(game, "*C"))
    game = load("carcassonne", tile_sale=True, table=[0, 0, 0, 1], edge_closes=True)
    assert tokens(play(game, "*C")) == ["0,1@0"]


@rule("CA-H7")
def test_ca_h7_a_monastery_counts_too(load: Any) -> None:
    """Only C fits at 1,-2: it completes no city there, but the monastery at 0,-1."""
    game = load("carcassonne", tile_sale=True)
    drawing = """
        U@0  (D)  U@0  .
        B@0  B@0  N@1  R@1
        B@0  N@1  .    N@3
        .    .    R@2  E@2
    """
    assert tokens(go(lay(game, drawing), "*C")) == ["offer", "keep"]
    # With another neighbour missing it cannot complete the monastery.
    assert "offer" not in tokens(go(lay(game, drawing.replace("B@0  N@1  .  ", ".    N@1  .  ")), "*C"))


BEND = """
    .    {}   B@0  G@0
    .    {}   .    N@3
    .    .    A@1  B@0
    J@0  (D)  V@0  .
    .    J@1  .    .
"""
"""Of the base game only the last J fits at 1,2: its road bends from the monastery in the south to the west."""


@rule("CA-H7")
def test_ca_h7_a_tile_that_leaves_another_end_open_completes_nothing(load: Any) -> None:
    game = load("carcassonne", tiles="base", tile_sale=True)
    assert "offer" not in tokens(go(lay(game, BEND.format(".", ".")), "*J"))
    assert tokens(go(lay(game, BEND.format("B@0", "A@2")), "*J")) == ["offer", "keep"]


@rule("CA-H7", "CA-H11")
def test_ca_h7_an_end_that_the_table_closes_is_not_open(load: Any) -> None:
    """At 2,1, where only J fits, its road bends from the monastery in the west to the edge in the north."""
    drawing = """
        .    .    A@2  .    B@0
        J@0  (D)  V@0  N@0  G@1
        .    J@1  .    .    .
    """
    for edge_closes in (True, False):
        game = load("carcassonne", tiles="base", tile_sale=True, table=[-9, -9, 9, 1], edge_closes=edge_closes)
        assert ("offer" in tokens(go(lay(game, drawing), "*J"))) == edge_closes


# CA-H8: gaps.

GAP = """
    U@0  (D)  U@0
    B@0  .    B@0
    .    E@2  E@2
"""
"""The four neighbours of 0,-1 are there, one of its corners is not."""


@rule("CA-H8")
def test_ca_h8_who_fills_a_gap_gets_another_turn(load: Any) -> None:
    state = lay(load("carcassonne", gap_bonus=True, players=4), GAP)
    assert known(state)["turn"] == 2
    go(state, "*B 0,-1@0")
    assert known(state)["again"]
    go(state, "-")
    assert (known(state)["phase"], known(state)["turn"], known(state)["ordinary"]) == ("draw", 2, 2)
    assert not known(state)["again"]
    go(state, "*U 2,0@0 -")
    assert (known(state)["turn"], known(state)["ordinary"]) == (3, 3)


@rule("CA-H8")
def test_ca_h8_without_the_option_the_next_player_is_next(load: Any) -> None:
    state = go(lay(load("carcassonne", players=4), GAP), "*B 0,-1@0 -")
    assert known(state)["turn"] == 3


@rule("CA-H8", "CA-R8")
def test_ca_h8_three_neighbours_make_no_gap(load: Any) -> None:
    state = lay(load("carcassonne", gap_bonus=True), GAP.replace(".    E@2  E@2", ".    .    .  "))
    go(state, "*B 0,-1@0 -")
    assert known(state)["turn"] == known(state)["ordinary"] == 1


@rule("CA-H8")
def test_ca_h8_this_may_repeat(load: Any) -> None:
    """A second gap, at 2,-1, is filled in the extra turn."""
    state = lay(
        load("carcassonne", gap_bonus=True, players=3),
        """
        U@0  (D)  U@0  U@0  .
        B@0  .    B@0  .    E@1
        .    E@2  E@2  E@2  V@3
        """,
    )
    first = known(state)["turn"]
    go(state, "*B 0,-1@0 - *B 2,-1@0 -")
    assert (known(state)["turn"], known(state)["ordinary"]) == (first, first)
    go(state, "*U 3,0@0 -")
    assert known(state)["turn"] == (first + 1) % 3


@rule("CA-H8")
def test_ca_h8_cells_outside_the_table_are_not_occupied(load: Any) -> None:
    state = play(load("carcassonne", gap_bonus=True, table=[-1, 0, 1, 0]), "*U 1,0@0 - *U -1,0@0 -")
    assert known(state)["turn"] == 0


@rule("CA-H8")
def test_ca_h8_there_is_no_extra_turn_when_pile_and_hand_are_empty(load: Any) -> None:
    """The hole in the middle of the table takes the last B; everything else is drawn before it and fits nowhere."""
    state = lay(
        load("carcassonne", gap_bonus=True, table=[-1, -2, 1, 0]),
        """
        U@0  (D)  U@0
        B@0  .    B@0
        E@2  B@0  E@2
        """,
    )
    while known(state)["pile"] > 1:
        go(state, next(token for token in tokens(state) if token != "*B"))
    go(state, "*B 0,-1@0")
    assert known(state)["again"]
    go(state, "m")
    assert state.is_terminal()
    assert state.scores() == [0, 9]


@rule("CA-H8")
def test_ca_h8_the_extra_turn_comes_after_the_refill(load: Any) -> None:
    state = play(
        load("carcassonne", gap_bonus=True, hand_size=1),
        """
        *U *U  -1,0@0 - *B   1,0@0 - *B
        -1,-1@0 - *E  1,-1@0 - *E
        1,-2@2 - *B  0,-2@2 - *V
        0,-1@0 -
        """,
    )
    assert (known(state)["phase"], known(state)["turn"], known(state)["again"]) == ("refill", 0, True)
    go(state, "*U")
    assert (state.current_player(), known(state)["tile"]) == (0, "U")
    go(state, "2,0@0 - *U")
    assert (state.current_player(), known(state)["tile"]) == (1, "V")


@rule("CA-H8", "CA-R8")
def test_ca_r8_an_extra_turn_in_which_nothing_fits_is_over_without_a_placement(load: Any) -> None:
    """The tile in the gap is also the last one on the table, so that all 74 draws of the refill fit nowhere."""
    state = play(
        load("carcassonne", gap_bonus=True, hand_size=1, table=[-1, -2, 1, 0]),
        """
        *U *U  -1,0@0 - *B   1,0@0 - *B
        -1,-1@0 - *E  1,-1@0 - *E
        1,-2@2 - *B  -1,-2@2 - *B
        0,-2@0 - *V  0,-1@0 -
        """,
    )
    for left in range(74, 0, -1):
        now = known(state)
        assert (now["phase"], now["turn"], now["again"], now["pile"]) == ("refill", 1, True, left)
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()


@rule("CA-H8")
def test_ca_h8_after_a_sale_the_extra_turn_is_the_buyers(load: Any) -> None:
    """C fills the gap at 0,1. Ordinary turns go on with the player after the seller."""
    state = hole(load, "offer pass price:2 accept 0,1@0 c0", gap_bonus=True)
    assert (known(state)["turn"], known(state)["ordinary"]) == (2, 0)
    go(state, "*U 3,0@0 -")
    assert (known(state)["turn"], known(state)["ordinary"]) == (1, 1)


@rule("CA-H8")
def test_ca_h8_who_keeps_the_tile_and_fills_the_gap_has_the_extra_turn(load: Any) -> None:
    state = hole(load, "keep 0,1@0 c0", gap_bonus=True)
    assert (known(state)["turn"], known(state)["ordinary"]) == (0, 0)


# CA-H9: unfinished features.


@rule("CA-H9")
def test_ca_h9_unfinished_roads_cities_and_monasteries_give_nothing(load: Any) -> None:
    state = play(load("carcassonne", score_unfinished=False, table=[-1, 0, 1, 0]), "*U 1,0@0 r0 *U -1,0@0 -")
    assert draw_out(state).scores() == [0, 0]
    state = play(load("carcassonne", score_unfinished=False, table=[0, -1, 0, 1]), "*M 0,1@1 c0 *B 0,-1@0 m")
    assert draw_out(state).scores() == [0, 0]


@rule("CA-H9")
def test_ca_h9_farms_and_completed_features_score_as_always(load: Any) -> None:
    state = play(load("carcassonne", score_unfinished=False, table=[0, 0, 0, 1]), "*E 0,1@2 f0")
    assert draw_out(state).scores() == [3, 0]
    state = play(load("carcassonne", score_unfinished=False, table=[0, 0, 0, 1]), "*E 0,1@2 c0")
    assert draw_out(state).scores() == [4, 0]


# CA-H10, CA-H11: the table.


@rule("CA-H10")
def test_ca_h10_no_tile_outside_the_bounds(load: Any) -> None:
    assert cells(play(load("carcassonne", table=[-1, 0, 1, 0]), ""), "U") == ["-1,0@0", "1,0@0"]
    assert cells(play(load("carcassonne", table=[0, -1, 1, 0]), ""), "U") == ["0,-1@0", "1,0@0"]
    assert cells(play(load("carcassonne", table=[-84, -1000, 84, 84]), ""), "U") == [
        "0,-1@0",
        "-1,0@0",
        "1,0@0",
    ]


@rule("CA-H10", "CA-R1")
def test_ca_h10_placements_are_numbered_over_the_table(load: Any) -> None:
    """Rotation, then y from south to north, then x from west to east; bounds beyond 83 mean nothing."""
    game = load("carcassonne", table=[-1, -2, 3, 0])
    assert game.num_distinct_actions == 36 + 12 + 4 * 5 * 3
    state = game.new_initial_state()
    assert [state.action_to_string(48 + i) for i in (0, 1, 4, 5, 15)] == [
        "-1,-2@0", "0,-2@0", "3,-2@0", "-1,-1@0", "-1,-2@1",
    ]  # fmt: skip
    for token in ("-2,0@0", "4,0@0", "0,1@0", "0,-3@0"):
        with pytest.raises(ValueError, match="impossible"):
            state.string_to_action(token)
    game = load("carcassonne", table=[-5000, 0, 84, 0])
    assert game.num_distinct_actions == 48 + 4 * 167
    assert game.rules["table"] == (-5000, 0, 84, 0)


@rule("CA-H10")
def test_ca_h10_at_the_edge_a_monastery_is_never_complete(load: Any) -> None:
    state = play(
        load("carcassonne", table=[-1, -1, 1, 0]),
        "*B 0,-1@0 m *U 1,0@0 - *U -1,0@0 - *B 1,-1@0 - *B -1,-1@0 -",
    )
    assert state.scores() == [0, 0]
    assert draw_out(state).scores() == [6, 0]


@rule("CA-H10")
def test_ca_h10_an_edge_at_the_rim_stays_open(load: Any) -> None:
    state = play(load("carcassonne", table=[-1, 0, 1, 0]), "*U 1,0@0 r0 *U -1,0@0 -")
    assert state.scores() == [0, 0]


@rule("CA-H11")
def test_ca_h11_the_edge_completes_roads_and_cities(load: Any) -> None:
    state = play(load("carcassonne", table=[-1, 0, 1, 0], edge_closes=True), "*U 1,0@0 r0 *U -1,0@0 -")
    assert state.scores() == [3, 0]
    assert play(load("carcassonne", table=[0, 0, 0, 1], edge_closes=True), "*M 0,1@1 c0").scores() == [6, 0]
    assert play(load("carcassonne", table=[0, 0, 1, 1], edge_closes=True), "*M 0,1@1 c0").scores() == [0, 0]


@rule("CA-H11")
def test_ca_h11_a_monastery_needs_only_its_neighbours_inside(load: Any) -> None:
    """One point per tile, its own included."""
    game = load("carcassonne", table=[-1, -1, 1, 0], edge_closes=True)
    state = play(game, "*B 0,-1@0 m *U 1,0@0 - *U -1,0@0 - *B 1,-1@0 -")
    assert state.scores() == [0, 0]
    go(state, "*B -1,-1@0 -")
    assert state.scores() == [6, 0]
    assert play(load("carcassonne", table=[0, -1, 0, 0], edge_closes=True), "*B 0,-1@0 m").scores() == [2, 0]


@rule("CA-H11")
def test_ca_h11_a_monastery_placed_last_of_84_tiles_in_a_row(load: Any) -> None:
    """B at 47,0 lacks its eastern neighbour, so it gives 2 points at the end and its monk stays."""
    game = load(
        "carcassonne",
        farmers=False,
        first_player="most_roads",
        unplaceable="return",
        table=[-5000, 0, 84, 0],
        edge_closes=True,
    )
    state = play(
        game,
        """
        *A *W05 *W04 *R *D 1,0@2 - *W09 -1,0@2 r0 *W10 2,0@0 - *K 3,0@1 r0 *G -2,0@0 c0 *W02 4,0@3 r0 *P 5,0@1
        c0 *T 6,0@1 - *W03 -3,0@0 - *R 7,0@1 *C 8,0@0 *P -4,0@2 - *Q 9,0@3 *I -5,0@0 - *W11 -6,0@1 r0 *W08
        -7,0@2 r0 *W06 -8,0@2 - *U -9,0@0 r0 *F 10,0@1 *P -10,0@2 c0 *W04 11,0@3 r0 *K 12,0@1 - *W01 13,0@2 c0
        *L 14,0@1 c0 *F -11,0@1 *H -12,0@1 - *W07 15,0@3 r0 *L 16,0@0 r0 *O 17,0@0 c0 *H -13,0@1 - *L 18,0@3 r1
        *O -14,0@1 r0 *W -15,0@3 - *M -16,0@3 c0 *V 19,0@0 *N 20,0@0 - *D -17,0@1 r0 *B -18,0@0 - *J -19,0@2 c0
        *N 21,0@3 c0 *R 22,0@0 c0 *S -20,0@2 - *E 23,0@3 *M -21,0@0 - *N -22,0@3 c0 *A 24,0@1 - *H -23,0@1 c1 *S
        -24,0@3 r0 *A 25,0@1 - *U 26,0@1 r0 *W 27,0@3 r0 *W 28,0@0 - *E -25,0@1 *K 29,0@0 c0 *W05 30,0@2 c0 *U
        -26,0@1 - *D -27,0@3 r0 *W12 31,0@0 r0 *U 32,0@0 *V 33,0@0 *I -28,0@0 c1 *R 34,0@0 c0 *W -29,0@1 r1 *J
        35,0@3 r0 *V 36,0@0 *X -30,0@0 - *J -31,0@0 r0 *U -32,0@1 r0 *E -33,0@2 - *U 37,0@1 - *V -34,0@1 - *U
        38,0@1 r0 *E 39,0@2 c0 *V 40,0@3 r0 *U 41,0@0 *V -35,0@2 r0 *E -36,0@3 c0 *V 42,0@0 *B 43,0@0 - *V
        44,0@2 r0 *V 45,0@0 *B 46,0@0 - *B 47,0@0 m
        """,
    )
    assert state.is_terminal()
    assert state.scores() == [75, 61]
    assert [47, 0, "m", 0] in known(state)["meeples"]


@rule("CA-H11")
def test_ca_h11_a_city_closed_by_the_edge_feeds_farmers(load: Any) -> None:
    """The city of the start tile ends at the edge in the north; U's field (f0) borders it."""
    state = play(load("carcassonne", table=[0, 0, 1, 0], edge_closes=True), "*U 1,0@0 f0")
    assert draw_out(state).scores() == [3, 0]
    state = play(load("carcassonne", table=[0, 0, 1, 0]), "*U 1,0@0 f0")
    assert draw_out(state).scores() == [0, 0]


@rule("CA-H11", "CA-R9")
@pytest.mark.parametrize(("east", "points"), [(83, 2), (84, 0)])
def test_ca_h11_bounds_beyond_83_mean_nothing(load: Any, east: int, points: int) -> None:
    """The last tile of the longest line to the east, E with its city towards x = 84."""
    line = LONGEST_LINE_TO_THE_EAST.split()
    line.remove("E@0")
    game = load("carcassonne", table=[0, 0, east, 0], edge_closes=True, score_unfinished=False)
    state = game.new_initial_state()
    for x, tile in enumerate(line, start=1):
        place(state, x, 0, tile)
    place(state, 83, 0, "E@1", "c0")
    assert state.is_terminal()
    assert state.scores() == [points, 0]


# CA-23: tokens; ids.


@rule("CA-23")
def test_ca_23_tokens_of_hands(load: Any) -> None:
    state = load("carcassonne", hand_size=3).new_initial_state()
    assert [state.string_to_action(f"tile:{kind}") for kind in TYPES] == list(range(48, 84))
    assert [state.string_to_action(f"discard:{kind}") for kind in TYPES] == list(range(84, 120))
    assert state.action_to_string(120) == "-83,-83@0"
    for token in ("tile:Z", "tile:", "discard:d", "offer", "tile"):
        with pytest.raises(ValueError, match="position"):
            state.string_to_action(token)


@rule("CA-23")
def test_ca_23_tokens_of_sales(load: Any) -> None:
    state = load("carcassonne", tile_sale=True).new_initial_state()
    words = ["offer", "keep", *(f"price:{price}" for price in range(1, 481)), "pass", "accept", "decline"]
    assert [state.string_to_action(token) for token in words] == list(range(48, 48 + 485))
    assert state.action_to_string(48 + 485) == "-83,-83@0"
    for token in ("price:0", "price:481", "price:01", "price:", "price:x", "tile:D", "Offer"):
        with pytest.raises(ValueError, match="position"):
            state.string_to_action(token)


@rule("CA-R2")
@pytest.mark.parametrize(
    ("options", "longest"),
    [
        ({}, 249),
        ({"tiles": "base"}, 213),
        ({"hand_size": 1}, 249),
        ({"hand_size": 3}, 332),
        ({"tile_sale": True}, 6 * 83),
        ({"tile_sale": True, "players": 5}, 9 * 83),
        ({"start_tile_in_bag": True}, 251),
        ({"start_tile_in_bag": True, "hand_size": 1}, 251),
        ({"start_tile_in_bag": True, "hand_size": 3}, 335),
        ({"start_tile_in_bag": True, "tile_sale": True, "players": 3}, 7 * 83 + 2),
        ({"first_player": "most_roads", "players": 4}, 289),
        ({"first_player": "most_roads", "hand_size": 3, "start_tile_in_bag": True, "tiles": "base"}, 307),
        ({"table": [0, 0, 0, 1]}, 249),
    ],
)
def test_check_values_bounds_of_the_length(load: Any, options: dict[str, Any], longest: int) -> None:
    assert load("carcassonne", **options).max_game_length == longest


# All together: laws over random games.

COMBINATIONS: list[dict[str, Any]] = [
    {},
    {"players": 3, "farmers": False, "tiles": "base"},
    {"players": 4, "hand_size": 1, "first_player": "most_roads", "gap_bonus": True},
    {"players": 2, "hand_size": 1, "start_tile_in_bag": True, "table": [-3, -4, 4, 3], "edge_closes": True},
    {"players": 3, "hand_size": 3, "gap_bonus": True},
    {"players": 5, "hand_size": 3, "start_tile_in_bag": True, "table": [-2, -2, 2, 2], "tiles": "base"},
    {"players": 2, "hand_size": 3, "hands": "open", "trees_end_roads": False},
    {"players": 3, "tile_sale": True, "gap_bonus": True, "unplaceable": "return"},
    {"players": 5, "tile_sale": True, "start_tile_in_bag": True, "first_player": "most_roads"},
    {"players": 4, "tile_sale": True, "table": [-5, -5, 5, 5], "edge_closes": True, "gap_bonus": True},
    {"players": 2, "unplaceable": "return", "table": [-1, -1, 1, 1], "score_unfinished": False},
    {"players": 2, "hand_size": 1, "table": [0, 0, 1, 0], "edge_closes": True, "start_tile_in_bag": True},
]


def check_a_random_game(game: Any, seed: int, every: int) -> None:
    state, dice = game.new_initial_state(), random.Random(seed)
    length, most = 0, 0
    while not state.is_terminal():
        legal = state.legal_actions()
        assert legal == sorted(set(legal))
        assert legal
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert [action for action, _ in outcomes] == legal
            assert sum(chance for _, chance in outcomes) == pytest.approx(1)
        if length % every == 0:
            assert [state.string_to_action(state.action_to_string(action)) for action in legal] == legal
            assert game.deserialize_state(state.serialize()) == state
            clone = state.clone()
            assert clone == state
            assert hash(clone) == hash(state)
            clone.apply_action(legal[0])
            assert clone != state
            for player in range(game.num_players):
                other = state.determinize(player, dice.randrange(2**64))
                assert other.information_state_string(player) == state.information_state_string(player)
                seen = state.observation_tensor(player)
                assert seen.shape == game.observation_tensor_shape
                assert np.array_equal(other.observation_tensor(player), seen)
                assert other.current_player() == state.current_player()
                if not other.is_chance_node():
                    assert other.legal_actions()
        state.apply_action(dice.choice(legal))
        length += 1
        most = max(most, *state.scores())
    assert length <= game.max_game_length
    assert 0 <= most <= 480
    assert min(state.scores()) >= 0
    assert sum(state.returns()) == pytest.approx(0)


@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
def test_laws_hold_in_a_random_game(load: Any, options: dict[str, Any]) -> None:
    check_a_random_game(load("carcassonne", **options), seed=1, every=25)


@pytest.mark.slow
@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
def test_laws_hold_in_many_random_games(load: Any, options: dict[str, Any]) -> None:
    game = load("carcassonne", **options)
    for seed in range(2, 7):
        check_a_random_game(game, seed, every=5)


def test_a_generator_is_a_source_of_luck_too(load: Any) -> None:
    state = play(load("carcassonne", hand_size=3), "*U *V *U *W *W *B")
    one, same, other = (state.determinize(0, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one == same != other
