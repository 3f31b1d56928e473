"""Batches: many games stepped together play the very games of tilery.simulate (docs/batches.md)."""

from __future__ import annotations

import copy
import itertools
import pickle
import re
import signal
import sys
import threading
import time
from typing import Any

import hypothesis.strategies as st
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings

import tilery
from tests.kit.games import GAMES, options_of
from tests.kit.observing import divisors
from tilery.reference.rng import Rng

PROPERTIES = ("num_legal_actions", "current_player", "done", "returns", "scores", "game_index", "player")


def play_games(batch: Any, games: int) -> dict[int, tuple[list[float], list[int]]]:
    """Returns and scores of the games below `games`, stepped at random."""
    ended: dict[int, tuple[list[float], list[int]]] = {}
    while len(ended) < games:
        waiting = np.flatnonzero(batch.num_legal_actions == 0)  # over before the player of the batch could decide
        if len(waiting) > 0:
            ended |= {int(batch.game_index[i]): (batch[i].returns(), batch[i].scores()) for i in waiting}
            batch.reset()
            continue
        before = batch.game_index.copy()
        batch.step(batch.random_indices())
        for slot in np.flatnonzero(batch.done):
            if before[slot] < games:
                ended[int(before[slot])] = (batch.returns[slot].tolist(), batch.scores[slot].tolist())
    return ended


def assert_same_games(ended: dict[int, tuple[list[float], list[int]]], results: npt.NDArray[np.void]) -> None:
    for index, (returns, scores) in enumerate(zip(results["returns"], results["scores"], strict=True)):
        assert ended[index] == (returns.tolist(), scores.tolist())


@pytest.mark.parametrize("name", GAMES)
def test_a_batch_plays_the_games_of_simulate(name: str) -> None:
    """Slot i plays games i, i + size, ...; neither the size nor the threads change a game."""

    @settings(max_examples=8)
    @given(options=options_of(name), seed=st.integers(0, 2**64 - 1), size=st.integers(1, 40), threads=st.integers(1, 3))
    def run(options: dict[str, Any], seed: int, size: int, threads: int) -> None:
        game = tilery.load(name, **options)
        games = 2 * size
        results = tilery.simulate(game, games, seed=seed)
        ended = play_games(game.batch(size, seed=seed, threads=threads), games)
        assert_same_games(ended, results)
        fresh = game.batch(size, seed=seed, threads=threads)
        fresh.playout()
        assert fresh.done.all()
        assert not fresh.num_legal_actions.any()
        assert (fresh.scores == results["scores"][:size]).all()
        assert (fresh.returns == results["returns"][:size]).all()

    run()


def assert_exact_dtypes(batch: Any) -> None:
    """Integer dtypes hold the integers that float32 has divided, or are refused with a part that they would cut off."""
    parts = batch.game.observation_parts
    for dtype in (np.uint8, np.int16):
        too_great = [part for part in parts if part.most > np.iinfo(dtype).max]
        if too_great:
            with pytest.raises(ValueError, match=rf"is not exact for tilery\..*: the part '{too_great[0].name}'"):
                batch.observations(dtype=dtype)
            continue
        for observed in (batch.observations, batch.final_observations):
            exact = observed(dtype=dtype)
            assert exact.dtype == dtype
            assert ((exact / divisors(batch.game)).astype(np.float32) == observed()).all()


