"""Near the end a search is right: exact values by enumeration, and the actions that reach them."""

from __future__ import annotations

from typing import Any

import pytest

import tilery
from tests.kit.games import GAMES
from tests.kit.walking import random_game
from tilery.reference.rng import Rng

MOST_POSITIONS = 20_000
"""Trees of more positions are not enumerated."""


class TooLarge(Exception):
    pass


def values(state: Any, left: list[int]) -> list[float]:
    """The utilities of best play: expectation at chance, the best for the mover at a decision."""
    left[0] -= 1
    if left[0] < 0:
        raise TooLarge
    if state.is_terminal():
        result: list[float] = state.returns()
        return result
    chances = dict(state.chance_outcomes())
    children = []
    for action in state.legal_actions():
        child = state.clone()
        child.apply_action(action)
        children.append((chances.get(action, 0.0), values(child, left)))
    if chances:
        return [sum(p * each[player] for p, each in children) for player in range(state.game.num_players)]
    mover = state.current_player()
    return max((each for _, each in children), key=lambda each: each[mover])


def endings(name: str, count: int) -> list[tuple[Any, dict[int, float]]]:
    """Decisions within six actions of the end, whose actions differ in value; with the value of each action."""
    found: list[tuple[Any, dict[int, float]]] = []
    seed = 0
    while len(found) < count:
        seed += 1
        state, rng, states = tilery.load(name).new_initial_state(), Rng(seed, 8), []
        while not state.is_terminal():
            states.append(state.clone())
            legal = state.legal_actions()
            state.apply_action(legal[rng.below(len(legal))])
        for before in states[-6:]:
            if before.is_chance_node() or len(before.legal_actions()) == 1:
                continue
            left, exact = [MOST_POSITIONS], {}
            try:
                for action in before.legal_actions():
                    child = before.clone()
                    child.apply_action(action)
                    exact[action] = values(child, left)[before.current_player()]
            except TooLarge:
                continue
            if max(exact.values()) - min(exact.values()) > 1e-9:
                found.append((before, exact))
                break
    return found


def hides(name: str) -> bool:
    """Whether the default options hide anything at some point of a game."""
    states = [random_game(tilery.load(name), seed=4, actions=actions) for actions in (9, 40, 90)]
    return any(state.determinize(player, seed) != state for state in states for player in (0, 1) for seed in range(9))


PERFECT = [name for name in GAMES if not hides(name)]


def share_of_optimal(name: str, policy: str, count: int) -> float:
    """In how many endings the policy finds an action of the greatest value."""
    right = 0
    for seed, (state, exact) in enumerate(endings(name, count)):
        right += exact[tilery.policy(policy).choose(state, seed)] >= max(exact.values()) - 1e-9
    return right / count


@pytest.mark.parametrize("policy", ["uct:20000", "mcts:20000,margin=0"])
@pytest.mark.parametrize("name", PERFECT)
def test_a_search_finds_an_optimal_action(name: str, policy: str) -> None:
    assert share_of_optimal(name, policy, 10) == 1


@pytest.mark.long
@pytest.mark.parametrize("name", PERFECT)
def test_uct_finds_an_optimal_action_nearly_always(name: str) -> None:
    assert share_of_optimal(name, "uct:100000", 100) >= 0.99


def test_the_utilities_of_the_last_decision_are_exact() -> None:
    """Where every action ends the game, each visit has the same utility."""
    checked = 0
    for state, exact in (ending for name in PERFECT for ending in endings(name, 12)):
        children = []
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            children.append(child)
        if not all(child.is_terminal() for child in children):
            continue
        analysis: Any = tilery.policy("uct:500")
        for row in analysis.analyse(state, 1).actions:
            assert row["utilities"][state.current_player()] == pytest.approx(exact[row["action"]])
        checked += 1
    assert checked > 0
