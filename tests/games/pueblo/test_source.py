"""Pueblo: what the source says, sentence by sentence, tested from its text alone; docs/sources.md is the table."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.games.pueblo.test_rules import SQUARES, columns, go_on, info
from tests.kit.walking import legal_tokens, play

FILES, RANKS = "abcdefgh", "12345678"


def lines() -> dict[int, list[str]]:
    """The squares that the chieftain looks along from each side space, near ones first, clockwise."""
    west = {1 + i: [file + RANKS[i] for file in FILES] for i in range(8)}
    north = {10 + i: [FILES[i] + rank for rank in RANKS[::-1]] for i in range(8)}
    east = {19 + i: [file + RANKS[7 - i] for file in FILES[::-1]] for i in range(8)}
    south = {28 + i: [FILES[7 - i] + rank for rank in RANKS] for i in range(8)}
    return west | north | east | south


QUARTERS = {0: ("abcd", "1234"), 9: ("abcd", "5678"), 18: ("efgh", "5678"), 27: ("efgh", "1234")}
LINES = lines()


def seen(built: dict[str, str], space: int, players: int) -> list[int]:
    """Penalty points: a coloured square seen in storey k costs its owner k, one on top seen from a corner 1."""
    points = [0] * players
    if space in QUARTERS:
        files, ranks = QUARTERS[space]
        for square in (file + rank for file in files for rank in ranks):
            if built[square] and built[square][-1] != "n":
                points[int(built[square][-1])] += 1
        return points
    for storey in range(40):
        first = next((built[square][storey] for square in LINES[space] if len(built[square]) > storey), "n")
        if first != "n":
            points[int(first)] += storey + 1
    return points


@pytest.mark.parametrize(("players", "coloured", "neutral"), [(2, 8, 7), (3, 6, 5), (4, 5, 4)])
def test_everybody_gets_these_blocks(load: Any, players: int, coloured: int, neutral: int) -> None:
    assert info(load("pueblo", players=players).new_initial_state())["supply"] == [[coloured, neutral]] * players


def test_a_turn_is_a_block_and_then_one_to_four_steps(load: Any) -> None:
    state = load("pueblo").new_initial_state()
    for steps, space in ((4, 4), (3, 7), (2, 9), (1, 10)):
        state.apply_action(state.legal_actions()[0])
        assert legal_tokens(state) == ["+1", "+2", "+3", "+4"]
        go_on(state, f"+{steps}")
        assert info(state)["chieftain"] == space


def test_the_single_block_first_then_pairs_one_after_the_other(load: Any) -> None:
    state = load("pueblo").new_initial_state()
    assert {token[0] for token in legal_tokens(state)} == {"C"}
    go_on(state, "Ca1ne +1 Ch8sw +1")
    assert {token[0] for token in legal_tokens(state)} == {"C", "N"}
    go_on(state, "Na4ne +1 Ch5sw +1")
    assert {token[0] for token in legal_tokens(state)} == {"C"}  # the rest of the pair that was begun with N
    go_on(state, "Cd4ne +1")
    assert {token[0] for token in legal_tokens(state)} == {"N"}  # begun with C


def test_a_block_shows_three_squares_to_every_side_and_may_lie_on_blocks(load: Any) -> None:
    state = play(load("pueblo"), "Cd4ne")
    lone = columns(state)
    assert sum(map(len, lone.values())) == 4
    assert sum(bool(column) for column in lone.values()) == 3  # seen from above
    for side in ([1 + i for i in range(8)], [10 + i for i in range(8)], [19 + i for i in range(8)]):
        showing = sum(
            next((True for square in LINES[space] if len(lone[square]) > storey), False)
            for space in side
            for storey in range(3)
        )
        assert showing == 3
    go_on(state, "+1")
    upper = next(token for token in legal_tokens(state) if token[1:3] == "d4")
    go_on(state, upper)
    assert max(map(len, columns(state).values())) >= 2


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_that_the_chieftain_sees_costs_its_owners(load: Any, players: int) -> None:
    luck = random.Random(players)
    state = load("pueblo", players=players).new_initial_state()
    while not state.is_terminal():
        state.apply_action(luck.choice(state.legal_actions()))  # a block
        before, built = state.scores(), columns(state)
        state.apply_action(luck.choice(state.legal_actions()))  # the chieftain
        spaces = [info(state)["chieftain"]]
        if state.is_terminal():  # the last lap sees every space once more, the marked one last
            spaces += range(36)
        views = [seen(built, space, players) for space in spaces]
        assert state.scores() == [old + sum(view[p] for view in views) for p, old in enumerate(before)]
    assert all(supply == [0, 0] for supply in info(state)["supply"])
    best = min(state.scores())
    assert [utility > 0 for utility in state.returns()] == [
        points == best and state.scores().count(best) < players for points in state.scores()
    ]


def removable(state: Any) -> set[str]:
    """Blocks, by their first square, that come off without moving others and are neutral or of the player's colour."""
    position = info(state)
    of_cube = dict(zip(SQUARES, position["blocks"], strict=True))
    built, player = columns(state), position["player"]
    if not any(str(player) in column for column in built.values()):
        return set()
    free: dict[int, list[str]] = {}
    covered = set()
    for square in SQUARES:
        for storey, block in enumerate(of_cube[square]):
            if storey + 1 < len(of_cube[square]) and of_cube[square][storey + 1] != block:
                covered.add(block)
            if built[square][storey] in (str(player), "n"):
                free.setdefault(block, []).append(square)
    return {min(squares, key=SQUARES.index) for block, squares in free.items() if block not in covered}


