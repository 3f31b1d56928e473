"""Where points come from: the sources add up to the scores, with every option that changes scoring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES
from tilery import record
from tilery.runs.sources import sample


def variants() -> Iterator[Any]:
    """Each game at its defaults, with most players, and with each option at another value."""
    for name in GAMES:
        options = tilery.options(name)
        yield pytest.param(name, {}, id=name)
        yield pytest.param(name, {"players": options["players"].high}, id=f"{name}-most", marks=pytest.mark.slow)
        for option in options.values():
            if option.kind == "bool":
                changed = {option.name: not option.default}
            elif option.kind == "choice":
                changed = {option.name: next(each for each in option.choices if each != option.default)}
            else:
                continue
            try:
                tilery.load(name, **changed)
            except tilery.OptionError:  # it needs another option
                continue
            yield pytest.param(name, changed, id=f"{name}-{option.name}", marks=pytest.mark.slow)


@pytest.mark.parametrize(("name", "options"), list(variants()))
def test_sources_add_up_to_the_scores(name: str, options: Any) -> None:
    """Of every action by every seat; and nothing is left over for a source that the options do not have."""
    game = tilery.load(name, **options)
    for policy, games in (("random", 4), ("greedy", 2)):
        found = sample(game, games, seed=11, policies=policy)
        results = tilery.simulate(game, games, seed=11, policies=policy)
        assert np.array_equal(sum(found.points.values(), np.zeros(game.num_players)), results["scores"].sum(axis=0))
        sold = {"tile sales"} if options.get("tile_sale") else set()
        negative = {source for source, points in found.points.items() if (points < 0).any()}
        assert negative <= sold
        assert ("tile sales" in found.points) <= bool(sold)


@pytest.mark.parametrize("name", GAMES)
def test_the_board_of_a_sample_is_that_of_the_first_game_with_the_most_spots(name: str) -> None:
    """At the start of the game, or at its end where the game makes the board."""
    game = tilery.load(name)
    (first,) = record.simulated(game, 1, seed=2)
    boards = [state.to_svg(part="board", targets=True) for state in (game.new_initial_state(), record.replay(first))]
    empty, last = (board.count('data-spot="') for board in boards)
    for games in (1, 2):
        assert sample(game, games, seed=2).board.count('data-spot="') == max(empty, last)


@pytest.mark.parametrize("name", GAMES)
def test_a_sample_counts_decisions_and_actions(name: str) -> None:
    game = tilery.load(name)
    found = sample(game, 3, seed=2)
    results = tilery.simulate(game, 3, seed=2)
    decisions = results["num_decisions"].sum()
    assert found.games == 3
    assert found.branching[:, 1].sum() == decisions
    assert sum(number for _, number in found.phases.values()) == decisions
    assert found.branching[:, 0].sum() == sum(total for total, _ in found.phases.values())
    state = game.new_initial_state()
    rng = tilery.Rng(2, 0)
    legal = []
    while not state.is_terminal():
        if state.current_player() >= 0:
            legal.append(len(state.legal_actions()))
        state.apply_action(state.random_action(rng))
    alone = sample(game, 1, seed=2)
    assert alone.branching[:, 0].sum() == sum(legal)
    assert alone.branching_by_tenth()[0] == pytest.approx(np.mean(legal[: -(-len(legal) // 10)]))
    assert sum(mean * often for mean, often in alone.branching_by_phase().values()) == pytest.approx(sum(legal))


def test_the_richest_source_is_first() -> None:
    found = sample(tilery.load("toy"), 20)
    assert list(found.points_per_game()) == ["prizes"]
    results = tilery.simulate(tilery.load("toy"), 20)
    assert found.points_per_game()["prizes"] == results["scores"].mean(axis=0).tolist()


@pytest.mark.parametrize("name", GAMES)
def test_the_lead_changes_when_another_seat_leads_alone(name: str) -> None:
    game = tilery.load(name)
    state, rng, leaders = game.new_initial_state(), tilery.Rng(3, 0), list[int]()
    while not state.is_terminal():
        state.apply_action(state.random_action(rng))
        points = [-each if game.fewest_points_win else each for each in state.scores()]
        if points.count(max(points)) == 1 and points.index(max(points)) not in leaders[-1:]:
            leaders.append(points.index(max(points)))
    assert sample(game, 1, seed=3).lead_changes == [max(0, len(leaders) - 1)]
