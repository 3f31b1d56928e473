"""The options of Carcassonne, for property tests, campaigns and fingerprints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

VARIANTS: list[dict[str, Any]] = [
    {},
    {"tiles": "base"},
    {"players": 4, "farmers": False},
    {"players": 3, "hand_size": 1, "gap_bonus": True},
    {"players": 4, "first_player": "most_roads", "hand_size": 3, "start_tile_in_bag": True, "trees_end_roads": False},
    {"hand_size": 3, "hands": "open", "table": [-2, -2, 3, 2], "edge_closes": True, "tiles": "base"},
    {"players": 3, "tile_sale": True, "gap_bonus": True, "start_tile_in_bag": True},
    {"players": 5, "tile_sale": True, "unplaceable": "return", "table": [-4, -3, 3, 4], "edge_closes": True},
    {"unplaceable": "return", "score_unfinished": False, "table": [0, -1, 1, 1]},
]
"""What has fingerprints and is played by name."""
LACKING: tuple[dict[str, Any], dict[str, Any]] = ({"players": 5}, {"players": 5, "tiles": "base"})
"""Options, and others under which something is missing: the tiles of winter."""

TABLES: list[list[int] | None] = [
    None,
    None,
    None,
    [0, 0, 0, 1],
    [-1, 0, 0, 0],
    [0, 0, 1, 1],
    [-1, -1, 1, 1],
    [0, -2, 5, 0],
    [-3, -4, 4, 3],
    [-6, -5, 5, 6],
    [0, 0, 83, 2],
    [-5000, 0, 84, 0],
    [-84, -1, 100, 1],
    [-1, -83, 0, 2**40],
]
"""None more often than any other; tables of a few cells, one-sided ones, and some that nothing can fill."""


def choose(pick: Callable[[Sequence[Any]], Any]) -> dict[str, Any]:
    """Options that go together; `pick` takes one of a sequence."""
    hand_size = pick([0, 0, 1, 3])
    table = pick(TABLES)
    options: dict[str, Any] = {
        "players": pick([2, 3, 4, 5]),
        "tiles": pick(["winter", "base"]),
        "farmers": pick([True, False]),
        "first_player": pick(["seat_0", "most_roads"]),
        "hand_size": hand_size,
        "hands": pick(["hidden", "open"]),
        "start_tile_in_bag": pick([False, True]),
        "trees_end_roads": pick([True, False]),
        "gap_bonus": pick([False, True]),
        "score_unfinished": pick([True, False]),
        "table": table,
        "final_meeples": pick(["stay", "home"]),
    }
    if hand_size == 0:
        options["unplaceable"] = pick(["discard", "return"])
        options["tile_sale"] = pick([False, True])
    if table is not None:
        options["edge_closes"] = pick([False, True])
    return options


EDITIONS: dict[str, dict[str, Any]] = {"official": {"final_meeples": "home"}, "source": {"final_meeples": "home"}}
"""What each edition sets."""
FINGERPRINTS = (
    "d1d8ae4f26221ee5 ed1f51230313e3e9 f5111d4074a4ee91 8c687fae77598999 0eb7cecc58d6f726 "
    "762a2dd762648e99 1b4af913b8755a3c fb16acf82753aea9 9d8df8dca06e3edd"
)
"""Of game and rules, in the states of each variant, as they were before any option was added later."""
ADDED: dict[str, Any] = {"final_meeples": "home"}
"""Options that were added later, each with another value than its default."""
