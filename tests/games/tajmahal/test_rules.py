"""Taj Mahal rule by rule (TM-1 to TM-33, rulings TM-R1 and on), and the contract of docs/rules/tajmahal.md.

Most positions are dealt from a deck made for the test: what its hands, displays and draws need, filled up with
`FILLER`, which also fills up hands and displays.
"""

from __future__ import annotations

import copy
import json
import math
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilery
from tests.games.tajmahal.options import SHIPPED
from tests.kit.walking import legal_tokens
from tilery.reference import tajmahal as reference
from tilery.reference.rng import Rng

rule = pytest.mark.rule


def words(text: str) -> list[str]:
    return text.split()


SYMBOLS = "EMVGKP"
COMMODITIES = ["rice", "tea", "spice", "gems"]
BONUS_KINDS = ["+2", "card", *COMMODITIES]
FORTRESSES = words("A1 B2 C2 C4 D1 E2 E4 F3 H3 I2 I4 J1 K1 K3 L3")  # without G5
COLOURED = [c + SYMBOLS[i] + SYMBOLS[j] for c in "gvry" for i in range(6) for j in range(i, 6)]
WHITE = ["w" + symbol for symbol in SYMBOLS]
FILLER = "yPP"
MOST_CARDS = 128


def deck_with(*named: str) -> dict[str, int]:
    """A deck of as many cards as allowed: these, gEE for the player who draws the lowest card, and FILLER."""
    deck = Counter(" ".join(named).split())
    deck["gEE"] += 3 * 12
    deck[FILLER] += MOST_CARDS - deck.total()
    return dict(sorted(deck.items()))


def box(**changes: Any) -> dict[str, Any]:
    """The shipped data with other parts as given."""
    return {**copy.deepcopy(SHIPPED), **copy.deepcopy(changes)}


def bare_box(**changes: Any) -> dict[str, Any]:
    """A box without bonus tiles and without points for the Taj Mahal: palace points stand alone."""
    data = box(bonus_tiles={}, taj_mahal={"city": "G5", "points": 0}, **changes)
    for city in data["cities"]:
        city["fortress"] = city["id"] == "G5"
    return data


class Table:
    """A game after its set-up, driven by tokens. What is not given is the lowest action.

    The deck holds the hands, the display and the cards `drawn` later; `data` replaces the other data.
    """

    WITHDRAWING = ("build", "crown", "draw", "take")

    def __init__(
        self,
        load: Any,
        *hands: str,
        display: str = FILLER,
        provinces: str = "ABCDEFHIJKL",
        bonus: str = "",
        drawn: str = "",
        deck: dict[str, int] | None = None,
        players: int = 3,
        data: Any = SHIPPED,
        **options: Any,
    ) -> None:
        cards = deck_with(*hands, display, 8 * f"{display.rsplit(maxsplit=1)[-1]} ", drawn) if deck is None else deck
        self.game = load("tajmahal", players=players, data={**data, "deck": cards}, **options)
        self.state = self.game.new_initial_state()
        self.do(" ".join("*" + letter for letter in provinces))
        self.do(" ".join("*" + kind for kind in bonus.split()))
        self.fill("bonus")
        for player in range(players):
            cards = hands[player].split() if player < len(hands) else []
            for card in (cards + 6 * [FILLER])[:6]:
                self.do("*" + card)
        self.lay_out(display)

    def look(self, player: int = 0) -> dict[str, Any]:
        seen: dict[str, Any] = json.loads(self.state.information_state_string(player))
        return seen

    def do(self, tokens: str) -> Table:
        for token in tokens.split():
            self.state.apply_action(self.state.string_to_action(token))
        return self

    def lowest(self) -> None:
        self.state.apply_action(self.state.legal_actions()[0])

    def fill(self, phase: str) -> None:
        while self.look()["phase"] == phase:
            self.lowest()

    def lay_out(self, cards: str) -> None:
        """The display: these cards, the last one again and again until it is complete."""
        cards = [*cards.split()]
        while self.look()["phase"] == "display":
            self.do("*" + (cards.pop(0) if len(cards) > 1 else cards[0]))

    def legal(self) -> list[str]:
        return legal_tokens(self.state)

    def points(self) -> list[int]:
        return list(self.state.scores())

    def withdraw(self, then: str = "") -> Table:
        """The player on turn withdraws, first with these steps; then they build no more."""
        self.do("out " + then)
        while self.look()["phase"] in self.WITHDRAWING:
            self.lowest()
        return self

    def win(self, player: int, plays: str = "", then: str = "", display: str = FILLER) -> Table:
        """A visit in which only this player plays, and withdraws as the last one."""
        waiting, visit = plays.split(), self.look()["visit"]
        while self.look()["visit"] == visit and self.look()["phase"] == "turn":
            if self.look()["turn"] != player:
                self.withdraw()
            elif waiting:
                self.do(waiting.pop(0))
            else:
                self.withdraw(then)
        self.lay_out(display)
        return self

    def skip_visits(self, number: int) -> Table:
        for _ in range(number):
            self.win(0)
        return self


def cards(text: str) -> dict[str, int]:
    return dict(Counter(text.split()))


def probabilities(state: Any) -> dict[str, float]:
    return {state.action_to_string(action): probability for action, probability in state.chance_outcomes()}


def with_special(load: Any, person: str, hand: str = "", **options: Any) -> Table:
    """Player 0 holds the special card of the person; visit 3 is on, player 2 begins."""
    card = f"g{person}{person}"
    table = Table(load, f"{card} {card} {hand}", **options)
    table.win(0, card).win(0, card)
    assert table.look()["special"]["VGKP".index(person)] == 0
    assert table.look()["visit"] == 3
    return table


def dealt(load: Any, deck: dict[str, int], players: int = 3, **changes: Any) -> Table:
    """A small deck, dealt in the order of its cards."""
    table = Table.__new__(Table)
    table.game = load("tajmahal", players=players, data=box(deck=deck, **changes))
    table.state = table.game.new_initial_state()
    while table.look()["phase"] != "turn":
        table.lowest()
    return table


# Board and set-up


@rule("TM-1")
def test_tm_1_there_are_49_cities_in_twelve_provinces_and_no_others(load):
    game = load("tajmahal")
    state = game.new_initial_state()
    tokens = [state.action_to_string(action) for action in range(game.num_distinct_actions)]
    cities = [token[3:] for token in tokens if token.startswith("at:")]
    assert cities == [f"{p}{i}" for p in "ABCDEFGHIJKL" for i in range(1, 6 if p == "G" else 5)]
    with pytest.raises(ValueError, match="A5"):
        state.string_to_action("at:A5")


@rule("TM-2")
def test_tm_2_provinces_are_numbered_one_by_one_each_equally_likely_and_g_never(load):
    state = load("tajmahal").new_initial_state()
    left = list("ABCDEFHIJKL")
    for letter in "LAKBJCIDHEF":
        assert probabilities(state) == pytest.approx({"*" + other: 1 / len(left) for other in left})
        left.remove(letter)
        state.apply_action(state.string_to_action("*" + letter))
    seen = json.loads(state.information_state_string(0))
    assert seen["provinces"] == list("LAKBJCIDHEF")
    assert seen["phase"] == "bonus"


@rule("TM-2")
def test_tm_2_fortresses_get_bonus_tiles_in_order_of_name_each_tile_equally_likely(load):
    state = load("tajmahal").new_initial_state()
    for letter in "ABCDEFHIJKL":
        state.apply_action(state.string_to_action("*" + letter))
    kinds = words("+2 card card card rice rice tea tea spice spice gems gems +2 +2 +2")
    left = Counter(SHIPPED["bonus_tiles"])
    for kind in kinds:
        total = sum(left.values())
        expected = {"*" + other: count / total for other, count in left.items() if count}
        assert probabilities(state) == pytest.approx(expected)
        left[kind] -= 1
        state.apply_action(state.string_to_action("*" + kind))
    seen = json.loads(state.information_state_string(0))
    assert list(seen["bonus"].items()) == list(zip(FORTRESSES, kinds, strict=True))


@rule("TM-2")
def test_tm_2_six_cards_to_player_0_then_to_player_1_then_the_display(load):
    hands = ["gEE gEM gEV gEG gEK gEP", "vEE vEM vEV vEG vEK vEP", "rEE rEM rEV rEG rEK rEP"]
    table = Table(load, *hands, display="yEE yEE yEM yEM yEV", deck=SHIPPED["deck"])
    for player, hand in enumerate(hands):
        assert table.look(player)["hand"] == cards(hand)
    assert table.look()["display"] == cards("yEE yEE yEM yEM yEV")
    assert table.look()["turn"] == 0


@rule("TM-2")
def test_tm_2_a_card_is_dealt_with_the_chance_of_its_copies_in_the_pile(load):
    state = load("tajmahal").new_initial_state()
    for letter in "ABCDEFHIJKL":
        state.apply_action(state.string_to_action("*" + letter))
    for _ in range(15):
        state.apply_action(state.legal_actions()[0])
    assert probabilities(state) == pytest.approx({"*" + c: k / 96 for c, k in SHIPPED["deck"].items()})
    state.apply_action(state.string_to_action("*wE"))
    assert probabilities(state)["*wE"] == pytest.approx(6 / 95)
    state.apply_action(state.string_to_action("*wM"))
    assert "*wM" not in probabilities(state)


@rule("TM-3")
def test_tm_3_the_start_player_moves_to_the_left_with_each_visit(load):
    table = Table(load)
    for visit, starter in ((1, 0), (2, 1), (3, 2), (4, 0)):
        assert (table.look()["visit"], table.look()["turn"]) == (visit, starter)
        table.skip_visits(1)


@rule("TM-3")
def test_tm_3_visit_k_is_about_the_province_and_the_production_tile_with_number_k(load):
    table = Table(load, "gEE gVV gEE gVV", provinces="LAKBJCIDHEF")
    table.win(0, "gEE")
    assert table.look()["goods"][0] == [1, 0, 0, 0]  # tile 1: rice
    table.win(0, "gEE")
    assert table.look()["goods"][0] == [1, 1, 0, 1]  # tile 2: gems and tea
    table.do("out").fill("draw")
    table.fill("take")
    table.do("gVV").withdraw()
    table.do("out")
    assert table.legal() == ["none", "at:K1", "at:K2", "at:K3", "at:K4"]


@rule("TM-3")
def test_tm_3_the_taj_mahal_province_has_number_12(load):
    table = Table(load, "gVV").skip_visits(11)
    assert table.look()["visit"] == 12
    table.withdraw().do("gVV").withdraw().do("out")  # the order is 2, 0, 1
    assert table.legal() == ["none", "at:G1", "at:G2", "at:G3", "at:G4", "at:G5"]


