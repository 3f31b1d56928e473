"""Games of tilery as Python games of OpenSpiel, and what both kinds of games share: names, parameters, types."""

from __future__ import annotations

import functools
import itertools
import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pyspiel

import tilery
from tilery import _core
from tilery.options import Option
from tilery.protocol import EngineGame, EngineState

PREFIX = "tilery_"
"""The prefix of the names of the games in OpenSpiel."""
PYTHON = "_py"
"""The suffix of the names of the Python games."""
KEYS = "keys"
"""The parameter that is not an option of a game: what `observation_string` returns."""
KINDS_OF_KEYS = ("json", "hash")
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-"


def names() -> list[str]:
    """The games of the engine, the toy included."""
    return sorted(_core.games)


def core_name(short_name: str) -> str:
    """The game of the engine by its name in OpenSpiel."""
    return short_name.removeprefix(PREFIX).removesuffix(PYTHON)


def _to_parameter(value: Any) -> Any:
    """An option as a parameter of OpenSpiel: lists and mappings as JSON, with semicolons for commas.

    What separates parameters in OpenSpiel's texts is escaped where it is inside a string.
    """
    if isinstance(value, (bool, int, str)):
        return value
    pieces = re.split(r'("(?:[^"\\]|\\.)*")', json.dumps(value, separators=(",", ":")))
    texts = [re.sub(r"[,;=()|*]", lambda found: f"\\u{ord(found[0]):04x}", piece) for piece in pieces[1::2]]
    between = [piece.replace(",", ";") for piece in pieces[::2]]
    return "".join(part for pair in itertools.zip_longest(between, texts, fillvalue="") for part in pair)


def _from_parameter(option: Option, value: Any) -> Any:
    """The way back. A word or a path is itself; what is not JSON goes to the engine, whose error names the option."""
    if option.kind not in ("file", "value") or not isinstance(value, str) or value in option.choices:
        return value
    try:
        return json.loads(value.replace(";", ","))
    except ValueError:
        return value


def game_string(name: str, *, keys: str = "json", **options: Any) -> str:
    """The string from which `pyspiel.load_game` makes a game: `game_string("pueblo", players=3)`.

    keys: "json" or "hash", what `observation_string` returns. options: those of `tilery.load`.

    Raises `ValueError` for an unknown game, and `OptionError` for options that `tilery.load` refuses.
    """
    tilery.load(name, **options)
    given = {key: _to_parameter(value) for key, value in options.items()} | ({} if keys == "json" else {KEYS: keys})
    return f"{PREFIX}{name}({','.join(f'{key}={value}' for key, value in given.items())})"


@functools.cache
def load(name: str, given: tuple[tuple[str, Any], ...]) -> EngineGame[EngineState]:
    """The game with these parameters; one object for equal parameters, because it outlives the games of OpenSpiel."""
    described = tilery.options(name)
    parameters = dict(given)
    keys = parameters.pop(KEYS, "json")
    if keys not in KINDS_OF_KEYS:
        raise tilery.OptionError(f"{KEYS} must be one of {', '.join(KINDS_OF_KEYS)}, got {keys!r}")
    options = {key: _from_parameter(described[key], value) for key, value in parameters.items()}
    return tilery.load(name, **options)


def game_type(short_name: str, game: EngineGame[EngineState]) -> Any:
    """The `pyspiel.GameType` of a game; whether it hides information depends on its options."""
    kinds = pyspiel.GameType
    chance, information = kinds.ChanceMode, kinds.Information
    options = tilery.options(game.name)
    return kinds(
        short_name=short_name,
        long_name=f"tilery {game.name}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if game.num_chance_actions else chance.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION if game.hides_information else information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=options["players"].high,
        min_num_players=options["players"].low,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={key: _to_parameter(each.default) for key, each in options.items()} | {KEYS: "json"},
    )


def short_hash(number: int) -> str:
    """64 bits as eleven characters, which C++ keeps without an allocation."""
    return "".join(DIGITS[number >> shift & 63] for shift in range(0, 66, 6))


