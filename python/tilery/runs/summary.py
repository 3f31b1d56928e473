"""Summaries of results: exact counts, so that memory does not grow with the number of games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tilery.runs.columns import Columns, Results, arrays_of, columns
from tilery.statistics import share_interval
from tilery.tables import Table

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Those in `Summary.to_dict()`."""

ROW = ("sd", "5%", "median", "95%", "least .. most")
"""The headings of `Distribution.row` after that of the mean."""


class Figure(NamedTuple):
    """A figure of some games, or how much it changes, with its standard error; a share is shown times 100."""

    name: str
    value: float
    error: float
    scale: int = 1

    def short(self) -> str:
        """The value and the half of its sampling interval."""
        decimals = 1 if self.scale > 1 or abs(self.value) >= 10 else 2
        value, half = self.scale * self.value, 1.96 * self.scale * self.error
        return f"{value:.{decimals}f} ±{half:.{decimals}f}"


def mean_of(values: npt.NDArray[np.float64]) -> str:
    """The mean of samples and the half of its sampling interval."""
    error = float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return Figure("", float(values.mean()), error).short()


class Distribution:
    """The number of occurrences of each integer, of any number of integers."""

    def __init__(self) -> None:
        self._low = 0
        self._counts = np.zeros(0, dtype=np.int64)

    def add(self, values: npt.NDArray[np.integer[Any]]) -> None:
        """Count more integers. Raises `ValueError` if they are too far apart to be scores or lengths of games."""
        if not len(values):
            return
        low, high = int(np.min(values)), int(np.max(values))
        if len(self._counts):
            low, high = min(low, self._low), max(high, self._low + len(self._counts) - 1)
        if high - low >= 2**24:
            raise ValueError(f"results have values from {low} to {high}, which no game has")
        counts = np.bincount(values - low, minlength=high - low + 1)
        if len(self._counts):
            begin = self._low - low
            counts[begin : begin + len(self._counts)] += self._counts
        self._low, self._counts = low, counts

    @property
    def count(self) -> int:
        """The number of integers counted."""
        return int(self._counts.sum())

    def items(self) -> list[tuple[int, int]]:
        """(value, how often) of each value that occurred, ascending."""
        at = np.flatnonzero(self._counts)
        return list(zip((at + self._low).tolist(), self._counts[at].tolist(), strict=True))

    @property
    def mean(self) -> float:
        return sum(value * count for value, count in self.items()) / self.count

    @property
    def sd(self) -> float | None:
        """The standard deviation of the sample; None for a single value."""
        n = self.count
        if n < 2:
            return None
        total = sum(value * count for value, count in self.items())
        squares = sum(value * value * count for value, count in self.items())
        return math.sqrt((n * squares - total * total) / (n * (n - 1)))

    def figure(self, name: str) -> Figure:
        """Its mean."""
        return Figure(name, self.mean, (self.sd or 0.0) / math.sqrt(self.count))

    @property
    def min(self) -> int:
        return self.items()[0][0]

    @property
    def max(self) -> int:
        return self.items()[-1][0]

    def quantile(self, q: float) -> int:
        """The least value that a share q of the values, in [0, 1], does not exceed: "inverted_cdf" of NumPy.

        Raises `ValueError` for another q.
        """
        if not 0 <= q <= 1:
            raise ValueError(f"q must be in [0, 1], got {q!r}")
        place = math.ceil(Fraction(q).limit_denominator(10**6) * self.count)
        return self._low + int(np.searchsorted(np.cumsum(self._counts), max(1, place)))

    def row(self) -> list[str]:
        """The cells of a table under `ROW`."""
        sd = "-" if self.sd is None else f"{self.sd:.2f}"
        quantiles = (str(self.quantile(q)) for q in (0.05, 0.5, 0.95))
        return [f"{self.mean:.2f}", sd, *quantiles, f"{self.min} .. {self.max}"]

    def to_dict(self) -> dict[str, Any]:
        """Mean, deviation, extremes and `QUANTILES` as JSON types."""
        figures = {name: getattr(self, name) for name in ("mean", "sd", "min", "max")}
        return figures | {"quantiles": {str(q): self.quantile(q) for q in QUANTILES}}


