"""The environments of PettingZoo: its own tests for every game, and laws that these do not ask for."""

from __future__ import annotations

import contextlib
import copy
import doctest
import itertools
import pickle
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES, variants
from tilery import policies

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install 'tilery[pettingzoo]'")

import pettingzoo.test as suite
from pettingzoo.utils import turn_based_aec_to_parallel

import tilery.pettingzoo
from tilery.pettingzoo import env, parallel_env, raw_env

VARIANTS = [(name, options) for name in GAMES for options in variants(name)]
# PettingZoo has a list of its own environments that may have dicts as observations and zeros as masks.
KNOWN = [
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
]
known = [pytest.mark.filterwarnings(each) for each in KNOWN]


def masked_play(game: Any, rng: np.random.Generator) -> Iterator[tuple[str, Any, Any]]:
    """Play at random to the end; yield agent, what it was shown, and the action it takes (None at the end)."""
    for agent in game.agent_iter():
        shown = game.last()
        over = shown[2] or shown[3]
        action = None if over else int(rng.choice(np.flatnonzero(shown[0]["action_mask"])))
        yield agent, shown, action
        game.step(action)


class TestSuites:
    """The tests that PettingZoo offers to the authors of environments."""

    pytestmark = known

    @pytest.mark.parametrize("make", [env, raw_env])
    @pytest.mark.parametrize(("name", "options"), VARIANTS)
    def test_api(self, make: Any, name: str, options: dict[str, Any]) -> None:
        suite.api_test(make(name, **options), num_cycles=60)

    @pytest.mark.parametrize("name", GAMES)
    def test_api_over_whole_games(self, name: str) -> None:
        suite.api_test(env(name), num_cycles=1000)

    @pytest.mark.parametrize("make", [env, raw_env])
    @pytest.mark.parametrize("name", GAMES)
    def test_seeds(self, make: Any, name: str) -> None:
        suite.seed_test(lambda: make(name), num_cycles=100)

    @pytest.mark.parametrize("name", GAMES)
    def test_rendering(self, name: str, capsys: pytest.CaptureFixture[str]) -> None:
        suite.render_test(lambda render_mode=None: env(name, render_mode=render_mode))
        assert capsys.readouterr().out, "human mode prints"

    @pytest.mark.parametrize("name", GAMES)
    def test_parallel_api(self, name: str) -> None:
        suite.parallel_api_test(parallel_env(name), num_cycles=100)

    @pytest.mark.parametrize("name", GAMES)
    def test_parallel_seeds(self, name: str) -> None:
        suite.parallel_seed_test(lambda: parallel_env(name), num_cycles=50)

    @pytest.mark.parametrize("name", GAMES)
    def test_state(self, name: str) -> None:
        suite.state_test(env(name), parallel_env(name))

    @pytest.mark.parametrize("name", GAMES)
    def test_performance(self, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        """It runs for five seconds by the clock; here each look at the clock takes one."""
        seconds = iter(range(10**6))
        monkeypatch.setattr("time.time", lambda: next(seconds))
        suite.performance_benchmark(env(name))
        assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize("make", [env, raw_env])
@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_an_environment_plays_the_game(make: Any, name: str, options: dict[str, Any]) -> None:
    """Observations, masks, rewards and chance are those of the game itself, with the streams that are documented."""
    played = make(name, **options)
    game = tilery.load(name, **options)
    for episode in range(2):
        played.reset(seed=5 if episode == 0 else None)
        state, luck = game.new_initial_state(), tilery.Rng(5, episode)
        for agent, (seen, reward, over, truncated, info), action in masked_play(played, np.random.default_rng(3)):
            while state.is_chance_node():
                state.apply_action(state.random_action(luck))
            player = int(agent.removeprefix("player_"))
            assert (seen["observation"] == state.observation_tensor(player)).all()
            assert over == state.is_terminal()
            assert not truncated
            if over:
                assert reward == state.returns()[player]
                assert info == {"scores": state.scores()}
                assert not seen["action_mask"].any()
            else:
                assert player == state.current_player()
                assert reward == 0
                assert (seen["action_mask"] == state.legal_actions_mask()).all()
                assert (info["action_mask"] == seen["action_mask"]).all()
                state.apply_action(action)
        assert state.is_terminal()
        assert played.agents == []


@pytest.mark.parametrize("name", GAMES)
def test_what_an_agent_who_waits_sees(name: str) -> None:
    played = env(name, players=3)
    played.reset(seed=1)
    waiting = next(agent for agent in played.agents if agent != played.agent_selection)
    assert played.observation_space(waiting).contains(played.observe(waiting))
    assert not played.observe(waiting)["action_mask"].any()
    assert played.infos[waiting] == {}


@pytest.mark.parametrize("name", GAMES)
def test_the_state_is_what_all_players_see(name: str) -> None:
    played = raw_env(name, players=3)
    played.reset(seed=1)
    seen = [played.observe(agent)["observation"] for agent in played.possible_agents]
    assert (played.state() == np.concatenate(seen)).all()
    assert played.state_space.contains(played.state())


@pytest.mark.parametrize("name", GAMES)
def test_an_illegal_action_loses_or_raises(name: str) -> None:
    losing, raising = env(name, players=3), raw_env(name, players=3)
    for played in (losing, raising):
        played.reset(seed=2)
        for _ in range(3):
            played.step(int(np.flatnonzero(played.last()[0]["action_mask"])[0]))
    agent = losing.agent_selection
    illegal = int(np.flatnonzero(1 - losing.last()[0]["action_mask"])[0])
    before = raising.state()
    for action in (illegal, np.int32(illegal), -1, losing.game.num_distinct_actions, 2**70):
        with pytest.raises(tilery.IllegalActionError):
            raising.step(action)
        attempt = copy.deepcopy(losing)
        attempt.step(action)
        assert attempt.terminations == dict.fromkeys(attempt.possible_agents, True)
        assert attempt.rewards == dict.fromkeys(attempt.possible_agents, 0.0) | {agent: -1.0}
        rewards = {each: shown[1] for each, shown, _ in masked_play(attempt, np.random.default_rng(1))}
        assert rewards == dict.fromkeys(attempt.possible_agents, 0.0) | {agent: -1.0}
    for nonsense in (None, "1", 1.5, [1, 2], np.zeros(2), True, np.True_):
        for played in (losing, raising):
            with pytest.raises(tilery.IllegalActionError):
                played.step(nonsense)
    assert (raising.state() == before).all()
    assert (losing.state() == before).all()
    assert raising.agent_selection == agent


@pytest.mark.parametrize("name", GAMES)
def test_copies_and_pickles_play_on_alike(name: str) -> None:
    played = env(name)
    played.reset(seed=9)
    for _ in range(2):
        played.step(int(np.flatnonzero(played.last()[0]["action_mask"])[-1]))
    ends = []
    for each in (played, copy.deepcopy(played), pickle.loads(pickle.dumps(played))):
        list(masked_play(each, np.random.default_rng(4)))
        ends.append(each.position)
    assert ends[0] == ends[1] == ends[2]


@pytest.mark.parametrize("name", GAMES)
def test_parallel_environments_of_one_seed_agree_to_the_end(name: str) -> None:
    """parallel_seed_test of PettingZoo ends after one step (docs/adapters.md); this one does not."""
    twins = [turn_based_aec_to_parallel(env(name)) for _ in range(2)]
    shown = [twin.reset(seed=3)[0] for twin in twins]
    rng = np.random.default_rng(3)
    steps = 0
    while twins[0].agents:
        mover = twins[0].aec_env.agent_selection
        masks = [each[mover]["action_mask"] for each in shown]
        assert (masks[0] == masks[1]).all()
        actions = dict.fromkeys(twins[0].agents, 0) | {mover: int(rng.choice(np.flatnonzero(masks[0])))}
        results = [twin.step(actions) for twin in twins]
        shown = [result[0] for result in results]
        for agent in shown[0]:
            assert (shown[0][agent]["observation"] == shown[1][agent]["observation"]).all()
        assert results[0][1:4] == results[1][1:4]
        assert twins[0].agents == twins[1].agents
        steps += 1
    assert steps > 5


@pytest.mark.parametrize("name", [name for name in GAMES if tilery.load(name).num_chance_actions])
def test_seeds_and_episodes_differ(name: str) -> None:
    """So do environments that are given no seed."""
    played = env(name)
    ends = set()
    for each, seed in ((played, 1), (played, None), (played, 2), (played, None), (env(name), None)):
        each.reset(seed=seed)
        list(masked_play(each, np.random.default_rng(0)))
        ends.add(each.position)
    assert len(ends) == 5


@pytest.mark.parametrize("name", GAMES)
def test_names_are_versioned(name: str) -> None:
    for played in (env(name), raw_env(name)):
        assert str(played) == f"tilery_{name}_v0"
        assert played.unwrapped is played
        assert played.metadata["name"] == str(played)


class TestBadInput:
    def test_wrong_arguments_name_what_is_wrong(self) -> None:
        with pytest.raises(ValueError, match="unknown game 'chess'"):
            env("chess")
        with pytest.raises(tilery.OptionError, match="players"):
            raw_env("toy", players=99)
        with pytest.raises(tilery.OptionError, match="speed"):
            env("toy", speed=3)
        with pytest.raises(ValueError, match="render_mode must be None or 'human' or 'ansi' or 'rgb_array'"):
            env("toy", render_mode="svg")
        with pytest.raises(ValueError, match="illegal must be 'lose' or 'raise', got 'ignore'"):
            tilery.pettingzoo.Environment(tilery.load("toy"), "ignore")  # type: ignore[arg-type]

    @pytest.mark.parametrize("seed", [-1, 2**64, "1", 1.5])
    def test_a_wrong_seed_leaves_the_game(self, seed: Any) -> None:
        played = env("toy")
        played.reset(seed=1)
        before = played.position
        with pytest.raises(ValueError, match="seed"):
            played.reset(seed=seed)
        assert played.position == before
        played.reset()
        again = env("toy")
        again.reset(seed=1)
        again.reset()
        assert played.position == again.position

    def test_nothing_is_there_before_reset(self) -> None:
        played = env("toy")
        for name in ("agents", "agent_selection", "rewards", "infos", "terminations"):
            with pytest.raises(AttributeError, match="reset"):
                getattr(played, name)
        for call in (played.last, played.state, lambda: played.step(0), lambda: list(played.agent_iter())):
            with pytest.raises(AttributeError, match="reset"):
                call()

    def test_what_may_be_done_after_the_end(self) -> None:
        played = env("toy")
        played.reset(seed=1)
        played.step(-1)
        with pytest.raises(tilery.IllegalActionError, match="the only action is None, got 3"):
            played.step(3)
        for _ in played.possible_agents:
            played.step(None)
        with pytest.raises(tilery.IllegalActionError, match="call reset"):
            played.step(None)

    def test_a_loop_that_forgets_to_step_ends(self) -> None:
        played = env("toy")
        played.reset(seed=1)
        with pytest.raises(RuntimeError, match="step"):
            list(played.agent_iter())

    def test_rendering_without_a_mode_warns(self) -> None:
        played = env("toy")
        played.reset(seed=1)
        with pytest.warns(UserWarning, match="render_mode"):
            assert played.render() is None


def test_the_example_of_the_module_runs() -> None:
    assert doctest.testmod(tilery.pettingzoo).failed == 0


def first(state: Any) -> int:
    """The first legal action."""
    action: int = state.legal_actions()[0]
    return action


@pytest.mark.filterwarnings(*KNOWN)
def test_policies_play_seats_inside() -> None:
    for opponents, agents in (([first, None, "greedy"], [1]), ("greedy", [0]), ([None, None, first], [0, 1])):
        playing = env("toy", players=3, hand=4, opponents=opponents)
        assert playing.possible_agents == [f"player_{seat}" for seat in agents]
        suite.api_test(playing, num_cycles=40)
        scores = []
        for _ in range(2):
            playing.reset(seed=6)
            for agent in playing.agent_iter():
                _, _, termination, truncation, info = playing.last()
                over = termination or truncation
                playing.step(None if over else int(np.flatnonzero(info["action_mask"])[0]))
                assert agent in playing.possible_agents
            scores.append(playing.position.scores())
        assert playing.position.is_terminal()
        assert scores[0] == scores[1]
    with pytest.raises(ValueError, match="no seat is left for an agent"):
        env("toy", opponents=["random", "greedy"])
    with pytest.raises(ValueError, match="opponents: unknown policy 'best'"):
        env("toy", opponents="best")


def test_policies_inside_are_told_what_their_seats_saw() -> None:
    heard: list[list[int]] = []

    class Listener(policies.FunctionPolicy):
        @contextlib.contextmanager
        def seat(self, *_: Any, **__: Any) -> Iterator[Any]:
            class Seat(policies.Seen):
                def choose(self, state: Any, number: int, seen: list[int] | None) -> int:  # noqa: ARG002
                    assert seen is not None
                    heard.append(seen.copy())
                    return first(state)

            yield Seat()

    playing = env("toy", hand=3, opponents=[None, Listener(first)])
    playing.reset(seed=2)
    for _ in playing.agent_iter():
        _, _, termination, truncation, info = playing.last()
        over = termination or truncation
        playing.step(None if over else int(np.flatnonzero(info["action_mask"])[0]))
    assert heard
    assert all(one == two[: len(one)] for one, two in itertools.pairwise(heard))
    assert any(seen == -1 for seen in heard[-1]), "a hidden draw"
    assert any(seen >= 0 for seen in heard[-1])


def test_nothing_moves_when_a_policy_inside_fails() -> None:
    """A step that raised does the same when it is called again as if it had not raised."""
    played, failures = [], 0
    for often in (0.0, 0.3):
        luck, seen = random.Random(1), []

        def flaky(state: Any, rng: np.random.Generator, often: float = often, luck: random.Random = luck) -> int:
            if luck.random() < often:
                raise ZeroDivisionError("no")
            return int(rng.choice(state.legal_actions()))

        playing = env("toy", players=3, hand=4, opponents=["random", None, flaky])
        for _ in range(6):
            while True:
                with contextlib.suppress(tilery.errors.BotError):
                    playing.reset(seed=4 if not seen else None)
                    break
                failures += 1
            for agent in playing.agent_iter():
                shown, reward, *over, info = playing.last()
                seen.append((shown, reward, over, info, playing.position, dict(playing.rewards)))
                action = None if any(over) else int(np.flatnonzero(info["action_mask"])[-1])
                try:
                    playing.step(action)
                except tilery.errors.BotError:
                    failures += 1
                    assert playing.agent_selection == agent
                    assert playing.infos[agent] == info
                    seen.pop()
        played.append(seen)
    assert failures > 3
    np.testing.assert_equal(played[0], played[1])
