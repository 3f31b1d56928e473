"""Arguments that several commands share, and what their words stand for."""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import math
import re
import sys
from decimal import Decimal
from pathlib import Path
from typing import IO, Any

import tilery
from tilery.cli.console import progress, say
from tilery.errors import printable, unknown
from tilery.files import may_write
from tilery.protocol import Game

PYTHON = {"True": True, "False": False, "None": None}
"""Values as Python writes them, and so the documentation."""
NUMBER = re.compile(r"[0-9]+(_[0-9]+)*|[0-9]{1,12}(\.[0-9]{1,12})?[eE]\+?[0-9]{1,2}")


class UsageError(Exception):
    """A command that cannot be carried out; the message is the sentence shown."""


class Command(argparse.ArgumentParser):
    """The parser of the command line or of a command, to which it adds arguments that several commands share.

    It takes flags by their whole names alone: a command line keeps its meaning when a flag is added, and `tilery
    simulate` finds the flags among its words. What is not known is answered by the parser of the command.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, allow_abbrev=False)
        self.add_argument(
            "--debug", action="store_true", default=argparse.SUPPRESS, help="show errors with a traceback"
        )

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse what is not known."""
        found, rest = super().parse_known_args(args, namespace)
        for word in rest:
            if word.startswith("-"):
                flags = (flag for flag in self._option_string_actions if flag.startswith("--"))
                self.error(printable(unknown("flag", word.partition("=")[0], flags)))
        if rest:
            self.error(f"unrecognized arguments: {printable(' '.join(rest))}")
        return found, rest

    def add_switch(self, flag: str, meaning: str) -> None:
        """Add a flag that is given or not."""
        self.add_argument(flag, action="store_true", help=meaning)

    def add_value(self, flag: str, shown: str, meaning: str, **settings: Any) -> None:
        """Add a flag with a value, which the help shows as `shown`."""
        self.add_argument(flag, metavar=shown, help=meaning, **settings)

    def add_game(self) -> None:
        self.add_argument("game", help=f"one of {', '.join(tilery.games())}")
        self.add_options("any option of the game (`games GAME` lists them); VALUE is JSON, or a plain word")

    def add_options(self, meaning: str) -> None:
        """Add the number of players, --edition and --set, whose help is `meaning`."""
        self.add_argument("--players", type=int, help="how many players")
        self.add_value(
            "--edition",
            "NAME",
            "options in one word: default, source or official (`games` lists what they set); --set overrides them",
            default="default",
        )
        self.add_value("--set", "OPTION=VALUE", meaning, action="append", dest="options", default=[])

    def add_runs(self, *, games: int) -> None:
        meaning = f"how many, also as 1e6 or 1_000_000 (default {games})"
        self.add_value("--games", "N", meaning, type=count, default=games)
        self.add_argument("--seed", type=seed, default=0, help="game i plays stream (seed, i); default 0")
        self.add_value("--threads", "N", "1 to 1024 (default: one for each core)", type=threads)
        self.add_value(
            "--policy",
            "TEXT",
            "who plays, such as greedy, mcts:1000, py:MODULE:FUNCTION, cmd:COMMAND or agent:FILE: once for all "
            "seats, or once per seat (default random)",
            action="append",
            dest="policies",
        )

    def add_rungs(self) -> None:
        self.add_value(
            "--rungs",
            "K,K,...",
            "let rungs of the game's ladder play instead, 200 games each unless a number is given, and show how "
            "each figure changes from weak play to the champion's (default: the weakest, one in the middle, the first "
            "network, the champion)",
            nargs="?",
            const=(),
            type=_numbers,
        )

    def add_output(self, *, append: bool = False) -> None:
        """Add what to do with a file that holds data, which is refused otherwise."""
        ways = self.add_mutually_exclusive_group()
        ways.add_argument("--overwrite", action="store_true", help="replace a file that holds data")
        if append:
            ways.add_argument("--append", action="store_true", help="write records after those that the file holds")

    def add_records(self) -> None:
        """Add --records, and what to do with a file that holds data."""
        self.add_value(
            "--records",
            "FILE.jsonl",
            "also write every game to a file, compressed if it ends with .gz or .zst; - is standard output",
        )
        self.add_output(append=True)

    def add_ray(self, what: str) -> None:
        self.add_value(
            "--ray", "ADDRESS", f"{what} on a Ray cluster (default: one on this machine)", nargs="?", const="local"
        )


def game_of_file(file: Path, number: int) -> tilery.record.Record:
    """The record with this number, from 0, in a file. Raises `UsageError` if there is none."""
    for at, written in enumerate(tilery.record.read(file)):
        if at == number:
            return written
    raise UsageError(f"{file} has no game {number}")