@pytest.mark.parametrize("name", GAMES)
def test_what_a_batch_says_is_what_its_states_say(name: str) -> None:
    @settings(max_examples=8)
    @given(options=options_of(name), seed=st.integers(0, 2**32), steps=st.integers(0, 60))
    def run(options: dict[str, Any], seed: int, steps: int) -> None:
        game = tilery.load(name, **options)
        batch = game.batch(5, seed=seed)
        for _ in range(steps):
            batch.step(batch.random_indices())
        states = [batch[i] for i in range(5)]
        legal = [state.legal_actions() for state in states]
        assert batch.num_legal_actions.tolist() == [len(actions) for actions in legal]
        assert batch.current_player.tolist() == [state.current_player() for state in states]
        offsets, ids = batch.legal_actions()
        assert offsets.dtype == np.int64
        assert ids.dtype == np.int32
        assert [ids[a:b].tolist() for a, b in itertools.pairwise(offsets)] == legal
        mask = batch.legal_actions_mask()
        assert (mask == np.array([state.legal_actions_mask() for state in states])).all()
        assert (batch.legal_actions_mask(packed=True) == np.packbits(mask, axis=1, bitorder="little")).all()
        observations = batch.observations()
        assert observations.dtype == np.float32
        assert_exact_dtypes(batch)
        assert (observations == np.array([state.observation_tensor(state.current_player()) for state in states])).all()
        for player in range(game.num_players):
            expected = np.array([state.observation_tensor(player) for state in states])
            assert (batch.observations(player=player) == expected).all()
        again = game.batch(5, seed=seed)
        for i, state in enumerate(states):
            again[i] = state
            assert again[i] == state
        batch.determinize(0, seed)
        for i, state in enumerate(states):
            assert batch[i] == state.determinize(0, tilery.Rng(seed, i))

    run()


@pytest.mark.parametrize("opponents", [None, "random", "greedy,worlds=1"])
@pytest.mark.parametrize("name", GAMES)
def test_opponents_play_the_games_of_simulate(name: str, opponents: str | None) -> None:
    """A batch of one player, stepped by random_indices, plays the games of simulate with these policies."""

    @settings(max_examples=3)
    @given(options=options_of(name), seed=st.integers(0, 2**64 - 1), size=st.integers(1, 3), data=st.data())
    def run(options: dict[str, Any], seed: int, size: int, data: Any) -> None:
        game = tilery.load(name, **options)
        rotate = data.draw(st.booleans())
        player = "rotate" if rotate else data.draw(st.integers(0, game.num_players - 1))
        seats = [opponents or "random"] * game.num_players
        seats[0 if rotate else player] = "random"
        results = tilery.simulate(game, size + 1, seed=seed, policies=seats, rotate=rotate)
        for threads in (1, 3):
            batch = game.batch(size, seed=seed, threads=threads, player=player, opponents=opponents)
            stops = batch.num_legal_actions > 0
            assert (batch.current_player[stops] == batch.player[stops]).all()
            if rotate:
                assert (results["policy"][np.arange(size), batch.player] == 0).all()
            else:
                assert (batch.player == player).all()
            fresh = batch.clone()
            assert_same_games(play_games(batch, size + 1), results)
            fresh.playout()
            assert (fresh.done == stops).all()
            assert (fresh.scores[stops] == results["scores"][:size][stops]).all()
            assert (fresh.returns[stops] == results["returns"][:size][stops]).all()

    run()


@pytest.mark.parametrize("name", GAMES)
def test_opponents_by_hand(name: str) -> None:
    """The same games from states, a policy and the documented streams, with a player who takes the last action."""
    policy, seed, size, stops = tilery.policy("greedy"), 11, 2, 40
    game = tilery.load(name)
    player = game.num_players - 1
    batch = game.batch(size, seed=seed, player=player, opponents=policy)
    states: dict[int, tuple[Any, list[Rng]]] = {}

    def arrive(index: int) -> Any:
        state, streams = states[index]
        while not state.is_terminal() and state.current_player() != player:
            if state.is_chance_node():
                outcomes = state.chance_weights()
                r = streams[0].below(sum(weight for _, weight in outcomes))
                for action, weight in outcomes:
                    r -= weight
                    if r < 0:
                        state.apply_action(action)
                        break
            else:
                state.apply_action(policy.choose(state, streams[1 + state.current_player()]))
        return state

    def begin(index: int) -> None:
        states[index] = (game.new_initial_state(), [Rng.of(seed, k, index) for k in range(1 + game.num_players)])
        assert not arrive(index).is_terminal()

    for slot in range(size):
        begin(slot)
    for _ in range(stops):
        indices = batch.game_index.tolist()
        assert (batch.current_player == player).all()
        for slot, index in enumerate(indices):
            assert batch[slot] == states[index][0]
        batch.step(batch.num_legal_actions.astype(np.int64) - 1)
        for slot, index in enumerate(indices):
            state = states[index][0]
            state.apply_action(state.legal_actions()[-1])
            assert arrive(index).is_terminal() == batch.done[slot]
            assert batch.returns[slot].tolist() == state.returns()
            if state.is_terminal():
                assert (batch.final_observations()[slot] == state.observation_tensor(player)).all()
                begin(index + size)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("waiting", [False, True])
