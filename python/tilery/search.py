"""The result of a search, `Analysis`, and searches with functions of one's own: `MCTS` and `run`."""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tilery import policies
from tilery.errors import integer, is_real
from tilery.protocol import Luck, Signal, State
from tilery.tables import Table

Evaluator = Callable[
    [npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.int8]], tuple[npt.ArrayLike, npt.ArrayLike]
]
"""See `run`."""


@dataclass(frozen=True, slots=True, repr=False)
class Analysis:
    """The result of a search of the position of one player.

    All but `seconds` and `simulations_per_second` follows from policy, knowledge of the player and a number of the rng.
    """

    policy: str
    """The text of the policy."""
    player: int
    """The player to act, from whose knowledge was searched."""
    simulations: int
    """The number of simulations made."""
    seconds: float
    """The duration in seconds."""
    best: int
    """The id of the action chosen: the most visited one."""
    line: list[str]
    """The tokens of the most visited actions from here on, up to the first chance node."""
    actions: list[dict[str, Any]]
    """The actions tried, the most visited first.

    Each is a dict of `action` (the id), `token`, `visits`, `share` (of all visits), `prior` (the share before any
    simulation) and `utilities` (the mean of each player over the visits, rule G-6).
    """

    @property
    def simulations_per_second(self) -> float:
        """Simulations by time; 0 where no time was measured."""
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """All of it as a dict of JSON types, which `json.dumps` takes."""
        fields = asdict(self)
        found = {key: fields.pop(key) for key in ("best", "line", "actions")}
        return {**fields, "simulations_per_second": self.simulations_per_second, **found}

    def __repr__(self) -> str:
        return f"<Analysis by {self.policy} for player {self.player}: {self.simulations} simulations>"

    def __str__(self) -> str:
        """A table of the twelve most visited actions, for a terminal."""
        rows = []
        for row in self.actions[:12]:
            utilities = "  ".join(f"{value:+.3f}" for value in row["utilities"])
            rows.append([row["token"], f"{row['visits']:,}", f"{100 * row['share']:.1f} %", utilities])
        speed = f"{self.simulations_per_second:,.0f} a second"
        head = f"{self.policy}, player {self.player}: {self.simulations:,} simulations, {speed}"
        return f"{Table(head, ['action', 'visits', 'share', 'utilities'], rows)}best play: {' '.join(self.line)}"


