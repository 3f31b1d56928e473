"""The environments of Gymnasium: its own checks for every game, and laws that these do not ask for."""

from __future__ import annotations

import contextlib
import copy
import doctest
import functools
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import tilery
from tests.kit.games import GAMES, variants
from tests.kit.observing import divisors
from tilery.line_ups import LineUp

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install 'tilery[gymnasium]'")

import gymnasium
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

import tilery.gymnasium

IDS = {
    name: known for name in GAMES for known in tilery.gymnasium.register() if name == known[7:-3].lower()
}  # "tilery/TajMahal-v0"
VARIANTS = [(name, options) for name in GAMES for options in variants(name)]
MODES = list(AutoresetMode)


def small(name: str) -> dict[str, Any]:
    """Options under which a game has few actions: of a game with a table, the smallest one among its variants."""
    tables = [options for options in variants(name) if "table" in options]
    return min(tables, key=lambda options: tilery.load(name, **options).num_distinct_actions, default={})


# Windows in which some games are truncated, and others are played to the end.
COMPACT = [
    (name, {"compact": window})
    for name in GAMES
    if hasattr(getattr(tilery, name, None), "CompactActions")
    for window in (5, 9)
]
SMALL = [(name, small(name)) for name in GAMES] + COMPACT


def choose(observation: npt.NDArray[Any], mask: npt.NDArray[np.int8]) -> int:
    """A legal action that depends on everything that is seen; 0 if there is none."""
    legal = np.flatnonzero(mask)
    return int(legal[hash(observation.tobytes()) % len(legal)]) if len(legal) else 0


def choose_all(observations: npt.NDArray[Any], infos: dict[str, Any]) -> npt.NDArray[np.int64]:
    return np.array([choose(*row) for row in zip(observations, infos["action_mask"], strict=True)])


def games_of(envs: VectorEnv, seed: int, steps: int) -> dict[int, list[Any]]:
    """What happened in each game, by its number: [(observation, mask, player), ..., (observation, reward, ...)]."""
    size, mode = envs.num_envs, envs.metadata["autoreset_mode"]
    games: dict[int, list[Any]] = {i: [] for i in range(size)}
    number = np.arange(size)
    live = np.ones(size, bool)
    observations, infos = envs.reset(seed=seed)
    for _ in range(steps):
        for i in np.flatnonzero(live):
            games[number[i]].append((observations[i].tobytes(), infos["action_mask"][i].tobytes(), infos["player"][i]))
        observations, rewards, terminated, truncated, infos = envs.step(choose_all(observations, infos))
        ended = terminated | truncated
        assert not (terminated & truncated).any()
        assert (rewards[~terminated] == 0).all()
        same = mode is AutoresetMode.SAME_STEP
        last = infos.get("final_obs", observations) if same else observations
        final = infos.get("final_info", {}) if same else infos
        for i in np.flatnonzero(ended):
            assert live[i]
            result = (float(rewards[i]), bool(truncated[i]), final["scores"][i].tolist())
            games[number[i]].append((last[i].tobytes(), *result))
            number[i] += size
            games[number[i]] = []
        live = np.ones(size, bool) if same else ~ended
        if mode is AutoresetMode.DISABLED and ended.any():
            observations, infos = envs.reset(options={"reset_mask": ended})
            live = np.ones(size, bool)
    return games


def game_of(env: gymnasium.Env[Any, Any], seed: int | None) -> list[Any]:
    """The same of the next game of an environment alone."""
    observation, info = env.reset(seed=seed)
    game: list[Any] = []
    while True:
        game.append((observation.tobytes(), info["action_mask"].tobytes(), info["player"]))
        observation, reward, over, truncated, info = env.step(choose(observation, info["action_mask"]))
        if over or truncated:
            return [*game, (observation.tobytes(), reward, truncated, info["scores"].tolist())]


