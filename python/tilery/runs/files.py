"""Files of columns, written whole or not at all, with the same bytes for the same columns."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import secrets
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from tilery.extras import imported
from tilery.files import open_regular

Columns = Mapping[str, npt.NDArray[Any]]

PART = ".part"
"""The suffix of a file that is being written."""


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Write a file under another name; at the end it is synced and renamed, so that it is there whole or not at all."""
    part = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}{PART}")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make a rename in a folder last through a loss of power, where the system can."""
    if os.name == "nt":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


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
    table = arrow.table({name: arrow.array(column) for name, column in flat.items()})
    parquet.write_table(table, file, row_group_size=max(1, len(table)), compression="zstd", store_schema=False)


def write_csv(file: BinaryIO, flat: Columns) -> None:
    """Write columns as text with a line of names."""
    text = io.TextIOWrapper(file, encoding="ascii", newline="")
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(flat)
    lines.writerows(zip(*(column.tolist() for column in flat.values()), strict=True))
    text.detach()


def read_npz(path: Path, rows: int) -> dict[str, npt.NDArray[Any]]:
    """The columns that `write_npz` wrote. Raises `ValueError` unless each has so many rows."""
    with open_regular(path) as file, zipfile.ZipFile(file) as archive:
        size = os.fstat(file.fileno()).st_size
        return {
            info.filename.removesuffix(".npy"): _read_member(archive, info, rows, size) for info in archive.filelist
        }


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


def read_parquet(path: Path, rows: int) -> dict[str, npt.NDArray[Any]]:
    """The columns that `write_parquet` wrote. Raises `ValueError` unless there are so many rows. Needs pyarrow."""
    parquet = imported("pyarrow.parquet", "arrow", "files .parquet")
    # An open file: pyarrow takes only names that are UTF-8.
    with open_regular(path) as opened, parquet.ParquetFile(opened) as file:
        if file.metadata.num_rows != rows:
            raise ValueError(f"it has {file.metadata.num_rows} games instead of {rows}")
        table = file.read(use_threads=False)
    return {name: table[name].to_numpy() for name in table.column_names}


Write = Callable[[BinaryIO, Columns], None]
SHARDS: dict[str, tuple[Write, Callable[[Path, int], dict[str, npt.NDArray[Any]]]]] = {
    "parquet": (write_parquet, read_parquet),
    "npz": (write_npz, read_npz),
}
"""How shards of a format are written and read."""


class Table(NamedTuple):
    """A format of single files."""

    write: Write
    check: Callable[[], object] = lambda: None
    """Raises `ImportError` if it cannot be written here."""


TABLES = {
    ".csv": Table(write_csv),
    ".npy": Table(write_npz),
    ".parquet": Table(write_parquet, lambda: imported("pyarrow.parquet", "arrow", "files .parquet")),
}
"""The formats of single files by suffix; .npy holds the array of `tilery.simulate` itself."""
