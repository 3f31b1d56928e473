"""The defects of other projects that docs/adapters.md lists: a test fails once a project has mended its own."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tests.kit.games import ROOT

PAGE = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8").partition("## Defects of these projects")[2]

SEARCH = """
import random, warnings
warnings.simplefilter("ignore")
import pyspiel, tilery.openspiel
tilery.openspiel.register()
state, rng = pyspiel.load_game("tilery_toy_py(hand=4)").new_initial_state(), random.Random(1)
while state.move_number() < 8 or state.is_chance_node() or len(state.legal_actions()) < 2:
    state.apply_action(rng.choice(state.legal_actions()))
rollouts = pyspiel.RandomRolloutEvaluator(1, 1)
mcts = pyspiel.MCTSBot(state.get_game(), rollouts, 1.4, 20, 100, False, 2, False)
ismcts = pyspiel.ISMCTSBot(3, rollouts, 1.4, 20, -1, pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False)
"""


def search(expression: str) -> subprocess.CompletedProcess[str]:
    """Run an expression with the bots of OpenSpiel at a decision of a Python game, in a process of its own."""
    pytest.importorskip("pyspiel", reason="open-spiel is not installed: nox -s adapters")
    words = [sys.executable, "-c", f"{SEARCH}{expression}"]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)


def test_the_page_names_versions() -> None:
    assert "OpenSpiel 2.0.2" in PAGE


@pytest.mark.parametrize("bot", ["mcts", "ismcts"])
def test_bots_in_cpp_crash_on_python_games(bot: str) -> None:
    assert f"`{bot.upper()}Bot.step`" in PAGE
    assert search(f"{bot}.step(state)").returncode < 0


def test_searching_python_games_works() -> None:
    """What the page says does work on them."""
    assert "`mcts_search` keeps the GIL and works on Python games" in PAGE
    assert search("mcts.mcts_search(state)").returncode == 0


def test_python_games_cannot_be_resampled_from_cpp() -> None:
    assert "a Python game has no `resample_from_infostate` for C++ callers" in PAGE
    assert "ResampleFromInfostate() not implemented" in search("ismcts.get_policy(state)").stderr


def test_parameters_with_commas_do_not_survive() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="open-spiel is not installed: nox -s adapters")
    assert "parameters that contain a comma do not survive `str(game)`" in PAGE
    found = pyspiel.game_parameters_from_string("tilery_carcassonne(table=[-5,-5,5,5])")
    assert found["table"] == "[-5"


def test_parallel_seed_test_stops_after_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install 'tilery[pettingzoo]'")
    assert "it stops after one step" in PAGE
    from pettingzoo.test import parallel_seed_test
    from pettingzoo.utils.conversions import aec_to_parallel_wrapper, turn_based_aec_to_parallel_wrapper

    import tilery.pettingzoo

    steps: list[Any] = []
    for wrapper in (aec_to_parallel_wrapper, turn_based_aec_to_parallel_wrapper):
        step = wrapper.step
        monkeypatch.setattr(wrapper, "step", lambda self, actions, step=step: steps.append(1) or step(self, actions))
    parallel_seed_test(lambda: tilery.pettingzoo.parallel_env("toy"), num_cycles=50)
    assert len(steps) == 2  # of two environments with one seed