def test_a_signal_ends_the_thinking_of_opponents(waiting: bool) -> None:
    """No game has moved then, whichever thread thinks; a thread that waits for the batch meanwhile stops nobody."""
    batch = tilery.load("toy").batch(3, threads=2, player=0, opponents="uct,seconds=600")
    before, seen = batch.clone(), []
    threads = [threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT))]
    if waiting:
        threads.append(threading.Timer(0.1, lambda: seen.append(batch[0])))
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012  the signal may come at once
        for thread in threads:
            thread.start()
        batch.step(np.zeros(3, int))
    for thread in threads:
        thread.join()
    assert time.perf_counter() - began < 300
    assert same(batch, before)
    assert seen == [before[0]] * waiting


def same(a: Any, b: Any) -> bool:
    return all((getattr(a, name) == getattr(b, name)).all() for name in PROPERTIES) and all(
        a[i] == b[i] for i in range(len(a))
    )


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "arguments", [{}, {"autoreset": False}, {"player": "rotate"}, {"player": 0, "opponents": "greedy,worlds=1"}]
)
def test_copies_play_on_alike(name: str, arguments: dict[str, Any]) -> None:
    game = tilery.load(name)
    batch = game.batch(6, seed=3, first=10, **arguments)
    for _ in range(2 * game.max_game_length):
        indices = batch.random_indices()
        if (indices == -1).all() or batch.done.any():
            break
        batch.step(indices)
    copies = [batch.clone(), copy.copy(batch), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    copies.append(batch.select(np.arange(6)))
    assert (copies[0].final_observations() == batch.final_observations()).all()
    assert batch.final_observations()[batch.done].any()
    for _ in range(30):
        indices = batch.random_indices()
        for other in copies:
            assert same(batch, other)
            assert (other.random_indices() == indices).all()
            other.step(indices)
        batch.step(indices)
    twice = batch.select([2, 2, -1])
    assert twice[0] == twice[1] == batch[2]
    assert twice[2] == batch[5]
    with pytest.raises(ValueError, match="at most 16777216 entries, got 16777217"):
        batch.select(np.broadcast_to(np.int8(0), 2**24 + 1))


def test_games_wait_for_a_reset() -> None:
    game = tilery.load("toy")
    batch = game.batch(4, seed=1, autoreset=False)
    while batch.num_legal_actions.any():
        batch.step(batch.random_indices())
    assert (batch.current_player == tilery.TERMINAL).all()
    assert (batch.random_indices() == -1).all()
    assert len(batch.legal_actions()[1]) == 0
    assert not batch.legal_actions_mask().any()
    assert not batch.observations().any()
    assert batch[0].is_terminal()
    with pytest.raises(tilery.IllegalActionError, match=r"slot 0 \(game 0\).*waits for a reset"):
        batch.step(np.zeros(4, int))
    batch.reset(np.array([True, False, True, False]))
    assert batch.game_index.tolist() == [4, 1, 6, 3]
    assert batch.num_legal_actions.astype(bool).tolist() == [True, False, True, False]
    batch.reset()
    assert batch.game_index.tolist() == [4, 5, 6, 7]


@pytest.mark.parametrize("name", GAMES)
def test_final_observations_are_of_the_last_states(name: str) -> None:
    game = tilery.load(name)
    batch, mirror = game.batch(8, seed=5), game.batch(8, seed=5, autoreset=False)
    while not batch.done.any():
        indices = batch.random_indices()
        assert (mirror.random_indices() == indices).all()
        decided = batch.current_player.copy()
        batch.step(indices)
        mirror.step(indices)
    final, by_player = batch.final_observations(), batch.final_observations(player=1)
    for slot in range(8):
        if batch.done[slot]:
            assert (final[slot] == mirror[slot].observation_tensor(int(decided[slot]))).all()
            assert (by_player[slot] == mirror[slot].observation_tensor(1)).all()
        else:
            assert not final[slot].any()


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64])
def test_indices_of_any_integer_type(dtype: npt.DTypeLike) -> None:
    game = tilery.load("toy")
    batch, other = game.batch(3, seed=2), game.batch(3, seed=2)
    batch.step(np.zeros(3, dtype))
    other.step([0, 0, 0])
    assert same(batch, other)
    offsets, ids = batch.legal_actions()
    batch.apply_actions(ids[offsets[:-1]].astype(dtype))
    other.step(np.zeros(3, dtype))
    assert same(batch, other)


