"""The paths of two actions from a middle-game position."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.benchmark(group="perft 2")
def test_perft(benchmark: Any, middle: Any, backend: str) -> None:
    if backend == "reference":
        pytest.skip("the reference does not count paths")
    expected = 0
    for action in middle.legal_actions():
        after = middle.clone()
        after.apply_action(action)
        expected += after.num_legal_actions()
    assert benchmark(middle.perft, 2) == expected
