"""The command `compare`: compare rules or policies game by game: one game as it is and changed, or two finished
runs."""

from __future__ import annotations

import argparse
import functools
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

import tilery
from tilery.cli import console
from tilery.cli.arguments import Command, UsageError, at_least_one, over_rungs, settings, special_rules
from tilery.cli.console import progress, say
from tilery.errors import unknown
from tilery.luck import Judge, of_game
from tilery.options import declared
from tilery.protocol import Game
from tilery.record import of_results
from tilery.runs.columns import Columns, columns
from tilery.runs.compare import Comparison, compare
from tilery.runs.shards import GAMES_OF_THREAD, Run, plan
from tilery.simulation import available_cores, play

PIECES = 100
MOST_AT_ONCE = 100_000


def add(command: Command) -> None:
    command.add_argument("what", nargs="+", metavar="GAME | DIR DIR", help="a game, or the directories of two runs")
    command.add_options("what is changed: an option of the second")
    command.add_value("--both", "OPTION=VALUE", "an option of the first and the second", action="append", default=[])
    command.add_runs(games=2000)
    command.add_rungs()
    command.add_value(
        "--out",
        "DIR",
        "keep the games as two runs, DIR/first and DIR/second; the same command goes on if it was interrupted",
        type=Path,
    )
    command.add_switch(
        "--less-luck", "also compare points and wins without what the draws gave, as the champion judges them"
    )
    command.add_value(
        "--ask",
        "FIGURE",
        "what the comparison is made for, such as margin or score_1: its p value stands alone, those of all "
        "other figures are corrected for their number (default win_share_0)",
        default="win_share_0",
    )
    command.add_switch("--json", "print the result as one JSON object")


def run(options: argparse.Namespace) -> int:
    if len(options.what) > 2:
        raise UsageError(f"compare takes a game, or two directories; got {len(options.what)} words")
    if options.rungs is not None:
        if len(options.what) == 2:
            raise UsageError("--rungs plays games of its own; give a game instead of two runs")
        games, names = _pair(options)
        return over_rungs(options, f"what changes from {names[0]}\n               to {names[1]}", *games)
    interrupted: list[KeyboardInterrupt] = []
    found, names = _of_runs(options) if len(options.what) == 2 else _of_games(options, interrupted)
    if options.ask not in {each.name for each in found.differences}:
        raise UsageError(unknown("figure", options.ask, (each.name for each in found.differences)))
    content = {"first": names[0], "second": names[1], "seed": options.seed, **found.to_dict()}
    if options.json:
        say(json.dumps(content))
    else:
        title = f"{found.games:,} pairs of games, seed {options.seed}\nfirst   {names[0]}\nsecond  {names[1]}"
        found.table(title, options.ask).print(sys.stdout)
        say(found.worth(options.ask))
        for name, part in found.variance_kept().items():
            say(f"{name} less luck: the variance of the differences is less by {100 * (1 - part):.0f} %")
    return console.interrupted(options.out) if interrupted else 0


def _of_runs(options: argparse.Namespace) -> tuple[Comparison, list[Any]]:
    """Compare two runs on disk, as far as both have been played."""
    runs = [Run.open(path) for path in options.what]
    for run in runs:
        _ = run.game  # raises `RunError` for rules that no game has
    plans = [asdict(run.plan) for run in runs]
    if options.less_luck:
        raise UsageError("--less-luck needs the games; it compares a game as it is and changed, without --out")
    given = (options.options, options.both, options.policies, options.players, options.out)
    if any(given) or options.edition != "default":
        raise UsageError(
            "runs that have been played are compared as they are, without --set, --edition, --both, --policy, --out"
        )
    for key in ("game", "seed", "first"):
        values = [plan[key] for plan in plans]
        if values[0] != values[1]:
            raise UsageError(
                f"runs are compared game by game; {key} is {values[0]!r} in one and {values[1]!r} in the other"
            )
    for run in runs:
        there = run.finished()
        if there != set(range(len(there))) or not there:
            raise UsageError(f"{run.path} has gaps; play the rest of it first")
    options.seed = plans[0]["seed"]
    names = [f"{run.path}: {' - '.join(run.plan.policies)}" for run in runs]
    return compare(*runs), names


