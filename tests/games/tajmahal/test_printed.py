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
    numbers = [int(number) if number.strip() else 0 for _, number, _ in lines]
    assert "".join(letter for letter, _, _ in lines) == "ABCDEFGHIJKL"
    assert numbers == state.province_numbers().tolist()
    visited = {number for (_, _, mark), number in zip(lines, numbers, strict=True) if mark}
    assert visited <= {state.to_dict()["visit"]}
