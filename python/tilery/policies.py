"""Policies: what chooses an action for the player to act.

    >>> import tilery
    >>> policy = tilery.policy("uct:200,c=1")
    >>> policy == tilery.policies.UCT(200, c=1)
    True
    >>> state = tilery.load("pueblo").new_initial_state()
    >>> policy.choose(state, 7) in state.legal_actions()
    True
    >>> tilery.policy(lambda state: state.legal_actions()[0]).choose(state, 7) == state.legal_actions()[0]
    True

The policies of the engine are written `NAME[:N][,key=value]*`, others `py:MODULE:FUNCTION`, `cmd:COMMAND` and
`agent:FILE`. All keep nothing between calls, and see only what the player to act knows. docs/bots.md describes them.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import re
import sys
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, NamedTuple, cast

import numpy as np

from tilery import _core
from tilery.errors import BotError, IllegalActionError, StoppedError, index_of, integer, is_real
from tilery.protocol import Game, Luck, Policy, Signal, State

if TYPE_CHECKING:
    from tilery.search import Analysis

SECONDS = 10.0
"""The default limit in seconds for each answer of a program."""


class _Written:
    """A policy with a text: equal if the texts are, and pickled as its text."""

    _text: str

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"tilery.policy({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, _Written) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return policy, (self._text,)


class EnginePolicy(_Written):
    """A policy of the engine. Equal if the texts are equal; immutable; can be pickled.

    number: that of the text, the parameter that a class names first. parameters: the others by name, as in the text;
    None for their defaults. Raises `TypeError` for what is no number, and `ValueError` for what the engine refuses.
    """

    name: ClassVar[str]
    """The name in the text."""
    _native: _core.Policy

    def __init__(self, number: float | None = None, **parameters: float | str | None) -> None:
        given = {key: value for key, value in parameters.items() if value not in (None, "")}
        texts = [key for key, value in _core.Policy(self.name).parameters().items() if isinstance(value, str)]
        for key, value in {"the number": number, **given}.items():
            if key not in texts and value is not None and not is_real(value):
                raise TypeError(f"policy {self.name}: {key} must be a number, got {value!r}")
        if "eval" in given:
            given["eval"] = _network_name(str(given["eval"]))
        text = self.name if number is None else f"{self.name}:{number}"
        self._set(_core.Policy(",".join([text, *(f"{key}={value}" for key, value in given.items())])))

    def _set(self, native: _core.Policy) -> None:
        object.__setattr__(self, "_native", native)
        object.__setattr__(self, "_text", str(native))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a policy cannot be changed: {name}")

    def resolved(self, game: str) -> EnginePolicy:
        """Return the policy that plays a game for this one, as records and manifests name it.

        A rung and the champion are policies of the game's ladder, and a network that is not named is the shipped one.
        Raises `WeightsError` where there is none.
        """
        return _of_native(_core._resolve(self._native, game))

    @property
    def parameters(self) -> dict[str, int | float | str]:
        """All parameters by name, those left at their defaults included; 0 where a budget has no bound."""
        return self._native.parameters()

    def choose(self, state: State, rng: Luck, *, stop: Signal | None = None, enough: Signal | None = None) -> int:
        """Return the id of a legal action for the player to act; see `tilery.protocol.Policy`."""
        action: int = engine_game(state)._choose(self._native, state, rng, look_at(stop, enough))
        return action


def look_at(stop: Signal | None, enough: Signal | None) -> Callable[[], bool] | None:
    """The function that the engine calls while it thinks: raises `StoppedError`, or returns whether to end."""
    for name, signal in (("stop", stop), ("enough", enough)):
        if signal is not None and not callable(getattr(signal, "is_set", None)):
            raise ValueError(f"{name} must have a method is_set, as threading.Event has, got {signal!r}")
    if stop is None and enough is None:
        return None

    def look() -> bool:
        if stop is not None and stop.is_set():
            raise StoppedError("the choice was stopped")
        return enough is not None and enough.is_set()

    look()
    return look


def engine_game(state: Any) -> Any:
    game = getattr(state, "game", None)
    if not hasattr(game, "_choose"):
        raise TypeError(f"state must be a state of the engine, got {state!r}")
    return game


class Seen(ABC):
    """A policy from outside the engine at work. It also gets what its player has seen of the game."""

    @abstractmethod
    def choose(self, state: Any, number: int, seen: list[int] | None) -> int:
        """Return the id of a legal action.

        state: determinized for the player to act. number: what the policy takes from its random stream.
        seen: the ids of all actions of the game, -1 for what the player could not see; None if nobody knows them.
        """

    def over(self, scores: list[int], returns: list[float]) -> None:  # noqa: B027  most need not hear it
        """Hear how the game ended."""


class OutsidePolicy(_Written, ABC):
    """A policy that is not of the engine: a function of Python, or a program.

    It sees a determinization of each state, which holds no more than the player to act knows. Equal if the texts are
    equal, functions without a text if they are the same.
    """

    by_game: ClassVar[bool] = False
    """Whether it starts again for each game, so that each needs a `seat` of its own."""

    def __init__(self, text: str) -> None:
        self._text = text

    @abstractmethod
    def seat(
        self, game: Game, seat: int, *, seconds: float = SECONDS, log: BinaryIO | None = None
    ) -> AbstractContextManager[Seen]:
        """The policy at work in a seat of one game.

        seconds: for each answer of a program. log: to which a program's standard error is written.
        """

    def check(self, game: Game, seconds: float = SECONDS, log: BinaryIO | None = None) -> None:
        """Raise `BotError` for a program that cannot be started, and `ValueError` for an agent of another game."""
        with naming({0: self}), self.seat(game, 0, seconds=seconds, log=log):
            pass

    def choose(self, state: State, rng: Luck, *, stop: Signal | None = None, enough: Signal | None = None) -> int:
        """Return the id of a legal action for the player to act; see `tilery.protocol.Policy`."""
        look = look_at(stop, enough)
        with self._asked(state, rng) as (seat, known, number):
            action = seat.choose(known, number, None)
        if look is not None:
            look()
        return _legal(state, action, self)

    @contextlib.contextmanager
    def _asked(self, state: State, rng: Luck) -> Iterator[tuple[Seen, State, int]]:
        """The policy in the seat of the player to act, the position as that player knows it, and a number."""
        game, player = engine_game(state), state.current_player()
        if player < 0:
            raise ValueError(
                f"a policy cannot choose: {'the game is over' if state.is_terminal() else 'chance is to act'}"
            )
        number = _core.take_number(rng)
        with naming({player: self}), self.seat(game, player) as seat:
            yield seat, state.determinize(player, _core.Rng(number, 1)), number


@contextlib.contextmanager
def naming(seats: Sequence[object] | Mapping[int, object]) -> Iterator[None]:
    """Begin the reason of a `BotError` with the policy in its seat, if there is one."""
    try:
        yield
    except BotError as error:
        if isinstance(seats[error.seat], Seen):
            raise
        raise BotError(error.seat, f"{seats[error.seat]} {error.reason}", error.details) from None


def _legal(state: Any, action: Any, chosen: object) -> int:
    """An id of a legal action as int; `IllegalActionError` for anything else."""
    if (number := index_of(action)) is None:
        raise IllegalActionError(f"{chosen} returned {action!r}, which is not an action id")
    if number not in state.legal_actions():
        raise IllegalActionError(f"{chosen} returned {number}: {state.why_illegal(number)}")
    return number


class FunctionPolicy(OutsidePolicy):
    """A function of a state, or of a state and a NumPy generator, that returns an action id.

    function: it. text: the text that names it, `py:MODULE:FUNCTION`; None for one made of its name.
    """

    def __init__(self, function: Callable[..., int], text: str | None = None) -> None:
        spoken = str(function) if "__str__" in vars(type(function)) else type(function).__qualname__
        name = getattr(function, "__qualname__", spoken)
        super().__init__(text or f"py:{getattr(function, '__module__', '')}:{name}")
        self.function = function
        self._named = text is not None
        if (search := getattr(function, "analyse", None)) is not None:  # a search by functions of Python
            self.analyse = functools.partial(self._analyse, search) if self._named else search
        self._arguments = _arguments_of(function)

    @contextlib.contextmanager
    def seat(self, game: Game, seat: int, **_how: Any) -> Iterator[Seen]:  # noqa: ARG002
        """The function, called on the thread that asks; one that is named by a text fails as a program does."""
        called = _Called(self.function, self._arguments)
        yield Judged(called, seat) if self._named else called

    def _analyse(self, search: Callable[..., Analysis], state: State, *arguments: Any, **how: Any) -> Analysis:
        seat = state.current_player()
        with naming({seat: self}), _judging(seat):
            return search(state, *arguments, **how)

    def __eq__(self, other: object) -> bool:
        return self.function == other.function if isinstance(other, FunctionPolicy) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.function)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return policy, (self._text if self._named else self.function,)


class AgentPolicy(FunctionPolicy):
    """An agent of a file (`tilery.agents`)."""

    @contextlib.contextmanager
    def seat(self, game: Game, seat: int, **how: Any) -> Iterator[Seen]:
        """The agent. Raises `ValueError` for a game that it cannot play."""
        self.function.check(game)  # type: ignore[attr-defined]
        with super().seat(game, seat, **how) as seen:
            yield seen

    __eq__ = OutsidePolicy.__eq__
    __hash__ = OutsidePolicy.__hash__


class _Called(Seen):
    def __init__(self, function: Callable[..., int], arguments: int) -> None:
        self._function, self._arguments = function, arguments

    def choose(self, state: Any, number: int, seen: list[int] | None) -> int:  # noqa: ARG002
        if self._arguments == 1:
            return self._function(state)
        return self._function(state, np.random.default_rng(number))


def _arguments_of(function: Callable[..., Any]) -> int:
    """1 for a function of a state, 2 for one of a state and a generator, which may have a default if named rng."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of a builtin
        return 2
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    second = [each for each in signature.parameters.values() if each.kind in positional][1:2]
    optional = second and second[0].default is not inspect.Parameter.empty and second[0].name != "rng"
    for count in (1, 2) if optional else (2, 1):
        with contextlib.suppress(TypeError):
            signature.bind(*[None] * count)
            return count
    raise TypeError(f"a policy must be a function of a state, or of a state and a generator, got {function!r}")