class TestChecks:
    """What Gymnasium offers to the authors of environments; a warning is an error."""

    @pytest.mark.parametrize(("name", "options"), VARIANTS)
    def test_check_env(self, name: str, options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
        check_env(gymnasium.make(IDS[name], **options).unwrapped)
        assert capsys.readouterr().out, "human mode prints"

    @pytest.mark.parametrize("mode", ["sync", "async", "vector_entry_point", None])
    @pytest.mark.parametrize("name", GAMES)
    def test_make_vec(self, name: str, mode: str | None) -> None:
        envs = gymnasium.make_vec(IDS[name], num_envs=2, vectorization_mode=mode)
        assert isinstance(envs, tilery.gymnasium.VectorEnv) == (mode in (None, "vector_entry_point"))
        observations, infos = envs.reset(seed=1)
        for _ in range(3):
            assert observations in envs.observation_space
            observations, _, _, _, infos = envs.step(choose_all(observations, infos))
        envs.close()

    @pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
    @pytest.mark.parametrize("name", GAMES)
    def test_wrappers(self, name: str, mode: AutoresetMode) -> None:
        """Those that only watch work in both modes; those that change observations demand NEXT_STEP."""
        wrappers = gymnasium.wrappers.vector
        watching = [wrappers.RecordEpisodeStatistics, wrappers.DictInfoToList]
        changing = [wrappers.FlattenObservation, wrappers.RecordEpisodeStatistics]
        for wrapper in [*watching, *(changing if mode is AutoresetMode.NEXT_STEP else [])]:
            envs = wrapper(gymnasium.make_vec(IDS[name], num_envs=2, autoreset_mode=mode))
            envs.reset(seed=1)
            for _ in range(5):
                masks = envs.unwrapped.action_masks()
                assert envs.step(masks.argmax(axis=1))[0] in envs.observation_space

    @pytest.mark.parametrize("name", GAMES)
    def test_ids_may_name_the_module(self, name: str) -> None:
        """In a process that has not imported it, they have to."""
        code = (
            "import gymnasium\n"
            "try:\n"
            f"    gymnasium.make('{IDS[name]}')\n"
            "except gymnasium.error.NamespaceNotFound:\n"
            "    print('unknown')\n"
            f"print(gymnasium.make('tilery.gymnasium:{IDS[name]}').spec.id)\n"
            f"envs = gymnasium.make_vec('tilery.gymnasium:{IDS[name]}', num_envs=3)\n"
            "print(envs.spec.id, envs.reset(seed=1)[0].shape[0], type(envs).__module__)\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
        assert done.stdout.split() == ["unknown", IDS[name], IDS[name], "3", "tilery.gymnasium"]

    def test_registering_again_changes_nothing(self) -> None:
        before = dict(gymnasium.registry)
        assert set(tilery.gymnasium.register()) == set(IDS.values())
        assert before == gymnasium.registry


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_an_environment_shows_the_game(name: str, options: dict[str, Any]) -> None:
    """Observations, masks and rewards are those of the game, seen by the player whose turn it is."""
    env = gymnasium.make(IDS[name], **options)
    observation, info = env.reset(seed=3)
    over, reward = False, 0.0
    while not over:
        state, player = env.unwrapped.position, info["player"]
        assert state.current_player() == player
        assert (observation == state.observation_tensor(player)).all()
        assert (info["action_mask"] == state.legal_actions_mask()).all()
        assert (env.get_wrapper_attr("action_masks")() == state.legal_actions_mask()).all()  # as MaskablePPO asks
        assert reward == 0
        observation, reward, over, truncated, info = env.step(choose(observation, info["action_mask"]))
        assert not truncated
    state = env.unwrapped.position
    assert state.is_terminal()
    assert reward == state.returns()[info["player"]]
    assert info["scores"].tolist() == state.scores()
    assert not info["illegal"]
    assert not info["action_mask"].any()
    assert (observation == state.observation_tensor(info["player"])).all()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("name", "options"), SMALL)
def test_many_play_what_one_plays(name: str, options: dict[str, Any], mode: AutoresetMode) -> None:
    """Game k of a seed is the same in an environment alone and among many, in each mode."""
    envs = gymnasium.make_vec(IDS[name], num_envs=3, autoreset_mode=mode, opponents="greedy", **options)
    many = games_of(envs, 11, 250)
    env = gymnasium.make(IDS[name], opponents="greedy", **options)
    for number in range(4):
        alone = game_of(env, 11 if number == 0 else None)
        assert many[number] == alone[: len(many[number])]
    assert len(many[0]) > 1


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("name", "options"), SMALL)
def test_infos_are_those_of_sync_vector_env(name: str, options: dict[str, Any], mode: AutoresetMode) -> None:
    """The same keys, types and shapes at the beginning, in between and where games end."""

    def outline(infos: Any) -> Any:
        if isinstance(infos, dict):
            return {key: outline(value) for key, value in sorted(infos.items())}
        return infos.dtype, infos.shape

    ours = gymnasium.make_vec(IDS[name], num_envs=3, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: gymnasium.make(IDS[name], **options)] * 3, autoreset_mode=mode)
    outlines: list[set[str]] = []
    for envs in (ours, theirs):
        seen = set()
        observations, infos = envs.reset(seed=5)
        for _ in range(260):
            seen.add(str(outline(infos)))
            assert infos["_action_mask"].all()
            observations, _, terminated, truncated, infos = envs.step(choose_all(observations, infos))
            ended = terminated | truncated
            if ended.any() and mode is AutoresetMode.DISABLED:
                seen.add(str(outline(infos)))
                observations, infos = envs.reset(options={"reset_mask": ended})
                infos["_action_mask"][:] = True
        outlines.append(seen)
    assert outlines[0] == outlines[1]
    for space in ("observation_space", "action_space", "single_observation_space", "single_action_space"):
        assert getattr(ours, space) == getattr(theirs, space)


