"""Pueblo, paragraph by paragraph: each test fails when the paragraph in its name is broken.

The tests know the game only by its tokens, its scores and its information state. What they need of the rules
they say again in their own way: a block by PB-4 alone, a view by turning the site until the chieftain is in the west.
"""

from __future__ import annotations

import json
import random
from itertools import product
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.walking import chosen_by_lead, legal_tokens, play
from tilery.errors import ParseError

rule = pytest.mark.rule

FILES = "abcdefgh"
WHERE_R_AND_L_LIE = {
    "ne": ((1, 0), (0, 1)),
    "nw": ((0, 1), (-1, 0)),
    "se": ((0, -1), (1, 0)),
    "sw": ((-1, 0), (0, -1)),
}
SQUARES = [file + rank for rank in "12345678" for file in FILES]
WINDOWS = [
    apex + direction
    for direction, ((rx, ry), (lx, ly)) in WHERE_R_AND_L_LIE.items()
    for apex in SQUARES
    if 0 <= FILES.index(apex[0]) + rx + lx < 8 and 1 <= int(apex[1]) + ry + ly <= 8
]

DEAD_AFTER_22 = (
    "c7sw g7sw d3se b4se g4sw e5nw g2ne b5sw g5ne d7nw b2se e1ne e2nw b2ne e5sw e5sw a8se a7ne g8sw f7ne f7ne a7ne"
)
"""Windows for 22 blocks after which nothing fits anywhere on a site without sacred sites."""
SITES = ["b2sw", "g2se", "b7nw", "g7ne"]
DEAD_AFTER_17_WITH_SITES = "d4sw g4nw d7se d2ne f5sw c5nw f7nw a5se f2nw c3sw d2nw h4nw g5se g5se d8sw d7ne d2nw"
"""The same for 17 blocks with these sacred sites."""
ONE_DIRECTION = {
    "ne": "e3nw e6ne b4nw g4sw c8se a2ne g7se f2sw c6sw c2ne d6se g2ne d3sw g8sw a8se c6se b6se a4se c8sw f2se g6nw "
    "h4nw g4se",
    "nw": "c2nw e7se g4sw b4ne c7sw f3se f6ne d2nw d7nw d4ne a4se c4se g5ne h8sw h2sw f4sw f6nw c2ne b1ne e2se f2ne "
    "a6ne b7se",
    "se": "g3sw d5se b3ne f5nw e7nw b6ne d1nw c7nw g6nw h3nw b1nw e2ne b5sw f3se c7se g8sw f5nw b1ne h5sw e2nw h3nw "
    "g1ne",
    "sw": "g5nw d5nw e2sw g3sw e7se a3ne a7se c2nw c7nw g7nw d4ne g1ne g4ne c3sw b4nw c3sw b1ne d5nw d5nw g7sw e8sw "
    "e1nw d2se",
}
"""Windows for blocks after which only those of one direction fit."""


# How the tests look at a position.


def info(state: Any) -> dict[str, Any]:
    position: dict[str, Any] = json.loads(state.information_state_string(0))
    return position


def columns(state: Any) -> dict[str, str]:
    """The owners of the cubes on each square, from the ground up."""
    return dict(zip(SQUARES, info(state)["columns"], strict=True))


def heights(state: Any) -> dict[str, int]:
    return {square: len(column) for square, column in columns(state).items()}


def drawn(state: Any, first: str, last: str) -> list[str]:
    """The squares between these two, south-west and north-east: height and owner of the topmost cube."""
    return [
        " ".join(
            f"{len(column)}{column[-1]}" if (column := columns(state)[file + str(rank)]) else ".."
            for file in FILES[FILES.index(first[0]) : FILES.index(last[0]) + 1]
        )
        for rank in range(int(last[1]), int(first[1]) - 1, -1)
    ]


def go_on(state: Any, tokens: str) -> Any:
    """The same state, after these tokens too."""
    for token in tokens.split():
        state.apply_action(state.string_to_action(token))
    return state


def build(state: Any, windows: str, spaces: int = 1) -> Any:
    """The player to act places a block, a coloured one if they may, in each of these windows, and walks on."""
    for window in windows.split():
        colour = "C" if "C" + window in legal_tokens(state) else "N"
        go_on(state, f"{colour}{window} +{spaces}")
    return state


def play_on(state: Any, luck: random.Random) -> Any:
    while not state.is_terminal():
        state.apply_action(luck.choice(state.legal_actions()))
    return state


# What the tests know of the rules.


def step(square: str, by: tuple[int, int]) -> str:
    return FILES[FILES.index(square[0]) + by[0]] + str(int(square[1]) + by[1])


def apex_r_l(window: str, handedness: str = "right") -> tuple[str, str, str]:
    apex, direction = window[:2], window[2:]
    r, l = (step(apex, by) for by in WHERE_R_AND_L_LIE[direction])  # noqa: E741 - the letters of PB-4
    return (apex, r, l) if handedness == "right" else (apex, l, r)


def levels_after(height: dict[str, int], window: str, handedness: str = "right") -> dict[str, int] | None:
    """PB-4: the new heights if a block is put there; None if it does not fit."""
    apex, r, l = apex_r_l(window, handedness)  # noqa: E741
    if height[apex] != height[r] or abs(height[l] - height[apex]) > 1:
        return None
    rise = height[l] - height[apex]
    z = min(height[apex], height[l])
    return {
        0: {apex: z + 1, r: z + 2, l: z + 1},
        1: {apex: z + 2, r: z + 1, l: z + 2},
        -1: {apex: z + 2, r: z + 2, l: z + 2},
    }[rise]


def turned(square: str) -> str:
    """Where the square lies after the site was turned by 90 degrees, clockwise: a1 goes to a8."""
    return FILES[int(square[1]) - 1] + str(8 - FILES.index(square[0]))


def turned_window(window: str) -> str:
    return turned(window[:2]) + {"ne": "se", "se": "sw", "sw": "nw", "nw": "ne"}[window[2:]]


def seen(building: dict[str, str], space: int, players: int) -> list[int]:
    """PB-8, PB-9: the points for one look at the building."""
    side, place = divmod(space, 9)
    for _ in range((4 - side) % 4):  # until the chieftain is in the west, or in the south-west corner
        building = {turned(square): column for square, column in building.items()}
    points = [0] * players
    if place == 0:
        tops = [building[file + rank][-1:] for file in "abcd" for rank in "1234"]
        for player in range(players):
            points[player] += tops.count(str(player))
        return points
    line = [building[file + str(place)] for file in FILES]
    for level in range(1, 40):
        cubes = [column[level - 1] for column in line if len(column) >= level]
        if cubes and cubes[0] != "n":
            points[int(cubes[0])] += level
    return points


def whole_lap(building: dict[str, str], players: int) -> list[int]:
    looks = [seen(building, space, players) for space in range(36)]
    return [sum(points) for points in zip(*looks, strict=True)]


def added(points: list[int], more: list[int]) -> list[int]:
    return [a + b for a, b in zip(points, more, strict=True)]


# PB-1 to PB-6: site and block.


@rule("PB-1")
def test_pb_1_squares_are_named_as_on_a_chessboard(load):
    assert drawn(play(load("pueblo"), "Ch1nw"), "g1", "h2") == [".. 20", "10 10"]
    assert [square for square, height in heights(play(load("pueblo"), "Ca8se")).items() if height] == [
        "a7",
        "a8",
        "b8",
    ]
    for outside in ("Ci1nw", "Ca9se", "Ca0ne", "CA1ne"):
        with pytest.raises(ValueError, match=outside):
            load("pueblo").new_initial_state().string_to_action(outside)


@rule("PB-2")
def test_pb_2_the_block_is_the_right_handed_screw(load):
    assert drawn(play(load("pueblo"), "Ca1ne"), "a1", "b2") == ["10 ..", "10 20"]


@rule("PB-2")
def test_pb_2_the_left_handed_block_is_its_mirror_image(load):
    assert drawn(play(load("pueblo", handedness="left"), "Ca1ne"), "a1", "b2") == ["20 ..", "10 10"]


@rule("PB-2")
@pytest.mark.parametrize("direction", ["ne", "nw", "se", "sw"])
def test_pb_2_a_block_lies_in_three_ways_over_each_window_so_in_twelve_in_all(load, direction):
    """On level ground, with L one step up, and with L one step down; turned four ways."""
    after_quarter_turns = {"ne": 0, "se": 1, "sw": 2, "nw": 3}[direction]

    def there(window: str) -> str:
        for _ in range(after_quarter_turns):
            window = turned_window(window)
        return window

    def levels(windows: str) -> list[int]:
        state = build(load("pueblo").new_initial_state(), " ".join(there(window) for window in windows.split()))
        return [heights(state)[square] for square in apex_r_l(there("d4ne"))]

    assert levels("d4ne") == [1, 2, 1]
    assert levels("d5nw") == [0, 0, 1]
    assert levels("d5nw d4ne") == [2, 1, 2]
    assert levels("d4se") == [1, 1, 0]
    assert levels("d4se d4ne") == [2, 2, 2]


