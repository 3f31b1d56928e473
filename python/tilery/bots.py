"""Bots in other processes, by newline-delimited JSON over standard input and output (docs/protocol.md).

`CommandBot` is the referee's end, `serve` the bot's.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import queue
import re
import shlex
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, BinaryIO, NamedTuple, Self, TextIO, cast

import tilery
from tilery.errors import BotError, printable
from tilery.options import game_of_rules
from tilery.policies import SECONDS, OutsidePolicy, Seen, policy
from tilery.processes import GROUP, do_not_block, kill_group, readable, write
from tilery.protocol import Game, Luck, Signal, State

PROTOCOL = 1
"""The version of the protocol that every bot is spoken to in until it has answered."""
PROTOCOLS = (1, 2)
"""The versions that a bot may choose from."""
LONGEST_LINE = 65_536
"""Bytes of a bot's line, the end included."""
TOO_LONG = f"sent a line of more than {LONGEST_LINE} bytes"
"""The reason for which a bot with a longer line loses."""
LONGEST_LOG = 1 << 20
"""Bytes of a bot's standard error that are kept for a game."""
LAST_LINES = 20
"""Lines of it that are shown when the bot fails."""
MOST_LINES = {1: 8, 2: 1024}
"""Lines of a bot that may wait to be read, by version: `info` may come in numbers."""
KINDS_OF_OPTIONS: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "bool": (bool,), "text": (str,)}
"""Of a bot's own options: what their values are in JSON."""
POLLING = 0.2
"""Seconds after which the thread of a bot looks again whether the bot is to be closed."""
UNSEEN = "*?"
"""Stands for a draw that a seat could not see."""


class CommandPolicy(OutsidePolicy):
    """A program that speaks the protocol of docs/protocol.md; it is started for each game, and for each lone choice.

    command: words as for a shell, without one. clock: the clock of each game, none by default.
    """

    by_game = True

    def __init__(self, command: str, clock: Clock | None = None) -> None:
        super().__init__(f"cmd:{command}")
        self.command, self.clock = command, clock

    def seat(self, game: Game, seat: int, *, seconds: float = SECONDS, log: BinaryIO | None = None) -> CommandBot:
        """The program in a seat of one game; it is started with this call, and ended with its context."""
        return CommandBot(self.command, game, seat, seconds=seconds, log=log, clock=self.clock)

    def analysis(self, state: State, rng: Luck) -> dict[str, Any]:
        """Return what the program says of a position by what the player to act knows: its message "analysis".

        Of a program that speaks version 1 that is its choice alone, `best`. Raises `BotError` if it fails.
        """
        with self._asked(state, rng) as (bot, known, number):
            if isinstance(bot, CommandBot) and bot.protocol > PROTOCOL:
                return bot.analyse(known, number)
            return {"best": state.action_to_string(bot.choose(known, number, None))}


class Clock(NamedTuple):
    """The time that a bot has for a game, and what each answer adds to it, in seconds."""

    seconds: float
    increment: float = 0.0


