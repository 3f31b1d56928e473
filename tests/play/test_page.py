"""The page in a browser: whole games by clicks, taps and keys, from the server and from a file without a network."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.kit.web import built, chromium
from tests.play.test_server import served
from tilery import record
from tilery.play import Session
from tilery.play.saved import SavedGame

pytestmark = pytest.mark.slow
GAMES = tilery.games()
DESK = {"width": 1600, "height": 900}
PHONE = {"width": 390, "height": 844}

ROOT = 'document.querySelector("#cell > div")?.shadowRoot.querySelector(".page") ?? document.body'
"""The page: a board in a cell of a notebook, or all of the document."""

WAYS = f"""() => {{
  const root = {ROOT};
  const seen = element => {{
    const box = element.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    const at = root.getRootNode().elementFromPoint(x, y);
    return at && (at === element || element.contains(at)) ? [x, y] : null;
  }};
  return {{
    version: Number(root.dataset.ready),
    busy: root.dataset.busy === "yes",
    over: !root.querySelector("#record").hidden,
    cover: root.querySelector("#cover").open,
    confirm: [...root.querySelectorAll("#choices .go")].map(seen).filter(Boolean),
    ways: [...root.querySelectorAll("#board .on:not(.chosen), #choices [data-pick]")].map(seen).filter(Boolean),
    hidden: [...root.querySelectorAll("#board .on, #choices [data-pick]")].length,
    error: root.querySelector("#error").hidden ? "" : root.querySelector("#error").textContent,
  }};
}}"""
"""What the person sees: where they can click. Elements below others or off the screen do not count."""

SCROLL = f"""number => ({ROOT}).querySelectorAll("#board .on, #choices [data-pick]")[number]
  ?.scrollIntoView({{ block: "center", behavior: "instant" }})"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for all tests of the file."""
    with chromium() as opened:
        yield opened


class Player:
    """Plays on a page as a person does."""

    def __init__(self, context: Any, url: str) -> None:
        self.page = context.new_page()
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(url)
        self.luck = random.Random(5)
        self.begin()

    def begin(self) -> None:
        """Wait until the page shows a game."""
        self.page.wait_for_selector("body[data-ready]", timeout=20_000)

    def hear(self) -> None:
        """Let the game go on if it is in this process; servers and workers need no help."""

    def play(self, how: str, most: int = 10_000) -> int:
        """Play to the end of the game, or so many clicks; returns how many."""
        for clicks in range(most):
            ways = self._turn()
            if ways["over"]:
                return clicks
            if ways["confirm"]:
                x, y = ways["confirm"][0]
            else:
                x, y = self.luck.choice(ways["ways"])
            if how == "mouse":
                self.page.mouse.click(x, y)
            elif how == "touch":
                self.page.touchscreen.tap(x, y)
            else:
                self._type(self.luck.randrange(3))
        return most

    def _turn(self) -> Any:
        """Wait until something can be clicked, scrolling to it if need be."""
        for patience in range(400):
            self.hear()
            ways = self.page.evaluate(WAYS)
            assert not self.errors, self.errors
            if ways["busy"]:
                continue
            if ways["over"] or ways["confirm"] or ways["ways"]:
                return ways
            if ways["hidden"] and patience % 4 == 3:
                self.page.evaluate(SCROLL, self.luck.randrange(ways["hidden"]))
            self.page.wait_for_timeout(25)
        raise AssertionError(f"nothing can be clicked: {ways}")

    def _type(self, moves: int) -> None:
        """Choose with the keyboard alone."""
        self.page.keyboard.press("ArrowRight")
        for key in ("ArrowDown", "ArrowRight")[:moves]:
            self.page.keyboard.press(key)
        self.page.keyboard.press("Enter")

    def until(self, expression: str) -> None:
        """Wait for an expression to be true; the page allows no script of playwright's own."""
        for _ in range(400):
            self.hear()
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never: {expression}")

    def record(self, path: Path) -> record.Record:
        """Save the record of a game that is over."""
        with self.page.expect_download() as download:
            self.page.click("#record")
        download.value.save_as(path)
        (written,) = record.read(path)
        return written


