"""The calls that all games share: their types, and the one place where they are described.

`State` and `Game` are what engine and reference both offer (rule G-4), `EngineState` and `EngineGame` what the engine
offers. The stubs of the compiled games inherit from them, and the compiled module takes its docstrings from here.
"""

# The functions below describe a call and have no body.
# mypy: disable-error-code="empty-body"
from __future__ import annotations

import inspect
from abc import ABC
from collections.abc import Mapping, Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Literal,
    NamedTuple,
    Protocol,
    Self,
    TypeAlias,
    TypedDict,
    TypeVar,
    runtime_checkable,
)

from tilery.rules import Rules

if TYPE_CHECKING:
    import random

    import numpy as np
    import numpy.typing as npt
    from typing_extensions import CapsuleType

    from tilery._core import Batch, Rng
    from tilery.policies import EnginePolicy
    from tilery.seen import SeenState

CHANCE = -1
"""`current_player()` at a chance node."""
TERMINAL = -4
"""`current_player()` when the game is over."""


class Stream(Protocol):
    """A source of luck for a policy, such as `tilery.Rng`."""

    def next(self) -> int:
        """The next number, in [0, 2**64)."""


RngLike: TypeAlias = "int | Rng | random.Random | np.random.Generator"
"""A source of random numbers: a seed in [0, 2**64), a `tilery.Rng`, a `random.Random` or a NumPy generator.

The call that receives a generator advances it (docs/interface.md says how far).
"""
Luck: TypeAlias = "RngLike | Stream"
"""What a policy takes its one number from."""


class Signal(Protocol):
    """Ends a choice from another thread, such as a `threading.Event`; it is asked about ten times a second."""

    def is_set(self) -> bool:
        """Whether the signal was given."""


@runtime_checkable
class Policy(Protocol):
    """Chooses an action for the player to act; `tilery.policy(x)` makes one from a text, a function or a policy.

    A policy keeps nothing between calls, and sees only what the player to act knows. `str(policy)` is its text.
    """

    def choose(self, state: Any, rng: Luck, *, stop: Signal | None = None, enough: Signal | None = None) -> int:
        """Return the id of a legal action for the player to act.

        state: of a game of the engine. A policy that is not of the engine is handed a determinization of it.
        rng: a source of luck as `State.determinize` takes it, or an object with `next()`. The policy takes exactly one
            number from it; the choice of a policy of the engine depends on that number and on what the player knows,
            and on nothing else.
        stop: when it is set, `StoppedError` is raised: by a policy of the engine within about a tenth of a second, by
            others before and after they think.
        enough: when it is set, a search returns the best it has found so far, so that the choice also depends on when
            that was; other policies go on.

        Raises `ValueError` at a chance node and when the game is over, `TypeError` for a state that is not of the
        engine, and `BotError` for a program that fails. Ctrl-C ends a search at once.
        """


class ObservationPart(NamedTuple):
    """A named part of `observation_tensor`."""

    name: str
    """The meaning of the values."""
    offset: int
    """Place of the first value in the flattened observation."""
    shape: tuple[int, ...]
    """(planes, rows, columns) over a board, otherwise (values,)."""
    low: float
    """No value is less."""
    high: float
    """No value is greater."""
    divisor: int
    """The values are integers divided by this; observations of an integer dtype (docs/batches.md) hold the integers."""

    @property
    def most(self) -> int:
        """No integer is greater; the bound of an integer dtype."""
        return round(self.high * self.divisor)


class ScoreEvent(TypedDict):
    """One change of a player's points, and the reason for it."""

    player: int
    points: int
    """Not 0; below 0 where a player pays."""
    source: str
    """The reason, one of `game.score_sources`."""
    rule: str
    """The number of the rule."""
    on: list[str]
    """The places that the points are for, in the words of `picks` ("cell:0,1", "city:G5"); may be empty."""


class Described(ABC):  # noqa: B024  compiled types, which are registered, override nothing
    """The base of the types described here: those of the engine are registered, those of the reference inherit."""


class Tokens(Described):
    """The tokens of actions, as states and games have them."""

    def action_to_string(self, action: int, /) -> str:
        """The token of an action id (G-7). Raises `ParseError` for a number that is not an id of the game."""

    def string_to_action(self, token: str, /) -> int:
        """The id of a token (G-7).

        Raises `ParseError`, a `ValueError`, which says where the token cannot be read or why no state offers it.
        """