@rule("TM-4")
@pytest.mark.parametrize(("players", "size"), [(2, 3), (3, 5), (4, 7), (5, 9)])
def test_tm_4_before_each_visit_2n_minus_1_cards_are_laid_out_and_all_are_taken(load, players, size):
    table = Table(load, players=players)
    assert sum(table.look()["display"].values()) == size
    while table.look()["visit"] == 1:
        table.lowest()
    assert table.look()["phase"] == "display"
    assert table.look()["display"] == {}
    table.lay_out(FILLER)
    assert sum(table.look()["display"].values()) == size


@rule("TM-5")
def test_tm_5_with_pile_and_discards_empty_no_card_is_drawn_and_fewer_are_laid_out(load):
    table = dealt(load, {"gEE": 23})
    table.do("gEE out")
    assert table.look()["phase"] == "take"  # player 1 played nothing, but there is nothing to draw
    assert table.look()["draws"] == 0
    table.do("take:gEE take:gEE out take:gEE take:gEE out take:gEE")
    assert table.look()["phase"] == "display"  # the one card that was played
    assert (table.look()["pile"], table.look()["discards"]) == (1, {})
    table.do("*gEE")
    assert table.look()["phase"] == "turn"
    assert table.look()["display"] == cards("gEE")


@rule("TM-5")
def test_tm_5_without_any_card_the_visit_begins_without_a_display(load):
    table = dealt(load, {"gEE": 23})
    table.do("gEE out take:gEE take:gEE out take:gEE take:gEE out take:gEE *gEE")
    table.do("out take:gEE")  # fewer if there are fewer
    assert table.look()["turn"] == 2
    table.do("out")
    assert table.look()["turn"] == 0
    table.do("out")
    assert (table.look()["visit"], table.look()["phase"], table.look()["turn"]) == (3, "turn", 2)


@rule("TM-5")
def test_tm_5_the_discards_become_the_pile_only_when_a_card_is_needed(load):
    table = dealt(load, {"gEE": 24})
    table.do("gEE gEE out")
    assert (table.look()["phase"], table.look()["pile"]) == ("draw", 1)
    table.do("*gEE take:gEE take:gEE")
    table.do("out")
    assert (table.look()["pile"], table.look()["discards"]) == (0, cards("gEE"))
    table.do("take:gEE take:gEE out")
    assert (table.look()["pile"], table.look()["discards"]) == (0, cards("gEE gEE"))
    table.do("take:gEE")  # the display is needed now, inside this action
    assert (table.look()["pile"], table.look()["discards"]) == (2, {})
    assert table.state.is_chance_node()


def with_fifteen_palaces(load) -> Table:
    """Player 0 has four ordinary palaces and one mogul in each of three provinces."""
    table = Table(
        load,
        "gVG gVG gKP gKP wM wM",
        display="gEE gEE gEE gEE gVG",
        drawn=5 * "gKP " + 24 * "gEE " + 4 * "gVG ",
        data=box(bonus_tiles={"card": 15}),
    )
    everywhere = "at:{0}1 at:{0}2 at:{0}3 at:{0}4 crown:{0}1 "
    feed = "gEE gEE gEE gEE gVG"
    table.win(0, "gVG+wM gKP", everywhere.format("A") + "*gKP take:gVG", feed)
    table.win(0, "gVG+wM gKP", everywhere.format("B") + "*gKP take:gVG", feed)
    table.win(0, "gVG+sV gKP", everywhere.format("C") + "*gKP *gKP take:gVG", feed)
    return table


@rule("TM-6", "TM-R1", "TM-R2")
def test_tm_6_a_player_has_twenty_palaces_of_both_sorts_together(load):
    table = with_fifteen_palaces(load)
    table.do("gVG+sV").withdraw().withdraw().do("gKP out at:D1 at:D2 at:D3")
    assert "at:D4" in table.legal()
    table.do("at:D4")  # the nineteenth
    assert table.legal() == ["none", "crown:D1", "crown:D2", "crown:D3", "crown:D4"]
    table.do("crown:D4 *gKP take:gVG").lay_out(FILLER)
    owners = [*table.look()["ordinary"].values(), *table.look()["mogul"].values()]
    assert owners == 20 * [0]
    table.withdraw().withdraw().do("gVG+sV out")  # vizier, general and mogul, and no palace left
    assert table.look()["phase"] == "take"
    assert table.look()["build"] == [0, 0]
    assert table.look()["offer"] == ["E", "K", "P"]  # TM-R2: won all the same


@rule("TM-6")
def test_tm_6_with_one_palace_left_only_one_is_built(load):
    table = with_fifteen_palaces(load)
    table.win(0, "gVG+sV gKP", "at:D1 at:D2 at:D3 at:D4 none *gKP take:gVG", FILLER)
    table.withdraw().withdraw().do("gVG+sV out at:E1")  # the twentieth; another person and the mogul are lost
    assert (table.look()["phase"], table.look()["build"]) == ("take", [0, 0])


# A visit


@rule("TM-7")
def test_tm_7_a_coloured_card_alone_or_with_one_white_or_one_own_special_card(load):
    table = with_special(load, "V", "gEM vEG wE wP")
    table.withdraw()
    assert table.legal() == [
        "out",
        *["gEM", "vEG", FILLER],
        *["gEM+wE", "gEM+wP", "vEG+wE", "vEG+wP", FILLER + "+wE", FILLER + "+wP"],
        *["gEM+sV", "vEG+sV", FILLER + "+sV"],
    ]


@rule("TM-7")
def test_tm_7_a_special_card_serves_its_holder_only(load):
    table = with_special(load, "V", "gEM")
    assert table.look()["turn"] == 2
    assert not any("sV" in token for token in table.legal())


@rule("TM-7")
def test_tm_7_the_turn_passes_clockwise_among_those_still_in(load):
    table = Table(load, players=4)
    turns = []
    for action in ("play", "withdraw", "play", "play", "play", "play", "play"):
        turns.append(table.look()["turn"])
        if action == "withdraw":
            table.withdraw()
        else:
            table.do(FILLER)
    assert turns == [0, 1, 2, 3, 0, 2, 3]


@rule("TM-8")
def test_tm_8_all_coloured_cards_of_a_visit_have_one_colour(load):
    table = Table(load, "gEE gEM vEE wE")
    table.do("gEE+wE").withdraw().withdraw()
    assert table.legal() == ["out", "gEM"]
    assert table.look()["colour"] == ["g", None, None]


@rule("TM-8")
def test_tm_8_the_colour_is_free_again_in_the_next_visit(load):
    table = Table(load, "gEE gEM vEE wE").win(0, "gEE")
    table.withdraw().withdraw()
    assert {"gEM", "vEE", FILLER} <= set(table.legal())


@rule("TM-8")
def test_tm_8_a_card_with_another_special_card_fixes_the_colour(load):
    table = with_special(load, "P", "gEM gEG vEE")
    table.withdraw().do("gEM+sP").withdraw()
    assert table.legal() == ["out", "gEG"]


@rule("TM-8", "TM-R5")
def test_tm_8_beside_the_monks_card_any_colour_goes(load):
    table = with_special(load, "K", "gEM gEG vEE")
    table.withdraw().do("gEM").withdraw()
    assert table.legal() == ["out", "gEG", "gEG+sK", "vEE+sK", FILLER + "+sK"]
    table.do("vEE+sK")
    assert table.look()["colour"] == ["g", None, None]
    assert table.legal() == ["out", "gEG"]


@rule("TM-8")
def test_tm_8_later_the_first_card_without_the_monk_fixes_the_colour(load):
    table = with_special(load, "K", "gEM gEG vEE vEM")
    table.withdraw().do("gEM+sK").withdraw()
    assert table.look()["colour"] == [None, None, None]
    assert table.legal() == ["out", "gEG", "vEE", "vEM", FILLER]
    table.do("vEE")
    assert table.legal() == ["out", "vEM"]


@rule("TM-8", "TM-R6")
def test_tm_8_announce_names_the_colour_of_later_cards(load):
    table = with_special(load, "K", "gEM gEG vEE rVV", monk_colour="announce")
    table.withdraw()
    named = [token for token in table.legal() if "sK" in token]
    hand = ["gEM", "gEG", "vEE", "rVV", FILLER]
    assert named == [f"{card}+sK/{colour}" for colour in "gvry" for card in hand]  # TM-R6: all four
    table.do("gEM+sK/r").withdraw()
    assert table.look()["colour"] == ["r", None, None]
    assert table.legal() == ["out", "rVV"]


@rule("TM-8")
def test_tm_8_announce_is_silent_once_the_colour_is_fixed(load):
    table = with_special(load, "K", "gEM gEG vEE", monk_colour="announce")
    table.withdraw().do("gEM").withdraw()
    assert table.legal() == ["out", "gEG", "gEG+sK", "vEE+sK", FILLER + "+sK"]
    table.do("vEE+sK")
    assert table.look()["colour"] == ["g", None, None]


@rule("TM-9")
def test_tm_9_the_princesss_card_gives_2_points_when_played(load):
    table = with_special(load, "P", "gEM gEG")
    table.withdraw()
    before = table.points()
    table.do("gEM+sP")
    assert table.points() == [before[0] + 2, before[1], before[2]]


@rule("TM-10")
def test_tm_10_who_can_play_no_coloured_card_must_withdraw(load):
    table = Table(load, "gEE vEE wE wE wE wE")
    table.do("gEE+wE").withdraw().withdraw()
    assert table.legal() == ["out"]


@rule("TM-10")
def test_tm_10_white_cards_alone_are_no_play(load):
    table = Table(load, "wE wE wE wE wE wM")
    assert table.legal() == ["out"]


@rule("TM-10")
def test_tm_10_the_last_player_goes_on_as_long_as_he_wants(load):
    table = Table(load, "gEE gEE gEE")
    table.do("gEE").withdraw().withdraw().do("gEE gEE")
    assert table.look()["turn"] == 0
    assert table.look()["played"][0] == cards("gEE gEE gEE")


# Withdrawing


@rule("TM-11")
def test_tm_11_the_most_of_a_kind_wins_and_a_tie_wins_nothing(load):
    table = Table(load, "gVG", "vVP")
    table.do("gVG vVP").withdraw()
    table.withdraw()
    assert table.look()["tiles"][0] == [0, 1, 0, 0]  # the general alone; viziers are 1 : 1
    assert table.look()["offer"] == ["E", "M", "V", "K", "P"]


@rule("TM-11")
def test_tm_11_a_withdrawal_turns_a_tie_into_a_win(load):
    table = Table(load, "gVG", "vVP")
    table.do("gVG vVP").withdraw().withdraw()
    table.withdraw()
    assert table.look()["tiles"][1] == [1, 0, 0, 1]


