"""The command `bot`: play by a policy over standard input and output, or check a program that does
(docs/protocol.md)."""

from __future__ import annotations

import argparse
import sys
from textwrap import indent

from tilery.bot_check import check
from tilery.bots import Lines, serve
from tilery.cli.arguments import Command, UsageError, game_of
from tilery.cli.console import say
from tilery.policies import SECONDS


def add(command: Command) -> None:
    command.add_argument("policy", metavar="POLICY | check", help="such as mcts:1000; or check, to check a program")
    command.add_argument("program", nargs="?", metavar="cmd:COMMAND", help="the program to be checked")
    command.add_argument("--game", default="toy", help="that it is checked in (default toy)")
    command.add_options("an option of that game")
    command.add_value("--seconds", "S", "for each answer of the program (default 10)", type=float, default=SECONDS)


def run(options: argparse.Namespace) -> int:
    if options.policy != "check":
        if options.program is not None:
            raise UsageError(f"bot takes a policy alone, or check cmd:COMMAND; got {options.program!r} too")
        if sys.stdin is None:
            raise UsageError("standard input is closed")
        serve(options.policy, Lines(sys.stdin.fileno()), sys.stdout)
        return 0
    if options.program is None:
        raise UsageError("bot check needs a program: cmd:COMMAND")
    if not options.seconds > 0:
        raise UsageError(f"--seconds must be more than 0, got {options.seconds:g}")
    found = check(options.program, game_of(options), seconds=options.seconds)
    for case in found:
        say(f"{'passed' if case.passed else 'FAILED'}  {case.name}: {case.finding}")
        if case.details:
            say(indent(case.details, "        "))
    return 0 if all(case.passed for case in found) else 1