@rule("PB-3")
def test_pb_3_all_three_squares_of_the_underside_must_rest(load):
    state = play(load("pueblo"), "Cd4ne +1")
    assert drawn(state, "d4", "e5") == ["10 ..", "10 20"]
    legal = legal_tokens(state)
    assert "Cd4ne" not in legal  # R, e4, is higher than the apex
    assert "Ce5sw" not in legal  # R, d5, is higher than the apex
    assert "Cf4nw" not in legal  # L, e4, is two steps above f4 and f5
    assert "Cc4se" in legal  # L, d4, is one step above c4 and c3
    assert "Cd5se" in legal  # L, e5, is one step below d5 and d4


@rule("PB-3")
def test_pb_3_a_block_may_lie_on_ground_and_blocks_at_once(load):
    state = play(load("pueblo"), "Cd4ne +1 Cd4nw")
    assert drawn(state, "c4", "e5") == [".. 21 ..", "21 21 20"]


@rule("PB-4")
@pytest.mark.parametrize("handedness", ["right", "left"])
@pytest.mark.parametrize("sites", [[], ["d4ne", "g7sw"]])
def test_pb_4_the_test_by_heights_gives_the_same_placements_and_buildings(load, handedness, sites):
    luck = random.Random(4)
    covered = {square for site in sites for square in apex_r_l(site)}
    for _ in range(4):
        state = load("pueblo", players=4, handedness=handedness, sites=sites).new_initial_state()
        while not state.is_terminal():
            before = heights(state)
            fitting = {
                window
                for window in WINDOWS
                if levels_after(before, window, handedness) and not covered & {*apex_r_l(window)}
            }
            assert {token[1:] for token in legal_tokens(state)} == fitting
            action = luck.choice(state.legal_actions())
            token, player = state.action_to_string(action), state.current_player()
            owner = str(player) if token[0] == "C" else "n"
            expected = columns(state)
            for square, level in levels_after(before, token[1:], handedness).items():
                expected[square] += owner * (level - before[square])
            state.apply_action(action)
            assert columns(state) == expected
            state.apply_action(luck.choice(state.legal_actions()))


@rule("PB-4")
def test_pb_4_what_does_not_fit_is_refused(load):
    """Also where somebody acts without asking for the legal actions."""
    luck = random.Random(4)
    state = load("pueblo", players=2, sites=["d4ne"]).new_initial_state()
    refused = 0
    while not state.is_terminal():
        colour = legal_tokens(state)[0][0]
        before, fitting = state.clone(), {token[1:] for token in legal_tokens(state)}
        for window in WINDOWS:
            if window not in fitting:
                refused += 1
                with pytest.raises(ValueError, match=window):
                    go_on(state, colour + window)
        assert state == before
        go_on(state, f"{on_the_highest(state, luck)} +1")
    assert refused > 2000


@rule("PB-5")
def test_pb_5_a_sacred_site_is_never_built_on(load):
    state = load("pueblo", sites=["d4ne"]).new_initial_state()
    legal = legal_tokens(state)
    for window in WINDOWS:
        assert ("C" + window in legal) == (not {"d4", "e4", "d5"} & {*apex_r_l(window)})
    assert "Ce5ne" in legal
    assert "Cf5nw" in legal
    assert "Cc3nw" in legal
    state = play_on(state, random.Random(5))
    assert [heights(state)[square] for square in ("d4", "e4", "d5")] == [0, 0, 0]


@rule("PB-5")
def test_pb_5_the_square_left_out_may_be_covered(load):
    state = load("pueblo", sites=["d4ne"]).new_initial_state()
    assert "Cc3ne" in legal_tokens(state)  # leaves out d4


@rule("PB-5")
def test_pb_5_views_pass_over_a_sacred_site(load):
    assert play(load("pueblo", sites=["b4ne"]), "Cd4ne +4").scores() == [3, 0]


@rule("PB-6")
@pytest.mark.parametrize(("players", "highest"), [(2, 30), (3, 34), (4, 36)])
def test_pb_6_heights_are_not_limited_and_n_blocks_reach_n_plus_1_levels_at_most(load, players, highest):
    """Two blocks make a cube of 2 x 2 x 2, and so on for ever; the first of the two is one level ahead."""
    state = load("pueblo", players=players).new_initial_state()
    for blocks in range(1, {2: 30, 3: 33, 4: 36}[players] + 1):
        build(state, "d4ne" if blocks % 2 else "d5se")
        assert max(heights(state).values()) == blocks + blocks % 2
    assert state.is_terminal()
    assert max(heights(state).values()) == highest


# PB-7 to PB-10: the chieftain.


@rule("PB-7")
def test_pb_7_he_walks_clockwise_round_36_spaces(load):
    state = load("pueblo").new_initial_state()
    spaces = [info(state)["chieftain"]]
    for move in (4, 4, 1, 4, 4, 1, 4, 4, 1, 4, 4, 1):
        state.apply_action(state.legal_actions()[0])
        go_on(state, f"+{move}")
        spaces.append(info(state)["chieftain"])
    assert spaces == [0, 4, 8, 9, 13, 17, 18, 22, 26, 27, 31, 35, 0]


@rule("PB-7")
@pytest.mark.parametrize(
    ("start", "block", "points"),
    [
        ("sw", "Cc2ne", {1: 0, 2: 3, 3: 1, 4: 0}),  # west, ranks 1, 2, 3, 4
        ("nw", "Cc2ne", {1: 0, 2: 0, 3: 1, 4: 3}),  # north, files a, b, c, d; from there d2 shows both levels
        ("ne", "Cc7ne", {1: 1, 2: 3, 3: 0, 4: 0}),  # east, ranks 8, 7, 6, 5
        ("se", "Cf2ne", {1: 0, 2: 3, 3: 1, 4: 0}),  # south, files h, g, f, e
    ],
)
def test_pb_7_each_side_space_has_its_line(load, start, block, points):
    for spaces, expected in points.items():
        assert play(load("pueblo", start_corner=start), f"{block} +{spaces}").scores() == [expected, 0]


@rule("PB-8")
def test_pb_8_a_cube_seen_on_level_k_counts_k_points(load):
    state = play(load("pueblo"), "Ca4ne +4")
    assert drawn(state, "a4", "b5") == ["10 ..", "10 20"]
    assert state.scores() == [1 + 2, 0]


@rule("PB-8")
def test_pb_8_a_coloured_cube_hides_what_is_behind_it_on_its_level(load):
    state = play(load("pueblo"), "Ca4ne +1 Cc4ne +3")
    assert drawn(state, "a4", "d4") == ["10 20 11 21"]
    assert state.scores() == [1 + 2, 0]


@rule("PB-8")
def test_pb_8_a_neutral_cube_hides_too_and_counts_nothing(load):
    state = play(load("pueblo"), "Cc6ne +1 Ch8sw +1 Na6ne +4")
    assert drawn(state, "a6", "d6") == ["1n 2n 10 20"]
    assert state.scores() == [0, 0]


@rule("PB-8")
def test_pb_8_cubes_on_other_levels_hide_nothing(load):
    """Behind the low cube on a4 the chieftain sees the second level of c4, but not the first."""
    state = play(load("pueblo"), "Cb4nw +1 Cc4se +3")
    assert drawn(state, "a3", "d5") == [".. 20 .. ..", "10 10 11 11", ".. .. 21 .."]
    assert state.scores() == [1, 0]
    state = play(load("pueblo"), "Cb4nw +1 Cc4ne +3")
    assert drawn(state, "a4", "d4") == ["10 10 11 21"]
    assert state.scores() == [1, 2]


@rule("PB-8")
def test_pb_8_from_the_east_he_sees_the_eastern_cubes_first(load):
    state = play(load("pueblo", start_corner="ne"), "Ca5ne +1 Cc5ne +3")
    assert drawn(state, "a5", "d5") == ["10 20 11 21"]
    assert state.scores() == [0, 1 + 2]


@rule("PB-9")
def test_pb_9_from_a_corner_he_sees_his_quarter_from_above(load):
    state = play(load("pueblo"), "Cb7ne +4 Cd6ne +4")
    assert drawn(state, "a5", "e8") == [
        ".. 10 .. .. ..",
        ".. 10 20 11 ..",
        ".. .. .. 11 21",
        ".. .. .. .. ..",
    ]
    assert state.scores() == [1, 0]
    assert go_on(state.clone(), "Nh1nw +1").scores() == [1 + 3, 2]
    covered = go_on(state, "Nb7nw +1")
    assert drawn(covered, "a7", "c8") == [".. 2n ..", "2n 2n 20"]
    assert covered.scores() == [1 + 1, 2]


@rule("PB-10")
def test_pb_10_all_owners_seen_score_the_mover_too(load):
    """The second player moves the chieftain to a space that sees one cube of each."""
    state = play(load("pueblo"), "Cb4nw +1 Cc4ne +3")
    assert drawn(state, "a4", "d4") == ["10 10 11 21"]
    assert state.scores() == [1, 2]


