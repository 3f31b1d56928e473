"""Making bad bytes, and forging the envelope's checksum so that they are looked at."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

import tilery

MASK = 2**64 - 1


def mutations(data: bytes, rng: np.random.Generator, count: int) -> Iterator[bytes]:
    """The data with one to a few bytes changed, each result different from the data."""
    for _ in range(count):
        mutated = bytearray(data)
        for at in rng.integers(0, len(data), int(rng.choice([1, 1, 1, 2, 3, 8]))).tolist():
            kind = int(rng.integers(4))
            if kind == 0:
                mutated[at] ^= 1 << int(rng.integers(8))
            elif kind == 1:
                mutated[at] = int(rng.integers(256))
            elif kind == 2:
                mutated[at] = (mutated[at] + int(rng.choice([-1, 1]))) % 256
            else:
                mutated[at] = mutated[int(rng.integers(len(data)))]
        if mutated != data:
            yield bytes(mutated)


def checksum(data: bytes) -> int:
    """The envelope's checksum, as cpp/tilery/core/serialize.hpp makes it."""

    def mix(z: int) -> int:
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    value = mix(len(data))
    whole = len(data) // 8
    for word in struct.unpack(f"<{whole}Q", data[: 8 * whole]):
        value ^= word
        value = ((value << 29 | value >> 35) * 0x9E3779B97F4A7C15) & MASK
        value ^= value >> 32
    return mix(value ^ int.from_bytes(data[8 * whole :], "little"))


def reseal(data_without_checksum: bytes) -> bytes:
    """Serialized bytes with a checksum that fits."""
    return data_without_checksum + struct.pack("<Q", checksum(data_without_checksum))


def accept_or_refuse(game: Any, data: bytes, rng: np.random.Generator) -> bool:
    """Whether the engine takes the bytes; if so every call of the state works and it plays to its end."""
    try:
        state = game.deserialize_state(data)
    except tilery.StateDataError:
        return False
    assert state.serialize() == data
    str(state)
    for player in range(game.num_players):
        state.information_state_string(player)
        state.observation_tensor(player)
        state.determinize(player, 1)
    steps = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        assert legal, "a state that is not over has a legal action"
        state.apply_action(legal[int(rng.integers(len(legal)))])
        state.scores()
        steps += 1
        assert steps <= game.max_game_length, "a state from outside must end in time as well"
    assert len(state.returns()) == game.num_players
    return True
