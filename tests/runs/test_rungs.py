"""Figures over the rungs of a ladder: the games, the trend, and the words about it."""

from __future__ import annotations

import json

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES
from tests.lab import balance
from tilery import ladder
from tilery.cli import main
from tilery.runs import rungs
from tilery.runs.summary import Figure


def rung(number: int, rating: float) -> ladder.Rung:
    return ladder.Rung(number, "random", rating, (rating, rating), tilery.__version__)


def climb_of(values: list[tuple[float, float, float]]) -> rungs.Climb:
    """A climb with one figure: (rating, value, error) of each rung."""
    steps = [
        rungs.Step(rung(number, rating), 100, [Figure("wins, seat 0", value, error, 100)])
        for number, (rating, value, error) in enumerate(values, 1)
    ]
    return rungs.Climb(steps)


def test_the_trend_is_that_of_weighted_least_squares() -> None:
    found = climb_of([(0, 0.9, 0.01), (400, 0.5, 0.02), (800, 0.6, 0.02), (1200, 0.7, 0.02)]).trend("wins, seat 0")
    assert found is not None
    slope, error = found
    assert slope == pytest.approx(0.1 / 4)
    assert error == pytest.approx(0.02 / np.sqrt(4**2 + 4**2))
    assert climb_of([(0, 0.9, 0.01), (400, 0.5, 0.02)]).trend("wins, seat 0") is None


def test_a_figure_that_moves_is_said_to_move() -> None:
    moving = climb_of([(0, 0.5, 0.01), (400, 0.5, 0.01), (800, 0.6, 0.01)])
    assert moving.may_change().startswith("May still change: wins, seat 0 moved from rung 2 to 3")
    resting = climb_of([(0, 0.5, 0.01), (400, 0.59, 0.01), (800, 0.6, 0.01)])
    assert "No figure moved from rung 2 to 3" in resting.may_change()
    assert "by up to 2.8 percentage points" in resting.may_change()
    assert "One rung" in climb_of([(0, 0.5, 0.01)]).may_change()
    assert resting.table().rows[2] == ["wins, seat 0", "50.0 ±2.0", "59.0 ±2.0", "60.0 ±2.0", "+0.25 ±0.69"]


@pytest.mark.parametrize("name", tilery.games())
def test_the_rungs_reach_from_the_weakest_to_the_champion(name: str) -> None:
    found, known = rungs.chosen(name), ladder.rungs(name)
    assert (found[0], found[-1]) == (known[0], known[-1])
    assert len(found) == 4
    assert ",eval=" in found[2].policy
    with pytest.raises(ladder.LadderError, match=f"has rungs 1 to {len(known)}, got {len(known) + 1}"):
        rungs.chosen(name, [len(known) + 1])


def test_games_without_chance_differ_by_their_openings() -> None:
    game = tilery.load(next(name for name in tilery.games() if not tilery.load(name).max_chance_nodes), players=3)
    learned = f"rung:{rungs.chosen(game.name)[2].number}"
    games = rungs.played(game, 12, learned, seed=4, threads=2)
    assert len(np.unique(games["scores"], axis=0)) > 6
    again = rungs.played(game, 5, learned, seed=4, first=7, threads=1)
    assert np.array_equal(games[7:], again)
    state, decisions = rungs.opening(game, tilery.policy("greedy"), tilery.Rng(1))
    assert state.current_player() == 0
    rest = tilery.simulate(state, 1, policies="greedy")["num_decisions"]
    assert games["num_decisions"].tolist() == [decisions + rest[0]] * len(games)


@pytest.mark.parametrize("changed", [False, True])
def test_progress_counts_the_games_of_all_rungs(changed: bool) -> None:
    name = tilery.games()[-1]
    game, counts = tilery.load(name, players=3), list[int]()
    other = tilery.load(name, players=3) if changed else None
    rungs.climb(game, 40, changed=other, numbers=[1, 2], seed=1, threads=1, progress=counts.append)
    assert counts == sorted(counts)
    assert {40, 80} <= set(counts)
    assert counts[-1] == (160 if changed else 80)


def test_the_commands_print_figures_over_rungs(capsys: pytest.CaptureFixture[str]) -> None:
    name = tilery.games()[-1]
    second = ladder.rungs(name)[1].policy
    words = ["simulate", name, "--players", "3", "--games", "30", "--seed", "2", "--rungs", "1,2"]
    assert main([*words, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert [each["policy"] for each in content["rungs"]] == ["random", second]
    plain = tilery.simulate(tilery.load(name, players=3), 30, seed=2, policies=second)
    wins = content["rungs"][1]["figures"][0]
    assert wins["name"] == "wins, seat 0"
    assert wins["value"] == pytest.approx(tilery.summary(plain).seats[0].win_share)
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "sampling interval" in out
    assert "moved from rung 1 to 2" in out
    name, option = next(
        (name, each) for name in tilery.games() for each in tilery.options(name).values() if each.kind == "bool"
    )
    value = json.dumps(not option.default)
    compared = ["compare", name, "--set", f"{option.name}={value}", "--games", "8", "--rungs", "1,2"]
    assert main([*compared, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert [each["number"] for each in content["rungs"]] == [1, 2]
    assert "score, seat 0" in {each["name"] for each in content["rungs"][0]["figures"]}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["simulate", "toy", "--rungs"], "toy has no ladder"),
        (["simulate", tilery.games()[0], "--rungs", "1,99"], "has rungs 1 to 11, got 99"),
        (["simulate", tilery.games()[0], "--rungs", "--policy", "greedy"], "leave out --polic"),
        (["simulate", tilery.games()[0], "--rungs", "--games", "0"], "at least 1"),
        (["compare", "a", "b", "--rungs"], "give a game instead of two runs"),
        (["compare", "toy", "--set", f"hand={tilery.options('toy')['hand'].default}"], "nothing differs"),
        (["compare", "toy", "--set", "hand=4", "--games", "9", "--ask", "magin"], "unknown figure 'magin'"),
    ],
)
def test_wrong_words_are_sentences(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    err = capsys.readouterr().err
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", GAMES)
def test_options_without_effect_are_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    known = tilery.options(name)
    for option, (needed, off) in getattr(getattr(tilery, name), "NEEDS", {}).items():
        assert known[needed].default == off
        values = [*known[option].choices, known[option].low, (known[option].low or 0) + 1]
        value = next(each for each in values if each not in (None, known[option].default))
        assert main(["compare", name, "--set", f"{option}={value}"]) == 2
        assert f"{option} has no effect while {needed} is {json.dumps(off)}" in capsys.readouterr().err


def test_a_page_without_a_player_that_ships_is_old() -> None:
    everyone = [*balance.networks().values(), *(text for texts in balance.players().values() for text in texts)]
    page = " ".join(f"`{each}`" for each in everyone)
    assert balance.stale(page) == []
    digest = balance.networks()[tilery.games()[0]]
    assert balance.stale(page.replace(f"`{digest}`", "")) == [digest]


def test_compensation_makes_the_seats_equal() -> None:
    scores = np.random.default_rng(3).normal(size=(1000, 3)) * 5 + [0.0, 2.0, 4.0]
    given, (low, high) = balance.compensation(scores)
    assert np.allclose(balance.shares(scores + given), 1 / 3, atol=0.02)
    assert given == pytest.approx([0, -2, -4], abs=0.8)
    assert (low[1:] < given[1:]).all()
    assert (given[1:] < high[1:]).all()
