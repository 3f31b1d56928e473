"""Endings of the toy that hide something (tests/search/test_exact_hidden.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.kit.deals import Hand

OPTIONS: dict[str, Any] = {"hand": 4}
COUNT = 40
SEEDS = range(1, 1000)


def kinds_of(_position: dict[str, Any]) -> Sequence[Any]:
    return range(5)


def places_of(position: dict[str, Any]) -> tuple[list[Any], list[Any], Any]:
    return position["hands"], [[0] * 5] * len(position["hands"]), position["deck"]


def dealt(position: dict[str, Any], held: Sequence[Hand], pile: Hand) -> dict[str, Any]:
    return {**position, "hands": [list(hand) for hand in held], "deck": list(pile)}
