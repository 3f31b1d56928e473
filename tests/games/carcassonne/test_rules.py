"""Carcassonne, rule by rule: CA-1..CA-18 and CA-20..CA-23. House rules are in test_house_rules.py."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from tests.games.carcassonne.drawing import (
    BOX,
    HALF_EDGES,
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

rule = pytest.mark.rule

BASE_TYPES = [tile["id"] for tile in BOX if tile["set"] == "base"]
COPIES = {tile["id"]: tile["count"] for tile in BOX}


# Tiles and land.


@rule("CA-1")
def test_ca_1_winter_has_84_tiles_of_36_types(load: Any) -> None:
    start = known(load("carcassonne").new_initial_state())
    assert start["pile"] == 83
    assert start["unseen"] == [COPIES[kind] - (kind == "D") for kind in TYPES]


@rule("CA-1")
def test_ca_1_base_has_72_tiles_of_24_types(load: Any) -> None:
    state = load("carcassonne", tiles="base").new_initial_state()
    assert known(state)["pile"] == 71
    assert known(state)["unseen"] == [COPIES[kind] - (kind == "D") for kind in BASE_TYPES]
    assert tokens(state) == [f"*{kind}" for kind in BASE_TYPES]


@rule("CA-1")
def test_ca_1_three_of_four_d_stay_in_the_pile(load: Any) -> None:
    state = load("carcassonne").new_initial_state()
    assert known(state)["unseen"][TYPES.index("D")] == 3
    for x in (1, 2, 3):
        place(state, x, 0, "D@0")
    assert "*D" not in tokens(state)


@rule("CA-2")
def test_ca_2_the_start_tile_lies_unrotated_at_0_0(load: Any) -> None:
    state = load("carcassonne").new_initial_state()
    assert known(state)["land"] == [[0, 0, "D", 0]]
    # City in the north, road east and west, field in the south; x grows to the east, y to the north.
    assert {token.split("@")[0] for token in cells(state, "C")} == {"0,1"}
    assert {token.split("@")[0] for token in cells(state, "X")} == {"-1,0", "1,0"}
    assert {token.split("@")[0] for token in cells(state, "B")} == {"0,-1"}


LONGEST_LINES = {
    (0, 1): """
        T@1 W02@0 P@1 L@1 O@3 C@0 R@0 W06@2 W04@3 E@0 R@0 F@0 S@0 M@1 W05@1 W09@3 H@1 H@1 M@0 E@2 E@3 F@1
        Q@3 S@0 G@0 P@1 K@3 I@0 K@2 U@1 W10@1 W11@3 D@3 W07@1 H@1 E@1 N@0 N@2 J@3 W12@1 D@1 K@3 W08@1 A@3
        R@3 D@2 U@0 W@2 L@1 A@3 N@0 O@2 L@1 W@3 J@0 I@1 W01@0 J@2 V@0 V@1 P@0 E@2 U@0 W@2 U@1 V@0 W@2 X@0
        V@0 V@2 U@1 W03@3 U@0 B@0 U@0 U@0 V@2 V@0 B@0 V@1 V@0 B@0 B@0""",
    (1, 0): LONGEST_LINE_TO_THE_EAST,
    (0, -1): """
        R@1 K@0 W03@1 B@0 D@2 W02@3 E@2 R@2 F@0 W01@3 P@2 E@0 E@1 W05@3 W07@3 D@2 O@0 K@1 W10@0 W06@1 D@1
        W11@3 W@2 F@1 W09@3 L@3 X@0 W04@2 Q@2 E@0 U@0 U@0 K@3 J@2 L@0 J@2 R@2 I@0 I@1 P@3 L@2 T@2 H@0 O@0
        V@2 E@2 G@0 S@0 S@0 M@0 V@0 J@2 H@0 C@0 N@3 M@2 P@0 W12@0 W@3 W@2 U@0 V@3 W08@1 N@1 N@0 B@0 A@3
        W@2 B@0 A@2 V@3 V@1 V@3 V@1 U@0 V@0 V@1 U@0 B@0 H@1 U@0 U@0 U@0""",
    (-1, 0): """
        W02@3 S@1 E@1 M@3 W01@1 W06@3 S@0 W@2 W10@0 W03@2 J@2 W12@0 L@2 W@0 L@2 K@3 Q@0 M@3 R@0 G@0 V@1
        K@3 W05@1 D@2 W11@2 X@0 O@2 P@1 V@3 B@0 I@3 O@1 P@2 T@3 I@1 V@1 W@0 V@3 W09@3 V@0 L@2 D@0 W07@3
        W04@1 A@2 A@3 U@1 B@0 W@1 K@3 F@1 R@1 J@1 D@2 P@3 R@3 E@1 E@3 N@1 E@2 W08@0 V@3 N@2 C@0 E@1 N@3
        J@1 V@2 B@0 H@0 V@0 V@2 B@0 U@1 H@0 U@1 F@0 U@1 U@1 H@0 U@1 U@1 U@1""",
}


@rule("CA-2")
@pytest.mark.parametrize("step", LONGEST_LINES)
def test_ca_2_the_land_reaches_83_cells_in_every_direction(load: Any, step: tuple[int, int]) -> None:
    """All tiles in one straight line. Check values: 83 draws, 84 tiles on the land."""
    state = load("carcassonne").new_initial_state()
    for i, tile in enumerate(LONGEST_LINES[step].split(), start=1):
        place(state, i * step[0], i * step[1], tile)
    assert state.is_terminal()
    assert len(land(state)) == 84
    assert (83 * step[0], 83 * step[1]) in land(state)


@rule("CA-3")
def test_ca_3_rotation_is_a_number_of_clockwise_quarter_turns(load: Any) -> None:
    state = load("carcassonne").new_initial_state()
    # E: a city in the north, fields elsewhere. After two quarter turns its city lies in the south.
    assert cells(state, "E") == ["0,-1@1", "0,-1@2", "0,1@2", "0,-1@3"]
    # W03: a city in the north, a road in the west, else fields. After one turn the road lies in the north.
    assert cells(state, "W03") == ["1,0@0", "0,-1@2", "-1,0@2", "0,1@2", "0,-1@3"]


@rule("CA-3", "CA-R4")
def test_ca_3_of_rotations_with_the_same_layout_only_the_least_is_legal(load: Any) -> None:
    """South of these three tiles lie a field, a road and a city edge: each rotation fits one of them."""
    state = lay(load("carcassonne"), "(D)  V@0  E@2")
    rotations = {kind: sorted({int(token[-1]) for token in cells(state, kind)}) for kind in TYPES}
    assert [kind for kind in TYPES if rotations[kind] == [0]] == ["B", "C", "X"]
    assert [kind for kind in TYPES if rotations[kind] == [0, 1]] == ["F", "G", "H", "U", "W10", "W12"]
    assert sum(rotations[kind] == [0, 1, 2, 3] for kind in TYPES) == 36 - 9


@rule("CA-4")
@pytest.mark.parametrize(("kind", "count"), [("U", 3), ("V", 6), ("X", 2), ("C", 1), ("E", 4), ("W", 7), ("W12", 4)])
def test_ca_4_placements_after_the_start_tile(load: Any, kind: str, count: int) -> None:
    """Check values."""
    assert len(cells(load("carcassonne").new_initial_state(), kind)) == count


@rule("CA-4")
def test_ca_4_corners_do_not_count(load: Any) -> None:
    """C, all city, fits only north of the start tile, though its corners touch four empty cells."""
    assert cells(load("carcassonne").new_initial_state(), "C") == ["0,1@0"]


@rule("CA-4")
def test_ca_4_the_types_must_agree_on_every_shared_edge(load: Any) -> None:
    state = lay(
        load("carcassonne"),
        """
        E@2  .
        (D)  V@1
        """,
    )
    # At 1,1 a field is asked for in the west, a road in the south.
    assert [token for token in cells(state, "V") if token.startswith("1,1@")] == ["1,1@3"]
    assert [token for token in cells(state, "W") if token.startswith("1,1@")] == ["1,1@3"]
    assert [token for token in cells(state, "B") if token.startswith("1,1@")] == []


@rule("CA-4")
def test_ca_4_monasteries_demand_nothing(load: Any) -> None:
    """Two monasteries may be next to each other, edge to edge."""
    state = lay(
        load("carcassonne"),
        """
        (D)
        B@0
        """,
    )
    assert cells(state, "B") == ["0,-2@0", "-1,-1@0", "1,-1@0"]


@rule("CA-5")
def test_ca_5_roads_join_across_a_shared_edge(load: Any) -> None:
    state = play(load("carcassonne"), "*U 1,0@0 r0 *U 2,0@0")
    assert tokens(state) == ["-", "f0", "f1"]


@rule("CA-5")
def test_ca_5_cities_join_across_a_shared_edge(load: Any) -> None:
    state = play(load("carcassonne"), "*R 0,1@1 c0 *E 1,1@3")
    assert tokens(state) == ["-", "f0"]


@rule("CA-5")
def test_ca_5_fields_join_across_both_half_edges_beside_a_road(load: Any) -> None:
    """U divides north (f0) from south (f1); each half meets its own half on the next tile."""
    state = play(load("carcassonne"), "*U 1,0@0 f0 *U 2,0@0")
    assert tokens(state) == ["-", "r0", "f1"]
    state = play(load("carcassonne"), "*U 1,0@0 f1 *U 2,0@0")
    assert tokens(state) == ["-", "r0", "f0"]
    # Turned upside down, W has its long field (f0) in the south.
    state = play(load("carcassonne"), "*U 1,0@0 f1 *W 2,0@2")
    assert tokens(state) == ["-", "r0", "r1", "r2", "f1", "f2"]


@rule("CA-5")
def test_ca_5_fields_join_across_whole_field_edges(load: Any) -> None:
    state = play(load("carcassonne"), "*B 0,-1@0 f0 *B 0,-2@0")
    assert tokens(state) == ["-", "m"]


@rule("CA-5")
def test_ca_5_fields_do_not_join_across_a_road_or_a_city(load: Any) -> None:
    """The fields of F lie east and west of its city."""
    state = play(load("carcassonne"), "*F 0,1@0 f0 *U 1,0@0")
    assert tokens(state) == ["-", "r0", "f0", "f1"]


# A turn.


@rule("CA-6")
def test_ca_6_each_remaining_tile_is_drawn_with_equal_probability(load: Any) -> None:
    state = lay(load("carcassonne"), "(D) U@0 U@0")
    chances = {state.action_to_string(action): chance for action, chance in state.chance_outcomes()}
    assert chances["*U"] == 6 / 81
    assert chances["*D"] == 3 / 81
    assert chances["*X"] == 1 / 81
    assert sum(chances.values()) == pytest.approx(1)


@rule("CA-6")
def test_ca_6_a_tile_that_fits_nowhere_leaves_the_game(load: Any) -> None:
    """With the only city closed, C (four city edges) cannot be placed."""
    state = play(load("carcassonne"), "*E 0,1@2 -")
    before = known(state)
    go(state, "*C")
    assert state.is_chance_node()
    assert "*C" not in tokens(state)
    after = known(state)
    assert after["pile"] == before["pile"] - 1
    assert after["land"] == before["land"]
    assert after["turn"] == before["turn"] == 1


@rule("CA-6")
def test_ca_6_the_game_ends_at_once_when_the_pile_runs_out_so(load: Any) -> None:
    """On a table of two cells nothing fits after the first turn: 82 draws without a placement."""
    state = play(load("carcassonne", table=[0, 0, 0, 1]), "*M 0,1@1 c0")
    for _ in range(82):
        assert state.is_chance_node()
        assert state.scores() == [0, 0]
        state.apply_action(state.legal_actions()[-1])
    assert state.is_terminal()
    assert state.scores() == [3, 0]


@rule("CA-R5")
def test_ca_r5_tiles_that_left_the_game_are_not_kept_in_order(load: Any) -> None:
    """On a full table every tile leaves the game: two orders of the same tiles are one position."""
    game = load("carcassonne", table=[0, 0, 0, 1])
    one, other = (play(game, f"*M 0,1@1 c0 {tiles}") for tiles in ("*A *B *B", "*B *A *B"))
    assert one == other
    assert one != play(game, "*M 0,1@1 c0 *A *A *B")
    assert known(one)["unseen"][TYPES.index("B")] == COPIES["B"] - 2


@rule("CA-7", "G-3")
def test_ca_7_placing_the_tile_is_compulsory(load: Any) -> None:
    state = play(load("carcassonne"), "*C")
    assert tokens(state) == ["0,1@0"]


@rule("CA-8")
def test_ca_8_a_meeple_may_stand_on_any_one_segment_of_the_tile(load: Any) -> None:
    state = play(load("carcassonne"), "*W03 0,1@2")
    assert tokens(state) == ["-", "c0", "r0", "f0", "f1"]
    go(state, "f1")
    assert known(state)["meeples"] == [[0, 1, "f1", 0]]
    assert known(state)["supply"] == [6, 7]
    assert state.is_chance_node()


@rule("CA-8")
def test_ca_8_a_monastery_of_the_new_tile_is_always_free(load: Any) -> None:
    state = play(load("carcassonne"), "*B 0,-1@0 m *B 0,-2@0")
    assert tokens(state) == ["-", "f0", "m"]


@rule("CA-8")
def test_ca_8_a_feature_with_any_meeple_is_taken_also_with_an_own_one(load: Any) -> None:
    state = play(load("carcassonne"), "*U 1,0@0 r0 *U 2,0@0 - *U 3,0@0")
    assert state.current_player() == 0
    assert tokens(state) == ["-", "f0", "f1"]


@rule("CA-8")
def test_ca_8_a_feature_is_taken_by_a_meeple_on_any_part_that_the_tile_joins(load: Any) -> None:
    """U at 1,0 joins the road of player 0 in the west with a free one in the east."""
    state = play(
        load("carcassonne"),
        "*U -1,0@0 r0 *B 0,-1@0 - *B 1,-1@0 - *B 2,-1@0 - *U 2,0@0 - *U 1,0@0",
    )
    assert tokens(state) == ["-", "f0", "f1"]


@rule("CA-8")
def test_ca_8_a_farmer_is_seen_across_two_segments_that_meet_one_field(load: Any) -> None:
    """Around A in the east f0 and f1 of W meet; f0 joins the farmer's field, f1 another free one."""
    state = play(
        load("carcassonne"),
        "*U -1,0@0 f0 *E 0,1@2 - *B 1,1@0 - *B 2,1@0 - *A 2,0@0 - *B 0,-1@0 - *U 1,-1@1 - *W 1,0@0",
    )
    assert tokens(state) == ["-", "r0", "r1", "r2", "f2"]


