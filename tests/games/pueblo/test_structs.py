"""The structs of tilery/views/pueblo.h say what the views of Python say."""

from __future__ import annotations

import json

import tilery
from tests.kit.structs import structs
from tests.kit.walking import half_way


def test_squares_and_cubes() -> None:
    state = half_way(tilery.load("pueblo", players=3))
    squares = structs(state, "squares", [("height", "u1"), ("owner", "i1")])
    assert squares["height"].reshape(8, 8).tolist() == state.heights().tolist()
    assert squares["owner"].reshape(8, 8).tolist() == state.owners().tolist()
    columns = state.columns()
    cubes = structs(state, "cubes", [("square", "u1"), ("level", "u1"), ("owner", "i1")])
    assert len(cubes) == state.heights().sum() > 0
    for square, level, owner in cubes.tolist():
        assert columns[level - 1, square // 8, square % 8] == owner


def test_owners_and_columns_hold_what_the_information_says() -> None:
    """The highest block at each decision, so that some columns are higher than eight cubes and many are low."""
    state = tilery.load("pueblo", players=4).new_initial_state()
    while not state.is_terminal():
        state.apply_action(max(state.legal_actions(), key=lambda action: int(state.child(action).heights().max())))
    known = json.loads(state.information_state_string(0))["columns"]
    codes = {"n": tilery.pueblo.NEUTRAL, **{str(seat): seat for seat in range(4)}}
    levels = max(map(len, known))
    assert levels > 8
    expected = [[codes[column[level]] if level < len(column) else -1 for column in known] for level in range(levels)]
    assert state.columns().reshape(levels, 64).tolist() == expected
    assert state.owners().ravel().tolist() == [codes[column[-1]] if column else -1 for column in known]