@rule("PB-8", "PB-9", "PB-10", "PB-17")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_pb_8_to_pb_10_and_pb_17_hold_at_each_look_of_whole_games(load, players):
    luck = random.Random(8)
    for start in ("sw", "nw", "ne", "se"):
        state = load("pueblo", players=players, start_corner=start).new_initial_state()
        while not state.is_terminal():
            state.apply_action(luck.choice(state.legal_actions()))
            points, building = state.scores(), columns(state)
            state.apply_action(luck.choice(state.legal_actions()))
            expected = added(points, seen(building, info(state)["chieftain"], players))
            if state.is_terminal():
                expected = added(expected, whole_lap(building, players))
            assert state.scores() == expected


def on_the_highest(state: Any, luck: random.Random) -> str:
    """A placement as high as there is; after other placements by chance, and any other action."""
    tokens, height = legal_tokens(state), heights(state)
    if tokens[0][0] not in "CN" or luck.random() < 0.2:
        return luck.choice(tokens)
    luck.shuffle(tokens)
    return max(tokens, key=lambda token: sum(height[square] for square in apex_r_l(token[1:])))


@rule("PB-8", "PB-9", "PB-10", "PB-17")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_pb_8_to_pb_10_and_pb_17_hold_for_towers_too(load, players):
    """Heights are not limited (PB-6), and an engine may keep high cubes in another way than low ones."""
    luck, highest = random.Random(6), 0
    for start in ("sw", "nw", "ne", "se"):
        state = load("pueblo", players=players, start_corner=start).new_initial_state()
        while not state.is_terminal():
            go_on(state, on_the_highest(state, luck))
            points, building = state.scores(), columns(state)
            go_on(state, luck.choice(legal_tokens(state)))
            expected = added(points, seen(building, info(state)["chieftain"], players))
            if state.is_terminal():
                expected = added(expected, whole_lap(building, players))
            assert state.scores() == expected
        highest = max(highest, *heights(state).values())
    assert highest > 12


# PB-11 to PB-18: the basic game.


@rule("PB-11")
@pytest.mark.parametrize(("players", "supply"), [(2, [8, 7]), (3, [6, 5]), (4, [5, 4])])
def test_pb_11_supply_by_number_of_players(load, players, supply):
    state = load("pueblo", players=players).new_initial_state()
    assert info(state)["supply"] == [supply] * players
    placed = dict.fromkeys(product(range(players), "CN"), 0)
    luck = random.Random(11)
    while not state.is_terminal():
        action = luck.choice(state.legal_actions())
        token = state.action_to_string(action)
        if token[0] in "CN":
            placed[state.current_player(), token[0]] += 1
        state.apply_action(action)
    for player in range(players):
        assert [placed[player, "C"], placed[player, "N"]] == supply
    assert info(state)["supply"] == [[0, 0]] * players


@rule("PB-12")
@pytest.mark.parametrize(("corner", "space"), [("sw", 0), ("nw", 9), ("ne", 18), ("se", 27)])
def test_pb_12_the_chieftain_starts_on_a_corner(load, corner, space):
    assert info(load("pueblo", start_corner=corner).new_initial_state())["chieftain"] == space


@rule("PB-12")
def test_pb_12_the_corner_is_south_west_unless_said_otherwise(load):
    assert info(load("pueblo").new_initial_state())["chieftain"] == 0


@rule("PB-13")
def test_pb_13_a_turn_is_a_block_and_then_a_walk(load):
    state = load("pueblo").new_initial_state()
    assert {token[0] for token in legal_tokens(state)} == {"C"}
    go_on(state, "Cd4ne")
    assert state.current_player() == 0
    assert legal_tokens(state) == ["+1", "+2", "+3", "+4"]
    go_on(state, "+3")
    assert info(state)["chieftain"] == 3
    assert state.current_player() == 1
    assert {token[0] for token in legal_tokens(state)} == {"C"}


def colours(state: Any) -> set[str]:
    return {token[0] for token in legal_tokens(state)}


@rule("PB-14", "PB-R2")
@pytest.mark.parametrize("first", ["C", "N"])
def test_pb_14_the_single_block_comes_first_and_an_open_pair_is_used_up(load, first):
    second = {"C": "N", "N": "C"}[first]
    state = load("pueblo").new_initial_state()
    for _ in range(2):
        assert colours(state) == {"C"}
        state.apply_action(state.legal_actions()[0])
        go_on(state, "+1")
    for _ in range(7):
        for choice in ({"C", "N"}, {second}):
            for _player in range(2):
                assert colours(state) == choice
                wanted = first if len(choice) == 2 else second
                go_on(state, next(token for token in legal_tokens(state) if token[0] == wanted))
                go_on(state, "+1")
    assert state.is_terminal()


@rule("PB-15")
@pytest.mark.parametrize(("players", "blocks"), [(2, 30), (3, 33), (4, 36)])
def test_pb_15_players_move_in_seat_order_until_the_last_block(load, players, blocks):
    state = load("pueblo", players=players).new_initial_state()
    luck = random.Random(15)
    for turn in range(blocks):
        for _action in range(2):
            assert state.current_player() == turn % players
            state.apply_action(luck.choice(state.legal_actions()))
    assert state.is_terminal()
    assert state.current_player() == -4
    assert state.legal_actions() == []


@rule("PB-16")
def test_pb_16_building_ends_when_nothing_fits(load):
    *most, last = DEAD_AFTER_22.split()
    state = build(load("pueblo").new_initial_state(), " ".join(most))
    assert not state.is_terminal()
    colour = "C" if "C" + last in legal_tokens(state) else "N"
    go_on(state, colour + last)
    assert not state.is_terminal()
    assert all(levels_after(heights(state), window) is None for window in WINDOWS)
    points, building, space = state.scores(), columns(state), info(state)["chieftain"]
    go_on(state, "+3")
    assert state.is_terminal()
    looks = added(seen(building, space + 3, 2), whole_lap(building, 2))
    assert state.scores() == added(points, looks)
    assert info(state)["chieftain"] == space + 3
    assert sum(map(sum, info(state)["supply"])) == 30 - 22
    assert sum(state.returns()) == 0


@rule("PB-16")
@pytest.mark.parametrize(("direction", "windows"), ONE_DIRECTION.items(), ids=ONE_DIRECTION)
def test_pb_16_building_goes_on_while_a_window_of_one_direction_fits(load, direction, windows):
    state = build(load("pueblo").new_initial_state(), windows)
    assert not state.is_terminal()
    fitting = {window for window in WINDOWS if levels_after(heights(state), window) is not None}
    assert {window[2:] for window in fitting} == {direction}
    assert fitting == {token[1:] for token in legal_tokens(state)}


@rule("PB-16", "PB-R4")
def test_pb_16_no_auction_is_held_for_part_2_after_the_last_turn_of_part_1(load):
    """The 22nd block is the last of part 1 for two."""
    state = play(load("pueblo", pro=True), "pass pass token1")
    build(state, DEAD_AFTER_22)
    assert state.is_terminal()
    assert info(state)["part"] == 1
    assert info(state)["supply"] == [[0, 0], [0, 0]]
    assert info(state)["aside"] == 2


@rule("PB-16")
def test_pb_16_nor_in_the_middle_of_part_1(load):
    state = play(load("pueblo", pro=True, sites=SITES), "pass pass token1")
    build(state, DEAD_AFTER_17_WITH_SITES)
    assert state.is_terminal()
    assert info(state)["part"] == 1
    assert sum(map(sum, info(state)["supply"])) == 22 - 17


@rule("PB-16", "PB-R9")
def test_pb_16_the_auction_for_demolition_is_held(load):
    state = play(load("pueblo", pro=True, demolition=True, sites=SITES), "pass pass token1")
    build(state, DEAD_AFTER_17_WITH_SITES)
    assert info(state)["part"] == 3
    assert info(state)["step"] == "bid"
    go_on(state, "bid1 pass token1")
    assert info(state)["step"] == "remove"
    assert state.current_player() == 0


@rule("PB-16", "PB-R9")
def test_pb_16_demolition_follows_without_auctions_too(load):
    state = build(load("pueblo", demolition=True, sites=SITES).new_initial_state(), DEAD_AFTER_17_WITH_SITES)
    assert info(state)["part"] == 3
    assert info(state)["step"] == "remove"
    assert state.current_player() == 0


def last_turn(game: Any, seed: int) -> Any:
    """A game before its last action."""
    state, luck = game.new_initial_state(), random.Random(seed)
    while sum(map(sum, info(state)["supply"])) or info(state)["step"] != "move":
        state.apply_action(luck.choice(state.legal_actions()))
    return state


@rule("PB-R5")
@pytest.mark.parametrize("sites", [["b2ne", "g2nw", "b7se", "g7sw"], ["d4sw", "e4se", "d5nw", "e5ne"], SITES])
def test_pb_r5_on_an_empty_site_something_fits_whatever_the_sacred_sites(load, sites):
    state = load("pueblo", sites=sites).new_initial_state()
    assert not state.is_terminal()
    free = [window for window in WINDOWS if legal_tokens(state).count("C" + window)]
    assert len(free) > 20


