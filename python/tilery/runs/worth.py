"""The worth of things in a sample of games: how leads go along with what seats did, and how much of them is luck.

The lead of a seat is its points less the mean of the others'; where the fewest points win, the other way round. The
luck of draws is a control variate: its mean is 0, so a figure less the luck has the same mean and varies less.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tilery.options import declared
from tilery.protocol import Game
from tilery.runs.sources import Sample
from tilery.runs.summary import mean_of
from tilery.statistics import TAIL, holm, less_luck, normal_tail, over_others, t_quantile
from tilery.tables import Table

Values = npt.NDArray[np.float64]
"""float64[games, seats]."""

LEAST_GAMES = 30
"""Games in which seats differ in a thing, for it to be estimated, and games whose luck was judged, for its share."""

LEAST_CONTROL = 100
"""Games whose luck was judged, for it to be taken off in regressions: with fewer its weight is too uncertain."""

SHOWN = 20
"""Rows of the table of things at most, those that are surest."""


class Worth(NamedTuple):
    """How much more lead goes along with one more of a thing, at one and the same seat.

    error: the standard error. games: how many there were. gain: how many games without a control variate each is worth.
    """

    points: float
    error: float
    games: int
    gain: float = 1.0

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
        return np.vstack([total, total - values])

    games = np.array([len(first), *[len(first) - 1] * len(first)])
    found: Values = (sums(first * second) - sums(first) * sums(second) / games[:, None]).sum(axis=1)
    return found


def _jackknifed(values: Values) -> tuple[float, float]:
    """A statistic of all games, and its standard error from those without each of them."""
    without, games = values[1:], len(values) - 1
    return float(values[0]), math.sqrt((games - 1) * float(without.var()))


def worth(leads: Values, count: Values, control: Values | None = None) -> Worth | None:
    """Regress leads on how often each seat did a thing, the mean of every seat taken off both.

    Games are independent and the seats of one game are not, so the error is that of a jackknife over games. None where
    fewer than `LEAST_GAMES` games have seats that differ, or the leads follow from the counts without error.
    control: float64[games], of mean 0; as much of it is taken off each game's part of the regression as goes along with
    it in the other half of the games.
    """
    more = over_others(count)
    if np.count_nonzero(np.ptp(more, axis=1)) < LEAST_GAMES:
        return None
    spread = _products(more, more)
    if spread.min() < 1e-9:
        return None
    products = _products(more, leads)
    slope, error = _jackknifed(products / spread)
    if error <= 1e-12:
        return None
    if control is None:
        return Worth(slope, error, len(leads))
    apart = more - more.mean(axis=0)
    left = (apart * (leads - leads.mean(axis=0) - slope * apart)).sum(axis=1)
    off = left - less_luck(left, control)
    plain, (slope, error) = error, _jackknifed((products - off.sum() + np.append(0, off)) / spread)
    return Worth(slope, error, len(leads), (plain / error) ** 2)


def control_of(found: Sample, done: tuple[str, str], luck: list[Values]) -> Values:
    """For each game, the luck of its draws times how much more often than usual seats had done a thing before them.

    Its mean is 0 whatever the policies, since what was done before a draw does not change what the draw gives on
    average. The luck that a thing brought is not taken off it. luck: of the first games, float64[draws, seats] each;
    games without it have 0.
    """
    before = np.full((len(luck), max(map(len, luck)), found.seats), np.nan)
    for game, given in enumerate(luck):
        before[game, : len(given)] = 0
        for draws, seat in found.done[game].get(done, ()):
            before[game, draws:, seat] += 1
    more = over_others(before)
    more -= np.nanmean(more, axis=0)
    control = [(more[game, : len(given)] * given).sum() for game, given in enumerate(luck)]
    return np.append(control, np.zeros(found.games - len(luck)))


def tables(found: Sample, game: Game) -> list[Table]:
    """The tables of what goes along with leads, and of the share of luck where that was judged; no empty ones."""
    sign = -1 if game.fewest_points_win else 1
    leads, luck = sign * over_others(found.of_source(None)), [sign * over_others(each) for each in found.luck]
    total = np.array([each.sum(axis=0) for each in luck]).reshape(-1, found.seats)
    luck = luck if len(luck) >= LEAST_CONTROL and total.any() else []
    return [each for each in (_things(found, game, leads, luck), _luck(leads[: len(total)], total)) if each.rows]


def _things(found: Sample, game: Game, leads: Values, luck: list[Values]) -> Table:
    """The things whose worth is surest, of all kinds of action and all tiles, cards and provinces."""
    tried: list[tuple[str, float, Worth]] = []
    things, names = {each for done in found.done for each in done}, declared(game.name, "NAMES", {})
    several = {kind for kind, what in things if what}
    for kind, what in sorted(things):
        count = found.counts((kind, what))
        estimate = worth(leads, count, control_of(found, (kind, what), luck) if luck else None)
        if estimate is not None:
            name = f"{kind} {what}" if what else f"{kind} (any)" if kind in several else kind
            tried.append((names.get(name, name), float(count.mean()), estimate))
    sure = holm([estimate.p for _, _, estimate in tried])
    ordered = sorted(zip(tried, sure, strict=True), key=lambda each: each[0][2].p)[:SHOWN]
    rows = [
        [
            name,
            f"{often:.2f}",
            f"{estimate.points:+.2f} ±{estimate.half:.2f}",
            f"{p:.3f}" if p >= 0.001 else "< 0.001",
            f"{estimate.games_for(1):,}",
            *([f"{estimate.gain:.2f}"] if luck else []),
        ]
        for (name, often, estimate), p in ordered
    ]
    title = (
        f"What goes along with a lead, in points for one more: the first {found.games:,} games\n"
        f"The surest {len(rows)} of {len(tried)}; p is corrected for all of these (Holm). What is drawn at random is\n"
        "the cause of a lead; what is chosen may only go along with it."
    )
    if luck:
        title += (
            f"\nThe luck of later draws in {len(luck):,} games is taken off. The last column is the number of other\n"
            "games that a game is then worth."
        )
    head = ["", "times per seat and game", "worth", "p", "games for ±1", *(["a game is worth"] if luck else [])]
    return Table(title, head, rows)


def _luck(leads: Values, luck: Values) -> Table:
    """How much of the leads is the luck of the draws."""
    rows = []
    for seat in range(leads.shape[1]):
        mine, given = leads[:, seat : seat + 1], luck[:, seat : seat + 1]
        shares = share_of_luck(mine, given)
        if shares is not None:
            text = "{:.0f} % ({:.0f} to {:.0f})".format(*(100 * each for each in shares))
            means = [mean_of(each) for each in (mine[:, 0], less_luck(mine[:, 0], given[:, 0]))]
            rows.append([f"seat {seat}", *means, f"{mine.std(ddof=1):.1f}", f"{given.std(ddof=1):.1f}", text])
    title = (
        f"Luck of the draws: the first {len(luck):,} games\n"
        "The mean lead of each seat in points, and less its luck, which has the same expectation; how far leads and\n"
        "the luck in them lie apart (sd), and the share of the variance of leads that luck explains. The rest is\n"
        "decisions, and what the judge of positions does not see."
    )
    return Table(title, ["", "lead", "less luck", "sd of leads", "sd of luck", "share of luck"], rows)


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
