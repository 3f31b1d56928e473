"""Measures the losses that reviews find near the end of games against those of best play.

    python -m tests.lab.marks [GAME ...] [--games 200] [--seed 1]

Games are random until the end; of the last actions with a choice whose rest can be enumerated, all hands open, it
prints how many there are, how many losses are within two of their errors of the exact one, the same of those that have
an error, how many marks are those of the exact loss, and how many were made where nothing was lost.
"""

from __future__ import annotations

import argparse

import tilery
from tests.kit.games import GAMES
from tests.search.test_reviews import late_losses
from tilery.luck import Judge
from tilery.reviews import Loss, mark_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", default=list(GAMES))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in options.game:
        judge = Judge(tilery.load(name, players=2), "nn")
        found = late_losses(judge, range(options.seed, options.seed + options.games), last=12)
        within = [abs(loss.points - exact) <= 2 * loss.points_error + 1e-6 for loss, exact in found]
        unsure = [right for right, (loss, _) in zip(within, found, strict=True) if loss.points_error > 0]
        marks = [mark_of(Loss(loss.points, loss.points_error, 0, 0), judge.scale) for loss, _ in found]
        best = [mark_of(Loss(exact, 0, 0, 0), judge.scale) for _, exact in found]
        false = sum(bool(mark) and exact < 1e-6 for mark, (_, exact) in zip(marks, found, strict=True))
        print(
            f"{name}: {len(found)} decisions, {100 * sum(within) / max(1, len(found)):.1f} % within two errors, "
            f"{sum(unsure)} of {len(unsure)} with an error; {sum(map(str.__eq__, marks, best))} marks right, "
            f"{false} where nothing was lost"
        )


if __name__ == "__main__":
    main()
