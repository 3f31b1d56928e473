"""What is true of every state of every game. If you run one file, run this one."""

from __future__ import annotations

import copy
import json
import math
import pickle
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import tilery
from tests.kit.games import BACKENDS, GAMES, options_of
from tests.kit.walking import random_game
from tilery.protocol import CHANCE, TERMINAL
from tilery.reference.rng import Rng

rule = pytest.mark.rule

SEEDS = st.integers(0, 2**32)


def law(examples: int) -> Any:
    """A law, checked on random states of every game under random options."""

    def decorate(check: Any) -> Any:
        @pytest.mark.parametrize("name", GAMES)
        def test(name: str) -> None:
            @settings(max_examples=examples)
            @given(options=options_of(name), seed=SEEDS, actions=st.integers(0, 150))
            def run(options: dict[str, Any], seed: int, actions: int) -> None:
                game = tilery.load(name, **options)
                check(game, random_game(game, seed=seed, actions=actions), seed)

            run()

        test.__doc__ = check.__doc__
        return test

    return decorate


@law(30)
def test_legal_actions_ascend_and_are_ids(game: Any, state: Any, seed: int) -> None:
    """Ascending, each once, in [0, num_distinct_actions); the mask and the count say the same."""
    legal = state.legal_actions()
    assert legal == sorted(set(legal))
    assert all(type(action) is int and 0 <= action < game.num_distinct_actions for action in legal)
    assert np.flatnonzero(state.legal_actions_mask()).tolist() == legal
    assert state.num_legal_actions() == len(legal)


@law(30)
def test_somebody_acts_until_the_end(game: Any, state: Any, seed: int) -> None:
    """Over iff nothing is legal; the player is in range; chance nodes and terminals say so."""
    player = state.current_player()
    assert state.is_terminal() == (player == TERMINAL) == (not state.legal_actions())
    assert state.is_chance_node() == (player == CHANCE)
    assert player in (CHANCE, TERMINAL) or 0 <= player < game.num_players


@rule("G-2")
@law(30)
def test_chances_add_up(game: Any, state: Any, seed: int) -> None:
    """The outcomes are the legal actions of a chance node; their probabilities sum to 1."""
    outcomes = state.chance_outcomes()
    if not state.is_chance_node():
        assert outcomes == []
        return
    assert [action for action, _ in outcomes] == state.legal_actions()
    assert all(0 < probability <= 1 for _, probability in outcomes)
    assert math.isclose(sum(probability for _, probability in outcomes), 1, abs_tol=1e-12)


@rule("G-7")
@law(30)
def test_tokens_round_trip(game: Any, state: Any, seed: int) -> None:
    """Every legal action has a token without blanks that reads back; chance tokens begin with *."""
    tokens = [state.action_to_string(action) for action in state.legal_actions()]
    assert len(set(tokens)) == len(tokens)
    for action, token in zip(state.legal_actions(), tokens, strict=True):
        assert token.isascii()
        assert token.split() == [token]
        assert token.startswith("*") == state.is_chance_node()
        assert state.string_to_action(token) == action == game.string_to_action(token)


