"""A game in progress: luck, undo, records, and bots that fail."""

from __future__ import annotations

import dataclasses
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES
from tilery import record
from tilery.play import PlayerError, PlayError, Session
from tilery.play.saved import SavedGame
from tilery.play.session import HINT, hints, levels
from tilery.play.view import drawn, preview, view


def first(state: Any, _rng: np.random.Generator) -> int:
    """A bot in Python."""
    action: int = state.legal_actions()[0]
    return action


def at_random(state: Any, rng: np.random.Generator) -> int:
    """A bot in Python that uses its luck and reads what it may know."""
    state.information_state_string(state.current_player())
    action: int = rng.choice(state.legal_actions())
    return action


def failing(state: Any, _rng: np.random.Generator) -> int:
    """A bot that crashes."""
    raise RuntimeError("out of ideas")


def wrong(state: Any, _rng: np.random.Generator) -> int:
    """A bot that returns an invalid action."""
    return -7


HERE = f"py:{__name__}"


def tokens(session: Session) -> str:
    return session.record().actions


@pytest.mark.parametrize("name", GAMES)
def test_bots_play_the_games_of_simulate(name: str) -> None:
    """A session between bots is game 0 of its seed."""
    game = tilery.load(name)
    seats = [f"{HERE}:at_random", *["random"] * (game.num_players - 1)]
    with Session(game, seats, seed=11) as session:
        session.play_bots()
        assert session.state.is_terminal()
        policies = [at_random, *["random"] * (game.num_players - 1)]
        _, played = tilery.simulate(game, 1, seed=11, policies=policies, records=True)
        assert tokens(session) == played[0]


def play_first(session: Session, count: int) -> None:
    """Take the first legal action for people, `count` times."""
    for _ in range(count):
        if session.waits_for_person:
            session.play(session.game.action_to_string(session.state.legal_actions()[0]))
        session.play_bots()


@pytest.mark.parametrize("name", GAMES)
def test_undo_changes_neither_position_nor_luck(name: str) -> None:
    game = tilery.load(name, **({"hand": 4} if name == "toy" else {}))
    with Session(game, [None, *["random"] * (game.num_players - 1)], seed=5) as session:
        session.play_bots()
        play_first(session, 2)
        before, length = session.state.clone(), len(session.moves)
        play_first(session, 1)
        after = tokens(session)
        session.undo(0)
        assert session.state == before
        assert len(session.moves) == length
        play_first(session, 1)
        assert tokens(session) == after
        for _ in range(3):
            session.undo(0)
        with pytest.raises(PlayError, match="player 0 has not chosen anything yet"):
            session.undo(0)
        play_first(session, 3)
        assert tokens(session) == after


@pytest.mark.parametrize("name", GAMES)
def test_a_session_goes_on_from_its_record(name: str, tmp_path: Path) -> None:
    """As if it had never been interrupted; the file holds other games before it."""
    file = tmp_path / "games.jsonl"
    game = tilery.load(name, **({"hand": 4} if name == "toy" else {}))
    record.write(file, record.simulated(game, 2, seed=1))
    seats = [None, *["random"] * (game.num_players - 1)]
    saved = SavedGame(file)
    assert saved.unfinished is None
    with Session(game, seats, seed=9) as session:
        session.play_bots()
        play_first(session, 2)
        saved.save(session)
        play_first(session, 2)
        expected = tokens(session)
    saved = SavedGame(file)
    assert saved.unfinished is not None
    with Session.of_record(saved.unfinished) as session:
        assert session.seats == seats
        play_first(session, 2)
        assert tokens(session) == expected
        session.take_seat(0, "random")
        session.play_bots()
        saved.save(session)
    assert [len(record.replay(each).legal_actions()) for each in record.read(file)] == [0, 0, 0]
    assert SavedGame(file).unfinished is None
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("seats", [[None, "cmd:touch x"], ["py:os:getpid", None], ["random"], "ab", [5, None]])
def test_a_record_names_people_and_policies_only(seats: Any) -> None:
    """A file from elsewhere starts no program and imports nothing."""
    game = tilery.load("toy")
    written = record.of_state(game.new_initial_state(), "", seed=1, index=0, seats=seats)
    with pytest.raises(tilery.RecordError, match="record: seat"):
        Session.of_record(written)
    with Session.of_record(written, [None, "random"]) as session:
        assert session.seats == [None, "random"]


@pytest.mark.parametrize("names", ["ab", 7, {"a": 1, "b": 2}, ["a"], ["a", "b", "c"], None])
def test_names_that_are_no_list_of_the_seats_are_left_out(names: Any) -> None:
    session = Session(tilery.load("toy"), [None, "random"], seed=1)
    written = session.record()
    again = dataclasses.replace(written, more=written.more | {"names": names})
    assert Session.of_record(again).names == []


