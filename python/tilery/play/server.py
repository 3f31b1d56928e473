"""The page of a session: a web server on this machine, for those who know the address.

The address holds a secret, and requests with another `Host`, or from pages of another origin, are refused with 403. A
page is told what its seat may know; only the seats of people can be asked for.
"""

from __future__ import annotations

import hmac
import json
import secrets
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tilery.errors import TileryError
from tilery.play.saved import SavedGame
from tilery.play.seats import PlayerError
from tilery.play.session import HINT, PlayError, Session, hints
from tilery.play.view import position, view

PAGE = Path(__file__).parents[1] / "page"
"""The files of the page."""
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
LONGEST_REQUEST = 65_536
PATIENCE = 20.0
"""Seconds that a request waits for news."""
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "connect-src 'self'",
        "img-src 'self' data:",
    )
)


class StaleError(PlayError):
    """A request about a position that is no longer the present one, as from a second tab."""


class ForbiddenError(Exception):
    """A request that the server does not answer."""


class Host:
    """A session that a page and the bots' thread share.

    again: begins a new game like the one that was played. saved: the file of the record. Its methods named in `CALLS`
    carry out the requests of the page.
    """

    CALLS = ("view", "play", "undo", "back", "position", "hint", "seat", "new", "record")

    def __init__(self, session: Session, again: Callable[[], Session], saved: SavedGame | None) -> None:
        self.session = session
        self._again = again
        self._saved = saved
        self._news = threading.Condition()
        self._trouble = self._unsaved = ""
        self._thinking: tuple[Session, int, float] | None = None
        with self._news:
            self._changed()

    def answer(self, name: str, request: dict[str, Any]) -> dict[str, Any]:
        """Carry out a request of the page.

        Raises `ForbiddenError` for a seat that is not a person's, `StaleError` for a version that has passed, and other
        `ValueError` for what cannot be done; nothing changes then.
        """
        if name not in self.CALLS:
            raise ForbiddenError(f"there is no request {name!r}")
        call: Callable[..., dict[str, Any]] = getattr(self, name)
        try:
            return call(**request)
        except TypeError as error:
            raise PlayError(f"{name}: {error}") from None

    def view(self, seat: int | None, version: int = -1) -> dict[str, Any]:
        """The session as a seat may know it, without one the first person's.

        If the page has this version already, after the next change or a while.
        """
        with self._news:
            if seat is None:
                seat = self.session.people[0]
            self._check(seat)
            self._news.wait_for(lambda: self.session.version != version, timeout=PATIENCE)
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
        """Give another seat, or this one, to a bot or a person."""
        with self._news:
            self._check(seat, version)
            self.session.take_seat(other, None if bot is None else _text(bot))
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


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise PlayError(f"expected a text, got {value!r}")
    return value


class Server(ThreadingHTTPServer):
    """Serves the page of a host; `url` is its address. `shutdown()` ends `serve_forever()`."""

    daemon_threads = True

    def __init__(self, host: Host, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.host = host
        self.secret = secrets.token_urlsafe(16)
        self.names = {f"{name}:{self.server_address[1]}" for name in ("127.0.0.1", "localhost")}

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of pages that were closed while they waited."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://127.0.0.1:{self.server_address[1]}/{self.secret}/"


class Handler(BaseHTTPRequestHandler):
    """Handles the requests of one connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self) -> None:
        """A file of the page."""
        path = self._path()
        if path is None:
            return
        file = PAGE / (path or "index.html")
        if file.parent != PAGE or file.suffix not in TYPES or not file.is_file():
            self._send(404, {"error": "there is no such page"})
            return
        self._send_bytes(200, file.read_bytes(), TYPES[file.suffix])

    def do_POST(self) -> None:
        """A request of the page."""
        origin = self.headers.get("Origin")
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > LONGEST_REQUEST:
            self.close_connection = True
            self._send(413, {"error": "the request is too long, or says not how long"})
            return
        body = self.rfile.read(int(length))
        if origin is not None and origin not in {f"http://{name}" for name in self.server.names}:
            self._send(403, {"error": "the request comes from another page"})
            return
        path = self._path()
        if path is None:
            return
        status, answer = self._answer(path, body)
        self._send(status, answer)

    def _answer(self, name: str, body: bytes) -> tuple[int, dict[str, Any]]:
        try:
            request = json.loads(body)
            if not isinstance(request, dict):
                raise PlayError("a request is a JSON object")
            return 200, self.server.host.answer(name, request)
        except ForbiddenError as error:
            return 403, {"error": str(error)}
        except StaleError as error:
            return 409, {"error": str(error)}
        except (TileryError, ValueError, RecursionError) as error:
            return 400, {"error": str(error)}

    def _path(self) -> str | None:
        """What follows the secret; None after an answer that refuses the request."""
        if self.headers.get("Host") not in self.server.names:
            self._send(403, {"error": "this server has another name"})
            return None
        secret, _, path = self.path.lstrip("/").partition("?")[0].partition("/")
        if not hmac.compare_digest(secret.encode(), self.server.secret.encode()):
            self._send(404, {"error": "the address is not complete"})
            return None
        return path

    def _send(self, status: int, answer: dict[str, Any]) -> None:
        self._send_bytes(status, json.dumps(answer).encode(), "application/json")

    def _send_bytes(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: object) -> None:
        """Say nothing."""
