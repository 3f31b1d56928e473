"""The page of a session: a web server on this machine, for those who know the address.

The address holds a secret, and requests with another `Host`, or from pages of another origin, are refused with 403. A
page gets only what its seat may see; only the seats of people can be asked for.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import re
import secrets
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tilery import pictures
from tilery.files import shipped
from tilery.luck import Judge
from tilery.play.files import component
from tilery.play.host import Host
from tilery.protocol import TERMINAL
from tilery.record import Record, game_of
from tilery.reviews import judge_of, review

LONGEST_REQUEST = 65_536
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:"
)
CLOSER = "closer-review"
REVIEW_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:"
)
"""Of the page of a review, which is one file, and asks for nothing but the closer one."""


def names_of(port: int) -> frozenset[str]:
    """The names that browsers have for a port of this machine, in lower case; they leave out the port 80."""
    hosts = ("127.0.0.1", "localhost")
    return frozenset(f"{host}:{port}" for host in hosts) | frozenset(hosts if port == 80 else ())


class Server(ThreadingHTTPServer):
    """Serves the page of a host; `url` is its address. `shutdown()` ends `serve_forever()`."""

    daemon_threads = True

    def __init__(self, host: Host, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.host = host
        self.secret = secrets.token_urlsafe(16)
        self.names = names_of(self.server_address[1])
        self.judge: Judge | None = None
        self.reviewing = threading.Lock()

    def review(self, written: Record, *, rough: bool) -> str:
        """The page of a review: a rough one, which asks for the closer one, or that. Positions are looked at once."""
        game = game_of(written)
        if self.judge is None or self.judge.game != game:
            self.judge = judge_of(game)
        with contextlib.nullcontext() if rough else self.reviewing:
            found = review(written, judge=self.judge, rough=rough)
        return pictures.steps(written, review=found, closer=CLOSER if rough else None)

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
    disable_nagle_algorithm = True
    """Else the end of a response waits up to 40 ms for the receipt of its beginning to be confirmed."""
    wbufsize = 1 << 20
    """Bytes of a response that are sent at once: head and body by themselves would wake the browser twice."""

    def do_GET(self) -> None:
        """A file of the page, or the review of a game that is over."""
        if (path := self._path()) is None:
            return
        name = path or "index.html"
        if name == "board.js":
            self._send_bytes(200, component().encode(), "text/javascript")
        elif name == "index.html":
            self._send_bytes(200, shipped("page", name).encode(), "text/html")
        elif name in ("review", CLOSER) and self.server.host.session.actor == TERMINAL:
            page = self.server.review(self.server.host.session.record(), rough=name == "review")
            self._send_bytes(200, page.encode(), "text/html", REVIEW_POLICY)
        else:
            self._send(404, {"error": "there is no such page"})

    def do_POST(self) -> None:
        origin = self.headers.get("Origin")
        if (length := self._length()) is None:
            return
        body = self.rfile.read(length)
        if origin is not None and origin.lower() not in {f"http://{name}" for name in self.server.names}:
            self._send(403, {"error": "the request comes from another page"})
            return
        if (path := self._path()) is None:
            return
        try:
            request = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._send(400, {"error": str(error)})
        else:
            self._send(*self.server.host.reply(path, request))

    def _length(self) -> int | None:
        """The length of the body in bytes; None after an answer that refuses the request."""
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length):  # int() takes other digits too, and is slow or fails on many
            status, error = 400, "Content-Length must be a number of at most 9 digits"
        elif int(length) > LONGEST_REQUEST:
            status, error = 413, f"the request is longer than {LONGEST_REQUEST} bytes"
        else:
            return int(length)
        self.close_connection = True
        self._send(status, {"error": error})
        return None

    def _path(self) -> str | None:
        """The path after the secret; None after an answer that refuses the request."""
        if self.headers.get("Host", "").lower() not in self.server.names:
            self._send(403, {"error": "this server has another name"})
            return None
        secret, _, path = self.path.lstrip("/").partition("?")[0].partition("/")
        if not hmac.compare_digest(secret.encode(), self.server.secret.encode()):
            self._send(404, {"error": "the address is not complete"})
            return None
        return path

    def _send(self, status: int, answer: dict[str, Any]) -> None:
        self._send_bytes(status, json.dumps(answer).encode(), "application/json")

    def _send_bytes(self, status: int, body: bytes, kind: str, policy: str = POLICY) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", policy)
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: object) -> None:
        """Say nothing."""
