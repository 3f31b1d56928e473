"""Taj Mahal (Reiner Knizia; alea 2000) for 3 to 5 players, and its variant for two.

In addition to the calls of every game, a game has `card_types` (K), `cities` (C), `fortresses`, `roads`, `map` and
`production`. A state of n players has `hands`, `known_hands`, `played`, `display`, `pile`, `discards`, `fictive_cards`,
`symbols`, `fictive_symbols`, `offer`, `still_in`, `special_cards`, `person_tiles`, `goods`, `province_numbers`,
`ordinary_palaces`, `mogul_palaces`, `bonus_tiles` and `chains`, as new arrays; see `help(State)`. They show everything,
also what a player may not know (`information_state` and `observation_tensor` do not).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilery._core.tajmahal import Game, State

__all__ = ["Game", "State"]


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


DRAWS_SHOW_LATE = True
"""The worth of cards shows in later visits, so `tilery.luck` plays on before it judges draws."""


def phase(known: Mapping[str, Any]) -> str:
    """The kind of decision that is due, from the information of a player."""
    return str(known["phase"])


def stocks(known: Mapping[str, Any]) -> dict[str, list[int]]:
    """The cards in hand by seat, for tables of moves."""
    return {"hand": known["hands"]}
