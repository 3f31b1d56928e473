"""The board in a notebook: what it tells the browser, what it takes from it, and real clicks on it."""

from __future__ import annotations

import base64
import importlib
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES
from tests.kit.walking import walk
from tests.kit.web import chromium
from tests.play.test_page import DESK, Player
from tilery import record
from tilery.extras import MissingExtraError
from tilery.play import PlayError

pytest.importorskip("anywidget", reason="pip install 'tilery[widget]'")
comm = importlib.import_module("comm")
widget = importlib.import_module("tilery.widget")


class Wire(comm.base_comm.BaseComm):  # type: ignore[misc, name-defined]  # comm has no types
    """What goes to the browser and comes from it, without a kernel."""

    def __init__(self, **settings: Any) -> None:
        self.sent: list[dict[str, Any]] = []
        super().__init__(**settings)

    def publish_msg(self, msg_type: str, data: Any = None, **_more: Any) -> None:
        """Keep what would be sent."""
        self.sent.append({"type": msg_type, **(data or {})})

    def receive(self, content: Any) -> None:
        """Take a message of the page."""
        self.handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})

    def custom(self) -> list[Any]:
        """The messages to the page since the last call."""
        found = [message["content"] for message in self.sent if message.get("method") == "custom"]
        self.sent = [message for message in self.sent if message.get("method") != "custom"]
        return found


@pytest.fixture(autouse=True)
def wires(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every widget gets a wire."""
    monkeypatch.setattr(comm, "create_comm", Wire)


def ask(board: Any, name: Any, **data: Any) -> Any:
    """The reply to a request of the page."""
    board.comm.receive({"number": 5, "name": name, "data": data})
    (reply,) = [message for message in board.comm.custom() if message.get("number") == 5]
    return reply


def first(state: Any, rng: np.random.Generator) -> int:
    """A bot."""
    assert isinstance(rng, np.random.Generator)
    action: int = state.legal_actions()[0]
    return action


@pytest.mark.parametrize("name", GAMES)
def test_a_board_plays_with_a_bot(name: str) -> None:
    """By messages and from Python, with undo, hints and observers; the record replays."""
    game = tilery.load(name)
    board = widget.Board(game, bot="random", seed=4)
    seen: list[Any] = []
    board.observe(lambda change: seen.append(change["new"]), "state")
    assert board.wait()
    view = ask(board, "view", seat=None, version=-1)["answer"]
    assert (view["viewer"], view["people"], view["actor"]) == (0, [0], 0)
    board.play(board.hints("mcts:20")[0]["token"])
    assert board.wait()
    assert seen[-1] == board.state
    view = ask(board, "view", seat=0, version=view["version"])["answer"]
    reply = ask(board, "play", seat=0, version=view["version"], token=view["actions"][0]["token"])
    assert len(reply["answer"]["moves"]) > len(view["moves"])
    assert board.wait()
    before = len(board.moves)
    for wrong in (False, 0.0, "0", 9):
        with pytest.raises(ValueError, match="seat must be an integer from 0 to"):
            board.undo(wrong)
    assert len(board.moves) == before
    board.undo()
    assert len(board.moves) < before
    board.play(board.state.legal_actions()[-1])
    assert board.wait()
    assert record.replay(board.record) == board.state
    assert board.state.to_svg(0) == board._repr_mimebundle_()[0]["image/svg+xml"]
    board.close()


def test_a_notebook_keeps_a_picture_where_no_kernel_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages made of notebooks leave the place of a widget blank, so the picture is an output of its own."""
    shown: list[Any] = []
    monkeypatch.setattr("IPython.get_ipython", object)
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append((data, raw)))
    board = widget.Board(tilery.load("toy"), bot="random", seed=4)
    assert board.wait()
    assert "image/svg+xml" not in board._repr_mimebundle_()[0]
    ((data, raw),) = shown
    assert raw
    assert 'class="tilery-static"' in data["text/html"]
    assert "max-width:100%" in data["text/html"]
    source = data["text/html"].partition("base64,")[2].partition('"')[0]
    assert base64.b64decode(source).decode() == board.state.to_svg(0)
    assert ".tilery-static" in widget.module()  # which a board that is alive hides
    board.close()