def against_bots(name: str) -> Session:
    game = tilery.load(name)
    return Session(game, [None, *["random"] * (game.num_players - 1)], seed=4)


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_by_clicks(name: str, browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    with served(against_bots(name), SavedGame(file)) as server:
        context = browser.new_context(viewport=DESK)
        player = Player(context, server.url)
        assert player.play("mouse") > 5
        written = player.record(tmp_path / "saved.jsonl")
        assert record.replay(written).is_terminal()
        assert [kept.actions for kept in record.read(file)] == [written.actions]
        context.close()


@pytest.mark.parametrize("name", GAMES)
def test_a_phone_asks_before_it_plays(name: str, browser: Any) -> None:
    """A tap chooses, the confirmation plays; nothing is wider than the screen."""
    session = against_bots(name)
    with served(session) as server:
        context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
        player = Player(context, server.url)
        assert player.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        before = len(session.moves)
        player.play("touch", most=12)
        assert len(session.moves) > before
        context.close()


def test_the_keyboard_alone_is_enough(browser: Any) -> None:
    session = against_bots(GAMES[2])
    with served(session) as server:
        context = browser.new_context(viewport=DESK)
        player = Player(context, server.url)
        player.play("keyboard", most=400)
        assert session.state.is_terminal()
        player.page.keyboard.press("u")
        player.until("document.querySelector('#record').hidden")
        assert not session.state.is_terminal()
        context.close()


def test_hints_undo_moves_and_reload(browser: Any) -> None:
    session = against_bots(GAMES[2])
    with served(session) as server:
        context = browser.new_context(viewport=DESK)
        player = Player(context, server.url)
        page = player.page
        player.play("mouse", most=6)
        player._turn()
        page.keyboard.press("Escape")
        page.click("#hint")
        page.wait_for_selector("#board .badge")
        assert "%" in page.inner_text("#hints")
        page.click("#hints li:first-child button")
        page.click("#choices .go")
        player._turn()
        length = len(session.moves)
        page.click("#moves li:first-child button")
        page.wait_for_selector("text=The position after 1 actions.")
        page.click("text=Back to the game")
        page.reload()
        page.wait_for_selector("body[data-ready]")
        assert page.locator("#moves li").count() == length
        page.click("#undo")
        player.until(f"document.querySelectorAll('#moves li').length < {length}")
        context.close()


def test_a_second_tab(browser: Any) -> None:
    session = against_bots(GAMES[2])
    context = browser.new_context(viewport=DESK)
    with served(session) as server:
        first, second = Player(context, server.url), Player(context, server.url)
        first.play("mouse", most=3)
        second.play("mouse", most=3)
        second._turn()
        count = len(session.moves)
        first.until(f"document.querySelectorAll('#moves li').length == {count}")
    context.close()


def test_a_killed_server(browser: Any) -> None:
    words = ["-m", "tilery", "play", GAMES[2], "--bot", "random", "--no-browser"]
    with subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        context = browser.new_context(viewport=DESK)
        player = Player(context, url)
        process.kill()
        player.page.wait_for_selector("#error:not([hidden])", timeout=30_000)
        assert "start it again with --record" in player.page.inner_text("#error")
        context.close()


@pytest.mark.parametrize("name", GAMES)
def test_a_file_needs_no_network(name: str, browser: Any, tmp_path: Path) -> None:
    """A whole game from a file by double click, against a bot, ending in a record that replays."""
    context = browser.new_context(viewport=DESK, offline=True)
    page = Player(context, (built() / f"{name}.html").as_uri())
    page.page.evaluate("localStorage.clear()")
    assert page.play("mouse") > 5
    assert record.replay(page.record(tmp_path / "saved.jsonl")).is_terminal()
    assert not [url for url in page.requests if not url.startswith(("file:", "blob:", "data:"))]
    context.close()


def test_a_file_keeps_its_game_and_begins_others(browser: Any) -> None:
    context = browser.new_context(viewport=DESK, offline=True)
    player = Player(context, (built() / f"{GAMES[2]}.html").as_uri())
    page = player.page
    player.play("mouse", most=6)
    player._turn()
    page.wait_for_timeout(300)
    count = page.locator("#moves li").count()
    assert count > 0
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.locator("#moves li").count() >= count
    page.click("#new")
    page.fill("#setup input[type=number]", "3")
    page.locator("#setup input[type=number]").first.dispatch_event("change")
    page.click("#setup .go")
    player.until("document.querySelectorAll('#seats li').length == 3")
    assert not player.errors
    context.close()