@rule("PB-17")
@pytest.mark.parametrize("spaces", [1, 2, 3, 4])
def test_pb_17_on_the_final_lap_each_space_is_scored_once_and_his_own_last(load, spaces):
    state = last_turn(load("pueblo", players=3), spaces)
    points, building, space = state.scores(), columns(state), info(state)["chieftain"]
    go_on(state, f"+{spaces}")
    here = (space + spaces) % 36
    assert state.scores() == added(points, added(seen(building, here, 3), whole_lap(building, 3)))
    assert info(state)["chieftain"] == here


@rule("PB-17", "PB-19")
@pytest.mark.parametrize("options", [{}, {"players": 3}, {"demolition": True}, {"pro": True, "demolition": True}])
def test_pb_17_the_points_if_the_game_ended_here(load, options):
    luck, state = random.Random(4), load("pueblo", **options).new_initial_state()
    while not state.is_terminal():
        players = state.game.num_players
        lap = [0] * players if info(state)["part"] == 3 else whole_lap(columns(state), players)
        assert state.scores_if_over() == added(state.scores(), lap)
        for _ in range(5):
            if not state.is_terminal():
                state.apply_action(luck.choice(state.legal_actions()))
    assert state.scores_if_over() == state.scores()


def lead(points: list[int], player: int) -> int:
    return min(points[:player] + points[player + 1 :]) - points[player]


@rule("PB-17")
@pytest.mark.parametrize("windows", ONE_DIRECTION.values(), ids=ONE_DIRECTION)
def test_pb_17_a_search_counts_the_final_lap_that_is_to_come(windows):
    """A search of one simulation takes an action after which the lead is greatest if the lap came next."""
    state = build(tilery.load("pueblo").new_initial_state(), windows)
    player = state.current_player()
    now, then = {}, {}
    for action in state.legal_actions():
        after = state.child(action)
        now[action] = lead(after.scores(), player)
        then[action] = lead(added(after.scores(), whole_lap(columns(after), 2)), player)
    assert len(set(now.values())) == 1  # a block alone gives no points
    best = {action for action in then if then[action] == max(then.values())}
    assert len(best) < len(then)
    assert chosen_by_lead(state, 16) <= best


@rule("PB-17", "PB-19")
def test_pb_17_a_search_counts_no_final_lap_when_it_is_over():
    """In demolition a block that is removed changes no points yet, so that all are alike to a search."""
    state = demolition_of_17(tilery.load)
    assert chosen_by_lead(state, 99) == set(state.legal_actions())


@rule("PB-18")
def test_pb_18_fewest_points_win(load):
    for seed in range(4):
        state = play_on(load("pueblo", players=3).new_initial_state(), random.Random(seed))
        points = state.scores()
        assert len(set(points)) == 3
        assert state.returns() == [1.0 if mine == min(points) else -0.5 for mine in points]


@rule("PB-18", "G-6")
@pytest.mark.parametrize(("players", "returns"), [(2, [0.0, 0.0]), (3, [0.25, 0.25, -0.5])])
def test_pb_18_a_tie_for_the_win_is_shared(load, players, returns):
    """The same game twice; the second time the winner bids as many points as lead to a tie."""
    game = load("pueblo", players=players, pro=True, max_bid=99)
    nobody_bids = " ".join(f"{'pass ' * (players - gone)}token{gone + 1}" for gone in range(players - 1))

    def after(auction: str) -> Any:
        state, luck = play(game, auction), random.Random(18)
        while info(state)["step"] in ("place", "move"):
            state.apply_action(luck.choice(state.legal_actions()))
        return play_on(go_on(state, nobody_bids), luck)

    points = after(nobody_bids).scores()
    best, second = sorted(range(players), key=lambda player: points[player])[:2]
    bid = points[second] - points[best]
    assert 1 <= bid <= 99
    bids = []
    for opener in range(players - 1):
        calls = ["pass"] * (players - opener)
        if best == opener:
            calls[0] = f"bid{bid}"
        bids += [*calls, f"token{opener + 1}"]
    if best == players - 1:  # never the opener: the one before passes, and this player has won
        bids[-3:] = ["pass", f"bid{bid}", f"token{players}"]
    state = after(" ".join(bids))
    assert state.scores()[best] == state.scores()[second] == points[second]
    assert sorted(state.returns(), reverse=True) == returns


# PB-19 to PB-22: demolition.


class Building:
    """The blocks of a game as they come and go: for each square the block of each cube, the lowest first."""

    def __init__(self) -> None:
        self.on: dict[str, list[int]] = {square: [] for square in SQUARES}
        self.owner: list[str] = []
        self.squares: list[list[str]] = []

    def put(self, owner: str, window: str) -> None:
        height = {square: len(on) for square, on in self.on.items()}
        for square, level in levels_after(height, window).items():
            self.on[square] += [len(self.owner)] * (level - height[square])
        self.owner.append(owner)
        self.squares.append(sorted(apex_r_l(window), key=SQUARES.index))

    def take(self, token: str) -> None:
        block = self.on[token[1:]][-1]
        for square in self.squares[block]:
            self.on[square] = [other for other in self.on[square] if other != block]

    def columns(self) -> dict[str, str]:
        return {square: "".join(self.owner[block] for block in on) for square, on in self.on.items()}

    def standing(self) -> set[int]:
        return {block for on in self.on.values() for block in on}

    def colours(self) -> set[str]:
        return {self.owner[block] for block in self.standing()} - {"n"}

    def free(self) -> list[int]:
        """Whose cubes are on top on all three squares."""
        return [b for b in self.standing() if all(self.on[square][-1] == b for square in self.squares[b])]

    def removals(self, player: int) -> set[str]:
        if str(player) not in self.colours():
            return set()
        return {"x" + self.squares[block][0] for block in self.free() if self.owner[block] in (str(player), "n")}


def built(game: Any, luck: random.Random, choose: Any = None) -> tuple[Any, Building]:
    """The start of demolition in a random game, or in one whose actions are chosen so."""
    state, building = game.new_initial_state(), Building()
    while info(state)["part"] != 3 or info(state)["step"] == "bid":
        player = state.current_player()
        token = choose(state, luck) if choose else luck.choice(legal_tokens(state))
        if token[0] in "CN":
            building.put(str(player) if token[0] == "C" else "n", token[1:])
        go_on(state, token)
        if info(state)["part"] == 3 and info(state)["step"] == "token":
            go_on(state, legal_tokens(state)[0])
    return state, building


