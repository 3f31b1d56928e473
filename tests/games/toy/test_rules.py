"""Toy, rule by rule (docs/rules/toy.md)."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
import scipy.stats

from tests.kit.walking import legal_tokens, play

rule = pytest.mark.rule

DEAL = "*1 *1 *4 *4 *4 *5"
"""Player 0 holds 1 1 4, player 1 holds 4 4 5."""


@rule("T-1")
def test_t_1_the_deck_has_four_of_each(load: Any) -> None:
    state = load("toy").new_initial_state()
    assert state.chance_outcomes() == [(value, 0.2) for value in range(5)]
    state = play(load("toy", hand=4), "*1 *1 *1 *1")
    assert legal_tokens(state) == ["*2", "*3", "*4", "*5"]


@rule("T-2")
def test_t_2_the_deal_goes_hand_by_hand(load: Any) -> None:
    state = play(load("toy"), DEAL)
    assert json.loads(state.information_state_string(0))["hand"] == [2, 0, 0, 1, 0]
    assert json.loads(state.information_state_string(1))["hand"] == [0, 0, 0, 2, 1]
    assert state.is_chance_node()


@rule("T-3")
def test_t_3_a_prize_is_turned_up_from_the_deck(load: Any) -> None:
    state = play(load("toy"), DEAL)
    assert dict(state.chance_outcomes()) == {0: 2 / 14, 1: 4 / 14, 2: 4 / 14, 3: 1 / 14, 4: 3 / 14}
    state.apply_action(state.string_to_action("*3"))
    assert state.current_player() == 0


@rule("T-4")
def test_t_4_players_play_in_order(load: Any) -> None:
    state = play(load("toy"), f"{DEAL} *3")
    assert legal_tokens(state) == ["1", "4"]
    state.apply_action(state.string_to_action("1"))
    assert state.current_player() == 1
    assert legal_tokens(state) == ["4", "5"]


@rule("T-5")
@pytest.mark.parametrize(("cards", "scores"), [("1 4", [0, 3]), ("4 4", [0, 0]), ("4 5", [0, 3])])
def test_t_5_the_highest_single_card_wins(load: Any, cards: str, scores: list[int]) -> None:
    assert play(load("toy"), f"{DEAL} *3 {cards}").scores() == scores


@rule("T-5")
def test_t_5_a_tie_above_leaves_the_prize_to_the_next(load: Any) -> None:
    assert play(load("toy", players=3, hand=1), "*5 *5 *2 *4 5 5 2").scores() == [0, 0, 4]


@rule("T-6")
def test_t_6_most_points_win_and_ties_share(load: Any) -> None:
    state = play(load("toy"), f"{DEAL} *3 4 4 *2 1 4 *1 1 5")
    assert state.is_terminal()
    assert state.scores() == [0, 3]
    assert state.returns() == [-1.0, 1.0]
    state = play(load("toy", players=3, hand=1), "*5 *5 *5 *4 5 5 5")
    assert state.returns() == [0.0, 0.0, 0.0]


def test_determinize_yields_each_deal_with_its_probability(load: Any) -> None:
    """Chi-squared on a hand of one: the other's card is one of the unseen, each equally often."""
    state = play(load("toy", hand=1), "*1 *2 *3")
    unseen = {1: 3, 2: 4, 3: 3, 4: 4, 5: 4}
    found = Counter(
        json.loads(state.determinize(0, seed).information_state_string(1))["hand"].index(1) + 1 for seed in range(2000)
    )
    expected = [2000 * copies / 18 for copies in unseen.values()]
    assert scipy.stats.chisquare([found[value] for value in unseen], expected).pvalue > 1e-4
