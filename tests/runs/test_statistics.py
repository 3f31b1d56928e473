"""Intervals and the sequential test: against SciPy, and what they claim by a small part of `nox -s honest`."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.special
import scipy.stats

from tests.lab import honest
from tilery import statistics
from tilery.statistics import Sprt, share_interval


@pytest.mark.parametrize("degrees", [1, 2, 3, 7, 29, 99, 399, 400, 5000, 10**9])
def test_quantiles_of_student_are_those_of_scipy(degrees: int) -> None:
    for p in (0.0005, 0.025, 0.3, 0.5, 0.9, 0.975, 0.9995):
        expected = scipy.special.stdtrit(degrees, p)
        assert statistics.t_quantile(p, degrees) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("shape", [(1, 100), (0.5, 0.5), (3, 400), (1e5, 1e6), (5, 1e7), (1e9, 1), (50, 50)])
def test_the_beta_distribution_is_that_of_scipy(shape: tuple[float, float]) -> None:
    for p in (1e-6, 0.025, 0.5, 0.975):
        found = statistics.beta_quantile(p, *shape)
        assert found == pytest.approx(scipy.special.betaincinv(*shape, p), rel=1e-7)
        assert statistics.beta_cdf(found, *shape) == pytest.approx(p, rel=1e-7)
    assert statistics.beta_cdf(-0.1, *shape) == 0
    assert statistics.beta_cdf(1, *shape) == 1


@pytest.mark.parametrize("n", [1, 2, 10, 100, 100_000])
def test_two_results_have_the_exact_interval(n: int) -> None:
    for wins in {0, 1, n // 3, n // 2, n - 1, n}:
        expected = scipy.stats.binomtest(wins, n).proportion_ci(0.95, "exact")
        assert share_interval({1: wins, 0: n - wins}) == pytest.approx([expected.low, expected.high], rel=1e-6)
    assert share_interval({0: 100})[1] < 0.037, "0 of 100 is below 3.7%"


@pytest.mark.parametrize(
    "counts",
    [
        {0: 30, 0.5: 40, 1: 30},
        {0.5: 10, 1: 3},
        {0: 1000, 0.5: 3, 1: 1},
        {1 / 3: 2, 0: 1},
        {0.5: 5},
        {0: 9, 0.25: 3, 1: 1},
    ],
)
def test_shared_wins_have_the_quantiles_of_dirichlet_means(counts: dict[float, int]) -> None:
    rng = np.random.default_rng(1)
    low, high = share_interval(counts)
    for added, bound in ((0.0, low), (1.0, high)):
        values, weights = np.array([*counts, added]), np.array([*counts.values(), 1.0])
        means = rng.dirichlet(weights, size=100_000) @ values
        outside = np.mean(means < bound if added == 0 else means > bound)
        assert outside == pytest.approx(0.025, abs=0.003)


def test_intervals_are_those_of_the_mirrored_and_the_stretched() -> None:
    counts = {0.0: 12, 0.25: 3, 0.5: 5, 1.0: 2}
    low, high = share_interval(counts)
    assert share_interval({1 - value: n for value, n in counts.items()}) == pytest.approx([1 - high, 1 - low])
    stretched = share_interval({2 * value - 1: n for value, n in counts.items()}, -1, 1)
    assert stretched == pytest.approx([2 * low - 1, 2 * high - 1])
    assert share_interval({1 - 1e-16: 100}) == pytest.approx(share_interval({1: 100}))


def test_intervals_of_many_games_are_hardly_wider_than_those_of_student() -> None:
    rng = np.random.default_rng(2)
    shares = rng.choice([0, 0.5, 1], p=[0.3, 0.5, 0.2], size=400)
    low, high = share_interval(statistics.counted(shares))
    error = float(shares.std(ddof=1)) / math.sqrt(len(shares))
    found = statistics.t_interval(float(shares.mean()), error, len(shares))
    assert found is not None
    assert 1 < (high - low) / (found[1] - found[0]) < 1.08
    assert statistics.t_interval(1.0, 0.0, 10) is None


def test_elo_is_a_ratio_of_odds() -> None:
    assert statistics.share_of_elo(0) == 0.5
    assert statistics.share_of_elo(0, 4) == 0.25
    assert statistics.share_of_elo(400) == pytest.approx(10 / 11)
    assert Sprt.of_elo(0, 20).high == pytest.approx(0.5288, abs=1e-4)
    for players in (2, 5):
        share = statistics.share_of_elo(70, players)
        assert statistics.elo_of_share(share, players) == pytest.approx(70)


def test_the_distribution_of_a_mean_has_no_step_at_its_centre() -> None:
    """There its saddlepoint approximation is 0 / 0, and is taken from the skewness."""
    values, weights = np.array([0.0, 0.2, 1.0]), np.array([30.0, 3.0, 2.0])
    mean = float(values @ weights) / float(weights.sum())
    below, at, above = (statistics._mean_cdf(values, weights, mean + apart) for apart in (-2e-4, 0, 2e-4))
    assert at == pytest.approx((below + above) / 2, abs=1e-5)


def test_the_root_of_a_step_is_found() -> None:
    """False position stays at the end of the bracket, since the other value is so much greater."""
    assert statistics._root(lambda x: -1e-15 if x < 0.7 else 100.0, 0, 1, 0.1, 0.1) == pytest.approx(0.7, abs=1e-12)


def test_a_decision_stands_however_many_deals_follow() -> None:
    rng = np.random.default_rng(3)
    test = Sprt(0.4, 0.6)
    for _ in range(20):
        shares = rng.choice([0, 0.5, 1], size=400)
        found = test.stop(shares)
        if found is None:
            continue
        deals, verdict = found
        assert test.verdict(shares[: deals - 1]) is None
        assert {test.verdict(shares[:n]) for n in range(deals, 400, 37)} == {verdict}
    assert test.stop([]) is None


def test_what_the_figures_claim() -> None:
    rng = np.random.default_rng(4)
    measured = [
        *honest.exact_shares((1, 10, 30)),
        *honest.exact_shared(6, rng),
        *honest.worths(100, rng),
        *honest.errors(honest.HYPOTHESES[3:], 60, rng),
    ]
    assert [each for each in measured if not each.holds] == []


def test_wrong_claims_are_found() -> None:
    assert not honest.Measured("too narrow", 0.94, 0.95, 1).holds
    population = np.array([0.0] * 99 + [1.0])
    rng = np.random.default_rng(5)
    assert honest.covered(population, honest.of_points, 30, 200, rng) < 0.5
    assert honest.covered(population, honest.of_shares, 30, 200, rng) > 0.93


@pytest.mark.long
def test_what_the_figures_claim_of_real_games() -> None:
    rng = np.random.default_rng(6)
    measured = [*honest.real_games(200, 5000, rng), *honest.real_deals(200, 2000, rng), *honest.rated(20)]
    assert [each for each in measured if not each.holds] == []


@pytest.mark.parametrize(("difference", "power"), [(1, 0), (1, 1), (1, -0.5), (0, 0.8)])
def test_a_power_that_no_number_of_samples_has_is_refused(difference: float, power: float) -> None:
    with pytest.raises(ValueError, match="needs 0 < power < 1 and a difference"):
        statistics.samples_for(2, difference, power)


def test_what_has_no_quantile_or_interval_is_refused() -> None:
    for p, degrees in ((0.975, 1e-3), (0.975, 0.0), (0.975, math.nan), (0.0, 3.0), (1.0, 3.0), (math.nan, 3.0)):
        with pytest.raises(ValueError, match="degrees of at least"):
            statistics.t_quantile(p, degrees)
    for shape in ((0, 1), (1, -1), (math.nan, 1), (1, math.nan), (math.inf, 1)):
        with pytest.raises(ValueError, match="a and b must be"):
            statistics.beta_cdf(0.5, *shape)
    assert statistics.beta_cdf(0.5, 1e12, 1e12) == pytest.approx(0.5, abs=0.01), "in a bounded number of steps"
    for counts in ({math.nan: 1}, {2: 3}, {0.5: 4, -1: 1}, {0: -1}):
        with pytest.raises(ValueError, match="counts must be of values from 0"):
            share_interval(counts)
