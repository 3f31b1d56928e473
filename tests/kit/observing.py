"""Observations as integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def divisors(game: Any) -> npt.NDArray[np.float64]:
    """In the shape of an observation: what the integers of each part are divided by in float32."""
    values = [np.full(part.shape, float(part.divisor)).ravel() for part in game.observation_parts]
    return np.concatenate(values).reshape(game.observation_tensor_shape)
