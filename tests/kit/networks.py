"""Networks for tests: one fitted to a few games, and a reader of the file in NumPy alone."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any

import numpy as np

import tilery
from tilery.weights import Weights

MAGIC, CALIBRATED = b"tilery network 1\n", b"calibration 1\n"


@lru_cache
def fitted(name: str) -> bytes:
    """The bytes of a network of this game, fitted to three games."""
    game: Any = tilery.load(name)
    samples = game._self_play("zero", {"seed": 5, "count": 3, "threads": 1, "noise": 8.0})
    data, _ = game._fit([samples], {"seed": 5, "passes": 1}, "{}")
    return bytes(data)


@lru_cache
def loaded(name: str) -> Weights:
    """That network, loaded."""
    return tilery.load_weights(fitted(name))


class Network:
    """What a file says, computed by NumPy in integers."""

    def __init__(self, data: bytes) -> None:
        assert data.startswith(MAGIC)
        at = len(MAGIC)
        (length,) = struct.unpack_from("<I", data, at)
        self.game = data[at + 4 : at + 4 + length].decode()
        at += 4 + length
        self.inputs_hash, count, about = struct.unpack_from("<QII", data, at)
        at += 16
        self.about = data[at : at + about].decode()
        at += about

        def take(dtype: str, *shape: int) -> np.ndarray[Any, Any]:
            nonlocal at
            array = np.frombuffer(data, dtype, int(np.prod(shape)), at).reshape(shape)
            at += array.nbytes
            return array

        self.rows, self.direct = take("<i2", count, 32), take("<i2", count, 4)
        self.bias, self.second = take("<i2", 32), take("<i2", 16, 32)
        self.second_bias, self.heads, self.head_bias = take("<i4", 16), take("<i4", 3, 16), take("<i4", 3)
        self.calibration = None
        if data[at:].startswith(CALIBRATED):
            at += len(CALIBRATED)
            self.calibration = take("<u2", 4, 31)
        assert at == len(data)

    def judge(self, inputs: list[int]) -> tuple[int, int, int]:
        """The lead, the points and the win of a list of inputs, as the engine's integers."""
        sums = (self.bias.astype(np.int64) + self.rows[inputs].astype(np.int64).sum(0) + 2**15) % 2**16 - 2**15
        units = np.clip(sums, 0, 512)
        seconds = np.maximum(self.second.astype(np.int64) @ units + self.second_bias, 0) >> 4
        deep = (self.heads.astype(np.int64) @ seconds) >> np.array([16, 16, 12])
        outputs = self.head_bias + self.direct[inputs].astype(np.int64).sum(0)[:3] + deep
        lead, points, win = np.clip(outputs, -(2**24), 2**24).tolist()
        return lead, points, win

    def calibrated(self, predicted: list[float]) -> list[float]:
        """What became of shares of the win that were predicted for all seats, made to sum to 1 before and after."""
        shares = to_one(np.array(predicted))
        assert self.calibration is not None
        ends = np.concatenate([[0], self.calibration[len(predicted) - 2], [65536]]).astype(float)
        step = np.minimum((32 * shares).astype(int), 31)
        mapped = (ends[step] + (32 * shares - step) * (ends[step + 1] - ends[step])) / 65536
        return [float(share) for share in to_one(mapped)]


def to_one(shares: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Shares that sum to 1, added up one after the other."""
    return np.divide(shares, np.add.accumulate(shares)[-1])


def share_of(raw: int) -> float:
    """The share of the win of a raw output."""
    x = raw / 4096
    return 0.5 + 0.5 * x / float(np.sqrt(1 + x * x))
