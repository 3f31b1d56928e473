"""Intervals, and a test that may be asked at any time; NumPy and the standard library alone.

    >>> from tilery import statistics
    >>> [round(bound, 4) for bound in statistics.share_interval({0: 100})]
    [0.0, 0.0362]
    >>> [round(bound, 4) for bound in statistics.share_interval({0: 30, 0.5: 40, 1: 30})]
    [0.4198, 0.5802]
    >>> round(statistics.t_quantile(0.975, 9), 4)
    2.2622

An interval is two-sided and covers the true value with probability 95%. `nox -s honest` measures that and `Sprt`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Self, TypeVar

import numpy as np
import numpy.typing as npt

TAIL = 0.025
"""The probability that an interval leaves out on each side."""

_NORMAL = NormalDist()

Numbers = TypeVar("Numbers", float, npt.NDArray[np.float64])


def win_share(utility: Numbers, players: int) -> Numbers:
    """Return the share of the win, 0 to 1, that a utility of rule G-6 stands for in a game of this many players."""
    return (utility * (players - 1) + 1) / players


def over_others(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return each value less the mean of the others along the last axis, as points of seats become leads."""
    others = (values.sum(axis=-1, keepdims=True) - values) / (values.shape[-1] - 1)
    found: npt.NDArray[np.float64] = values - others
    return found


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the probability that a variable of Beta(a, b) is at most x; `ValueError` unless 0 < a, b < inf."""
    if not (0 < a < math.inf and 0 < b < math.inf):
        raise ValueError(f"a and b must be above 0 and finite, got {a} and {b}")
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # the continued fraction converges fast below the mean
        return 1 - beta_cdf(1 - x, b, a)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    fraction, numerator, denominator = 1.0, 1.0, 0.0
    for step in range(1, 100_000):  # far fewer unless a or b is above 1e9
        m, odd = divmod(step, 2)
        if odd:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        denominator = 1 / (1 + term * denominator or 1e-300)
        numerator = 1 + term / numerator or 1e-300
        factor = numerator * denominator
        fraction *= factor
        if abs(factor - 1) <= 1e-15:
            break
    return math.exp(log_front) / (a * fraction)


def beta_quantile(p: float, a: float, b: float) -> float:
    """Return the quantile p of the distribution Beta(a, b)."""
    mean, deviation = a / (a + b), math.sqrt(a * b / (a + b + 1)) / (a + b)
    return _root(lambda x: beta_cdf(x, a, b) - p, 0.0, 1.0, mean, deviation)


def t_quantile(p: float, degrees: float) -> float:
    """Return the quantile 0 < p < 1 of Student's t distribution with these degrees of freedom, at least 0.01."""
    if not 0 < p < 1 or not degrees >= 0.01:
        raise ValueError(f"needs 0 < p < 1 and degrees of at least 0.01, got {p} and {degrees}")
    if p < 0.5:
        return -t_quantile(1 - p, degrees)
    if degrees < 400:  # t^2 / (t^2 + degrees) is a beta variable
        rest = beta_quantile(2 * (1 - p), degrees / 2, 0.5)
        return math.sqrt(degrees * (1 - rest) / rest)
    z = _NORMAL.inv_cdf(p)  # the expansion of Cornish and Fisher
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return sum(term / degrees**power for power, term in enumerate(terms))


def t_interval(mean: float, error: float, n: int) -> list[float] | None:
    """Return the 95% interval of the mean of n values without bounds, from its standard error (Student's t).

    None if the error is 0 or n is 1: such values do not say how far others may lie.
    """
    if error == 0 or n < 2:
        return None
    half = error * t_quantile(1 - TAIL, n - 1)
    return [mean - half, mean + half]


def share_interval(counts: Mapping[float, int], low: float = 0.0, high: float = 1.0) -> list[float]:
    """Return the 95% interval of the mean of values that lie in [low, high].

    counts: how often each value occurred. Raises `ValueError` for values outside of [low, high].

    If all values are low or high this is the exact interval of Clopper and Pearson. Otherwise it is Gaffke's
    generalization: one more value is added at the bound, and the weights of the values have a flat Dirichlet
    distribution. That of the weighted mean is taken from the saddlepoint approximation of Lugannani and Rice.
    """
    apart = [(round((value - low) / (high - low), 12), count) for value, count in counts.items() if count]
    if not all(0 <= value <= 1 and count > 0 for value, count in apart):
        raise ValueError(f"counts must be of values from {low} to {high}, got {counts!r}")
    kept = tuple(sorted(apart))
    upper = _upper(kept)
    lower = 1 - _upper(tuple((1 - value, count) for value, count in reversed(kept)))
    return [low + (high - low) * lower, low + (high - low) * upper]


