"""Measures how fast the games are: medians of interleaved runs, with their spread.

    python bench/speed.py [GAME ...] [--repeat R] [--write]

Absolute times depend on what else runs on a machine; ratios are of runs taken in turn. bench/README.md says
what each line means. --write puts the table there.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import random
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tilery
import tilery.reference
from tilery.reference.base import play_random

ROOT = Path(__file__).parents[1]
PROGRAMS = ROOT / "build" / "release"
BEGIN, END = "<!-- speed: dev.py speed --write -->", "<!-- end of speed -->"
CASES: dict[str, list[dict[str, Any]]] = {
    "carcassonne": [{"tiles": "base"}, {"tiles": "winter"}],
    "java": [{}],
    "pueblo": [{}],
    "tajmahal": [{"players": 3}],
    "toy": [{}],
}
"""The games and options that are measured; a game that is not listed is measured as it is."""


class Figures:
    """Samples of several measurements taken in turn."""

    def __init__(self, repeat: int, measures: dict[str, Callable[[], float]]) -> None:
        self.samples: dict[str, list[float]] = {name: [] for name in measures}
        for _ in range(repeat):
            for name, measure in measures.items():
                self.samples[name].append(measure())

    def median(self, name: str) -> float:
        return statistics.median(self.samples[name])

    def spread(self, name: str) -> float:
        """Half the range of the middle half of the samples, as a share of the median."""
        low, _, high = statistics.quantiles(self.samples[name], n=4)
        return (high - low) / 2 / self.median(name)

    def ratio(self, a: str, b: str) -> float:
        """The median of the ratios of runs taken one after the other."""
        return statistics.median(x / y for x, y in zip(self.samples[a], self.samples[b], strict=True))


def program(build: str, name: str, n: int, options: dict[str, Any], *more: str) -> dict[str, Any]:
    """One run of the bare loop."""
    words = [f"{key}={json.dumps(value)}" for key, value in options.items()]
    run = subprocess.run(
        [PROGRAMS / f"tilery_play_{build}", name, str(n), *more, *words], capture_output=True, text=True, check=True
    )
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


def timed(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def python_loop(game: Any, games: int) -> float:
    """Actions per second of is_terminal, legal_actions, apply_action; chance picks an outcome evenly."""
    choose = random.Random(1).random
    actions = 0
    started = time.perf_counter()
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(choose() * len(legal))])
            actions += 1
    return actions / (time.perf_counter() - started)


def driver_loop(game: Any, games: int) -> float:
    """Decisions per second of one call per decision."""
    choose = random.Random(1).random
    driver = game.driver(seed=1)
    play, decisions = driver.play, 0
    started = time.perf_counter()
    for index in range(games):
        count = driver.restart(index)
        while count:
            count = play(int(choose() * count))
            decisions += 1
    return decisions / (time.perf_counter() - started)


def legal_actions_per_decision(game: Any, games: int) -> float:
    """The mean over all decisions of random games."""
    choose = random.Random(1).random
    driver, total, decisions = game.driver(seed=1), 0, 0
    for index in range(games):
        count = driver.restart(index)
        while count:
            total += count
            decisions += 1
            count = driver.play(int(choose() * count))
    return total / decisions


def clone_time(state: Any) -> float:
    """Seconds per clone()."""
    clone = state.clone
    rounds = range(200_000)
    empty = timed(lambda: [None for _ in rounds])
    return (timed(lambda: [clone() and None for _ in rounds]) - empty) / len(rounds)


def in_two_threads(call: Callable[[], object]) -> None:
    threads = [threading.Thread(target=call) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def measure(name: str, options: dict[str, Any], repeat: int) -> list[tuple[str, str]]:
    """The rows of one game: what, figure."""
    game: Any = tilery.load(name, **options)
    probe = program("v3", name, 2000, options)
    n = max(2000, int(2000 * 0.4 / probe["seconds"][0]))  # runs of some 0.4 s
    checksums = {program(build, name, 500, options)["checksum"] for build in ("v3", "v2", "native")}
    checksums |= {program("v3", name, 500, options, way)["checksum"] for way in ("--table", "--driver")}
    assert len(checksums) == 1, "all builds play the same games, and the C table does"
    reference: Any = tilery.reference.load(name, **options)

    def rate(build: str, *more: str) -> Callable[[], float]:
        return lambda: n / program(build, name, n, options, *more)["seconds"][0]

    def simulated(threads: int) -> float:
        return n / timed(lambda: tilery.simulate(game, n, seed=1, threads=threads))

    def reference_rate() -> float:
        return 1 / timed(lambda: play_random(reference, 1))

    measures: dict[str, Callable[[], float]] = {
        "v3": rate("v3"),
        "table": rate("v3", "--table"),
        "driver": rate("v3", "--driver"),
        "simulate": lambda: simulated(1),
        "two threads": lambda: simulated(2),
        "two Python threads": lambda: (
            2 * n / timed(lambda: in_two_threads(lambda: tilery.simulate(game, n, seed=1, threads=1)))
        ),
        "native": rate("native"),
        "v2": rate("v2"),
        "reference": reference_rate,
        "python loop": lambda: python_loop(game, max(20, n // 100)),
        "driver loop": lambda: driver_loop(game, max(50, n // 40)),
        "clone": lambda: clone_time(game.new_initial_state()),
        "copy": lambda: program("v3", name, 2000, options, "--copy")["copy_seconds"],
    }
    figures = Figures(repeat, measures)
    per_game = probe["decisions"] / probe["games"]
    rate_v3 = figures.median("v3")
    return [
        ("random games/s inside C++", f"{rate_v3:,.0f} (+- {figures.spread('v3'):.0%})"),
        ("decisions per game", f"{per_game:.1f}"),
        ("legal actions per decision", f"{legal_actions_per_decision(game, 300):.1f}"),
        ("ns per decision", f"{1e9 / rate_v3 / per_game:.0f}"),
        ("`tilery.simulate` : bare C++ loop", f"{figures.ratio('simulate', 'v3'):.0%}"),
        ("C table, action by action : bare C++ loop", f"{figures.ratio('table', 'v3'):.0%}"),
        ("C table, decision by decision : bare C++ loop", f"{figures.ratio('driver', 'v3'):.0%}"),
        ("two threads : one", f"{figures.ratio('two threads', 'simulate'):.2f}x"),
        ("two Python threads : one", f"{figures.ratio('two Python threads', 'simulate'):.2f}x"),
        ("engine : reference", f"{figures.ratio('v3', 'reference'):,.0f}x"),
        ("Python loop like OpenSpiel's, actions/s", f"{figures.median('python loop'):,.0f}"),
        ("- decisions/s in it", f"{figures.median('python loop') * probe['decisions'] / probe['actions']:,.0f}"),
        ("Python loop, one call per decision, decisions/s", f"{figures.median('driver loop'):,.0f}"),
        ("bytes of a state", f"{probe['state_bytes']:,}"),
        ("copy in C++ / `clone()`, ns", f"{1e9 * figures.median('copy'):.0f} / {1e9 * figures.median('clone'):.0f}"),
        ("build chosen on x86-64 : -march=native", f"{figures.ratio('v3', 'native'):.0%}"),
        ("build without AVX2 : -march=native", f"{figures.ratio('v2', 'native'):.0%}"),
    ]


def table(cases: list[str], repeat: int) -> str:
    columns: dict[str, list[tuple[str, str]]] = {}
    for name in cases:
        for options in CASES.get(name, [{}]):
            words = ", ".join(str(value) if key != "players" else f"{value} players" for key, value in options.items())
            print(f"measuring {name} {words}", file=sys.stderr, flush=True)
            columns[f"{name}{', ' * bool(words)}{words}"] = measure(name, options, repeat)
    lines = [
        "| | " + " | ".join(columns) + " |",
        "|---|" + "---:|" * len(columns),
    ]
    for row in zip(*columns.values(), strict=True):
        lines.append(f"| {row[0][0]} | " + " | ".join(figure for _, figure in row) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=tilery.games())
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--write", action="store_true", help="replace the table in bench/README.md")
    options = parser.parse_args()
    measured = table(options.games, options.repeat)
    stamp = (
        f"Measured {datetime.date.today()} with `python3 dev.py speed` on one core of a {platform.machine()} machine, "
        f"CPython {platform.python_version()}, medians of {options.repeat} interleaved runs."
    )
    print(f"{measured}\n\n{stamp}")
    if options.write:
        write(ROOT / "bench" / "README.md", f"{measured}\n\n{stamp}")


def write(page: Path, text: str) -> None:
    """Replace what a page has between the two comments."""
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
