"""The structs of tilery/views/carcassonne.h say what the views of Python say."""

from __future__ import annotations

import tilery
from tests.kit.structs import structs
from tests.kit.walking import half_way


def test_features_and_tiles() -> None:
    state = half_way(tilery.load("carcassonne", players=3))
    features = state.features()
    array = state.features_array()
    assert structs(state, "features", array.dtype).tobytes() == array.tobytes()
    fields = [("x", "i1"), ("y", "i1"), ("type", "u1"), ("rotation", "u1"), ("seat", "i1"), ("segment", "u1")]
    tiles = structs(state, "tiles", fields)
    assert [list(each)[:4] for each in tiles.tolist()] == state.tiles().tolist()
    meeples = [[x, y, segment, seat] for x, y, _, _, seat, segment in tiles.tolist() if seat >= 0]
    assert sorted(meeples) == sorted(state.meeples().tolist())
    assert meeples
    cells = structs(state, "open_cells", [("feature", "u2"), ("x", "i1"), ("y", "i1")])
    found = [[(x, y) for feature, x, y in cells.tolist() if feature == i] for i in range(len(features))]
    assert found == [each["open_cells"] for each in features]
    borders = structs(state, "borders", [("field", "u2"), ("city", "u2")])
    found = [[city for field, city in borders.tolist() if field == i] for i in range(len(features))]
    assert found == [each["cities"] for each in features]
    segments = structs(state, "segments", [("feature", "u2"), ("x", "i1"), ("y", "i1"), ("segment", "u1"), ("", "u1")])
    names = state.game.segment_names
    found = [
        [(x, y, names[s]) for feature, x, y, s, _ in segments.tolist() if feature == i] for i in range(len(features))
    ]
    assert found == [each["segments"] for each in features]
