"""Pueblo: the choices of the rulings PB-R10 and PB-R11."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tilery
from tests.games.pueblo.test_rules import info
from tests.kit.walking import legal_tokens, play

rule = pytest.mark.rule


@rule("PB-21", "PB-R10")
def test_who_can_remove_a_block_must(load: Any) -> None:
    luck = random.Random(10)
    state = load("pueblo", players=2, demolition=True).new_initial_state()
    removals = 0
    while not state.is_terminal():
        if info(state)["step"] == "remove":
            assert all(token.startswith("x") for token in legal_tokens(state))
            removals += 1
        state.apply_action(luck.choice(state.legal_actions()))
    assert removals > 10


@rule("PB-26", "PB-R11")
def test_no_bid_is_above_99(load: Any) -> None:
    game = load("pueblo", pro=True, max_bid=99)
    assert legal_tokens(play(game, "bid99")) == ["pass"]
    with pytest.raises(tilery.ParseError):
        game.string_to_action("bid100")
    with pytest.raises(tilery.OptionError, match="max_bid"):
        load("pueblo", pro=True, max_bid=100)