@contextlib.contextmanager
def _judging(seat: int) -> Iterator[None]:
    """Raise `BotError` for what a function that is not ours raises."""
    try:
        yield
    except (BotError, StoppedError):
        raise
    except Exception as error:
        raise BotError(seat, f"raised {type(error).__name__}: {error}", traceback.format_exc()) from error


class Judged(Seen):
    """A policy at work whose failures are those of a bot, which loses by them."""

    def __init__(self, policy: Seen, seat: int) -> None:
        self._policy, self._seat = policy, seat

    def choose(self, state: Any, number: int, seen: list[int] | None) -> int:
        with _judging(self._seat):
            action = self._policy.choose(state.clone(), number, seen)
        try:
            return _legal(state, action, "")
        except IllegalActionError as error:
            raise BotError(self._seat, str(error).strip()) from None

    def over(self, scores: list[int], returns: list[float]) -> None:
        self._policy.over(scores, returns)


class Random(EnginePolicy):
    """Uniformly at random among the legal actions."""


class Greedy(EnginePolicy):
    """The best margin of points right after the action; equal ones at random.

    worlds: over how many determinizations the margin is averaged, where something is hidden.
    ahead: where the player also makes the next decision, of at most this many actions, the best margin after it counts.
    """


class Flat(EnginePolicy):
    """The best mean utility over `playouts` random playouts for each legal action."""


