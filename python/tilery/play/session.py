"""A game in progress: who sits where, what happened, and what each seat may know of it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from typing import Any, Self

import tilery
from tilery import ladder, record
from tilery.bots import UNSEEN
from tilery.errors import RecordError, TileryError
from tilery.play.seats import Bot, Player, Thought
from tilery.policies import of_engine
from tilery.protocol import CHANCE, TERMINAL, ScoreEvent
from tilery.statistics import win_share
from tilery.words import words_of

HINT = "mcts:2000,memory=256"
"""The policy that gives hints where there is no champion."""
SEEDS = 2**53
"""Seeds of sessions are below this, so that a JSON number holds them in any language."""


class PlayError(TileryError):
    """A request that does not fit the state of a session, such as a move in another player's turn."""


@dataclass(frozen=True)
class Move:
    """One action of a game.

    player: who took it, `CHANCE` (-1) for chance. action: its id. seen: what each player saw of it, by seat: the id, or
    -1. forced: whether it was the only legal action. events: the points that it gave, as `state.score_events` says.
    """

    player: int
    action: int
    seen: tuple[int, ...]
    forced: bool
    events: tuple[ScoreEvent, ...] = ()


class Session(AbstractContextManager["Session"]):
    """A game between people and bots, from its first action to its last.

    game: a game of the engine.
    seats: for each player None, a person, or a bot as `Player` takes it.
    seed: of the game's luck, in [0, 2**53); None for one chosen at random. The game is game 0 of that seed as
        `tilery.simulate` plays it between policies (docs/bots.md), so luck depends neither on who plays nor on undo.
    actions: tokens of the game so far.
    seconds: how long a program in a seat may think about one action.
    start: a state to begin from instead of the beginning of the game; `record` is not possible then.
    names: of the people, for each player a text or None; empty if nobody has a name.
    looks: whether the game is only looked at, so that nothing is taken by itself.

    Chance and decisions of people without a choice are taken at once. A context manager: programs in seats end with it.
    Raises `ValueError` for a wrong number of seats or a text that names no bot, `RecordError` for an illegal token.
    """

    def __init__(
        self,
        game: Any,
        seats: Sequence[Bot | None],
        *,
        seed: int | None = 0,
        actions: Iterable[str] = (),
        seconds: float = 10.0,
        start: Any = None,
        names: Sequence[str | None] = (),
        looks: bool = False,
    ) -> None:
        if len(seats) != game.num_players:
            raise ValueError(f"seats must be one for each of {game.num_players} players, got {len(seats)}")
        seed = secrets.randbelow(SEEDS) if seed is None else seed
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < SEEDS:
            raise ValueError(f"seed must be an integer in [0, 2**53), got {seed!r}")
        if names and (
            len(names) != len(seats) or not all(name is None or (isinstance(name, str) and name) for name in names)
        ):
            raise ValueError(f"names must be a text or None for each of {len(seats)} players, got {list(names)!r}")
        self.game = game
        self.seed = seed
        self.names = list(names) if any(names) else []
        self.resigned: int | None = None
        """The player who has given up."""
        self.version = 0
        """Grows with every change."""
        self.seconds = seconds
        self._looks = looks
        self.start = None if start is None else start.clone()
        self._players = [self._player(seat, bot) for seat, bot in enumerate(seats)]
        self._lines: list[list[str]] = []
        """The lines played before going back, each from the beginning of the game."""
        self._finished: tuple[list[str], Any] | None = None
        """The first line that ended the game, and its last state."""
        self._start([])
        for number, token in enumerate(actions):
            try:
                self._apply(self.state.string_to_action(token))
            except ValueError as error:
                raise RecordError(f"record: action {number} ({token!r}): {error}") from None
        self._settle()

    @classmethod
    def of_record(cls, written: record.Record, seats: Sequence[Bot | None] | None = None, **settings: Any) -> Self:
        """The session of a recorded game, to be played on.

        seats: as for `Session`; None for those that the record names, people and policies. Raises `RecordError` for a
        record that does not replay, or that names others: a record does not start programs.
        """
        record.replay(written)
        game = record.game_of(written)
        seed, index = written.more.get("seed", 0), written.more.get("index", 0)
        if settings.get("looks"):
            seats = [None] * game.num_players
        elif seats is None:
            seats = seats_of(written, game.num_players)
        if index != 0 or not isinstance(seed, int) or not 0 <= seed < SEEDS:
            seed = 0  # of a game with another kind of luck, which the session cannot continue
        names = written.more.get("names", [])
        if not isinstance(names, list) or len(names) not in (0, game.num_players):
            names = []
        names = [name if isinstance(name, str) and name else None for name in names]
        session = cls(game, seats, seed=seed, actions=written.actions.split(), names=names, **settings)
        session._lines = list(written.lines())[1:]
        if written.more.get("resigned") in session.people:
            session.resigned = written.more["resigned"]
        return session

    # --- The position. ---

    @property
    def actor(self) -> int:
        """The player to act, -4 when the game is over or somebody has resigned."""
        return TERMINAL if self.resigned is not None else int(self.state.current_player())

    @property
    def winners(self) -> list[int]:
        """The winners, all who share the win; [] while the game goes on."""
        if self.resigned is not None:
            return [player for player in range(self.game.num_players) if player != self.resigned]
        returns = self.state.returns()
        return [p for p, each in enumerate(returns) if each == max(returns)] if self.state.is_terminal() else []

    @property
    def waits_for_person(self) -> bool:
        """Whether a person is to act."""
        return self.actor >= 0 and self._players[self.actor] is None

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, player in enumerate(self._players) if player is None]

    @property
    def seats(self) -> list[str | None]:
        """For each player None, a person, or the text of the bot."""
        return [None if player is None else player.text for player in self._players]

    def state_after(self, number: int) -> Any:
        """A copy of the state after a number of actions."""
        if not 0 <= number < len(self._states):
            raise PlayError(f"the game has {len(self.moves)} actions, not {number}")
        return self._states[number].clone()

    @property
    def lesson(self) -> dict[str, Any] | None:
        """The lesson of a tutorial as the page shows it; None for a game."""
        return None

    # --- What happens. ---

    def play(self, token: str) -> None:
        """Take the action of a person whose turn it is.

        Raises `PlayError` unless a person is to act, `ParseError` or `IllegalActionError` for a wrong token, which
        changes nothing.
        """
        if not self.waits_for_person:
            raise PlayError("the game is over" if self.actor == TERMINAL else f"player {self.actor} is a bot")
        self._apply(self.state.string_to_action(token))
        self._settle()

    def thought(self) -> Thought:
        """The choice of the bot to act, to be called once, on any thread, and stopped from any other.

        Raises `PlayError` unless a bot is to act.
        """
        player = None if self.actor < 0 else self._players[self.actor]
        if player is None:
            raise PlayError("no bot is to act")
        seen = [move.seen[self.actor] for move in self.moves]
        return Thought(player, self.state.clone(), self._known, self._number, seen)

    def play_bot(self, action: int) -> None:
        """Take the action of the bot to act."""
        self._apply(action)
        self._settle()

    def play_bots(self) -> None:
        """Let bots play until a person is to act or the game is over.

        Raises `PlayerError` if one fails; the game can go on after `take_seat`.
        """
        while self.actor >= 0 and not self.waits_for_person:
            self.play_bot(self.thought()())

    def resign(self, player: int) -> None:
        """End the game: a person gives up, and all others win. Undo takes it back.

        The record says so under `resigned`. Raises `PlayError` if the game is over or a bot has the seat.
        """
        if self.actor == TERMINAL or player not in self.people:
            raise PlayError("the game is over" if self.actor == TERMINAL else f"player {player} is a bot")
        self.resigned = player
        self.version += 1

    def undo(self, player: int) -> None:
        """Return to the last decision of a player that was a choice; what came after it stays in the record.

        A resignation alone is taken back first. A finished game whose end is taken back is not over any more: its
        record goes on where it is played on.

        Raises `PlayError` if there is none.
        """
        if self.resigned is not None:
            self.resigned = None
            self.version += 1
            return
        for number in range(len(self.moves) - 1, -1, -1):
            if self.moves[number].player == player and not self.moves[number].forced:
                if self.state.is_terminal() and self._finished is not None and self._finished[0] == self._tokens():
                    self._finished = None
                self.go_back(number)
                return
        raise PlayError(f"player {player} has not chosen anything yet")

    def go_back(self, number: int) -> None:
        """Return to the position after a number of actions; the later ones stay in the record, as a variation.

        Raises `PlayError` for a number out of range.
        """
        self.state_after(number)
        self._lines = _with(self._lines, self._tokens())
        self._start([move.action for move in self.moves[:number]])
        self._settle()

    def take_seat(self, seat: int, bot: Bot | None) -> None:
        """Give a seat to a person (None) or to a bot.

        Raises `PlayError` for a seat out of range and `ValueError` for a text that names no bot.
        """
        if not 0 <= seat < len(self._players):
            raise PlayError(f"seat must be in 0..{len(self._players) - 1}, got {seat}")
        old, self._players[seat] = self._players[seat], self._player(seat, bot)
        if old is not None:
            old.close()
        self.version += 1
        self._settle()

    def _player(self, seat: int, bot: Bot | None) -> Player | None:
        return None if bot is None else Player(bot, self.game, seat, seconds=self.seconds)

    def _start(self, actions: Iterable[int]) -> None:
        """Begin again and take these actions, which are known to be legal."""
        n = self.game.num_players
        self.version += 1
        self.resigned = None
        self.state = self.game.new_initial_state() if self.start is None else self.start.clone()
        self.moves: list[Move] = []
        self._words: dict[int, str] = {}  # of moves by their number, found when they are first asked for
        self._states = [self.state.clone()]
        self._chance = tilery.Rng.of(self.seed, 0)
        self._luck = [tilery.Rng.of(self.seed, 1 + player) for player in range(n)]
        self._deals = [tilery.Rng.of(self.seed, 16 + player) for player in range(n)]
        self._arrive()
        for action in actions:
            self._apply(action)

    def _arrive(self) -> None:
        """Take the luck of the player to act from the streams."""
        if self.actor >= 0:
            self._number = self._luck[self.actor].next()
            self._known = self.state.determinize(self.actor, self._deals[self.actor])
        elif self.state.is_chance_node():
            self._outcome = self.state.random_action(self._chance)

    def _apply(self, action: int) -> None:
        """Take a step; nothing changes if it is illegal."""
        player, forced = self.actor, self.state.num_legal_actions() == 1
        seen = tuple(self.state.action_seen_by(p, action) for p in range(self.game.num_players))
        events = tuple(self.state.score_events(action))
        self.state.apply_action(action)
        self.moves.append(Move(player, action, seen, forced and player != CHANCE, events))
        self._states.append(self.state.clone())
        if self._finished is None and self.state.is_terminal():
            self._finished = self._tokens(), self.state.clone()
        self.version += 1
        self._arrive()

    def _settle(self) -> None:
        """Take what nobody chooses: chance, and decisions of people without a choice."""
        while not self.state.is_terminal() and not self._looks:
            if self.state.is_chance_node():
                self._apply(self._outcome)
            elif self.waits_for_person and self.state.num_legal_actions() == 1:
                self._apply(self.state.legal_actions()[0])
            else:
                return

    # --- What a seat may know. ---

    def seen(self, number: int, viewer: int | None) -> int:
        """The id of an action as a player saw it, -1 for one they could not see; None sees all."""
        move = self.moves[number]
        return move.action if viewer is None else move.seen[viewer]

    def token_seen(self, number: int, viewer: int | None) -> str:
        """The token of an action as a player saw it; "*?" for one they could not see."""
        action = self.seen(number, viewer)
        return UNSEEN if action < 0 else str(self.game.action_to_string(action))

    def words_seen(self, number: int, viewer: int | None) -> str:
        """An action in words as a player saw it."""
        if self.seen(number, viewer) < 0:
            return "something hidden"
        if number not in self._words:
            self._words[number] = words_of(self._states[number], self.moves[number].action)
        return self._words[number]

    def played_for(self, number: int, viewer: int | None) -> bool:
        """Whether an action was taken for the viewer, who had no other; False for those of other players."""
        move = self.moves[number]
        return move.forced and move.player == viewer and not self._looks

    def shown(self, viewer: int | None) -> Any:
        """A state that shows a player who is to act no more than they know: what is hidden from them is drawn anew."""
        return self.state if viewer != self.actor or not self.game.hides_information else self._known

    def why(self, picks: Sequence[str]) -> str:
        """Why no action with these picks is legal, beginning with the number of a rule; "" if one is.

        Also "" if no action has them.
        """
        game, found = self.game, ""
        for action in range(game.num_distinct_actions):
            path = game.picks(action)
            if not all(pick in path for pick in picks):
                continue
            reason = str(self.state.why_illegal(action))
            if not reason:
                return ""
            found = found or reason
        return found

    def hints(self, policy: str | None = None) -> list[dict[str, Any]]:
        """Up to three actions of the player to act, the best first, found from what that player knows.

        policy: a search; by default the champion of the game (docs/champions.md), or `HINT` where there is none.

        Each is a dict of `token`, `words`, `picks`, `share` (of the search's visits) and `wins`, the share of the wins
        that the search expects. Raises `PlayError` if nobody is to act.
        """
        if self.actor < 0:
            raise PlayError("nobody is to act")
        return hints(self.state.clone(), len(self.moves), policy)

    # --- The record. ---

    def record(self) -> record.Record:
        """The record of the game so far, which `Session.of_record` continues and `tilery replay` checks.

        Its main line is the one that ended the game first, or else the present one; its variations are the others.
        Raises `PlayError` if the session began from a state of its own.
        """
        if self.start is not None:
            raise PlayError("a record tells a game from its beginning, and this one began later")
        present = self._tokens()
        main, last = self._finished or (present, self.state)
        variations = [
            record.Variation(after, " ".join(line[after:]))
            for line in _with(self._lines, present)
            for after in [_common(line, main)]
            if after < len(line)
        ]
        more: dict[str, Any] = {"seed": self.seed, "index": 0, "seats": self.seats}
        more |= {"names": self.names} if self.names else {}
        more |= {} if self.resigned is None else {"resigned": self.resigned}
        written = record.of_state(last, " ".join(main), **more)
        return replace(written, variations=tuple(variations))

    def _tokens(self) -> list[str]:
        return [str(self.game.action_to_string(move.action)) for move in self.moves]

    def close(self) -> None:
        """End the programs in seats."""
        for player in self._players:
            if player is not None:
                with suppress(OSError):
                    player.close()

    def __exit__(self, *_error: object) -> None:
        self.close()