class State(Tokens):
    """One position of a game: a plain value that knows its game. Equal by position, and hashable."""

    @property
    def game(self) -> Game:
        """The game that the state belongs to."""

    def current_player(self) -> int:
        """The player to act, 0..n-1; -1 (`CHANCE`) at a chance node, -4 (`TERMINAL`) when the game is over (G-4)."""

    def is_chance_node(self) -> bool:
        """Whether chance is to act (G-2)."""

    def is_terminal(self) -> bool:
        """Whether the game is over."""

    def legal_actions(self) -> list[int]:
        """The legal action ids, ascending; the possible outcomes at a chance node; empty when the game is over."""

    def legal_actions_mask(self) -> npt.NDArray[np.bool_]:
        """Which ids are legal, as bool[num_distinct_actions]."""

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(id, probability) of each outcome, ascending by id; empty unless at a chance node.

        The outcomes reveal what lies face down: show them to no player.
        """

    def chance_weights(self) -> list[tuple[int, int]]:
        """(id, weight) of each outcome, ascending by id; empty unless at a chance node.

        The weights are integers above 0 (G-2); their sum is less than 2**32. They reveal what `chance_outcomes` does.
        """

    def apply_action(self, action: int, /) -> None:
        """Apply a legal action, or an outcome at a chance node.

        Raises `IllegalActionError`, a `ValueError`, for anything else, saying why; the state stays unchanged.
        """

    def child(self, action: int, /) -> Self:
        """The state after an action: a clone with the action applied.

        Raises `IllegalActionError` as `apply_action` does.
        """

    def random_action(self, rng: RngLike, /) -> int:
        """The action of the random policy: a legal action uniformly at random, or an outcome by its weight.

        Takes one number from the stream (docs/interface.md). Raises `ValueError` when the game is over.
        """

    def playout(self, rng: RngLike, /) -> list[float]:
        """Play at random to the end of the game, in place, and return `returns()`.

        Takes one number from the stream for each action, chance included.
        """

    def clone(self) -> Self:
        """An independent copy."""

    def scores(self) -> list[int]:
        """The points of all players at this moment, by seat. In some games the fewest win: `game.fewest_points_win`."""

    def scores_if_over(self) -> list[int]:
        """The points of all players if the game ended here, by seat: `scores()` and the final scoring of the position
        as it lies; equal to `scores()` when the game is over.

        The game's page says what is counted. It is a fact of the whole position, hidden cards included; a policy from
        outside the engine is handed a determinization, from which it learns only what its player knows.
        """

    def returns(self) -> list[float]:
        """The utilities in [-1, 1] of rule G-6, by seat; zeros until the game is over."""

    def score_events(self, action: int, /) -> list[ScoreEvent]:
        """The points that a legal action or a possible outcome gives, each with its reason, as new dicts.

        They are in the order of the rules, which the game's page fixes; of one reason the seats follow from the one
        whose turn it is. The points of a player add up to the change of `scores()`. An action that gives no points has
        none. Raises `IllegalActionError` for an action that is not legal here.
        """

    def information_state_string(self, player: int, /) -> str:
        """All that a player knows of the position, as one line of JSON; the game's page lists the keys.

        Raises `ValueError` unless player is in 0..n-1.
        """

    def public_state_string(self) -> str:
        """The part of the position that every spectator sees, as one line of JSON: `information_state_string` without
        the keys that hold a player's secrets."""

    def action_seen_by(self, player: int, action: int, /) -> int:
        """The action about to be applied as a player sees it: its id, or -1 if only that something happens is seen.

        Give the answer to that player when the action is applied, not before. A refusal reveals what is illegal in the
        true position, which only the player to act may know.

        Raises `ValueError` unless player is in 0..n-1, and `IllegalActionError` unless the action may be applied.
        """

    def observation_tensor(self, player: int, /) -> npt.NDArray[np.float32]:
        """The view of a player as a new float32[game.observation_tensor_shape]; the game's page lists the planes.

        Raises `ValueError` unless player is in 0..n-1.
        """

    def seen_by(self, player: int, /) -> SeenState[Self]:
        """The position as a player knows it: a view that reveals nothing else, to hand to that player.

        All other calls answer for the true position. Raises `ValueError` unless player is in 0..n-1.
        """

    def determinize(self, player: int, rng: RngLike, /) -> Self:
        """A state drawn from all those that a player cannot tell from this one; equal to it where nothing is hidden.

        Raises `ValueError` unless player is in 0..n-1 and rng is a seed or generator.
        """

    def serialize(self) -> bytes:
        """The state as bytes, for `game.deserialize_state`."""


