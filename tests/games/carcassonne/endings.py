"""Endings of Carcassonne that hide something (tests/search/test_exact_hidden.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.kit.deals import Hand

# A table with few free cells at the end, and two opponents: with one, an empty pile tells what they hold.
OPTIONS: dict[str, Any] = {"hand_size": 1, "players": 3, "tiles": "base", "table": [-4, -4, 4, 3]}
COUNT = 40
# fmt: off
SEEDS = [
    7, 15, 16, 59, 185, 188, 237, 247, 254, 370, 385, 398, 450, 469, 510, 563, 576, 592, 594, 618, 626, 636, 690,
    696, 708, 715, 738, 827, 845, 856, 857, 861, 874, 882, 1019, 1079, 1115, 1123, 1158, 1187, 1208, 1222, 1225,
    1292, 1329, 1378, 1422, 1432,
]
# fmt: on
"""Of games that end in a position with something to choose between."""


def kinds_of(position: dict[str, Any]) -> Sequence[Any]:
    return list(position["pile"])


def places_of(position: dict[str, Any]) -> tuple[list[Any], list[Any], Any]:
    held, known = ([hand[part] for hand in position["hands"]] for part in ("held", "shown"))
    return held, known, position["pile"]


def dealt(position: dict[str, Any], held: Sequence[Hand], pile: Hand) -> dict[str, Any]:
    kinds = kinds_of(position)
    hands = [
        {"held": [kind for kind, n in zip(kinds, hand, strict=True) for _ in range(n)], "shown": before["shown"]}
        for hand, before in zip(held, position["hands"], strict=True)
    ]
    return {**position, "hands": hands, "pile": dict(zip(kinds, pile, strict=True))}
