"""The network of ppo.py and alphazero_pueblo.py, in NumPy alone."""

from __future__ import annotations

from typing import Any

import numpy as np


class Network:
    """One hidden layer and two heads, trained by Adam."""

    def __init__(self, inputs: int, width: int, actions: int, rng: np.random.Generator) -> None:
        self.values: dict[str, Any] = {}
        for name, rows, columns in (("hidden", inputs, width), ("policy", width, actions), ("value", width, 1)):
            scale = inputs**-0.5 if name == "hidden" else 0.01
            self.values[name] = rng.normal(0, scale, (rows, columns)).astype(np.float32)
            self.values[f"{name} bias"] = np.zeros(columns, np.float32)
        self.moments = {name: (np.zeros_like(value), np.zeros_like(value)) for name, value in self.values.items()}
        self.updates = 0

    def __call__(self, x: Any, masks: Any) -> tuple[Any, Any, Any]:
        """Return hidden[n, width], probabilities[n, actions] and values[n]."""
        v = self.values
        hidden = np.maximum(x @ v["hidden"] + v["hidden bias"], 0)
        logits = np.where(masks, hidden @ v["policy"] + v["policy bias"], np.float32(-1e9))
        exponentials = np.exp(logits - logits.max(1, keepdims=True))
        probabilities = exponentials / exponentials.sum(1, keepdims=True)
        return hidden, probabilities, (hidden @ v["value"] + v["value bias"])[:, 0]

    def layers(self) -> list[tuple[Any, Any]]:
        """What `tilery.agents.Agent` takes: the layers from an observation to the logits."""
        return [(self.values[name], self.values[f"{name} bias"]) for name in ("hidden", "policy")]

    def learn(self, x: Any, hidden: Any, logit_slopes: Any, value_slopes: Any, rate: float) -> None:
        """Take a step against the slopes of the loss in the logits[n, actions] and in the values[n]."""
        columns = value_slopes[:, None]
        back = (logit_slopes @ self.values["policy"].T + columns @ self.values["value"].T) * (hidden > 0)
        slopes = {}
        for name, given, out in (("hidden", x, back), ("policy", hidden, logit_slopes), ("value", hidden, columns)):
            slopes |= {name: given.T @ out, f"{name} bias": out.sum(0)}
        norm = np.sqrt(sum(float((slope**2).sum()) for slope in slopes.values()))
        self.updates += 1
        for name, raw in slopes.items():
            slope = raw * np.float32(min(1.0, 0.5 / (norm + 1e-8)))
            first, second = self.moments[name]
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            step = first / (1 - 0.9**self.updates) / (np.sqrt(second / (1 - 0.999**self.updates)) + 1e-8)
            self.values[name] -= np.float32(rate) * step
