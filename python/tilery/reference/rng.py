"""The random streams of docs/interface.md, written again for the reference."""

from __future__ import annotations

import random
from typing import cast

import numpy as np

from tilery.errors import index_of, integer
from tilery.protocol import RngLike

_MASK = 2**64 - 1


def _rotl(x: int, k: int) -> int:
    return ((x << k) | (x >> (64 - k))) & _MASK


def _mix(z: int) -> int:
    z &= _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


class Rng:
    """xoroshiro128++ started at the stream (seed, index)."""

    def __init__(self, seed: int, index: int = 0) -> None:
        seed, index = integer("seed", seed, 0, _MASK), integer("index", index, 0, _MASK)
        self._s0 = _mix(seed + 0x9E3779B97F4A7C15)
        self._s1 = _mix(index + self._s0 + 0x9E3779B97F4A7C15)
        if self._s0 == 0 and self._s1 == 0:
            self._s1 = 1

    @classmethod
    def of(cls, seed: int, purpose: int, index: int = 0) -> Rng:
        """The stream of game `index` that is for a purpose: 0 for chance, 1 + seat for a policy."""
        return cls(_mix(seed + (purpose + 1) * 0x9E3779B97F4A7C15), index)

    def next(self) -> int:
        s0, s1 = self._s0, self._s1
        result = (_rotl((s0 + s1) & _MASK, 17) + s0) & _MASK
        t = s1 ^ s0
        self._s0 = _rotl(s0, 49) ^ t ^ ((t << 21) & _MASK)
        self._s1 = _rotl(t, 28)
        return result

    def below(self, n: int) -> int:
        """A number in [0, n): exactly one draw."""
        return (self.next() * n) >> 64


def stream_of(rng: RngLike | Rng) -> Rng:
    """The stream that an rng stands for (docs/interface.md); a stream stands for itself."""
    if hasattr(rng, "below"):
        return cast("Rng", rng)  # or that of the engine, which has the same calls
    if isinstance(rng, np.random.Generator):
        return Rng(int(rng.integers(0, 2**64, dtype=np.uint64)))
    if isinstance(rng, random.Random):
        return Rng(rng.getrandbits(64))
    if (seed := index_of(rng)) is None:
        raise ValueError(
            f"rng must be an int seed, a tilery.Rng, a random.Random or a numpy.random.Generator, got {rng!r}"
        )
    return Rng(seed)
