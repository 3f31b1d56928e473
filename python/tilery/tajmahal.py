"""Taj Mahal (Reiner Knizia; alea 2000) for 3 to 5 players, and its variant for two.

Options of `Game`:

- `players`: 2 to 5, default 3; 2 is the variant with a fictive third bidder.
- `monk_colour`: `"later"` (default) or `"announce"`: whether a player whose first card is played with the monk's
  special card names their colour with it.
- `data`: `"shipped"` (default), a path to a JSON file of the form of `tilery/data/tajmahal.json`, or that
  object itself.

In addition to the calls of every game: K card types, C cities; both in the order of their names
(`docs/rules/tajmahal.md`):

| property | value |
|---|---|
| `game.card_types` | list of K names: `gEE` ... `wP` |
| `game.cities` | list of C names: `A1` ... `L4` |
| `game.fortresses` | bool[C] |
| `game.roads` | bool[C, C]: whether a road joins two cities |
| `game.map` | for drawing: `cities`, each with `name`, `xy`, `fortress`; `roads`, pairs of names; `taj_mahal` |
| `game.production` | uint8[12, 4]: symbols of rice, tea, spice, gems on the tile of each visit |

Views of a state, as new arrays; n players, provinces A..L, symbols E M V G K P, persons and special cards
V G K P. They show everything, also what a player may not know (`information_state` and `observation_tensor`
do not).

| method | value |
|---|---|
| `hands()`, `known_hands()`, `played()` | uint8[n, K]: copies in hand, known to all, lying played |
| `display()`, `pile()`, `discards()`, `fictive_cards()` | uint8[K]: copies |
| `symbols()`, `fictive_symbols()` | uint8[n, 6], uint8[6]: symbols lying played |
| `offer()` | bool[6]: whether the item of a symbol is still on offer |
| `still_in()` | bool[n]: who has not withdrawn |
| `special_cards()`, `person_tiles()` | bool[n, 4], uint8[n, 4]: held |
| `goods()` | uint8[n, 4]: symbols of rice, tea, spice, gems gained |
| `province_numbers()` | uint8[12]: the visit of each province, 0 if not yet given out |
| `ordinary_palaces()`, `mogul_palaces()` | int8[C]: the owner, -1 for none |
| `bonus_tiles()` | int8[C]: the tile lying, of +2, card, rice, tea, spice, gems; -1 for none |
| `chains()` | uint8[n, 12]: provinces joined to own palaces in this one, itself counted |

Symbols include those of special cards lying played. In `chains()` a province without an own palace has 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from tilery._core.tajmahal import Driver, Game, State

__all__ = ["Driver", "Game", "InformationState", "State"]


Fictive = TypedDict("Fictive", {"in": bool, "cards": dict[str, int]})
"""The fictive player of the game for two (TM-25)."""


InformationState = TypedDict(
    "InformationState",
    {
        "player": int,
        "phase": str,
        "visit": int,
        "turn": int,
        "provinces": list[str],
        "bonus": dict[str, str],
        "ordinary": dict[str, int],
        "mogul": dict[str, int],
        "points": list[int],
        "goods": list[list[int]],
        "tiles": list[list[int]],
        "special": list[int],
        "used": list[str],
        "in": list[bool],
        "colour": list[str | None],
        "played": list[dict[str, int]],
        "offer": list[str],
        "fictive": Fictive | None,
        "display": dict[str, int],
        "discards": dict[str, int],
        "pile": int,
        "hand": dict[str, int],
        "known": list[dict[str, int]],
        "hands": list[int],
        "build": list[int],
        "draws": int,
        "takes": int,
        "first": str | None,
    },
)
"""What `state.information_state(player)` returns; docs/rules/tajmahal.md describes the keys."""


KINDS = {
    r"\*([a-z][A-Z]{1,2})": "draw",
    r"\*([A-Z])": "province",
    r"\*(.+)": "bonus tile",
    r"out": "withdraw",
    r"none": "no palace",
    r"at:(.+)": "palace",
    r"crown:(.+)": "mogul palace",
    r"take:(.+)": "take",
    r"([a-z][A-Z]{2}.*)": "card",
}
"""Token -> the kind of its action, and in a group what it is done with, for tables of moves."""


def phase(known: Mapping[str, Any]) -> str:
    """What is decided, from what a player knows."""
    return str(known["phase"])


def stocks(known: Mapping[str, Any]) -> dict[str, list[int]]:
    """What players hold, by seat, for tables of moves: cards in hand."""
    return {"hand": known["hands"]}
