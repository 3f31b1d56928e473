"""Networks: their files, what they compute, the players that ask them, and what is refused."""

from __future__ import annotations

import hashlib
import json
import math
import struct
import zlib
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES
from tests.kit.networks import Network, fitted, loaded, share_of, to_one
from tests.kit.walking import random_game, some_action
from tests.search.test_policies import OPEN, decision
from tilery import _core, calibration
from tilery.reference.rng import Rng
from tilery.train import Plan, Round, Training

WITH_INPUTS = [name for name in GAMES if tilery.load(name).num_inputs > 0]
SHIPPED = [name for name in WITH_INPUTS if resources.files("tilery").joinpath("data", "nets", f"{name}.tnn").is_file()]


def positions(name: str, games: int) -> list[Any]:
    """Positions of random games."""
    found: list[Any] = []
    for seed in range(games):
        state, rng = tilery.load(name).new_initial_state(), Rng(seed)
        while not state.is_terminal():
            found.append(state.clone())
            state.apply_action(some_action(state.legal_actions(), rng))
    return found


@pytest.mark.parametrize("name", WITH_INPUTS)
def test_numpy_computes_the_same_bits(name: str) -> None:
    weights, network = loaded(name), Network(fitted(name))
    game: Any = tilery.load(name)
    assert network.game == name
    for state in positions(name, 2):
        for player in range(game.num_players):
            assert game._judge(weights.name, state, player) == network.judge(state.inputs(player).tolist())


@pytest.mark.parametrize("name", WITH_INPUTS)
def test_expectations(name: str) -> None:
    """Shares of the win sum to 1; after the game they are the results."""
    policy = tilery.policy(f"nn,eval={loaded(name).name}")
    for state in positions(name, 1)[::9]:
        expected = tilery.evaluate(state, policy)
        assert abs(sum(expected.wins) - 1) < 1e-9
        assert all(0 <= share <= 1 for share in expected.wins)
        assert all(error >= 0 for error in expected.wins_error + expected.points_error)
    final = random_game(tilery.load(name), seed=2)
    expected = tilery.evaluate(final, policy)
    assert list(expected.points) == final.scores()
    n = len(expected.wins)
    assert expected.wins == pytest.approx([(value * (n - 1) + 1) / n for value in final.returns()])
    assert set(expected.wins_error) == set(expected.points_error) == {0.0}


def over_draws(state: Any, policy: Any) -> tuple[list[float], list[float]]:
    """The mean points of all players over the draws of a chance node that are looked at, and its standard errors."""
    rng, values, weights = tilery.Rng(0), [], []
    drawn = state.chance_outcomes()
    if len(drawn) > 64:
        drawn = [(state.random_action(rng), 1 / 64) for _ in range(64)]
    for outcome, share in drawn:
        after = state.child(outcome)
        while after.is_chance_node():
            after.apply_action(after.random_action(rng))
        values.append(tilery.evaluate(after, policy).points)
        weights.append(share)
    mean = np.average(values, axis=0, weights=weights)
    squares = np.average(np.square(values), axis=0, weights=weights)
    errors = np.sqrt(np.maximum(squares - mean**2, 0) / (len(drawn) - 1))
    return mean.tolist(), errors.tolist()


@pytest.mark.parametrize("name", WITH_INPUTS)
def test_an_expectation_has_errors_where_draws_are_left_out(name: str) -> None:
    """A mean over all outcomes is exact. Where there are more than 64, or draws follow a draw, some are looked at."""
    policy, left_out = tilery.policy(f"nn,eval={loaded(name).name}"), 0
    for state in positions(name, 1):
        outcomes = [] if state.is_terminal() else state.legal_actions()
        if not state.is_chance_node() or len(outcomes) == 1:
            continue
        expected = tilery.evaluate(state, policy)
        some = len(outcomes) > 64 or any(state.child(outcome).is_chance_node() for outcome in outcomes)
        assert any(expected.wins_error + expected.points_error) == some
        if some and left_out < 3:
            mean, errors = over_draws(state, policy)
            assert expected.points == pytest.approx(mean)
            assert expected.points_error == pytest.approx(errors, abs=1e-6)
        left_out += some
    assert left_out or name == OPEN