def test_minus_one_leaves_a_game_alone() -> None:
    batch = tilery.load("toy").batch(3, seed=2)
    before = [batch[i] for i in range(3)]
    batch.step(np.array([-1, 0, -1]))
    assert batch[0] == before[0]
    assert batch[1] != before[1]
    batch.apply_actions(np.array([-1, -1, -1]))
    assert batch[2] == before[2]


BAD_INDICES = [
    (np.zeros(3), ValueError, "indices must be an array of integers .* float64"),
    (np.zeros(3, bool), ValueError, "indices must be an array of integers .* bool"),
    (np.zeros(3, ">i4"), ValueError, "indices must be an array of integers in native byte order"),
    (np.zeros(2, int), ValueError, r"indices must have shape \(3,\), got \(2,\)"),
    (np.zeros((3, 1), int), ValueError, r"indices must have shape \(3,\), got \(3, 1\)"),
    (np.zeros(6, int)[::2], ValueError, "indices must be contiguous"),
    ("abc", ValueError, "indices must"),
    (None, ValueError, "indices must"),
    (np.array([0, 10**6, 0]), tilery.IllegalActionError, r"slot 1 \(game 1\): index 1000000 is not in \[0, "),
    (np.array([0, 0, -2]), tilery.IllegalActionError, r"slot 2 \(game 2\): index -2 is not in"),
    (np.array([2**32 - 1, 0, 0]), tilery.IllegalActionError, "slot 0 .* index 4294967295 is not in"),
    (np.array([2**63, 0, 0], np.uint64), tilery.IllegalActionError, "slot 0 .* index 9223372036854775808 is not in"),
    (np.array([-(2**63), 0, 0]), tilery.IllegalActionError, "slot 0 .* index -9223372036854775808 is not in"),
]


@pytest.mark.parametrize(("indices", "error", "message"), BAD_INDICES)
def test_bad_indices_move_no_game(indices: Any, error: type[Exception], message: str) -> None:
    batch = tilery.load("toy").batch(3, seed=2)
    before = batch.clone()
    with pytest.raises(error, match=message):
        batch.step(indices)
    with pytest.raises(error):
        batch.apply_actions(indices)
    assert same(batch, before)


def test_illegal_ids_name_slot_game_and_action() -> None:
    game = tilery.load("toy")
    batch = game.batch(2, seed=2, first=7)
    legal = batch[1].legal_actions()
    illegal = next(a for a in range(game.num_distinct_actions) if a not in legal)
    token = re.escape(game.action_to_string(illegal))
    before = batch.clone()
    with pytest.raises(tilery.IllegalActionError, match=rf"slot 1 \(game 8\): action {illegal} \('{token}'\)"):
        batch.apply_actions([batch[0].legal_actions()[0], illegal])
    assert same(batch, before)


