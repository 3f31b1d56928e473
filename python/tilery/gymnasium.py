"""The games as environments of Gymnasium: one agent against policies, alone or many at once.

>>> import gymnasium
>>> import tilery.gymnasium
>>> env = gymnasium.make("tilery/Pueblo-v0", players=3, opponents="greedy")
>>> observation, info = env.reset(seed=7)
>>> terminated = False
>>> while not terminated:
...     action = env.action_space.sample(info["action_mask"])
...     observation, reward, terminated, truncated, info = env.step(action)
>>> info["scores"].shape
(3,)
>>> envs = gymnasium.make_vec("tilery/Pueblo-v0", num_envs=256)
>>> observations, infos = envs.reset(seed=7)
>>> infos["action_mask"].shape
(256, 396)

Importing this module registers the ids; `gymnasium.make("tilery.gymnasium:tilery/Pueblo-v0")` imports it, too.
docs/adapters.md describes the rest, docs/training.md what learners need to know.
"""

from __future__ import annotations

import contextlib
import operator
from copy import copy
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

import tilery
from tilery import extras
from tilery.errors import index_of
from tilery.line_ups import LineUp, Opponents, whole
from tilery.policies import EnginePolicy

extras.need("gymnasium")

import gymnasium
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from tilery import spaces

VERSION = 0
"""Part of the ids, `tilery/<Game>-v0`; raised with any change of rules, actions or observations."""

Illegal = Literal["lose", "raise"]
Player = int | Literal["rotate"]

_LONGEST_WAIT = 1000
"""Games that may end one after the other before their player has decided anything."""


