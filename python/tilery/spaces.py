"""What the adapters to Gymnasium and PettingZoo share: spaces of observations, and pictures of positions."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np

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


def render(state: Any, mode: str, player: int | None = None) -> Any:
    """A position in a render mode of `RENDER_MODES`; with a player, as that player may see it."""
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
    if value not in allowed:
        raise ValueError(f"{name} must be {' or '.join(map(repr, allowed))}, got {value!r}")


def system_seed() -> int:
    """A seed that the system draws, in [0, 2**64)."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