@rule("G-7")
@pytest.mark.parametrize("name", GAMES)
def test_every_id_has_one_token(name: str) -> None:
    """All ids have tokens, all different, and every token reads back as its id."""

    @settings(max_examples=5)
    @given(options=options_of(name))
    def check(options: dict[str, Any]) -> None:
        game = tilery.load(name, **options)
        step = max(1, game.num_distinct_actions // 3000)
        tokens = {game.action_to_string(action): action for action in range(0, game.num_distinct_actions, step)}
        assert len(tokens) == len(range(0, game.num_distinct_actions, step))
        assert all(game.string_to_action(token) == action for token, action in tokens.items())
        for beyond in (-1, game.num_distinct_actions, 2**31 - 1, 2**80):
            with pytest.raises(ValueError, match=str(beyond)):
                game.action_to_string(beyond)

    check()


@rule("G-4")
@law(12)
def test_every_other_id_is_refused(game: Any, state: Any, seed: int) -> None:
    """What is not legal raises IllegalActionError and changes nothing; what is legal is taken."""
    legal = set(state.legal_actions())
    before = state.serialize()
    sample = np.random.default_rng(seed).integers(0, game.num_distinct_actions, 400).tolist()
    neighbours = [action + step for action in legal for step in (-1, 1)]
    foreign = [-1, game.num_distinct_actions, 2**31, -(2**40), 2**100]
    for action in {*sample, *neighbours[:200], *foreign} - legal:
        with pytest.raises(tilery.IllegalActionError):
            state.apply_action(action)
    assert state.serialize() == before
    for action in list(legal)[:: max(1, len(legal) // 50)]:
        after = state.clone()
        after.apply_action(action)
        assert after != state


@law(20)
def test_copies_are_equal_and_independent(game: Any, state: Any, seed: int) -> None:
    """clone, copy, deepcopy and pickle give equal states that go their own way."""
    before = state.serialize()
    for twin in (state.clone(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert twin == state
        assert hash(twin) == hash(state)
        assert str(twin) == str(state)
        assert repr(twin) == repr(state)
        if not twin.is_terminal():
            twin.apply_action(twin.legal_actions()[-1])
            assert twin != state
    assert state.serialize() == before


@law(20)
def test_bytes_round_trip(game: Any, state: Any, seed: int) -> None:
    """serialize and deserialize_state are inverse, also in another game object of the same rules."""
    data = state.serialize()
    other = type(game)(**game.rules)
    assert other == game
    assert hash(other) == hash(game)
    for home in (game, other, pickle.loads(pickle.dumps(game))):
        again = home.deserialize_state(data)
        assert again == state
        assert again.serialize() == data
        assert again.legal_actions() == state.legal_actions()


@rule("G-6", "G-9")
@law(20)
def test_scores_and_returns(game: Any, state: Any, seed: int) -> None:
    """Scores are ints, one a player; returns are zero until the end, then sum to zero (G-6)."""
    assert len(state.scores()) == len(state.returns()) == game.num_players
    assert all(type(score) is int for score in state.scores())
    assert math.isclose(sum(state.returns()), 0, abs_tol=1e-12)
    if not state.is_terminal():
        assert set(state.returns()) == {0.0}
    assert all(-1 <= utility <= 1 for utility in state.returns())


@law(20)
def test_scores_if_over_end_in_the_scores(game: Any, state: Any, seed: int) -> None:
    """One int a player, which that player knows; the scores themselves when the game is over."""
    before, found = state.clone(), state.scores_if_over()
    assert state == before
    assert [type(each) for each in found] == [int] * game.num_players
    for player in range(game.num_players):
        assert state.determinize(player, seed).scores_if_over()[player] == found[player]
    state.playout(seed)
    assert state.scores_if_over() == state.scores()


@law(20)
def test_information_and_observation(game: Any, state: Any, seed: int) -> None:
    """One line of JSON and finite float32 planes for every player; other players are refused."""
    for player in range(game.num_players):
        text = state.information_state_string(player)
        assert text.isascii()
        assert "\n" not in text
        assert json.loads(text) == state.information_state(player)
        observation = state.observation_tensor(player)
        assert observation.dtype == np.float32
        assert observation.shape == game.observation_tensor_shape
        assert np.isfinite(observation).all()
    for nobody in (-1, game.num_players, 2**70):
        for question in (
            state.information_state_string,
            state.observation_tensor,
            lambda p: state.determinize(p, 0),
        ):
            with pytest.raises(ValueError, match="player"):
                question(nobody)


@law(15)
def test_determinize_keeps_what_the_player_knows(game: Any, state: Any, seed: int) -> None:
    """A determinization looks the same to its player, has the same legal actions for them, and plays to the end."""
    for player in range(game.num_players):
        dealt = state.determinize(player, seed)
        assert dealt == state.determinize(player, seed)
        assert dealt.information_state_string(player) == state.information_state_string(player)
        assert np.array_equal(dealt.observation_tensor(player), state.observation_tensor(player))
        assert dealt.current_player() == state.current_player()
        if state.current_player() == player:
            assert dealt.legal_actions() == state.legal_actions()
        assert dealt.scores() == state.scores()
        assert game.deserialize_state(dealt.serialize()) == dealt
        generator = np.random.default_rng(seed)
        assert state.determinize(player, generator) == state.determinize(player, np.random.default_rng(seed))
        rng = Rng(seed)
        while not dealt.is_terminal():
            legal = dealt.legal_actions()
            dealt.apply_action(legal[rng.below(len(legal))])
    for wrong in (-1, 2**64, 0.5, "x", None):
        with pytest.raises(ValueError, match=r"rng|seed"):
            state.determinize(0, wrong)


@pytest.mark.parametrize("name", GAMES)
def test_games_end_in_time(name: str) -> None:
    """No game is longer than max_game_length, and every position on the way can be kept as bytes."""

    @settings(max_examples=15)
    @given(options=options_of(name), seed=SEEDS)
    def check(options: dict[str, Any], seed: int) -> None:
        game = tilery.load(name, **options)
        results = tilery.simulate(game, 20, seed=seed)
        assert results["num_actions"].max() <= game.max_game_length
        assert (results["num_decisions"] <= results["num_actions"]).all()
        state, rng = game.new_initial_state(), Rng(seed, 5)
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[rng.below(len(legal))])
            assert game.deserialize_state(state.serialize()) == state

    check()


@rule("G-5")
@pytest.mark.parametrize("name", GAMES)
def test_same_seed_same_game_other_seed_other_game(name: str) -> None:
    """Results depend on (seed, index) and on nothing else, and they do depend on both."""
    game = tilery.load(name)
    results, tokens = tilery.simulate(game, 64, seed=7, records=True)
    again, again_tokens = tilery.simulate(game, 64, seed=7, records=True, threads=2)
    assert np.array_equal(results, again)
    assert tokens == again_tokens
    assert tilery.simulate(game, 20, seed=7, first=44, records=True)[1] == tokens[44:]
    assert len(set(tokens)) == 64
    assert not set(tokens) & set(tilery.simulate(game, 64, seed=8, records=True)[1])


@rule("G-5")
@pytest.mark.parametrize("name", GAMES)
def test_driver_and_simulation_agree(name: str) -> None:
    """A driver asked for random indexes plays the games of the random policy, draw for draw."""
    game = tilery.load(name)
    results = tilery.simulate(game, 5, seed=11)
    for index, result in enumerate(results):
        state, rng = game.new_initial_state(), Rng(11, index)
        while not state.is_terminal():
            if state.is_chance_node():
                # The draw of docs/interface.md, from probabilities that are exact multiples of 1/total.
                chances = state.chance_outcomes()
                draw, cumulated = rng.next() / 2**64, 0.0
                for action, probability in chances:  # noqa: B007
                    cumulated += probability
                    if draw < cumulated:
                        break
                state.apply_action(action)
            else:
                legal = state.legal_actions()
                state.apply_action(legal[rng.below(len(legal))])
        assert state.scores() == result["scores"].tolist()
    driver = game.driver(seed=3, index=4)
    count, steps = driver.num_legal_actions(), 0
    while count:
        assert driver.state().num_legal_actions() == count
        for wrong in (-1, count, 2**70):
            with pytest.raises(tilery.IllegalActionError):
                driver.play(wrong)
        count, steps = driver.play(steps * 7919 % count), steps + 1
    assert driver.state().is_terminal()
    assert 0 < steps <= game.max_game_length
    with pytest.raises(tilery.IllegalActionError, match="over"):
        driver.play(0)
    assert driver.restart(4) == game.driver(seed=3, index=4).num_legal_actions()


@pytest.mark.parametrize("name", GAMES)
def test_playing_on_from_a_state(name: str) -> None:
    """simulate also plays on from a state, which it leaves as it is."""
    state = random_game(tilery.load(name), seed=2, actions=25)
    before = state.clone()
    results, tokens = tilery.simulate(state, 3, seed=1, records=True)
    assert state == before
    for result, text in zip(results, tokens, strict=True):
        played = state.clone()
        for token in text.split():
            played.apply_action(played.string_to_action(token))
        assert played.is_terminal()
        assert played.scores() == result["scores"].tolist()


@rule("G-4")
@pytest.mark.parametrize("name", GAMES)
def test_options_are_frozen_and_checked(name: str) -> None:
    """Rules hold every option, cannot change, and make the same game again; wrong ones are named."""
    game = tilery.load(name)
    assert game.name == name
    assert getattr(tilery, name).Game() == game
    assert game.rules["players"] == game.rules.players == game.num_players
    with pytest.raises(AttributeError):
        game.rules.players = 3
    for wrong in (0, 99, True, "2", None, 2.0, 2**70):
        with pytest.raises(tilery.OptionError, match="players"):
            tilery.load(name, players=wrong)
    with pytest.raises(tilery.OptionError, match="colour_of_the_box"):
        tilery.load(name, colour_of_the_box="blue")
    with pytest.raises(ValueError, match="nosuchgame"):
        tilery.load("nosuchgame")
    assert tilery.load(name, players=np.int64(2)) == tilery.load(name, players=2)
    assert tilery.load(name, players=2) != tilery.load(name, players=3)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("backend", BACKENDS)
def test_states_of_other_rules_are_strangers(name: str, backend: str) -> None:
    """Bytes of other rules are refused, and states of different rules are never equal."""
    two, three = (BACKENDS[backend](name, players=n) for n in (2, 3))
    assert two.new_initial_state() != three.new_initial_state()
    with pytest.raises(tilery.StateDataError):
        three.deserialize_state(two.new_initial_state().serialize())


@pytest.mark.parametrize("name", GAMES)
def test_perft_counts_paths(name: str) -> None:
    """perft agrees with counting by hand, chance outcomes included."""

    def count(state: Any, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for action in state.legal_actions():
            after = state.clone()
            after.apply_action(action)
            total += count(after, depth - 1)
        return total

    state = random_game(tilery.load(name), seed=5, actions=40)
    for depth in range(4):
        expected = count(state, depth) if state.num_legal_actions() ** depth < 40_000 else None
        if expected is not None:
            assert state.perft(depth) == expected
    for wrong in (-1, 2.5, "3", 2**70):
        with pytest.raises(ValueError, match="depth"):
            state.perft(wrong)
