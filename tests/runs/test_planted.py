"""Imbalances that are planted in games are found with the power that was promised."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import tilery
from tests.kit.games import GAMES, part_of
from tilery.runs.compare import Difference
from tilery.statistics import samples_for

POWER = 0.8
EXPERIMENTS = 120


def scores(game: Any, n: int, first: int) -> npt.NDArray[np.int32]:
    """The points of seat 0 in games with chance of their own."""
    played: npt.NDArray[np.int32] = tilery.simulate(game, n, seed=77, first=first, separate=True)["scores"][:, 0]
    return played


def found_in(plain: npt.NDArray[Any], changed: npt.NDArray[Any], pairs: int) -> float:
    """The share of experiments of this many pairs whose interval does not hold 0."""
    hits = 0
    for begin in range(0, pairs * EXPERIMENTS, pairs):
        each = Difference("score_0")
        each.add(plain[begin : begin + pairs], changed[begin : begin + pairs])
        interval = each.difference_95
        hits += interval is not None and not interval[0] <= 0 <= interval[1]
    return hits / EXPERIMENTS


@pytest.mark.parametrize("name", GAMES)
def test_three_points_for_a_seat_are_found_with_the_power_that_was_promised(name: str) -> None:
    """And none that nobody planted, in more than one of twenty experiments but for chance."""
    game = tilery.load(name)
    pilot = scores(game, 2000, 0).astype(float), scores(game, 2000, 2000).astype(float)
    deviation = float(np.std(pilot[1] - pilot[0]))
    pairs = max(2, samples_for(deviation, 3, POWER))
    n = pairs * EXPERIMENTS
    plain, other = scores(game, n, 10_000), scores(game, n, 10_000 + n)
    spread = math.sqrt(POWER * (1 - POWER) / EXPERIMENTS)
    assert abs(found_in(plain, other + 3, pairs) - POWER) < 0.05 + 4 * spread
    assert found_in(plain, other, pairs) < 0.05 + 4 * math.sqrt(0.05 * 0.95 / EXPERIMENTS)


@pytest.mark.parametrize("name", GAMES)
def test_what_is_taken_away_is_found_with_the_power_that_was_promised(name: str) -> None:
    """The pairs that are needed follow from a pilot of other games."""
    whole, lacking = (tilery.load(name, **options) for options in part_of(name, "options").LACKING)
    difference = (scores(lacking, 20_000, 0) - scores(whole, 20_000, 0)).astype(float)
    assert difference.mean() != 0
    pairs = max(2, samples_for(float(difference.std()), float(difference.mean()), POWER))
    n = pairs * EXPERIMENTS
    found = found_in(scores(whole, n, 20_000), scores(lacking, n, 20_000), pairs)
    assert found > POWER - 4 * math.sqrt(POWER * (1 - POWER) / EXPERIMENTS)


def test_the_samples_for_a_power() -> None:
    assert samples_for(1.0, 0.5, 0.8) == 32
    with pytest.raises(ValueError, match="0 < power < 1"):
        samples_for(1.0, 0.5, 1.0)
    with pytest.raises(ValueError, match="a difference"):
        samples_for(1.0, 0.0)
