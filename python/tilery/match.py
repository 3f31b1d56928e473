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
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations, islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from tilery import record
from tilery.errors import StoppedError, integer, is_real
from tilery.luck import Judge, of_game
from tilery.policies import MCTS, SECONDS, UCT, EnginePolicy, OutsidePolicy, full_text, of_engine, policy
from tilery.protocol import Game, Policy
from tilery.runs import deals
from tilery.runs.shards import MANIFEST, RunError, games_of_shard
from tilery.simulation import PolicyLike, Referee, game_named, threads_of
from tilery.simulation import play as play_games
from tilery.statistics import Sprt, counted, less_luck, over_others, share_interval, t_interval


@dataclass
class Side:
    """The results of one policy at a table.

    policy: its text. shares: its share of the wins in each deal, a game shared by k winners counting 1/k.
    margins: its mean lead over the best other seat in each deal, in points (positive is better).
    seconds, decisions: how long it thought in all games, and how often it had to choose.
    cpu_seconds: the CPU time of that, which the referee does not see of a program.
    luck: of each deal the share of the wins and the lead that the draws gave it, if that was asked for.
    """

    policy: str
    shares: list[float] = field(default_factory=list)
    margins: list[float] = field(default_factory=list)
    luck: list[tuple[float, float]] = field(default_factory=list)
    seconds: float = 0.0
    decisions: int = 0
    cpu_seconds: float = 0.0

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

    def less_luck(self) -> dict[str, Any] | None:
        """Share and lead without the luck of the draws, of the same expectation; None if that was not asked for.

        A dict of `share`, `share_95`, `margin`, `margin_95` (intervals by Student's t, None if all deals are alike),
        `share_variance` and `margin_variance`: the variance of a deal as a part of that with luck.
        """
        if not self.luck:
            return None
        found: dict[str, Any] = {}
        for name, samples, luck in zip(
            ("share", "margin"), (self.shares, self.margins), np.transpose(self.luck), strict=True
        ):
            corrected, n = less_luck(samples, luck), len(samples)
            mean, spread = float(corrected.mean()), float(corrected.std(ddof=1)) if n > 1 else 0.0
            before = float(np.std(samples, ddof=1)) if n > 1 else 0.0
            found |= {name: mean, f"{name}_95": t_interval(mean, spread / math.sqrt(n), n)}
            found[f"{name}_variance"] = (spread / before) ** 2 if before > 0 else 1.0
        return found

    @property
    def seconds_per_decision(self) -> float:
        """The mean time it thought."""
        return self.seconds / self.decisions if self.decisions else 0.0

    @property
    def seconds_of_cpu_per_decision(self) -> float | None:
        """The mean CPU time of that; None for a program."""
        if self.policy.startswith("cmd:"):
            return None
        return self.cpu_seconds / self.decisions if self.decisions else 0.0


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
class Standings:
    """The results of the games of one table.

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
        sentences = []
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
            sentences.append(f"{side.policy} lost {lost} by failing: {'; '.join(why)}")
        return sentences

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON types, without the single games. Everything but the times is deterministic."""
        names = ["policy", "share", "share_95", "error", "margin", "margin_95"]
        names += ["seconds_per_decision", "seconds_of_cpu_per_decision"]
        return {
            "games": self.games,
            "verdict": self.verdict,
            "failures": [asdict(each) for each in self.failures],
            "sides": [
                {name: getattr(side, name) for name in names}
                | ({} if (found := side.less_luck()) is None else {"less_luck": found})
                for side in self.sides
            ],
        }


@dataclass(frozen=True)
class Rating:
    """The strength of a policy as OpenSkill estimates it: a normal distribution of this mean and standard deviation."""

    mean: float
    deviation: float


