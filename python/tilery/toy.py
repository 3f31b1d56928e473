"""Toy: a small card game with chance and hidden hands, the worked example of docs/adding-a-game.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilery._core.toy import Game, State

__all__ = ["Game", "State"]


KINDS = {
    r"\*(\d)": "draw",
    r"(\d)": "card",
}
"""Token -> the kind of its action, and in a group what it is done with, for tables of moves."""


def phase(known: Mapping[str, Any]) -> str:
    """The kind of decision that is due, from the information of a player."""
    return "play" if known["prize"] else "deal"


def stocks(known: Mapping[str, Any]) -> dict[str, list[int]]:
    """The cards in hand by seat, for tables of moves."""
    return {"hand": known["hand_sizes"]}
