"""The cases of `tilery bot check`: the messages of docs/protocol.md, each with its outcome in words.

>>> from tilery.bot_check import check
>>> found = check("cmd:no-such-program", tilery.load("toy"))
>>> [(each.name, each.passed) for each in found]
[('begins', False)]
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from threading import Event
from typing import Any, NamedTuple

import tilery
from tilery.bots import Clock, CommandBot, CommandPolicy
from tilery.errors import BotError
from tilery.policies import SECONDS, policy
from tilery.protocol import Game
from tilery.simulation import simulate


class Case(NamedTuple):
    """A case of the protocol, and what came of it: a sentence, and the end of what the program said."""

    name: str
    passed: bool
    finding: str
    details: str = ""


class _Bot(CommandBot):
    """A bot that is also sent what no referee of this version sends, and whose slowest answer is known."""

    slowest = 0.0

    def choose(self, state: Any, number: int, seen: list[int] | None) -> int:
        began = time.monotonic()
        action = super().choose(state, number, seen)
        self.slowest = max(self.slowest, time.monotonic() - began)
        return action

    def tell(self, message: dict[str, Any]) -> None:
        self._send(message, time.monotonic() + self._seconds)

    def ends(self) -> bool:
        """Whether it ends in time once its input is closed."""
        self._stdin.close()
        deadline = time.monotonic() + self._seconds
        while self._process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        return self._process.poll() is not None


def check(text: str, game: Game, *, seconds: float = SECONDS) -> list[Case]:
    """Run all cases with a program, `cmd:COMMAND`; if it does not begin, no others.

    seconds: for each answer. Raises `ValueError` for another kind of policy.
    """
    chosen = policy(text)
    if not isinstance(chosen, CommandPolicy):
        raise ValueError(f"only programs are checked, cmd:COMMAND, not {chosen}")
    found: list[Case] = []
    for name, case in CASES.items():
        try:
            finding = case(lambda seat=0: _Bot(chosen.command, game, seat, seconds=seconds), game)
            found.append(Case(name, True, finding))
        except BotError as error:
            found.append(Case(name, False, str(error), error.details))
            if name == "begins":
                break
    return found


Start = Callable[..., _Bot]


def _decisions(game: Any, number: int) -> list[Any]:
    """Positions of a random game at which its players decide; at most `number`, from beginning to end."""
    (written,) = tilery.record.simulated(game, 1, seed=1)
    states = [state for _, state in tilery.record.positions(written) if state.current_player() >= 0]
    return states[:: max(1, len(states) // number)][:number]


def _begins(start: Start, game: Game) -> str:
    began = time.monotonic()
    with start():
        return f"answers hello for {game.name} after {time.monotonic() - began:.1f} s"


def _plays(start: Start, game: Game) -> str:
    slowest = 0.0
    for seat in range(game.num_players):
        with start(seat) as bot:
            seats: list[Any] = ["random"] * game.num_players
            seats[seat] = bot
            (result,) = simulate(game, 1, seed=seat + 1, policies=seats)
            bot.over(result["scores"].tolist(), result["returns"].tolist())
            slowest = max(slowest, bot.slowest)
    return f"plays a whole game in each of {game.num_players} seats; the slowest answer took {slowest:.2f} s"


def _apart(start: Start, game: Game) -> str:
    with ExitStack() as stack:
        seats: list[Any] = [stack.enter_context(start(seat)) for seat in range(game.num_players)]
        simulate(game, 1, seed=9, policies=seats)
    return "plays itself, in a process for each seat"


def _positions(start: Start, game: Game) -> str:
    same = True
    for state in _decisions(game, 6):
        player = state.current_player()
        with start(player) as bot:
            known = state.determinize(player, 3)
            one, two = (bot.choose(known, 5, None) for _ in range(2))
            same &= one == two
            bot.choose(state.determinize(player, 4), 5, None)  # looks the same to the player
    again = "the same again" if same else "not always the same again"
    return f"chooses in any position without knowing how it came about, and {again} for the same number"


def _unknown(start: Start, game: Game) -> str:
    with start() as bot:
        bot.tell({"type": "a-message-of-a-later-version", "values": [1, None, {"text": "é\n" * 2000}]})
        for state in _decisions(game, 40):
            if state.current_player() == 0:
                bot.choose(state.determinize(0, 1), 2**64 - 1, None)
                break
    return "ignores messages that it does not know"


def _second(check: Callable[[_Bot, Game], str]) -> Callable[[Start, Game], str]:
    """A case of version 2, which a bot of version 1 need not pass."""

    def case(start: Start, game: Game) -> str:
        with start() as bot:
            return check(bot, game) if bot.protocol > 1 else "is not asked, since the bot speaks version 1"

    return case


def _first_choice(bot: _Bot, game: Game, seat: int = 0) -> tuple[Any, list[int]]:
    """The first decision of a seat in a random game, as it may see it, and the actions before as it saw them."""
    rng, state, seen = tilery.Rng(4), game.new_initial_state(), list[int]()
    for _ in range(game.max_game_length):
        if state.is_terminal():
            raise BotError(bot.seat, f"was not asked: seat {seat} had no decision")
        if state.current_player() == seat and len(state.legal_actions()) > 1:
            break
        action = state.random_action(rng)
        seen.append(state.action_seen_by(seat, action))
        state.apply_action(action)
    return state.determinize(seat, 2), seen


def _options(bot: _Bot, game: Game) -> str:  # noqa: ARG001
    if not bot.options:
        return "has no options of its own"
    bot._ask({"type": "options", "values": {each["name"]: each["default"] for each in bot.options.values()}}, "ready")
    return f"takes its options: {', '.join(bot.options)}"


def _clock(bot: _Bot, game: Game) -> str:
    bot._clock, bot.left = Clock(bot._seconds, 0.5), bot._seconds
    state, seen = _first_choice(bot, game)
    bot.choose(state, 3, seen)
    return f"answers with {bot._seconds:g} s and 0.5 s an answer on its clock; {bot.left:.1f} s are left"


def _analyses(bot: _Bot, game: Game) -> str:
    state, seen = _first_choice(bot, game)
    found = bot.analyse(state, 3, seen)
    return f"analyses a position: {found['best']} is best" + (", and said why" if bot.info else "")


def _stops(bot: _Bot, game: Game) -> str:
    state, seen = _first_choice(bot, game)
    now = Event()
    now.set()
    bot.analyse(state, 3, seen, stop=now)
    bot.tell({"type": "stop"})  # which means nothing now
    bot.choose(state, 3, seen)
    return "answers when it is told to stop, and plays on"


def _again(bot: _Bot, game: Game) -> str:
    for seat in range(game.num_players):
        state, seen = _first_choice(bot, game, seat)
        bot.new(game, seat, seen)
        bot.choose(state, 3, seen)
        bot.over([0] * game.num_players, [0.0] * game.num_players)
    return "goes on with a game in every seat, one after the other in the same process"


def _ends(start: Start, game: Game) -> str:
    with start() as bot:
        bot.over([0] * game.num_players, [0.0] * game.num_players)
        if not bot.ends():
            raise BotError(0, f"runs on for {bot._seconds:g} s after its input has ended")
    return "ends when its input ends"


CASES: dict[str, Callable[[Start, Game], str]] = {
    "begins": _begins,
    "plays": _plays,
    "plays itself": _apart,
    "any position": _positions,
    "unknown messages": _unknown,
    "options": _second(_options),
    "clock": _second(_clock),
    "analyses": _second(_analyses),
    "stops": _second(_stops),
    "new games": _second(_again),
    "ends": _ends,
}
"""The cases, in their order."""
