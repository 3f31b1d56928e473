"""Batches stepped from NumPy, each figure next to its goal, and next to EnvPool and Pgx where they are installed.

    python bench/batch_speed.py [--games NAME ...] [--repeat R] [--seconds S] [--json FILE]

The bare loop is tilery.simulate on one thread. Sampling in NumPy is included, as a learner would do it. The lines of a
game are measured in turn, R times; a figure is the median, with the least and the greatest in brackets, and shares are
medians of the shares of each turn. Times are CPU times of this process; wall-clock times where threads are compared,
which need a quiet machine. Before anything is timed, a batch must play the games of the bare loop, and what each loop
filled is compared with the states.

`pip install tilery[bench]` installs EnvPool and Pgx: their environments are smaller games than ours, stepped by random
actions in the same way on one thread.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import tilery

CASES = {name: {"players": 3} if name == "tajmahal" else {} for name in tilery.games()}
STEP_GOALS = {1024: 0.85, 4096: 0.65}
"""The share of the bare loop's speed that stepping this many games reaches."""
RATE_GOALS = {"carcassonne": 8.0, "java": 3.4, "pueblo": 27.0, "tajmahal": 20.0}
"""Of stepping: M decisions/s on a quiet core of the machine of bench/README.md."""
MASK_GOALS = {"pueblo": 6.0, "tajmahal": 6.0}
"""Of a bool mask at every step, M decisions/s."""
OBSERVATION_GOALS = {"tajmahal": 2.5}
"""Of a mask and an observation of integers at every step, M decisions/s."""
SIZES = (256, 1024, 4096)
COLUMNS = 16
"""Decisions of each game in a call of random_steps()."""
THREAD_SIZES = (1024, 2048, 8192, 32768)
BUSY_SIZE = 8192
"""Of the batch that is stepped beside a busy process: large enough that all games wake the second thread."""
DRIVER_GOALS = {"carcassonne": 4.0, "java": 3.0}
"""Of one game from Python with one call a decision, M decisions/s."""
LOOP_GOALS = {"java": 1.0}
"""Of one game from Python as a bot for OpenSpiel plays it, M actions/s."""

Work = Callable[[], int]
"""Makes a number of decisions, and returns it."""


class Turns:
    """Rates of several works, measured in turn."""

    def __init__(self, works: dict[str, Work], options: argparse.Namespace, clock: Callable[[], float]) -> None:
        self.rates: dict[str, list[float]] = {label: [] for label in works}
        for work in works.values():
            work()
        for _ in range(options.repeat):
            for label, work in works.items():
                began, decisions = clock(), 0
                while clock() - began < options.seconds:
                    decisions += work()
                self.rates[label].append(decisions / (clock() - began))

    def millions(self, label: str) -> list[float]:
        return [rate / 1e6 for rate in self.rates[label]]

    def shares(self, label: str, of: str) -> list[float]:
        return [a / b for a, b in zip(self.rates[label], self.rates[of], strict=True)]


