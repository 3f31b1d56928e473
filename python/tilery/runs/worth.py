"""What things are worth in a sample of games: how leads go along with what seats did, and how much of them is luck.

The lead of a seat is its points less the mean of the others'; where the fewest points win, the other way round.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tilery.runs.sources import Sample
from tilery.statistics import TAIL, holm, normal_tail, over_others, t_quantile
from tilery.tables import Table

Values = npt.NDArray[np.float64]
"""float64[games, seats]."""

LEAST_GAMES = 30
"""Games in which seats differ in a thing, for it to be estimated, and games whose luck was judged, for its share."""

SHOWN = 20
"""Rows of the table of things at most, those that are surest."""


class Worth(NamedTuple):
    """How much more lead goes along with one more of a thing, at one and the same seat.

    error: the standard error. games: how many there were.
    """

    points: float
    error: float
    games: int

    @property
    def half(self) -> float:
        """Half of the 95% interval, by Student's t."""
        return t_quantile(1 - TAIL, self.games - 1) * self.error

    @property
    def p(self) -> float:
        """The probability of a value as far from 0 or farther if it were 0."""
        return normal_tail(self.points / self.error)

    def games_for(self, half: float) -> int:
        """About how many games make half of the interval this small."""
        return math.ceil(self.games * (self.half / half) ** 2)


def _products(first: Values, second: Values) -> Values:
    """Sums of products of deviations from the means of seats: of all games, then without each of them."""

    def sums(values: Values) -> Values:
        total = values.sum(axis=0)
        found: Values = np.vstack([total, total - values])
        return found

    games = np.array([len(first), *[len(first) - 1] * len(first)])
    found: Values = (sums(first * second) - sums(first) * sums(second) / games[:, None]).sum(axis=1)
    return found


def _jackknifed(values: Values) -> tuple[float, float]:
    """A statistic of all games, and its standard error from those without each of them."""
    without, games = values[1:], len(values) - 1
    return float(values[0]), math.sqrt((games - 1) * float(without.var()))


def worth(leads: Values, count: Values) -> Worth | None:
    """Regress leads on how often each seat did a thing, the mean of every seat taken off both.

    Games are independent and the seats of one game are not, so the error is that of a jackknife over games. None where
    fewer than `LEAST_GAMES` games have seats that differ, or the leads follow from the counts without error.
    """
    more = over_others(count)
    if np.count_nonzero(np.ptp(more, axis=1)) < LEAST_GAMES:
        return None
    spread = _products(more, more)
    if spread.min() < 1e-9:
        return None
    slope, error = _jackknifed(_products(more, leads) / spread)
    return Worth(slope, error, len(leads)) if error > 1e-12 else None


def tables(found: Sample, *, fewest_win: bool) -> list[Table]:
    """What goes along with leads, and the share of luck where that was judged; no table that would be empty."""
    leads = over_others(found.of_source(None)) * (-1 if fewest_win else 1)
    luck = over_others(np.array(found.luck)) * (-1 if fewest_win else 1) if found.luck else np.zeros((0, found.seats))
    return [each for each in (_things(found, leads), _luck(leads[: len(luck)], luck)) if each.rows]


def _things(found: Sample, leads: Values) -> Table:
    """The things whose worth is surest, of all kinds of action and all tiles, cards and provinces."""
    none = np.zeros(found.seats)
    tried: list[tuple[str, float, Worth]] = []
    for kind, what in sorted({each for game in found.done for each in game}):
        count = np.array([game.get((kind, what), none) for game in found.done], dtype=np.float64)
        estimate = worth(leads, count)
        if estimate is not None:
            tried.append((f"{kind} {what}".strip(), float(count.mean()), estimate))
    sure = holm([estimate.p for _, _, estimate in tried])
    ordered = sorted(zip(tried, sure, strict=True), key=lambda each: each[0][2].p)[:SHOWN]
    rows = [
        [
            name,
            f"{often:.2f}",
            f"{estimate.points:+.2f} ±{estimate.half:.2f}",
            f"{p:.3f}" if p >= 0.001 else "< 0.001",
            f"{estimate.games_for(1):,}",
        ]
        for (name, often, estimate), p in ordered
    ]
    title = (
        f"What goes along with a lead, in points for one more: the first {found.games:,} games\n"
        f"The surest {len(rows)} of {len(tried)}; p is corrected for all of these (Holm). What is drawn at random is\n"
        "the cause of a lead; what is chosen may only go along with it."
    )
    return Table(title, ["", "a seat and game", "worth", "p", "games for ±1"], rows)


def _luck(leads: Values, luck: Values) -> Table:
    """How much of the leads is the luck of the draws."""
    rows = []
    for seat in range(leads.shape[1]):
        mine, given = leads[:, seat : seat + 1], luck[:, seat : seat + 1]
        shares = share_of_luck(mine, given)
        if shares is not None:
            text = "{:.0f} % ({:.0f} to {:.0f})".format(*(100 * each for each in shares))
            rows.append([f"seat {seat}", f"{mine.std(ddof=1):.1f}", f"{given.std(ddof=1):.1f}", text])
    title = (
        f"Luck of the draws: the first {len(luck):,} games\n"
        "How far leads and the luck in them lie apart (sd, points), and the share of the variance of leads that luck\n"
        "explains. The rest is decisions, and what the judge of positions does not see."
    )
    return Table(title, ["", "leads", "luck", "share of luck"], rows)


def share_of_luck(leads: Values, luck: Values) -> tuple[float, float, float] | None:
    """The squared correlation of leads and luck with its 95% interval, by a jackknife of Fisher's z over games.

    leads, luck: float64[games, 1]. None for fewer than `LEAST_GAMES`, and where leads or luck are all the same.
    """
    if len(leads) < LEAST_GAMES:
        return None
    spreads = _products(leads, leads) * _products(luck, luck)
    if spreads.min() < 1e-9:
        return None
    r = np.clip(_products(leads, luck) / np.sqrt(spreads), -1 + 1e-12, 1 - 1e-12)
    z, error = _jackknifed(np.arctanh(r))
    low, high = (math.tanh(z + sign * t_quantile(1 - TAIL, len(leads) - 1) * error) for sign in (-1, 1))
    return float(r[0] ** 2), 0.0 if low < 0 < high else min(low * low, high * high), max(low * low, high * high)
