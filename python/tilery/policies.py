"""Policies: what chooses an action for the player to act.

    >>> import tilery
    >>> policy = tilery.policy("uct:200,c=1")
    >>> policy == tilery.policies.UCT(200, c=1)
    True
    >>> state = tilery.load("pueblo").new_initial_state()
    >>> policy.choose(state, 7) in state.legal_actions()
    True

A policy is written `NAME[:N][,key=value]*` everywhere, keeps nothing between calls, and sees only what the player to
act knows. docs/bots.md describes each of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from tilery import _core
from tilery.errors import StoppedError
from tilery.protocol import RngLike, State

if TYPE_CHECKING:
    from tilery.search import Analysis


class Signal(Protocol):
    """What ends a choice from another thread, such as a `threading.Event`; it is asked some ten times a second."""

    def is_set(self) -> bool:
        """Whether the signal was given."""


class Policy:
    """A policy of the engine. Equal if the texts are equal; immutable; can be pickled."""

    name: ClassVar[str]
    """The name in the text."""
    __slots__ = ("_native", "_text")
    _native: _core.Policy
    _text: str

    def __init__(self, count: float | None, parameters: dict[str, Any]) -> None:
        given = {key: value for key, value in parameters.items() if value is not None}
        for key, value in {"the number": count, **given}.items():
            if value is not None and (isinstance(value, bool) or not isinstance(value, Real)):
                raise TypeError(f"policy {self.name}: {key} must be a number, got {value!r}")
        text = self.name if count is None else f"{self.name}:{count}"
        self._set(_core.Policy(",".join([text, *(f"{key}={value}" for key, value in given.items())])))

    def _set(self, native: _core.Policy) -> None:
        object.__setattr__(self, "_native", native)
        object.__setattr__(self, "_text", str(native))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a policy cannot be changed: {name}")

    @classmethod
    def _of(cls, native: _core.Policy) -> Self:
        policy = cls.__new__(cls)
        policy._set(native)
        return policy

    @property
    def parameters(self) -> dict[str, int | float | str]:
        """All parameters by name, those left at their defaults included; 0 where a budget has no bound."""
        return self._native.parameters()

    def choose(self, state: State, rng: RngLike, *, stop: Signal | None = None, enough: Signal | None = None) -> int:
        """Return the id of a legal action for the player to act.

        rng: a source of luck as `State.determinize` takes it, or an object with `next()`. The policy takes exactly one
            number from it; the choice depends on that number and on what the player knows, and on nothing else.

        stop: when it is set, `StoppedError` is raised within about a tenth of a second.
        enough: when it is set, a search returns the best it has found so far, so that the choice also depends on when
            that was; other policies go on.

        Raises `ValueError` at a chance node and when the game is over, and `TypeError` for a state that is not of the
        engine. Ctrl-C ends a search at once.
        """
        action: int = _engine_game(state)._choose(self._native, state, rng, _look(stop, enough))
        return action

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"tilery.policy({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Policy) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return policy, (self._text,)


def _look(stop: Signal | None, enough: Signal | None) -> Callable[[], bool] | None:
    """What the engine calls while it thinks: raises `StoppedError`, or returns whether it has thought enough."""
    if stop is None and enough is None:
        return None

    def look() -> bool:
        if stop is not None and stop.is_set():
            raise StoppedError("the choice was stopped")
        return enough is not None and enough.is_set()

    look()
    return look


def _engine_game(state: Any) -> Any:
    game = getattr(state, "game", None)
    if not hasattr(game, "_choose"):
        raise TypeError(f"state must be a state of the engine, got {state!r}")
    return game


class Random(Policy):
    """Uniformly at random among the legal actions."""

    name = "random"
    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(None, {})


class Greedy(Policy):
    """The best margin of points right after the action; equal ones at random.

    worlds: over how many determinizations the margin is averaged, where something is hidden.
    ahead: where the player also makes the next decision and it has at most so many actions, the best margin after that
        decision counts.
    """

    name = "greedy"
    __slots__ = ()

    def __init__(self, *, worlds: int | None = None, ahead: int | None = None) -> None:
        super().__init__(None, {"worlds": worlds, "ahead": ahead})


class Flat(Policy):
    """The best mean utility over `playouts` random playouts for each legal action."""

    name = "flat"
    __slots__ = ()

    def __init__(self, playouts: int | None = None) -> None:
        super().__init__(playouts, {})


class Search(Policy):
    """A policy that searches, and can say what it found."""

    __slots__ = ()

    def analyse(
        self,
        state: State,
        rng: RngLike,
        *,
        threads: int = 1,
        stop: Signal | None = None,
        enough: Signal | None = None,
    ) -> Analysis:
        """Search for the player to act, and return what `choose` decides by.

        threads: how many threads search the trees, if the policy has several (`trees=`); the result does not depend
            on it.
        stop, enough: as for `choose`.

        Raises what `choose` raises.
        """
        from tilery.search import Analysis

        if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024:
            raise ValueError(f"threads must be an integer from 1 to 1024, got {threads!r}")
        found = _engine_game(state)._analyse(self._native, state, rng, threads, _look(stop, enough))
        return Analysis(str(self), found)


class UCT(Search):
    """Plain UCT: random playouts to the end, utilities of rule G-6, no priors, chance sampled.

    simulations: the budget; None for 1000, or for no bound if `seconds` is given.
    seconds: a budget in time, with or instead of the simulations; the choice then depends on the machine.
    trees: how many trees are searched apart and merged, each with its share of the simulations.
    memory: the bound on all trees together in MiB; a full tree is searched on without growing.
    c: the weight of exploration, c * sqrt(ln(n) / n_i).
    """

    name = "uct"
    __slots__ = ()

    def __init__(
        self,
        simulations: int | None = None,
        *,
        seconds: float | None = None,
        trees: int | None = None,
        memory: int | None = None,
        c: float | None = None,
    ) -> None:
        super().__init__(simulations, {"seconds": seconds, "trees": trees, "memory": memory, "c": c})


class MCTS(Search):
    """The strongest search here: UCT by a mixture of winning and of points, with short playouts; see docs/bots.md.

    simulations, seconds, trees, memory: the budget, as for `UCT`.
    c: the weight of exploration; None or 0 for the game's own.
    margin: the weight of the margin of points in the utility that the search maximizes; the rest is that of rule G-6.
    depth: after how many decisions from the position searched a playout is cut, and judged by the margin of the points
        if the game ended there; None or 0 for the game's own.
    rank: at which pass a node ranks its actions by the margin right after them, to try the best first; None or 0 for
        the game's own, 1000000 for never.
    width: a node of n visits tries at most width * sqrt(n + 1) actions; None or 0 for the game's own.
    best: each decision of a playout that will be cut is the best by margin of so many random ones; None or 0 for the
        game's own, 1 for random decisions.
    prospects: 1 or 0: whether what a position is worth to a player beyond its points counts where it is judged, in
        games that know it.
    """

    name = "mcts"
    __slots__ = ()

    def __init__(
        self,
        simulations: int | None = None,
        *,
        seconds: float | None = None,
        trees: int | None = None,
        memory: int | None = None,
        c: float | None = None,
        margin: float | None = None,
        depth: int | None = None,
        rank: int | None = None,
        width: int | None = None,
        best: int | None = None,
        prospects: int | None = None,
    ) -> None:
        budget = {"seconds": seconds, "trees": trees, "memory": memory}
        own = {"c": c, "margin": margin, "depth": depth, "rank": rank, "width": width, "best": best}
        super().__init__(simulations, {**budget, **own, "prospects": prospects})


class NN(Search):
    """The best position after one's own turn, as a network judges it; `nn:K` looks further at the K best turns.

    best: how many turns are looked at further, in the form that suits the game (docs/bots.md): 0 for none.
    worlds: dealt worlds, or outcomes of a chance node; None or 0 for the game's own.
    depth: turns looked ahead, where that is the form; None or 0 for the game's own.
    eval: the network: a file, the SHA-256 of one that is loaded, or None for the one that is shipped.
    """

    name = "nn"
    __slots__ = ()

    def __init__(
        self,
        best: int | None = None,
        *,
        worlds: int | None = None,
        depth: int | None = None,
        eval: str | None = None,
    ) -> None:
        super().__init__(best, {"worlds": worlds, "depth": depth})
        if eval is not None:
            self._set(_core.Policy(f"{self._text},eval={_network_name(eval)}"))


class Rung(Search):
    """A rung of the ladder of a game: a policy that stays as it is (docs/champions.md).

    number: which rung, 1 the weakest.
    """

    name = "rung"
    __slots__ = ()

    def __init__(self, number: int | None = None) -> None:
        super().__init__(number, {})


class Champion(Search):
    """The highest rung of the ladder of a game: the strongest player there."""

    name = "champion"
    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(None, {})


_CLASSES: dict[str, type[Policy]] = {each.name: each for each in (Random, Greedy, Flat, UCT, MCTS, NN, Rung, Champion)}
_SHA256 = re.compile("[0-9a-f]{64}")


def _network_name(text: str) -> str:
    """The name of the network that a caller means, loaded from a file unless it is a name."""
    from tilery.weights import load_weights

    return text if _SHA256.fullmatch(text) else load_weights(text).name


def policy(text: str) -> Policy:
    """Return the policy of a text: `tilery.policy("uct:1000,c=1.4")`.

    `str(policy)` is the canonical text. Raises `ValueError`, listing what there is, for an unknown name or parameter,
    and `TypeError` if text is not a str.
    """
    if not isinstance(text, str):
        raise TypeError(f"the text of a policy must be a str, got {text!r}")
    head, separator, network = text.partition(",eval=")
    if separator and not _SHA256.match(network):
        file, comma, rest = network.partition(",")
        text = f"{head}{separator}{_network_name(file)}{comma}{rest}"
    native = _core.Policy(text)
    name = str(native).partition(",")[0].partition(":")[0]
    return _CLASSES[name]._of(native)
