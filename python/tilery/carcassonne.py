"""Carcassonne, Winter Edition, for 2 to 5 players, with the house rules of its fan encyclopedia.

Rules, action ids, information states and observations are written down in docs/rules/carcassonne.md.
"""

from __future__ import annotations

from tilery._core.carcassonne import Driver, Game, State

__all__ = ["Driver", "Game", "State"]
