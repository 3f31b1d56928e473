"""Carcassonne with hidden hands (CA-H3, CA-H4): a tile that must be used is laid open."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from tests.kit.secrets import first_below
from tests.kit.walking import look

POSITIONS: list[tuple[dict[str, Any], int]] = [
    ({"hand_size": 1, "players": 3}, 7),
    ({"hand_size": 3, "table": [-1, -1, 1, 1]}, 20),
]
"""Options and number of actions of positions in which others hold what a player has not seen."""


@st.composite
def close_quarters(draw: st.DrawFn) -> dict[str, Any]:
    """Hands on a small table, where a tile often fits nowhere and hands are shown."""
    return {
        "players": draw(st.sampled_from([2, 3, 4])),
        "tiles": draw(st.sampled_from(["winter", "base"])),
        "hand_size": draw(st.sampled_from([1, 3, 3])),
        "hands": draw(st.sampled_from(["hidden", "hidden", "open"])),
        "first_player": draw(st.sampled_from(["seat_0", "most_roads"])),
        "start_tile_in_bag": draw(st.booleans()),
        "gap_bonus": draw(st.booleans()),
        "table": draw(st.sampled_from([[0, 0, 0, 2], [0, 0, 2, 1], [-1, -1, 1, 1], [-2, -1, 2, 2]])),
    }


def drawn_by(state: Any) -> int | None:
    """The player who alone sees what comes up at this chance node; None where everybody does."""
    seen, rules = look(state), state.game.rules
    if rules["hands"] == "open":
        return None
    if seen["phase"] == "deal":
        return first_below(rules["hand_size"], [hand["size"] for hand in seen["hands"]])
    return int(seen["turn"]) if seen["phase"] == "refill" else None


def laid_open(state: Any) -> Any:
    """What the rules turn up inside an action that does not choose it."""
    if not state.game.rules["hand_size"]:
        return None
    seen = look(state)
    return seen["tile"], seen["unseen"], [hand["shown"] for hand in seen["hands"]]
