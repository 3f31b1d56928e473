"""OpenSpiel's bots on the games of the plug-in and of Python, in CPU time; `extra_info` has simulations per second."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

import tilery
from tests.kit.walking import half_way

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


def choice(name: str, options: dict[str, Any]) -> Any:
    """The first decision with several actions from half-way through a game on."""
    state = half_way(tilery.load(name, **options))
    while state.is_chance_node() or state.num_legal_actions() == 1:
        state.apply_action(state.legal_actions()[0])
    return state


def rate(benchmark: Any, simulations: int, search: Callable[[], Any], rounds: int = 5) -> Any:
    """What the last of some searches found; prints the median of their simulations per second."""
    found = benchmark.pedantic(search, rounds=rounds, warmup_rounds=1)
    benchmark.extra_info["simulations/s"] = round(simulations / benchmark.stats.stats.median)
    print(f"  {benchmark.extra_info['simulations/s']:>9,} simulations/s")
    return found


@cpu_time
@every_game
@pytest.mark.parametrize(("kind", "simulations"), [("plugin", 4_000), ("python", 200)])
def test_mcts_bot(benchmark: Any, name: str, options: dict[str, Any], kind: str, simulations: int) -> None:
    """MCTSBot in C++, one random playout for each simulation; it sees what is hidden."""
    state = adapter.state_of(choice(name, options), compiled=kind == "plugin", keys="hash")
    root = rate(benchmark, simulations, lambda: mcts(state, simulations))
    assert root.explore_count == simulations
    assert {child.action for child in root.children} == set(state.legal_actions())


@cpu_time
@every_game
@pytest.mark.parametrize("keys", ["observations", "information states"])
def test_ismcts_bot(benchmark: Any, name: str, options: dict[str, Any], keys: str) -> None:
    """ISMCTSBot in C++ on the plug-in, nodes told apart by hashes of observations or by information states."""
    core = choice(name, options)
    if not core.game.hides_information:
        pytest.skip("nothing is hidden")
    state = adapter.state_of(core, keys="hash")
    policy = rate(benchmark, 1_000, lambda: ismcts(state, 1_000, observations=keys == "observations"))
    assert sorted(policy) == state.legal_actions()
    assert sum(policy.values()) == 1


@cpu_time
@every_game
def test_uct(benchmark: Any, name: str, options: dict[str, Any]) -> None:
    """The search of tilery from the same positions; what is hidden it does not see."""
    state = choice(name, options)
    policy: Any = tilery.policy("uct:4000")
    analysis = rate(benchmark, 4_000, lambda: policy.analyse(state, 7))
    assert analysis.simulations == 4_000


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
