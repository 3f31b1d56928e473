"""The errors that tilery raises; those about a value from outside are `ValueError`."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from numbers import Real
from typing import Any

LONGEST_REASON = 500
"""Characters of what a bot did that are kept."""


class TileryError(ValueError):
    """The base of all errors of tilery about a value from outside."""


class OptionError(TileryError):
    """An unknown option, or an option with a value that is not allowed; names the option."""


class IllegalActionError(TileryError):
    """An action id that is not legal in the state; the state is unchanged."""


class ParseError(TileryError):
    """A token that cannot be read, or that names an action which does not exist in the game."""


class StateDataError(TileryError):
    """Bytes that are not a serialized state of this game and these rules."""


class WeightsError(TileryError):
    """A network that cannot be read or does not fit the game, or a game without inputs for one."""


class RecordError(TileryError):
    """A record that cannot be read, or that does not replay."""


class StoppedError(Exception):
    """A choice or an analysis that was stopped from another thread."""


class BotError(Exception):
    """A bot that cannot be started, fails, is silent for too long, or sends what it must not; it loses the game.

    seat: of the bot. reason: what it did, in one line. details: the end of its standard error, or its traceback.
    """

    def __init__(self, seat: int, reason: str, details: str = "") -> None:
        self.seat = seat
        self.reason = printable(reason[:LONGEST_REASON])
        self.details = "\n".join(map(printable, details.splitlines()))
        super().__init__(f"seat {seat}: {self.reason}")

    def __reduce__(self) -> tuple[type[BotError], tuple[int, str, str]]:
        return BotError, (self.seat, self.reason, self.details)


def index_of(value: Any) -> int | None:
    """An argument that is an integer, of Python, of NumPy or with `__index__`, as int; None for bools and all else."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def integer(name: str, value: Any, low: int, high: int) -> int:
    """The same; `ValueError` naming the argument unless it is an integer from low to high."""
    if (number := index_of(value)) is None or not low <= number <= high:
        raise ValueError(f"{name} must be an integer from {low} to {high}, got {value!r}")
    return number


def is_real(value: object) -> bool:
    """Whether an argument is a real number, of Python or of NumPy; bools are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def printable(text: str, keep: str = "") -> str:
    """A text from outside in one line, without what moves a cursor or changes a colour; but what is to be kept."""
    return "".join(letter if letter.isprintable() or letter in keep else repr(letter)[1:-1] for letter in text)


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """The message for a name that is not known: what there is, and the nearest to what was meant."""
    names = sorted(set(known))
    meant = str(name).lower().replace(" ", "").replace("_", "")
    import difflib

    near = [each for each in names if meant and each.startswith(meant)] or difflib.get_close_matches(meant, names, n=1)
    hint = f"did you mean {near[0]!r}? There are" if near else "there are"
    return f"unknown {kind} {name!r}; {hint} {', '.join(names)}"
