"""Actions in words for people, with the names that a position gives to what they pick."""

from __future__ import annotations

from typing import Any


def labels_of(state: Any) -> dict[str, str]:
    """The names that a position gives to picks: `labels` of the panel of the player to act."""
    player = state.current_player()
    labels: dict[str, str] = state.panel(player)["labels"] if player >= 0 else {}
    return labels


def words_of(state: Any, action: int, labels: dict[str, str] | None = None) -> str:
    """An action in words, with the names of `labels_of`, if they are not known already."""
    game = state.game
    words = str(game.describe_action(action))
    if labels is None:
        labels = labels_of(state)
    for pick in labels.keys() & game.picks(action):
        words = words.replace(game.describe_pick(pick), labels[pick])
    return words
