"""Fixtures: every test that asks for `load` runs on both backends."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.kit.games import BACKENDS

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("long", settings.get_profile("ci"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(params=list(BACKENDS))
def load(request: pytest.FixtureRequest) -> Any:
    """`load(name, **options)` of one backend."""
    return BACKENDS[request.param]
