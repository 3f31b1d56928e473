"""Matches: policies against each other, with seats rotated and luck paired.

    >>> import tilery
    >>> (table,) = tilery.match.play(tilery.load("toy"), ["greedy", "random"], games=40, seed=1)
    >>> table.games
    40
    >>> [side.policy for side in table.sides]
    ['greedy', 'random']

A **deal** is one game's luck: its chance does not depend on who plays. Each deal is played once in every rotation of
the seats, so that nobody is favoured by seat or by luck, and the results of a deal are one sample.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from tilery import record
from tilery.bots import BotError, CommandBot
from tilery.policies import Policy
from tilery.protocol import Game
from tilery.run import result_dtype, simulate


@dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test of the first policy's share of the wins.

    low, high: the shares of the two hypotheses, 0 < low < high < 1.
    alpha, beta: the chances to accept the wrong one, each in (0, 0.5).

    The ratio is that of normal distributions with the variance of the deals seen so far, asked after 20 deals or more.
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

    def verdict(self, shares: Sequence[float] | npt.NDArray[np.float64]) -> str | None:
        """Return "high" or "low", the hypothesis that the shares of the deals accept, or None to go on."""
        samples = np.asarray(shares, dtype=np.float64)
        if len(samples) < 20:
            return None
        variance = max(float(samples.var(ddof=1)), 1e-4)
        step = (self.high - self.low) * (2 * float(samples.mean()) - self.low - self.high)
        ratio = len(samples) * step / (2 * variance)
        if ratio >= math.log((1 - self.beta) / self.alpha):
            return "high"
        if ratio <= math.log(self.beta / (1 - self.alpha)):
            return "low"
        return None


@dataclass
class Side:
    """How one policy did at a table.

    policy: its text. shares: its share of the wins in each deal, a game shared by k winners counting 1/k.
    margins: its mean lead over the best other seat in each deal, in points (positive is better).
    """

    policy: str
    shares: list[float] = field(default_factory=list)
    margins: list[float] = field(default_factory=list)

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


@dataclass
class Table:
    """What came of the games of one table.

    sides: one for each distinct seat of the line-up. games: how many were played. verdict: of the `Sprt`, if any.
    """

    sides: list[Side]
    games: int = 0
    verdict: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON types, without the single deals."""
        return {
            "games": self.games,
            "verdict": self.verdict,
            "sides": [
                {"policy": side.policy, "share": side.share, "error": side.error, "margin": side.margin}
                for side in self.sides
            ],
        }


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
) -> list[Table]:
    """Play every table of the entrants and return what came of each.

    game: a game of the engine, from its initial state.
    entrants: at least two policies: texts, policies or functions, as `tilery.simulate` takes them, or `cmd:COMMAND`
        for a bot in a process of its own (docs/protocol.md). A bot that crashes, is silent for ten seconds or sends
        what it must not loses that game, and its record says why in `lost`.
    games: at each table; rounded up to whole deals of one game for each rotation of the seats.
    sprt: ends a table early. progress: called with the table after every few deals. records: called with each game.

    Raises `ValueError` for fewer than two entrants or no games, and what `tilery.simulate` raises.
    """
    if len(entrants) < 2:
        raise ValueError(f"a match needs at least two entrants, got {len(entrants)}")
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise ValueError(f"games must be a positive integer, got {games!r}")
    names = [
        str(each) if isinstance(each, str | Policy) else getattr(each, "__name__", repr(each)) for each in entrants
    ]
    tables = []
    for seats in line_ups(entrants, game.num_players):
        distinct = list(dict.fromkeys(seats))
        table = Table([Side(names[who]) for who in distinct])
        deals, piece = -(-games // len(seats)), 10
        for first in range(0, deals, piece):
            count = min(piece, deals - first)
            _play_deals(game, (entrants, seats), table, (seed, first, count, threads), records)
            if progress is not None:
                progress(table)
            if sprt is not None:
                table.verdict = sprt.verdict(table.sides[0].shares)
            if table.verdict is not None:
                break
        tables.append(table)
    return tables


def _name(entrant: Any) -> str:
    return str(entrant) if isinstance(entrant, str | Policy) else str(getattr(entrant, "__name__", entrant))


def _play_deals(
    game: Game,
    players: tuple[Sequence[Entrant], list[int]],
    table: Table,
    run: tuple[int, int, int, int | None],
    records: Callable[[record.Record], None] | None,
) -> None:
    """Play some deals in every rotation, and add them to the sides."""
    entrants, seats = players
    seed, first, count, _ = run
    n = len(seats)
    distinct = list(dict.fromkeys(seats))
    shares, margins = np.zeros((2, len(distinct), count))
    for rotation in range(n):
        rotated = [seats[(seat + rotation) % n] for seat in range(n)]
        results, tokens, failures = _results(game, [entrants[who] for who in rotated], run)
        won = results["returns"] == results["returns"].max(axis=1, keepdims=True)
        share = won / won.sum(axis=1, keepdims=True)
        lead = _leads(results["scores"], won)
        for side, who in enumerate(distinct):
            at = [seat for seat in range(n) if rotated[seat] == who]
            shares[side] += share[:, at].mean(axis=1) / n
            margins[side] += lead[:, at].mean(axis=1) / n
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


def _seated(stack: ExitStack, entrant: Any, game: Game, seat: int) -> Any:
    """What plays a seat in one game: a process for a command, which ends with the stack."""
    if not _is_command(entrant):
        return entrant
    return stack.enter_context(CommandBot(entrant.removeprefix("cmd:"), game, seat))


def _results(
    game: Game, policies: list[Any], run: tuple[int, int, int, int | None]
) -> tuple[npt.NDArray[np.void], list[str], dict[int, BotError]]:
    """Results and tokens of some games, and those that a bot lost by an error: all others win these, 0 to 0."""
    seed, first, count, threads = run
    if not any(_is_command(each) for each in policies):
        return *simulate(game, count, seed=seed, first=first, threads=threads, policies=policies, records=True), {}
    results = np.zeros(count, dtype=result_dtype(game.num_players))
    tokens, failures = [""] * count, {}
    for i in range(count):
        try:
            with ExitStack() as stack:
                seats: list[Any] = [_seated(stack, each, game, seat) for seat, each in enumerate(policies)]
                played = simulate(game, 1, seed=seed, first=first + i, policies=seats, records=True)
                (results[i],), (tokens[i],) = played
                for bot in seats:
                    if isinstance(bot, CommandBot):
                        bot.over(results["scores"][i].tolist(), results["returns"][i].tolist())
        except BotError as error:
            failures[i] = error
            results["returns"][i] = 1 / (game.num_players - 1)
            results["returns"][i][error.seat] = -1
    return results, tokens, failures


def _leads(scores: npt.NDArray[np.int32], won: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Each seat's lead over the best other seat; fewer points are better where those with the fewest have won."""
    most_win = (np.where(won, scores, -(2**31)).max(axis=1) == scores.max(axis=1))[:, None]
    points = np.where(most_win, scores, -scores).astype(np.float64)
    leads = np.empty_like(points)
    for seat in range(points.shape[1]):
        leads[:, seat] = points[:, seat] - np.delete(points, seat, axis=1).max(axis=1)
    return leads
