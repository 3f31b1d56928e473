"""Files that are read whole: boards, maps, manifests."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any, BinaryIO

LARGEST = 1 << 24
"""Bytes of a file that is read: a thousand times those of a board."""


def read_json(path: str | os.PathLike[str]) -> Any:
    """The content of a JSON file in UTF-8.

    Raises `OSError` where it cannot be read, and `ValueError` if it is larger than 16 MiB or is not JSON.
    """
    with Path(path).open("rb") as file:
        return json.loads(read_text(file))


def read_text(file: BinaryIO) -> str:
    """The content of a file in UTF-8. Raises `ValueError` if it is larger than 16 MiB or is not UTF-8."""
    content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError(f"the file has more than {LARGEST:,} bytes")
    return content.decode("utf-8")


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file for reading whose content lies on disk; to open or read a pipe or device may never end.

    Raises `OSError` where it cannot be opened, and `ValueError` if it is not a regular file.
    """
    try:
        file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115  it is returned open
    except IsADirectoryError:
        raise ValueError("it is a directory") from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise ValueError("it is not a regular file")
    return file


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
