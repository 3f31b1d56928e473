"""The entry of the command line: finds the command, runs it, and turns its errors into sentences."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent
from typing import Any

import tilery
from tilery.cli import (
    analyse,
    bot,
    compare,
    completion,
    docs,
    doctor,
    games,
    ladder,
    match,
    perft,
    play,
    replay,
    report,
    rules,
    show,
    simulate,
    train,
)
from tilery.cli.arguments import UsageError
from tilery.errors import BotError, unknown
from tilery.extras import MissingExtraError

COMMANDS = (
    simulate,
    compare,
    report,
    match,
    play,
    bot,
    analyse,
    ladder,
    train,
    perft,
    replay,
    show,
    games,
    rules,
    docs,
    doctor,
    completion,
)
"""A module for each command, in the order of the help. Each has two functions: `add` declares the command's arguments,
and `run` carries it out and returns the exit code."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns 0 if it succeeded, 1 if a record does not replay or a bot failed, 2 if it could not be run, 130 if it was
    interrupted.
    """
    if sys.stdout is None:
        print("tilery: standard output is closed", file=sys.stderr)
        return 2
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # an encoding that lacks a character, as ASCII, gets "?"
    parser, known = _parser()
    words = sys.argv[1:] if arguments is None else arguments
    if words and not words[0].startswith("-") and words[0] not in known:
        parser.error(unknown("command", words[0], known))
    options = parser.parse_args(words)
    options.words, options.parser = words, parser
    try:
        if sys.stdin is None and _reads_input(options):
            raise UsageError("standard input is closed")
        code: int = options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt as interrupt:
        rest = f"; the rest is played by: {interrupt}" if str(interrupt) else ""
        print(f"tilery: interrupted{rest}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # what reads the output has seen enough; nothing may be flushed at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except BotError as error:
        said = f"\nThe end of what it said:\n{indent(error.details, '    ')}" if error.details else ""
        print(f"tilery: {error.reason}{said}", file=sys.stderr)
        return 1
    except (UsageError, MissingExtraError, OSError, ValueError) as error:
        print(f"tilery: {error}", file=sys.stderr)
        return 1 if isinstance(error, tilery.RecordError) else 2
    return code


def _reads_input(options: argparse.Namespace) -> bool:
    """Whether a command reads standard input."""
    return (
        getattr(options, "reads_input", False)
        or getattr(options, "file", None) == Path("-")
        or getattr(options, "text", False)
    )


class _Parser(argparse.ArgumentParser):
    """Takes flags by their whole names alone, and so do its subparsers.

    A command line keeps its meaning when a flag is added, and `tilery simulate` finds the flags among its words.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, allow_abbrev=False)


def _parser() -> tuple[argparse.ArgumentParser, list[str]]:
    """The parser, and the names of its commands."""
    parser = _Parser(prog="tilery", description="Play, count and replay board games with the tilery engine.")
    parser.add_argument("--version", action="version", version=f"tilery {tilery.__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return parser, list(commands.choices)
