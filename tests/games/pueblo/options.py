"""The options of Pueblo, for property tests, campaigns and fingerprints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

VARIANTS: list[dict[str, Any]] = [
    {},
    {"players": 3, "demolition": True},
    {"players": 4, "pro": True, "demolition": True, "sites": ["d4ne", "g7sw"], "first_bidder": 2, "max_bid": 9},
    {"players": 2, "pro": True, "handedness": "left", "start_corner": "ne"},
]
"""What has fingerprints and is played by name."""
LACKING: tuple[dict[str, Any], dict[str, Any]] = ({}, {"sites": ["b2ne", "g2nw", "b7se"]})
"""Options, and others under which something is missing: squares to build on."""

SITES = [
    [],
    [],
    ["d4ne"],
    ["a1ne", "h8sw"],
    ["b2ne", "g2nw", "b7se"],
    ["c3sw", "f3se", "c6nw", "f6ne"],
    ["d4nw", "e5se"],
]


def choose(pick: Callable[[Sequence[Any]], Any]) -> dict[str, Any]:
    """Options that go together; `pick` takes one of a sequence."""
    players = pick([2, 3, 4])
    return {
        "players": players,
        "demolition": pick([False, True]),
        "pro": pick([False, True]),
        "sites": pick(SITES),
        "start_corner": pick(["sw", "nw", "ne", "se"]),
        "handedness": pick(["right", "left"]),
        "first_bidder": pick(range(players)),
        "max_bid": pick([1, 2, 5, 50, 99]),
    }


EDITIONS: dict[str, dict[str, Any]] = {"official": {}, "source": {"max_bid": 99}}
"""What each edition sets."""
FINGERPRINTS = "a5d72225d661b25d 62f5f69387b42bb5 86d5df24d26c9d66 b08d51b0347241e5"
"""Of game and rules, in the states of each variant, as they were before any option was added later."""
ADDED: dict[str, Any] = {}
"""Options that were added later, each with another value than its default."""
