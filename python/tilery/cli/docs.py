"""The command `docs`: list the pages of the documentation, or print one."""

from __future__ import annotations

import argparse

from tilery import pages
from tilery.cli.console import say, show_page
from tilery.errors import unknown


def add(command: argparse.ArgumentParser) -> None:
    command.add_argument("page", nargs="?", metavar="NAME", help="of a page, as bots or protocol (default: list them)")


def run(options: argparse.Namespace) -> int:
    names = pages.names()
    if options.page is None:
        for name in names:
            say(f"{name:22} {pages.page(f'{name}.md').partition(chr(10))[0].removeprefix('# ')}")
        return 0
    if options.page not in names:
        raise ValueError(unknown("page", options.page, names))
    show_page(pages.page(f"{options.page}.md"))
    return 0
