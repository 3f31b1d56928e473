"""What runs on disk cost, and how fast results become Arrow.

    python bench/runs_speed.py [--games N] [--repeat R] [--json FILE] [out arrow memory continue ray]

Prints all figures and which of the goals they reach; the exit code is 1 if one is missed. `ray` needs the extra
`tilery[ray]`, and `memory` 250 MB of disk and a minute or two of all cores. Times of `out` and `arrow` are CPU times of
this process and its threads, so that a busy machine does not change them; those of `continue` and `ray` are by the
clock and need a machine with nothing else to do. Both sides of a ratio are measured in turn, and the median and the
range of the ratios are reported. Every figure asserts the results it is about.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import tilery
from tilery.runs import on_ray
from tilery.runs.shards import Run, plan
from tilery.simulation import result_dtype

FASTEST = "pueblo"


def out(games: int, repeat: int) -> dict[str, Any]:
    """Games per second of a run on disk as a share of those of `tilery.simulate`: the fastest game, one thread."""
    game = tilery.load(FASTEST)
    found: dict[str, Any] = {"games": games}
    for files in ("npz", "parquet"):
        ratios, overheads, bytes_of_game = [], [], 0.0
        for _ in range(repeat):
            began = time.process_time()
            results = tilery.simulate(game, games, seed=1, threads=1)
            alone = time.process_time() - began
            with tempfile.TemporaryDirectory() as folder:
                began = time.process_time()
                run = Run.start(folder, plan(game, games, seed=1, files=files))
                run.work(threads=1)
                whole = time.process_time() - began
                bytes_of_game = sum(each.stat().st_size for each in Path(folder).iterdir()) / games
                assert Run.open(folder).summary().to_dict() == tilery.summary(results).to_dict()
            ratios.append(alone / whole)
            overheads.append((whole - alone) / run.shards)
        found[files] = {
            "share": median(ratios),
            "from": min(ratios),
            "to": max(ratios),
            "seconds_of_a_shard": median(overheads),
            "bytes_of_a_game": bytes_of_game,
        }
    return found


def arrow(games: int, repeat: int) -> dict[str, Any]:
    """Seconds from an array of results of two players to a table of pyarrow."""
    results = np.zeros(games, result_dtype(2))
    results["scores"] = np.arange(2 * games).reshape(games, 2) % 97
    times, walls = [], []
    for _ in range(repeat):
        wall, began = time.perf_counter(), time.process_time()
        table = tilery.arrow(results)
        times.append(time.process_time() - began)
        walls.append(time.perf_counter() - wall)
        assert np.array_equal(table["score_1"].to_numpy(), results["scores"][:, 1])
        del table
    return {"games": games, "cpu_seconds": median(times), "from": min(times), "to": max(times), "wall": min(walls)}


COMMAND = """
import sys, time
from tilery.cli import main
code = main(sys.argv[1:])
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(peak.split()[1], time.process_time(), file=sys.stderr)
sys.exit(code)
"""
"""A command, with the most memory it had at a time in KiB (of Linux: other counts include what started it)."""


def memory(games: int, _repeat: int) -> dict[str, Any]:
    """The most memory of `tilery simulate --out DIR` and `tilery report DIR`, in bytes, and how long they take."""
    found: dict[str, Any] = {"games": games}
    with tempfile.TemporaryDirectory() as folder:
        run, page = f"{folder}/run", f"{folder}/report.html"
        for name, words in (
            ("simulate", ["simulate", FASTEST, "--games", str(games), "--seed", "1", "--out", run]),
            ("report", ["report", run, "--page", page]),
        ):
            began = time.perf_counter()
            ended = subprocess.run(
                [sys.executable, "-c", COMMAND, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True
            )
            kibibytes, cpu = ended.stderr.split()[-2:]
            found[name] = {
                "bytes": 1024 * int(kibibytes),
                "seconds": time.perf_counter() - began,
                "cpu_seconds": float(cpu),
            }
        assert Run.open(run).summary().games == games
        assert Path(page).stat().st_size > 100_000
        found["bytes_on_disk"] = sum(each.stat().st_size for each in Path(run).iterdir())
        found["files"] = len(list(Path(run).iterdir()))
    found["bytes"] = max(found["simulate"]["bytes"], found["report"]["bytes"])
    return found


def continuing(_games: int, repeat: int) -> dict[str, Any]:
    """Seconds until a run with 10,000 finished shards plays the next one, without the start of Python."""
    with tempfile.TemporaryDirectory() as folder:
        game = tilery.load("toy")
        chosen = plan(game, 10_001, shard=1, files="npz")
        run = Run.start(folder, chosen)
        first = run.play(0, 1)
        run.write(0, first)
        for shard in range(1, 10_000):
            run.path_of(shard).write_bytes(run.path_of(0).read_bytes())
        assert len(run.finished()) == 10_000
        times = []
        for _ in range(repeat):
            began, cpu = time.perf_counter(), time.process_time()
            started: list[float] = []

            def look(_done: int, began: float = began, started: list[float] = started) -> None:
                started.append(time.perf_counter() - began)

            Run.start(folder, chosen).work(threads=1, progress=look)
            times.append((started[1], time.process_time() - cpu))
            run.path_of(10_000).unlink()
        assert len(run.finished()) == 10_000
    return {
        "wall_seconds": median(wall for wall, _ in times),
        "cpu_seconds_with_the_shard": median(cpu for _, cpu in times),
    }


def policy_of(game: Any, seconds: float) -> tuple[str, float]:
    """A policy whose games take about so long on one core, and how long they do."""
    simulations = 30
    for games in (50, 200):
        began = time.process_time()
        tilery.simulate(game, games, seed=2, policies=f"mcts:{simulations}", threads=1)
        took = (time.process_time() - began) / games
        found = f"mcts:{simulations}", took
        simulations = max(1, round(simulations * seconds / took))
    return found


def ray(_games: int, repeat: int) -> dict[str, Any]:
    """How much faster two workers of a local cluster are than one, for a policy of 10 ms a game; what a task costs."""
    import ray as package

    game = tilery.load(FASTEST)
    text, of_game = policy_of(game, 0.01)
    games = int(10 / of_game)
    many = plan(tilery.load("toy"), 400, shard=1, files="npz")
    ratios, files = [], {}
    tasks: dict[int, list[float]] = {0: [], 1: [], 2: []}
    for _ in range(repeat):
        walls = {}
        for workers in (1, 2):
            package.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="error")
            with tempfile.TemporaryDirectory() as folder:
                on_ray.work(Run.start(f"{folder}/warm", plan(game, 100, policies=text, shard=1)))
                run = Run.start(f"{folder}/run", plan(game, games, seed=2, policies=text, shard=max(1, games // 40)))
                walls[workers] = seconds_of(lambda run=run: on_ray.work(run))
                files[workers] = [run.path_of(shard).read_bytes() for shard in range(run.shards)]
                small = Run.start(f"{folder}/small", many)
                tasks[workers].append(seconds_of(lambda small=small: on_ray.work(small)) / small.shards)
            package.shutdown()
        with tempfile.TemporaryDirectory() as folder:
            small = Run.start(folder, many)
            tasks[0].append(seconds_of(lambda small=small: small.work(threads=1)) / small.shards)
        assert files[1] == files[2]
        ratios.append(walls[1] / walls[2])
    return {
        "policy": text,
        "seconds_of_a_game": of_game,
        "games": games,
        "ratio": median(ratios),
        "from": min(ratios),
        "to": max(ratios),
        "seconds_of_a_shard_without_ray": median(tasks[0]),
        "seconds_of_a_task_with_one_worker": median(tasks[1]),
        "seconds_of_a_task_with_two_workers": median(tasks[2]),
    }


def seconds_of(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


FIGURES = {"out": out, "arrow": arrow, "memory": memory, "continue": continuing, "ray": ray}
GAMES = {"out": 2e6, "memory": 1e8}

GOALS: list[tuple[str, Callable[[dict[str, Any]], tuple[float, float, float]], str]] = [
    ("out", lambda found: (0.9, found["parquet"]["share"], math.inf), "games/s of --out : games/s in memory"),
    ("arrow", lambda found: (0, found["cpu_seconds"], 0.5), "seconds for 10^7 games of two players into Arrow"),
    ("memory", lambda found: (0, found["bytes"] / 1e6, 300), "MB at most for 10^8 games and their report"),
    ("continue", lambda found: (0, found["wall_seconds"], 2), "seconds to continue a run of 10^4 finished shards"),
    ("ray", lambda found: (1.7, found["ratio"], math.inf), "times as fast with two workers of Ray as with one"),
]
"""The least, the found and the greatest value, and what it is."""


def goals(found: dict[str, Any]) -> bool:
    """Print which goals are reached; True if all are."""
    reached = []
    for name, values, words in GOALS:
        if name in found:
            low, value, high = values(found[name])
            reached.append(low <= value <= high)
            bound = f"at least {low:g}" if high == math.inf else f"at most {high:g}"
            print(f"{'reached' if reached[-1] else 'MISSED':8}{value:8.3g}  {bound:13} {words}")
    return all(reached)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", nargs="*", default=list(FIGURES), metavar="FIGURE", help=", ".join(FIGURES))
    parser.add_argument("--games", type=float, help="default: 2e6 for out, 1e8 for memory, 1e7 for arrow")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found: dict[str, Any] = {}
    for name in options.figures:
        games = int(options.games or GAMES.get(name, 1e7))
        found[name] = FIGURES[name](games, options.repeat)
        print(name, json.dumps(found[name], indent=1), flush=True)
    reached = goals(found)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0 if reached else 1


if __name__ == "__main__":
    raise SystemExit(main())
