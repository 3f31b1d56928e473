"""`tilery play --text`: whole games by number, commands, and what people at one screen see."""

from __future__ import annotations

import contextlib
import io
import os
import re
import select
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tilery
from tests.kit.games import GAMES
from tilery import pages, record
from tilery.cli import main
from tilery.play import Session
from tilery.play.terminal import Terminal, complete_with


class Person:
    """Types lines, one for each prompt; `then` follows when they are used up."""

    def __init__(self, lines: list[str], then: str | None = None) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.then = then
        self.prompts: list[str] = []
        self.out = io.StringIO()

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        line = next(self.lines, self.then)
        if line is None:
            raise EOFError
        return line

    def play(self, session: Session, size: tuple[int, int] | None = None) -> str:
        """Play to the end of the lines; returns what was written."""
        Terminal(session, self.ask, self.out, lambda: None, None if size is None else lambda: size).run()
        return self.out.getvalue()


def session_of(name: str, bots: str | None = "random", **options: Any) -> Session:
    game = tilery.load(name, **options)
    return Session(game, [None, *[bots] * (game.num_players - 1)], seed=3)


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_by_number(name: str) -> None:
    """The first choice always: with groups, every action is reached by numbers alone."""
    session = session_of(name)
    text = Person([], then="1").play(session)
    assert session.state.is_terminal()
    assert "The game is over: player 0 " in text
    assert "win" in text.splitlines()[-1]
    assert record.replay(session.record()).scores() == session.state.scores()


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_lists_are_short_and_lead_to_every_action(name: str) -> None:
    """Where there are many actions, their first picks are listed; each group opens to what is in it."""
    session = session_of(name)
    for _ in range(3):
        terminal = Terminal(session, lambda _prompt: "", io.StringIO(), lambda: None)
        actions = {session.game.action_to_string(action) for action in session.state.legal_actions()}
        assert reached(terminal, []) == actions
        if not session.state.is_terminal():
            session.play(min(actions))
            session.play_bots()


def reached(terminal: Terminal, group: list[str]) -> set[str]:
    """The tokens that numbers lead to from a group."""
    terminal._group = tuple(group)
    found: set[str] = set()
    choices, opened = terminal._choices(), terminal._group
    for choice in choices:
        if choice.token is not None:
            found.add(choice.token)
        else:
            terminal._group = opened
            terminal._take(choice)
            found |= reached(terminal, list(terminal._group))
    return found


def test_many_actions_are_grouped() -> None:
    """So that no game begins with a list that fills several screens."""
    grouped = 0
    for name in GAMES:
        session = session_of(name)
        text = Person(["quit"]).play(session)
        numbered = [line for line in text.splitlines() if re.match(r" *\d+\) ", line)]
        assert len(numbered) <= session.state.num_legal_actions()
        assert numbered or re.search(r"\n[0-9]+ choices; type a name:\n", text)
        if session.state.num_legal_actions() > 200:
            grouped += 1
            assert len(numbered) < 100, name
    assert grouped > 0


def test_commands() -> None:
    session = session_of("toy", hand=4)
    token = session.game.action_to_string(session.state.legal_actions()[0])
    other = next(t for t in "12345" if session.state.why_illegal(session.game.string_to_action(t)))
    why = session.state.why_illegal(session.game.string_to_action(other))
    lines = ["?", f"? {other}", f"? {token}", "? xx", "hint mcts:20", "hint random", token, "undo", "moves", "list 9"]
    lines += ["board", "back 9999", "back x", "seat 1", "seat 5 random", "seat 1 greedy", "", other, "zz", "99", "quit"]
    text = Person(lines).play(session)
    for sentence in (
        "A number or a token takes an action.",
        why,
        "It is legal.",
        "of the visits",
        "random is not a search; uct:N and mcts:N are",
        "Back to the position after",
        "the game has ",
        "expected a number, got 'x'",
        "say which seat and who takes it",
        "seat must be in 0..1, got 5",
        "is not legal",
        "token 'zz'",
    ):
        assert sentence in text, sentence
    assert session.seats == [None, "greedy"]
    assert not session.state.is_terminal()


