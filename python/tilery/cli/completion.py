"""The command `completion`."""

from __future__ import annotations

import argparse
from typing import Any

from tilery.cli.arguments import UsageError


def add(commands: Any) -> None:
    """Add the command `completion`."""
    command = commands.add_parser("completion", help="print a script that completes commands in a shell")
    command.add_argument("shell", choices=["bash", "zsh", "tcsh"])
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry out `tilery completion`."""
    try:
        import shtab
    except ImportError as error:
        raise UsageError(f"{error}; completion needs the extra: pip install 'tilery[cli]'") from None
    print(shtab.complete(options.parser, shell=options.shell))
    return 0
