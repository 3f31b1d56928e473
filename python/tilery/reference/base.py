"""Shared by the reference games: everything of rule G-4 that follows from the hooks of a game.

A game supplies its rules in plain Python: `Game` with options and tokens, `State` with the hooks below. A state's
attributes are plain values (int, str, bool, None, list, tuple, dict, set, nested as you like, but nothing that can
change in a tuple), and equal positions have equal attributes: cloning, equality, hashing and bytes are made from them.
"""

from __future__ import annotations

import ast
import hashlib
import json
import math
import os
import pickle
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt

from tilery.errors import IllegalActionError, OptionError, ParseError, StateDataError, index_of, integer
from tilery.files import read_json, shipped
from tilery.protocol import CHANCE, TERMINAL, ObservationPart, RngLike, ScoreEvent
from tilery.protocol import Game as AnyGame
from tilery.protocol import State as AnyState
from tilery.reference.rng import Rng, stream_of
from tilery.rules import Rules
from tilery.seen import SeenState

T = TypeVar("T")
K = TypeVar("K")

BYTE = 255


class Section(NamedTuple):
    """A part of an observation with its values: integers from 0 to `most`, which are divided by `divisor`."""

    name: str
    values: npt.ArrayLike
    """Numbers, or planes."""
    most: int = 1
    divisor: int = 1


def in_bytes(name: str, above: str, points: npt.ArrayLike, most: int, divisor: int = 1) -> list[Section]:
    """Points in two sections: what fits into a byte, and what of the rest does."""
    low, high = np.minimum(points, BYTE), np.clip(np.asarray(points) - BYTE, 0, BYTE)
    return [Section(name, low, min(most, BYTE), divisor), Section(above, high, min(max(most - BYTE, 0), BYTE), divisor)]


def board(
    shape: tuple[int, int],
    cells: Mapping[K, tuple[int, int]],
    name: str,
    *shown: Mapping[K, int] | Iterable[K],
    most: int = 1,
    divisor: int = 1,
) -> Section:
    """A section with a plane for each of `shown`: its values at their places, 1 where there are only places.

    shape: the rows and columns of a plane. cells: row and column of each place; what is elsewhere is not shown.
    """
    planes = np.zeros((len(shown), *shape), np.int64)
    for plane, each in zip(planes, shown, strict=True):
        values = each if isinstance(each, Mapping) else dict.fromkeys(each, 1)
        for place, value in values.items():
            if place in cells:
                plane[cells[place]] = value
    return Section(name, planes, most, divisor)


def reached(starts: Iterable[K], near: Callable[[K], Iterable[K]]) -> list[K]:
    """All that can be reached from these by going to what is near, themselves included, in the order found."""
    found = list(starts)
    seen = set(found)
    for here in found:
        for other in near(here):
            if other not in seen:
                seen.add(other)
                found.append(other)
    return found


def drawn(weights: Mapping[K, int], rng: Rng) -> K:
    """One of the keys by its weight, in their order: exactly one draw."""
    r = rng.below(sum(weights.values()))
    return next(key for key, end in zip(weights, accumulate(weights.values()), strict=True) if r < end)


