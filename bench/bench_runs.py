"""What runs on disk cost, and how fast results become Arrow.

    python bench/bench_runs.py [--games N] [--repeat R] [--json FILE] [out arrow memory continue ray]

Times of `out` and `arrow` are CPU times of this process and its threads, so that a busy machine does not change them;
both sides of a ratio are measured in turn, and the median and the range of the ratios are reported. Every figure
asserts the results it is about.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import tilery
from tilery.run import result_dtype
from tilery.runs import on_ray
from tilery.runs.shards import Run, plan

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
    import pyarrow

    results = np.zeros(games, result_dtype(2))
    results["scores"] = np.arange(2 * games).reshape(games, 2) % 97
    times, walls = [], []
    for _ in range(repeat):
        wall, began = time.perf_counter(), time.process_time()
        table = pyarrow.table(tilery.arrow(results))
        times.append(time.process_time() - began)
        walls.append(time.perf_counter() - wall)
        assert np.array_equal(table["score_1"].to_numpy(), results["scores"][:, 1])
        del table
    return {"games": games, "cpu_seconds": median(times), "from": min(times), "to": max(times), "wall": min(walls)}


def memory(games: int, repeat: int) -> dict[str, Any]:
    """The most memory of a process that plays a run and summarizes it, in MiB, for a tenth of the games and for all."""
    assert repeat > 0
    program = (
        "import sys, tempfile, resource, tilery\n"
        "from tilery.runs.shards import Run, plan\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        f"    run = Run.start(folder, plan(tilery.load({FASTEST!r}), int(sys.argv[1]), seed=1))\n"
        "    run.work()\n"
        "    assert Run.open(folder).summary().games == int(sys.argv[1])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    found = {}
    for number in (games // 10, games):
        ended = subprocess.run([sys.executable, "-c", program, str(number)], capture_output=True, text=True, check=True)
        found[f"{number:,} games"] = int(ended.stdout) / 1024
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


def ray(_games: int, repeat: int) -> dict[str, Any]:
    """How much faster two workers of a local cluster are than one, for a policy that takes about 10 ms a game."""
    import ray as package

    game = tilery.load(FASTEST)
    began = time.process_time()
    tilery.simulate(game, 200, seed=2, policies="flat:3", threads=1)
    of_game = (time.process_time() - began) / 200
    games = int(10 / of_game)
    ratios, files = [], {}
    for _ in range(repeat):
        walls = {}
        for workers in (1, 2):
            package.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="error")
            with tempfile.TemporaryDirectory() as folder:
                chosen = plan(game, games + workers, seed=2, policies="flat:3", shard=max(1, games // 20))
                on_ray.work(Run.start(f"{folder}/warm", plan(game, 64, policies="flat:3", shard=1)))
                run = Run.start(f"{folder}/run", chosen)
                began = time.perf_counter()
                on_ray.work(run)
                walls[workers] = (time.perf_counter() - began) / run.plan.games
                files[workers] = run.path_of(0).read_bytes()
            package.shutdown()
        assert files[1] == files[2]
        ratios.append(walls[1] / walls[2])
    return {"seconds_of_a_game": of_game, "ratio": median(ratios), "from": min(ratios), "to": max(ratios)}


FIGURES = {"out": out, "arrow": arrow, "memory": memory, "continue": continuing, "ray": ray}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", nargs="*", default=list(FIGURES), metavar="FIGURE", help=", ".join(FIGURES))
    parser.add_argument("--games", type=float, help="default: 2e6 for out, 1e7 for arrow and memory")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = {}
    for name in options.figures:
        games = int(options.games or (2e6 if name == "out" else 1e7))
        found[name] = FIGURES[name](games, options.repeat)
        print(name, json.dumps(found[name], indent=1), flush=True)
    found["peak_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
