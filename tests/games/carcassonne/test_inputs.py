"""Carcassonne: what a learner sees of a position."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilery
from tests.kit.games import options_of
from tests.kit.inputs import of_group, rotated_seats_see_the_same, shifted
from tests.kit.walking import random_game

FITS = (0, 1, 2, 4, 7, 12, 20)
WORTHS = (2, 3, 5, 7, 10)
STAGES = (4, 12, 24, 40, 60)


def rotated(position: dict[str, Any], players: int) -> dict[str, Any]:
    """All seats one further."""

    def seat(player: Any) -> Any:
        return (player + 1) % players if isinstance(player, int) and player >= 0 else player

    position["scores"] = shifted(position["scores"])
    if position["hands"]:
        position["hands"] = shifted(position["hands"])
    for key in ("actor", "turn", "ordinary", "buyer"):
        position[key] = seat(position[key])
    position["meeples"] = [[x, y, where, seat(player)] for x, y, where, player in position["meeples"]]
    return position


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 4}, {"players": 3, "hand_size": 3}], ids=str)
def test_seats_see_alike(options: dict[str, Any]) -> None:
    game = tilery.load("carcassonne", first_player="most_roads", **options)
    assert rotated_seats_see_the_same(game, lambda position: rotated(position, game.num_players), 12) >= 6


def bucket(number: int, limits: tuple[int, ...]) -> int:
    return sum(number > limit for limit in limits)


def owner(meeples: list[int], player: int) -> int:
    """0 the player alone, 1 others alone, 2 the player has more, 3 another has, 4 both have as many."""
    own = meeples[player]
    most = max(count for seat, count in enumerate(meeples) if seat != player)
    if most == 0 or own == 0:
        return int(own == 0)
    return 4 if own == most else 2 if own > most else 3


@settings(max_examples=80)
@given(options=options_of("carcassonne"), seed=st.integers(0, 2**32), actions=st.integers(0, 260), data=st.data())
def test_features_agree_with_the_views(options: dict[str, Any], seed: int, actions: int, data: st.DataObject) -> None:
    """Owner, points, open cells, cities and the cell that fewest of the tiles left fit."""
    game = tilery.load("carcassonne", **options)
    state = random_game(game, seed=seed, actions=actions)
    while not state.is_terminal() and not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    if state.is_terminal():
        return
    player = data.draw(st.integers(0, game.num_players - 1))
    copies = state.remaining().astype(int) + state.hands().astype(int).sum(axis=0)
    stage = bucket(int(copies.sum()), STAGES)
    fits = dict(zip(map(tuple, state.frontier().tolist()), state.fits().any(axis=2).astype(int) @ copies, strict=True))
    names = ("road by points", "city by points", "road by fit", "city by fit", "free by fit", "farm", "monk")
    expected: dict[str, list[str]] = {name: [] for name in names}
    for feature in state.features():
        kind, meeples = feature["kind"], feature["meeples"]
        cells = len(feature["open_cells"])
        who = owner(meeples, player)
        if kind in ("road", "city") and not feature["complete"]:
            least = min((int(fits[tuple(cell)]) for cell in feature["open_cells"]), default=0)
            value = feature["tiles"] + (feature["shields"] if kind == "city" else 0)
            fit = bucket(least, FITS)
            worth = bucket(value, WORTHS)
            if any(meeples):
                expected[f"{kind} by points"].append(
                    f"owner={who},points={min(value, 12)},open cells-1={min(max(cells - 1, 0), 4)}"
                )
                expected[f"{kind} by fit"].append(f"owner={who},worth={worth},fit={fit},stage={stage}")
            elif cells and value >= 2:
                expected["free by fit"].append(f"kind={int(kind == 'city')},worth={worth},fit={fit}")
        elif kind == "field" and any(meeples):
            expected["farm"].append(f"owner={who},complete cities={min(len(feature['cities']), 9)},stage={stage}")
        elif kind == "monastery" and any(meeples):
            (x, y, _where), *_ = feature["segments"]
            tiles = sum(abs(i - x) <= 1 and abs(j - y) <= 1 for i, j in state.tiles()[:, :2].tolist())
            expected["monk"].append(f"seat={int(who != 0)},tiles={tiles},stage={stage}")
    for name, inputs in expected.items():
        assert of_group(state, player, name) == sorted(inputs), name


def test_what_a_seat_sees_of_meeples_at_home_and_of_the_end() -> None:
    game = tilery.load("carcassonne", players=3)
    state = random_game(game, seed=5, actions=40)
    home = [f"seat={int(seat != 1)},meeples={state.supply()[seat]}" for seat in range(3)]
    assert [text.rpartition(",")[0] for text in of_group(state, 1, "at home")] == sorted(home)
    over = random_game(game, seed=5)
    assert of_group(over, 0, "turn") == ["phase=11,seats to come=0,stage=0"]
    assert of_group(over, 0, "farm") == []
