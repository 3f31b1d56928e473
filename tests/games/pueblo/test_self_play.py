"""The learner of examples/alphazero_pueblo.py."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tilery
from tests.kit.games import ROOT
from tests.kit.walking import random_game

EXAMPLES = ROOT / "examples"


@pytest.mark.slow
def test_self_play_learns_to_beat_greedy(tmp_path: Path) -> None:
    """In short form; docs/training.md has more. What was stored plays as a policy."""
    words = ["--rounds", "2", "--games", "64", "--simulations", "16", "--matches", "100", "--strength", "32"]
    words += ["--save", str(tmp_path / "alphazero.npz")]
    run = subprocess.run(
        [sys.executable, EXAMPLES / "alphazero_pueblo.py", *words],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert run.stderr == ""
    found = re.search(r"against greedy: wins (\d+\.\d)% \+- \d+\.\d% of 100 games", run.stdout)
    assert found
    assert float(found[1]) > 70
    path = os.pathsep.join([str(EXAMPLES), *filter(None, [os.environ.get("PYTHONPATH")])])
    match = ["-m", "tilery", "match", "pueblo", "py:alphazero_pueblo:player", "random", "--games", "10", "--json"]
    done = subprocess.run(
        [sys.executable, *match],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    (table,) = json.loads(done.stdout)["tables"]
    assert table["sides"][0]["share"] > 0.5


def test_an_agent_of_the_network_has_its_logits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the example computes from an observation, by layers alone, and from a file."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    example, game = importlib.import_module("alphazero_pueblo"), tilery.load("pueblo")
    network, rng = example.Learner(1).network, np.random.default_rng(2)
    network.values = {
        name: rng.normal(0, 0.1, value.shape).astype(np.float32) for name, value in network.values.items()
    }
    example.agent_of(network).save(tmp_path / "my.npz")
    agent = tilery.agents.read(tmp_path / "my.npz")
    for actions in range(0, 60, 2):
        state = random_game(game, seed=actions, actions=actions)
        if state.is_terminal():
            continue
        observation = state.observation_tensor(state.current_player())[None]
        x, (quarter,) = example.features(observation)
        hidden = np.maximum(x @ network.values["hidden"] + network.values["hidden bias"], 0)
        logits = (hidden @ network.values["policy"] + network.values["policy bias"])[0, example.TURNED[quarter]]
        found = agent.priorities(observation)
        assert np.allclose(found - found.mean(), logits - logits.mean(), atol=1e-3)
    (table,) = tilery.match.play(game, [f"agent:{tmp_path / 'my.npz'}", "random"], games=2)
    assert table.games == 2
