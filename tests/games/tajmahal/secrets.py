"""Taj Mahal: cards are dealt and drawn in secret (TM-28), and hands are laid open at the end (TM-R4)."""

from __future__ import annotations

from typing import Any

from tests.kit.secrets import first_below
from tests.kit.walking import look

POSITIONS: list[tuple[dict[str, Any], int]] = [({"players": 2}, 60), ({"players": 4}, 110)]
"""Options and number of actions of positions in which others hold what a player has not seen."""


def drawn_by(state: Any) -> int | None:
    """The player who alone sees what comes up at this chance node; None where everybody does."""
    seen = look(state)
    if seen["phase"] == "deal":
        return first_below(6, seen["hands"])
    return int(seen["turn"]) if seen["phase"] == "draw" else None


def laid_open(state: Any) -> Any:
    """What the rules turn up inside an action that does not choose it."""
    return look(state)["known"] if state.is_terminal() else None
