"""The command `train`: teach a network a game by playing against itself."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from tilery.cli.arguments import Command, at_least_one, chosen_options, count, output, passed_on, percent, seed, threads
from tilery.cli.console import say
from tilery.files import write_whole


def add(command: Command) -> None:
    command.add_argument("game", help="the name of a game")
    command.add_options("an option that all games have; the others vary")
    command.add_value("--out", "FILE", "the network, NAME.tnn", type=Path, required=True)
    command.add_output()
    command.add_argument("--folder", type=Path, help="what is kept of each round (default FILE.rounds)")
    for flag, meaning in (("rounds", "rounds"), ("games", "games of a round"), ("match-games", "games of a match")):
        command.add_value(f"--{flag}", "N", f"{meaning} (default by game)", type=count)
    command.add_value(
        "--searched",
        "PERCENT",
        "decisions made by a search, which teaches more and takes longer (default by game)",
        type=percent,
    )
    command.add_argument("--seed", type=seed, help="default by game")
    command.add_argument("--threads", type=threads, help="default: one for each core")
    command.add_ray("play the games to learn from")


def run(options: argparse.Namespace) -> int:
    from tilery.train import Plan, Round, Training

    output(options, options.out, "--out", ".tnn")
    folder = options.folder or options.out.with_name(options.out.name + ".rounds")
    wanted = {
        **passed_on(options, "rounds", "games", "match_games", "seed"),
        "searched": None if options.searched is None else options.searched / 100,
        "base": chosen_options(options) or None,
    }
    plan = Plan.of_game(options.game, **{name: value for name, value in wanted.items() if value is not None})
    at_least_one(options, "rounds")

    def report(finished: Round) -> None:
        errors = finished.errors
        share = "" if finished.share is None else f", {100 * finished.share:.1f} % against the best before"
        kept = "" if finished.best else " (not kept)"
        minutes = (time.monotonic() - began) / 60
        share += f", {training.rating(finished.number):+.0f} Elo after {minutes:.1f} min"
        say(
            f"round {finished.number + 1} of {plan.rounds}: {finished.games:,} games, {finished.positions:,} positions,"
            f" error of the lead {errors['lead']:.2f} points (points alone {errors['lead_without']:.2f}){share}{kept}"
        )

    began = time.monotonic()
    training = Training(folder, plan)
    for finished in training.rounds:
        report(finished)
    made = training.run(threads=options.threads, ray=options.ray, report=report)
    best = training.best
    assert best is not None
    write_whole(options.out, training.result(), overwrite=options.overwrite)
    say(f"{options.out}: the network of round {best.number + 1}, {made.name}")
    return 0