@pytest.mark.parametrize("name", WITH_INPUTS)
@pytest.mark.parametrize("text", ["nn", "nn:3", "nn,noise=2", "mcts:3"])
def test_games_by_networks_are_legal_and_repeat(name: str, text: str) -> None:
    policy = f"{text},eval={loaded(name).name}"
    game = tilery.load(name)
    one, two = (tilery.simulate(game, 2, seed=4, policies=policy, threads=threads) for threads in (1, 2))
    assert np.array_equal(one, two)


@pytest.mark.parametrize("name", WITH_INPUTS)
def test_the_utilities_of_an_analysis_add_up_to_0(name: str) -> None:
    policy: Any = tilery.policy(f"nn,eval={loaded(name).name}")
    analysis = policy.analyse(decision(name, seed=1, actions=2), 3)
    assert analysis.actions
    for row in analysis.actions:
        assert sum(row["utilities"]) == pytest.approx(0, abs=1e-9)
        assert max(map(abs, row["utilities"])) <= 1


def test_zero_and_other_names() -> None:
    with pytest.raises(ValueError, match="SHA-256"):
        _core.Policy("nn,eval=zero")
    with pytest.raises(tilery.WeightsError, match="is loaded"):
        tilery.policy(f"nn,eval={'0' * 64}").choose(decision(GAMES[1], seed=1, actions=4), 0)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_search_by_a_network(name: str) -> None:
    """It visits as many positions as it is told, takes no time beyond its seconds, and has no playouts."""
    policy: Any = tilery.policy("mcts:40,eval=nn")
    assert policy == tilery.policies.MCTS(40, eval="nn")
    state = decision(name, seed=3, actions=12)
    network = str(tilery.policy("nn").resolved(name)).removeprefix("nn,")  # type: ignore[attr-defined]
    full = f"mcts:40,{network}"
    assert str(policy.resolved(name)) == full
    analysis = policy.analyse(state, 5)
    assert analysis.simulations == sum(row["visits"] for row in analysis.actions) == 40
    assert analysis.best == policy.choose(state, 5) == tilery.policy(full).choose(state, 5)
    assert tilery.policy("mcts,seconds=0.001,eval=nn").choose(state, 5) in state.legal_actions()
    with pytest.raises(ValueError, match="with eval there are simulations, seconds, c and margin"):
        tilery.policy("mcts:40,trees=2,eval=nn")
    with pytest.raises(tilery.WeightsError, match="no network for toy"):
        policy.resolved("toy")


def test_a_network_of_another_game_is_refused() -> None:
    with pytest.raises(tilery.WeightsError, match=f"is of {WITH_INPUTS[0]}, not of {WITH_INPUTS[1]}"):
        tilery.policy(f"nn,eval={loaded(WITH_INPUTS[0]).name}").choose(decision(WITH_INPUTS[1], seed=1, actions=4), 0)


@lru_cache
def curved(name: str) -> bytes:
    """The network with maps that are not straight, another one for each number of players."""
    maps = [[int(65536 * (step / 32) ** (2 + players)) + step for step in range(1, 32)] for players in range(4)]
    return bytes(_core._calibrated(fitted(name), maps))


