"""Positions of Taj Mahal as text."""

from __future__ import annotations

import re

import pytest

import tilery
from tests.kit.walking import random_game


@pytest.mark.parametrize("actions", [1, 8, 40, 120, 200])
def test_each_province_has_the_number_of_its_visit(actions: int) -> None:
    state = random_game(tilery.tajmahal.Game(), seed=actions, actions=actions)
    lines = re.findall(r"^([A-L]) ([ 1][0-9 ])( >)?", str(state), re.MULTILINE)
    position = state.to_dict()
    numbers = {letter: int(number) for letter, number, _ in lines if number.strip()}
    assert "".join(letter for letter, _, _ in lines) == "ABCDEFGHIJKL"
    # The last visit is that of Agra in any game.
    assert numbers == {letter: i + 1 for i, letter in enumerate(position["provinces"])} | {"G": 12}
    assert state.province_numbers().tolist() == [numbers.get(letter, 0) for letter in "ABCDEFGHIJKL"]
    assert {numbers[letter] for letter, _, mark in lines if mark} <= {position["visit"]}
