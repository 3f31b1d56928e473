"""Java: what the source says, sentence by sentence, tested from its text alone; docs/sources.md is the table."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.java.test_rules import CITY, Table, first_decision, starting
from tests.kit.walking import look

# Water on 3.9 with tiles around it but for 4.8 and 3.7, and a figure of player 0 on the rice 2.10: 5 AP.
POND = "w@3.9 3@2.8/NE +1.9 1.9> >2.10 3@3.11/SE"


def test_a_turn_has_six_action_points_in_any_order(load: Any) -> None:
    table = Table(load).play("w@3.9 open * quiet w@3.13 pile * quiet")
    assert table.seen()["ap"] == 0
    assert table.legal == ["end", "extra"]


def test_each_turn_places_a_land_tile_and_irrigation_is_none(load: Any) -> None:
    table = Table(load)
    assert not table.can("end")
    assert not table.play("w@3.9").can("end")
    assert table.play("quiet").can("end")


def test_a_palace_changes_once_a_turn(load: Any) -> None:
    table = Table(load).play(f"{CITY} end quiet end v@3.13 P3.9=4 v@2.10 3@4.8/SW")
    assert table.palaces["3.9"] == (4, True)
    assert not table.can("P3.9=6")  # the city has six spaces now
    assert table.play("end quiet end quiet").can("P3.9=6")


def test_a_palace_built_is_not_expanded_in_the_same_turn(load: Any) -> None:
    village = "3@3.9/W 3@3.11/NE 3@4.10/SE +5.9 5.9> >3.11 end quiet end v@3.13"
    table = Table(load).play(village)
    assert table.can("P3.9=2")
    assert table.can("P3.9=4")
    assert not table.play("P3.9=2").can("P3.9=4")


def test_two_cards_a_turn_at_most(load: Any) -> None:
    for cards in ("open * open *", "open * pile *", "pile * pile *"):
        table = Table(load).play(cards)
        assert table.seen()["ap"] == 4
        assert not table.can("open")
        assert not table.can("pile")


def test_a_festival_is_free_and_ends_the_turn(load: Any) -> None:
    table = Table(load, deal="m m m d d d m").play(f"{CITY} end quiet end quiet")
    assert table.play("F3.9").legal == ["lay:m"]
    table.play("lay:m")  # nobody else has a figure in the city
    assert table.player == 1
    assert table.scores == [1 + 1, 0]


def test_tiles_of_all_sizes_cost_one_and_small_ones_are_the_players_own(load: Any) -> None:
    table = Table(load)
    assert [table.cost(token) for token in ("3@3.9/E", "2@3.9/E", "r@3.9", "v@3.9")] == [1, 1, 1, 1]
    supply = table.play("3@3.9/E 2@1.5/E r@5.5 v@5.13").seen()["supply"]
    assert (supply["three"], supply["two"], supply["rice"], supply["village"]) == (55, [4, 5], [2, 3], [1, 2])


def test_tiles_need_no_neighbour_and_no_edge(load: Any) -> None:
    table = Table(load)
    assert table.can("r@3.9")
    assert table.play("r@1.5").can("3@4.10/SE")


def test_no_part_of_a_tile_is_in_the_air(load: Any) -> None:
    table = Table(load).play("r@3.9")
    assert not table.can("2@3.9/E")
    assert table.play("r@3.11").can("2@3.9/E")
    assert table.play("2@3.9/E").height("3.11") == 2


def test_equal_tiles_do_not_lie_exactly_on_each_other(load: Any) -> None:
    table = Table(load, two_on_three=False).play("r@1.5 2@2.6/E 3@4.6/E 3@1.11/E end quiet end")
    for token in ("r@1.5", "v@1.5", "2@2.6/E", "2@2.8/W", "3@4.6/E", "3@5.7/NW"):
        assert not table.can(token), token
    # A tile of more than one space then rests on two others at least, says the remark in brackets.
    assert not table.can("2@4.6/E")
    assert not table.can("2@1.11/E")
    assert table.can("r@4.6")
    assert Table(load, two_on_three=True).play("3@4.6/E").can("2@4.6/E")


def test_cities_may_be_split_and_joined_with_villages_but_not_with_cities(load: Any) -> None:
    second = "2@2.4/NE 2@3.5/W +2.4 P3.5=2"
    table = Table(load).play(f"{CITY} end quiet end {second} end quiet end")
    assert not table.can("v@3.7")  # would join the two
    assert table.can("r@3.7")
    assert table.after("v@3.13").top("3.13") == "v"  # a village joined
    assert table.after("r@4.10").top("4.10") == "r"  # a village space covered
    assert table.after("r@4.10").palaces == table.palaces  # split or shrunk, cities keep what they have


def test_figures_palaces_and_water_are_not_covered(load: Any) -> None:
    table = Table(load).play(f"{CITY} end quiet end w@3.5")
    for token in ("r@3.11", "v@3.9", "r@3.5", "2@3.5/W", "r@3.17"):
        assert token not in table.legal, token


def test_an_overhang_costs_one_for_each_space_outside_on_the_ground_alone(load: Any) -> None:
    table = Table(load)
    assert [table.cost(token) for token in ("2@1.5/NE", "3@1.5/NW", "3@1.5/NE")] == [2, 3, 2]
    assert not table.can("2@0.6/E")  # nothing of it inside
    table.play("2@1.5/NE 2@1.7/NE end quiet end")
    for upper in ("r@0.6", "v@0.6", "2@0.6/E", "2@1.5/E"):
        assert table.cost(upper) == 1, upper


def test_irrigation_lies_on_the_board_itself_also_side_by_side(load: Any) -> None:
    table = Table(load)
    assert table.cost("w@3.9") == 1
    assert table.play("w@3.9").can("w@3.11")
    assert not table.play("3@4.8/SW").can("w@4.8")


@pytest.mark.parametrize("turn", [f"{POND} 3@4.8/W", "3@2.8/NE +1.9 1.9> >2.10 3@3.11/SE 3@4.8/W w@3.9"])
def test_the_only_player_ashore_scores_three_by_land_or_by_water(load: Any, turn: str) -> None:
    assert Table(load).play(turn).scores == [3, 0]


def test_ashore_the_highest_figure_scores_whoever_closed_the_water(load: Any) -> None:
    table = Table(load).play(f"{POND} end")
    assert table.after("+1.9 1.9> >2.8 3@4.8/W").scores == [0, 0]  # level
    assert table.after("v@2.8 +1.9 1.9> >2.8 3@4.8/W").scores == [0, 3]  # higher
    assert table.after("3@4.8/W").scores == [3, 0]  # closed by the other


def test_ashore_the_next_figures_decide_between_equals(load: Any) -> None:
    table = Table(load).play(f"{POND} end quiet +1.9 1.9> >2.8 end quiet +1.9 1.9> >3.11 end")
    assert table.figures == {"2.10": 0, "3.11": 0, "2.8": 1}
    assert table.play("3@4.8/W").scores == [3, 0]  # all on height 1, but player 0 has one more


def test_figures_pay_for_changes_of_colour_only(load: Any) -> None:
    table = Table(load).play("3@4.10/SE r@5.11 +5.9")
    assert table.height("5.11") == 2
    assert table.cost("5.9> >5.11") == 0
    assert table.cost("5.9> >4.10") == 1
    assert table.after("5.9>").legal == [">4.10", ">5.11"]  # tiles alone, not the board itself


def test_figures_come_and_go_at_the_edge_for_one_or_two(load: Any) -> None:
    table = Table(load).play("r@1.5 r@5.13 2@5.5/SW")
    assert [table.cost(token) for token in ("+1.5", "+5.13", "+6.4")] == [2, 1, 1]
    assert "+3.9" not in table.after("3@3.9/E").legal
    assert table.after("+5.13").cost("-5.13") == 1
    table.play("end quiet end quiet +1.5")
    assert table.cost("-1.5") == 2


def test_figures_pass_their_own_and_nobody_elses(load: Any) -> None:
    table = Table(load).play("3@4.10/SE r@5.13 +5.11")
    assert table.after("+5.9 5.9>").legal == [">4.10", ">5.13"]
    other = table.play("end quiet +5.9")
    assert not other.can("+5.11")  # one figure a space
    assert other.play("5.9>").legal == [">4.10"]


def test_the_highest_figure_builds_and_scores_half(load: Any) -> None:
    table = Table(load).play(CITY)
    assert table.scores == [1, 0]
    assert table.palaces == {"3.9": (2, True)}
    village = Table(load).play("3@3.9/W 3@3.11/NE 3@4.10/SE +5.9 5.9> >3.11")
    assert not village.can("P3.9=4")  # three spaces
    assert not village.can("P3.11=2")  # not free
    village.play("end quiet +5.9 5.9> >4.10")
    assert not any(token.startswith("P") for token in village.legal)  # level with player 0
    village.play("end quiet")
    assert not any(token.startswith("P") for token in village.legal)


def test_a_palace_keeps_its_value_when_its_city_shrinks(load: Any) -> None:
    table = Table(load).play(f"{CITY} end quiet end v@3.13 P3.9=4 end quiet end r@4.10")
    assert table.palaces["3.9"][0] == 4


def test_the_open_card_is_replaced_at_once(load: Any) -> None:
    table = Table(load, deal="m m m d d d p").play("open")
    assert table.state.is_chance_node()
    assert table.play("*dp").seen()["cards"]["open"] == "dp"
    assert table.seen()["cards"]["hand"] == [3, 0, 1, 0, 0, 0]


def test_a_festival_needs_a_symbol_of_the_open_card_and_a_new_palace(load: Any) -> None:
    assert not Table(load, deal="m m m d d d p").play(f"{CITY} end quiet end quiet").can("F3.9")
    assert Table(load, deal="m m m d d d md").play(f"{CITY} end quiet end quiet").can("F3.9")  # one of two is enough
    table = Table(load, deal="m m m d d d m").play(f"{CITY} end quiet end quiet F3.9 lay:m quiet end quiet")
    assert table.palaces["3.9"] == (2, False)
    assert not table.can("F3.9")
    assert table.play("v@3.13 P3.9=4").palaces["3.9"] == (4, True)
    assert table.can("F3.9")


def test_bidding_goes_round_and_a_pass_is_for_good(load: Any) -> None:
    table = Table(load, deal="m m m m md d m").play(f"{CITY} end quiet +5.9 5.9> >4.10 end quiet F3.9 lay:m stop")
    assert table.player == 1
    tie = table.after("lay:m stop pass pass")
    assert tie.scores == [1, 0]  # tied for a palace of 2: no points
    lost = table.after("lay:m lay:md stop pass")
    assert lost.scores == [1, 1]  # half of 2, though player 0 called it
    assert lost.player == 1
    assert lost.palaces["3.9"] == (2, False)
    assert table.after("pass").scores == [2, 0]


def test_a_token_adds_a_point_once_a_turn_three_times_a_game(load: Any) -> None:
    table = Table(load)
    for left in (2, 1, 0):
        table.play("quiet quiet extra")
        assert table.seen()["ap"] == 5
        assert table.seen()["supply"]["tokens"][0] == left
        assert not table.can("extra")
        table.play("end quiet end")
    assert not table.can("extra")


def test_the_last_three_space_tile_brings_final_counts_turn_by_turn(load: Any) -> None:
    table = Table(load, quarry=56).play(f"{CITY} end quiet end").lay_all()
    mover = table.player
    before = table.scores
    table.play("end")
    assert table.player == 1 - mover
    assert table.scores[mover] == before[mover] + (2 if mover == 0 else 0)
    assert table.can("end")  # no land tile is due any more
    table.play("end")
    assert table.state.is_terminal()
    assert table.scores == [1 + 2, 0]


def test_the_final_count_pays_the_second_half(load: Any) -> None:
    table = Table(load, quarry=56).play(f"{CITY} end quiet v@4.10 +5.9 5.9> >4.10 end").lay_all().play("end end")
    assert table.scores == [1 + 1, 2]  # player 1 stands on height 2, player 0 on 1


def test_everybody_begins_with_the_same_and_three_cards(load: Any) -> None:
    supply = Table(load).seen()["supply"]
    assert (supply["figures"], supply["tokens"]) == ([12, 12], [3, 3])
    assert (supply["two"], supply["rice"], supply["village"]) == ([5, 5], [3, 3], [2, 2])
    cards = Table(load).seen()["cards"]
    assert sum(cards["hand"]) == 3
    assert cards["unknown"] == [3, 3]
    assert cards["open"] is not None


def test_the_island_has_150_spaces_and_three_ponds(load: Any) -> None:
    assert look(load("java").new_initial_state())["board"]["tops"].count("~") == 3
    assert len(starting("r@", first_decision(load("java")))) == 150