class SeatResults:
    """The results of a seat, or of a policy with rotated seats.

    score: the `Distribution` of its points.
    """

    def __init__(self, players: int) -> None:
        self.score = Distribution()
        self._wins = np.zeros(players + 1, dtype=np.int64)
        """Games won, by the number of winners."""

    def _add(self, scores: npt.NDArray[np.int32], winners: npt.NDArray[np.int8]) -> None:
        self.score.add(scores)
        self._wins += np.bincount(winners, minlength=len(self._wins))

    def _share(self) -> tuple[Fraction, Fraction]:
        """Mean and its squared standard error."""
        n = self.score.count
        total = sum((Fraction(games, k) for k, games in enumerate(self._wins.tolist()) if k), Fraction(0))
        squares = sum((Fraction(games, k * k) for k, games in enumerate(self._wins.tolist()) if k), Fraction(0))
        variance = (squares - total * total / n) / (n - 1) if n > 1 else Fraction(0)
        return total / n, variance / n

    @property
    def win_share(self) -> float:
        """The share of the wins; a win shared by k counts 1/k."""
        return float(self._share()[0])

    @property
    def win_share_error(self) -> float:
        """The standard error of `win_share`."""
        return math.sqrt(self._share()[1])

    @property
    def win_share_95(self) -> list[float]:
        """The 95% interval of `win_share` (`tilery.statistics.share_interval`)."""
        return share_interval({1 / k if k else 0.0: games for k, games in enumerate(self._wins.tolist())})

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON types."""
        score = {f"score_{key}": value for key, value in self.score.to_dict().items()}
        return score | {"win_share": self.win_share, "win_share_95": self.win_share_95}


class Summary:
    """Statistics of results, for any number of games in the same memory.

    seats: `SeatResults` of each seat. by_policy: with rotated seats those of each policy, else empty.
    margin: the `Distribution` of the winner's lead over the next seat, in points; 0 where points are equal.
    decisions, actions: the `Distribution` of the length of a game.
    """

    def __init__(self) -> None:
        self.seats: list[SeatResults] = []
        self.by_policy: list[SeatResults] = []
        self.margin = Distribution()
        self.decisions = Distribution()
        self.actions = Distribution()
        self._shared = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.actions.count

    @property
    def ties(self) -> float:
        """The share of games whose win is shared."""
        return self._shared / self.games

    @property
    def ties_95(self) -> list[float]:
        """The 95% interval of `ties`."""
        return share_interval({1: self._shared, 0: self.games - self._shared})

    def add(self, results: Results) -> None:
        """Add more results of the same number of players. Raises what `tilery.summary` raises."""
        for each in arrays_of(results):
            self.add_columns(columns(each))

    def add_columns(self, flat: Columns) -> None:
        """Add results in the form of `tilery.columns`."""
        n = sum(name.startswith("score_") for name in flat)
        rotated = "policy_0" in flat
        if not self.seats:
            self.seats = [SeatResults(n) for _ in range(n)]
            self.by_policy = [SeatResults(n) for _ in range(n)] if rotated else []
        if n != len(self.seats) or rotated != bool(self.by_policy):
            raise ValueError("results must all have the same number of players, and all or none rotated seats")
        if not len(flat["score_0"]):
            return
        scores = [flat[f"score_{seat}"] for seat in range(n)]
        winners = winners_of(flat)
        self._shared += int(np.count_nonzero(np.max(winners, axis=0) > 1))
        self.margin.add(margin_of(scores, winners))
        self.decisions.add(flat["num_decisions"])
        self.actions.add(flat["num_actions"])
        for seat, side in enumerate(self.seats):
            side._add(scores[seat], winners[seat])
            for number, policy in enumerate(self.by_policy):
                chosen = flat[f"policy_{seat}"] == number
                policy._add(scores[seat][chosen], winners[seat][chosen])

    def figures(self) -> list[Figure]:
        """The means by seat and game, with their errors; that of a share is at least 1.5 / games (none of n: 3 / n)."""
        least = 1.5 / self.games

        def share(name: str, value: float, error: float) -> Figure:
            return Figure(name, value, max(error, least), 100)

        seats = list(enumerate(self.seats))
        wins = [share(f"wins, seat {seat}", side.win_share, side.win_share_error) for seat, side in seats]
        scores = [side.score.figure(f"points, seat {seat}") for seat, side in seats]
        tie = share("shared wins", self.ties, math.sqrt(self.ties * (1 - self.ties) / self.games))
        return [*wins, *scores, self.margin.figure("winner's lead"), tie, self.decisions.figure("decisions")]

    def to_dict(self) -> dict[str, Any]:
        """The keys of `tilery simulate --json` that follow from results."""
        content: dict[str, Any] = {
            "games": self.games,
            "decisions_per_game": self.decisions.mean,
            "actions_per_game": self.actions.mean,
            "seats": [{"seat": seat, **side.to_dict()} for seat, side in enumerate(self.seats)],
            "ties": self.ties,
            "ties_95": self.ties_95,
            **{name: getattr(self, name).to_dict() for name in ("margin", "decisions", "actions")},
        }
        if self.by_policy:
            content["by_policy"] = [{"policy": number, **side.to_dict()} for number, side in enumerate(self.by_policy)]
        return content

    def table(self, title: str = "", policies: Sequence[str] = ()) -> Table:
        """Wins and scores by seat, and by policy where seats are rotated.

        policies: their texts, as they were given to `tilery.simulate`; numbered where there are none.
        """
        named = [(f"seat {seat}", side) for seat, side in enumerate(self.seats)]
        for number, side in enumerate(self.by_policy):
            named.append((policies[number % len(policies)] if policies else f"policy {number}", side))
        rows = []
        for name, side in named:
            low, high = side.win_share_95
            share = [f"{100 * side.win_share:.2f} %", f"{100 * low:.2f} .. {100 * high:.2f} %"]
            rows.append([name, *share, *side.score.row()])
        head = ["", "win share", "95% interval", "score", *ROW]
        return Table(title, head, rows, (len(self.seats),) if self.by_policy else ())

    def _whole(self) -> Table:
        return self.table(
            f"{self.games:,} games, {self.decisions.mean:.1f} decisions and {100 * self.ties:.2f} % shared wins"
        )

    def __str__(self) -> str:
        return str(self._whole()) if self.seats else repr(self)

    def _repr_html_(self) -> str | None:
        return self._whole()._repr_html_() if self.seats else None

    def __repr__(self) -> str:
        return f"<Summary of {self.games:,} games>" if self.seats else "<Summary of no games>"


def winners_of(flat: Columns) -> list[npt.NDArray[np.int8]]:
    """For each seat int8[n]: by how many the win is shared if the seat has a part in it, else 0."""
    returns = [column for name, column in flat.items() if name.startswith("return_")]
    best = np.max(returns, axis=0)
    won = [column == best for column in returns]
    sharing = np.sum(won, axis=0, dtype=np.int8)
    return [np.multiply(each, sharing, dtype=np.int8) for each in won]


def margin_of(scores: list[npt.NDArray[np.int32]], winners: list[npt.NDArray[np.int8]]) -> npt.NDArray[np.int32]:
    """The winner's lead over the next seat; whether the most or the fewest points win is seen from who won."""
    if len(scores) == 2:
        lead: npt.NDArray[np.int32] = np.abs(scores[0] - scores[1])
        return lead
    ordered = np.sort(np.stack(scores, axis=1), axis=1)
    won_by = np.where(np.array(winners) > 0, scores, np.iinfo(np.int32).min).max(axis=0)
    most_win = won_by == ordered[:, -1]
    return np.where(most_win, ordered[:, -1] - ordered[:, -2], ordered[:, 1] - ordered[:, 0])


def summary(results: Results) -> Summary:
    """Return the `Summary` of results: per seat and policy, ties, margin and length of games.

    results: an array of `tilery.simulate`, or an iterable of such arrays, read once, in bounded memory.

    Raises `TypeError` for what `tilery.simulate` did not return, `ValueError` for arrays of different kinds or none.
    """
    made = Summary()
    made.add(results)
    if not made.games:
        raise ValueError("results must have at least one game, got none")
    return made
