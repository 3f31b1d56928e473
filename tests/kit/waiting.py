"""Waiting for what another thread, a process or a page does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def until(happened: Callable[[], Any], what: str, *, pause: Callable[[], object] = lambda: time.sleep(0.01)) -> Any:
    """The first true value of a function; fails after a minute, which is long enough on a machine that is busy.

    pause: called between two tries.
    """
    deadline = time.monotonic() + 60
    while not (value := happened()):
        assert time.monotonic() < deadline, f"{what}: {value!r}"
        pause()
    return value
