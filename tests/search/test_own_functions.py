"""The search with an evaluation and an order of one's own: `tilery.search.MCTS`."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES
from tests.kit.secrets import secrets_of
from tests.kit.walking import random_game
from tilery import search
from tilery.search import MCTS

MAKES_VALUE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_double))
MAKES_ORDER = ctypes.CFUNCTYPE(
    None,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.POINTER(ctypes.c_int32),
    ctypes.c_uint32,
    ctypes.POINTER(ctypes.c_double),
)
"""`tilery_value` and `tilery_order` of tilery/capi.h."""


def decision(name: str, **options: Any) -> Any:
    """A decision with a choice in a random game."""
    game = tilery.load(name, **options)
    whole = int(tilery.simulate(game, 1, seed=5)["num_actions"][0])
    state = random_game(game, seed=5, actions=whole // 3)
    while state.is_chance_node() or len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])
    return state


def lead(state: Any, player: int) -> float:
    """By how much a player leads the best other, if the game ended here."""
    sign = -1 if state.game.fewest_points_win else 1
    points = [sign * each for each in state.scores_if_over()]
    return points[player] - max(points[:player] + points[player + 1 :])


def leads(state: Any, actions: Sequence[int]) -> list[float]:
    return [lead(state.child(action), state.current_player()) for action in actions]


def same(first: Any, second: Any) -> bool:
    """Whether two analyses say the same, times and names aside."""
    return bool((first.actions, first.line, first.best) == (second.actions, second.line, second.best))


def test_an_evaluator_has_three_arguments_without_defaults() -> None:
    assert search._takes_arrays(lambda _observations, _legal, _players: None)
    assert not search._takes_arrays(lambda _state: 0.0)
    assert not search._takes_arrays(lambda _state, _scale=1, _shift=0: 0.0)
    assert not search._takes_arrays(1.0)  # what is no function is refused later


@pytest.mark.parametrize("name", GAMES)
def test_the_own_evaluation_as_a_function_of_python_is_the_same_search(name: str) -> None:
    """Every simulation, where it is judged by the points if the game ended."""
    state = decision(name)
    given: dict[str, Any] = {"tuning": "prospects:0+depth:2+best:1"}
    own = tilery.policies.MCTS(150, **given)
    asked: list[Any] = []

    def value(at: Any) -> list[int]:
        assert not at.is_terminal()
        asked.append(at)
        return at.scores_if_over()  # type: ignore[no-any-return]

    found = MCTS(150, value=value, **given)
    assert same(found.analyse(state, 7), own.analyse(state, 7))
    assert found.choose(state, 9) == own.choose(state, 9) == found(state, 9)
    assert asked


@pytest.mark.parametrize("name", GAMES)
def test_the_own_order_as_a_function_of_python_is_the_same_search(name: str) -> None:
    state = decision(name)
    given: dict[str, Any] = {"tuning": "prospects:0+rank:2+best:1+depth:8"}
    own = tilery.policies.MCTS(60, **given)
    assert same(MCTS(60, order=leads, **given).analyse(state, 3), own.analyse(state, 3))
    other = MCTS(60, order=lambda _, actions: [-each for each in actions], **given)
    assert not same(other.analyse(state, 3), own.analyse(state, 3))


@pytest.mark.parametrize("name", GAMES)
def test_functions_of_c_are_called_with_states_of_the_game(name: str) -> None:
    """By way of ctypes: what Python returns and what C writes are the same search."""
    state = decision(name)
    seats = state.game.num_players
    seen: list[tuple[Any, ...]] = []

    def python(at: Any) -> list[float]:
        return [at.scores()[seat] + seat for seat in range(seats)]

    def native(_game: int, _state: int, data: int | None, points: Any) -> None:
        seen.append((_game, _state, data))
        for seat in range(seats):
            points[seat] = 1.5 * seat

    search = MCTS(80, value=MAKES_VALUE(native))
    assert same(
        search.analyse(state, 2), MCTS(80, value=lambda _: [1.5 * seat for seat in range(seats)]).analyse(state, 2)
    )
    assert seen
    assert len({handle for handle, _, _ in seen}) == 1
    assert {data for _, _, data in seen} == {None}

    def order(_game: int, _state: int, _data: int, actions: Any, count: int, priorities: Any) -> None:
        for i in range(count):
            priorities[i] = -actions[i]

    first = MCTS(80, value=python, order=MAKES_ORDER(order)).analyse(state, 2)
    assert same(first, MCTS(80, value=python, order=lambda _, actions: [-each for each in actions]).analyse(state, 2))


class Compiled:
    """What a cfunc of Numba looks like."""

    def __init__(self, function: Any) -> None:
        self.address = ctypes.cast(function, ctypes.c_void_p).value


def test_a_compiled_function_is_known_by_its_address() -> None:
    state = decision("toy")
    native = MAKES_VALUE(lambda *given: given[-1].__setitem__(0, 3.0))
    compiled = Compiled(native)
    for given in (compiled, ctypes.CFUNCTYPE(None)(compiled.address)):
        assert same(MCTS(40, value=given).analyse(state, 1), MCTS(40, value=native).analyse(state, 1))


def of_arrays(state: Any) -> tuple[Any, Any]:
    """A value and an order of arrays that check what they are called with."""

    def value(observations: Any, masks: Any, players: Any) -> Any:
        assert observations.shape == (len(players), *state.game.observation_tensor_shape)
        return observations.reshape(len(players), -1)[:, : state.game.num_players] / 8

    def order(observations: Any, masks: Any, players: Any) -> Any:
        assert observations.shape == (len(players), *state.game.observation_tensor_shape)
        assert masks.any(axis=1).all()
        return np.arange(masks.shape[1], 0, -1) * masks

    return value, order


def test_functions_of_arrays_make_an_evaluator() -> None:
    state = decision("toy", hand=4)
    value, order = of_arrays(state)

    def both(observations: Any, masks: Any, players: Any) -> tuple[Any, Any]:
        return order(observations, masks, players), value(observations, masks, players)

    def equal(observations: Any, masks: Any, players: Any) -> tuple[Any, Any]:
        return masks, value(observations, masks, players)

    searches = [
        (MCTS(30, value=both), both),
        (MCTS(30, value=value, order=order), both),
        (MCTS(30, value=value), equal),
    ]
    for found, evaluator in searches:
        (expected,) = tilery.search.run([state], evaluator, simulations=30, rng=4)
        assert found.choose(state, 4) == expected.best
        assert found.analyse(state, 4).actions == expected.actions
    assert [str(each) for each, _ in searches] == [
        "mcts:30,value=both",
        "mcts:30,value=value,order=order",
        "mcts:30,value=value",
    ]
    assert searches[1][0].analyse(state, 4).actions != searches[2][0].analyse(state, 4).actions


@pytest.mark.parametrize("name", GAMES)
def test_an_order_of_arrays_is_the_same_search_as_one_of_a_state(name: str) -> None:
    state = decision(name)
    _, order = of_arrays(state)
    found = MCTS(60, order=order).analyse(state, 2)
    assert same(found, MCTS(60, order=lambda _, actions: [-each for each in actions]).analyse(state, 2))
    assert not same(found, MCTS(60, order=lambda _, actions: actions).analyse(state, 2))


def test_an_evaluator_is_stopped_by_signals() -> None:
    state, signal = decision("toy", hand=4), threading.Event()
    value, _ = of_arrays(state)
    rounds = 0

    def counts(observations: Any, masks: Any, players: Any) -> Any:
        nonlocal rounds
        rounds += 1
        if rounds == 5:
            signal.set()
        return value(observations, masks, players)

    bot = MCTS(10**9, value=counts)
    with pytest.raises(tilery.StoppedError):
        bot.choose(state, 1, stop=signal)
    assert rounds == 5
    rounds = 0
    signal.clear()
    assert 4 <= bot.analyse(state, 1, enough=signal).simulations <= 6
    assert rounds == 5


def test_it_is_a_policy_wherever_one_is_taken() -> None:
    game = tilery.load("toy")
    bot = MCTS(20, value=lambda state: state.scores_if_over())
    assert isinstance(bot, tilery.protocol.Policy)
    (table,) = tilery.match.play(game, [bot, "random"], games=4, seed=1)
    assert table.games == 4
    assert "mcts:20,value=" in table.sides[0].policy
    assert len(tilery.simulate(game, 2, policies=[bot, "greedy"], seed=3)) == 2
    assert tilery.policy(bot).analyse(decision("toy"), 3).simulations == 20  # type: ignore[attr-defined]


def test_trees_on_threads_give_the_same() -> None:
    state = decision("toy")
    bot = MCTS(90, value=lambda at: at.scores(), trees=3)
    assert same(bot.analyse(state, 3, threads=3), bot.analyse(state, 3))


@pytest.mark.parametrize(
    ("returned", "says"),
    [
        ([1.0], "must return 2 real numbers, got"),
        ([1.0, 2.0, 3.0], "must return 2 real numbers, got"),
        (None, "must return 2 real numbers, got None"),
        (["1", 2.0], "must return 2 real numbers, got"),
        ([1j, 2.0], "must return 2 real numbers, got"),
        (np.array([1j, 2.0], np.complex64), "must return 2 real numbers, got"),
        ([1.0, float("nan")], "must give numbers from -1e6 to 1e6"),
        ([float("inf"), 0.0], "must give numbers from -1e6 to 1e6"),
        ([0, -2e6], "must give numbers from -1e6 to 1e6"),
    ],
)
def test_what_an_evaluation_must_not_return(returned: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        MCTS(50, value=lambda _: returned).choose(decision("toy"), 1)


def test_errors_of_functions_are_raised() -> None:
    class OwnError(Exception):
        pass

    def fails(*_: Any) -> Any:
        raise OwnError("mine")

    state = decision("toy")
    for each in (MCTS(50, value=fails), MCTS(50, order=fails), MCTS(50, value=fails, trees=2)):
        with pytest.raises(OwnError, match="mine"):
            each.choose(state, 1)
    with pytest.raises(ValueError, match="order must return"):
        MCTS(50, order=lambda _, actions: actions[1:]).choose(state, 1)


def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(TypeError, match="value must be a function, got 3"):
        MCTS(50, value=3)
    with pytest.raises(TypeError, match="order must be a function, got 'x'"):
        MCTS(50, order="x")
    value, order = of_arrays(decision("toy"))
    with pytest.raises(ValueError, match="no other parameter than c"):
        MCTS(50, value=value, order=order, trees=2)
    with pytest.raises(ValueError, match="the order must be one, too"):
        MCTS(50, value=value, order=leads)
    with pytest.raises(ValueError, match=r"the order must return priors of shape \(1, "):
        MCTS(50, order=lambda _observations, _masks, _players: [1.0]).choose(decision("toy"), 1)
    with pytest.raises(ValueError, match="a network judges and orders by itself"):
        MCTS(50, value=lambda _: [0, 0], eval="nn")
    with pytest.raises(ValueError, match="simulations must be"):
        MCTS(0, value=lambda _: [0, 0])


def test_a_signal_stops_a_search_with_a_slow_function() -> None:
    state, stop = decision("toy", hand=4), threading.Event()

    def value(_: Any) -> list[float]:
        stop.set()
        return [0, 0]

    with pytest.raises(tilery.StoppedError):
        MCTS(10**9, value=value).choose(state, 1, stop=stop)


@pytest.mark.parametrize("name", GAMES)
def test_an_evaluation_sees_what_its_player_knows(name: str) -> None:
    """Two states that a player cannot tell apart are searched alike, with any functions."""
    state = decision(name)
    other = state.determinize(state.current_player(), 99)
    assert (other == state) <= (secrets_of(name) is None or not state.game.hides_information)
    bot = MCTS(60, value=lambda at: at.scores_if_over(), order=leads)
    assert same(bot.analyse(state, 5), bot.analyse(other, 5))
