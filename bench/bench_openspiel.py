"""OpenSpiel's bots on the games of the plug-in and of Python, in CPU time; `extra_info` has simulations per second.

Each figure is the median of five searches, from five decisions about half-way through random games.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tilery

pyspiel = pytest.importorskip("pyspiel", reason="open-spiel is not installed: nox -s bench installs it")

import tilery.openspiel as adapter  # noqa: E402
from tests.kit.openspiel import ismcts, mcts, registered  # noqa: E402

CASES: dict[str, list[dict[str, Any]]] = {"carcassonne": [{}, {"tiles": "base"}, {"hand_size": 1}]}
GAMES = [
    pytest.param(name, options, id="-".join([name, *map(str, options.values())]))
    for name in tilery.games()
    for options in CASES.get(name, [{}])
]
every_game = pytest.mark.parametrize(("name", "options"), GAMES)
cpu_time = pytest.mark.benchmark(group="openspiel", timer=time.process_time)


@pytest.fixture(scope="module", autouse=True)
def _games() -> None:
    registered()


DECISIONS = {"carcassonne": 50, "java": 96, "pueblo": 30, "tajmahal": 96, "toy": 2}
"""How many are made before a search begins."""
SEEDS = (7, 11, 12, 13, 14)


class Twister:
    """std::mt19937 with the distributions of libstdc++, so that a program in C++ can play to the same positions."""

    def __init__(self, seed: int) -> None:
        self._next: Callable[[], int] = np.random.RandomState(seed)._bit_generator.random_raw

    def below(self, n: int) -> int:
        product = self._next() * n
        while product % 2**32 < 2**32 % n:
            product = self._next() * n
        return int(product >> 32)

    def real(self) -> float:
        """In [0, 1)."""
        return (self._next() + self._next() * 2.0**32) / 2.0**64


def choice(name: str, options: dict[str, Any], seed: int) -> Any:
    """The first decision with several actions after this many random ones."""
    state, rng, made = tilery.load(name, **options).new_initial_state(), Twister(seed), 0
    while True:
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(actions[int(np.searchsorted(np.cumsum(chances), rng.real(), side="right"))])
            continue
        legal = state.legal_actions()
        if made >= DECISIONS[name] and len(legal) > 1:
            return state
        state.apply_action(legal[rng.below(len(legal))])
        made += 1


def rate(benchmark: Any, simulations: int, states: list[Any], search: Callable[[Any], Any]) -> list[Any]:
    """What a search from each state found; prints the median of their simulations per second."""
    search(states[0])
    found: list[Any] = []
    left = iter(states)
    benchmark.pedantic(lambda state: found.append(search(state)), setup=lambda: ((next(left),), {}), rounds=len(states))
    benchmark.extra_info["simulations/s"] = round(simulations / benchmark.stats.stats.median)
    print(f"  {benchmark.extra_info['simulations/s']:>9,} simulations/s")
    return found


@cpu_time
@every_game
@pytest.mark.parametrize(("kind", "simulations"), [("plugin", 4_000), ("python", 200)])
def test_mcts_bot(benchmark: Any, name: str, options: dict[str, Any], kind: str, simulations: int) -> None:
    """MCTSBot in C++, one random playout for each simulation; it sees what is hidden."""
    states = [adapter.state_of(choice(name, options, seed), compiled=kind == "plugin", keys="hash") for seed in SEEDS]
    roots = rate(benchmark, simulations, states, lambda state: mcts(state, simulations))
    for state, root in zip(states, roots, strict=True):
        assert root.explore_count == simulations
        assert {child.action for child in root.children} == set(state.legal_actions())


@cpu_time
@every_game
@pytest.mark.parametrize("keys", ["observations", "information states"])
def test_ismcts_bot(benchmark: Any, name: str, options: dict[str, Any], keys: str) -> None:
    """ISMCTSBot in C++ on the plug-in, nodes told apart by hashes of observations or by information states."""
    game: Any = tilery.load(name, **options)
    if not game.hides_information:
        pytest.skip("nothing is hidden")
    states = [adapter.state_of(choice(name, options, seed), keys="hash") for seed in SEEDS]
    policies = rate(benchmark, 1_000, states, lambda state: ismcts(state, 1_000, observations=keys == "observations"))
    for state, policy in zip(states, policies, strict=True):
        assert sorted(policy) == state.legal_actions()
        assert sum(policy.values()) == 1


@cpu_time
@every_game
def test_uct(benchmark: Any, name: str, options: dict[str, Any]) -> None:
    """The search of tilery from the same positions; what is hidden it does not see."""
    policy: Any = tilery.policy("uct:4000")
    states = [choice(name, options, seed) for seed in SEEDS]
    analyses = rate(benchmark, 4_000, states, lambda state: policy.analyse(state, 7))
    assert all(analysis.simulations == 4_000 for analysis in analyses)


@cpu_time
@every_game
@pytest.mark.parametrize("kind", ["plugin", "python"])
def test_random_games(benchmark: Any, name: str, options: dict[str, Any], kind: str) -> None:
    """Whole random games from Python, as OpenSpiel's examples play them."""
    game = pyspiel.load_game(adapter.game_string(name, **options).replace("(", "(" if kind == "plugin" else "_py("))
    core = tilery.load(name, **options)

    def play() -> tuple[list[int], list[float]]:
        state, rng = game.new_initial_state(), tilery.Rng(5)
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[rng.below(len(actions))])
        return state.history(), state.returns()

    history, returns = benchmark.pedantic(play, rounds=5, warmup_rounds=1)
    state = core.new_initial_state()
    for action in history:
        state.apply_action(action)
    assert state.returns() == returns
    benchmark.extra_info["actions/s"] = round(len(history) / benchmark.stats.stats.median)
    print(f"  {benchmark.extra_info['actions/s']:>9,} actions/s")
