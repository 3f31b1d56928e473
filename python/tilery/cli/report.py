"""The command `report`: print what runs say, and write it as one HTML page with figures."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tilery.cli.arguments import Command, UsageError, at_least_one, count, threads
from tilery.cli.console import progress, say
from tilery.files import may_write, write_whole
from tilery.runs import rungs
from tilery.runs.report import figures, games, page, sample_of, section
from tilery.runs.shards import Run


def add(command: Command) -> None:
    command.add_argument("runs", nargs="+", metavar="DIR", help="what simulate --out has written")
    command.add_value("--page", "FILE.html", "default report.html", type=Path, default=Path("report.html"))
    command.add_output()
    command.add_rungs()
    command.add_switch("--no-page", "print the tables alone")
    command.add_value(
        "--sample",
        "N",
        "games that are played again to see where points come from (default: 1000, fewer of slow policies)",
        type=count,
    )
    command.add_value(
        "--luck", "N", "judge the luck of the draws in N of these games (default 0)", type=count, default=0
    )
    command.add_value("--threads", "N", "1 to 1024 (default: one for each core)", type=threads)
    command.add_switch("--json", "print the tables as one JSON object")


def run(options: argparse.Namespace) -> int:
    at_least_one(options, "sample")
    if options.no_page and any(word.partition("=")[0] == "--page" for word in options.words):
        raise UsageError("--page and --no-page do not go together")
    if not options.no_page:
        may_write(options.page, overwrite=options.overwrite)
    runs = [Run.open(path) for path in options.runs]
    sections, overwrite = [], options.overwrite
    for run in runs:
        with progress(options.sample or run.plan.games, "games played again") as update:
            found = sample_of(run, options.sample, options.threads, update, options.luck)
        sections.append(section(run, found))
        if options.rungs is not None:
            climb = rungs.climb(
                run.game, rungs.GAMES, numbers=options.rungs or None, seed=run.plan.seed, threads=options.threads
            )
            sections[-1].tables.append(climb.table(f"{rungs.GAMES} games by each rung"))
            sections[-1].facts.append(("strength", climb.may_change()))
        if not options.no_page:  # what there is can be read while the next run is played again
            sections[-1].figures += figures(run, found)
            sections[-1].games += games(run, found)
            write_whole(options.page, page(sections).encode("utf-8", errors="replace"), overwrite=overwrite)
            overwrite = True
    if options.json:
        keys = ("title", "head", "rows")
        content = [
            {"heading": each.heading, "tables": [{key: getattr(one, key) for key in keys} for one in each.tables]}
            for each in sections
        ]
        say(json.dumps(content))
    else:
        for each in sections:
            say(each.heading)
            for name, value in each.facts:
                if name not in ("rules", "tilery", "a game again"):
                    say(f"{name}: {value}")
            say("")
            for table in each.tables:
                table.print(sys.stdout)
            if each.at_random:
                say("All players choose at random: these figures say little about the game.")
    if not options.no_page and not options.json:
        say(f"page written to {options.page}")
    return 0
