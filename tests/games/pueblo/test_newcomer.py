"""The way of somebody who writes a bot: twenty lines, a match, their evaluation in the search, the ladder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BOT = '''\
"""My bot for Pueblo: nobody wants points."""
import tilery


def value(state):
    """What I think each player will have."""
    return state.scores_if_over()


def order(state, actions):
    """How good each action looks right after it."""
    player = state.current_player()
    after = [value(state.child(action)) for action in actions]
    return [min(points[:player] + points[player + 1 :]) - points[player] for points in after]


def choose(state):
    """The best action one ply ahead."""
    return max(zip(order(state, state.legal_actions()), state.legal_actions()))[1]


search = tilery.search.MCTS(150, value=value, order=order)
'''


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """Runs a command of tilery in the folder of the bot, and returns what it printed."""
    (tmp_path / "mybot.py").write_text(BOT, encoding="ascii")
    assert BOT.count("\n") <= 25

    def command(*words: str) -> str:
        tilery = str(Path(sys.executable).with_name("tilery"))
        done = subprocess.run([tilery, *words], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return command


def share(printed: str) -> float:
    """The share of the wins of the first player of the only table."""
    (table,) = json.loads(printed)["tables"]
    return float(table["sides"][0]["share"])


def test_from_twenty_lines_to_the_ladder(run: Any) -> None:
    words = ["--games", "40", "--seed", "3", "--json"]
    assert share(run("match", "pueblo", "py:mybot:choose", "random", *words)) > 0.8
    records = ["--records", "games.jsonl"]
    assert share(run("match", "pueblo", "py:mybot:search", "py:mybot:choose", *words, *records)) > 0.6
    analysis = json.loads(run("analyse", "games.jsonl", "--after", "6", "--policy", "py:mybot:search", "--json"))
    assert analysis["simulations"] == 150
    assert analysis["actions"][0]["visits"] > 1
    judged = run("analyse", "games.jsonl", "--all", "--policy", "py:mybot:search")
    assert len(judged.splitlines()) > 20
    place = json.loads(
        run("ladder", "pueblo", "--enter", "py:mybot:search", "--games", "8", "--width", "2000", "--json")
    )
    assert place["policy"] == "py:mybot:search"
    assert sum(place["games"].values()) > 0
