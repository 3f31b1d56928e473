"""Policies: their texts, what they choose by, and what they refuse."""

from __future__ import annotations

import copy
import json
import pickle
import re
import signal
import threading
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES, ROOT
from tests.kit.secrets import secrets_of
from tests.kit.walking import random_game
from tilery import policies
from tilery.reference.rng import Rng

OPEN = next(name for name in GAMES if secrets_of(name) is None)
LONGEST = max(GAMES, key=lambda name: tilery.load(name).max_game_length)
TEXTS = ["random", "greedy", "flat:2", "uct:60", "mcts:60"]
SEARCHES = ["uct:60", "mcts:60"]
NAMES = ["random", "greedy", "flat", "uct", "mcts", "nn", "rung", "champion"]


def decision(name: str, *, seed: int, actions: int, **options: Any) -> Any:
    """The last decision with a choice among the first actions, this many, of a random game."""
    state, rng, found = tilery.load(name, **options).new_initial_state(), Rng(seed), None
    while not state.is_terminal() and (actions > 0 or found is None):
        legal = state.legal_actions()
        if not state.is_chance_node() and len(legal) > 1:
            found = state.clone()
        state.apply_action(legal[rng.below(len(legal))])
        actions -= 1
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("random", "random"),
        ("greedy,worlds=4", "greedy"),
        ("greedy,worlds=9", "greedy,worlds=9"),
        ("flat", "flat:50"),
        ("uct", "uct:1000"),
        ("uct,simulations=5", "uct:5"),
        ("uct:5,c=1.4", "uct:5"),
        ("uct:5,c=1.50,trees=2", "uct:5,trees=2,c=1.5"),
        ("uct,seconds=0.5", "uct,seconds=0.5"),
        ("uct:7,seconds=1", "uct:7,seconds=1"),
        ("uct:7,c=-0", "uct:7,c=0"),
        ("mcts:7,tuning=best:2+depth:08+rank:0,c=1", "mcts:7,c=1,tuning=depth:8+best:2"),
    ],
)
def test_a_text_has_one_canonical_form(text: str, canonical: str) -> None:
    policy = tilery.policy(text)
    assert str(policy) == canonical
    assert tilery.policy(str(policy)) == policy
    assert hash(tilery.policy(str(policy))) == hash(policy)
    assert pickle.loads(pickle.dumps(policy)) == policy == copy.deepcopy(policy)
    assert type(pickle.loads(pickle.dumps(policy))) is type(policy)
    assert eval(repr(policy)) == policy


def test_classes_take_keywords() -> None:
    assert policies.UCT(200, c=1) == tilery.policy("uct:200,c=1")
    assert policies.UCT(seconds=2, trees=2) == tilery.policy("uct,seconds=2,trees=2")
    assert policies.Flat(np.int64(9)) == tilery.policy("flat:9")
    assert policies.Greedy(worlds=2) != policies.Greedy()
    assert policies.Random() == tilery.policy("random") != "random"
    assert policies.UCT(5).parameters == {"simulations": 5, "seconds": 0, "trees": 1, "memory": 1024, "c": 1.4}


@pytest.mark.parametrize("name", NAMES)
def test_a_class_takes_what_the_text_takes_and_both_are_described(name: str) -> None:
    kind, keywords = type(tilery.policy(name)), tilery.policy(name).parameters
    assert kind(**{key: value for key, value in keywords.items() if value}) == tilery.policy(name)
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    for key in keywords:
        assert re.search(rf"\b{key}\b", kind.__doc__ or "")
        assert re.search(rf"\b{key}\b", page)
    with pytest.raises(ValueError, match="there are ") as error:
        tilery.policy("none")
    listed = str(error.value).partition("there are ")[2]
    assert [each.partition(":")[0] for each in listed.split(", ")] == [*NAMES, *policies.OUTSIDE]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "unknown policy ''; there are random, greedy, flat:N, uct:N, mcts:N, nn:N, rung:N, champion"),
        ("best", "unknown policy 'best'"),
        ("Random", "unknown policy"),
        ("random:3", "random takes no number"),
        ("random,c=1", "random has no parameter 'c'; it has none"),
        ("uct:0", "simulations must be an integer from 1 to"),
        ("uct:", "simulations must be"),
        ("uct:-1", "simulations must be"),
        ("uct:1.5", "simulations must be"),
        ("uct:99999999999999999999", "simulations must be"),
        ("uct:5,", "a parameter is written key=value"),
        ("uct:5,c", "a parameter is written key=value"),
        ("uct:5,k=3", "has no parameter 'k'; it has simulations, seconds, trees, memory, c"),
        ("uct:5,c=nan", "c must be a number from 0 to 1000"),
        ("uct:5,c=inf", "c must be a number"),
        ("uct:5,c=1x", "c must be a number"),
        ("uct:5,seconds=0", "seconds must be"),
        ("mcts:10,c=1,c=2", "c is given twice"),
        ("mcts:10,simulations=10", "simulations is given twice"),
        ("mcts:10,tuning=", "mcts: tuning: a parameter is written key:value, got ''"),
        ("mcts:10,tuning=depth:2+depth:2", "tuning: depth is given twice"),
        ("mcts:10,tuning=depth:2+best:1001", "tuning: best must be an integer from 0 to 1000, got '1001'"),
        ("mcts:10,tuning=c:2", "tuning has no parameter 'c'; it has depth, rank, width, best, prospects"),
        ("mcts:10,depth=2", "has no parameter 'depth'; it has simulations, seconds, trees, memory, c, margin, tuning"),
        ("uct,seconds=1,simulations=5,seconds=1", "seconds is given twice"),
        (" uct:5", "unknown policy"),
    ],
)
def test_a_wrong_text_is_refused_with_what_there_is(text: str, says: str) -> None:
    with pytest.raises(ValueError, match="policy") as error:
        tilery.policy(text)
    assert says in str(error.value)