class Search(EnginePolicy):
    """A policy that searches, and can say what it found."""

    def analyse(
        self,
        state: State,
        rng: Luck,
        *,
        threads: int = 1,
        stop: Signal | None = None,
        enough: Signal | None = None,
    ) -> Analysis:
        """Search for the player to act, and return what `choose` decides by.

        threads: how many threads search the trees, if there are several (`trees=`); the result does not depend on it.
        stop, enough: as for `choose`.

        Raises what `choose` raises.
        """
        from tilery.search import Analysis

        return Analysis(str(self), **found_by(self, state, rng, threads, look_at(stop, enough)))


def found_by(policy: EnginePolicy, state: State, rng: Luck, threads: int, *arguments: Any) -> dict[str, Any]:
    """The result of a search as the engine returns it. arguments: `look_at`, and functions of one's own."""
    threads = integer("threads", threads, 1, 1024)
    found: dict[str, Any] = engine_game(state)._analyse(policy._native, state, rng, threads, *arguments)
    return found


class UCT(Search):
    """Plain UCT: random playouts to the end, utilities of rule G-6, no priors, chance sampled.

    simulations: the budget; None for 1000, or for no bound if `seconds` is given.
    seconds: a budget in time, with or instead of the simulations; the choice then depends on the machine.
    trees: how many trees are searched apart and merged, each with its share of the simulations.
    memory: the bound on all trees together in MiB; a full tree is searched on without growing.
    c: the weight of exploration, c * sqrt(ln(n) / n_i).
    """


