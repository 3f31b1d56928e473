"""The errors that tilery raises; those about a value from outside are `ValueError`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


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


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """The message for a name that is not known: what there is, and the nearest to what was meant."""
    names = sorted(known)
    meant = str(name).lower().replace(" ", "").replace("_", "")
    near = difflib.get_close_matches(meant, names, n=1)
    hint = f"did you mean {near[0]!r}? There are" if near else "there are"
    return f"unknown {kind} {name!r}; {hint} {', '.join(names)}"
