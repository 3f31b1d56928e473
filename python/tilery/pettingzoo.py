"""The games as environments of PettingZoo: agents act one after the other (AEC).

>>> import tilery.pettingzoo
>>> env = tilery.pettingzoo.env("pueblo", players=3)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     over = termination or truncation
...     env.step(None if over else env.action_space(agent).sample(info["action_mask"]))
>>> env.agents
[]

Player i is the agent `player_i`. What agents see, and the numbers of actions, are those of the game's page
(`tilery.rules_page`). docs/adapters.md describes the rest.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

import tilery
from tilery import extras
from tilery.errors import index_of
from tilery.line_ups import LineUp, Opponents, whole

extras.need("pettingzoo")

import gymnasium
import pettingzoo
import pettingzoo.utils

from tilery import spaces

VERSION = 0
"""Part of the names, `tilery_<game>_v0`; raised with any change of rules, actions or observations."""

Observation = dict[str, npt.NDArray[Any]]


class Environment(pettingzoo.AECEnv):
    """A game of tilery as `pettingzoo.AECEnv`; made by `env` and `raw_env`.

    An observation is a dict of

    - "observation": what the agent sees, float32[game.observation_tensor_shape]
    - "action_mask": int8[action_space.n], 1 where an action is legal; zeros unless the agent is to act

    and `infos[agent]["action_mask"]` is the same mask for the agent to act. Rewards are 0 until the game is over and
    then the returns of rule G-6. `infos[agent]["scores"]` has the points of all players then.

    game: the game, as `tilery.load` returns it.
    illegal: what an action does that is not legal: "lose" ends the game with the reward -1 for the agent and 0 for the
        others, "raise" raises `IllegalActionError` and leaves the game as it is.
    render_mode: "ansi" for `render()` to return the position as text, "human" to print it after each step, "rgb_array"
        for a picture (extra `png`).
    compact: in Carcassonne without a table, ids of `tilery.carcassonne.CompactActions` of this window, for example 25.
        A game in which the agent to act has no action inside the window is truncated: all rewards are 0.

    opponents: policies that play seats inside, whatever `tilery.policy` takes (docs/bots.md): a sequence with one for
        each seat, None for a seat of an agent; or one for all seats but the first. Only the others are agents.

    `metadata` and the spaces are fixed; `agents`, `rewards` and the like exist from the first `reset` on.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        game: Any,
        illegal: Literal["lose", "raise"] = "raise",
        render_mode: str | None = None,
        compact: int | None = None,
        opponents: Any = None,
    ) -> None:
        super().__init__()
        spaces.check_choice("illegal", illegal, ("lose", "raise"))
        spaces.check_choice("render_mode", render_mode, (None, *spaces.RENDER_MODES))
        self.game = game
        self.illegal = illegal
        self.render_mode = render_mode
        self.metadata = {
            "name": f"tilery_{game.name}_v{VERSION}",
            "render_modes": list(spaces.RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        seats = [None] * game.num_players if opponents is None else Opponents(opponents, game.num_players).seats()
        self._others = LineUp(game, seats) if any(seats) else None
        self._players = {f"player_{player}": player for player, other in enumerate(seats) if other is None}
        self.possible_agents = list(self._players)
        box = spaces.observations(game)
        self._ids = spaces.Ids(game, compact)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {"observation": box, "action_mask": gymnasium.spaces.Box(0, 1, (self._ids.number,), np.int8)}
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self._ids.number) for agent in self.possible_agents}
        low, high = (np.concatenate([bound] * game.num_players) for bound in (box.low, box.high))
        self.state_space = gymnasium.spaces.Box(low, high, dtype=np.float32)
        self._seen = spaces.Arrays(game.observation_tensor_shape, np.float32)
        self._seed: int | None = None
        self._episode = -1

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{type(self).__name__} has no {name!r}; agents and the game are there after reset()")

    def observation_space(self, agent: str) -> Any:
        """The space of the observations of an agent, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of the actions of an agent, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game. Game k after `reset(seed)` takes its chance from the stream (seed, k) of docs/interface.md.

        seed: in [0, 2**64); None for the next game of the seed, which is drawn from the system before the first game.
        options: none are known; they are ignored.

        Raises `ValueError` for another seed.
        """
        episode = self._episode + 1 if seed is None else 0
        if seed is None:
            seed = spaces.system_seed() if self._seed is None else self._seed
        rng = tilery.Rng(seed, episode)
        with self._whole():
            self._rng, self._seed, self._episode = rng, seed, episode
            if self._others is not None:
                self._others.begin(seed, episode)
            self._state = self.game.new_initial_state()
            self.agents = self.possible_agents[:]
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
            self._skip_agent_selection = None
            self._moved = True
            self._select()

    def _whole(self) -> contextlib.AbstractContextManager[None]:
        """A block that does all of what it does or nothing."""
        names = ("_others", "_rng", "_state", "infos", "_cumulative_rewards")
        return contextlib.nullcontext() if self._others is None else whole(self, *names)

    def observe(self, agent: str) -> Observation:
        """The observation of an agent, as new arrays; the mask of the agent to act is that of `infos`."""
        acts = agent == self.agent_selection and "action_mask" in self.infos.get(agent, ())
        return {
            "observation": self._state.observation_tensor(self._players[agent], self._seen.take()),
            "action_mask": self.infos[agent]["action_mask"] if acts else np.zeros(self._ids.number, np.int8),
        }

    def state(self) -> npt.NDArray[np.float32]:
        """The observations of all players, one after the other along the first axis."""
        return np.concatenate([self._state.observation_tensor(player) for player in range(self.game.num_players)])

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agent to act, again and again until the game is over; `step` or `reset` is called in between.

        Raises `RuntimeError` where it is not.
        """
        self.agents  # noqa: B018  raises before reset(), not when the first agent is asked for
        return self._iterate(max_iter)

    def _iterate(self, max_iter: int) -> Iterator[str]:
        while self.agents and max_iter > 0:
            self._moved = False
            yield self.agent_selection
            if not self._moved:
                raise RuntimeError("call step() or reset() for each agent of agent_iter()")
            max_iter -= 1

    def step(self, action: int | None) -> None:
        """Take an action for `agent_selection`, and whatever chance has to do after it.

        action: an action id; None when the game is over, as PettingZoo has it.

        Raises `IllegalActionError` under illegal="raise", under "lose" for what is no integer; the game stays as it is.
        """
        agent = self.agent_selection
        self._moved = True
        if self.terminations.get(agent, True) or self.truncations[agent]:
            self._step_over(action)
            return
        with self._whole():
            self._cumulative_rewards[agent] = 0.0
            try:
                self._take(self._ids.expand(self._state, action))
            except tilery.IllegalActionError:
                if self.illegal == "raise" or index_of(action) is None:
                    raise
                self._end(dict.fromkeys(self.agents, 0.0) | {agent: -1.0})
            else:
                self.infos[agent] = {}
                self._select()
        if self.render_mode == "human":
            self.render()

    @property
    def position(self) -> Any:
        """The state of the game as tilery has it: a copy, secrets included."""
        return self._state.clone()

    def render(self) -> Any:
        """The whole position: text, which "human" mode prints, or a picture as uint8[height, width, 3]."""
        return spaces.render(self._state, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _take(self, action: Any) -> None:
        """Apply an action, and let the policies in the other seats hear of it."""
        before = None if self._others is None else self._state.clone()
        self._state.apply_action(action)
        if self._others is not None:
            self._others.note(before, action)

    def _select(self) -> None:
        """Let chance and the policies inside act; then select the agent to act, or end the game."""
        state = self._state
        player = state.current_player()
        while player != tilery.TERMINAL and f"player_{player}" not in self._players:
            others = None if player == tilery.CHANCE else self._others
            self._take(state.random_action(self._rng) if others is None else others.choose(state))
            player = state.current_player()
        if player == tilery.TERMINAL:
            returns = state.returns()
            self._end({agent: returns[seat] for agent, seat in self._players.items()})
            return
        agent = self.agent_selection = f"player_{player}"
        mask = self._ids.mask(state)
        self.infos[agent] = {"action_mask": mask}
        if self._ids.partial and not mask.any():
            self._end(dict.fromkeys(self.agents, 0.0), truncated=True)

    def _end(self, rewards: dict[str, float], *, truncated: bool = False) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, not truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.infos = {agent: {"scores": self._state.scores()} for agent in self.agents}
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def _step_over(self, action: int | None) -> None:
        if not self.agents:
            raise tilery.IllegalActionError("the game is over and all agents have left: call reset()")
        if action is not None:
            raise tilery.IllegalActionError(f"the game is over: the only action is None, got {action!r}")
        self._was_dead_step(None)


def env(
    name: str,
    /,
    *,
    render_mode: str | None = None,
    compact: int | None = None,
    opponents: Any = None,
    **options: Any,
) -> Environment:
    """A game as an AEC environment in which an action that is not legal ends the game: the agent gets -1, others 0.

    name, options: as for `tilery.load`, which says what it raises.
    render_mode, compact, opponents: as for `Environment`.
    """
    return Environment(tilery.load(name, **options), "lose", render_mode, compact, opponents)


def raw_env(name: str, /, **options: Any) -> Environment:
    """`env`, but an action that is not legal raises `IllegalActionError`."""
    made = env(name, **options)
    made.illegal = "raise"
    return made


def parallel_env(name: str, /, **options: Any) -> Any:
    """`env` as a parallel environment of PettingZoo: every agent gives an action, that of the agent to act counts."""
    return pettingzoo.utils.turn_based_aec_to_parallel(env(name, **options))