def test_wrong_types_are_refused() -> None:
    wrong: Any
    for wrong in (5, np.array(["greedy"]), np.float64(1), SimpleNamespace(choose=None)):
        with pytest.raises(TypeError, match="a policy must be"):
            tilery.policy(wrong)
    for wrong in ("5,c=3", True, [5]):
        with pytest.raises(TypeError, match="must be a number"):
            policies.UCT(wrong)
    with pytest.raises(ValueError, match="simulations"):
        policies.UCT(0)
    for text in ("nn,eval=typo.tnn", "mcts:5,eval=typo.tnn"):
        with pytest.raises(ValueError, match=r"^eval=typo.tnn: No such file"):
            tilery.policy(text)
    with pytest.raises(ValueError, match=r"^eval=typo.tnn: No such file"):
        policies.NN(eval="typo.tnn")
    with pytest.raises(ValueError, match=r"^eval="):
        tilery.policy("mcts:5,eval=")
    with pytest.raises(AttributeError, match="cannot be changed"):
        policies.UCT(5).c = 3  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", GAMES)
def test_a_policy_chooses_legally_and_alike(name: str, text: str) -> None:
    policy = tilery.policy(text)
    for seed, actions in ((1, 3), (2, 25), (3, 60)):
        state = decision(name, seed=seed, actions=actions)
        before = state.clone()
        chosen = policy.choose(state, seed)
        assert chosen in state.legal_actions()
        assert chosen == policy.choose(state, seed) == tilery.policy(text).choose(state.clone(), seed)
        assert state == before
        assert state.serialize() == before.serialize()


@pytest.mark.parametrize("name", GAMES)
def test_the_rng_moves_the_choice(name: str) -> None:
    state = decision(name, seed=5, actions=4)
    assert len({tilery.policy("random").choose(state, seed) for seed in range(40)}) > 1


def test_a_policy_takes_exactly_one_number() -> None:
    class Counted:
        def __init__(self) -> None:
            self.taken = 0

        def next(self) -> int:
            self.taken += 1
            return 12345

    state = decision(OPEN, seed=1, actions=5)
    for text in TEXTS:
        rng = Counted()
        chosen = tilery.policy(text).choose(state, rng)  # type: ignore[arg-type]
        assert rng.taken == 1
        # An int seed stands for its stream, of which the first number is taken.
        stream = Rng(9)
        assert tilery.policy(text).choose(state, 9) == tilery.policy(text).choose(state, stream)  # type: ignore[arg-type]
        assert stream.next() != Rng(9).next()
        assert chosen in state.legal_actions()