@pytest.mark.parametrize(
    ("call", "out", "message"),
    [
        ("random_indices", np.zeros(3, np.int64), "out must have dtype int32, got int64"),
        ("random_indices", np.zeros(2, np.int32), r"out must have shape \(3,\), got \(2,\)"),
        ("random_indices", [0, 0, 0], "out must be a NumPy array"),
        ("legal_actions_mask", np.zeros((3, 10), np.uint8), "out must have dtype bool, got uint8"),
        ("legal_actions_mask", np.zeros((10, 3), bool).T, "out must be contiguous"),
        ("observations", np.zeros((3, 2), np.float32), r"out must have shape \(3, 17\), got \(3, 2\)"),
        ("final_observations", np.zeros((3, 17)), "out must have dtype float32, got float64"),
        ("observations", np.zeros((3, 17), np.uint8), "out must have dtype float32, got uint8"),
    ],
)
def test_bad_buffers(call: str, out: Any, message: str) -> None:
    batch = tilery.load("toy").batch(3)
    with pytest.raises(ValueError, match=message):
        getattr(batch, call)(out)


@pytest.mark.parametrize(
    "dtype", ["float64", "float16", "uint16", "i1", ">i2", ">f4", "O", "M8[s]", "wrong", None, 7, {}]
)
def test_bad_dtypes(dtype: Any) -> None:
    batch = tilery.load("toy").batch(3)
    for call in (batch.observations, batch.final_observations):
        with pytest.raises(ValueError, match="dtype must be float32, uint8 or int16, got"):
            call(dtype=dtype)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_indices_by_own_numbers(name: str, dtype: Any) -> None:
    batch, rng = tilery.load(name).batch(40, seed=2, autoreset=False), np.random.default_rng(5)
    while not batch.done.any():
        batch.random_step()
    for uniforms in (rng.random(40, dtype), np.zeros(40, dtype), np.full(40, np.nextafter(dtype(1), dtype(0)))):
        counts = batch.num_legal_actions.astype(np.int64)
        expected = np.minimum((uniforms.astype(np.float64) * counts).astype(np.int64), counts - 1)
        out = np.full(40, 7, np.int32)
        assert batch.indices(uniforms, out) is out
        assert (out == expected).all()
        assert (out[counts == 0] == -1).all()
        batch.step(batch.indices(uniforms))


def test_bad_numbers_for_indices() -> None:
    batch, out = tilery.load("toy").batch(3), np.full(3, 7, np.int32)
    for uniforms, message in (
        ([0.5, 1.0, 0.5], r"uniforms must be in \[0, 1\), got 1.000000 for slot 1"),
        ([0.5, 0.5, -1e-9], "for slot 2"),
        ([np.nan, 0.5, 0.5], "got nan for slot 0"),
        ([0.5, 0.5], r"uniforms must have shape \(3,\), got \(2,\)"),
        (np.zeros(3, np.int64), "uniforms must have dtype float64 or float32, got int64"),
        (np.zeros(3, ">f8"), "uniforms must have dtype float64 or float32, got >f8"),
        (np.zeros(6)[::2], "uniforms must be contiguous"),
    ):
        with pytest.raises(ValueError, match=message):
            batch.indices(uniforms, out)
    with pytest.raises(ValueError, match="out must have dtype int32, got int64"):
        batch.indices(np.zeros(3), np.zeros(3, np.int64))
    assert (out == 7).all()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("arguments", [{}, {"threads": 2}, {"player": "rotate", "opponents": "greedy,worlds=1"}])
