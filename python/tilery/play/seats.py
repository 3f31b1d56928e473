"""Bots in seats: a policy at work in one game, which can be stopped while it thinks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any

from tilery.bots import CommandBot, CommandPolicy, OneNumber
from tilery.errors import BotError, StoppedError, index_of
from tilery.policies import SECONDS, Judged, OutsidePolicy, policy
from tilery.protocol import Game, Policy

Bot = str | Policy | Callable[..., int]
"""A bot as `Player` takes it: whatever `tilery.policy` takes."""


class PlayerError(Exception):
    """A bot that cannot play on; the message says which seat and why."""


class Player(AbstractContextManager["Player"]):
    """A bot in one seat of one game.

    bot: whatever `tilery.policy` takes. seconds: how long a program may think about one action.

    A context manager: a program is ended with it. Raises `ValueError` for a text that names no policy.
    """

    def __init__(self, bot: Bot, game: Game, seat: int, *, seconds: float = SECONDS) -> None:
        self.bot = bot
        self.policy = policy(bot)
        self.text = str(self.policy)
        self._process: CommandBot | None = None
        self._lock = threading.Lock()
        self._one_at_a_time = threading.Lock()
        self._game, self._seat, self._seconds = game, seat, seconds

    def _choose(self, thought: Thought) -> int:
        if isinstance(self.policy, CommandPolicy):
            return self._ask(self.policy, thought)
        if not isinstance(self.policy, OutsidePolicy):
            luck: Any = OneNumber(thought.number)
            return self.policy.choose(thought.state, luck, stop=thought.stopped, enough=thought.enough)
        while not self._one_at_a_time.acquire(timeout=0.1):  # held by a function that was given up
            thought.check()
        try:
            thought.check()
            with self.policy.seat(self._game, self._seat) as seat:
                return Judged(seat, self._seat).choose(thought.known, thought.number, list(thought.seen))
        finally:
            self._one_at_a_time.release()

    def _ask(self, program: CommandPolicy, thought: Thought) -> int:
        with self._lock:
            thought.check()
            process, begins = self._process, self._process is None
            if process is None:
                process = self._process = program.seat(self._game, self._seat, seconds=self._seconds)
            thought.process = process
        if begins:
            process.__enter__()
        return process.choose(thought.known, thought.number, list(thought.seen))

    def _end(self, thought: Thought) -> None:
        """End the program that a choice asks, and no other; the next choice starts it again."""
        with self._lock:
            process, thought.process = thought.process, None
            if process is self._process:
                self._process = None
        if process is not None:
            with suppress(OSError):
                process.close()

    def close(self) -> None:
        """End the program, if the bot is one; the next choice starts it again."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.close()

    def __exit__(self, *_error: object) -> None:
        self.close()


class Thought:
    """One choice of a bot: to be called once, on any thread, and stopped from any other.

    state: the position; the engine's policies look only at what their player knows. known: determinized for the
    player, for all others. number: taken from its random stream. seen: the actions so far, -1 for unseen ones.
    """

    def __init__(self, player: Player, state: Any, known: Any, number: int, seen: Sequence[int]) -> None:
        self.state, self.known, self.number, self.seen = state, known, number, seen
        self.stopped = threading.Event()
        self.enough = threading.Event()
        """Set to let a search choose by what it has found so far."""
        self.process: CommandBot | None = None
        self._player = player

    def __call__(self) -> int:
        """Return the id of a legal action.

        Raises `PlayerError` if the bot fails, and `StoppedError` after `stop()`.
        """
        self.check()
        try:
            return self._player._choose(self)
        except BotError as error:
            self.check()  # a program that stop() has ended fails, too
            self._player._end(self)
            raise PlayerError(f"the bot in {error}") from error.__cause__

    def check(self) -> None:
        """Raise `StoppedError` after `stop()`."""
        if self.stopped.is_set():
            raise StoppedError("the choice was stopped")

    def stop(self) -> None:
        """End the choice: a policy within a tenth of a second, a program at once; a function runs on to its end."""
        self.stopped.set()
        self._player._end(self)


def seated(num_players: int, people: Sequence[int] | None, bots: Sequence[Bot]) -> list[Bot | None]:
    """For each player None, a person, or a bot.

    people: seats of people; None for seat 0, or for nobody if there is a bot for each seat. bots: one for all other
    seats, or one for each; without any, people take all seats. Raises `ValueError` where they do not fit the players.
    """
    wrong = [seat for seat in people or () if index_of(seat) not in range(num_players)]
    if wrong:
        raise ValueError(f"seat must be from 0 to {num_players - 1}, got {wrong[0]}")
    if not bots:
        return [None] * num_players
    if people is None:
        people = [] if len(bots) == num_players else [0]
    others = [seat for seat in range(num_players) if seat not in people]
    if len(bots) not in (1, len(others)):
        raise ValueError(f"bot must be given once, or once for each of {len(others)} seats, not {len(bots)} times")
    seats: list[Bot | None] = [None] * num_players
    for i, seat in enumerate(others):
        seats[seat] = bots[i % len(bots)]
    return seats