@rule("PB-19", "PB-20", "PB-21", "PB-22", "PB-R6")
@pytest.mark.parametrize("pro", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_pb_19_to_pb_22_hold_at_each_turn_of_whole_demolitions(load, players, pro):
    luck = random.Random(19)
    game = load("pueblo", players=players, demolition=True, pro=pro, max_bid=5)
    turns_without_colour = turns_with_neutral_blocks_only = 0
    for _ in range(8):
        state, building = built(game, luck)
        order = info(state)["order"]
        assert columns(state) == building.columns()
        for turn in range(1000):
            player = order[turn % players]
            assert state.current_player() == player
            removals = building.removals(player)
            turns_without_colour += str(player) not in building.colours()
            if removals:
                assert set(legal_tokens(state)) == removals
                turns_with_neutral_blocks_only += all(columns(state)[x[1:]][-1] == "n" for x in removals)
                points, token = state.scores(), luck.choice(sorted(removals))
                go_on(state, token)
                building.take(token)
                assert columns(state) == building.columns()
                assert state.scores() == points
                assert state.is_terminal() == (building.colours() == set())
                if state.is_terminal():
                    break
                assert state.current_player() == player
            assert legal_tokens(state) == ["+1", "+2", "+3", "+4"]
            points = state.scores()
            go_on(state, luck.choice(legal_tokens(state)))
            looks = seen(building.columns(), info(state)["chieftain"], players)
            assert state.scores() == added(points, looks)
    assert turns_without_colour > 0
    assert turns_with_neutral_blocks_only > 0


def demolition_of_17(load: Any) -> Any:
    """The building of 17 blocks at the start of demolition, player 0 to act."""
    return build(load("pueblo", demolition=True, sites=SITES).new_initial_state(), DEAD_AFTER_17_WITH_SITES)


def building_of_17() -> Building:
    """The same: two players in turn, each their single block, then of every pair the coloured block first."""
    building = Building()
    for number, window in enumerate(DEAD_AFTER_17_WITH_SITES.split()):
        turn, player = divmod(number, 2)
        building.put(str(player) if turn == 0 or turn % 2 == 1 else "n", window)
    return building


@rule("PB-19")
def test_pb_19_player_0_begins_and_first_removes_then_walks(load):
    state = demolition_of_17(load)
    assert state.current_player() == 0
    removal = legal_tokens(state)[0]
    go_on(state, removal)
    assert state.current_player() == 0
    assert legal_tokens(state) == ["+1", "+2", "+3", "+4"]
    go_on(state, "+1")
    assert state.current_player() == 1


@rule("PB-20")
def test_pb_20_a_block_with_a_cube_of_another_block_on_it_stays(load):
    """On c2, d2 and d3 a neutral block lies on one of player 0, square by square."""
    state = demolition_of_17(load)
    assert [columns(state)[square][-1] for square in ("c2", "d2", "d3")] == ["n", "n", "n"]
    cubes = sum(heights(state).values())
    go_on(state, "xc2 +1")
    assert sum(heights(state).values()) == cubes - 4
    assert [columns(state)[square][-1] for square in ("c2", "d2", "d3")] == ["0", "0", "0"]
    assert "xc2" not in legal_tokens(state)  # it is not of player 1's colour
    go_on(state, "xg4 +1")
    assert "xc2" in legal_tokens(state)


@rule("PB-20")
def test_pb_20_it_is_not_enough_to_be_on_top_on_some_squares(load):
    building, legal = building_of_17(), legal_tokens(demolition_of_17(load))
    half_covered = [
        squares[0]
        for block, squares in enumerate(building.squares)
        if building.on[squares[0]][-1] == block and block not in building.free()
    ]
    assert half_covered
    for square in half_covered:
        assert "x" + square not in legal


@rule("PB-21")
def test_pb_21_removal_is_compulsory(load):
    assert {token[0] for token in legal_tokens(demolition_of_17(load))} == {"x"}


@rule("PB-19", "PB-20", "PB-21")
def test_pb_19_to_pb_21_hold_for_towers_too(load):
    luck, highest = random.Random(20), 0
    for players in (2, 4):
        game = load("pueblo", players=players, demolition=True)
        state, building = built(game, luck, on_the_highest)
        highest = max(highest, *heights(state).values())
        while not state.is_terminal():
            assert columns(state) == building.columns()
            removals = building.removals(state.current_player())
            assert (info(state)["step"] == "remove") == bool(removals)
            if removals:
                assert set(legal_tokens(state)) == removals
                token = luck.choice(sorted(removals))
                building.take(token)
                go_on(state, token)
            if not state.is_terminal():
                go_on(state, luck.choice(legal_tokens(state)))
    assert highest > 12


def last_removal(game: Any, seed: int) -> tuple[Any, str]:
    """A game with demolition before its last action, and that action."""
    state, luck = game.new_initial_state(), random.Random(seed)
    while True:
        before, token = state.clone(), luck.choice(legal_tokens(state))
        if go_on(state, token).is_terminal():
            return before, token


@rule("PB-22")
def test_pb_22_the_game_ends_with_the_last_coloured_block_and_without_a_walk(load):
    neutral_blocks_remained = 0
    for seed in range(6):
        before, token = last_removal(load("pueblo", demolition=True), seed)
        assert token[0] == "x"
        state = go_on(before.clone(), token)
        assert state.scores() == before.scores()
        assert info(state)["chieftain"] == info(before)["chieftain"]
        assert {cube for column in columns(state).values() for cube in column} <= {"n"}
        neutral_blocks_remained += any(columns(state).values())
        assert sum(state.returns()) == 0
    assert neutral_blocks_remained > 0


# PB-23 to PB-28: the pro game.


@rule("PB-23", "PB-R3")
@pytest.mark.parametrize(("players", "blocks"), [(2, 11), (3, 7), (4, 5)])
def test_pb_23_part_1_leaves_two_pairs_aside_for_part_2(load, players, blocks):
    nobody_bids = " ".join(f"{'pass ' * (players - gone)}token{gone + 1}" for gone in range(players - 1))
    state, luck = load("pueblo", players=players, pro=True).new_initial_state(), random.Random(23)
    half = [(blocks + 1) // 2, blocks // 2]
    assert info(state)["supply"] == [half] * players
    go_on(state, nobody_bids)
    turns = 0
    while info(state)["step"] != "bid":
        assert info(state)["part"] == 1
        state.apply_action(luck.choice(state.legal_actions()))
        turns += 1
    assert turns == 2 * players * blocks
    assert info(state)["part"] == 2
    assert (info(state)["supply"], info(state)["aside"]) == ([[0, 0]] * players, 2)
    go_on(state, nobody_bids)
    assert (info(state)["supply"], info(state)["aside"]) == ([[2, 2]] * players, 0)
    assert colours(state) == {"C", "N"}
    turns = 0
    while not state.is_terminal():
        assert info(state)["part"] == 2
        state.apply_action(luck.choice(state.legal_actions()))
        turns += 1
    assert turns == 2 * players * 4


@rule("PB-24")
def test_pb_24_tokens_give_the_turn_order_of_every_round(load):
    game = load("pueblo", players=3, pro=True, demolition=True)
    state = play(game, "bid2 bid3 pass pass token3 pass pass token1")
    assert info(state)["order"] == [2, 0, 1]
    luck = random.Random(24)
    turns = []
    while info(state)["step"] != "bid":
        turns.append(state.current_player())
        state.apply_action(luck.choice(state.legal_actions()))
    assert turns == [2, 2, 0, 0, 1, 1] * 7
    go_on(state, "bid9 pass pass token2 bid1 pass token3")
    assert info(state)["order"] == [2, 0, 1]
    turns = []
    while info(state)["step"] != "bid":
        turns.append(state.current_player())
        state.apply_action(luck.choice(state.legal_actions()))
    assert turns == [2, 2, 0, 0, 1, 1] * 4
    assert info(state)["part"] == 3
    go_on(state, "pass bid7 pass token1 pass pass token2")
    assert info(state)["order"] == [1, 2, 0]
    assert state.current_player() == 1


@rule("PB-24")
def test_pb_24_without_demolition_there_are_two_auctions(load):
    state, luck = load("pueblo", pro=True).new_initial_state(), random.Random(24)
    auctions = 0
    while not state.is_terminal():
        before = info(state)["auction"]
        state.apply_action(luck.choice(state.legal_actions()))
        auctions += before is not None and info(state)["auction"] is None
    assert auctions == 2


@rule("PB-24")
def test_pb_24_the_auction_for_demolition_comes_after_the_final_lap(load):
    state, luck = load("pueblo", pro=True, demolition=True).new_initial_state(), random.Random(24)
    while info(state)["part"] != 3:
        points, building = state.scores(), columns(state)
        state.apply_action(luck.choice(state.legal_actions()))
    assert info(state)["step"] == "bid"
    looks = added(seen(building, info(state)["chieftain"], 2), whole_lap(building, 2))
    assert state.scores() == added(points, looks)


@rule("PB-25")
@pytest.mark.parametrize("first_bidder", [0, 1, 2])
def test_pb_25_first_bidder_opens_every_auction(load, first_bidder):
    state = load("pueblo", players=3, pro=True, first_bidder=first_bidder).new_initial_state()
    luck = random.Random(25)
    opened = []
    while not state.is_terminal():
        auction = info(state)["auction"]
        if auction and info(state)["order"] == [None] * 3 and auction["bid"] == 0 and not auction["passed"]:
            opened.append(state.current_player())
        state.apply_action(luck.choice(state.legal_actions()))
    assert opened[0] == opened[-1] == first_bidder
    assert len(opened) >= 2
    assert set(opened) == {first_bidder}


@rule("PB-25", "PB-R8")
def test_pb_25_a_bid_must_be_higher_than_the_last(load):
    state = load("pueblo", players=3, pro=True, max_bid=6).new_initial_state()
    assert legal_tokens(state) == ["bid1", "bid2", "bid3", "bid4", "bid5", "bid6", "pass"]
    assert legal_tokens(go_on(state, "bid3")) == ["bid4", "bid5", "bid6", "pass"]
    assert legal_tokens(go_on(state, "bid6")) == ["pass"]


@rule("PB-25")
def test_pb_25_bidding_goes_clockwise_and_who_passed_is_out(load):
    state = load("pueblo", players=4, pro=True, first_bidder=2).new_initial_state()
    asked = []
    for token in ["bid1", "pass", "bid2", "bid3", "pass", "bid5", "bid6", "pass"]:
        asked.append(state.current_player())
        go_on(state, token)
    assert asked == [2, 3, 0, 1, 2, 0, 1, 0]
    assert state.current_player() == 1
    assert info(state)["auction"] == {"opener": 2, "bid": 6, "bidder": 1, "passed": [0, 2, 3]}


@rule("PB-25", "PB-R7")
def test_pb_25_the_winner_takes_any_token_left_and_pays_his_last_bid_then(load):
    state = play(load("pueblo", players=3, pro=True), "bid2 bid4 pass bid7 pass")
    assert state.current_player() == 0
    assert legal_tokens(state) == ["token1", "token2", "token3"]
    assert state.scores() == [0, 0, 0]
    go_on(state, "token2")
    assert state.scores() == [7, 0, 0]
    assert info(state)["order"] == [None, 0, None]
    go_on(state, "bid1 pass")
    assert legal_tokens(state) == ["token1", "token3"]


@rule("PB-25")
def test_pb_25_the_next_without_a_token_opens_for_the_next_token(load):
    state = play(load("pueblo", players=4, pro=True, first_bidder=1), "pass pass bid1 pass token4")
    assert info(state)["order"] == [None, None, None, 3]
    assert state.current_player() == 0
    go_on(state, "pass pass bid1 token1")  # 0 and 1 pass, 2 wins at once; 3 takes no further part
    assert info(state)["order"] == [2, None, None, 3]
    assert state.current_player() == 0  # 3, to the left of 2, has a token
    assert info(state)["auction"] == {"opener": 0, "bid": 0, "bidder": None, "passed": []}


@rule("PB-25")
def test_pb_25_the_last_token_goes_by_itself_and_is_free(load):
    state = play(load("pueblo", players=3, pro=True), "bid5 pass pass token3 bid4 pass token1")
    assert info(state)["order"] == [1, 2, 0]
    assert state.scores() == [5, 4, 0]
    assert info(state)["auction"] is None
    assert info(state)["step"] == "place"
    assert state.current_player() == 1


@rule("PB-26")
def test_pb_26_while_nobody_has_bid_even_the_last_is_asked(load):
    state = play(load("pueblo", players=3, pro=True), "pass pass")
    assert state.current_player() == 2
    assert legal_tokens(state)[0] == "bid1"
    assert legal_tokens(state)[-1] == "pass"


@rule("PB-26")
def test_pb_26_if_everybody_passes_the_opener_takes_a_token_for_nothing(load):
    state = play(load("pueblo", players=3, pro=True, first_bidder=1), "pass pass pass")
    assert state.current_player() == 1
    assert legal_tokens(state) == ["token1", "token2", "token3"]
    go_on(state, "token2")
    assert state.scores() == [0, 0, 0]
    go_on(state, "pass pass")  # the ruling: so it is for every token
    assert state.current_player() == 2
    assert legal_tokens(state) == ["token1", "token3"]


@rule("PB-26")
def test_pb_26_who_has_bid_when_all_others_are_out_is_not_asked_again(load):
    state = play(load("pueblo", pro=True), "pass bid3")
    assert state.current_player() == 1
    assert legal_tokens(state) == ["token1", "token2"]
    assert go_on(state, "token1").scores() == [0, 3]
    assert state.current_player() == 1


@rule("PB-26")
@pytest.mark.parametrize("max_bid", [1, 50, 99])
def test_pb_26_bids_are_whole_numbers_up_to_max_bid(load, max_bid):
    legal = legal_tokens(load("pueblo", pro=True, max_bid=max_bid).new_initial_state())
    assert legal == [*(f"bid{bid}" for bid in range(1, max_bid + 1)), "pass"]


@rule("PB-27")
def test_pb_27_sites_are_a_set_kept_sorted(load):
    game = load("pueblo", sites=["g7sw", "d4ne", "c4nw", "a1ne"])
    assert list(game.rules["sites"]) == ["a1ne", "c4nw", "d4ne", "g7sw"]
    assert game.rules == load("pueblo", sites=("a1ne", "c4nw", "g7sw", "d4ne")).rules


@rule("PB-27")
@pytest.mark.parametrize(
    "sites",
    [
        ["a1sw"],  # leaves the site
        ["h8ne"],
        ["d9ne"],
        ["d4"],
        ["Cd4ne"],
        [4],
        "d4ne",
        4,
        None,
        ["d4ne", "d4ne"],
        ["d4ne", "d5ne"],  # both on d5
        ["a1ne", "c1ne", "e1ne", "g1ne", "a7ne"],
    ],
)
def test_pb_27_sites_that_cannot_be_are_refused(load, sites):
    with pytest.raises(ValueError, match="sites"):
        load("pueblo", sites=sites)


@rule("PB-27")
def test_pb_27_tiles_of_one_window_may_interlock(load):
    """e5 is left out by d4ne, and may belong to another tile."""
    state = load("pueblo", sites=["d4ne", "e5ne"]).new_initial_state()
    assert "Cc3ne" in legal_tokens(state)
    assert not {"Ce5ne", "Cf5nw", "Ce6se"} & set(legal_tokens(state))


@rule("PB-28")
def test_pb_28_the_chieftain_goes_on_from_where_he_stands(load):
    state, luck = load("pueblo", pro=True, demolition=True).new_initial_state(), random.Random(28)
    while not state.is_terminal():
        before, token = info(state)["chieftain"], luck.choice(legal_tokens(state))
        walked = int(token) if token[0] == "+" else 0
        go_on(state, token)
        assert info(state)["chieftain"] == (before + walked) % 36


# PB-29 to PB-33: tokens.


@rule("PB-28")
def test_pb_28_he_goes_on_in_demolition_too(load):
    """After 17 steps along the building the chieftain is on space 17, final lap or not."""
    state = demolition_of_17(load)
    assert info(state)["chieftain"] == 17
    go_on(state, f"{legal_tokens(state)[0]} +2")
    assert info(state)["chieftain"] == 19


@rule("PB-29", "PB-30")
def test_pb_29_and_pb_30_a_placement_names_apex_and_the_square_left_out(load):
    state = play(load("pueblo"), "Cd4ne")
    assert drawn(state, "c3", "e5") == [".. 10 ..", ".. 10 20", ".. .. .."]
    state = play(load("pueblo"), "Cd4nw")
    assert drawn(state, "c3", "e5") == [".. 20 ..", "10 10 ..", ".. .. .."]
    state = play(load("pueblo"), "Cd4se")
    assert drawn(state, "c3", "e5") == [".. .. ..", ".. 10 10", ".. 20 .."]
    state = play(load("pueblo"), "Cd4sw")
    assert drawn(state, "c3", "e5") == [".. .. ..", "20 10 ..", ".. 10 .."]
    assert columns(play(load("pueblo"), "Cd4ne +1 Cd4nw +1 Na1ne"))["b1"] == "nn"


@rule("PB-31")
def test_pb_31_and_the_table_of_ids(load):
    game = load("pueblo", demolition=True, pro=True, players=3, max_bid=20)
    state = game.new_initial_state()
    assert game.num_distinct_actions == 392 + 4 + 56 + 20 + 1 + 3
    tokens = [state.action_to_string(action) for action in range(game.num_distinct_actions)]
    assert tokens[:392] == [colour + window for colour in "CN" for window in WINDOWS]
    assert tokens[392:396] == ["+1", "+2", "+3", "+4"]
    assert tokens[396:452] == ["x" + square for square in SQUARES[:56]]
    assert tokens[452:472] == [f"bid{bid}" for bid in range(1, 21)]
    assert tokens[472:] == ["pass", "token1", "token2", "token3"]
    assert [state.string_to_action(token) for token in tokens] == list(range(game.num_distinct_actions))


def test_the_table_of_ids_where_options_are_off(load):
    basic = load("pueblo")
    assert basic.num_distinct_actions == 396
    pro = load("pueblo", pro=True).new_initial_state()
    assert pro.string_to_action("bid1") == 396
    assert pro.string_to_action("token2") == 396 + 50 + 1 + 1
    tearing_down = load("pueblo", demolition=True)
    assert tearing_down.num_distinct_actions == 452
    for action in (-1, 396):
        with pytest.raises(ValueError, match=str(action)):
            basic.new_initial_state().action_to_string(action)


@rule("PB-32")
def test_pb_32_a_removal_names_the_first_of_the_three_squares(load):
    assert set(legal_tokens(demolition_of_17(load))) == building_of_17().removals(0)
    assert building_of_17().squares[-1] == ["c2", "d2", "d3"]
    assert "xc2" in legal_tokens(demolition_of_17(load))


@rule("PB-29", "PB-30", "PB-31", "PB-32", "PB-33", "PB-R1")
@pytest.mark.parametrize(
    "token",
    ["", "C", "Cd", "Cd4", "Cd4n", "Cd4nee", "Cd4NE", "cd4ne", "Dd4ne", " Cd4ne", "Cd4ne ", "Ch1ne", "Ca1nw",
     "Cd1se", "Cd8ne", "Cd4ne\n", "+", "+0", "+5", "+10", "+01", "1", "xd4", "bid1", "pass", "token1",
     "Cd\u0664ne"],
)  # fmt: skip
def test_pb_29_to_pb_33_tokens_that_the_basic_game_does_not_know(load, token):
    with pytest.raises(ParseError):
        load("pueblo").new_initial_state().string_to_action(token)


@rule("PB-32", "PB-33", "PB-R1")
@pytest.mark.parametrize(
    "token",
    ["x", "xd", "xd8", "xa9", "xi1", "xd4n", "bid", "bid0", "bid01", "bid7.0", "bid+7", "bid 7", "bid51",
     "bid100", "passs", "Pass", "token", "token0", "token3", "token01", "token10", "bid\u0667"],
)  # fmt: skip
def test_pb_32_and_pb_33_tokens_that_no_game_for_two_with_bids_to_50_knows(load, token):
    with pytest.raises(ParseError):
        load("pueblo", demolition=True, pro=True).new_initial_state().string_to_action(token)


# Options.


def test_options_and_their_defaults(load):
    assert load("pueblo").rules.as_dict() == {
        "players": 2,
        "demolition": False,
        "pro": False,
        "sites": [],
        "start_corner": "sw",
        "handedness": "right",
        "first_bidder": 0,
        "max_bid": 50,
    }


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("players", 1),
        ("players", 5),
        ("players", 2.0),
        ("players", "2"),
        ("demolition", 1),
        ("pro", "yes"),
        ("start_corner", "n"),
        ("start_corner", 0),
        ("handedness", "both"),
        ("first_bidder", 2),
        ("first_bidder", -1),
        ("first_bidder", True),
        ("max_bid", 0),
        ("max_bid", 100),
        ("colour", "red"),
    ],
)
def test_options_that_are_not_allowed_are_named(load, option, value):
    with pytest.raises(ValueError, match=option):
        load("pueblo", **{option: value})


