"""The frozen options of a game, the same for engine and reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def _frozen(value: Any) -> Any:
    """The value with lists as tuples and mappings as `Rules`, so that nothing in it can change."""
    if isinstance(value, Mapping):
        return Rules(value)
    if isinstance(value, (list, tuple)):
        return tuple(_frozen(item) for item in value)
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, Rules):
        return value.as_dict()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


class Rules(Mapping[str, Any]):
    """All options of a game, those at their default included: a read-only mapping with attribute access.

    `rules["players"]`, `rules.players` and `dict(rules)` all work; `as_dict()` is what a record stores (G-8).
    Rules are equal when all options are, and hashable.
    """

    __slots__ = ("_options",)

    _options: dict[str, Any]

    def __init__(self, options: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_options", {name: _frozen(value) for name, value in options.items()})

    def __getitem__(self, name: str) -> Any:
        return self._options[name]

    def __getattr__(self, name: str) -> Any:
        try:
            return self._options[name]
        except KeyError:
            raise AttributeError(f"no option {name!r}; there are {', '.join(self._options)}") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"rules are frozen: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"rules are frozen: cannot delete {name!r}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Mapping):
            return self.as_dict() == Rules(other).as_dict()
        return NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._options.items()))

    def __repr__(self) -> str:
        return f"Rules({', '.join(f'{name}={_plain(value)!r}' for name, value in self._options.items())})"

    def __reduce__(self) -> tuple[type[Rules], tuple[dict[str, Any]]]:
        return Rules, (self.as_dict(),)

    def as_dict(self) -> dict[str, Any]:
        """The options as plain JSON values (dicts, lists, strings, numbers, None)."""
        return {name: _plain(value) for name, value in self._options.items()}
