"""The errors that tilery raises; all of them are `ValueError`."""

from __future__ import annotations


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


class RecordError(TileryError):
    """A record that cannot be read, or that does not replay."""
