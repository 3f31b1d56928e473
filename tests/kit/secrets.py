"""Who draws in secret, what the rules lay open, and positions with something to hide: tests/games/<game>/secrets.py."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from tests.kit.games import part_of


def first_below(full: int, sizes: Sequence[int]) -> int | None:
    """The first seat whose hand is not full."""
    return next((seat for seat, size in enumerate(sizes) if size < full), None)


def secrets_of(name: str) -> ModuleType | None:
    """The game's secrets; None for a game whose module says NOTHING_HIDDEN."""
    secrets = part_of(name, "secrets")
    if getattr(secrets, "NOTHING_HIDDEN", False):
        return None
    missing = [needed for needed in ("POSITIONS", "drawn_by", "laid_open") if not hasattr(secrets, needed)]
    assert not missing, f"tests/games/{name}/secrets.py has no {missing}; does it mean NOTHING_HIDDEN?"
    return secrets
