"""The command `ladder`: frozen policies of known strength, and where another one stands."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import tilery
from tilery.cli.arguments import Command, at_least_one, count, only_with, passed_on, positive, seed
from tilery.cli.console import say
from tilery.tables import Table


def add(command: Command) -> None:
    command.add_argument("game", help="the name of a game")
    command.add_value("--enter", "POLICY", "measure this policy against the rungs")
    command.add_argument(
        "--games",
        type=count,
        default=400,
        help="about how many games to play at most; each rung tried takes ten (default 400)",
    )
    command.add_argument(
        "--width", type=positive, default=100.0, help="of the 95%% interval in Elo points (default 100)"
    )
    command.add_argument("--seed", type=seed, default=0, help="default 0")
    command.add_value("--out", "FILE", "save every deal, and go on from it", type=Path)
    command.add_switch("--less-luck", "take off what the draws gave, as the champion judges them")
    command.add_switch("--json", "print one JSON object")


def run(options: argparse.Namespace) -> int:
    from tilery import ladder

    tilery.options(options.game)  # refuses a game that there is not
    rungs = ladder.rungs(options.game)
    for flag in ("--out", "--less-luck"):
        only_with(options, flag, "--enter")
    at_least_one(options, "games")
    if options.enter is None:
        if options.json:
            say(json.dumps({"game": options.game, "rungs": [asdict(rung) for rung in rungs]}))
        else:
            rows = [[str(rung.number), _short(rung.policy), _rating(rung)] for rung in rungs]
            Table(f"Ladder of {options.game}", ["rung", "policy", "Elo (95 %)"], rows).print(sys.stdout)
        return 0
    game, luck = tilery.load(options.game, players=2), "champion" if options.less_luck else None
    how = passed_on(options, "width", "seed") | {"most_games": options.games, "file": options.out}
    place = ladder.enter(game, options.enter, luck=luck, **how)
    if options.json:
        say(json.dumps({"game": options.game, **asdict(place)}))
        return 0
    rows = [
        [str(number), _short(rungs[number - 1].policy), f"{100 * place.shares[number]:.1f} % of {games}"]
        for number, games in sorted(place.games.items())
    ]
    Table(_short(place.policy), ["rung", "policy", "share of the wins"], rows).print(sys.stdout)
    below = sum(rung.rating <= place.rating for rung in rungs)
    if options.less_luck:
        say(f"less luck: the variance of a deal is less by {100 * (1 - place.variance_kept):.0f} %")
    say(f"{_short(place.policy)} stands at {_rating(place)}, above {below} of {len(rungs)} rungs")
    return 0


def _rating(rated: Any) -> str:
    return f"{rated.rating:.0f} ({rated.rating_95[0]:.0f} to {rated.rating_95[1]:.0f})"


def _short(text: str) -> str:
    """A text of a policy with the first digits of its network's name."""
    head, separator, network = text.partition(",eval=")
    return f"{head}{separator}{network[:12]}"
