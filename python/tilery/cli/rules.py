"""The command `rules`."""

from __future__ import annotations

import argparse
from typing import Any

import tilery
from tilery.cli.console import show_page


def add(commands: Any) -> None:
    """Add the command `rules`."""
    command = commands.add_parser("rules", help="print the page of a game: its rules, options, actions and rulings")
    command.add_argument("game", help=f"one of {', '.join(tilery.games())}")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry out `tilery rules`."""
    show_page(tilery.rules_page(options.game))
    return 0
