"""The calls of games and states (rule G-4); engine and reference both satisfy these protocols."""

from __future__ import annotations

from typing import Protocol, Self

import numpy as np
import numpy.typing as npt

from tilery.rules import Rules

CHANCE = -1
"""`current_player()` at a chance node."""
TERMINAL = -4
"""`current_player()` when the game is over."""

Rng = int | np.random.Generator
"""A source of randomness: an int seed in [0, 2**64) or a NumPy generator."""


class State(Protocol):
    """One position of a game: a plain value that knows its game."""

    @property
    def game(self) -> Game: ...

    def current_player(self) -> int:
        """The player to act, 0..n-1; `CHANCE` (-1) at a chance node, `TERMINAL` (-4) when the game is over."""

    def is_chance_node(self) -> bool:
        """Whether chance acts."""

    def is_terminal(self) -> bool:
        """Whether the game is over."""

    def legal_actions(self) -> list[int]:
        """The legal action ids, ascending; the possible outcomes at a chance node; empty when terminal."""

    def legal_actions_mask(self) -> npt.NDArray[np.bool_]:
        """bool[num_distinct_actions]: which ids are legal."""

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(id, probability) of each outcome, ascending; empty at a decision and when terminal."""

    def apply_action(self, action: int, /) -> None:
        """Take a legal action; `IllegalActionError` otherwise, and the state is unchanged."""

    def clone(self) -> Self:
        """An independent copy."""

    def scores(self) -> list[int]:
        """The points of all players now; provisional until the game is over."""

    def returns(self) -> list[float]:
        """The utilities of all players in [-1, 1] (rule G-6); zeros until the game is over."""

    def action_to_string(self, action: int, /) -> str:
        """The token of an id, legal or not; `ParseError` if it is not in [0, num_distinct_actions)."""

    def string_to_action(self, token: str, /) -> int:
        """The id of a token, legal or not; `ParseError` says where the token is wrong."""

    def information_state_string(self, player: int, /) -> str:
        """All that the player may know, as one line of JSON; its keys are on the game's page."""

    def observation_tensor(self, player: int, /) -> npt.NDArray[np.float32]:
        """float32[game.observation_tensor_shape]: what the player may know, plane by plane as on the game's page."""

    def determinize(self, player: int, rng: Rng, /) -> Self:
        """A state drawn from all those that the player cannot tell from this one."""

    def serialize(self) -> bytes:
        """The state as bytes, for `game.deserialize_state`."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...


class Game(Protocol):
    """A game with all options fixed: immutable, and shared by its states."""

    @property
    def name(self) -> str: ...

    @property
    def num_players(self) -> int: ...

    @property
    def rules(self) -> Rules:
        """All options, those at their default included."""

    @property
    def num_distinct_actions(self) -> int:
        """The number of action ids, those of chance included."""

    @property
    def max_game_length(self) -> int:
        """An upper bound on the number of actions of any game, chance included."""

    @property
    def observation_tensor_shape(self) -> tuple[int, ...]: ...

    def new_initial_state(self) -> State:
        """The state before any action."""

    def action_to_string(self, action: int, /) -> str: ...

    def string_to_action(self, token: str, /) -> int: ...

    def deserialize_state(self, data: bytes, /) -> State:
        """The state that `serialize` wrote; `StateDataError` for anything else."""