@pytest.mark.parametrize("dtype", ["uint8", "int16"])
@pytest.mark.parametrize("name", GAMES)
def test_observations_as_integers_are_the_same(name: str, dtype: str) -> None:
    plain, small = gymnasium.make_vec(IDS[name], num_envs=3), gymnasium.make_vec(IDS[name], num_envs=3, dtype=dtype)
    shown = [envs.reset(seed=8) for envs in (plain, small)]
    for _ in range(120):
        assert shown[1][0].dtype == dtype
        assert shown[1][0] in small.observation_space
        assert (shown[0][0] == (shown[1][0] / divisors(plain.unwrapped.game)).astype(np.float32)).all()
        results = [envs.step(choose_all(*shown[0])) for envs in (plain, small)]
        shown = [(result[0], result[4]) for result in results]
    check_env(gymnasium.make(IDS[name], dtype=dtype).unwrapped)


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_threads_change_nothing(name: str, options: dict[str, Any]) -> None:
    played = [
        games_of(gymnasium.make_vec(IDS[name], num_envs=33, threads=threads, **options), 2, 40) for threads in (1, 2)
    ]
    assert played[0] == played[1]


@pytest.mark.parametrize("name", [name for name in GAMES if tilery.load(name).num_chance_actions])
def test_no_two_games_are_alike(name: str) -> None:
    """Seeds, environments and episodes differ, also where no seed is given."""
    openings = []
    for seed in (1, 2, None):
        envs = gymnasium.make_vec(IDS[name], num_envs=4, player=0, players=tilery.options(name)["players"].high)
        for begin in (seed, None):
            seen = [envs.reset(seed=begin)]
            while len(seen) < 13:
                observations, _, _, _, infos = envs.step(choose_all(*seen[-1]))
                seen.append((observations, infos))
            openings += [b"".join(observations[i].tobytes() for observations, _ in seen) for i in range(4)]
    assert len(set(openings)) == 24


