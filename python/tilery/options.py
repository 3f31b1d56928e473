"""The options of the games, as their declarations in the engine describe them."""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from tilery import _core
from tilery.errors import OptionError
from tilery.protocol import Game


class Option(NamedTuple):
    """An option of a game."""

    name: str
    """As `tilery.load(game, name=value)` takes it."""
    default: Any
    """The value if it is not given."""
    about: str
    """Its effect in a sentence, with the number of its rule."""
    kind: str
    """"int", "bool", "choice" (one of `choices`), "file" (one of `choices`, a path, or its content) or "value"."""
    low: int | None = None
    """The least value of an "int"."""
    high: int | None = None
    """The greatest value of an "int"."""
    choices: tuple[str, ...] = ()
    """The words that a "choice" or "file" may be."""
    allowed: str = ""
    """The values of a "file" or "value" in words."""
    editions: Mapping[str, Any] = MappingProxyType({})
    """The value that each edition sets, if it sets one."""


def declared(game: str, name: str, otherwise: Any = None) -> Any:
    """The value that the module of a game declares under a name, such as "KINDS", or `otherwise`."""
    return getattr(importlib.import_module(f"tilery.{game}"), name, otherwise)


def options(name: str) -> dict[str, Option]:
    """The options of a game by name, in the order of its page: kind, default, allowed values, and what each does.

    Raises `ValueError` for an unknown game.
    """
    module = _core._of_game(name)
    sets = module.editions
    return {
        entry["name"]: Option(
            **{**entry, "choices": tuple(entry.get("choices", ()))},
            editions={edition: chosen[entry["name"]] for edition, chosen in sets.items() if entry["name"] in chosen},
        )
        for entry in module.options
    }


def editions(name: str) -> dict[str, dict[str, Any]]:
    """The options that each edition of a game sets, for `load(name, edition=...)`.

    "default" sets none, "source" follows the text that the rules of this package were written from where its wording
    and the defaults differ, "official" the publisher's rules as far as known. Raises `ValueError` for an unknown game.
    """
    return {edition: dict(chosen) for edition, chosen in _core._of_game(name).editions.items()}


def game_of_rules(name: str, rules: Mapping[str, Any]) -> Game:
    """The game with rules from outside, as in a record: its options alone, no edition, and no path to a file.

    Raises what `tilery.load` and `refuse_paths` raise.
    """
    refuse_paths(name, rules)
    game: Game = _core._of_game(name).Game(**rules)
    return game


def refuse_paths(name: str, rules: Mapping[str, Any]) -> None:
    """Raise `OptionError` if an option would make `tilery.load(name, **rules)` read a file that the rules name.

    For rules from outside, as in a record or from a referee: who wrote them must not choose files of this machine.
    Shipped names and objects pass; `tilery.load` checks the others. Raises `ValueError` for an unknown game.
    """
    for option in options(name).values():
        value = rules.get(option.name)
        if option.kind == "file" and isinstance(value, (str, os.PathLike)) and value not in option.choices:
            allowed = ", ".join(map(repr, option.choices))
            raise OptionError(f"{option.name} must be {allowed} or an object here, not a path to a file: got {value!r}")


def signature(name: str) -> inspect.Signature:
    """The signature of the type `Game` of a game: its options and their defaults, by keyword alone."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    known = options(name).values()
    return inspect.Signature([inspect.Parameter(each.name, keyword, default=each.default) for each in known])
