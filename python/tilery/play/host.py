"""The requests of a page and the replies to them: what each seat may ask, and what it may know."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import tilery
from tilery import record, rules_page
from tilery.errors import StoppedError, TileryError
from tilery.options import game_of_rules
from tilery.pages import as_html
from tilery.play import requests
from tilery.play.requests import ForbiddenError, Request
from tilery.play.saved import SavedGame
from tilery.play.seats import PlayerError, Thought
from tilery.play.session import PlayError, Session, hints, levels, seats_of
from tilery.play.view import position, preview, view
from tilery.policies import of_engine
from tilery.tutorial import Taught, lessons


class StaleError(PlayError):
    """A request about a position that is no longer the present one, as from a second tab."""


class Host:
    """A session that a page and the bots' thread share.

    again: begins the game that a request `new` asks for; by default one of the same rules and players. saved: the file
    of the record. told: called after every change, on the thread that made it. patience: seconds that a request for a
    view waits for news. Functions and programs run with the rights of this process, so a page can seat only those that
    the session begins with.
    """

    def __init__(
        self,
        session: Session,
        again: Callable[[], Session] | None = None,
        saved: SavedGame | None = None,
        *,
        told: Callable[[], object] = lambda: None,
        patience: float = 20.0,
    ) -> None:
        self.session = session
        self._known = frozenset(session.seats)
        self._again = again or self._like_this
        self._saved = saved
        self._told = told
        self._patience = patience
        self._news = threading.Condition()
        self._trouble = self._unsaved = ""
        self._aside: tuple[Session, SavedGame | None] | None = None
        """The game that waits while a lesson is taught, with its file."""
        self._thought: Thought | None = None
        self._since = 0.0
        self._seen: tuple[Any, dict[str, Any]] = None, {}
        """Of which session, version and seat the last view was, and that view."""
        with self._news:
            self._changed()

    def reply(self, name: object, data: object) -> tuple[int, dict[str, Any]]:
        """Carry out a request of the page, whatever it is; returns a status as of HTTP, and the answer.

        If the status is not 200, the answer is a dict of `error`, the reason, and nothing has changed.
        """
        try:
            return 200, self.answer(requests.parse(name, data))
        except (ForbiddenError, ValueError, TypeError, OSError, RecursionError) as error:
            status = 403 if isinstance(error, ForbiddenError) else 409 if isinstance(error, StaleError) else 400
            return status, {"error": str(error)}

    def answer(self, request: Request) -> dict[str, Any]:
        """Carry out a request of the page.

        Raises `ForbiddenError` for a seat that is not a person's, `StaleError` for a version that has passed, and other
        `ValueError` for what cannot be done; nothing changes then.
        """
        with self._news:
            before = self.session.version
            self._check(request)
            if isinstance(request, requests.Change):
                seat = self._change(request)
                self._changed(step=isinstance(request, requests.Step))
                answer = self._view(seat)
            else:
                answer = self._look(request)
            changed = isinstance(request, requests.Change) and self.session.version != before
        if isinstance(request, requests.Hint):
            answer["hints"] = answer["hints"]()  # without the lock: it takes a while
        if changed:
            self._told()
        return answer

    def wait(self, seconds: float) -> bool:
        """Wait until no bot is thinking, at most this many seconds; returns whether none is."""
        with self._news:
            return self._news.wait_for(lambda: self._thought is None, timeout=seconds)

    def close(self) -> None:
        """End what bots are thinking, and the programs in seats."""
        with self._news:
            self._interrupt()
            self.session.close()
            if self._aside is not None:
                self._aside[0].close()

    # --- With the lock held. ---

    def _check(self, request: Request) -> None:
        """Refuse what may not be asked; nothing has happened yet."""
        people = self.session.people
        anybody = request.seat is None and (not people or isinstance(request, requests.View))
        anybody = anybody and not isinstance(request, requests.Undo | requests.Resign)
        if not anybody and (type(request.seat) is not int or request.seat not in people):
            raise ForbiddenError(f"seat {request.seat!r} is not a person's")
        if isinstance(request, requests.Present) and request.version != self.session.version:
            raise StaleError("the game has moved on")
        if isinstance(request, requests.Play | requests.Hint | requests.Why) and self.session.actor != request.seat:
            raise PlayError(f"it is not the turn of player {request.seat}")
        if isinstance(request, requests.Seat):
            self._check_bot(request.bot)
            if request.bot is not None and people == [request.other]:
                raise PlayError("the last person stays, since nobody else can go on with the game")

    def _check_bot(self, bot: object) -> None:
        """Refuse what would start code that the page names."""
        if bot is not None and not (isinstance(bot, str) and (of_engine(bot) or bot in self._known)):
            raise PlayError(f"a page can seat policies and the bots that the game began with, not {bot!r}")

    def _look(self, request: Request) -> dict[str, Any]:
        match request:
            case requests.View():
                self._news.wait_for(lambda: self.session.version != request.version, timeout=self._patience)
                return self._view(next(iter(self.session.people), None) if request.seat is None else request.seat)
            case requests.Position():
                return position(self.session, request.seat, request.number, request.turns)
            case requests.Outlook():
                if self.session.game.hides_information:
                    raise PlayError("hidden cards may count at the end")
                return {"scores": self.session.state_after(request.number).scores_if_over()}
            case requests.Rules():
                game = self.session.game
                return {"rules": as_html(rules_page(game.name)), "options": game.rules.as_dict()}
            case requests.Options():
                name = self.session.game.name
                return {"options": [each._asdict() for each in tilery.options(name).values()], "levels": levels(name)}
            case requests.Preview():
                if request.version != self.session.version or self.session.actor != request.seat:
                    return {"picture": None}  # a pointer moves on while the move that it chose is played
                return preview(self.session, request.seat, request.token, request.turns)
            case requests.Why():
                return {"why": self.session.why(request.picks)}
            case requests.Hurry():
                if self._thought is None:
                    raise PlayError("no bot is thinking")
                self._thought.enough.set()
                return {"version": request.version}
            case requests.Hint():
                state, number = self.session.state.clone(), len(self.session.moves)
                return {"version": request.version, "hints": lambda: hints(state, number, None)}
            case _:
                hidden = self.session.game.hides_information and len(self.session.people) > 1
                if hidden and self.session.actor >= 0:
                    raise PlayError("the record shows all hands, so it is there when the game is over")
                return {"record": self.session.record().to_json()}

    def _change(self, request: Request) -> int | None:
        """Carry out a request that changes the session; returns the seat to be shown."""
        match request:
            case requests.Play():
                self.session.play(request.token)
            case requests.Undo(seat=int(seat)):
                self.session.undo(seat)
            case requests.Resign(seat=int(seat)):
                self.session.resign(seat)
            case requests.Back():
                self.session.go_back(request.number)
            case requests.Seat():
                self.session.take_seat(request.other, request.bot)
                self._trouble = ""
            case requests.Step():
                if self.session.people or self.session.actor < 0:
                    raise PlayError("nobody watches bots play here")
                self._trouble = ""
            case requests.Lesson():
                self._teach(request.number)
            case requests.New():
                self._begin(self._again())
            case requests.Begin():
                self._begin(self._asked(request))
            case requests.Open():
                self._begin(self._opened(request.record))
            case _:
                raise ForbiddenError(f"this page does not carry out {request!r}")
        people = self.session.people
        return request.seat if request.seat in people else next(iter(people), None)

    def _like_this(self) -> Session:
        now = self.session
        return Session(now.game, now.seats, seed=None, names=now.names, seconds=now.seconds)

    def _asked(self, request: requests.Begin) -> Session:
        name, seconds = self.session.game.name, self.session.seconds
        for bot in request.seats:
            self._check_bot(bot)
        game = game_of_rules(name, request.options)
        return Session(game, request.seats, seed=request.seed, names=request.names, seconds=seconds)

    def _opened(self, line: str) -> Session:
        written, name = record.Record.from_json(line), self.session.game.name
        if written.game != name:
            raise PlayError(f"this page plays {name}, and that is a game of {written.game}")
        seats = seats_of(written, record.game_of(written).num_players, strict=False)
        return Session.of_record(written, seats, seconds=self.session.seconds)

    def _begin(self, session: Session) -> None:
        """Go on with another session, which is added to the file if there is one."""
        old = self._aside[1] if self._aside else self._saved
        try:
            saved = None if old is None else SavedGame(old.path, new_game=True)
        except BaseException:
            session.close()
            raise
        if self._aside is not None:
            self._aside[0].close()
            self._aside = None
        self._go_on_with(session, saved)

    def _go_on_with(self, session: Session, saved: SavedGame | None) -> None:
        """Show another session. The one before is over, unless it waits."""
        session.version += self.session.version
        self._interrupt()
        if self._aside is None or self._aside[0] is not self.session:
            self.session.close()
        self.session, self._saved = session, saved
        self._trouble = ""

    def _teach(self, number: int | None) -> None:
        """Take up a lesson, or go back to the game."""
        if number is not None:
            session = Taught(lessons(self.session.game.name), number)
            session.seconds = self.session.seconds
            self._aside = self._aside or (self.session, self._saved)
            self._go_on_with(session, None)
        elif self._aside is not None:
            game, self._aside = self._aside, None
            self._go_on_with(*game)

    def _view(self, seat: int | None) -> dict[str, Any]:
        if seat not in self.session.people and (seat is not None or self.session.people):  # it was given away meanwhile
            raise ForbiddenError(f"seat {seat} is not a person's")
        trouble, thinking = self._trouble or self._unsaved, self._thought is not None
        seconds = round(time.monotonic() - self._since, 1) if thinking else 0
        key = (self.session, self.session.version, seat)
        if self._seen[0] != key:  # the response to a change and to the request that waits for it are the same view
            self._seen = key, view(self.session, seat)
        return self._seen[1] | {"trouble": trouble, "thinking": thinking, "seconds": seconds}

    def _changed(self, *, step: bool = False) -> None:
        """Save, tell waiting pages, and let a bot think if one is to act; where nobody plays, for a step only."""
        if self._saved is not None:
            self._unsaved = ""
            try:
                self._saved.save(self.session)
            except (OSError, TileryError) as error:
                self._unsaved = f"the record cannot be written: {error}"
        self._interrupt()
        asked = (bool(self.session.people) or step) and self.session.lesson is None
        if asked and self.session.actor >= 0 and not self.session.waits_for_person and not self._trouble:
            self._thought, self._since = self.session.thought(), time.monotonic()
            threading.Thread(target=self._think, args=(self._thought,), daemon=True).start()
        self._news.notify_all()

    def _interrupt(self) -> None:
        thought, self._thought = self._thought, None
        if thought is not None:
            thought.stop()

    def _think(self, thought: Thought) -> None:
        """Choose for a bot, and take the action unless the game has moved on meanwhile."""
        action, trouble = -1, ""
        try:
            action = thought()
        except PlayerError as error:
            trouble = str(error)
        except StoppedError:
            return
        with self._news:
            if self._thought is not thought:
                return
            self._thought = None
            self._trouble = trouble
            if trouble:
                self.session.version += 1
            else:
                self.session.play_bot(action)
            self._changed()
        self._told()
