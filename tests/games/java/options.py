"""The options of Java, for property tests, campaigns and fingerprints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def board_of(land: Sequence[tuple[int, int]], water: Sequence[tuple[int, int]], mountains_to: int) -> dict[str, Any]:
    """A board of these spaces; outside spaces are mountains in rows up to `mountains_to`."""
    board = {*land, *water}
    steps = [(0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)]
    outside = sorted({(r + dr, c + dc) for r, c in board for dr, dc in steps} - board)
    return {
        "land": [list(space) for space in sorted(land)],
        "printed_irrigation": [list(space) for space in sorted(water)],
        "outside_mountains": [list(space) for space in outside if space[0] <= mountains_to],
        "outside_lowlands": [list(space) for space in outside if space[0] > mountains_to],
    }


def hexagon(radius: int, water: Sequence[tuple[int, int]] = ()) -> dict[str, Any]:
    """A board in the shape of a hexagon, its middle at row radius + 1."""
    middle = (radius + 1, 2 * radius + 2 + (radius + 1) % 2)
    land = [
        (middle[0] + dr, middle[1] + dc)
        for dr in range(-radius, radius + 1)
        for dc in range(-2 * radius + abs(dr), 2 * radius - abs(dr) + 1, 2)
    ]
    return board_of([space for space in land if space not in water], water, middle[0])


SMALL = hexagon(2, [(3, 7)])
TINY = hexagon(1)
VARIANTS: list[dict[str, Any]] = [
    {},
    {"players": 4, "board": "java-155", "two_on_three": False},
    {
        "players": 3,
        "token_timing": "turn_start",
        "irrigation_on_perimeter": True,
        "irrigation_scoring": "per_space",
        "board": SMALL,
    },
]
"""What has fingerprints and is played by name."""
LACKING: tuple[dict[str, Any], dict[str, Any]] = ({}, {"board": SMALL})
"""Options, and others under which something is missing: most of the island."""


def choose(pick: Callable[[Sequence[Any]], Any]) -> dict[str, Any]:
    """Options that go together; `pick` takes one of a sequence."""
    return {
        "players": pick([2, 3, 4]),
        "board": pick(["java-153", "java-155", SMALL, SMALL, TINY, hexagon(3, [(4, 8), (5, 9)])]),
        "token_timing": pick(["any", "turn_start"]),
        "two_on_three": pick([True, False]),
        "irrigation_on_perimeter": pick([False, True]),
        "irrigation_scoring": pick(["per_body", "per_space"]),
        "land_reserve": pick(["before", "before", "after"]),
    }


EDITIONS: dict[str, dict[str, Any]] = {
    "official": {
        "token_timing": "turn_start",
        "two_on_three": True,
        "irrigation_on_perimeter": False,
        "irrigation_scoring": "per_space",
    },
    "source": {
        "token_timing": "any",
        "two_on_three": False,
        "irrigation_on_perimeter": True,
        "irrigation_scoring": "per_body",
        "land_reserve": "after",
    },
}
"""What each edition sets."""
FINGERPRINTS = "6dc4f00b3ef63d62 d2f1e24eeb3dfced 783d5f1234acead4"
"""Of game and rules, in the states of each variant, as they were before any option was added later."""
ADDED: dict[str, Any] = {"land_reserve": "after"}
"""Options that were added later, each with another value than its default."""
