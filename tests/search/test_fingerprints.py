"""A search chooses the same on every build: games between searches, as recorded in a file."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib

import pytest

from tests.kit.games import GAMES, ROOT
from tests.kit.recording import SEARCH_FINGERPRINTS, search_fingerprint

RECORDED = tomllib.loads(SEARCH_FINGERPRINTS.read_text(encoding="ascii"))


def test_every_game_has_a_fingerprint() -> None:
    assert list(RECORDED) == list(GAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_fingerprints(name: str) -> None:
    assert search_fingerprint(name) == RECORDED[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_fingerprints_of_the_other_build(name: str) -> None:
    """The build for every processor, whose vectors are narrower, chooses the same actions."""
    code = (
        "import sys, tilery\n"
        "from tests.kit.recording import search_fingerprint\n"
        "assert tilery._core.build == 'baseline'\n"
        "print(search_fingerprint(sys.argv[1]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, name],
        env=os.environ | {"TILERY_BUILD": "baseline"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert run.stdout.strip() == RECORDED[name]
