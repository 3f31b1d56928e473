"""The options of Carcassonne, for property tests, campaigns and fingerprints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

VARIANTS: list[dict[str, Any]] = [
    {},
    {"tiles": "base"},
    {"players": 4, "farmers": False},
]
"""What has fingerprints and is played by name."""


def choose(pick: Callable[[Sequence[Any]], Any]) -> dict[str, Any]:
    """Options that go together; `pick` takes one of a sequence."""
    options: dict[str, Any] = {
        "players": pick([2, 3, 4, 5]),
        "tiles": pick(["winter", "base"]),
        "farmers": pick([True, False]),
    }
    return options
