"""The command `rules`."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import tilery
from tilery.cli.console import console


def add(commands: Any) -> None:
    """Add the command `rules`."""
    command = commands.add_parser("rules", help="print the page of a game: its rules, options, actions and rulings")
    command.add_argument("game", help=f"one of {', '.join(tilery.games())}")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry out `tilery rules`."""
    text = tilery.rules_page(options.game)
    if sys.stdout.isatty():
        try:
            import rich.markdown
        except ImportError:
            pass  # the text as it is can be read too
        else:
            console().print(rich.markdown.Markdown(text))
            return 0
    print(text, end="")
    return 0
