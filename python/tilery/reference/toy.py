"""Toy, written from docs/rules/toy.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from tilery.protocol import CHANCE, TERMINAL
from tilery.reference import base
from tilery.reference.rng import Rng

VALUES = [1, 2, 3, 4, 5]
COPIES = 4


class Game(base.Game):
    """Toy with its options fixed."""

    name = "toy"
    score_sources: ClassVar = ["prizes"]

    def __init__(self, **options: Any) -> None:
        given = base.Options(options)
        given.integer("players", 2, 4, default=2)
        given.integer("hand", 1, COPIES, default=3)
        self.rules = given.rules
        self.tokens = [*(f"*{value}" for value in VALUES), *map(str, VALUES)]

    @property
    def max_decisions(self) -> int:
        """Every card that is dealt is played once (T-4)."""
        return self.num_players * int(self.rules["hand"])

    @property
    def max_chance_nodes(self) -> int:
        """Every card is dealt, and each round has a prize (T-2, T-3)."""
        return (self.num_players + 1) * int(self.rules["hand"])

    def new_initial_state(self) -> State:
        return State(self)


class State(base.State[Game]):
    """A position of Toy: hands and deck are sorted lists of cards."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.deck = sorted(VALUES * COPIES)
        self.hands: list[list[int]] = [[] for _ in range(game.num_players)]
        self.dealing = True
        self.prize = 0
        self.table: list[int] = []
        self.points = [0] * game.num_players

    def current_player(self) -> int:
        if self.dealing:
            return CHANCE
        if self.prize:
            return len(self.table)
        return CHANCE if self.hands[0] else TERMINAL

    def _decisions(self) -> Sequence[int]:
        return sorted({card + 4 for card in self.hands[len(self.table)]})

    def _outcomes(self) -> Mapping[int, int]:
        return {card - 1: self.deck.count(card) for card in self.deck}

    def _apply(self, action: int) -> None:
        if action >= len(VALUES):
            self._play(action - 4)
            return
        card = action + 1
        self.deck.remove(card)
        if self.dealing:  # T-2
            hand = next(hand for hand in self.hands if len(hand) < self.game.rules["hand"])
            hand.append(card)
            hand.sort()
            self.dealing = any(len(hand) < self.game.rules["hand"] for hand in self.hands)
        else:  # T-3
            self.prize = card

    def _play(self, card: int) -> None:
        """T-4, and T-5 after the last card of a round."""
        self.hands[len(self.table)].remove(card)
        self.table.append(card)
        if len(self.table) == self.game.num_players:
            single = [played for played in self.table if self.table.count(played) == 1]
            if single:
                winner = self.table.index(max(single))
                self._give(winner, self.prize, "prizes", "T-5", [f"card:{max(single)}"])
            self.table, self.prize = [], 0

    def _open(self) -> list[int]:
        hidden = self.deck + [card for hand in self.hands for card in hand]
        return [COPIES - hidden.count(value) for value in VALUES]

    def _seen_only_by(self, _action: int) -> int | None:
        """T-2: a card that is dealt is seen by the player who gets it."""
        if not self.dealing:
            return None
        return next(seat for seat, hand in enumerate(self.hands) if len(hand) < self.game.rules["hand"])

    def _information(self, player: int) -> dict[str, Any]:
        return {"hand": [self.hands[player].count(value) for value in VALUES], **self._public()}

    def _public(self) -> dict[str, Any]:
        missing = [0] * (self.game.num_players - len(self.table))
        return {
            "hand_sizes": [len(hand) for hand in self.hands],
            "open": self._open(),
            "prize": self.prize,
            "table": self.table + missing,
            "scores": self.points,
        }

    def _observed(self, player: int) -> Iterator[base.Section]:
        known = self._information(player)
        yield base.Section("hand", known["hand"], COPIES)
        yield base.Section("open", known["open"], COPIES)
        yield base.Section("prize", [known["prize"]], max(VALUES))
        by_seat = [known["hand_sizes"], known["table"], known["scores"]]
        numbers = [each[seat] for seat in self._seats_from(player) for each in by_seat]
        yield base.Section("seats", numbers, max(VALUES) * int(self.game.rules["hand"]))

    def _deal_again(self, other: Self, player: int, stream: Rng) -> None:
        others = [seat for seat in range(self.game.num_players) if seat != player]
        unseen = sorted(self.deck + [card for seat in others for card in self.hands[seat]])
        for seat in others:
            size = len(self.hands[seat])
            other.hands[seat] = sorted(unseen.pop(stream.below(len(unseen))) for _ in range(size))
        other.deck = unseen
