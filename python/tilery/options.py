"""The options of the games, as their declarations in the engine describe them."""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple

from tilery import _core
from tilery.errors import unknown


class Option(NamedTuple):
    """An option of a game."""

    name: str
    """As `tilery.load(game, name=value)` takes it."""
    default: Any
    """The value if it is not given."""
    about: str
    """What it does, in a sentence, with the number of its rule."""
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


def options(name: str) -> dict[str, Option]:
    """The options of a game by name, in the order of its page: kind, default, allowed values, and what each does.

    Raises `ValueError` for an unknown game.
    """
    if name not in _core.games:
        raise ValueError(unknown("game", name, (known for known in _core.games if known != "toy")))
    described = [
        Option(**{**entry, "choices": tuple(entry.get("choices", ()))}) for entry in getattr(_core, name).options
    ]
    return {option.name: option for option in described}


def signature(name: str) -> inspect.Signature:
    """The signature of the type `Game` of a game: its options and their defaults, by keyword alone."""
    return inspect.Signature(
        [
            inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default)
            for option in options(name).values()
        ]
    )
