"""Toy: a small card game with chance and hidden hands, the worked example of docs/adding-a-game.md."""

from __future__ import annotations

from typing import TypedDict

from tilery._core.toy import Driver, Game, State

__all__ = ["Driver", "Game", "InformationState", "State"]


class InformationState(TypedDict):
    """What `state.information_state(player)` returns; docs/rules/toy.md describes the keys."""

    hand: list[int]
    hand_sizes: list[int]
    open: list[int]
    prize: int
    table: list[int]
    scores: list[int]
