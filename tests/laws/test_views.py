"""What a state says to players and spectators, and luck from Python: true of every state of every game."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
import random
import re
from typing import Any

import numpy as np
import pytest

import tilery
import tilery.reference
from tests.kit.games import BACKENDS, GAMES
from tests.kit.observing import divisors
from tests.kit.walking import random_game
from tests.laws.test_laws import law
from tilery import protocol
from tilery.pages import section
from tilery.reference.rng import Rng as ReferenceRng


def play_by_weights(state: Any, rng: tilery.Rng) -> None:
    """The random policy as docs/interface.md defines it, from the calls alone."""
    while not state.is_terminal():
        if state.is_chance_node():
            weights = state.chance_weights()
            r = rng.below(sum(weight for _, weight in weights))
            for action, weight in weights:  # noqa: B007
                r -= weight
                if r < 0:
                    break
        else:
            legal = state.legal_actions()
            action = legal[rng.below(len(legal))]
        state.apply_action(action)


@law(20)
def test_weights_are_the_probabilities(game: Any, state: Any, seed: int) -> None:
    """chance_weights has the ids of chance_outcomes, and weights that give their probabilities exactly."""
    weights = state.chance_weights()
    total = sum(weight for _, weight in weights)
    assert [(action, weight / total) for action, weight in weights] == state.chance_outcomes()
    assert all(type(weight) is int and weight > 0 for _, weight in weights)
    assert total < 2**32


@law(20)
def test_the_random_policy_from_python(game: Any, state: Any, seed: int) -> None:
    """random_action takes one number, playout one for each action; both are the policy of docs/interface.md."""
    by_hand, stepped, played = state.clone(), state.clone(), state.clone()
    rngs = [tilery.Rng(seed, 5) for _ in range(3)]
    play_by_weights(by_hand, rngs[0])
    while not stepped.is_terminal():
        stepped = stepped.child(stepped.random_action(rngs[1]))
    assert played.playout(rngs[2]) == by_hand.returns() == played.returns()
    assert by_hand == stepped == played
    assert rngs[0] == rngs[1] == rngs[2]
    with pytest.raises(ValueError, match="the game is over"):
        played.random_action(0)


@law(15)
def test_a_child_is_a_clone_with_the_action_applied(game: Any, state: Any, seed: int) -> None:
    before = state.serialize()
    for action in state.legal_actions()[:50]:
        after = state.clone()
        after.apply_action(action)
        assert state.child(action) == after
    with pytest.raises(tilery.IllegalActionError):
        state.child(game.num_distinct_actions)
    assert state.serialize() == before


@law(15)
def test_why_illegal_is_the_reason_of_the_error(game: Any, state: Any, seed: int) -> None:
    """Empty for legal ids; for all others a sentence with a rule number, which the error repeats beside the words."""
    legal = set(state.legal_actions())
    sample = np.random.default_rng(seed).integers(0, game.num_distinct_actions, 60).tolist()
    for action in {*sample, *sorted(legal)[:20], -1, game.num_distinct_actions, 2**31, -(2**70)}:
        reason = state.why_illegal(action)
        if action in legal:
            assert reason == ""
            continue
        assert reason.partition(": ")[0].partition("-")[0].isupper(), reason
        if -(2**31) <= action < 2**31:
            with pytest.raises(tilery.IllegalActionError) as caught:
                state.apply_action(action)
            assert reason in str(caught.value)
            if 0 <= action < game.num_distinct_actions:
                assert game.describe_action(action) in str(caught.value)
    with pytest.raises(tilery.IllegalActionError):
        state.why_illegal("x")


@law(12)
def test_hashes_of_information(game: Any, state: Any, seed: int) -> None:
    """For each player equal where the strings are equal, different where they differ; and different by player."""
    seen: dict[tuple[int, str], int] = {}
    states = [state, *(state.determinize(player, seed) for player in range(game.num_players))]
    rng = tilery.Rng(seed)
    for _ in range(6):
        if not state.is_terminal():
            state = state.child(state.random_action(rng))
            states.append(state)
    if hasattr(game, "deserialize_state"):  # the same positions, in states that other events have made
        states.extend([game.deserialize_state(each.serialize()) for each in states])
    for each in states:
        for player in range(game.num_players):
            number = each.information_state_hash(player)
            assert 0 <= number < 2**64
            assert seen.setdefault((player, each.information_state_string(player)), number) == number
    assert len(set(seen.values())) == len(seen)


@pytest.mark.parametrize("name", tilery.games())
def test_a_million_pairs_of_hashes_do_not_collide(name: str) -> None:
    """1,500 information states of a player are 1.1 million pairs. The lower 32 bits differ too, but for a few pairs."""
    hashes: dict[str, int] = {}
    rng = tilery.Rng(11)
    while len(hashes) < 1500:
        state = tilery.load(name).new_initial_state()
        while not state.is_terminal():
            hashes.setdefault(state.information_state_string(0), state.information_state_hash(0))
            state.apply_action(state.random_action(rng))
    assert len(set(hashes.values())) == len(hashes)
    assert len({number % 2**32 for number in hashes.values()}) > len(hashes) - 5


@law(12)
def test_a_player_sees_no_more_than_they_know(game: Any, state: Any, seed: int) -> None:
    """to_string(player) is the same for all states that the player cannot tell apart; so is what they see happen."""
    assert state.to_string() == state.to_string(None) == str(state)
    for player in range(game.num_players):
        text = state.to_string(player=player)
        assert text
        dealt = state.determinize(player, seed)
        assert dealt.to_string(player) == text
        for action in state.legal_actions()[:20]:
            assert state.action_seen_by(player, action) in (action, -1)
            if state.current_player() == player:
                assert state.action_seen_by(player, action) == action
    for nobody in (-1, game.num_players, "0"):
        with pytest.raises(ValueError, match="player"):
            state.to_string(nobody)
        with pytest.raises(ValueError, match="player"):
            state.action_seen_by(nobody, 0)
    with pytest.raises(tilery.IllegalActionError):
        state.action_seen_by(0, -1)


@law(12)
def test_what_is_public_is_known_to_all(game: Any, state: Any, seed: int) -> None:
    """The public state has keys of every player's information, with the same values; nothing hidden means nothing
    to deal again."""
    if not hasattr(game, "hides_information"):
        pytest.skip(f"{game.name} does not say whether it hides information")
    public = json.loads(state.public_state_string())
    for player in range(game.num_players):
        dealt = state.determinize(player, seed)
        assert dealt.public_state_string() == state.public_state_string()
        known = state.information_state(player)
        assert public.keys() <= known.keys()
        if not game.hides_information:
            assert dealt == state


@law(15)
def test_arrays_that_are_filled(game: Any, state: Any, seed: int) -> None:
    """`out` is filled and returned, whatever was in it; arrays that do not fit are refused."""
    shape = game.observation_tensor_shape
    for player in range(game.num_players):
        out = np.full(shape, np.nan, np.float32)
        assert state.observation_tensor(player, out) is out
        assert np.array_equal(out, state.observation_tensor(player))
        if hasattr(game, "observation_parts"):
            scaled = state.observation_tensor(player, out=out, scaled=True)
            assert scaled is out
            assert ((out >= 0) & (out <= 1)).all()
    for dtype in (np.bool_, np.uint8, np.int8):
        mask = np.full(game.num_distinct_actions, 1, dtype)
        assert state.legal_actions_mask(out=mask) is mask
        assert mask.dtype == dtype
        assert np.array_equal(mask != 0, state.legal_actions_mask())
        assert set(mask.tolist()) <= {0, 1}
    size = int(np.prod(shape))
    frozen = np.zeros(shape, np.float32)
    frozen.flags.writeable = False
    wrong: Any
    for wrong, message in (
        (np.zeros(size + 1, np.float32), "out must have shape"),
        (np.zeros(shape), "out must have dtype float32, got float64"),
        ([0.0] * size, "out must be a NumPy array"),
        (np.zeros((2, *shape), np.float32)[0:1], "out must have shape"),
        (np.zeros((*shape, 2), np.float32)[..., 0], "out must be contiguous"),
        (frozen, "out must be writable"),
    ):
        with pytest.raises(ValueError, match=message):
            state.observation_tensor(0, wrong)
    frozen = np.zeros(game.num_distinct_actions, np.bool_)
    frozen.flags.writeable = False
    for wrong, message in (
        (frozen, "out must be writable"),
        (np.zeros(1, np.uint8), "out must have shape"),
        (np.zeros(game.num_distinct_actions, np.int64), "out must have dtype bool, got int64"),
        (3, "out must be a NumPy array"),
    ):
        with pytest.raises(ValueError, match=message):
            state.legal_actions_mask(wrong)


@law(15)
def test_observations_of_integers(game: Any, state: Any, seed: int) -> None:
    """An integer dtype holds what float32 has divided, exactly or not at all."""
    for dtype in (np.uint8, np.int16):
        too_great = [part for part in game.observation_parts if part.most > np.iinfo(dtype).max]
        if too_great:
            with pytest.raises(ValueError, match=f"is not exact for .*: the part '{too_great[0].name}'"):
                state.observation_tensor(0, dtype=dtype)
            continue
        for player in range(game.num_players):
            out = np.full(game.observation_tensor_shape, 99, dtype)
            assert state.observation_tensor(player, out, dtype=np.dtype(dtype).name) is out
            assert np.array_equal((out / divisors(game)).astype(np.float32), state.observation_tensor(player))
            assert np.array_equal(state.observation_tensor(player, dtype=dtype), out)
        with pytest.raises(ValueError, match=f"out must have dtype {np.dtype(dtype).name}, got float32"):
            state.observation_tensor(0, np.zeros(game.observation_tensor_shape, np.float32), dtype=dtype)
        with pytest.raises(ValueError, match="scaled: only with dtype float32"):
            state.observation_tensor(0, dtype=dtype, scaled=True)
    for wrong in ("float64", "no such type", None, 7):
        with pytest.raises(ValueError, match="dtype must be float32, uint8 or int16, got"):
            state.observation_tensor(0, dtype=wrong)


@law(6)
def test_observations_keep_to_their_parts(game: Any, state: Any, seed: int) -> None:
    """The parts cover the observation in order, and no value leaves its bounds."""
    if not hasattr(game, "observation_parts"):
        pytest.skip(f"{game.name} has no observation_parts")
    end = 0
    for part in game.observation_parts:
        assert isinstance(part, protocol.ObservationPart)
        assert part.offset == end
        end += int(np.prod(part.shape))
        for player in range(game.num_players):
            values = state.observation_tensor(player).ravel()[part.offset : end]
            assert values.size == 0 or part.low <= values.min() <= values.max() <= part.high, part.name
            integers = np.rint(values * part.divisor)
            assert np.array_equal((integers / part.divisor).astype(np.float32), values), part.name
    assert end == int(np.prod(game.observation_tensor_shape))


@law(10)
def test_bounds_hold(game: Any, state: Any, seed: int) -> None:
    """Ids of outcomes are [0, num_chance_actions), and games keep to the bounds of both kinds of node."""
    chances = decisions = 0
    state, rng = game.new_initial_state(), tilery.Rng(seed)
    while not state.is_terminal():
        action = state.random_action(rng)
        chances += state.is_chance_node()
        decisions += not state.is_chance_node()
        if hasattr(game, "num_chance_actions"):
            assert (action < game.num_chance_actions) == state.is_chance_node()
        state.apply_action(action)
    if hasattr(game, "max_decisions"):
        assert decisions <= game.max_decisions
        assert chances <= game.max_chance_nodes
        assert game.max_game_length <= game.max_decisions + game.max_chance_nodes
    utilities = state.returns()
    assert game.min_utility <= min(utilities) <= max(utilities) <= game.max_utility == 1
    assert game.utility_sum == 0
    best = (min if game.fewest_points_win else max)(state.scores())
    assert all(
        (utility > 0 or len(set(utilities)) == 1) == (score == best)
        for utility, score in zip(utilities, state.scores(), strict=True)
    )


@law(25)
def test_information_states_have_the_keys_of_the_page(game: Any, state: Any, seed: int) -> None:
    """The game's page lists the keys of an information state, in their order."""
    text = section(tilery.rules_page(game.name), "Information state")
    tables = [table for table in text.split("\n\n") if table.startswith("| key |")]
    listed = [key for row in "\n".join(tables).splitlines() for key in re.findall(r"`(\w+)`", row.split("|")[1])]
    for player in range(game.num_players):
        known = state.information_state(player)
        assert list(known) == [key for key in listed if key in known]