# Check values.


def test_check_value_196_and_35140_sequences_of_placements(load):
    state = load("pueblo").new_initial_state()
    assert len(state.legal_actions()) == 196
    second = 0
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        go_on(after, "+1")
        second += len(after.legal_actions())
    assert second == 35_140


def test_check_value_196_784_140560_first_plies(load):
    level = [load("pueblo").new_initial_state()]
    widths = []
    for _ in range(3):
        widths.append(sum(len(state.legal_actions()) for state in level))
        if len(widths) < 3:
            following = []
            for state in level:
                for action in state.legal_actions():
                    following.append(state.clone())
                    following[-1].apply_action(action)
            level = following
    assert widths == [196, 784, 140_560]


@pytest.mark.parametrize("window", ["a1ne", "d4ne", "h1nw", "e5nw", "a8se", "c6se", "h8sw", "d5sw"])
def test_check_value_a_lone_block_scores_19_over_the_lap_wherever_it_lies(load, window):
    """All 36 spaces are visited with the block alone in view: what else must be built lies out of sight."""
    total = 0
    for corner, first_space in (("sw", 0), ("nw", 9), ("ne", 18), ("se", 27)):
        game = load("pueblo", start_corner=corner)
        for way in ([1], [2], [3], [4], [4, 1], [4, 2], [4, 3], [4, 4], [4, 4, 1]):
            space = (first_space + sum(way)) % 36
            everywhere = dict.fromkeys(SQUARES, "0")
            in_view = {square for square in SQUARES if sum(seen({**dict.fromkeys(SQUARES, ""), square: "0"}, space, 2))}
            assert len(in_view) == (16 if space % 9 == 0 else 8)
            assert sum(seen(everywhere, space, 2)) == len(in_view) if space % 9 == 0 else 1
            state = play(game, "C" + window)
            for spaces in way[:-1]:
                go_on(state, f"+{spaces}")
                taken = in_view | {*apex_r_l(window)}
                away = next(token for token in legal_tokens(state) if not taken & {*apex_r_l(token[1:])})
                go_on(state, away)
            points = state.scores()[0]
            go_on(state, f"+{way[-1]}")
            total += state.scores()[0] - points
    assert total == 19


