"""Endings of Java that hide something (tests/search/test_exact_hidden.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.games.java.options import SMALL
from tests.kit.deals import Hand

OPTIONS: dict[str, Any] = {"board": SMALL}
COUNT = 8
SEEDS = [363, 654, 814, 821, 1367, 1371, 1710, 1800, 2010, 2304, 3060, 3108]
"""Of games that end in a position with something to choose between."""


def kinds_of(_position: dict[str, Any]) -> Sequence[Any]:
    return range(6)


def places_of(position: dict[str, Any]) -> tuple[list[Any], list[Any], Any]:
    cards = position["cards"]
    return cards["hands"], cards["known"], cards["pile"]


def dealt(position: dict[str, Any], held: Sequence[Hand], pile: Hand) -> dict[str, Any]:
    cards = {**position["cards"], "hands": [list(hand) for hand in held], "pile": list(pile)}
    return {**position, "cards": cards}