def run(
    states: Sequence[State],
    evaluator: Evaluator,
    *,
    simulations: int = 100,
    c: float = 1.5,
    rng: Luck = 0,
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
    simulations = integer("simulations", simulations, 1, 2**31)
    if not is_real(c) or not 0 <= c <= 1e6:
        raise ValueError(f"c must be a number from 0 to 1e6, got {c!r}")
    return _run(list(states), evaluator, simulations, float(c), rng)


def _run(
    positions: list[State],
    evaluator: Evaluator,
    simulations: int,
    c: float,
    rng: Luck,
    *,
    look: Callable[[], bool] | None = None,
) -> list[Analysis]:
    """The work of `run`. look: asked before each round, and ends the search when it returns True or raises."""
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
        if any(getattr(getattr(each, "dtype", None), "kind", None) == "c" for each in returned):
            raise ValueError("the evaluator must return real numbers, not complex ones")
        trees.feed(*returned)
        if look is not None and look():
            break
    return [Analysis("search.run", **{**found, "seconds": 0.0}) for found in trees.results()]


Value = Callable[[Any], Sequence[float] | npt.NDArray[Any]]
"""A function of a state: the points that it is worth to each player. See `MCTS`."""
Order = Callable[[Any, list[int]], Sequence[float] | npt.NDArray[Any]]
"""A function of a state and its legal actions: a priority for each of them. See `MCTS`."""


class MCTS:
    """The search of `tilery.policies.MCTS` with an evaluation or an order of actions of one's own: a policy.

        >>> import tilery
        >>> def value(state):
        ...     return state.scores_if_over()
        >>> bot = tilery.search.MCTS(50, value=value)
        >>> state = tilery.load("pueblo").new_initial_state()
        >>> bot.choose(state, 7) in state.legal_actions()
        True

    simulations: as for `tilery.policies.MCTS`; `parameters` are its others (seconds, trees, memory, c, margin, tuning).
    value: judges the first decision after a new leaf, with chance played, or with `tuning="depth:N"` after a random
        playout to the N-th decision from the root. Called with a state, it returns numbers from -1e6 to 1e6, one for
        each player, on any scale: the search goes by the lead of each player against its mean and spread so far
        (docs/bots.md). None for the game's own evaluation.
    order: is called with a state and the ids of legal actions when a node gets its first actions, and returns a
        priority for each; the greatest are tried first. None for the game's own order.

    `value` and `order` may also be functions of arrays: of three arguments, as `run` calls its evaluator. Such a value
    returns utilities[n, num_players] as in rule G-6, or a tuple (priors, utilities). It makes the search that of `run`,
    whose only parameter is `c`; priors without an order are equal. Such an order returns
    priors[n, num_distinct_actions]; with another value, or none, it is called with n = 1.

    `value` and `order` may also be functions of C that are called without Python, `tilery_value` and `tilery_order` of
    tilery/capi.h: a `cfunc` of Numba, or a function of ctypes. States are as the player to act may expect them to be:
    what is hidden is dealt again for each simulation. A choice takes one number from the rng and depends on nothing
    else if the functions do not. Errors of the functions end the search and are raised.

    Raises `TypeError` for what is not such a function, and `ValueError` for parameters as `tilery.policies.MCTS` does
    and for numbers that a function must not return.
    """

    def __init__(
        self,
        simulations: int | None = None,
        *,
        value: Value | Any = None,
        order: Order | Any = None,
        **parameters: Any,
    ) -> None:
        if "eval" in parameters:
            raise ValueError("a network judges and orders by itself: tilery.policies.MCTS takes eval")
        self.policy = policies.MCTS(simulations, **parameters)
        """The same search without `value` and `order`."""
        self.value, self.order = value, order
        self._evaluator: Evaluator | None = None
        if _takes_arrays(value):
            if parameters.keys() - {"c"}:
                raise ValueError("with a value that is a function of arrays there is no other parameter than c")
            if order is not None and not _takes_arrays(order):
                raise ValueError("with a value that is a function of arrays the order must be one, too")
            self._evaluator = _evaluator(value, order)
        elif _takes_arrays(order):
            order = _order_of_state(order)
        self._functions = _function(value, "value"), _function(order, "order")

    def choose(self, state: State, rng: Luck, *, stop: Signal | None = None, enough: Signal | None = None) -> int:
        """Return the id of a legal action for the player to act; see `tilery.protocol.Policy`."""
        if self._evaluator is not None:
            return self.analyse(state, rng, stop=stop, enough=enough).best
        game: Any = policies.engine_game(state)
        look = policies.look_at(stop, enough)
        chosen: int = game._choose(self.policy._native, state, rng, look, *self._functions)
        return chosen

    __call__ = choose

    def analyse(
        self,
        state: State,
        rng: Luck,
        *,
        threads: int = 1,
        stop: Signal | None = None,
        enough: Signal | None = None,
    ) -> Analysis:
        """Return what `choose` decides by; see `tilery.policies.Search.analyse`."""
        look = policies.look_at(stop, enough)
        if self._evaluator is not None:
            given = self.policy.parameters
            simulations, c = int(given["simulations"]), float(given["c"]) or 1.5
            return _run([state], self._evaluator, simulations, c, rng, look=look)[0]
        return Analysis(str(self), **policies.found_by(self.policy, state, rng, threads, look, *self._functions))

    def __str__(self) -> str:
        given = [(key, each) for key, each in (("value", self.value), ("order", self.order)) if each is not None]
        names = [f"{key}={getattr(each, '__name__', type(each).__name__)}" for key, each in given]
        return ",".join([str(self.policy), *names])

    def __repr__(self) -> str:
        return f"<tilery.search.MCTS {self}>"


def _takes_arrays(given: Any) -> bool:
    """Whether a function has three arguments, as an evaluator has, and not one, as a function of a state."""
    try:
        parameters = inspect.signature(given).parameters.values()
    except (TypeError, ValueError):  # of C, or no function
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in positional and each.default is each.empty for each in parameters) == 3


def _evaluator(value: Any, order: Any) -> Evaluator:
    """An evaluator of two functions of arrays."""

    def evaluator(*leaves: Any) -> tuple[Any, Any]:
        found = value(*leaves)
        priors, utilities = found if isinstance(found, tuple) and len(found) == 2 else (leaves[1], found)
        return priors if order is None else order(*leaves), utilities

    return evaluator


def _order_of_state(order: Any) -> Order:
    """The order of a state by a function of arrays, which is called with one row."""

    def of_state(state: Any, actions: list[int]) -> npt.NDArray[Any]:
        player = state.current_player()
        mask = np.zeros((1, state.game.num_distinct_actions), bool)
        mask[0, actions] = True
        priors = np.asarray(order(state.observation_tensor(player)[None], mask, np.array([player], np.int8)))
        if priors.shape != mask.shape:
            raise ValueError(f"the order must return priors of shape {mask.shape}, got {priors.shape}")
        return priors[0, actions]

    return of_state


def _function(given: Any, name: str) -> Any:
    """None, a callable, or the address of a function of C."""
    if given is None:
        return None
    if isinstance(given, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        return ctypes.cast(given, ctypes.c_void_p).value
    if isinstance(address := getattr(given, "address", None), int):  # of Numba
        return address
    if not callable(given):
        raise TypeError(f"{name} must be a function, got {given!r}")
    return given
