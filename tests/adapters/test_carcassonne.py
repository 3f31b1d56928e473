"""Environments with the ids of `tilery.carcassonne.CompactActions`, and arrays that are handed out again."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import tilery
from tilery import carcassonne

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install 'tilery[gymnasium]'")
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install 'tilery[pettingzoo]'")

import gymnasium
import pettingzoo.test as suite
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import tilery.gymnasium
import tilery.pettingzoo
from tilery import spaces

GYMNASIUM = "tilery/Carcassonne-v0"
WINDOW = 25


def test_pettingzoo_plays_the_game_with_compact_ids() -> None:
    env = tilery.pettingzoo.raw_env("carcassonne", compact=WINDOW)
    ids, rng = carcassonne.CompactActions(env.game, WINDOW), np.random.default_rng(1)
    env.reset(seed=4)
    assert env.action_space("player_0").n == ids.num_actions == 2548
    for agent in env.agent_iter():
        seen, _, over, truncated, info = env.last()
        assert not truncated
        if over:
            env.step(None)
            continue
        state = env.position
        assert (seen["action_mask"] == ids.mask(state)).all()
        assert (info["action_mask"] == seen["action_mask"]).all()
        assert env.observation_space(agent).contains(seen)
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        expected = state.child(ids.expand(state, action))
        env.step(action)
        if not expected.is_chance_node() and not expected.is_terminal():
            assert env.position == expected


@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@pytest.mark.parametrize("window", [3, WINDOW])
def test_the_suites_of_pettingzoo(window: int) -> None:
    suite.api_test(tilery.pettingzoo.env("carcassonne", compact=window), num_cycles=300)
    suite.seed_test(lambda: tilery.pettingzoo.env("carcassonne", compact=window), num_cycles=100)


def test_gymnasium_plays_the_game_with_compact_ids() -> None:
    env: Any = gymnasium.make(GYMNASIUM, compact=WINDOW, render_mode="ansi").unwrapped
    check_env(env, skip_render_check=True)
    ids, rng = carcassonne.CompactActions(env.game, WINDOW), np.random.default_rng(1)
    _, info = env.reset(seed=2)
    over = False
    while not over:
        assert (info["action_mask"] == ids.mask(env.position)).all()
        assert (env.action_masks() == info["action_mask"]).all()
        _, reward, over, truncated, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        assert not truncated
    assert not info["action_mask"].any()
    assert reward in (-1.0, 0.0, 1.0)
    assert not info["illegal"]


def test_an_illegal_compact_action_loses_or_raises() -> None:
    for illegal in ("lose", "raise"):
        env: Any = gymnasium.make(GYMNASIUM, compact=WINDOW, illegal=illegal).unwrapped
        for action in (-1, 2548, 0):
            env.reset(seed=1)
            if illegal == "raise":
                with pytest.raises(tilery.IllegalActionError):
                    env.step(action)
            else:
                assert env.step(action)[1:3] == (-1.0, True)
    raw = tilery.pettingzoo.raw_env("carcassonne", compact=WINDOW)
    raw.reset(seed=1)
    before = raw.position
    for wrong in (-1, 2548, 0, "a"):
        with pytest.raises(tilery.IllegalActionError):
            raw.step(wrong)
    assert raw.position == before


def test_a_game_that_leaves_the_window_is_truncated() -> None:
    env: Any = gymnasium.make(GYMNASIUM, compact=3).unwrapped
    _, info = env.reset(seed=1)
    over = truncated = False
    while not (over or truncated):
        _, reward, over, truncated, info = env.step(int(info["action_mask"].argmax()))
    assert (over, truncated, reward) == (False, True, 0.0)
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset()
    played = tilery.pettingzoo.env("carcassonne", compact=3)
    played.reset(seed=1)
    while played.agents and not any(played.truncations.values()):
        played.step(int(played.infos[played.agent_selection]["action_mask"].argmax()))
    assert all(played.truncations.values())
    assert not any(played.terminations.values())
    assert set(played.rewards.values()) == {0.0}


def test_some_of_many_are_truncated_and_others_end() -> None:
    """test_gymnasium.py compares each game with that of an environment alone."""
    envs = gymnasium.make_vec(GYMNASIUM, num_envs=32, compact=9, autoreset_mode="SameStep", dtype="uint8")
    _, infos = envs.reset(seed=1)
    assert infos["action_mask"].shape == (32, 36 + 12 + 4 * 9 * 9)
    found, rng = np.zeros(2, int), np.random.default_rng(1)
    for _ in range(120):
        masks = infos["action_mask"]
        _, rewards, terminated, truncated, infos = envs.step((masks * rng.random(masks.shape)).argmax(axis=1))
        assert infos["action_mask"].any(axis=1).all()
        assert not rewards[~terminated].any()
        if truncated.any():
            final = infos["final_info"]
            assert final["_illegal"][truncated].all()
            assert not final["illegal"].any()
            assert not final["action_mask"][truncated].any()
            assert not final["scores"][truncated].any()
        found += terminated.sum(), truncated.sum()
    assert found.all()


def test_a_window_without_decisions_is_refused() -> None:
    for make in (tilery.gymnasium.Env, lambda *args, **kwargs: tilery.gymnasium.VectorEnv(4, *args, **kwargs)):
        with pytest.raises(ValueError, match="before the player had a decision inside the window"):
            make("carcassonne", compact=1)


@pytest.mark.parametrize(("name", "options"), [("pueblo", {}), ("carcassonne", {"table": [-3, -3, 3, 3]})])
def test_games_without_compact_ids_are_refused(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"compact|window"):
        tilery.pettingzoo.env(name, compact=WINDOW, **options)
    with pytest.raises(ValueError, match=r"compact|window"):
        tilery.gymnasium.Env(name, compact=WINDOW, **options)
    with pytest.raises(ValueError, match=r"compact|window"):
        tilery.gymnasium.VectorEnv(2, name, compact=WINDOW, **options)


def test_arrays_are_handed_out_again_when_nobody_holds_them() -> None:
    arrays = spaces.Arrays((2, 3), np.int8)
    first = arrays.take()
    view = first.view(np.bool_)
    address = first.ctypes.data
    second = arrays.take()
    assert second.ctypes.data != address
    del first
    assert arrays.take().ctypes.data not in (address, second.ctypes.data)  # the view still shows it
    del view
    assert arrays.take().ctypes.data == address
    held = [arrays.take() for _ in range(3 * arrays.KEPT)]
    assert len({array.ctypes.data for array in held}) == len(held)
    for other in (copy.deepcopy(arrays), pickle.loads(pickle.dumps(arrays))):
        assert other.take().shape == (2, 3)