@rule("CA-8", "G-7")
def test_ca_8_of_segments_of_one_feature_only_the_least_index_is_legal(load: Any) -> None:
    """The road ends at the monastery of A, around which the fields of both its sides meet."""
    state = play(load("carcassonne"), "*A 1,0@0 - *U -1,0@0")
    assert tokens(state) == ["-", "r0", "f0"]
    # Three curves make one road of the two of W12, and one field of the two outside.
    state = lay(
        load("carcassonne"),
        """
        (D)  .    V@0
        B@0  V@2  V@1
        """,
    )
    assert tokens(go(state, "*W12 1,0@0")) == ["-", "r0", "f0", "f1"]


@rule("CA-8", "G-3")
def test_ca_8_without_a_free_segment_the_turn_goes_on_without_an_action(load: Any) -> None:
    """C is one city and nothing else."""
    state = play(load("carcassonne"), "*R 0,1@1 c0 *C 1,1@0")
    assert state.is_chance_node()
    assert known(state)["turn"] == 0


SEVEN_MEEPLES = """
    *D 1,0@0 c0  *U -1,0@0 -
    *D 2,0@0 c0  *U -2,0@0 -
    *D 3,0@0 c0  *U -3,0@0 -
    *L 4,0@0 c0  *U -4,0@0 -
    *L 5,0@0 c0  *U -5,0@0 -
    *L 6,0@0 c0  *U -6,0@0 -
    *W 7,0@0 r0  *U -7,0@0 -
"""


