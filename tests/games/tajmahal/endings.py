"""Endings of Taj Mahal that hide something (tests/search/test_exact_hidden.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.games.tajmahal.options import SHIPPED
from tests.kit.deals import Hand

DECK = {"gEE": 5, "vKP": 5, "rEM": 4, "wE": 4}
"""Few types, few cards."""
OPTIONS: dict[str, Any] = {"players": 2, "data": {**SHIPPED, "deck": DECK}}
COUNT = 40
SEEDS = range(1, 1000)


def kinds_of(_position: dict[str, Any]) -> Sequence[Any]:
    return list(DECK)


def places_of(position: dict[str, Any]) -> tuple[list[Any], list[Any], Any]:
    return position["hands"], position["known"], position["pile"]


def dealt(position: dict[str, Any], held: Sequence[Hand], pile: Hand) -> dict[str, Any]:
    *hands, left = ({kind: n for kind, n in zip(DECK, each, strict=True) if n} for each in (*held, pile))
    return {**position, "hands": hands, "pile": left}
