"""Pueblo: what a learner sees of a position."""

from __future__ import annotations

from typing import Any

import pytest

import tilery
from tests.kit.inputs import of_group, rotated_seats_see_the_same, shifted
from tests.kit.walking import play


def rotated(position: dict[str, Any], players: int) -> dict[str, Any]:
    """All seats one further, columns and turns included."""

    def seat(player: Any) -> Any:
        return (player + 1) % players if isinstance(player, int) and player >= 0 else player

    for key in ("scores", "supply"):
        position[key] = shifted(position[key])
    position["player"] = seat(position["player"])
    position["order"] = [seat(player) for player in position["order"]]
    position["columns"] = [
        "".join(str(seat(int(c))) if c.isdigit() else c for c in column) for column in position["columns"]
    ]
    if position.get("auction"):
        auction = position["auction"]
        auction |= {
            "opener": seat(auction["opener"]),
            "bidder": seat(auction["bidder"]),
            "passed": sorted(seat(player) for player in auction["passed"]),
        }
    return position


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_see_alike(players: int) -> None:
    game = tilery.load("pueblo", players=players, pro=True)
    assert rotated_seats_see_the_same(game, lambda position: rotated(position, players), 12) >= 4


def first_block() -> Any:
    """Seat 0 has one cube on b2, two on c2 and one on b3; the chieftain is on space 1 and seat 1 to place."""
    return play(tilery.load("pueblo"), "Cb2ne +1")


def test_turns_and_blocks() -> None:
    state = first_block()
    assert of_group(state, 0, "game") == of_group(state, 1, "game") == ["players=2,part=1,blocks left=29"]
    assert of_group(state, 0, "turn") == ["players=2,phase=0,seats to come=1"]
    assert of_group(state, 1, "turn") == ["players=2,phase=0,seats to come=0"]
    # seven pairs each and a coloured block more, which seat 0 has placed
    assert of_group(state, 0, "supply") == ["own=1,other=0,own turn=0,blocks left=29"]
    assert of_group(state, 1, "supply") == ["own=0,other=1,own turn=1,blocks left=29"]


def test_the_tops_of_columns() -> None:
    """Heights count from 0; both seats see the same squares."""
    state = first_block()
    own, other = (of_group(state, player, "top") for player in (0, 1))
    assert len(own) == len(other) == 3
    assert all("owner=0" in each for each in own)
    assert all("owner=1" in each for each in other)
    assert sorted(each.partition("height=")[2] for each in own) == ["0", "0", "1"]
    whose = {each.replace("owner=0", "owner=1") for each in own}
    assert whose == set(other)


def test_what_the_chieftain_will_see() -> None:
    """The block from rank 2 and 3 and files b and c, from all sides, and its three tops from space 0."""
    state = first_block()
    points = {1: 3, 2: 1, 10: 1, 11: 3, 23: 1, 24: 3, 32: 3, 33: 1, 35: 3}
    seen = sorted(f"ahead={ahead},points={n},stage=0" for ahead, n in points.items())
    assert of_group(state, 0, "seen from space") == [f"seat=0,{each}" for each in seen]
    assert of_group(state, 1, "seen from space") == [f"seat=1,{each}" for each in seen]
    assert of_group(state, 0, "lap") == ["lead/2+20=10,own turn=0,blocks left=29"]
    assert of_group(state, 1, "lap") == ["lead/2+20=29,own turn=1,blocks left=29"]
    assert of_group(state, 1, "next spaces")[:2] == [
        "ahead=1,lead+20=23,own turn=1,stage=0",
        "ahead=2,lead+20=21,own turn=1,stage=0",
    ]


def test_cubes_that_can_still_be_hidden() -> None:
    """Eight views of cubes of level 1; the upper cube of c2 is seen just above b2, and then as the second of two."""
    cubes = of_group(first_block(), 1, "cube")
    assert (
        cubes
        == ["seat=1,level=0,gap=0,stage=0"] * 8
        + ["seat=1,level=1,gap=0,stage=0"]
        + ["seat=1,level=1,gap=1,stage=0"] * 3
    )


def test_auction() -> None:
    state = play(tilery.load("pueblo", pro=True), "")
    assert state.action_to_string(state.legal_actions()[0]) == "bid1"
    state.apply_action(state.string_to_action("bid7"))
    assert of_group(state, 0, "bid") == ["amount/2=4,bidder=1,opener=1,part=1"]
    assert of_group(state, 1, "bid") == ["amount/2=4,bidder=2,opener=0,part=1"]
    assert of_group(state, 1, "in auction") == ["player=1,others=1,tokens left=2,part=1"]
