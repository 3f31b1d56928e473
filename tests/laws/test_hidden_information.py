"""What a player may know, as laws: what is hidden from them never moves what they see, and what they see moves it.

The laws hold for every game. A game in which cards are drawn in secret says in tests/games/<game>/secrets.py who draws
(`drawn_by`), and which hidden things are laid open though nobody chose so (`laid_open`); all else follows from those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import tilery
from tests.kit.games import GAMES, options_of
from tests.kit.secrets import secrets_of
from tests.kit.walking import random_game, some_action, walk
from tilery.reference import toy
from tilery.reference.rng import Rng

SEEDS = st.integers(0, 2**32)


CASES = {name: (name, options_of(name)) for name in GAMES} | {
    f"{name}, close quarters": (name, secrets.close_quarters())
    for name in GAMES
    if hasattr(secrets := secrets_of(name), "close_quarters")
}
"""Games with a choice of options; where most options hide little, some that hide much."""


def drawn_by(state: Any) -> int | None:
    """The player who alone sees what comes up at this chance node; None where everybody does."""
    secrets = secrets_of(state.game.name)
    return None if secrets is None else secrets.drawn_by(state)


def laid_open(state: Any) -> Any:
    """What the rules turn up inside an action that does not choose it."""
    secrets = secrets_of(state.game.name)
    return None if secrets is None else secrets.laid_open(state)


Law = Callable[[Any, int], None]


def law(examples: int) -> Callable[[Law], Any]:
    """A law for states on the way of every game; `check` is the law itself, for those who want it broken."""

    def decorate(check: Law) -> Any:
        @pytest.mark.parametrize("case", CASES)
        def test(case: str) -> None:
            name, options_strategy = CASES[case]

            @settings(max_examples=examples)
            @given(options=options_strategy, seed=SEEDS, actions=st.integers(0, 150))
            def run(options: dict[str, Any], seed: int, actions: int) -> None:
                check(walk(tilery.load(name, **options), seed=seed, actions=actions), seed)

            run()

        test.__doc__ = check.__doc__
        test.check = check
        return test

    return decorate


def assert_alike(one: Any, other: Any, player: int) -> None:
    """The player cannot tell the two apart by anything they may ask."""
    assert other.information_state_string(player) == one.information_state_string(player)
    assert np.array_equal(other.observation_tensor(player), one.observation_tensor(player))
    assert other.current_player() == one.current_player()
    assert other.scores() == one.scores()
    assert other.returns() == one.returns()
    if one.current_player() == player:
        assert other.legal_actions() == one.legal_actions()


@law(20)
def test_what_is_hidden_never_interferes(state: Any, seed: int) -> None:
    """Two games that differ in hidden things only, played on in step, stay alike for the player.

    In step means: all that they see happen is the same in both. Decisions and open draws are those possible in
    both games; what others draw in secret is drawn in each game by itself. The games part when the rules lay
    open what differs.
    """
    rng = Rng(seed, 1)
    for player in range(state.game.num_players):
        one, other = state.clone(), state.determinize(player, seed)
        for _ in range(30):
            assert_alike(one, other, player)
            if one.is_terminal():
                break
            if one.is_chance_node() and drawn_by(one) not in (None, player):
                actions = [some_action(one.legal_actions(), rng), some_action(other.legal_actions(), rng)]
            else:
                common = sorted({*one.legal_actions()} & {*other.legal_actions()})
                if not common:
                    break
                actions = [some_action(common, rng)] * 2
            one.apply_action(actions[0])
            other.apply_action(actions[1])
            if laid_open(one) != laid_open(other):
                break


@law(20)
def test_open_actions_are_seen_and_secret_draws_only_by_who_draws(state: Any, seed: int) -> None:
    """Two actions that lead to different positions look different to everybody, but for draws in secret."""
    rng = Rng(seed, 2)
    for _ in range(12):
        if state.is_terminal():
            return
        legal = state.legal_actions()
        drawer = drawn_by(state) if state.is_chance_node() else None
        after = []
        for action in {*legal[:4], *legal[:: max(1, len(legal) // 4)]}:
            after.append(state.clone())
            after[-1].apply_action(action)
        for player in range(state.game.num_players):
            views = [child.information_state_string(player) for child in after]
            for a, b in combinations(range(len(after)), 2):
                if after[a] == after[b]:
                    assert views[a] == views[b]
                elif drawer in (None, player):
                    assert views[a] != views[b]
                elif laid_open(after[a]) == laid_open(after[b]):
                    assert_alike(after[a], after[b], player)
        state = state.clone()
        state.apply_action(some_action(legal, rng))


@law(20)
def test_a_deal_moves_what_others_hold_and_they_see_it(state: Any, seed: int) -> None:
    """A position is what its players know together: a deal that changes it changes what somebody else knows."""
    players = range(state.game.num_players)
    before = [state.information_state_string(player) for player in players]
    for player in players:
        for deal in range(seed, seed + 4):
            dealt = state.determinize(player, deal)
            after = [dealt.information_state_string(other) for other in players]
            assert after[player] == before[player]
            assert (dealt == state) == (after == before)
            for other in players:
                if after[other] == before[other]:
                    assert_alike(state, dealt, other)


SECRETS = [(name, *position) for name in GAMES if (secrets := secrets_of(name)) for position in secrets.POSITIONS]


def assert_hands_move(state: Any, seeds: int) -> None:
    """Determinizations deal others many hands, and the player's own string has nothing of any of them."""
    players = range(state.game.num_players)
    for player in players:
        deals = [state.determinize(player, seed) for seed in range(seeds)]
        assert {deal.information_state_string(player) for deal in deals} == {state.information_state_string(player)}
        hands = {tuple(deal.information_state_string(other) for other in players) for deal in deals}
        assert len(hands) > seeds / 4