class Game(Tokens):
    """The rules of a game with all options fixed: immutable, and shared by all its states."""

    @property
    def name(self) -> str:
        """The name of the game, as `tilery.load` takes it."""

    @property
    def num_players(self) -> int:
        """The number of players, n."""

    @property
    def rules(self) -> Rules:
        """All options, those at their default included: a read-only mapping with attribute access (G-8)."""

    @property
    def fewest_points_win(self) -> bool:
        """Whether the fewest points win, instead of the most (G-6)."""

    @property
    def score_sources(self) -> list[str]:
        """The sources of points: each "source" of `state.score_events`, in the order of the rules."""

    @property
    def num_distinct_actions(self) -> int:
        """Action ids are in [0, num_distinct_actions)."""

    @property
    def max_game_length(self) -> int:
        """An upper bound on the number of actions of a game, chance included."""

    @property
    def observation_tensor_shape(self) -> tuple[int, ...]:
        """The shape of `state.observation_tensor(player)`."""

    def new_initial_state(self) -> State:
        """The state before any action."""

    def deserialize_state(self, data: bytes, /) -> State:
        """The state that `state.serialize()` wrote under the same rules.

        Raises `StateDataError`, a `ValueError`, for anything else.
        """


class EngineState(State):
    """The calls of a state of the engine beyond those of `State`."""

    @property
    def game(self) -> EngineGame[Self]:
        """The game that the state belongs to."""

    def num_legal_actions(self) -> int:
        """The length of `legal_actions()`, without making the list.

        Both reveal the true hand of the player to act, at a chance node what is left: show them to no other player.
        """

    def legal_actions_mask(self, out: npt.NDArray[Any] | None = None) -> npt.NDArray[np.bool_]:
        """Which ids are legal, as bool[num_distinct_actions].

        out: a writeable array of bool, int8 or uint8 of that shape, in C order, to be filled and returned instead of a
        new one. Raises `ValueError` for another array.
        """

    def why_illegal(self, action: int, /) -> str:
        """Why an action may not be applied: one sentence that begins with the number of the first rule broken.

        Empty if the action is legal. Takes any integer: the wrong kind of node, a finished game and numbers that are
        not ids break G-2 or G-4. The sentence reveals the true hand of the player to act: show it to nobody else.
        """

    def to_string(self, player: int | None = None) -> str:
        """The position for a person to read; with a player, only what that player knows. `str(state)` shows everything.

        Raises `ValueError` unless player is None or in 0..n-1.
        """

    def to_svg(
        self,
        player: int | None = None,
        last: int | None = None,
        targets: bool = False,
        *,
        part: Literal["all", "board", "panel"] = "all",
        ghost: int | None = None,
        turns: int = 0,
    ) -> str:
        """A drawing of the position, as an SVG.

        player: show only what that player knows. By default all hands are shown.
        last: the id of the action before this position; what it changed is marked.
        targets: the things that the player to act can point at have an attribute `data-pick`, which names a step of
        `game.picks(action)` for a legal action. There are none at a chance node and for another player. Steps that
        are not in the drawing are left to buttons, labelled with `game.describe_pick(step)`.
        part: "board" and "panel" draw what can be shown apart: the board, and what belongs next to it without the list
        of players, which `panel()` has.
        ghost: the id of a legal action, which is shown as if it had been taken, without targets.
        A player sees previews of their own actions alone; what one would show and they do not know is made up.
        turns: quarter turns of what is drawn as a solid, such as the building of Pueblo.

        Equal information states give equal drawings. Raises `ValueError` unless player is None or in 0..n-1 and for
        another part, `ParseError` if last is not an id of the game, and `IllegalActionError` for a ghost that is not
        legal or not of the player.
        """

    def panel(self, player: int | None = None) -> dict[str, Any]:
        """The contents of the panel next to the board, as a player knows it, by default with all hands shown.

        A dict of `title`; `to_act`, the player to act, -1 chance or -4 over; `players`: for each `seat`, `colour` and
        its `name`, `points`, and `lines`, what the player has in words; `picks`: what the panel of `to_svg` lets the
        player to act point at; `groups`: what is drawn next to the board, each with `words`, the `seat` that it belongs
        to or None, and `things` of `pick` or "", `words` and `svg`, which uses `shapes`; groups without words are there
        to be picked alone; and `labels`: what picks are called in this position ("the city in the north") where
        that says more than `game.describe_pick`. For the player to act, in a game where actions cost something within a
        turn, also `prices` of the legal actions, in their order, and their `unit`; and where the game can say so,
        `standing`: the points if it ended now, as `score_events` tells them. Raises `ValueError` unless player is None
        or in 0..n-1.
        """

    def _repr_svg_(self) -> str:
        """`to_svg()`, for notebooks: no wider than they are."""

    def information_state(self, player: int, /) -> dict[str, Any]:
        """All that a player knows of the position, as a dict; the game's page lists the keys.

        Raises `ValueError` unless player is in 0..n-1.
        """

    def to_dict(self) -> dict[str, Any]:
        """The whole position in readable keys and tokens, secrets included, for `game.state_from_dict`.

        What FEN is to chess: it can be written by hand, edited and sent as JSON. The game's page lists the keys.
        """

    def information_state_hash(self, player: int, /) -> int:
        """A 64-bit hash of all that a player knows, in [0, 2**64).

        For one player it is equal where `information_state_string(player)` is equal, and different where it differs
        (docs/interface.md). As fast as a determinization, which it is made from.

        Raises `ValueError` unless player is in 0..n-1.
        """

    def observation_tensor(
        self,
        player: int,
        /,
        out: npt.NDArray[Any] | None = None,
        *,
        dtype: npt.DTypeLike = "float32",
        scaled: bool = False,
    ) -> npt.NDArray[Any]:
        """The view of a player as an array of shape game.observation_tensor_shape; the game's page lists the planes.

        out: a writeable array of that dtype and shape, in C order, to be filled and returned instead of a new one.
        dtype: float32; uint8 and int16 where all values are integers of this kind (docs/batches.md).
        scaled: map each part of `game.observation_parts` from [low, high] to [0, 1]; only with float32.
        Raises `ValueError` unless player is in 0..n-1, for another array, and naming a part that the dtype cannot hold.
        """

    def inputs(self, player: int, /) -> npt.NDArray[np.uint16]:
        """The inputs of a network from a seat, as a new array of ids in [0, game.num_inputs), ascending.

        An id may occur more than once. `game.input_names` says what each means. The ids depend on nothing that the
        player does not know. Raises `ValueError` unless player is in 0..n-1, and `WeightsError` if the game has none.
        """

    def perft(self, depth: int, /) -> int:
        """The number of sequences of `depth` actions from here, chance outcomes included, counted without the GIL.

        Raises `ValueError` unless depth is in 0..100000.
        """


