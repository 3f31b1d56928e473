"""The command `rules`: print the page of a game: its rules, options, actions and rulings."""

from __future__ import annotations

import argparse

import tilery
from tilery.cli.console import show_page


def add(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", help=f"one of {', '.join(tilery.games())}")


def run(options: argparse.Namespace) -> int:
    show_page(tilery.rules_page(options.game))
    return 0
