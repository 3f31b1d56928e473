"""The pace of today's engine: games a second relative to the engine of an earlier commit, both run in turn.

    python bench/pace.py TODAY BEFORE            compare with bench/pace.toml
    python bench/pace.py TODAY BEFORE --write    record the ratios there

TODAY and BEFORE are the programs tilery_play_v3 of the two, which `nox -s pace` builds, and they must play the same
games. In each of 15 rounds both play each game of bench/pace.toml, and a ratio is that of their CPU times. So a ratio
does not depend on the machine's speed or on what else it does; seconds do, and instructions (bench/icount.py) miss what
they wait for.

Fails if the median of a game is more than 5 % below what is recorded and its 95 % interval excludes that.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tomllib
from pathlib import Path

from scipy.stats import binom
from timed import run

RECORDED = Path(__file__).with_name("pace.toml")
ROUNDS = 15
SECONDS = 0.4
"""About what one measurement takes."""
TOLERANCE = 0.05


def compare(programs: tuple[Path, Path], label: str, rounds: int) -> tuple[list[float], list[float]]:
    """CPU seconds of today's engine and of the one before, by rounds."""
    name, *options = label.split()
    _, probe = run(programs[0], name, 500, *options)
    games = max(500, int(500 * SECONDS / probe))
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds):
        checksums = set()
        for which in (0, 1) if number % 2 == 0 else (1, 0):
            answer, seconds = run(programs[which], name, games, *options)
            checksums.add(answer["checksum"])
            taken[which].append(seconds)
        if len(checksums) > 1:
            sys.exit(f"{label}: the two engines play different games")
    return taken


def write(before: str, ratios: dict[str, float]) -> None:
    head = (
        "# Games a second relative to the engine of `before`, v3 build: medians of 15 rounds (bench/pace.py --write).\n"
    )
    lines = [
        f'before = "{before}"\n',
        "\n[games]\n",
        *(f'"{label}" = {ratio:.3f}\n' for label, ratio in ratios.items()),
    ]
    RECORDED.write_text(head + "".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("today", type=Path)
    parser.add_argument("before", type=Path)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="at least 6")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    recorded = tomllib.loads(RECORDED.read_text())
    expected: dict[str, float] = recorded["games"]
    rounds = max(options.rounds, 6)  # of fewer there is no such interval of the median
    low, high = int(binom.ppf(0.025, rounds, 0.5)) - 1, int(binom.ppf(0.975, rounds, 0.5))
    found, slower = {}, []
    for label, ratio in expected.items():
        today, before = compare((options.today, options.before), label, rounds)
        ratios = sorted(b / t for t, b in zip(today, before, strict=True))
        found[label] = statistics.median(ratios)
        interval = f"[{ratios[low]:.3f} .. {ratios[high]:.3f}]"
        best = min(before) / min(today)
        print(
            f"{label:50} {found[label]:.3f} {interval}, best runs {best:.3f}, recorded {ratio:.3f}",
            flush=True,
        )
        if found[label] < ratio * (1 - TOLERANCE) and ratios[high] < ratio:
            slower.append(label)
    if options.write:
        write(recorded["before"], found)
    elif slower:
        sys.exit(f"more than {TOLERANCE:.0%} slower than in {RECORDED.name}: {', '.join(slower)}")


if __name__ == "__main__":
    main()