def test_functions_and_states() -> None:
    """A function plays, from the middle of a game."""
    game = tilery.load("toy", players=3, hand=4)
    state = walk(game, seed=1, actions=18)
    assert not state.is_terminal()
    board = widget.Board(state, 2, first, seed=9)
    assert board.wait()
    assert board.state.current_player() == 2
    view = ask(board, "view", seat=2, version=-1)["answer"]
    assert view["seats"] == [f"py:{__name__}:first"] * 2 + [None]
    while not board.state.is_terminal():
        board.play(board.state.legal_actions()[0])
        assert board.wait()
    with pytest.raises(PlayError, match="began later"):
        _ = board.record
    assert "began later" in ask(board, "record", seat=2)["error"]
    with pytest.raises(PlayError, match="the game is over"):
        board.play("1")


def snapshot(board: Any, viewer: int) -> str:
    """All that the browser gets of a board: traits, the picture for saved notebooks and what pages ask."""
    for name in ("view", "position", "hint"):
        version = {"version": -1} if name == "view" else {}
        if name == "hint":
            version = {"version": board._host.session.version}
        ask_for = {"position": {"number": 0}}.get(name, {})
        board.comm.receive({"number": 1, "name": name, "data": {"seat": viewer, **version, **ask_for}})
    shown = board._repr_mimebundle_()
    text = json.dumps([board.comm.sent, shown[0] if isinstance(shown, tuple) else shown])
    return text.replace(board.model_id, "").replace(board.layout.model_id, "").replace(repr(board), "")


@pytest.mark.parametrize("name", GAMES)
def test_the_browser_is_told_what_a_seat_may_know(name: str) -> None:
    """Boards of positions that a player cannot tell apart send the same."""
    game = tilery.load(name)
    for seed in range(3):
        state = walk(game, seed=seed, actions=10 + 15 * seed)
        if state.is_terminal() or state.is_chance_node():
            continue
        viewer = state.current_player()
        other = state.determinize(viewer, 77)
        assert (other == state) is not game.hides_information or seed
        boards = [widget.Board(each, viewer, "random", seed=1) for each in (state, other)]
        assert snapshot(boards[0], viewer) == snapshot(boards[1], viewer)


def test_bad_messages_change_nothing() -> None:
    board = widget.Board(tilery.load("toy", hand=4), bot="random", seed=2)
    version, before = board._host.session.version, board.state.clone()
    illegal = next(t for t in "12345" if before.why_illegal(before.string_to_action(t)))
    for token in (illegal, "*1", "what", "", None, 5, ["1"], {}):
        assert ask(board, "play", seat=0, version=version, token=token)["error"], token
    assert ask(board, "play", seat=1, version=version, token="1")["forbidden"]
    assert ask(board, "play", seat=0, version=version - 1, token="1")["stale"]
    for name in ("close", "reply", "wait", "_view", None, 3, [], {}):
        assert ask(board, name)["error"], name
    for content in ("text", None, 7, [1], {"number": 5, "name": "view", "data": [0]}, {"number": 5, "name": "view"}):
        board.comm.receive(content)
    assert [message["number"] for message in board.comm.custom()] == [5, 5]
    for action in (illegal, -1, 10**6, "*1"):
        with pytest.raises(ValueError, match=r"."):
            board.play(action)
    assert board.state == before
    assert board._host.session.version == version


def test_arguments() -> None:
    toy = tilery.load("toy")
    for position in (None, 3, tilery.Rng(1)):
        with pytest.raises(TypeError, match="a game or a state of the engine"):
            widget.Board(position)
    with pytest.raises(ValueError, match=r"seat must be from 0 to 1, got 2"):
        widget.Board(toy, seat=2, bot="random")
    with pytest.raises(ValueError, match="unknown policy"):
        widget.Board(toy, bot="mctx")
    with pytest.raises(ValueError, match="nobody plays by hand"):
        widget.Board(toy, bot=["random", "random"])
    with pytest.raises(TypeError, match="a policy or a function"):
        widget.Board(toy, bot=[3])
    with pytest.raises(ValueError, match="seed must be"):
        widget.Board(toy, seed=-1)
    assert widget.Board(toy)._host.session.people == widget.Board("toy")._host.session.people == [0, 1]
    with pytest.raises(ValueError, match="unknown game 'toi'"):
        widget.Board("toi")