@pytest.mark.parametrize("name", GAMES)
def test_seats(name: str) -> None:
    """The agent rotates through the seats, or keeps one."""
    env = gymnasium.make(IDS[name], players=3)
    assert [env.reset(seed=1 if k == 0 else None)[1]["player"] for k in range(5)] == [0, 2, 1, 0, 2]
    envs = gymnasium.make_vec(IDS[name], num_envs=5, players=3)
    assert envs.reset(seed=1)[1]["player"].tolist() == [0, 2, 1, 0, 2]
    assert envs.reset()[1]["player"].tolist() == [1, 0, 2, 1, 0]
    fixed = gymnasium.make(IDS[name], players=3, player=2)
    assert [fixed.reset()[1]["player"] for _ in range(3)] == [2, 2, 2]


def test_opponents_are_the_policies_named() -> None:
    """Random play loses more games to a policy that looks ahead than to random play."""
    name = min(tilery.games(), key=lambda each: tilery.load(each).num_distinct_actions)
    means = []
    for opponents in ("random", tilery.policies.Greedy()):
        envs = gymnasium.make_vec(IDS[name], num_envs=64, opponents=opponents)
        observations, infos = envs.reset(seed=1)
        total, ended = 0.0, 0
        while ended < 300:
            observations, rewards, over, _, infos = envs.step(choose_all(observations, infos))
            total, ended = total + rewards.sum(), ended + over.sum()
        means.append(total / ended)
    assert abs(means[0]) < 0.2
    assert means[1] < -0.3