def ratings(tables: Sequence[Standings]) -> dict[str, Rating]:
    """Return the ratings of all policies of these tables, by text, from the places in all games.

    The model is OpenSkill's Plackett-Luce with strengths that do not change: everybody begins at 25 with a standard
    deviation of 25 / 3, and the games are counted in their order. Of a policy in several seats of a game the mean of
    their new ratings counts. Bots that failed before their first decision have none; their games do not count.

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


Progress = Callable[[Standings], None]


def line_ups(entrants: Sequence[Any], num_players: int) -> Iterator[list[int]]:
    """The tables of a match, as indices of entrants by seat.

    All choices of `num_players` entrants; where there are fewer, all pairs, with the second in all other seats.
    """
    if len(entrants) >= num_players:
        yield from (list(chosen) for chosen in combinations(range(len(entrants)), num_players))
    else:
        yield from ([a, *[b] * (num_players - 1)] for a, b in combinations(range(len(entrants)), 2))


def play(
    game: Game | str,
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
    budget: float | None = None,
    out: str | Path | None = None,
    luck: PolicyLike | None = None,
    clock: tuple[float, float] | None = None,
) -> list[Standings]:
    """Play every table of the entrants and return what came of each.

    game: a game of the engine or the name of one, from its initial state.
    entrants: at least two policies: whatever `tilery.policy` takes. One that is not of the engine and raises, ends, is
        silent for too long or sends what it must not loses that game; `failures` of the table and `lost` of the record
        say why.
    games: at each table; rounded up to whole deals of one game for each rotation of the seats.
    sprt: ends a table early. progress: called with the table after every few deals. records: called with each game.
    seconds: how long a program may take for each answer, more than 0. log: gets the standard error of programs.
    allow_failures: play also with programs that cannot be started, and lose all games.
    budget: CPU seconds for each decision: searches get the simulations that fit (`within_budget`).
    out: a directory that keeps the deals that are finished; the same match goes on there if it was interrupted. What a
        budget allows is measured before its first deal and never again.
    luck: who judges what every draw gave, so that `Side.less_luck` can take it off; None for nobody.
    clock: the seconds that each program has for a game, and those that each of its answers adds; not with `out`.

    Ctrl-C raises `MatchInterrupted`, which has the tables so far. Raises `ValueError` for fewer than two entrants and
    naming a wrong argument, `BotError` for a program that cannot be started, before the first game, `RunError` for a
    directory that holds anything else, and what `tilery.simulate` raises.
    """
    game, threads = game_named(game), threads_of(threads)
    if isinstance(entrants, str) or not isinstance(entrants, Sequence):
        raise ValueError(f"entrants must be a sequence of policies, got {entrants!r}")
    if len(entrants) < 2:
        raise ValueError(f"a match needs at least two entrants, got {len(entrants)}")
    games, seed = integer("games", games, 1, 2**40), integer("seed", seed, 0, 2**64 - 1)
    for name, value in (("seconds", seconds), ("budget", 1 if budget is None else budget)):
        if not is_real(value) or not 0 < value < math.inf:
            raise ValueError(f"{name} must be a positive number, got {value!r}")
    for name, given, known, what in (
        ("sprt", sprt, isinstance(sprt, Sprt), "a tilery.statistics.Sprt"),
        ("progress", progress, callable(progress), "a function"),
        ("records", records, callable(records), "a function"),
        ("log", log, hasattr(log, "write"), "a binary file"),
    ):
        if given is not None and not known:
            raise ValueError(f"{name} must be {what}, got {given!r}")
    policies = [policy(each) for each in entrants]
    if budget is not None and not any(isinstance(each, UCT | MCTS) for each in policies):
        raise ValueError("a budget needs a search among the entrants, such as uct:100 or mcts:100")
    if clock is not None:
        if out is not None:
            raise ValueError("with a clock a match is not the same again, so it is not kept in a directory")
        policies = [timed(each, clock) for each in policies]
    asked = [str(each) for each in policies]
    if budget is not None and not (out is not None and (Path(out) / MANIFEST).exists()):
        policies = [within_budget(game, each, budget) for each in policies]
    plan = deals.Plan(
        game=game.name,
        rules=game.rules.as_dict(),
        asked=asked,
        deals=-(-games // game.num_players),
        seed=seed,
        shard=_deals_of_shard(game, policies),
        seconds=float(seconds),
        sprt=None if sprt is None else [sprt.low, sprt.high],
        budget=None if budget is None else float(budget),
        policies=[full_text(each, game.name) for each in policies],
    )
    with ExitStack() as stack:
        store = None if out is None else stack.enter_context(deals.Deals(out, plan))
        if store is not None and budget is not None:
            plan = store.plan
            if any(text not in asked and not of_engine(text) for text in plan.policies):
                raise RunError(f"{out} holds a match between policies that are not of the engine")
            kept = zip(policies, plan.policies, strict=True)
            policies = [policy(text) if isinstance(each, UCT | MCTS) else each for each, text in kept]
        if not allow_failures:
            for each in policies:
                if isinstance(each, OutsidePolicy):
                    each.check(game, seconds, log)
        judge = None if luck is None else policy(luck)
        match = _Match(game, policies, plan, store, log, judge, threads, sprt, progress, records)
        for seats in line_ups(policies, game.num_players):
            table = Standings([Side(str(policies[who])) for who in dict.fromkeys(seats)])
            match.tables.append(table)
            try:
                _play_table(match, seats)
            except KeyboardInterrupt:
                raise MatchInterrupted([each for each in match.tables if each.games]) from None
    return match.tables


def timed(entrant: Policy, clock: tuple[float, float]) -> Policy:
    """A program with a clock; other policies have none."""
    from tilery.bots import Clock, CommandPolicy

    if not isinstance(clock, (tuple, list)) or len(clock) != 2 or not all(is_real(each) for each in clock):
        raise ValueError(f"a clock is two numbers, the seconds for a game and those that an answer adds, got {clock!r}")
    left, increment = clock
    if not 0 < left < math.inf or not 0 <= increment < math.inf:
        raise ValueError(f"a clock has more than 0 seconds, and adds 0 or more, got {clock}")
    return CommandPolicy(entrant.command, Clock(left, increment)) if isinstance(entrant, CommandPolicy) else entrant


class MatchInterrupted(KeyboardInterrupt):
    """Ctrl-C in a match; `tables` are those that have games."""

    def __init__(self, tables: list[Standings]) -> None:
        super().__init__()
        self.tables = tables


def within_budget(game: Game, chosen: Policy, seconds: float) -> Policy:
    """A search with as many simulations as fit into these CPU seconds for a decision; others stay as they are.

    It is measured here and now, over positions of a game between `greedy`, so that it is not the same the next time.
    """
    if not isinstance(chosen, UCT | MCTS):
        return chosen
    given = {key: value for key, value in chosen.parameters.items() if key not in ("simulations", "seconds")}
    _, (tokens,) = play_games(game, 1, seed=0, first=0, threads=1, records=True, policies="greedy")
    states = [state for _, state in record.positions(record.of_state(game.new_initial_state(), tokens))]
    states = [state for state in states if state.current_player() >= 0 and len(state.legal_actions()) > 1]
    states = states[:: max(1, len(states) // 8)]
    simulations = 8
    while True:
        measured = type(chosen)(simulations, **given)
        began = time.thread_time()
        for state in states:
            measured.choose(state, 1)
        mean = (time.thread_time() - began) / len(states)
        if mean >= seconds or mean * len(states) >= 0.2 or simulations >= 2**20:
            return type(chosen)(max(1, round(simulations * seconds / max(mean, 1e-9))), **given)
        simulations *= 2


def _deals_of_shard(game: Game, policies: Sequence[Policy]) -> int:
    """The number of deals that are played and kept together: about a second of work, ten at most."""
    if not all(isinstance(each, EnginePolicy) for each in policies):
        return 1
    return max(1, min(10, games_of_shard(game, [str(each) for each in policies]) // game.num_players))


@dataclass
class _Match:
    """A match under way: its settings, and its tables so far."""

    game: Game
    policies: Sequence[Policy]
    plan: deals.Plan
    store: deals.Deals | None
    log: BinaryIO | None
    luck: Policy | None
    threads: int
    sprt: Sprt | None
    progress: Progress | None
    records: Callable[[record.Record], None] | None
    tables: list[Standings] = field(default_factory=list)


def _play_table(match: _Match, seats: list[int]) -> None:
    """Play the last table of a match, some deals after the others; on threads where the engine plays alone."""
    plan, table, threads = match.plan, match.tables[-1], match.threads
    shards = -(-plan.deals // plan.shard)
    first = shards * (len(match.tables) - 1)
    stopped = threading.Event()

    def piece_of(shard: int) -> tuple[deals.Piece, npt.NDArray[np.float64] | None]:
        piece = _piece(match, seats, (first + shard, shard * plan.shard), stopped)
        return piece, None if match.luck is None else _luck(match.game, match.luck, piece.records)

    def take(shard: int, played: tuple[deals.Piece, npt.NDArray[np.float64] | None]) -> bool:
        """Count some deals; whether the table goes on."""
        piece, luck = played
        _count(match, seats, piece, shard * plan.shard, luck)
        if match.records is not None:
            for written in piece.records:
                match.records(written)
        if match.progress is not None:
            match.progress(table)
        if match.sprt is not None:
            table.verdict = match.sprt.verdict(table.sides[0].shares)
        return table.verdict is None

    if threads == 1 or not all(isinstance(each, EnginePolicy) for each in match.policies):
        all(take(shard, piece_of(shard)) for shard in range(shards))
    else:
        with ThreadPoolExecutor(threads) as pool:
            ahead = iter(range(shards))
            waiting = deque(pool.submit(piece_of, shard) for shard in islice(ahead, 2 * threads))
            try:
                for shard in range(shards):
                    piece = waiting.popleft().result()
                    waiting.extend(pool.submit(piece_of, another) for another in islice(ahead, 1))
                    if not take(shard, piece):
                        break
            finally:
                stopped.set()
                for future in waiting:
                    future.cancel()
    if table.verdict is not None and match.store is not None:
        match.store.drop(first + -(-len(table.sides[0].shares) // plan.shard), first + shards)


def _piece(match: _Match, seats: list[int], which: tuple[int, int], stopped: threading.Event) -> deals.Piece:
    """Some deals in every rotation: those on disk, or played now.

    which: the number of the file, and the first deal.
    """
    number, first = which
    plan, n = match.plan, len(seats)
    count = min(plan.shard, plan.deals - first)
    rotated = [[match.policies[seats[(seat + rotation) % n]] for seat in range(n)] for rotation in range(n)]
    names = [[full_text(each, match.game.name) for each in line_up] for line_up in rotated]
    if match.store is not None and (found := match.store.read(number, names, first, count)) is not None:
        return found

    def go_on(_games: int) -> None:
        if stopped.is_set():
            raise StoppedError("the match was stopped")

    thinking = np.zeros((n, count, n, 3))
    written: list[list[record.Record]] = []
    details: dict[int, str] = {}
    for rotation, line_up in enumerate(rotated):
        referee = Referee(plan.seconds, match.log)
        results, tokens = play_games(
            match.game,
            count,
            seed=plan.seed,
            first=first,
            threads=1,
            records=True,
            policies=line_up,
            thinking=thinking[rotation],
            referee=referee,
            progress=go_on,
        )
        games = list(record.of_results(match.game, results, tokens, seed=plan.seed, first=first))
        for i, each in enumerate(games):
            more: dict[str, Any] = {**each.more, "policies": names[rotation]}
            if (error := referee.failures.get(i)) is not None:
                more["lost"] = {"seat": error.seat, "reason": error.reason}
                details[i * n + rotation] = error.details
                games[i] = replace(each, scores=None, returns=None, more=more)
            else:
                games[i] = replace(each, more=more)
        written.append(games)
    in_turn = [game for games in zip(*written, strict=True) for game in games]
    piece = deals.Piece(in_turn, thinking.swapaxes(0, 1).reshape(count * n, n, 3).tolist(), details)
    if match.store is not None:
        match.store.write(number, piece)
    return piece


def _luck(game: Game, judged_by: Policy, records: Sequence[record.Record]) -> npt.NDArray[np.float64]:
    """The luck of each seat in games, float64[games, 2, seats]: share of the win, and lead over the mean of the
    others. 0 in a game that a bot lost by failing.
    """
    judge, found = Judge(game, judged_by), np.zeros((len(records), 2, game.num_players))
    sign = -1 if game.fewest_points_win else 1
    for i, each in enumerate(records):
        if "lost" not in each.more:
            points, wins = of_game(judge, each)
            found[i] = wins, sign * over_others(points)
    return found


def _count(
    match: _Match, seats: list[int], piece: deals.Piece, first: int, luck: npt.NDArray[np.float64] | None
) -> None:
    """Add some deals to the sides of the last table."""
    table, n = match.tables[-1], len(seats)
    distinct = list(dict.fromkeys(seats))
    sides = [[distinct.index(seats[(seat + rotation) % n]) for seat in range(n)] for rotation in range(n)]
    lost = {i: each.more["lost"]["seat"] for i, each in enumerate(piece.records) if "lost" in each.more}
    returns, points = np.zeros((2, len(piece.records), n))
    for i, each in enumerate(piece.records):
        if i in lost:  # all others win, 0 to 0
            returns[i] = 1 / (n - 1)
            returns[i, lost[i]] = -1
            reason = each.more["lost"]["reason"]
            lost_by = sides[i % n][lost[i]]
            table.failures.append(Failure(lost_by, first + i // n, lost[i], reason, piece.details.get(i, "")))
        else:
            returns[i], points[i] = each.returns or 0, each.scores or 0
    if match.game.fewest_points_win:
        points = 0 - points
    won = returns == returns.max(axis=1, keepdims=True)
    best_other = np.where(np.eye(n, dtype=bool), -np.inf, points[:, None, :]).max(axis=2)
    measured = [won / won.sum(axis=1, keepdims=True), points - best_other]
    if luck is not None:
        measured += [luck[:, 0], luck[:, 1]]
    values, thinking = np.stack(measured, axis=2), np.array(piece.thinking)
    played_by = np.tile(sides, (len(values) // n, 1))  # by game and seat, as all of these
    for number, side in enumerate(table.sides):
        own = played_by == number
        means = (values[own].reshape(-1, n, own[0].sum(), len(measured)).mean(axis=2) / n).sum(axis=1)  # by deal
        side.shares += means[:, 0].tolist()
        side.margins += means[:, 1].tolist()
        if luck is not None:
            side.luck += [(of_win, of_lead) for _, _, of_win, of_lead in means.tolist()]
        seconds, decisions, cpu_seconds = thinking[own].sum(axis=0).tolist()
        side.seconds += seconds
        side.decisions += int(decisions)
        side.cpu_seconds += cpu_seconds
    points[list(lost), list(lost.values())] = -1  # last, behind all others, who are first
    better = (points[:, None, :] > points[:, :, None]).sum(axis=2)
    for line_up, places in zip(played_by.tolist(), better.tolist(), strict=True):
        table.places.append(list(zip(line_up, places, strict=True)))
    table.games += len(piece.records)
