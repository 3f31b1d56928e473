"""The server of the page: who may ask for what, and that nobody gets more than they may see."""

from __future__ import annotations

import http.client
import json
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.kit.games import GAMES
from tests.kit.waiting import until
from tests.kit.web import content_of
from tilery import record
from tilery.play import Session
from tilery.play.host import Host
from tilery.play.saved import SavedGame
from tilery.play.server import Server, names_of
from tilery.play.view import view


@contextmanager
def served(session: Session, saved: SavedGame | None = None, patience: float = 20.0) -> Iterator[Server]:
    """A server of a session, on a thread."""
    host = Host(session, saved=saved, patience=patience)
    with Server(host) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
            host.close()


def ask(server: Server, name: str, headers: dict[str, str] | None = None, **data: Any) -> tuple[int, Any]:
    """Status and answer of a request."""
    return send(server.url + name, json.dumps(data).encode(), headers or {})


def send(url: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
    request = urllib.request.Request(url, data=body, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            content = reply.read()
            return reply.status, json.loads(content) if "json" in reply.headers["Content-Type"] else content
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def settled(server: Server, seat: int = 0) -> dict[str, Any]:
    """The view when no bot is thinking any more."""

    def found() -> dict[str, Any] | None:
        view: dict[str, Any] = ask(server, "view", seat=seat)[1]
        return None if view["thinking"] else view

    view: dict[str, Any] = until(found, "the bot has chosen")
    return view


@pytest.mark.parametrize("name", GAMES)
def test_some_turns_by_requests(name: str, tmp_path: Path) -> None:
    """Choices, hints, undo, earlier positions, and a record on disk that is always the present one."""
    game, file = tilery.load(name), tmp_path / "game.jsonl"
    session = Session(game, [None, *["random"] * (game.num_players - 1)], seed=3)
    with served(session, SavedGame(file)) as server:
        seen = settled(server)
        for _ in range(3):
            if seen["actor"] < 0:
                break
            assert seen["actor"] == 0
            status, hinted = ask(server, "hint", seat=0, version=seen["version"])
            assert status == 200
            tokens = [action["token"] for action in seen["actions"]]
            assert hinted["hints"][0]["token"] in tokens
            status, _ = ask(server, "play", seat=0, version=seen["version"], token=tokens[0])
            assert status == 200
            seen = settled(server)
            (written,) = record.read(file)
            assert len(written.actions.split()) == len(seen["moves"])
        status, back = ask(server, "undo", seat=0, version=seen["version"])
        assert status == 200
        assert len(back["moves"]) < len(seen["moves"])
        status, early = ask(server, "position", seat=0, number=0)
        assert (status, early["number"]) == (200, 0)
        assert early["picture"].startswith("<svg ")
        (written,) = record.read(file)
        assert len(written.actions.split()) == len(settled(server)["moves"])


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_is_told_what_it_may_know(name: str) -> None:
    """Two positions that a player cannot tell apart give the same view, move by move."""
    game = tilery.load(name)
    session = Session(game, [None] * game.num_players, seed=8)
    for step in range(12):
        if session.actor < 0:
            break
        for viewer in range(game.num_players):
            shown = view(session, viewer)
            true, hidden = session.state, session.state.determinize(viewer, 1000 + step)
            session.state = session._states[-1] = hidden
            view_then = view(session, viewer)
            session.state = session._states[-1] = true
            assert view_then == shown
            assert len(shown["actions"]) == (true.num_legal_actions() if viewer == session.actor else 0)
        session.play(game.action_to_string(session.state.random_action(step)))


def test_the_seats_of_bots_are_closed() -> None:
    with served(Session(tilery.load("toy"), [None, "random"])) as server:
        version = settled(server)["version"]
        for seat in (1, 2, -1, True, "0", 0.5, [0], {}):
            for name, more in (("view", {}), ("position", {"number": 0}), ("undo", {"version": version})):
                assert ask(server, name, seat=seat, **more)[0] == 403, (name, seat)


def test_records_of_several_people_wait_for_the_end() -> None:
    """They show all hands; one person against bots may keep the game at any time."""
    game = tilery.load("toy", hand=4)
    with served(Session(game, [None, None])) as server:
        assert ask(server, "record", seat=0)[0] == 400
        assert "all hands" in ask(server, "record", seat=0)[1]["error"]
    with served(Session(game, [None, "random"])) as server:
        settled(server)
        assert ask(server, "record", seat=0)[1]["record"] == server.host.session.record().to_json()


def test_bad_requests_change_nothing() -> None:
    session = Session(tilery.load("toy", hand=4), [None, "random"], seed=2)
    with served(session) as server:
        version, before = settled(server)["version"], session.state.clone()
        illegal = next(t for t in "12345" if session.state.why_illegal(session.game.string_to_action(t)))
        for token in (illegal, "*1", "what", "", None, 5, ["1"], "1" * 10_000):
            status, answer = ask(server, "play", seat=0, version=version, token=token)
            assert status == 400, token
            assert answer["error"]
        assert ask(server, "play", seat=0, version=version)[0] == 400
        assert ask(server, "play", seat=0, version=version, token="1", more=1)[0] == 400
        assert ask(server, "play", seat=0, version=version - 1, token="1")[0] == 409
        assert ask(server, "back", seat=0, version=version, number=10**9)[0] == 400
        assert ask(server, "back", seat=0, version=version, number="x")[0] == 400
        assert ask(server, "seat", seat=0, version=version, other=1, bot="mctx")[0] == 400
        for name in ("answer", "close", "_view", "nothing"):
            assert ask(server, name, seat=0)[0] == 403
        for body in (b"", b"[1]", b"{", b"\xff", b"[" * 60_000):
            assert send(server.url + "play", body)[0] == 400
        assert send(server.url + "play", b"x" * 70_000)[0] == 413
        assert session.state == before
        assert session.version == version


def test_a_page_runs_nothing_that_the_game_was_not_started_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a program nor a module; what is refused changes nothing."""
    mark = tmp_path / "ran"
    (tmp_path / "module_of_a_page.py").write_text(f"open({str(mark)!r}, 'w')\nfirst = min\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    began_with = "py:tests.play.test_session:first"
    with served(Session(tilery.load("toy", players=3), [None, began_with, None], seed=3)) as server:
        version = settled(server)["version"]
        for bot in (
            f"cmd:touch {mark}",
            "py:module_of_a_page:first",
            "py:tests.play.test_session:failing",
            "cmd:",
            "py:",
        ):
            for other in (0, 1):
                status, answer = ask(server, "seat", seat=0, version=version, other=other, bot=bot)
                assert status == 400, bot
                assert answer["error"].endswith(f"the bots that the game began with, not {bot!r}")
        assert ask(server, "seat", seat=0, version=version, other=1, bot=["cmd:touch"])[0] == 400
        assert "module_of_a_page" not in sys.modules
        assert settled(server)["version"] == version
        allowed: list[tuple[int, str | None]] = [(1, "greedy"), (2, began_with), (1, began_with), (1, None)]
        for seat, taker in allowed:
            status, seen = ask(server, "seat", seat=0, version=version, other=seat, bot=taker)
            assert status == 200, taker
            assert seen["seats"][seat] == taker
            version = settled(server)["version"]
    assert not mark.exists()


@pytest.mark.parametrize("length", ["", "-2", "+2", "0x2", "1_0", "\xb2", "9" * 5000, None])
def test_a_length_that_is_not_a_number_gets_an_answer(length: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    """Digits that int() does not take, or too many for it, are not an exception on the server's thread."""
    with (
        served(Session(tilery.load("toy"), [None, "random"])) as server,
        closing(http.client.HTTPConnection(*server.server_address, timeout=30)) as connection,
    ):
        connection.putrequest("POST", f"/{server.secret}/view")
        if length is not None:
            connection.putheader("Content-Length", length)
        connection.endheaders(b"{}")
        reply = connection.getresponse()
        assert reply.status == 400
        assert "Content-Length" in json.loads(reply.read())["error"]
    assert capsys.readouterr().err == ""


def test_other_origins_and_names_are_refused() -> None:
    with served(Session(tilery.load("toy"), [None, "random"])) as server:
        version = settled(server)["version"]
        for origin in ("https://example.org", "null", "http://127.0.0.1:1"):
            status, _ = ask(server, "undo", {"Origin": origin}, seat=0, version=version)
            assert status == 403, origin
        own = server.url.rsplit("/", 2)[0]
        assert ask(server, "view", {"Origin": own}, seat=0)[0] == 200
        port = server.server_address[1]
        for host in (f"LOCALHOST:{port}", f"LocalHost:{port}", f"127.0.0.1:{port}"):
            assert ask(server, "view", {"Host": host, "Origin": f"http://{host}"}, seat=0)[0] == 200, host
        for host in ("localhost", "localhost:80", "127.0.0.1"):  # of a server at port 80
            assert ask(server, "view", {"Host": host}, seat=0)[0] == 403, host
        assert ask(server, "view", {"Host": "example.org"}, seat=0)[0] == 403
        assert send(server.url, headers={"Host": "example.org"})[0] == 403
        for path in ("/", "/x/", "/x/view", f"/{server.secret[:-1]}/"):
            assert send(own + path)[0] == 404
            assert send(own + path, b"{}")[0] == 404


def test_browsers_leave_out_port_80() -> None:
    assert names_of(80) == {"127.0.0.1", "127.0.0.1:80", "localhost", "localhost:80"}
    assert names_of(8080) == {"127.0.0.1:8080", "localhost:8080"}


def test_only_files_of_the_page_are_served() -> None:
    with served(Session(tilery.load("toy"), [None, "random"])) as server:
        for name in ("", "index.html", "board.js"):
            assert send(server.url + name)[0] == 200, name
        for name in (
            "../match.py",
            "..%2fmatch.py",
            "nothing.js",
            "page.js",
            "style.css",
            "%00",
            "../page/index.html",
            "x" * 5000 + ".js",
        ):
            assert send(server.url + name)[0] == 404, name


def hanging(_state: Any, _rng: Any) -> int:
    """A bot that never replies."""
    time.sleep(10_000)
    return 0


@pytest.mark.parametrize("bot", ["tests.play.test_session:failing", f"{__name__}:hanging"])
def test_a_bot_that_fails_or_hangs_is_replaced(bot: str) -> None:
    session = Session(tilery.load("toy"), [None, f"py:{bot}"], seed=3)
    with served(session) as server:
        seen = settled(server)
        ask(server, "play", seat=0, version=seen["version"], token=seen["actions"][0]["token"])
        if "hanging" not in bot:
            seen = settled(server)
            assert "out of ideas" in seen["trouble"]
        else:
            views = [ask(server, "view", seat=0)[1] for _ in range(4)]
            seen = views[-1]
            assert seen["thinking"]
            assert all(each["seconds"] == round(each["seconds"], 1) for each in views)
        status, _ = ask(server, "seat", seat=0, version=seen["version"], other=1, bot="random")
        assert status == 200
        seen = settled(server)
        assert seen["trouble"] == ""
        assert seen["actor"] == 0


def test_waiting_pages_hear_of_changes() -> None:
    """A view is answered as soon as there is another version, as when a second tab plays."""
    with served(Session(tilery.load("toy"), [None, None], seed=3)) as server:
        version = ask(server, "view", seat=0)[1]["version"]
        heard: list[Any] = []
        waiting = threading.Thread(target=lambda: heard.append(ask(server, "view", seat=0, version=version)))
        waiting.start()
        token = ask(server, "view", seat=0)[1]["actions"][0]["token"]
        assert ask(server, "play", seat=0, version=version, token=token)[0] == 200
        waiting.join(timeout=60)
        assert heard
        assert heard[0][1]["version"] > version
        assert ask(server, "play", seat=0, version=version, token=token)[0] == 409


def test_a_new_game_follows_in_the_same_file(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    with served(Session(tilery.load("toy"), [None, "random"], seed=3), SavedGame(file)) as server:
        while (seen := settled(server))["actor"] >= 0:
            ask(server, "play", seat=0, version=seen["version"], token=seen["actions"][0]["token"])
        status, found = ask(server, "record", seat=0)
        assert status == 200
        assert record.replay(found["record"]).is_terminal()
        asked = {"options": {}, "seats": [None, "random"], "names": []}
        assert ask(server, "begin", seat=0, version=seen["version"], **asked)[0] == 200
        assert settled(server)["actor"] == 0
    first, second = record.read(file)
    assert first.scores is not None
    assert second.scores is None


def test_a_game_that_is_over_is_reviewed() -> None:
    game = tilery.load("toy")
    with served(Session(game, [None, "random"], seed=3)) as server:
        assert send(server.url + "review")[0] == 404
        while (view := settled(server))["actor"] >= 0:
            ask(server, "play", seat=0, version=view["version"], token=view["actions"][0]["token"])
        status, rough = send(server.url + "review")
        assert status == 200
        assert content_of(rough.decode())["closer"] == "closer-review"
        for _ in range(2):
            status, page = send(server.url + "closer-review")
            assert status == 200
            shown = content_of(page.decode())
            assert shown["closer"] is None
            assert shown["review"]["players"][0]["words"].startswith("Player 0 ended")
        assert server.judge is not None
        assert server.judge.looked
