"""What a search finds, `Analysis`, and searches whose leaves Python evaluates, `run`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tilery.protocol import RngLike, State

Evaluator = Callable[
    [npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.int8]], tuple[npt.ArrayLike, npt.ArrayLike]
]
"""See `run`."""


class Analysis:
    """What a search found about the position of one player.

    Everything but `seconds` and `simulations_per_second` is a function of the policy, of what the player knows and of
    one number of the rng.
    """

    __slots__ = ("_data",)

    def __init__(self, policy: str, found: Mapping[str, Any]) -> None:
        seconds = found["seconds"]
        self._data: dict[str, Any] = {
            "policy": policy,
            "player": found["player"],
            "simulations": found["simulations"],
            "seconds": seconds,
            "simulations_per_second": found["simulations"] / seconds if seconds > 0 else 0.0,
            "best": found["best"],
            "line": found["line"],
            "actions": found["actions"],
        }

    @property
    def policy(self) -> str:
        """The text of the policy."""
        return str(self._data["policy"])

    @property
    def player(self) -> int:
        """The player to act, from whose knowledge was searched."""
        return int(self._data["player"])

    @property
    def simulations(self) -> int:
        """How many simulations were made."""
        return int(self._data["simulations"])

    @property
    def seconds(self) -> float:
        """How long it took."""
        return float(self._data["seconds"])

    @property
    def best(self) -> int:
        """The id of the action chosen: the most visited one."""
        return int(self._data["best"])

    @property
    def line(self) -> list[str]:
        """The tokens of the most visited actions from here on, up to the first chance node."""
        return list(self._data["line"])

    @property
    def actions(self) -> list[dict[str, Any]]:
        """The actions tried, the most visited first.

        Each is a dict of `action` (the id), `token`, `visits`, `share` (of all visits), `prior` (the share before any
        simulation) and `utilities` (the mean of each player over the visits, rule G-6).
        """
        return [dict(row) for row in self._data["actions"]]

    def to_dict(self) -> dict[str, Any]:
        """All of it as a dict of JSON types, which `json.dumps` takes."""
        return {**self._data, "line": self.line, "actions": self.actions}

    def __eq__(self, other: object) -> bool:
        return self._data == other._data if isinstance(other, Analysis) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Analysis by {self.policy} for player {self.player}: {self.simulations} simulations>"

    def __str__(self) -> str:
        """A table of the twelve most visited actions, for a terminal."""
        rows = [("action", "visits", "share", "utilities")]
        for row in self._data["actions"][:12]:
            utilities = "  ".join(f"{value:+.3f}" for value in row["utilities"])
            rows.append((row["token"], f"{row['visits']:,}", f"{100 * row['share']:.1f} %", utilities))
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        lines = [
            f"{token:<{widths[0]}}  {visits:>{widths[1]}}  {share:>{widths[2]}}  {utilities}"
            for token, visits, share, utilities in rows
        ]
        speed = f"{self._data['simulations_per_second']:,.0f} a second"
        head = f"{self.policy}, player {self.player}: {self.simulations:,} simulations, {speed}"
        return "\n".join([head, *lines, "best play: " + " ".join(self.line)])


def run(
    states: Sequence[State],
    evaluator: Evaluator,
    *,
    simulations: int = 100,
    c: float = 1.5,
    rng: RngLike = 0,
) -> list[Analysis]:
    """Search many positions of one game at once, with leaves evaluated in Python, and return an `Analysis` of each.

    This is PUCT as in AlphaZero: the edge with the greatest mean + c * prior * sqrt(n) / (1 + visits), no playouts.

    states: decisions of one game of the engine.
    evaluator: called as evaluator(observations, masks, players) with float32[n, *observation_tensor_shape] as the
        player to act sees each leaf, bool[n, num_distinct_actions] of legal actions, and int8[n] players to act; n is
        at most len(states). Returns priors[n, num_distinct_actions], of which those of legal actions count and are
        made to sum to 1, and values[n, num_players], utilities of all players as in rule G-6.
    simulations: for each position, at least 1; each adds one leaf, or reaches the end of a game.
    c: the weight of exploration, from 0 to 1e6.
    rng: one number is taken from it. Equal arguments and an equal evaluator give equal analyses.

    Raises `ValueError` for states that are not decisions, for a number out of range, and for arrays of another
    shape or with numbers that are not from -1e6 to 1e6; `TypeError` for states that are not of one game of the engine.
    """
    if isinstance(simulations, bool) or not isinstance(simulations, int) or not 1 <= simulations <= 2**31:
        raise ValueError(f"simulations must be an integer from 1 to 2**31, got {simulations!r}")
    if not isinstance(c, int | float) or not 0 <= c <= 1e6:
        raise ValueError(f"c must be a number from 0 to 1e6, got {c!r}")
    positions = list(states)
    if not positions:
        return []
    game: Any = getattr(positions[0], "game", None)
    if not hasattr(game, "_evaluated"):
        raise TypeError(f"states must be states of the engine, got {positions[0]!r}")
    trees = game._evaluated(positions, rng, c)
    while (leaves := trees.collect(simulations)) is not None:
        returned = evaluator(*leaves)
        del leaves  # so that arrays which the evaluator does not hold on to are used again
        if not isinstance(returned, tuple | list) or len(returned) != 2:
            raise ValueError(f"the evaluator must return (priors, values), got {type(returned).__name__}")
        trees.feed(*returned)
    return [Analysis("search.run", {**found, "seconds": 0.0}) for found in trees.results()]
