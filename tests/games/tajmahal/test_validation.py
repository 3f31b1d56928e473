"""Positions from outside: points that the visits so far cannot have given, and cards that a hand cannot have."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import tilery
from tests.kit.walking import random_game


def triangle(n: int) -> int:
    return n * (n + 1) // 2


def points_in_turn(position: dict[str, Any], seat: int, plus_two: int) -> tuple[int, int]:
    """The fewest and the most points of a player who has not withdrawn; `plus_two` bonus tiles were laid out."""
    visits = position["visit"] - 1
    least = sum(triangle(symbols) for symbols in position["goods"][seat])
    least += 4 * (position["ordinary"].get("G5") == seat)  # TM-15
    taken = plus_two - sum(kind == "+2" for kind in position["bonus"].values())
    princess = visits + ("sP" in position["used"] and position["special"][3] == seat)
    return least, least + triangle(visits) + 2 * princess + 2 * taken  # TM-17, TM-9, TM-15


@pytest.mark.parametrize("players", [2, 3, 5])
def test_points_are_those_of_the_visits_so_far(players: int) -> None:
    game: Any = tilery.load("tajmahal", players=players)
    supply = 0
    refused = 0
    for steps in range(60, 700, 7):
        state = random_game(game, seed=steps, actions=steps)
        position = state.to_dict()
        laid_out = random_game(game, seed=1, actions=26).to_dict()["bonus"]
        supply = supply or sum(kind == "+2" for kind in laid_out.values())
        if position["phase"] != "turn":
            continue
        for seat in range(players):
            if not position["in"][seat]:
                continue
            low, high = points_in_turn(position, seat, supply)
            assert low <= position["points"][seat] <= high
            for points in (low - 1, low, high, high + 1):
                changed = {**position, "points": [*position["points"]]}
                changed["points"][seat] = points
                if low <= points <= high:
                    assert game.state_from_dict(changed).scores()[seat] == points
                else:
                    refused += 1
                    with pytest.raises(tilery.StateDataError):
                        game.state_from_dict(changed)
    assert refused > 20


def test_a_hand_has_room_for_the_cards_still_to_come() -> None:
    """In a visit a player gains four cards at most; who is to take one more has gained three at most (TM-19)."""
    game: Any = tilery.load("tajmahal", players=2)
    seen = 0
    for seed in range(1000):
        state = random_game(game, seed=seed, actions=45)
        while state.to_dict()["phase"] not in ("draw", "take") and not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        position = state.to_dict()
        if state.is_terminal() or position["visit"] > 1:
            continue
        seat, due = position["turn"], position["draws"] + position["takes"]
        if position["phase"] == "draw":
            due += min(2 if any(position["in"]) else 1, sum(position["display"].values()))
        room = 10 - due - sum(position["hands"][seat].values())
        other = 1 - seat  # who gives the cards, so that all together have no more
        given = [*(Counter(position["hands"][other]) - Counter(position["known"][other])).elements()]
        if len(given) <= room or position["in"][other]:
            continue
        for more in (room, room + 1):
            hands = [Counter(hand) for hand in position["hands"]]
            hands[seat] += Counter(given[:more])
            hands[other] -= Counter(given[:more])
            forged = {**position, "hands": [dict(hand) for hand in hands]}
            if more == room:
                game.state_from_dict(forged)
                continue
            seen += 1
            with pytest.raises(tilery.StateDataError, match="too many cards in a hand"):
                game.state_from_dict(forged)
    assert seen > 20
