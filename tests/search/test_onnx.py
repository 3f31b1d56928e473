"""Agents in ONNX files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilery

WORDS = "python -m pip install onnx onnxruntime"
onnx: Any = pytest.importorskip("onnx", reason=WORDS)
pytest.importorskip("onnxruntime", reason=WORDS)


def written(path: Path, weights: Any, *, batch: Any = "batch") -> Path:
    """A network of one layer."""
    helper, float32 = onnx.helper, onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["observation", "weights"], ["priorities"])],
        "agent",
        [helper.make_tensor_value_info("observation", float32, [batch, weights.shape[0]])],
        [helper.make_tensor_value_info("priorities", float32, [batch, weights.shape[1]])],
        [onnx.numpy_helper.from_array(weights, "weights")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path.write_bytes(model.SerializeToString())
    return path


@pytest.mark.parametrize("batch", ["batch", 1])
def test_a_network_plays_as_the_same_one_in_numpy(batch: Any, tmp_path: Path) -> None:
    game = tilery.load("toy")
    size, actions = game.observation_tensor_shape[0], game.num_distinct_actions
    weights = np.random.default_rng(1).normal(size=(size, actions)).astype(np.float32)
    path = written(tmp_path / "my.onnx", weights, batch=batch)
    agent = tilery.agents.read(path)
    own = tilery.agents.Agent(game, [(weights, np.zeros(actions))], clip=1e9)
    seen = np.random.default_rng(2).random(size)
    assert np.allclose(agent.priorities(seen), own.priorities(seen), atol=1e-5)
    games: list[list[str]] = []
    for policy in (f"agent:{path}", own):
        records: list[Any] = []
        tilery.match.play(game, [policy, "greedy"], games=4, seed=2, records=records.append)
        games.append([each.actions for each in records])
    assert games[0] == games[1]


def test_what_does_not_fit_is_named(tmp_path: Path) -> None:
    game = tilery.load("toy")
    size, actions = game.observation_tensor_shape[0], game.num_distinct_actions
    for shape, says in (((size + 1, actions), f"not the {size} numbers of toy"), ((size, 3), "knows 3 actions, not")):
        path = written(tmp_path / "my.onnx", np.zeros(shape, np.float32))
        with pytest.raises(ValueError, match=says):
            tilery.match.play(game, [f"agent:{path}", "random"], games=2)
    (tmp_path / "no.onnx").write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"no\.onnx is not an agent: "):
        tilery.agents.read(tmp_path / "no.onnx")
    with pytest.raises(FileNotFoundError):
        tilery.agents.read(tmp_path / "missing.onnx")