@pytest.mark.parametrize("players", [2, 4])
def test_demolition_removes_free_blocks_and_ends_with_the_last_colour(load: Any, players: int) -> None:
    luck = random.Random(players)
    state = load("pueblo", players=players, demolition=True).new_initial_state()
    first = True
    while not state.is_terminal():
        if info(state)["part"] == 3:
            if first:
                assert info(state)["player"] == 0
                first = False
            legal, possible = legal_tokens(state), removable(state) if info(state)["step"] == "remove" else set()
            assert (legal == [f"+{steps}" for steps in (1, 2, 3, 4)]) == (info(state)["step"] == "move")
            if info(state)["step"] == "remove":
                assert {token[1:] for token in legal} == possible
            before, built, step = state.scores(), columns(state), info(state)["step"]
            if step == "move":
                state.apply_action(luck.choice(state.legal_actions()))
                view = seen(built, info(state)["chieftain"], players)
                assert state.scores() == [old + points for old, points in zip(before, view, strict=True)]
                continue
        state.apply_action(luck.choice(state.legal_actions()))
    assert not first
    assert not any(set(column) - {"n"} for column in columns(state).values())


def test_in_the_pro_game_two_pairs_wait_for_the_second_part(load: Any) -> None:
    state = play(load("pueblo", pro=True), "pass pass token1")
    assert info(state)["supply"] == [[6, 5], [6, 5]]
    luck = random.Random(1)
    while info(state)["part"] == 1:
        state.apply_action(luck.choice(state.legal_actions()))
    assert info(state)["step"] == "bid"
    go_on(state, "pass pass token1")
    assert info(state)["supply"] == [[2, 2], [2, 2]]


def test_bids_rise_until_one_is_left_who_takes_any_token_and_the_points(load: Any) -> None:
    state = load("pueblo", players=3, pro=True).new_initial_state()
    go_on(state, "bid2 bid5")
    assert legal_tokens(state)[0] == "bid6"  # player 2 must bid more, or pass
    go_on(state, "pass bid7")
    assert info(state)["player"] == 1  # player 2, who passed, is not asked again
    go_on(state, "pass")
    assert legal_tokens(state) == ["token1", "token2", "token3"]
    go_on(state, "token2")
    assert state.scores() == [7, 0, 0]
    assert info(state)["player"] == 1  # the left neighbour opens for the next
    go_on(state, "bid1 pass token3")
    assert state.scores() == [7, 1, 0]  # the last token costs nothing
    assert info(state)["order"] == [2, 0, 1]
    assert info(state)["player"] == 2  # the owner of token 1 begins


def test_if_all_pass_the_first_takes_any_token_for_nothing(load: Any) -> None:
    state = play(load("pueblo", players=3, pro=True), "pass pass pass")
    assert info(state)["player"] == 0
    assert legal_tokens(go_on(state, "")) == ["token1", "token2", "token3"]
    assert go_on(state, "token3").scores() == [0, 0, 0]


def test_with_demolition_the_order_is_auctioned_a_third_time(load: Any) -> None:
    luck = random.Random(5)
    state = load("pueblo", pro=True, demolition=True, max_bid=1).new_initial_state()
    auctions = set()
    while not state.is_terminal():
        if info(state)["step"] == "bid":
            auctions.add(info(state)["part"])
        state.apply_action(luck.choice(state.legal_actions()))
    assert auctions == {1, 2, 3}


def test_no_block_stands_on_a_sacred_site(load: Any) -> None:
    state = load("pueblo", sites=["d4ne"], pro=True).new_initial_state()
    go_on(state, "pass pass token1")
    covered = {"d4", "e4", "d5"}
    for token in legal_tokens(state):
        built = columns(go_on(state.clone(), token))
        assert not any(built[square] for square in covered)
