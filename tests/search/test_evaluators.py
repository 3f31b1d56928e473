"""Searches whose leaves Python evaluates."""

from __future__ import annotations

import signal
import threading
import time
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES
from tests.kit.secrets import secrets_of
from tests.kit.walking import random_game
from tilery.reference.rng import Rng


def decisions(name: str, count: int, **options: Any) -> list[Any]:
    """Decisions of random games, one of each."""
    game, found = tilery.load(name, **options), []
    for seed in range(count):
        state, rng = random_game(game, seed=seed, actions=3 + 2 * seed), Rng(seed, 5)
        while state.is_chance_node():
            legal = state.legal_actions()
            state.apply_action(legal[rng.below(len(legal))])
        if not state.is_terminal():
            found.append(state)
    return found


def zeros(observations: Any, masks: Any, players: Any) -> tuple[Any, Any]:
    del players
    return np.zeros(masks.shape), np.zeros((len(observations), 2))


@pytest.mark.parametrize("name", GAMES)
def test_a_run_adds_up_and_repeats(name: str) -> None:
    states = decisions(name, 6)
    game = states[0].game
    before = [state.clone() for state in states]
    asked = 0

    def evaluator(observations: Any, masks: Any, players: Any) -> tuple[Any, Any]:
        nonlocal asked
        asked += len(players)
        assert observations.shape == (len(players), *game.observation_tensor_shape)
        assert masks.shape == (len(players), game.num_distinct_actions)
        assert masks.any(axis=1).all()
        return masks * np.arange(1, masks.shape[1] + 1), np.zeros((len(players), game.num_players))

    found = tilery.search.run(states, evaluator, simulations=30, rng=4)
    assert found == tilery.search.run(states, evaluator, simulations=30, rng=4)
    assert states == before
    assert asked > 0
    for state, analysis in zip(states, found, strict=True):
        assert analysis.simulations == 30 == sum(row["visits"] for row in analysis.actions)
        assert {row["action"] for row in analysis.actions} == set(state.legal_actions())
        assert sum(row["prior"] for row in analysis.actions) == pytest.approx(1, abs=1e-4)
        total = sum(action + 1 for action in state.legal_actions())
        for row in analysis.actions:
            assert row["prior"] == pytest.approx((row["action"] + 1) / total, rel=1e-4)
        assert analysis.player == state.current_player()


def test_leaves_are_seen_by_the_player_to_act() -> None:
    states = decisions("toy", 5, hand=4)
    seen: list[Any] = []

    def evaluator(observations: Any, masks: Any, players: Any) -> tuple[Any, Any]:
        if not seen:
            seen.extend([observations, masks, players])
        return zeros(observations, masks, players)

    tilery.search.run(states, evaluator, simulations=2)
    for i, state in enumerate(states):
        player = state.current_player()
        assert seen[2][i] == player
        assert (seen[1][i] == state.legal_actions_mask()).all()
        assert (seen[0][i] == state.observation_tensor(player)).all()


@pytest.mark.parametrize("name", [name for name in GAMES if secrets_of(name)])
def test_what_is_hidden_never_moves_a_run(name: str) -> None:
    options, actions = secrets_of(name).POSITIONS[0]  # type: ignore[union-attr]
    state, rng = random_game(tilery.load(name, **options), seed=4, actions=actions), Rng(1)
    while state.is_chance_node():
        legal = state.legal_actions()
        state.apply_action(legal[rng.below(len(legal))])
    player, players = state.current_player(), state.game.num_players

    def evaluator(_observations: Any, masks: Any, _players: Any) -> tuple[Any, Any]:
        return masks, np.zeros((len(masks), players))

    found = [
        tilery.search.run([state.determinize(player, deal)], evaluator, simulations=40)[0].to_dict()
        for deal in range(4)
    ]
    assert all(each == found[0] for each in found)


def test_values_move_the_visits() -> None:
    """The action whose position the evaluator calls won for the mover gets most visits."""
    name = next(name for name in GAMES if secrets_of(name) is None)
    (state,) = decisions(name, 1)
    player, good = state.current_player(), state.legal_actions()[-2]
    child = state.clone()
    child.apply_action(good)
    observed = child.observation_tensor(child.current_player())

    def evaluator(observations: Any, masks: Any, _players: Any) -> tuple[Any, Any]:
        values = np.zeros((len(masks), 2))
        values[:, player] = [1 if np.array_equal(each, observed) else -1 for each in observations]
        values[:, 1 - player] = -values[:, player]
        return masks, values

    (analysis,) = tilery.search.run([state], evaluator, simulations=400)
    assert analysis.best == good


