"""Games of the engine that the reference replays, as it is and compiled."""

from __future__ import annotations

import copy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fcntl", reason="the tools run on Unix")

from tests.kit.games import GAMES, ROOT
from tests.lab import campaign, replay
from tilery.reference import toy


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_all_agree_and_count_the_same(name: str) -> None:
    game = campaign.played(name, {"players": 2}, 1)
    decided = sum(answers["current_player"] >= 0 for answers, *_ in game[2])
    assert replay.compared([game]) == {"positions": decided, "games": 1}


COMPILED = """
import sys
from pathlib import Path
from tests.lab import campaign, replay
folder = replay.compile_reference("toy", Path(sys.argv[1]))
assert replay.compile_reference("toy", Path(sys.argv[1])) == folder
replay.use_compiled("toy", folder)
assert sys.modules["tilery.reference.toy"].__file__.startswith(str(folder))
game = campaign.played("toy", {"players": 2}, 1)
assert replay.compared([game]) == {"positions": replay.decisions(game), "games": 1}
"""


@pytest.mark.long
def test_the_compiled_reference_agrees_too(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", COMPILED, tmp_path], cwd=ROOT, check=True)


def changed(value: Any) -> Any:
    """Another value in the same place: the last of its parts, and of theirs, is another."""
    if isinstance(value, (list, tuple)):
        return type(value)([*value[:-1], changed(value[-1])]) if value else type(value)([1])
    if isinstance(value, dict):
        return {**value, (last := list(value)[-1]): changed(value[last])}
    if isinstance(value, bytes):
        return value[:-1] + bytes([value[-1] ^ 1])
    return value + "x" if isinstance(value, str) else not value if isinstance(value, bool) else (value or 0) + 1


ANSWERS, QUESTIONS, _, _, EVENTS = range(5)


def places(game: replay.Game) -> list[tuple[int, int, str]]:
    """Every answer of a game: the number of a position, and where in it."""
    return [
        (number, part, key)
        for number, position in enumerate(game[2])
        for part in (ANSWERS, QUESTIONS)
        for key in position[part] or ()
    ]


def test_every_answer_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mismatch is reported with the game, its options, the tokens until then and the question."""
    monkeypatch.setattr(campaign, "EVERY", 2)
    game = campaign.played("toy", {"hand": 3}, 1)
    for number, part, key in places(game):
        name, options, positions = copy.deepcopy(game)
        positions[number][part][key] = changed(positions[number][part][key])
        tokens = " ".join(position[3] for position in positions[:number])
        with pytest.raises(RuntimeError) as raised:
            replay.replay((name, options, positions))
        assert str(raised.value).startswith(f"toy {options} after {tokens}: AssertionError ['{key}']"), raised.value
    assert {key for _, _, key in places(game)} >= {"legal_actions", "scores", "tokens", "mask", "player 0", "player 1"}


def test_every_score_event_is_compared() -> None:
    game = campaign.played("toy", {"hand": 3}, 1)
    for number in range(len(game[2]) - 1):
        name, options, positions = copy.deepcopy(game)
        positions[number] = (*positions[number][:EVENTS], changed(positions[number][EVENTS]))
        with pytest.raises(RuntimeError, match="'score_events'"):
            replay.replay((name, options, positions))


def test_a_mismatch_in_a_later_game_is_reported() -> None:
    """With the answers of both."""
    game = campaign.played("toy", {"hand": 3}, 1)
    wrong = copy.deepcopy(game)
    wrong[2][5][ANSWERS]["scores"][1] += 1
    tokens = " ".join(position[3] for position in game[2][:5])
    with pytest.raises(RuntimeError, match=r"AssertionError \['scores'\]\[1\]: engine \d+, reference \d+") as raised:
        replay.compared([game, wrong, game])
    assert f"toy {{'hand': 3}} after {tokens}: " in str(raised.value)


def test_a_defect_of_the_reference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "REPLAYED_PIECE", 1)
    assert campaign.differential("toy", 1)["games"] == campaign.OF_SAME_OPTIONS
    monkeypatch.setattr(toy.State, "scores", lambda state: [points + 1 for points in state.points])
    with pytest.raises(RuntimeError, match=r"toy \{'players': \d, 'hand': \d\} after : AssertionError \['scores'\]"):
        campaign.differential("toy", 1)


def test_a_defect_of_the_engine_is_found() -> None:
    """What is asked of the engine alone is reported in the same way: its events add up to its points."""

    class Wrong:
        game: Any = None
        points = 0

        def score_events(self, _action: int) -> list[dict[str, int]]:
            return [{"player": 0, "points": 2}]

        def apply_action(self, _action: int) -> None:
            self.points = 1

        def scores(self) -> list[int]:
            return [self.points]

    with (
        pytest.raises(RuntimeError, match=r"toy \{\} after a b: AssertionError"),
        replay.reproducible("toy", {}, ["a", "b"]),
    ):
        campaign.apply_native(Wrong(), 0)
