"""Java: cards are dealt, and drawn from the pile, in secret (JA-38)."""

from __future__ import annotations

from typing import Any

from tests.kit.secrets import first_below
from tests.kit.walking import look

POSITIONS: list[tuple[dict[str, Any], int]] = [({"players": 3}, 60), ({"irrigation_on_perimeter": True}, 120)]
"""Options and number of actions of positions in which others hold what a player has not seen."""


def drawn_by(state: Any) -> int | None:
    """The player who alone sees what comes up at this chance node; None where everybody does."""
    seen = look(state)
    if seen["draw"] == "deal":
        return first_below(3, seen["cards"]["unknown"])
    return int(seen["turn"]) if seen["draw"] == "pile" else None


def laid_open(_state: Any) -> Any:
    """What the rules turn up inside an action that does not choose it."""
    return None
