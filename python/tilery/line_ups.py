"""Policies in the seats of games that Python steps: environments of Gymnasium and PettingZoo, bots of OpenSpiel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from copy import copy
from typing import Any

import tilery
from tilery.bots import OneNumber
from tilery.policies import Judged, OutsidePolicy, policy
from tilery.protocol import Policy


@contextmanager
def whole(changed: Any, *names: str) -> Iterator[None]:
    """Let the block change an object by all it does or not at all: an opponent may raise after others have moved.

    names: of the attributes that it changes in place.
    """
    kept = dict(vars(changed))
    for name in kept.keys() & names:
        setattr(changed, name, copy(kept[name]))
    try:
        yield
    except BaseException:
        changed.__dict__ = kept
        raise


class _Running(ExitStack):
    """Programs in seats, which end when no line-up has them any more."""

    def __del__(self) -> None:
        self.close()


class LineUp:
    """The policies of some seats of one game after the other; they take luck from the streams of the game.

    policies: for each seat, None where others play. Programs are started when first asked in a game, and end with it.
    A copy plays on by itself, with the same programs.
    """

    def __init__(self, game: Any, policies: Sequence[Policy | None]) -> None:
        self.game, self.policies = game, list(policies)
        self.begin(0, 0)

    def __copy__(self) -> LineUp:
        other = object.__new__(LineUp)
        own = {name: vars(self)[name] for name in ("_luck", "_deals", "_seen")}
        other.__dict__ = vars(self) | {name: each and [*map(copy, each)] for name, each in own.items()}
        return other

    def begin(self, seed: int, index: int) -> None:
        """Begin game `index` of a seed."""
        self._running = _Running()
        self._seats: dict[int, Judged] = {}
        self._luck = [tilery.Rng.of(seed, 1 + seat, index) for seat in range(len(self.policies))]
        self._deals = [tilery.Rng.of(seed, 16 + seat, index) for seat in range(len(self.policies))]
        self._seen: list[list[int]] | None = [[] for _ in self.policies]

    def note(self, state: Any, action: int) -> None:
        """Hear of an action about to be applied. Games whose chance nobody hears of begin with `forget`."""
        if self._seen is not None:
            for seat, each in enumerate(self.policies):
                if isinstance(each, OutsidePolicy):
                    self._seen[seat].append(state.action_seen_by(seat, action))

    def forget(self) -> None:
        """Tell policies of this game that nobody knows what happened in it."""
        self._seen = None

    def choose(self, state: Any) -> int:
        """The action of the seat to act. Raises `BotError` where a policy that is not of the engine fails."""
        player: int = state.current_player()
        chosen, number = self.policies[player], self._luck[player].next()
        if not isinstance(chosen, OutsidePolicy):
            assert chosen is not None
            luck: Any = OneNumber(number)
            return chosen.choose(state, luck)
        if player not in self._seats:
            self._seats[player] = Judged(self._running.enter_context(chosen.seat(self.game, player)), player)
        known = state.determinize(player, self._deals[player])
        seen = None if self._seen is None else self._seen[player]
        return self._seats[player].choose(known, number, seen)


class Opponents:
    """The policies in the seats that an agent does not play.

    given: one for all of them; or a sequence, with one for each seat, of which the agent's own is left out, or with one
    for each seat after the agent's, in their order.

    Raises `ValueError`, which begins with "opponents", for anything else.
    """

    def __init__(self, given: Any, num_players: int) -> None:
        self._by_seat = isinstance(given, Sequence) and not isinstance(given, str) and len(given) == num_players
        try:
            if isinstance(given, Sequence) and not isinstance(given, str):
                self._policies = [None if each is None else policy(each) for each in given]
            else:
                self._policies = [policy(given)] * num_players
        except (ValueError, TypeError) as error:
            raise ValueError(f"opponents: {error}") from None
        self._n = num_players
        if len(self._policies) not in (num_players, num_players - 1):
            raise ValueError(
                f"opponents must be one, or one for each of {num_players} seats, got {len(self._policies)}"
            )

    def seats(self) -> list[Policy | None]:
        """The policies by seat, None for those of agents: those given, or of seat 0.

        Raises `ValueError` if no seat is left.
        """
        seats = self._policies if self._by_seat else self.around(0)
        if all(seats):
            raise ValueError("opponents: no seat is left for an agent")
        return seats

    @property
    def same(self) -> Policy | None:
        """The policy of all seats, if there is but one."""
        return self._policies[0] if all(each == self._policies[0] for each in self._policies) else None

    def around(self, player: int) -> list[Policy | None]:
        """The policies by seat, None for the player. Raises `ValueError` where one is missing."""
        whole = len(self._policies) == self._n  # also where there is one policy for all
        seats = [
            None if seat == player else self._policies[seat if whole else (seat - player - 1) % self._n]
            for seat in range(self._n)
        ]
        if missing := [seat for seat, each in enumerate(seats) if each is None and seat != player]:
            raise ValueError(f"opponents: nobody plays seat {missing[0]}")
        return seats