@rule("CA-8")
def test_ca_8_there_are_seven_meeples_and_without_one_the_turn_goes_on(load: Any) -> None:
    state = play(load("carcassonne"), SEVEN_MEEPLES)
    assert known(state)["supply"] == [0, 7]
    go(state, "*B 0,-1@0")
    assert state.is_chance_node()
    assert known(state)["turn"] == 1


@rule("CA-8")
def test_ca_8_a_complete_feature_may_be_taken_and_scores_in_the_same_turn(load: Any) -> None:
    state = play(load("carcassonne"), "*E 0,1@2 c0")
    assert state.scores() == [4, 0]
    assert known(state)["supply"] == [7, 7]


@rule("CA-9")
def test_ca_9_meeples_come_home_too_late_for_the_same_turn(load: Any) -> None:
    """A ends the road on which the seventh meeple of player 0 stands."""
    state = play(load("carcassonne"), SEVEN_MEEPLES)
    go(state, "*A 8,0@0")
    assert state.is_chance_node()
    assert state.scores() == [2, 0]
    assert known(state)["supply"] == [1, 7]
    go(state, "*U -8,0@0 - *B 0,-1@0")
    assert "m" in tokens(state)


@rule("CA-9")
def test_ca_9_everything_the_tile_completes_is_scored_inside_the_action(load: Any) -> None:
    """L closes a road of player 0 in the west, one of player 1 in the south, a city of player 2."""
    state = play(
        load("carcassonne", players=3),
        """
        *A -1,0@2 r0  *E 0,1@2 -    *E 1,1@2 c0
        *B 0,-1@0 -   *A 1,-1@1 r0  *L 1,0@0
        """,
    )
    assert state.scores() == [0, 0, 0]
    go(state, "-")
    assert state.scores() == [3, 2, 4]
    assert known(state)["supply"] == [7, 7, 7]
    assert known(state)["meeples"] == []
    assert state.is_chance_node()
    assert known(state)["turn"] == 0


@rule("CA-9")
def test_ca_9_the_next_player_clockwise_is_next(load: Any) -> None:
    state = load("carcassonne", players=3).new_initial_state()
    movers = []
    for x in range(1, 8):
        go(state, f"*U {x},0@0")
        movers.append(state.current_player())
        go(state, "-")
    assert movers == [0, 1, 2, 0, 1, 2, 0]


# Scoring.


def road_of_three(load: Any, meeple: str) -> Any:
    """A closed road of eight tiles, meeples of both players on it; of player 0 a second one, if given."""
    return play(
        load("carcassonne"),
        f"""
        *U 0,-1@0 -   *U 1,-1@0 -
        *U 2,-1@0 -   *U 3,-1@0 -
        *U 4,-1@0 -   *U 2,0@0 r0
        *U 4,0@0 r0   *B 0,-2@0 -
        *U -1,0@0 {meeple}  *D 1,0@0 -
        *D 3,0@0 -    *A -2,0@2 -
        *A 5,0@0 -
        """,
    )


@rule("CA-10")
def test_ca_10_most_meeples_take_the_full_value_once(load: Any) -> None:
    state = road_of_three(load, "r0")
    assert state.scores() == [8, 0]
    assert known(state)["supply"] == [7, 7]


@rule("CA-10")
def test_ca_10_all_tied_for_most_get_the_full_value(load: Any) -> None:
    assert road_of_three(load, "-").scores() == [8, 8]


@rule("CA-10")
def test_ca_10_a_feature_without_meeples_gives_nothing(load: Any) -> None:
    assert play(load("carcassonne"), "*E 0,1@2 -").scores() == [0, 0]


@rule("CA-11")
@pytest.mark.parametrize("kind", ["W", "W11", "W09", "X", "T", "S", "W03", "W01", "A", "W08", "W10", "L"])
def test_ca_11_a_road_ends_at_junction_city_monastery_and_village(load: Any, kind: str) -> None:
    """From the monastery of A in the west over the start tile to the tile in the east: three tiles."""
    state = play(load("carcassonne"), f"*A -1,0@2 r0 *{kind} 1,0@0 -")
    assert state.scores() == [3, 0]
    assert known(state)["supply"] == [7, 7]


@rule("CA-11")
@pytest.mark.parametrize("kind", ["U", "W12", "V", "K"])
def test_ca_11_a_road_goes_on_where_nothing_ends_it(load: Any, kind: str) -> None:
    state = play(load("carcassonne"), f"*A -1,0@2 r0 *{kind} 1,0@0 -")
    assert state.scores() == [0, 0]
    assert known(state)["supply"] == [6, 7]


@rule("CA-11")
def test_ca_11_a_closed_ring_is_complete(load: Any) -> None:
    """Check values: four V tiles in a ring, a closed road of 4."""
    state = play(load("carcassonne"), "*V 0,-1@3 r0 *V 1,-1@0 - *V 0,-2@2 - *V 1,-2@1")
    assert state.scores() == [0, 0]
    go(state, "-")
    assert state.scores() == [4, 0]


@rule("CA-11")
def test_ca_11_w09_facing_a_is_a_road_of_2(load: Any) -> None:
    """Check values."""
    assert play(load("carcassonne"), "*A 0,-1@2 r0 *W09 1,-1@0 -").scores() == [2, 0]


@rule("CA-12")
def test_ca_12_a_city_of_two_d_gives_4(load: Any) -> None:
    """Check values."""
    assert play(load("carcassonne"), "*D 0,1@2 c0").scores() == [4, 0]


