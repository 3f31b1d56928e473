"""The command `simulate`: play games at random or between policies, and show how they went."""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import numpy as np

import tilery
from tilery import record
from tilery.cli.arguments import (
    Command,
    UsageError,
    at_least_one,
    count,
    game_of,
    output,
    over_rungs,
    records_file,
    special_rules,
)
from tilery.cli.console import progress, say, uninterrupted
from tilery.extras import imported
from tilery.files import may_write, whole_file
from tilery.protocol import Game
from tilery.runs import on_ray
from tilery.runs.files import SHARDS, TABLES
from tilery.runs.moves import GAMES_AT_ONCE, File, pieces
from tilery.runs.shards import Run, plan
from tilery.runs.summary import Summary
from tilery.simulation import available_cores, play

PIECES = 100
"""A run in memory is cut into at least this many calls, so that progress and interruptions show what is done."""

MOST_AT_ONCE = 1_000_000
"""Games in one call at most, so that memory does not grow with the length of a run."""

MOST_IN_A_FILE = 10_000_000
"""Games in one file at most, which are kept in memory until all are played."""


def add(command: Command) -> None:
    command.add_game()
    command.add_runs(games=10_000)
    command.add_value("--first", "K", "begin with game K of the seed; default 0", type=count, default=0)
    command.add_switch("--rotate", "seat p of game i is played by policy p + i")
    command.add_rungs()
    command.add_records()
    command.add_value(
        "--out",
        "DIR",
        "write shards into a directory; the same command continues if it was interrupted. Or write one "
        "FILE.csv, .npy or .parquet",
    )
    command.add_value("--shard", "N", "games in a shard of --out DIR (default: about a second of work)", type=count)
    command.add_argument(
        "--files", choices=list(SHARDS), help="format of the shards (default: parquet; npz without pyarrow)"
    )
    command.add_ray("play the shards of --out DIR")
    command.add_value("--moves", "FILE.parquet", "also write a row for each action: who, what, from how many, points")
    command.add_switch("--json", "print the result as one JSON object")


@dataclass
class _Played:
    """The games that a command has played so far."""

    summary: Summary = field(default_factory=Summary)
    seconds: float = 0.0
    """In games."""
    games: int = 0
    """In these seconds."""
    notes: list[str] = field(default_factory=list)
    go_on: str = ""
    """The command that plays the rest, if it was interrupted."""


def run(options: argparse.Namespace) -> int:
    game = game_of(options)
    if options.rungs is not None:
        return over_rungs(options, f"{game.name}, {special_rules(game.rules.as_dict(), game.name)}", game)
    at_least_one(options, "games")
    options.policies = [str(tilery.policy(text)) for text in options.policies or ["random"]]
    if options.rotate and len(options.policies) == 1:
        raise UsageError("--rotate needs two policies or more")
    options.threads = options.threads or available_cores()
    kind = _kind_of_out(options.out)
    if kind != "shards" and options.ray is not None:
        raise UsageError("--ray is for --out DIR")
    if kind != "shards" and (options.shard is not None or options.files is not None):
        raise UsageError("--shard and --files are for --out DIR")
    for flag in ("moves", "records"):
        if kind and getattr(options, flag) is not None:
            again = "any game of a run can be played again with --first"
            raise UsageError(f"--out and --{flag} do not go together; {again}")
    if options.moves == "-":
        raise UsageError("--moves takes a file: Parquet is not for standard output")
    if options.moves is not None:
        output(options, Path(options.moves), "--moves", ".parquet")
    played = _into_shards(game, options) if kind == "shards" else _in_memory(game, options, kind)
    _show(game, played, options)
    return 130 if played.go_on else 0


def _kind_of_out(out: str | None) -> str:
    """ "shards", the suffix of a table, or nothing."""
    if out is None:
        return ""
    suffix = Path(out).suffix
    if not suffix or Path(out).is_dir() or out.endswith(("/", os.sep)):
        return "shards"
    if suffix in TABLES:
        return suffix
    raise UsageError(
        f"--out takes a directory or a file that ends with {', '.join(TABLES)}, got {out!r}; "
        "the name of a new directory with a dot in it ends with a slash"
    )


def _how(options: argparse.Namespace) -> dict[str, Any]:
    texts = options.policies
    players = {"policies": texts[0] if len(texts) == 1 else texts, "rotate": options.rotate}
    return {"seed": options.seed, "first": options.first, **players}


