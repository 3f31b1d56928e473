"""The views of Carcassonne, against what the information state and the play that follows say."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilery
from tests.games.carcassonne.drawing import BOX, TYPES, cells, known, lay, place
from tests.kit.games import options_of
from tests.kit.walking import look, play, random_game
from tilery.reference.rng import Rng

NORTH_TO_WEST = ((0, 1), (1, 0), (0, -1), (-1, 0))
EDGES = {tile["id"]: tile["edges"] for tile in BOX}


def awarded(features: list[dict[str, Any]], players: int) -> list[int]:
    """CA-10 for these features."""
    points = [0] * players
    for feature in features:
        for seat, count in enumerate(feature["meeples"]):
            if count == max(feature["meeples"]) > 0:
                points[seat] += feature["points"]
    return points


@settings(max_examples=60)
@given(options=options_of("carcassonne"), seed=st.integers(0, 2**32), actions=st.integers(0, 260))
def test_views_tell_what_the_information_state_tells(options: dict[str, Any], seed: int, actions: int) -> None:
    game = tilery.load("carcassonne", **options)
    state = random_game(game, seed=seed, actions=actions)
    info = known(state)
    types, segments = game.tile_types, game.segment_names
    assert [[x, y, types[kind], turned] for x, y, kind, turned in state.tiles().tolist()] == info["land"]
    assert [[x, y, segments[where], seat] for x, y, where, seat in state.meeples().tolist()] == info["meeples"]
    assert state.supply() == info["supply"]
    assert state.remaining().sum() == info["pile"]
    for player in range(game.num_players):
        assert state.unseen(player).tolist() == known(state, player)["unseen"]
        if game.rules.hand_size:
            held = Counter(known(state, player)["hands"][player]["held"])
            assert state.hands()[player].tolist() == [held[kind] for kind in types]
        else:
            assert not state.hands().any()
    for wrong in (-1, game.num_players):
        with pytest.raises(ValueError, match="player"):
            state.unseen(wrong)


@settings(max_examples=60)
@given(options=options_of("carcassonne"), seed=st.integers(0, 2**32), actions=st.integers(0, 260))
def test_the_frontier_and_what_fits_there(options: dict[str, Any], seed: int, actions: int) -> None:
    """CA-4: what lies around a cell must agree with the tile; and what fits is what is legal."""
    game = tilery.load("carcassonne", **options)
    state = random_game(game, seed=seed, actions=actions)
    edges = {
        (x, y): [EDGES[kind][(side - turned) % 4] for side in range(4)] for x, y, kind, turned in known(state)["land"]
    }
    west, south, east, north = game.rules.table or (-99, -99, 99, 99)
    expected = {
        (x + i, y + j)
        for x, y in edges
        for i, j in NORTH_TO_WEST
        if west <= x + i <= east and south <= y + j <= north and (x + i, y + j) not in edges
    }
    frontier = [(x, y) for x, y in state.frontier().tolist()]
    assert frontier == sorted(expected, key=lambda cell: cell[::-1])
    asked = state.frontier_edges()
    for (x, y), row in zip(frontier, asked.tolist(), strict=True):
        for side, (i, j) in enumerate(NORTH_TO_WEST):
            neighbour = edges.get((x + i, y + j))
            assert "-CRF"[row[side]] == ("-" if neighbour is None else neighbour[(side + 2) % 4])
    fits = state.fits()
    assert fits.shape == (len(frontier), len(game.tile_types), 4)
    for number, kind in enumerate(game.tile_types):
        for turned in range(4):
            own = ["-CRF".index(EDGES[kind][(side - turned) % 4]) for side in range(4)]
            agree = ((asked == 0) | (asked == own)).all(axis=1)
            assert (agree >= fits[:, number, turned]).all()
            assert (agree <= fits[:, number].any(axis=1)).all()
    if known(state)["phase"] == "place":
        number = game.tile_types.index(known(state)["tile"])
        legal = {
            f"{frontier[at][0]},{frontier[at][1]}@{turned}" for at, turned in np.argwhere(fits[:, number]).tolist()
        }
        assert legal == {state.action_to_string(action) for action in state.legal_actions()}


@settings(max_examples=40)
@given(options=options_of("carcassonne"), seed=st.integers(0, 2**32))
def test_features_foretell_the_scores(options: dict[str, Any], seed: int) -> None:
    """What is complete pays when the turn ends (CA-9), what is left on the land at the end (CA-15, CA-16)."""
    options |= {"tile_sale": False}
    game = tilery.load("carcassonne", **options)
    state, rng, turns = game.new_initial_state(), Rng(seed), 0
    while not state.is_terminal():
        if known(state)["phase"] != "meeple":
            legal = state.legal_actions()
            state.apply_action(legal[rng.below(len(legal))])
            continue
        if rng.below(2) == 0 and state.num_legal_actions() > 1:
            after = state.clone()
            after.apply_action(state.legal_actions()[1 + rng.below(state.num_legal_actions() - 1)])
            # A meeple is in one feature, and nothing else about the land has changed until the turn ended.
            assert sum(map(sum, (feature["meeples"] for feature in after.features()))) == len(after.meeples())
            if not after.is_terminal():
                state = after
                continue
        features = state.features()
        expected = awarded([feature for feature in features if feature["complete"]], game.num_players)
        before = state.scores()
        state.apply_action(state.string_to_action("-"))
        turns += 1
        if state.is_terminal():
            left = awarded(state.features(), game.num_players)
            expected = [a + b for a, b in zip(expected, left, strict=True)]
        assert [now - then for now, then in zip(state.scores(), before, strict=True)] == expected
    assert turns > 0 or game.rules.table is not None


def test_features_of_a_small_land() -> None:
    """A city of two tiles, a road through the start tile, a monastery with a monk."""
    state = lay(tilery.load("carcassonne", players=3), "E@2\n(D)")
    place(state, 0, -1, "B@0", "m")
    features = state.features()
    assert [feature["kind"] for feature in features] == ["field", "monastery", "city", "road", "field", "field"]
    below, monastery, city, road, north, south = features
    assert city["complete"]
    assert (city["tiles"], city["open_ends"], city["points"], city["shields"]) == (2, 0, 4, 0)
    assert city["segments"] == [(0, 0, "c0"), (0, 1, "c0")]
    assert (road["complete"], road["open_ends"], road["points"]) == (False, 2, 1)
    assert road["open_cells"] == [(-1, 0), (1, 0)]
    assert monastery["meeples"] == [0, 1, 0]
    assert (monastery["open_ends"], monastery["points"]) == (7, 2)
    assert below["segments"] == [(0, -1, "f0"), (0, 0, "f1")]
    assert [feature["points"] for feature in (below, north, south)] == [0, 3, 3]
    assert north["cities"] == south["cities"] == [features.index(city)]


def test_what_fits_is_listed_for_every_type() -> None:
    state = tilery.load("carcassonne").new_initial_state()
    fits, frontier = state.fits(), state.frontier().tolist()
    for number, kind in enumerate(TYPES):
        if state.remaining()[number] == 0:
            continue
        legal = sorted(f"{frontier[at][0]},{frontier[at][1]}@{turned}" for at, turned in np.argwhere(fits[:, number]))
        assert legal == sorted(cells(state, kind))


def test_hashes_tell_where_tiles_are_and_which_has_just_been_placed() -> None:
    game = tilery.load("carcassonne")
    east, west = play(game, "*U 1,0@0 -"), play(game, "*U -1,0@0 -")
    assert east.information_state_hash(0) != west.information_state_hash(0)
    # The same tiles on the same cells, but only the last of them may still get a meeple.
    one, two = play(game, "*U 1,0@0 - *U -1,0@0"), play(game, "*U -1,0@0 - *U 1,0@0")
    assert look(one) | {"cell": [1, 0]} == look(two)
    assert one.information_state_hash(0) != two.information_state_hash(0)
