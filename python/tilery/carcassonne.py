"""Carcassonne, Winter Edition, for 2 to 5 players, with the house rules of its fan encyclopedia.

Rules, action ids, information states and observations are written down in docs/rules/carcassonne.md.

>>> from tilery import carcassonne
>>> game = carcassonne.Game(players=3, tiles="base")
>>> state = game.new_initial_state()
>>> state.apply_action(game.string_to_action("*V"))
>>> state.frontier().tolist()
[[0, -1], [-1, 0], [1, 0], [0, 1]]
>>> int(state.fits()[:, game.tile_types.index("V")].sum())
6
>>> [(feature["kind"], feature["open_ends"]) for feature in state.features()]
[('city', 1), ('road', 2), ('field', 2), ('field', 3)]

In addition to the calls of every game, `game.tile_types` and `game.segment_names` list what numbers of types and
segments mean, and a state has views, as new arrays: `tiles`, `meeples`, `frontier`, `frontier_edges`, `fits`,
`remaining`, `unseen`, `supply`, `hands`, `features_array`, and the list `features`; see `help(State)`.

`CompactActions(game, window=25)` is for learners: `num_actions` ids (2,548 instead of 111,604 with the default options)
in which a placement is counted from the south-west corner of the window of the observation, and all other ids are those
of the game. `compact(state, action)` and `expand(state, compact)` translate, both ways the same pairs; `ValueError` for
a placement outside the window. `legal_actions(state)` and `mask(state)` are the legal actions inside the window.
`batch_mask(batch)` and `batch_expand(batch, ids)` do the same for all games of a `tilery.Batch`.

>>> ids = carcassonne.CompactActions(game, window=5)
>>> ids.num_actions
136
>>> [ids.expand(state, compact) for compact in ids.legal_actions(state)] == state.legal_actions()
True
>>> batch = game.batch(64, seed=1)
>>> masks = ids.batch_mask(batch)
>>> masks.shape
(64, 136)
>>> batch.apply_actions(ids.batch_expand(batch, masks.argmax(axis=1)))

A feature is a dict of

- `kind`: `"city"`, `"road"`, `"field"` or `"monastery"`
- `segments`: list of (x, y, token of the segment)
- `tiles`, `shields`: how many
- `complete`: whether it is (CA-11, CA-12, CA-14, CA-H11); a field never is
- `open_ends`: edges at which it is open, of a monastery the empty cells around it
- `open_cells`: list of (x, y), the cells there; not those off the table
- `meeples`: how many of each seat
- `cities`: of a field, the places in `features()` of the complete cities it borders
- `points`: what it gives to those with most meeples, when complete or, as it is now, at the end (CA-11 to CA-16, CA-H9)

A row of `features_array()` has the fields `points` int16, `open_ends` uint16, `x` and `y` int8 (the cell of its first
segment), and as uint8 `segment` (of it, in `game.segment_names`), `kind` (0 city, 1 road, 2 field, 3 monastery),
`complete` (1 or 0), `tiles`, `shields`, `cities` (how many) and `meeples` (one for each of five seats).

>>> state.features_array()[["kind", "tiles", "open_ends", "points"]].tolist()
[(0, 1, 1, 1), (1, 1, 2, 1), (2, 1, 2, 0), (2, 1, 3, 0)]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilery._core.carcassonne import CompactActions, Game, State

__all__ = ["CompactActions", "Game", "State"]


KINDS = {
    r"\*(.+)": "draw",
    r"-?\d+,-?\d+@\d": "tile",
    r"([crfm])\d?": "meeple",
    r"-": "no meeple",
    r"(?:tile|discard):(.+)": "choice from the hand",
    r"offer|keep|price:\d+|pass|accept|decline": "sale",
}
"""Token -> the kind of its action, and in a group what it is done with, for tables of moves."""

NAMES = {f"meeple {place[0]}": f"meeple on a {place}" for place in ("city", "road", "field", "monastery")}
"""What was done, as kind and thing -> its name in reports, where that is another."""


NEEDS = {"hands": ("hand_size", 0)}
"""Option -> the option without which it has no effect, and the value of that which means none."""


def phase(known: Mapping[str, Any]) -> str:
    """The kind of decision that is due, from the information of a player."""
    return str(known["phase"])


def stocks(known: Mapping[str, Any]) -> dict[str, list[int]]:
    """The supplies by seat, for tables of moves: meeples at home, tiles in hand."""
    return {"meeples": known["supply"], "hand": [hand["size"] for hand in known["hands"]]}
