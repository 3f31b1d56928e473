"""The entry of the command line: finds the command, runs it, and turns its errors into sentences."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent

import tilery
from tilery.cli.arguments import Command, UsageError
from tilery.cli.console import say
from tilery.errors import BotError, printable, unknown
from tilery.extras import MissingExtraError
from tilery.files import discard

DEFECT = 70
"""The exit status of a defect of tilery, EX_SOFTWARE in sysexits.h."""

COMMANDS = (
    "simulate",
    "compare",
    "report",
    "match",
    "play",
    "bot",
    "analyse",
    "review",
    "puzzles",
    "ladder",
    "train",
    "perft",
    "replay",
    "show",
    "games",
    "rules",
    "docs",
    "doctor",
    "completion",
)
"""A module for each command, in the order of the help. Its docstring is the help; it has two functions: `add` declares
the command's arguments, and `run` carries it out and returns the exit code."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns 0 if it succeeded, 1 if a record does not replay or a bot failed, 2 if it could not be run, 70 for a defect
    of tilery, and 130 if it was interrupted. With --debug it raises what it would tell otherwise.
    """
    if sys.stdout is None:
        print("tilery: standard output is closed", file=sys.stderr)
        return 2
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # an encoding that lacks a character, as ASCII, gets "?"
    words = sys.argv[1:] if arguments is None else arguments
    parser = _parser(words)
    if words and not words[0].startswith("-") and words[0] not in COMMANDS:
        parser.error(unknown("command", words[0], COMMANDS))
    options = parser.parse_args(words)
    options.words, options.parser = words, parser
    try:
        if sys.stdin is None and (getattr(options, "file", None) == Path("-") or getattr(options, "text", False)):
            raise UsageError("standard input is closed")
        code: int = options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt as interrupt:
        rest = f"; the rest is played by: {interrupt}" if str(interrupt) else ""
        print(f"tilery: interrupted{rest}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # what reads the output has seen enough; nothing may be flushed at exit
        discard(sys.stdout)
        return 0
    except Exception as error:
        if options.debug:
            raise
        status, sentence = _sentence(error)
        say(f"tilery: {printable(sentence)}", to_errors=True)
        if isinstance(error, BotError) and error.details:
            say(f"The end of what it said:\n{indent(error.details, '    ')}", to_errors=True)
        return status
    return code


def _sentence(error: Exception) -> tuple[int, str]:
    """The exit status of an error, and the sentence that tells it."""
    if isinstance(error, tilery.RecordError):
        return 1, str(error)
    if isinstance(error, BotError):
        return 1, error.reason
    if isinstance(error, FileExistsError):
        return 2, f"{error.filename} exists; name a new file, or add --overwrite"
    if isinstance(error, OSError) and error.strerror is not None:
        return 2, error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    if isinstance(error, MemoryError):
        return 2, "there is not enough memory"
    if isinstance(error, RecursionError):
        return 2, "a value is nested too deeply"
    if isinstance(error, UsageError | MissingExtraError | OSError | ValueError) or "start thread" in str(error):
        return 2, str(error)
    defect = f"{type(error).__name__}: {error}".rstrip(": ")
    return DEFECT, f"a defect of tilery: {defect}; please report it, with what --debug prints"


def _parser(words: Sequence[str]) -> Command:
    """The parser of these words. It has the command that they begin with, or else all, which take long to import."""
    parser = Command(prog="tilery", description="Play, count and replay board games with the tilery engine.")
    parser.set_defaults(debug=False)
    parser.add_argument("--version", action="version", version=f"tilery {tilery.__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    asked = set(COMMANDS).intersection(words[:1]) - {"completion"}
    for name in asked or COMMANDS:
        module = importlib.import_module(f"tilery.cli.{name}")
        about = " ".join((module.__doc__ or "").partition(": ")[2].rstrip(".").split())
        command = commands.add_parser(name, help=about)
        module.add(command)
        command.set_defaults(run=module.run)
    return parser
