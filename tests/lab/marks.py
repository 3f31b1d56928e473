"""Measures the losses that reviews find against those of best play near the end of games, and against many worlds.

    python -m tests.lab.marks [GAME ...] [--games 200] [--seed 1] [--decisions 60]

Games are random until the end; of the last actions with a choice whose rest can be enumerated, all hands open, it
prints how many there are, how many losses are within two of their errors of the exact one, the same of those that have
an error, how many marks are those of the exact loss, and how many were made where nothing was lost. Then the same of
losses that are estimated by playing on, as where nothing is known exactly, if they have an error.

Of decisions from all parts of games it prints how often two errors of the loss in as many worlds as a review looks at
reach to the loss in ten times as many others.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import replace

import numpy as np

import tilery
from tests.kit.games import GAMES
from tests.search.test_reviews import compared_in_worlds, covered, late_losses, within
from tilery.luck import Judge
from tilery.reviews import Comparison, Loss, mark_of
from tilery.statistics import share_interval


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", default=list(GAMES))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--decisions", type=int, default=60, help="compared in many worlds")
    options = parser.parse_args()
    for name in options.game:
        judge = Judge(tilery.load(name, players=2), "nn")
        found = late_losses(judge, range(options.seed, options.seed + options.games), last=12)
        right = [within(loss, exact) for loss, exact in found]
        unsure = [each for each, (loss, _) in zip(right, found, strict=True) if loss.points_error > 0]
        marks = [mark_of(replace(loss, wins=0), judge.scale) for loss, _ in found]
        best = [mark_of(Loss(exact, 0, 0, 0), judge.scale) for _, exact in found]
        false = sum(bool(mark) and exact < 1e-6 for mark, (_, exact) in zip(marks, found, strict=True))
        print(
            f"{name}: {len(found)} decisions, {100 * sum(right) / max(1, len(found)):.1f} % within two errors, "
            f"{sum(unsure)} of {len(unsure)} with an error; {sum(map(str.__eq__, marks, best))} marks right, "
            f"{false} where nothing was lost"
        )
        estimates = late_losses(judge, range(options.seed, options.seed + options.games), last=12, by_worlds=True)
        for what, reach in (("errors", 0), ("errors and drifts", 1)):
            bars = [
                abs(loss.points - exact) <= 2 * math.hypot(loss.points_error, reach * loss.points_drift)
                for loss, exact in estimates
                if math.hypot(loss.points_error, loss.points_drift) > 1e-9
            ]
            print(f"{name}: two {what} of estimates cover the exact loss: {_share(bars)}")
        if not judge.game.max_chance_nodes and not judge.game.hides_information:
            continue  # one world is all
        worlds = Comparison(judge).worlds
        losses = [
            compared_in_worlds(judge, options.seed + game, 4, 11 * worlds) for game in range(options.decisions // 4)
        ]
        for head, what in enumerate(("points", "win share")):
            varied = [each for game in losses for each in game if each[:, :, head].mean(axis=1).std() > 1e-9]
            bars = [bool(right) for each in varied for right in covered(each, worlds)[:, head]]
            print(f"{name}: two errors in {worlds} worlds cover the {what} in {10 * worlds} others: {_share(bars)}")


def _share(right: list[bool]) -> str:
    """How many are right, in percent with a 95% interval."""
    if not right:
        return "none has an error"
    low, high = share_interval({1.0: sum(right), 0.0: len(right) - sum(right)})
    return f"{100 * float(np.mean(right)):.1f} % ({100 * low:.1f} to {100 * high:.1f}) of {len(right)}"


if __name__ == "__main__":
    main()
