"""Agents in ONNX files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilery

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: nox -s adapters")

FLOAT = 1
"""The number of float32 in ONNX."""


def message(*fields: tuple[int, str | bytes | int]) -> bytes:
    """A message of Protocol Buffers, of numbered fields: a number, a text, or bytes, as messages are."""
    parts = []
    for number, value in fields:
        if isinstance(value, int):
            parts += [varint(number << 3), varint(value)]
        else:
            content = value.encode() if isinstance(value, str) else value
            parts += [varint(number << 3 | 2), varint(len(content)), content]
    return b"".join(parts)


def varint(number: int) -> bytes:
    *low, last = [number >> shift & 127 for shift in range(0, max(number.bit_length(), 1), 7)]
    return bytes([*(each | 128 for each in low), last])


def described(name: str, *shape: int | str) -> bytes:
    """A ValueInfoProto: float32 of this shape."""
    sizes = [(1, message((1 if isinstance(size, int) else 2, size))) for size in shape]
    return message((1, name), (2, message((1, message((1, FLOAT), (2, message(*sizes)))))))


def written(path: Path, weights: Any, *, batch: int | str = "batch") -> Path:
    """A ModelProto with the network of one layer, without the package that has its classes."""
    inputs, outputs = weights.shape
    tensor = message((1, inputs), (1, outputs), (2, FLOAT), (8, "weights"), (9, weights.tobytes()))
    node = message((1, "observation"), (1, "weights"), (2, "priorities"), (4, "MatMul"))
    graph = message(
        (1, node),
        (2, "agent"),
        (5, tensor),
        (11, described("observation", batch, inputs)),
        (12, described("priorities", batch, outputs)),
    )
    path.write_bytes(message((1, 8), (7, graph), (8, message((1, ""), (2, 17)))))
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