@pytest.mark.parametrize(("name", "options", "actions"), SECRETS)
def test_hidden_hands_move_under_a_string_that_does_not(
    load: Any, name: str, options: dict[str, Any], actions: int
) -> None:
    assert_hands_move(random_game(load(name, **options), seed=4, actions=actions), 24)


@pytest.mark.parametrize("name", [name for name in GAMES if name not in (secret[0] for secret in SECRETS)])
def test_where_nothing_is_hidden_nothing_moves(load: Any, name: str) -> None:
    state = random_game(load(name), seed=4, actions=60)
    assert all(state.determinize(player, seed) == state for player in (0, 1) for seed in range(5))


# The laws can fail: games that break them, one by one.


class Broken(toy.Game):
    """Toy with another state."""

    def __init__(self, kind: type[toy.State]) -> None:
        super().__init__(players=3)
        self.kind = kind

    def new_initial_state(self) -> toy.State:
        return self.kind(self)


class TellsTheNextHand(toy.State):
    def _information(self, player: int) -> dict[str, Any]:
        return super()._information(player) | {"next": max(self.hands[(player + 1) % 3], default=0)}


class TellsTheDeck(toy.State):
    def _information(self, player: int) -> dict[str, Any]:
        return super()._information(player) | {"top": self.deck[0]}


class ObservesTheDeck(toy.State):
    def observation_tensor(self, player: int) -> Any:
        return super().observation_tensor(player) + self.deck.count(5)


class HidesTheOwnHand(toy.State):
    def _information(self, player: int) -> dict[str, Any]:
        return super()._information(player) | {"hand": [0] * 5}


class HidesThePrize(toy.State):
    def _information(self, player: int) -> dict[str, Any]:
        return super()._information(player) | {"prize": int(self.prize > 0), "open": [0] * 5, "scores": [0] * 3}


class ScoresByHands(toy.State):
    def scores(self) -> list[int]:
        return [
            points + (len(hand) == 1 and hand[0] == 5) for points, hand in zip(self.points, self.hands, strict=True)
        ]


class DealsTheOwnHandToo(toy.State):
    def determinize(self, player: int, rng: Any) -> Any:
        return super().determinize((player + 1) % 3, rng)


class DealsNothing(toy.State):
    def determinize(self, player: int, rng: Any) -> Any:  # noqa: ARG002
        return self.clone()


class TellsTheHighestCardLater(toy.State):
    """While the last player of a round is to play, everybody sees the highest card still held."""

    def _information(self, player: int) -> dict[str, Any]:
        best = max(card for hand in self.hands for card in [0, *hand])
        return super()._information(player) | {"best": best if len(self.table) == 2 else 0}


LAWS: list[Law] = [
    test_what_is_hidden_never_interferes.check,
    test_open_actions_are_seen_and_secret_draws_only_by_who_draws.check,
    test_a_deal_moves_what_others_hold_and_they_see_it.check,
]


def try_laws(kind: type[toy.State], laws: Sequence[Law] = LAWS) -> None:
    """Twenty games of this kind, looked at from the end of the deal to the second round."""
    for seed in range(20):
        for check in laws:
            check(walk(Broken(kind), seed=seed, actions=9 + seed % 6), seed)


@pytest.mark.parametrize(
    "kind",
    [
        TellsTheNextHand,
        TellsTheDeck,
        ObservesTheDeck,
        HidesTheOwnHand,
        HidesThePrize,
        ScoresByHands,
        DealsTheOwnHandToo,
        TellsTheHighestCardLater,
    ],
)
def test_a_broken_game_breaks_a_law(kind: type[toy.State]) -> None:
    with pytest.raises(AssertionError):
        try_laws(kind)


def test_a_sound_game_breaks_none() -> None:
    try_laws(toy.State)


def test_what_comes_out_later_is_found_by_playing_on() -> None:
    """Before the first prize nothing is to be seen; only playing both games on brings it to light."""
    state = walk(Broken(TellsTheHighestCardLater), seed=1, actions=9)
    for seed in range(9):
        assert_alike(state, state.determinize(0, seed), 0)
    with pytest.raises(AssertionError):
        try_laws(TellsTheHighestCardLater, LAWS[:1])


def test_hands_that_are_never_dealt_anew_are_found() -> None:
    assert_hands_move(walk(Broken(toy.State), seed=1, actions=9), 24)
    with pytest.raises(AssertionError):
        assert_hands_move(walk(Broken(DealsNothing), seed=1, actions=9), 24)
