"""Results read by pyarrow, polars and DuckDB without a copy of theirs."""

from __future__ import annotations

import gc
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import ROOT
from tilery import _core
from tilery.run import result_dtype


def reader(module: str) -> Any:
    """A package that reads Arrow; the test is skipped without it."""
    return pytest.importorskip(module, reason=f"needs {module}: pip install {module}")


@pytest.fixture
def results() -> Any:
    return tilery.simulate(tilery.load("toy", players=3), 3000, seed=5, policies="random", rotate=True)


def test_pyarrow_reads_every_column(results: Any) -> None:
    pyarrow = reader("pyarrow")
    table = pyarrow.table(tilery.arrow(results))
    table.validate(full=True)
    flat = tilery.columns(results)
    assert table.column_names == list(flat)
    for name, column in flat.items():
        assert table[name].to_numpy().dtype == column.dtype
        assert np.array_equal(table[name].to_numpy(), column)
    assert not any(field.nullable for field in table.schema)


def test_several_arrays_and_many_batches() -> None:
    """More rows than a batch has, with the arrays one after another, slices included."""
    pyarrow = reader("pyarrow")
    big = np.zeros(2**20 + 5, result_dtype(2))
    big["num_actions"] = np.arange(len(big))
    arrays = [big[::2], big[:0], big[3:]]
    table = pyarrow.table(tilery.arrow(arrays))
    expected = np.concatenate([array["num_actions"] for array in arrays])
    assert np.array_equal(table["num_actions"].to_numpy(), expected)
    assert len(tilery.arrow(arrays)) == len(expected)
    empty = pyarrow.table(tilery.arrow(big[:0]))
    assert (empty.num_rows, empty.num_columns) == (0, 6)


def test_polars_and_duckdb_agree(results: Any) -> None:
    polars, duckdb = reader("polars"), reader("duckdb")
    frame = polars.DataFrame(tilery.arrow(results))
    assert polars.from_arrow(tilery.arrow(results)).struct.unnest().equals(frame)
    assert frame["score_2"].sum() == results["scores"][:, 2].sum()
    assert frame.schema["policy_0"] == polars.UInt8
    games = tilery.arrow(results)
    (row,) = duckdb.sql("select count(*), sum(score_2), max(return_0) from games").fetchall()
    assert row == (3000, results["scores"][:, 2].sum(), results["returns"][:, 0].max())
    assert len(games) == 3000


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(("module", "read"), [("pyarrow", "table"), ("polars", "DataFrame"), ("polars", "from_arrow")])
def test_readers_take_our_copy(module: str, read: str) -> None:
    """A table takes the memory of its columns once."""

    reader(module)
    code = f"""
import gc
from pathlib import Path
import numpy as np, {module} as package, tilery
from tilery.run import result_dtype

def resident():
    return 4096 * int(Path("/proc/self/statm").read_text().split()[1])

results = np.zeros(2**21, result_dtype(2))
results["scores"] = 1
package.{read}(tilery.arrow(results[:1000]))  # what reading alone needs is there after this
gc.collect()
before = resident()
table = package.{read}(tilery.arrow(results))
size = sum(column.nbytes for column in tilery.columns(results[:1]).values()) * len(table)
assert 0.7 * size < resident() - before < 1.3 * size, (size, resident() - before)
"""
    if module == "pyarrow":
        code += "assert package.total_allocated_bytes() == 0\n"
    # A process of its own: here, memory that other tests gave back could serve.
    subprocess.run([sys.executable, "-c", code], check=True)


def test_columns_outlive_results_table_and_each_other(results: Any) -> None:
    """A reader may keep one column after all else is gone; what it keeps is a copy of ours."""
    pyarrow = reader("pyarrow")
    table = pyarrow.table(tilery.arrow(results))
    column, expected = table["score_1"], results["scores"][:, 1].copy()
    results["scores"] = -1
    del table, results
    gc.collect()
    assert np.array_equal(column.to_numpy(), expected)


def test_a_stream_that_nobody_reads_is_released(results: Any) -> None:
    before = sys.getrefcount(results)
    streams = [tilery.arrow(results).__arrow_c_stream__() for _ in range(3)]
    assert all("arrow_array_stream" in repr(stream) for stream in streams)
    assert sys.getrefcount(results) > before
    del streams
    gc.collect()
    assert sys.getrefcount(results) == before


BYTES = np.zeros((2, 8), np.uint8)
OTHER_LAYOUTS = [
    np.zeros(8, np.uint8),
    np.zeros((2, 2, 8), np.uint8),
    np.zeros((2, 8), np.int8),
    np.zeros((2, 8), np.float64),
    np.zeros((4, 8), np.uint8)[::2],
    np.zeros((2, 16), np.uint8)[:, :8],
    np.zeros((8, 2), np.uint8).T,
]


@pytest.mark.parametrize("array", OTHER_LAYOUTS)
def test_a_stream_takes_rows_of_bytes_only(array: Any) -> None:
    """Of any other array it would read what is not there."""
    with pytest.raises(ValueError, match=r"arrays\[1\] must be uint8"):
        _core.arrow_stream([BYTES, array], [("score_0", "i", 4, 4)])


@pytest.mark.parametrize(
    ("format_", "offset", "width"),
    [("i", -1, 4), ("i", -4, 4), ("i", 5, 4), ("i", 2**31 - 1, 4), ("C", 8, 1), ("g", 1, 8)],
)
def test_columns_are_within_a_row(format_: str, offset: int, width: int) -> None:
    wider = np.zeros((2, 16), np.uint8)
    with pytest.raises(ValueError, match=rf"columns: score_0 must be in a row of \d+ bytes, got offset {offset} "):
        _core.arrow_stream([wider, BYTES], [("score_1", "i", 4, 4), ("score_0", format_, offset, width)])


@pytest.mark.parametrize(("format_", "width"), [("g", 4), ("i", 8), ("C", 0), ("i", -4), ("s", 2), ("u", 4), ("", 0)])
def test_columns_have_the_width_of_their_format(format_: str, width: int) -> None:
    with pytest.raises(ValueError, match=r"columns: score_0 must be C of width 1"):
        _core.arrow_stream([BYTES], [("score_0", format_, 0, width)])


def test_streams_of_the_last_bytes_and_of_no_rows() -> None:
    pyarrow = reader("pyarrow")

    class Opened:
        """What a reader asks for a stream."""

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            arrays = [BYTES, np.zeros((0, 8), np.uint8), np.ones((1, 16), np.uint8)[:, :8]]
            return _core.arrow_stream(arrays, [("last", "C", 7, 1), ("all", "g", 0, 8)])

    assert pyarrow.table(Opened())["last"].to_pylist() == [0, 0, 1]


def test_the_interpreter_may_end_while_a_table_is_alive() -> None:
    reader("pyarrow")
    program = (
        "import builtins, pyarrow, tilery\n"
        "games = tilery.arrow(tilery.simulate(tilery.load('toy'), 10))\n"
        "builtins.table, builtins.stream = pyarrow.table(games), games.__arrow_c_stream__()\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_tilery_imports_no_reader() -> None:
    """Arrow is a convention of memory here: nothing is imported for it."""
    program = (
        "import sys, tilery\nprint([name for name in ('pyarrow', 'scipy', 'rich', 'polars') if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"
