"""The tutorials: every lesson can be done, shows its rule, and leaves the game that waits alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tilery
from tilery import puzzles, tutorial
from tilery.play import Session
from tilery.play.host import Host
from tilery.play.saved import SavedGame
from tilery.play.session import PlayError

GAMES = tilery.games()


@pytest.mark.parametrize("name", GAMES)
def test_every_lesson_can_be_done(name: str) -> None:
    """There is something to choose; what is right is taken and explained, and what is not is refused.

    In a puzzle one action is right, and not the one that `greedy` takes.
    """
    course = tutorial.lessons(name)
    assert len(course) >= 10
    rules, greedy = tilery.rules_page(name), tilery.policy("greedy")
    for number, lesson in enumerate(course):
        assert lesson.title == tutorial.PUZZLE if not lesson.rule else f"**{lesson.rule}**" in rules, lesson
        with tutorial.Taught(course, number) as taught:
            assert taught.actor == 0
            assert taught.state.num_legal_actions() > 1
            tokens = [taught.game.action_to_string(action) for action in taught.state.legal_actions()]
            right = [token for token in tokens if re.fullmatch(lesson.do, token)]
            assert right, lesson
            if lesson.title == tutorial.PUZZLE:
                assert len(right) == 1 <= puzzles.LEAST <= len(tokens)
                obvious = {greedy.choose(taught.state, seed) for seed in range(puzzles.TIES)}
                assert right[0] not in map(taught.game.action_to_string, obvious)
            before = len(taught.moves)
            assert (taught.lesson["done"], taught.lesson["why"]) == (False, "")
            assert (number >= taught.lesson["puzzles"]) == (lesson.title == tutorial.PUZZLE)
            for wrong in [*(token for token in tokens if token not in right)][:1]:
                with pytest.raises(PlayError, match=re.escape(lesson.text)):
                    taught.play(wrong)
            assert len(taught.moves) == before
            taught.play(right[0])
            assert (taught.lesson["done"], taught.lesson["why"]) == (True, lesson.why)
            with pytest.raises(PlayError):
                taught.play(right[0])
            taught.undo(0)
            assert (len(taught.moves), taught.lesson["done"]) == (before, False)


@pytest.mark.parametrize("name", GAMES)
def test_lessons_that_speak_of_points_bring_them(name: str) -> None:
    """What is right in a lesson that was chosen for its points gives them at once or by the next choice."""
    course = tutorial.lessons(name)
    brought = 0
    for number, lesson in enumerate(course):
        with tutorial.Taught(course, number) as taught:
            state = taught.state
            for action in state.legal_actions():
                if re.fullmatch(lesson.do, state.action_to_string(action)):
                    after = state.child(action)
                    later = [] if after.is_chance_node() or after.current_player() != 0 else after.legal_actions()
                    events = [*state.score_events(action), *(event for b in later for event in after.score_events(b))]
                    brought += any(event["rule"] == lesson.rule for event in events)
                    break
    assert brought


def test_the_game_waits_while_a_lesson_is_taught(tmp_path: Path) -> None:
    name, file = GAMES[2], tmp_path / "game.jsonl"
    game = tilery.load(name)
    session = Session(game, [None, "random"], seed=4)
    host = Host(session, saved=SavedGame(file), patience=0.0)
    assert host.wait(60)
    kept, written = session.record(), file.read_bytes()

    def asked(request: str, **data: object) -> tuple[int, dict[str, object]]:
        return host.reply(request, {"seat": 0, "version": host.session.version, **data})

    status, seen = asked("lesson", number=0)
    assert status == 200
    assert isinstance(seen["lesson"], dict)
    assert seen["lesson"]["number"] == 0
    assert asked("lesson", number=99)[0] == 400
    assert asked("play", token=seen["actions"][0]["token"])[0] == 200  # type: ignore[index]
    assert not host.reply("view", {"seat": 0})[1]["thinking"]
    assert asked("lesson", number=2)[0] == 200
    assert file.read_bytes() == written
    status, seen = asked("lesson", number=None)
    assert (status, seen["lesson"], host.session) == (200, None, session)
    assert session.record() == kept
    assert asked("lesson", number=1)[0] == 200
    begun = {"options": {}, "seats": [None, "random"], "names": [], "seed": 3}
    assert asked("begin", **begun)[0] == 200  # leaves the lesson
    assert host.wait(60)
    assert (host.session.lesson, host.session.seed) == (None, 3)
    assert len(file.read_bytes().splitlines()) == 2
    host.close()


def test_games_without_a_tutorial() -> None:
    assert tutorial.lessons("toy") == []
    with pytest.raises(ValueError, match="unknown game"):
        tutorial.lessons("nothing")
