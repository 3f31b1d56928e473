"""The structs of tilery/views/pueblo.h say what the views of Python say."""

from __future__ import annotations

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
