"""Near the end a search is right where something is hidden: exact values over the deals a player cannot tell apart.

What is compared, for the player to act of a position within six actions of the end, where all have the same points:

- The deals are all arrangements of the unseen cards or tiles over the places where the player has not seen them, each
  with the number of ways in which single cards make it. They are enumerated from the position, not by `determinize`.
- For `uct` and `mcts` the value of an action is the expectation over deals and chance when the player goes on best
  among what they can tell apart, and every other player replies best. A reply is defined where no choice of the
  player comes after it and where each legal action of the other player is worth the same to them in all deals in which
  it is legal: there a search from one player's knowledge converges to it. Other positions are left out.
- For `flat` it is the expectation when everybody, the player included, goes on uniformly at random. That is defined
  everywhere.

A search must choose an action of the greatest value wherever the other actions are clearly worse, and the mean of the
action most visited must be near its value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import tilery
from tests.kit.deals import Hand, deals_of, minus, others_of
from tests.kit.games import GAMES, part_of
from tests.kit.secrets import secrets_of
from tests.kit.walking import some_action
from tilery.reference.rng import Rng

MOST_STATES = 2_000
"""Positions whose trees have more states are left out."""
MOST_ACTIONS = 40
NEAR = 0.05
"""How near the mean of 20,000 simulations must be, of which some explore."""
GAP = 0.1
"""An action is clearly worse if its value is less by this."""

World = tuple[float, Any]
"""The share of a deal, and the state in it."""


class Undefined(Exception):
    """The position has no exact value, or too many states."""


CASES = {name: part_of(name, "endings") for name in GAMES if secrets_of(name)}
"""tests/games/<game>/endings.py: options and seeds of games, how many positions of them are compared, and where the
cards or tiles are in a position as text (`state.to_dict()`)."""


class Places(NamedTuple):
    """Copies of each kind: what all hands hold, what everybody knows of that, and the pile."""

    held: list[Hand]
    known: list[Hand]
    pile: Hand


def counted(cards: Any, kinds: Sequence[Any]) -> Hand:
    """Cards written as copies by kind, as an object, or as a list of names."""
    if isinstance(cards, dict):
        return tuple(cards.get(kind, 0) for kind in kinds)
    return tuple(map(cards.count, kinds)) if isinstance(kinds[0], str) else tuple(cards)


def places_of(case: ModuleType, position: dict[str, Any]) -> Places:
    kinds = case.kinds_of(position)
    held, known, pile = case.places_of(position)
    return Places(
        [counted(hand, kinds) for hand in held], [counted(hand, kinds) for hand in known], counted(pile, kinds)
    )


def plus(some: Hand, more: Hand) -> Hand:
    return tuple(a + b for a, b in zip(some, more, strict=True))


def worlds_of(case: ModuleType, state: Any) -> list[World]:
    """All deals that the player to act cannot tell apart."""
    player, position = state.current_player(), state.to_dict()
    held, known, pile = places_of(case, position)
    unknown = {seat: minus(held[seat], known[seat]) for seat in others_of(state, player)}
    unseen = pile
    for hand in unknown.values():
        unseen = plus(unseen, hand)
    found = []
    for deal, ways in deals_of(unseen, [sum(hand) for hand in unknown.values()]):
        hands, left = list(held), unseen
        for seat, hand in zip(unknown, deal, strict=True):
            hands[seat], left = plus(known[seat], hand), minus(left, hand)
        found.append((float(ways), state.game.state_from_dict(case.dealt(position, hands, left))))
        if len(found) > MOST_STATES:
            raise Undefined
    total = sum(ways for ways, _ in found)
    return [(ways / total, world) for ways, world in found]


def close(state: Any) -> Any:
    """The position with the least points for everybody, if that can occur: what is left to play then decides."""
    position = state.to_dict()
    key = "points" if "points" in position else "scores"
    try:
        return state.game.state_from_dict({**position, key: [min(position[key])] * state.game.num_players})
    except tilery.errors.StateDataError:
        return state


def children(state: Any) -> Iterator[tuple[int, float, Any]]:
    """Every action, its probability where chance acts (else 1), and the state after it."""
    chances = dict(state.chance_outcomes())
    for action in state.legal_actions():
        child = state.clone()
        child.apply_action(action)
        yield action, chances.get(action, 1.0), child


class Exact:
    """The values of one position for the player to act."""

    def __init__(self, worlds: list[World]) -> None:
        self.worlds = worlds
        self.player = worlds[0][1].current_player()
        self._left = MOST_STATES
        self._worth: dict[tuple[int, int], float] = {}

    def by_action(self) -> dict[int, float]:
        """Of best play by what the player can tell apart."""
        return {action: self._after(self.worlds, action)[self.player] for action in self.worlds[0][1].legal_actions()}

    def at_random(self) -> dict[int, float]:
        """Of uniformly random play after the action."""
        sums = dict.fromkeys(self.worlds[0][1].legal_actions(), 0.0)
        for share, world in self.worlds:
            for action, _, child in children(world):
                sums[action] += share * self._random(child)
        return sums

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise Undefined

    def _random(self, state: Any) -> float:
        self._count()
        if state.is_terminal():
            return float(state.returns()[self.player])
        after = list(children(state))
        even = 1.0 if state.is_chance_node() else 1 / len(after)
        return sum(even * chance * self._random(child) for _, chance, child in after)

    def _after(self, worlds: list[World], action: int) -> list[float]:
        after = []
        for share, world in worlds:
            child = world.clone()
            child.apply_action(action)
            after.append((share, child))
        return self._sum(after)

    def _sum(self, worlds: list[World]) -> list[float]:
        """Of worlds that the player may be able to tell apart."""
        alike: dict[tuple[int, int], list[World]] = {}
        for share, world in worlds:
            self._count()
            key = world.current_player(), world.information_state_hash(self.player)
            alike.setdefault(key, []).append((share, world))
        values = [self._value(group) for group in alike.values()]
        return [sum(each) for each in zip(*values, strict=True)]

    def _value(self, worlds: list[World]) -> list[float]:
        """The utilities, each world weighted by its share, of worlds that the player cannot tell apart."""
        state = worlds[0][1]
        if state.current_player() == self.player:
            legal = state.legal_actions()
            assert all(world.legal_actions() == legal for _, world in worlds)
            return max((self._after(worlds, action) for action in legal), key=lambda value: value[self.player])
        if state.is_chance_node() or all(len(world.legal_actions()) == 1 for _, world in worlds):
            return self._sum([(share * p, child) for share, world in worlds for _, p, child in children(world)])
        values = [[share * utility for utility in self._reply(world)] for share, world in worlds]
        return [sum(each) for each in zip(*values, strict=True)]

    def _reply(self, state: Any) -> list[float]:
        """The utilities when another player chooses, or where nobody has a choice any more."""
        self._count()
        if state.is_terminal():
            result: list[float] = state.returns()
            return result
        after = [(action, chance, self._reply(child)) for action, chance, child in children(state)]
        mover = state.current_player()
        if state.is_chance_node() or len(after) == 1:
            return [
                sum(each) for each in zip(*([chance * u for u in value] for _, chance, value in after), strict=True)
            ]
        if mover == self.player:
            raise Undefined
        known = state.information_state_hash(self.player)
        for action, _, value in after:
            if abs(self._worth.setdefault((known, action), value[mover]) - value[mover]) > 1e-9:
                raise Undefined
        best = max(value[mover] for _, _, value in after)
        replies = [value for _, _, value in after if value[mover] > best - 1e-9]
        if any(abs(value[self.player] - replies[0][self.player]) > 1e-9 for value in replies):
            raise Undefined
        return replies[0]


def clear(values: dict[int, float]) -> bool:
    """Whether there is something to choose, and nothing nearly as good as the best."""
    best = max(values.values())
    worse = [value for value in values.values() if value < best - 1e-9]
    return bool(worse) and all(value < best - GAP for value in worse)


def endings(label: str, count: int, *, at_random: bool = False) -> Iterator[tuple[Any, dict[int, float]]]:
    """Decisions within six actions of the end that hide something and matter, with the value of each action."""
    case, found = CASES[label], 0
    for seed in case.SEEDS:
        state, rng, states = tilery.load(label, **case.OPTIONS).new_initial_state(), Rng(seed, 9), []
        while not state.is_terminal():
            states.append(state.clone())
            state.apply_action(some_action(state.legal_actions(), rng))
        for each in states[-6:]:
            if each.is_chance_node() or not 1 < len(each.legal_actions()) <= MOST_ACTIONS:
                continue
            try:
                before = close(each)
                worlds = worlds_of(case, before)
                if len(worlds) == 1:
                    continue
                exact = Exact(worlds)
                values = exact.at_random() if at_random else exact.by_action()
            except Undefined:
                continue
            if clear(values):
                yield before, values
                found += 1
                break
        if found == count:
            return
    raise AssertionError(f"only {found} positions of {label}")


@pytest.mark.parametrize("label", CASES)
def test_the_deals_enumerated_are_all_that_may_be(label: str) -> None:
    """The player knows the same in all of them, and they are the deals of `determinize` and the true one."""
    ((state, _),) = endings(label, 1, at_random=True)
    player = state.current_player()
    worlds = worlds_of(CASES[label], state)
    assert sum(share for share, _ in worlds) == pytest.approx(1)
    assert {world.information_state_string(player) for _, world in worlds} == {state.information_state_string(player)}
    found = {world.serialize() for _, world in worlds}
    assert len(found) == len(worlds) > 1
    assert state.serialize() in found
    assert {state.determinize(player, seed).serialize() for seed in range(200)} <= found


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["uct:20000", "mcts:20000,margin=0"])
@pytest.mark.parametrize("label", CASES)
def test_a_search_finds_the_best_action_and_its_value(label: str, policy: str) -> None:
    right = 0
    search: Any = tilery.policy(policy)
    for seed, (state, values) in enumerate(endings(label, CASES[label].COUNT)):
        analysis = search.analyse(state, seed)
        best = max(values.values())
        right += values[analysis.best] == pytest.approx(best)
        if values[analysis.best] == pytest.approx(best):
            assert analysis.actions[0]["utilities"][state.current_player()] == pytest.approx(best, abs=NEAR)
    assert right >= 0.99 * CASES[label].COUNT


@pytest.mark.slow
@pytest.mark.parametrize("label", CASES)
def test_flat_finds_the_best_action_of_random_play(label: str) -> None:
    right = 0
    for seed, (state, values) in enumerate(endings(label, CASES[label].COUNT, at_random=True)):
        right += values[tilery.policy("flat:2000").choose(state, seed)] == pytest.approx(max(values.values()))
    assert right >= 0.99 * CASES[label].COUNT