class TestIllegalActions:
    def illegal(self, infos: dict[str, Any]) -> npt.NDArray[np.int64]:
        return (1 - infos["action_mask"]).argmax(axis=1)

    @pytest.mark.parametrize("name", GAMES)
    def test_one_loses(self, name: str) -> None:
        env = gymnasium.make(IDS[name]).unwrapped
        for bad in ("illegal", -1, -(2**70), 2**70, env.action_space.n):
            observation, info = env.reset(seed=1)
            action = int((1 - info["action_mask"]).argmax()) if bad == "illegal" else bad
            last, reward, over, truncated, info = env.step(action)
            assert (last == observation).all()
            assert (reward, over, truncated, info["illegal"]) == (-1.0, True, False, True)
            assert not info["action_mask"].any()
            with pytest.raises(ResetNeeded):
                env.step(action)

    @pytest.mark.parametrize("name", GAMES)
    def test_one_raises(self, name: str) -> None:
        env = gymnasium.make(IDS[name], illegal="raise").unwrapped
        _, info = env.reset(seed=1)
        before = env.position
        for action in ((1 - info["action_mask"]).argmax(), -1, 2**70, env.action_space.n):
            with pytest.raises(tilery.IllegalActionError):
                env.step(action)
        for nonsense in (None, 1.5, "1", [1, 2], True, np.True_):
            with pytest.raises(tilery.IllegalActionError, match="must be an integer"):
                env.step(nonsense)
        assert env.position == before

    @pytest.mark.parametrize("mode", MODES)
    @pytest.mark.parametrize(("name", "options"), SMALL)
    def test_some_of_many_lose(self, name: str, options: dict[str, Any], mode: AutoresetMode) -> None:
        """The others go on as if nothing had happened."""
        make: Callable[[], VectorEnv] = lambda: gymnasium.make_vec(  # noqa: E731
            IDS[name], num_envs=4, autoreset_mode=mode, **options
        )
        ours, plain = make(), make()
        observations, infos = ours.reset(seed=4)
        plain.reset(seed=4)
        actions = choose_all(observations, infos)
        expected = plain.step(actions)
        spoilt = actions.copy()
        spoilt[1], spoilt[2] = self.illegal(infos)[1], -1
        infos["action_mask"][1] = 1  # what is shown is not what is asked
        after, rewards, ended, _, infos = ours.step(spoilt)
        assert rewards.tolist() == [0, -1, -1, 0]
        assert ended.tolist() == [False, True, True, False]
        for row in (0, 3):
            assert (after[row] == expected[0][row]).all()
            assert (infos["action_mask"][row] == expected[4]["action_mask"][row]).all()
        same = mode is AutoresetMode.SAME_STEP
        final = infos["final_info"] if same else infos
        assert final["illegal"].tolist() == [False, True, True, False]
        for row in (1, 2):
            last = infos["final_obs"][row] if same else after[row]
            assert (last == observations[row]).all()
            if mode is AutoresetMode.NEXT_STEP:
                assert infos["action_mask"][row].nonzero()[0].tolist() == [0]
            else:
                assert infos["action_mask"][row].any() == same
        if mode is AutoresetMode.DISABLED:
            with pytest.raises(ResetNeeded, match=r"\[1, 2\]"):
                ours.step(actions)
            after, infos = ours.reset(options={"reset_mask": ended})
        if mode is AutoresetMode.NEXT_STEP:
            after, rewards, ended, _, infos = ours.step(choose_all(after, infos))
            assert not rewards.any()
            assert not ended.any()
        assert infos["action_mask"].any(axis=1).all()

    @pytest.mark.parametrize(("name", "options"), SMALL)
    def test_one_of_many_raises_and_none_moves(self, name: str, options: dict[str, Any]) -> None:
        envs = gymnasium.make_vec(IDS[name], num_envs=4, illegal="raise", **options)
        observations, infos = envs.reset(seed=4)
        actions = choose_all(observations, infos)
        for wrong in (self.illegal(infos)[2], -1, envs.single_action_space.n, 2**62):
            spoilt = actions.copy()
            spoilt[2] = wrong
            with pytest.raises(tilery.IllegalActionError, match=r"(slot|environment) 2"):
                envs.step(spoilt)
        assert (envs.action_masks() == infos["action_mask"]).all()
        twin = gymnasium.make_vec(IDS[name], num_envs=4, illegal="raise", **options)
        twin.reset(seed=4)
        assert (twin.step(actions)[0] == envs.step(actions)[0]).all()

    @pytest.mark.parametrize("illegal", ["lose", "raise"])
    def test_a_sampler_finds_an_action_in_every_mask(self, illegal: Any) -> None:
        """Under NEXT_STEP the mask of a game that is over has one id, which is not asked for."""
        envs = gymnasium.make_vec(IDS["toy"], num_envs=5, illegal=illegal)
        _, infos = envs.reset(seed=1)
        over = 0
        for _ in range(60):
            actions = envs.action_space.sample(mask=tuple(infos["action_mask"]))
            assert infos["action_mask"][np.arange(5), actions].all()
            _, _, ended, _, infos = envs.step(actions)
            assert (envs.action_masks() == infos["action_mask"]).all()
            assert (infos["action_mask"][ended].nonzero()[1] == 0).all()
            assert "illegal" not in infos or not infos["illegal"].any()
            over += np.count_nonzero(ended)
        assert over > 10

    def test_all_lose_at_every_step(self) -> None:
        envs = gymnasium.make_vec(IDS["toy"], num_envs=50, autoreset_mode=AutoresetMode.SAME_STEP)
        envs.reset(seed=1)
        for _ in range(20):
            _, rewards, ended, _, _ = envs.step(np.zeros(50, np.int32))  # 0 is an outcome of chance
            assert (rewards == -1).all()
            assert ended.all()