class MCTS(Search):
    """The strongest search here: UCT by a mixture of winning and of points, with short playouts; see docs/bots.md.

    simulations, seconds, trees, memory: the budget, as for `UCT`.
    c: the weight of exploration; None or 0 for the game's own.
    margin: the weight of the margin of points in the utility that the search maximizes; the rest is that of rule G-6.
    tuning: the other numbers of the search, for experiments (docs/bots.md): "depth:20+width:4".
    eval: the network that judges positions and orders actions in place of playouts: "nn" for the one that is shipped,
        a file, or the SHA-256 of one that is loaded. With it, simulations, seconds, c and margin count alone.
    """


class NN(Search):
    """The best position after one's own turn, as a network judges it; `nn:K` looks further at the K best turns.

    best: how many turns are looked at further, in the form that suits the game (docs/bots.md): 0 for none.
    worlds: dealt worlds, or outcomes of a chance node; None or 0 for the game's own.
    depth: turns looked ahead, where that is the form; None or 0 for the game's own.
    noise: points, up to which a random number is added to what each turn is worth: a weaker player for practice.
    eval: the network: a file, the SHA-256 of one that is loaded, or None for the one that is shipped.
    """


class Rung(Search):
    """A rung of the ladder of a game: a policy that stays as it is (docs/champions.md).

    number: which rung, 1 the weakest.
    """


class Champion(Search):
    """The highest rung of the ladder of a game: the strongest player there."""


_CLASSES: dict[str, type[EnginePolicy]] = {
    each.__name__.lower(): each for each in (Random, Greedy, Flat, UCT, MCTS, NN, Rung, Champion)
}
for _name, _class in _CLASSES.items():
    _class.name = _name
_NETWORK = re.compile("(nn|[0-9a-f]{64})(?![^,])")
"""The name of a network: the one that is shipped, or a SHA-256."""


def _network_name(text: str) -> str:
    """The name of the network that a caller means, loaded from a file unless it is a name."""
    from tilery.weights import load_weights

    try:
        return text if _NETWORK.fullmatch(text) else load_weights(text).name
    except OSError as error:
        raise ValueError(f"eval={text}: {error.strerror or error}") from None


def function_of(text: str) -> Callable[..., int]:
    """The function of "py:MODULE:FUNCTION", or `choose` of an object; modules are found in the current folder, too.

    Raises `ValueError` if there is none, or if the module cannot be imported, whatever it raises.
    """
    module, colon, name = text.removeprefix("py:").partition(":")
    if not colon or not module or not name:
        raise ValueError(f"a policy in Python is written py:MODULE:FUNCTION, got {text!r}")
    if (folder := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, folder)
    try:
        found = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"{text}: {error}") from None
    except MemoryError:
        raise
    except Exception as error:  # of a module that is not ours
        raise ValueError(f"{text}: {type(error).__name__}: {error}") from error
    if (function := _chooser(found)) is None:
        raise ValueError(f"{text} is neither a function nor an object with choose(state, rng)")
    return function


def _chooser(x: Any) -> Callable[..., int] | None:
    """The function by which an object chooses: itself or its `choose`; None without one, and for classes and arrays."""
    function: Any = x if callable(x) else getattr(x, "choose", None)
    return function if callable(function) and not isinstance(x, type | np.ndarray | np.generic) else None


