"""The reference replays games that the engine has played, and compares every answer. `campaign.py` starts it:

    pypy3 -m tests.lab.replay < GAMES

GAMES are written by `send`. The output is a line of JSON: what was compared, and the first mismatch, if there is one.
Where a reference computes much, PyPy is several times as fast as CPython; elsewhere it may be slower. Debian's is a
Python 3.9 without NumPy: what the reference needs besides stands below and in `arrays.py`.
"""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import json
import marshal
import subprocess
import sys
import types
import typing
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from tests.kit.comparing import agree, apply_reference, of_position, of_questions

PACKAGE = Path(__file__).parents[2] / "python" / "tilery"
FORMAT = 2
"""Of marshal: every Python reads it."""
LENGTH = 8
"""Bytes of the length before each game."""

Game = tuple[str, dict[str, Any], list[Any]]
"""Name, options, and for each position: the answers of the engine (`of_position`), those to `of_questions` or None, the
action taken there (-1 at the end), its token, and its score events."""


@contextlib.contextmanager
def reproducible(name: str, options: dict[str, Any], tokens: list[str]) -> Iterator[None]:
    """What fails inside is reported with the game and the tokens until then."""
    try:
        yield
    except Exception as error:
        raise RuntimeError(f"{name} {options} after {' '.join(tokens)}: {type(error).__name__} {error}") from None


def replay(game: Game) -> None:
    """Play a game again, and compare every answer; the seed of `of_questions` is the number of the position."""
    from tilery.reference import load

    name, options, positions = game
    tokens: list[str] = []
    with reproducible(name, options, tokens):
        state: Any = load(name, **options).new_initial_state()
        for number, (answers, questions, action, token, events) in enumerate(positions):
            agree(answers, of_position(state))
            if questions is not None:
                agree(questions, of_questions(state, number))
            if action >= 0:
                tokens.append(token)
                agree({"score_events": events}, {"score_events": apply_reference(state, action)})


def send(game: Game, file: BinaryIO) -> None:
    content = marshal.dumps(game, FORMAT)
    file.write(len(content).to_bytes(LENGTH, "little") + content)


def received(file: BinaryIO) -> Iterator[Game]:
    while length := file.read(LENGTH):
        yield marshal.loads(file.read(int.from_bytes(length, "little")))


def same_length_zip(*iterables: Any, strict: bool = False) -> Iterator[Any]:
    """`zip` of Python 3.10."""
    if not strict:
        return ZIP(*iterables)
    lists = [each if isinstance(each, (list, tuple)) else list(each) for each in iterables]
    if any(len(each) != len(lists[0]) for each in lists):
        raise ValueError("zip() arguments of different lengths")
    return ZIP(*lists)


ZIP: Any = zip


def dataclass_without_slots(*, slots: bool = False, **how: Any) -> Any:
    """`dataclass` of Python 3.10; without slots a class does the same."""
    return DATACLASS(**how)


DATACLASS: Any = dataclasses.dataclass


def stand_in() -> None:
    """Let the reference be imported: without the engine, which `tilery` imports, and by an older Python."""
    from tests.lab import arrays

    package = types.ModuleType("tilery")
    package.__path__ = [str(PACKAGE)]
    sys.modules.update({"tilery": package, "numpy": arrays, "numpy.typing": arrays})
    arrays.typing = arrays
    if sys.implementation.name == "pypy":
        typing.Self = Any
        typing.TypeAlias = Any
        builtins.zip = same_length_zip
        dataclasses.dataclass = dataclass_without_slots


def decisions(game: Game) -> int:
    return sum(answers["current_player"] >= 0 for answers, *_ in game[2])


def compared(games: Iterable[Game], python: str | None) -> dict[str, int]:
    """Replay games, by another Python if one is named; returns what was compared. `RuntimeError` for a mismatch."""
    counts = {"positions": 0, "games": 0}

    def counted() -> Iterator[Game]:
        for game in games:
            counts["positions"] += decisions(game)
            counts["games"] += 1
            yield game

    if python is None:
        for game in counted():
            replay(game)
        return counts
    words = [python, "-m", "tests.lab.replay"]
    with subprocess.Popen(words, cwd=PACKAGE.parents[1], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdin is not None
        for game in counted():
            send(game, program.stdin)
        output, _ = program.communicate()
    answer = json.loads(output)
    if "mismatch" in answer:
        raise RuntimeError(answer["mismatch"])
    assert answer == counts, f"{words} compared {answer} of {counts}"
    return counts


def main() -> None:
    stand_in()
    games = received(sys.stdin.buffer)
    try:
        answer: dict[str, Any] = compared(games, None)
    except RuntimeError as error:
        answer = {"mismatch": str(error)}
        for _ in games:  # so that whoever sends them can go on
            pass
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
