"""The command `play`: play by hand, against people and bots (docs/play.md)."""

from __future__ import annotations

import argparse
import functools
import shutil
import sys
import webbrowser
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tilery.cli.arguments import Command, game_of, port, positive, session_seed
from tilery.cli.console import say
from tilery.play.host import Host
from tilery.play.requests import Lesson
from tilery.play.saved import SavedGame
from tilery.play.seats import seated
from tilery.play.server import Server
from tilery.play.session import PlayError, Session
from tilery.play.terminal import Terminal, complete_with
from tilery.policies import OutsidePolicy, policy


def add(command: Command) -> None:
    command.add_game()
    command.add_value("--seat", "P", "a seat that a person takes (default 0)", action="append", dest="seats", type=int)
    command.add_value(
        "--bot",
        "BOT",
        "who takes the other seats, once for all or once for each: a policy such as mcts:2000, "
        "py:module:function or cmd:./mybot (default: people take all seats)",
        action="append",
        dest="bots",
    )
    command.add_argument("--seed", type=session_seed, help="of the game's luck (default: chosen at random)")
    command.add_value("--record", "FILE.jsonl", "keep the game in this file, or play on one that is there", type=Path)
    command.add_argument(
        "--seconds", type=positive, default=10.0, help="for a program to choose an action (default 10)"
    )
    command.add_argument("--port", type=port, default=0, help="of the page on 127.0.0.1 (default: any that is free)")
    command.add_switch("--no-browser", "only print the address of the page")
    command.add_switch("--tutorial", "begin with the tutorial of the game")
    command.add_switch("--text", "play in the terminal")


def begin(options: argparse.Namespace, game: Any, saved: SavedGame | None) -> Session:
    """The session that the words ask for: that of the file if it holds a game that is not over."""
    try:
        seats = seated(game.num_players, options.seats, options.bots or [])
    except ValueError as error:
        raise PlayError(f"--{error}") from None
    for bot in map(policy, options.bots or []):
        if isinstance(bot, OutsidePolicy):
            bot.check(game, options.seconds)
    unfinished = None if saved is None else saved.unfinished
    if unfinished is None or saved is None:
        return Session(game, seats, seed=options.seed, seconds=options.seconds)
    if unfinished.game != game.name or dict(unfinished.rules) != game.rules.as_dict():
        raise PlayError(f"{saved.path} holds an unfinished game of {unfinished.game} under other rules")
    chosen = seats if options.bots or options.seats else None
    return Session.of_record(unfinished, chosen, seconds=options.seconds)


def run(options: argparse.Namespace) -> int:
    game = game_of(options)
    with ExitStack() as stack:
        saved = None if options.record is None else SavedGame(options.record)
        session = stack.enter_context(begin(options, game, saved))
        kept = "" if saved is None else f"The game is in {saved.path}.\n"
        if not options.text:
            serve(Host(session, saved=saved), options, kept)
            return 0
        if options.tutorial:
            raise PlayError("the tutorial is on the page; leave out --text")
        if not session.people:
            raise PlayError("no seat is played by hand; without --text a page shows the game")
        size = shutil.get_terminal_size if sys.stdout.isatty() else None
        save = (lambda: None) if saved is None else functools.partial(saved.save, session)
        terminal = Terminal(session, input, sys.stdout, save, size)
        if sys.stdin.isatty():
            complete_with(terminal.completions)
        try:
            terminal.run()
        except KeyboardInterrupt:
            print(f"\n{kept}", end="", flush=True)
            raise
        sys.stdout.write(kept)
    return 0


def serve(host: Host, options: argparse.Namespace, kept: str) -> None:
    if options.tutorial:
        session = host.session
        host.answer(Lesson(seat=next(iter(session.people), None), version=session.version, number=0))
    with Server(host, options.port) as server:
        say(f"The game is at {server.url}\nCtrl-C ends it.")
        if not options.no_browser:
            webbrowser.open(server.url)
        try:
            server.serve_forever(poll_interval=0.2)
        except KeyboardInterrupt:
            sys.stdout.write(f"\n{kept}")
        finally:
            host.close()
