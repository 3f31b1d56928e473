"""Two runs compared game by game: the same seeds, under other rules or by other policies."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tilery.runs.columns import Columns
from tilery.runs.summary import Figure, margin_of, winners_of
from tilery.statistics import counted, holm, luck_weights, normal_tail, samples_for, share_interval, t_interval
from tilery.tables import Table


@dataclass
class Difference:
    """A figure under both, and how much it changes.

    name: "score_0", "win_share_0", "margin", "tie", "num_decisions" or "num_actions"; "less_luck_score_0" and
    "less_luck_win_share_0" without what the draws gave. first, second: the means.
    error: the standard error of the mean of the differences, game by game. p: the probability of a difference as far
    from 0 if there is none, by the normal distribution. worth: as many pairs of unequal luck a pair counts for.
    """

    name: str
    games: int = 0
    first: float = 0.0
    second: float = 0.0
    _squares: float = 0.0
    _apart: float = 0.0
    """The same for each of both alone, added up."""
    _counts: Counter[float] = field(default_factory=Counter)
    """Of a share: how often each difference in [-1, 1] occurred."""

    @property
    def difference(self) -> float:
        """The second mean less the first."""
        return self.second - self.first

    @property
    def error(self) -> float:
        """The standard error of `difference`; 0 for a single game."""
        n = self.games
        return math.sqrt(max(0.0, self._squares) / (n - 1) / n) if n > 1 else 0.0

    @property
    def p(self) -> float:
        return normal_tail(self.difference / self.error) if self.error else float(self.difference == 0)

    @property
    def worth(self) -> float | None:
        return self._apart / self._squares if self._squares > 0 else None

    @property
    def difference_95(self) -> list[float] | None:
        """The 95% interval of `difference`: for shares and ties by their bounds, for others by Student's t.

        None if all games differ by the same number of points or actions, which does not say how far others may lie.
        """
        if self._counts:
            return share_interval(self._counts, -1.0, 1.0)
        return t_interval(self.difference, self.error, self.games)

    def add(self, first: npt.NDArray[Any], second: npt.NDArray[Any]) -> None:
        """Add pairs, in the way of Chan, Golub and LeVeque, so that nothing cancels."""
        rows = np.array([first, second, second.astype(np.float64) - first])
        count, means = len(first), rows.mean(axis=1)
        whole = self.games + count
        shifts = means - [self.first, self.second, self.difference]
        squares = np.square(rows - means[:, None]).sum(axis=1) + shifts * shifts * self.games * count / whole
        self._squares += float(squares[2])
        for each in squares[:2].tolist():
            self._apart += each
        first_shift, second_shift, _ = (shifts * count / whole).tolist()
        self.first += first_shift
        self.second += second_shift
        self.games = whole
        if self.name == "tie" or self.name.startswith("win_share"):
            self._counts.update(counted(rows[2]))

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON types."""
        names = ("name", "first", "second", "difference", "difference_95", "p", "worth")
        return {name: getattr(self, name) for name in names}

    @property
    def share(self) -> bool:
        """Whether it is a share, which is shown in percent."""
        return self.name == "tie" or "win_share" in self.name

    @property
    def title(self) -> str:
        """The figure in words."""
        named = self.name.removeprefix("num_").replace("less_luck_", "less luck: ").replace("_share_", " share, seat ")
        return named.replace("score_", "score, seat ")