@pytest.mark.parametrize("name", GAMES)
def test_position_and_actions_stand_on_one_screen(name: str) -> None:
    """Of 80 columns and 24 lines, where the position alone leaves room; no line ends within a word."""
    session = session_of(name)
    person = Person([])
    terminal = Terminal(session, person.ask, person.out, lambda: None, lambda: (80, 24))
    terminal._show()
    shown = person.out.getvalue().splitlines()
    board = [line for line in session.state.to_string(0).splitlines() if line]
    assert [line for line in shown if line][: len(board)] == board
    assert len(shown) <= max(23, len(board) + 5)  # and the prompt
    assert all(len(line) <= 80 for line in shown[len(board) :])
    words = " ".join(" ".join(shown).split())
    for choice in terminal._choices():
        described = session.game.describe_pick(choice.pick)
        assert any(each in words for each in (choice.token, choice.name, described) if each)


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_and_the_legend_are_at_hand(name: str) -> None:
    page = tilery.rules_page(name)
    rule = next(part for part in pages.section(page, "Rules").split("\n- ") if part.startswith("**"))
    number = rule[2:].partition("**")[0]
    lines = [f"rules {number}", f"rules {number.lower()}", "rules nothing", "legend", "rules"]
    text = Person(lines).play(session_of(name))
    assert text.count(rule.partition("\n\n")[0]) == 3
    assert "there is no rule nothing" in text
    for title in ("Rules", "How a position is printed"):
        assert pages.section(page, title) in text


def test_people_at_one_screen_see_only_their_own_hands() -> None:
    session = session_of("toy", bots=None, hand=4)
    person = Person([], then="1")
    text = person.play(session)
    assert session.state.is_terminal()
    covers = [prompt for prompt in person.prompts if prompt.startswith("Player 1, press Enter")]
    assert covers
    before, _, _ = text.partition("Player 1 is to act")
    assert "hand ? ? ? ?" in before


def test_a_bot_that_fails_is_replaced() -> None:
    session = session_of("toy", bots="py:tests.play.test_session:failing")
    text = Person(["1", "what", "random"], then="1").play(session)
    assert "seat 1: raised RuntimeError: out of ideas." in text
    assert "unknown policy" in text
    assert session.state.is_terminal()
    assert Person(["1", "quit"]).play(session_of("toy", bots="cmd:/nonexistent")).endswith("'/nonexistent'.\n")


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.jsonl"
    words = ["play", "toy", "--text", "--record", str(file)]
    monkeypatch.setattr("builtins.input", Person(["1"]).ask)
    assert main([*words, "--bot", "random", "--seed", "5"]) == 0
    assert f"The game is in {file}." in capsys.readouterr().out
    (unfinished,) = record.read(file)
    assert unfinished.scores is None
    assert main(["play", "toy", "--set", "hand=4", "--text", "--record", str(file)]) == 2
    assert "unfinished game of toy under other rules" in capsys.readouterr().err
    monkeypatch.setattr("builtins.input", Person([], then="1").ask)
    assert main(words) == 0
    (finished,) = record.read(file)
    assert finished.actions.startswith(unfinished.actions)
    assert main(["replay", str(file)]) == 0


