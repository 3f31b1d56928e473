"""What a learner sees of a position, by name."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.kit.walking import random_game
from tilery.errors import StateDataError


def of_group(state: Any, player: int, group: str) -> list[str]:
    """The inputs of a group, without its name, in the order of their names; equal ones as often as they are on."""
    names = state.game.input_names
    found = [names[i] for i in state.inputs(player)]
    return sorted(name.partition(":")[2] for name in found if name.partition(":")[0] == group)


def rotated_seats_see_the_same(
    game: Any, rotate: Callable[[dict[str, Any]], dict[str, Any]], games: int, *, but: str = ""
) -> int:
    """How many positions were compared with the same ones one seat further, each seat with the next.

    Positions that the rules do not allow with other seats are left out, and so are inputs whose name begins with `but`.
    """
    names, players, compared = game.input_names, game.num_players, 0
    for seed in range(games):
        actions = 20 + 11 * seed
        state = random_game(game, seed=seed, actions=actions)
        try:
            other = game.state_from_dict(rotate(json.loads(json.dumps(state.to_dict()))))
        except StateDataError:
            continue
        compared += 1
        for player in range(players):
            here, there = (
                Counter(names[i] for i in seen.inputs(seat) if not but or not names[i].startswith(but))
                for seen, seat in ((state, player), (other, (player + 1) % players))
            )
            assert here == there, (seed, player)
    return compared


def shifted(seats: list[Any]) -> list[Any]:
    """The same one seat further: what was at seat 0 is at seat 1."""
    return [seats[-1], *seats[:-1]]
