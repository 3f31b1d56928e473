"""Matches: pairing, rotation, shares, the early stop, and the commands that show them."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

import tilery
from tests.kit.games import GAMES
from tilery import cli, match, record


@pytest.mark.parametrize("name", GAMES)
def test_a_better_policy_wins_more_than_its_share(name: str) -> None:
    game: Any = tilery.load(name)
    n = game.num_players
    (table,) = match.play(game, ["greedy"] * 2, games=4 * n, seed=1)
    assert table.games == 4 * n
    assert [side.policy for side in table.sides] == ["greedy", "greedy"]
    (table,) = match.play(game, ["greedy" if name != "toy" else "uct:100", "random"], games=60, seed=1)
    assert table.sides[0].share > 1 / n
    assert table.sides[0].margin > 0


def test_deals_are_played_in_every_rotation_under_the_same_luck() -> None:
    game: Any = tilery.load("toy", players=3, hand=4)
    games: list[record.Record] = []
    (table,) = match.play(game, ["greedy", "uct:5", "random"], games=12, seed=2, records=games.append)
    assert table.games == 12 == len(games)
    assert sum(side.share for side in table.sides) == pytest.approx(1)
    by_deal: dict[int, list[record.Record]] = {}
    for each in games:
        record.replay(each)
        by_deal.setdefault(each.more["index"], []).append(each)
    assert sorted(by_deal) == [0, 1, 2, 3]
    for rotations in by_deal.values():
        assert sorted(each.more["policies"][0] for each in rotations) == ["greedy", "random", "uct:5"]
        assert len({tuple(t for t in each.actions.split() if t.startswith("*")) for each in rotations}) == 1


def test_shares_and_leads_are_counted_from_the_results() -> None:
    game: Any = tilery.load("toy")
    games: list[record.Record] = []
    (table,) = match.play(game, ["greedy", "random"], games=40, seed=3, records=games.append)
    share = lead = 0.0
    for each in games:
        seat = each.more["policies"].index("greedy")
        assert each.scores is not None
        mine, other = each.scores[seat], each.scores[1 - seat]
        share += (mine > other) + (mine == other) / 2
        lead += mine - other
    assert table.sides[0].share == pytest.approx(share / 40)
    assert table.sides[0].margin == pytest.approx(lead / 40)


def test_all_tables_of_a_match_are_played() -> None:
    game: Any = tilery.load("toy")
    tables = match.play(game, ["greedy", "random", "flat:1"], games=2)
    assert [[side.policy for side in table.sides] for table in tables] == [
        ["greedy", "random"],
        ["greedy", "flat:1"],
        ["random", "flat:1"],
    ]
    assert list(match.line_ups("ab", 3)) == [[0, 1, 1]]
    assert list(match.line_ups("abcd", 3)) == [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]


def test_the_sprt_accepts_what_is_so() -> None:
    rng = np.random.default_rng(1)
    sprt = match.Sprt(0.5, 0.6)
    for share, verdict in ((0.5, "low"), (0.6, "high")):
        right = 0
        for _ in range(100):
            samples: list[float] = []
            while (found := sprt.verdict(samples)) is None:
                samples += (rng.random(10) < share).astype(float).tolist()
            right += found == verdict
        assert right > 85
    game: Any = tilery.load("toy", hand=4)
    (table,) = match.play(game, ["greedy", "random"], games=4000, sprt=match.Sprt(0.1, 0.3))
    assert table.verdict == "high"
    assert table.games < 400


@pytest.mark.parametrize("wrong", [(0.5, 0.5), (0, 0.5), (0.6, 0.5), (0.5, 1), (float("nan"), 1)])
def test_wrong_hypotheses_are_refused(wrong: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="low < high"):
        match.Sprt(*wrong)


def test_ratings_order_the_policies_and_come_closer() -> None:
    game: Any = tilery.load("toy", hand=4)
    few = match.ratings(match.play(game, ["greedy", "random", "uct:50"], games=6, seed=1))
    many = match.ratings(match.play(game, ["greedy", "random", "uct:50"], games=120, seed=1))
    assert list(many) == ["greedy", "random", "uct:50"]
    assert many["uct:50"].mean > many["random"].mean
    assert many["greedy"].mean > many["random"].mean
    assert all(many[name].deviation < few[name].deviation < 25 / 3 for name in many)
    assert many == match.ratings(match.play(game, ["greedy", "random", "uct:50"], games=120, seed=1, threads=2))
    assert match.ratings([]) == {}


def test_places_are_those_of_the_scores() -> None:
    game: Any = tilery.load("toy", players=3)
    games: list[record.Record] = []
    (table,) = match.play(game, ["greedy", "random"], games=12, seed=3, records=games.append)
    assert len(table.places) == len(games) == 12
    for places, each in zip(table.places, games, strict=True):
        assert each.scores is not None
        assert [place for _, place in places] == [sum(other > mine for other in each.scores) for mine in each.scores]
        assert [table.sides[side].policy for side, _ in places] == each.more["policies"]


def test_thinking_is_measured_by_side() -> None:
    game: Any = tilery.load(GAMES[0])
    games: list[record.Record] = []
    (table,) = match.play(game, ["uct:100", "random"], games=4, seed=3, records=games.append)
    slow, fast = table.sides
    assert slow.seconds_per_decision > fast.seconds_per_decision > 0
    assert slow.seconds_of_cpu_per_decision is not None
    assert fast.seconds_of_cpu_per_decision is not None
    assert slow.seconds_of_cpu_per_decision > fast.seconds_of_cpu_per_decision > 0
    decisions = 0
    for each in games:
        before = [state.clone() for _, state in record.positions(each)][:-1]
        decisions += sum(not state.is_chance_node() for state in before)
    assert slow.decisions + fast.decisions == decisions


def test_wrong_matches_are_refused() -> None:
    game: Any = tilery.load("toy")
    with pytest.raises(ValueError, match="two entrants"):
        match.play(game, ["greedy"])
    with pytest.raises(ValueError, match="games must be"):
        match.play(game, ["greedy", "random"], games=0)
    with pytest.raises(ValueError, match="unknown policy"):
        match.play(game, ["greedy", "best"])
    with pytest.raises(ValueError, match="budget needs a search"):
        match.play(game, ["greedy", "random"], budget=0.01)
    wrong: dict[str, list[Any]] = {
        "seconds": [0, -1, float("nan"), float("inf"), "1", True],
        "budget": [0, True],
        "games": [0, 1.5, True, np.array([2])],
        "threads": [0, -1, 1.5, "x", 1025],
        "seed": [-1, True, None],
        "sprt": [3],
        "log": [3],
        "progress": [3],
        "records": [3],
    }
    for name, values in wrong.items():
        for value in values:
            with pytest.raises(ValueError, match=f"{name} must be"):
                match.play(game, ["greedy", "random"], **{name: value})
    nothing_to_play: list[Any] = ["random", {"greedy", "random"}, None]
    for entrants in nothing_to_play:
        with pytest.raises(ValueError, match="entrants must be a sequence"):
            match.play(game, entrants)
    for other in (game.new_initial_state(), None, tilery.reference.load("toy")):
        with pytest.raises(ValueError, match="game must be a game of the engine or its name"):
            match.play(other, ["greedy", "random"])


def test_numbers_of_numpy_and_a_name_play_the_same_match() -> None:
    with_numpy: Any = {"games": np.int64(4), "seed": np.uint64(3), "threads": np.int8(1), "seconds": np.float32(2)}
    tables = [
        match.play("toy", ["greedy", "random"], **with_numpy),
        match.play(tilery.load("toy"), ["greedy", "random"], games=4, seed=3),
    ]
    assert tables[0][0].sides[0].shares == tables[1][0].sides[0].shares


def test_the_luck_of_a_deal_is_the_mean_over_its_rotations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the share and the lead, by seats; the first sits in seat 0, then in seat 1."""
    by_game = np.array([[[0.5, -0.5], [8, -8]], [[-0.25, 0.25], [2, -2]]])
    monkeypatch.setattr(match, "_luck", lambda *_: by_game)
    (table,) = match.play(tilery.load("toy"), ["greedy", "random"], games=2, luck="greedy")
    assert [side.luck for side in table.sides] == [[(0.375, 3)], [(-0.375, -3)]]


