"""Ladders: ratings and their intervals, measurements that go on, and where a policy stands."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

import tilery
from tests.kit.games import GAMES
from tests.lab.ladders import measure
from tilery import ladder
from tilery.cli.main import main


def odds(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def drawn(rng: Any, true: list[float], deals: int) -> ladder.Pairs:
    """The shares of deals of two games between neighbours of these strengths."""
    return {(a, a + 1): list(rng.binomial(2, odds(true[a] - true[a + 1]), deals) / 2) for a in range(len(true) - 1)}


def test_ratings_find_the_strengths() -> None:
    true = [0.0, 120.0, 200.0, 330.0]
    found, _ = ladder.ratings(drawn(np.random.default_rng(1), true, 20000), 4, {0: 0.0})
    assert np.abs(found - true).max() < 12


def test_intervals_cover_the_strengths() -> None:
    """At least 95% of 1,000 intervals do, within three standard errors, for few deals and for many."""
    rng, true = np.random.default_rng(2), [0.0, 80.0, 160.0]
    for deals in (12, 60):
        bounds = [ladder.ratings(drawn(rng, true, deals), 3, {0: 0.0})[1][2] for _ in range(1000)]
        covered = sum(low <= true[2] <= high for low, high in bounds)
        assert covered / 1000 > 0.95 - 3 * math.sqrt(0.95 * 0.05 / 1000)


def test_one_who_lost_everything_has_a_rating() -> None:
    pairs: ladder.Pairs = {(0, 1): [1.0] * 30}
    found, bounds = ladder.ratings(pairs, 2, {0: 0.0})
    assert -2000 < bounds[1][0] < found[1] < -300


def test_a_measurement_goes_on(tmp_path: Path) -> None:
    game, policies = tilery.load("toy"), ["random", "greedy", "mcts:30"]
    whole = measure(game, policies, deals=6, seed=3, file=tmp_path / "whole.json")
    assert [rung["policy"] for rung in whole] == policies
    assert whole[0]["rating"] == 0.0
    part = ladder.Measurement(game, policies, seed=3, file=tmp_path / "part.json")
    part.play(0, 1, 2)
    assert measure(game, policies, deals=6, seed=3, file=tmp_path / "part.json") == whole
    assert (
        json.loads((tmp_path / "part.json").read_text())["deals"]
        == json.loads((tmp_path / "whole.json").read_text())["deals"]
    )
    with pytest.raises(ladder.LadderError, match="another measurement"):
        ladder.Measurement(game, policies, seed=4, file=tmp_path / "part.json")


def test_a_newcomer_finds_its_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    game = tilery.load("toy")
    known = measure(game, ["random", "greedy", "mcts:100"], deals=40, seed=1)
    monkeypatch.setattr(ladder, "_ladders", lambda: {"toy": known})
    place = ladder.enter(game, "mcts:100", width=120, most_games=300, seed=2, file=tmp_path / "deals.json")
    assert place.rating_95[0] <= ladder.rungs("toy")[2].rating_95[1]
    assert place.rating_95[1] - place.rating_95[0] <= 120 or sum(place.games.values()) >= 300
    assert place == ladder.enter(game, "mcts:100", width=120, most_games=300, seed=2, file=tmp_path / "deals.json")
    assert main(["ladder", "toy"]) == 0
    assert "mcts:100" in capsys.readouterr().out
    assert main(["ladder", "toy", "--enter", "random", "--games", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["policy"] == "random"
    monkeypatch.setattr(ladder.policy("champion").__class__, "resolved", lambda *_: ladder.policy("greedy"))
    assert main(["ladder", "toy", "--enter", "random", "--games", "20", "--less-luck"]) == 0
    assert "less luck: the variance of a deal is less by" in capsys.readouterr().out


def test_games_without_a_ladder() -> None:
    with pytest.raises(ladder.LadderError, match="no ladder"):
        ladder.rungs("toy")
    assert main(["ladder", "toy"]) == 2


@pytest.mark.parametrize("name", [name for name in GAMES if name in ladder._ladders()])
def test_ladders_that_ship(name: str) -> None:
    """Ratings rise, every rung is a policy of the game by its full text, and the champion is the highest."""
    rungs = ladder.rungs(name)
    assert [rung.rating for rung in rungs] == sorted(rung.rating for rung in rungs)
    assert 8 <= len(rungs) <= 12
    for rung in rungs:
        assert str(tilery.policy(rung.policy).resolved(name)) == rung.policy  # type: ignore[attr-defined]
        assert str(tilery.policy(f"rung:{rung.number}").resolved(name)) == rung.policy  # type: ignore[attr-defined]
    assert str(tilery.policy("champion").resolved(name)) == rungs[-1].policy  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", [name for name in tilery.games() if ladder.texts(name)])
def test_ladders_have_small_steps(name: str) -> None:
    """Neighbours meet at 60 to 76%, give or take 2% of a measurement, except at the two lowest gaps."""
    rungs = ladder.rungs(name)
    assert 8 <= len(rungs) <= 12
    for place in range(3, len(rungs)):
        share = odds(rungs[place].rating - rungs[place - 1].rating)
        assert 0.58 <= share <= 0.78, rungs[place]


def test_an_interval_follows_from_the_variance_between_deals() -> None:
    """Of two players: the spread of the sum of the shares over how much its mean moves with the rating."""
    shares = np.array([1, 1, 0.5, 0, 1, 0.75])
    at, intervals = ladder.ratings({(0, 1): shares.tolist()}, 2, {1: 0.0})
    deals, mean = len(shares), (shares.sum() + 0.5) / (len(shares) + 1)
    assert at[0] == pytest.approx(400 * math.log10(mean / (1 - mean)))
    spread = np.mean(np.square(np.array([*shares, 0, 1]) - mean))
    error = math.sqrt(spread / (deals + 1)) / (mean * (1 - mean)) * 400 / math.log(10)
    reach = scipy.stats.t.ppf(0.975, deals - 1) * error
    assert intervals[0] == pytest.approx([at[0] - reach, at[0] + reach])


@pytest.mark.parametrize(("deals", "degrees"), [(1, 1), (2, 1), (3, 2), (9, 8)])
def test_intervals_of_few_deals_are_those_of_student(deals: int, degrees: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def quantile(p: float, degrees: float) -> float:
        asked.append((p, degrees))
        return 1.0

    monkeypatch.setattr(ladder, "t_quantile", quantile)
    ladder.ratings({(0, 1): [0.5] * deals}, 2, {0: 0.0})
    assert asked == [(0.975, degrees)]
