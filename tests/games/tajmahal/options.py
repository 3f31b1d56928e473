"""The options of Taj Mahal, for property tests, campaigns and fingerprints."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import tilery

SHIPPED = json.loads((Path(tilery.__file__).parent / "data" / "tajmahal.json").read_text(encoding="utf-8"))


def short_deck() -> dict[str, Any]:
    """The shipped map with a deck that runs out, of few types."""
    deck = {"gEE": 9, "gMV": 4, "vEG": 7, "vKP": 6, "rEM": 5, "rVG": 5, "yEP": 6, "yGK": 3, "wE": 2, "wM": 1}
    return {**SHIPPED, "deck": deck}


def full_deck() -> dict[str, Any]:
    """The shipped map with as many cards as allowed, so many of a type that no two words of 64 bits hold them apart."""
    return {**SHIPPED, "deck": {"gEV": 40, "vEG": 45, "rMK": 30, "yGP": 9, "wM": 4}}


def odd_map() -> dict[str, Any]:
    """Another map: no roads in half of the provinces, one with nine cities, bonus tiles of two kinds."""
    cities = [city for city in SHIPPED["cities"] if city["id"] not in ("B4", "D1", "L3")]
    cities += [{"id": f"A{k}", "fortress": k % 2 == 0} for k in range(5, 10)]
    known = {city["id"] for city in cities}
    roads = [road for road in SHIPPED["roads"] if set(road) <= known and road[0][0] not in "BFHJ"]
    roads += [[f"A{k}", f"A{k + 1}"] for k in range(1, 9)]
    fortresses = sum(city["fortress"] for city in cities)
    bonus = {"card": fortresses // 2, "tea": fortresses - 1 - fortresses // 2}
    return {**SHIPPED, "cities": cities, "roads": roads, "bonus_tiles": bonus, "taj_mahal": {"city": "G5", "points": 9}}


VARIANTS: list[dict[str, Any]] = [
    {},
    {"players": 2},
    {"players": 5, "monk_colour": "announce"},
    {"players": 4, "data": short_deck()},
]
"""What has fingerprints and is played by name."""
LACKING: tuple[dict[str, Any], dict[str, Any]] = (
    {},
    {"data": {**SHIPPED, "deck": {card: n for card, n in SHIPPED["deck"].items() if "P" not in card}}},
)
"""Options, and others under which something is missing: the cards with a princess."""


def choose(pick: Callable[[Sequence[Any]], Any]) -> dict[str, Any]:
    """Options that go together; `pick` takes one of a sequence."""
    data = pick(["shipped", "shipped", short_deck(), full_deck(), odd_map()])
    return {
        "players": pick([2, 3, 4, 5]),
        "monk_colour": pick(["later", "announce"]),
        "data": data,
    }


EDITIONS: dict[str, dict[str, Any]] = {"official": {}, "source": {}}
"""What each edition sets."""
FINGERPRINTS = "e314b8c9157330f2 6b7b46c3bca2e1f7 67c0c48426a4aad1 019179792f884242"
"""Of game and rules, in the states of each variant, as they were before any option was added later."""
ADDED: dict[str, Any] = {}
"""Options that were added later, each with another value than its default."""