def _of_function(text: str) -> Policy:
    try:
        return FunctionPolicy(function_of(text), text)
    except TypeError as error:
        raise ValueError(f"{text}: {error}") from None


def _of_command(text: str) -> Policy:
    from tilery.bots import CommandPolicy

    return CommandPolicy(text.removeprefix("cmd:"))


def _of_agent(text: str) -> Policy:
    from tilery import agents

    file = text.removeprefix("agent:")
    try:
        return AgentPolicy(agents.read(file), text)
    except OSError as error:
        raise ValueError(f"{text}: {error.strerror or error}") from None


def full_text(chosen: Policy, game: str) -> str:
    """The text of a policy as records have it: a rung and the champion as what they are, a network by its SHA-256."""
    return str(chosen.resolved(game) if isinstance(chosen, EnginePolicy) else chosen)


class Kind(NamedTuple):
    """A kind of policies that are not of the engine."""

    written: str
    """The form of their texts."""
    make: Callable[[str], Policy]
    """Makes a policy of a text."""
    varies: str
    """Why they may not choose the same again."""


OUTSIDE = {
    "py": Kind("py:MODULE:FUNCTION", _of_function, "a function of Python may choose otherwise the next time"),
    "cmd": Kind("cmd:COMMAND", _of_command, "another program may choose otherwise the next time"),
    "agent": Kind("agent:FILE", _of_agent, "the file may hold another agent the next time"),
}
"""They run code of others, or open files, so a text that comes from outside may not name one."""


def of_engine(text: str) -> bool:
    """Whether a text can only be that of a policy of the engine, and names no file."""
    network = text.partition(",eval=")[2]
    return text.partition(":")[0] not in OUTSIDE and (not network or bool(_NETWORK.match(network)))


def repeatable(each: Any, what: str = "a run in shards") -> EnginePolicy:
    """A policy that plays the same again, as `what` needs. Raises `ValueError`, which says why, for others."""
    kind = (str(each) if isinstance(each, str | Policy) else "py:").partition(":")[0]
    if kind in OUTSIDE:
        raise ValueError(f"{what} needs policies that play the same again, not {each}: {OUTSIDE[kind].varies}")
    chosen = cast(EnginePolicy, policy(each))
    if chosen.parameters.get("seconds"):
        raise ValueError(f"{what} needs policies without a budget in seconds, got {str(chosen)!r}")
    return chosen


def _of_native(native: _core.Policy) -> EnginePolicy:
    made = object.__new__(_CLASSES[re.split("[:,]", str(native))[0]])
    made._set(native)
    return made


def policy(x: str | Policy | Callable[..., int], /) -> Policy:
    """Return a policy: `tilery.policy("uct:1000,c=1.4")`.

    x: the text of a policy of the engine; `py:MODULE:FUNCTION`, a function of Python by name; `cmd:COMMAND`, a program
        that speaks the protocol of docs/protocol.md; `agent:FILE`, an agent that was saved; a function of a state, or
        of a state and a NumPy generator, that returns an action id; or a policy, which is returned as it is.

    `str(policy)` is the canonical text. Raises `ValueError`, listing what there is, for an unknown name or parameter,
    and for a function that cannot be imported or a file that is no agent; `TypeError` for anything else.
    """
    if isinstance(x, EnginePolicy | OutsidePolicy):
        return x
    if not isinstance(x, str):
        if (function := _chooser(x)) is None:
            raise TypeError(f"a policy must be the str of its text, a policy or a function, got {x!r}")
        return FunctionPolicy(function)
    kind = x.partition(":")[0]
    if kind in OUTSIDE and x != kind:
        return OUTSIDE[kind].make(x)
    x = re.sub("(?<=,eval=)[^,]*", lambda network: _network_name(network[0]), x, count=1)
    try:
        native = _core.Policy(x)
    except ValueError as error:
        if str(error).startswith("unknown policy"):
            raise ValueError(", ".join([str(error), *(each.written for each in OUTSIDE.values())])) from None
        raise
    return _of_native(native)