@rule("CA-12")
def test_ca_12_two_points_per_tile_and_two_per_shield(load: Any) -> None:
    assert play(load("carcassonne"), "*G 0,1@0 c0 *E 0,2@2 -").scores() == [6, 0]
    assert play(load("carcassonne"), "*F 0,1@0 c0 *E 0,2@2 -").scores() == [8, 0]
    assert play(load("carcassonne"), "*F 0,1@0 c0 *F 0,2@0 - *E 0,3@2 -").scores() == [12, 0]


@rule("CA-12")
def test_ca_12_a_city_with_an_open_edge_is_not_complete(load: Any) -> None:
    state = play(load("carcassonne"), "*R 0,1@1 c0 *E -1,1@1 -")
    assert state.scores() == [0, 0]
    go(state, "*E 1,1@3 -")
    assert state.scores() == [8, 0]


@rule("CA-13")
def test_ca_13_both_cities_of_i_in_one_city_are_one_tile(load: Any) -> None:
    state = lay(
        load("carcassonne"),
        """
        (D)  .
        N@1  N@2
        .    N@3
        """,
    )
    go(state, "*I 0,-2@0")
    assert tokens(state) == ["-", "c0", "f0"]
    assert go(state, "c0").scores() == [0, 8]


@rule("CA-13")
def test_ca_13_two_roads_of_x_in_one_road_are_one_tile(load: Any) -> None:
    """The road leaves X in the north and comes back in the east."""
    state = lay(
        load("carcassonne"),
        """
        E@2  V@3  V@0
        (D)  .    V@1
        """,
    )
    go(state, "*X 1,0@0")
    assert [token for token in tokens(state) if token.startswith("r")] == ["r0", "r2", "r3"]
    assert go(state, "r0").scores() == [4, 0]


@rule("CA-13")
def test_ca_13_both_roads_of_w12_in_one_road_are_one_tile(load: Any) -> None:
    """From A in the west over D and W12 into a loop of three, out of it over W12 again to A: 7 tiles."""
    state = lay(
        load("carcassonne"),
        """
        A@2  (D)  .    V@0
        .    B@0  V@2  V@1
        """,
    )
    go(state, "*W12 1,0@0 r0 *A 1,1@3 -")
    assert state.scores() == [0, 7]


RING = """
    U@0  (D)  U@0
    B@0  .    B@0
    B@0  E@2  E@2
"""


@rule("CA-14")
def test_ca_14_a_monastery_with_all_8_neighbours_gives_9(load: Any) -> None:
    state = play(
        load("carcassonne"),
        """
        *B 0,-1@0 m   *U -1,0@0 -
        *U 1,0@0 -    *B -1,-1@0 -
        *B 1,-1@0 -   *B -1,-2@0 -
        *E 0,-2@2 -   *E 1,-2@2
        """,
    )
    assert state.scores() == [0, 0]
    go(state, "-")
    assert state.scores() == [9, 0]
    assert known(state)["supply"] == [7, 7]


@rule("CA-14")
def test_ca_14_a_monastery_placed_last_gives_9_too(load: Any) -> None:
    assert go(lay(load("carcassonne"), RING), "*B 0,-1@0 m").scores() == [0, 9]


@rule("CA-14")
def test_ca_14_one_tile_may_complete_two_monasteries(load: Any) -> None:
    """Monks of player 0 at 0,-1 and of player 1 at 1,-1; the last tile, at 1,-2, is next to both."""
    state = play(
        load("carcassonne"),
        """
        *B 0,-1@0 m    *B 1,-1@0 m
        *U -1,0@0 -    *U 1,0@0 -
        *U 2,0@0 -     *B -1,-1@0 -
        *B -1,-2@0 -   *E 0,-2@2 -
        *V 2,-1@3 -    *U 2,-2@1 -
        *E 1,-2@2 -
        """,
    )
    assert state.scores() == [9, 9]


@rule("CA-14")
def test_ca_14_a_neighbour_at_a_corner_is_wanted_too(load: Any) -> None:
    state = play(
        load("carcassonne"),
        """
        *B 0,-1@0 m   *U -1,0@0 -
        *U 1,0@0 -    *B -1,-1@0 -
        *B 1,-1@0 -   *B -1,-2@0 -
        *E 0,-2@2 -
        """,
    )
    assert state.scores() == [0, 0]


@rule("CA-15")
def test_ca_15_the_game_ends_after_the_turn_in_which_the_last_tile_was_placed(load: Any) -> None:
    state = load("carcassonne").new_initial_state()
    *others, last = LONGEST_LINE_TO_THE_EAST.split()
    for x, tile in enumerate(others, start=1):
        place(state, x, 0, tile)
    assert known(state)["pile"] == 1
    kind, rotation = last.split("@")
    go(state, f"*{kind} 83,0@{rotation}")
    assert not state.is_terminal()
    go(state, "f0")
    assert state.is_terminal()
    assert state.current_player() == -4
    assert state.legal_actions() == []


@rule("CA-15")
def test_ca_15_an_unfinished_road_gives_1_per_tile(load: Any) -> None:
    state = play(load("carcassonne", table=[-1, 0, 1, 0]), "*U 1,0@0 r0 *U -1,0@0 -")
    assert draw_out(state).scores() == [3, 0]


@rule("CA-15")
def test_ca_15_an_unfinished_city_gives_1_per_tile_and_1_per_shield(load: Any) -> None:
    state = play(load("carcassonne", table=[0, 0, 0, 1]), "*N 0,1@1 c0")
    assert draw_out(state).scores() == [2, 0]
    state = play(load("carcassonne", table=[0, 0, 0, 2]), "*F 0,1@0 - *F 0,2@0 c0")
    assert draw_out(state).scores() == [0, 5]


@rule("CA-15")
def test_ca_15_an_unfinished_monastery_gives_1_and_1_per_neighbour(load: Any) -> None:
    state = play(load("carcassonne", table=[0, -1, 0, 0]), "*B 0,-1@0 m")
    assert draw_out(state).scores() == [2, 0]
    state = play(load("carcassonne", table=[-1, -1, 0, 0]), "*B 0,-1@0 m *U -1,0@0 - *B -1,-1@0 m")
    assert draw_out(state).scores() == [8, 0]


@rule("CA-15")
@pytest.mark.parametrize(("meeple", "scores"), [("-", [4, 0]), ("r0", [4, 4])])
def test_ca_15_the_majority_counts_in_the_final_scoring_too(load: Any, meeple: str, scores: list[int]) -> None:
    """An unfinished road of four, one meeple of player 0 in the west, perhaps one of player 1 in the east."""
    state = play(
        load("carcassonne", table=[-1, -1, 2, 0]),
        f"""
        *U -1,0@0 r0   *B 0,-1@0 -
        *B 1,-1@0 -    *B 2,-1@0 -
        *B -1,-1@0 -   *U 2,0@0 {meeple}
        *U 1,0@0 -
        """,
    )
    assert draw_out(state).scores() == scores


