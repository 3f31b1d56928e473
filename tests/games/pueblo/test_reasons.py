"""Why an action of Pueblo is refused: the number of the rule, and what is wrong."""

from __future__ import annotations

import importlib
import re
from typing import Any

import pytest

from tests.kit.walking import play

CASES: list[tuple[dict[str, Any], str, str, str]] = [
    ({}, "Cd4ne", "Ce6ne", "PB-13: player 0 is to move the chieftain by 1 to 4 spaces"),
    ({}, "", "+1", "PB-13: player 0 is to place a block"),
    ({}, "", "Nd4ne", "PB-14: the next block of player 0 must be coloured"),
    ({}, "Cd4ne +1 Ch8sw +1 Cd7ne +1 Ch1nw +1", "Ca1ne", "PB-14: the next block of player 0 must be neutral"),
    ({"sites": ["d4ne"]}, "", "Ce4ne", "PB-5: e4 is covered by a sacred site"),
    ({}, "Cd4ne +1", "Cd4ne", "PB-4: d4 (height 1) and e4 (height 2) must be equally high"),
    ({}, "Cd4ne +1", "Cf4nw", "PB-4: e4 (height 2) must be at most one level lower or higher than f4 (height 0)"),
    ({"demolition": True}, "", "xa1", "PB-13: player 0 is to place a block"),
    ({"pro": True}, "", "Cd4ne", "PB-26: player 0 is to bid or pass"),
    ({"pro": True, "players": 3}, "bid3", "bid2", "PB-26: a bid must be higher than the last, which was 3 points"),
    ({"pro": True}, "bid1 pass", "bid2", "PB-25: player 0 is to take a token"),
    ({"pro": True, "players": 3}, "bid1 pass pass token2 bid1 pass", "token2", "PB-25: player 0 has token 2"),
]


@pytest.mark.parametrize(("options", "tokens", "token", "reason"), CASES)
def test_the_refusal_names_the_rule(options: dict[str, Any], tokens: str, token: str, reason: str) -> None:
    game = importlib.import_module("tilery.pueblo").Game(**options)
    state = play(game, tokens)
    before = state.clone()
    with pytest.raises(ValueError, match=f"'{re.escape(token)}'.*{re.escape(reason)}"):
        state.apply_action(state.string_to_action(token))
    assert state == before