def test_a_file_of_something_else_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "diary.txt"
    file.write_text("Dear diary\n")
    with pytest.raises(tilery.RecordError, match=r"diary\.txt: the last line cannot be played on"):
        SavedGame(file)
    assert file.read_text() == "Dear diary\n"


@pytest.mark.parametrize("name", GAMES)
def test_wrong_actions_change_nothing(name: str) -> None:
    session = Session(tilery.load(name), [None] * tilery.load(name).num_players, seed=2)
    before, version = session.state.clone(), session.version
    legal = set(session.state.legal_actions())
    other = next(a for a in range(session.game.num_distinct_actions - 1, 0, -1) if a not in legal)
    illegal = session.game.action_to_string(other)
    for token, error in (("what", tilery.ParseError), (illegal, tilery.IllegalActionError)):
        with pytest.raises(error):
            session.play(token)
        assert session.state == before
        assert session.version == version


def test_seats_are_checked() -> None:
    game = tilery.load("toy")
    with pytest.raises(ValueError, match="one for each of 2 players, got 1"):
        Session(game, [None])
    with pytest.raises(ValueError, match=r"seed must be an integer in \[0, 2\*\*53\), got -1"):
        Session(game, [None, None], seed=-1)
    for text, message in (
        ("py:nothing", "py:MODULE:FUNCTION"),
        ("py:tilery:nothing", "has no attribute 'nothing'"),
        ("py:no_such_module:f", "No module named"),
        (f"{HERE}:HERE", "is neither a function nor an object with choose"),
        ("mctx:5", "mctx"),
    ):
        with pytest.raises(ValueError, match=message):
            Session(game, [None, text])
    session = Session(game, [None, "random"])
    with pytest.raises(PlayError, match=r"seat must be in 0\.\.1, got 2"):
        session.take_seat(2, None)
    with pytest.raises(PlayError, match="the game has 7 actions, not 8"):
        session.go_back(8)
    session.take_seat(0, "random")
    with pytest.raises(PlayError, match="player 0 is a bot"):
        session.play("1")


@pytest.mark.parametrize("error", ["ValueError('no')", "OSError('no')", "RuntimeError('no')", "SyntaxError('no')"])
def test_a_module_that_cannot_be_imported_is_named(error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "module_that_raises.py").write_text(f"raise {error}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ValueError, match=rf"^py:module_that_raises:f: {error.partition('(')[0]}: no$"):
        Session(tilery.load("toy"), [None, "py:module_that_raises:f"])


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError])
def test_errors_that_are_not_of_a_module_pass(
    error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "module_that_stops.py").write_text(f"raise {error.__name__}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(error):
        Session(tilery.load("toy"), [None, "py:module_that_stops:f"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HERE}:failing", "seat 0: raised RuntimeError: out of ideas"),
        (f"{HERE}:wrong", "seat 0: returned -7: "),
        (f"cmd:{sys.executable} -c pass", "seat 0: ended with exit status 0"),
        ("cmd:/nonexistent/bot", "seat 0: cannot be started"),
        ("cmd:sleep 60", r"seat 0: did not answer within 0\.2 s"),
    ],
)
def test_the_game_goes_on_when_a_bot_fails(text: str, message: str) -> None:
    with Session(tilery.load("toy"), [text, "random"], seconds=0.2 if "sleep" in text else 60) as session:
        before = session.state.clone()
        with pytest.raises(PlayerError, match=message):
            session.play_bots()
        assert session.state == before
        session.take_seat(0, f"{HERE}:first")
        session.play_bots()
        assert session.state.is_terminal()


@pytest.mark.slow
def test_a_program_plays_like_the_policy_it_runs() -> None:
    played = []
    for text in (f"cmd:{sys.executable} -m tilery bot greedy", "greedy"):
        with Session(tilery.load("toy"), [text, "random"], seed=4) as session:
            session.play_bots()
            played.append(tokens(session))
    assert played[0] == played[1]


@pytest.mark.parametrize("name", GAMES)
def test_hints_are_legal_and_depend_on_nothing_hidden(name: str) -> None:
    session = Session(tilery.load(name), [None] * tilery.load(name).num_players, seed=3)
    hints = session.hints("mcts:30")
    legal = {session.game.action_to_string(action) for action in session.state.legal_actions()}
    assert {hint["token"] for hint in hints} <= legal
    assert all(0 <= hint["wins"] <= 1 for hint in hints)
    other = Session(tilery.load(name), session.seats, actions=tokens(session).split())
    other.state = other.state.determinize(session.actor, 77)
    assert other.hints("mcts:30") == hints


