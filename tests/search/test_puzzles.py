"""Puzzles: what is found can be played as a lesson, and is neither obvious nor close."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import tilery
from tilery import cli, tutorial

GAME = next(name for name in tilery.games() if not tilery.load(name).max_chance_nodes)  # type: ignore[attr-defined]
"""Nothing is hidden or drawn, so that one world says all."""


def test_puzzles_are_lessons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "puzzles.json"
    words = ["puzzles", GAME, "--games", "150", "--count", "2", "--players-by", "mcts:20", "--policy", "nn"]
    assert cli.main([*words, "-o", str(file)]) == 0
    printed = capsys.readouterr()
    course = [tutorial.Lesson(game=GAME, **each) for each in json.loads(file.read_text(encoding="utf-8"))]
    assert len(course) == 2
    assert "2 puzzles in" in printed.err
    for number, puzzle in enumerate(course):
        assert puzzle.why in printed.out
        with tutorial.Taught(course, number) as taught:
            assert taught.actor == 0
            tokens = [taught.game.action_to_string(action) for action in taught.state.legal_actions()]
            right = [token for token in tokens if re.fullmatch(puzzle.do, token)]
            assert len(right) == 1
            taught.play(right[0])
            assert taught.lesson["done"]
    assert cli.main([*words, "-o", str(file)]) == 2
    assert "add --overwrite" in capsys.readouterr().err
    assert cli.main(["puzzles", GAME, "--count", "0"]) == 2
