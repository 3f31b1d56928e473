"""The drawing of Java: cities and lakes have borders, lakes that can be scored their points."""

from __future__ import annotations

import re

import pytest

import tilery

SIDES = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
WORTH = re.compile(r'font-size="13" fill="#fff" text-anchor="middle" font-weight="bold">(\d+)<')


@pytest.mark.parametrize("scoring", ["per_body", "per_space"])
def test_borders_of_cities_and_lakes(scoring: str) -> None:
    game = tilery.load("java", irrigation_scoring=scoring)
    built = 0
    for seed in range(8):
        state = game.new_initial_state()
        rng = tilery.Rng(seed, 0)
        while not state.is_terminal():
            state.apply_action(state.random_action(rng))
        board = state.information_state(0)["board"]
        spaces = [tuple(space) for space in game.spaces]
        wet = {space for space, top in zip(spaces, board["tops"], strict=True) if top in "w~"}
        lakes = []
        while wet:
            lake, edge = set(), {wet.pop()}
            while edge:
                row, column = edge.pop()
                lake.add((row, column))
                near = {(row + y, column + x) for y, x in SIDES}
                edge |= near & wet
                wet -= near
            lakes.append(lake)
        heights = dict(zip(spaces, board["heights"], strict=True))
        open_lakes = [
            len(lake)
            for lake in lakes
            if any(
                heights.get((row + y, column + x), 1) == 0 and (row + y, column + x) not in lake
                for row, column in lake
                for y, x in SIDES
            )
        ]
        drawing = state.to_svg(part="board")
        expected = [3 if scoring == "per_body" else 3 * size for size in open_lakes]
        assert sorted(map(int, WORTH.findall(drawing))) == sorted(expected)
        assert ("#java-city" in drawing) == bool(board["palaces"])
        built += bool(board["palaces"])
    assert built


def test_prices_are_what_actions_cost() -> None:
    """In action points, as long as the turn goes on (JA-10, JA-19 to JA-27)."""
    game = tilery.load("java")
    paid = set()
    for seed in range(4):
        state, rng = game.new_initial_state(), tilery.Rng(seed, 0)
        while not state.is_terminal():
            player = state.current_player()
            if player >= 0:
                panel = state.panel(player)
                assert panel["unit"] == "action points"
                action = state.random_action(tilery.Rng(seed, 1))
                after = state.child(action)
                price = panel["prices"][state.legal_actions().index(action)]
                if after.current_player() in (player, -1) and state.action_to_string(action) not in ("end", "extra"):
                    before, left = (each.information_state(player)["ap"] for each in (state, after))
                    assert before - left == price
                    paid.add(price)
            state.apply_action(state.random_action(rng))
    assert {0, 1, 2} <= paid
