"""The command `show`: print a position of a recorded game."""

from __future__ import annotations

import argparse
from pathlib import Path

from tilery import pictures, record
from tilery.cli.arguments import Command, UsageError, count, game_of_file, suffixed
from tilery.files import write_whole
from tilery.play.session import Session
from tilery.play.view import drawn


def add(command: Command) -> None:
    command.add_argument("file", type=Path)
    command.add_value("--game", "K", "game K of the file; default 0, the first", type=count, default=0)
    command.add_value("--after", "N", "after N actions (default: all)", type=count)
    command.add_switch("--scores", "print a line for each action, with the scores after it")
    command.add_value("--player", "P", "show only what player P knows", type=count)
    command.add_value("--svg", "OUT", "draw the position into a file", type=Path)
    command.add_value("--png", "OUT", "the same as a PNG file", type=Path)
    command.add_value("--steps", "OUT", "write the whole game as one HTML page to click through", type=Path)
    command.add_output()


def run(options: argparse.Namespace) -> int:
    suffixed(options.svg, "--svg", ".svg")
    suffixed(options.png, "--png", ".png")
    suffixed(options.steps, "--steps", ".html", ".htm")
    number, written = options.game, game_of_file(options.file, options.game)
    if options.player is not None and options.player >= record.game_of(written).num_players:
        raise UsageError(f"game {number} of {options.file} has no player {options.player}")
    if options.steps is not None:
        page = pictures.steps(written, player=options.player)
        write_whole(options.steps, page.encode(), overwrite=options.overwrite)
        return 0
    session = Session.of_record(written, looks=True)
    step = len(session.moves) if options.after is None else options.after
    if step > len(session.moves):
        raise UsageError(f"game {number} of {options.file} has only {len(session.moves)} actions")
    if options.scores:
        return _scores(session, step)
    if options.svg is not None or options.png is not None:
        svg = drawn(session, options.player, step)
        for path in filter(None, (options.svg, options.png)):
            content = svg.encode() if path == options.svg else pictures.png(svg)
            write_whole(path, content, overwrite=options.overwrite)
        return 0
    token = session.token_seen(step - 1, options.player) if step else ""
    print(f"{written.game}, game {number}, after {step} actions" + (f" (the last: {token})" if token else ""))
    print(session.state_after(step).to_string(options.player))
    return 0


def _scores(session: Session, after: int) -> int:
    """A line for each action: its number, who took it, its token, the scores after it."""
    for step, move in enumerate(session.moves[:after], start=1):
        actor = "chance" if move.player < 0 else str(move.player)
        scores = " ".join(f"{points:>4}" for points in session.state_after(step).scores())
        print(f"{step:>5}  {actor:>6}  {session.token_seen(step - 1, None):<16} {scores}")
    return 0
