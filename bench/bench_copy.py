"""A copy of a middle-game position as a new Python object."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.benchmark(group="copy")
def test_clone(benchmark: Any, middle: Any) -> None:
    assert benchmark(middle.clone) == middle
