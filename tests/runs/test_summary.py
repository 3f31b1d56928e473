"""Summaries and columns of results, against NumPy on the array."""

from __future__ import annotations

import json
import math
import tracemalloc
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
import scipy.stats

import tilery
from tests.kit.games import GAMES
from tilery.runs.summary import Distribution
from tilery.simulation import result_dtype


def played(name: str, n: int = 300, **options: Any) -> Any:
    return tilery.simulate(tilery.load(name), n, seed=3, **options)


@pytest.mark.parametrize("name", GAMES)
def test_summary_is_that_of_the_array(name: str) -> None:
    results = played(name)
    summary = tilery.summary(results)
    won = results["returns"] == results["returns"].max(axis=1, keepdims=True)
    shares = won / won.sum(axis=1, keepdims=True)
    assert summary.games == 300
    assert summary.ties == (won.sum(axis=1) > 1).mean()
    for seat, side in enumerate(summary.seats):
        scores, share = results["scores"][:, seat], shares[:, seat]
        assert side.score.mean == scores.mean()
        assert side.score.sd == pytest.approx(scores.std(ddof=1))
        assert side.win_share == pytest.approx(share.mean())
        assert side.win_share_error == pytest.approx(scipy.stats.sem(share))
        for q in (0, 0.05, 0.5, 0.77, 1):
            assert side.score.quantile(q) == np.quantile(scores, q, method="inverted_cdf")
    ordered = np.sort(results["scores"], axis=1)
    fewest = tilery.load(name).fewest_points_win
    leads = ordered[:, 1] - ordered[:, 0] if fewest else ordered[:, -1] - ordered[:, -2]
    assert summary.margin.mean == leads.mean()
    assert summary.actions.mean == results["num_actions"].mean()
    assert summary.decisions.max == results["num_decisions"].max()


def test_pieces_add_up_in_any_order() -> None:
    results = played("toy")
    whole = tilery.summary(results).to_dict()
    assert tilery.summary(iter([results[200:], results[:0], results[:200]])).to_dict() == whole
    assert json.loads(json.dumps(whole)) == whole


def test_the_margin_looks_the_right_way() -> None:
    """Of three seats: with the most points a lead of 1 over the second, with the fewest 8."""
    results = np.zeros(1, result_dtype(3))
    results["scores"] = 10, 2, 11
    results["returns"] = -0.5, -0.5, 1
    assert tilery.summary(results).margin.items() == [(1, 1)]
    results["returns"] = -0.5, 1, -0.5
    assert tilery.summary(results).margin.items() == [(8, 1)]
    results["returns"], results["scores"] = (0.25, 0.25, -0.5), (9, 9, 3)
    summary = tilery.summary(results)
    assert (summary.margin.mean, summary.ties, summary.seats[1].win_share) == (0, 1, 0.5)


def test_policies_are_followed_from_seat_to_seat() -> None:
    results = played("toy", 20, policies=["greedy", "random"], rotate=True)
    summary = tilery.summary(results)
    for number, side in enumerate(summary.by_policy):
        scores = results["scores"][results["policy"] == number]
        assert side.score.mean == scores.mean()
        assert side.score.count == 20
    assert sum(side.win_share for side in summary.by_policy) == pytest.approx(1)
    assert [row["policy"] for row in summary.to_dict()["by_policy"]] == [0, 1]
    assert "by_policy" not in tilery.summary(played("toy", 20)).to_dict()


def test_a_single_game_has_no_deviation() -> None:
    results = played("toy", 1)
    wins = results["returns"][0, 0] > 0
    content = tilery.summary(results).to_dict()
    assert content["seats"][0]["score_sd"] is None
    assert content["seats"][0]["win_share_95"] == pytest.approx([0.0, 0.975] if not wins else [0.025, 1.0])
    assert not any(math.isnan(value) for value in content["margin"]["quantiles"].values())


def test_values_may_lie_anywhere_but_not_far_apart() -> None:
    """Memory is taken for each value between the least and the greatest."""
    for first in (2**40, -(2**40)):
        counted = Distribution()
        counted.add(np.array([first, first + 1, first]))
        assert counted.items() == [(first, 2), (first + 1, 1)]
    counted = Distribution()
    counted.add(np.array([5, 4 + 2**24]))
    with pytest.raises(ValueError, match="values from 5 to 16777221"):
        counted.add(np.array([5 + 2**24]))
    assert counted.items() == [(5, 1), (4 + 2**24, 1)]


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    results = played("toy", 2000)

    def peak(times: int) -> int:
        tracemalloc.start()
        tilery.summary(results for _ in range(times))
        reached = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return reached

    peak(1)
    assert peak(50) < 1.2 * peak(5)


@pytest.mark.parametrize("name", GAMES)
def test_columns_are_the_fields_by_seat(name: str) -> None:
    results = played(name, 20_000 if name == "toy" else 40, policies="random", rotate=True)
    flat = tilery.columns(results)
    players = results["scores"].shape[1]
    assert list(flat) == [
        *(f"return_{seat}" for seat in range(players)),
        *(f"score_{seat}" for seat in range(players)),
        "num_actions",
        "num_decisions",
        *(f"policy_{seat}" for seat in range(players)),
    ]
    for field, prefix in (("returns", "return"), ("scores", "score"), ("policy", "policy")):
        for seat in range(players):
            column = flat[f"{prefix}_{seat}"]
            assert column.dtype == results[field].dtype
            assert column.flags.c_contiguous
            assert np.array_equal(column, results[field][:, seat])
    for name_of_one in ("num_actions", "num_decisions"):
        assert np.array_equal(flat[name_of_one], results[name_of_one])


ARROW = pytest.param(
    tilery.arrow,
    marks=pytest.mark.skipif(find_spec("pyarrow") is None, reason="needs pyarrow: pip install 'tilery[arrow]'"),
)


@pytest.mark.parametrize("call", [tilery.summary, tilery.columns, ARROW])
@pytest.mark.parametrize("wrong", [None, 3, "x", {"scores": [1]}, np.zeros(3), [np.zeros(3)], np.zeros((2, 2))])
def test_what_are_no_results_is_refused(call: Callable[[Any], Any], wrong: Any) -> None:
    with pytest.raises(TypeError, match="results must be an array"):
        call(wrong)


@pytest.mark.parametrize("call", [tilery.summary, ARROW])
def test_results_of_different_kinds_do_not_mix(call: Callable[[Any], Any]) -> None:
    two, three = np.zeros(1, result_dtype(2)), np.zeros(1, result_dtype(3))
    for other in (three, np.zeros(1, result_dtype(2, rotate=True))):
        with pytest.raises(ValueError, match="the same number of players"):
            call([two, other])
    with pytest.raises(ValueError, match="at least one"):
        call([])


def test_scores_that_no_game_has_are_refused() -> None:
    results = np.zeros(2, result_dtype(2))
    results["scores"][0] = 2**31 - 1
    with pytest.raises(ValueError, match="which no game has"):
        tilery.summary(results)


@pytest.mark.parametrize(("low", "high", "fits"), [(0, 2**24 - 1, True), (0, 2**24, False), (-1, 2**24 - 1, False)])
def test_how_far_apart_scores_may_be(low: int, high: int, fits: bool) -> None:
    """The counts of 2^24 values at most are kept, whatever they are."""
    counts = Distribution()
    counts.add(np.array([9_000_000, 9_000_001]))
    if fits:
        counts.add(np.array([low, high]))
        assert counts.count == 4
    else:
        with pytest.raises(ValueError, match=f"from {low} to {high}, which no game has"):
            counts.add(np.array([low, high]))
        assert counts.count == 2