@rule("CA-15")
def test_ca_15_the_final_scoring_leaves_the_meeples_where_they_stand(load: Any) -> None:
    state = draw_out(play(load("carcassonne", table=[0, -1, 0, 0]), "*B 0,-1@0 m"))
    assert known(state)["meeples"] == [[0, -1, "m", 0]]
    assert known(state)["supply"] == [6, 7]


@rule("CA-15")
def test_ca_15_final_points_are_added_inside_the_action_that_empties_the_pile(load: Any) -> None:
    state = play(load("carcassonne", table=[0, -1, 0, 0]), "*B 0,-1@0 m")
    while known(state)["pile"] > 1:
        state.apply_action(state.legal_actions()[0])
        assert state.scores() == [0, 0]
    state.apply_action(state.legal_actions()[0])
    assert state.scores() == [2, 0]


@rule("CA-15", "CA-16")
def test_ca_15_the_points_if_the_game_ended_here(load: Any) -> None:
    game = load("carcassonne")
    assert game.new_initial_state().scores_if_over() == [0, 0]
    assert play(game, "*U 1,0@0 r0").scores_if_over() == [2, 0]
    assert play(game, "*B 0,-1@0 m *U 1,0@0 r0").scores_if_over() == [3, 2]
    farmer = play(game, "*E 0,1@2 f0")
    assert (farmer.scores(), farmer.scores_if_over()) == ([0, 0], [3, 0])
    without = load("carcassonne", score_unfinished=False)
    assert play(without, "*U 1,0@0 r0").scores_if_over() == [0, 0]
    assert play(without, "*E 0,1@2 f0").scores_if_over() == [3, 0]


@rule("CA-9", "CA-15", "CA-16")
def test_ca_15_a_city_is_complete_when_the_turn_of_its_last_tile_ends(load: Any) -> None:
    """A city of three tiles with a shield, and a farmer beside it."""
    state = play(load("carcassonne"), "*F 0,1@0 c0")
    assert state.scores_if_over() == [3, 0]
    go(state, "*E 0,2@2")
    assert (state.scores(), state.scores_if_over()) == ([0, 0], [4, 0])
    go(state, "f0")
    assert (state.scores(), state.scores_if_over()) == ([8, 0], [8, 3])


@rule("CA-16")
def test_ca_16_a_farmer_gets_3_for_a_completed_city_at_his_field(load: Any) -> None:
    state = play(load("carcassonne", table=[0, 0, 0, 1]), "*E 0,1@2 f0")
    assert state.scores() == [0, 0]
    assert draw_out(state).scores() == [3, 0]


@rule("CA-16")
def test_ca_16_a_city_that_is_not_completed_gives_nothing(load: Any) -> None:
    state = play(load("carcassonne", table=[0, 0, 0, 1]), "*N 0,1@1 f0")
    assert draw_out(state).scores() == [0, 0]


@rule("CA-16")
def test_ca_16_a_city_pays_in_each_field_that_it_borders(load: Any) -> None:
    """Two cities of two tiles between a field in the north (player 0) and one in the middle (player 1)."""
    state = play(
        load("carcassonne", table=[0, 0, 1, 1]),
        "*E 0,1@2 f0 *L 1,0@0 f0 *E 1,1@2 -",
    )
    assert draw_out(state).scores() == [6, 6]


@rule("CA-16")
def test_ca_16_a_city_is_paid_once_however_many_tiles_touch_it(load: Any) -> None:
    """The field in the east borders all three tiles of the city in the west."""
    state = play(
        load("carcassonne", table=[0, 0, 1, 2]),
        "*U 1,0@0 f0 *G 0,1@0 - *E 0,2@2 - *B 1,1@0 - *B 1,2@0 -",
    )
    assert draw_out(state).scores() == [3, 0]


@rule("CA-16")
def test_ca_16_a_field_behind_the_road_does_not_border_the_city(load: Any) -> None:
    state = play(load("carcassonne", table=[0, 0, 1, 1]), "*E 0,1@2 - *U 1,0@0 f1 *B 1,1@0 -")
    assert draw_out(state).scores() == [0, 0]


@rule("CA-16")
@pytest.mark.parametrize(("third", "scores"), [("-", [15, 15]), ("f0", [15, 0])])
def test_ca_16_most_farmers_own_the_field_and_all_tied_for_most(load: Any, third: str, scores: list[int]) -> None:
    """Five cities along one field; farmers at 2,1 (player 0), 0,1 (player 1), perhaps 4,1 (player 0)."""
    state = play(
        load("carcassonne", table=[0, 0, 4, 1]),
        f"""
        *D 1,0@0 -        *D 2,0@0 -
        *D 3,0@0 -        *L 4,0@0 -
        *E 2,1@2 f0       *E 0,1@2 f0
        *E 4,1@2 {third}  *E 1,1@2 -
        *E 3,1@2 -
        """,
    )
    assert draw_out(state).scores() == scores


@rule("CA-16")
def test_ca_16_farmers_never_go_home(load: Any) -> None:
    state = play(load("carcassonne"), "*E 0,1@2 f0 *U 1,0@0 -")
    assert known(state)["supply"] == [6, 7]
    assert known(state)["meeples"] == [[0, 1, "f0", 0]]


@rule("CA-17")
def test_ca_17_without_farmers_no_meeple_stands_on_a_field(load: Any) -> None:
    game = load("carcassonne", farmers=False)
    assert tokens(play(game, "*U 1,0@0")) == ["-", "r0"]
    state = play(game, "*U 1,0@0 r0 *U 2,0@0")
    assert state.is_chance_node()
    for kind in TYPES:
        for token in cells(play(game, ""), kind):
            assert not any(meeple.startswith("f") for meeple in tokens(play(game, f"*{kind} {token}")))


@rule("CA-18")
def test_ca_18_most_points_win(load: Any) -> None:
    state = draw_out(play(load("carcassonne", table=[0, 0, 0, 1]), "*M 0,1@1 c0"))
    assert state.scores() == [3, 0]
    assert state.returns() == [1.0, -1.0]


@rule("CA-18", "G-6")
def test_ca_18_ties_share(load: Any) -> None:
    state = play(load("carcassonne", players=3, table=[0, 0, 1, 1]), "*E 0,1@2 f0 *L 1,0@0 f0 *E 1,1@2 -")
    assert state.returns() == [0, 0, 0]
    draw_out(state)
    assert state.scores() == [6, 6, 0]
    assert state.returns() == [0.25, 0.25, -0.5]


# Tokens.


@rule("CA-20")
def test_ca_20_chance_tokens_name_the_type(load: Any) -> None:
    state = load("carcassonne").new_initial_state()
    assert tokens(state) == [f"*{kind}" for kind in TYPES]
    assert state.legal_actions() == list(range(36))


@rule("CA-20")
def test_ca_20_types_are_told_apart_also_where_two_look_the_same(load: Any) -> None:
    game = load("carcassonne")
    assert known(play(game, "*K 1,0@0 -"))["land"][1] == [1, 0, "K", 0]
    assert known(play(game, "*W05 1,0@0 -"))["land"][1] == [1, 0, "W05", 0]
    assert play(game, "*K 1,0@0 -") != play(game, "*W05 1,0@0 -")