class Table:
    """What was measured, printed line by line."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def add(self, label: str, unit: str, figures: list[float], goal: float | None = None) -> None:
        median = statistics.median(figures)
        line: dict[str, Any] = {"label": label, "unit": unit, "median": median, "low": min(figures)}
        line |= {"high": max(figures), "goal": goal}
        self.lines.append(line)
        verdict = "" if goal is None else f"goal {goal:.2f}: {'reached' if median >= goal else 'MISSED'}"
        spread = f"[{min(figures):.2f} .. {max(figures):.2f}]"
        print(f"  {label:52} {median:8.2f} {spread:18} {unit:14} {verdict}", flush=True)


def bare_loop(game: Any) -> Work:
    return lambda: int(tilery.simulate(game, 200, seed=1, threads=1)["num_decisions"].sum())


def check_games(game: Any, size: int, threads: int) -> None:
    """A batch that is stepped at random plays the games of the bare loop."""
    batch, results = game.batch(size, seed=1, threads=threads), tilery.simulate(game, size, seed=1)
    missing = np.ones(size, bool)
    while missing.any():
        batch.step(batch.random_indices())
        ended = batch.done & missing
        assert (batch.scores[ended] == results["scores"][ended]).all()
        missing &= ~batch.done


def stepping(game: Any, size: int, threads: int = 1, *, mask: bool = False, dtype: str | None = None) -> Work:
    """A loop that samples indices in NumPy and steps, with a mask or observations at every step.

    The numbers of several steps are drawn at once, because a call costs more than it does for a small batch, but few
    enough that their array stays small: one of 128 KiB is new memory each time.
    """
    batch = game.batch(size, seed=1, threads=threads)
    rows = min(16, max(1, 16_384 // size))
    rounds = max(1, 20_000 // size // rows)
    draw, indices = np.random.Generator(np.random.SFC64(1)).random, np.empty(size, np.int32)
    masks = np.empty((size if mask else 0, game.num_distinct_actions), bool)
    seen = np.empty((size if dtype else 0, *game.observation_tensor_shape), dtype)
    counts = batch.num_legal_actions

    def work() -> int:
        for _ in range(rounds):
            for uniforms in draw((rows, size), np.float32):
                if mask:
                    batch.legal_actions_mask(masks)
                if dtype is not None:
                    batch.observations(seen, dtype)
                batch.step(batch.indices(uniforms, indices))
        return rounds * rows * size

    work()
    states = [batch[i] for i in range(0, size, size // 8)]
    assert counts[:: size // 8].tolist() == [state.num_legal_actions() for state in states]
    if mask:
        expected = np.array([state.legal_actions_mask() for state in states])
        assert (batch.legal_actions_mask(masks)[:: size // 8] == expected).all()
    if dtype is not None:
        expected = np.array([state.observation_tensor(state.current_player()) for state in states])
        found = batch.observations(seen, dtype)[:: size // 8]
        for part in game.observation_parts:
            values = slice(part.offset, part.offset + int(np.prod(part.shape)))
            unit = 1 if dtype == "float32" else part.divisor
            shown = found.reshape(len(states), -1)[:, values] / unit
            assert (shown.astype(np.float32) == expected.reshape(len(states), -1)[:, values]).all()
    return work


def stepping_by_rows(game: Any, size: int) -> Work:
    """A loop that takes several decisions in each game with a call, by numbers drawn in NumPy.

    A game that ends leaves the rest of its numbers, and only decisions taken are counted.
    """
    batch, uniforms = game.batch(size, seed=1), np.empty((size, COLUMNS), np.float32)
    draw = np.random.Generator(np.random.SFC64(1)).random

    def work() -> int:
        draw(dtype=np.float32, out=uniforms)
        return int(batch.random_steps(uniforms))

    other = batch.clone()
    for _ in range(8):
        decisions, taken, going = work(), 0, np.ones(size, bool)
        for column in uniforms.T:
            other.step(np.where(going, other.indices(np.ascontiguousarray(column)), -1))
            taken += int(going.sum())
            going &= ~other.done
        assert decisions == taken
        assert (batch.num_legal_actions == other.num_legal_actions).all()
    return work


def drawing(game: Any, size: int) -> Work:
    """A loop of steps that draw inside."""
    batch, rounds = game.batch(size, seed=1), max(1, 20_000 // size)

    def work() -> int:
        for _ in range(rounds):
            batch.random_step()
        return rounds * size

    return work


def observing(game: Any, size: int) -> Work:
    batch, out = game.batch(size, seed=1), np.empty((size, *game.observation_tensor_shape), np.float32)
    for _ in range(20):
        batch.step(batch.random_indices())

    def work() -> int:
        batch.observations(out)
        return size

    return work


def copying(game: Any, size: int) -> Work:
    """np.copyto of arrays as large as the observations of a batch."""
    shape = (size, *game.observation_tensor_shape)
    source, target = np.ones(shape, np.float32), np.zeros(shape, np.float32)

    def work() -> int:
        np.copyto(target, source)
        return size

    return work


def driving(game: Any) -> Work:
    """One game after the other, with one call a decision."""
    choose, driver, index = random.Random(1).random, game.driver(seed=1), iter(range(1 << 62))
    play = driver.play

    def work() -> int:
        decisions = 0
        for _ in range(20):
            count = driver.restart(next(index))
            while count:
                count = play(int(choose() * count))
                decisions += 1
        return decisions

    return work


def looping(game: Any) -> Work:
    """One game after the other, as a bot for OpenSpiel plays it: lists of actions, and chance outcomes among them."""
    choose = random.Random(1).random

    def work() -> int:
        actions = 0
        for _ in range(5):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(choose() * len(legal))])
                actions += 1
        return actions

    return work


def exact_dtype(game: Any) -> str | None:
    """The smallest integers that hold the game's observations."""
    for dtype in ("uint8", "int16"):
        try:
            game.batch(1).observations(dtype=dtype)
        except ValueError:
            continue
        return dtype
    return None


