"""The legal actions of a middle-game position, as a list and as a number."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.benchmark(group="legal actions")
def test_legal_actions(benchmark: Any, middle: Any) -> None:
    legal = benchmark(middle.legal_actions)
    assert legal == sorted(set(legal))
    assert len(legal) > 0