@pytest.mark.parametrize("name", WITH_INPUTS)
def test_numpy_computes_the_same_shares_of_the_win(name: str) -> None:
    """After the turn of the player to act, which is one action or two."""
    plain, network = loaded(name), Network(curved(name))
    weights = tilery.load_weights(curved(name))  # which replaces the other one
    assert weights == plain  # the name is that of what it plays by
    policy = tilery.policy(f"nn,eval={weights.name}")
    game: Any = tilery.load(name)
    checked = 0
    for state in positions(name, 1)[::7]:
        if state.is_chance_node():
            continue
        after, expected = state.clone(), []
        for _ in range(2):
            if after.current_player() == state.current_player():
                after.apply_action(policy.choose(after, 0))
            if not after.is_terminal():
                heads = [network.judge(after.inputs(player).tolist()) for player in range(game.num_players)]
                expected.append(tuple(network.calibrated([share_of(win) for _, _, win in heads])))
        if expected:
            assert tilery.evaluate(state, policy).wins in expected
            checked += 1
    assert checked > 0
    tilery.load_weights(fitted(name))


@pytest.mark.parametrize("name", [name for name in WITH_INPUTS if not tilery.load(name).hides_information])
def test_positions_of_a_turn_are_judged_as_each_alone(name: str) -> None:
    """Though a player uses for all of them what it has found out about the position before."""
    network = Network(fitted(name))
    policy: Any = tilery.policy(f"nn,eval={loaded(name).name}")
    game: Any = tilery.load(name)
    n, checked = game.num_players, 0
    for state in positions(name, 2)[::3]:
        mover = state.current_player()
        for row in policy.analyse(state, 0).to_dict()["actions"] if mover >= 0 else ():
            after = state.child(row["action"])
            if after.is_terminal() or after.current_player() == mover:
                continue
            shares = to_one(np.array([share_of(network.judge(after.inputs(seat).tolist())[2]) for seat in range(n)]))
            assert row["utilities"] == pytest.approx(((n * shares - 1) / (n - 1)).tolist())
            checked += 1
    assert checked > 20


@pytest.mark.parametrize("players", [2, 3])
def test_a_map_is_fitted_to_what_happened(players: int) -> None:
    """Predictions that are too mild are mapped to what happened; those that were right stay."""
    rng = np.random.default_rng(7)
    true = rng.dirichlet([0.7] * players, 40_000)
    won = np.eye(players)[(rng.random((len(true), 1)) > true.cumsum(axis=1)).sum(axis=1).clip(max=players - 1)]
    mild = np.sqrt(true) / np.sqrt(true).sum(axis=1, keepdims=True)
    for predicted, most in ((mild, 0.02), (true, 0.01)):
        ends = np.array([0, *calibration.fit(predicted, won), 65536]) / 65536
        assert (np.diff(ends) > 0).all()
        mapped = np.interp(predicted, np.arange(33) / 32, ends)
        mapped /= mapped.sum(axis=1, keepdims=True)
        assert np.abs(mapped - true).mean() < most


def test_a_calibration_changes_no_choice() -> None:
    """The same bytes on one thread and on two; only the predicted shares of the win differ."""
    one, two = (calibration.calibrated(fitted("toy"), 40, seed=2, threads=threads) for threads in (1, 2))
    assert one == two != fitted("toy") == _core._calibrated(one, None)
    states = [state for state in positions("toy", 3) if not state.is_chance_node()]
    found = []
    for data in (fitted("toy"), one):
        name = tilery.load_weights(data).name
        chosen = [tilery.policy(f"{text},eval={name}").choose(each, 1) for text in ("nn", "mcts:9") for each in states]
        found.append((name, chosen, [tilery.evaluate(each, f"nn,eval={name}") for each in states]))
    (name, choices, before), (same, same_choices, after) = found
    assert (name, choices) == (same, same_choices)
    assert [each.points for each in before] == [each.points for each in after]
    assert [each.wins for each in before] != [each.wins for each in after]
    tilery.load_weights(fitted("toy"))


