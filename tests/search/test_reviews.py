"""Reviews: luck that is 0 on average, parts that sum to the result, marks where something was lost and nowhere else."""

from __future__ import annotations

import json
import signal
import threading
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.exact import Solver, Undefined
from tests.kit.games import GAMES
from tests.kit.walking import random_game
from tests.kit.web import content_of
from tests.lab.marks import reviewed
from tests.lab.yardsticks import FOLDER
from tests.search.test_exact import PERFECT
from tilery import cli, ladder, pictures, record
from tilery.luck import Judge, default_policy, of_draws, of_game
from tilery.options import declared
from tilery.reference.rng import Rng
from tilery.reviews import ERRORS, Comparison, Loss, budget, estimated, mark_of
from tilery.statistics import less_luck, win_share

YARDSTICKS = [name for name in GAMES if (FOLDER / f"{name}.npz").exists()]

load: Any = tilery.load
WITH_DRAWS = [name for name in GAMES if load(name).max_chance_nodes]
FIRST = 100
"""Actions at most of the games reviewed, which need not be over."""


@lru_cache
def judge_of(name: str) -> Judge:
    """A judge by `nn`, or without a network the default."""
    game = tilery.load(name)
    return Judge(game, "nn" if isinstance(default_policy(game), tilery.policies.NN) else None)


def begun(name: str, actions: int, *, blunder: bool = False, seed: int = 3) -> tuple[record.Record, int | None]:
    """The beginning of a game of best actions; or up to shortly after a very bad one, and which it was."""
    judge = judge_of(name)
    state: Any = judge.game.new_initial_state()
    tokens: list[str] = []
    luck, at = tilery.Rng(seed), None
    while not state.is_terminal() and len(tokens) < (actions if at is None else at + 4):
        if state.is_chance_node():
            action = state.random_action(luck)
        else:
            action = judge.best.choose(state, 0)
            if blunder and at is None and (worst := worst_of(judge, state, action)) is not None:
                action, at = worst, len(tokens)
        tokens.append(state.action_to_string(action))
        state.apply_action(action)
    if blunder and at is None:
        return begun(name, actions, blunder=True, seed=seed + 1)
    return record.of_state(state, " ".join(tokens)), at