class TestBadInput:
    def test_wrong_arguments_name_what_is_wrong(self) -> None:
        make = [
            lambda **kwargs: gymnasium.make(IDS["toy"], **kwargs),
            lambda **kwargs: gymnasium.make_vec(IDS["toy"], **kwargs),
        ]
        for each in make:
            with pytest.raises(tilery.OptionError, match="players"):
                each(players=99)
            with pytest.raises(tilery.OptionError, match="speed"):
                each(speed=1)
            with pytest.raises(ValueError, match="best"):
                each(opponents="best")
            with pytest.raises(ValueError, match="opponents"):
                each(opponents=3)
            for player in (2, -1, "first", None):
                with pytest.raises(ValueError, match="player"):
                    each(player=player)
            with pytest.raises(ValueError, match="illegal must be 'lose' or 'raise'"):
                each(illegal="ignore")
            for dtype in ("float64", "int8", "U3"):
                with pytest.raises(ValueError, match="dtype"):
                    each(dtype=dtype)
        with pytest.raises(ValueError, match="size"):
            gymnasium.make_vec(IDS["toy"], num_envs=0)
        with pytest.raises(ValueError, match="AutoresetMode"):
            gymnasium.make_vec(IDS["toy"], autoreset_mode="sometimes")
        with pytest.raises(ValueError, match="threads"):
            gymnasium.make_vec(IDS["toy"], threads=0)
        with pytest.raises(ValueError, match="render_mode"):
            tilery.gymnasium.Env("toy", render_mode="svg")

    @pytest.mark.parametrize("seed", [2**64, "1", 1.5, -1])
    def test_a_wrong_seed_leaves_the_games(self, seed: Any) -> None:
        for envs in (gymnasium.make_vec(IDS["toy"], num_envs=2), gymnasium.make(IDS["toy"]).unwrapped):
            envs.reset(seed=1)
            before = envs.action_masks()
            with pytest.raises((ValueError, gymnasium.error.Error)):
                envs.reset(seed=seed)
            assert (envs.action_masks() == before).all()

    @pytest.mark.parametrize("seed", [np.int64(3), np.uint8(3), np.array(3)])
    def test_a_seed_may_be_an_integer_of_numpy(self, seed: Any) -> None:
        for envs in (gymnasium.make_vec(IDS["toy"], num_envs=2), gymnasium.make(IDS["toy"]).unwrapped):
            envs.reset(seed=seed)
            found = envs.action_masks()
            envs.reset(seed=3)
            assert (envs.action_masks() == found).all()

    def test_a_bool_is_no_action(self) -> None:
        env = gymnasium.make(IDS["toy"]).unwrapped
        env.reset(seed=1)
        before = env.position
        for action in (True, False, np.True_):
            with pytest.raises(tilery.IllegalActionError, match="must be an integer"):
                env.step(action)
        assert env.position == before

    def test_options_of_another_kind(self) -> None:
        """One environment knows none and ignores them; many look for a mask in them."""
        gymnasium.make(IDS["toy"]).unwrapped.reset(options=5)
        envs = gymnasium.make_vec(IDS["toy"], num_envs=2)
        envs.reset(seed=1, options={})
        before = envs.action_masks()
        for options in (5, [], "reset_mask"):
            with pytest.raises(ValueError, match="options must be a dict"):
                envs.reset(seed=2, options=options)
        assert (envs.action_masks() == before).all()

    @pytest.mark.parametrize(
        "actions",
        [[0], [0, 0, 0], [0.0, 1.0], ["a", "b"], [[0, 0]], None, [None, 1], np.zeros((2, 1), int), [True, False]],
    )
    def test_wrong_arrays_of_actions(self, actions: Any) -> None:
        envs = gymnasium.make_vec(IDS["toy"], num_envs=2)
        envs.reset(seed=1)
        with pytest.raises(ValueError, match=r"actions must be integers\[2\]"):
            envs.step(actions)

    @pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64, ">i4"])
    def test_actions_of_any_integer_type(self, dtype: Any) -> None:
        envs = gymnasium.make_vec(IDS["toy"], num_envs=2, illegal="raise")
        observations, infos = envs.reset(seed=1)
        envs.step(choose_all(observations, infos).astype(dtype))

    def test_nothing_steps_before_reset(self) -> None:
        for envs in (gymnasium.make_vec(IDS["toy"], num_envs=1), gymnasium.make(IDS["toy"]).unwrapped):
            with pytest.raises(ResetNeeded):
                envs.step(np.array([5]) if isinstance(envs, VectorEnv) else 5)

    @pytest.mark.parametrize("mask", [[True, False], np.ones(3, bool), np.ones(2), "all"])
    def test_wrong_reset_masks(self, mask: Any) -> None:
        envs = gymnasium.make_vec(IDS["toy"], num_envs=2)
        envs.reset(seed=1)
        with pytest.raises(ValueError, match=r"reset_mask must be an array bool\[2\]"):
            envs.reset(options={"reset_mask": mask})
        with pytest.raises(ValueError, match="seed"):
            envs.reset(seed=1, options={"reset_mask": np.ones(2, bool)})

    def test_a_player_without_decisions_is_named(self) -> None:
        """A table of two cells is full before the second player's first turn."""
        name = next(name for name in GAMES if "table" in tilery.options(name))
        with pytest.raises(ValueError, match="before the player had a decision"):
            gymnasium.make(IDS[name], table=[0, 0, 0, 1], player=1)

    def test_rendering_without_a_mode_warns(self) -> None:
        env = gymnasium.make(IDS["toy"]).unwrapped
        env.reset(seed=1)
        with pytest.warns(UserWarning, match="render_mode"):
            assert env.render() is None


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_what_is_returned_belongs_to_the_caller(name: str, options: dict[str, Any]) -> None:
    """Overwriting it changes nothing, and later steps do not overwrite it."""
    ours, twin = (gymnasium.make_vec(IDS[name], num_envs=3, **options) for _ in range(2))
    kept = [each.reset(seed=6) for each in (ours, twin)]
    for _ in range(30):
        actions = choose_all(*kept[1])
        for array in (kept[0][0], *(value for value in kept[0][1].values() if isinstance(value, np.ndarray))):
            array[:] = 1
        results = [each.step(actions) for each in (ours, twin)]
        assert (results[0][0] == results[1][0]).all()
        assert (results[0][4]["action_mask"] == results[1][4]["action_mask"]).all()
        kept = [(result[0], result[4]) for result in results]