@rule("CA-21")
def test_ca_21_placements_are_written_x_y_and_rotation(load: Any) -> None:
    state = play(load("carcassonne"), "*V")
    assert tokens(state) == ["0,-1@0", "1,0@0", "1,0@1", "-1,0@2", "0,-1@3", "-1,0@3"]
    first = 36 + 12
    assert state.string_to_action("-83,-83@0") == first
    assert state.string_to_action("-82,-83@0") == first + 1
    assert state.string_to_action("-83,-82@0") == first + 167
    assert state.string_to_action("-83,-83@1") == first + 167 * 167
    assert state.string_to_action("83,83@3") == first + 4 * 167 * 167 - 1
    assert load("carcassonne").num_distinct_actions == first + 4 * 167 * 167


@rule("CA-22")
def test_ca_22_meeples_are_named_by_the_index_in_the_data_file_whatever_the_rotation(load: Any) -> None:
    """L has its roads in the east (r0), south (r1) and west (r2); a quarter turn moves r1 to the west."""
    state = play(load("carcassonne"), "*A -1,0@2 - *L 1,0@1")
    assert tokens(state) == ["-", "c0", "r0", "r1", "r2", "f0", "f1"]
    assert go(state.clone(), "r1").scores() == [0, 3]
    assert go(state.clone(), "r0").scores() == [0, 0]
    meeples = ["-", "c0", "c1", "r0", "r1", "r2", "r3", "f0", "f1", "f2", "f3", "m"]
    assert [state.string_to_action(token) for token in meeples] == list(range(36, 48))


@rule("G-4", "CA-R1")
@pytest.mark.parametrize(
    "token",
    [
        "", "*", "*Z", "*d", "*W1", "D", "c2", "r4", "f4", "m0", "--",
        "1,0", "1,0@", "1,0@4", "1,0@-1", "01,0@0", "-0,0@0", "+1,0@0", "1,00@0", " 1,0@0", "1,0@0 ",
        "1, 0@0", "1;0@0", "1,0@0@0", "x,0@0", "\u0661,0@0", "84,0@0", "0,-84@0",
        pytest.param("9" * 5000 + ",0@0", id="many digits"),
        "tile:D", "discard:D", "offer", "keep", "price:1", "pass", "accept", "decline",
    ],
)  # fmt: skip
def test_g_4_malformed_and_impossible_tokens_are_refused(load: Any, token: str) -> None:
    state = load("carcassonne").new_initial_state()
    with pytest.raises(ValueError, match="position"):
        state.string_to_action(token)


@rule("G-4", "CA-R1")
def test_g_4_types_that_are_not_in_the_box_are_impossible(load: Any) -> None:
    with pytest.raises(ValueError, match="W01"):
        load("carcassonne", tiles="base").new_initial_state().string_to_action("*W01")


@rule("G-4")
def test_g_4_numpy_integers_are_actions_too(load: Any) -> None:
    state = play(load("carcassonne"), "*U")
    state.apply_action(np.flatnonzero(state.legal_actions_mask())[0])
    assert state == play(load("carcassonne"), "*U 0,-1@0")
    assert known(state)["land"] == [[0, -1, "U", 0], [0, 0, "D", 0]]


@rule("G-4", "CA-R1", "G-7")
@pytest.mark.parametrize("options", [{}, {"tiles": "base"}, {"table": [-2, -1, 3, 0]}, {"table": [-100, 0, 0, 1]}])
def test_g_4_every_id_has_one_token_and_every_token_one_id(load: Any, options: dict[str, Any]) -> None:
    game = load("carcassonne", **options)
    state = game.new_initial_state()
    seen = set()
    for action in range(game.num_distinct_actions):
        token = state.action_to_string(action)
        assert state.string_to_action(token) == action
        seen.add(token)
    assert len(seen) == game.num_distinct_actions
    for action in (-1, game.num_distinct_actions):
        with pytest.raises(ValueError, match=str(action)):
            state.action_to_string(action)


# The tiles themselves: alone on the land (CA-H5), every segment of a tile is a feature of its own.


@pytest.mark.parametrize("tile", BOX, ids=TYPES)
def test_check_values_every_tile_has_the_segments_of_the_data_file(load: Any, tile: dict[str, Any]) -> None:
    """Planes 3 to 34 of the observation, with a meeple on each segment in turn."""
    state = play(load("carcassonne", start_tile_in_bag=True), f"*{tile['id']}")
    expected = {f"c{i}": [h for h in HALF_EDGES if h[0] in city["edges"]] for i, city in enumerate(tile["cities"])}
    expected |= {f"r{i}": [h for h in HALF_EDGES if h[0] in road["edges"]] for i, road in enumerate(tile["roads"])}
    expected |= {f"f{i}": field["half_edges"] for i, field in enumerate(tile["fields"])}
    if tile["monastery"]:
        expected["m"] = []
    assert tokens(state) == ["-", *expected]
    for segment, half_edges in expected.items():
        seen = middle_cell(go(state.clone(), segment))
        assert [h for h, value in zip(HALF_EDGES, seen[27:35], strict=True) if value] == half_edges
        assert list(seen[23:27]) == [segment[0] == kind for kind in "crfm"]
        assert seen[21] == any(city["shield"] for city in tile["cities"])
        assert seen[22] == tile["monastery"]
        for side in range(4):
            assert list(seen[3 + 3 * side : 6 + 3 * side]) == [tile["edges"][side] == edge for edge in "CRF"]


def middle_cell(state: Any, player: int = 0) -> Any:
    """All planes of the observation at the middle of the window."""
    planes = 41 + len(state.scores())
    return state.observation_tensor(player)[: planes * 25 * 25].reshape(planes, 25, 25)[:, 12, 12]


def test_check_values_the_deck(load: Any) -> None:
    """10 shields, 8 monasteries; road segments: 0 on 27 tiles, 1 on 46, 2 on 2, 3 on 8, 4 on 1."""
    game = load("carcassonne", start_tile_in_bag=True)
    shields = monasteries = 0
    roads = [0] * 5
    for kind, copies in COPIES.items():
        state = play(game, f"*{kind}")
        monasteries += copies * middle_cell(state)[22]
        shields += copies * middle_cell(state)[21]
        roads[sum(token.startswith("r") for token in tokens(state))] += copies
    assert (shields, monasteries) == (10, 8)
    assert roads == [27, 46, 2, 8, 1]


def test_check_values_a_plain_game_has_at_most_249_actions(load: Any) -> None:
    """Reached when a meeple decision follows every placement."""
    game = load("carcassonne")
    assert game.max_game_length == 249
    state = game.new_initial_state()
    actions = 0
    for x, tile in enumerate(LONGEST_LINE_TO_THE_EAST.split(), start=1):
        place(state, x, 0, tile)
        actions += 3
    assert state.is_terminal()
    assert actions == 249


def test_check_values_84_tiles_touch_at_most_170_empty_cells(load: Any) -> None:
    state = load("carcassonne").new_initial_state()
    for x, tile in enumerate(LONGEST_LINE_TO_THE_EAST.split(), start=1):
        place(state, x, 0, tile)
    seen = state.observation_tensor(0, window=167)
    assert seen[38 * 167 * 167 : 39 * 167 * 167].sum() == 170


# Options, and what players see (docs/rules/carcassonne.md).


