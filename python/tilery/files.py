"""Files that options name: boards and maps."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

LARGEST = 1 << 24
"""Bytes of a file that is read: a thousand times those of a board."""


def read_json(path: str | os.PathLike[str]) -> Any:
    """The content of a JSON file in UTF-8.

    Raises `OSError` where it cannot be read, and `ValueError` if it is larger than 16 MiB or is not JSON.
    """
    with Path(path).open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError(f"the file has more than {LARGEST:,} bytes")
    return json.loads(content.decode("utf-8"))
