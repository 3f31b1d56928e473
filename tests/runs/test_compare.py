"""Comparisons: pairs of games with the same seed."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

import tilery
from tests.kit.games import GAMES
from tilery import cli
from tilery.cli import compare as command
from tilery.cli import main
from tilery.runs import shards
from tilery.runs.compare import Difference, compare, figures
from tilery.runs.shards import Run, plan
from tilery.statistics import counted, holm, normal_tail, share_interval


def played(policies: Any, n: int = 120, **options: Any) -> Any:
    game = tilery.load("toy", **options)
    return tilery.columns(tilery.simulate(game, n, seed=4, policies=policies, separate=True))


def cut(flat: Any, *places: int) -> Any:
    """The columns in pieces, cut at some places."""
    ends = [0, *places, len(flat["num_actions"])]
    return [{name: column[low:high] for name, column in flat.items()} for low, high in itertools.pairwise(ends)]


def test_differences_are_those_of_the_pairs() -> None:
    first, second = played("random"), played("greedy")
    found = compare([first], [second])
    assert found.games == 120
    ours, theirs = figures(first), figures(second)
    assert [each.name for each in found.differences] == list(ours)
    for each in found.differences:
        one, two = ours[each.name].astype(float), theirs[each.name].astype(float)
        assert each.first == pytest.approx(one.mean())
        assert each.difference == pytest.approx((two - one).mean())
        assert each.error == pytest.approx(scipy.stats.sem(two - one))
        if each.name.startswith(("win_share", "tie")):
            expected = share_interval(counted(two - one), -1, 1)
            assert each.difference_95 == pytest.approx(expected)
            assert expected[0] < each.difference < expected[1]
        elif each.error:
            test = scipy.stats.ttest_rel(two, one).confidence_interval(0.95)
            assert each.difference_95 == pytest.approx([test.low, test.high])
        else:
            assert each.difference_95 is None


def test_win_shares_and_ties_are_those_of_the_summary() -> None:
    results = tilery.simulate(tilery.load("toy", players=3), 200, seed=8)
    summary, of_games = tilery.summary(results), figures(tilery.columns(results))
    for seat, side in enumerate(summary.seats):
        assert of_games[f"win_share_{seat}"].mean() == pytest.approx(side.win_share)
    assert of_games["tie"].mean() == pytest.approx(summary.ties)
    assert of_games["margin"].mean() == pytest.approx(summary.margin.mean)


def test_pieces_of_any_sizes_are_paired_by_game() -> None:
    first, second = played("random"), played("greedy")
    whole = compare([first], [second])
    pieces = compare(cut(first, 1, 50, 119), cut(second, 0, 49, 50, 51))
    for one, two in zip(whole.differences, pieces.differences, strict=True):
        assert (two.games, two.first, two.error) == (one.games, pytest.approx(one.first), pytest.approx(one.error))
    assert compare([first], cut(second, 70)[:1]).games == 70


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ValueError, match="the same number of players"):
        compare([played("random")], [played("random", players=3)])
    with pytest.raises(ValueError, match="no games"):
        compare([], [played("random")])


def dealt(line: str) -> list[str]:
    """The tokens of chance before the first decision."""
    return list(itertools.takewhile(lambda token: token.startswith("*"), line.split()))


@pytest.mark.parametrize("name", GAMES)
def test_separate_streams_pair_the_luck_of_games_at_random(name: str) -> None:
    """The chance of a game is the same whether its seats play at random or not."""
    game = tilery.load(name)

    def deals(**how: Any) -> list[list[str]]:
        return list(map(dealt, tilery.simulate(game, 8, seed=6, records=True, **how)[1]))

    paired = deals(separate=True)
    assert paired == deals(policies="greedy")
    assert paired == deals(policies="random", separate=True)
    if any(paired):
        assert paired != deals(policies="random")


def test_the_command_compares_rules_and_policies(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "toy", "--set", "hand=4", "--games", "50", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["games"] == 50
    rows = {row["name"]: row for row in content["differences"]}
    assert rows["num_decisions"]["difference"] == rows["num_decisions"]["second"] - rows["num_decisions"]["first"] > 0
    assert main(["compare", "toy", "--policy", "random", "--policy", "greedy", "--games", "50", "--players", "3"]) == 0
    out = capsys.readouterr().out
    assert "50 pairs of games, seed 0" in out
    assert "second  3 players: greedy" in out
    assert "win share, seat 2" in out


def test_the_command_compares_finished_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = tilery.load("toy")
    for name, policy, shard in (("a", "random", 30), ("b", "greedy", 45)):
        Run.start(tmp_path / name, plan(game, 100, seed=3, policies=policy, shard=shard)).work()
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b"), "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert (content["games"], content["seed"]) == (100, 3)
    results = [tilery.simulate(game, 100, seed=3, policies=policy) for policy in ("random", "greedy")]
    whole = compare(*([tilery.columns(each)] for each in results)).differences
    assert [row["name"] for row in content["differences"]] == [each.name for each in whole]
    assert [row["difference"] for row in content["differences"]] == pytest.approx([each.difference for each in whole])
    Run.start(tmp_path / "c", plan(game, 100, seed=4, shard=50)).work()
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "c")]) == 2
    assert "seed is 3 in one and 4 in the other" in capsys.readouterr().err
    Run.open(tmp_path / "b").path_of(1).unlink()
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 2
    assert "b has gaps" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["toy"], "nothing differs"),
        (["toy", "--policy", "greedy"], "nothing differs"),
        (["toy", "--policy", "greedy", "--policy", "greedy"], "nothing differs"),
        (["toy", "--games", "0", "--set", "hand=4"], "at least 1"),
        (["a", "b", "c"], "got 3 words"),
        (["a", "b"], "a is not the directory of a run"),
        (["toy", "--set", "hand"], "--set takes OPTION=VALUE"),
        (["toy", "--both", "hand"], "--both takes OPTION=VALUE"),
        (["toy", "--set", "players=3"], "the same number of players"),
        (["chess", "--set", "hand=4"], "unknown game 'chess'"),
    ],
)
def test_wrong_commands_are_sentences(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["compare", *arguments]) == 2
    err = capsys.readouterr().err
    assert sentence in err
    assert err.count("\n") == 1


def rounded(text: str) -> Any:
    """What a comparison says; sums in other pieces differ in the last digits."""
    return json.loads(text, parse_float=lambda digits: round(float(digits), 9))


COMPARED = ["compare", "toy", "--games", "300", "--policy", "random", "--policy", "greedy", "--seed", "5"]


def test_a_comparison_on_disk_is_that_in_memory_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli.main([*COMPARED, "--json"]) == 0
    expected = rounded(capsys.readouterr().out)
    out = tmp_path / "kept"
    assert cli.main([*COMPARED, "--json", "--out", str(out)]) == 0
    assert rounded(capsys.readouterr().out) == expected
    assert cli.main(["compare", str(out / "first"), str(out / "second"), "--json"]) == 0
    assert rounded(capsys.readouterr().out)["differences"] == expected["differences"]
    real, calls = shards.Run.write, [0]

    def interrupted(run: shards.Run, shard: int, flat: Any) -> None:
        calls[0] += 1
        if calls[0] == 4:
            raise KeyboardInterrupt
        real(run, shard, flat)

    monkeypatch.setattr(shards, "ACTIONS_OF_SHARD", 4_000)
    words = [*COMPARED, "--threads", "1", "--out", str(tmp_path / "cut")]
    monkeypatch.setattr(shards.Run, "write", interrupted)
    assert cli.main([*words, "--json"]) == 130
    captured = capsys.readouterr()
    assert 0 < rounded(captured.out)["games"] < 300
    assert "tilery: interrupted; the same command goes on" in captured.err
    monkeypatch.setattr(shards.Run, "write", real)
    assert cli.main([*words, "--json"]) == 0
    assert rounded(capsys.readouterr().out) == expected
    assert cli.main([*words, "--policy", "uct:9", "--policy", "greedy"]) == 2


def test_ctrl_c_compares_what_was_played(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = command.play, [0]

    def interrupted(*arguments: Any, **settings: Any) -> Any:
        calls[0] += 1
        if calls[0] == 7:
            raise KeyboardInterrupt
        return real(*arguments, **settings)

    monkeypatch.setattr(command, "play", interrupted)
    assert cli.main([*COMPARED, "--json"]) == 130
    assert rounded(capsys.readouterr().out)["games"] == 9
    calls[0] = 6
    assert cli.main([*COMPARED, "--json"]) == 130
    assert not capsys.readouterr().out


def test_a_pair_is_worth_what_the_variances_say() -> None:
    rng = np.random.default_rng(1)
    shared, own = rng.normal(size=4000), rng.normal(size=(2, 4000))
    found = Difference("margin")
    for part in (slice(0, 1500), slice(1500, 4000)):
        found.add((shared + own[0])[part], (shared + own[1])[part])
    first, second = shared + own[0], shared + own[1]
    assert found.worth == pytest.approx((first.var() + second.var()) / (second - first).var())
    assert 1.8 < found.worth < 2.2
    assert found.p == pytest.approx(normal_tail(found.difference / found.error))


def test_other_figures_are_corrected_for_their_number() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
    results = [tilery.simulate(tilery.load("toy"), 400, seed=2, policies=each) for each in ("random", "greedy")]
    found = compare(*([tilery.columns(each)] for each in results))
    shown = found.table(asked="margin")
    assert shown.rows[0][0] == "margin"
    assert list(shown.sections) == [1]
    corrected = holm([each.p for each in found.differences if each.name != "margin"])
    assert [row[-1] for row in shown.rows[1:]] == ["<0.001" if p < 0.001 else f"{p:.3f}" for p in corrected]
    assert found.worth("margin").startswith("margin was asked: ")
