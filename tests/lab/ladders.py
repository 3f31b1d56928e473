"""Rates the policies of a ladder, the weakest first, by deals of each against the next two.

    python -m tests.lab.ladders GAME POLICY... [--deals N] [--seconds T] [--seed S] [--out FILE]

Prints the rungs as `python/tilery/data/nets/ladder.json` holds them. Every deal is saved in FILE, from where an
interrupted measurement goes on. With --seconds two policies meet for no longer than that, but in at least 12 deals.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tilery
from tilery.ladder import Measurement, ratings

FEWEST = 12
"""Deals between two policies, however long they take."""


def measure(
    game: Any,
    policies: Sequence[str],
    *,
    deals: int = 50,
    seconds: float = math.inf,
    seed: int = 0,
    file: Path | None = None,
) -> list[dict[str, Any]]:
    """The rungs of these policies of a game of two players; the first is at 0."""
    measured = Measurement(game, policies, seed=seed, file=file)
    for a in range(len(policies)):
        for b in (a + 1, a + 2):
            ends = time.monotonic() + seconds
            while b < len(policies) and (done := len(measured.play(a, b, 0))) < deals:
                if done >= FEWEST and time.monotonic() > ends:
                    break
                measured.play(a, b, 1)
    fitted, bounds = ratings(measured.pairs, len(policies), {0: 0.0})
    rated = zip(measured.policies, fitted.tolist(), bounds.tolist(), strict=True)
    rounded = [(text, round(rating, 1), [round(each, 1) for each in interval]) for text, rating, interval in rated]
    keys = ("policy", "rating", "rating_95", "version")
    return [dict(zip(keys, (*each, tilery.__version__), strict=True)) for each in rounded]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("policies", nargs="+", metavar="POLICY")
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=math.inf, metavar="T")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, metavar="FILE")
    given = parser.parse_args()
    game = tilery.load(given.game, players=2)
    words = {"deals": given.deals, "seconds": given.seconds, "seed": given.seed, "file": given.out}
    print(json.dumps(measure(game, given.policies, **words), indent=1))


if __name__ == "__main__":
    main()