@law(10)
def test_positions_as_dicts(game: Any, state: Any, seed: int) -> None:
    """to_dict is plain JSON that state_from_dict reads back; what is changed is refused or another possible state."""
    if not hasattr(game, "state_from_dict"):
        pytest.skip(f"{game.name} has no readable positions")
    position = state.to_dict()
    assert json.loads(json.dumps(position)) == position
    assert game.state_from_dict(position) == state
    wrong: Any
    for wrong in ({}, [], None, 3, {"x": object()}, {**position, "nosuchkey": 1}):
        with pytest.raises(tilery.StateDataError):
            game.state_from_dict(wrong)
    for key in position:
        with pytest.raises(tilery.StateDataError):
            game.state_from_dict({other: value for other, value in position.items() if other != key})
        for value in (None, -1, 10**6, "?", [], {}, [[]], True):
            try:
                again = game.state_from_dict({**position, key: value})
            except tilery.StateDataError:
                continue
            again.playout(0)


@pytest.mark.parametrize("name", GAMES)
def test_actions_in_words(name: str) -> None:
    """Every id has words and at least one pick; other numbers have none."""
    game = tilery.load(name)
    for action in range(0, game.num_distinct_actions, max(1, game.num_distinct_actions // 500)):
        assert game.describe_action(action)
        assert all(game.picks(action))
    for ask in (game.describe_action, game.picks):
        with pytest.raises(tilery.ParseError):
            ask(game.num_distinct_actions)


BOUNDS = (
    *("fewest_points_win", "hides_information", "max_chance_nodes", "max_decisions", "num_chance_actions"),
    "observation_parts",
)
"""What engine and reference say of a game besides the members of `protocol.Game`."""


@pytest.mark.parametrize("name", GAMES)
def test_engine_and_reference_say_the_same(name: str) -> None:
    """The calls that both offer, on random games of both from one stream."""
    for players in (2, 3):
        engine, reference = (load(name, players=players) for load in BACKENDS.values())
        for member in BOUNDS:
            assert getattr(engine, member) == getattr(reference, member), member
        a, b = engine.new_initial_state(), reference.new_initial_state()
        rngs = tilery.Rng(players, 3), tilery.Rng(players, 3)
        while not a.is_terminal():
            assert a.chance_weights() == b.chance_weights()
            action = a.random_action(rngs[0])
            assert b.random_action(rngs[1]) == action
            for player in range(players):
                assert a.action_seen_by(player, action) == b.action_seen_by(player, action)
            if hasattr(engine, "hides_information"):
                assert a.public_state_string() == b.public_state_string()
            a, b = a.child(action), b.child(action)
        assert rngs[0] == rngs[1]
        assert a.returns() == b.returns()


@pytest.mark.parametrize("name", GAMES)
def test_simulating_what_a_player_knows(name: str) -> None:
    """simulate(state, n, player=p) determinizes for each game with the stream of docs/interface.md."""
    game = tilery.load(name, players=3)
    state = random_game(game, seed=3, actions=20)
    for player in range(3):
        results = tilery.simulate(state, 6, seed=11, first=2, player=player)
        for i, result in enumerate(results, start=2):
            dealing = tilery.Rng.of(11, 16 + player, i)
            played = state.determinize(player, dealing)
            played.playout(tilery.Rng(11, i))
            assert played.scores() == result["scores"].tolist()
    with pytest.raises(ValueError, match="player must be None"):
        tilery.simulate(game, 1, player=0)
    for nobody in (-1, 3, True, "0"):
        with pytest.raises(ValueError, match="player must be an integer from 0 to 2"):
            tilery.simulate(state, 1, player=nobody)  # type: ignore[call-overload]


def test_progress_of_a_simulation() -> None:
    """Called with a growing number of games, at last with all; what it raises ends the games."""
    game, games = tilery.load(tilery.games()[0]), 5_000
    calls: list[int] = []
    while len(calls) <= 1 and games < 10**8:  # some calls a second
        games, calls = 2 * games, []
        tilery.simulate(game, games, progress=calls.append)
        assert calls == sorted(calls)
        assert calls[-1] == games
    assert len(calls) > 1

    def stop(_done: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        tilery.simulate(game, 10**6, progress=stop)
    with pytest.raises(ValueError, match="progress must be callable"):
        tilery.simulate(game, 1, progress=3)  # type: ignore[call-overload]


def test_streams() -> None:
    """tilery.Rng is the generator of docs/interface.md: equal by value, copied and pickled with its place."""
    for seed, index in ((0, 0), (7, 9), (2**64 - 1, 2**64 - 1)):
        ours, theirs = tilery.Rng(seed, index), ReferenceRng(seed, index)
        assert [ours.next() for _ in range(50)] == [theirs.next() for _ in range(50)]
        assert [ours.below(n) for n in (1, 2, 77, 2**32 - 1)] == [theirs.below(n) for n in (1, 2, 77, 2**32 - 1)]
        for make in (copy.copy, copy.deepcopy, lambda rng: pickle.loads(pickle.dumps(rng))):
            twin = make(ours)
            assert twin == ours
            assert twin is not ours
            assert twin.next() == ours.next()
            assert twin == ours
            assert twin.next() > -1
            assert twin != ours
    assert tilery.Rng() == tilery.Rng(0) == tilery.Rng(seed=0, index=0)
    assert tilery.Rng() != 0
    with pytest.raises(TypeError, match="unhashable"):
        hash(tilery.Rng())
    for wrong in (-1, 2**64, 1.5, "1", None, True):
        for name in ("seed", "index"):
            with pytest.raises(ValueError, match=name):
                tilery.Rng(**{name: wrong})  # type: ignore[arg-type]
    for wrong in (0, -1, 2**32, 2.0, None):
        with pytest.raises(ValueError, match="n must be"):
            tilery.Rng().below(wrong)  # type: ignore[arg-type]
    for state in ((0, 0), (1,), (1, -1), 3):
        with pytest.raises(ValueError, match=r"stream|s1"):
            tilery.Rng().__setstate__(state)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("backend", BACKENDS)
def test_what_may_be_an_rng(backend: str, name: str) -> None:
    """Seeds and generators of all kinds; each that is received is advanced."""
    state = BACKENDS[backend](name).new_initial_state()
    generators: list[Any] = [tilery.Rng(3), random.Random(3), np.random.default_rng(3)]
    for rng in generators:
        played = [state.clone().playout(rng) for _ in range(4)]
        again = [state.clone().playout(twin) for twin in [copy.deepcopy(rng)] * 4]
        assert len(played) == len(again) == 4
    first, second = tilery.Rng(3), tilery.Rng(3)
    state.clone().playout(first)
    assert first != second
    drawn = random.Random(9).getrandbits(64)
    assert state.random_action(random.Random(9)) == state.random_action(drawn)
    numpy_drawn = int(np.random.default_rng(9).integers(0, 2**64, dtype=np.uint64))
    assert state.random_action(np.random.default_rng(9)) == state.random_action(numpy_drawn)
    assert state.random_action(4) == state.random_action(tilery.Rng(4))
    for wrong in ("x", None, 0.5, True, object()):
        with pytest.raises(ValueError, match="rng must be"):
            state.random_action(wrong)


@pytest.mark.parametrize("name", GAMES)
def test_protocols_and_signatures(name: str) -> None:
    """Every public call is described, with a signature that Python reads; states and games are of their types."""
    module = getattr(tilery, name)
    game = tilery.load(name)
    state = random_game(game, seed=1, actions=3)
    assert isinstance(game, tilery.Game)
    assert isinstance(state, tilery.State)
    assert not isinstance(game, tilery.State)
    reference = tilery.reference.load(name)
    assert isinstance(reference, tilery.Game)
    assert isinstance(reference.new_initial_state(), tilery.State)
    for described, made in ((protocol.Game, reference), (protocol.State, reference.new_initial_state())):
        for member in {name for kind in described.__mro__[:2] for name in vars(kind) if not name.startswith("_")}:
            assert getattr(type(made), member) is not getattr(described, member), f"{member} is not in the reference"
    for kind, compiled in (("State", module.State), ("Game", module.Game), ("Driver", type(game.driver()))):
        for described in protocol.KINDS[kind]:
            for member, value in vars(described).items():
                if member.startswith("_") or member == "state_size" or not hasattr(compiled, member):
                    continue
                text = getattr(compiled, member).__doc__
                assert text, (kind, member)
                if not isinstance(value, property):
                    inspect.signature(getattr(compiled, member))
    assert json.loads(state.information_state_string(0)) == state.information_state(0)
