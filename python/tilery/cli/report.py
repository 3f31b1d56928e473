"""The command `report`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from tilery.cli.arguments import UsageError, count, threads
from tilery.cli.console import console, rich_package, say
from tilery.files import open_regular
from tilery.runs.files import whole_file
from tilery.runs.report import MARK, Table, figures, page, sample_of, section
from tilery.runs.shards import Run


def add(commands: Any) -> None:
    """Add the command `report`."""
    command = commands.add_parser("report", help="print what runs say, and write it as one HTML page with figures")
    command.add_argument("runs", nargs="+", metavar="DIR", help="what simulate --out has written")
    command.add_argument(
        "--page", type=Path, default=Path("report.html"), metavar="FILE.html", help="default report.html"
    )
    command.add_argument("--no-page", action="store_true", help="print the tables alone")
    command.add_argument(
        "--sample",
        type=count,
        metavar="N",
        help="games that are played again to see where points come from (default: 1000, fewer of slow policies)",
    )
    command.add_argument(
        "--threads", type=threads, default=None, metavar="N", help="1 to 1024 (default: one for each core)"
    )
    command.add_argument("--json", action="store_true", help="print the tables as one JSON object")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry out `tilery report`."""
    if options.sample == 0:
        raise UsageError("--sample must be at least 1")
    if not options.no_page:
        _may_write(options.page)
    runs = [Run.open(path) for path in options.runs]
    sections = []
    for run in runs:
        found = sample_of(run, options.sample, options.threads)
        made = section(run, found)
        if not options.no_page:
            made.figures += figures(run, found)
        sections.append(made)
    if options.json:
        say(
            json.dumps(
                [{"heading": each.heading, "tables": [table._asdict() for table in each.tables]} for each in sections]
            )
        )
    else:
        out = console()
        for each in sections:
            out.print(each.heading, highlight=False)
            for name, value in each.facts[:3]:
                out.print(f"{name}: {value}", highlight=False)
            for table in each.tables:
                out.print(table.title, highlight=False)
                out.print(_printed(table))
            if each.at_random:
                out.print("All players choose at random: these figures say little about the game.", highlight=False)
    if not options.no_page:
        with whole_file(options.page) as file:
            file.write(page(sections).encode("utf-8"))
        if not options.json:
            say(f"page written to {options.page}")
    return 0


def _may_write(path: Path) -> None:
    """Raise `UsageError` if the page would replace a file that is not a report."""
    try:
        with open_regular(path) as file:
            is_report = MARK.encode("utf-8") in file.read(200)
    except FileNotFoundError:
        return
    except ValueError:
        is_report = False
    if not is_report:
        raise UsageError(f"{path} is not a report of tilery; name another file with --page")


def _printed(table: Table) -> Any:
    rich = rich_package()
    shown = rich.table.Table(box=rich.box.SIMPLE_HEAD)
    for number, heading in enumerate(table.head):
        shown.add_column(heading, justify="right" if number else "left")
    for row in table.rows:
        shown.add_row(*row)
    return shown
