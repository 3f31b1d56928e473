"""The views of the C table (tilery/views/<game>.h) as NumPy arrays, by ctypes."""

from __future__ import annotations

import ctypes
import importlib.util
from typing import Any

import numpy as np

from tests.kit.games import ROOT

_spec = importlib.util.spec_from_file_location("ctypes_playouts", ROOT / "examples" / "ctypes_playouts.py")
assert _spec is not None
assert _spec.loader is not None
_example: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_example)


def structs(state: Any, name: str, dtype: Any) -> Any:
    """A view of a state, an array of the structured type."""
    table, pointer, size = _example.Table(state.game), ctypes.c_void_p, ctypes.c_size_t
    deserialize = table.function("deserialize", ctypes.c_int32, ctypes.c_char_p, size, pointer)
    view = table.function(
        "view",
        ctypes.c_int32,
        pointer,
        ctypes.c_char_p,
        size,
        pointer,
        ctypes.c_uint32,
        ctypes.POINTER(ctypes.c_uint32),
    )
    memory, data, count = (ctypes.c_uint64 * (table.state_size // 8 + 1))(), state.serialize(), ctypes.c_uint32()
    assert deserialize(table.game, data, len(data), memory) == 0
    rows = np.zeros(1024, dtype)
    assert view(table.game, memory, name.encode(), rows.itemsize, rows.ctypes.data, len(rows), ctypes.byref(count)) == 0
    return rows[: count.value]
