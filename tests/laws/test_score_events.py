"""Where points come from: true of every action of every game."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import BACKENDS, GAMES
from tests.kit.walking import play
from tests.laws.test_laws import law


def check_events(game: Any, state: Any, action: int) -> list[dict[str, Any]]:
    """What `score_events` says of an action: well formed, with the change of the scores as its sum."""
    events: list[dict[str, Any]] = state.score_events(action)
    sums = state.scores()
    for event in events:
        assert list(event) == ["player", "points", "source", "rule", "on"]
        assert event["points"]
        assert event["source"] in game.score_sources
        assert re.fullmatch(r"[A-Z]{1,2}-[A-Z]*\d+[a-z]?", event["rule"])
        assert all(game.describe_pick(place) for place in event["on"])
        sums[event["player"]] += event["points"]
    assert state.child(action).scores() == sums, events
    return events


@law(25)
def test_events_add_up_to_the_scores(game: Any, state: Any, seed: int) -> None:
    """For every action; and what they say follows from what any player knows, unless the action ends the game."""
    before = state.serialize()
    legal = np.array(state.legal_actions(), dtype=int)
    for action in np.random.default_rng(seed).permutation(legal)[:80].tolist():
        events = check_events(game, state, action)
        for player in range(game.num_players):
            twin = state.determinize(player, seed)
            if action in twin.legal_actions() and not state.child(action).is_terminal():
                assert twin.score_events(action) == events
    for illegal in {-1, game.num_distinct_actions} | set(range(game.num_distinct_actions)[:200]) - set(legal.tolist()):
        with pytest.raises(tilery.IllegalActionError):
            state.score_events(illegal)
    assert state.serialize() == before


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_events_of_whole_games_add_up_to_the_results(name: str, policy: str) -> None:
    """Also where final points come inside the last action."""
    game = tilery.load(name)
    results, lines = tilery.simulate(game, 3, seed=5, policies=policy, records=True)
    for result, line in zip(results, lines, strict=True):
        state: Any = game.new_initial_state()
        sums = [0] * game.num_players
        for token in line.split():
            action = game.string_to_action(token)
            for event in check_events(game, state, action):
                sums[event["player"]] += event["points"]
            state.apply_action(action)
        assert result["scores"].tolist() == sums


@pytest.mark.parametrize("name", GAMES)
def test_both_sides_name_the_same_sources(name: str) -> None:
    native, reference = (load(name) for load in BACKENDS.values())
    assert native.score_sources == reference.score_sources
    assert len(set(native.score_sources)) == len(native.score_sources) > 0
    native.score_sources.clear()
    assert native.score_sources, "a new list at each call"


def test_points_of_toy_are_prizes() -> None:
    for load in BACKENDS.values():
        state = play(load("toy", players=3, hand=1), "*1 *2 *5 *4 1 2")
        (action,) = state.legal_actions()
        expected = {"player": 2, "points": 4, "source": "prizes", "rule": "T-5", "on": ["card:5"]}
        assert state.score_events(action) == [expected]
