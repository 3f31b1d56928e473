"""The command `perft`: count the paths of a depth, chance outcomes included."""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from tilery.cli.arguments import Command, count, game_of


def add(command: Command) -> None:
    command.add_game()
    command.add_argument("--depth", type=count, default=3, help="default 3")
    command.add_switch("--json", "print the result as one JSON object")


def run(options: argparse.Namespace) -> int:
    game = game_of(options)
    state: Any = game.new_initial_state()
    rows = []
    if not options.json:
        print(f"{'depth':>5} {'paths':>24} {'seconds':>10}")
    for depth in range(min(1, options.depth), options.depth + 1):
        started = time.perf_counter()
        paths = state.perft(depth)
        rows.append({"depth": depth, "paths": paths, "seconds": time.perf_counter() - started})
        if not options.json:
            print(f"{depth:>5} {paths:>24,} {rows[-1]['seconds']:>10.3f}", flush=True)
    if options.json:
        print(json.dumps({"game": game.name, "rules": game.rules.as_dict(), "perft": rows}))
    return 0
