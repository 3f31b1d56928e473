"""The steps of a choice in the page: what has no alternative is picked by itself."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

import tilery
from tests.kit.games import GAMES
from tests.kit.walking import walk
from tilery.play.files import PAGE

SCRIPT = """
const {{ Steps }} = await import({module});
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const lists = JSON.parse(Buffer.concat(chunks));
console.log(JSON.stringify(lists.map(paths => {{
  const steps = new Steps(paths.map(picks => ({{ picks, token: picks.join(" ") }})));
  {body}
}})));
"""


def steps(actions: list[list[list[str]]], body: str) -> Any:
    """What a function of Steps returns for each list of paths."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    script = SCRIPT.format(module=json.dumps((PAGE / "steps.js").as_uri()), body=body)
    words = [node, "--input-type=module", "-e", script]
    done = subprocess.run(words, input=json.dumps(actions), capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_no_choice_begins_with_a_pick_without_an_alternative() -> None:
    """Of each game at many positions: the first thing to click on is one of several, or all is picked."""
    lists = []
    for name in GAMES:
        game = tilery.load(name)
        for seed in range(20):
            state = walk(game, seed=seed, actions=4 * seed)
            if state.current_player() >= 0:
                lists.append([game.picks(action) for action in state.legal_actions()])
    for whole, count, chosen in steps(lists, "return [Boolean(steps.action), steps.next.size, steps.chosen];"):
        assert whole or count > 1
        assert not chosen


def test_back_returns_to_the_last_choice() -> None:
    paths = [["a", "b", "c"], ["a", "b", "d"], ["a", "e", "f"]]
    body = """
    const seen = [[...steps.path]];
    for (const pick of ["b", "d"]) { steps.pick(pick); seen.push([...steps.path]); }
    for (let i = 0; i < 3; ++i) { steps.back(); seen.push([...steps.path]); }
    return seen;
    """
    assert steps([paths], body) == [[["a"], ["a", "b"], ["a", "b", "d"], ["a", "b"], ["a"], ["a"]]]