def measure_game(name: str, table: Table, options: argparse.Namespace) -> None:
    game = tilery.load(name, **CASES[name])
    for threads in (1, 2):
        check_games(game, 64, threads)
    print(f"{name}: {game.num_distinct_actions} ids, {np.prod(game.observation_tensor_shape)} numbers", flush=True)
    dtype = exact_dtype(game)
    works = {"bare loop": bare_loop(game)}
    sizes = {f"step, N = {size}": size for size in SIZES}
    works |= {label: stepping(game, size) for label, size in sizes.items()}
    rows = {f"{COLUMNS} steps a call, N = {size}": size for size in SIZES}
    works |= {label: stepping_by_rows(game, size) for label, size in rows.items()}
    works |= {f"random step, N = {size}": drawing(game, size) for size in SIZES}
    works["step, bool mask, N = 256"] = stepping(game, 256, mask=True)
    if dtype is not None:
        works[f"step, mask, {dtype} observation, N = 256"] = stepping(game, 256, mask=True, dtype=dtype)
    works["step, mask, float32 observation, N = 256"] = stepping(game, 256, mask=True, dtype="float32")
    turns = Turns(works, options, time.process_time)
    table.add(f"{name}: bare loop", "M decisions/s", turns.millions("bare loop"))
    for label in works:
        if label in sizes:
            share = STEP_GOALS.get(sizes[label])
            table.add(f"{name}: {label}", "of bare loop", turns.shares(label, "bare loop"), share)
            table.add(f"{name}: {label}", "M decisions/s", turns.millions(label), RATE_GOALS.get(name))
        elif label in rows:
            share = STEP_GOALS.get(rows[label])
            table.add(f"{name}: {label}", "of bare loop", turns.shares(label, "bare loop"), share)
        elif label.startswith("random step"):
            table.add(f"{name}: {label}", "of bare loop", turns.shares(label, "bare loop"))
        elif label != "bare loop":
            goal = (
                MASK_GOALS.get(name)
                if "mask, N" in label
                else OBSERVATION_GOALS.get(name)
                if dtype in label.split()
                else None
            )
            table.add(f"{name}: {label}", "M decisions/s", turns.millions(label), goal)
    one = {"driver": driving(game), "loop": looping(game)}
    turns = Turns(one, options, time.process_time)
    driver, loop = "one game, a call a decision", "one game, lists of actions"
    table.add(f"{name}: {driver}", "M decisions/s", turns.millions("driver"), DRIVER_GOALS.get(name))
    table.add(f"{name}: {loop}", "M actions/s", turns.millions("loop"), LOOP_GOALS.get(name))
    pair = {"observations": observing(game, 64), "np.copyto": copying(game, 64)}
    turns = Turns(pair, options, time.process_time)
    table.add(f"{name}: float32 observations, N = 64", "of np.copyto", turns.shares("observations", "np.copyto"), 0.25)
    measure_threads(name, game, table, options)


