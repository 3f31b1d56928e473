"""One step from Python: clone a middle-game position and play its first legal action."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.benchmark(group="step")
def test_step(benchmark: Any, middle: Any) -> None:
    action = middle.legal_actions()[0]

    def step() -> Any:
        state = middle.clone()
        state.apply_action(action)
        return state

    after = benchmark(step)
    assert after != middle