class _Games:
    """The batch behind an environment, and what its results are called in Gymnasium."""

    def __init__(
        self, game: Any, size: int, illegal: Illegal, dtype: Any, compact: int | None, *, opponents: Any, **plan: Any
    ) -> None:
        spaces.check_choice("illegal", illegal, ("lose", "raise"))
        self.game, self.size, self.illegal, self.plan = game, size, illegal, plan
        self.idle_id = False  # whether games that are over wait for any action, and id 0 stands for it
        self._others: Opponents | None = Opponents("random" if opponents is None else opponents, game.num_players)
        if isinstance(same := self._others.same, EnginePolicy):
            self._others, plan["opponents"] = None, same
        self.ids = spaces.Ids(game, compact)
        try:
            self.dtype = np.dtype(dtype)
        except (TypeError, ValueError) as error:
            raise ValueError(f"dtype: {error}") from None
        self._seen = spaces.Arrays((size, *game.observation_tensor_shape), self.dtype)
        self._masks = spaces.Arrays((size, self.ids.number), np.bool_)
        self.seed(0)
        self.observations()  # says which part does not fit into the dtype
        self.observation_space = spaces.observations(game, self.dtype)
        self.seeded = False

    def seed(self, seed: int) -> None:
        """Begin the first games of a seed. Raises `ValueError` for another seed, and changes nothing then."""
        if self._others is None:
            self.batch: Any = self.game.batch(self.size, seed=seed, autoreset=False, **self.plan)
        else:
            self.batch = SteppedBatch(self.game, self.size, seed, self._others, **self.plan)
        self.seeded = True
        self.lost = np.zeros(self.size, bool)  # games given up for an illegal action
        self.stopped = np.zeros(self.size, bool)  # these, and truncated ones
        self.over = np.zeros(self.size, bool)  # these, and those that are over by the rules
        self.any_stopped = self.any_over = False
        self._skip_games_without_decision(np.ones(self.size, bool))

    def restart(self, seed: int | None, where: npt.NDArray[np.bool_]) -> None:
        """Begin the first games of a seed; with None the next games in these slots, or at first those of any seed."""
        with self.whole():
            if seed is not None or not self.seeded:
                self.seed(spaces.system_seed() if seed is None else seed)
            else:
                self.begin(where)

    def whole(self) -> contextlib.AbstractContextManager[None]:
        """A block that moves all games or none."""
        asked = isinstance(self.batch, SteppedBatch)
        return whole(self, "batch", "lost", "stopped", "over") if asked else contextlib.nullcontext()

    @property
    def native(self) -> Any:
        """The batch of the engine, also behind a `SteppedBatch`."""
        return self.batch.native if isinstance(self.batch, SteppedBatch) else self.batch

    def begin(self, where: npt.NDArray[np.bool_]) -> None:
        self.batch.reset(where)
        self.lost[where] = self.stopped[where] = self.over[where] = False
        self.any_stopped, self.any_over = _any(self.stopped), _any(self.over)
        self._skip_games_without_decision(where)

    def _skip_games_without_decision(self, where: npt.NDArray[np.bool_]) -> None:
        for _ in range(_LONGEST_WAIT):
            waiting = where & ~self._has_actions()
            if not _any(waiting):
                return
            self.batch.reset(waiting)
        where_to = " inside the window" if self.ids.partial else ""
        raise ValueError(f"{_LONGEST_WAIT} games with these options ended before the player had a decision{where_to}")

    def _has_actions(self) -> npt.NDArray[np.bool_]:
        """bool[size]: whether a game goes on, and a legal action has an id."""
        found: npt.NDArray[np.bool_] = self.native.num_legal_actions > 0
        return found & self.ids.batch_mask(self.native, self._masks.take()).any(1) if self.ids.partial else found

    def apply(
        self, ids: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Take an action in every game that is not over; return the rewards, and where games have ended or truncated.

        Raises `IllegalActionError` under illegal="raise"; then no game has moved.
        """
        moves = self.ids.batch_expand(self.native, ids)
        if self.any_over:
            moves = np.where(self.over, -1, moves)
        lost = None
        try:
            self._refuse_negative(moves, ids)  # -1 would leave the game alone
            self.batch.apply_actions(moves)
        except tilery.IllegalActionError:
            if self.illegal == "raise":
                raise
            lost = ~(self.over | self._legal(ids))
            self.batch.apply_actions(np.where(lost, -1, moves))
        ended: npt.NDArray[np.bool_] = self.batch.done.copy()
        rewards = np.zeros(self.size)
        if _any(ended):
            rewards[ended] = self.batch.returns[ended, self.batch.player[ended]]
            self.over |= ended
            self.any_over = True
        if lost is not None:
            rewards[lost] = -1.0
            ended |= lost
            self.lost |= lost
            self._stop(lost)
        truncated = np.zeros(self.size, bool)
        if self.ids.partial:
            truncated = ~(self.over | self._has_actions())
            self._stop(truncated)
        return rewards, ended, truncated

    def _stop(self, where: npt.NDArray[np.bool_]) -> None:
        self.stopped |= where
        self.over |= where
        self.any_stopped, self.any_over = _any(self.stopped), _any(self.over)

    def _refuse_negative(self, moves: npt.NDArray[np.int64], ids: npt.NDArray[np.int64]) -> None:
        negative = moves < 0
        if np.count_nonzero(negative) > (np.count_nonzero(self.over) if self.any_over else 0):
            slot = np.flatnonzero(negative & ~self.over)[0]
            raise tilery.IllegalActionError(f"environment {slot}: {ids[slot]} is not an action")

    def _legal(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        inside = np.clip(ids, 0, self.ids.number - 1)
        legal: npt.NDArray[np.bool_] = self.ids.batch_mask(self.native)[np.arange(self.size), inside] & (inside == ids)
        return legal

    def observations(self) -> npt.NDArray[Any]:
        """[size, *shape]: what each player sees, in games that are over of their last state."""
        out = self._seen.take()
        self.native.observations(out, self.dtype)
        if self.any_over:
            out[self.over] = self.last_observations(self.over)
        return out

    def last_observations(self, where: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
        """[number of these slots, *shape]: what each player sees in games that ended in the last step."""
        slots = np.flatnonzero(where)
        if isinstance(self.batch, SteppedBatch):
            players, dtype = self.batch.player, self.dtype
            return np.stack([self.native[slot].observation_tensor(int(players[slot]), dtype=dtype) for slot in slots])
        ended = self.batch.select(slots)
        out: npt.NDArray[Any] = ended.final_observations(dtype=self.dtype)
        stopped = self.stopped[slots]
        if _any(stopped):
            out[stopped] = ended.observations(dtype=self.dtype)[stopped]
        return out

    def masks(self) -> npt.NDArray[np.bool_]:
        """bool[size, actions]: which actions are legal; none in games that are over, or id 0 (`idle_id`)."""
        masks = self.ids.batch_mask(self.native, self._masks.take())
        if self.any_stopped:
            masks[self.stopped] = False
        if self.idle_id and self.any_over:
            masks[self.over, 0] = True
        return masks

    def info(self) -> dict[str, Any]:
        return {"action_mask": self.masks().view(np.int8), "player": self.batch.player.astype(np.int64)}

    def final_info(self, ended: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """The additional infos of games that ended in the last step."""
        return {"scores": self.batch.scores.copy(), "illegal": self.lost & ended}


class SteppedBatch:
    """Games against opponents that Python asks: what `_Games` needs of a `tilery.Batch` about the players.

    The arguments are those of `game.batch`; opponents may differ from seat to seat. Chance is that of games at random.
    """

    def __init__(
        self, game: Any, size: int, seed: int, opponents: Opponents, *, player: Player, threads: int = 1
    ) -> None:
        self._seed, self._rotates = seed, player == "rotate"
        first = game.batch(1, player=player).player[0]  # checks the player
        played = range(game.num_players) if self._rotates else [first]
        self._seats = [opponents.around(seat) for seat in played]
        self.native = game.batch(size, seed=seed, threads=threads, autoreset=False)
        self.player = np.full(size, first, np.int8)
        self.done = np.zeros(size, bool)
        self.returns = np.zeros((size, game.num_players))
        self.scores = np.zeros((size, game.num_players), np.int32)
        self._line_ups = [LineUp(game, self._seats[0]) for _ in range(size)]
        self._begun(np.ones(size, bool))

    def __copy__(self) -> SteppedBatch:
        other = object.__new__(SteppedBatch)
        other.__dict__ = {name: copy(value) for name, value in vars(self).items()}
        other._line_ups = [*map(copy, self._line_ups)]
        return other

    def reset(self, where: npt.NDArray[np.bool_]) -> None:
        self.native.reset(where)
        self._begun(where)

    def apply_actions(self, ids: npt.NDArray[np.int64]) -> None:
        self.native.apply_actions(ids)
        self.done[:] = False
        self._note_ends(ids >= 0)
        self._play_others()

    def _begun(self, where: npt.NDArray[np.bool_]) -> None:
        for slot in np.flatnonzero(where):
            index = int(self.native.game_index[slot])
            if self._rotates:
                self.player[slot] = -index % len(self._seats)
                self._line_ups[slot].policies = self._seats[self.player[slot]]
            self._line_ups[slot].begin(self._seed, index)
            self._line_ups[slot].forget()
        self.done[where] = False
        self.returns[where] = self.scores[where] = 0
        self._play_others()

    def _play_others(self) -> None:
        """Let the others act until every game waits for its player or is over."""
        while _any(others := (self.native.num_legal_actions > 0) & (self.native.current_player != self.player)):
            ids = np.full(len(self.done), -1, np.int64)
            for slot in np.flatnonzero(others):
                ids[slot] = self._line_ups[slot].choose(self.native[int(slot)])
            self.native.apply_actions(ids)
            self._note_ends(others)

    def _note_ends(self, moved: npt.NDArray[np.bool_]) -> None:
        ended = moved & self.native.done
        self.done |= ended
        self.returns[ended], self.scores[ended] = self.native.returns[ended], self.native.scores[ended]


def _any(flags: npt.NDArray[np.bool_]) -> bool:
    return bool(np.count_nonzero(flags))  # a fraction of the time of flags.any()


class Env(gymnasium.Env):
    """A game against policies, as `gymnasium.Env`; made by `gymnasium.make`.

    name, options: as for `tilery.load`.
    opponents: who plays the other seats: whatever `tilery.policy` takes (docs/bots.md), or a sequence, with one for
        each seat, of which the agent's own is left out, or one for each seat after the agent's. The engine plays a
        policy of its own in all of them fastest; others are asked from Python, and programs started for each game.
    player: the seat of the agent; "rotate" for another one in each game, -k % players in game k.
    illegal: what an action does that is not legal: "lose" ends the game with the reward -1, "raise" raises
        `IllegalActionError` and leaves the game as it is.
    dtype: of the observations: "float32"; "uint8" and "int16" give the integers that float32 divides (docs/batches.md).
    render_mode: "ansi" for `render()` to return the position as text, as the agent may see it, "human" to print it,
        "rgb_array" for a picture (extra `png`).
    compact: in Carcassonne without a table, ids of `tilery.carcassonne.CompactActions` of this window, for example 25.
        A game in which the agent has no action inside the window is truncated, with the reward 0.

    The reward is 0 until the game is over and then the return of rule G-6. `info` has

    - "action_mask": int8[action_space.n], 1 where an action is legal; zeros when the game is over
    - "player": the seat of the agent
    - "scores": int32[players], the final points, and "illegal": whether an illegal action ended the game, which leaves
      the points at 0, as truncation does; both only in the last step

    Raises `ValueError` naming the argument for anything else.
    """

    metadata: dict[str, Any] = {"render_modes": list(spaces.RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        name: str,
        *,
        opponents: Any = "random",
        player: Player = "rotate",
        illegal: Illegal = "lose",
        dtype: Any = "float32",
        render_mode: str | None = None,
        compact: int | None = None,
        **options: Any,
    ) -> None:
        spaces.check_choice("render_mode", render_mode, (None, *spaces.RENDER_MODES))
        self.game = tilery.load(name, **options)
        """As `tilery.load` returns it."""
        self._games = _Games(self.game, 1, illegal, dtype, compact, player=player, opponents=opponents)
        self.observation_space = self._games.observation_space
        self.action_space = gymnasium.spaces.Discrete(self._games.ids.number)
        self.render_mode = render_mode

    @property
    def position(self) -> Any:
        """The state of the game as tilery has it: a copy, secrets included."""
        return self._games.native[0]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:  # noqa: ARG002
        """Begin a game, which is played up to the first decision of the agent.

        seed: in [0, 2**64); None for the next game of the seed, which is drawn from the system before the first game.
        options: none are known; they are ignored.
        """
        self._games.restart(seed, np.ones(1, bool))
        super().reset(seed=None if seed is None else operator.index(seed))  # it takes no integers of NumPy
        return self._seen(final=False)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action, then those of the others up to the next decision of the agent or the end.

        Raises `IllegalActionError` under illegal="raise", and under "lose" for anything that is not an integer;
        `gymnasium.error.ResetNeeded` when the game is over.
        """
        games = self._games
        if not games.seeded or games.any_over:
            raise ResetNeeded("the game is over: call reset()" if games.seeded else "call reset() before step()")
        if (number := index_of(action)) is None:
            raise tilery.IllegalActionError(f"action must be an integer, got {action!r}")
        if games.illegal == "raise":
            position = self.position
            position.apply_action(games.ids.expand(position, number))  # says why it is illegal
        inside = 0 <= number < games.ids.number
        with games.whole():
            rewards, ended, truncated = games.apply(np.array([number if inside else -1]))
        observation, info = self._seen(final=games.any_over)
        return observation, float(rewards[0]), bool(ended[0]), bool(truncated[0]), info

    def _seen(self, *, final: bool = False) -> tuple[Any, dict[str, Any]]:
        games = self._games
        if self.render_mode == "human":
            self.render()
        info = games.info() | (games.final_info(games.over) if final else {})
        rows = {key: value[0] for key, value in info.items()}
        return games.observations()[0], {key: row if row.ndim else row.item() for key, row in rows.items()}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """bool[action_space.n]: which actions are legal, as MaskablePPO of sb3-contrib asks for it."""
        mask: npt.NDArray[np.bool_] = self._games.masks()[0]
        return mask

    def render(self) -> Any:
        """The position as the agent may see it: text, which "human" mode prints, or uint8[height, width, 3]."""
        return spaces.render(self.position, self.render_mode, int(self._games.batch.player[0]))


class VectorEnv(gymnasium.vector.VectorEnv):
    """Many games against policies, stepped together by a `tilery.Batch`; made by `gymnasium.make_vec`.

    num_envs: the number of games.
    name, opponents, player, illegal, dtype, compact, options: as for `Env`.
    autoreset_mode: when the next game begins in an environment: in the step after the one that ends a game (NEXT_STEP,
        the default as everywhere in Gymnasium), in the same step (SAME_STEP), or by
        `reset(options={"reset_mask": ...})` (DISABLED). A member of `gymnasium.vector.AutoresetMode` or its value.
    threads: how many threads play; the results do not depend on it.

    Environment i plays games i, i + num_envs, ... of the seed. What is returned belongs to the caller: new arrays each
    time. Infos are those of `Env` as arrays with the masks `_key` of Gymnasium.
    """

    def __init__(
        self,
        num_envs: int,
        name: str,
        *,
        opponents: Any = "random",
        player: Player = "rotate",
        illegal: Illegal = "lose",
        dtype: Any = "float32",
        compact: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.game = game = tilery.load(name, **options)
        """As `tilery.load` returns it."""
        plan = {"player": player, "opponents": opponents, "threads": threads}
        self._games = _Games(game, num_envs, illegal, dtype, compact, **plan)
        self._games.idle_id = self.autoreset_mode is AutoresetMode.NEXT_STEP
        self.num_envs = num_envs
        self.single_observation_space = self._games.observation_space
        self.single_action_space = gymnasium.spaces.Discrete(self._games.ids.number)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game in every environment, or in those of options["reset_mask"], bool[num_envs].

        seed: in [0, 2**64); None for the next games of the seed, which is drawn from the system before the first ones.

        Raises `ValueError` for another seed or mask, for a seed with a mask, and for options that are no dict.
        """
        games = self._games
        if not isinstance(options, dict | None):
            raise ValueError(f"options must be a dict, got {options!r}")
        games.restart(seed, self._where((options or {}).get("reset_mask"), seed))
        super().reset(seed=None if seed is None else operator.index(seed))  # it takes no integers of NumPy
        return games.observations(), self._infos(games.info(), np.ones(self.num_envs, bool))

    def _where(self, mask: Any, seed: int | None) -> npt.NDArray[np.bool_]:
        if mask is None:
            return np.ones(self.num_envs, bool)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask must be an array bool[{self.num_envs}], got {mask!r}")
        if seed is not None:
            raise ValueError("a seed begins the games of all environments: no reset_mask with it")
        return np.ascontiguousarray(mask)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Take an action in every environment: integers[num_envs].

        Under NEXT_STEP the actions of environments whose game is over are ignored: a new one begins in them. The mask
        of a game that is over has id 0 alone, so that samplers, which need an action, find one.

        Raises `IllegalActionError` under illegal="raise", `ValueError` for another array, and
        `gymnasium.error.ResetNeeded` before the first reset and, without autoreset, where one is over. No game moves.
        """
        games = self._games
        if not games.seeded:
            raise ResetNeeded("call reset() before step()")
        if games.any_over and self.autoreset_mode is AutoresetMode.DISABLED:
            raise ResetNeeded(f"call reset() for environments {np.flatnonzero(games.over).tolist()}")
        begin = games.over.copy() if games.any_over else None
        infos: dict[str, Any] = {}
        with games.whole():
            rewards, terminated, truncated = games.apply(self._ids(actions))
            ended = terminated | truncated
            if self.autoreset_mode is AutoresetMode.SAME_STEP:
                if games.any_over:
                    infos, begin = self._final(ended), games.over.copy()
            elif _any(ended):
                infos = self._infos(games.final_info(ended), ended)
            if begin is not None:
                games.begin(begin)
        everywhere = np.ones(self.num_envs, bool)
        infos |= self._infos(games.info(), everywhere)
        return games.observations(), rewards, terminated, truncated, infos

    def _ids(self, actions: Any) -> npt.NDArray[np.int64]:
        ids: npt.NDArray[Any] = np.asarray(actions)
        if ids.shape != (self.num_envs,) or ids.dtype.kind not in "iu":
            raise ValueError(f"actions must be integers[{self.num_envs}], got {ids.dtype}{list(ids.shape)}")
        return ids.astype(np.int64)

    def _final(self, ended: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """The last observations and infos of games that have ended, as Gymnasium gives them for SAME_STEP."""
        observations = np.full(self.num_envs, None, object)
        last = self._games.last_observations(ended)
        observations[ended] = np.fromiter(last, object, len(last))
        masks = np.zeros((self.num_envs, self._games.ids.number), np.int8)
        players = np.where(ended, self._games.batch.player, 0)
        final_info = {"action_mask": masks, "player": players.astype(np.int64)} | self._games.final_info(ended)
        return {
            "final_obs": observations,
            "_final_obs": ended.copy(),
            "final_info": self._infos(final_info, ended),
            "_final_info": ended.copy(),
        }

    @staticmethod
    def _infos(rows: dict[str, Any], where: npt.NDArray[np.bool_]) -> dict[str, Any]:
        return rows | {f"_{key}": where.copy() for key in rows}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """bool[num_envs, single_action_space.n]: which actions are legal, as `step` says for games that are over."""
        return self._games.masks()


def register() -> list[str]:
    """Register the games with Gymnasium, and return their ids. Importing this module has done so."""
    ids = []
    for name in [*tilery.games(), "toy"]:
        title = tilery.rules_page(name).partition("\n")[0].lstrip("# ")
        ids.append(f"tilery/{''.join(title.split())}-v{VERSION}")
        if ids[-1] not in gymnasium.registry:
            gymnasium.register(
                ids[-1],
                entry_point="tilery.gymnasium:Env",
                vector_entry_point="tilery.gymnasium:VectorEnv",
                kwargs={"name": name},
            )
    return ids


register()