def test_two_deals_have_an_interval_less_luck() -> None:
    side = match.Side("random", shares=[0.25, 0.75], margins=[1, 3], luck=[(0, 0), (0, 0)])
    found = side.less_luck()
    assert found is not None
    assert found["share"] == 0.5
    assert found["share_variance"] == found["margin_variance"] == pytest.approx(1)
    reach = scipy.stats.t.ppf(0.975, 1) * np.std([1, 3], ddof=1) / np.sqrt(2)
    assert found["margin_95"] == pytest.approx([2 - reach, 2 + reach])


def test_functions_of_python_are_called_by_the_thread_that_plays_the_match() -> None:
    """Only players of the engine can play on several threads."""
    callers = set()

    def first(state: Any) -> int:
        callers.add(threading.get_ident())
        return int(state.legal_actions()[0])

    match.play(tilery.load("toy"), [first, "greedy"], games=40, threads=3)
    assert callers == {threading.get_ident()}


def without_times(table: dict[str, Any]) -> dict[str, Any]:
    sides = [{key: value for key, value in side.items() if not key.startswith("seconds")} for side in table["sides"]]
    assert all("seconds_per_decision" in side for side in table["sides"])
    return table | {"sides": sides}


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    words = ["toy", "--games", "6", "--seed", "4"]
    assert cli.main(["match", *words, "greedy", "random", "--records", str(file), "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    (expected,) = match.play(tilery.load("toy"), ["greedy", "random"], games=6, seed=4)
    assert [without_times(each) for each in content["tables"]] == [without_times(expected.to_dict())]
    assert list(content["ratings"]) == ["greedy", "random"]
    assert cli.main(["match", *words, "greedy", "random"]) == 0
    assert "greedy" in capsys.readouterr().out
    assert cli.main(["match", *words, "best", "random"]) == 2
    assert "unknown policy" in capsys.readouterr().err
    assert cli.main(["simulate", *words, "--policy", "greedy", "--policy", "uct:9", "--rotate", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["policies"] == ["greedy", "uct:9"]

    written = next(iter(record.read(file)))
    decisions = [step for step, (_, state) in enumerate(record.positions(written)) if state.current_player() >= 0]
    assert cli.main(["analyse", str(file), "--after", str(decisions[1]), "--policy", "uct:50", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    state = [state.clone() for _, state in record.positions(written)][decisions[1]]
    analysis: Any = tilery.policy("uct:50")
    assert content["actions"] == analysis.analyse(state, 0).actions
    assert cli.main(["analyse", str(file), "--all", "--policy", "uct:50"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 1
    assert cli.main(["analyse", str(file), "--after", str(decisions[1])]) == 0  # there is no champion
    assert "mcts:20000" in capsys.readouterr().out
    for wrong in (["--after", "0"], ["--after", "500"], [], ["--after", "1", "--policy", "best"]):
        assert cli.main(["analyse", str(file), "--policy", "uct:5", *wrong]) == 2
        assert capsys.readouterr().err.startswith("tilery: ")
