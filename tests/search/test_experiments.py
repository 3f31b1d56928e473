"""The book of experiments on players: each names a match that can be played again."""

from __future__ import annotations

import tomllib

import pytest

import tilery
from tests.kit.games import ROOT

BOOK = tomllib.loads((ROOT / "tests" / "lab" / "experiments.toml").read_text(encoding="utf-8"))["experiment"]


@pytest.mark.parametrize("experiment", BOOK, ids=lambda each: f"{each['match'][0]} {each['match'][1]}")
def test_an_experiment_can_be_repeated(experiment: dict[str, object]) -> None:
    game, *policies = experiment["match"]  # type: ignore[misc]
    tilery.load(game, players=experiment.get("players", 2))
    assert [str(tilery.policy(text)) for text in policies] == policies
    share, low, high = experiment["share"]  # type: ignore[misc]
    assert 0 <= low <= share <= high <= 100
    assert set(experiment) - {"players"} == {"question", "match", "network", "games", "seed", "share", "result"}
