"""What the adapters to Gymnasium and PettingZoo share: spaces of observations, and pictures of positions."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np

RENDER_MODES = ("human", "ansi")


def observations(game: Any) -> Any:
    """The `gymnasium.spaces.Box` of the observations of a game, with the bounds of `game.observation_parts`."""
    low, high = (np.empty(game.observation_tensor_shape, np.float32) for _ in range(2))
    for part in game.observation_parts:
        values = slice(part.offset, part.offset + int(np.prod(part.shape)))
        low.reshape(-1)[values] = part.low
        high.reshape(-1)[values] = part.high
    return gymnasium.spaces.Box(low, high, dtype=np.float32)


def render(state: Any, mode: str) -> str | None:
    """A position in a render mode of `RENDER_MODES`."""
    if mode == "ansi":
        return str(state)
    sys.stdout.write(f"{state}\n")
    return None


def check_choice(name: str, value: object, allowed: Iterable[object]) -> None:
    """Raise `ValueError` unless an argument is one of the values allowed."""
    if value not in allowed:
        raise ValueError(f"{name} must be {' or '.join(map(repr, allowed))}, got {value!r}")


def system_seed() -> int:
    """A seed that the system draws, in [0, 2**64)."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
