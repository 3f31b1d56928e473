"""Toy: a small card game with chance and hidden hands, the worked example of docs/adding-a-game.md."""

from __future__ import annotations

from tilery._core.toy import Driver, Game, State

__all__ = ["Driver", "Game", "State"]
