"""Engine and reference side by side: the same games, call by call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import tilery
from tests.kit.comparing import apply_both, compare_questions, compare_states
from tests.kit.games import BACKENDS, GAMES, options_of
from tests.kit.walking import random_game

SEEDS = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("name", GAMES)
def test_same_game(name: str) -> None:
    """Hypothesis chooses the options and every action; both sides agree on every call of G-4."""

    @settings(max_examples=12)
    @given(options=options_of(name), data=st.data())
    def check(options: dict[str, Any], data: st.DataObject) -> None:
        native, reference = (load(name, **options).new_initial_state() for load in BACKENDS.values())
        for step in range(data.draw(st.integers(0, 400), label="length")):
            compare_states(native, reference)
            if step % 16 == 0:
                compare_questions(native, reference, seed=step)
            legal = native.legal_actions()
            if not legal:
                break
            # A number beyond all lists' ends, so that shrinking keeps its meaning.
            action = legal[data.draw(st.integers(0, 2**16), label="choice") % len(legal)]
            apply_both(native, reference, action)
        compare_questions(native, reference, seed=1)

    check()


class Index:
    """An integer of another library."""

    def __index__(self) -> int:
        return 1


ODD: list[Any] = [True, np.True_, 1.0, np.float64(0), "1", "*1", None, (), object(), np.array([1]), -1, 10**9]
TAKEN: list[Any] = [np.int64(1), np.uint8(1), np.array(1), Index()]
CALLS: list[Callable[[Any, Any], object]] = [
    lambda state, value: state.apply_action(value),
    lambda state, value: state.child(value),
    lambda state, value: state.score_events(value),
    lambda state, value: state.action_seen_by(0, value),
    lambda state, value: state.action_seen_by(value, state.legal_actions()[0]),
    lambda state, value: state.action_to_string(value),
    lambda state, value: state.information_state_string(value),
    lambda state, value: state.observation_tensor(value),
    lambda state, value: state.seen_by(value),
    lambda state, value: state.determinize(value, 1),
    lambda state, value: state.determinize(0, value),
    lambda state, value: state.random_action(value),
    lambda state, value: state.string_to_action(value),
]


@pytest.mark.rule("G-4")
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("actions", [0, 9])
def test_same_errors_for_the_same_arguments(name: str, actions: int) -> None:
    """Of another type or out of range: the same error, and nothing changes; integers of any library are taken."""
    found: list[Any] = []
    for load in BACKENDS.values():
        begun, said = random_game(load(name), seed=3, actions=actions), []
        for value in ODD + TAKEN:
            for number, call in enumerate(CALLS):
                state = begun.clone()
                try:
                    answer = call(state, value)
                    said.append((number, value, answer if isinstance(answer, int | str | list) else None))
                except ValueError as error:
                    said.append((number, value, type(error)))
                    assert state == begun
        found.append(said)
    for one, other in zip(*found, strict=True):
        assert one == other


@pytest.mark.parametrize("name", GAMES)
def test_same_random_games(name: str) -> None:
    """The same seeds give the same games (G-5), drawn by two generators written apart."""

    @settings(max_examples=6)
    @given(options=options_of(name), seed=SEEDS, index=SEEDS)
    def check(options: dict[str, Any], seed: int, index: int) -> None:
        from tilery.reference.base import play_random

        game = tilery.load(name, **options)
        index >>= 1  # a bulk run counts games below 2**63
        (result,), (tokens,) = tilery.simulate(game, 1, seed=seed, first=index, records=True)
        state, actions = play_random(BACKENDS["reference"](name, **options), seed, index)
        assert tokens == " ".join(map(state.action_to_string, actions))
        assert result["scores"].tolist() == state.scores()
        assert result["returns"].tolist() == state.returns()
        assert result["num_actions"] == len(actions)

    check()


@pytest.mark.parametrize("name", GAMES)
def test_same_games_about_the_rules(name: str) -> None:
    """The properties of the game object agree too, whatever the options."""

    @settings(max_examples=40)
    @given(options=options_of(name))
    def check(options: dict[str, Any]) -> None:
        native, reference = (load(name, **options) for load in BACKENDS.values())
        for question in (
            "name",
            "num_players",
            "rules",
            "num_distinct_actions",
            "num_chance_actions",
            "max_game_length",
            "max_decisions",
            "max_chance_nodes",
            "hides_information",
            "observation_tensor_shape",
            "observation_parts",
        ):
            assert getattr(native, question) == getattr(reference, question), question
        assert native.rules.as_dict() == reference.rules.as_dict()
        step = max(1, native.num_distinct_actions // 500)
        for action in range(0, native.num_distinct_actions, step):
            assert native.action_to_string(action) == reference.action_to_string(action)

    check()


@pytest.mark.parametrize("name", GAMES)
def test_same_mask_dtype(name: str) -> None:
    """Arrays of both have the documented dtypes."""
    for load in BACKENDS.values():
        state = random_game(load(name), seed=3, actions=30)
        assert state.legal_actions_mask().dtype == np.bool_
        assert state.observation_tensor(0).dtype == np.float32
