"""The structs of tilery/views/java.h say what the views of Python say."""

from __future__ import annotations

import tilery
from tests.kit.structs import structs
from tests.kit.walking import half_way


def test_spaces() -> None:
    state = half_way(tilery.load("java", players=3))
    spaces = structs(state, "spaces", [("height", "i4"), ("terrain", "i4"), ("palace", "i4"), ("figure", "i4")])
    assert spaces["height"].tolist() == state.heights().tolist()
    assert "".join(map(chr, spaces["terrain"])) == state.terrain()
    figures = [(space, seat) for space, seat in enumerate(spaces["figure"].tolist()) if seat >= 0]
    rows = [
        (f"{row}.{column}", seat) for (row, column), seat in ((state.game.spaces[space], at) for space, at in figures)
    ]
    assert rows == [tuple(each) for each in state.figures()]
    assert figures
