"""Measures what statistical figures claim: how often intervals cover the truth, how often tests accept what is wrong.

    python -m tests.lab.honest [--samples 4000] [--seed S] [--ledger]

Coverage is computed exactly where the number of possible samples allows it, otherwise by simulation, from distributions
that are known and from results of real games. A figure outside its limits ends the program with 1.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import tilery
from tests.lab.campaign import commit, processor_seconds, write_line
from tilery import match
from tilery.runs import worth
from tilery.runs.compare import compare, figures
from tilery.statistics import Sprt, counted, over_others, share_interval, t_interval

HYPOTHESES: tuple[tuple[float, float, int, float], ...] = (
    (0.5, 0.55, 2, 0.0),
    (0.5, 0.6, 2, 0.0),
    (0.25, 0.3, 4, 0.0),
    (0.9, 0.95, 2, 0.0),
    (0.95, 0.99, 2, 0.0),
    (0.97, 0.99, 2, 0.0),
    (0.98, 0.995, 2, 0.0),
    (0.02, 0.05, 2, 0.0),
    (0.01, 0.03, 4, 0.0),
    (0.5, 0.55, 2, 0.8),
    (0.5, 0.52, 2, 0.95),
)
"""Of tests: low, high, how many games a deal has, and the part of the deals that are always shared equally."""

SHARED = ((0.0, 0.5, 1.0), (0.0, 0.25, 1.0), (0.0, 1 / 3, 0.5, 1.0))
"""Values of shares that are not only 0 and 1."""


class Measured(NamedTuple):
    """A figure, and the limits between which it must lie."""

    name: str
    value: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """Whether it lies there."""
        return self.low <= self.value <= self.high


def noise(p: float, samples: int) -> float:
    """Four standard errors of a probability that was measured with this many samples."""
    return 4 * math.sqrt(p * (1 - p) / samples)


def exact_shares(sizes: Sequence[int]) -> Iterator[Measured]:
    """The least coverage of the interval of wins and losses, over many true shares: exact."""
    truths = np.concatenate([np.linspace(0.0005, 0.02, 40), np.linspace(0.02, 0.5, 97)])
    for n in sizes:
        bounds = np.array([share_interval({1: k, 0: n - k}) for k in range(n + 1)])
        k = np.arange(n + 1)
        ways = np.array([math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) for i in k])
        chances = np.exp(ways + np.outer(np.log(truths), k) + np.outer(np.log1p(-truths), n - k))
        inside = (bounds[:, 0] <= truths[:, None]) & (truths[:, None] <= bounds[:, 1])
        yield Measured(
            f"shares of {n} games won or lost, least coverage", float((chances * inside).sum(1).min()), 0.95, 1
        )


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


def exact_shared(n: int, rng: np.random.Generator) -> Iterator[Measured]:
    """The least coverage where wins may be shared, over many distributions: exact."""
    for values in SHARED:
        if len(values) > 3 and n > 12:
            continue
        numbers = np.array(list(_compositions(n, len(values))))
        bounds = np.array([share_interval(dict(zip(values, each, strict=True))) for each in numbers.tolist()])
        ways = np.array([math.lgamma(n + 1) - sum(math.lgamma(k + 1) for k in each) for each in numbers.tolist()])
        chances = rng.dirichlet(np.full(len(values), 0.5), size=400)
        means = chances @ np.array(values)
        weights = np.exp(ways + np.log(np.maximum(chances, 1e-12)) @ numbers.T)
        inside = (bounds[:, 0] <= means[:, None]) & (means[:, None] <= bounds[:, 1])
        name = ", ".join(f"{value:.3g}" for value in values)
        yield Measured(
            f"shares of {n} games with {name}, least coverage", float((weights * inside).sum(1).min()), 0.949, 1
        )


def covered(
    population: npt.NDArray[np.float64],
    interval: Callable[[npt.NDArray[np.float64]], Sequence[float] | None],
    n: int,
    samples: int,
    rng: np.random.Generator,
) -> float:
    """How often the interval of n values drawn from a population holds its mean."""
    mean, hits = float(population.mean()), 0
    for _ in range(samples):
        found = interval(rng.choice(population, n))
        hits += found is not None and found[0] - 1e-12 <= mean <= found[1] + 1e-12
    return hits / samples


def of_shares(values: npt.NDArray[np.float64]) -> list[float]:
    return share_interval(counted(values))


def of_differences(values: npt.NDArray[np.float64]) -> list[float]:
    return share_interval(counted(values), -1, 1)


def of_points(values: npt.NDArray[np.float64]) -> list[float] | None:
    return t_interval(float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values)), len(values))


def played(game: Any, policy: str, games: int) -> Any:
    return tilery.columns(tilery.simulate(game, games, seed=11, policies=policy, separate=True))


def real_games(samples: int, games: int, rng: np.random.Generator) -> Iterator[Measured]:
    """Coverage of the figures of `simulate` and `compare` for samples drawn from many games of the toy."""
    game = tilery.load("toy", players=3)
    first, second = played(game, "random", games), played(game, "greedy", games)
    ours, theirs = figures(first), figures(second)
    assert [each.name for each in compare([first], [second]).differences] == list(ours)
    for n in (30, 100):
        for name in ("win_share_0", "tie"):
            shares = ours[name].astype(float)
            coverage = covered(shares, of_shares, n, samples, rng)
            yield Measured(f"{name} of {n} games of the toy", coverage, 0.95 - noise(0.95, samples), 1)
        for name in ours:
            differences = theirs[name].astype(float) - ours[name]
            if not differences.any():
                continue
            bounded = name == "tie" or name.startswith("win_share")
            coverage = covered(differences, of_differences if bounded else of_points, n, samples, rng)
            low = 0.95 - noise(0.95, samples) - (0 if bounded else 0.02)
            yield Measured(f"difference of {name} over {n} pairs of the toy", coverage, low, 1 if bounded else 0.98)


def deals(share: float, games: int, shared: float, size: tuple[int, int], rng: np.random.Generator) -> Any:
    """Shares of deals whose mean is `share`: of independent games, or shared equally with a given probability."""
    if not shared:
        return rng.binomial(games, share, size=size) / games
    rest = (share - shared / 2) / (1 - shared)
    return np.where(rng.random(size) < shared, 0.5, (rng.random(size) < rest).astype(float))


def errors(
    hypotheses: Sequence[tuple[float, float, int, float]], samples: int, rng: np.random.Generator
) -> Iterator[Measured]:
    """The error rates of `Sprt`, and the deals it needs compared with a test that knows the variance."""
    for low, high, games, shared in hypotheses:
        test, name = (
            Sprt(low, high),
            f"{low:g}, {high:g}, deals of {games} games" + (f", {shared:g} shared" * bool(shared)),
        )
        for truth, wrong in ((low, "high"), (high, "low")):
            drawn = deals(truth, games, shared, (samples, 6000), rng)
            found = [test.stop(row) for row in drawn]
            rate = sum(each is not None and each[1] == wrong for each in found) / samples
            yield Measured(
                f"sprt {name}: accepts {wrong} though {truth:g} is true", rate, 0, 0.05 + noise(0.05, samples)
            )
            undecided = sum(each is None for each in found) / samples
            yield Measured(f"sprt {name}: undecided after 6,000 deals, {truth:g} true", undecided, 0, 0.02)


def real_deals(samples: int, games: int, rng: np.random.Generator) -> Iterator[Measured]:
    """Matches of the toy: coverage of the share of the wins over deals, and a test whose low hypothesis is true."""
    (table,) = match.play(tilery.load("toy", hand=4), ["greedy", "random"], games=games, seed=3)
    shares = np.array(table.sides[0].shares)
    for n in (20, 100):
        coverage = covered(shares, of_shares, n, samples, rng)
        yield Measured(
            f"share of {n} deals, greedy against random in the toy", coverage, 0.95 - noise(0.95, samples), 1
        )
    low = float(shares.mean())
    test = Sprt(low, low + 0.6 * (1 - low))
    rate = sum(test.verdict(rng.choice(shares, 2000)) == "high" for _ in range(samples)) / samples
    yield Measured("sprt over these deals, low true", rate, 0, 0.05 + noise(0.05, samples))


def rated(matches: int) -> Iterator[Measured]:
    """How often the ratings of two equal policies differ by more than their deviations allow in 95% of all cases."""

    def other(state: Any, rng: np.random.Generator) -> int:
        return int(rng.choice(state.legal_actions()))

    game, apart = tilery.load("toy", hand=3), 0
    for seed in range(matches):
        found = match.ratings(match.play(game, ["random", other], games=60, seed=seed, threads=1))
        one, two = found.values()
        apart += abs(one.mean - two.mean) > 1.96 * math.hypot(one.deviation, two.deviation)
    yield Measured("ratings of equal policies, apart", apart / matches, 0, 0.05 + noise(0.05, matches))


def worths(samples: int, rng: np.random.Generator) -> Iterator[Measured]:
    """Coverage of what things are worth and of the share of luck, by 200 games; errors depend on the counts."""
    games, inside = 200, np.zeros(2)
    for _ in range(samples):
        count = rng.integers(0, 3, (games, 3)).astype(float)
        found = worth.worth(over_others(1.5 * count + rng.normal(size=(games, 3)) * (1 + count)), count)
        luck = rng.normal(size=(games, 1))
        share = worth.share_of_luck(0.6 * luck + 0.8 * (rng.exponential(size=(games, 1)) - 1), luck)
        assert found is not None
        assert share is not None
        inside += (abs(found.points - 1.5) <= found.half, share[1] <= 0.36 <= share[2])
    for name, hits in zip(("what a thing is worth", "the share of luck"), inside.tolist(), strict=True):
        yield Measured(f"{name}, {games} games, coverage", hits / samples, 0.93 - noise(0.93, samples), 1)


def measure(samples: int, seed: int) -> Iterator[Measured]:
    """All figures."""
    rng = np.random.default_rng(seed)
    yield from exact_shares((1, 2, 5, 10, 30, 100, 300, 1000))
    for n in (3, 12, 30):
        yield from exact_shared(n, rng)
    yield from real_games(samples, 30_000, rng)
    yield from real_deals(samples, 6_000, rng)
    yield from errors(HYPOTHESES, samples, rng)
    yield from rated(max(20, samples // 20))
    yield from worths(samples, rng)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=4000, help="for each figure that is simulated; default 4000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ledger", action="store_true", help="append a line to tests/lab/ledger.md")
    options = parser.parse_args()
    count = wrong = 0
    for each in measure(options.samples, options.seed):
        count, wrong = count + 1, wrong + (not each.holds)
        verdict = "" if each.holds else f"  OUTSIDE {each.low:.4f} .. {each.high:.4f}"
        print(f"{each.value:.4f}  {each.name}{verdict}", flush=True)
    if options.ledger and not wrong:
        found = f"{count} figures within their limits, {options.samples:,} samples of each that is simulated"
        write_line("honest", "all", found, processor_seconds() / 60, commit(), options.seed)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
