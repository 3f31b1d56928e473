"""Toy: hands are dealt in secret."""

from __future__ import annotations

from typing import Any

from tests.kit.secrets import first_below
from tests.kit.walking import look

POSITIONS: list[tuple[dict[str, Any], int]] = [({"players": 3}, 11), ({"players": 4, "hand": 4}, 22)]
"""Options and number of actions of positions in which others hold what a player has not seen."""


def drawn_by(state: Any) -> int | None:
    """The player who alone sees what comes up at this chance node; None where everybody does."""
    seen = look(state)
    return None if any(seen["open"]) else first_below(state.game.rules["hand"], seen["hand_sizes"])


def laid_open(_state: Any) -> Any:
    """What the rules turn up inside an action that does not choose it."""
    return None
