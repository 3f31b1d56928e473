"""The command `compare`."""

from __future__ import annotations

import argparse
import functools
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

import tilery
from tilery.cli.arguments import UsageError, add_option_arguments, add_run_arguments, settings, special_rules
from tilery.cli.console import progress, say
from tilery.protocol import Game
from tilery.run import available_cores, simulate
from tilery.runs.columns import columns
from tilery.runs.compare import Comparison, compare
from tilery.runs.files import Columns
from tilery.runs.shards import Run

PIECES = 100
MOST_AT_ONCE = 100_000


def add(commands: Any) -> None:
    """Add the command `compare`."""
    command = commands.add_parser(
        "compare", help="compare rules or policies game by game: one game as it is and changed, or two finished runs"
    )
    command.add_argument("what", nargs="+", metavar="GAME | DIR DIR", help="a game, or the directories of two runs")
    add_option_arguments(command, "what is changed: an option of the second")
    command.add_argument(
        "--both", action="append", default=[], metavar="OPTION=VALUE", help="an option of the first and the second"
    )
    add_run_arguments(command, games=2000)
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry out `tilery compare`."""
    if len(options.what) > 2:
        raise UsageError(f"compare takes a game, or two directories; got {len(options.what)} words")
    found, names = _of_runs(options) if len(options.what) == 2 else _of_games(options)
    told = {"first": names[0], "second": names[1], "seed": options.seed, **found.to_dict()}
    if options.json:
        say(json.dumps(told))
    else:
        title = f"{found.games:,} pairs of games, seed {options.seed}\nfirst   {names[0]}\nsecond  {names[1]}"
        found.table(title).print(sys.stdout)
    return 0


def _of_runs(options: argparse.Namespace) -> tuple[Comparison, list[Any]]:
    """Compare two runs on disk, as far as both have been played."""
    runs = [Run.open(path) for path in options.what]
    plans = [asdict(run.plan) for run in runs]
    if options.options or options.both or options.policies or options.players:
        raise UsageError("runs that have been played are compared as they are, without --set, --both and --policy")
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


def _of_games(options: argparse.Namespace) -> tuple[Comparison, list[Any]]:
    """Play the same seeds under both."""
    if options.games == 0:
        raise UsageError("--games must be at least 1")
    policies = [str(tilery.policy(text)) for text in options.policies or ["random"]]
    if len(policies) > 2:
        raise UsageError(
            f"--policy is given once for both, or twice: for the first and the second; got {len(policies)}"
        )
    changed = settings(options.options)
    of_both = settings(options.both, "--both") | ({} if options.players is None else {"players": options.players})
    if not changed and len(set(policies)) < 2:
        raise UsageError("nothing differs: change an option with --set, or give two of --policy")
    (name,) = options.what
    games = [tilery.load(name, **of_both), tilery.load(name, **of_both | changed)]
    threads = options.threads or available_cores()
    with progress(2 * options.games) as update:
        done = [0, 0]

        def tell(which: int, now: int) -> None:
            done[which] = now
            update(sum(done))

        runs = [
            _played(game, options, (policies[which % len(policies)], threads), functools.partial(tell, which))
            for which, game in enumerate(games)
        ]
        found = compare(*runs)
    names = [
        f"{special_rules(game.rules.as_dict(), name)}: {policies[which % len(policies)]}"
        for which, game in enumerate(games)
    ]
    return found, names


def _played(
    game: Game, options: argparse.Namespace, how: tuple[str, int], tell: Callable[[int], None]
) -> Iterator[Columns]:
    """Play in pieces; chance is that of the seed, for all players and rules."""
    n, (policy, threads) = options.games, how
    piece = min(max(1, -(-n // PIECES)), MOST_AT_ONCE)
    for first in range(0, n, piece):
        count = min(piece, n - first)
        results = simulate(
            game,
            count,
            seed=options.seed,
            first=first,
            threads=threads,
            policies=policy,
            separate=True,
            progress=functools.partial(_further, tell, first),
        )
        yield columns(results)


def _further(tell: Callable[[int], None], first: int, now: int) -> None:
    tell(first + now)
