"""Pueblo: build with blocks of one shape so that the chieftain never sees your colour.

    game = Game(players=3, pro=True, sites=["d4ne", "g7sw"])
    state = game.new_initial_state()

The rules and the contract of ids, information states and observations are in docs/rules/pueblo.md.

In addition to the calls of every game, a state has `heights`, `owners`, `columns`, `places`, `removable`, `seen_from`,
and `part`, `step`, `order`, `chieftain`, `supply`, `aside`, `auction` as in the information state; see `help(State)`.
Arrays are indexed [rank, file]: rank 1 first, file a = 0; they are copies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilery._core.pueblo import NEUTRAL, Game, State

__all__ = ["NEUTRAL", "Game", "State"]


KINDS = {
    r"([CN])[a-h].+": "block",
    r"\+(\d)": "chieftain",
    r"x(.+)": "demolition",
    r"bid(\d+)|pass": "bid",
    r"token(\d+)": "token",
}
"""Token -> the kind of its action, and in a group what it is done with, for tables of moves."""

NAMES = {"block C": "coloured block", "block N": "neutral block"}
"""What was done, as kind and thing -> its name in reports, where that is another."""


NEEDS = {"max_bid": ("pro", False), "first_bidder": ("pro", False)}
"""Option -> the option without which it has no effect, and the value of that which means none."""


def phase(known: Mapping[str, Any]) -> str:
    """The kind of decision that is due, from the information of a player."""
    return str(known["step"])


def stocks(known: Mapping[str, Any]) -> dict[str, list[int]]:
    """The supplies by seat, for tables of moves: coloured and neutral blocks."""
    return {"coloured": [blocks[0] for blocks in known["supply"]], "neutral": [blocks[1] for blocks in known["supply"]]}
