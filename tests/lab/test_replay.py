"""Games of the engine that the reference replays: in the same process, in another, and in PyPy."""

from __future__ import annotations

import copy
import shutil
import sys
from typing import Any

import pytest

pytest.importorskip("fcntl", reason="the tools run on Unix")

from tests.kit.games import GAMES
from tests.lab import campaign, replay
from tilery.reference import toy

PYPY = pytest.param(
    campaign.PYPY, marks=pytest.mark.skipif(campaign.PYPY is None, reason="apt-get install pypy3"), id="pypy"
)
PYTHONS = [pytest.param(None, id="here"), pytest.param(sys.executable, id="stand-ins"), PYPY]


@pytest.mark.slow
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", GAMES)
def test_all_agree_and_count_the_same(name: str, python: str | None) -> None:
    game = campaign.played(name, {"players": 2}, 1)
    decided = sum(answers["current_player"] >= 0 for answers, *_ in game[2])
    assert replay.compared([game], python) == {"positions": decided, "games": 1}


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


def test_every_answer_is_compared() -> None:
    """A mismatch is reported with the game, its options, the tokens until then and the question."""
    game = campaign.played("toy", {"hand": 3}, 1)
    for number, part, key in places(game):
        name, options, positions = copy.deepcopy(game)
        positions[number][part][key] = changed(positions[number][part][key])
        tokens = " ".join(position[3] for position in positions[:number])
        with pytest.raises(RuntimeError) as told:
            replay.replay((name, options, positions))
        assert str(told.value).startswith(f"toy {options} after {tokens}: AssertionError ['{key}']"), told.value
    assert {key for _, _, key in places(game)} >= {"legal_actions", "scores", "tokens", "mask", "player 0", "player 1"}


def test_every_score_event_is_compared() -> None:
    game = campaign.played("toy", {"hand": 3}, 1)
    for number in range(len(game[2]) - 1):
        name, options, positions = copy.deepcopy(game)
        positions[number] = (*positions[number][:EVENTS], changed(positions[number][EVENTS]))
        with pytest.raises(RuntimeError, match="'score_events'"):
            replay.replay((name, options, positions))


@pytest.mark.parametrize("python", PYTHONS[1:])
def test_a_mismatch_elsewhere_is_reported(python: str) -> None:
    """Also when many games follow it: they are read, and not compared."""
    game = campaign.played("toy", {"hand": 3}, 1)
    wrong = copy.deepcopy(game)
    wrong[2][5][ANSWERS]["scores"][1] += 1
    tokens = " ".join(position[3] for position in game[2][:5])
    with pytest.raises(RuntimeError, match=r"AssertionError \['scores'\]\[1\]: engine \d+, reference \d+") as told:
        replay.compared([game, wrong, *[game] * 200], python)
    assert f"toy {{'hand': 3}} after {tokens}: " in str(told.value)


def test_a_defect_of_the_reference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "REPLAYED_PIECE", 1)
    monkeypatch.setattr(campaign, "PYPY", None)
    assert campaign.differential("toy", 1)["games"] == 1
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


def test_a_process_that_compares_too_little_is_noticed() -> None:
    with pytest.raises((AssertionError, ValueError)):
        replay.compared([], shutil.which("true"))