S = TypeVar("S", bound=State)
S_co = TypeVar("S_co", bound=State, covariant=True)


class Driver(Generic[S_co]):
    """A game in progress that takes chance itself: one call per decision."""

    def play(self, i: int, /) -> int:
        """Apply the i-th legal action, 0 <= i < num_legal_actions(), let chance act, and return the number of legal
        actions of the next decision: 0 when the game is over.

        Raises `IllegalActionError` for any other i.
        """

    def num_legal_actions(self) -> int:
        """The number of legal actions of this decision; 0 when the game is over."""

    def restart(self, index: int, /) -> int:
        """Begin the game of stream (seed, index); returns what `play` returns.

        Raises `ValueError` unless index is in [0, 2**64).
        """

    def state(self) -> S_co:
        """A copy of the state."""


class EngineGame(Game, Generic[S]):
    """The calls of a game of the engine beyond those of `Game`."""

    state_size: ClassVar[int] = 0
    """Bytes of a state inside the engine."""

    def new_initial_state(self) -> S:
        """The state before any action."""

    def deserialize_state(self, data: bytes, /) -> S:
        """The state that `state.serialize()` wrote under the same rules.

        Raises `StateDataError`, a `ValueError`, for anything else.
        """

    def state_from_dict(self, position: Mapping[str, Any], /) -> S:
        """The state of a position as `state.to_dict()` writes it.

        Raises `StateDataError`, a `ValueError`, which names what cannot be read or why the position is impossible.
        """

    def driver(self, *, seed: int = 0, index: int = 0) -> Driver[S]:
        """A game in progress that takes chance itself from stream (seed, index): one call per decision.

        Raises `ValueError` unless both are in [0, 2**64).
        """

    @property
    def min_utility(self) -> float:
        """The least utility that `returns()` can give a player: -1 / (n - 1) (G-6)."""

    @property
    def max_utility(self) -> float:
        """The greatest utility that `returns()` can give a player: 1 (G-6)."""

    @property
    def utility_sum(self) -> float:
        """The sum of the utilities of all players: 0 (G-6)."""

    @property
    def num_chance_actions(self) -> int:
        """The ids of chance outcomes are [0, num_chance_actions)."""

    @property
    def max_decisions(self) -> int:
        """An upper bound on the number of decisions of a game."""

    @property
    def max_chance_nodes(self) -> int:
        """An upper bound on the number of chance nodes of a game."""

    @property
    def hides_information(self) -> bool:
        """Whether a player may not know the whole position; otherwise `determinize` returns an equal state."""

    @property
    def observation_parts(self) -> list[ObservationPart]:
        """The named parts of `state.observation_tensor(player)`, in order, with the bounds of their values."""

    @property
    def num_inputs(self) -> int:
        """Ids of `state.inputs(player)` are in [0, num_inputs); 0 for a game without inputs."""

    @property
    def input_names(self) -> list[str]:
        """The meaning of each input by id, as "group:factor=value,..."; a new list at each call."""

    def describe_action(self, action: int, /) -> str:
        """An action in words; its token where the game has no words for it.

        Raises `ParseError` for a number that is not an id of the game.
        """

    def picks(self, action: int, /) -> list[str]:
        """The things that a person points at, one after the other, to choose an action: ["cell:1,2", "turn:3"].

        One pick, the token, where the game has no others. Raises `ParseError` for a number that is no id of the game.
        """

    def describe_pick(self, pick: str, /) -> str:
        """A step of `picks` in words, for the label of a button."""

    def batch(
        self,
        size: int,
        seed: int = 0,
        first: int = 0,
        threads: int = 1,
        autoreset: bool = True,
        player: int | Literal["rotate"] | None = None,
        opponents: str | EnginePolicy | None = None,
    ) -> Batch[S]:
        """Return a `tilery.Batch` of `size` games that are stepped together (docs/batches.md).

        Slot i plays games first + i, first + i + size, ... of the seed. A batch that is stepped by
        `random_indices()` plays the games of `tilery.simulate` with that seed, whatever threads is.

        autoreset: begin the next game of a slot in the step that ends one; otherwise it waits for `batch.reset()`.
        player: the batch stops only at the decisions of this player. All other seats are played inside, from the
            beginning of each game to its end. "rotate": of player -k % num_players in game k, as the first policy of
            `simulate(rotate=True)`.
        opponents: who plays the other seats: a policy of `tilery.policies` or its text ("greedy"). None: uniformly
            random choice. Functions are not allowed.

        Raises `ValueError` naming an argument out of range, for an unknown policy, and for opponents without a player.
        """

    def _c_handle(self) -> CapsuleType:
        """A capsule of the `tilery_game *` for the table `_C_API` (docs/embedding.md), valid while the game lives."""


KINDS: dict[str, Sequence[type]] = {
    "Game": (EngineGame, Game, Tokens),
    "State": (EngineState, State, Tokens),
    "View": (EngineState,),
    "Driver": (Driver,),
}
"""The protocols that describe the members of each compiled type; views are what a game adds to its states."""


def documentation(kind: str, name: str) -> str:
    """The docstring of a member of a compiled type, with its signature in the form that CPython reads."""
    found = next((vars(protocol)[name] for protocol in KINDS[kind] if name in vars(protocol)), None)
    if found is None:
        raise LookupError(f"tilery.protocol does not describe {kind}.{name}")
    text = inspect.getdoc(found) or ""
    if isinstance(found, property):
        return text
    parameters = [
        parameter.replace(annotation=parameter.empty) for parameter in inspect.signature(found).parameters.values()
    ]
    signature = str(inspect.Signature(parameters))
    if kind in ("State", "Driver"):  # their raw methods; pybind11 binds its functions as Python does
        signature = signature.replace("(self", "($self", 1)
    return f"{name}{signature}\n--\n\n{text}"