def test_options_have_their_defaults(load: Any) -> None:
    assert load("carcassonne").rules.as_dict() == {
        "players": 2,
        "tiles": "winter",
        "farmers": True,
        "first_player": "seat_0",
        "hand_size": 0,
        "hands": "hidden",
        "start_tile_in_bag": False,
        "unplaceable": "discard",
        "trees_end_roads": True,
        "tile_sale": False,
        "gap_bonus": False,
        "score_unfinished": True,
        "table": None,
        "edge_closes": False,
        "final_meeples": "stay",
    }


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"players": 1}, "players"),
        ({"players": 6}, "players"),
        ({"players": "2"}, "players"),
        ({"players": True}, "players"),
        ({"tiles": "summer"}, "tiles"),
        ({"farmers": 1}, "farmers"),
        ({"first_player": 0}, "first_player"),
        ({"hand_size": 2}, "hand_size"),
        ({"hand_size": 4}, "hand_size"),
        ({"hand_size": -1}, "hand_size"),
        ({"hands": "closed"}, "hands"),
        ({"start_tile_in_bag": None}, "start_tile_in_bag"),
        ({"unplaceable": "keep"}, "unplaceable"),
        ({"trees_end_roads": "yes"}, "trees_end_roads"),
        ({"tile_sale": 1}, "tile_sale"),
        ({"gap_bonus": 0}, "gap_bonus"),
        ({"score_unfinished": None}, "score_unfinished"),
        ({"table": []}, "table"),
        ({"table": [0, 0, 1]}, "table"),
        ({"table": [0, 0, 0, 0]}, "table"),
        ({"table": [1, 0, 2, 0]}, "table"),
        ({"table": [0, 0, -1, 5]}, "table"),
        ({"table": [0, 1, 0, 2]}, "table"),
        ({"table": [0, -2, 0, -1]}, "table"),
        ({"table": [0, 0, 1.0, 1]}, "table"),
        ({"table": [0, 0, True, 1]}, "table"),
        ({"table": "0011"}, "table"),
        ({"table": 5}, "table"),
        ({"edge_closes": True}, "edge_closes"),
        ({"edge_closes": 1, "table": [0, 0, 1, 1]}, "edge_closes"),
        ({"hand_size": 1, "unplaceable": "return"}, "unplaceable"),
        ({"hand_size": 3, "unplaceable": "return"}, "unplaceable"),
        ({"hand_size": 1, "tile_sale": True}, "tile_sale"),
        ({"hand_size": 3, "tile_sale": True}, "tile_sale"),
        ({"meeples": 8}, "meeples"),
    ],
)
def test_options_that_are_not_allowed_are_refused_by_name(load: Any, options: dict[str, Any], name: str) -> None:
    with pytest.raises(ValueError, match=name):
        load("carcassonne", **options)


def test_information_state_is_written_as_on_the_docs_page(load: Any) -> None:
    state = play(load("carcassonne", tiles="base"), "*U 1,0@0 r0 *A -1,0@2")
    assert state.information_state_string(1) == (
        '{"player":1,"phase":"meeple","actor":1,"turn":1,"ordinary":1,"again":false,"scores":[0,0],"supply":[6,7],'
        '"land":[[-1,0,"A",2],[0,0,"D",0],[1,0,"U",0]],"meeples":[[1,0,"r0",0]],"tile":null,"cell":[-1,0],"price":0,'
        '"buyer":-1,"unseen":[1,4,1,3,5,2,1,3,2,3,3,3,2,3,2,3,1,3,2,1,7,9,4,1],"pile":69,"hands":[],"order":null}'
    )


def test_two_positions_reached_in_different_orders_are_equal(load: Any) -> None:
    game = load("carcassonne")
    one = play(game, "*U 1,0@0 - *U -1,0@0 - *B 0,-1@0 m")
    two = play(game, "*B 0,-1@0 m *U -1,0@0 - *U 1,0@0 -")
    assert one == two
    assert hash(one) == hash(two)
    assert one.serialize() == two.serialize()


def test_observation_planes_of_a_position(load: Any) -> None:
    state = play(load("carcassonne", tiles="base"), "*U 1,0@0 r0 *W -1,0@2")
    seen = state.observation_tensor(1)
    assert seen.dtype == np.float32
    assert seen.shape == load("carcassonne", tiles="base").observation_tensor_shape
    planes = seen[: 43 * 625].reshape(43, 25, 25)
    row = planes[:, 12, 11:14]  # the middle of the land is 0,0, in row and column 12
    lines = {plane: list(row[plane]) for plane in range(43) if row[plane].any()}
    types = {kind: np.float32((1 + i) / 24) for i, kind in enumerate(BASE_TYPES)}
    assert lines == {
        0: [1, 1, 1],
        1: [types["W"], types["D"], types["U"]],
        2: [0.5, 0, 0],
        3: [0, 1, 0],  # a city in the north
        4: [1, 0, 0],  # a road in the north
        5: [0, 0, 1],  # a field in the north
        7: [1, 1, 1],  # roads in the east
        11: [1, 1, 1],  # fields in the south
        13: [1, 1, 1],  # roads in the west
        19: [0, 1, 1],  # east and west are one road; the village of W ends its roads
        24: [0, 0, 1],  # a meeple on a road
        29: [0, 0, 1],
        30: [0, 0, 1],
        33: [0, 0, 1],
        34: [0, 0, 1],
        36: [0, 0, 1],  # of the other player
        37: [1, 0, 0],  # W has just been placed
    }
    open_cells = {(x - 12, y - 12) for y, x in np.argwhere(planes[38])}
    assert open_cells == {(-2, 0), (-1, 1), (-1, -1), (0, 1), (0, -1), (1, 1), (1, -1), (2, 0)}
    assert not planes[39:].any()


def test_observation_planes_show_where_the_tile_in_hand_fits(load: Any) -> None:
    state = play(load("carcassonne"), "*E")
    planes = state.observation_tensor(0)[: 43 * 625].reshape(43, 25, 25)
    fits = {(x - 12, y - 12, r) for r in range(4) for y, x in np.argwhere(planes[39 + r])}
    assert fits == {(0, -1, 1), (0, 1, 2), (0, -1, 2), (0, -1, 3)}


def test_observation_numbers_of_a_position(load: Any) -> None:
    state = play(load("carcassonne", tiles="base", players=3), "*E 0,1@2 c0 *U 1,0@0 r0 *B")
    numbers = list(state.observation_tensor(2)[44 * 625 :])
    expected: list[float] = [phase == 8 for phase in range(12)]
    expected += [1, 0, 0]  # player 2 is to act
    expected += [1, 0, 0]
    expected += [1, 0, 0]
    expected += [0]
    expected += [0, np.float32(0.04), 0]
    expected += [0, 0, 0]
    expected += [1, 1, np.float32(6 / 7)]
    expected += [kind == "B" for kind in BASE_TYPES]
    expected += [COPIES[kind] - (kind in "BDEU") for kind in BASE_TYPES]
    expected += [np.float32(68 / 72)]
    expected += [0] * (7 + 3)
    assert numbers == expected


