"""The options of Toy, for property tests, campaigns and fingerprints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

VARIANTS: list[dict[str, Any]] = [{}, {"players": 4, "hand": 4}]
"""What has fingerprints and is played by name."""
LACKING: tuple[dict[str, Any], dict[str, Any]] = ({}, {"hand": 2})
"""Options, and others under which something is missing: a card of each hand."""


def choose(pick: Callable[[Sequence[Any]], Any]) -> dict[str, Any]:
    """Options that go together; `pick` takes one of a sequence."""
    return {"players": pick(range(2, 5)), "hand": pick(range(1, 5))}


EDITIONS: dict[str, dict[str, Any]] = {"official": {}, "source": {}}
"""What each edition sets."""
FINGERPRINTS = "86f859ac7ec1a1c8 1765a33fe5201703"
"""Of game and rules, in the states of each variant, as they were before any option was added later."""
ADDED: dict[str, Any] = {}
"""Options that were added later, each with another value than its default."""
