"""Shared by the adapters to Gymnasium and PettingZoo: spaces of observations, action ids, and rendering."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

import tilery
from tilery import pictures
from tilery.extras import imported

RENDER_MODES = ("human", "ansi", "rgb_array")
"""Printed text, text, and a picture as uint8[height, width, 3]."""


def observations(game: Any, dtype: Any = "float32") -> Any:
    """The `gymnasium.spaces.Box` of the observations of a game, with the bounds of `game.observation_parts`.

    dtype: one in which the game can be observed.
    """
    low, high = (np.zeros(game.observation_tensor_shape, dtype) for _ in range(2))
    for part in game.observation_parts:
        values = slice(part.offset, part.offset + int(np.prod(part.shape)))
        low.reshape(-1)[values] = part.low
        high.reshape(-1)[values] = part.most if np.issubdtype(high.dtype, np.integer) else part.high
    return gymnasium.spaces.Box(low, high, dtype=dtype)


class Arrays:
    """Arrays of one shape and dtype for results, which belong to the caller.

    An array that nobody else holds any more is handed out again: it takes longer to get new memory than to fill it.
    """

    KEPT = 4

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        self._shape, self._dtype = shape, np.dtype(dtype)
        self._made: list[npt.NDArray[Any]] = []

    def take(self) -> npt.NDArray[Any]:
        """An array with any values in it."""
        for array in self._made:
            if sys.getrefcount(array) == _ALONE:
                return array
        made: npt.NDArray[Any] = np.empty(self._shape, self._dtype)
        if len(self._made) < self.KEPT:
            self._made.append(made)
        return made

    def __reduce__(self) -> Any:
        return Arrays, (self._shape, self._dtype)


def _references_of_a_kept_array() -> int:
    made = [np.empty(0)]
    for array in made:
        return sys.getrefcount(array)
    raise AssertionError


_ALONE = _references_of_a_kept_array()
"""The result of `sys.getrefcount` in `Arrays.take` for an array that only the list and the loop refer to."""


class Ids:
    """The action ids of an environment: those of the game, or the `CompactActions` of its module.

    window: of the compact ids, None for those of the game. Raises `ValueError` for games that have none.
    """

    def __init__(self, game: Any, window: int | None) -> None:
        self.partial = window is not None
        """Whether legal actions may have no id."""
        self._compact: Any = None
        self.number: int = game.num_distinct_actions
        self._masks = Arrays((self.number,), np.int8)
        if window is not None:
            compact = getattr(getattr(tilery, game.name, None), "CompactActions", None)
            if compact is None:
                raise ValueError(f"compact: {game.name} has no compact ids")
            self._compact = compact(game, window)
            self.number = self._compact.num_actions

    def mask(self, state: Any) -> npt.NDArray[np.int8]:
        """int8[number]: 1 where an id is legal. All may be 0 with compact ids, where all placements are outside."""
        mask: npt.NDArray[np.int8]
        if self._compact is None:
            mask = state.legal_actions_mask(self._masks.take())
        else:
            mask = self._compact.mask(state).view(np.int8)
        return mask

    def batch_mask(self, batch: Any, out: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.bool_]:
        """bool[size, number]: the same of every game of a batch."""
        mask: npt.NDArray[np.bool_]
        mask = batch.legal_actions_mask(out) if self._compact is None else self._compact.batch_mask(batch, out)
        return mask

    def batch_expand(self, batch: Any, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """int64[size]: the actions of a batch; below 0 for ids that have none."""
        if self._compact is None:
            return ids
        expanded: npt.NDArray[np.int64] = self._compact.batch_expand(batch, ids)
        return expanded

    def expand(self, state: Any, action: Any) -> Any:
        """The action of the game; `IllegalActionError` for a compact id that has none."""
        if self._compact is None:
            return action
        try:
            return self._compact.expand(state, action)
        except (TypeError, ValueError) as error:
            raise tilery.IllegalActionError(f"action {action!r}: {error}") from None


def render(state: Any, mode: str | None, player: int | None = None) -> Any:
    """A position in a render mode of `RENDER_MODES`; with a player, as that player may see it."""
    if mode is None:
        gymnasium.logger.warn("render() does nothing without a render_mode")
        return None
    if mode == "rgb_array":
        image = imported("PIL.Image", "png", "pictures as arrays")
        drawn = image.open(io.BytesIO(pictures.png(state.to_svg(player)))).convert("RGBA")
        return np.asarray(image.alpha_composite(image.new("RGBA", drawn.size, "white"), drawn).convert("RGB"))
    text = state.to_string(player)
    if mode == "ansi":
        return text
    sys.stdout.write(f"{text}\n")
    return None


def check_choice(name: str, value: object, allowed: Iterable[object]) -> None:
    """Raise `ValueError` unless an argument is one of the values allowed."""
    if not isinstance(value, str | None) or value not in allowed:
        raise ValueError(f"{name} must be {' or '.join(map(repr, allowed))}, got {value!r}")


def system_seed() -> int:
    """A seed that the system draws, in [0, 2**64)."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
