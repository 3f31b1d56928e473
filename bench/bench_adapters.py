"""Steps a second of the environments of PettingZoo and Gymnasium in random masked play, in CPU time of this process.

    python bench/bench_adapters.py [--games NAME ...] [--envs N] [--steps N] [--repeat R] [--json FILE]

A step of PettingZoo is `last()`, a random choice among the actions of the mask, and `step()`. A step of the vector
environment is one of one environment: `step()` with new observations and masks for all of them; the random choice is
made natively, and its time is left out. The best of the repetitions is reported, with the worst next to it.

Before it is timed, everything is checked against the engine: the returns of the games it plays are those of the same
actions applied to states.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilery

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install 'tilery[gymnasium]'")
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install 'tilery[pettingzoo]'")

import tilery.gymnasium
import tilery.pettingzoo

CASES = {name: {"players": 3} if name == "tajmahal" else {} for name in tilery.games()}


def play(env: Any, steps: int, seed: int, check: bool = False) -> tuple[int, float]:
    """Play whole games of at least this many steps in an AEC environment; return the steps and their seconds."""
    uniform, done = np.random.default_rng(seed).random, 0
    env.reset(seed=seed)
    began = time.process_time()
    while done < steps:
        chosen, rewards = [], {}
        for agent in env.agent_iter():
            observation, reward, over, _, _ = env.last()
            if over:
                rewards[agent] = reward
                env.step(None)
                continue
            ids = observation["action_mask"].view(bool).nonzero()[0]  # of int8 it takes 20 times as long
            action = ids[int(uniform() * len(ids))]
            env.step(action)
            done += 1
            if check:
                chosen.append(int(action))
        if check:
            replay(env, seed, chosen, rewards)
        env.reset(seed=seed)
    return done, time.process_time() - began


def replay(env: Any, seed: int, actions: list[int], rewards: dict[str, float]) -> None:
    """Assert that a game of these actions ends with these rewards."""
    state, rng = env.game.new_initial_state(), tilery.Rng(seed)
    for action in [*actions, None]:
        while state.is_chance_node():
            state.apply_action(state.random_action(rng))
        if action is not None:
            state.apply_action(action)
    assert state.is_terminal()
    for agent, reward in rewards.items():
        assert reward == state.returns()[env.possible_agents.index(agent)]


def step_all(envs: Any, steps: int) -> tuple[int, float]:
    """Step a vector environment at random; return the steps of all environments and their seconds."""
    _, infos = envs.reset(seed=1)
    rng, seconds = np.random.default_rng(1), 0.0
    for _ in range(steps // envs.num_envs):
        actions = choose(infos["action_mask"], rng)
        began = time.process_time()
        _, _, _, _, infos = envs.step(actions)
        seconds += time.process_time() - began
    return steps // envs.num_envs * envs.num_envs, seconds


def choose(masks: Any, rng: np.random.Generator) -> Any:
    """A legal action of each row, uniformly at random."""
    rows, ids = masks.nonzero()
    counts = np.bincount(rows, minlength=len(masks))
    return ids[np.cumsum(counts) - counts + (rng.random(len(masks)) * counts).astype(np.int64)]


def check_all(envs: Any) -> None:
    """Assert that every environment plays the game of its state, and that its games end with their returns."""
    _, infos = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    ends = 0
    for _ in range(400):
        _, rewards, ended, _, infos = envs.step(choose(infos["action_mask"], rng))
        scores = infos["final_info"]["scores"] if ended.any() else None
        for i in np.flatnonzero(ended):
            best = scores[i].min() if envs.game.fewest_points_win else scores[i].max()
            assert rewards[i] <= 0 or scores[i][infos["final_info"]["player"][i]] == best
            ends += 1
    assert ends > 0


def dtypes(name: str) -> list[str]:
    """In which types a game can be observed, the smallest first."""
    batch, found = tilery.load(name, **CASES[name]).batch(1), []
    for dtype in ("uint8", "int16", "float32"):
        with contextlib.suppress(ValueError):
            found.append(batch.observations(dtype=dtype).dtype.name)
    return found


@pytest.mark.benchmark(group="a step of PettingZoo")
@pytest.mark.parametrize("make", ["raw_env", "env"])
def test_play(benchmark: Any, name: str, make: str) -> None:
    """Whole games; the time is that of all of their steps."""
    env = getattr(tilery.pettingzoo, make)(name, **CASES[name])
    play(env, 200, 3, check=True)
    steps, _ = benchmark(lambda: play(env, 1, 3))
    benchmark.extra_info["steps"] = steps


@pytest.mark.benchmark(group="a step of 256 environments of Gymnasium")
def test_step_all(benchmark: Any, name: str) -> None:
    """One step of all environments, with new masks and observations."""
    options = {"dtype": dtypes(name)[0], "autoreset_mode": "SameStep", **CASES[name]}
    check_all(tilery.gymnasium.VectorEnv(8, name, **options))
    envs, rng = tilery.gymnasium.VectorEnv(256, name, **options), np.random.default_rng(1)
    shown = [envs.reset(seed=1)[1]]

    def actions() -> tuple[tuple[Any], dict[str, Any]]:
        return (choose(shown[0]["action_mask"], rng),), {}

    def step(chosen: Any) -> None:
        shown[0] = envs.step(chosen)[4]

    benchmark.pedantic(step, setup=actions, rounds=60)


def cases(names: list[str]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """What is measured of these games: title, name, options. Compact ids wherever there are some."""
    for name in names:
        yield name, name, CASES[name]
        if hasattr(getattr(tilery, name), "CompactActions"):
            yield f"{name}, compact=25", name, CASES[name] | {"compact": 25}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--envs", type=int, default=256)
    parser.add_argument("--steps", type=int, default=100_000, help="steps of each repetition")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    given = parser.parse_args()
    figures: dict[str, dict[str, tuple[float, float]]] = {}
    for title, name, options in cases(given.games):
        lines = figures[title] = {}
        measured: dict[str, Any] = {}
        for make in (tilery.pettingzoo.raw_env, tilery.pettingzoo.env):
            env = make(name, **options)
            play(env, 200, 3, check="compact" not in options)
            measured[f"PettingZoo {make.__name__}"] = lambda env=env: play(env, given.steps // 10, 3)
        for dtype in dtypes(name):
            words = {"dtype": dtype, "autoreset_mode": "SameStep", **options}
            envs = tilery.gymnasium.VectorEnv(given.envs, name, **words)
            check_all(tilery.gymnasium.VectorEnv(8, name, **words))
            measured[f"VectorEnv, N = {given.envs}, {dtype}"] = lambda envs=envs: step_all(envs, given.steps)
        for label, work in measured.items():
            rates = [steps / seconds for steps, seconds in (work() for _ in range(given.repeat))]
            lines[label] = (max(rates), min(rates))
            print(f"{title}: {label}: {max(rates):,.0f} ({min(rates):,.0f}) steps/s", flush=True)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
