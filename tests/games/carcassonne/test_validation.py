"""States of Carcassonne that cannot occur: points that the land has not given."""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.forging import reseal
from tests.kit.walking import play, random_game

HEAD, TAIL = 24, 8


@pytest.fixture(scope="module")
def place_of_points() -> int:
    """Where the points are in the serialized bytes: the place at which they stand in many states."""
    game = tilery.load("carcassonne", players=5)
    places: set[int] | None = None
    for seed in range(20):
        state = random_game(game, seed=seed, actions=150)
        data, points = state.serialize(), struct.pack("<5H", *state.scores())
        found = {at for at in range(HEAD, len(data) - TAIL) if data[at : at + len(points)] == points}
        places = found if places is None else places & found
    assert places is not None
    assert len(places) == 1
    return places.pop()


def with_points(state: Any, points: Sequence[int], place: int) -> Any:
    data = state.serialize()[:-TAIL]
    packed = struct.pack(f"<{len(points)}H", *points)
    return state.game.deserialize_state(reseal(data[:place] + packed + data[place + len(packed) :]))


def given_points(state: Any) -> int:
    """The points of all complete features."""
    return sum(feature["points"] for feature in state.features() if feature["complete"])


OPTIONS: list[dict[str, Any]] = [
    {"players": 3},
    {"players": 2, "table": [-3, -3, 3, 3], "edge_closes": True},
    {"players": 4, "tile_sale": True, "gap_bonus": True},
    {"players": 2, "hand_size": 3, "score_unfinished": False},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_points_are_those_of_complete_features(options: dict[str, Any], place_of_points: int) -> None:
    """The most that a player can have got is accepted, and so is what follows; one point more is refused."""
    game = tilery.load("carcassonne", **options)
    rng = np.random.default_rng(5)
    tried = 0
    for seed in range(12):
        state = random_game(game, seed=seed, actions=int(rng.integers(20, 150)))
        phase = state.information_state(0)["phase"]
        if phase in ("meeple", "over"):
            continue
        tried += 1
        most, seat = given_points(state), seed % game.num_players
        with pytest.raises(tilery.StateDataError, match="more points than the land gives"):
            with_points(state, [most + 1] * game.num_players, place_of_points)
        forged = most_points(state, seat, most, place_of_points)
        assert forged.scores()[seat] >= state.scores()[seat]
        while not forged.is_terminal():
            actions = forged.legal_actions()
            forged.apply_action(actions[int(rng.integers(len(actions)))])
            assert game.deserialize_state(forged.serialize()) == forged
    assert tried > 0


def most_points(state: Any, seat: int, most: int, place_of_points: int) -> Any:
    """The state in which a player has as many points as are accepted, up to `most`, and the others none."""
    for points in range(most, -1, -1):
        with contextlib.suppress(tilery.StateDataError):
            return with_points(state, [points if p == seat else 0 for p in range(len(state.scores()))], place_of_points)
    raise AssertionError


def test_each_feature_gives_all_its_points_or_none() -> None:
    """One point is not that of a complete road or city, which has two tiles at least."""
    game: Any = tilery.load("carcassonne", players=2)
    tried = 0
    for seed in range(12):
        position = random_game(game, seed=seed, actions=60).to_dict()
        if position["phase"] in ("draw", "place"):
            tried += 1
            with pytest.raises(tilery.StateDataError, match="points that no complete features give"):
                game.state_from_dict({**position, "scores": [1, position["scores"][1]]})
    assert tried > 0


def test_points_at_the_end_contain_the_final_scoring(place_of_points: int) -> None:
    """Who has more than complete features give has the difference from the final scoring."""
    game = tilery.load("carcassonne", players=3)
    tried = 0
    for seed in range(8):
        state = random_game(game, seed=seed, actions=10**6)
        scores, most = state.scores(), given_points(state)
        for seat, points in enumerate(scores):
            if points <= most:
                continue
            tried += 1
            lower = [*scores[:seat], points - most - 1, *scores[seat + 1 :]]
            with pytest.raises(tilery.StateDataError, match="fewer points than the final scoring gives"):
                with_points(state, lower, place_of_points)
    assert tried > 0


def test_a_land_joined_by_fields_alone_is_accepted() -> None:
    """Three tiles touch a monastery with their only edge of field, so that each begins a road and a city."""
    state = play(tilery.load("carcassonne"), "*B 0,-1@0 - *J 0,-2@1 - *J 1,-1@0 - *J -1,-1@2 -")
    kinds = [feature["kind"] for feature in state.features()]
    assert (kinds.count("road"), kinds.count("city")) == (4, 4)
    assert state.game.deserialize_state(state.serialize()) == state


def test_a_turn_does_not_wait_for_a_meeple_that_can_go_nowhere() -> None:
    """CA-8: with another meeple on the road that the tile goes on, the turn would be over."""
    state = play(tilery.load("carcassonne", farmers=False), "*U 1,0@0 - *U 2,0@0")
    position = state.to_dict()
    assert position["phase"] == "meeple"
    with pytest.raises(tilery.StateDataError, match="phase without anything to do"):
        state.game.state_from_dict({**position, "meeples": [[1, 0, "r0", 0]]})
