"""Java by Michael Kiesling and Wolfgang Kramer (Ravensburger 2000), for 2 to 4 players; see docs/rules/java.md.

>>> from tilery import java
>>> game = java.Game(players=3)
>>> state = game.new_initial_state()
>>> len(game.spaces), state.terrain().count("~"), int(state.heights().max())
(214, 3, 0)

In addition to the calls of every game, `Game` has `spaces`, `board` and `Game.official(players=...)`, and a state has
`heights`, `terrain`, `tiles`, `figures`, `settlements`, `bodies`, `cards` and `costs`; see `help(State)`.
Spaces are named "row.column" as in tokens; where a view has an item for each, their order is that of `game.spaces`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilery._core.java import Game, State

__all__ = ["Game", "State", "phase"]


KINDS = {
    r"\*(.+)": "draw",
    r"[23]@.+": "tile",
    r"([rvw])@.+": "one-space tile",
    r"[+]\d+\.\d+": "enter",
    r"-\d+\.\d+": "leave",
    r"\d+\.\d+>": "take up",
    r">\d+\.\d+": "set down",
    r"P.+=(\d+)": "palace",
    r"F(.+)": "festival",
    r"lay:(.+)|stop|pass": "festival card",
    r"open|pile": "card",
    r"extra": "action token",
    r"end": "end",
}
"""Token -> the kind of its action, and in a group what it is done with, for tables of moves."""

NAMES = {"one-space tile r": "rice tile", "one-space tile v": "village tile", "one-space tile w": "irrigation tile"}
"""What was done, as kind and thing -> its name in reports, where that is another."""


REVIEW = {"policy": "nn:2", "worlds": 4, "turns": 2}
"""The defaults of `tilery.review`: less work than in other games, since a turn has many actions."""


def phase(known: Mapping[str, Any]) -> str:
    """The kind of decision that is due, from the information of a player."""
    return "festival" if known["festival"] else "figure" if known["lifted"] else "turn"


def stocks(known: Mapping[str, Any]) -> dict[str, list[int]]:
    """The supplies by seat, for tables of moves: tiles, figures not on the island, action tokens."""
    return {name: known["supply"][name] for name in ("two", "rice", "village", "tokens", "figures")}