class Game(AnyGame):
    """A game with its options fixed. Subclasses fill `rules`, tables and tokens in `__init__`."""

    name: ClassVar[str]
    score_sources: ClassVar[list[str]]
    fewest_points_win: ClassVar[bool] = False
    hides_information: bool = True
    rules: Rules = Rules({})
    tokens: Sequence[str] = ()
    """Of all ids, in games that list them."""
    plane: tuple[int, int] | None = None
    """Rows and columns of an observation in planes, which has a plane for each number too; None: all is one list."""

    @property
    def num_players(self) -> int:
        return int(self.rules["players"])

    @property
    def num_distinct_actions(self) -> int:
        return len(self.tokens)

    @cached_property
    def ids(self) -> dict[str, int]:
        """The id of each token of `tokens`."""
        return {token: action for action, token in enumerate(self.tokens)}

    @property
    def num_chance_actions(self) -> int:
        """G-7: tokens of chance begin with `*`; their ids are the first."""
        return sum(token.startswith("*") for token in self.tokens)

    @property
    @abstractmethod
    def max_decisions(self) -> int: ...

    @property
    def max_chance_nodes(self) -> int:
        """Games without chance have none."""
        return 0

    @property
    def max_game_length(self) -> int:
        return self.max_decisions + self.max_chance_nodes

    @property
    def observation_parts(self) -> list[ObservationPart]:
        """The parts, in the order of the game's page."""
        parts: list[ObservationPart] = []
        offset = 0
        for name, values, most, divisor in self.new_initial_state()._observed(0):
            shape = self._arranged(values).shape
            parts.append(ObservationPart(name, offset, shape, 0.0, float(np.float32(most / divisor)), divisor))
            offset += math.prod(shape)
        return parts

    def _arranged(self, values: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """The values of a section in the shape of its part."""
        array = np.asarray(values)
        if self.plane is None or array.ndim > 1:
            return array
        return np.broadcast_to(array.reshape(-1, 1, 1), (len(array), *self.plane))

    @property
    def observation_tensor_shape(self) -> tuple[int, ...]:
        return self.new_initial_state().observation_tensor(0).shape

    @abstractmethod
    def new_initial_state(self) -> State[Any]: ...

    def action_to_string(self, action: int) -> str:
        """The token of an id; `ParseError` if the id is not in [0, num_distinct_actions)."""
        number = _id(action)
        if not 0 <= number < self.num_distinct_actions:
            raise ParseError(f"action {number} is not an id of this game (0..{self.num_distinct_actions - 1})")
        return self._token(number)

    def _token(self, action: int) -> str:
        return self.tokens[action]

    def string_to_action(self, token: str) -> int:
        """The id of a token; `ParseError` saying where it cannot be read or why it is impossible."""
        if not isinstance(token, str):
            raise parse_error(token, 0, "a token is a string")
        if token in self.ids:
            return self.ids[token]
        position = min(len(token), max(map(len, self.tokens)))
        while not any(known.startswith(token[:position]) for known in self.tokens):
            position -= 1
        found = "the token ends" if position == len(token) else f"{token[position]!r} stands"
        raise parse_error(token, position, f"{found} where no action of this game has it")

    def deserialize_state(self, data: bytes) -> State[Any]:
        """The state that `State.serialize` wrote; `StateDataError` for anything else."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise StateDataError(f"serialized state must be bytes, got {type(data).__name__}")
        digest, _, body = bytes(data).partition(b"\n")
        if hashlib.sha256(body).hexdigest().encode() != digest:
            raise StateDataError("serialized state: wrong checksum")
        content = json.loads(body)
        if content["game"] != self.name:
            raise StateDataError(f"serialized state: of {content['game']}, not of {self.name}")
        if content["rules"] != self.rules.as_dict():
            raise StateDataError("serialized state: the rules differ from those of this game")
        state = self.new_initial_state()
        vars(state).update(ast.literal_eval(content["state"]))
        return state


G = TypeVar("G", bound=Game)


class State(AnyState, Generic[G]):
    """A position. Subclasses set their attributes in `__init__(game)` and implement the hooks."""

    game: G = cast("G", None)
    """Of each state its own."""
    _events: list[ScoreEvent] | None = None
    """The list that `_give` adds to; None unless events are asked for."""

    def __init__(self, game: G) -> None:
        self.game = game

    # The hooks, which each game implements.

    @abstractmethod
    def current_player(self) -> int: ...

    @abstractmethod
    def _decisions(self) -> Sequence[int]:
        """The legal ids at a decision, in any order."""

    def _outcomes(self) -> Mapping[int, int]:
        """At a chance node: id -> integer weight (> 0); games without chance have none."""
        return {}

    @abstractmethod
    def _apply(self, action: int) -> None:
        """Take an action that is known to be legal."""

    points: list[int]
    """Of each player, at this moment."""

    def scores(self) -> list[int]:
        return list(self.points)

    def scores_if_over(self) -> list[int]:
        if self.is_terminal():
            return self.scores()
        counted = self._with({**vars(self), "points": list(self.points)})
        counted._count_at_end()
        return counted.scores()

    def _count_at_end(self) -> None:
        """Give the points of the final scoring, if the game has one; change nothing else."""

    def _winners(self) -> list[int]:
        """The players who share the win, when the game is over."""
        best = min(self.points) if self.game.fewest_points_win else max(self.points)
        return [player for player, points in enumerate(self.points) if points == best]

    @abstractmethod
    def _information(self, player: int) -> dict[str, Any]:
        """The information state as JSON values, keys in the documented order."""

    def _public(self) -> dict[str, Any]:
        """The public part of the position as JSON values; games that hide information leave out what is hidden."""
        return self._information(0)

    def _seen_only_by(self, action: int) -> int | None:
        """The player who alone sees a legal action; None if all do."""

    @abstractmethod
    def _observed(self, player: int) -> Iterable[Section]:
        """The parts of the observation, in the order of the game's page."""

    def determinize(self, player: int, rng: RngLike | Rng) -> Self:
        player = self._player(player)
        other, stream = self.clone(), stream_of(rng)
        if self.game.hides_information:
            self._deal_again(other, player, stream)
        return other

    def _deal_again(self, other: Self, player: int, stream: Rng) -> None:
        """Deal in a copy of this position what the player has not seen."""

    def _give(self, player: int, points: int, source: str, rule: str, on: Iterable[str] = ()) -> None:
        """Give a player points; below 0 they are paid."""
        self.points[player] += points
        if self._events is not None and points:
            self._events.append({"player": player, "points": points, "source": source, "rule": rule, "on": [*on]})

    # What follows from them.

    def score_events(self, action: int) -> list[ScoreEvent]:
        action = self._legal(action)
        after = self.clone()
        after._events = []
        after._apply(action)
        return after._events

    def is_chance_node(self) -> bool:
        return self.current_player() == CHANCE

    def is_terminal(self) -> bool:
        return self.current_player() == TERMINAL

    def legal_actions(self) -> list[int]:
        if self.is_terminal():
            return []
        return sorted(self._outcomes() if self.is_chance_node() else self._decisions())

    def legal_actions_mask(self) -> npt.NDArray[np.bool_]:
        mask = np.zeros(self.game.num_distinct_actions, dtype=np.bool_)
        mask[self.legal_actions()] = True
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        weights = self.chance_weights()
        total = sum(weight for _, weight in weights)
        return [(action, weight / total) for action, weight in weights]

    def chance_weights(self) -> list[tuple[int, int]]:
        return sorted(self._outcomes().items()) if self.is_chance_node() else []

    def apply_action(self, action: int) -> None:
        self._apply(self._legal(action))

    def child(self, action: int) -> Self:
        other = self.clone()
        other.apply_action(action)
        return other

    def playout(self, rng: RngLike | Rng) -> list[float]:
        stream = stream_of(rng)
        while not self.is_terminal():
            self._apply(self.random_action(stream))
        return self.returns()

    def returns(self) -> list[float]:
        n = self.game.num_players
        if not self.is_terminal():
            return [0.0] * n
        winners = self._winners()
        k = len(winners)
        return [(n - k) / (k * (n - 1)) if player in winners else -1 / (n - 1) for player in range(n)]

    def action_to_string(self, action: int) -> str:
        return self.game.action_to_string(action)

    def string_to_action(self, token: str) -> int:
        return self.game.string_to_action(token)

    def information_state_string(self, player: int) -> str:
        return json.dumps(self._information(self._player(player)), separators=(",", ":"))

    def public_state_string(self) -> str:
        return json.dumps(self._public(), separators=(",", ":"))

    def action_seen_by(self, player: int, action: int) -> int:
        player, action = self._player(player), self._legal(action)
        return action if self._seen_only_by(action) in (None, player) else -1

    def seen_by(self, player: int) -> SeenState[Self]:
        return SeenState(self, self._player(player))

    def observation_tensor(self, player: int) -> npt.NDArray[np.float32]:
        return self._tensor(self._observed(self._player(player)))

    def _tensor(self, sections: Iterable[Section]) -> npt.NDArray[np.float32]:
        """The values of the sections, one after another."""
        values = [self.game._arranged(section.values) / section.divisor for section in sections]
        return np.concatenate(values if self.game.plane else [each.ravel() for each in values]).astype(np.float32)

    def _seats_from(self, player: int) -> list[int]:
        return [(player + step) % self.game.num_players for step in range(self.game.num_players)]

    def random_action(self, rng: RngLike | Rng) -> int:
        """The action of the random policy: exactly one draw (docs/interface.md)."""
        stream = stream_of(rng)
        if self.is_terminal():
            raise ValueError("no action is left: the game is over")
        if not self.is_chance_node():
            legal = self.legal_actions()
            return legal[stream.below(len(legal))]
        return drawn(dict(self.chance_weights()), stream)

    def clone(self) -> Self:
        # Plain values are copied by pickle several times as fast as by copy.deepcopy.
        return self._with({"game": self.game, **pickle.loads(pickle.dumps(self._attributes()))})

    def _with(self, attributes: Mapping[str, Any]) -> Self:
        """A state with these attributes."""
        other = object.__new__(type(self))
        vars(other).update(attributes, _events=None)  # nobody asks a copy
        return other

    def serialize(self) -> bytes:
        body = json.dumps(
            {"game": self.game.name, "rules": self.game.rules.as_dict(), "state": _literal(self._attributes())},
            separators=(",", ":"),
        ).encode()
        return hashlib.sha256(body).hexdigest().encode() + b"\n" + body

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        same_game = self.game.name == other.game.name and self.game.rules == other.game.rules
        return same_game and self._attributes() == other._attributes()

    def __hash__(self) -> int:
        return hash(_literal(self._attributes()))

    def _attributes(self) -> dict[str, Any]:
        return {name: value for name, value in sorted(vars(self).items()) if name not in ("game", "_events")}

    def _legal(self, action: int) -> int:
        """A legal action as int, which is what attributes may hold."""
        number = _id(action)
        if number not in self.legal_actions():
            known = 0 <= number < self.game.num_distinct_actions
            token = repr(self.game.action_to_string(number)) if known else "not an action of this game"
            raise IllegalActionError(f"{self.game.name}: action {number} ({token}) is not legal here")
        return number

    def _player(self, player: int) -> int:
        return integer("player", player, 0, self.game.num_players - 1)


def _id(action: int) -> int:
    if (number := index_of(action)) is None:
        raise IllegalActionError(f"an action must be an integer id, got {action!r}")
    return number


def _literal(value: Any) -> str:
    """A plain value as a literal of Python, sorted where order has no meaning."""
    if isinstance(value, dict):
        return "{" + ",".join(sorted(f"{_literal(key)}:{_literal(item)}" for key, item in value.items())) + "}"
    if isinstance(value, set):
        return "{" + ",".join(sorted(map(_literal, value))) + "}" if value else "set()"
    if isinstance(value, list):
        return "[" + ",".join(map(_literal, value)) + "]"
    if isinstance(value, tuple):
        return "(" + "".join(f"{_literal(item)}," for item in value) + ")"
    return repr(value)


# Checks of options. Each raises `OptionError` naming the option, the value and what is allowed.


class Options:
    """The options given. Each is checked by a call, which says its default; when all are, they are `rules`."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given
        self._kept: dict[str, Any] = {}

    @property
    def rules(self) -> Rules:
        for name in self._given:
            if name not in self._kept:
                raise OptionError(f"unknown option {name!r}; there are {', '.join(self._kept)}")
        return Rules(self._kept)

    def get(self, name: str, default: Any) -> Any:
        return self._given.get(name, default)

    def keep(self, name: str, value: T) -> T:
        self._kept[name] = value
        return value

    def integer(self, name: str, low: int, high: int, *, default: int) -> int:
        value = self.get(name, default)
        if not is_integer(value) or not low <= value <= high:
            raise OptionError(f"{name} must be an integer from {low} to {high}, got {value!r}")
        return self.keep(name, int(value))

    def flag(self, name: str, *, default: bool = False) -> bool:
        if not isinstance(value := self.get(name, default), (bool, np.bool_)):
            raise OptionError(f"{name} must be True or False, got {value!r}")
        return self.keep(name, bool(value))

    def choice(self, name: str, *choices: str) -> str:
        """The first one is the default."""
        if not isinstance(value := self.get(name, choices[0]), str) or value not in choices:
            raise OptionError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")
        return self.keep(name, value)

    def content(self, name: str, known: Mapping[str, str]) -> dict[str, Any]:
        """An object as plain JSON: that of a file of the package, by its known name, of a path, or the value itself.

        The first known name is the default.
        """
        value = self.get(name, next(iter(known)))
        if isinstance(value, str) and value in known:
            self.keep(name, value)
            return dict(json.loads(shipped("data", known[value])))
        try:
            found = read_json(value) if isinstance(value, (str, os.PathLike)) else value
            if not isinstance(found, Mapping):
                raise ValueError("that is no object")
        except (OSError, ValueError) as error:
            allowed = f"{', '.join(map(repr, known))}, a path to a JSON file or an object"
            raise OptionError(f"{name} must be {allowed}, got {value!r}: {error}") from None
        return dict(self.keep(name, plain_json(found, name)))


def is_integer(value: Any) -> bool:
    """Whether a value is an integer of Python or NumPy; bools are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def plain_json(value: Any, name: str) -> Any:
    """The value with tuples as lists and mappings as dicts; `OptionError` naming a part that JSON cannot hold."""
    if isinstance(value, (list, tuple)):
        return [plain_json(item, f"{name}[{index}]") for index, item in enumerate(value)]
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: plain_json(item, f"{name}.{key}") for key, item in value.items()}
    if value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise OptionError(f"{name} must be plain JSON, with strings as keys, got {value!r}")


def parse_error(token: Any, position: int, reason: str) -> ParseError:
    return ParseError(f"token {token!r}, at position {position}: {reason}")


def play_random(game: Game, seed: int, index: int = 0) -> tuple[State[Any], list[int]]:
    """The random game of stream (seed, index): the final state and its actions."""
    state, rng, actions = game.new_initial_state(), Rng(seed, index), []
    while not state.is_terminal():
        actions.append(state.random_action(rng))
        state.apply_action(actions[-1])
    return state, actions