def _common(line: list[str], other: list[str]) -> int:
    """The number of tokens that two lines have in common at their beginning."""
    return next((i for i, (a, b) in enumerate(zip(line, other, strict=False)) if a != b), min(len(line), len(other)))


def _with(lines: list[list[str]], line: list[str]) -> list[list[str]]:
    """Lines and another one, without those that a longer one begins with."""
    if any(line == each[: len(line)] for each in lines):
        return lines
    return [*(each for each in lines if each != line[: len(each)]), line]


def hints(state: Any, number: int, policy: str | None) -> list[dict[str, Any]]:
    """The best actions of a state, as `Session.hints` gives them; `number` is the seed of the search."""
    search = tilery.policy(policy or ladder.strongest(state.game.name, HINT))
    if not isinstance(search, tilery.policies.Search):
        raise PlayError(f"{policy} is not a search; uct:N and mcts:N are")
    analysis = search.analyse(state, number)
    return [
        {
            "token": row["token"],
            "words": words_of(state, row["action"]),
            "picks": state.game.picks(row["action"]),
            "share": row["share"],
            "wins": win_share(row["utilities"][analysis.player], state.game.num_players),
        }
        for row in analysis.actions[:3]
    ]


def levels(game: str, *, named: bool = True) -> list[tuple[str, str]]:
    """Bots by strength, the weakest first: policies with a word about each; none for a game without a ladder.

    named: whether a rung is named as such, or by its policy.
    """
    try:
        rungs = ladder.rungs(game)
    except ladder.LadderError:
        return []
    return [
        (f"rung:{rung.number}" if named else rung.policy, f"rung {rung.number}, {rung.rating:.0f} Elo")
        for rung in rungs
    ]


def seats_of(written: record.Record, num_players: int, *, strict: bool = True) -> list[str | None]:
    """The people and policies that a record names in its seats; people where it names nobody.

    Raises `RecordError` for anything else, such as a program or a function; with strict=False people take its seat.
    """
    named = written.more.get("seats", [None] * num_players)
    if not isinstance(named, list) or len(named) != num_players:
        raise RecordError(f"record: seats must be a list of {num_players}, got {named!r}")
    seats = [text if isinstance(text, str) and of_engine(text) else None for text in named]
    for seat, text in enumerate(named):
        if strict and text != seats[seat]:
            raise RecordError(
                f"record: seat {seat} is played by {text!r}, which is no policy of the engine; name the bots again"
            )
    return seats