@pytest.mark.parametrize("name", GAMES)
def test_copies_and_pickles_play_on_alike(name: str) -> None:
    env = gymnasium.make(IDS[name]).unwrapped
    observation, info = env.reset(seed=9)
    observation, _, _, _, info = env.step(choose(observation, info["action_mask"]))
    ends = []
    for each in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env):
        seen, latest, over = observation, info, False
        while not over:
            seen, _, over, _, latest = each.step(choose(seen, latest["action_mask"]))
        ends.append(each.position)
    assert ends[0] == ends[1] == ends[2]


def test_the_example_of_the_module_runs() -> None:
    assert doctest.testmod(tilery.gymnasium).failed == 0


def first(state: Any) -> int:
    """The first legal action."""
    action: int = state.legal_actions()[0]
    return action


def test_functions_and_one_policy_for_each_seat_are_opponents() -> None:
    """A random agent against functions: the games are those that Python plays with the same seats."""
    game = tilery.load("toy", players=3)
    for opponents, seats in (
        (first, [first, first]),
        ([first, "random"], [first, "random"]),
        ([None, first, tilery.policy("greedy")], [first, "greedy"]),
    ):
        envs = gymnasium.make_vec(
            "tilery/Toy-v0", num_envs=3, players=3, player=0, opponents=opponents, autoreset_mode="Disabled"
        )
        _, infos = envs.reset(seed=5)
        ends: dict[int, tuple[list[int], float]] = {}
        while len(ends) < 3:
            actions = np.array([np.flatnonzero(mask)[0] if mask.any() else 0 for mask in infos["action_mask"]])
            assert (infos["player"] == 0).all()
            _, rewards, ended, truncated, infos = envs.step(actions)
            assert not truncated.any()
            ends |= {int(slot): (infos["scores"][slot].tolist(), rewards[slot]) for slot in np.flatnonzero(ended)}
        for slot in range(3):
            state, chance = game.new_initial_state(), tilery.Rng(5, slot)
            line_up = LineUp(game, [None, *map(tilery.policy, seats)])
            line_up.begin(5, slot)
            while not state.is_terminal():
                player = state.current_player()
                if player < 0:
                    state.apply_action(state.random_action(chance))
                else:
                    state.apply_action(first(state) if player == 0 else line_up.choose(state))
            assert ends[slot] == (state.scores(), state.returns()[0])
        envs.close()