@lru_cache(maxsize=4096)
def _upper(counts: tuple[tuple[float, int], ...]) -> float:
    """The upper bound of the mean of values in [0, 1]."""
    weights = {0.0: 0.0, 1.0: 1.0}
    for value, count in counts:
        weights[value] = weights.get(value, 0.0) + count
    zeros, total = weights[0.0], sum(weights.values())
    if zeros == 0 and len(weights) == 2:
        return 1.0
    if len(weights) == 2:
        return beta_quantile(1 - TAIL, weights[1.0], zeros)
    values, numbers = np.array(list(weights)), np.array(list(weights.values()))
    mean = float(values @ numbers) / total
    deviation = math.sqrt(float(numbers @ np.square(values - mean)) / total / (total + 1))
    least = float(values[numbers > 0].min())
    return _root(lambda x: _mean_cdf(values, numbers, x) - (1 - TAIL), least, 1.0, mean, deviation)


def _mean_cdf(values: npt.NDArray[np.float64], weights: npt.NDArray[np.float64], x: float) -> float:
    """The probability that a mean of values with Dirichlet weights is at most x, which is that a sum of gamma variables
    times `values - x` is at most 0.
    """
    apart = values[weights > 0] - x
    weights = weights[weights > 0]
    if apart.max() <= 0 or apart.min() >= 0:
        return float(apart.max() <= 0)

    def slope(s: float) -> float:
        return float(np.sum(weights * apart / (1 - apart * s)))

    below, above = 1 / float(apart.min()), 1 / float(apart.max())
    inside = 1 - 1e-12
    at = _root(slope, below * inside, above * inside, 0.0, 0.1 * min(above, -below))
    kernel = -float(np.sum(weights * np.log1p(-apart * at)))
    curve = float(np.sum(weights * np.square(apart / (1 - apart * at))))
    root = math.copysign(math.sqrt(max(0.0, -2 * kernel)), at)
    if abs(root) < 1e-4:
        skew = 2 * float(np.sum(weights * apart**3)) / math.pow(float(np.sum(weights * apart**2)), 1.5)
        return 0.5 + skew / 6 / math.sqrt(2 * math.pi)
    return _NORMAL.cdf(root) + _NORMAL.pdf(root) * (1 / root - 1 / (at * math.sqrt(curve)))


def _root(f: Callable[[float], float], low: float, high: float, guess: float, scale: float) -> float:
    """The root of an increasing function on (low, high): a bracket that grows from a guess, then false position
    with halved weights (Illinois).
    """
    step, at_guess = scale, f(guess)
    begin, at_begin, end, at_end = guess, at_guess, guess, at_guess
    while at_end < 0 and end < high:
        begin, at_begin, end = end, at_end, min(high, end + step)
        at_end, step = f(end), 2 * step
    while at_begin > 0 and begin > low:
        end, at_end, begin = begin, at_begin, max(low, begin - step)
        at_begin, step = f(begin), 2 * step
    last = 0
    for _ in range(200):
        if at_begin >= 0 or at_end <= 0 or end - begin <= 4e-16 * max(abs(begin), abs(end)):
            break
        x = (begin * at_end - end * at_begin) / (at_end - at_begin)
        if not begin < x < end:
            x = (begin + end) / 2
            if not begin < x < end:
                break
        at = f(x)
        if at < 0:
            begin, at_begin, at_end = x, at, at_end / 2 if last < 0 else at_end
            last = -1
        else:
            end, at_end, at_begin = x, at, at_begin / 2 if last > 0 else at_begin
            last = 1
        if abs(at) < 1e-16:
            return x
    return begin if abs(at_begin) < abs(at_end) else end


def normal_tail(z: float) -> float:
    """Return the probability that a standard normal variable is at least as far from 0 as z."""
    return 2 * _NORMAL.cdf(-abs(z))


def samples_for(deviation: float, difference: float, power: float = 0.8) -> int:
    """Return how many samples find a difference with this probability, as one that 0 is outside of its 95% interval.

    deviation: of one sample. Raises `ValueError` unless 0 < power < 1 and the difference is another than 0.
    """
    if not 0 < power < 1 or not difference:
        raise ValueError(f"needs 0 < power < 1 and a difference, got {power} and {difference}")
    return math.ceil(((_NORMAL.inv_cdf(1 - TAIL) + _NORMAL.inv_cdf(power)) * deviation / difference) ** 2)


def holm(p: Sequence[float]) -> list[float]:
    """Return p values of several tests corrected by Holm's method.

    Those below 0.05 are true with a probability of 95% together, however the tests depend on each other.
    """
    corrected, most = [0.0] * len(p), 0.0
    for done, which in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        corrected[which] = most = max(most, min(1.0, (len(p) - done) * p[which]))
    return corrected


