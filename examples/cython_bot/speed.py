"""How much faster the evaluation is in Cython: python speed.py

Prints the time of a decision in Python and in Cython, over the decisions of some games, and their ratio. Both choose
the same, which it checks.
"""

from __future__ import annotations

import time
from typing import Any

import evaluation
import fast_evaluation

import tilery


def decisions(games: int) -> list[Any]:
    """The decisions of some games between two of these bots."""
    game, found = tilery.load("pueblo"), list[Any]()
    for index in range(games):
        rng, state = tilery.Rng(1, index), game.new_initial_state()
        while not state.is_terminal():
            chance = state.is_chance_node()
            if not chance:
                found.append(state.clone())
            state.apply_action(state.random_action(rng) if chance else fast_evaluation.choose(state))
    return found


def seconds(choose: Any, states: list[Any]) -> tuple[float, list[int]]:
    """CPU time for a decision, and what was chosen."""
    began = time.process_time()
    chosen = [choose(state) for state in states]
    return (time.process_time() - began) / len(states), chosen


def main() -> None:
    states = decisions(4)
    slow, first = seconds(evaluation.choose, states)
    fast, second = seconds(fast_evaluation.choose, states)
    if first != second:
        raise SystemExit("they do not choose the same")
    ratio = f"{slow / fast:.1f} times as fast"
    print(f"{len(states)} decisions: Python {1e6 * slow:,.0f} us each, Cython {1e6 * fast:,.0f} us: {ratio}")


if __name__ == "__main__":
    main()
