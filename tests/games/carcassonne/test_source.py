"""Carcassonne: what the source says, sentence by sentence, tested from its text alone; docs/sources.md is the table."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.carcassonne.drawing import BOX, cells, draw_out, go, known, land, lay, place, tokens
from tests.kit.walking import play

SMALL = [0, 0, 0, 1]
"""A table of two cells: what is placed on the second one ends the game."""


def meeples(state: Any) -> list[list[Any]]:
    found: list[list[Any]] = known(state)["meeples"]
    return found


def test_72_tiles_and_12_with_animals(load: Any) -> None:
    assert sum(tile["count"] for tile in BOX if tile["set"] == "base") == 72
    assert sum(tile["count"] for tile in BOX if tile["set"] != "base") == 12
    assert known(load("carcassonne").new_initial_state())["pile"] == 83  # one lies on the table


def test_everybody_has_seven_meeples_to_place(load: Any) -> None:
    state = load("carcassonne", players=5).new_initial_state()
    assert known(state)["supply"] == [7] * 5


def test_a_tile_joins_by_a_side_and_fits_on_all_sides(load: Any) -> None:
    state = load("carcassonne").new_initial_state()
    assert cells(state, "C") == ["0,1@0"]  # city all round, only at the city; corners do not count
    assert cells(state, "B") == ["0,-1@0"]  # a monastery in a field asks for a field, and for nothing else
    assert "0,-2@0" in cells(lay(load("carcassonne"), "(D)\nB@0"), "B")


def test_a_tile_that_fits_nowhere_leaves_and_another_is_drawn(load: Any) -> None:
    state = load("carcassonne", table=[0, 0, 0, 1]).new_initial_state()
    before = known(state)["pile"]
    go(state, "*B")
    assert state.is_chance_node()
    assert known(state)["pile"] == before - 1
    assert known(state)["turn"] == 0


def test_one_meeple_on_the_tile_just_placed(load: Any) -> None:
    state = play(load("carcassonne"), "*W 1,0@0")
    assert tokens(state) == ["-", "r0", "r1", "r2", "f0", "f1", "f2"]
    assert meeples(go(state, "r1")) == [[1, 0, "r1", 0]]
    assert state.is_chance_node()


def test_no_meeple_joins_another_even_an_own_one(load: Any) -> None:
    state = play(load("carcassonne"), "*U 1,0@0 r0 *U 2,0@0")
    assert not any(token.startswith("r") for token in tokens(state))
    go(state, "- *U 3,0@0")
    assert not any(token.startswith("r") for token in tokens(state))


def test_a_monastery_may_have_a_farmer_beside_it_instead_of_a_monk(load: Any) -> None:
    assert tokens(play(load("carcassonne"), "*B 0,-1@0")) == ["-", "f0", "m"]


def test_a_road_between_two_ends_scores_its_tiles_at_once(load: Any) -> None:
    state = play(load("carcassonne"), "*A 1,0@0 r0")
    assert state.scores() == [0, 0]
    go(state, "*A -1,0@2 -")
    assert state.scores() == [3, 0]
    assert known(state)["supply"] == [7, 7]  # the thief is home


def test_a_ring_is_a_closed_road(load: Any) -> None:
    state = play(load("carcassonne"), "*V 1,0@0 r0 *V 1,-1@1 - *U 0,-1@0 - *V -1,-1@2 - *V -1,0@3 -")
    assert state.scores() == [6, 0]


@pytest.mark.parametrize(
    ("turns", "points"),
    [("*D 0,1@2 c0", 4), ("*G 0,1@0 c0 *E 0,2@2 -", 6), ("*F 0,1@0 c0 *E 0,2@2 -", 8)],
)
def test_a_closed_city_scores_two_for_each_part_and_arms(load: Any, turns: str, points: int) -> None:
    state = play(load("carcassonne"), turns)
    assert state.scores() == [points, 0]
    assert known(state)["supply"] == [7, 7]


def test_equals_on_a_joined_road_both_score_in_full(load: Any) -> None:
    turns = "*U 1,0@0 r0 *V 1,-1@3 r0 *V 2,0@0 - *V 2,-1@1 - *A -1,0@2 - *A 1,-2@1"
    state = play(load("carcassonne"), turns)
    assert not any(token.startswith("r") for token in tokens(state))
    assert go(state, "-").scores() == [7, 7]


def test_a_monastery_within_eight_tiles_scores_nine(load: Any) -> None:
    state = load("carcassonne").new_initial_state()
    place(state, 0, -1, "B@0", "m")
    for x, y, tile in (
        *((-1, 0, "U@0"), (1, 0, "U@0"), (-1, -1, "B@0"), (1, -1, "B@0"), (-1, -2, "B@0"), (1, -2, "E@2")),
        (0, -2, "E@2"),
    ):
        assert state.scores() == [0, 0]
        place(state, x, y, tile)
    assert state.scores() == [9, 0]


def test_farmers_stay_and_score_three_for_each_closed_city_in_the_end(load: Any) -> None:
    state = play(load("carcassonne", table=SMALL), "*E 0,1@2 f0")
    assert state.scores() == [0, 0]
    assert draw_out(state).scores() == [3, 0]
    assert [segment for _, _, segment, _ in meeples(state)] == ["f0"]


def test_a_city_between_two_fields_pays_in_both(load: Any) -> None:
    state = play(load("carcassonne", table=[0, 0, 1, 1]), "*E 0,1@2 f0 *L 1,0@0 f0 *E 1,1@2 -")
    assert draw_out(state).scores() == [6, 6]


@pytest.mark.parametrize(
    ("turns", "points"),
    [("*N 0,1@1 c0", 2), ("*M 0,1@1 c0", 3), ("*U 1,0@0 r0", 2), ("*B 0,-1@0 m", 2)],
)
def test_in_the_end_what_is_unfinished_scores_one_for_each_tile_and_arms(load: Any, turns: str, points: int) -> None:
    x, y = (int(number) for number in turns.split()[1].partition("@")[0].split(","))
    game = load("carcassonne", table=[min(x, 0), min(y, 0), max(x, 0), max(y, 0)])
    assert draw_out(play(game, turns)).scores() == [points, 0]


@pytest.mark.parametrize(("meeple", "left"), [("c0", []), ("f0", ["f0"])])
def test_in_the_final_scoring_all_but_farmers_go_home(load: Any, meeple: str, left: list[str]) -> None:
    game = load("carcassonne", table=SMALL, final_meeples="home")
    state = draw_out(play(game, f"*N 0,1@1 {meeple}"))
    assert [segment for _, _, segment, _ in meeples(state)] == left
    assert known(state)["supply"] == [7 - len(left), 7]


def test_first_games_may_be_played_without_farmers(load: Any) -> None:
    state = play(load("carcassonne", farmers=False), "*N 0,1@1")
    assert tokens(state) == ["-", "c0"]


def test_trees_and_unfinished_features_of_the_house_rules(load: Any) -> None:
    state = play(load("carcassonne", table=SMALL, score_unfinished=False), "*N 0,1@1 c0")
    assert draw_out(state).scores() == [0, 0]
    state = play(load("carcassonne", trees_end_roads=False), "*L 1,0@0")
    assert len([token for token in tokens(state) if token.startswith("r")]) == 1
    state = play(load("carcassonne"), "*L 1,0@0")
    assert len([token for token in tokens(state) if token.startswith("r")]) == 3


def test_the_edge_of_the_table_limits_the_land_and_may_close_it(load: Any) -> None:
    state = load("carcassonne", table=SMALL).new_initial_state()
    assert cells(state, "E") == ["0,1@2"]
    closed = play(load("carcassonne", table=[0, 0, 0, 1], edge_closes=True), "*N 0,1@1 c0")
    assert closed.scores() == [4, 0]
    assert land(closed)[0, 1] == "N@1"
