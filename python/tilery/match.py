"""Matches: policies against each other, with seats rotated and luck paired.

    >>> import tilery
    >>> (table,) = tilery.match.play(tilery.load("toy"), ["greedy", "random"], games=40, seed=1)
    >>> table.games
    40
    >>> [side.policy for side in table.sides]
    ['greedy', 'random']

A **deal** is one game's luck: its chance does not depend on who plays. Each deal is played once in every rotation of
the seats, so that seat and luck favour no policy, and the results of a deal are one sample.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from tilery import record
from tilery.errors import BotError
from tilery.policies import SECONDS, OutsidePolicy, policy
from tilery.protocol import Game, Policy
from tilery.run import PolicyLike, Referee
from tilery.run import play as play_games
from tilery.statistics import Sprt, counted, share_interval, t_interval


@dataclass
class Side:
    """How one policy did at a table.

    policy: its text. shares: its share of the wins in each deal, a game shared by k winners counting 1/k.
    margins: its mean lead over the best other seat in each deal, in points (positive is better).
    seconds, decisions: how long it thought in all games, and how often it had to choose.
    """

    policy: str
    shares: list[float] = field(default_factory=list)
    margins: list[float] = field(default_factory=list)
    seconds: float = 0.0
    decisions: int = 0

    @property
    def share(self) -> float:
        """The share of the wins."""
        return float(np.mean(self.shares))

    @property
    def margin(self) -> float:
        """The mean lead."""
        return float(np.mean(self.margins))

    @property
    def error(self) -> float:
        """The standard error of `share`, over the deals; 0 for a single deal."""
        return float(np.std(self.shares, ddof=1) / math.sqrt(len(self.shares))) if len(self.shares) > 1 else 0.0

    @property
    def share_95(self) -> list[float]:
        """The 95% interval of `share`, over the deals."""
        return share_interval(counted(self.shares))

    @property
    def margin_95(self) -> list[float] | None:
        """The 95% interval of `margin`, over the deals; None if it is the same in all of them."""
        error = float(np.std(self.margins, ddof=1) / math.sqrt(len(self.margins))) if len(self.margins) > 1 else 0.0
        return t_interval(self.margin, error, len(self.margins))

    @property
    def seconds_per_decision(self) -> float:
        """The mean time it thought."""
        return self.seconds / self.decisions if self.decisions else 0.0


@dataclass
class Failure:
    """A game that a bot lost by failing.

    side: the index of its side. deal, seat: which game it was, and where it sat. reason: what it did.
    details: the end of what it wrote to standard error, or the traceback of a function.
    """

    side: int
    deal: int
    seat: int
    reason: str
    details: str = ""


@dataclass
class Table:
    """What came of the games of one table.

    sides: one for each distinct seat of the line-up. games: how many were played. verdict: of the `Sprt`, if any.
    places: of each game, one pair for each seat: the index of its side, and how many seats did better.
    failures: the games that a bot lost by failing.
    """

    sides: list[Side]
    games: int = 0
    verdict: str | None = None
    places: list[list[tuple[int, int]]] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def broken(self) -> list[str]:
        """A sentence on each side that lost games by failing, with the reasons."""
        told = []
        for number, side in enumerate(self.sides):
            reasons = Counter(each.reason for each in self.failures if each.side == number)
            if not reasons:
                continue
            alone = len(reasons) == 1
            why = [
                reason if alone or times == 1 else f"{reason} ({times} times)"
                for reason, times in reasons.most_common(3)
            ]
            if (others := len(reasons) - 3) > 0:
                why.append(f"and {others} other reason{'s' if others > 1 else ''}")
            lost = f"{reasons.total():,} of {self.games:,} games"
            told.append(f"{side.policy} lost {lost} by failing: {'; '.join(why)}")
        return told

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON types, without the single games. Everything but the times is deterministic."""
        return {
            "games": self.games,
            "verdict": self.verdict,
            "failures": [asdict(each) for each in self.failures],
            "sides": [
                {
                    "policy": side.policy,
                    "share": side.share,
                    "share_95": side.share_95,
                    "error": side.error,
                    "margin": side.margin,
                    "margin_95": side.margin_95,
                    "seconds_per_decision": side.seconds_per_decision,
                }
                for side in self.sides
            ],
        }


