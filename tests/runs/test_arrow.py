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
from tilery.simulation import result_dtype


def reader(module: str) -> Any:
    """A package that reads Arrow; the test is skipped without it."""
    return pytest.importorskip(module, reason=f"needs {module}: pip install {module}")


@pytest.fixture
def results() -> Any:
    return tilery.simulate(tilery.load("toy", players=3), 3000, seed=5, policies="random", rotate=True)


def test_pyarrow_reads_every_column(results: Any) -> None:
    reader("pyarrow")
    table = tilery.arrow(results)
    table.validate(full=True)
    flat = tilery.columns(results)
    assert table.column_names == list(flat)
    for name, column in flat.items():
        assert table[name].to_numpy().dtype == column.dtype
        assert np.array_equal(table[name].to_numpy(), column)
    assert not any(field.nullable for field in table.schema)


def test_several_arrays() -> None:
    """One after another, slices included."""
    reader("pyarrow")
    big = np.zeros(1000, result_dtype(2))
    big["num_actions"] = np.arange(len(big))
    arrays = [big[::2], big[:0], big[3:]]
    table = tilery.arrow(arrays)
    expected = np.concatenate([array["num_actions"] for array in arrays])
    assert np.array_equal(table["num_actions"].to_numpy(), expected)
    empty = tilery.arrow(big[:0])
    assert (empty.num_rows, empty.num_columns) == (0, 6)


def test_polars_and_duckdb_agree(results: Any) -> None:
    polars, duckdb = reader("polars"), reader("duckdb")
    frame = polars.DataFrame(tilery.arrow(results))
    assert polars.from_arrow(tilery.arrow(results)).equals(frame)
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
from tilery.simulation import result_dtype

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
        code += "assert package.total_allocated_bytes() < size / 100\n"
    # A process of its own: here, memory that other tests gave back could serve.
    subprocess.run([sys.executable, "-c", code], check=True)


def test_columns_outlive_results_table_and_each_other(results: Any) -> None:
    """A reader may keep one column after all else is gone; what it keeps is a copy of ours."""
    reader("pyarrow")
    table = tilery.arrow(results)
    column, expected = table["score_1"], results["scores"][:, 1].copy()
    results["scores"] = -1
    del table, results
    gc.collect()
    assert np.array_equal(column.to_numpy(), expected)


def test_tilery_imports_no_reader() -> None:
    """They are imported when results are read."""
    program = (
        "import sys, tilery\nprint([name for name in ('pyarrow', 'scipy', 'rich', 'polars') if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"
