"""Games written as tokens, and random walks through games."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import tilery
from tilery.reference.rng import Rng


def look(state: Any, player: int = 0) -> dict[str, Any]:
    """What the player knows."""
    seen: dict[str, Any] = json.loads(state.information_state_string(player))
    return seen


def play(game: Any, tokens: str) -> Any:
    """The state after the tokens, each of which must be legal where it stands."""
    state = game.new_initial_state()
    for token in tokens.split():
        state.apply_action(state.string_to_action(token))
    return state


def legal_tokens(state: Any) -> list[str]:
    """The legal actions as tokens, in the order of their ids."""
    return [state.action_to_string(action) for action in state.legal_actions()]


def chosen_by_lead(state: Any, seeds: int) -> set[int]:
    """What a search of one simulation takes: actions after which the lead is greatest if the game ended there."""
    policy = tilery.policy("mcts:1,tuning=depth:1")
    return {policy.choose(state, seed) for seed in range(seeds)}


def random_game(game: Any, *, seed: int, actions: int | None = None) -> Any:
    """The state after this many random actions, or at the end of the game."""
    state, rng = game.new_initial_state(), Rng(seed)
    while not state.is_terminal() and actions != 0:
        legal = state.legal_actions()
        state.apply_action(legal[rng.below(len(legal))])
        actions = None if actions is None else actions - 1
    return state


def half_way(game: Any) -> Any:
    """The decision half-way through one and the same game on both backends."""
    length = int(tilery.simulate(tilery.load(game.name, **game.rules.as_dict()), 1, seed=1)["num_actions"][0])
    state = random_game(game, seed=1, actions=length // 2)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


def some_action(actions: Sequence[int], rng: Rng) -> int:
    """Any action, but often of the first or last ids: cards, and in Java festivals, among thousands of tiles."""
    corner = [actions, actions, actions[:12], actions[-12:]][rng.below(4)]
    return corner[rng.below(len(corner))]


def walk(game: Any, *, seed: int, actions: int) -> Any:
    """The state after this many actions, or the last one before the end."""
    state, rng = game.new_initial_state(), Rng(seed)
    for _ in range(actions):
        after = state.clone()
        after.apply_action(some_action(state.legal_actions(), rng))
        if after.is_terminal():
            break
        state = after
    return state