def test_an_observer_that_fails_does_not_stop_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    board = widget.Board(tilery.load("toy", hand=4), bot="random", seed=2)
    board.observe(lambda _change: 1 // 0, "state")
    board.play(board.state.legal_actions()[0])
    assert board.wait()
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert board.state.current_player() == 0


def test_without_anywidget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "tilery.widget")
    with pytest.raises(MissingExtraError, match=r"boards in notebooks need the extra: pip install 'tilery\[widget\]'"):
        importlib.import_module("tilery.widget")


# --- In a browser. ---

MOUNT = """async module => {
  const listeners = new Map(), outbox = [];
  window.model = {
    on: (name, hear) => listeners.set(hear, name),
    off: (name, hear) => listeners.delete(hear),
    send: content => outbox.push(content),
  };
  window.kernel = {
    sent: () => outbox.splice(0),
    receive: messages => { for (const message of messages) for (const hear of listeners.keys()) hear(message); },
  };
  const address = URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
  window.widget = (await import(address)).default;
  window.end = widget.render({ model, el: document.querySelector("#cell") });
}"""
"""A notebook with one cell: the model of anywidget as far as the widget needs it."""
NOTEBOOK = "<!doctype html><style>button { display: none }</style><body data-jp-theme-light=false><div id=cell></div>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


class Reader(Player):
    """Plays on a board in a notebook, whose kernel is this process."""

    def __init__(self, browser: Any, board: Any) -> None:
        self.board = board
        context = browser.new_context(viewport=DESK)
        context.route("**/*", lambda route: route.fulfill(body=NOTEBOOK, content_type="text/html"))
        super().__init__(context, "http://notebook.example/")

    def begin(self) -> None:
        """Mount the widget."""
        self.page.evaluate(MOUNT, self.board._esm)
        self.until("root.dataset.ready")

    def hear(self) -> None:
        """Carry messages to and fro."""
        for content in self.page.evaluate("kernel.sent()"):
            self.board.comm.receive(content)
        if messages := self.board.comm.custom():
            self.page.evaluate("messages => kernel.receive(messages)", messages)


@pytest.mark.long
def test_a_whole_game_by_clicks_in_a_notebook(browser: Any) -> None:
    board = widget.Board(tilery.load(GAMES[2]), bot="random", seed=6)
    reader = Reader(browser, board)
    assert reader.play("mouse") > 20
    assert record.replay(board.record).is_terminal()
    assert reader.requests == ["http://notebook.example/"]
    reader.page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", tilery.games()[::3])
def test_clicks_keys_hints_and_undo_in_a_notebook(name: str, browser: Any) -> None:
    board = widget.Board(tilery.load(name), bot="random", seed=3)
    reader = Reader(browser, board)
    page = reader.page
    assert reader.play("mouse", most=8) == 8
    reader.turn()
    page.keyboard.press("Escape")
    page.locator("#hint").click()
    reader.until("root.querySelectorAll('#hints li').length > 0")
    count = len(board.moves)
    # A key on the board is the board's; JupyterLab leaves elements with this attribute alone.
    page.evaluate("""document.addEventListener("keydown", event => {
      window.ours = event.target.closest("[data-lm-suppress-shortcuts]") !== null;
    }, true)""")
    page.locator("#board").click(position={"x": 3, "y": 3})
    page.keyboard.press("u")
    reader.until(f"root.querySelectorAll('#moves li').length < {count}")
    assert page.evaluate("window.ours")
    assert len(board.moves) < count
    # The page does not change the notebook, nor the notebook the page.
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.locator("#undo").is_visible()
    assert page.evaluate('getComputedStyle(document.querySelector("tilery-board")).colorScheme') == "dark"
    page.evaluate("end()")
    assert page.locator("#undo").count() == 0
    assert not reader.errors
    page.context.close()


@pytest.mark.slow
def test_two_views_of_a_board(browser: Any) -> None:
    """What is clicked in one output of a cell is seen in the other."""
    board = widget.Board(tilery.load("toy", hand=4), bot="random", seed=3)
    reader = Reader(browser, board)
    reader.page.evaluate("""() => {
      const other = document.body.appendChild(document.createElement("div"));
      other.id = "other";
      widget.render({ model, el: other });
    }""")
    second = 'document.querySelector("#other > tilery-board").shadowRoot.querySelector("#moves")'
    reader.play("mouse", most=3)
    reader.turn()
    reader.until(f"{second}.children.length == {len(board.moves)}")
    reader.page.context.close()
