"""The command `completion`: print a script that completes commands in a shell."""

from __future__ import annotations

import argparse

from tilery.cli.arguments import UsageError


def add(command: argparse.ArgumentParser) -> None:
    command.add_argument("shell", choices=["bash", "zsh", "tcsh"])


def run(options: argparse.Namespace) -> int:
    try:
        import shtab
    except ImportError as error:
        raise UsageError(f"{error}; completion needs the extra: pip install 'tilery[cli]'") from None
    print(shtab.complete(options.parser, shell=options.shell))
    return 0
