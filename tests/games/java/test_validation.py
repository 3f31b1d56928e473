"""Bytes from outside: scores that no board can have given, and states that follow from an accepted one."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

import tilery
from tests.games.java.options import SMALL
from tests.kit.forging import reseal
from tilery.reference.rng import Rng

HEAD, PLANES, CHECKSUM = 24, 28 * 5 * 8, 8
"""Bytes of the envelope before the state, of the sets of spaces that a state begins with, and of the checksum."""

OPTIONS: list[dict[str, Any]] = [
    {},
    {"players": 4, "board": SMALL, "two_on_three": False},
    {"players": 3, "board": SMALL, "token_timing": "turn_start", "irrigation_scoring": "per_space"},
]


def position(game: Any, seed: int, steps: int) -> Any:
    """A state after this many random actions, or the last of the game."""
    state, rng = game.new_initial_state(), Rng(seed)
    for _ in range(steps):
        if state.is_terminal():
            break
        legal = state.legal_actions()
        state.apply_action(legal[rng.below(len(legal))])
    return state


def with_scores(state: Any, scores: list[int]) -> bytes:
    """The bytes of the state with other scores."""
    data = bytearray(state.serialize()[:-CHECKSUM])
    struct.pack_into(f"<{len(scores)}H", data, HEAD + PLANES, *scores)
    return reseal(bytes(data))


@pytest.mark.parametrize("options", OPTIONS)
def test_scores_that_the_board_cannot_have_given_are_refused(options: dict[str, Any]) -> None:
    game = tilery.java.Game(**options)
    poorer = 0
    for seed in range(60):
        state = position(game, seed, 20 * seed)
        scores = list(state.scores())
        assert game.deserialize_state(with_scores(state, scores)) == state
        for player in range(game.num_players):
            richer = [score + (400 if seat == player else 0) for seat, score in enumerate(scores)]
            with pytest.raises(tilery.StateDataError, match="more points"):
                game.deserialize_state(with_scores(state, richer))
        supply = tilery_supply(state)
        built = sum(
            (tiles - left) * half for half, (tiles, left) in enumerate(zip(range(6, 11), supply, strict=True), 1)
        )
        if built > 0:
            poorer += 1
            with pytest.raises(tilery.StateDataError, match="fewer points"):
                game.deserialize_state(with_scores(state, [0] * game.num_players))
    assert poorer > 5


def tilery_supply(state: Any) -> list[int]:
    """Palaces left, by value."""
    left: list[int] = state.information_state(0)["supply"]["palaces"]
    return left


def test_before_anything_is_scored_no_player_has_a_point() -> None:
    game = tilery.java.Game()
    state = position(game, 1, 9)
    assert list(state.scores()) == [0, 0]
    with pytest.raises(tilery.StateDataError, match="player 1 has more points than the board can have given"):
        game.deserialize_state(with_scores(state, [0, 1]))


@pytest.mark.parametrize("options", OPTIONS)
def test_what_follows_from_an_accepted_state_is_accepted(options: dict[str, Any]) -> None:
    game, rng = tilery.java.Game(**options), np.random.default_rng(5)
    accepted = 0
    for seed in range(120):
        body = position(game, seed, int(rng.integers(400))).serialize()[:-CHECKSUM]
        for _ in range(150):
            data = bytearray(body)
            for at in rng.integers(HEAD + PLANES, len(data), int(rng.integers(1, 4))).tolist():
                data[at] = (data[at] + int(rng.choice([-2, -1, 1, 2]))) % 256
            try:
                state = game.deserialize_state(reseal(bytes(data)))
            except tilery.StateDataError:
                continue
            if bytes(data) == body:
                continue
            accepted += 1
            legal = state.legal_actions()
            assert legal or state.is_terminal()
            for action in rng.permutation(legal)[:12].tolist():
                after = state.clone()
                after.apply_action(action)
                assert game.deserialize_state(after.serialize()) == after
    assert accepted > 100