def test_observation_counts_what_lies_outside_the_window(load: Any) -> None:
    """The last numbers: tiles, open cells, fits in four rotations, meeples of two seats, the last cell."""
    state = play(load("carcassonne"), "*U 1,0@0 r0 *U 2,0@0 - *U 3,0@0 f0")
    # The middle of 0..3 is 1: of x from 0 to 2, what is outside lies around 3,0 and west of the start tile.
    assert list(state.observation_tensor(0, window=3))[-9:] == [1, 4, 0, 0, 0, 0, 1, 0, 0]
    go(state, "*U")
    assert list(state.observation_tensor(0, window=3))[-9:] == [1, 4, 4, 0, 0, 0, 1, 0, 0]
    go(state, "4,0@0")
    assert list(state.observation_tensor(1, window=1))[-9:] == [4, 12, 0, 0, 0, 0, 0, 2, 1]


def test_observation_of_a_table_shows_the_table(load: Any) -> None:
    game = load("carcassonne", table=[-1, -2, 1, 0])
    assert game.observation_tensor_shape == (43 * 9 + 12 + 6 * 2 + 2 * 36 + 2,)
    state = play(game, "*B 0,-1@0 m")
    planes = state.observation_tensor(0)[: 43 * 9].reshape(43, 3, 3)
    assert planes[0].tolist() == [[0, 0, 0], [0, 1, 0], [0, 1, 0]]
    assert planes[38].tolist() == [[0, 1, 0], [1, 0, 1], [1, 0, 1]]
    with pytest.raises(ValueError, match="window"):
        state.observation_tensor(0, window=5)


@pytest.mark.parametrize("window", [0, 2, -1, 169, 2.0, "3", True])
def test_observation_windows_that_are_not_allowed_are_refused(load: Any, window: Any) -> None:
    with pytest.raises(ValueError, match="window"):
        load("carcassonne").new_initial_state().observation_tensor(0, window=window)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_keep_tiles_and_meeples_together(load: Any, players: int) -> None:
    """CA-1, CA-8: tiles are in the pile, on the land or out of the game; meeples at home or on the land."""
    game = load("carcassonne", players=players)
    dice = random.Random(players)
    state = game.new_initial_state()
    while not state.is_terminal():
        seen = known(state)
        assert all(
            seen["supply"][seat] + sum(owner == seat for *_, owner in seen["meeples"]) == 7 for seat in range(players)
        )
        assert sum(seen["unseen"]) == seen["pile"]
        assert len(seen["land"]) + (seen["tile"] is not None) + seen["pile"] <= 84
        state.apply_action(dice.choice(state.legal_actions()))


# CA-9 to CA-16 again, in positions that several breaks of the engine by hand had passed.


@rule("CA-9")
def test_ca_9_a_ring_and_a_city_completed_by_one_tile_both_score(load: Any) -> None:
    """P closes a ring of four through two of its sides (player 0) and a city of three (player 1)."""
    state = play(
        load("carcassonne"),
        """
        *V 0,-1@3 r0   *V 0,-2@2 -
        *V 1,-2@1 -    *D 1,0@2 c0
        *U 2,0@0 -     *E 2,-1@3 -
        *P 1,-1@0 -
        """,
    )
    assert state.scores() == [4, 6]
    assert known(state)["supply"] == [7, 7]


@rule("CA-11")
def test_ca_11_a_shield_beside_a_road_is_no_point_of_the_road(load: Any) -> None:
    """Roads of three tiles that end at S, and of four that pass O; both have a shield in their city."""
    assert play(load("carcassonne"), "*A -1,0@2 r0 *S 1,0@0 -").scores() == [3, 0]
    assert play(load("carcassonne"), "*A -1,0@2 r0 *O 1,0@0 - *A 1,-1@1 -").scores() == [4, 0]


@rule("CA-13")
def test_ca_13_two_roads_of_x_on_opposite_sides_in_one_road_are_one_tile(load: Any) -> None:
    """The road leaves X in the north and comes back in the south: seven tiles and X."""
    state = lay(
        load("carcassonne"),
        """
        E@2  V@3  U@0  V@0
        (D)  .    A@0  U@1
        .    V@2  U@0  V@1
        """,
    )
    go(state, "*X 1,0@0")
    assert tokens(state)[:4] == ["-", "r0", "r1", "r3"]
    assert go(state, "r0").scores() == [0, 8]


# CA-15 and CA-16 without a table: what is watched lies in the west and north of S at 1,0, the rest of the pile is
# placed in the south-east of it, and only the city of S leads there.


def played_out(state: Any) -> Any:
    """The state itself at the end; all that is left of the pile lies at x >= 2, y <= 0, without meeples."""
    luck = random.Random(15)

    def far(kind: str) -> list[str]:
        placements = [token for token in cells(state, kind) if "@" in token]
        where = [[int(number) for number in token.split("@")[0].split(",")] for token in placements]
        return [token for token, (x, y) in zip(placements, where, strict=True) if x >= 2 and y <= 0]

    while not state.is_terminal():
        kinds = [token[1:] for token in tokens(state)]
        luck.shuffle(kinds)
        kind = next(kind for kind in kinds if far(kind))
        go(state, f"*{kind} {luck.choice(far(kind))}")
        if "-" in tokens(state):
            go(state, "-")
    return state


@rule("CA-15")
@pytest.mark.parametrize(
    ("turns", "scores"),
    [
        ("*U -1,0@0 r0", [3, 0]),  # a road over three tiles; S has a shield, but in its city
        ("*N 0,1@1 c0", [2, 0]),
        ("*F 0,1@0 c0", [3, 0]),  # with a shield
        ("*B 0,-1@0 m", [3, 0]),  # neighbours are D and S
        ("*B 0,-1@0 m *B -1,-1@0 m", [4, 3]),
    ],
)
def test_ca_15_points_at_the_end_without_a_table(load: Any, turns: str, scores: list[int]) -> None:
    state = play(load("carcassonne"), f"{turns} *S 1,0@0 -")
    assert state.scores() == [0, 0]
    assert played_out(state).scores() == scores


STRIP = "*S -1,0@2 {} *E 0,1@2 {} *S 1,0@0 {}"
"""The field between the road and the city of the start tile, closed by the cities of S in the west and the east;
that of the start tile is complete with E, those of S never are."""


@rule("CA-16")
@pytest.mark.parametrize(
    ("meeples", "scores"),
    [
        (["f0", "-", "-"], [3, 0]),  # in the strip: one complete city of three
        (["-", "f0", "-"], [0, 3]),  # north of the city
        (["f0", "f0", "-"], [3, 3]),  # a city pays in each field
        (["f1", "-", "-"], [0, 0]),  # south of the road
        (["-", "-", "f1"], [3, 0]),  # the strip again, from the east
    ],
)
def test_ca_16_farms_without_a_table(load: Any, meeples: list[str], scores: list[int]) -> None:
    state = play(load("carcassonne"), STRIP.format(*meeples))
    assert state.scores() == [0, 0]
    assert played_out(state).scores() == scores


@rule("CA-16")
def test_ca_16_a_city_touched_by_two_tiles_of_a_field_pays_once_without_a_table(load: Any) -> None:
    """The field of E, B and the eastern half of G touches G and E of a complete city of three tiles."""
    turns = "*G 0,1@0 - *S 1,0@0 - *E 1,1@2 f0 *B 1,2@0 - *E 0,2@2 -"
    assert played_out(play(load("carcassonne"), turns)).scores() == [3, 0]
