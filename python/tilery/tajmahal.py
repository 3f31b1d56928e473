"""Taj Mahal (Reiner Knizia; alea 2000) for 3 to 5 players, and its variant for two.

In addition to the calls of every game, a game has `card_types` (K), `cities` (C), `fortresses`, `roads`, `map` and
`production`. A state of n players has `hands`, `known_hands`, `played`, `display`, `pile`, `discards`, `fictive_cards`,
`symbols`, `fictive_symbols`, `offer`, `still_in`, `special_cards`, `person_tiles`, `goods`, `province_numbers`,
`ordinary_palaces`, `mogul_palaces`, `bonus_tiles` and `chains`, as new arrays; see `help(State)`. They show everything,
also what a player may not know (`information_state` and `observation_tensor` do not).
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
"""The return type of `state.information_state(player)`; docs/rules/tajmahal.md describes the keys."""


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
    """The kind of decision that is due, from the information of a player."""
    return str(known["phase"])


def stocks(known: Mapping[str, Any]) -> dict[str, list[int]]:
    """The cards in hand by seat, for tables of moves."""
    return {"hand": known["hands"]}