@dataclass(frozen=True)
class Rating:
    """The strength of a policy as OpenSkill estimates it: a normal distribution of this mean and standard deviation."""

    mean: float
    deviation: float


def ratings(tables: Sequence[Table]) -> dict[str, Rating]:
    """Return the ratings of all policies of these tables, by text, from the places in all games.

    The model is OpenSkill's Plackett-Luce with strengths that do not change: everybody begins at 25 with a standard
    deviation of 25 / 3, and the games are counted in their order. Of a policy in several seats of a game the mean of
    their new ratings counts. Bots that failed before their first decision have none, and their games do not
    count.

    Raises `ImportError` if openskill is not installed (the extra `match`).
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)
    known: dict[str, Any] = {}
    sides = [(side, table, number) for table in tables for number, side in enumerate(table.sides)]
    idle = {side.policy for side, table, number in sides if any(each.side == number for each in table.failures)}
    idle -= {side.policy for side, _, _ in sides if side.decisions}
    for table in tables:
        names = [side.policy for side in table.sides]
        if idle & set(names):
            continue
        for name in names:
            known.setdefault(name, model.rating())
        for places in table.places:
            teams = [[model.rating(known[names[side]].mu, known[names[side]].sigma)] for side, _ in places]
            rated = model.rate(teams, ranks=[float(place) for _, place in places])
            for side, name in enumerate(names):
                new = [team[0] for team, (of, _) in zip(rated, places, strict=True) if of == side]
                known[name] = model.rating(
                    sum(each.mu for each in new) / len(new), sum(each.sigma for each in new) / len(new)
                )
    return {name: Rating(float(each.mu), float(each.sigma)) for name, each in known.items()}


Progress = Callable[[Table], None]


def line_ups(entrants: Sequence[Any], num_players: int) -> Iterator[list[int]]:
    """The tables of a match, as indices of entrants by seat.

    All choices of `num_players` entrants; where there are fewer, all pairs, with the second in all other seats.
    """
    if len(entrants) >= num_players:
        yield from (list(chosen) for chosen in combinations(range(len(entrants)), num_players))
    else:
        yield from ([a, *[b] * (num_players - 1)] for a, b in combinations(range(len(entrants)), 2))


def play(
    game: Game,
    entrants: Sequence[PolicyLike],
    *,
    games: int = 200,
    seed: int = 0,
    threads: int | None = None,
    sprt: Sprt | None = None,
    progress: Progress | None = None,
    records: Callable[[record.Record], None] | None = None,
    seconds: float = SECONDS,
    log: BinaryIO | None = None,
    allow_failures: bool = False,
) -> list[Table]:
    """Play every table of the entrants and return what came of each.

    game: a game of the engine, from its initial state.
    entrants: at least two policies: whatever `tilery.policy` takes. One that is not of the engine and raises, ends, is
        silent for too long or sends what it must not loses that game; `failures` of the table and `lost` of the record
        say why.
    games: at each table; rounded up to whole deals of one game for each rotation of the seats.
    sprt: ends a table early. progress: called with the table after every few deals. records: called with each game.
    seconds: how long a program may take for each answer, more than 0. log: to which the standard error of programs is
        written.
    allow_failures: play also with programs that cannot be started, and lose all games.

    Raises `ValueError` for fewer than two entrants or no games, `BotError` for a program that cannot be started, before
    the first game, and what `tilery.simulate` raises.
    """
    if len(entrants) < 2:
        raise ValueError(f"a match needs at least two entrants, got {len(entrants)}")
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise ValueError(f"games must be a positive integer, got {games!r}")
    if not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
        raise ValueError(f"seconds must be a positive number, got {seconds!r}")
    policies = [policy(each) for each in entrants]
    if not allow_failures:
        for each in policies:
            _start(each, game, seconds, log)
    tables = []
    for seats in line_ups(policies, game.num_players):
        distinct = list(dict.fromkeys(seats))
        table = Table([Side(str(policies[who])) for who in distinct])
        deals, piece = -(-games // len(seats)), 10
        for first in range(0, deals, piece):
            count = min(piece, deals - first)
            _play_deals(game, (policies, seats), table, Run(seed, first, count, threads, seconds, log), records)
            if progress is not None:
                progress(table)
            if sprt is not None:
                table.verdict = sprt.verdict(table.sides[0].shares)
            if table.verdict is not None:
                break
        tables.append(table)
    return tables


def _start(entrant: Policy, game: Game, seconds: float, log: BinaryIO | None) -> None:
    """Raise `BotError` for a program that cannot be started."""
    if isinstance(entrant, OutsidePolicy) and entrant.by_game:
        try:
            with entrant.seat(game, 0, seconds=seconds, log=log):
                pass
        except BotError as error:
            raise BotError(error.seat, f"{entrant} {error.reason}", error.details) from None


class Run(NamedTuple):
    """Some deals: the seed, the first one, how many, and how they are played."""

    seed: int
    first: int
    deals: int
    threads: int | None
    seconds: float
    log: BinaryIO | None


def _play_deals(
    game: Game,
    players: tuple[Sequence[Policy], list[int]],
    table: Table,
    run: Run,
    records: Callable[[record.Record], None] | None,
) -> None:
    """Play some deals in every rotation, and add them to the sides."""
    entrants, seats = players
    seed, first, count = run.seed, run.first, run.deals
    n = len(seats)
    distinct = list(dict.fromkeys(seats))
    shares, margins = np.zeros((2, len(distinct), count))
    for rotation in range(n):
        rotated = [seats[(seat + rotation) % n] for seat in range(n)]
        thinking = np.zeros((count, n, 2))
        referee = Referee(run.seconds, run.log)
        results, tokens = play_games(
            game,
            count,
            seed=seed,
            first=first,
            threads=run.threads,
            records=True,
            policies=[entrants[who] for who in rotated],
            thinking=thinking,
            referee=referee,
        )
        failures = referee.failures
        table.failures += [
            Failure(distinct.index(rotated[error.seat]), first + i, error.seat, error.reason, error.details)
            for i, error in failures.items()
        ]
        won = results["returns"] == results["returns"].max(axis=1, keepdims=True)
        places = _places(results, won, failures)
        table.places += [
            [(distinct.index(who), place) for who, place in zip(rotated, row, strict=True)] for row in places
        ]
        share = won / won.sum(axis=1, keepdims=True)
        lead = _leads(results["scores"], won)
        for side, who in enumerate(distinct):
            at = [seat for seat in range(n) if rotated[seat] == who]
            shares[side] += share[:, at].mean(axis=1) / n
            margins[side] += lead[:, at].mean(axis=1) / n
            table.sides[side].seconds += float(thinking[:, at, 0].sum())
            table.sides[side].decisions += int(thinking[:, at, 1].sum())
        if records is not None:
            policies = [str(entrants[who]) for who in rotated]
            for i, written in enumerate(record.of_results(game, results, tokens, seed=seed, first=first)):
                more = {**written.more, "policies": policies}
                if i in failures:
                    more["lost"] = {"seat": failures[i].seat, "reason": failures[i].reason}
                    records(replace(written, scores=None, returns=None, more=more))
                else:
                    records(replace(written, more=more))
    for side in range(len(distinct)):
        table.sides[side].shares += shares[side].tolist()
        table.sides[side].margins += margins[side].tolist()
    table.games += n * count


def _points(scores: npt.NDArray[np.int32], won: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """The points so that more are better: negative where those with the fewest have won."""
    most_win = (np.where(won, scores, -(2**31)).max(axis=1) == scores.max(axis=1))[:, None]
    return np.where(most_win, scores, -scores).astype(np.float64)


def _places(
    results: npt.NDArray[np.void], won: npt.NDArray[np.bool_], failures: dict[int, BotError]
) -> list[list[int]]:
    """By game and seat, how many seats did better; a bot that lost by an error is last, and all others are first."""
    points = _points(results["scores"], won)
    for game, error in failures.items():
        points[game] = 0
        points[game, error.seat] = -1
    return (points[:, None, :] > points[:, :, None]).sum(axis=2).tolist()  # type: ignore[no-any-return]


def _leads(scores: npt.NDArray[np.int32], won: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Each seat's lead over the best other seat."""
    points = _points(scores, won)
    leads = np.empty_like(points)
    for seat in range(points.shape[1]):
        leads[:, seat] = points[:, seat] - np.delete(points, seat, axis=1).max(axis=1)
    return leads
