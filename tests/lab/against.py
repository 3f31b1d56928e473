"""A policy of this version against one of another version, and the CPU time of a decision of both.

    python -m tests.lab.against GAME --python PYTHON [--first champion] [--second mcts:1000]
        [--players 2] [--games 100] [--seed S] [--note TEXT]

PYTHON is the interpreter with the other version of tilery installed, for example that of commit 890d3b8, whose `mcts`
is the yardstick of docs/champions.md. The other one is a program in a process of its own; seats rotate, and luck is the
same for all games of a deal. Prints an entry for experiments.toml. Among more players all others are the second.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

import tilery
from tests.kit.games import GAMES
from tilery import match

BOT = Path(__file__).parent / "timed_bot.py"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--python", required=True)
    parser.add_argument("--first", default="champion")
    parser.add_argument("--second", default="mcts:1000")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--note", default="890d3b8", help="what the other version is called")
    parser.add_argument("--luck", default=None, metavar="POLICY", help="also the share less the luck this judges")
    options = parser.parse_args()
    game = tilery.load(options.game, players=options.players)
    policy: Any = tilery.policy(options.first)
    first = policy.resolved(game.name)
    with tempfile.TemporaryDirectory() as folder:
        times = Path(folder) / "times"
        bot = shlex.join([options.python, "-I", str(BOT), options.second, str(times)])
        tables: list[match.Standings] = []
        with suppress(match.MatchInterrupted):
            tables = match.play(
                game,
                [options.first, f"cmd:{bot}"],
                games=options.games,
                seed=options.seed,
                threads=1,
                luck=options.luck,
                progress=lambda table: print(table.games, table.sides[0].share, file=sys.stderr, flush=True),
            )
        theirs = [float(line) for line in times.read_text().split()]
    table = tables[0]
    assert not table.failures, table.broken()
    low, high = table.sides[0].share_95
    own_time = table.sides[0].seconds_of_cpu_per_decision or 0
    share = [round(100 * each, 1) for each in (table.sides[0].share, low, high)]
    print(
        f'[[against]]\nmatch = ["{options.game}", "{first}", "{options.second}"]\nother = "{options.note}"\n'
        f"players = {options.players}\ngames = {table.games}\nseed = {options.seed}\nshare = {share}\n"
        f"milliseconds = [{1e3 * own_time:.3f}, {1e3 * np.mean(theirs):.3f}]"
    )
    if options.luck and (corrected := table.sides[0].less_luck()):
        print(f"# less luck: {corrected}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
