"""The command line: `python -m tilery simulate | perft | replay | show | games`.

Tables, progress and intervals come from rich and SciPy, the extra `tilery[cli]`.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import tilery
from tilery import record
from tilery.protocol import Game
from tilery.run import available_cores, simulate

PIECES = 100
"""A run is cut into about so many calls, so that progress shows and Ctrl-C is heard."""


class UsageError(Exception):
    """Something on the command line that cannot be done; the message is the sentence shown."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command: 0 when done, 1 when a record does not replay, 2 when it could not be run."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("tilery: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except (UsageError, OSError, ValueError) as error:
        print(f"tilery: {error}", file=sys.stderr)
        return 1 if isinstance(error, tilery.RecordError) else 2
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tilery", description="Play, count and replay board games with the tilery engine."
    )
    parser.add_argument("--version", action="version", version=f"tilery {tilery.__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    command = commands.add_parser("simulate", help="play random games and show how they went")
    _add_game_arguments(command)
    command.add_argument("--games", type=_count, default=10_000, metavar="N", help="how many (default 10000)")
    command.add_argument("--seed", type=_seed, default=0, help="game i plays stream (seed, i); default 0")
    command.add_argument("--threads", type=_count, default=None, metavar="N", help="default: all cores")
    command.add_argument("--records", type=Path, metavar="FILE.jsonl", help="also write every game to a file")
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.set_defaults(run=_simulate)

    command = commands.add_parser("perft", help="count the paths of a depth, chance outcomes included")
    _add_game_arguments(command)
    command.add_argument("--depth", type=_count, default=3, help="default 3")
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.set_defaults(run=_perft)

    command = commands.add_parser("replay", help="check that the games of a file replay")
    command.add_argument("file", type=Path)
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.set_defaults(run=_replay)

    command = commands.add_parser("show", help="print a position of a recorded game")
    command.add_argument("file", type=Path)
    command.add_argument("--game", type=_count, default=1, metavar="K", help="the K-th game (default 1)")
    command.add_argument("--after", type=_count, default=None, metavar="N", help="after N actions (default: all)")
    command.set_defaults(run=_show)

    command = commands.add_parser("games", help="list the games and their options")
    command.set_defaults(run=_games)
    return parser


def _add_game_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", help=f"one of {', '.join(tilery.games())}")
    command.add_argument("--players", type=int, default=None, help="how many players")
    command.add_argument(
        "--set",
        dest="options",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="any option of the game; VALUE is JSON, or a plain word",
    )


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise argparse.ArgumentTypeError(f"expected a whole number, got {text!r}")
    return int(text)


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text[:21]) >= 2**64:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 2**64 - 1, got {text!r}")
    return int(text)


def _game(options: argparse.Namespace) -> Game:
    chosen: dict[str, Any] = {} if options.players is None else {"players": options.players}
    for setting in options.options:
        name, equals, text = setting.partition("=")
        if not equals:
            raise UsageError(f"--set takes OPTION=VALUE, got {setting!r}")
        try:
            chosen[name] = json.loads(text)
        except ValueError:
            chosen[name] = text
    return tilery.load(options.game, **chosen)


def _simulate(options: argparse.Namespace) -> int:
    game = _game(options)
    n, seed = options.games, options.seed
    if n == 0:
        raise UsageError("--games must be at least 1")
    threads = options.threads or available_cores()
    piece = max(1, math.ceil(n / PIECES))
    parts: list[npt.NDArray[np.void]] = []
    busy = 0.0
    with ExitStack() as stack:
        file = stack.enter_context(options.records.open("w", encoding="ascii")) if options.records else None
        for first in _progress(range(0, n, piece), n, piece):
            count = min(piece, n - first)
            started = time.perf_counter()
            if file:
                results, tokens = simulate(game, count, seed=seed, threads=threads, first=first, records=True)
            else:
                results, tokens = simulate(game, count, seed=seed, threads=threads, first=first), []
            busy += time.perf_counter() - started
            parts.append(results)
            if file:
                for written in record.of_results(game, results, tokens, seed=seed, first=first):
                    file.write(written.to_json() + "\n")
    summary = _summary(game, np.concatenate(parts), seed, threads, busy)
    if options.json:
        print(json.dumps(summary))
    else:
        _print_summary(summary)
        if options.records:
            print(f"{n:,} games written to {options.records}")
    return 0


def _progress(pieces: range, total: int, piece: int) -> Iterator[int]:
    """The pieces one by one, with rate and time left on a terminal; quiet elsewhere."""
    if not sys.stderr.isatty():
        yield from pieces
        return
    rich = _rich()
    columns = (
        rich.progress.TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        rich.progress.BarColumn(),
        rich.progress.TextColumn("{task.fields[rate]}"),
        rich.progress.TimeRemainingColumn(),
    )
    started = time.perf_counter()
    with rich.progress.Progress(*columns, console=rich.console.Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=total, rate="")
        for first in pieces:
            yield first
            done = min(first + piece, total)
            bar.update(task, completed=done, rate=f"{done / (time.perf_counter() - started):,.0f} games/s")


