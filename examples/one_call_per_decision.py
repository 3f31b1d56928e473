"""The fastest loop in Python: a driver settles chance itself and returns how many actions are legal.

python examples/one_call_per_decision.py pueblo --games 1000
"""

from __future__ import annotations

import argparse
import random
import time

import tilery


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=1000)
    options = parser.parse_args()
    driver = tilery.load(options.game).driver(seed=1)
    choose, play, decisions = random.Random(1).random, driver.play, 0
    started = time.perf_counter()
    for index in range(options.games):
        count = driver.restart(index)
        while count:
            count = play(int(choose() * count))
            decisions += 1
    seconds = time.perf_counter() - started
    print(f"{decisions:,} decisions in {seconds:.2f} s: {decisions / seconds:,.0f} a second")


if __name__ == "__main__":
    main()
