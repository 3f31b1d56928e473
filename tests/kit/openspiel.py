"""The plug-in for OpenSpiel, and OpenSpiel's bots; can be imported only where OpenSpiel is: in .venv-adapters."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import pyspiel

import tilery.openspiel as adapter
from tests.kit.games import ROOT
from tilery.locks import lock
from tilery.openspiel import plugin

T = TypeVar("T")
CACHE = ROOT / "build" / "cache"
"""Instead of the cache of the user who runs the tests."""
os.environ["XDG_CACHE_HOME"] = str(CACHE)


def compile_once(build: Callable[[], T]) -> T:
    """The result of `build()`, which only one of several processes runs at a time."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("wb") as held:
        lock(held, 0, wait=True)
        return build()


def registered() -> list[str]:
    """The games that OpenSpiel knows, after the plug-in has been built. Raises `BuildError` without a compiler."""
    compile_once(plugin.build)
    return adapter.register()


def mcts(state: Any, simulations: int, seed: int = 1) -> Any:
    """OpenSpiel's MCTSBot from a state of OpenSpiel: the root of its tree. It sees what is hidden.

    Plain UCT with one random playout for each simulation, as tilery's `uct`.
    """
    rollouts = pyspiel.RandomRolloutEvaluator(1, seed + 1)
    bot = pyspiel.MCTSBot(state.get_game(), rollouts, 1.4, simulations, 1000, False, seed + 2, False)
    return bot.mcts_search(state)


def ismcts(state: Any, simulations: int, seed: int = 1, *, observations: bool = True) -> dict[int, float]:
    """OpenSpiel's ISMCTSBot from a state that hides information: 1 for the action it chooses, 0 for the others.

    observations: tell nodes apart by `observation_string`, otherwise by `information_state_string`.
    """
    rollouts = pyspiel.RandomRolloutEvaluator(1, seed + 1)
    final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    bot = pyspiel.ISMCTSBot(seed + 2, rollouts, 1.4, simulations, -1, final, observations, True)
    return dict(bot.get_policy(state))