@pytest.mark.parametrize(("players", "length"), [(2, 60), (3, 66), (4, 72)])
def test_check_value_length_of_a_basic_game(load, players, length):
    game = load("pueblo", players=players)
    assert game.max_game_length == length
    state, luck, actions = game.new_initial_state(), random.Random(60), 0
    assert len(state.legal_actions()) == 196
    while not state.is_terminal():
        state.apply_action(luck.choice(state.legal_actions()))
        actions += 1
        assert actions != 1 or len(state.legal_actions()) == 4
    assert actions == length


@pytest.mark.parametrize(
    ("options", "length"),
    [
        ({"demolition": True}, 60 + 3 * 30),
        ({"players": 4, "demolition": True}, 72 + 5 * 36),
        ({"pro": True}, 60 + 2 * (50 + 2)),
        ({"players": 3, "pro": True, "max_bid": 9}, 66 + 2 * (2 * 9 + 5)),
        ({"players": 4, "pro": True, "demolition": True}, 72 + 5 * 36 + 3 * (3 * 50 + 9)),
    ],
)
def test_max_game_length(load, options, length):
    assert load("pueblo", **options).max_game_length == length


def test_check_value_turning_the_site_moves_the_chieftains_numbers_by_9(load):
    luck = random.Random(9)
    state = load("pueblo", start_corner="sw").new_initial_state()
    other = load("pueblo", start_corner="nw").new_initial_state()
    while not state.is_terminal():
        token = luck.choice(legal_tokens(state))
        go_on(state, token)
        go_on(other, token if token[0] == "+" else token[0] + turned_window(token[1:]))
        assert other.scores() == state.scores()
        assert columns(other) == {turned(square): column for square, column in columns(state).items()}
        assert info(other)["chieftain"] == (info(state)["chieftain"] + 9) % 36
        assert len(other.legal_actions()) == len(state.legal_actions())


def test_check_value_left_handed_blocks_are_the_mirror_image_of_right_handed_ones(load):
    def mirrored(square: str) -> str:
        return FILES[7 - FILES.index(square[0])] + square[1]

    luck = random.Random(2)
    state = load("pueblo").new_initial_state()
    other = load("pueblo", handedness="left").new_initial_state()
    for _ in range(30):
        token = luck.choice(legal_tokens(state))
        go_on(state, token + " +1")
        mirror = {"ne": "nw", "nw": "ne", "se": "sw", "sw": "se"}[token[3:]]
        go_on(other, token[0] + mirrored(token[1:3]) + mirror + " +1")
        assert columns(other) == {mirrored(square): column for square, column in columns(state).items()}


# What can be known.


def test_information_state_at_the_start_of_a_basic_game(load):
    text = load("pueblo").new_initial_state().information_state_string(1)
    empty = ",".join(['""'] * 64)
    assert text == (
        '{"part":1,"step":"place","player":0,"order":[0,1],"scores":[0,0],"chieftain":0,'
        f'"supply":[[8,7],[8,7]],"aside":0,"columns":[{empty}]}}'
    )


def test_information_state_with_all_options(load):
    game = load("pueblo", players=3, pro=True, demolition=True)
    state = play(game, "pass bid2 bid5 pass token2 bid1")
    empty, none = ",".join(['""'] * 64), ",".join(["[]"] * 64)
    assert state.information_state_string(0) == (
        '{"part":1,"step":"bid","player":1,"order":[null,2,null],"scores":[0,0,5],"chieftain":0,'
        f'"supply":[[4,3],[4,3],[4,3]],"aside":2,"columns":[{empty}],"blocks":[{none}],'
        '"auction":{"opener":0,"bid":1,"bidder":0,"passed":[]}}'
    )


@pytest.mark.parametrize("demolition", [False, True])
def test_a_position_is_the_same_however_it_was_reached(load, demolition):
    """Player 0 builds both coloured blocks in either order; no cube is seen."""
    game = load("pueblo", demolition=demolition)
    one = play(game, "Ca7ne +1 Cg7ne +1 Nc7ne +1 Ng8se +1 Ce7ne +1")
    other = play(game, "Ce7ne +1 Cg7ne +1 Nc7ne +1 Ng8se +1 Ca7ne +1")
    assert one.information_state_string(0) == other.information_state_string(1)
    assert one == other
    assert hash(one) == hash(other)
    assert one.serialize() == other.serialize()
    assert one != play(game, "Ca7ne +1 Cg7ne +1 Nc7ne +1 Ng8se +1 Ce7ne +2")


def test_blocks_are_numbered_as_they_first_occur(load):
    state = play(load("pueblo", demolition=True), "Ce7ne +1 Cg7ne +1 Nc7ne +1 Ng8se +1 Ca7ne +1")
    blocks = dict(zip(SQUARES, info(state)["blocks"], strict=True))
    assert [blocks[file + "7"] for file in FILES] == [[0], [0, 0], [1], [1, 1], [2], [2, 2], [3, 4], [3, 3]]
    assert [blocks[file + "8"] for file in FILES] == [[0], [], [1], [], [2], [], [3, 4], [4, 4]]


def test_which_cubes_belong_together_is_known_with_demolition_only(load):
    """Two neutral blocks on one another, and the same cubes from two others."""
    first, second = same_cubes_from_other_blocks(load("pueblo"))
    assert first == second
    assert first.information_state_string(0) == second.information_state_string(0)
    first, second = same_cubes_from_other_blocks(load("pueblo", demolition=True))
    assert columns(first) == columns(second)
    assert first != second
    assert info(first)["blocks"] != info(second)["blocks"]


def same_cubes_from_other_blocks(game: Any) -> tuple[Any, Any]:
    """Two neutral blocks on five squares that can be laid in two ways, found by trying."""
    found: dict[tuple[str, ...], list[str]] = {}
    flat = dict.fromkeys(SQUARES, 0)
    near = [window for window in WINDOWS if {*apex_r_l(window)} <= {f + r for f in "defg" for r in "4567"}]
    for one in near:
        ground = {**flat, **(levels_after(flat, one) or {})}
        for other in near:
            if {*apex_r_l(one)} & {*apex_r_l(other)} and (top := levels_after(ground, other)):
                shape = tuple(f"{square}{height}" for square, height in {**ground, **top}.items() if height)
                found.setdefault(shape, []).append(f"{one} {other}")
    for ways in found.values():
        for first, second in product(ways, repeat=2):
            if sorted(first.split()) != sorted(second.split()):
                return tuple(
                    play(game, "Ca1ne +1 Ch1nw +1 N{} +1 N{} +1".format(*way.split())) for way in (first, second)
                )
    raise AssertionError("no two blocks can be laid in two ways")