def worst_of(judge: Judge, state: Any, best: int) -> int | None:
    """The worst action of some, if it loses a tenth of the points of a game, at once and after two more turns.

    Half of them where no network judges, since what is hidden then counts for much in few worlds.
    """
    player, sign = state.current_player(), -1 if judge.game.fewest_points_win else 1
    worlds = [state.determinize(player, tilery.Rng(50, deal)) for deal in range(8 if judge.learned else 100)]
    legal = state.legal_actions()

    def lead(action: int, turns: int) -> float:
        leads = []
        for number, world in enumerate(worlds if turns else worlds[:2]):
            *_, values = (
                judge.fresh(world.child(action)),
                *judge.play_on(world.child(action), tilery.Rng(51, number), turns),
            )
            points = sign * values[0]
            leads.append(points[player] - np.delete(points, player).max())
        return float(np.mean(leads))

    worst = min(legal[:: -(-len(legal) // 12)], key=lambda action: lead(action, 0))
    enough = np.abs(judge.values(judge.game.new_initial_state())[0]).mean() / (10 if judge.learned else 2)
    return worst if all(lead(best, turns) - lead(worst, turns) > enough for turns in (0, 2)) else None


def comparison(judge: Judge, **settings: Any) -> Comparison:
    given: dict[str, Any] = {"worlds": 4, "turns": 2, "seed": 0, "all_open": False}
    return Comparison(judge, **given | settings)


@pytest.mark.parametrize("name", WITH_DRAWS)
def test_the_mean_of_what_a_draw_gives_is_0(name: str) -> None:
    judge, checked = judge_of(name), 0
    for actions in range(3, 60, 9):
        state = random_game(judge.game, seed=actions, actions=actions)
        while not state.is_terminal() and not state.is_chance_node():
            state.apply_action(state.legal_actions()[-1])
        if not state.is_chance_node():
            continue
        weights = state.chance_weights()
        total = sum(weight for _, weight in weights)
        mean = sum(weight * judge.draw(state, outcome) for outcome, weight in weights) / total
        assert np.abs(mean).max() < 1e-9
        checked += len(weights) > 1
    assert checked > 0


@pytest.mark.parametrize("name", WITH_DRAWS)
def test_draws_in_a_row_give_as_much_as_their_place_taken_by_others_takes(name: str, monkeypatch: Any) -> None:
    """What is drawn and what might have been are drawn alike, so what they give is 0 in the mean."""
    monkeypatch.setattr("tilery.luck.OTHERS", 1)
    judge, gave = judge_of(name), []
    before = judge.game.new_initial_state()
    for seed in range(0, 6, 2):
        after = [before.clone(), before.clone()]
        for number, state in enumerate(after):
            rng = tilery.Rng(seed + number)
            while state.is_chance_node():
                state.apply_action(state.random_action(rng))
        one, two = (judge.draws(before, after[place], tilery.Rng(seed + 1 - place)) for place in (0, 1))
        assert np.allclose(one + two, 0, atol=1e-9)
        gave.append(np.abs(one).max())
    assert max(gave) > 0


@lru_cache
def whole(name: str) -> record.Record:
    """A whole game between `greedy`."""
    game = tilery.load(name)
    results, tokens = tilery.simulate(game, 1, seed=5, policies="greedy", records=True)
    [written] = record.of_results(game, results, tokens, seed=5)
    return written


@pytest.mark.parametrize("name", GAMES)
def test_parts_sum_to_the_result(name: str) -> None:
    judge, written = judge_of(name), whole(name)
    review = tilery.review(written, judge=judge, worlds=1, turns=1)
    *others, result = review.parts.values()
    for seat in range(judge.game.num_players):
        assert sum(part.points[seat] for part in others) == pytest.approx(result.points[seat], abs=1e-9)
        assert sum(part.wins[seat] for part in others) == pytest.approx(result.wins[seat], abs=1e-9)
        assert review.words(seat)
    assert list(result.points) == written.scores
    assert review.finished
    assert len(review.moments) == len(written.actions.split())
    given = of_draws(judge, written)
    assert len(given) == sum(moment.player < 0 for moment in review.moments)
    assert np.allclose(of_game(judge, written), given.sum(axis=0))
    if not declared(name, "DRAWS_SHOW_LATE"):
        drawn = [part.points for part_name, part in review.parts.items() if part_name.startswith("draws")]
        assert np.allclose(given[:, 0].sum(axis=0), np.sum(drawn, axis=0) if drawn else 0)
    assert json.loads(json.dumps(review.to_dict()))["parts"]["result"]["points"] == list(result.points)
    assert str(review)
    assert review._repr_html_()


@pytest.mark.parametrize("name", ["toy", *PERFECT[-1:]])
def test_reviews_do_not_depend_on_threads(name: str) -> None:
    one, two = (tilery.review(whole(name), policy=judge_of(name).best, worlds=2, threads=threads) for threads in (1, 3))
    assert one == two


@pytest.mark.parametrize("name", GAMES)
def test_a_planted_blunder_is_found_and_named(name: str) -> None:
    written, at = begun(name, FIRST, blunder=True)
    assert at is not None
    found = tilery.review(written, judge=judge_of(name), worlds=8, turns=2)
    moment = found.moments[at]
    assert moment.mark == "blunder", moment
    assert moment.loss is not None
    assert moment.line[0] == moment.best != moment.token
    assert f"action {at + 1}, " in found.words(moment.player)
    content = content_of(pictures.steps(written, review=found))["review"]
    assert content["moments"][at]["mark"] == "blunder"
    line = content["lines"][str(at + 1)]
    assert len(line) == len(moment.line)
    assert f"better was {line[0]['words']} (" in found.words(moment.player)


@pytest.mark.parametrize("name", GAMES)
def test_a_planted_best_move_is_never_marked(name: str) -> None:
    written, _ = begun(name, FIRST // 2)
    found = tilery.review(written, judge=judge_of(name), worlds=4, turns=1)
    assert [moment.mark for moment in found.moments if moment.mark] == []
    assert all(moment.loss == Loss(0, 0, 0, 0) for moment in found.moments if moment.loss is not None)


@pytest.mark.parametrize("name", [name for name in GAMES if tilery.load(name).hides_information])  # type: ignore[attr-defined]
def test_no_secret_moves_a_mark(name: str) -> None:
    judge, hidden, moved = judge_of(name), 0, 0
    compare, compare_open = (comparison(judge, worlds=2, turns=1, all_open=all_open) for all_open in (False, True))
    for seed in range(7):
        state = random_game(judge.game, seed=seed, actions=6 + 9 * seed)
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[-1])
        if state.is_terminal() or len(state.legal_actions()) < 2:
            continue
        action = state.legal_actions()[0]
        others = [state.determinize(state.current_player(), deal) for deal in range(2)]
        hidden += any(other != state for other in others)
        found = compare(state, action)
        for other in others:
            again = compare(other, action)
            assert (again.best, again.loss) == (found.best, found.loss)
            assert again.line(judge) == found.line(judge)
        moved += len({compare_open(other, action).loss for other in others}) > 1
    assert hidden > 0
    assert moved > 0, "with open hands secrets count"


def covered(lost: Any, worlds: int) -> Any:
    """Whether two errors of losses in a number of worlds reach to the mean of the other worlds, bool[groups, 2].

    lost: float64[all worlds, turns, 2]. The others are many, but not all worlds, so the interval is as much wider.
    """
    found = []
    for first in range(0, len(lost) - worlds + 1, worlds):
        mine, others = lost[first : first + worlds], np.delete(lost, np.s_[first : first + worlds], axis=0)
        mean, error, _ = estimated(mine)
        reach = ERRORS * error * np.sqrt(1 + worlds / len(others))
        found.append(np.abs(mean - others.mean(axis=(0, 1))) <= reach + 1e-9)
    return np.array(found)


@pytest.mark.parametrize("worlds", [4, 16])
def test_error_bars_cover_what_many_worlds_find(worlds: int) -> None:
    """Whatever the luck of the turns of a world has in common, and however much losses drift from turn to turn."""
    rng = np.random.default_rng(2)
    luck = rng.normal(0, 3, (8000, 1, 2)) + rng.normal(0, 2, (8000, 4, 2))
    right = covered(luck + np.arange(4)[:, None] + 5, worlds)
    assert np.all((right.mean(axis=0) > 0.94) & (right.mean(axis=0) < 0.975))
    _, error, drift = estimated(luck[:1] + 5)
    assert not error.any()
    assert np.allclose(drift, luck[0].std(axis=0))


def compared_in_worlds(judge: Judge, seed: int, decisions: int, worlds: int) -> list[Any]:
    """What random actions lose against the best at once, in decisions of a game in which every fifth is random."""
    state: Any = judge.game.new_initial_state()
    compare, rng, luck, states = Comparison(judge, seed=seed), Rng(seed, 9), tilery.Rng(seed), []
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.random_action(luck))
            continue
        best, legal = judge.quick.choose(state, 0), state.legal_actions()
        action = legal[rng.below(len(legal))]
        if action != best:
            states.append((state.clone(), best, action))
        state.apply_action(action if rng.below(5) == 0 else best)
    chosen = [states[rng.below(len(states))] for _ in range(decisions)]
    return [compare.lost(*decision, range(worlds), compare.turns)[:, 1:] for decision in chosen]


@pytest.mark.parametrize("name", WITH_DRAWS[:1])
def test_error_bars_of_a_game_cover_what_many_worlds_find(name: str) -> None:
    losses = [each for seed in range(3) for each in compared_in_worlds(judge_of(name), seed, 2, 64)]
    right = np.concatenate([covered(each, 4) for each in losses])
    assert len(right) == 96
    assert 0.85 < right.mean() < 0.995
    assert np.mean([each.std(axis=0).max() > 0 for each in losses]) > 0.5


def late_losses(judge: Judge, seeds: range, last: int = 6) -> list[tuple[Loss, float]]:
    """Of decisions near the end of games of two, all hands open, the loss by a review and the exact one."""
    found = []
    compare = comparison(judge, worlds=16, turns=4, all_open=judge.game.hides_information)  # type: ignore[attr-defined]
    for seed in seeds:
        state: Any = judge.game.new_initial_state()
        rng, states = Rng(seed, 8), []
        while not state.is_terminal():
            legal = state.legal_actions()
            action = legal[rng.below(len(legal))]
            states.append((state.clone(), action))
            state.apply_action(action)
        for before, action in states[-last:]:
            if before.is_chance_node() or len(before.legal_actions()) == 1:
                continue
            try:
                exact = Solver(judge.game, "lead", 4000, all_open=True, remember=False).of_actions(before)
            except Undefined:
                continue
            best = max(exact, key=lambda each: (exact[each], each == action))
            found.append((compare(before, action).loss, exact[best] - exact[action]))
    return found


def within(loss: Loss, exact: float) -> bool:
    """Whether two errors reach to the exact loss."""
    return abs(loss.points - exact) <= ERRORS * loss.points_error + 1e-6


@pytest.mark.parametrize("name", PERFECT)
def test_losses_near_the_end_are_those_of_best_play(name: str) -> None:
    found = late_losses(judge_of(name), range(1, 9))
    right = [within(loss, exact) for loss, exact in found]
    assert len(found) >= 4
    assert np.mean(right) >= 0.95, found


def test_two_errors_reach_to_the_loss_by_best_play() -> None:
    found = list(reviewed(tilery.reviews.judge_of(tilery.load(GAMES[0], players=2)), 3, 250))
    unsure = [each.covered("points") for each in found if each.found.points_error > 0]
    assert len(unsure) > 50
    assert 0.88 < np.mean(unsure) < 0.99
    assert np.mean([each.covered("points") for each in found]) > 0.93


@pytest.mark.parametrize("name", [name for name in YARDSTICKS if tilery.load(name, players=2).hides_information])
def test_late_losses_are_exact_where_nothing_hidden_matters(name: str) -> None:
    found = list(reviewed(tilery.reviews.judge_of(tilery.load(name, players=2)), 3, 80))
    exact = [each for each in found if each.found.points_error == 0]
    assert len(exact) > 0.9 * len(found)
    assert all(each.covered("points") for each in exact)


@pytest.mark.parametrize("name", ["toy", *GAMES[-1:]])
def test_what_was_found_of_positions_is_kept(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written, judge = whole(name), judge_of(name)
    settings: dict[str, Any] = {"policy": judge.best, "worlds": 2, "turns": 1, "cache": tmp_path}
    fresh = tilery.review(written, policy=judge.best, worlds=2, turns=1)
    assert tilery.review(written, **settings) == fresh
    [file] = tmp_path.iterdir()
    lines = file.read_bytes().splitlines(keepends=True)
    assert len(lines) <= 1 + len(written.actions.split())
    file.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])  # as after a crash
    assert tilery.review(written, **settings) == fresh
    asked = []
    monkeypatch.setattr(Comparison, "__call__", lambda *_: asked.append(1))
    monkeypatch.setattr(Judge, "draw", lambda *_: asked.append(1))
    assert tilery.review(written, **settings) == fresh
    assert not asked
    with pytest.raises(OSError, match="does not exist"):
        tilery.review(written, cache=tmp_path / "nowhere")


@pytest.mark.parametrize("name", GAMES)
def test_a_rough_review_says_what_could_be_expected(name: str) -> None:
    written, judge = whole(name), judge_of(name)
    rough = tilery.review(written, judge=judge, rough=True)
    *others, result = rough.parts.values()
    assert np.allclose(np.sum([part.points for part in others], axis=0), np.array(written.scores))
    assert list(result.points) == written.scores
    assert all(moment.loss is None and not moment.mark for moment in rough.moments)
    assert "at first sight" in str(rough)
    assert "decisions" not in rough.words(0)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_says_how_much_is_spent_on_its_review(name: str) -> None:
    game: Any = tilery.load(name)
    usual = {"worlds": 16, "turns": 2 * game.num_players}
    chosen = budget(game)
    assert chosen.keys() <= {"policy", "worlds", "turns"}
    compare = Comparison(judge_of(name))
    assert {"worlds": compare.worlds, "turns": compare.turns} == usual | {
        key: value for key, value in chosen.items() if key != "policy"
    }
    if "policy" in chosen:  # a rung of the ladder
        assert any(str(rung.policy).startswith(f"{chosen['policy']},") for rung in ladder.rungs(name))


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("name", ["toy", *GAMES[-1:]])
def test_a_function_is_asked_once_a_decision_and_ctrl_c_ends_it_there(name: str) -> None:
    asked: list[int] = []

    def choose(state: Any) -> int:
        asked.append(len(asked))
        if len(asked) == limit:
            signal.raise_signal(signal.SIGINT)
        action: int = state.legal_actions()[0]
        return action

    limit = 0
    found = tilery.review(whole(name), policy=choose, worlds=1, turns=1)
    assert 0 < len(asked) <= sum(moment.loss is not None for moment in found.moments)
    asked.clear()
    limit = 3
    with pytest.raises(KeyboardInterrupt):
        tilery.review(whole(name), policy=choose, worlds=1, turns=1)
    assert len(asked) == limit


@pytest.mark.parametrize("text", [f"py:{__name__}:whole", "uct:1,seconds=1"])
def test_what_may_choose_otherwise_the_next_time_keeps_nothing(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a cache of reviews needs policies"):
        tilery.review(whole("toy"), policy=text, cache=tmp_path)
    assert not list(tmp_path.iterdir())


def test_marks_need_two_errors() -> None:
    assert mark_of(Loss(20, 1, 0, 0), 100) == "blunder"
    assert mark_of(Loss(20, 10, 0, 0), 100) == ""
    assert mark_of(Loss(20, 10, 0.2, 0.1), 100) == ""
    assert mark_of(Loss(0, 0, 0.07, 0.01), 100) == "mistake"
    assert mark_of(Loss(2.5, 1, 0.07, 0.04), 100) == "inaccuracy"
    assert mark_of(Loss(4, 1, 0.07, 0.04), 100) == "mistake"
    assert mark_of(Loss(0, 0, 0, 0), 0) == ""


def test_bad_input() -> None:
    [written] = record.simulated(tilery.load("toy"), 1, seed=1)
    wrong: Any
    call: Any
    for wrong in (0, -1, True, 1.5, 10_001):
        with pytest.raises(ValueError, match="worlds must be an integer"):
            tilery.review(written, worlds=wrong)
    with pytest.raises(tilery.RecordError):
        tilery.review("nonsense")
    with pytest.raises(ValueError, match="unknown policy"):
        tilery.review(written, policy="nobody")
    for wrong in (0, -1, 1.5, "x", True, 1025):
        with pytest.raises(ValueError, match="threads must be an integer from 1 to 1024"):
            tilery.review(written, threads=wrong)
    other = Judge(tilery.load("toy", hand=2), "greedy")
    with pytest.raises(ValueError, match=r"the judge knows tilery.toy.Game\(.*hand=2"):
        tilery.review(written, judge=other)
    with pytest.raises(ValueError, match="the judge knows"):
        of_game(other, written)
    assert Judge("toy", "greedy").game == written_game()
    for wrong in (None, 3, written_game().new_initial_state()):
        with pytest.raises(ValueError, match="game must be a game of the engine or its name"):
            Judge(wrong)
    found = tilery.review(written, rough=True)
    for wrong in (-1, 2, True, 1.0, None):
        for call in (found.decisions, found.summary, found.words):
            with pytest.raises(ValueError, match="player must be an integer from 0 to 1"):
                call(wrong)
    empty = tilery.review(record.of_state(written_game().new_initial_state(), ""))
    assert empty.moments == []
    assert not empty.finished


def written_game() -> Any:
    return tilery.load("toy")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, page = str(tmp_path / "games.jsonl"), tmp_path / "page.html"
    record.write(games, [whole("toy"), whole("toy")])
    assert cli.main(["review", games, "--game", "1", "-o", str(page)]) == 0
    printed = capsys.readouterr().out
    review = tilery.review(whole("toy"))
    assert review.words(0) in printed
    assert page.read_text(encoding="utf-8") == pictures.steps(whole("toy"), review=review)
    assert cli.main(["review", games, "--json", "--open", "--worlds", "2", "--turns", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["all_open"]
    assert cli.main(["review", games, "-o", str(page)]) == 2
    assert "add --overwrite" in capsys.readouterr().err
    assert cli.main(["review", games, "--game", "2"]) == 2
    assert "has no game 2" in capsys.readouterr().err


def test_results_less_luck_have_the_same_mean_and_vary_less() -> None:
    rng, means = np.random.default_rng(3), []
    for _ in range(400):
        luck = rng.normal(0, 2, 60)
        samples = luck + rng.normal(5, 1, 60)
        corrected = less_luck(samples, luck)
        assert corrected.var() < samples.var() / 2
        means.append(corrected.mean())
    assert np.mean(means) == pytest.approx(5, abs=4 * np.std(means) / 20)
    assert less_luck([3.0], [1.0]).tolist() == [2.0]
    assert less_luck([], []).tolist() == []
    assert less_luck(np.arange(40), np.zeros(40)).tolist() == list(range(40))


def test_groups_of_few_samples_share_the_weights_of_their_luck() -> None:
    rng = np.random.default_rng(4)
    groups = np.repeat(["a", "b", "c", "d"], 8)
    apart = np.repeat([0.0, 10.0, 20.0, 30.0], 8)
    means, kept = [], []
    for _ in range(400):
        luck = rng.normal(0, 2, 32)
        samples = apart + 0.5 * luck + rng.normal(0, 0.5, 32)
        corrected = less_luck(samples, luck, groups)
        means.append((corrected - apart).mean())
        kept.append(np.var(corrected - apart) / np.var(samples - apart))
    assert np.mean(means) == pytest.approx(0, abs=4 * np.std(means) / 20)
    assert np.mean(kept) < 0.4  # 0.2 with the best weight, 0.9 and more with a weight of each group
    assert less_luck([3.0, 5.0], [1.0, 1.0], [0, 1]).tolist() == [2.0, 4.0]


def test_a_match_less_luck(capsys: pytest.CaptureFixture[str]) -> None:
    (table,) = tilery.match.play(tilery.load("toy"), ["greedy", "random"], games=40, seed=1, luck="greedy")
    for side in table.sides:
        assert len(side.luck) == len(side.shares) == 20
        found = side.less_luck()
        assert found is not None
        corrected = less_luck(side.shares, np.array(side.luck)[:, 0])
        assert found["share"] == pytest.approx(corrected.mean())
        assert found["share_variance"] == pytest.approx(corrected.var() / np.var(side.shares))
    assert np.sum([side.luck for side in table.sides], axis=0) == pytest.approx(0, abs=1e-9)
    (plain,) = tilery.match.play(tilery.load("toy"), ["greedy", "random"], games=40, seed=1)
    assert [side.shares for side in plain.sides] == [side.shares for side in table.sides]
    assert plain.sides[0].less_luck() is None
    assert cli.main(["match", "toy", "greedy", "random", "--games", "40", "--seed", "1", "--less-luck"]) == 0
    assert "greedy, less luck" in capsys.readouterr().out


def test_comparisons_less_luck(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["compare", "toy", "--policy", "greedy", "--policy", "random", "--games", "30", "--less-luck"]
    assert cli.main([*words, "--json"]) == 0
    found = {each["name"]: each for each in json.loads(capsys.readouterr().out)["differences"]}
    game: Any = tilery.load("toy")
    scores, shares, luck = [], [], []
    for chosen in ("greedy", "random"):
        results, tokens = tilery.simulate(game, 30, policies=chosen, separate=True, records=True)
        luck.append([of_game(Judge(game), each) for each in record.of_results(game, results, tokens, seed=0)])
        scores.append(results["scores"].astype(float))
        shares.append(win_share(results["returns"], 2))
    gave = np.array(luck)  # [policy, game, points or share, seat]
    for which, (name, values) in enumerate((("score", scores), ("win_share", shares))):
        for seat in range(2):
            mine, other = (each[:, seat] for each in values)
            apart = less_luck(other - mine, np.diff(gave[:, :, which, seat], axis=0)[0])
            less = found[f"less_luck_{name}_{seat}"]
            assert less["difference"] == pytest.approx(apart.mean())
            assert less["second"] - less["first"] == pytest.approx(less["difference"])
            assert less["first"] != pytest.approx((mine - gave[0, :, which, seat]).mean()), "a weight of its own"
    kept = apart.var() / (other - mine).var()
    assert cli.main(words) == 0
    sentence = f"win_share_1 less luck: the variance of the differences is less by {100 * (1 - kept):.0f} %"
    assert sentence in capsys.readouterr().out
    assert cli.main([*words, "--out", str(tmp_path / "run")]) == 2


def test_deals_of_a_ladder_less_luck(tmp_path: Path) -> None:
    game = tilery.load("toy")
    deals = [ladder.deal(game, "greedy", "random", tilery.Rng(deal), "greedy") for deal in range(40)]
    shares, luck = np.array(deals).T
    plain = [ladder.deal(game, "greedy", "random", tilery.Rng(deal)) for deal in range(40)]
    assert plain == [(share, 0.0) for share in shares]
    assert np.any(luck)
    file = tmp_path / "measured.json"
    measured = ladder.Measurement(game, ["greedy", "random"], file=file, luck="greedy")
    played = measured.play(0, 1, 25)
    again = ladder.Measurement(game, ["greedy", "random"], file=file, luck="greedy")
    assert again.play(0, 1, 0) == played
    with pytest.raises(ladder.LadderError):
        ladder.Measurement(game, ["greedy", "random"], file=file)
    raw = ladder.Measurement(game, ["greedy", "random"]).play(0, 1, 25)
    gave = [ladder.deal(game, "greedy", "random", tilery.Rng(0, (1 << 32) + deal), "greedy")[1] for deal in range(25)]
    assert played == less_luck(raw, gave).tolist()
    assert measured.variance_kept() == pytest.approx(np.var(played) / np.var(raw))
    assert ladder.Measurement(game, ["greedy", "random"]).variance_kept() == 1


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals go to threads on POSIX alone")
@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_stops_searches_of_a_review_on_other_threads() -> None:
    """They would take hours."""
    played, _ = begun(GAMES[0], 5)
    timer = threading.Timer(0.5, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012  the signal may come at once
        timer.start()
        tilery.review(played, policy="mcts:2000000000", threads=2)
