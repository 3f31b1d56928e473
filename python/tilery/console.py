"""What the commands share: arguments, sentences, tables and progress.

Tables and progress come from rich, the extra `tilery[cli]`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import tilery
from tilery.extras import imported
from tilery.protocol import Game


class UsageError(Exception):
    """A command that cannot be carried out; the message is the sentence shown."""


def add_game_arguments(command: argparse.ArgumentParser) -> None:
    """Add the game and its options."""
    command.add_argument("game", help=f"one of {', '.join(tilery.games())}")
    add_option_arguments(command, "any option of the game (`games GAME` lists them); VALUE is JSON, or a plain word")


def add_option_arguments(command: argparse.ArgumentParser, meaning: str) -> None:
    """Add the number of players and --set, whose help is `meaning`."""
    command.add_argument("--players", type=int, default=None, help="how many players")
    command.add_argument(
        "--set",
        dest="options",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help=meaning,
    )


def count(text: str) -> int:
    """A whole number up to 2**40, also in the forms 1e6 and 1_000_000."""
    number = 0
    if len(text) <= 30 and re.fullmatch(r"[0-9]+(_[0-9]+)*", text):
        number = int(text)
    elif len(text) <= 30 and re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,12})?[eE]\+?[0-9]{1,2}", text):
        digits, _, exponent = text.lower().partition("e")
        whole, _, fraction = digits.partition(".")
        if len(fraction.rstrip("0")) > int(exponent):
            raise argparse.ArgumentTypeError(f"expected a whole number, got {text!r}")
        number = int(whole + fraction) * 10 ** int(exponent) // 10 ** len(fraction)
    else:
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 to 2**40, got {text!r}")
    if number > 2**40:
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 to 2**40, got {text}")
    return number


def threads(text: str) -> int:
    """A number of threads, 1 to 1024."""
    if not re.fullmatch("[0-9]{1,4}", text) or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 1024, got {text!r}")
    return int(text)


def seed(text: str) -> int:
    """A seed, 0 to 2**64 - 1."""
    if not text.isascii() or not text.isdigit() or int(text[:21]) >= 2**64:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 2**64 - 1, got {text!r}")
    return int(text)


def settings(texts: list[str], flag: str = "--set") -> dict[str, Any]:
    """Options of a game, given as OPTION=VALUE.

    Raises `UsageError` for a text without "=", or with a value that is nested too deeply.
    """
    chosen: dict[str, Any] = {}
    for setting in texts:
        name, equals, text = setting.partition("=")
        if not equals:
            raise UsageError(f"{flag} takes OPTION=VALUE, got {setting!r}")
        try:
            chosen[name] = json.loads(text)
        except RecursionError:
            raise UsageError(f"{flag} {name}: the value is nested too deeply") from None
        except ValueError:
            chosen[name] = text
    return chosen


def game_of(options: argparse.Namespace) -> Game:
    """The game that `add_game_arguments` has asked for."""
    chosen: dict[str, Any] = {} if options.players is None else {"players": options.players}
    game: Game = tilery.load(options.game, **chosen | settings(options.options))
    return game


def say(text: str, *, to_errors: bool = False) -> None:
    """Print a line."""
    stream = sys.stderr if to_errors else sys.stdout
    stream.write(text + "\n")
    stream.flush()


def rich_package() -> Any:
    """rich, with the modules of it that are used here."""
    for module in ("rich.box", "rich.console", "rich.progress", "rich.table"):
        imported(module, "cli", "tables")
    return imported("rich", "cli", "tables")


def console(*, to_errors: bool = False) -> Any:
    """A console that leaves a closed pipe to `tilery.cli.main`."""
    rich = rich_package()
    stream = sys.stderr if to_errors else sys.stdout

    class Console(rich.console.Console):  # type: ignore[misc, name-defined]
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Console(width=None if stream.isatty() else 100, stderr=to_errors)


@contextlib.contextmanager
def progress(total: int) -> Iterator[Callable[[int], None]]:
    """A function to be called with the number of games that are done; on a terminal it moves a bar."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    rich = rich_package()
    columns = (
        rich.progress.TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        rich.progress.BarColumn(),
        rich.progress.TextColumn("{task.fields[rate]}"),
        rich.progress.TimeRemainingColumn(),
    )
    began, there = time.perf_counter(), -1
    with rich.progress.Progress(*columns, console=rich.console.Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=total, rate="")

        def update(done: int) -> None:
            nonlocal there
            there = done if there < 0 else there
            rate = (done - there) / (time.perf_counter() - began)
            bar.update(task, completed=done, rate=f"{rate:,.0f} games/s")

        yield update
