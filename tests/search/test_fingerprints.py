"""A search chooses the same on every build: games between searches, as recorded in a file."""

from __future__ import annotations

import tomllib

import pytest

from tests.kit.games import GAMES
from tests.kit.recording import SEARCH_FINGERPRINTS, search_fingerprint
from tests.kit.running import in_v2_build

RECORDED = tomllib.loads(SEARCH_FINGERPRINTS.read_text(encoding="ascii"))


def test_every_game_has_a_fingerprint() -> None:
    assert list(RECORDED) == list(GAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_fingerprints(name: str) -> None:
    assert search_fingerprint(name) == RECORDED[name]


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_fingerprints_of_the_other_build(name: str) -> None:
    """The build for processors without AVX2, whose vectors are narrower, chooses the same actions."""
    printed = in_v2_build(
        "import sys\nfrom tests.kit.recording import search_fingerprint\nprint(search_fingerprint(sys.argv[1]))", name
    )
    assert printed.strip() == RECORDED[name]