def test_an_interrupt_leaves_the_game_in_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The status is that of other commands that are interrupted."""

    def interrupted(_prompt: str) -> str:
        raise KeyboardInterrupt

    file = tmp_path / "game.jsonl"
    monkeypatch.setattr("builtins.input", interrupted)
    assert main(["play", "toy", "--text", "--bot", "random", "--seed", "3", "--record", str(file)]) == 130
    out, err = capsys.readouterr()
    assert out.endswith(f"\nThe game is in {file}.\n")
    assert err == "tilery: interrupted\n"
    (unfinished,) = record.read(file)
    assert unfinished.scores is None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--seat", "2", "--bot", "random"], "--seat must be from 0 to 1, got 2"),
        (["--bot", "random", "--bot", "random", "--bot", "random"], "--bot must be given once"),
        (["--bot", "mctx"], "unknown policy"),
        (["--record", "/nonexistent/x"], "the folder /nonexistent does not exist"),
    ],
)
def test_wrong_words_are_sentences(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "toy", "--text", *words]) == 2
    err = capsys.readouterr().err
    assert sentence in err
    assert "Traceback" not in err


def test_a_program_that_cannot_be_started_is_refused_before_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.jsonl"
    words = ["play", "toy", "--text", "--seat", "0", "--bot", "cmd:/nonexistent/bot", "--record", str(file)]
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert err.startswith("tilery: cmd:/nonexistent/bot cannot be started")
    assert not out
    assert not file.exists()


@pytest.mark.parametrize("word", ["quit", "exit"])
def test_nothing_is_read_after_leaving(word: str) -> None:
    person = Person(["board", word, "moves"])
    person.play(session_of("toy"))
    assert list(person.lines) == ["moves"]


def is_token(game: Any, text: str) -> bool:
    try:
        return game.string_to_action(text) >= 0
    except tilery.ParseError:
        return False


def names_taken(name: str) -> tuple[list[str], list[str]]:
    """Of a game, what was taken by its name, and which names but numbers and tokens only one choice has."""
    session, taken, expected = session_of(name), [], []
    terminal = Terminal(session, input, io.StringIO(), lambda: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terminal, "_take", lambda choice: taken.append(choice.name))
        for _ in range(20):
            names = [choice.name for choice in terminal._choices()]
            words = [word for word in dict.fromkeys(names) if not word.isdigit() and not is_token(session.game, word)]
            expected += [word for word in words if names.count(word) == 1]
            for word in words:
                with contextlib.suppress(tilery.ParseError):  # several have it, and no token begins with it
                    terminal._choose(word)
            session.play(session.game.action_to_string(session.state.legal_actions()[0]))
            session.play_bots()
            if session.actor < 0:
                break
    return taken, expected


def test_a_name_chooses_if_no_other_choice_has_it() -> None:
    found = [names_taken(name) for name in GAMES]
    assert all(taken == expected for taken, expected in found)
    assert any(expected for _, expected in found)


@pytest.mark.parametrize("name", GAMES)
def test_completions_are_commands_and_legal_tokens(name: str) -> None:
    session = session_of(name)
    terminal = Terminal(session, input, io.StringIO(), lambda: None)
    tokens = [session.game.action_to_string(action) for action in session.state.legal_actions()]
    assert session.actor == 0
    assert [word for word in terminal.completions("") if word in tokens] == tokens
    assert list(terminal.completions("un")) == ["undo"]
    Person([], then="1").play(session)
    assert not set(tokens) & set(terminal.completions(""))


def test_tab_is_answered_with_one_completion_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    completers: list[Any] = []
    readline = SimpleNamespace(
        set_completer=completers.append, set_completer_delims=lambda _: None, parse_and_bind=lambda _: None
    )
    monkeypatch.setitem(sys.modules, "readline", readline)
    complete_with(lambda text: (text + end for end in "abc"))
    (complete,) = completers
    assert [complete("x", number) for number in range(4)] == ["xa", "xb", "xc", None]
    assert complete("yz", 0) == "yza"


@pytest.mark.slow
def test_tab_completes_tokens() -> None:
    """In a real terminal, with readline; Ctrl-D at the prompt leaves."""
    pid, terminal = pytest.importorskip("pty").fork()
    if pid == 0:  # the child
        words = ["-m", "tilery", "play", "toy", "--text", "--bot", "random", "--seed", "3"]
        os.execv(sys.executable, [sys.executable, *words])
    try:
        read_to(terminal, r"player 0> ")
        os.write(terminal, b"hi\t\n")
        # Before there is the next prompt, Ctrl-D would not be read by readline, as in any program that uses it.
        read_to(terminal, r"of the visits[^>]*player 0> ")
        os.write(terminal, b"\x04")
        read_to(terminal, None)
    finally:
        os.close(terminal)
        status = os.waitpid(pid, 0)[1]
    assert status == 0


def read_to(terminal: int, pattern: str | None) -> None:
    """Read what a terminal writes up to a pattern, or to its end; fails after a minute."""
    written, deadline = b"", time.monotonic() + 60
    while pattern is None or not re.search(pattern, written.decode(errors="replace")):
        assert select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))[0], written
        try:
            written += os.read(terminal, 4096)
        except OSError:  # the other end is closed
            assert pattern is None, written
            return


@pytest.mark.parametrize("name", GAMES)
def test_a_group_without_an_alternative_opens_by_itself(name: str) -> None:
    session = session_of(name)
    for _ in range(5):
        if session.state.is_terminal():
            break
        choices = Terminal(session, lambda _prompt: "", io.StringIO(), lambda: None)._choices()
        assert len(choices) > 1
        session.play(session.state.action_to_string(session.state.legal_actions()[0]))
        session.play_bots()