def _summary(game: Game, results: npt.NDArray[np.void], seed: int, threads: int, seconds: float) -> dict[str, Any]:
    n = len(results)
    winners = results["returns"] == results["returns"].max(axis=1, keepdims=True)
    shares = winners / winners.sum(axis=1, keepdims=True)
    scores = results["scores"]
    return {
        "game": game.name,
        "rules": game.rules.as_dict(),
        "games": n,
        "seed": seed,
        "threads": threads,
        "seconds": seconds,
        "games_per_second": n / seconds,
        "decisions_per_second": float(results["num_decisions"].sum() / seconds),
        "decisions_per_game": float(results["num_decisions"].mean()),
        "actions_per_game": float(results["num_actions"].mean()),
        "seats": [
            {
                "seat": seat,
                "score_mean": float(scores[:, seat].mean()),
                "score_sd": float(scores[:, seat].std(ddof=1)) if n > 1 else None,
                "score_min": int(scores[:, seat].min()),
                "score_max": int(scores[:, seat].max()),
                "win_share": float(shares[:, seat].mean()),
                "win_share_95": _interval(shares[:, seat]),
            }
            for seat in range(game.num_players)
        ],
    }


def _interval(shares: npt.NDArray[np.float64]) -> list[float] | None:
    """The 95% interval of a mean share (Student's t; a game shared by k counts 1/k for each)."""
    if len(shares) < 2:
        return None
    stats = _scipy_stats()
    error = float(stats.sem(shares))
    if error == 0:
        return None
    low, high = stats.t.interval(0.95, len(shares) - 1, loc=float(shares.mean()), scale=error)
    return [max(0.0, float(low)), min(1.0, float(high))]


def _print_summary(summary: dict[str, Any]) -> None:
    rich = _rich()
    console = rich.console.Console(width=None if sys.stdout.isatty() else 100)
    table = rich.table.Table(box=rich.box.SIMPLE_HEAD, title_justify="left", title=_headline(summary))
    for heading in ("seat", "score", "sd", "least", "most", "win share", "95% interval"):
        table.add_column(heading, justify="right")
    for seat in summary["seats"]:
        interval = seat["win_share_95"]
        table.add_row(
            str(seat["seat"]),
            f"{seat['score_mean']:.2f}",
            "-" if seat["score_sd"] is None else f"{seat['score_sd']:.2f}",
            str(seat["score_min"]),
            str(seat["score_max"]),
            f"{100 * seat['win_share']:.2f} %",
            "-" if interval is None else f"{100 * interval[0]:.2f} .. {100 * interval[1]:.2f} %",
        )
    console.print(table)
    console.print(
        f"{summary['games_per_second']:,.0f} games/s, {summary['decisions_per_second']:,.0f} decisions/s on "
        f"{summary['threads']} thread{'s' if summary['threads'] > 1 else ''}; "
        f"{summary['decisions_per_game']:.1f} decisions per game",
        highlight=False,
    )


def _headline(summary: dict[str, Any]) -> str:
    defaults = tilery.load(summary["game"]).rules.as_dict()
    special = [
        f"{name}={value}" for name, value in summary["rules"].items() if name != "players" and value != defaults[name]
    ]
    said = ", ".join([f"{summary['rules']['players']} players", *special])
    return f"{summary['game']}, {said}: {summary['games']:,} random games, seed {summary['seed']}"


def _perft(options: argparse.Namespace) -> int:
    game = _game(options)
    state: Any = game.new_initial_state()
    rows = []
    for depth in range(1, options.depth + 1):
        started = time.perf_counter()
        paths = state.perft(depth)
        rows.append({"depth": depth, "paths": paths, "seconds": time.perf_counter() - started})
    if options.json:
        print(json.dumps({"game": game.name, "rules": game.rules.as_dict(), "perft": rows}))
        return 0
    rich = _rich()
    table = rich.table.Table(box=rich.box.SIMPLE_HEAD)
    for heading in ("depth", "paths", "seconds"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(str(row["depth"]), f"{row['paths']:,}", f"{row['seconds']:.3f}")
    rich.console.Console().print(table)
    return 0


def _replay(options: argparse.Namespace) -> int:
    games = actions = 0
    for number, written in enumerate(record.read(options.file), start=1):
        try:
            record.replay(written)
        except tilery.RecordError as error:
            raise tilery.RecordError(f"{options.file}, game {number}: {error}") from None
        games += 1
        actions += len(written.actions.split())
    if options.json:
        print(json.dumps({"games": games, "actions": actions}))
    else:
        print(f"{games:,} games with {actions:,} actions replay without error")
    return 0


def _show(options: argparse.Namespace) -> int:
    for number, written in enumerate(record.read(options.file), start=1):
        if number != options.game:
            continue
        shown = None
        for step, (token, state) in enumerate(record.positions(written)):
            shown = step, token, state
            if step == options.after:
                break
        assert shown is not None
        step, token, state = shown
        if options.after is not None and step < options.after:
            raise UsageError(f"game {number} of {options.file} has only {step} actions")
        print(f"{written.game}, game {number}, after {step} actions" + (f" (the last: {token})" if token else ""))
        print(state)
        return 0
    raise UsageError(f"{options.file} has no game {options.game}")


def _games(_options: argparse.Namespace) -> int:
    for name in tilery.games():
        print(name)
        for option, value in tilery.load(name).rules.as_dict().items():
            print(f"    {option}={json.dumps(value)}")
    return 0


def _rich() -> Any:
    try:
        import rich.box
        import rich.console
        import rich.progress
        import rich.table
    except ImportError as error:
        raise UsageError(f"{error}; tables need the extra: pip install 'tilery[cli]'") from None
    return rich


def _scipy_stats() -> Any:
    try:
        import scipy.stats
    except ImportError as error:
        raise UsageError(f"{error}; intervals need the extra: pip install 'tilery[cli]'") from None
    return scipy.stats