def test_nothing_is_hidden_so_determinize_changes_nothing(load):
    state = play(load("pueblo", players=3), "Cd4ne +1 Cd4nw +2")
    for rng in (7, np.random.default_rng(7)):
        assert state.determinize(1, rng) == state
    assert state.chance_outcomes() == []
    assert not state.is_chance_node()
    with pytest.raises(ValueError, match="3"):
        state.determinize(3, 7)


def test_an_action_that_is_not_legal_is_refused_and_changes_nothing(load):
    state = play(load("pueblo"), "Cd4ne")
    before = state.clone()
    for action in (0, 396, -1, 10**6):
        with pytest.raises(ValueError, match=str(action)):
            state.apply_action(action)
    assert state == before


# The observation, plane by plane (docs/rules/pueblo.md).


def names_of_planes(players: int, demolition: bool, pro: bool) -> list[str]:
    seats = range(players)
    owners = [*(f"seat {k}" for k in seats), "neutral"]
    names = ["height", "above", "covered", *(f"top of {owner}" for owner in owners)]
    names += [f"level {level} of {owner}" for level in range(1, 9) for owner in owners]
    names += ["west", "north", "east", "south", "quarter"]
    for what in ("points", "points above 255", "coloured", "neutral", "to act", "token"):
        names += [f"{what} of seat {k}" for k in seats]
    names += ["place", "move", "remove", "bid", "choose", "part 1", "part 2", "part 3"]
    names += ["removable"] * demolition
    if pro:
        names += ["aside", "last bid"]
        for what in ("bidder", "opener", "passed"):
            names += [f"{what} is seat {k}" for k in seats]
    return names


def observed(game: Any, state: Any, player: int) -> dict[str, Any]:
    """The planes by name: a number where a plane is all alike, else the squares that are not 0."""
    rules = game.rules
    names = names_of_planes(rules["players"], rules["demolition"], rules["pro"])
    tensor = state.observation_tensor(player)
    assert tensor.dtype == np.float32
    assert tensor.shape == tuple(game.observation_tensor_shape) == (len(names), 8, 8)
    planes: dict[str, Any] = {}
    for name, plane in zip(names, tensor, strict=True):
        values = {square: float(plane[int(square[1]) - 1, FILES.index(square[0])]) for square in SQUARES}
        alike = len(set(values.values())) == 1
        planes[name] = values["a1"] if alike else {square: v for square, v in values.items() if v}
    return planes


def test_observation_of_building_and_chieftain(load):
    game = load("pueblo", players=3, sites=["f2ne"])
    state = play(game, "Cb4ne +1 Cb4nw +1")
    assert drawn(state, "a4", "c5") == [".. 21 ..", "21 21 20"]
    planes = observed(game, state, 2)
    assert planes["height"] == {"a4": 0.25, "b4": 0.25, "c4": 0.25, "b5": 0.25}
    assert planes["above"] == 0
    assert planes["covered"] == {"f2": 1, "g2": 1, "f3": 1}
    assert planes["top of seat 0"] == 0
    assert planes["top of seat 1"] == {"c4": 1}
    assert planes["top of seat 2"] == {"a4": 1, "b4": 1, "b5": 1}
    assert planes["top of neutral"] == 0
    assert planes["level 1 of seat 1"] == {"b4": 1, "c4": 1, "b5": 1}
    assert planes["level 1 of seat 2"] == {"a4": 1}
    assert planes["level 2 of seat 1"] == {"c4": 1}
    assert planes["level 2 of seat 2"] == {"a4": 1, "b4": 1, "b5": 1}
    assert planes["level 3 of seat 2"] == 0
    assert planes["west"] == {file + "2": 1 for file in FILES}
    assert [planes[side] for side in ("north", "east", "south", "quarter")] == [0, 0, 0, 0]
    assert [planes[f"coloured of seat {k}"] for k in range(3)] == [6 / 8, 5 / 8, 5 / 8]
    assert [planes[f"neutral of seat {k}"] for k in range(3)] == [5 / 8] * 3
    assert [planes[f"to act of seat {k}"] for k in range(3)] == [1, 0, 0]
    assert [planes[f"token of seat {k}"] for k in range(3)] == [1, np.float32(1 / 3), np.float32(2 / 3)]
    assert [planes[name] for name in ("place", "move", "part 1", "part 2", "part 3")] == [1, 0, 1, 0, 0]


def test_observation_of_scores_and_sides(load):
    for start, side, line in (
        ("sw", "west", {file + "4" for file in FILES}),
        ("nw", "north", {"d" + rank for rank in "12345678"}),
        ("ne", "east", {file + "5" for file in FILES}),
        ("se", "south", {"e" + rank for rank in "12345678"}),
    ):
        game = load("pueblo", start_corner=start)
        state = game.new_initial_state()
        quarter = observed(game, state, 0)["quarter"]
        files, ranks = ("abcd" if "w" in start else "efgh"), ("1234" if "s" in start else "5678")
        assert quarter == {file + rank: 1 for file in files for rank in ranks}
        go_on(state, "Cd4ne +4")
        planes = observed(game, state, 1)
        assert planes[side] == dict.fromkeys(line, 1)
        assert planes["quarter"] == 0
        assert planes["points of seat 1"] == np.float32(state.scores()[0] / 100)
        assert planes["points of seat 0"] == 0


def test_observation_of_points_above_255(load):
    game = load("pueblo", pro=True, demolition=True, max_bid=99)
    state = game.new_initial_state()
    while max(state.scores()) <= 255 and not state.is_terminal():
        legal = [state.action_to_string(action) for action in state.legal_actions()]
        go_on(state, "bid99" if "bid99" in legal else legal[-1])
    points = state.scores()
    assert 255 < max(points) < 510
    planes = observed(game, state, 1)
    for seat, player in enumerate([1, 0]):
        assert planes[f"points of seat {seat}"] == np.float32(min(points[player], 255) / 100)
        assert planes[f"points above 255 of seat {seat}"] == np.float32(max(points[player] - 255, 0) / 100)


def test_observation_says_how_much_is_above_level_8(load):
    game = load("pueblo")
    state = build(game.new_initial_state(), "d4ne d5se " * 5 + "d4ne")
    planes = observed(game, state, 0)
    assert drawn(state, "d4", "e5") == ["110 10n", "110 120"]
    assert planes["height"] == {"d4": 11 / 8, "e4": 12 / 8, "d5": 11 / 8, "e5": 10 / 8}
    assert planes["above"] == {"d4": 3 / 8, "e4": 4 / 8, "d5": 3 / 8, "e5": 2 / 8}


def test_observation_of_an_auction(load):
    game = load("pueblo", players=3, pro=True, first_bidder=1)
    state = play(game, "pass pass bid9 token2 bid20")
    planes = observed(game, state, 2)
    assert planes["points of seat 1"] == np.float32(0.09)
    assert [planes[f"token of seat {k}"] for k in range(3)] == [0, np.float32(2 / 3), 0]
    assert [planes[f"to act of seat {k}"] for k in range(3)] == [1, 0, 0]
    assert planes["aside"] == 1
    assert planes["last bid"] == np.float32(20 / 50)
    assert [planes[f"bidder is seat {k}"] for k in range(3)] == [0, 0, 1]
    assert [planes[f"opener is seat {k}"] for k in range(3)] == [0, 0, 1]
    assert [planes[f"passed is seat {k}"] for k in range(3)] == [0, 0, 0]
    assert [planes[name] for name in ("bid", "choose", "place")] == [1, 0, 0]
    planes = observed(game, go_on(state, "pass"), 2)
    assert [planes[f"passed is seat {k}"] for k in range(3)] == [1, 0, 0]
    assert [planes[name] for name in ("bid", "choose", "place")] == [0, 1, 0]
    planes = observed(game, go_on(state, "token1"), 2)
    assert [planes[f"{what} is seat {k}"] for what in ("bidder", "opener", "passed") for k in range(3)] == [0] * 9
    assert planes["last bid"] == 0


def test_observation_of_demolition(load):
    state, building = demolition_of_17(load), building_of_17()
    planes = observed(load("pueblo", demolition=True, sites=SITES), state, 0)
    squares = {square for block in building.free() for square in building.squares[block]}
    assert planes["removable"] == dict.fromkeys(squares, 1)
    assert [planes[name] for name in ("place", "move", "remove", "part 1", "part 3")] == [0, 0, 1, 0, 1]


def test_observation_of_a_game_that_is_over(load):
    game = load("pueblo")
    planes = observed(game, play_on(game.new_initial_state(), random.Random(1)), 0)
    assert [planes[name] for name in ("place", "move", "to act of seat 0", "to act of seat 1")] == [0] * 4
    assert planes["part 1"] == 1