def test_opponents_are_by_seat_or_after_the_agent() -> None:
    with pytest.raises(ValueError, match="opponents must be one, or one for each of 3 seats, got 1"):
        gymnasium.make("tilery/Toy-v0", players=3, opponents=["random"])
    with pytest.raises(ValueError, match="nobody plays seat 1"):
        gymnasium.make("tilery/Toy-v0", players=3, player=0, opponents=["random", None, "greedy"])
    env = gymnasium.make("tilery/Toy-v0", players=3, opponents=[first, "random"])
    for game in range(6):  # the agent changes seats
        _, info = env.reset(seed=4 if game == 0 else None)
        assert info["player"] == -game % 3
        ended = False
        while not ended:
            _, _, ended, _, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
    env.close()


def test_an_opponent_that_fails_is_named() -> None:
    def broken(state: Any) -> int:
        raise ZeroDivisionError("no")

    with pytest.raises(tilery.errors.BotError, match="seat 0: raised ZeroDivisionError: no"):
        gymnasium.make("tilery/Toy-v0", player=1, opponents=broken)


class Flaky:
    """A random opponent that now and then fails, and would choose otherwise if its luck had moved on by that."""

    def __init__(self, often: float) -> None:
        self.often, self.luck, self.failures = often, random.Random(1), 0

    def __call__(self, state: Any, rng: np.random.Generator) -> int:
        if self.luck.random() < self.often:
            self.failures += 1
            raise ZeroDivisionError("no")
        return int(rng.choice(state.legal_actions()))


def again(call: Callable[[], Any]) -> Any:
    """What a call returns when it does not fail."""
    while True:
        with contextlib.suppress(tilery.errors.BotError):
            return call()


@pytest.mark.parametrize("mode", [None, *MODES])
@pytest.mark.parametrize("compact", [None, 5])
def test_nothing_moves_when_an_opponent_fails(mode: AutoresetMode | None, compact: int | None) -> None:
    """A step or a reset that raised does the same when it is called again as if it had not raised."""
    played, failures = [], 0
    for often in (0.0, 0.15):
        opponent = Flaky(often)
        options: dict[str, Any] = {"compact": compact} if compact else {"hand": 3}
        name, options["opponents"] = "tilery/Carcassonne-v0" if compact else "tilery/Toy-v0", [opponent, "greedy"]
        kind = {} if mode is None else {"num_envs": 3, "autoreset_mode": mode}
        make = functools.partial(gymnasium.make_vec if kind else gymnasium.make, name, **kind, players=3, **options)
        env = again(make)
        observation, info = again(functools.partial(env.reset, seed=8))
        seen = []
        for _ in range(40 if kind else 20):
            seen.append((observation.copy(), info["action_mask"], info["player"]))
            chosen = choose_all(observation, info) if kind else choose(observation, info["action_mask"])
            observation, reward, over, truncated, info = again(functools.partial(env.step, chosen))
            seen.append((reward, over, truncated))
            if kind and mode is AutoresetMode.DISABLED and (over | truncated).any():
                how = {"options": {"reset_mask": over | truncated}}
                observation, info = again(functools.partial(env.reset, **how))
            elif not kind and (over or truncated):
                observation, info = again(env.reset)
        played.append(seen)
        failures += opponent.failures
    assert failures > 3
    np.testing.assert_equal(played[0], played[1])


def test_wrong_arguments_are_named() -> None:
    wrong: Any
    for wrong in ("x", object(), "float64"):
        with pytest.raises(ValueError, match="dtype"):
            gymnasium.make("tilery/Toy-v0", dtype=wrong)
    for wrong in (np.array(["lose", "raise"]), ["lose"], 3):
        with pytest.raises(ValueError, match="illegal must be 'lose' or 'raise'"):
            gymnasium.make("tilery/Toy-v0", illegal=wrong)
    envs = gymnasium.make_vec("tilery/Toy-v0", num_envs=3, autoreset_mode="Disabled")
    envs.reset(seed=1)
    envs.reset(options={"reset_mask": np.ones(6, bool)[::2]})