@pytest.mark.parametrize("text", SEARCHES)
@pytest.mark.parametrize("name", GAMES)
def test_an_analysis_adds_up(name: str, text: str) -> None:
    state = decision(name, seed=4, actions=20)
    analysis = tilery.policy(text).analyse(state, 6)  # type: ignore[attr-defined]
    content = json.loads(json.dumps(analysis.to_dict()))
    assert content == analysis.to_dict()
    assert list(content) == [
        *("policy", "player", "simulations", "seconds", "simulations_per_second", "best", "line", "actions")
    ]
    assert content["policy"] == text
    assert content["player"] == state.current_player()
    assert content["simulations"] == 60 == sum(row["visits"] for row in content["actions"])
    assert sum(row["share"] for row in content["actions"]) == pytest.approx(1)
    assert content["best"] == content["actions"][0]["action"] == tilery.policy(text).choose(state, 6)
    assert state.string_to_action(content["line"][0]) == content["best"]
    visits = [row["visits"] for row in content["actions"]]
    assert visits == sorted(visits, reverse=True)
    for row in content["actions"]:
        assert row["action"] in state.legal_actions()
        assert state.action_to_string(row["action"]) == row["token"]
        assert len(row["utilities"]) == state.game.num_players
        assert sum(row["utilities"]) == pytest.approx(0, abs=1e-6)
        assert max(map(abs, row["utilities"])) <= 1
    assert str(analysis).splitlines()[4].split()[0] == content["actions"][0]["token"]


def deterministic(analysis: Any) -> dict[str, Any]:
    """All of an analysis but its times."""
    content: dict[str, Any] = analysis.to_dict()
    return {key: value for key, value in content.items() if not key.startswith(("seconds", "simulations_per"))}


@pytest.mark.parametrize("name", GAMES)
def test_trees_are_merged_alike_on_any_number_of_threads(name: str) -> None:
    state = decision(name, seed=2, actions=20)
    found = [deterministic(policies.UCT(101, trees=3).analyse(state, 3, threads=threads)) for threads in (1, 2, 5)]
    assert found[0] == found[1] == found[2]
    assert found[0]["simulations"] == 101
    assert found[0]["actions"] != deterministic(policies.UCT(101).analyse(state, 3))["actions"]


@pytest.mark.parametrize("name", GAMES)
def test_trees_may_be_left_without_simulations(name: str) -> None:
    state = decision(name, seed=2, actions=20)
    found = [deterministic(policies.UCT(2, trees=5).analyse(state, 3, threads=threads)) for threads in (1, 2)]
    assert found[0] == found[1]
    assert found[0]["simulations"] == 2 == sum(row["visits"] for row in found[0]["actions"])


@pytest.mark.parametrize("kind", [policies.UCT, policies.MCTS])
def test_a_full_tree_is_searched_on(kind: Any) -> None:
    state = decision(OPEN, seed=1, actions=5)
    visits = []
    for memory in (1, 64):
        analysis = kind(60_000, c=1.0, memory=memory).analyse(state, 1)
        assert analysis.simulations == 60_000 == sum(row["visits"] for row in analysis.actions)
        actions = [row["action"] for row in analysis.actions]
        assert len(set(actions)) == len(actions)
        assert set(actions) <= set(state.legal_actions())
        visits.append([row["visits"] for row in analysis.actions])
    assert visits[0] != visits[1]


def test_seconds_bound_a_search() -> None:
    state = decision(LONGEST, seed=1, actions=30)
    began = time.perf_counter()
    analysis = policies.UCT(seconds=0.05).analyse(state, 1)
    assert analysis.simulations > 0
    assert analysis.seconds >= 0.05
    assert time.perf_counter() - began < 60


HIDDEN = [(name, *position) for name in GAMES if (secrets := secrets_of(name)) for position in secrets.POSITIONS]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(("name", "options", "actions"), HIDDEN)
def test_what_is_hidden_never_moves_a_choice(name: str, options: dict[str, Any], actions: int, text: str) -> None:
    policy: Any = tilery.policy(text)
    game = tilery.load(name, **options)
    state = random_game(game, seed=4, actions=actions)
    rng = Rng(4, 1)
    for _ in range(12):
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[rng.below(len(state.legal_actions()))])
        if state.is_terminal():
            break
        player = state.current_player()
        for deal in range(3):
            other = state.determinize(player, deal)
            assert policy.choose(state, deal) == policy.choose(other, deal)
            if text in SEARCHES:
                assert deterministic(policy.analyse(state, deal)) == deterministic(policy.analyse(other, deal))
        state.apply_action(state.legal_actions()[rng.below(len(state.legal_actions()))])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), [(name, options) for name, options, _ in HIDDEN])
