"""Fixtures: every test that asks for `load` runs on both backends."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.kit.games import BACKENDS
from tests.kit.web import built

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


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt, also where a shell started the tests in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def web_build() -> Path:
    """The folder of the build for WebAssembly. Whatever asks for it is marked `web`."""
    return built()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests are slow. Those with a browser or node get a second try: how long they take is not ours to decide."""
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker("slow")
        if not isinstance(item, pytest.Function):
            continue
        if "web_build" in item.fixturenames:
            item.add_marker("web")
        if "web_build" in item.fixturenames or {"chromium", "Node"} & vars(item.module).keys():
            item.add_marker(pytest.mark.flaky(reruns=1))
