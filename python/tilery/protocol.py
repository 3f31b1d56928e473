"""What a game and a state answer (rule G-4): engine and reference both satisfy these protocols."""

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
"""A source of luck: an int seed in [0, 2**64) or a NumPy generator."""


class State(Protocol):
    """One position of a game: a plain value that knows its game."""

    @property
    def game(self) -> Game: ...

    def current_player(self) -> int:
        """The player to act, 0..n-1; `CHANCE` (-1) at a chance node, `TERMINAL` (-4) when the game is over."""

    def is_chance_node(self) -> bool: ...

    def is_terminal(self) -> bool: ...

    def legal_actions(self) -> list[int]:
        """The legal action ids, ascending; the possible outcomes at a chance node; empty when terminal."""

    def legal_actions_mask(self) -> npt.NDArray[np.bool_]:
        """bool[num_distinct_actions]: which ids are legal."""

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(id, probability) of each outcome, ascending; empty at a decision and when terminal."""

    def apply_action(self, action: int, /) -> None:
        """Take a legal action; `IllegalActionError` otherwise, and the state is unchanged."""

    def clone(self) -> Self: ...

    def scores(self) -> list[int]:
        """The points of all players at this moment."""

    def returns(self) -> list[float]:
        """The utilities of rule G-6; zeros until terminal."""

    def action_to_string(self, action: int, /) -> str: ...

    def string_to_action(self, token: str, /) -> int: ...

    def information_state_string(self, player: int, /) -> str: ...

    def observation_tensor(self, player: int, /) -> npt.NDArray[np.float32]: ...

    def determinize(self, player: int, rng: Rng, /) -> Self: ...

    def serialize(self) -> bytes: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...


class Game(Protocol):
    """The rules of a game with all options fixed; never changes, shared by its states."""

    @property
    def name(self) -> str: ...

    @property
    def num_players(self) -> int: ...

    @property
    def rules(self) -> Rules: ...

    @property
    def num_distinct_actions(self) -> int: ...

    @property
    def max_game_length(self) -> int: ...

    @property
    def observation_tensor_shape(self) -> tuple[int, ...]: ...

    def new_initial_state(self) -> State: ...

    def action_to_string(self, action: int, /) -> str: ...

    def string_to_action(self, token: str, /) -> int: ...

    def deserialize_state(self, data: bytes, /) -> State: ...
