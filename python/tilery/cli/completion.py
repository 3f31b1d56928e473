"""The command `completion`: print a script that completes commands in a shell."""

from __future__ import annotations

import argparse

from tilery.extras import imported


def add(command: argparse.ArgumentParser) -> None:
    command.add_argument("shell", choices=["bash", "zsh", "tcsh"])


def run(options: argparse.Namespace) -> int:
    print(imported("shtab", "cli", "completions in shells").complete(options.parser, shell=options.shell))
    return 0
