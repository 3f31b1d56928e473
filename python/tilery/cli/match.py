"""The command `match`: play policies against each other, seats rotated and luck paired."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from textwrap import indent
from typing import Any

import tilery
from tilery.cli.arguments import Command, at_least_one, count, game_of, passed_on, positive, records_file, seed, threads
from tilery.cli.console import interrupted, say
from tilery.files import open_output
from tilery.luck import default_policy
from tilery.statistics import Sprt
from tilery.tables import Table


def add(command: Command) -> None:
    command.add_game()
    command.add_argument("policies", nargs="+", metavar="POLICY", help="two or more, such as mcts:1000 greedy")
    command.add_value("--games", "N", "at each table, rounded up to whole deals (default 200)", type=count, default=200)
    command.add_argument("--seed", type=seed, default=0, help="deal i has the luck of stream (seed, i); default 0")
    command.add_value("--threads", "N", "1 to 1024 (default: one for each core)", type=threads)
    command.add_value(
        "--sprt",
        "LOW,HIGH",
        "stop when the first policy's share of the wins is known to be above the first or below the second of "
        "these, such as 0.5,0.55; or elo:0,20 in Elo points above the others",
        type=_hypotheses,
    )
    command.add_value("--seconds", "S", "for each answer of a cmd: bot (default 10)", type=positive, default=10.0)
    command.add_value("--clock", "S+I", "of a cmd: bot: S seconds for a game, and I more for each answer", type=_clock)
    command.add_value("--bot-log", "FILE", "append what programs write to standard error to a file", type=Path)
    command.add_switch("--allow-failures", "end with 0 also if a bot failed, and play with one that cannot start")
    command.add_value(
        "--out",
        "DIR",
        "keep every deal that is finished in a directory; the same command goes on if it was interrupted",
    )
    command.add_value(
        "--budget",
        "TIME",
        "CPU time for each decision, such as 5ms: searches get the simulations that fit, which is measured once",
        type=_seconds,
    )
    command.add_value(
        "--less-luck",
        "POLICY",
        "also print the results less what the draws gave, as a policy judges them (default: the champion)",
        nargs="?",
        const="",
    )
    command.add_records()
    command.add_switch("--json", "print the result as one JSON object")


def _hypotheses(text: str) -> Callable[[int], Sprt]:
    """The test of a text, for a number of players."""
    made = Sprt.of_elo if text.startswith("elo:") else lambda low, high, _players: Sprt(low, high)
    low, _, high = text.removeprefix("elo:").partition(",")
    try:
        numbers = float(low), float(high)
        made(*numbers, 2)
    except (ValueError, OverflowError) as error:
        expected = f"expected LOW,HIGH such as 0.5,0.55 or elo:0,20, got {text!r}: {error}"
        raise argparse.ArgumentTypeError(expected) from None
    return lambda players: made(*numbers, players)


def _clock(text: str) -> tuple[float, float]:
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\+([0-9]{1,9}(?:\.[0-9]{1,9})?)", text)
    if match is None or float(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"expected seconds and increment such as 60+0.5, got {text!r}")
    return float(match[1]), float(match[2])


def _seconds(text: str) -> float:
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(us|ms|s)", text)
    if match is None or float(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"expected a time such as 5ms, 200us or 0.1s, got {text!r}")
    return float(match[1]) * {"us": 1e-6, "ms": 1e-3, "s": 1.0}[match[2]]


def run(options: argparse.Namespace) -> int:
    game = game_of(options)
    at_least_one(options, "games")
    sprt = None if options.sprt is None else options.sprt(game.num_players)
    if not options.json:
        say(f"{game.name}, {game.num_players} players: {', '.join(options.policies)}")
    with ExitStack() as stack:
        file = stack.enter_context(records_file(options))
        log = stack.enter_context(open_output(options.bot_log, append=True)) if options.bot_log else None
        stopped = False
        try:
            tables = tilery.match.play(
                game,
                options.policies,
                sprt=sprt,
                log=log,
                luck=default_policy(game) if options.less_luck == "" else options.less_luck,
                progress=_standing if sys.stderr.isatty() else None,
                records=None if file is None else lambda written: print(written.to_json(), file=file),
                **passed_on(options, "games", "seed", "threads", "seconds", "allow_failures", "budget", "out", "clock"),
            )
        except tilery.match.MatchInterrupted as interrupt:
            tables, stopped = interrupt.tables, True
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    ratings = _ratings(tables)
    if options.json:
        content: dict[str, Any] = {"game": game.name, "rules": game.rules.as_dict(), "seed": options.seed}
        content["tables"] = [table.to_dict() for table in tables]
        content["ratings"] = {name: {"mean": each.mean, "deviation": each.deviation} for name, each in ratings.items()}
        print(json.dumps(content))
    elif tables:
        _print(tables, ratings, game.num_players, sprt)
    broken = [sentence for table in tables for sentence in table.broken()]
    for sentence in broken:
        say(sentence, to_errors=options.json)
    last = next((each for table in tables for each in table.failures if each.details), None)
    if last is not None:
        say("The end of what it said:\n" + indent(last.details, "    "), to_errors=True)
    if stopped:
        return interrupted(options.out)
    return 1 if broken and not options.allow_failures else 0


def _ratings(tables: list[tilery.match.Standings]) -> dict[str, tilery.match.Rating]:
    """The ratings of a match; none, with a sentence on standard error, where openskill is missing."""
    try:
        return tilery.match.ratings(tables)
    except ImportError as error:
        print(f"tilery: {error}; ratings need the extra: pip install 'tilery[match]'", file=sys.stderr)
        return {}


def _print(
    tables: list[tilery.match.Standings], ratings: dict[str, tilery.match.Rating], players: int, sprt: Sprt | None
) -> None:
    rows: list[list[str]] = []
    begins = []

    def add(name: str, games: int, share: float, interval: Sequence[float], margin: float, *rest: str) -> None:
        low, high = interval
        shares = [f"{100 * share:.1f} %", f"{100 * low:.1f} .. {100 * high:.1f} %"]
        rows.append([name, f"{games:,}", *shares, f"{margin:+.1f}", *rest])

    for table in tables:
        begins.append(len(rows))
        others = players - len(table.sides) + 1  # the seats of the last side, if it has more than one
        for side in table.sides:
            times = side.seconds_per_decision, side.seconds_of_cpu_per_decision
            thought = ["-" if time is None else f"{1000 * time:.3g}" for time in times]
            rating = ratings.get(side.policy)
            rated = f"{rating.mean:.1f} +- {2 * rating.deviation:.1f}" if rating else "-"
            seats = f" (a seat of {others})" if side is table.sides[-1] and others > 1 else ""
            add(f"{side.policy}{seats}", table.games, side.share, side.share_95, side.margin, *thought, rated)
        for side in table.sides:
            if (found := side.less_luck()) is not None:
                share, interval = found["share"], found["share_95"] or [found["share"]] * 2
                saved = [f"{100 * (1 - found[f'{name}_variance']):.0f} %" for name in ("share", "margin")]
                less = f"variance less by {saved[0]}, of the lead by {saved[1]}"
                add(f"{side.policy}, less luck", table.games, share, interval, found["margin"], "", "", less)
        if sprt is not None:
            low, high = f"above {100 * sprt.low:.1f} %", f"below {100 * sprt.high:.1f} %"
            known = {"high": low, "low": high}.get(table.verdict or "", f"not known to be {low} or {high}")
            rows.append([f"the share of {table.sides[0].policy} is {known}"])
    head = ["policy", "games", "win share", "95% interval", "mean lead", "ms/decision", "CPU ms", "rating"]
    Table("", head, rows, begins[1:]).print(sys.stdout)


def _standing(table: tilery.match.Standings) -> None:
    """The standing of a table, written over itself."""
    shares = "  ".join(
        f"{side.policy} {100 * side.share:.1f} ({100 * side.share_95[0]:.1f} .. {100 * side.share_95[1]:.1f}) %"
        for side in table.sides
    )
    print(f"\r{table.games:,} games: {shares}\x1b[K", end="", file=sys.stderr, flush=True)
