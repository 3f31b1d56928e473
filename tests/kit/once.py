"""What several processes of one run of the tests need, made by the first that asks for it."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from pathlib import Path

from tilery.locks import lock

RUN = (os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid.uuid4().hex).encode()  # the same in all of its processes


def made_once(folder: Path, make: Callable[[], object]) -> Path:
    """The folder, after `make` has filled it in this run; the other processes wait until it is done."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a+b") as file:
        lock(file, 1 << 30, wait=True)
        file.seek(0)
        if file.read() != RUN:
            make()
            file.truncate(0)
            file.write(RUN)
    return folder