@rule("TM-11")
def test_tm_11_more_than_every_other_player_still_in(load):
    table = Table(load, "gVV", "vGG", "rVV vGG")
    table.do("gVV vGG rVV").withdraw()
    assert table.look()["tiles"][0] == [0, 0, 0, 0]
    assert table.look()["offer"] == list(SYMBOLS)


@rule("TM-11")
def test_tm_11_nothing_is_no_majority(load):
    table = Table(load, "gVV").do("gVV").withdraw().withdraw().do("out")
    assert table.look()["tiles"][0] == [1, 0, 0, 0]
    assert table.look()["offer"] == ["E", "M", "G", "K", "P"]
    assert table.look()["goods"][0] == [0, 0, 0, 0]


@rule("TM-11")
def test_tm_11_a_kind_may_be_tied_and_another_won(load):
    table = Table(load, "gVG gVG", "vVV vVV")
    table.do("gVG vVV").withdraw().do("gVG vVV")  # viziers 2 : 4, generals 2 : 0
    table.withdraw().withdraw()
    assert table.look()["tiles"] == [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]


@rule("TM-11")
def test_tm_11_what_is_won_is_no_longer_to_be_had(load):
    table = Table(load, "gVV", "vPP vVV")
    table.do("gVV vPP").withdraw().withdraw()  # player 0 takes the vizier
    assert table.look()["offer"] == ["E", "M", "G", "K", "P"]
    table.do("vVV").withdraw()
    assert table.look()["tiles"] == [[1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]]


@rule("TM-11")
def test_tm_11_white_cards_and_doubles_count(load):
    table = Table(load, "gVV wV", "vVV wM")
    table.do("gVV+wV vVV+wM").withdraw().withdraw().withdraw()
    assert table.look()["tiles"][:2] == [[1, 0, 0, 0], [0, 0, 0, 0]]
    table = Table(load, "gVV wM", "vVV wV")
    table.do("gVV+wM vVV+wV").withdraw().do("out")
    assert table.look()["tiles"][0] == [0, 0, 0, 0]
    assert table.look()["build"] == [0, 1]  # the mogul


@rule("TM-12")
def test_tm_12_each_person_builds_an_ordinary_palace_and_the_mogul_a_mogul_palace(load):
    table = Table(load, "gVG gKP wM")
    table.do("gVG+wM").withdraw().withdraw().do("gKP out")
    assert table.look()["tiles"][0] == [1, 1, 1, 1]
    assert table.look()["build"] == [4, 1]
    table.do("at:A1 at:A2 at:A3 at:A4 crown:A2")
    assert table.look()["ordinary"] == dict.fromkeys(["A1", "A2", "A3", "A4"], 0)
    assert table.look()["mogul"] == {"A2": 0}


@rule("TM-12")
def test_tm_12_the_elephants_bring_the_production_tile_and_its_goods_score_inside_out(load):
    table = Table(load, "gEV").do("gEV").withdraw().withdraw().do("out")
    assert table.look()["phase"] == "build"
    assert table.look()["goods"][0] == [1, 0, 0, 0]
    assert table.points() == [1, 0, 0]


@rule("TM-13")
def test_tm_13_palaces_stand_in_the_province_of_the_visit_one_ordinary_one_in_a_city(load):
    table = Table(load, "gVV", "vGK")
    table.do("gVV vGK").withdraw().withdraw("at:A2").do("out")
    assert table.legal() == ["none", "at:A1", "at:A3", "at:A4"]


@rule("TM-13")
def test_tm_13_a_mogul_palace_stands_in_any_city_with_or_without_an_ordinary_palace(load):
    table = Table(load, "gVV", "vMM")
    table.do("gVV vMM").withdraw().withdraw("at:A2").do("out")
    assert table.legal() == ["none", "crown:A1", "crown:A2", "crown:A3", "crown:A4"]
    table.do("crown:A2")
    assert (table.look()["ordinary"], table.look()["mogul"]) == ({"A2": 0}, {"A2": 1})


@rule("TM-14")
def test_tm_14_ordinary_palaces_in_rising_order_of_city_then_the_mogul_palace(load):
    table = Table(load, "gVG wM").do("gVG+wM").withdraw().withdraw().do("out at:A3")
    assert table.legal() == ["none", "at:A4"]
    table.do("at:A4")
    assert table.legal() == ["none", "crown:A1", "crown:A2", "crown:A3", "crown:A4"]


@rule("TM-14")
def test_tm_14_without_a_city_above_the_last_one_the_other_palaces_are_lost(load):
    table = Table(load, "gVG gKP").do("gVG").withdraw().withdraw().do("gKP out at:A4")
    assert table.look()["phase"] == "take"
    assert table.look()["build"] == [0, 0]
    assert table.look()["ordinary"] == {"A4": 0}


@rule("TM-14")
def test_tm_14_none_gives_up_all_ordinary_palaces_left_but_not_the_mogul_palace(load):
    table = Table(load, "gVG gKP wM").do("gVG+wM").withdraw().withdraw().do("gKP out at:A1 none")
    assert table.look()["phase"] == "crown"
    table.do("none")
    assert (table.look()["ordinary"], table.look()["mogul"]) == ({"A1": 0}, {})
    assert table.look()["phase"] == "take"


@rule("TM-14")
def test_tm_14_with_every_city_taken_the_step_is_skipped(load):
    data = bare_box()
    data["cities"] = [city for city in data["cities"] if city["id"] not in ("A2", "A3", "A4")]
    data["roads"] = [road for road in data["roads"] if not {"A2", "A3", "A4"} & set(road)]
    table = Table(load, "gVV wM", "vGG", data=data)
    table.do("gVV+wM vGG").withdraw().withdraw("at:A1 crown:A1").do("out")
    assert (table.look()["phase"], table.look()["build"]) == ("take", [0, 0])
    assert table.look()["tiles"][1] == [0, 1, 0, 0]


@rule("TM-15")
def test_tm_15_an_ordinary_palace_on_a_fortress_takes_its_bonus_tile(load):
    table = Table(load, "gVG", bonus="+2", data=box(bonus_tiles={"+2": 15}))
    table.do("gVG").withdraw().withdraw().do("out at:A1")
    assert table.points() == [2, 0, 0]
    assert "A1" not in table.look()["bonus"]
    assert len(table.look()["bonus"]) == 14


@rule("TM-15")
def test_tm_15_a_card_tile_gives_a_hidden_card_of_the_pile_before_the_display(load):
    table = Table(load, "gVV", bonus="card", drawn="rEE").do("gVV").withdraw().withdraw().do("out at:A1")
    assert (table.look()["phase"], table.look()["draws"]) == ("draw", 1)
    table.do("*rEE")
    assert table.look()["phase"] == "take"
    assert table.look()["hand"] == cards(f"rEE {5 * (FILLER + ' ')}")


@rule("TM-15")
def test_tm_15_a_commodity_tile_scores_inside_at(load):
    table = Table(load, "gVG", bonus="gems").do("gVG").withdraw().withdraw().do("out at:A1")
    assert table.look()["phase"] == "build"
    assert table.look()["goods"][0] == [0, 0, 0, 1]
    assert table.points() == [1, 0, 0]


@rule("TM-15")
def test_tm_15_g5_gives_4_points_to_an_ordinary_palace_and_none_to_a_mogul_palace(load):
    table = Table(load, "gMM", "vVG").skip_visits(11)  # player 2 begins, then 0, then 1
    table.withdraw().do("gMM vVG")
    before = table.points()
    table.withdraw("crown:G5")
    assert table.points() == [before[0] + 1, before[1], before[2]]  # the palace point
    table.do("out at:G5")  # nothing above G5: the second palace is lost, building is over
    assert table.points() == [before[0] + 1, before[1] + 4 + 1, before[2]]


@rule("TM-15")
def test_tm_15_a_mogul_palace_on_a_fortress_leaves_the_tile_to_a_later_ordinary_palace(load):
    table = Table(load, "gMM", "vVV", bonus="+2", data=box(bonus_tiles={"+2": 15}))
    table.do("gMM vVV").withdraw().withdraw("crown:A1")
    assert table.points() == [1, 0, 0]
    assert table.look()["bonus"]["A1"] == "+2"
    table.do("out at:A1")
    assert table.points() == [1, 3, 0]
    assert "A1" not in table.look()["bonus"]


@rule("TM-16")
def test_tm_16_the_third_and_fourth_spice_give_3_and_4_points(load):
    table = Table(load, "gVV gVV gEV", data=box(bonus_tiles={"spice": 15}))
    table.win(0, "gVV", "at:A1")
    assert table.points()[0] == 1 + 1  # first spice, palace point
    table.win(0, "gVV", "at:B2")
    assert table.points()[0] == 2 + 2 + 1  # second spice, palace point (A1 and B2 are not joined)
    table.do("out").fill("draw")
    table.fill("take")
    table.do("gEV").withdraw().do("out")
    assert table.points()[0] == 5 + 3 + 1  # tile 3: the third spice and the first gems
    table.do("at:C2")
    assert table.points()[0] == 9 + 4 + 1  # the fourth spice, palace point


@rule("TM-16")
def test_tm_16_two_symbols_of_one_commodity_on_a_tile_count_one_after_another(load):
    tiles = {**SHIPPED["province_tiles"], "1": ["tea", "tea"]}
    table = Table(load, "gEE", data=box(province_tiles=tiles)).win(0, "gEE")
    assert table.look()["goods"][0] == [0, 2, 0, 0]
    assert table.points() == [1 + 2, 0, 0]


def with_a_palace_on_a2(load: Any) -> Table:
    """Visit 2, in province B; player 0 has one point and can win everything but the production."""
    return Table(load, "gVV gVG gKP wM", data=bare_box()).win(0, "gVV", "at:A2")


@rule("TM-17", "TM-R3")
@pytest.mark.parametrize(
    ("build", "points"),
    [
        ("at:B1", 2),  # A2 - B1
        ("at:B2", 1),  # not joined
        ("at:B3 at:B4", 1),
        ("at:B1 at:B2 at:B3 at:B4", 2),  # a province counts once
        ("none crown:B1", 2),  # a mogul palace is a palace
        ("at:B4 crown:B1", 2),
        ("none none", 0),  # TM-R3
    ],
)
def test_tm_17_a_point_for_the_province_and_for_each_province_joined(load, build, points):
    table = with_a_palace_on_a2(load)
    assert table.points() == [1, 0, 0]
    table.win(0, "gVG+wM gKP", build)
    assert table.points() == [1 + points, 0, 0]


@rule("TM-17")
def test_tm_17_palaces_in_other_provinces_score_nothing_by_themselves(load):
    table = with_a_palace_on_a2(load)
    table.win(0, "gVG")  # two persons, and nothing built
    table.win(0)
    assert table.points() == [1, 0, 0]


