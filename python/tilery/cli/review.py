"""The command `review`: say what was good, bad and luck in a recorded game."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import tilery
from tilery import pictures
from tilery.cli.arguments import Command, count, game_of_file, output, passed_on, seed, threads
from tilery.cli.console import progress, say
from tilery.files import write_whole


def add(command: Command) -> None:
    command.add_argument("file", type=Path)
    command.add_value("--game", "K", "game K of the file; default 0, the first", type=count, default=0)
    command.add_argument(
        "-o", "--page", type=Path, metavar="FILE.html", help="also write it as one HTML page to click through"
    )
    command.add_output()
    command.add_value("--policy", "TEXT", "who judges (default: the champion; nn without a ladder, then greedy)")
    command.add_switch("--open", "judge with all hands open, not by what each player knew at the time")
    command.add_value(
        "--worlds", "N", "worlds in which an action is compared (default: 16; 4 in long games)", type=count
    )
    command.add_value(
        "--turns", "N", "turns played on in each (default: two of each player; 2 in long games)", type=count
    )
    command.add_argument("--seed", type=seed, default=0, help="of those worlds; default 0")
    command.add_value("--threads", "N", "1 to 1024 (default: one for each core)", type=threads)
    command.add_value("--cache", "DIR", "a folder where what is found of positions is kept", type=Path)
    command.add_switch("--json", "print the review as one JSON object")


def run(options: argparse.Namespace) -> int:
    output(options, options.page, "-o", ".html", ".htm")
    written = game_of_file(options.file, options.game)
    how = passed_on(options, "policy", "worlds", "turns", "seed", "threads", "cache")
    with progress(len(written.actions.split()), "actions") as update:
        found = tilery.review(written, all_open=options.open, progress=lambda done, _all: update(done), **how)
    say(json.dumps(found.to_dict()) if options.json else str(found))
    if options.page is not None:
        write_whole(options.page, pictures.steps(written, review=found).encode(), overwrite=options.overwrite)
        say(f"page written to {options.page}", to_errors=options.json)
    return 0