def test_a_random_step_is_a_step_by_random_indices(name: str, arguments: dict[str, Any]) -> None:
    batch = tilery.load(name).batch(40, seed=3, **arguments)
    other = batch.clone()
    for _ in range(60):
        batch.random_step()
        other.step(other.random_indices())
        assert same(batch, other)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"autoreset": False},
        {"threads": 2},
        {"player": 1},
        {"player": "rotate", "opponents": "greedy,worlds=1", "autoreset": False},
    ],
)
@pytest.mark.parametrize(("columns", "dtype"), [(0, np.float32), (1, np.float64), (7, np.float32), (40, np.float64)])
def test_random_steps_are_steps_until_a_game_ends(
    name: str, arguments: dict[str, Any], columns: int, dtype: Any
) -> None:
    batch, rng = tilery.load(name).batch(20, seed=3, **arguments), np.random.default_rng(columns)
    probe, steps = batch.clone(), 0
    while not probe.done.any():
        probe.random_step()
        steps += 1
    for _ in range(steps - 10):  # to shortly before the end of the first game
        batch.random_step()
    ends = 0
    for _ in range(6):
        other, taken = batch.clone(), 0
        done, returns, scores = np.zeros(20, bool), np.zeros_like(batch.returns), np.zeros_like(batch.scores)
        last = np.zeros((20, *batch.game.observation_tensor_shape), np.float32)
        uniforms = rng.random((20, columns), dtype)
        for column in uniforms.T:
            indices = np.where(done, -1, other.indices(np.ascontiguousarray(column)))
            taken += int((indices >= 0).sum())
            other.step(indices)
            done |= other.done
            returns += other.returns
            scores += other.scores
            last += other.final_observations()
        assert batch.random_steps(uniforms) == taken
        for found in ("num_legal_actions", "current_player", "game_index", "player"):
            assert (getattr(batch, found) == getattr(other, found)).all()
        assert all(batch[i] == other[i] for i in range(20))
        assert (batch.done == done).all()
        assert (batch.returns == returns).all()
        assert (batch.scores == scores).all()
        assert (batch.final_observations() == last).all()
        assert (batch.random_indices() == other.random_indices()).all()  # the streams have gone on alike
        ends += int(done.sum())
    assert ends > 0 or columns < 7


def test_bad_numbers_for_random_steps() -> None:
    batch = tilery.load("toy").batch(3, seed=4)
    before = batch.clone()
    for uniforms, message in (
        ([[0.5, 0.5], [0.5, 0.5], [0.5, 1.0]], r"uniforms must be in \[0, 1\), got 1.000000 for slot 2"),
        ([[np.nan], [0.5], [0.5]], "got nan for slot 0"),
        (np.zeros((2, 4)), r"uniforms must have shape \(3, 4\), got \(2, 4\)"),
        ([0.5, 0.5, 0.5], r"uniforms must have two dimensions, got shape \(3,\)"),
        (0.5, r"uniforms must have two dimensions, got shape \(\)"),
        (np.zeros((3, 2), np.int64), "uniforms must have dtype float64 or float32, got int64"),
        (np.zeros((2, 3)).T, "uniforms must be contiguous"),
        ("x", "uniforms must have two dimensions"),
    ):
        with pytest.raises(ValueError, match=message):
            batch.random_steps(uniforms)
    assert same(batch, before)


def test_bytes_are_filled_and_returned() -> None:
    batch = tilery.load("toy").batch(3, seed=1)
    out = np.full((3, 17), 99, np.uint8)
    assert batch.observations(out, "uint8") is out
    assert (out == batch.observations()).all()
    with pytest.raises(ValueError, match="out must have dtype uint8, got float32"):
        batch.observations(np.zeros((3, 17), np.float32), dtype=np.uint8)


def test_buffers_are_filled_and_returned() -> None:
    game = tilery.load("toy")
    batch = game.batch(3)
    for call, out in (
        ("random_indices", np.full(3, 7, np.int32)),
        ("legal_actions_mask", np.ones((3, game.num_distinct_actions), bool)),
        ("observations", np.full((3, *game.observation_tensor_shape), 7, np.float32)),
    ):
        assert getattr(batch, call)(out) is out
        assert not (out == 7).any()
        out.flags.writeable = False
        with pytest.raises(ValueError, match="out must be writable"):
            getattr(batch, call)(out)
    assert batch.observations().flags.writeable


