"""A session in the terminal: the board as text, actions by number or by their tokens."""

from __future__ import annotations

import contextlib
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TextIO

import tilery
from tilery import pages
from tilery.play.seats import PlayerError
from tilery.play.session import PlayError, Session
from tilery.words import labels_of, words_of

FEW = 30
"""As many actions are listed at once; of more, the first things to point at."""

FEW_LINES = 5
"""As many lines of names are listed at once."""

HELP = """\
A number or a token takes an action. Where actions are grouped, a number or a name opens the group, and .. leaves it.
  list [PREFIX]    what can be chosen here, or the legal actions whose tokens begin so
  ? TOKEN          an action in words, and why it is not legal if it is not
  hint [POLICY]    the best actions that a policy finds (default the champion, without one mcts:2000)
  rules [NUMBER]   the rules, or the one with this number
  legend           how the position is printed
  undo             return to your last choice
  back N           return to the position after N actions
  moves            what happened so far
  board            the board again
  seat P BOT       give seat P to a bot, such as mcts:2000, or to "person"
  quit             leave the game
Tab completes."""


class Choice(NamedTuple):
    """A choice of the list, by number or name: the token of an action, or None for the group of a pick."""

    words: str
    token: str | None
    pick: str

    @property
    def name(self) -> str:
        """The pick without its kind, which chooses it if no other has the same."""
        return self.pick.partition(":")[2] or self.pick


