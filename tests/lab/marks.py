"""Measures the losses that reviews find near the end of games against those of best play.

    python -m tests.lab.marks [GAME ...] [--seed 1] [--most 1000]

In each of the late positions with exact values (tests/lab/yardsticks.py) an action is taken at random, every second
time from the best quarter. Prints how many of the losses have an error, of these how often two errors reach to the
exact loss, in points and in shares of the win, the same of all losses in points, how many marks are those of the exact
loss, and how many were made where nothing was lost.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import tilery
from tests.kit.games import GAMES
from tests.lab.yardsticks import FOLDER, yardsticks
from tilery.luck import Judge
from tilery.reference.rng import Rng
from tilery.reviews import ERRORS, Comparison, Loss, judge_of, mark_of
from tilery.statistics import share_interval


class Reviewed(NamedTuple):
    """A loss as a review finds it, and that by best play."""

    found: Loss
    exact: Loss

    def covered(self, head: str) -> bool:
        """Whether two errors of "points" or "wins" reach to the exact loss."""
        miss = abs(getattr(self.found, head) - getattr(self.exact, head))
        return bool(miss <= ERRORS * getattr(self.found, f"{head}_error") + 1e-6)


def reviewed(judge: Judge, seed: int, most: int | None = None) -> Iterator[Reviewed]:
    """The losses of random actions in late positions with exact values."""
    compare, rng = Comparison(judge), Rng(seed, 8)
    for number, each in enumerate(yardsticks(judge.game.name, most)):
        order = np.argsort(each.points, kind="stable")
        place = order[rng.below(len(order) if number % 2 else max(1, len(order) // 4))]
        found = compare(each.state, each.state.legal_actions()[place]).loss
        yield Reviewed(found, Loss(float(each.points[place]), 0, float(each.wins[place]), 0))


def share(right: list[bool]) -> str:
    """How many are right, in percent with a 95% interval."""
    if not right:
        return "of 0"
    low, high = share_interval({1.0: sum(right), 0.0: len(right) - sum(right)})
    return f"{100 * float(np.mean(right)):.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", default=[name for name in GAMES if (FOLDER / f"{name}.npz").exists()])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, help="positions of each game")
    options = parser.parse_args()
    print("| game | losses | with an error | points | share of the win | points of all | marks right | false marks |")
    print("|---|---|---|---|---|---|---|---|")
    for name in options.game:
        judge = judge_of(tilery.load(name, players=2))
        found = list(reviewed(judge, options.seed, options.most))
        unsure = [each for each in found if each.found.points_error > 0]
        marks = [[mark_of(loss, judge.scale) for loss in each] for each in found]
        false = sum(bool(mark) and each.exact.points < 1e-6 for (mark, _), each in zip(marks, found, strict=True))
        of_heads = [share([each.covered(head) for each in unsure]) for head in ("points", "wins")]
        of_all = share([each.covered("points") for each in found])
        right = sum(mark == best for mark, best in marks)
        print(
            f"| {name} | {len(found):,} | {len(unsure)} | {' | '.join(of_heads)} | {of_all} | {right} | {false} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