def test_arrays_are_read_only_and_stay() -> None:
    batch = tilery.load("toy").batch(3)
    arrays = [getattr(batch, name) for name in PROPERTIES]
    batch.step(batch.random_indices())
    for name, array in zip(PROPERTIES, arrays, strict=True):
        assert getattr(batch, name) is array
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    del batch
    assert arrays[0].sum() > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"size": 0}, "size must be an integer from 1"),
        ({"size": True}, "size must be an integer"),
        ({"size": 3, "threads": 0}, "threads must be an integer from 1 to 1024, got 0"),
        ({"size": 3, "first": -1}, "first must be an integer"),
        ({"size": 3, "autoreset": 1}, "autoreset must be a bool, got 1"),
        ({"size": 3, "player": 2}, "player must be"),
        ({"size": 3, "player": -1}, "player must be"),
        ({"size": 3, "player": "0"}, "player must be"),
        ({"size": 3, "player": "Rotate"}, "player must be"),
        ({"size": 3, "opponents": "greedy"}, "opponents need a player"),
        ({"size": 3, "player": 0, "opponents": "best"}, "opponents: unknown policy 'best'; there are random, greedy"),
        ({"size": 3, "player": 0, "opponents": "uct:0"}, "opponents: policy uct: simulations must be"),
        ({"size": 3, "player": 0, "opponents": "gr\udceedy"}, "opponents: .* valid Unicode"),
        ({"size": 3, "player": 0, "opponents": 7}, "opponents must be a policy of the engine or its text, got 7"),
        ({"size": 3, "player": 0, "opponents": max}, "opponents must be a policy of the engine or its text, got <b"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tilery.load("toy").batch(**arguments)


def test_states_put_in_must_fit() -> None:
    game = tilery.load("toy")
    batch = game.batch(2)
    over = game.new_initial_state()
    while not over.is_terminal():
        over.apply_action(over.legal_actions()[0])
    before = batch.clone()
    with pytest.raises(ValueError, match="terminal"):
        batch[0] = over
    with pytest.raises(ValueError, match="rules"):
        batch[0] = tilery.load("toy", players=3).new_initial_state()
    with pytest.raises(TypeError, match="expected a state of toy"):
        batch[0] = tilery.load(next(name for name in GAMES if name != "toy")).new_initial_state()
    with pytest.raises(IndexError, match="no game 2 in a batch of 2"):
        batch[2]
    with pytest.raises(TypeError):
        batch["a"]
    assert same(batch, before)
    batch[-1] = game.new_initial_state()
    assert not batch[1].is_chance_node()


def test_threads_take_turns() -> None:
    """Two threads that step one batch neither crash it nor lose a step."""
    batch = tilery.load("toy").batch(64, seed=1, threads=2)
    steps = 200

    def work() -> None:
        for _ in range(steps):
            batch.step(np.full(64, -1))
            batch.legal_actions_mask()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert same(batch, tilery.load("toy").batch(64, seed=1))


@pytest.mark.slow
def test_copies_on_threads_count_references() -> None:
    """A copy counts a reference to the game, as other threads do at the same time: none is lost or left over.

    Copies mostly wait, without the GIL, for a thread that plays the batch. An engine with assertions finds a count
    without the GIL even where none is lost (nox -s debug).
    """
    game = tilery.load("toy")
    batch = game.batch(20_000, seed=1)
    games = [game] * 100_000
    before = sys.getrefcount(game)
    copied = threading.Event()

    def count() -> None:
        while not copied.is_set():
            games.copy()

    def play() -> None:
        while not copied.is_set():
            batch.step(batch.random_indices())

    threads = [threading.Thread(target=work) for work in (count, play)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for _ in range(200):
            batch.clone()
            batch.select([1])
    finally:
        copied.set()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(interval)
    assert sys.getrefcount(game) == before
