"""The requests of a page as typed messages, checked whole before anything happens."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, dataclass_transform, get_type_hints

from tilery.play.session import PlayError


class ForbiddenError(Exception):
    """A request that is not carried out for this page."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
@dataclass(frozen=True, kw_only=True)
class Request:
    """The base of all requests. seat: the person who asks; None in a game without people."""

    seat: int | None

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)


class View(Request):
    """The session as a seat may know it; None for the first person's, or with all hands where there is none.

    version: the one that the page has already; the reply then waits for the next change.
    """

    version: int = -1


class Position(Request):
    """The position after a number of actions, as the seat may know it; a solid is turned by quarters."""

    number: int
    turns: int = 0


class Record(Request):
    """The record of the game so far. It shows all hands, so several people get it when the game is over."""


class Outlook(Request):
    """The points if the game ended after a number of actions; not where hands are hidden, which may count."""

    number: int


class Rules(Request):
    """The rules of the game by number, and its options."""


class Options(Request):
    """The options of the game, as `tilery.options` describes them."""


class Present(Request):
    """The base of requests about the present position. version: the one that the page shows."""

    version: int


class Change(Present):
    """The base of requests that change the game."""


class Play(Change):
    """Take an action."""

    token: str


class Undo(Change):
    """Return to the seat's last choice."""


class Resign(Change):
    """Give up: the game is over, and all others win."""


class Back(Change):
    """Play on from the position after a number of actions."""

    number: int


class Hint(Present):
    """The best actions of the seat, which is to act."""


class Preview(Request):
    """The board as it would be after an action of the seat; None if the game has moved on meanwhile."""

    version: int
    token: str
    turns: int = 0


class Why(Present):
    """Why no action of the seat, which is to act, has these picks."""

    picks: list[Any]


class Hurry(Present):
    """Let the bot that is thinking take the best action it has found so far."""


class Seat(Change):
    """Give another seat, or this one, to a person (None), a policy of the engine, or a bot that the game began with."""

    other: int
    bot: str | None


class New(Change):
    """Begin another game of the same rules and players, with luck of its own."""


class Begin(Change):
    """Begin another game: seats and names as for `Session`, and the options of the game.

    seed: None for one chosen at random.
    """

    options: dict[str, Any]
    seats: list[Any]
    names: list[Any]
    seed: int | None = None


class Open(Change):
    """Go on with a recorded game, one line of JSON; the seats of programs are taken by people."""

    record: str


class Lesson(Change):
    """Take up a lesson of the tutorial, 0 the first; None goes back to the game, which waits meanwhile."""

    number: int | None


class Step(Change):
    """Let the bot to act take its action, in a game without people."""


BASES = (Request, Present, Change)
KINDS = {kind.__name__.lower(): kind for base in BASES for kind in base.__subclasses__() if kind not in BASES}
_VALUES: dict[Any, tuple[Any, str]] = {
    int: (int, "an integer"),
    str: (str, "a string"),
    list[Any]: (list, "a list"),
    dict[str, Any]: (dict, "an object"),
    int | None: (int | None, "an integer or null"),
    str | None: (str | None, "a string or null"),
}
"""Of the types of fields: what their values are, as classes and in words."""
_TYPES = {name: {key: _VALUES[kind] for key, kind in get_type_hints(each).items()} for name, each in KINDS.items()}


def parse(name: object, data: object) -> Request:
    """The request of a name and a JSON object.

    Raises `ForbiddenError` for a name that is not known and for a seat that is no number, and `PlayError` for keys that
    are missing or not known and for values of another type.
    """
    if not isinstance(name, str) or not isinstance(data, dict):
        raise PlayError("a request is a name and a JSON object")
    if name not in KINDS:
        raise ForbiddenError(f"there is no request {name!r}")
    for field in dataclasses.fields(KINDS[name]):
        if field.name not in data:
            if field.default is dataclasses.MISSING:
                raise PlayError(f"{name}: {field.name!r} is missing")
            continue
        value, (kind, words) = data[field.name], _TYPES[name][field.name]
        if isinstance(value, bool) or not isinstance(value, kind):
            if field.name == "seat":
                raise ForbiddenError(f"seat {value!r} is not a person's")
            raise PlayError(f"{name}: {field.name!r} must be {words}, got {value!r}")
    unknown = sorted(map(str, data.keys() - _TYPES[name].keys()))
    if unknown:
        raise PlayError(f"{name}: {unknown[0]!r} is not known")
    return KINDS[name](**data)