def _in_memory(game: Game, options: argparse.Namespace, kind: str) -> _Played:
    """Play in pieces, keeping no more than sums, or all for one file, if `kind` is the suffix of one."""
    if kind:
        may_write(options.out, overwrite=options.overwrite)
        if options.games > MOST_IN_A_FILE:
            raise UsageError(f"more than {MOST_IN_A_FILE:,} games need a directory: --out DIR")
        if kind == ".parquet":
            imported("pyarrow.parquet", "arrow", "files .parquet")
    played, kept = _Played(), []
    n, chosen = options.games, {"threads": options.threads, **_how(options)}
    piece = min(max(1, math.ceil(n / PIECES)), MOST_AT_ONCE)
    began = time.perf_counter()
    with ExitStack() as stack:
        file = stack.enter_context(records_file(options))
        moves = None
        if options.moves:
            opened = stack.enter_context(whole_file(options.moves, overwrite=options.overwrite))
            moves = stack.enter_context(File(opened, game))
        update = stack.enter_context(progress(n))
        by_action = file is not None or moves is not None
        try:
            while played.games < n:
                many, first = min(piece, n - played.games), options.first + played.games
                settings = {**chosen, "first": first, "progress": lambda now: update(played.games + now)}
                started = time.perf_counter()
                results, tokens = play(game, many, records=by_action, **settings)
                played.seconds += time.perf_counter() - started
                tables = None if moves is None else pieces(game, tokens, first=first, threads=options.threads)
                step = GAMES_AT_ONCE if by_action else many
                for begin in range(0, many, step):
                    part = slice(begin, begin + step)
                    table = None if tables is None else next(tables)
                    with uninterrupted():
                        if moves is not None:
                            moves.add(table)
                        if file is not None:
                            numbers = {"seed": options.seed, "first": first + begin}
                            written = record.of_results(game, results[part], tokens[part], **numbers)
                            file.writelines(each.to_json() + "\n" for each in written)
                        if kind:
                            kept.append(results[part])
                        played.summary.add(results[part])
                        played.games += len(results[part])
        except KeyboardInterrupt:
            if kind or not played.games:
                raise
            left: dict[str, object] = {"--first": options.first + played.games, "--games": n - played.games}
            if options.moves is not None:  # Parquet cannot be appended to
                path = Path(options.moves)
                left["--moves"] = path.with_stem(f"{path.stem}-from-{left['--first']}")
            switch = () if options.records in (None, "-") else ("--overwrite", "--append")
            played.go_on = _command_with(options, left, switch=switch)
    if moves is not None:
        rate = 60 * moves.rows / (time.perf_counter() - began)
        played.notes.append(f"{moves.rows:,} moves written to {options.moves}, {rate:,.0f} a minute with the playing")
    if options.records:
        rate = played.games / (time.perf_counter() - began)
        played.notes.append(
            f"{played.games:,} games written to {options.records}, {rate:,.0f} games/s with the writing"
        )
    if kind:
        with whole_file(options.out, overwrite=options.overwrite) as table:
            TABLES[kind](table, np.concatenate(kept))
        played.notes.append(f"{options.games:,} games written to {options.out}")
    return played


def _into_shards(game: Game, options: argparse.Namespace) -> _Played:
    """Start a run in a directory, or continue it."""
    chosen = plan(game, options.games, shard=options.shard, files=options.files, **_how(options))
    run = Run.start(options.out, chosen)
    before = sum(map(run.games_in, run.finished()))
    played = _Played()
    started = time.perf_counter()
    try:
        with progress(chosen.games) as update:
            if options.ray is None:
                run.work(threads=options.threads, progress=update)
            else:
                on_ray.work(run, options.ray, workers=options.threads, progress=update)
    except KeyboardInterrupt:
        played.go_on = _command_with(options, {})
        if not run.finished():
            raise KeyboardInterrupt(played.go_on) from None
    except OSError as error:
        whole = f"{len(run.finished()):,} of {run.shards:,} shards are whole"
        raise UsageError(f"{options.out}: {error.strerror or error}; {whole}, and the same command continues") from None
    played.seconds = time.perf_counter() - started
    played.summary = run.summary()
    played.games = played.summary.games - before
    played.notes.append(
        f"{played.summary.games:,} games in {len(run.finished()):,} of {run.shards:,} shards of {options.out}"
    )
    return played


def _command_with(options: argparse.Namespace, changed: dict[str, object], switch: tuple[str, ...] = ()) -> str:
    """The command line with the values of some flags changed, and the last of some switches.

    (The parser takes no abbreviated flags.)
    """
    words, kept = (word for word in options.words if word not in switch), []
    for word in words:
        if word.partition("=")[0] not in changed:
            kept.append(word)
        elif "=" not in word:
            next(words)  # the value of the flag
    kept += switch[-1:]
    return shlex.join(["tilery", *kept, *(text for flag, value in changed.items() for text in (flag, str(value)))])


def _show(game: Game, played: _Played, options: argparse.Namespace) -> None:
    """Print the summary: on standard error if records are on standard output."""
    rate = played.games / played.seconds if played.games else None
    summary = played.summary.to_dict()
    content = {
        "game": game.name,
        "rules": game.rules.as_dict(),
        "seed": options.seed,
        "first": options.first,
        "threads": options.threads,
        "seconds": played.seconds,
        "games_per_second": rate,
        "decisions_per_second": None if rate is None else rate * summary["decisions_per_game"],
        **summary,
        "policies": options.policies,
        "rotate": options.rotate,
    }
    to_errors = options.records == "-"
    if options.json:
        say(json.dumps(content), to_errors=to_errors)
    else:
        _print_summary(content, played.summary, options, sys.stderr if to_errors else sys.stdout)
        for note in played.notes:
            say(note, to_errors=to_errors)
    if played.go_on:
        say(f"tilery: interrupted; the rest is played by: {played.go_on}", to_errors=True)


def _print_summary(content: dict[str, Any], summary: Summary, options: argparse.Namespace, stream: TextIO) -> None:
    typed = {name: text for name, _, text in (setting.partition("=") for setting in options.options)}
    players = " - ".join(content["policies"])
    title = (
        f"{content['game']}, {special_rules(content['rules'], content['game'], typed)}: "
        f"{content['games']:,} {players} games{', rotated' if content['rotate'] else ''}, seed {content['seed']}"
    )
    summary.table(title, content["policies"]).print(stream)
    if content["games_per_second"] is not None:
        stream.write(
            f"{content['games_per_second']:,.0f} games/s, {content['decisions_per_second']:,.0f} decisions/s on "
            f"{content['threads']} thread{'s' if content['threads'] > 1 else ''}; "
            f"{content['decisions_per_game']:.1f} decisions per game\n"
        )
    if summary.games > 1 and not any((*(side.score.sd for side in summary.seats), summary.decisions.sd)):
        stream.write("All games are alike: these policies and rules leave no luck, and the intervals say nothing.\n")
    if set(content["policies"]) == {"random"}:
        stream.write("All players choose at random: these win shares say little about the game.\n")