@rule("TM-17")
def test_tm_17_the_chain_runs_through_own_palaces_only(load):
    table = Table(load, "gVV gVV", "vGG", data=bare_box()).win(0, "gVV", "at:A2")
    table.do("vGG").withdraw().do("gVV").withdraw("at:B1")  # player 1 stands on B1
    table.withdraw("at:B4")
    assert table.points() == [1 + 1, 1, 0]


@rule("TM-17")
def test_tm_17_the_chain_runs_through_an_own_mogul_palace_on_anothers_city(load):
    table = Table(load, "gVV gVV wM", "vGG", data=bare_box()).win(0, "gVV", "at:A2")
    table.do("vGG").withdraw().do("gVV+wM").withdraw("at:B1")
    table.withdraw("at:B4 crown:B1")
    assert table.points() == [1 + 2, 1, 0]


@rule("TM-17")
def test_tm_17_provinces_are_joined_through_third_provinces(load):
    table = Table(load, "gVV gVV gVG gKP", provinces="ACBDEFHIJKL", data=bare_box())
    table.win(0, "gVV", "at:A2").win(0, "gVV", "at:C2")
    assert table.points()[0] == 1 + 1
    table.win(0, "gVG gKP", "at:B1 at:B2 at:B3")  # A2 - B1 - B2 - B3 - C2
    assert table.points()[0] == 2 + 3


@rule("TM-17")
def test_tm_17_points_come_once_inside_the_action_that_ends_building(load):
    table = Table(load, "gVG wM", data=bare_box()).do("gVG+wM").withdraw().withdraw().do("out at:A1 at:A2")
    assert table.points() == [0, 0, 0]
    table.do("crown:A1")
    assert table.points() == [1, 0, 0]


@rule("TM-18")
def test_tm_18_played_cards_go_to_the_discards_and_special_cards_back(load):
    table = with_special(load, "G", "gEM gEG wP")
    old = table.look()["discards"]
    table.withdraw().do("gEM+sG").withdraw().do("gEG+wP")
    assert table.look()["used"] == ["sG"]
    table.withdraw()
    assert Counter(table.look()["discards"]) - Counter(old) == Counter(cards("gEM gEG wP"))
    assert (table.look()["used"], table.look()["special"]) == ([], [-1, 0, -1, -1])
    assert table.look()["played"] == [{}, {}, {}]


@rule("TM-18")
def test_tm_18_special_cards_go_back_though_others_play_on(load):
    """To their holder, not to the player who plays on: player 1's own card stays where it is."""
    table = Table(load, "gGG gGG gEM", "vVV vVV vEM vEG").win(0, "gGG").win(1, "vVV").win(0, "gGG").win(1, "vVV")
    assert table.look()["special"] == [1, 0, -1, -1]
    assert (table.look()["visit"], table.state.current_player()) == (5, 1)
    table.do(f"vEM+sV {FILLER} gEM+sG vEG {FILLER}")
    assert table.look()["used"] == ["sV", "sG"]
    table.withdraw()
    assert table.look()["in"] == [False, True, True]
    assert table.look()["used"] == ["sV"]
    assert table.look()["played"][0] == {}


@rule("TM-19")
def test_tm_19_who_played_nothing_first_draws_a_hidden_card(load):
    table = Table(load, "gEE", drawn="rEE")
    table.do("out")
    assert (table.look()["phase"], table.look()["draws"], table.look()["turn"]) == ("draw", 1, 0)
    table.do("*rEE")
    assert table.look()["hand"]["rEE"] == 1
    assert (table.look()["phase"], table.look()["takes"]) == ("take", 2)


@rule("TM-19")
def test_tm_19_who_played_takes_from_the_display_only(load):
    table = Table(load, "gEE").do("gEE").withdraw().withdraw().do("out")
    assert table.look()["phase"] == "take"


@rule("TM-19", "TM-R8")
def test_tm_19_two_cards_the_second_not_earlier_than_the_first(load):
    table = Table(load, display="gEE gEE vEM rEV wE", drawn="yEE").do("out *yEE")
    assert table.legal() == ["take:gEE", "take:vEM", "take:rEV"]  # after wE no second one would be left
    assert table.look()["first"] is None
    table.do("take:vEM")
    assert table.legal() == ["take:rEV", "take:wE"]
    assert table.look()["first"] == "vEM"
    table.do("take:wE")
    assert table.look()["display"] == cards("gEE gEE rEV")
    assert table.look()["first"] is None


@rule("TM-19")
def test_tm_19_the_second_card_may_be_of_the_same_type(load):
    table = Table(load, display="gEE gEE vEM wE wE", drawn="yEE").do("out *yEE")
    assert table.legal() == ["take:gEE", "take:vEM", "take:wE"]
    table.do("take:wE")
    assert table.legal() == ["take:wE"]


@rule("TM-19")
def test_tm_19_the_last_player_takes_one(load):
    table = Table(load, display="gEE gEE vEM rEV wE", drawn="yEE").withdraw().withdraw()
    table.do("out *yEE")
    assert table.look()["takes"] == 1
    assert table.legal() == ["take:wE"]
    table.do("take:wE")
    assert table.look()["visit"] == 2


@rule("TM-19")
def test_tm_19_the_cards_just_played_are_among_the_discards_that_become_the_pile(load):
    deck = {"gVV": 6, "vEE": 17}
    table = dealt(load, deck, bonus_tiles={"card": 15})
    table.do("gVV").withdraw().withdraw().do("out at:A1")
    assert probabilities(table.state) == {"*gVV": 1.0}
    assert table.look()["discards"] == {}


@rule("TM-19")
def test_tm_19_each_card_tile_gives_a_card(load):
    table = Table(load, "gVG", provinces="CABDEFHIJKL", drawn="rEE rEM", data=box(bonus_tiles={"card": 15}))
    table.do("gVG").withdraw().withdraw().do("out at:C2")
    assert (table.look()["phase"], table.look()["draws"]) == ("build", 1)
    table.do("at:C4")
    assert (table.look()["phase"], table.look()["draws"]) == ("draw", 2)
    table.do("*rEE")
    assert (table.look()["phase"], table.look()["draws"]) == ("draw", 1)
    table.do("*rEM")
    assert table.look()["phase"] == "take"


# Special cards


@rule("TM-20")
def test_tm_20_the_second_tile_of_a_kind_is_changed_for_the_special_card_at_the_end_of_the_visit(load):
    table = Table(load, "gVV gVV").win(0, "gVV")
    assert (table.look()["tiles"][0], table.look()["special"]) == ([1, 0, 0, 0], [-1, -1, -1, -1])
    table.withdraw().withdraw().do("gVV out none")
    assert (table.look()["tiles"][0], table.look()["special"]) == ([2, 0, 0, 0], [-1, -1, -1, -1])
    table.fill("take")
    assert (table.look()["tiles"][0], table.look()["special"]) == ([0, 0, 0, 0], [0, -1, -1, -1])


@rule("TM-20")
def test_tm_20_a_special_card_passes_on_and_back_and_its_holder_may_still_use_it_in_that_visit(load):
    table = Table(load, "gVV gVV gMM gMK gVV gVV", "vVV vVV")
    table.win(0, "gVV").win(0, "gVV").win(1, "vVV")
    table.do("gMM vVV").withdraw().do("gMK").withdraw()  # player 1 has a second vizier now
    assert table.look()["tiles"][1] == [2, 0, 0, 0]
    assert table.look()["special"][0] == 0
    assert "gVV+sV" in table.legal()
    table.withdraw().lay_out(FILLER)
    assert (table.look()["tiles"][1], table.look()["special"][0]) == ([0, 0, 0, 0], 1)
    table.win(0, "gVV").win(0, "gVV")
    assert table.look()["special"] == [0, -1, -1, -1]


@rule("TM-20")
def test_tm_20_the_holder_gives_two_new_tiles_back_and_keeps_the_card(load):
    table = with_special(load, "V", "gVV gVV").win(0, "gVV")
    assert table.look()["tiles"][0] == [1, 0, 0, 0]
    table.win(0, "gVV")
    assert (table.look()["tiles"][0], table.look()["special"]) == ([0, 0, 0, 0], [0, -1, -1, -1])


@rule("TM-20")
def test_tm_20_two_tiles_of_different_kinds_bring_nothing(load):
    table = Table(load, "gVV gGG").win(0, "gVV").win(0, "gGG")
    assert (table.look()["tiles"][0], table.look()["special"]) == ([1, 1, 0, 0], [-1, -1, -1, -1])


@rule("TM-21")
def test_tm_21_the_viziers_card_shows_two_moguls(load):
    table = with_special(load, "V", "gPP")
    table.withdraw().do("gPP+sV").withdraw().do("out")
    assert table.look()["build"] == [1, 1]
    table = with_special(load, "V", "gPP")
    table.do(FILLER).do("gPP+sV").withdraw()
    assert table.look()["used"] == ["sV"]


@rule("TM-21")
def test_tm_21_two_moguls_of_the_viziers_card_beat_one_and_tie_with_two(load):
    for rival, mogul_palace in (("vMP", 1), ("vMM", 0)):
        table = Table(load, "gVV gVV gEE", rival).win(0, "gVV").win(0, "gVV")
        table.withdraw().do("gEE+sV " + rival).do("out")
        assert table.look()["build"][1] == mogul_palace


@rule("TM-21")
def test_tm_21_the_generals_card_shows_two_elephants(load):
    for rival, rice in (("vEP", 1), ("vEE", 0)):
        table = Table(load, "gGG gGG gMM", rival, data=box(province_tiles={**SHIPPED["province_tiles"], "3": ["rice"]}))
        table.win(0, "gGG").win(0, "gGG")
        table.withdraw().do("gMM+sG " + rival).do("out")
        assert table.look()["goods"][0] == [rice, 0, 0, 0]


@rule("TM-21")
@pytest.mark.parametrize("person", "KP")
def test_tm_21_the_monks_and_the_princesss_card_show_no_symbol(load, person):
    table = with_special(load, person, "gMM").withdraw().do(f"gMM+s{person}").withdraw().do("out")
    assert table.look()["tiles"][0] == [0, 0, 0, 0]
    assert table.look()["offer"] == ["E", "V", "G", "K", "P"]


@rule("TM-21")
@pytest.mark.parametrize("person", "VGKP")
def test_tm_21_a_special_card_is_played_once_in_a_visit_and_again_in_the_next(load, person):
    table = with_special(load, person, "gEM gEM gEM gEM")
    table.withdraw().do(f"gEM+s{person}").withdraw()
    assert not any("+s" in token for token in table.legal())
    table.withdraw().lay_out(FILLER)
    assert f"gEM+s{person}" in table.legal()


# The end


