"""A bot for any game: determinize, play every action out at random, take the best.

    python examples/flat_monte_carlo.py pueblo --playouts 200 --seed 1

plays it on seat 0 against random players and prints the final position.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import tilery


def best_action(state: Any, playouts: int, rng: np.random.Generator) -> int:
    """The action with the best mean return over this many playouts in all, for the player to act."""
    player = state.current_player()
    legal = state.legal_actions()
    if len(legal) == 1:
        return int(legal[0])
    if len(legal) > playouts:  # more actions than playouts: look at some of them
        legal = rng.choice(legal, playouts, replace=False).tolist()
    means = []
    for action in legal:
        after = state.determinize(player, rng)
        after.apply_action(action)
        results = tilery.simulate(after, playouts // len(legal), seed=int(rng.integers(2**63)), threads=1)
        means.append(results["returns"][:, player].mean())
    return int(legal[int(np.argmax(means))])


def play(game: Any, playouts: int, seed: int) -> Any:
    """A whole game of the bot on seat 0 against random players."""
    rng = np.random.default_rng(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        elif state.current_player() == 0:
            state.apply_action(best_action(state, playouts, rng))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    return state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--playouts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    state = play(tilery.load(options.game), options.playouts, options.seed)
    print(state)
    print("scores", state.scores(), "returns", state.returns())


if __name__ == "__main__":
    main()
