"""The road of somebody who writes a bot: twenty lines, a match, an analysis, the search, the ladder.

An evaluation in Cython is in tests/faces/test_capi.py.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

BOT = """\
import tilery


def value(state):
    return state.scores_if_over()


def choose(state):
    player = state.current_player()

    def lead(action):
        points = value(state.child(action))
        return min(points[:player] + points[player + 1 :]) - points[player]

    return max(state.legal_actions(), key=lead)


search = tilery.search.MCTS(400, value=value, tuning="depth:8")
"""


def output_of(folder: Path, *words: str) -> Any:
    """What a command prints as JSON, run in the folder of the bot."""
    command = [sys.executable, "-m", "tilery", *words, "--json"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def share(folder: Path, first: str, second: str, *words: str) -> float:
    """The share of the wins of the first policy, in ten games of Pueblo."""
    found = output_of(folder, "match", "pueblo", first, second, "--games", "10", "--seed", "2", *words)
    (table,) = found["tables"]
    return float(table["sides"][0]["share"])


def test_the_road_of_a_newcomer(tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text(BOT, encoding="utf-8")
    assert len(BOT.splitlines()) <= 20
    assert share(tmp_path, "py:mybot:choose", "random", "--records", "games.jsonl") == 1
    found = output_of(tmp_path, "analyse", "games.jsonl", "--policy", "py:mybot:search", "--after", "8")
    assert found["simulations"] == 400
    assert share(tmp_path, "py:mybot:search", "py:mybot:choose") > 0.8
    place = output_of(tmp_path, "ladder", "pueblo", "--enter", "py:mybot:search", "--games", "4")
    assert place["policy"] == "py:mybot:search"
    assert place["rating"] > 0