def counted(samples: npt.ArrayLike) -> dict[float, int]:
    """Return how often each value occurs, for `share_interval`; values that differ by rounding are one."""
    values, counts = np.unique(np.round(np.asarray(samples, dtype=np.float64), 12), return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def luck_weights(
    samples: npt.ArrayLike, luck: npt.ArrayLike, groups: npt.ArrayLike | None = None
) -> npt.NDArray[np.float64]:
    """Return for each sample by how much to multiply its luck so that samples less luck vary least.

    It is what would have been best for the other half of the samples, so that no sample has a say in its own weight; 1
    where a half has fewer than 10. groups: the group of each sample; those of a group share a mean, and all of them the
    weights.
    """
    values, control = np.asarray(samples, dtype=np.float64), np.asarray(luck, dtype=np.float64)
    group = np.zeros(len(values), dtype=np.intp) if groups is None else np.unique(groups, return_inverse=True)[1]
    halves = [np.arange(len(values)) % 2 == half for half in (0, 1)]
    weights = np.ones(len(values))
    for mine, other in (halves, halves[::-1]):
        counts = np.bincount(group[other])
        means = np.bincount(group[other], control[other]) / np.maximum(counts, 1)
        apart = control[other] - means[group[other]]
        spread = float(np.square(apart).sum())
        if len(apart) >= 10 and spread > 0:
            weights[mine] = float(apart @ values[other]) / spread
    return weights


def less_luck(
    samples: npt.ArrayLike, luck: npt.ArrayLike, groups: npt.ArrayLike | None = None
) -> npt.NDArray[np.float64]:
    """Return samples less their luck, which is 0 in the mean, times `luck_weights`: values of the same expectation that
    vary less.
    """
    weights = luck_weights(samples, luck, groups)
    found: npt.NDArray[np.float64] = np.asarray(samples) - weights * np.asarray(luck)
    return found


def share_of_elo(elo: float, players: int = 2) -> float:
    """Return the share of the wins of a policy that is `elo` points above all others at a table."""
    odds = 10 ** (elo / 400)
    return odds / (odds + players - 1)


def elo_of_share(share: float, players: int = 2) -> float:
    """Return by how many Elo points a policy with this share of the wins, between 0 and 1, is above all others."""
    return 400 * math.log10(share * (players - 1) / (1 - share))


@dataclass(frozen=True)
class Sprt:
    """A sequential test of a policy's share of the wins, which may be asked at any time.

    low, high: the shares of the two hypotheses, 0 < low < high < 1.
    alpha: bounds the probability to accept "high" at any time where the true share is `low` or less.
    beta: bounds the probability to accept "low" at any time where it is `high` or more. Each is in (0, 0.5).

    The shares of deals may have any distribution on [0, 1]. Against each hypothesis a gambler bets on every deal, at
    odds that are fair under it; whose capital has grown by 1 / alpha refutes the hypothesis (Ville's inequality). How
    much they bet follows from the deals before, as is best if the other hypothesis is true.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.low < self.high < 1:
            raise ValueError(f"sprt needs 0 < low < high < 1, got {self.low} and {self.high}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise ValueError(f"sprt: {name} must be in (0, 0.5), got {value}")

    @classmethod
    def of_elo(cls, low: float, high: float, players: int = 2) -> Self:
        """The test of two differences in Elo points: `share_of_elo` of each."""
        return cls(share_of_elo(low, players), share_of_elo(high, players))

    def stop(self, shares: Sequence[float] | npt.NDArray[np.float64]) -> tuple[int, str] | None:
        """Return after how many deals a hypothesis is accepted, and which, "high" or "low"; None to go on."""
        samples = np.asarray(shares, dtype=np.float64)
        if not len(samples):
            return None
        narrow = self._narrow(samples)
        against_low = _capital(samples, self.low, self.high, narrow)
        against_high = _capital(1 - samples, 1 - self.high, 1 - self.low, narrow)
        high = against_low >= -math.log(self.alpha)
        decided = high | (against_high >= -math.log(self.beta))
        if not decided.any():
            return None
        first = int(decided.argmax())
        return first + 1, "high" if high[first] else "low"

    def verdict(self, shares: Sequence[float] | npt.NDArray[np.float64]) -> str | None:
        """Return "high" or "low", the hypothesis that the shares of the deals accept, or None to go on."""
        found = self.stop(shares)
        return None if found is None else found[1]

    def _narrow(self, samples: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Before each deal, the variance of the deals before as a part of that of single games, which begins at 1."""
        n = np.arange(len(samples))
        sums = np.concatenate([[0.0], np.cumsum(samples)[:-1]])
        squares = np.concatenate([[0.0], np.cumsum(np.square(samples))[:-1]])
        middle = (self.low + self.high) / 2
        prior = 8 * middle * (1 - middle)
        of_deals = squares - np.square(sums) / np.maximum(n, 1)
        of_games = sums - np.square(sums) / np.maximum(n, 1)
        found: npt.NDArray[np.float64] = (prior + of_deals) / (prior + of_games)
        return found


def _capital(
    samples: npt.NDArray[np.float64], fair: float, expected: float, narrow: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """The logarithm of the capital of one who bets that the mean is more than `fair`, after each deal."""
    bets = np.minimum((expected - fair) / (fair * (1 - fair)) / narrow, 0.95 / fair)
    return np.cumsum(np.log1p(bets * (samples - fair)))