def changed(data: bytes, place: int, value: bytes) -> bytes:
    return data[:place] + value + data[place + len(value) :]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "does not begin"),
        (b"tilery network 2\n", "does not begin"),
        (fitted("toy")[:-1], "bytes of weights"),
        (fitted("toy") + b"\0", "bytes of weights"),
        (fitted("toy")[:30], "too short"),
        (changed(fitted("toy"), 17, struct.pack("<I", 2**32 - 1)), "invalid length"),
        (changed(fitted("toy"), 17 + 4 + 3 + 8, struct.pack("<I", 2**31)), "number of inputs"),
        (changed(fitted("toy"), 17 + 4 + 3 + 12, struct.pack("<I", 2**31)), "description is too long"),
        (changed(fitted("toy"), 17 + 4 + 3 + 8, struct.pack("<I", 2)), "bytes of weights"),
        (changed(curved("toy"), len(fitted("toy")), b"n"), "no calibration"),
        (changed(curved("toy"), len(curved("toy")) - 4 * 31 * 2, struct.pack("<H", 0)), "must ascend"),
        (changed(curved("toy"), len(curved("toy")) - 2, struct.pack("<H", 2)), "must ascend"),
        (curved("toy")[:-1], "bytes of weights"),
    ],
)
def test_bytes_that_are_no_network(data: bytes, reason: str) -> None:
    with pytest.raises(tilery.WeightsError, match=reason):
        tilery.load_weights(data)


def test_changed_bytes_are_refused_or_judge() -> None:
    """Bytes changed at random, cut off or doubled: a `WeightsError`, or a network whose shares of the win sum to 1."""
    data, rng, loads = curved("toy"), Rng(3), 0
    state = decision("toy", seed=1, actions=2)
    for _ in range(300):
        forged = bytearray(data)
        for _ in range(1 + rng.below(4)):
            place = rng.below(len(forged)) if rng.below(3) else rng.below(120)
            forged[place : place + rng.below(3)] = bytes(rng.below(256) for _ in range(rng.below(3)))
        try:
            name = tilery.load_weights(bytes(forged)).name
            expected = tilery.evaluate(state, f"nn,eval={name}")
        except tilery.WeightsError:
            continue
        loads += 1
        assert abs(sum(expected.wins) - 1) < 1e-9
    assert 10 < loads < 290


def test_a_network_for_other_inputs_is_refused() -> None:
    """Its hash of the names of the inputs is another."""
    other = changed(fitted("toy"), 17 + 4 + 3, struct.pack("<Q", 1))
    name = tilery.load_weights(other).name
    with pytest.raises(tilery.WeightsError, match="other inputs"):
        tilery.policy(f"nn,eval={name}").choose(decision("toy", seed=1, actions=2), 0)


def test_a_file_is_named_by_its_hash(tmp_path: Path) -> None:
    file = tmp_path / "my.tnn"
    file.write_bytes(fitted("toy"))
    policy = tilery.policy(f"nn:2,eval={file},depth=3")
    assert str(policy) == f"nn:2,depth=3,eval={hashlib.sha256(fitted('toy')).hexdigest()}"
    assert tilery.policies.NN(2, depth=3, eval=str(file)) == policy
    with pytest.raises(ValueError, match="nowhere"):
        tilery.policy("nn,eval=nowhere.tnn")


def plan(**changes: Any) -> Plan:
    return Plan(**{"game": "toy", "rounds": 3, "games": 60, "match_games": 8, **changes})