@rule("TM-22")
def test_tm_22_items_not_won_are_gone_and_the_next_visit_offers_all_six(load):
    table = Table(load, "gVV gEE").win(0, "gVV")
    assert table.look()["offer"] == list(SYMBOLS)
    table.win(0, "gEE")
    assert table.look()["goods"][0] == [0, 1, 0, 1]  # tile 2 alone


@rule("TM-22")
def test_tm_22_visit_12_ends_like_the_others(load):
    table = Table(load, "gVV gVV").skip_visits(10).win(0, "gVV")
    table.withdraw().do("gVV").withdraw().do("out none")
    assert table.look()["phase"] == "take"
    held, points = sum(table.look()["hand"].values()), table.points()[0]
    table.lowest()
    assert table.state.is_terminal()
    assert table.points()[0] == points + final_points(table.look(), table.look()["hand"], 0)
    assert sum(table.look()["hand"].values()) == held + 1
    assert table.look()["special"] == [0, -1, -1, -1]
    assert table.look()["tiles"][0] == [0, 0, 0, 0]


def final_points(seen: dict[str, Any], hand: dict[str, int], player: int) -> int:
    in_colour = Counter[str]()
    for card, copies in hand.items():
        in_colour[card[0]] += copies
    return seen["special"].count(player) + in_colour["w"] + max(in_colour[colour] for colour in "gvry")


@rule("TM-23")
def test_tm_23_a_point_for_each_special_card_each_white_card_and_each_card_of_the_commonest_colour(load):
    hands = ["gVV gVV wE wM rEE rEE", "wE wE vEE vEE vEE vEE", "yEE yEE yEE yEE wP wP"]
    displays = words("yEE wE rEE vEE yEE wE rEE vEE yEE")
    table = Table(load, *hands, drawn=5 * " ".join(["rEE", "vEE", *displays, ""]))
    table.win(0, "gVV", display="rEE").win(0, "gVV", display="vEE")
    for display in displays:
        table.win(0, display=display)
    assert table.look()["visit"] == 12
    table.withdraw().withdraw().do("out *gEE")
    before = table.points()
    table.lowest()
    assert table.state.is_terminal()
    gained = [after - old for after, old in zip(table.points(), before, strict=True)]
    seen = table.look()
    assert gained == [final_points(seen, table.look(player)["hand"], player) for player in range(3)]
    assert seen["special"] == [0, -1, -1, -1]
    assert all(any(card[0] == "w" for card in table.look(player)["hand"]) for player in range(3))


@rule("TM-23")
def test_tm_23_the_points_if_the_game_ended_here(load):
    """Two white cards and three of one colour, a special card, and cards on the table, which are in no hand."""
    table = Table(load, "wE wM rEE rEE rVV gVV", "gVV gVV gVV yEE yEE vEE", "wE rEE gEE vEE yEE yEE")
    assert table.state.scores_if_over() == [2 + 3, 3, 1 + 2]
    table.do(next(token for token in table.legal() if token.startswith("rEE")))
    seen = table.look()
    hands = [table.look(player)["hand"] for player in range(3)]
    points = [final_points(seen, hand, player) for player, hand in enumerate(hands)]
    assert table.state.scores_if_over() == points != [5, 3, 3]


@rule("TM-23")
def test_tm_23_white_is_not_the_one_colour_of_which_most_are_held(load):
    """White cards from the display; a green card for each visit in which nothing was played."""
    table = Table(load, *3 * [6 * "wE "], display="wE", deck={"gEE": 36, "wE": 78})
    while not table.state.is_terminal():
        table.win(0, display="wE")
    assert table.look()["hand"] == {"gEE": 12, "wE": 26}
    assert table.points() == [12 + 26] * 3


@rule("TM-23")
def test_tm_23_points_are_provisional_before_the_last_action(load):
    table = Table(load).skip_visits(11)
    assert table.points() == [0, 0, 0]
    assert list(table.state.returns()) == [0.0, 0.0, 0.0]


@rule("TM-24")
def test_tm_24_most_points_win(load):
    table = Table(load, "gEE", display="gEE", drawn=50 * "gEE ").win(0, "gEE", display="gEE")
    while not table.state.is_terminal():
        table.lowest()
    points = table.points()
    assert sorted(points)[1] < max(points)
    assert list(table.state.returns()) == [1.0 if won == max(points) else -0.5 for won in points]


@rule("TM-24", "G-6")
def test_tm_24_ties_share(load):
    """Everybody withdraws at once and gets green cards; player 2 was dealt six yellow ones."""
    table = Table(load, 6 * "gEE ", 6 * "gEE ", 6 * "yEE ", display="gEM", drawn=60 * "gEM ")
    while not table.state.is_terminal():
        table.win(0, display="gEM")
    assert table.points()[0] == table.points()[1] == table.points()[2] + 6
    assert list(table.state.returns()) == [0.25, 0.25, -0.5]


# Two players


@rule("TM-25")
def test_tm_25_after_every_turn_a_card_is_turned_up_for_the_fictive_player(load):
    table = Table(load, "gEE gEE", "vEE vEE", players=2, drawn="rVV yVV")
    assert table.look()["fictive"] == {"in": True, "cards": {}}
    table.do("gEE")
    assert (table.look()["phase"], table.look()["turn"]) == ("fictive", 0)
    assert table.state.is_chance_node()
    table.do("*rVV")
    assert (table.look()["phase"], table.look()["turn"]) == ("turn", 1)
    table.do("vEE *yVV")
    assert table.look()["turn"] == 0
    assert table.look()["fictive"] == {"in": True, "cards": cards("rVV yVV")}


@rule("TM-25")
def test_tm_25_a_withdrawal_is_a_turn_as_a_whole(load):
    table = Table(load, "gEE gEE", "vEE vEE", players=2, drawn="yEE rVV gVV vVV").do("out *yEE")
    table.do(f"take:{FILLER} take:{FILLER}")
    assert table.look()["phase"] == "fictive"
    table.do("*rVV vEE *gVV")
    assert table.look()["turn"] == 1
    table.do("vEE *vVV")
    assert table.look()["turn"] == 1


@rule("TM-25")
def test_tm_25_none_after_the_last_real_player_has_withdrawn(load):
    table = Table(load, "gEE gEE", "vEE vEE", players=2, drawn="rVV yEE").withdraw().do("*rVV").do("out *yEE")
    table.do(f"take:{FILLER}")
    assert (table.look()["phase"], table.look()["visit"]) == ("display", 2)


@rule("TM-25")
def test_tm_25_with_pile_and_discards_empty_none_is_turned_up_and_he_stays_in(load):
    table = dealt(load, {"gEE": 15}, players=2).do("gEE")
    assert (table.look()["phase"], table.look()["turn"]) == ("turn", 1)
    assert table.look()["fictive"]["in"] is True


@rule("TM-25")
def test_tm_25_the_discards_become_the_pile_for_him_too(load):
    table = dealt(load, {"gEE": 16}, players=2).do("gEE *gEE gEE")
    assert table.look()["pile"] == 0
    table.do("out take:gEE take:gEE")
    assert (table.look()["phase"], table.look()["pile"], table.look()["discards"]) == ("fictive", 1, {})


@rule("TM-25", "TM-5")
def test_tm_25_his_cards_are_not_among_those_that_become_the_pile(load):
    table = dealt(load, {"gEE": 15, "vEE": 1, "rEE": 1}, players=2).do("gEE *vEE gEE *rEE gEE")
    table.do("out take:gEE take:gEE")
    assert table.look()["fictive"]["cards"] == cards("vEE rEE")
    assert probabilities(table.state) == {"*gEE": 1.0}


@rule("TM-25")
def test_tm_25_with_more_players_there_is_no_fictive_player(load):
    table = Table(load, "gEE")
    assert table.look()["fictive"] is None
    table.do("gEE")
    assert table.look()["phase"] == "turn"


@rule("TM-26", "TM-R7")
def test_tm_26_a_colour_he_has_already_makes_him_withdraw_without_that_card_and_win_items(load):
    table = Table(load, "gEV gEE", "vEP vEP", players=2, drawn="rVV yEM rKK").do("gEV *rVV vEP *yEM gEE")
    before = table.points()
    table.do("*rKK")  # player 1 wins viziers 2 : 1 and moguls 1 : 0; the monks of this card do not count
    assert table.look()["fictive"] == {"in": False, "cards": {}}
    assert table.look()["offer"] == ["E", "G", "K", "P"]
    assert table.look()["discards"] == cards("rVV yEM rKK")
    assert (table.look()["ordinary"], table.look()["mogul"], table.points()) == ({}, {}, before)
    assert table.look()["turn"] == 1


@rule("TM-26")
def test_tm_26_white_is_a_colour(load):
    table = Table(load, "gEV gEE", "vEP vEP", players=2, drawn="wV gVV wP").do("gEV *wV vEP *gVV")
    assert table.look()["fictive"]["in"] is True
    table.do("gEE *wP")
    assert table.look()["fictive"]["in"] is False


@rule("TM-26")
def test_tm_26_the_production_tile_he_wins_is_out_of_the_game(load):
    table = Table(load, "gVV gEE", "vPP vPP", players=2, drawn="rEE rVV").do("gVV *rEE vPP *rVV")
    assert table.look()["offer"] == ["M", "V", "G", "K", "P"]
    table.do("gEE vPP").withdraw().withdraw()
    assert table.look()["goods"] == [[0, 0, 0, 0], [0, 0, 0, 0]]


@rule("TM-26")
def test_tm_26_he_ties_like_anybody_and_wins_nothing_with_a_tie(load):
    table = Table(load, "gVV gEE", "vPP vPP", players=2, drawn="rVV rVV").do("gVV *rVV vPP *rVV")
    assert table.look()["offer"] == list(SYMBOLS)


@rule("TM-26")
def test_tm_26_he_turns_up_no_more_cards_until_the_next_visit(load):
    table = Table(load, "gEV gEE", "vEP vEP", players=2, drawn="rVV rKK").do("gEV *rVV vEP *rKK gEE")
    assert (table.look()["phase"], table.look()["turn"]) == ("turn", 1)
    table.withdraw().withdraw().lay_out(FILLER)
    assert table.look()["fictive"] == {"in": True, "cards": {}}
    table.do(FILLER)
    assert table.look()["phase"] == "fictive"


@rule("TM-27")
def test_tm_27_while_he_is_in_a_withdrawing_player_must_beat_him_too(load):
    table = Table(load, "gVG", "vPP", players=2, drawn="rVV yKK").do("gVG *rVV vPP *yKK").do("out")
    assert table.look()["tiles"][0] == [0, 1, 0, 0]
    table = Table(load, "gVG", "vPP", players=2, drawn="rVV rKK").do("gVG *rVV vPP *rKK").do("out")
    assert table.look()["tiles"][0] == [0, 1, 0, 0]  # the vizier is theirs
    table = Table(load, "gVG", "vPP", players=2, drawn="rMM yKK").do("gVG *rMM vPP *yKK").do("out")
    assert table.look()["tiles"][0] == [1, 1, 0, 0]


