"""Carcassonne positions as text: lands are drawn, and read back, row by row from north to south.

    .    E@2
    U@0  (D)

A tile is `type@rotation`, a dot is an empty cell, `(D)` is the start tile at 0,0.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import tilery.errors

BOX = json.loads((Path(tilery.errors.__file__).parent / "data" / "carcassonne.json").read_text(encoding="utf-8"))[
    "tiles"
]
"""The tile types of the data file."""
TYPES = [tile["id"] for tile in BOX]
LONGEST_LINE_TO_THE_EAST = """
    W02@1 S@2 D@2 U@0 W09@0 W06@0 W04@1 Q@1 W03@3 V@3 P@1 J@3 V@1 F@0 E@1 O@3 W12@1 L@2 W@0 K@1 G@1
    W01@3 W08@3 V@3 O@0 P@3 W@0 J@1 M@3 K@2 P@0 S@3 W05@3 K@1 T@2 W07@1 R@2 N@1 L@3 D@0 W11@1 A@1 A@3
    N@0 C@0 M@3 V@3 X@0 W10@0 L@1 H@1 R@3 I@3 E@0 H@0 I@0 H@1 F@1 R@3 D@3 E@0 N@0 J@3 U@0 V@1 U@1 E@0
    V@2 W@1 E@2 W@3 V@1 V@2 V@0 B@0 U@1 U@1 B@0 U@1 B@0 B@0 U@1 U@1"""
"""All 83 tiles of the pile, from x = 1 to x = 83."""
HALF_EDGES = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"]


def known(state: Any, player: int = 0) -> dict[str, Any]:
    """What a player knows, as a dict."""
    return json.loads(state.information_state_string(player))


def go(state: Any, tokens: str) -> Any:
    """The state itself, after the tokens."""
    for token in tokens.split():
        state.apply_action(state.string_to_action(token))
    return state


def tokens(state: Any) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


def read(drawing: str) -> dict[tuple[int, int], str]:
    """The tiles of a drawing: cell -> `type@rotation`."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    (start,) = [(x, y) for y, row in enumerate(rows) for x, tile in enumerate(row) if tile == "(D)"]
    return {
        (x - start[0], start[1] - y): "D@0" if tile == "(D)" else tile
        for y, row in enumerate(rows)
        for x, tile in enumerate(row)
        if tile != "."
    }


def land(state: Any) -> dict[tuple[int, int], str]:
    """The tiles of a state: cell -> `type@rotation`."""
    return {(x, y): f"{kind}@{rotation}" for x, y, kind, rotation in known(state)["land"]}


def place(state: Any, x: int, y: int, tile: str, meeple: str = "-") -> Any:
    """The state itself, after one turn: draw this tile, place it here, and a meeple if any can be placed."""
    kind, rotation = tile.split("@")
    go(state, f"*{kind}")
    if "keep" in tokens(state):
        go(state, "keep")
    go(state, f"{x},{y}@{rotation}")
    if "-" in tokens(state):
        go(state, meeple)
    return state


def lay(game: Any, drawing: str) -> Any:
    """The state after the tiles of the drawing were placed without meeples, whichever fits next first."""
    state = game.new_initial_state()
    missing = read(drawing)
    del missing[0, 0]
    while missing:
        placed = land(state)
        x, y = next((x, y) for x, y in missing if placed.keys() & {(x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)})
        place(state, x, y, missing.pop((x, y)))
    return state


def draw_out(state: Any) -> Any:
    """The state itself, at the end of a game in which nothing can be placed any more."""
    while not state.is_terminal():
        assert state.is_chance_node()
        state.apply_action(state.legal_actions()[0])
    return state


def cells(state: Any, kind: str) -> list[str]:
    """The placements of a type drawn now."""
    return tokens(go(state.clone(), f"*{kind}"))
