"""As much of NumPy as the reference uses, in plain Python: for a PyPy without NumPy, where this is the faster one.

`replay.py` puts this module in NumPy's place.
"""

from __future__ import annotations

import math
from array import array as packed
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

NDArray = ArrayLike = Any
integer, bool_ = (type(name, (), {}) for name in ("integer", "bool_"))
random = SimpleNamespace(Generator=integer)
"""No value has these types."""

int64 = float32 = "f"
"""How the module `array` keeps values. Integers here are below 2^24, so that they are exact."""


class Array:
    """Values in the order of the axes, from a place on, so that the planes of an array share its values."""

    def __init__(self, values: Any, shape: tuple[int, ...], start: int = 0) -> None:
        self.values = values
        self.shape = shape
        self.start = start

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Array]:
        """The planes."""
        size = math.prod(self.shape[1:])
        return (Array(self.values, self.shape[1:], size * plane) for plane in range(self.shape[0]))

    def __setitem__(self, where: Any, value: int) -> None:
        """Set a (row, column) of a plane, or several values."""
        if isinstance(where, tuple):
            row, column = where
            if not (0 <= row < self.shape[0] and 0 <= column < self.shape[1]):
                raise IndexError(where)
            self.values[self.start + self.shape[1] * row + column] = value
        else:
            for place in where:
                self.values[place] = value

    def reshape(self, *shape: int) -> Array:
        """The first axis is -1: as long as the others make it."""
        return Array(self.values, (len(self.values) // math.prod(shape[1:]), *shape[1:]))

    def ravel(self) -> Array:
        return Array(self.values, (len(self.values),))

    def __truediv__(self, divisor: int) -> Array:
        return self if divisor == 1 else self._with([value / divisor for value in self.values])

    def __sub__(self, number: int) -> Array:
        return self._with([value - number for value in self.values])

    def _with(self, values: list[float]) -> Array:
        return Array(packed(int64, values), self.shape)

    def astype(self, dtype: str) -> Array:
        assert self.values.typecode == dtype
        return self

    def tobytes(self) -> bytes:
        content: bytes = self.values.tobytes()
        return content


def asarray(values: Any, dtype: Any = int64) -> Array:
    """Of numbers, or of rows of as many numbers each."""
    if isinstance(values, Array):
        return values
    numbers = [float(number) for row in values for number in (row if isinstance(row, list) else [row])]
    return Array(packed(int64, numbers), (len(numbers),))


array = asarray


def zeros(shape: Any, dtype: Any) -> Array:
    if dtype is bool_:
        return Array(packed("B", bytes(shape)), (shape,))
    return Array(packed(int64, bytes(4 * math.prod(shape))), shape)


def broadcast_to(values: Array, shape: tuple[int, ...]) -> Array:
    """One number for each plane, everywhere on it."""
    every = packed(int64)
    for number in values.values:
        every += packed(int64, [number]) * math.prod(shape[1:])
    return Array(every, shape)


def minimum(values: Any, most: int) -> Array:
    given = asarray(values)
    return given._with([min(value, most) for value in given.values])


def clip(values: Array, low: int, high: int) -> Array:
    return values._with([min(max(value, low), high) for value in values.values])


def concatenate(arrays: Sequence[Array]) -> Array:
    content = b"".join(each.tobytes() for each in arrays)
    return Array(packed(int64, content), (sum(map(len, arrays)), *arrays[0].shape[1:]))