@rule("TM-27")
def test_tm_27_the_second_to_withdraw_must_beat_him_as_well(load):
    table = Table(load, "gVG", "vPP", players=2, drawn="rPP yKK").withdraw().do("*rPP vPP *yKK").do("out")
    assert table.look()["tiles"][1] == [0, 0, 0, 0]


@rule("TM-27")
def test_tm_27_his_cards_are_discarded_only_when_the_second_player_has_taken_his(load):
    table = dealt(load, {"gEE": 17}, players=2)
    table.do("out *gEE take:gEE take:gEE *gEE")  # the last card of the pile lies before the fictive player
    table.do("out")
    assert table.look()["phase"] == "take"  # no card could be drawn
    assert table.look()["fictive"]["cards"] == cards("gEE")
    table.do("take:gEE")
    assert table.look()["fictive"]["cards"] == {}
    assert (table.look()["phase"], table.look()["pile"]) == ("display", 1)


@rule("TM-27")
def test_tm_27_the_first_real_player_takes_two_cards_the_second_one(load):
    table = Table(load, "gEE", "vEE", players=2, drawn="yEE yEE rVV").do("out *yEE")
    assert table.look()["takes"] == 2
    table.do(f"take:{FILLER} take:{FILLER} *rVV out *yEE")
    assert table.look()["takes"] == 1
    table.lowest()
    assert table.look()["turn"] == -1
    table.lay_out(FILLER)
    assert table.look()["turn"] == 1  # the start player alternates between the two


# What a player knows


@rule("TM-28")
def test_tm_28_hands_are_hidden_but_for_cards_taken_from_the_display(load):
    deck = deck_with("gEE vEE vKK gMM", 5 * "rEM rEG ")
    one = Table(load, "gEE", "vEE", display="rEM rEG", deck=deck)
    other = Table(load, "gEE", "vKK", display="rEM rEG", deck=deck)
    assert one.state.information_state_string(0) == other.state.information_state_string(0)
    assert one.state.information_state_string(1) != other.state.information_state_string(1)
    one.do("out *gEE take:rEM take:rEG")
    other.do("out *gMM take:rEM take:rEG")
    for viewer in (1, 2):
        assert one.look(viewer)["known"] == [cards("rEM rEG"), {}, {}]
        assert one.look(viewer)["hands"] == [9, 6, 6]
        assert "gEE" not in one.look(viewer)["hand"]
    assert one.state.information_state_string(2) == other.state.information_state_string(2)
    assert one.state.information_state_string(0) != other.state.information_state_string(0)


@rule("TM-28")
def test_tm_28_a_card_played_is_taken_to_be_a_known_one_of_its_type(load):
    table = Table(load, "rEM rEM", display="rEM rEG").withdraw("*gEE take:rEM take:rEG")
    table.withdraw().withdraw().lay_out(FILLER)
    table.withdraw().withdraw()
    assert table.look(1)["known"][0] == cards("rEM rEG")
    table.do("rEM")
    assert table.look(1)["known"][0] == cards("rEG")
    table.do("rEM")
    assert table.look(1)["known"][0] == cards("rEG")


@rule("TM-28")
def test_tm_28_a_white_card_played_is_a_known_one_too(load):
    table = Table(load, "gEE wE", display="wE wE wE wE wM").withdraw("*gEE take:wE take:wM")
    table.withdraw().withdraw().lay_out(FILLER)
    table.withdraw().withdraw().do("gEE+wE")
    assert table.look(1)["known"][0] == cards("wM")
    assert table.look()["hand"]["wE"] == 1


@rule("TM-28")
def test_tm_28_what_the_discards_were_is_forgotten_when_they_become_the_pile(load):
    """The pile is the vEE that player 0 has played; by the ruling it may be any card they have not seen."""
    deck = {"gEE": 22, "vEE": 1}
    table = Table(load, "vEE" + 5 * " gEE", 6 * "gEE ", 6 * "gEE ", display="gEE", deck=deck)
    table.do("vEE").withdraw().withdraw().withdraw()
    assert probabilities(table.state) == {"*vEE": 1.0}
    piles = [list(probabilities(table.state.determinize(0, seed))) for seed in range(40)]
    assert ["*gEE"] in piles


@rule("TM-28")
def test_tm_28_equal_positions_are_equal_however_reached(load):
    one = Table(load, "gEE gEM", "vEE", "rEE").do("gEE vEE rEE gEM")
    other = Table(load, "gEM gEE", "vEE", "rEE").do("gEM vEE rEE gEE")
    assert one.state == other.state
    assert hash(one.state) == hash(other.state)
    assert one.state != Table(load, "gEE gEM", "vEE", "rEE").do("gEE vEE rEE").state
    one = Table(load, "gEE vEE").win(0, "gEE").win(0, "vEE")
    other = Table(load, "gEE vEE").win(0, "vEE").win(0, "gEE")
    assert one.state == other.state
    assert one.state.serialize() == other.state.serialize()


@rule("TM-28")
def test_tm_28_which_cards_are_known_is_part_of_the_value(load):
    """Player 0 holds rEM, rEG and gEE both times; once rEM was drawn, once it was taken before all eyes."""
    deck = deck_with("rEM rEM rEG gEE gEE gEE")
    one = Table(load, display="rEM rEG gEE gEE gEE", deck=deck).do("out *rEM take:gEE take:rEG")
    other = Table(load, display="rEM rEG gEE gEE gEE", deck=deck).do("out *gEE take:rEM take:rEG")
    for _ in range(2):
        one.withdraw()
    other.withdraw("*gEE take:gEE take:gEE").withdraw("*gEE")
    assert one.look(0)["hand"] == other.look(0)["hand"]
    assert one.look(0)["known"][0] != other.look(0)["known"][0]
    assert one.state != other.state


@rule("TM-28")
def test_tm_28_determinize_keeps_what_the_player_knows_and_deals_the_rest_anew(load):
    table = (
        Table(load, "gEE", "vEE vEM", "rEE rEM", display="wE wM", drawn=" ".join(COLOURED[::2]))
        .withdraw()
        .do("vEE")
        .withdraw()
    )
    drawn = set()
    for seed in range(30):
        guess = table.state.determinize(1, seed)
        assert guess.information_state_string(1) == table.state.information_state_string(1)
        hands = [json.loads(guess.information_state_string(player)) for player in range(3)]
        for seen in hands:
            assert seen["known"] == hands[1]["known"]
            for card, copies in seen["known"][seen["player"]].items():
                assert seen["hand"][card] >= copies
        drawn.add(json.dumps(hands[0]["hand"]))
    assert len(drawn) > 20


@rule("TM-28")
def test_tm_28_each_arrangement_of_the_unseen_cards_is_equally_likely(load):
    """Unseen by player 0: six cards of player 1 (five gEE and the only vEE) and three gEE of the pile."""
    deck = {"gEE": 17, "vEE": 1}
    state = dealt(load, deck, players=2).state
    seen = json.loads(state.information_state_string(0))
    assert (seen["hand"], seen["display"], seen["pile"]) == ({"gEE": 6}, {"gEE": 3}, 3)
    held = 0
    for seed in range(900):
        guess = state.determinize(0, seed)
        hand = json.loads(guess.information_state_string(1))["hand"]
        assert sum(hand.values()) == 6
        held += hand.get("vEE", 0)
    assert abs(held - 600) < 75  # the vEE is in six of nine places; five standard deviations


@rule("TM-28")
def test_tm_28_determinize_deals_one_draw_per_place_players_ascending(load):
    table = Table(
        load,
        "gEE gEE gEM gEM gEV wE",
        "vEE vEE vEM vEM vEV wE",
        "rEE rEE rEM rEM rEV wE",
        display="yEE yEE yEM yEM yEV",
        deck=SHIPPED["deck"],
    ).withdraw("*gEV take:yEE take:yEM")
    seed, player = 7, 1
    unseen = Counter(SHIPPED["deck"])
    seen = table.look(player)
    for held in (seen["hand"], seen["display"], seen["discards"], seen["known"][0], seen["known"][2]):
        unseen.subtract(held)
    luck = Rng(seed, 0)
    hands = {}
    for other in (0, 2):
        hand = Counter(seen["known"][other])
        for _ in range(seen["hands"][other] - hand.total()):
            r = luck.below(unseen.total())
            for card in SHIPPED["deck"]:
                r -= unseen[card]
                if r < 0:
                    break
            hand[card] += 1
            unseen[card] -= 1
        hands[other] = hand
    guess = table.state.determinize(player, seed)
    for other in (0, 2):
        assert json.loads(guess.information_state_string(other))["hand"] == dict(hands[other])
    generator = np.random.default_rng(3)
    drawn = int(np.random.default_rng(3).integers(0, 2**64, dtype=np.uint64))
    assert table.state.determinize(player, generator) == table.state.determinize(player, drawn)


@rule("TM-R4")
def test_tm_r4_when_the_game_is_over_all_hands_are_open(load):
    table = Table(load)
    while not table.state.is_terminal():
        table.win(0)
    assert table.look(0)["known"] == [table.look(player)["hand"] for player in range(3)]
    assert table.state.determinize(0, 1) == table.state


# Tokens


@rule("TM-R10")
def test_tm_r10_a_visit_begins_with_its_display(load):
    state = load("tajmahal").new_initial_state()
    seen = json.loads(state.information_state_string(0))
    while seen["phase"] != "display":
        assert seen["phase"] in ("provinces", "bonus", "deal")
        assert (seen["in"], seen["offer"]) == ([False] * 3, [])
        state.apply_action(state.legal_actions()[0])
        seen = json.loads(state.information_state_string(0))
    assert (seen["in"], seen["offer"]) == ([True] * 3, list(SYMBOLS))
    table = Table(load)
    while not table.state.is_terminal():
        table.lowest()
    assert (table.look()["in"], table.look()["offer"]) == ([False] * 3, [])


@rule("TM-30")
def test_tm_30_types_are_ordered_by_colour_and_symbols(load):
    game = load("tajmahal", data=box(deck=dict.fromkeys(COLOURED + WHITE, 1)))
    state = game.new_initial_state()
    tokens = [state.action_to_string(action) for action in range(90)]
    assert tokens == ["*" + card for card in COLOURED + WHITE]
    assert tokens[:8] == ["*gEE", "*gEM", "*gEV", "*gEG", "*gEK", "*gEP", "*gMM", "*gMV"]


