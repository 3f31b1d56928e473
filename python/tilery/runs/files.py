"""The formats of columns: the same bytes for the same columns."""

from __future__ import annotations

import csv
import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from tilery.extras import imported
from tilery.files import open_regular
from tilery.runs.columns import Columns, columns

ROOM = 65_536
"""Bytes that a column of a Parquet file may have besides its values."""


def write_npz(file: BinaryIO, flat: Columns) -> None:
    """Write columns as `numpy.load` reads them; `numpy.savez` would note the time."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, column in flat.items():
            member = zipfile.ZipInfo(f"{name}.npy")  # of 1980, as no time is given
            with archive.open(member, "w", force_zip64=True) as values:
                np.lib.format.write_array(values, np.ascontiguousarray(column), version=(1, 0), allow_pickle=False)


def write_parquet(file: BinaryIO, flat: Columns) -> None:
    """Write columns as Parquet, one row group. Needs pyarrow."""
    arrow = imported("pyarrow", "arrow", "files .parquet")
    parquet = imported("pyarrow.parquet", "arrow", "files .parquet")
    table = arrow.table(dict(flat))
    parquet.write_table(table, file, row_group_size=max(1, len(table)), compression="zstd", store_schema=False)


def write_csv(file: BinaryIO, flat: Columns) -> None:
    """Write columns as text with a line of names."""
    text = io.TextIOWrapper(file, encoding="ascii", newline="")
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(flat)
    lines.writerows(zip(*(column.tolist() for column in flat.values()), strict=True))
    text.detach()


def read_npz(path: Path, rows: int, expected: Columns) -> dict[str, npt.NDArray[Any]]:
    """The columns that `write_npz` wrote. Raises `ValueError` unless they are those expected and have `rows` rows."""
    with open_regular(path) as file, zipfile.ZipFile(file) as archive:
        size = os.fstat(file.fileno()).st_size
        _same_columns([info.filename.removesuffix(".npy") for info in archive.filelist], expected)
        members = zip(expected, archive.filelist, strict=True)
        return {name: _read_member(archive, info, rows, size) for name, info in members}


def _read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, rows: int, size: int) -> npt.NDArray[Any]:
    """A column, which is made only after its header has shown that it is as long as expected and lies in the file."""
    with archive.open(info) as values:
        if np.lib.format.read_magic(values) != (1, 0):
            raise ValueError(f"{info.filename} is not of version 1.0")
        shape, _, dtype = np.lib.format.read_array_header_1_0(values)
        if len(shape) != 1 or shape[0] != rows:
            raise ValueError(f"{info.filename} has the shape {shape} instead of {(rows,)}")
        if info.compress_type != zipfile.ZIP_STORED or dtype.hasobject or rows * dtype.itemsize > size:
            raise ValueError(f"{info.filename} has no values of {dtype}")
        content = values.read(rows * dtype.itemsize)
        if len(content) != rows * dtype.itemsize or values.read(1):
            raise ValueError(f"{info.filename} is too short or too long")
    return np.frombuffer(content, dtype).copy()


def read_parquet(path: Path, rows: int, expected: Columns) -> dict[str, npt.NDArray[Any]]:
    """The columns that `write_parquet` wrote. Raises `ValueError` as `read_npz`, before values are read."""
    parquet = imported("pyarrow.parquet", "arrow", "files .parquet")
    arrow = imported("pyarrow", "arrow", "files .parquet")
    # An open file: pyarrow takes only names that are UTF-8.
    with open_regular(path) as opened, parquet.ParquetFile(opened) as file:
        if file.metadata.num_rows != rows:
            raise ValueError(f"it has {file.metadata.num_rows} games instead of {rows}")
        schema = file.schema_arrow
        _same_columns(schema.names, expected)
        for name, column in expected.items():
            if schema.field(name).type != arrow.from_numpy_dtype(column.dtype):
                raise ValueError(f"{name} is not a column of {column.dtype}")
        if file.metadata.num_row_groups != 1:
            raise ValueError(f"it has {file.metadata.num_row_groups} groups of rows")
        most = sum(2 * column.dtype.itemsize * rows + ROOM for column in expected.values())
        if file.metadata.row_group(0).total_byte_size > most:
            raise ValueError(f"it has more than {most:,} bytes for {rows} games")
        table = file.read(use_threads=False)
    return {name: table[name].to_numpy() for name in table.column_names}


def _same_columns(names: list[str], expected: Columns) -> None:
    if names != list(expected):
        raise ValueError("it has other columns")


Write = Callable[[BinaryIO, Columns], None]
Read = Callable[[Path, int, Columns], dict[str, npt.NDArray[Any]]]
SHARDS: dict[str, tuple[Write, Read]] = {"parquet": (write_parquet, read_parquet), "npz": (write_npz, read_npz)}
"""The functions that write and read shards, by format."""


TABLES: dict[str, Callable[[BinaryIO, npt.NDArray[np.void]], None]] = {
    ".csv": lambda file, results: write_csv(file, columns(results)),
    ".npy": lambda file, results: np.lib.format.write_array(file, results, allow_pickle=False),
    ".parquet": lambda file, results: write_parquet(file, columns(results)),
}
"""The functions that write results as a single file, by suffix; .npy holds the array of `tilery.simulate` itself."""