class Terminal:
    """Plays a session with lines of input and output.

    ask: returns the next line of the person for a prompt; raises `EOFError` at the end. out: where the rest is
    written. save: called after every change. size: the columns and lines of the screen; None for any number.
    """

    def __init__(
        self,
        session: Session,
        ask: Callable[[str], str],
        out: TextIO,
        save: Callable[[], None],
        size: Callable[[], tuple[int, int]] | None = None,
    ) -> None:
        self._session = session
        self._ask = ask
        self._out = out
        self._save = save
        self._size = size
        self._group: tuple[str, ...] = ()
        self._viewer = session.people[0] if session.people else 0
        self._shown = 0

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        session = self._session
        version = -1
        while True:
            over, by_hand = session.state.is_terminal(), session.waits_for_person
            if session.version != version:
                version = session.version
                self._save()
                self._group = ()
                if over or by_hand:
                    self._hand_over()
                    self._tell()
                    self._show()
            if over:
                self._say_result()
                return
            if not (self._command() if by_hand else self._let_bot_play()):
                return

    # --- What is shown. ---

    def _say(self, text: str = "") -> None:
        print(text, file=self._out)

    def _hand_over(self) -> None:
        """Let the next person come to the screen before it shows what they alone may know."""
        session = self._session
        if not session.waits_for_person or session.actor == self._viewer:
            return
        self._viewer = session.actor
        if session.game.hides_information and len(session.people) > 1:
            self._out.write("\x1b[2J\x1b[H" if self._out.isatty() else "")
            with contextlib.suppress(EOFError):
                self._ask(f"Player {self._viewer}, press Enter when only you can see the screen. ")

    def _tell(self) -> None:
        """Write what has happened since this was called last."""
        session = self._session
        if self._shown > len(session.moves):
            self._say(f"Back to the position after {len(session.moves)} actions.")
        for number in range(self._shown, len(session.moves)):
            self._say(self._line(number))
        self._shown = len(session.moves)

    def _line(self, number: int) -> str:
        session = self._session
        move = session.moves[number]
        who = "chance" if move.player < 0 else f"player {move.player}"
        token, words = session.token_seen(number, self._viewer), session.words_seen(number, self._viewer)
        alone = "  (the only action)" if session.played_for(number, self._viewer) else ""
        return f"{number + 1:4}  {who:<8}  {token}" + (f"  {words}" if words != token else "") + alone

    def _show(self) -> None:
        """The position and what can be chosen, so that they stand on one screen if they can."""
        board, session = self._board(), self._session
        if session.state.is_terminal():
            self._say("\n" + "\n".join(board))
            return
        below = ["", f"Player {session.actor} is to act. (? for help)", *self._lines()]
        if self._size is not None and len(board) + len(below) + 2 > self._size()[1]:
            board, below = [line for line in board if line], self._lines(brief=True)
        else:
            board.insert(0, "")
        self._say("\n".join(board + below))

    def _board(self) -> list[str]:
        text: str = self._session.state.to_string(self._viewer)
        return text.rstrip("\n").split("\n")

    def _say_result(self) -> None:
        winners = list(map(str, self._session.winners))
        points = ", ".join(f"player {player} {points}" for player, points in enumerate(self._session.state.scores()))
        self._say(f"The game is over: {points}.")
        self._say(
            f"Player {winners[0]} wins." if len(winners) == 1 else f"Players {' and '.join(winners)} share the win."
        )

    # --- Choosing. ---

    def _actions(self) -> list[tuple[tuple[str, ...], str]]:
        """The paths and tokens of the legal actions in the open group."""
        game, legal = self._session.game, self._session.state.legal_actions()
        rows = [(tuple(game.picks(action)), game.action_to_string(action)) for action in legal]
        return [row for row in rows if row[0][: len(self._group)] == self._group]

    def _choices(self) -> list[Choice]:
        self._follow()
        rows = self._actions()
        labels = labels_of(self._session.state)
        depth = len(self._group)
        groups: dict[str, list[str]] = {}
        for path, token in rows:
            groups.setdefault(path[depth], []).append(token)
        if len(rows) <= FEW or len(groups) == len(rows):
            return [Choice(self._name(token, labels), token, path[depth]) for path, token in rows]
        describe = self._session.game.describe_pick
        return [
            Choice(self._name(tokens[0], labels), tokens[0], pick)
            if len(tokens) == 1
            else Choice(f"{describe(pick)}: {len(tokens)} actions", None, pick)
            for pick, tokens in groups.items()
        ]

    def _name(self, token: str, labels: dict[str, str] | None = None) -> str:
        state = self._session.state
        words = words_of(state, state.string_to_action(token), labels)
        return token if words == token else f"{token}  {words}"

    def _lines(self, *, brief: bool = False) -> list[str]:
        """The list of what can be chosen; brief: several in a line, by their names."""
        choices = self._choices()
        describe = self._session.game.describe_pick
        head = [", ".join(map(describe, self._group)) + "  (.. goes back)"] if self._group else []
        if len(choices) > FEW:
            names = self._columns([choice.name for choice in choices])
            if len(names) <= FEW_LINES:
                return self._wrapped([*head, f"{len(choices)} choices; type a name:", *names])
            head.append(f"{len(choices)} choices: type a name, such as {choices[0].name}; list shows them.")
            return self._wrapped(head)
        if brief:
            words = [choice.token or f"{describe(choice.pick)}.." for choice in choices]
            return head + self._columns([f"{number}) {each}" for number, each in enumerate(words, start=1)])
        return self._wrapped(head + [f"{number:4}) {choice.words}" for number, choice in enumerate(choices, start=1)])

    def _columns(self, words: Sequence[str]) -> list[str]:
        """The words one after the other; no line ends within one of them."""
        text = "  ".join(word.replace(" ", "\xa0") for word in words)
        lines = textwrap.wrap(text, self._width(), break_on_hyphens=False, break_long_words=False)
        return [line.replace("\xa0", " ") for line in lines]

    def _width(self) -> int:
        return 80 if self._size is None else max(20, self._size()[0])

    def _wrapped(self, lines: Sequence[str]) -> list[str]:
        """The lines broken between words where the screen ends."""
        if self._size is None:
            return list(lines)
        width = self._width()
        return [
            part
            for line in lines
            for part in textwrap.wrap(line, width, subsequent_indent=" " * 6, break_on_hyphens=False) or [""]
        ]

    def _open(self, group: tuple[str, ...]) -> None:
        self._group = group
        self._say("\n".join(self._lines()))

    def _follow(self) -> None:
        """Open groups that have no alternative."""
        rows = self._actions()
        while len(rows) > 1 and len(ways := {path[len(self._group)] for path, _ in rows}) == 1:
            self._group = (*self._group, *ways)

    def _command(self) -> bool:
        """Carry out one line; False to leave."""
        try:
            line = self._ask(f"player {self._session.actor}> ").strip()
        except EOFError:
            self._say()
            return False
        word, _, rest = line.partition(" ")
        if word in ("quit", "exit"):
            return False
        try:
            self._obey(line, word, rest.strip())
        except (ValueError, PlayerError) as error:
            self._say(str(error))
        return True

    def _obey(self, line: str, word: str, rest: str) -> None:
        session = self._session
        commands: dict[str, Callable[[], object]] = {
            "": lambda: None,
            "..": lambda: self._open(self._group[:-1]),
            "list": lambda: self._list_all(rest) if rest else self._list_here(),
            "help": lambda: self._say(HELP),
            "?": lambda: self._explain(rest),
            "board": lambda: self._say("\n".join(self._board())),
            "rules": lambda: self._read(self._rules(rest)),
            "legend": lambda: self._read(self._section("How a position is printed")),
            "hint": lambda: self._hint(rest),
            "undo": lambda: session.undo(self._viewer),
            "back": lambda: session.go_back(_number(rest)),
            "seat": lambda: self._give_seat(rest),
            "moves": lambda: self._say("\n".join(map(self._line, range(len(session.moves))))),
        }
        if word in commands:
            commands[word]()
        else:
            self._choose(line)

    def _choose(self, line: str) -> None:
        choices = self._choices()
        if line.isascii() and line.isdigit() and 1 <= int(line[:9]) <= len(choices):
            self._take(choices[int(line) - 1])
            return
        try:
            self._session.play(line)
        except tilery.ParseError:
            named = [choice for choice in choices if line in (choice.name, choice.pick)]
            if len(named) == 1:
                self._take(named[0])
                return
            if not any(token.startswith(line) for _, token in self._actions()):
                raise
            self._list_all(line)

    def _take(self, choice: Choice) -> None:
        if choice.token is None:
            self._open((*self._group, choice.pick))
        else:
            self._session.play(choice.token)

    def _explain(self, token: str) -> None:
        session = self._session
        if not token:
            self._say(HELP)
            return
        action = session.game.string_to_action(token)
        self._say(session.game.describe_action(action))
        self._say(session.state.why_illegal(action) or "It is legal.")

    def _list_here(self) -> None:
        choices = self._choices()
        names = [choice.name for choice in choices]
        self._say("\n".join(self._columns(names) if len(choices) > FEW else self._lines()))

    def _list_all(self, prefix: str) -> None:
        tokens = [token for _, token in self._actions() if token.startswith(prefix)]
        self._say("\n".join(self._wrapped([f"      {self._name(token)}" for token in tokens[:FEW]])))
        if len(tokens) > FEW:
            self._say(f"      and {len(tokens) - FEW} more")

    def _section(self, title: str) -> str:
        return pages.section(tilery.rules_page(self._session.game.name), title)

    def _rules(self, number: str) -> str:
        text = self._section("Rules")
        if not number:
            return text
        for paragraph in text.split("\n- "):
            if paragraph.startswith(f"**{number.upper()}**"):
                return paragraph.partition("\n\n")[0]
        raise PlayError(f"there is no rule {number}; rules lists them")

    def _read(self, text: str) -> None:
        if self._size is None:
            self._say(text)
        else:
            import pydoc  # which reads the configuration of Python when it is imported

            pydoc.pager(text)

    def _hint(self, policy: str) -> None:
        found = self._session.hints(policy or None)
        for hint in found:
            words = "" if hint["words"] == hint["token"] else f"  {hint['words']}"
            visits = f", {100 * hint['share']:.0f} % of the visits" if found[0]["share"] > found[-1]["share"] else ""
            self._say("\n".join(self._wrapped([f"  {hint['token']}{words}: wins {100 * hint['wins']:.0f} %{visits}"])))

    def _give_seat(self, rest: str) -> None:
        seat, _, text = rest.partition(" ")
        if not text:
            raise PlayError("say which seat and who takes it: seat 1 mcts:2000")
        self._session.take_seat(_number(seat), None if text == "person" else text)

    def _let_bot_play(self) -> bool:
        """Let the bot to act play; False if the game has to be left."""
        session = self._session
        try:
            session.play_bot(session.thought()())
        except PlayerError as error:
            self._say(f"{error}.")
            return self._replace_bot()
        return True

    def _replace_bot(self) -> bool:
        """Ask who plays on for a bot that failed; False if the game has to be left."""
        session = self._session
        while True:
            try:
                line = self._ask(f"Who takes seat {session.actor}: person, or a bot such as random? ").strip()
            except EOFError:
                return False
            if line in ("quit", "exit"):
                return False
            try:
                session.take_seat(session.actor, None if line == "person" else line)
            except ValueError as wrong:
                self._say(str(wrong))
            else:
                return True

    # --- Completion. ---

    def completions(self, text: str) -> Iterator[str]:
        """The words that a line may begin with: commands and tokens of legal actions."""
        session = self._session
        words = ["? ", "back ", "board", "hint", "legend", "list ", "moves", "quit", "rules", "seat ", "undo"]
        if session.actor >= 0:
            words += [session.game.action_to_string(action) for action in session.state.legal_actions()]
        return (word for word in words if word.startswith(text))


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise PlayError(f"expected a number, got {text!r}")
    return int(text)


def complete_with(completions: Callable[[str], Iterator[str]]) -> None:
    """Let Tab complete in `input()`, where readline exists."""
    try:
        import readline
    except ImportError:  # Windows
        return
    found: Sequence[Any] = []

    def complete(text: str, state: int) -> str | None:
        nonlocal found
        if state == 0:
            found = list(completions(text))
        return found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
