"""How long games of each rung of the ladders take.

    python bench/how_long.py [GAME ...] [--seconds S] [--write]

CPU time of one core for games of two players with default options, and the time for a share of the wins within 1%.
--write puts the table into bench/README.md.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import sys
import time
from pathlib import Path

import tilery
from tilery import ladder

README = Path(__file__).parent / "README.md"
BEGIN, END = "<!-- how long: bench/how_long.py --write -->", "<!-- end of how long -->"
NEEDED = 1.96**2 * 0.25 / 0.01**2
"""Independent games for a 95% interval of +- 1% around a share of one half."""


def seconds_per_game(game: tilery.Game, policy: str, seconds: float) -> float:
    """CPU seconds of a game, from enough games for about `seconds` of measuring."""
    games = 1
    while True:
        before = time.process_time()
        tilery.simulate(game, games, seed=1, threads=1, policies=policy)
        spent = time.process_time() - before
        if spent >= seconds / 4:
            return spent / games
        games = max(2 * games, int(games * seconds / max(spent, 1e-4) / 2))


def in_words(seconds: float) -> str:
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return "2 s" if seconds > 1 else "< 1 s"


def table(names: list[str], seconds: float) -> str:
    lines = ["| game | rung | policy | games/s | within 1% on two cores |", "|---|---:|---|---:|---:|"]
    for name in names:
        game = tilery.load(name, players=2)
        for rung in ladder.rungs(name):
            each = seconds_per_game(game, f"rung:{rung.number}", seconds)
            policy = ",".join(part for part in rung.policy.split(",") if not part.startswith("eval="))
            pace = f"{1 / each:,.0f}" if each < 0.1 else f"{1 / each:.2g}"
            lines.append(f"| {name} | {rung.number} | `{policy}` | {pace} | {in_words(NEEDED * each / 2)} |")
            print(lines[-1], file=sys.stderr)
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=tilery.games())
    parser.add_argument("--seconds", type=float, default=4.0, help="how much CPU time to measure for each rung")
    parser.add_argument("--write", action="store_true", help="replace the table in bench/README.md")
    options = parser.parse_args()
    found = table(options.games, options.seconds)
    stamp = (
        f"Measured {datetime.date.today()} with `python bench/how_long.py` on one core of a {platform.machine()} "
        "machine, CPU time, games of two players."
    )
    print(f"{found}\n\n{stamp}")
    if options.write:
        before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
        README.write_text(f"{before}{BEGIN}\n{found}\n\n{stamp}\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
