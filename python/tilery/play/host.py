"""The requests of a page, whichever way they come: what each seat may ask, and what it is told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from tilery.errors import TileryError
from tilery.play.saved import SavedGame
from tilery.play.seats import PlayerError, names_policy
from tilery.play.session import HINT, PlayError, Session, hints
from tilery.play.view import position, view


class StaleError(PlayError):
    """A request about a position that is no longer the present one, as from a second tab."""


class ForbiddenError(Exception):
    """A request that the server does not answer."""


class Host:
    """A session that a page and the bots' thread share.

    again: begins a new game like the one that was played. saved: the file of the record. told: called after every
    change, on the thread that made it. patience: seconds that a request for a view waits for news. Its methods named in
    `CALLS` carry out the requests of the page. Functions and programs run with the rights of this process, so a page
    can seat only those that the session begins with.
    """

    CALLS = ("view", "play", "undo", "back", "position", "hint", "seat", "new", "record")

    def __init__(
        self,
        session: Session,
        again: Callable[[], Session],
        saved: SavedGame | None = None,
        *,
        told: Callable[[], object] = lambda: None,
        patience: float = 20.0,
    ) -> None:
        self.session = session
        self._again = again
        self._known = frozenset(session.seats)
        self._saved = saved
        self._told = told
        self._patience = patience
        self._news = threading.Condition()
        self._trouble = self._unsaved = ""
        self._thinking: tuple[Session, int, float] | None = None
        with self._news:
            self._changed()

    def reply(self, name: object, request: object) -> tuple[int, dict[str, Any]]:
        """Carry out a request of the page, whatever it is; returns a status as of HTTP, and the answer.

        If the status is not 200, the answer is a dict of `error`, the reason.
        """
        try:
            if not isinstance(name, str) or not isinstance(request, dict):
                raise PlayError("a request is a name and a JSON object")
            return 200, self.answer(name, request)
        except ForbiddenError as error:
            return 403, {"error": str(error)}
        except StaleError as error:
            return 409, {"error": str(error)}
        except (TileryError, ValueError, RecursionError) as error:
            return 400, {"error": str(error)}

    def answer(self, name: str, request: dict[str, Any]) -> dict[str, Any]:
        """Carry out a request of the page.

        Raises `ForbiddenError` for a seat that is not a person's, `StaleError` for a version that has passed, and other
        `ValueError` for what cannot be done; nothing changes then.
        """
        if name not in self.CALLS:
            raise ForbiddenError(f"there is no request {name!r}")
        call: Callable[..., dict[str, Any]] = getattr(self, name)
        version = self.session.version
        try:
            answer = call(**request)
        except TypeError as error:
            raise PlayError(f"{name}: {error}") from None
        if self.session.version != version:
            self._told()
        return answer

    def view(self, seat: int | None, version: int = -1) -> dict[str, Any]:
        """The session as a seat may know it, without one the first person's.

        If the page has this version already, after the next change or a while.
        """
        with self._news:
            if seat is None:
                seat = self.session.people[0]
            self._check(seat)
            self._news.wait_for(lambda: self.session.version != version, timeout=self._patience)
            return self._view(seat)

    def play(self, seat: int, version: int, token: str) -> dict[str, Any]:
        """Take an action."""
        with self._news:
            self._check(seat, version)
            if self.session.actor != seat:
                raise PlayError(f"it is not the turn of player {seat}")
            self.session.play(_text(token))
            return self._changed(seat)

    def undo(self, seat: int, version: int) -> dict[str, Any]:
        """Return to the seat's last choice."""
        with self._news:
            self._check(seat, version)
            self.session.undo(seat)
            return self._changed(seat)

    def back(self, seat: int, version: int, number: int) -> dict[str, Any]:
        """Play on from the position after a number of actions."""
        with self._news:
            self._check(seat, version)
            self.session.go_back(number)
            return self._changed(seat)

    def position(self, seat: int, number: int) -> dict[str, Any]:
        """The position after a number of actions, as the seat may know it."""
        with self._news:
            self._check(seat)
            return position(self.session, seat, number)

    def hint(self, seat: int, version: int) -> dict[str, Any]:
        """The best actions of the seat, which is to act."""
        with self._news:
            self._check(seat, version)
            if self.session.actor != seat:
                raise PlayError(f"it is not the turn of player {seat}")
            state, number = self.session.state.clone(), len(self.session.moves)
        return {"version": version, "hints": hints(state, number, HINT)}

    def seat(self, seat: int, version: int, other: int, bot: str | None) -> dict[str, Any]:
        """Give another seat, or this one, to a person, a policy of the engine, or a bot that the session began with."""
        with self._news:
            self._check(seat, version)
            if bot is not None and not names_policy(_text(bot)) and bot not in self._known:
                raise PlayError(f"a page can seat policies and the bots that the game began with, not {bot!r}")
            self.session.take_seat(other, bot)
            self._trouble = ""
            return self._changed(seat if seat in self.session.people else other)

    def new(self, seat: int, version: int) -> dict[str, Any]:
        """Begin another game of the same kind."""
        with self._news:
            self._check(seat, version)
            begun = self._again()
            begun.version += self.session.version
            self.session.close()
            self.session = begun
            if self._saved is not None:
                self._saved = SavedGame(self._saved.path, new_game=True)
            self._trouble = ""
            return self._changed(seat)

    def record(self, seat: int) -> dict[str, Any]:
        """The record of the game, when it is over: it shows all hands."""
        with self._news:
            self._check(seat)
            if not self.session.state.is_terminal():
                raise PlayError("the record shows all hands, so it is there when the game is over")
            return {"record": self.session.record().to_json()}

    def wait(self, seconds: float) -> bool:
        """Wait until no bot is thinking; returns whether that was within so many seconds."""
        with self._news:
            return self._news.wait_for(lambda: self._thinking is None, timeout=seconds)

    def close(self) -> None:
        """End the programs in seats."""
        self.session.close()

    # --- With the lock held. ---

    def _check(self, seat: int, version: int | None = None) -> None:
        if isinstance(seat, bool) or seat not in self.session.people:
            raise ForbiddenError(f"seat {seat!r} is not a person's")
        if version is not None and version != self.session.version:
            raise StaleError("the game has moved on")

    def _view(self, seat: int) -> dict[str, Any]:
        self._check(seat)
        thinking, trouble = self._thinking is not None, self._trouble or self._unsaved
        seconds = round(time.monotonic() - self._thinking[2], 1) if self._thinking is not None else 0
        return view(self.session, seat) | {"trouble": trouble, "thinking": thinking, "seconds": seconds}

    def _changed(self, seat: int | None = None) -> dict[str, Any]:
        """Save, tell waiting pages, and let a bot think if one is to act."""
        if self._saved is not None:
            try:
                self._saved.save(self.session)
            except OSError as error:
                self._unsaved = f"the record cannot be written: {error}"
            else:
                self._unsaved = ""
        if self._thinking is not None:
            self.session.interrupt()
            self._thinking = None
        if self.session.actor >= 0 and not self.session.waits_for_person and not self._trouble:
            self._thinking = self.session, self.session.version, time.monotonic()
            threading.Thread(target=self._think, args=(self.session.thought(), self._thinking), daemon=True).start()
        self._news.notify_all()
        return {} if seat is None else self._view(seat)

    def _think(self, thought: Callable[[], int], thinking: tuple[Session, int, float]) -> None:
        """Choose for a bot, and take the action unless the game has moved on meanwhile."""
        action, trouble = -1, ""
        try:
            action = thought()
        except PlayerError as error:
            trouble = str(error)
        with self._news:
            if self._thinking is not thinking:
                return
            self._thinking = None
            self._trouble = trouble
            if trouble:
                self.session.version += 1
            else:
                self.session.play_bot(action)
            self._changed()
        self._told()


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise PlayError(f"expected a text, got {value!r}")
    return value
