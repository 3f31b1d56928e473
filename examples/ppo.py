"""Learn a game by proximal policy optimization (PPO) in NumPy alone, on the vector environment of tilery.gymnasium.

    python examples/ppo.py pueblo
    python examples/ppo.py tajmahal --players 3 --plot learning.svg
    python examples/ppo.py pueblo --save ppo.npz
    tilery match pueblo agent:ppo.npz greedy mcts:20 --games 200

The agent plays all seats in turn against --opponents. Its network has one hidden layer, a head with a logit for each
action (illegal ones are masked) and a head for the expected return. At the end it plays games of another seed, the most
probable action of each decision, and the share that it wins is printed.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from network import Network

import tilery
from tilery.gymnasium import VectorEnv

GAMMA, TRACE, CLIP, ENTROPY, HIDDEN = 0.998, 0.9, 0.2, 0.01, 192
LENGTH, MINIBATCH, EPOCHS, RATE = 64, 1024, 3, 1e-3


class Features:
    """The values of an observation that vary in random play, without duplicates, each with mean 0 and variance 1."""

    def __init__(self, envs: Any, rng: np.random.Generator) -> None:
        observations, infos = envs.reset(seed=0)
        seen = []
        for step in range(120):
            uniform = rng.random(infos["action_mask"].shape) * infos["action_mask"]
            observations, _, _, _, infos = envs.step(uniform.argmax(1))
            seen.append(observations[step % 8 :: 32])
        samples = np.concatenate(seen).reshape(-1, observations[0].size).astype(np.float32)
        varying = np.flatnonzero(samples.std(0) > 0.01)
        self.kept = varying[np.sort(np.unique(samples[:, varying], axis=1, return_index=True)[1])]
        self.mean, self.scale = samples[:, self.kept].mean(0), 1 / samples[:, self.kept].std(0)

    def __call__(self, observations: Any) -> Any:
        values = observations.reshape(len(observations), -1)[:, self.kept] - self.mean
        return np.clip(values * self.scale, -5, 5).astype(np.float32)


class Learner:
    """Plays in the environments, LENGTH steps at a time, and learns from them."""

    def __init__(self, envs: Any, seed: int) -> None:
        self.envs, self.rng = envs, np.random.default_rng(seed)
        self.features = Features(envs, self.rng)
        self.network = Network(len(self.features.kept), HIDDEN, envs.single_action_space.n, self.rng)
        self.observations, self.infos = envs.reset(seed=seed + 1)
        self.decisions = 0

    def play(self) -> dict[str, Any]:
        """Return the decisions as arrays [LENGTH, num_envs, ...]."""
        rows: dict[str, list[Any]] = {key: [] for key in ("x", "mask", "action", "chance", "value", "reward", "end")}
        for _ in range(LENGTH):
            x, masks = self.features(self.observations), self.infos["action_mask"].astype(bool)
            _, probabilities, values = self.network(x, masks)
            cumulated = probabilities.cumsum(1)
            actions = (cumulated > self.rng.random((len(x), 1)) * cumulated[:, -1:]).argmax(1)
            self.observations, rewards, ends, _, self.infos = self.envs.step(actions)
            chances = probabilities[np.arange(len(x)), actions]
            for key, row in zip(rows, (x, masks, actions, chances, values, rewards, ends), strict=True):
                rows[key].append(row)
        self.decisions += LENGTH * len(x)
        return {key: np.stack(row) for key, row in rows.items()}

    def advantages(self, steps: dict[str, Any]) -> Any:
        """Generalized advantage estimation: how much better each decision turned out than was expected."""
        following = self.network(self.features(self.observations), self.infos["action_mask"].astype(bool))[2]
        found, trace = np.zeros_like(steps["value"]), 0.0
        for t in reversed(range(LENGTH)):
            live = ~steps["end"][t]
            trace = steps["reward"][t] + GAMMA * following * live - steps["value"][t] + GAMMA * TRACE * live * trace
            found[t], following = trace, steps["value"][t]
        return found

    def learn(self, rate: float) -> float:
        """Play and learn once; return the mean return of the games that ended."""
        steps = self.play()
        ended = steps["reward"][steps["end"]]
        advantages = self.advantages(steps)
        targets = (advantages + steps["value"]).reshape(-1)
        weights = ((advantages - advantages.mean()) / (advantages.std() + 1e-6)).reshape(-1).astype(np.float32)
        kept = [steps[key] for key in ("x", "mask", "action", "chance")]
        x, masks, actions, before = (each.reshape(-1, *each.shape[2:]) for each in kept)
        for _ in range(EPOCHS):
            for rows in self.rng.permutation(len(x)).reshape(-1, MINIBATCH):
                n, each = MINIBATCH, np.arange(MINIBATCH)
                hidden, probabilities, values = self.network(x[rows], masks[rows])
                ratio = probabilities[each, actions[rows]] / before[rows]
                counts = np.where(weights[rows] > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)  # others are clipped
                push = weights[rows] * ratio * counts / n
                slopes = probabilities * push[:, None]
                slopes[each, actions[rows]] -= push
                logarithms = np.log(probabilities + 1e-12)
                slopes += (
                    ENTROPY / n * probabilities * (logarithms - (probabilities * logarithms).sum(1, keepdims=True))
                )
                self.network.learn(x[rows], hidden, slopes, ((values - targets[rows]) / n).astype(np.float32), rate)
        return float(ended.mean()) if len(ended) else 0.0

    def agent(self) -> tilery.agents.Agent:
        """What was learned: the most probable action of each decision."""
        features = self.features
        return tilery.agents.Agent(
            self.envs.game, self.network.layers(), kept=features.kept, mean=features.mean, scale=features.scale
        )

    def evaluate(self, seed: int, games: int) -> Any:
        """The returns of the first games of each environment, [games, num_envs], by the most probable actions."""
        observations, infos = self.envs.reset(seed=seed)
        returns, played = np.zeros((games, len(observations))), np.zeros(len(observations), int)
        while played.min() < games:
            _, probabilities, _ = self.network(self.features(observations), infos["action_mask"].astype(bool))
            observations, rewards, ends, _, infos = self.envs.step(probabilities.argmax(1))
            counted = ends & (played < games)
            returns[played[counted], counted] = rewards[counted]
            played += counted
        return returns


def plot(curve: list[tuple[int, float]], title: str, path: Path) -> None:
    """Draw the mean returns over the decisions as a line, in SVG."""
    points = " ".join(f"{50 + 530 * at / curve[-1][0]:.1f},{160 - 130 * mean:.1f}" for at, mean in curve)
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 330" font-family="sans-serif" font-size="13">'
        '<path d="M0 0h600v330H0z" fill="white"/><path d="M50 30h530M50 160h530M50 290h530" stroke="#ddd"/>'
        f'<text x="20" y="34">+1</text><text x="28" y="164">0</text><text x="20" y="294">-1</text>'
        f'<polyline points="{points}" fill="none" stroke="#1f6fb4"/><text x="50" y="18">{title}</text>'
        f'<text x="580" y="318" text-anchor="end">{curve[-1][0]:,} decisions</text></svg>\n',
        encoding="utf-8",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="pueblo")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--opponents", default="random", help="the policy of the other seats (docs/bots.md)")
    parser.add_argument("--decisions", type=int, default=1_000_000, help="to learn from")
    parser.add_argument("--games", type=int, default=1024, help="to evaluate on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path, help="draw the learning curve into this file, as SVG")
    parser.add_argument("--save", type=Path, help="write the agent into this new file, for agent:FILE")
    given = parser.parse_args()
    options = {"players": given.players, "opponents": given.opponents, "autoreset_mode": "SameStep"}
    learner = Learner(VectorEnv(128, given.game, **options), given.seed)
    curve = [(0, 0.0)]
    while learner.decisions < given.decisions:
        mean = learner.learn(RATE * (1 - learner.decisions / given.decisions))
        curve.append((learner.decisions, 0.8 * curve[-1][1] + 0.2 * mean))
        if len(curve) % 20 == 0:
            at, mean = curve[-1]
            print(f"{time.process_time():5.0f} s CPU, {at:9,} decisions, mean return {mean:+.3f}", flush=True)
    returns = learner.evaluate(given.seed + 10**6, -(-given.games // 128))
    error = 1.96 * np.std(returns > 0) / returns.size**0.5
    wins = f"{np.mean(returns > 0):.1%} +- {error:.1%} of {returns.size} games, mean return {returns.mean():+.3f}"
    print(f"{time.process_time():5.0f} s CPU, wins {wins}")
    if given.save:
        learner.agent().save(given.save)
    if given.plot:
        plot(curve, f"{given.game} against {given.opponents}: mean return", given.plot)


if __name__ == "__main__":
    main()