@rule("TM-31", "TM-32", "TM-33")
@pytest.mark.parametrize("monk_colour", ["later", "announce"])
def test_tm_31_to_33_tokens_and_ids_are_laid_out_as_documented(load, monk_colour):
    game = load("tajmahal", monk_colour=monk_colour)
    state = game.new_initial_state()
    types = list(SHIPPED["deck"])
    coloured, white = types[:44], types[44:]
    cities = [city["id"] for city in SHIPPED["cities"]]
    expected = ["*" + card for card in types]
    expected += ["*" + letter for letter in "ABCDEFHIJKL"]
    expected += ["*+2", "*card", "*rice", "*tea", "*spice", "*gems", "out", "none"]
    expected += coloured
    expected += [f"{card}+{other}" for card in coloured for other in white]
    expected += [f"{card}+{special}" for special in ("sV", "sG", "sK", "sP") for card in coloured]
    if monk_colour == "announce":
        expected += [f"{card}+sK/{colour}" for colour in "gvry" for card in coloured]
    expected += ["at:" + city for city in cities] + ["crown:" + city for city in cities]
    expected += ["take:" + card for card in types]
    assert game.num_distinct_actions == len(expected) == (701 if monk_colour == "later" else 877)
    assert [state.action_to_string(action) for action in range(len(expected))] == expected
    assert [state.string_to_action(token) for token in expected] == list(range(len(expected)))


@rule("TM-30", "TM-31", "TM-32", "TM-33")
@pytest.mark.parametrize(
    "token",
    [
        *["", " ", "gEV ", "OUT", "gev", "gVE", "gMM", "wE", "wE+gEV", "gEV+gEV", "gEV+", "gEV+sX", "gEV+sM"],
        *["gEV+sK/r", "gEV+sV/r", "*G", "*M", "*wX", "*gMM", "*", "*gold", "at:G6", "at:", "crown:A9"],
        *["take:", "take:gMM", "take:sV", "sV", "*sV", "gEV+wE+wM", "at:a1", "gEV\n", "none+none"],
    ],
)
def test_tm_30_to_33_malformed_and_impossible_tokens_are_refused(load, token):
    state = load("tajmahal").new_initial_state()
    with pytest.raises(ValueError, match="position"):
        state.string_to_action(token)


@rule("TM-31")
def test_tm_31_announce_refuses_other_colours_and_other_special_cards(load):
    state = load("tajmahal", monk_colour="announce").new_initial_state()
    assert state.action_to_string(state.string_to_action("gEV+sK/r")) == "gEV+sK/r"
    for token in ("gEV+sK/w", "gEV+sK/", "gEV+sV/r", "gEV+wE/r", "gEV/r"):
        with pytest.raises(ValueError, match="position"):
            state.string_to_action(token)


def test_illegal_actions_are_named_and_change_nothing(load):
    state = Table(load, "gEE").state
    before = state.clone()
    with pytest.raises(ValueError, match="vEE"):
        state.apply_action(state.string_to_action("vEE"))
    assert state == before


# Options


def test_options_and_their_defaults(load):
    game = load("tajmahal")
    assert dict(game.rules) == {"players": 3, "monk_colour": "later", "data": "shipped"}
    assert list(game.rules) == ["players", "monk_colour", "data"]
    for players in (2, 3, 4, 5):
        assert load("tajmahal", players=players).num_players == players


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"players": 1}, "players"),
        ({"players": 6}, "players"),
        ({"players": "3"}, "players"),
        ({"monk_colour": "never"}, "monk_colour"),
        ({"monk_colour": True}, "monk_colour"),
        ({"colour": "later"}, "colour"),
        ({"data": 3}, "data"),
        ({"data": "/no/such/file.json"}, "data"),
        ({"data": {}}, "deck"),
    ],
)
def test_wrong_options_are_named(load, options, named):
    with pytest.raises(ValueError, match=named):
        load("tajmahal", **options)


def test_data_is_read_from_a_path_or_given_as_an_object(load, tmp_path):
    data = box(note="my own")
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    by_path, by_name, by_object = (load("tajmahal", data=given) for given in (path, str(path), data))
    assert by_path.rules == by_name.rules == by_object.rules
    assert by_path.rules.as_dict()["data"] == data
    assert by_path.new_initial_state() == by_object.new_initial_state()
    again = load("tajmahal", **by_path.rules)
    assert again.rules == by_path.rules
    path.write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match="data"):
        load("tajmahal", data=str(path))


def changed(path: str, value: Any) -> dict[str, Any]:
    """The shipped data with one part replaced (or removed, with `...`)."""
    data = copy.deepcopy(SHIPPED)
    *way, last = path.split("/")
    part: Any = data
    for key in way:
        part = part[int(key)] if isinstance(part, list) else part[key]
    key = int(last) if isinstance(part, list) else last
    if value is ...:
        del part[key]
    else:
        part[key] = value
    return data


WRONG_DATA = [
    *[(key, ..., key) for key in ("deck", "province_tiles", "bonus_tiles", "taj_mahal", "cities", "roads")],
    *[(key, 7, key) for key in ("deck", "province_tiles", "bonus_tiles", "taj_mahal", "cities", "roads")],
    ("deck/gVE", 1, "gVE"),
    ("deck/wEE", 1, "wEE"),
    ("deck/bEE", 1, "bEE"),
    ("deck/gEE", -1, "gEE"),
    ("deck/gEE", 1.5, "gEE"),
    ("deck/gEE", True, "gEE"),
    ("deck/gEE", 100, "gEE"),
    ("deck", {"gEE": 22}, "deck"),
    ("province_tiles/12", ..., "12"),
    ("province_tiles/13", ["rice"], "13"),
    ("province_tiles/1", [], "province_tiles"),
    ("province_tiles/1", ["gold"], "gold"),
    ("province_tiles/1", ["rice", "tea", "gems"], "province_tiles"),
    ("bonus_tiles/+3", 1, r"\+3"),
    ("bonus_tiles/+2", 5, "bonus_tiles"),
    ("bonus_tiles/+2", 3, "bonus_tiles"),
    ("bonus_tiles/+2", "4", "bonus_tiles"),
    ("taj_mahal/city", "G4", "taj_mahal"),
    ("taj_mahal/city", "G9", "taj_mahal"),
    ("taj_mahal/city", ..., "taj_mahal"),
    ("taj_mahal/points", -4, "points"),
    ("taj_mahal/points", 100, "points"),
    ("taj_mahal/points", ..., "points"),
    ("cities/0/id", "M1", "cities"),
    ("cities/0/id", "A0", "cities"),
    ("cities/0/id", "A2", "A2"),
    ("cities/0/id", ..., "cities"),
    ("cities/0/fortress", 1, "fortress"),
    ("cities/1/fortress", True, "bonus_tiles"),
    ("cities", [city for city in SHIPPED["cities"] if city["id"][0] != "F"], "F"),
    ("roads/0", ["A1", "A9"], "A9"),
    ("roads/0", ["A1", "A1"], "roads"),
    ("roads/0", ["A1"], "roads"),
    ("roads/0", "A1A2", "roads"),
    ("note", {1, 2}, "note"),
]


@rule("TM-R9")
@pytest.mark.parametrize(("path", "value", "named"), WRONG_DATA, ids=lambda value: str(value)[:20])
def test_wrong_data_is_named(load, path, value, named):
    with pytest.raises(ValueError, match=named):
        load("tajmahal", data=changed(path, value))


@rule("TM-R9")
@pytest.mark.parametrize("province", "AFL")
def test_each_province_needs_a_city(load, province):
    cities = [city for city in SHIPPED["cities"] if city["id"][0] != province]
    with pytest.raises(ValueError, match=f"cities.*{province}"):
        load("tajmahal", data=box(cities=cities, roads=[]))


def test_the_deck_must_suffice_for_the_players(load):
    for players in (2, 3, 4, 5):
        load("tajmahal", players=players, data=box(deck={"gEE": 8 * players - 1}))
        with pytest.raises(ValueError, match="deck"):
            load("tajmahal", players=players, data=box(deck={"gEE": 8 * players - 2}))


def test_a_deck_has_at_most_128_cards(load):
    load("tajmahal", data=box(deck={"gEE": 99, "wM": 29}))
    with pytest.raises(ValueError, match="deck"):
        load("tajmahal", data=box(deck={"gEE": 99, "wM": 30}))


@pytest.mark.parametrize("deck", [{"gEE": 99, "vEG": 29}, {"gEE": 50, "vEG": 50, "rMK": 20}], ids=["99", "50-50"])
def test_no_card_is_lost_in_a_deck_of_few_types(load, deck):
    game = load("tajmahal", players=5, data=box(deck=deck))
    for state in random_game(game, 3, lively=True):
        seen = [json.loads(state.information_state_string(player)) for player in range(5)]
        found = Counter(seen[0]["display"]) + Counter(seen[0]["discards"])
        for player in range(5):
            found += Counter(seen[player]["hand"]) + Counter(seen[0]["played"][player])
        if seen[0]["phase"] in ("deal", "display", "draw"):
            chances = probabilities(state)
            found += Counter({card[1:]: round(chance * seen[0]["pile"]) for card, chance in chances.items()})
            assert found == deck
        assert not found - Counter(deck)


def test_the_order_of_cities_and_keys_has_no_meaning_and_the_taj_mahal_may_stand_elsewhere(load):
    data = box(cities=SHIPPED["cities"][::-1], taj_mahal={"city": "A1", "points": 7})
    game = load("tajmahal", data=data)
    state = game.new_initial_state()
    assert legal_tokens(state) == ["*" + letter for letter in "BCDEFGHIJKL"]
    table = Table(load, "gVV", provinces="BCDEFGHIJKL", data=data)
    assert "G5" in table.look()["bonus"]
    assert "A1" not in table.look()["bonus"]
    table.skip_visits(11).withdraw().do("gVV").withdraw().do("out")
    before = table.points()
    table.do("at:A1")
    assert table.points() == [before[0] + 7 + 1, before[1], before[2]]


# Check values


def test_check_value_deck_map_and_production():
    deck = SHIPPED["deck"]
    assert sum(deck.values()) == 96
    by_colour, by_symbol = Counter[str](), Counter[str]()
    for card, copies in deck.items():
        by_colour[card[0]] += copies
        for symbol in card[1:]:
            by_symbol[symbol] += copies
    assert by_colour == {"g": 21, "v": 21, "r": 21, "y": 21, "w": 12}
    assert by_symbol == {"E": 79, "M": 17, "V": 21, "G": 21, "K": 21, "P": 21}
    assert len(SHIPPED["cities"]) == 49
    assert [city["id"] for city in SHIPPED["cities"] if city["fortress"]] == sorted([*FORTRESSES, "G5"])
    assert len(SHIPPED["roads"]) == len({frozenset(road) for road in SHIPPED["roads"]}) == 84
    production = Counter(good for tile in SHIPPED["province_tiles"].values() for good in tile)
    assert production == {"rice": 7, "spice": 6, "tea": 5, "gems": 5}