def test_what_is_hidden_never_moves_a_search_at_length(name: str, options: dict[str, Any]) -> None:
    """A thousand pairs of states that differ in what the player does not know, from random games."""
    game, pairs, seed = tilery.load(name, **options), 0, 0
    searches: list[Any] = [tilery.policy(text) for text in SEARCHES]
    while pairs < 1000:
        seed += 1
        state, rng = game.new_initial_state(), Rng(seed, 6)
        while not state.is_terminal():
            legal = state.legal_actions()
            if not state.is_chance_node() and len(legal) > 1 and rng.below(8) == 0:
                other, policy = state.determinize(state.current_player(), seed), searches[pairs % 2]
                if other != state:
                    assert deterministic(policy.analyse(state, pairs)) == deterministic(policy.analyse(other, pairs))
                    pairs += 1
            state.apply_action(legal[rng.below(len(legal))])


@pytest.mark.parametrize("text", TEXTS)
def test_there_is_nothing_to_choose_at_a_chance_node_or_at_the_end(text: str) -> None:
    game = tilery.load("toy")
    with pytest.raises(ValueError, match="chance is to act"):
        tilery.policy(text).choose(game.new_initial_state(), 1)
    with pytest.raises(ValueError, match="the game is over"):
        tilery.policy(text).choose(random_game(game, seed=1), 1)


def test_other_bad_input() -> None:
    state = decision(OPEN, seed=1, actions=5)
    policy: Any = policies.UCT(10)
    reference = tilery.reference.load("toy").new_initial_state()
    for wrong in (None, 3, "state", reference):
        with pytest.raises(TypeError, match="state of the engine"):
            policy.choose(wrong, 1)
    for wrong in (None, "seed", -1, 2**64, 1.5):
        with pytest.raises(ValueError, match=r"rng|seed"):
            policy.choose(state, wrong)
    for wrong in (0, True, 1025, 1.5, np.array([1])):
        with pytest.raises(ValueError, match="threads must be"):
            policy.analyse(state, 1, threads=wrong)
    assert policy.analyse(state, 1, threads=np.int64(2)).best == policy.choose(state, np.uint8(1))
    for chosen in (policy, tilery.policy(lambda state: state.legal_actions()[0])):
        for name in ("stop", "enough"):
            with pytest.raises(ValueError, match=f"{name} must have a method is_set"):
                chosen.choose(state, 1, **{name: object()})
    with pytest.raises(TypeError):
        tilery.load(LONGEST)._choose(policy._native, state, 1)
    with pytest.raises(ValueError, match="other rules"):
        tilery.load(OPEN, players=3)._choose(policy._native, state, 1)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_a_search_and_others_run_meanwhile() -> None:
    state = decision(LONGEST, seed=1, actions=30)

    def pulse() -> None:
        for _ in range(10):
            time.sleep(0.03)
        signal.raise_signal(signal.SIGINT)

    pulsing = threading.Thread(target=pulse)
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012  the signal may come at once
        pulsing.start()
        policies.UCT(seconds=600).choose(state, 1)
    pulsing.join()
    assert time.perf_counter() - began < 300


class After:
    """A signal that is given when it has been asked so often."""

    def __init__(self, times: int) -> None:
        self.times = times

    def is_set(self) -> bool:
        self.times -= 1
        return self.times < 0


@pytest.mark.parametrize("text", ["flat:1000000000", "uct:2000000000,memory=16", "mcts:2000000000,memory=16,trees=2"])
@pytest.mark.parametrize("times", [0, 1, 3])
def test_a_choice_can_be_stopped(text: str, times: int) -> None:
    """At once if the signal is given before, else while it thinks; neither the state nor the next choice is changed."""
    state = decision(OPEN, seed=1, actions=5)
    before = state.clone()
    with pytest.raises(tilery.StoppedError, match="the choice was stopped"):
        tilery.policy(text).choose(state, 1, stop=After(times))
    assert state == before
    assert policies.UCT(10).choose(state, 1, stop=After(10**6)) == policies.UCT(10).choose(state, 1)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_can_be_told_that_it_is_enough(threads: int) -> None:
    state = decision(OPEN, seed=1, actions=5)
    search: Any = tilery.policy("mcts:2000000000,memory=16,trees=2")
    analysis = search.analyse(state, 1, threads=threads, enough=After(1))
    assert 0 < analysis.simulations < 2_000_000_000
    assert analysis.best in state.legal_actions()
    assert search.choose(state, 1, enough=After(0)) in state.legal_actions()
    with pytest.raises(tilery.StoppedError):
        search.analyse(state, 1, threads=threads, stop=After(1))


def test_what_a_signal_raises_ends_the_choice() -> None:
    class Broken:
        def is_set(self) -> bool:
            raise LookupError("out of order")

    with pytest.raises(LookupError, match="out of order"):
        tilery.policy("mcts:2000000000,memory=16").choose(decision(OPEN, seed=1, actions=5), 1, stop=Broken())
