"""A position as one player knows it, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from tilery.protocol import EngineState, RngLike, State

S = TypeVar("S", bound="State")


class SeenState(Generic[S]):
    """A position as one player knows it; made by `state.seen_by(player)`.

    It may be handed to that player: what it answers, and what it keeps, follows from their knowledge alone. It keeps
    one of the positions that the player cannot tell from the true one (`State.determinize`). Equal and hashable by what
    the player knows. Calls of `EngineState` alone raise `AttributeError` on states of the reference.
    """

    __slots__ = ("_state", "player")

    player: int
    """The seat of the player who knows this."""

    def __init__(self, state: S, player: int) -> None:
        self._state = cast("EngineState", state.determinize(player, 0))
        self.player = player

    @property
    def game(self) -> Any:
        """The game that the position belongs to."""
        return self._state.game

    def current_player(self) -> int:
        """The player to act, `CHANCE` or `TERMINAL`, as `State.current_player` says it."""
        return self._state.current_player()

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._state.is_terminal()

    def scores(self) -> list[int]:
        """The points of all players at this moment, by seat."""
        return self._state.scores()

    def returns(self) -> list[float]:
        """The utilities of rule G-6, by seat; zeros until the game is over."""
        return self._state.returns()

    def legal_actions(self) -> list[int]:
        """The ids of the player's legal actions, ascending; empty while the player is not to act."""
        return self._state.legal_actions() if self._acts() else []

    def num_legal_actions(self) -> int:
        """The length of `legal_actions()`."""
        return len(self.legal_actions())

    def legal_actions_mask(self) -> npt.NDArray[np.bool_]:
        """Which ids are in `legal_actions()`, as bool[num_distinct_actions]."""
        mask = self._state.legal_actions_mask()
        return mask if self._acts() else mask & False

    def why_illegal(self, action: int, /) -> str:
        """Why the player may not take an action, as `EngineState.why_illegal` says it; empty if it is legal."""
        if not self._acts():
            return f"G-4: player {self.player} is not to act"
        return self._state.why_illegal(action)

    def information_state_string(self) -> str:
        """All that the player knows, as one line of JSON."""
        return self._state.information_state_string(self.player)

    def information_state(self) -> dict[str, Any]:
        """All that the player knows, as a dict (`EngineState.information_state`)."""
        return self._state.information_state(self.player)

    def public_state_string(self) -> str:
        """The part that every spectator sees, as one line of JSON."""
        return self._state.public_state_string()

    def observation_tensor(self) -> npt.NDArray[np.float32]:
        """The view of the player as a new array, float32[game.observation_tensor_shape]."""
        return self._state.observation_tensor(self.player)

    def to_string(self) -> str:
        """The knowledge of the player as text for people (`EngineState.to_string`)."""
        return self._state.to_string(self.player)

    def to_svg(self, **how: Any) -> str:
        """A drawing of the knowledge of the player; the arguments are those of `EngineState.to_svg` after `player`."""
        return self._state.to_svg(self.player, **how)

    def determinize(self, rng: RngLike, /) -> S:
        """A state drawn from all those that the player cannot tell from the true one."""
        return cast("S", self._state.determinize(self.player, rng))

    def _acts(self) -> bool:
        return self._state.current_player() == self.player

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, SeenState) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.player, self.information_state_string()))

    def _key(self) -> tuple[Any, ...]:
        return self.player, self.game.name, self.game.rules, self.information_state_string()

    def __str__(self) -> str:
        return self.to_string()

    def __repr__(self) -> str:
        return f"<SeenState of {self._state.game!r}, player {self.player}>"

    def __reduce__(self) -> tuple[type[SeenState[S]], tuple[S, int]]:
        return type(self), (cast("S", self._state), self.player)
