"""Taj Mahal: what the source says, sentence by sentence, tested from its text alone; docs/sources.md is the table."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.tajmahal.options import SHIPPED
from tests.games.tajmahal.test_rules import Table, box, with_special
from tests.kit.walking import legal_tokens

CITIES = {city["id"]: city["fortress"] for city in SHIPPED["cities"]}
NEXT_TO_EACH_OTHER = next(
    (one, other)
    for one, other in SHIPPED["roads"]
    if one[0] != other[0] and not {"G"} & {one[0], other[0]} and not CITIES[one] and not CITIES[other]
)


@pytest.mark.parametrize(("players", "shown"), [(3, 5), (4, 7), (5, 9)])
def test_six_cards_each_and_two_for_all_but_the_last_on_show(load: Any, players: int, shown: int) -> None:
    table = Table(load, players=players)
    assert table.look()["hands"] == [6] * players
    assert sum(table.look()["display"].values()) == shown


def test_agra_is_always_the_twelfth(load: Any) -> None:
    state = load("tajmahal").new_initial_state()
    assert "*G" not in legal_tokens(state)
    assert len(legal_tokens(state)) == 11


def test_one_coloured_card_or_one_with_a_white_one_or_none(load: Any) -> None:
    legal = Table(load, "gEV vEM wE wM gVV gKK").legal()
    assert {"gEV", "gEV+wE", "vEM+wM", "out"} <= set(legal)
    assert not any(token.startswith("w") for token in legal)
    assert not any(token.count("+") > 1 or "+g" in token or "+v" in token for token in legal)
    assert Table(load, "wE wE wE wM wM wM").legal() == ["out"]


def test_the_left_neighbour_is_next_and_begins_the_next_province(load: Any) -> None:
    table = Table(load, "gEE")
    assert table.do("gEE").look()["turn"] == 1
    table.withdraw().withdraw().withdraw()
    table.lay_out("yPP")
    assert (table.look()["visit"], table.look()["turn"]) == (2, 1)


def test_influence_needs_more_than_every_opponent_and_at_least_one(load: Any) -> None:
    table = Table(load, "gEV gVV", "vVV", "rEE").do("gEV vVV rEE")
    table.withdraw()  # one vizier against two, one elephant against two
    assert table.look()["tiles"][0] == [0, 0, 0, 0]
    table.withdraw()
    assert table.look()["tiles"][1] == [1, 0, 0, 0]
    assert "E" in table.look()["offer"]
    table.withdraw()
    assert table.look()["goods"][2] != [0, 0, 0, 0]


def test_a_tie_gives_nothing_until_the_other_is_out(load: Any) -> None:
    table = Table(load, "gVV", "vVV").do("gVV vVV").withdraw()  # player 2
    table.withdraw()  # player 0, level with player 1
    assert table.look()["tiles"][0] == [0, 0, 0, 0]
    table.withdraw()  # player 1, whose cards alone are left
    assert table.look()["tiles"][1] == [1, 0, 0, 0]


def test_what_one_has_won_nobody_else_can_win(load: Any) -> None:
    table = Table(load, "gVV", "vVK vVV").do("gVV vVK").withdraw()
    table.withdraw()  # two viziers against one
    assert table.look()["tiles"][0] == [1, 0, 0, 0]
    table.do("vVV").withdraw()
    assert table.look()["tiles"][1] == [0, 0, 1, 0]  # the monk, but no vizier any more


def test_the_last_player_may_go_on_and_needs_a_symbol_all_the_same(load: Any) -> None:
    table = Table(load, "gEE gVV gGG").do("gEE").withdraw().withdraw().do("gVV gGG").withdraw()
    assert table.look()["tiles"][0] == [1, 1, 0, 0]  # no monk, no princess, though nobody was against it


def test_two_cards_of_the_show_are_taken_and_the_last_takes_one(load: Any) -> None:
    table = Table(load, "gEE", display="vEE vEM vEV vEG vEK").do("gEE")
    taken = []
    for player in (1, 2, 0):
        table.do("out")
        while table.look()["turn"] == player and table.look()["phase"] in ("draw", "take", "build", "crown"):
            table.lowest()
        taken.append(sum(table.look(player)["known"][player].values()))
    assert taken == [2, 2, 1]


def test_who_has_played_no_card_first_draws_one_from_the_pile(load: Any) -> None:
    table = Table(load, "gEE").do("out")
    assert table.look()["phase"] == "draw"
    table.lowest()
    assert table.look()["phase"] == "take"
    assert Table(load, "gEE").do("gEE").withdraw().withdraw().do("out").look()["phase"] != "draw"


def test_goods_score_as_many_as_one_has_of_them(load: Any) -> None:
    """The example: two of spice before, then a tile of spice and gems gives 3 and 1, and a spice tile 4 more."""
    tiles = {str(k): ["rice"] for k in range(1, 13)} | {"1": ["spice", "spice"], "2": ["gems", "spice"]}
    table = Table(load, "gEE gEE gVV", data=box(province_tiles=tiles), bonus="spice spice")
    table.win(0, "gEE")
    assert table.points()[0] == 1 + 2
    table.win(0, "gEE")
    assert table.points()[0] == 1 + 2 + 3 + 1
    table = Table(load, "gEE gEV gVV", data=box(province_tiles=tiles), bonus="spice spice", provinces="LBACDEFHIJK")
    table.win(0, "gEE").win(0, "gEV", "at:B2")
    assert table.points()[0] == 1 + 2 + 3 + 1 + 4 + 1  # the last for a palace in the province


def test_a_palace_needs_a_city_without_another_but_the_moguls_shares(load: Any) -> None:
    table = Table(load, "gVV", "vGG").do("gVV vGG").withdraw().withdraw("at:A1").do("out")
    assert "at:A1" not in table.legal()
    assert "at:A2" in table.legal()
    shared = Table(load, "gVV gMM").do("gVV").withdraw().withdraw().do("gMM").do("out at:A1")
    assert "crown:A1" in shared.legal()
    assert "crown:A2" in shared.legal()
    assert shared.do("crown:A1").look()["mogul"] == {"A1": 0}


def test_a_mogul_palace_leaves_the_tile_to_the_next_ordinary_one(load: Any) -> None:
    table = Table(load, "gMM", "vVV", bonus="+2").do("gMM vVV").withdraw()
    table.withdraw("crown:A1")
    assert table.look()["bonus"]["A1"] == "+2"
    points = table.points()[1]
    table.withdraw("at:A1")
    assert table.points()[1] == points + 2 + 1
    assert "A1" not in table.look()["bonus"]


def test_provinces_joined_by_own_palaces_score_one_each(load: Any) -> None:
    one, other = NEXT_TO_EACH_OTHER
    rest = [letter for letter in "ABCDEFHIJKL" if letter not in (one[0], other[0])]
    table = Table(load, "gVV gVV", provinces="".join([one[0], other[0], *rest]), bonus="")
    table.win(0, "gVV", f"at:{one}")
    assert table.points()[0] == 1
    table.win(0, "gVV", f"at:{other}")
    assert table.points()[0] == 1 + 2


def test_agra_and_bonus_tiles_score_at_once(load: Any) -> None:
    table = Table(load, "gVV", bonus="+2")
    table.win(0, "gVV", "at:A1")
    assert table.points()[0] == 2 + 1
    table = Table(load, 6 * "gVV ").skip_visits(11)
    assert table.look()["visit"] == 12
    before = table.points()[0]
    while table.look()["turn"] != 0:
        table.withdraw()
    table.do("gVV")
    while table.look()["turn"] != 0:
        table.withdraw()
    table.do("out at:G5")
    assert table.points()[0] == before + 4 + 1


def test_a_card_tile_adds_a_card_of_the_pile_before_the_show(load: Any) -> None:
    table = Table(load, "gVV", bonus="card").do("gVV").withdraw().withdraw().do("out at:A1")
    assert table.look()["phase"] == "draw"
    table.lowest()
    assert table.look()["phase"] == "take"


@pytest.mark.parametrize(("person", "won"), [("V", "M"), ("G", "E")])
def test_special_cards_count_as_two_symbols(load: Any, person: str, won: str) -> None:
    table = with_special(load, person, "gPP")
    assert table.look()["tiles"][0] == [0, 0, 0, 0]  # both tiles went for it
    while table.look()["turn"] != 0:
        table.withdraw()
    table.do(f"gPP+s{person}")
    while table.look()["turn"] != 0:
        table.withdraw()
    assert won not in table.do("out").look()["offer"]


def test_a_special_card_goes_from_holder_to_holder_at_the_end_of_the_visit(load: Any) -> None:
    table = Table(load, "gVV gVV", "vVV vVV").win(0, "gVV").win(0, "gVV")
    assert table.look()["special"] == [0, -1, -1, -1]
    table.win(1, "vVV")
    assert table.look()["special"] == [0, -1, -1, -1]
    table.win(1, "vVV")
    assert table.look()["special"] == [1, -1, -1, -1]
    assert table.look()["tiles"][1] == [0, 0, 0, 0]


def test_the_princess_gives_two_points_and_stays_with_her_holder(load: Any) -> None:
    table = with_special(load, "P", "gEE")
    while table.look()["turn"] != 0:
        table.withdraw()
    before = table.points()[0]
    table.do("gEE+sP")
    assert table.points()[0] == before + 2
    while table.look()["visit"] == 3:
        table.withdraw() if table.look()["phase"] == "turn" else table.lowest()
    assert table.look()["special"][3] == 0


def test_the_monk_lets_one_card_have_another_colour(load: Any) -> None:
    table = with_special(load, "K", "gEE vEE")
    while table.look()["turn"] != 0:
        table.withdraw()
    table.do("gEE")
    while table.look()["turn"] != 0:
        table.withdraw()
    legal = table.legal()
    assert "vEE" not in legal
    assert "vEE+sK" in legal
    assert "gEE" not in legal  # none left


def test_two_players_meet_a_third_who_turns_up_a_card_after_each_turn(load: Any) -> None:
    table = Table(load, "gEE gVV", "vEE", players=2)
    table.do("gEE")
    assert table.look()["phase"] == "fictive"
    table.do("*gEE")
    assert table.look()["fictive"] == {"in": True, "cards": {"gEE": 1}}
    table.do("vEE")
    table.do("*gEE")  # a colour that he has: the card does not count, and he is out
    assert table.look()["fictive"]["in"] is False
    assert table.look()["points"] == [0, 0]


def test_in_the_end_special_white_and_most_coloured_cards_score(load: Any) -> None:
    table = Table(load, "gEE gEE wE vEE vEE vEE")
    state, before = table.state, [0, 0, 0]
    while not state.is_terminal():
        before = state.scores()
        state.apply_action(state.string_to_action("out") if "out" in table.legal() else state.legal_actions()[0])
    for player in range(3):
        held = table.look(player)["hand"]
        whites = sum(count for card, count in held.items() if card[0] == "w")
        most = max((sum(n for card, n in held.items() if card[0] == colour) for colour in "gvry"), default=0)
        specials = table.look()["special"].count(player)
        assert state.scores()[player] - before[player] == whites + most + specials
    assert [utility > 0 for utility in state.returns()] == [points == max(state.scores()) for points in state.scores()]