def _of_games(options: argparse.Namespace, interrupted: list[KeyboardInterrupt]) -> tuple[Comparison, list[Any]]:
    """Play the same seeds under both; Ctrl-C is kept in `interrupted`, and what was played is compared."""
    at_least_one(options, "games")
    if options.less_luck and options.out is not None:
        raise UsageError("--less-luck needs the games, which runs on disk do not keep; leave out --out")
    policies = [str(tilery.policy(text)) for text in options.policies or ["random"]]
    if len(policies) > 2:
        raise UsageError(
            f"--policy is given once for both, or twice: for the first and the second; got {len(policies)}"
        )
    games, rules = _pair(options, policies)
    threads = options.threads or available_cores()
    with progress(2 * options.games) as update:
        done = [0, 0]

        def tell(which: int, before: int, now: int) -> None:
            done[which] = before + now
            update(sum(done))

        runs = []
        for which, game in enumerate(games):
            policy, report = policies[which % len(policies)], functools.partial(tell, which)
            if options.out is None:
                pieces = _played(game, options, (policy, threads), report)
            else:
                chosen = plan(game, options.games, seed=options.seed, policies=policy, separate=True)
                pieces = _kept(Run.start(options.out / ("first", "second")[which], chosen), threads, report)
            runs.append(_until_interrupted(pieces, interrupted))
        try:
            found = compare(*runs)
        except ValueError:
            if interrupted:  # before the first pair
                raise interrupted[0] from None
            raise
    return found, [f"{each}: {policies[which % len(policies)]}" for which, each in enumerate(rules)]


def _pair(options: argparse.Namespace, policies: Sequence[str] = ()) -> tuple[list[Game], list[str]]:
    """The game as it is and as changed, and their rules in words. Raises `UsageError` for what cannot differ."""
    (name,) = options.what
    changed = settings(options.options)
    of_both = settings(options.both, "--both") | ({} if options.players is None else {"players": options.players})
    games = [tilery.load(name, **of_both), tilery.load(name, edition=options.edition, **of_both | changed)]
    if games[0] == games[1] and len(set(policies)) < 2:
        raise UsageError(
            "nothing differs: change options with --set or --edition to other values, or give two of --policy"
        )
    rules = [game.rules.as_dict() for game in games]
    for option, (needed, off) in declared(name, "NEEDS", {}).items():
        if option in changed and all(each[needed] == off for each in rules):
            raise UsageError(f"{option} has no effect while {needed} is {json.dumps(off)}; set that too")
    return games, [special_rules(each, name) for each in rules]


def _played(
    game: Game, options: argparse.Namespace, how: tuple[str, int], tell: Callable[[int, int], None]
) -> Iterator[Columns]:
    """Play in pieces; chance is that of the seed, for all players and rules."""
    n, (policy, threads) = options.games, how
    piece = min(max(1, -(-n // PIECES)), MOST_AT_ONCE)
    chosen: dict[str, Any] = {"seed": options.seed, "threads": threads, "policies": policy, "separate": True}
    for first in range(0, n, piece):
        count, report = min(piece, n - first), functools.partial(tell, first)
        results, tokens = play(game, count, first=first, records=options.less_luck, progress=report, **chosen)
        flat = columns(results)
        if options.less_luck:
            games = of_results(game, results, tokens, seed=options.seed, first=first)
            points, wins = np.stack([of_game(Judge(game), each) for each in games], axis=2)
            flat |= {f"luck_score_{seat}": each for seat, each in enumerate(points)}
            flat |= {f"luck_win_share_{seat}": each for seat, each in enumerate(wins)}
        yield flat


def _until_interrupted(pieces: Iterator[Columns], interrupted: list[KeyboardInterrupt]) -> Iterator[Columns]:
    """These pieces, up to Ctrl-C in the playing of one."""
    try:
        yield from pieces
    except KeyboardInterrupt as interrupt:
        interrupted.append(interrupt)


def _kept(run: Run, threads: int, tell: Callable[[int, int], None]) -> Iterator[Columns]:
    """The shards of a run in their order; those that are missing are played, and put into their places."""
    size = run.plan.shard
    together = max(1, GAMES_OF_THREAD * threads // size)
    for first in range(0, run.shards, together):
        shards = range(first, min(first + together, run.shards))
        missing = [shard for shard in shards if not run.path_of(shard).exists()]
        if missing:
            played = run.play(first, threads, functools.partial(tell, first * size), count=len(shards))
            for shard in missing:
                begin = (shard - first) * size
                run.write(shard, {name: column[begin : begin + size] for name, column in played.items()})
        yield from map(run.read, shards)
    run.clean()