@dataclass
class Comparison:
    """The `Difference` of every figure over a number of pairs of games."""

    games: int
    differences: list[Difference]

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON types."""
        return {"games": self.games, "differences": [each.to_dict() for each in self.differences]}

    def figures(self) -> list[Figure]:
        """The differences with their errors."""
        return [Figure(each.title, each.difference, each.error, 100 if each.share else 1) for each in self.differences]

    def table(self, title: str = "", asked: str = "win_share_0") -> Table:
        """A row for each figure, that which was asked first; its p value is its own, the others' are Holm's."""
        rows = []
        first = [each for each in self.differences if each.name == asked]
        others = [each for each in self.differences if each.name != asked]
        p = [each.p for each in first] + holm([each.p for each in others])
        for each, chance in zip(first + others, p, strict=True):
            scale, unit = (100, " %") if each.share else (1, "")
            found = each.difference_95
            means = [f"{scale * mean:.2f}{unit}" for mean in (each.first, each.second)]
            difference = f"{scale * each.difference:+.2f}{unit}"
            interval = "-" if found is None else f"{scale * found[0]:+.2f} .. {scale * found[1]:+.2f}{unit}"
            rows.append([each.title, *means, difference, interval, "<0.001" if chance < 0.001 else f"{chance:.3f}"])
        return Table(title, ["", "first", "second", "difference", "95% interval", "p"], rows, (len(first),))

    def worth(self, asked: str = "win_share_0") -> str:
        """The gain by pairing games, in a sentence."""
        (each,) = [each for each in self.differences if each.name == asked]
        gain = "no luck is left in it" if each.worth is None else f"a pair is worth {each.worth:.1f} unpaired pairs"
        needed = samples_for(each.error * math.sqrt(each.games), 0.01 if each.share else 1)
        of = "1 percentage point" if each.share else "1"
        many = f" {needed:,} pairs find a difference of {of} with a power of 80 %." if needed else ""
        return (
            f"{each.title} was asked: {gain}, and its p value stands alone.{many} The p values of the other figures "
            "are corrected for their number (Holm); their intervals are not."
        )

    def variance_kept(self) -> dict[str, float]:
        """By figure, the variance of its differences less luck as a part of that with it; empty without luck."""
        errors = {each.name: each.error for each in self.differences}
        judged = [name for name, error in errors.items() if f"less_luck_{name}" in errors and error > 0]
        return {name: (errors[f"less_luck_{name}"] / errors[name]) ** 2 for name in judged}

    def __str__(self) -> str:
        return str(self.table(f"{self.games:,} pairs of games"))

    def _repr_html_(self) -> str:
        return self.table(f"{self.games:,} pairs of games")._repr_html_()


def figures(flat: Columns) -> dict[str, npt.NDArray[Any]]:
    """The compared figures of each game, from the form of `tilery.columns`."""
    scores = [column for name, column in flat.items() if name.startswith("score_")]
    winners = winners_of(flat)
    shares = [np.divide(1.0, each, out=np.zeros(len(each)), where=each > 0) for each in winners]
    return {
        **{f"score_{seat}": each for seat, each in enumerate(scores)},
        **{f"win_share_{seat}": each for seat, each in enumerate(shares)},
        "margin": margin_of(scores, winners),
        "tie": np.max(winners, axis=0) > 1,
        "num_decisions": flat["num_decisions"],
        "num_actions": flat["num_actions"],
    }


def compare(first: Iterable[Columns], second: Iterable[Columns]) -> Comparison:
    """Compare game i of one run with game i of another.

    first, second: results in the form of `tilery.columns`, in pieces of any sizes; what one has more is left out. If
        they also have what the draws gave, "luck_score_0" and "luck_win_share_0" for each seat, these figures are
        compared less luck, too.

    Raises `ValueError` for other numbers of players, and if there are no games.
    """
    made: dict[str, Difference] = {}
    with_luck: dict[str, list[list[npt.NDArray[Any]]]] = {}
    for one, two in _in_step(first, second):
        ours, theirs = figures(one), figures(two)
        if ours.keys() != theirs.keys():
            raise ValueError("both runs must have the same number of players")
        for name in ours:
            made.setdefault(name, Difference(name)).add(ours[name], theirs[name])
            if (luck := f"luck_{name}") in one:
                with_luck.setdefault(name, []).append([ours[name], theirs[name], one[luck], two[luck]])
    for name, pieces in with_luck.items():
        mine, other, gave_me, gave_other = np.concatenate(pieces, axis=1)
        weights = luck_weights(other - mine, gave_other - gave_me)
        made[f"less_luck_{name}"] = less = Difference(f"less_luck_{name}")
        less.add(mine - weights * gave_me, other - weights * gave_other)
    if not made:
        raise ValueError("there are no games to compare")
    return Comparison(made["margin"].games, list(made.values()))


def _in_step(*runs: Iterable[Columns]) -> Iterable[tuple[Columns, Columns]]:
    """Pieces of two runs, cut so that they have the same games."""
    iterators: list[Iterator[Columns]] = [iter(run) for run in runs]
    pieces: list[Columns] = [{"num_actions": np.zeros(0)} for _ in runs]
    while True:
        for which, iterator in enumerate(iterators):
            while not len(pieces[which]["num_actions"]):
                piece = next(iterator, None)
                if piece is None:
                    return
                pieces[which] = piece
        count = min(len(piece["num_actions"]) for piece in pieces)
        yield tuple({name: column[:count] for name, column in piece.items()} for piece in pieces)  # type: ignore[misc]
        pieces = [{name: column[count:] for name, column in piece.items()} for piece in pieces]
