"""How two states of the two implementations are compared."""

from __future__ import annotations

from typing import Any

import numpy as np


def compare_states(native: Any, reference: Any) -> None:
    """What is compared at every position: the mover, the legal actions, the chances, the scores."""
    assert native.current_player() == reference.current_player()
    assert native.legal_actions() == reference.legal_actions()
    assert native.scores() == reference.scores()
    assert native.scores_if_over() == reference.scores_if_over()
    assert native.returns() == reference.returns()
    assert native.is_chance_node() == reference.is_chance_node()
    assert native.is_terminal() == reference.is_terminal()
    if native.is_chance_node():
        assert native.chance_outcomes() == reference.chance_outcomes()


def apply_both(native: Any, reference: Any, action: int) -> None:
    """Take an action on both sides; where its points come from is the same, and adds up to them."""
    events, expected = native.score_events(action), list(native.scores())
    for event in events:
        expected[event["player"]] += event["points"]
    reference._events = []  # what score_events() does with a copy, which takes long
    native.apply_action(action)
    reference.apply_action(action)
    assert events == reference._events, (events, reference._events)
    assert native.scores() == expected, events
    reference._events = None


def compare_questions(native: Any, reference: Any, *, seed: int) -> None:
    """What costs more: tokens, information, observations, determinizations, for every player."""
    compare_states(native, reference)
    for action in native.legal_actions():
        token = native.action_to_string(action)
        assert token == reference.action_to_string(action)
        assert native.string_to_action(token) == reference.string_to_action(token) == action
    assert np.array_equal(native.legal_actions_mask(), reference.legal_actions_mask())
    for player in range(native.game.num_players):
        assert native.information_state_string(player) == reference.information_state_string(player)
        observed, expected = native.observation_tensor(player), reference.observation_tensor(player)
        assert observed.shape == expected.shape
        assert np.array_equal(observed, expected), np.flatnonzero(observed.ravel() != expected.ravel())
        dealt, expected_deal = native.determinize(player, seed), reference.determinize(player, seed)
        compare_states(dealt, expected_deal)
        for other in range(native.game.num_players):
            assert dealt.information_state_string(other) == expected_deal.information_state_string(other)