class _Answer(pyspiel.State):
    """Makes the struct of an action from JSON, which no class of OpenSpiel in Python does."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(pyspiel.load_game("tic_tac_toe"))
        self.values = values

    def _action_to_struct(self, _player: int, _action: int) -> dict[str, Any]:
        return self.values


def action_struct(given: str | Mapping[str, Any]) -> pyspiel.ActionStruct:
    """The struct of an action from JSON or a dict with its `token`, for `apply_action_struct` of any state.

    Raises `ValueError` for what is not an object of JSON.
    """
    values = json.loads(given) if isinstance(given, str) else dict(given)
    if not isinstance(values, dict):
        raise ValueError(f"the struct of an action is an object of JSON, got {given}")
    return _Answer(values).action_to_struct(0, 0)


class Game(pyspiel.Game):
    """A game of tilery as a Python game of OpenSpiel."""

    ActionStruct = staticmethod(action_struct)

    def __init__(self, short_name: str, parameters: Mapping[str, Any] | None = None) -> None:
        given = dict(parameters or {})
        core = load(core_name(short_name), tuple(sorted(given.items())))
        info = pyspiel.GameInfo(
            num_distinct_actions=core.num_distinct_actions,
            max_chance_outcomes=core.num_chance_actions,
            num_players=core.num_players,
            min_utility=core.min_utility,
            max_utility=core.max_utility,
            utility_sum=core.utility_sum,
            max_game_length=core.max_decisions,
        )
        super().__init__(game_type(short_name, core), info, given)
        self.core = core
        """The game of tilery."""
        self.keys = given.get(KEYS, "json")

    def new_initial_state(self, position: str | Mapping[str, Any] | pyspiel.StateStruct | None = None) -> State:
        """The initial state, or the state of a struct that `State.to_struct` made, of its dict or of its JSON.

        Raises `StateDataError`, a `ValueError`, which says what is wrong with a position.
        """
        state = State(self)
        if position is not None:
            text = position.to_json() if isinstance(position, pyspiel.StateStruct) else position
            given = json.loads(text) if isinstance(text, str) else text
            state.begin_at(self.core.state_from_dict(given), json.dumps(given))
        return state

    def action_struct_spec(self) -> tuple[str, str]:
        """The fields of the struct of an action, and an example."""
        first = self.core.new_initial_state().legal_actions()[0]
        return '{"token": string}', json.dumps({"token": self.core.action_to_string(first)})

    def max_chance_nodes_in_history(self) -> int:
        return int(self.core.max_chance_nodes)

    def make_py_observer(self, kind: Any = None, parameters: Mapping[str, Any] | None = None) -> Observer | None:
        """The observer of states; None for kinds of observations that are not supported."""
        if parameters:
            raise ValueError(f"there are no parameters of observations, got {dict(parameters)}")
        single, nobody = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE
        strings = {  # by public information, private information and perfect recall
            (True, single, False): State.position_string,
            (True, single, True): State.seen_by,
            (True, nobody, False): State.public_string,
            (False, single, False): State.private_string,
        }
        asked = (True, single, False) if kind is None else (kind.public_info, kind.private_info, kind.perfect_recall)
        string = strings.get(asked)
        return None if string is None else Observer(self, string, whole=asked[:2] == (True, single))

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        return pyspiel.load_game, (str(self),)


def restored(text: str) -> Any:
    """The state of `pyspiel.serialize_game_and_state`."""
    return pyspiel.deserialize_game_and_state(text)[1]


class State(pyspiel.State):
    """A state of a Python game. `core` is the state of tilery."""

    core: EngineState
    _start: str = ""
    """The struct that the state began with, as JSON."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.core = game.core.new_initial_state()
        self._hides = game.core.hides_information
        self._seen: tuple[str, ...] = (*(f"p{player}" for player in range(self.num_players())), "")
        """For each player, and at the end for everybody, the actions as they saw them."""

    def current_player(self) -> int:
        return self.core.current_player()

    def is_terminal(self) -> bool:
        return self.core.is_terminal()

    def _legal_actions(self, _player: int) -> list[int]:
        return self.core.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.core.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        players = range(self.num_players())
        seen = [self.core.action_seen_by(player, action) if self._hides else action for player in players]
        seen.append(min(seen))
        lines = tuple(f"{line} {'?' if each < 0 else each}" for line, each in zip(self._seen, seen, strict=True))
        self.core.apply_action(action)
        self._seen = lines

    def _action_to_string(self, _player: int, action: int) -> str:
        return self.core.action_to_string(action)

    def returns(self) -> list[float]:
        return self.core.returns()

    def begin_at(self, core: EngineState, struct: str = "") -> None:
        """Make this the state of a position, without a history; struct: the position as JSON, if it was given so."""
        self.core = core
        self._know_anew(range(self.num_players()))
        self._start = struct

    def starting_state(self) -> State | None:
        """The state of the struct that this one began with."""
        return self.get_game().new_initial_state(self._start) if self._start else None

    def starting_state_str(self) -> str:
        """That struct as JSON, or an empty text."""
        return self._start

    # OpenSpiel makes its structs of these dicts.

    def _to_struct(self) -> dict[str, Any]:
        """The whole position, secrets included; `new_initial_state` takes it."""
        return self.core.to_dict()

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        """The information state of a player, and nothing else. Raises `ValueError` unless player is in 0..n-1."""
        return self.core.information_state(player)

    def _action_to_struct(self, _player: int, action: int) -> dict[str, str]:
        return {"token": self.core.action_to_string(action), "words": self.core.game.describe_action(action)}

    def _struct_to_actions(self, struct: Mapping[str, Any]) -> list[int]:
        """Raises `ParseError`, a `ValueError`, for a token that is not one."""
        return [self.core.string_to_action(str(struct.get("token")))]

    def validate_action_struct(self, struct: pyspiel.ActionStruct) -> Any:
        """A status of OpenSpiel: whether the action may be applied, and if not, why."""
        try:
            why = self.core.why_illegal(*self.struct_to_actions(struct))
        except ValueError as error:
            why = str(error)
        return pyspiel.error_status(why) if why else pyspiel.ok_status()

    def apply_action_struct(self, struct: pyspiel.ActionStruct) -> Any:
        """Apply the action if it may be applied; returns the status of `validate_action_struct`."""
        status = self.validate_action_struct(struct)
        if status.ok():
            self.apply_action(*self.struct_to_actions(struct))
        return status

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> State:
        """A state drawn from those that the player cannot tell from this one; the history is that of this state."""
        drawn: State = self.clone()
        if not self._hides:
            return drawn
        stream = tilery.Rng(int(rng() * 2**53), int(rng() * 2**53))
        drawn.core = self.core.determinize(player, stream)
        drawn._know_anew(other for other in range(self.num_players()) if other != player)
        return drawn

    def _know_anew(self, players: Iterable[int]) -> None:
        """Let players have seen of the history what everybody saw, and their part of the position as it is now."""
        lines, public = list(self._seen), self._seen[-1]
        for player in players:
            lines[player] = f"p{player}{public} {self.position_string(player)}"
        self._seen = tuple(lines)

    def seen_by(self, player: int) -> str:
        """All that a player has seen, action by action: their information state, with perfect recall.

        In a world drawn for another player they have seen what everybody saw until then, and their part of that world.
        """
        return self._seen[player]

    def position_string(self, player: int) -> str:
        """The information state of a player, as the parameter `keys` has it."""
        if self.get_game().keys == "hash":
            return short_hash(self.core.information_state_hash(player))
        return self.core.information_state_string(player)

    def public_string(self, _player: int) -> str:
        """The position as every spectator sees it."""
        return self.core.public_state_string()

    def private_string(self, player: int) -> str:
        """The part of the position that a player knows and spectators do not; empty where nothing is hidden."""
        if not self._hides:
            return ""
        public = json.loads(self.core.public_state_string())
        known = json.loads(self.core.information_state_string(player))
        return json.dumps({key: known[key] for key in known if known[key] != public.get(key)}, separators=(",", ":"))

    def __str__(self) -> str:
        return str(self.core)

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        return restored, (pyspiel.serialize_game_and_state(self.get_game(), self),)


