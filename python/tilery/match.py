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
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tilery import record
from tilery.bots import BotError, CommandBot
from tilery.policies import Policy
from tilery.protocol import Game
from tilery.run import play as play_games
from tilery.run import result_dtype
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
class Table:
    """What came of the games of one table.

    sides: one for each distinct seat of the line-up. games: how many were played. verdict: of the `Sprt`, if any.
    places: of each game, one pair for each seat: the index of its side, and how many seats did better.
    """

    sides: list[Side]
    games: int = 0
    verdict: str | None = None
    places: list[list[tuple[int, int]]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON types, without the single games. Everything but the times is deterministic."""
        return {
            "games": self.games,
            "verdict": self.verdict,
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
    their new ratings counts.

    Raises `ImportError` if openskill is not installed (the extra `match`).
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)
    known: dict[str, Any] = {}
    for table in tables:
        names = [side.policy for side in table.sides]
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


Entrant = str | Policy | Callable[[Any, Any], int]
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
    entrants: Sequence[Entrant],
    *,
    games: int = 200,
    seed: int = 0,
    threads: int | None = None,
    sprt: Sprt | None = None,
    progress: Progress | None = None,
    records: Callable[[record.Record], None] | None = None,
    seconds: float = 10.0,
) -> list[Table]:
    """Play every table of the entrants and return what came of each.

    game: a game of the engine, from its initial state.
    entrants: at least two policies: texts, policies or functions, as `tilery.simulate` takes them, or `cmd:COMMAND`
        for a bot in a process of its own (docs/protocol.md). A bot that crashes, is silent for too long or sends what
        it must not loses that game, and its record says why in `lost`.
    games: at each table; rounded up to whole deals of one game for each rotation of the seats.
    sprt: ends a table early. progress: called with the table after every few deals. records: called with each game.
    seconds: how long a bot in a process of its own may take for each answer, more than 0.

    Raises `ValueError` for fewer than two entrants or no games, and what `tilery.simulate` raises.
    """
    if len(entrants) < 2:
        raise ValueError(f"a match needs at least two entrants, got {len(entrants)}")
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise ValueError(f"games must be a positive integer, got {games!r}")
    if not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
        raise ValueError(f"seconds must be a positive number, got {seconds!r}")
    names = [_name(each) for each in entrants]
    tables = []
    for seats in line_ups(entrants, game.num_players):
        distinct = list(dict.fromkeys(seats))
        table = Table([Side(names[who]) for who in distinct])
        deals, piece = -(-games // len(seats)), 10
        for first in range(0, deals, piece):
            count = min(piece, deals - first)
            _play_deals(game, (entrants, seats), table, Run(seed, first, count, threads, seconds), records)
            if progress is not None:
                progress(table)
            if sprt is not None:
                table.verdict = sprt.verdict(table.sides[0].shares)
            if table.verdict is not None:
                break
        tables.append(table)
    return tables


class Run(NamedTuple):
    """Some deals: the seed, the first one, how many, and how they are played."""

    seed: int
    first: int
    deals: int
    threads: int | None
    seconds: float


def _name(entrant: Any) -> str:
    return str(entrant) if isinstance(entrant, str | Policy) else str(getattr(entrant, "__name__", entrant))


def _play_deals(
    game: Game,
    players: tuple[Sequence[Entrant], list[int]],
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
        results, tokens, failures = _results(game, [entrants[who] for who in rotated], run, thinking)
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
            policies = [_name(entrants[who]) for who in rotated]
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


def _is_command(entrant: Any) -> bool:
    return isinstance(entrant, str) and entrant.startswith("cmd:")


def _seated(stack: ExitStack, entrant: Any, game: Game, seat: int, seconds: float) -> Any:
    """What plays a seat in one game: a process for a command, which ends with the stack."""
    if not _is_command(entrant):
        return entrant
    return stack.enter_context(CommandBot(entrant.removeprefix("cmd:"), game, seat, seconds=seconds))


def _results(
    game: Game, policies: list[Any], run: Run, thinking: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.void], list[str], dict[int, BotError]]:
    """Results and tokens of some games, and those that a bot lost by an error: all others win these, 0 to 0."""
    first, count = run.first, run.deals
    how: dict[str, Any] = {"seed": run.seed, "threads": run.threads, "records": True}
    if not any(_is_command(each) for each in policies):
        return *play_games(game, count, first=first, policies=policies, thinking=thinking, **how), {}
    results = np.zeros(count, dtype=result_dtype(game.num_players))
    tokens, failures = [""] * count, {}
    for i in range(count):
        try:
            with ExitStack() as stack:
                seats: list[Any] = [_seated(stack, each, game, seat, run.seconds) for seat, each in enumerate(policies)]
                one = thinking[i : i + 1]
                (results[i],), (tokens[i],) = play_games(game, 1, first=first + i, policies=seats, thinking=one, **how)
                for bot in seats:
                    if isinstance(bot, CommandBot):
                        bot.over(results["scores"][i].tolist(), results["returns"][i].tolist())
        except BotError as error:
            failures[i] = error
            results["returns"][i] = 1 / (game.num_players - 1)
            results["returns"][i][error.seat] = -1
    return results, tokens, failures


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
