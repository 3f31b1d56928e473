"""The command `show`: print a position of a recorded game."""

from __future__ import annotations

import argparse
from collections import deque
from itertools import islice
from pathlib import Path

from tilery import pictures, record
from tilery.cli.arguments import UsageError, add_output_arguments, count, game_of_file, suffixed
from tilery.files import write_whole


def add(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path)
    command.add_argument("--game", type=count, default=0, metavar="K", help="game K of the file; default 0, the first")
    command.add_argument("--after", type=count, metavar="N", help="after N actions (default: all)")
    command.add_argument("--scores", action="store_true", help="print a line for each action, with the scores after it")
    command.add_argument("--player", type=count, metavar="P", help="show only what player P knows")
    command.add_argument("--svg", type=Path, metavar="OUT", help="draw the position into a file")
    command.add_argument("--png", type=Path, metavar="OUT", help="the same as a PNG file")
    command.add_argument(
        "--steps", type=Path, metavar="OUT", help="write the whole game as one HTML page to click through"
    )
    add_output_arguments(command)


def run(options: argparse.Namespace) -> int:
    suffixed(options.svg, "--svg", ".svg")
    suffixed(options.png, "--png", ".png")
    suffixed(options.steps, "--steps", ".html", ".htm")
    number, written = options.game, game_of_file(options.file, options.game)
    if options.scores:
        return _scores(written, options.after)
    if options.player is not None and options.player >= record.game_of(written).num_players:
        raise UsageError(f"game {number} of {options.file} has no player {options.player}")
    if options.steps is not None:
        page = pictures.steps(written, player=options.player)
        write_whole(options.steps, page.encode(), overwrite=options.overwrite)
        return 0
    end = None if options.after is None else options.after + 1
    seen = enumerate(islice(pictures.seen(written, options.player), end))
    [(step, (_, token, _, board, latest))] = deque(seen, maxlen=1)
    if options.after is not None and step < options.after:
        raise UsageError(f"game {number} of {options.file} has only {step} actions")
    if options.svg is not None or options.png is not None:
        svg = pictures.marked(board, latest, options.player)
        for path in filter(None, (options.svg, options.png)):
            content = svg.encode() if path == options.svg else pictures.png(svg)
            write_whole(path, content, overwrite=options.overwrite)
        return 0
    print(f"{written.game}, game {number}, after {step} actions" + (f" (the last: {token})" if token else ""))
    print(board.to_string(options.player))
    return 0


def _scores(written: record.Record, after: int | None) -> int:
    """A line for each action: its number, who took it, its token, the scores after it."""
    actor = "-"
    for step, (token, state) in enumerate(record.positions(written)):
        if token is not None:
            scores = " ".join(f"{points:>4}" for points in state.scores())
            print(f"{step:>5}  {actor:>6}  {token:<16} {scores}")
        if step == after:
            break
        actor = "chance" if state.is_chance_node() else str(state.current_player())
    return 0