@pytest.mark.parametrize("name", GAMES)
def test_points_have_reasons(name: str) -> None:
    """Each move says what it brought; a preview says so before, from what its player knows."""
    game = tilery.load(name)
    session = Session(game, [None, *["greedy"] * (game.num_players - 1)], seed=5)
    session.play_bots()
    sums = [0] * game.num_players
    while session.actor >= 0:
        token = game.action_to_string(session.state.legal_actions()[0])
        before, shown = len(session.moves), preview(session, 0, token, 0)
        assert shown["actor"] == 0 or not shown["next"]
        session.play(token)
        if not game.hides_information:
            assert shown["events"] == list(session.moves[before].events)
        session.play_bots()
    for _, _, _, events, *_ in view(session, 0)["moves"]:
        for event in events:
            sums[event["player"]] += event["points"]
    assert sums == session.state.scores()


@pytest.mark.parametrize("name", [name for name in GAMES if name != "toy"])
def test_what_is_not_possible_is_explained(name: str) -> None:
    """By the picks that a page points at; a choice that is possible has no reason against it."""
    game = tilery.load(name)
    session = Session(game, [None, *["greedy"] * (game.num_players - 1)], seed=5)
    session.play_bots()
    legal = {game.picks(action)[0] for action in session.state.legal_actions()}
    assert session.why([next(iter(legal))]) == ""
    reasons = set()
    for action in range(0, game.num_distinct_actions, 1 + game.num_distinct_actions // 8):
        if game.picks(action)[0] not in legal:
            reasons.add(session.why(game.picks(action)[:1]))
    assert any(re.match(r"[A-Z]+-", reason) for reason in reasons), reasons
    assert session.why(["nothing"]) == ""


def test_a_person_resigns() -> None:
    """The others win, the record says so and is taken up again so; undo takes it back."""
    session = Session(tilery.load("toy", players=3, hand=4), [None, None, "random"], seed=3)
    session.play_bots()
    before = session.record()
    with pytest.raises(PlayError, match="bot"):
        session.resign(2)
    session.resign(1)
    assert (session.actor, session.winners, session.waits_for_person) == (-4, [0, 2], False)
    for call in (lambda: session.play("1"), lambda: session.resign(0)):
        with pytest.raises(PlayError, match="the game is over"):
            call()
    written = session.record()
    assert written.more["resigned"] == 1
    record.replay(written)
    again = Session.of_record(record.Record.from_json(written.to_json()))
    assert (again.actor, again.winners, again.record()) == (-4, [0, 2], written)
    assert view(again, 0)["winners"] == [0, 2]
    again.undo(0)
    assert again.record() == before
    assert again.actor >= 0
    session.close()
    again.close()


@pytest.mark.parametrize("name", tilery.games())
def test_levels_are_rungs(name: str) -> None:
    """Every level can be seated, and hints come from the champion where there is one."""
    game = tilery.load(name)
    for policy, words in levels(name):
        assert tilery.policy(policy).choose(_first_choice(game), 1) >= 0
        assert policy.removeprefix("rung:") in words
    rows = hints(_first_choice(game), 3, None)
    best = "champion" if levels(name) else HINT
    assert rows == hints(_first_choice(game), 3, best)


def _first_choice(game: Any) -> Any:
    state = game.new_initial_state()
    rng = tilery.Rng(4, 0)
    while state.is_chance_node():
        state.apply_action(state.random_action(rng))
    return state


def test_a_forced_decision_is_taken_for_a_person_who_takes_the_seat() -> None:
    session = Session(tilery.load("toy", hand=1), ["random", "random"], seed=1)
    before = len(session.moves)
    session.take_seat(session.actor, None)
    assert len(session.moves) > before
    assert session.moves[before].forced


def test_a_file_of_many_games_keeps_another(tmp_path: Path) -> None:
    """Records of megabytes are read; of more than 64 MiB they are refused."""
    file = tmp_path / "games.jsonl"
    session = Session(tilery.load("toy"), [None, "random"], seed=1)
    file.write_bytes(b"\n" * (3 << 20) + session.record().to_json().encode() + b"\n")
    assert SavedGame(file).unfinished is not None
    with file.open("r+b") as opened:
        opened.truncate((64 << 20) + 1)
    with pytest.raises(PlayError, match="cannot keep a game"):
        SavedGame(file)


@pytest.mark.parametrize(("known", "marked"), [(0, True), (7, True), (-1, False)])
def test_what_was_seen_is_marked(known: int, marked: bool) -> None:
    """The action with id 0 too; an action that the viewer does not know leaves no mark."""

    def to_svg(viewer: int | None, *, last: int | None = None) -> str:
        return "plain" if last is None else f"marks {last}"

    class Played:
        moves = (SimpleNamespace(player=0, action=max(known, 0)),)

        def state_after(self, _: int) -> Any:
            return SimpleNamespace(to_svg=to_svg)

        def seen(self, *_: Any) -> int:
            return known

    session: Any = Played()
    assert drawn(session, 1, 1) == (f"marks {known}" if marked else "plain")
