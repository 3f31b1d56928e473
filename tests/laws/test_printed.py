"""Nothing is printed that the page of the game does not explain."""

from __future__ import annotations

import re
from typing import Any

import pytest

import tilery
from tests.kit.games import GAMES, variants
from tilery.reference.rng import Rng


def printed(game: Any, seed: int) -> str:
    """The positions of a random game, every fifth one and the last."""
    state, rng, texts = game.new_initial_state(), Rng(seed), []
    for number in range(game.max_game_length):
        if state.is_terminal():
            break
        if number % 5 == 0:
            texts.append(str(state))
        legal = state.legal_actions()
        state.apply_action(legal[rng.below(len(legal))])
    return "\n".join([*texts, str(state)])


@pytest.mark.parametrize("name", GAMES)
def test_every_word_and_sign_printed_is_on_the_page(name: str) -> None:
    page = tilery.rules_page(name)
    section = page.partition("\n## How a position is printed\n")[2].partition("\n## ")[0]
    assert len(section) > 100
    explained = set(re.findall(r"[a-z]+", page))
    for number, options in enumerate(variants(name)):
        text = printed(tilery.load(name, **options), seed=number)
        assert {word for word in re.findall(r"[a-z]{2,}", text) if word not in explained} == set()
        assert {sign for sign in text if not sign.isalnum() and not sign.isspace() and sign not in section} == set()