def test_check_value_the_set_up_with_three_players_takes_49_chance_actions(load):
    state = load("tajmahal").new_initial_state()
    number = 0
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
        number += 1
    assert number == 49


@pytest.mark.parametrize(("players", "length"), [(2, 57 + 234 + 72), (3, 57 + 351), (4, 57 + 468), (5, 57 + 585)])
def test_check_value_the_bound_on_actions(load, players, length):
    assert load("tajmahal", players=players).max_game_length == length
    assert load("tajmahal", players=players, data=bare_box()).max_game_length == length - 21


def test_check_value_a_network_of_all_provinces_in_the_best_order_gives_78_palace_points(load):
    network = words("A3 C1,C2 B3 E1,E2 F1,F4 H1,H4 L3,L4 K2,K3 I4 J2,J3 D3 G2")
    feed = "gEE gEE gEE gEE gVG"
    order = "".join(cities[0] for cities in network[:-1])
    table = Table(load, 6 * "gVG ", display=feed, drawn=11 * f"{feed} ", provinces=order, data=bare_box())
    gained = []
    for number, cities in enumerate(network, start=1):
        before = table.points()[0]
        build = " ".join("at:" + city for city in cities.split(","))
        if number < 12:
            table.win(0, "gVG", build, feed)
        else:  # the final points come with the last card
            table.withdraw().do("gVG").withdraw().do("out at:G2 none")
        gained.append(table.points()[0] - before)
    assert gained == list(range(1, 13))
    assert sum(gained) == 78


# The contract of docs/rules/tajmahal.md, on random games


def random_game(game: Any, seed: int, lively: bool = False) -> Iterator[Any]:
    """The states of a game with random actions; a lively one seldom withdraws."""
    luck = random.Random(seed)
    state = game.new_initial_state()
    yield state
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
        else:
            actions = tuple(state.legal_actions())
            weights = tuple(
                0.2 if lively and state.action_to_string(action) in ("out", "none") else 1 for action in actions
            )
        state.apply_action(luck.choices(actions, weights)[0])
        yield state


INFORMATION_KEYS = words(
    "player phase visit turn provinces bonus ordinary mogul points goods tiles special used in colour played"
    " offer fictive display discards pile hand known hands build draws takes first"
)
PHASES = words("provinces bonus deal display turn build crown draw take fictive over")
VARIANTS = [
    {"players": 2},
    {"players": 3, "monk_colour": "announce"},
    {"players": 4},
    {"players": 5, "monk_colour": "announce"},
]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_the_information_state_is_one_line_of_json_with_the_documented_keys(load, options):
    game = load("tajmahal", **options)
    for state in random_game(game, 1):
        for player in range(game.num_players):
            text = state.information_state_string(player)
            seen = json.loads(text)
            assert list(seen) == INFORMATION_KEYS
            assert text == json.dumps(seen, separators=(",", ":"))
            assert seen["player"] == player
            assert seen["phase"] in PHASES
            order = list(SHIPPED["deck"])
            for pile in (seen["hand"], seen["display"], seen["discards"], *seen["known"], *seen["played"]):
                assert list(pile) == [card for card in order if card in pile]
                assert all(copies > 0 for copies in pile.values())


def expected_observation(seen: dict[str, Any], n: int) -> list[int]:
    """The sections of the page's table, made from the information state alone."""
    types = list(SHIPPED["deck"])
    cities = sorted(city["id"] for city in SHIPPED["cities"])
    seats = [(seen["player"] + k) % n for k in range(n)]
    fictive = seen["fictive"] or {"in": False, "cards": {}}

    def copies(held: dict[str, int]) -> list[int]:
        return [held.get(card, 0) for card in types]

    def symbols(held: dict[str, int]) -> list[int]:
        return [sum(held[card] * card[1:].count(symbol) for card in held) for symbol in SYMBOLS]

    values = copies(seen["hand"])
    values += [value for seat in seats for value in copies(seen["known"][seat])]
    values += [seen["hands"][seat] - sum(seen["known"][seat].values()) for seat in seats]
    values += [value for seat in seats for value in copies(seen["played"][seat])]
    for seat in seats:
        total = symbols(seen["played"][seat])
        total[0] += 2 * (seen["special"][1] == seat and "sG" in seen["used"])
        total[1] += 2 * (seen["special"][0] == seat and "sV" in seen["used"])
        values += total
    values += [int(seen["colour"][seat] == colour) for seat in seats for colour in "gvry"]
    values += [int(seen["in"][seat]) for seat in seats]
    values += [int(holder == seat) for seat in seats for holder in seen["special"]]
    values += [int(card in seen["used"]) for card in ("sV", "sG", "sK", "sP")]
    values += [number for seat in seats for number in seen["tiles"][seat]]
    values += [int(symbol in seen["offer"]) for symbol in SYMBOLS]
    values += [*copies(seen["display"]), *copies(seen["discards"]), seen["pile"]]
    numbers = {letter: number for number, letter in enumerate(seen["provinces"], start=1)} | {"G": 12}
    values += [numbers.get(letter, 0) for letter in "ABCDEFGHIJKL"]
    values += [int(numbers.get(letter) == seen["visit"]) for letter in "ABCDEFGHIJKL"]
    values += [SHIPPED["province_tiles"][str(seen["visit"])].count(good) for good in COMMODITIES]
    values += [int(seen["bonus"].get(city) == kind) for kind in BONUS_KINDS for city in cities]
    values += [int(seen["ordinary"].get(city) == seat) for seat in seats for city in cities]
    values += [int(seen["mogul"].get(city) == seat) for seat in seats for city in cities]
    owners = [*seen["ordinary"].values(), *seen["mogul"].values()]
    values += [20 - owners.count(seat) for seat in seats]
    values += [number for seat in seats for number in seen["goods"][seat]]
    values += [min(seen["points"][seat], 255) for seat in seats]
    values += [max(seen["points"][seat] - 255, 0) for seat in seats]
    values += [int(seen["visit"] == visit) for visit in range(1, 13)]
    values += [int(seen["phase"] == phase) for phase in PHASES]
    values += [int(seen["turn"] == seat) for seat in seats]
    values += [int((seen["visit"] - 1) % n == seat) for seat in seats]
    values += [*seen["build"], seen["draws"], seen["takes"]]
    values += [int(seen["first"] == card) for card in types]
    values += [int(fictive["in"]), *copies(fictive["cards"]), *symbols(fictive["cards"])]
    return values


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_the_observation_is_that_of_the_page(load, options):
    game = load("tajmahal", **options)
    n = game.num_players
    shape = (50 * (2 * n + 5) + 49 * (2 * n + 6) + 29 * n + 73,)
    assert tuple(game.observation_tensor_shape) == shape
    for number, state in enumerate(random_game(game, 2, lively=True)):
        player = number % n
        tensor = state.observation_tensor(player)
        assert (tensor.dtype, tensor.shape) == (np.float32, shape)
        expected = expected_observation(json.loads(state.information_state_string(player)), n)
        assert tensor.tolist() == expected


@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("lively", [False, True])
def test_random_games_keep_the_laws(load, options, lively):
    game = load("tajmahal", **options)
    n = game.num_players
    luck = random.Random(5)
    for seed in range(2):
        for length, state in enumerate(random_game(game, seed, lively)):
            assert length <= game.max_game_length
            legal = state.legal_actions()
            assert legal == sorted(set(legal))
            assert bool(legal) != state.is_terminal()
            seen = [json.loads(state.information_state_string(player)) for player in range(n)]
            public = seen[0]
            everywhere = Counter(public["display"]) + Counter(public["discards"])
            for player in range(n):
                assert public["hands"][player] == sum(seen[player]["hand"].values()) <= 42
                assert not Counter(public["known"][player]) - Counter(seen[player]["hand"])
                everywhere += Counter(seen[player]["hand"]) + Counter(public["played"][player])
            if public["fictive"]:
                everywhere += Counter(public["fictive"]["cards"])
            assert everywhere.total() + public["pile"] == 96
            assert not everywhere - Counter(SHIPPED["deck"])
            assert all(0 <= points <= 284 for points in state.scores())
            if state.is_chance_node():
                assert math.isclose(sum(probability for _, probability in state.chance_outcomes()), 1)
                assert [action for action, _ in state.chance_outcomes()] == legal
            if luck.random() < 0.1:
                player = luck.randrange(n)
                guess = state.determinize(player, seed)
                assert guess.information_state_string(player) == state.information_state_string(player)
                assert np.array_equal(guess.observation_tensor(player), state.observation_tensor(player))
                copied = game.deserialize_state(state.serialize())
                assert copied == state == state.clone()
                assert copied.legal_actions() == legal
        if game.num_players > 1:
            assert math.isclose(sum(state.returns()), 0, abs_tol=1e-12)


PAGE = Path(__file__).parents[3] / "docs" / "rules" / "tajmahal.md"


@pytest.mark.parametrize("options", [*VARIANTS, {"players": 5, "data": box(deck={"gEE": 99, "wM": 29})}], ids=str)
def test_observation_parts_are_the_sections_of_the_page_and_their_bounds_hold(options):
    game = reference.Game(**options)
    parts = game.observation_parts
    sections = PAGE.read_text(encoding="utf-8").split("| section | size |")[1].split("\n\n")[0].splitlines()[2:]
    assert [part[0] for part in parts] == [section.split("|")[1].strip() for section in sections]
    ends = [offset + size for _, offset, (size,), *_ in parts]
    assert [offset for _, offset, *_ in parts] == [0, *ends[:-1]]
    low = np.concatenate([np.full(shape, low) for _, _, shape, low, _, _ in parts])
    high = np.concatenate([np.full(shape, high) for *_, shape, _, high, _ in parts])
    for number, state in enumerate(random_game(game, 4, lively=True)):
        tensor = state.observation_tensor(number % game.num_players)
        assert np.all((low <= tensor) & (tensor <= high))


def test_the_map_has_the_coordinates_of_the_data():
    shown = tilery.load("tajmahal").map
    assert shown["cities"] == [
        {"name": city["id"], "xy": city["xy"], "fortress": city["fortress"]} for city in SHIPPED["cities"]
    ]
    assert {frozenset(road) for road in shown["roads"]} == {frozenset(road) for road in SHIPPED["roads"]}
    assert shown["taj_mahal"] == "G5"


@pytest.mark.parametrize("xy", [None, [1], ["a", "b"]], ids=str)
def test_a_map_without_coordinates_is_drawn_in_rows(xy):
    cities = [{**city, "xy": xy} if city["id"] == "C3" else city for city in SHIPPED["cities"]]
    shown = tilery.load("tajmahal", data=box(cities=cities)).map
    places = {tuple(city["xy"]) for city in shown["cities"]}
    assert len(places) == 49
    assert all(0 <= number <= 100 for place in places for number in place)
