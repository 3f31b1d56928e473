"""Batches stepped from NumPy, in decisions a second and as a share of the bare C++ loop of the same run.

    python bench/bench_batch.py [--threads T] [--games NAME ...] [--sizes N ...] [--repeat R] [--json FILE]

The bare loop is tilery.simulate on one thread. Sampling in NumPy is included, as a learner would do it. Times are
CPU times of this process for one thread and wall-clock times for more; the best of the repetitions is reported, with
the worst beside it. Every line asserts that the scores of the games it stepped are those of the bare loop.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import tilery

CASES = {name: {"players": 3} if name == "tajmahal" else {} for name in tilery.games()}


class Meter:
    """Decisions a second over several repetitions."""

    def __init__(self, repeat: int, clock: Callable[[], float]) -> None:
        self.repeat, self.clock = repeat, clock

    def __call__(self, work: Callable[[], int]) -> tuple[float, float]:
        """The best and the worst rate of work(), which returns how many decisions it made."""
        rates = []
        for _ in range(self.repeat):
            began = self.clock()
            decisions = work()
            rates.append(decisions / (self.clock() - began))
        return max(rates), min(rates)


def bare_loop(game: Any, games: int) -> int:
    return int(tilery.simulate(game, games, seed=1, threads=1)["num_decisions"].sum())


def check(game: Any, size: int) -> None:
    """A batch plays the games of the bare loop."""
    batch = game.batch(size, seed=1)
    batch.playout()
    assert (batch.scores == tilery.simulate(game, size, seed=1)["scores"]).all()


def stepping(game: Any, size: int, threads: int, decisions: int, look: str) -> Callable[[], int]:
    """A loop that samples indices in NumPy and steps; `look` is what it reads at every step besides."""
    batch = game.batch(size, seed=1, threads=threads)
    rng, uniform, indices = np.random.default_rng(1), np.empty(size), np.empty(size, np.int32)
    mask = np.empty((size, game.num_distinct_actions), bool) if "mask" in look else None
    seen = np.empty((size, *game.observation_tensor_shape), np.float32) if "float32" in look else None
    counts, steps = batch.num_legal_actions, max(1, decisions // size)

    def work() -> int:
        for _ in range(steps):
            if mask is not None:
                batch.legal_actions_mask(mask)
            if seen is not None:
                batch.observations(seen)
            rng.random(out=uniform)
            np.multiply(uniform, counts, out=uniform)
            indices[:] = uniform
            batch.step(indices)
        return steps * size

    work()
    return work


def copying(game: Any, size: int) -> Callable[[], int]:
    """np.copyto of arrays as large as the observations of a batch."""
    shape = (size, *game.observation_tensor_shape)
    source, target = np.ones(shape, np.float32), np.zeros(shape, np.float32)

    def work() -> int:
        for _ in range(20):
            np.copyto(target, source)
        return 20 * size

    return work


def observing(game: Any, size: int) -> Callable[[], int]:
    batch, out = game.batch(size, seed=1), np.empty((size, *game.observation_tensor_shape), np.float32)
    for _ in range(20):
        batch.step(batch.random_indices())

    def work() -> int:
        for _ in range(20):
            batch.observations(out)
        return 20 * size

    return work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--games", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--sizes", nargs="+", type=int, default=[256, 1024, 4096])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--decisions", type=int, default=1_000_000, help="decisions of each repetition")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    meter = Meter(options.repeat, time.process_time if options.threads == 1 else time.perf_counter)
    figures: dict[str, dict[str, Any]] = {}
    print("M decisions/s: best (worst), share of the bare loop")
    for name in options.games:
        game = tilery.load(name, **CASES[name])
        check(game, 64)
        bare = meter(lambda game=game: bare_loop(game, max(100, options.decisions // 200)))  # type: ignore[misc]
        lines = figures[name] = {"bare loop": bare}
        print(f"{name}: bare loop {bare[0] / 1e6:.2f} ({bare[1] / 1e6:.2f})", flush=True)
        for size in options.sizes:
            lines[f"step, N = {size}"] = meter(stepping(game, size, options.threads, options.decisions, ""))
        size = options.sizes[0]
        few = options.decisions // 10
        lines[f"step and bool mask, N = {size}"] = meter(stepping(game, size, options.threads, few, "mask"))
        lines[f"step, mask and float32 observations, N = {size}"] = meter(
            stepping(game, size, options.threads, few, "mask float32")
        )
        lines[f"float32 observations alone, N = {size}"] = meter(observing(game, size))
        lines[f"np.copyto of arrays of that size, N = {size}"] = meter(copying(game, size))
        for label, (best, worst) in lines.items():
            if label != "bare loop":
                print(f"  {label}: {best / 1e6:.2f} ({worst / 1e6:.2f}), {best / bare[0]:.0%}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
