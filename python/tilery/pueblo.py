"""Pueblo: build with blocks of one shape so that the chieftain never sees your colour.

    game = Game(players=3, pro=True, sites=["d4ne", "g7sw"])
    state = game.new_initial_state()

The rules and the contract of ids, information states and observations are in docs/rules/pueblo.md.

In addition to the calls of every game, a state has

| call | returns |
|---|---|
| `heights()` | int8[8, 8]: cubes on each square |
| `owners()` | int8[8, 8]: whose the topmost cube is; a seat, `NEUTRAL` (4), or -1 for none |
| `columns()` | int8[levels, 8, 8]: whose each cube is, by level; `levels` is the greatest height |
| `places()` | bool[4, 8, 8]: where a block fits, by direction (ne, nw, se, sw) and apex (PB-4), in any part |
| `removable()` | bool[8, 8]: the squares of blocks with nothing on top of them (PB-20); all False without demolition |
| `seen_from(space)` | list of int: the points that the chieftain would give each player from that space |
| `chieftain()` | int: its space, 0 to 35 (PB-7) |
| `part()`, `step()` | int, str: as in the information state |
| `supply()` | list of [coloured, neutral]: each player's blocks in hand |
| `aside()` | int: pairs each player has set aside |
| `order()` | list of int or None: the players in turn order |
| `auction()` | dict or None: opener, bid, bidder, passed |

Arrays are indexed [rank, file]: rank 1 first, file a = 0; they are copies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from tilery._core.pueblo import NEUTRAL, Driver, Game, State

__all__ = ["NEUTRAL", "Driver", "Game", "InformationState", "State"]


class Auction(TypedDict):
    """The auction going on, or the last one (PB-25, PB-26)."""

    opener: int
    bid: int
    bidder: int | None
    passed: list[int]


class Position(TypedDict):
    """The keys of an information state under all options."""

    part: int
    step: str
    player: int
    order: list[int | None]
    scores: list[int]
    chieftain: int
    supply: list[list[int]]
    aside: int
    columns: list[str]


class InformationState(Position, total=False):
    """What `state.information_state(player)` returns; docs/rules/pueblo.md describes the keys."""

    blocks: list[list[int]]
    auction: Auction | None


KINDS = {
    r"([CN])[a-h].+": "block",
    r"\+(\d)": "chieftain",
    r"x(.+)": "demolition",
    r"bid(\d+)|pass": "bid",
    r"token(\d+)": "token",
}
"""Token -> the kind of its action, and in a group what it is done with, for tables of moves."""


NEEDS = {"max_bid": ("pro", False), "first_bidder": ("pro", False)}
"""Option -> the option without which it has no effect, and the value of that which means none."""


def phase(known: Mapping[str, Any]) -> str:
    """What is decided, from what a player knows."""
    return str(known["step"])


def stocks(known: Mapping[str, Any]) -> dict[str, list[int]]:
    """What players hold, by seat, for tables of moves: coloured and neutral blocks."""
    return {"coloured": [blocks[0] for blocks in known["supply"]], "neutral": [blocks[1] for blocks in known["supply"]]}
