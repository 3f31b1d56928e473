"""The tutorial of a game: small positions with something to do, the rule it shows, and the reason.

    >>> from tilery import tutorial
    >>> lesson = tutorial.lessons("pueblo")[0]
    >>> lesson.title, lesson.rule
    ('A block', 'PB-3')

The lessons are data (`python/tilery/data/lessons/`); the page plays them (docs/play.md).
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tilery
from tilery.files import shipped
from tilery.play.session import PlayError, Session

PUZZLE = "Puzzle"
"""The title of puzzles, which come after the other lessons."""


@dataclass(frozen=True)
class Lesson:
    """One lesson."""

    game: str
    title: str
    text: str
    """The task."""
    rule: str
    """The number of the rule that it shows; none of a puzzle."""
    why: str
    """The reason, shown when it is done."""
    options: Mapping[str, Any]
    """Of the game."""
    actions: str
    """The tokens that lead to the position, in which player 0 is to act."""
    do: str
    """The tokens that are right, as a regular expression."""


def lessons(game: str) -> list[Lesson]:
    """The lessons of a game, in order, and after them its puzzles (docs/review.md).

    None for a game without a tutorial. Raises `ValueError` for an unknown game.
    """
    tilery.rules_page(game)
    found = []
    for kind in ("tutorial", "puzzles"):
        with contextlib.suppress(FileNotFoundError):
            found += json.loads(shipped("data", "lessons", f"{game}-{kind}.json"))
    return [Lesson(game=game, **each) for each in found]


class Taught(Session):
    """The session of a lesson: player 0 is a person, and only what is right is played."""

    def __init__(self, course: Sequence[Lesson], number: int) -> None:
        if not 0 <= number < len(course):
            raise PlayError(f"there are {len(course)} lessons, not one of number {number}")
        self._lesson, self._place, self._count = course[number], number, len(course)
        self._puzzles = sum(each.title != PUZZLE for each in course)
        game = tilery.load(self._lesson.game, **self._lesson.options)
        self._before = self._lesson.actions.split()
        super().__init__(game, [None, *["random"] * (game.num_players - 1)], actions=self._before)

    @property
    def lesson(self) -> dict[str, Any]:
        """The lesson for the page: `number`, `count`, `puzzles` (the number of the first one), `title`, `text`, `rule`,
        `done`, and `why` when it is done."""
        done = len(self.moves) > len(self._before)
        shown = {"number": self._place, "count": self._count, "title": self._lesson.title, "text": self._lesson.text}
        shown["puzzles"] = self._puzzles
        return shown | {"rule": self._lesson.rule, "done": done, "why": self._lesson.why if done else ""}

    def play(self, token: str) -> None:
        """Take the action that the lesson asks for. Raises `PlayError` for another one."""
        self.game.string_to_action(token)
        if self.lesson["done"] or not re.fullmatch(self._lesson.do, token):
            raise PlayError(f"Not quite. {self._lesson.text}")
        super().play(token)

    def go_back(self, _number: int) -> None:
        """Return to the position of the lesson, whatever position is asked for."""
        super().go_back(len(self._before))
