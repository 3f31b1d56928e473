"""Networks that judge positions: loading them, and what they expect of a position.

    >>> import tilery
    >>> state = tilery.load("carcassonne").new_initial_state()
    >>> expectation = tilery.evaluate(state)
    >>> abs(sum(expectation.wins) - 1) < 1e-9
    True

A network is a file, `NAME.tnn`, of one game. Everywhere but where a file is named it goes by its SHA-256.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tilery import _core
from tilery.errors import WeightsError
from tilery.files import PACKAGE, read, read_json
from tilery.protocol import Policy, State

MOST_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Weights:
    """A network that is loaded."""

    name: str
    """The SHA-256 of its file in 64 hexadecimal digits, without the calibration at its end, which changes no choice."""
    game: str
    about: dict[str, Any]
    """Its origin: `command`, `seed`, `commit`, `games`, `licence` and others."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """The expected result of each seat in a position, by what that seat knows. One float for each player."""

    wins: tuple[float, ...]
    """The share of the win as rule G-6 shares it, from 0 to 1; the sum is 1."""
    points: tuple[float, ...]
    """The points at the end."""
    wins_error: tuple[float, ...]
    """Standard error of `wins`: that of sampling where not all draws could be looked at, else 0. The error of the
    network itself is not in it."""
    points_error: tuple[float, ...]
    """Standard error of `points`, likewise."""


def load_weights(source: str | bytes) -> Weights:
    """Load a network from a file or its bytes, so that policies can name it: `nn,eval=SHA256`.

    Raises `WeightsError` if it is not a network, and `OSError` if the file cannot be read.
    """
    try:
        data = source if isinstance(source, bytes) else read(source, MOST_BYTES)
    except ValueError as error:
        raise WeightsError(f"{source!r} is not a network: {error}") from None
    try:
        name, game, about = _core._load_weights(data)
        described = json.loads(about)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        described = None
    if not isinstance(described, dict):
        raise WeightsError("the network's description is not a JSON object")
    return Weights(name, game, described)


def _load_shipped(game: str) -> None:
    """Load what the package has for a game; the engine calls it when a policy first asks."""
    folder = PACKAGE / "data" / "nets"
    network, rungs = "", []
    if (file := folder / f"{game}.tnn").is_file():
        network = load_weights(str(file)).name
    if (file := folder / "ladder.json").is_file():
        rungs = [rung["policy"] for rung in read_json(file).get(game, [])]
    _core._set_shipped(game, network, rungs)


def evaluate(state: State, policy: str | Policy = "champion") -> Expectation:
    """Return what each seat may expect from a position, as the network of a policy judges it.

    policy: one that judges by a network: `nn`, `nn:K`, a rung or the champion, as text or `Policy`.

    A position at which a player is to act is judged after that player's best turn; at a chance node the mean over all
    outcomes is returned, weighted exactly, or over 64 drawn ones where there are more. After the game the results.

    Raises `WeightsError` where there is no network, and `ValueError` for a policy without one.
    """
    from tilery.policies import EnginePolicy, engine_game
    from tilery.policies import policy as policy_of

    chosen = policy_of(policy)
    if not isinstance(chosen, EnginePolicy):
        raise ValueError(f"policy {chosen} has no network to expect by")
    return Expectation(*(tuple(part) for part in engine_game(state)._expect(chosen._native, state)))
