"""Games between policies: streams, seats, functions, and what is refused."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES
from tilery.reference.rng import Rng
from tilery.simulation import result_dtype


def outcome(state: Any, share: float) -> int:
    """The outcome that holds this share of [0, 1)."""
    outcomes = state.chance_outcomes()
    for action, probability in outcomes:
        share -= probability
        if share < 0:
            return int(action)
    return int(outcomes[-1][0])


def play(game: Any, policies: list[Any], *, seed: int, index: int) -> tuple[list[float], str]:
    """One game between policies, step by step from Python."""
    state = game.new_initial_state()
    chance = Rng.of(seed, 0, index)
    luck = [Rng.of(seed, 1 + seat, index) for seat in range(game.num_players)]
    tokens = []
    while not state.is_terminal():
        player = state.current_player()
        if state.is_chance_node():
            action = outcome(state, chance.next() / 2**64)
        else:
            action = policies[player].choose(state, luck[player])
        tokens.append(state.action_to_string(action))
        state.apply_action(action)
    return state.returns(), " ".join(tokens)


@pytest.mark.parametrize("name", GAMES)
def test_simulate_plays_what_choose_chooses(name: str) -> None:
    game = tilery.load(name)
    texts = ["greedy", "random", "flat:1", "random", "greedy"][: game.num_players]
    results, tokens = tilery.simulate(game, 2, seed=3, first=5, policies=texts, records=True)
    for i in range(2):
        utilities, actions = play(game, [tilery.policy(text) for text in texts], seed=3, index=5 + i)
        assert actions == tokens[i]
        assert results["returns"][i].tolist() == utilities


@pytest.mark.parametrize("name", GAMES)
def test_random_policies_play_the_games_of_a_run_without(name: str) -> None:
    game = tilery.load(name)
    plain = tilery.simulate(game, 50, seed=9)
    assert (tilery.simulate(game, 50, seed=9, policies="random") == plain).all()
    everyone = [tilery.policies.Random()] * game.num_players
    rotated = tilery.simulate(game, 50, seed=9, policies=everyone, rotate=True)
    assert rotated.dtype == result_dtype(game.num_players, rotate=True)
    assert all((rotated[field] == plain[field]).all() for field in plain.dtype.names)


@pytest.mark.parametrize("name", GAMES)
def test_results_do_not_depend_on_threads_or_pieces(name: str) -> None:
    game = tilery.load(name)
    policies = ["uct:8", *["greedy"] * (game.num_players - 1)]
    one = tilery.simulate(game, 11, seed=4, policies=policies, rotate=True, threads=1)
    assert (tilery.simulate(game, 11, seed=4, policies=policies, rotate=True, threads=3) == one).all()
    pieces = [tilery.simulate(game, 4, seed=4, policies=policies, rotate=True, first=first) for first in (0, 4)]
    assert (np.concatenate(pieces) == one[:8]).all()


def test_seats_rotate() -> None:
    game = tilery.load("toy", players=3)
    results = tilery.simulate(game, 7, policies=["greedy", "random", "random"], rotate=True, first=2)
    assert results["policy"].dtype == np.uint8
    assert results["policy"].tolist() == [[(seat + 2 + i) % 3 for seat in range(3)] for i in range(7)]


def test_chance_does_not_depend_on_who_plays() -> None:
    game = tilery.load("toy", hand=4)
    runs = [tilery.simulate(game, 5, policies=text, records=True)[1] for text in ("greedy", "uct:5", "uct:50")]
    draws = [[[token for token in game_.split() if token.startswith("*")] for game_ in run] for run in runs]
    assert draws[0] == draws[1] == draws[2]


def test_a_function_sees_what_its_player_knows_and_nothing_else() -> None:
    game = tilery.load("toy", hand=4)
    seen: list[str] = []

    def first(state: Any, rng: np.random.Generator) -> int:
        seen.append(state.information_state_string(state.current_player()))
        assert rng.integers(10) < 10
        return state.legal_actions()[0]

    _, tokens = tilery.simulate(game, 3, policies=[first, "random"], records=True, threads=8)
    expected = []
    for tokens_of_game in tokens:
        state = game.new_initial_state()
        for token in tokens_of_game.split():
            if state.current_player() == 0:
                expected.append(state.information_state_string(0))
                assert state.string_to_action(token) == state.legal_actions()[0]
            state.apply_action(state.string_to_action(token))
    assert seen == expected


def test_a_function_that_goes_wrong() -> None:
    game = tilery.load("toy")
    with pytest.raises(tilery.errors.IllegalActionError, match="seat 1 in game 4"):
        tilery.simulate(game, 3, first=4, policies=["random", lambda _state, _rng: 10**6])
    with pytest.raises(tilery.errors.IllegalActionError):
        tilery.simulate(game, 1, policies=lambda _state, _rng: "x")
    with pytest.raises(ZeroDivisionError):
        tilery.simulate(game, 1, policies=lambda _state, _rng: 1 // 0)


def test_wrong_policies_are_refused() -> None:
    game = tilery.load("toy")
    with pytest.raises(ValueError, match="unknown policy 'best'"):
        tilery.simulate(game, 1, policies="best")
    with pytest.raises(ValueError, match="one for each of 2 seats, got 3"):
        tilery.simulate(game, 1, policies=["random"] * 3)
    for wrong in (5, None, [5, "random"], {"random"}, np.array([1, 2])):
        with pytest.raises(TypeError, match="policy"):
            tilery.simulate(game, 1, policies=wrong)  # type: ignore[call-overload]
    texts: Any = np.array(["greedy", "random"])
    assert np.array_equal(*(tilery.simulate(game, 9, policies=each) for each in (texts, texts.tolist())))


def test_a_game_may_be_named() -> None:
    assert np.array_equal(tilery.simulate("toy", 20, seed=3), tilery.simulate(tilery.load("toy"), 20, seed=3))
    with pytest.raises(ValueError, match="unknown game 'toi'"):
        tilery.simulate("toi", 20)


def test_functions_play_on_the_thread_of_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    """All games on one thread, whatever is asked for; by default as many threads as cores."""
    threads: set[int] = set()

    def first(state: Any, _rng: object) -> int:
        threads.add(threading.get_ident())
        return int(state.legal_actions()[0])

    asked: list[int] = []

    class Watched:
        """The game, with the number of threads that the engine is asked for."""

        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def _simulate_into(self, *arguments: Any) -> Any:
            asked.append(arguments[5])
            return self.inner._simulate_into(*arguments)

        def __getattr__(self, name: str) -> Any:
            return getattr(self.inner, name)

    game: Any = Watched(tilery.load("toy"))
    tilery.simulate(game, 20, threads=3, policies=[first, "random"])
    tilery.simulate(game, 20, threads=3)
    monkeypatch.setattr("os.sched_getaffinity", lambda process: set(range(7 + process)), raising=False)
    tilery.simulate(game, 20)
    assert asked == [1, 3, 7]
    assert threads == {threading.get_ident()}


class Index:
    """An integer of another library."""

    def __index__(self) -> int:
        return 1


@pytest.mark.parametrize(("name", "most"), [("n", 2**40), ("first", 2**63), ("threads", 1024)])
def test_numbers_have_bounds(name: str, most: int) -> None:
    least = int(name == "threads")
    for number in (least - 1, most + 1, 1.0, True, np.array([1]), np.float64(1), "1"):
        with pytest.raises(ValueError, match=f"{name} must be an integer from {least} to {most}, got"):
            tilery.simulate("toy", **({"n": 1} | {name: number}))
    one: Any
    for one in (np.int64(1), np.array(1), Index()):
        assert len(tilery.simulate("toy", **({"n": 1} | {name: one}))) == 1
    if name != "n":
        for number in (least, most):
            assert len(tilery.simulate("toy", 1, **{name: number})) == 1