def measure_threads(name: str, game: Any, table: Table, options: argparse.Namespace) -> None:
    """Two threads against one: alone, and with one core kept busy by another process."""
    for size in THREAD_SIZES:
        threads = {f"{n} threads": stepping(game, size, n) for n in (1, 2)}
        turns = Turns(threads, options, time.perf_counter)
        table.add(f"{name}: two threads, N = {size}", "of one thread", turns.shares("2 threads", "1 threads"), 1.6)
    threads = {f"{n} threads": stepping(game, BUSY_SIZE, n) for n in (1, 2)}
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        turns = Turns(threads, options, time.perf_counter)
    finally:
        busy.kill()
        busy.wait()
    table.add(
        f"{name}: two threads beside a busy process", "of one thread", turns.shares("2 threads", "1 threads"), 0.9
    )


def envpool_stepping(task: str, size: int) -> Work:
    import envpool  # type: ignore[import-not-found, unused-ignore]

    env = envpool.make(task, env_type="gym", num_envs=size, num_threads=1, seed=1)
    env.reset()
    rng, steps = np.random.default_rng(1), 20

    def work() -> int:
        for _ in range(steps):
            env.step(rng.integers(env.action_space.n, size=size).astype(np.int32))
        return steps * size

    return work


def pgx_stepping(task: str, size: int) -> Work:
    import jax  # type: ignore[import-not-found, unused-ignore]
    import pgx  # type: ignore[import-not-found, unused-ignore]
    from pgx.experimental import auto_reset  # type: ignore[import-not-found, unused-ignore]

    env = pgx.make(task)
    step, steps = auto_reset(env.step, env.init), 20

    @jax.jit  # type: ignore[untyped-decorator, unused-ignore]
    def play(states: Any, key: Any) -> tuple[Any, Any]:
        def one(carry: Any, _: Any) -> tuple[Any, None]:
            states, key = carry
            key, choose, luck = jax.random.split(key, 3)
            actions = jax.random.categorical(choose, jax.numpy.log(states.legal_action_mask.astype("float32")), axis=-1)
            return (jax.vmap(step)(states, actions, jax.random.split(luck, size)), key), None

        return jax.lax.scan(one, (states, key), None, length=steps)[0]  # type: ignore[no-any-return, unused-ignore]

    box = [(jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(1), size)), jax.random.PRNGKey(2))]

    def work() -> int:
        box[0] = jax.block_until_ready(play(*box[0]))
        return steps * size

    return work


def measure_peers(table: Table, options: argparse.Namespace) -> None:
    peers: list[tuple[str, Callable[[str, int], Work], tuple[str, ...]]] = [
        ("EnvPool", envpool_stepping, ("CartPole-v1", "FrozenLake-v1")),
        ("Pgx", pgx_stepping, ("tic_tac_toe", "connect_four", "go_9x9")),
    ]
    for peer, make, tasks in peers:
        for task in tasks:
            try:
                work = make(task, 1024)
                work()
            except Exception as error:
                print(
                    f"  {peer} {task}: skipped, {type(error).__name__}: {error}; pip install tilery[bench]", flush=True
                )
                continue
            turns = Turns({task: work}, options, time.process_time)
            table.add(f"{peer}: {task}, N = 1024", "M steps/s", turns.millions(task))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", choices=CASES, default=list(CASES))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3, help="of each line in each turn")
    parser.add_argument("--no-peers", action="store_true", help="leave out EnvPool and Pgx")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; medians [least .. greatest]")
    table = Table()
    for name in options.games:
        measure_game(name, table, options)
    if not options.no_peers:
        measure_peers(table, options)
    if options.json:
        options.json.write_text(json.dumps(table.lines, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