def test_a_training_repeats_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes on one thread and on two, and after an interruption in each stage of a round."""
    whole = Training(tmp_path / "whole", plan()).run(threads=1)
    assert Training(tmp_path / "threads", plan()).run(threads=2) == whole

    class Stop(Exception):
        pass

    def stop(*_given: Any) -> None:
        raise Stop

    with pytest.raises(Stop):
        Training(tmp_path / "cut", plan()).run(threads=1, report=stop)
    again = Training(tmp_path / "cut", plan())
    assert len(again.rounds) == 1
    monkeypatch.setattr(again, "_match", stop)  # after the network is written, before the round is
    with pytest.raises(Stop):
        again.run(threads=1)
    assert Training(tmp_path / "cut", plan()).run(threads=1) == whole
    with pytest.raises(ValueError, match="another plan"):
        Training(tmp_path / "cut", plan(seed=1))
    assert json.loads((tmp_path / "cut" / "plan.json").read_text())["games"] == 60


def test_a_search_makes_some_decisions_of_a_training(tmp_path: Path) -> None:
    """From the fifth round on, on any number of threads."""
    rounds = {"rounds": 5, "games": 40}
    plain = Training(tmp_path / "plain", plan(**rounds))
    searched = Training(tmp_path / "searched", plan(searched=0.5, best=2, **rounds))
    plain.run(threads=1)
    made = searched.run(threads=1)
    assert [each.errors for each in searched.rounds[:4]] == [each.errors for each in plain.rounds[:4]]
    assert searched.rounds[4].errors != plain.rounds[4].errors
    assert Training(tmp_path / "again", plan(searched=0.5, best=2, **rounds)).run(threads=2) == made


@pytest.mark.parametrize("name", SHIPPED)
def test_samples_of_games_with_searches(name: str) -> None:
    """Every decision by a search: there are samples, and others than without."""
    game: Any = tilery.load(name)
    given = {"seed": 3, "count": 1, "threads": 1, "best": 2}
    samples = [game._self_play("", {**given, "searched": share}) for share in (0.0, 1.0, 1.0)]
    assert len(samples[1]["targets"]) > 20
    assert np.isfinite(samples[1]["targets"]).all()
    assert samples[1]["ids"].tobytes() == samples[2]["ids"].tobytes() != samples[0]["ids"].tobytes()


@pytest.mark.parametrize("name", WITH_INPUTS)
def test_the_share_of_positions_that_become_samples(name: str) -> None:
    """`keep` of the positions, and `others` of these once more from another seat; what is not kept is not seen."""
    game: Any = tilery.load(name)

    def samples(keep: float, others: float) -> int:
        plan = {"seed": 3, "count": 6, "threads": 1, "keep": keep, "others": others}
        return len(game._self_play("zero", plan)["targets"])

    every = samples(1.0, 0.0)
    assert samples(0.0, 1.0) == 0 < samples(0.5, 0.0) < 0.7 * every
    assert 1.2 * every < samples(1.0, 0.5) < 1.8 * every < samples(1.0, 1.0)


def test_ratings_add_up_the_matches(tmp_path: Path) -> None:
    """Against the best one before; a network that is not kept is no measure of others."""
    training = Training(tmp_path, plan(match_games=99))
    shares = [(None, True), (0.75, True), (0.25, False), (0.5, True), (1.0, True)]
    training.rounds = [Round(i, "", 0, 0, {}, share, None, best) for i, (share, best) in enumerate(shares)]
    half = 400 * math.log10(0.7475 / 0.2525)
    assert [training.rating(i) for i in range(4)] == pytest.approx([0, half, 0, half])
    assert half + 800 < training.rating(4) < half + 1000


def test_learning_helps(tmp_path: Path) -> None:
    """In the toy, a network of a few hundred games beats random play."""
    weights = Training(tmp_path, plan(games=600)).run(threads=1)
    (table,) = tilery.match.play(tilery.load("toy"), [f"nn,eval={weights.name}", "random"], games=1500, seed=3)
    assert table.sides[0].share_95[0] > 0.5


@pytest.mark.parametrize("name", SHIPPED)
def test_networks_that_ship(name: str) -> None:
    """Each says how it was made, is small, and is computed alike by NumPy."""
    data = resources.files("tilery").joinpath("data", "nets", f"{name}.tnn").read_bytes()
    weights, network = tilery.load_weights(data), Network(data)
    assert weights.game == name
    assert {"command", "plan", "round", "games", "licence", "version"} <= weights.about.keys()
    assert Plan.of_game(name) == Plan(**weights.about["plan"])
    assert len(zlib.compress(data, 9)) <= 400_000
    assert str(tilery.policy("nn").resolved(name)) == f"nn,eval={weights.name}"  # type: ignore[attr-defined]
    game: Any = tilery.load(name)
    for state in positions(name, 1)[::5]:
        assert game._judge("", state, 0) == network.judge(state.inputs(0).tolist())


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_networks_that_ship_beat_greedy(name: str) -> None:
    """One turn ahead, in at least three quarters of 60 games by what the interval allows; they win nearly all."""
    (table,) = tilery.match.play(tilery.load(name, players=2), ["nn", "greedy"], games=60, seed=11)
    assert table.sides[0].share_95[0] > 0.75


@pytest.mark.parametrize("name", SHIPPED)
def test_noise_makes_a_player_weaker(name: str) -> None:
    """The more of it, the more often luck decides, and the more is lost; without it the choice is the same for all."""
    state, found = decision(name, seed=3, actions=12), []
    for noise in (0, 4, 1000):
        chosen = tilery.policy(f"nn,noise={noise}")
        found.append([chosen.choose(state, luck) for luck in range(40)])
        assert found[-1] == [chosen.choose(state, luck) for luck in range(40)]
    none, some, much = found
    assert len(set(none)) == 1
    assert len(set(much)) > 1
    assert some.count(none[0]) >= much.count(none[0])
    weak = tilery.policy("nn,noise=40")
    (table,) = tilery.match.play(tilery.load(name, players=2), ["nn", weak], games=8, seed=5)
    assert table.sides[0].share > 0.5


@pytest.mark.parametrize("name", WITH_INPUTS)
@pytest.mark.parametrize("text", ["nn", "nn:2", "nn:2,noise=4", "mcts:9"])
def test_equal_knowledge_gives_equal_choices(name: str, text: str) -> None:
    """What is hidden from the player changes neither the choice nor the analysis."""
    policy: Any = tilery.policy(f"{text},eval={'nn' if name in SHIPPED else loaded(name).name}")
    for seed in range(3):
        state = decision(name, seed=seed, actions=15 if name in SHIPPED else 3)
        other = state.determinize(state.current_player(), seed + 1)
        assert policy.choose(state, 5) == policy.choose(other, 5)
        mine, theirs = policy.analyse(state, 5).to_dict(), policy.analyse(other, 5).to_dict()
        for found in (mine, theirs):
            del found["seconds"], found["simulations_per_second"]
        assert mine == theirs


@pytest.mark.parametrize("name", [name for name in SHIPPED if tilery.load(name).hides_information])
def test_an_analysis_says_means_over_dealt_worlds(name: str) -> None:
    """They depend on the luck of the deals, but vary much less than what single worlds say."""
    state, lucks, nn = decision(name, seed=0, actions=60), range(24), tilery.policy("nn")
    rows = [{row["token"]: row["utilities"] for row in nn.analyse(state, luck).to_dict()["actions"]} for luck in lucks]
    token = min(set.intersection(*map(set, rows)))
    worlds = [state.determinize(state.current_player(), luck).child(state.string_to_action(token)) for luck in lucks]
    n = state.game.num_players
    single = [(n * np.array(tilery.evaluate(world, nn).wins) - 1) / (n - 1) for world in worlds]
    spread, of_single = (np.std(each, axis=0).max() for each in ([row[token] for row in rows], single))
    assert 0 < spread < of_single / 2


@pytest.mark.parametrize("name", WITH_INPUTS)
def test_what_a_player_found_before_does_not_change_its_choices(name: str) -> None:
    """In games of other rules, too, and one with another luck."""
    text = f"nn:2,eval={loaded(name).name}"
    used = tilery.policy(text)
    games: list[Any] = [tilery.load(name, players=players) for players in (2, 3)]
    states = [game.new_initial_state() for game in games]
    rng, chosen = Rng(4), 0
    while chosen < 60 and not any(state.is_terminal() for state in states):
        for state in states:
            if state.is_chance_node():
                action = some_action(state.legal_actions(), rng)
            else:
                luck = chosen % 3
                action = used.choose(state, luck)
                assert action == used.choose(state, luck) == tilery.policy(text).choose(state, luck)
                chosen += 1
            state.apply_action(action)
    assert chosen >= 10
