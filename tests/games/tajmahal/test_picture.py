"""The picture of the game: what could lie above something else."""

from __future__ import annotations

import re
from itertools import pairwise

import tilery
from tests.kit.walking import walk


def test_special_cards_leave_the_counters_free() -> None:
    """Also all four of them, of one player."""
    game = tilery.load("tajmahal", players=3)
    position = walk(game, seed=3, actions=250).to_dict()
    tiles = [[2, 2, 2, 2], [0, 0, 0, 0], [0, 0, 0, 0]]
    state = game.state_from_dict(position | {"special": [0, 0, 0, 0], "used": [], "tiles": tiles})
    svg = state.to_svg(0)
    counters = [int(x) for x in re.findall(r'<text x="(\d+)" y="113" font-size="13"', svg)]
    cards = sorted(int(x) for x in re.findall(r'<rect x="(\d+)" y="94" width="27"', svg))
    assert len(cards) == 4
    assert len(counters) == 8
    assert max(counters) + 7 <= cards[0]
    assert all(later - earlier >= 27 for earlier, later in pairwise(cards))


def test_sums_of_symbols_and_chains_of_palaces() -> None:
    """What each player shows in a visit is summed (TM-11), and roads between palaces of one player have its colour."""
    game = tilery.load("tajmahal", players=3)
    summed = chained = 0
    for seed in range(4):
        state, rng = game.new_initial_state(), tilery.Rng(seed, 0)
        while not state.is_terminal():
            state.apply_action(state.random_action(rng))
            if state.is_chance_node() or rng.below(8):
                continue
            info = state.information_state(0)
            special = {f"s{person}": info["special"][i] for i, person in enumerate("VGKP")}
            expected = []
            for player, played in enumerate(info["played"]):
                shown = "".join(type[1:] * count for type, count in played.items())
                more = {"sV": "MM", "sG": "EE"}
                shown += "".join(more.get(name, "") for name in info["used"] if shown and special[name] == player)
                expected += [str(shown.count(letter)) for letter in "EMVGKP" if letter in shown]
            drawing = state.to_svg(part="panel")
            sums = re.findall(
                r'/><text x="\d+" y="\d+" font-size="13" fill="#[0-9a-f]+" font-weight="bold">(\d+)<', drawing
            )
            assert sums == expected
            summed += len(sums)
            owners = [info["ordinary"], info["mogul"]]
            linked = any(
                sort.get(a) == player and other.get(b) == player
                for a, b in game.map["roads"]
                for player in range(3)
                for sort in owners
                for other in owners
            )
            assert ('stroke-width="6"' in state.to_svg(part="board")) == linked
            chained += linked
    assert summed
    assert chained