def over_rungs(options: argparse.Namespace, title: str, game: Game, changed: Game | None = None) -> int:
    """Carry out --rungs, and print it; Ctrl-C ends it with the rungs that are over."""
    from tilery.runs import rungs  # commands without games do not need it

    for flag in ("policies", "out", "records", "moves", "ray", "rotate", "less_luck", "first"):
        if getattr(options, flag, None):
            shown = flag.replace("policies", "policy").replace("_", "-")
            raise UsageError(f"--rungs plays games of its own; leave out --{shown}")
    games = options.games if any(word.partition("=")[0] == "--games" for word in options.words) else rungs.GAMES
    at_least_one(options, "games")
    found, interrupted = rungs.Climb(), False
    chosen = rungs.chosen(game.name, options.rungs or None)
    with progress(len(chosen) * games * (1 if changed is None else 2)) as update:
        how = {"seed": options.seed, "threads": options.threads, "progress": update}
        try:
            rungs.climb(game, games, changed=changed, numbers=[each.number for each in chosen], found=found, **how)
        except KeyboardInterrupt:
            if not found.steps:
                raise
            interrupted = True
    if options.json:
        say(json.dumps({"game": game.name, "rules": game.rules.as_dict(), "seed": options.seed, **found.to_dict()}))
    else:
        found.table(f"{title}: seed {options.seed}").print(sys.stdout)
        say(found.may_change())
    return 130 if interrupted else 0


def _numbers(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[0-9]{1,4}(,[0-9]{1,4})*", text):
        raise argparse.ArgumentTypeError(f"expected numbers of rungs such as 1,5,9, got {text!r}")
    return tuple(map(int, text.split(",")))


def records_file(options: argparse.Namespace) -> contextlib.AbstractContextManager[IO[str] | None]:
    """The file of --records, open; None if it is not given."""
    only_with(options, "--append", "--records")
    if options.records is None:
        return contextlib.nullcontext()
    return tilery.record.opened(options.records, "a" if options.append else "w" if options.overwrite else "x")


def suffixed(path: Path | None, flag: str, *suffixes: str) -> None:
    """Raise `UsageError` if a file that a flag names ends with a suffix of another format."""
    if path is not None and path.suffix.lower() not in ("", *suffixes):
        raise UsageError(f"{flag} writes a file that ends with {suffixes[0]}, got {str(path)!r}")


def output(options: argparse.Namespace, path: Path | None, flag: str, *suffixes: str) -> None:
    """Raise as `suffixed`, and what writing the file would raise, before the work that makes its content."""
    suffixed(path, flag, *suffixes)
    if path is not None:
        may_write(path, overwrite=options.overwrite)


def _whole(low: int, high: int, words: str, text: str) -> int:
    """A whole number in a range, also in the forms 1e6 and 1_000_000."""
    number = Decimal(text) if len(text) <= 30 and NUMBER.fullmatch(text) else Decimal(-1)
    if not low <= number <= high or number % 1:
        raise argparse.ArgumentTypeError(f"expected {words}, got {text!r}")
    return int(number)


count = functools.partial(_whole, 0, 2**40, "a whole number from 0 to 2**40")
percent = functools.partial(_whole, 0, 100, "a percentage from 0 to 100")
threads = functools.partial(_whole, 1, 1024, "a number from 1 to 1024")
seed = functools.partial(_whole, 0, 2**64 - 1, "a number from 0 to 2**64 - 1")
session_seed = functools.partial(_whole, 0, 2**53 - 1, "a number from 0 to 2**53 - 1")
port = functools.partial(_whole, 0, 2**16 - 1, "a number from 0 to 65535")


def positive(text: str) -> float:
    """A finite number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text!r}")
    return number


def at_least_one(options: argparse.Namespace, *flags: str) -> None:
    """Raise `UsageError` if the number of one of these flags is 0."""
    for flag in flags:
        if getattr(options, flag) == 0:
            raise UsageError(f"--{flag} must be at least 1")


def passed_on(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The values of flags, for a function that takes them as arguments of the same names."""
    return {name: getattr(options, name) for name in names}


def only_with(options: argparse.Namespace, flag: str, needed: str) -> None:
    """Raise `UsageError` if a flag is given without the one that it belongs to."""
    given, there = (getattr(options, each.lstrip("-").replace("-", "_"), None) for each in (flag, needed))
    if given not in (None, False) and there in (None, False):
        raise UsageError(f"{flag} is for {needed}")


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
            chosen[name] = PYTHON[text] if text in PYTHON else json.loads(text)
        except RecursionError:
            raise UsageError(f"{flag} {name}: the value is nested too deeply") from None
        except ValueError:
            chosen[name] = text
    return chosen


def game_of(options: argparse.Namespace) -> Game:
    """The game that `add_game_arguments` has asked for."""
    game: Game = tilery.load(options.game, **chosen_options(options))
    return game


def chosen_options(options: argparse.Namespace) -> dict[str, Any]:
    """The options that --edition, --players and --set choose. Raises `UsageError` for an unknown edition."""
    editions = tilery.editions(options.game)
    if options.edition not in editions:
        raise UsageError(unknown("edition", options.edition, editions))
    players = {} if options.players is None else {"players": options.players}
    return editions[options.edition] | players | settings(options.options)


def special_rules(rules: dict[str, Any], name: str, typed: dict[str, str] | None = None) -> str:
    """The number of players and the options that are not at their default, in words."""
    defaults = tilery.load(name).rules.as_dict()
    special = []
    for option, value in rules.items():
        if option != "players" and value != defaults[option]:
            custom = (typed or {}).get(option, "custom")
            special.append(
                f"{option}={(custom if len(custom) < 60 else 'custom') if isinstance(value, dict) else value}"
            )
    return ", ".join([f"{rules['players']} players", *special])
