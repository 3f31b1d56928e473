"""Plays games of the bot of bot.pyx against a policy, on two threads at once.

python run.py pueblo --games 10 --playouts 20 --against uct:50
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor

import bot

import tilery


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--playouts", type=int, default=20, help="for each legal action")
    parser.add_argument("--against", default="random", help="the policy in all other seats")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game = tilery.load(options.game)
    started = time.perf_counter()
    with ThreadPoolExecutor(2) as threads:
        results = list(
            threads.map(
                lambda index: bot.play(game, options.playouts, options.seed, index, options.against),
                range(options.games),
            )
        )
    seconds = time.perf_counter() - started
    print(f"{options.games} games in {seconds:.2f} s; scores")
    for scores in results:
        print(*scores)


if __name__ == "__main__":
    main()
