"""Nothing that was played is lost: going back makes a branch, and records hold the tree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.kit.games import GAMES
from tilery import record
from tilery.play import Session
from tilery.play.host import Host
from tilery.play.saved import SavedGame

OPEN = next(name for name in GAMES if not tilery.load(name).new_initial_state().is_chance_node())
"""A game without chance, so that every action is a choice."""


def play(session: Session, steps: int, which: int = 0) -> None:
    """Take the legal action of a number, or the last, for all people."""
    for _ in range(steps):
        if session.actor < 0:
            return
        legal = session.state.legal_actions()
        session.play(session.state.action_to_string(legal[min(which, len(legal) - 1)]))


def people(name: str, **settings: Any) -> Session:
    game = tilery.load(name, **({"hand": 4} if name == "toy" else {}))
    return Session(game, [None] * game.num_players, seed=5, **settings)


def tokens(session: Session) -> list[str]:
    return [session.game.action_to_string(move.action) for move in session.moves]


@pytest.mark.parametrize("name", GAMES)
def test_a_record_without_branches_is_as_before(name: str) -> None:
    session = people(name)
    play(session, 3)
    written, length = session.record().to_json(), len(session.moves)
    assert "variations" not in json.loads(written)
    session.undo(next(move.player for move in session.moves if move.player >= 0 and not move.forced))
    while len(session.moves) < length:
        play(session, 1)
    assert session.record().to_json() == written  # what is played again is no branch


@pytest.mark.parametrize("name", GAMES)
def test_playing_on_from_a_finished_game_keeps_it(name: str, tmp_path: Path) -> None:
    """The game as it ended first is the main line of the file, byte for byte until something else is played."""
    file = tmp_path / "games.jsonl"
    session = people(name)
    while session.actor >= 0:
        play(session, 1)
    whole, saved = tokens(session), SavedGame(file)
    saved.save(session)
    before = file.read_bytes()
    choices = [i for i, move in enumerate(session.moves) if move.player >= 0 and not move.forced]
    session.go_back(choices[0])
    saved.save(session)
    assert file.read_bytes() == before
    play(session, 2, which=1)
    saved.save(session)
    (written,) = record.read(file)
    assert written.actions.split(" ") == whole
    assert list(written.lines()) == [whole, tokens(session)]
    assert record.replay(written).is_terminal()
    again = Session.of_record(written)
    assert again.record() == session.record()
    assert again.record().to_json() == session.record().to_json()


def test_every_line_of_a_tree_is_kept_once() -> None:
    session = people(OPEN)
    lines = []
    for at, which in ((0, 0), (2, 1), (2, 2), (1, 3), (0, 0), (2, 1)):
        session.go_back(at)
        play(session, 4, which)
        lines.append(tokens(session))
    written = session.record()
    assert written.actions.split(" ") == lines[-1]
    assert sorted(written.lines()) == sorted({tuple(line): line for line in lines}.values())
    assert record.replay(written) == session.state
    assert Session.of_record(written).record() == written


def test_every_branch_is_checked() -> None:
    session = people(OPEN)
    play(session, 4)
    session.go_back(2)
    play(session, 2, which=1)
    content = json.loads(session.record().to_json())
    (branch,) = content["variations"]
    assert branch["after"] == 2

    def changed(**more: Any) -> str:
        return json.dumps(content | {"variations": [branch | more]})

    record.replay(changed())
    for more, message in (
        ({"actions": "what"}, "record: variation 0, action 2 \\('what'\\)"),
        ({"actions": branch["actions"] + " " + branch["actions"]}, "record: variation 0, action 4"),
        ({"after": 9}, "variation 0 begins after 9 actions of a line of 4"),
        ({"after": -1}, "'after' of a variation must be a number of actions"),
        ({"after": True}, "'after' of a variation"),
        ({"after": "1"}, "'after' of a variation"),
        ({"actions": ""}, "'actions' of a variation must be tokens"),
        ({"actions": ["x"]}, "'actions' of a variation must be tokens"),
        ({"more": 1}, "a variation must be an object of 'after' and 'actions'"),
    ):
        with pytest.raises(tilery.RecordError, match=message):
            record.replay(changed(**more))
    for variations in ("x", {"after": 1}, 3):
        with pytest.raises(tilery.RecordError, match="'variations' must be a list"):
            record.replay(json.dumps(content | {"variations": variations}))


def test_play_on_from_here_in_the_page_loses_nothing(tmp_path: Path) -> None:
    """One click on a finished game that is on disk, and a second one in the branch."""
    file = tmp_path / "x.jsonl"
    session = people(OPEN)
    host = Host(session, saved=SavedGame(file), patience=0.0)
    while session.actor >= 0:
        seen = host.reply("view", {"seat": session.actor})[1]
        token = seen["actions"][0]["token"]
        assert host.reply("play", {"seat": session.actor, "version": seen["version"], "token": token})[0] == 200
    (finished,) = record.read(file)
    for number in (4, 2):
        data = {"seat": 0, "version": session.version, "number": number}
        assert host.reply("back", data)[0] == 200
        play(session, 3, which=2)
        assert host.reply("undo", {"seat": session.moves[-1].player, "version": session.version})[0] == 200
        (written,) = record.read(file)
        assert (written.actions, written.scores) == (finished.actions, finished.scores)
    assert len(written.variations) == 2
    record.replay(written)
