"""Random games a second in WebAssembly, as shares of the native builds, each beside its goal.

    python bench/wasm_speed.py [FOLDER] [--games NAME ...] [--repeat R]

FOLDER is what `python3 dev.py web` makes (build/web); node runs tilery.wasm. The native builds are those of `python3
dev.py speed`: `v2` does without AVX2, `v3` has it. The three play the same games in turn, R times,
and must print the same checksum. Times are CPU times; a share is the median of the shares of each turn, with the least
and the greatest in brackets.
"""

from __future__ import annotations

import argparse
import gzip
import statistics
from pathlib import Path

from timed import run

import tilery

ROOT = Path(__file__).parents[1]
PROGRAMS = ROOT / "build" / "release"
SECONDS = 0.5
"""About what one measurement takes."""
V2_GOAL = 0.6
"""Of the build for every x86-64 processor, in every game."""
AVX2_GOALS = {"carcassonne": 0.5, "java": 0.5}
LARGEST = 550_000
"""Bytes of tilery.wasm, compressed by gzip."""


def native(build: str, name: str, games: int) -> tuple[str, float]:
    """Checksum and games a second."""
    answer, seconds = run(PROGRAMS / f"tilery_play_{build}", name, games)
    return answer["checksum"], games / seconds


def in_node(folder: Path, name: str, games: int) -> tuple[str, float]:
    """The same in WebAssembly."""
    answer, _ = run("node", ROOT / "bench" / "wasm.mjs", folder, name, games)
    return answer["checksum"], games / answer["seconds"]


def line(label: str, figures: list[float], goal: float | None) -> None:
    median = statistics.median(figures)
    verdict = "" if goal is None else f"goal {goal:.0%}: {'reached' if median >= goal else 'MISSED'}"
    print(f"  {label:24} {median:6.0%} [{min(figures):.0%} .. {max(figures):.0%}]  {verdict}", flush=True)


def measure(folder: Path, name: str, repeat: int) -> None:
    """Print the lines of a game."""
    rates: dict[str, list[float]] = {"v2": [], "v3": [], "wasm": []}
    _, rate = in_node(folder, name, 100)
    games = max(100, int(rate * SECONDS))
    for _ in range(repeat):
        sums = set()
        for build, found in rates.items():
            checksum, rate = in_node(folder, name, games) if build == "wasm" else native(build, name, games)
            sums.add(checksum)
            found.append(rate)
        assert len(sums) == 1, f"{name}: the builds play different games"
    medians = ", ".join(f"{build} {statistics.median(found):,.0f}" for build, found in rates.items())
    print(f"{name}: games/s in {medians}; same checksum of {games:,} games", flush=True)
    for build, goal in (("v2", V2_GOAL), ("v3", AVX2_GOALS.get(name))):
        line(f"wasm : {build}", [a / b for a, b in zip(rates["wasm"], rates[build], strict=True)], goal)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "web")
    parser.add_argument("--games", nargs="+", default=tilery.games(), metavar="NAME")
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    for name in options.games:
        measure(options.folder, name, options.repeat)
    size = len(gzip.compress((options.folder / "tilery.wasm").read_bytes(), 9, mtime=0))
    print(f"tilery.wasm: {size:,} bytes compressed, goal {LARGEST:,}: {'reached' if size <= LARGEST else 'MISSED'}")


if __name__ == "__main__":
    main()