@pytest.mark.parametrize("value", [-1e6, 1e6])
@pytest.mark.parametrize("c", [0.0, 1e6])
def test_extreme_evaluations_lead_to_legal_actions(value: float, c: float) -> None:
    """Also where actions of another world are not legal, and when no score is above any bound."""
    game = tilery.load("toy", players=3)
    rng, luck = np.random.default_rng(0), tilery.Rng(1)

    def evaluator(_o: Any, masks: Any, _p: Any) -> Any:
        return rng.random(masks.shape, dtype=np.float32), np.full((len(masks), 3), value, np.float32)

    for _ in range(10):
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                (analysis,) = tilery.search.run([state], evaluator, simulations=100, rng=1, c=c)
                assert analysis.best in state.legal_actions()
            state.apply_action(state.random_action(luck))


@pytest.mark.parametrize("c", [-1, 1e7, float("nan"), float("inf"), 10**400, "1", None])
def test_weights_of_exploration_that_are_refused(c: Any) -> None:
    with pytest.raises(ValueError, match="c must be a number from 0 to 1e6"):
        tilery.search.run(decisions("toy", 1), lambda _o, m, _p: (m, np.zeros((len(m), 2))), c=c)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda m: (m[:, 1:], np.zeros((len(m), 2))), "priors of shape"),
        (lambda m: (m, np.zeros((len(m), 3))), "values of shape"),
        (lambda m: (m, np.zeros(len(m))), "values of shape"),
        (lambda m: (m, np.full((len(m), 2), np.nan)), "from -1e6 to 1e6, got others among the values"),
        (lambda m: (m * np.inf, np.zeros((len(m), 2))), "from -1e6 to 1e6, got others among the priors"),
        (lambda m: (m, np.full((len(m), 2), 1.1e6)), "from -1e6 to 1e6, got others among the values"),
        (lambda m: ("x", np.zeros((len(m), 2))), "arrays of numbers"),
        (lambda m: (m, np.zeros((len(m), 2), complex)), "real numbers, not complex ones"),
        (lambda m: m.sum(), "must return \\(priors, values\\)"),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_wrong_evaluations_are_refused(answer: Any, says: str) -> None:
    states = decisions("toy", 3)
    before = [state.serialize() for state in states]
    with pytest.raises(ValueError, match=says):
        tilery.search.run(states, lambda _o, m, _p: answer(m), simulations=5)
    assert [state.serialize() for state in states] == before


def test_other_bad_input() -> None:
    states = decisions("toy", 2)
    game = states[0].game
    assert tilery.search.run([], zeros) == []
    for wrong in (0, -1, True, 1.5):
        with pytest.raises(ValueError, match="simulations must be"):
            tilery.search.run(states, zeros, simulations=wrong)  # type: ignore[arg-type]
    for c in (-1, float("nan"), "1", True):
        with pytest.raises(ValueError, match="c must be"):
            tilery.search.run(states, zeros, c=c)  # type: ignore[arg-type]
    again: Any = {"simulations": np.int64(3), "c": np.float32(1)}
    (numpy, plain) = (tilery.search.run(states, zeros, **how) for how in (again, {"simulations": 3, "c": 1}))
    assert numpy == plain
    with pytest.raises(ValueError, match="chance is to act"):
        tilery.search.run([game.new_initial_state()], zeros)
    with pytest.raises(ValueError, match="the game is over"):
        tilery.search.run([random_game(game, seed=1)], zeros)
    with pytest.raises(TypeError, match="states of the engine"):
        tilery.search.run([3], zeros)  # type: ignore[list-item]
    other = tilery.load(next(name for name in GAMES if name != "toy")).new_initial_state()
    with pytest.raises(TypeError, match="expected a state of toy"):
        tilery.search.run([states[0], other], zeros)
    with pytest.raises(ZeroDivisionError):
        tilery.search.run(states, lambda _o, _m, _p: 1 // 0)  # type: ignore[arg-type, return-value]


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_a_run_that_never_asks_the_evaluator() -> None:
    """Before the last decision every simulation ends the game, so that no leaf comes between."""
    state, rng, last = tilery.load("toy").new_initial_state(), Rng(3), None
    while not state.is_terminal():
        legal = state.legal_actions()
        if not state.is_chance_node() and len(legal) > 1:
            last = state.clone()
        state.apply_action(legal[rng.below(len(legal))])
    assert last is not None
    timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012  the signal may come at once
        timer.start()
        tilery.search.run([last], zeros, simulations=2**31)
    assert time.perf_counter() - began < 300


def test_arrays_that_an_evaluator_keeps_are_not_written_to_again() -> None:
    states = decisions("toy", 4, hand=4)
    kept: list[Any] = []

    def evaluator(observations: Any, masks: Any, players: Any) -> tuple[Any, Any]:
        kept.append((observations, observations.copy(), masks[:1], masks[:1].copy()))
        return zeros(observations, masks, players)

    tilery.search.run(states, evaluator, simulations=8)
    assert len(kept) > 3
    for observations, before, mask, mask_before in kept:
        assert (observations == before).all()
        assert (mask == mask_before).all()
