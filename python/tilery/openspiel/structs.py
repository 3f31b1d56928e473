"""States, observations and actions as OpenSpiel's structs: readable values that become JSON and back.

OpenSpiel's own struct classes cannot be made in Python, so `Struct` has their calls.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


class Struct:
    """Keys and values, which are attributes too: of `to_dict()`, as JSON by `to_json()`, and made from either.

    Raises `ValueError` for what is not an object of JSON.
    """

    def __init__(self, values: str | Mapping[str, Any]) -> None:
        try:
            read = json.loads(values if isinstance(values, str) else json.dumps(values))
        except (TypeError, RecursionError) as error:
            raise ValueError(f"a struct must be an object of JSON: {error}") from None
        if not isinstance(read, dict):
            raise ValueError(f"a struct must be an object of JSON, got {type(read).__name__}")
        self._values: dict[str, Any] = read

    def to_dict(self) -> dict[str, Any]:
        """A new dict of JSON types."""
        copy: dict[str, Any] = json.loads(self.to_json())
        return copy

    def to_json(self) -> str:
        """The same on one line."""
        return json.dumps(self._values, separators=(",", ":"))

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, Struct) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Struct({self.to_json()})"
