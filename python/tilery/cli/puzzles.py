"""The command `puzzles`: find positions in which one action is clearly best, and not obvious."""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import tilery
from tilery.cli.arguments import Command, at_least_one, count, game_of, output, seed
from tilery.cli.console import progress, say
from tilery.files import write_whole
from tilery.puzzles import mine
from tilery.record import Record
from tilery.tutorial import Lesson


def add(command: Command) -> None:
    command.add_game()
    command.add_value("--count", "N", "how many at most (default 10)", type=count, default=10)
    command.add_value("--games", "N", "games to look for them in (default 100)", type=count, default=100)
    command.add_value("--players-by", "TEXT", "who plays them (default mcts:60)", default="mcts:60")
    command.add_value("--policy", "TEXT", "who judges (default: the champion)")
    command.add_argument("--seed", type=seed, default=0, help="of the games; default 0")
    command.add_argument("-o", "--out", type=Path, metavar="FILE.json", help="write them as lessons of a tutorial")
    command.add_output()


def run(options: argparse.Namespace) -> int:
    output(options, options.out, "-o", ".json")
    game: Any = game_of(options)
    at_least_one(options, "count", "games")
    found: list[Lesson] = []
    games, interrupted = 0, False

    def played(update: Callable[[int], object]) -> Iterator[Record]:
        nonlocal games
        while games < options.games:
            results, tokens = tilery.simulate(
                game, 1, seed=options.seed, first=games, policies=options.players_by, records=True
            )
            games += 1
            update(games)
            yield from tilery.record.of_results(game, results, tokens, seed=options.seed, first=games - 1)

    try:
        with progress(options.games) as update:
            for puzzle in itertools.islice(mine(played(update), policy=options.policy), options.count):
                found.append(puzzle)
    except KeyboardInterrupt:
        interrupted = True
    for number, puzzle in enumerate(found, start=1):
        say(f"{number}. after {len(puzzle.actions.split())} actions: {puzzle.do}. {puzzle.why}")
    if options.out is not None:
        content = [{key: value for key, value in asdict(each).items() if key != "game"} for each in found]
        write_whole(options.out, (json.dumps(content, indent=1) + "\n").encode(), overwrite=options.overwrite)
    say(f"{len(found)} puzzles in {games} games", to_errors=True)
    return 130 if interrupted else 0