class Observer:
    """Writes what a player knows into `tensor`, whose parts `dict` names, and says it in words.

    Observations of the public or the private part alone have words only.
    """

    def __init__(self, game: Game, string: Callable[[State, int], str], *, whole: bool) -> None:
        self._string = string
        self.tensor: np.ndarray[Any, np.dtype[np.float32]] | None = None
        self.dict: dict[str, np.ndarray[Any, np.dtype[np.float32]]] = {}
        if not whole:
            return
        self._observation = np.zeros(game.core.observation_tensor_shape, np.float32)
        self.tensor = self._observation.reshape(-1)
        for part in game.core.observation_parts:
            size = int(np.prod(part.shape))
            self.dict[part.name] = self.tensor[part.offset : part.offset + size].reshape(part.shape)

    def set_from(self, state: State, player: int) -> None:
        if self.tensor is not None:
            state.core.observation_tensor(player, out=self._observation)

    def string_from(self, state: State, player: int) -> str:
        return self._string(state, player)


def position(state: Any) -> EngineState:
    """The state of tilery of a state of OpenSpiel, whether a Python game or the plug-in made it.

    Raises `TypeError` for the state of another game.
    """
    if isinstance(state, State):
        return state.core.clone()
    game = state.get_game() if isinstance(state, pyspiel.State) else None
    short_name = "" if game is None else game.get_type().short_name
    if not short_name.startswith(PREFIX):
        raise TypeError(f"state must be a state of OpenSpiel of a game of tilery, got {state!r}")
    parameters = pyspiel.game_parameters_from_string(str(game))
    parameters.pop("name")
    core = load(core_name(short_name), tuple(sorted(parameters.items())))
    return core.deserialize_state(bytes.fromhex(json.loads(state.serialize())["position"]))


def state_of(position: EngineState, *, compiled: bool = True, keys: str = "json") -> Any:
    """The state of OpenSpiel that begins at a position of tilery: for searching, or playing on from a record.

    Its history is empty; information states begin with what players know of the position.
    compiled: of the game without `_py` in its name, that of the plug-in if it is built. keys: as in `game_string`.
    """
    name = position.game.name
    text = game_string(name, keys=keys, **position.game.rules.as_dict())
    game = pyspiel.load_game(text if compiled else text.replace("(", f"{PYTHON}(", 1))
    if isinstance(game, Game):
        state = game.new_initial_state()
        state.begin_at(position.clone())
        return state
    return game.deserialize_state(json.dumps(begun(position)))


def begun(position: EngineState, struct: str = "") -> dict[str, Any]:
    """The text of the plug-in for the state that begins at a position, as a dict; struct: as in `State.begin_at`."""
    data = position.serialize().hex()
    return {
        "position": data,
        "history": [],
        "hidden": [],
        "worlds": [[0, data]],
        "resampled_for": -1,
        "starting_state": struct,
    }