class CommandBot(Seen):
    """A process that plays one seat of one game, for use as a policy of `tilery.simulate` with one game.

    command: words as for a shell, without one. game, seat: what it plays. seconds: for each answer.
    log: to which its standard error is written, up to `LONGEST_LOG` bytes. clock: that of the game, besides `seconds`.
    options: of the bot itself, by name; only for one that speaks version 2 and has them.

    `protocol` is the version that it speaks, `name` what it calls itself, `info` the last that it said while thinking.

    A context manager: at the end the processes of its process group are killed. The bot begins as the only one; those
    that it starts belong to the group unless they leave it, as by `setsid`.
    """

    def __init__(
        self,
        command: str,
        game: Game,
        seat: int,
        *,
        seconds: float = SECONDS,
        log: BinaryIO | None = None,
        clock: Clock | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.protocol, self.name, self.info = PROTOCOL, command, dict[str, Any]()
        self.options: dict[str, dict[str, Any]] = {}
        """The options of the bot, by name."""
        self.left = clock.seconds if clock else None
        """Seconds on the clock."""
        self._clock, self._given = clock, dict(options or {})
        self.command = command
        self.seat = seat
        self._game = game
        self._seconds = seconds
        self._lines: queue.Queue[bytes | str] = queue.Queue()
        self._legal = False
        self._closing = False
        self._log, self._logged, self._last_words = log, 0, b""
        try:
            words = shlex.split(command)
            if not words:
                raise ValueError("the command is empty")
            self._process = subprocess.Popen(
                words, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **GROUP
            )
        except (OSError, ValueError) as error:  # without "[Errno 2] "
            raise BotError(seat, f"cannot be started: {str(error).partition('] ')[2] or error}") from None
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._stdin, self._stdout, self._stderr = (cast(IO[bytes], pipe) for pipe in pipes)
        do_not_block(self._stdin.fileno())
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        try:
            hello = {"type": "hello", "protocol": PROTOCOL, "protocols": [*PROTOCOLS], "tilery": tilery.__version__}
            ready = self._ask(hello | self._announced(), "ready")
            wants = ready.get("wants", [])
            if not isinstance(wants, list) or any(each != "legal" for each in wants):
                raise BotError(self.seat, f'"wants" must be a list of "legal" or nothing, got {wants!r}')
            self._legal = bool(wants)
            self._introduce(ready)
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        self.close()
        if isinstance(error, BotError) and error.seat == self.seat and not error.details:
            error.details = self.last_words

    @property
    def last_words(self) -> str:
        """The last `LAST_LINES` lines that it wrote to standard error, complete once it is closed."""
        lines = self._last_words.decode("utf-8", "replace").splitlines()[-LAST_LINES:]
        return "\n".join(map(printable, lines))

    def _announced(self) -> dict[str, Any]:
        """The game that is to be played, as "hello" and "new" say it."""
        game = self._game
        return {"game": game.name, "rules": game.rules.as_dict(), "players": game.num_players, "seat": self.seat}

    def _introduce(self, ready: dict[str, Any]) -> None:
        """Take what the bot says of itself, and tell it the options given."""
        version = ready.get("protocol", PROTOCOL)
        if isinstance(version, bool) or version not in PROTOCOLS:
            raise BotError(self.seat, f'"protocol" must be one of {list(PROTOCOLS)}, got {version!r}')
        self.protocol = version
        if isinstance(ready.get("name"), str):
            self.name = printable(ready["name"][:80])
        if self.protocol > PROTOCOL:
            options = ready.get("options", [])
            if not isinstance(options, list) or not all(map(_is_option, options)):
                raise BotError(self.seat, '"options" must be a list of objects with "name", "kind" and "default"')
            self.options = {each["name"]: each for each in options}
        for name, value in self._given.items():
            if name not in self.options:
                raise BotError(self.seat, f"has no option {name!r}; it has {', '.join(self.options) or 'none'}")
            if not _has_kind(value, self.options[name]["kind"]):
                raise BotError(self.seat, f"option {name} is of kind {self.options[name]['kind']}, not {value!r}")
        if self._given:
            self._ask({"type": "options", "values": self._given}, "ready")

    def new(self, game: Game, seat: int, seen: Iterable[int] = ()) -> None:
        """Begin another game in the same process, or go on with one. Only for a bot that speaks version 2.

        seen: the ids of the actions so far as the seat saw them, -1 for what it could not see.
        """
        self._game, self.seat = game, seat
        self.left = self._clock.seconds if self._clock else None
        tokens = [UNSEEN if action < 0 else game.action_to_string(action) for action in seen]
        self._ask({"type": "new", **self._announced(), "actions": tokens}, "ready")

    def choose(self, state: Any, number: int, seen: list[int] | None) -> int:
        """Ask the bot for its action."""
        began, seconds = time.monotonic(), self._seconds if self.left is None else min(self._seconds, self.left)
        message = position_message(state, number, seen, seconds=seconds, legal=self._legal)
        if self._clock is not None:
            message["clock"] = {"left": self.left, "increment": self._clock.increment}
        token = self._ask(message, "action", seconds=seconds).get("token")
        if self._clock is not None and self.left is not None:
            self.left += self._clock.increment - (time.monotonic() - began)
        if not isinstance(token, str):
            raise BotError(self.seat, f"token must be a string, got {token!r}")
        try:
            action: int = state.string_to_action(token)
        except ValueError as error:
            raise BotError(self.seat, f"sent an invalid token: {error}") from None
        if action not in state.legal_actions():
            raise BotError(self.seat, f"sent {token!r}, which is not legal")
        return action

    def analyse(
        self, state: Any, number: int, seen: list[int] | None = None, *, stop: Signal | None = None
    ) -> dict[str, Any]:
        """Ask a bot that speaks version 2 what it thinks of a position; returns its message "analysis".

        stop: when it is set, the bot is told to answer with what it has found.
        """
        message = position_message(state, number, seen, seconds=self._seconds, legal=self._legal)
        found = self._ask(message | {"type": "analyse"}, "analysis", stop=stop)
        # A list, not a set: a bot may send what has no hash.
        legal = [state.action_to_string(action) for action in state.legal_actions()]
        if found.get("best") not in legal:
            raise BotError(
                self.seat, f"sent an analysis whose best action is {found.get('best')!r}, which is not legal"
            )
        return found

    def over(self, scores: list[int], returns: list[float]) -> None:
        """Tell the bot how the game ended; it need not answer."""
        with contextlib.suppress(BotError):
            self._send({"type": "over", "scores": scores, "returns": returns}, time.monotonic() + 1)

    def close(self) -> None:
        """Kill the processes of the bot's process group."""
        kill_group(self._process)
        self._process.wait()
        self._closing = True
        self._reader.join()
        with contextlib.suppress(OSError):
            self._stdin.close()

    def _read(self) -> None:
        """Put the bot's lines into the queue until it ends or is closed, or until it floods.

        A process that left the group may hold the output open after the bot has ended, so this never waits for long.
        """
        with self._stdout as stdout, self._stderr as stderr:
            self._lines.put(self._read_lines(stdout.fileno(), stderr.fileno()))
            while not self._closing:
                if readable([stderr.fileno()], POLLING) and not self._listen(stderr.fileno()):
                    break
            for _ in range(LONGEST_LOG // LONGEST_LINE):  # what was written before the end
                if not readable([stderr.fileno()], 0) or not self._listen(stderr.fileno()):
                    break

    def _read_lines(self, stdout: int, stderr: int) -> str:
        """Put lines into the queue; returns why there are no more."""
        rest, open_files = b"", [stdout, stderr]
        while not self._closing:
            ready = readable(open_files, POLLING)
            if stderr in ready and not self._listen(stderr):
                open_files.remove(stderr)
            if stdout not in ready:
                continue
            found = os.read(stdout, LONGEST_LINE)
            *lines, rest = (rest + found).split(b"\n")
            if rest and not found:
                lines, rest = [rest], b""
            for line in lines:
                if len(line) >= LONGEST_LINE:
                    return TOO_LONG
                self._lines.put(line)
                if self._lines.qsize() > MOST_LINES[self.protocol]:
                    return "sent lines that nobody asked for"
            if len(rest) >= LONGEST_LINE:
                return TOO_LONG
            if not found:
                break
        return "ended"

    def _listen(self, stderr: int) -> bool:
        """Keep what was written to standard error; False at its end."""
        found = os.read(stderr, LONGEST_LINE)
        self._last_words = (self._last_words + found)[-LONGEST_LINE:]
        if self._log is not None:
            if found and not self._logged:
                self._log.write(f"--- seat {self.seat} of a game of {self._game.name}: {self.command}\n".encode())
            self._log.write(found[: LONGEST_LOG - self._logged])
            self._logged = min(LONGEST_LOG, self._logged + len(found))
        return bool(found)

    def _send(self, message: dict[str, Any], deadline: float) -> None:
        data = memoryview((json.dumps(message, separators=(",", ":")) + "\n").encode("ascii"))
        while data:
            left = deadline - time.monotonic()
            if left <= 0:
                raise BotError(self.seat, f"did not read its input for {self._seconds:g} s")
            try:
                data = data[write(self._stdin.fileno(), data, left) :]
            except OSError:
                raise BotError(self.seat, self._ending()) from None

    def _ask(
        self, message: dict[str, Any], kind: str, *, seconds: float | None = None, stop: Signal | None = None
    ) -> dict[str, Any]:
        """Send a message, and return the answer. What the bot says meanwhile becomes `info`."""
        if not self._lines.empty():
            early = self._lines.get()
            raise BotError(self.seat, self._ending() if early == "ended" else "sent a line before it was asked")
        seconds = self._seconds if seconds is None else seconds
        deadline = time.monotonic() + seconds
        self._send(message, deadline)
        while True:
            answer = self._answer(deadline, f"did not answer within {seconds:g} s", stop)
            if answer is None:  # it was told to stop
                stop = None
            elif self.protocol > PROTOCOL and answer.get("type") == "info":
                self.info = answer
            elif self.protocol > PROTOCOL and answer.get("type") == "error":
                raise BotError(self.seat, f"reported an error: {printable(str(answer.get('reason'))[:200])}")
            elif answer.get("type") != kind:
                sent = json.dumps(answer).encode()[:60]
                raise BotError(self.seat, f"must answer with a message of type {kind!r}, sent {sent!r}")
            else:
                return answer

    def _answer(self, deadline: float, late: str, stop: Signal | None) -> dict[str, Any] | None:
        """The next message of the bot; None after it was told to stop."""
        while True:
            left = max(0.0, deadline - time.monotonic())
            try:
                line = self._lines.get(timeout=min(left, threading.TIMEOUT_MAX if stop is None else POLLING / 4))
                break
            except queue.Empty:
                if time.monotonic() >= deadline:
                    raise BotError(self.seat, late) from None
                if stop is not None and stop.is_set():
                    self._send({"type": "stop"}, deadline)
                    return None
        if isinstance(line, str):
            raise BotError(self.seat, self._ending() if line == "ended" else line)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise BotError(self.seat, f"sent what is not JSON: {line[:60]!r}") from None
        if not isinstance(answer, dict):
            raise BotError(self.seat, f"must answer with a JSON object, sent {line[:60]!r}")
        return answer

    def _ending(self) -> str:
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "closed its output"
        return f"was ended by signal {-code}" if code < 0 else f"ended with exit status {code}"


def position_message(
    state: Any, number: int, seen: Iterable[int] | None, *, seconds: float, legal: bool = False
) -> dict[str, Any]:
    """The "choose" message of a state that holds no more than the player to act knows.

    Positions that the player cannot tell apart have equal messages if their determinizations are equal.
    """
    player = state.current_player()
    actions = None if seen is None else [UNSEEN if action < 0 else state.action_to_string(action) for action in seen]
    message = {
        "type": "choose",
        "player": player,
        "information": state.information_state(player),
        "actions": actions,
        "state": base64.b64encode(state.serialize()).decode("ascii"),
        "number": str(number),
        "seconds": seconds,
    }
    if legal:
        message["legal"] = [state.action_to_string(action) for action in state.legal_actions()]
    return message


class OneNumber:
    """A stream of the one number that a policy takes."""

    def __init__(self, number: int) -> None:
        self._number = number

    def next(self) -> int:
        return self._number


class Lines:
    """The lines of a pipe, and as a `Signal` whether the referee has asked to stop."""

    def __init__(self, file: int) -> None:
        self._file, self._rest, self._ready, self._ended = file, b"", deque[str](), False

    def __iter__(self) -> Iterator[str]:
        while self._ready or not self._ended:
            if self._ready:
                yield self._ready.popleft()
            else:
                self._read()

    def is_set(self) -> bool:
        """Whether a line with "stop" waits."""
        while not self._ended and readable([self._file], 0):
            self._read()
        return any(re.search(r'"type"\s*:\s*"stop"', line) for line in self._ready)

    def _read(self) -> None:
        found = os.read(self._file, LONGEST_LINE)
        *lines, self._rest = (self._rest + found).split(b"\n")
        if not found:
            self._ended = True
            lines, self._rest = [self._rest] if self._rest else [], b""
        self._ready.extend(line.decode("utf-8", "replace") for line in lines)


def serve(text: str, lines: Iterable[str], out: TextIO) -> None:
    """Play as the bot's end of the protocol by a policy, until the input ends.

    lines: `Lines`, so that a search can be stopped, or any others.

    Raises `ValueError` for a wrong policy or message, also for rules that name a file of this machine.
    """
    plays = policy(text)
    game: Any = None
    enough = lines if isinstance(lines, Lines) else None

    def answer(**message: Any) -> None:
        out.write(json.dumps(message) + "\n")
        out.flush()

    for line in lines:
        message = _message(line)
        kind = message["type"]
        if kind in ("hello", "new"):
            if kind == "hello" and message.get("protocol") != PROTOCOL:
                raise ValueError(f"protocol {message.get('protocol')!r} is not known, only {PROTOCOL}")
            game = game_of_rules(_value(message, "game", str), _value(message, "rules", dict))
        if kind == "hello":
            versions = message.get("protocols")
            newest = {"protocol": 2} if isinstance(versions, list) and 2 in versions else {}
            answer(type="ready", name=str(plays), **newest)
        elif kind == "new":
            answer(type="ready")
        elif kind == "options":
            answer(type="error", reason="there are no options")
        elif kind == "quit":
            return
        elif kind in ("choose", "analyse"):
            if game is None:
                raise ValueError(f'"{kind}" came before "hello"')
            state = game.deserialize_state(base64.b64decode(_value(message, "state", str)))
            luck: Any = OneNumber(_number(message))
            if kind == "choose":
                answer(type="action", token=state.action_to_string(plays.choose(state, luck, enough=enough)))
            else:
                answer(type="analysis", **_analysed(plays, state, luck, enough))


def _analysed(plays: Any, state: Any, luck: Any, enough: Signal | None) -> dict[str, Any]:
    """The analysis of a position by a policy, as in the message "analysis"."""
    if not hasattr(plays, "analyse"):
        return {"best": state.action_to_string(plays.choose(state, luck))}
    found = plays.analyse(state, luck, enough=enough)
    return {
        "best": state.action_to_string(found.best),
        "line": found.line,
        "simulations": found.simulations,
        "actions": [{key: row[key] for key in ("token", "share", "utilities")} for row in found.actions[:12]],
    }


def _is_option(given: Any) -> bool:
    """Whether a bot has described an option of its own."""
    return (
        isinstance(given, dict)
        and isinstance(given.get("name"), str)
        and given.get("kind") in list(KINDS_OF_OPTIONS)
        and _has_kind(given.get("default"), given["kind"])
    )


def _has_kind(value: Any, kind: str) -> bool:
    return isinstance(value, KINDS_OF_OPTIONS[kind]) and (kind == "bool" or not isinstance(value, bool))


def _message(line: str) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except RecursionError:
        raise ValueError("a message is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"a message is not JSON: {error}") from None
    if not isinstance(message, dict):
        raise ValueError(f"a message must be a JSON object, got {line.strip()[:60]!r}")
    _value(message, "type", str)
    return message


_KINDS: dict[type, str] = {str: "a string", dict: "an object"}


def _value(message: dict[str, Any], key: str, kind: type) -> Any:
    if not isinstance(message.get(key), kind):
        got = repr(message[key])[:60] if key in message else "nothing"
        raise ValueError(f"{key!r} of a message must be {_KINDS[kind]}, got {got}")
    return message[key]


def _number(message: dict[str, Any]) -> int:
    text = _value(message, "number", str)
    if not text.isascii() or not text.isdigit() or len(text) > 20 or int(text) >= 2**64:
        raise ValueError(f"'number' of a message must be below 2**64, in decimal, got {text[:60]!r}")
    return int(text)
