"""The page in a browser: whole games by clicks, taps and keys, from the server and from a file without a network."""

from __future__ import annotations

import itertools
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import ROOT as ROOT_FOLDER
from tests.kit.waiting import until
from tests.kit.web import chromium
from tests.play.test_server import served
from tilery import record
from tilery.cli import main
from tilery.play import Session
from tilery.play.saved import SavedGame
from tilery.play.session import levels
from tilery.play.view import preview, view

pytestmark = pytest.mark.slow
GAMES = tilery.games()
DESK = {"width": 1600, "height": 900}
PHONE = {"width": 390, "height": 844}
HANDS: dict[str, dict[str, Any]] = {
    "mouse": {"viewport": DESK},
    "touch": {"viewport": PHONE, "has_touch": True, "is_mobile": True},
    "keyboard": {"viewport": DESK},
}
"""What one plays with, and on which screen."""
FROM_THE_SERVER = [*zip(GAMES, itertools.cycle(HANDS), strict=False)]
"""Games, and how they are played, from the server; from a file they are played in the other ways."""

ROOT = 'document.querySelector("tilery-board").shadowRoot.querySelector(".page")'
"""The page, in the shadow tree of the element."""

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
    actor: [...root.querySelector("#seats").children].findIndex(seat => seat.classList.contains("to-act")),
    over: root.dataset.over === "yes",
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
        self.covers = 0  # how often the hands of another person were covered
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(url)
        self.luck = random.Random(5)
        self.begin()

    def begin(self) -> None:
        """Wait until the page shows a game."""
        self.page.wait_for_selector("[data-ready]", timeout=60_000)

    def hear(self) -> None:
        """Let the game go on if it is in this process; servers and workers need no help."""

    def play(self, how: str, most: int = 10_000) -> int:
        """Play to the end of the game, or this many clicks; returns how many."""
        for clicks in range(most):
            ways = self.turn()
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

    def turn(self) -> Any:
        """Wait until something can be clicked, scrolling to it if need be."""
        tries = itertools.count(1)

        def found() -> Any:
            ways = self.idle()
            if ways["cover"]:
                assert not self.page.inner_html("#board")
                assert not self.page.inner_html("#choices")
                assert not self.page.inner_html("#brings")
                assert not self.page.text_content("#text pre")
                self.page.click("#cover button")
                self.covers += 1
            elif ways["over"] or ways["confirm"] or ways["ways"]:
                return ways
            elif ways["hidden"] and next(tries) % 4 == 0:
                self.page.evaluate(SCROLL, self.luck.randrange(ways["hidden"]))
            return None

        return until(found, "something can be clicked", pause=lambda: self.page.wait_for_timeout(25))

    def idle(self) -> Any:
        """What the person sees once the page waits for no response."""

        def found() -> Any:
            self.hear()
            ways = self.page.evaluate(WAYS)
            assert not self.errors, self.errors
            return None if ways["busy"] else ways

        return until(found, "the response of a request", pause=lambda: self.page.wait_for_timeout(5))

    def _type(self, moves: int) -> None:
        """Choose with the keyboard alone."""
        self.page.keyboard.press("ArrowRight")
        for key in ("ArrowDown", "ArrowRight")[:moves]:
            self.page.keyboard.press(key)
        self.page.keyboard.press("Enter")

    def look(self, expression: str) -> Any:
        """The value of an expression of `root`, the page."""
        return self.page.evaluate(f"(root => {expression})({ROOT})")

    def until(self, expression: str) -> None:
        """Wait for an expression of `root`, the page, to be true; it allows no script of playwright's own."""

        def found() -> Any:
            self.hear()
            return self.look(expression)

        until(found, expression, pause=lambda: self.page.wait_for_timeout(50))

    def record(self, path: Path) -> record.Record:
        """Save the record of a game that is over."""
        with self.page.expect_download() as download:
            self.page.click("#record")
        download.value.save_as(path)
        (written,) = record.read(path)
        return written


@contextmanager
def playing(server: AbstractContextManager[Any], browser: Any, **how: Any) -> Iterator[Player]:
    """A person on the page of a server, at a desk unless `how` says with what they play."""
    with server as there:
        context = browser.new_context(**({"viewport": DESK} | how))
        yield Player(context, there.url)
        context.close()


def against_bots(name: str, bot: str = "random", **rules: Any) -> Session:
    game = tilery.load(name, **rules)
    return Session(game, [None, *[bot] * (game.num_players - 1)], seed=4)


@pytest.mark.long
@pytest.mark.parametrize(("name", "how"), FROM_THE_SERVER)
def test_a_whole_game_from_the_server(name: str, how: str, browser: Any, tmp_path: Path) -> None:
    """By clicks, by taps that are confirmed, or by keys alone; nothing is wider than the screen."""
    file, saved = tmp_path / "game.jsonl", tmp_path / "saved.jsonl"
    with playing(served(against_bots(name), SavedGame(file)), browser, **HANDS[how]) as player:
        assert player.page.evaluate("document.documentElement.scrollWidth") <= HANDS[how]["viewport"]["width"]
        assert player.play(how) > 5
        written = player.record(saved)
        assert main(["replay", str(saved)]) == 0
        assert [kept.actions for kept in record.read(file)] == [written.actions]


@pytest.mark.parametrize(
    ("name", "how"), [each for each in itertools.product(GAMES, HANDS) if each not in FROM_THE_SERVER]
)
def test_a_whole_game_from_a_file(name: str, how: str, browser: Any, web_build: Path, tmp_path: Path) -> None:
    """The same from a file opened by a double click, without a network."""
    saved = tmp_path / "saved.jsonl"
    context = browser.new_context(**HANDS[how], offline=True)
    begun = against_bots(name).record().to_json()
    context.add_init_script(f"localStorage.setItem({json.dumps('tilery-' + name)}, {json.dumps(begun)})")
    player = Player(context, (web_build / f"{name}.html").as_uri())
    assert player.page.evaluate("document.documentElement.scrollWidth") <= HANDS[how]["viewport"]["width"]
    assert player.play(how) > 5
    player.record(saved)
    assert main(["replay", str(saved)]) == 0
    assert not [url for url in player.requests if not url.startswith(("file:", "blob:", "data:"))]
    context.close()


def test_a_tap_waits_for_its_confirmation(browser: Any) -> None:
    session = against_bots(GAMES[2])
    with playing(served(session), browser, **HANDS["touch"]) as player:
        before = len(session.moves)
        while not (ways := player.turn())["confirm"]:
            player.page.touchscreen.tap(*ways["ways"][0])
        assert len(session.moves) == before
        line = "Object.assign(document.createElement('li'), { textContent: 'then nothing' })"
        player.look(f"root.querySelector('#brings').append(...Array.from({{ length: 60 }}, () => {line}))")
        assert player.turn()["confirm"] == ways["confirm"]  # in sight below any number of lines
        player.page.touchscreen.tap(*ways["confirm"][0])
        player.until(f"root.querySelectorAll('#moves li').length > {before}")


def test_what_is_played_for_a_person_is_said(browser: Any) -> None:
    """An action without an alternative, in the list of moves and above what comes next."""
    session = against_bots(GAMES[3])
    forced: list[int] = []
    while not forced:
        session.play(session.game.action_to_string(tilery.policy("random").choose(session.state, len(session.moves))))
        session.play_bots()
        forced = [number for number, move in enumerate(session.moves) if move.player == 0 and move.forced]
    expected = [f"you: {session.words_seen(number, 0)} (played for you, the only action)" for number in forced]
    for number in forced:  # whether others had a choice is their secret
        assert [session.played_for(number, viewer) for viewer in (0, 1, None)] == [True, False, False]
    with playing(served(session), browser) as player:
        player.turn()
        assert player.page.inner_text("#say").startswith("Played for you, the only action: ")
        moves = player.look("[...root.querySelectorAll('#moves li > :first-child')].map(move => move.textContent)")
        assert [move for move in moves if "played for you" in move] == expected


def test_a_bot_is_called_by_its_name(browser: Any) -> None:
    """With its seat only where there are several of that name."""
    names = "[...root.querySelectorAll('#seats [role=img]')].map(seat => seat.ariaLabel)"
    game = tilery.load(GAMES[3])
    for bots, wanted in (
        (["greedy", "random"], ["you", "greedy", "random"]),
        (["greedy", "greedy"], ["you", "greedy (player 1)", "greedy (player 2)"]),
    ):
        with playing(served(Session(game, [None, *bots], seed=4)), browser) as player:
            player.turn()
            assert player.look(names) == wanted


@pytest.mark.parametrize("name", [GAMES[0], GAMES[2]])
def test_a_game_that_is_over_can_be_taken_back(name: str, browser: Any) -> None:
    """Its board is shown whole, however close what can be picked was."""
    session = against_bots(name)
    while session.actor >= 0:
        session.play(session.game.action_to_string(session.state.legal_actions()[0]))
        session.play_bots()
    whole = (
        "(({ dataset, attributes }) => attributes.viewBox.value === dataset.whole)(root.querySelector('#board svg'))"
    )
    with playing(served(session), browser, **HANDS["touch"]) as player:
        player.until("root.dataset.over")
        assert player.look(whole)
        player.page.keyboard.press("u")
        player.until("!root.dataset.over")
        assert not session.state.is_terminal()
        player.turn()
        if name == GAMES[0]:  # before its last choice, too
            player.page.keyboard.press("u")
            player.until(f"!{whole}")
        player.play("touch")
        player.until(whole)


@pytest.mark.parametrize("name", [name for name in GAMES if tilery.load(name).hides_information])
def test_people_at_one_screen_take_turns_at_their_cards(name: str, browser: Any) -> None:
    session = Session(tilery.load(name), [None] * tilery.load(name).num_players, seed=4)
    with playing(served(session), browser) as player:
        for _ in range(60):
            player.play("mouse", most=1)
            if len({move.player for move in session.moves if move.player >= 0}) == session.game.num_players:
                break
        player.turn()
        assert player.covers > 0


def test_people_who_have_nothing_to_hide_see_one_board(browser: Any) -> None:
    session = Session(tilery.load(GAMES[2]), [None, None], seed=4)
    with playing(served(session), browser) as player:
        player.play("mouse", most=12)
        player.turn()
        assert {move.player for move in session.moves} == {0, 1}
        assert player.covers == 0


def test_hints_undo_moves_and_reload(browser: Any) -> None:
    session = against_bots(GAMES[0])  # all of its actions begin on the board, where hints are marked
    with playing(served(session), browser) as player:
        page = player.page
        player.play("mouse", most=6)
        player.turn()
        page.keyboard.press("Escape")
        page.click("#hint")
        page.wait_for_selector("#board .badge")
        assert "%" in page.inner_text("#hints")
        assert page.text_content("#text pre") == session.state.to_string(0)
        page.hover("#hints li:first-child button")
        page.wait_for_selector("#board svg.ghost")
        page.click("#hints li:first-child button")
        page.click("#choices .go")
        player.turn()
        length = len(session.moves)
        page.click("#moves li:first-child button")
        page.wait_for_selector("text=The position after 1 actions.")
        page.click("text=Back to the game")
        page.reload()
        page.wait_for_selector("[data-ready]")
        assert page.locator("#moves li").count() == length
        page.click("#undo")
        player.until(f"root.querySelectorAll('#moves li').length < {length}")
        page.click("#moves li:first-child button")
        page.click("text=Play on from here")
        player.until("root.querySelectorAll('#moves li').length <= 2")


def test_an_illegal_token(browser: Any) -> None:
    """The page says what was wrong, and the game goes on."""
    session = against_bots(GAMES[2])
    with playing(served(session), browser) as player:
        player.turn()
        before = len(session.moves)

        def spoil(route: Any) -> None:
            route.continue_(post_data=json.dumps(json.loads(route.request.post_data) | {"token": "nonsense"}))

        player.page.route("**/play", spoil)

        def complaint() -> Any:
            ways = player.page.evaluate(WAYS)
            if not ways["busy"] and not ways["error"]:
                player.page.mouse.click(*(ways["confirm"] or ways["ways"])[0])
            return ways["error"]

        assert "nonsense" in until(complaint, "the page says what was wrong")
        assert len(session.moves) == before
        player.page.unroute("**/play")
        player.errors.clear()  # browsers log each response that is an error
        player.play("mouse", most=6)
        player.turn()
        assert len(session.moves) > before


def test_a_second_tab(browser: Any) -> None:
    session = against_bots(GAMES[2])
    context = browser.new_context(viewport=DESK)
    with served(session) as server:
        first, second = Player(context, server.url), Player(context, server.url)
        first.play("mouse", most=3)
        first.turn()
        second.until(f"root.querySelectorAll('#moves li').length == {len(session.moves)}")
        second.play("mouse", most=3)
        second.turn()
        count = len(session.moves)
        first.until(f"root.querySelectorAll('#moves li').length == {count}")
    context.close()


@contextmanager
def play(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`tilery play` as a process of its own, and its address."""
    words = ("-m", "tilery", "play", GAMES[2], "--bot", "random", "--no-browser", *words)
    with subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().split()[-1]
        finally:
            process.kill()


def test_a_killed_server(browser: Any, tmp_path: Path) -> None:
    """The page says what to do, and the game goes on from its record."""
    file = tmp_path / "game.jsonl"
    context = browser.new_context(viewport=DESK)
    with play("--record", str(file)) as (process, url):
        player = Player(context, url)
        player.play("mouse", most=6)
        player.turn()
        count = player.page.locator("#moves li").count()
        assert count > 0
        process.kill()
        player.page.wait_for_selector("#error:not([hidden])", timeout=60_000)
        assert "start it again with --record" in player.page.inner_text("#error")
    with play("--record", str(file)) as (_, url):
        player = Player(context, url)
        player.turn()
        assert player.page.locator("#moves li").count() == count
        player.play("mouse", most=3)
    context.close()


def test_a_laptop_that_was_closed(browser: Any) -> None:
    """Without a connection the page says so; when that is back it goes on by itself."""
    session = against_bots(GAMES[2])
    with served(session, patience=0.2) as server:
        context = browser.new_context(viewport=DESK)
        player = Player(context, server.url)
        player.play("mouse", most=4)
        context.set_offline(True)
        player.until("!root.querySelector('#error').hidden")
        context.set_offline(False)
        player.until("root.querySelector('#error').hidden")
        player.errors.clear()  # of the console, about requests that failed
        before = len(session.moves)
        player.play("mouse", most=4)
        player.turn()
        assert len(session.moves) > before
        context.close()


@pytest.mark.parametrize(
    ("bot", "message", "button"),
    [
        ("tests.play.test_session:failing", "out of ideas", "Let random play on"),
        ("tests.play.test_server:hanging", "is thinking", "Play this seat myself"),
    ],
)
def test_a_bot_that_crashes_or_hangs(bot: str, message: str, button: str, browser: Any) -> None:
    """The page says so and offers to replace it."""
    session = Session(tilery.load(GAMES[2]), [None, f"py:{bot}"], seed=4)
    with playing(served(session, patience=10.5), browser) as player:
        while player.idle()["actor"] == 0:
            player.play("mouse", most=1)
        player.page.wait_for_selector(f"text={button}", timeout=60_000)
        assert message in player.page.inner_text("#say")
        player.page.click(f"text={button}")
        player.turn()
        before = len(session.moves)
        player.play("mouse", most=4)
        player.turn()
        assert len(session.moves) > before


def test_a_file_keeps_its_game_and_begins_others(browser: Any, web_build: Path) -> None:
    context = browser.new_context(viewport=DESK, offline=True)
    player = Player(context, (web_build / f"{GAMES[2]}.html").as_uri())
    page = player.page
    player.play("mouse", most=6)
    player.turn()
    page.wait_for_timeout(300)
    count = page.locator("#moves li").count()
    assert count > 0
    page.reload()
    page.wait_for_selector("[data-ready]")
    assert page.locator("#moves li").count() >= count
    page.click("#new")
    page.fill("#setup input[type=number]", "3")
    page.locator("#setup input[type=number]").first.dispatch_event("change")
    page.click("#setup .go")
    player.until("root.querySelectorAll('#seats li').length == 3")
    assert not player.errors
    context.close()


@pytest.mark.parametrize("name", GAMES)
def test_the_board_takes_the_window(name: str, browser: Any) -> None:
    """At least three quarters of the height and what the panel leaves of the width; on a phone all of the width."""
    box = "(({ width, height }) => [width, height])(root.querySelector('#board').getBoundingClientRect())"
    with served(against_bots(name)) as server:
        for settings, wide, high in (
            ({"viewport": {"width": 1440, "height": 900}}, 1000, 675),
            (HANDS["touch"], 370, 130),
        ):
            context = browser.new_context(**settings)
            player = Player(context, server.url)
            player.turn()
            width, height = player.look(box)
            assert width >= wide
            assert height >= high
            if settings == HANDS["touch"]:  # with all tools in a bar that stays in sight
                assert player.look("root.querySelector('#act').getBoundingClientRect().height") <= PHONE["height"] / 3
            context.close()


SMALL = """[...root.querySelectorAll("#board text, #panel text")].filter(text => {
  const matrix = text.getScreenCTM(), size = parseFloat(getComputedStyle(text).fontSize);
  return !text.closest("defs") && matrix && size * Math.hypot(matrix.a, matrix.b) < 10.9;
}).map(text => text.textContent)"""
COVERED = """(() => {
  const seen = [...root.querySelectorAll("#board text[style*=font-size]:not([style*=hidden])")];
  const boxes = seen.map(text => [text.textContent, text.getBoundingClientRect()]);
  const apart = (a, b) => a.right < b.left + 1 || a.bottom < b.top + 1;
  const meet = (a, b) => !apart(a, b) && !apart(b, a);
  return boxes.flatMap(([x, a], i) => boxes.slice(i + 1).flatMap(([y, b]) => (meet(a, b) ? [`${x} ${y}`] : [])));
})()"""
TIGHT = """least => [...root.querySelectorAll("#board .on:not(.chosen), button, select")].filter(element => {
  const { width, height } = element.getBoundingClientRect();
  const other = element.closest("#board") && root.querySelector(`#choices [data-pick="${element.dataset.pick}"]`);
  return width > 0 && !other && Math.min(width, height) < least - 0.1;
}).map(element => element.outerHTML)"""
"""What is too small to be hit, and on the board has no button that is as good."""
CROWDED = """least => {
  const round = [...root.querySelectorAll("#board circle.on")].map(target => {
    const { x, y, width } = target.getBoundingClientRect();
    return { target, at: [x + width / 2, y + width / 2], radius: width / 2 };
  });
  const between = (a, b) => Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]) - a.radius - b.radius;
  const wrong = one => {
    const rooms = round.filter(each => each !== one).map(each => between(one, each)), room = Math.min(...rooms);
    return room < -0.2 || (one.radius < least / 2 - 0.1 && room > 0.2);
  };
  return round.filter(wrong).map(({ target }) => target.outerHTML);
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", GAMES)
def test_what_is_written_can_be_read_and_what_is_marked_be_hit(name: str, theme: Any, browser: Any) -> None:
    """No text below 11 pixels or on another, no button below 24, or 44 by touch; pictures are left in build/screens."""
    screens = ROOT_FOLDER / "build" / "screens"
    screens.mkdir(parents=True, exist_ok=True)
    session = against_bots(name)
    for _ in range(30):
        session.play_bots()
        if session.actor == 0:
            session.play(session.game.action_to_string(tilery.policy("greedy").choose(session.state, 1)))
    with served(session) as server:
        for how, least in (("mouse", 24), ("touch", 44)):
            context = browser.new_context(**HANDS[how], color_scheme=theme)
            player = Player(context, server.url)
            player.turn()
            player.page.screenshot(path=screens / f"{name}-{how}-{theme}.png")
            assert player.look(SMALL) == []
            assert player.look(COVERED) == []
            assert player.look(f"({TIGHT})({least})") == []
            ground = "getComputedStyle(root.querySelector('#board svg > rect')).fill.match(/[0-9]+/g).map(Number)"
            assert (max(player.look(ground)) < 80) == (theme == "dark")
            context.close()


@pytest.mark.parametrize(("how", "least"), [("mouse", 24), ("touch", 44)])
@pytest.mark.parametrize(("name", "pick"), [(GAMES[0], "segment"), (GAMES[2], "steps"), (GAMES[3], "city")])
def test_round_targets_are_as_large_as_others_leave_room(
    name: str, pick: str, how: str, least: int, browser: Any
) -> None:
    """24 pixels, or 44 by touch, unless the next one is nearer than that; none covers another."""
    session = against_bots(name)
    for number in itertools.count():
        firsts = {session.game.picks(action)[0] for action in session.state.legal_actions()}
        if number > 8 and sum(first.startswith(pick) for first in firsts) > 1:
            break
        session.play(session.game.action_to_string(tilery.policy("greedy").choose(session.state, number)))
        session.play_bots()
    with playing(served(session), browser, **HANDS[how]) as player:
        player.turn()
        assert player.page.locator(f"#board circle.on[data-pick^={pick}]").count() > 1
        assert player.look(f"({CROWDED})({least})") == []


@pytest.mark.parametrize("how", ["mouse", "touch"])
@pytest.mark.parametrize(("name", "moves"), [*zip(GAMES, (150, 20, 20, 60), strict=True)])
def test_the_board_is_offered_as_close_as_its_targets_need(name: str, moves: int, how: str, browser: Any) -> None:
    """From decision to decision as large as before, however the drawing grows; the whole board is one key away."""
    session, least = against_bots(name), 44 if how == "touch" else 24
    unit = "(m => Math.hypot(m.a, m.b))(root.querySelector('#board use, #board polygon').getScreenCTM())"
    view, whole = (f"root.querySelector('#board svg').getAttribute('{of}')" for of in ("viewBox", "data-whole"))
    session.play_bots()
    while len(session.moves) < moves:
        action = tilery.policy("greedy").choose(session.state, len(session.moves))
        session.play(session.game.action_to_string(action))
        session.play_bots()
    with playing(served(session), browser, **HANDS[how]) as player:
        player.page.select_option("#pace", "0")
        scales = []
        for _ in range(20):
            ways = player.turn()
            if ways["over"]:
                break
            assert ways["ways"] or ways["confirm"]
            assert player.look(f"({TIGHT})({least})") == []
            if player.look(f"{view} !== {whole}"):
                scales.append(player.look(unit))
            player.play(how, most=1)
        assert np.allclose(np.diff(scales), 0, atol=0.01), scales
        assert bool(scales) == (how == "touch" and name != GAMES[3])
        if scales:
            player.page.keyboard.press("0")
            assert player.look(f"{view} === {whole}")
            assert player.look(SMALL) == []
            player.page.keyboard.press("0")
            assert player.look(unit) == pytest.approx(scales[-1], abs=0.01)


@pytest.mark.parametrize("name", GAMES)
def test_an_action_is_shown_before_it_is_played(name: str, browser: Any) -> None:
    """Above the board, without touching the game; it goes when the pointer does."""
    session = against_bots(name)
    with playing(served(session), browser) as player:
        ghosts = player.page.locator("#board svg.ghost")
        size = "root.querySelector('#panel').getBoundingClientRect().height"
        for _ in range(10):
            ways = player.turn()
            before, high = len(session.moves), player.look(size)
            player.page.mouse.move(*(ways["ways"] or ways["confirm"])[0])
            if any(ghosts.count() or player.page.wait_for_timeout(100) for _ in range(30)):
                break
            player.play("mouse", most=1)
        assert ghosts.count() == 1
        assert player.look(size) == high  # nothing next to the board moves
        assert len(session.moves) == before
        assert not player.errors


DIFFERENT = f"""picture => {{
  const template = document.createElement("template");
  template.innerHTML = picture;
  const set = /^(class|style|dy|data-whole|role|aria-label)$/; // by the page
  const attributes = each => [...each.attributes].filter(({{ name }}) => !set.test(name));
  const text = each => [
    each.tagName,
    ...attributes(each).map(({{ name, value }}) => `${{name}}=${{value}}`).sort(),
    each.childElementCount ? "" : each.textContent,
  ].join(" ");
  const elements = svg => [svg, ...svg.querySelectorAll("*")]
    .filter(each => !each.closest("defs, title, .badge, g:has(> .target, > .spot)"));
  const now = elements({ROOT}.querySelector("#board svg")).map(text);
  const wanted = elements(template.content.firstChild).map(text);
  return now.length === wanted.length ? now.filter((one, i) => one !== wanted[i]) : [now.length, wanted.length];
}}"""
"""What differs between the board on the page and a picture, apart from what there is to point at."""


@pytest.mark.parametrize("name", GAMES)
def test_the_board_is_what_the_engine_draws(name: str, browser: Any) -> None:
    """At each position of the first moves, and in previews; the page keeps elements from one drawing to the next."""
    session, previews = against_bots(name), 0
    with playing(served(session), browser) as player:
        player.page.select_option("#pace", "0")
        for _ in range(15):
            ways = player.turn()
            for at in [(1, 1), *ways["ways"][:2], (1, 1)]:
                player.page.mouse.move(*at)
                player.page.wait_for_timeout(100)
                token = player.look("root.dataset.preview")
                wanted = preview(session, 0, token, 0) if token else view(session, 0)
                assert player.page.evaluate(DIFFERENT, wanted["picture"]) == []
                previews += bool(token)
            player.play("mouse", most=1)
    assert previews > 0


def test_the_game_is_stepped_through_and_looked_at_closer(browser: Any) -> None:
    session = against_bots(GAMES[2])
    with playing(served(session), browser) as player:
        while len(session.moves) < 5:
            player.play("mouse", most=1)
        player.turn()
        page, count = player.page, len(session.moves)
        page.mouse.move(2, 2)
        page.keyboard.press("Escape")
        player.look("root.getRootNode().activeElement?.blur()")
        for key, number in (("ArrowLeft", count - 1), ("ArrowLeft", count - 2), ("ArrowRight", count - 1)):
            page.keyboard.press(key)
            page.wait_for_selector(f"text=The position after {number} actions.")
        page.keyboard.press("Escape")
        page.wait_for_selector("text=Back to the game", state="detached")
        whole = page.get_attribute("#board svg", "viewBox")
        page.keyboard.press("+")
        assert page.get_attribute("#board svg", "viewBox") != whole
        page.keyboard.press("0")
        assert page.get_attribute("#board svg", "viewBox") == whole
        assert len(session.moves) == count


def test_only_a_double_click_beside_all_targets_looks_closer(browser: Any) -> None:
    """Two picks in a hurry are two picks, also where the first leaves no target below the second."""
    with playing(served(against_bots(GAMES[2])), browser) as player:
        twice = """((clientX, clientY) => {
          for (const type of ["click", "click", "dblclick"]) {
            const at = root.getRootNode().elementFromPoint(clientX, clientY);
            at.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, clientX, clientY }));
          }
          return root.querySelector("#board").classList.contains("closer");
        })"""
        x, y = player.turn()["ways"][0]
        assert not player.look(f"{twice}({x}, {y})")
        player.turn()
        corner = "root.querySelector('#board').getBoundingClientRect()"
        assert player.look(f"{twice}({corner}.x + 4, {corner}.y + 4)")
        assert not player.look(f"{twice}({corner}.x + 4, {corner}.y + 4)")


def test_the_rules_are_one_key_away(browser: Any) -> None:
    with playing(served(against_bots(GAMES[2])), browser) as player:
        player.turn()
        player.page.keyboard.press("?")
        player.page.wait_for_selector("#rules[open]")
        text = player.page.inner_text("#rules article")
        numbers = set(re.findall(r"\*\*([A-Z]+-[A-Z]?\d+)\*\*", tilery.rules_page(GAMES[2])))
        assert len(numbers) > 20
        assert numbers <= set(re.findall(r"[A-Z]+-[A-Z]?\d+", text))
        assert not re.search(r"\*\*|^## |^\| ", text, re.MULTILINE), "as it is written"
        assert player.page.locator("#rules table").count() > 0
        assert player.page.locator("#rules article :is(a, img)").count() == 0
        assert "players: 2" in player.page.inner_text("#rules ul")
        player.page.keyboard.press("Escape")
        player.page.wait_for_selector("#rules:not([open])", state="attached")
        player.turn()


def test_a_new_game_is_set_up_in_the_page(browser: Any) -> None:
    """Seats with names and levels, options with their sentences, and a seed; what is wrong changes nothing."""
    session = against_bots(GAMES[2])
    with served(session) as server:
        context = browser.new_context(viewport=DESK)
        player = Player(context, server.url)
        player.turn()
        page = player.page
        page.click("#new")
        page.wait_for_selector("#setup[open]")
        page.click("#setup summary")
        text = page.inner_text("#setup form")
        assert [each.name for each in tilery.options(GAMES[2]).values() if each.about not in text] == []
        page.fill("#setup .players input", "3")
        page.locator("#setup .players input").dispatch_event("change")
        page.locator("#setup .seats select").nth(1).select_option("")
        page.locator("#setup .seats input").nth(1).fill("Ann")
        page.locator("#setup .seats select").nth(2).select_option("rung:2")
        page.fill("#setup input[name=seed]", "11")
        page.click("#setup .go")
        player.until("root.querySelectorAll('#seats li').length === 3")
        begun = server.host.session
        assert (begun.seats, begun.names, begun.seed) == ([None, None, "rung:2"], [None, "Ann", None], 11)
        assert "Ann" in page.inner_text("#seats")
        page.click("#new")
        page.locator("#setup .seats select").nth(0).select_option("rung:1")
        page.fill("#setup input[name=seed]", "-1")
        page.click("#setup .go")  # which the browser refuses
        page.click("#setup button[value=cancel]")
        assert server.host.session is begun
        assert not player.errors
        context.close()


def test_a_record_is_opened_in_the_page_and_bots_are_watched(browser: Any, tmp_path: Path) -> None:
    """A game between bots is paused, goes on move by move, and plays to its end; what is no record is refused."""
    game = tilery.load(GAMES[2])
    watched = Session(game, ["greedy"] * game.num_players, seed=4).record()
    file, other = tmp_path / "game.jsonl", tmp_path / "other.txt"
    record.write(file, [watched])
    other.write_text("nothing", encoding="utf-8")
    session = against_bots(GAMES[2])
    with served(session) as server:
        context = browser.new_context(viewport=DESK)
        player = Player(context, server.url)
        player.turn()
        page = player.page
        page.set_input_files("#open", other)
        player.until("root.querySelector('#error').textContent.includes('not JSON')")
        player.errors.clear()  # of the console, about the request
        page.select_option("#pace", "0")
        page.set_input_files("#open", file)
        player.until("root.querySelectorAll('#moves li').length > 3")
        player.errors.clear()  # of the console: the seat that the page had is not a person's any more
        page.click("text=Pause")
        player.until("root.dataset.busy !== 'yes'")
        assert server.host.wait(60)
        count = len(server.host.session.moves)
        page.click("text=One move")
        player.until(f"root.querySelectorAll('#moves li').length > {count}")
        page.click("#choices .go")
        player.until("root.dataset.over")
        assert server.host.session.state.is_terminal()
        assert not player.errors
        context.close()


def test_the_page_says_where_points_come_from(browser: Any) -> None:
    """In the list of moves, from which the places light up, and in a table at the end."""
    session = against_bots(GAMES[2])
    while session.actor >= 0:
        session.play(session.game.action_to_string(session.state.legal_actions()[0]))
        session.play_bots()
    with playing(served(session), browser) as player:
        player.until("root.dataset.over")
        page, rules = player.page, tilery.rules_page(GAMES[2])
        last = player.look("[...root.querySelectorAll('#sheet tbody tr:last-child td')].map(each => each.textContent)")
        assert [int(points) for points in last] == session.state.scores()
        assert ("fewest win" in page.inner_text("#sheet")) == session.game.fewest_points_win
        assert page.is_visible("#fewest") == session.game.fewest_points_win
        lines = page.locator("#moves .points").all_inner_texts()
        assert len(lines) > 4
        for line in lines:
            assert f"**{line.rpartition('(')[2].rstrip(')')}**" in rules, line
        page.locator("#moves .points").first.click()
        page.wait_for_selector("text=The position after")
        player.until("root.querySelectorAll('#board .lit').length > 0")
        assert not player.errors


def test_points_of_the_person_alone_are_one_number_on_a_place(browser: Any) -> None:
    session, wanted = against_bots(GAMES[3], players=5), set[str]()
    while len(wanted) < 2:
        session.play(session.game.action_to_string(tilery.policy("greedy").choose(session.state, len(session.moves))))
        session.play_bots()
        state, places = session.state, {}
        for action in state.legal_actions() if session.actor == 0 else []:
            if len(picks := session.game.picks(action)) == 1 and picks[0].startswith("city:"):
                places[picks[0]] = state.score_events(action)
        assert all(event["player"] == 0 for events in places.values() for event in events)
        wanted = {f"+{sum(event['points'] for event in events)}" for events in places.values()}
    with playing(served(session), browser) as player:
        player.turn()
        assert set(player.look("[...root.querySelectorAll('#board .badge')].map(each => each.textContent)")) == wanted


@pytest.mark.parametrize("width", [1280, 390])
def test_all_players_are_in_sight_at_the_end(width: int, browser: Any) -> None:
    """In the header, which keeps its height at a desk, and in the table of points; so is what the page says."""
    session = against_bots(GAMES[3], "greedy", players=5)
    while not session.state.scores()[0]:
        session.play_bots()
        session.play(session.game.action_to_string(tilery.policy("greedy").choose(session.state, len(session.moves))))
    session.play_bots()
    with playing(served(session), browser, viewport={"width": width, "height": 900}) as player:
        player.turn()
        scroll, top = "root.querySelector('aside').scrollTop = 9999", "root.querySelector('main').offsetTop"
        before = player.look(top)
        player.look(scroll)
        player.page.click("#hint")
        player.until("root.querySelector('#hints li')")
        assert in_sight(player, "#hints li:first-child button")
        player.look(scroll)
        player.page.click("#resign")
        player.until("root.dataset.over")
        assert in_sight(player, "#say")
        winners = (
            "greedy (player 1), greedy (player 2), greedy (player 3) and greedy (player 4) win, since you resigned."
        )
        assert player.page.inner_text("#say") == f"The game is over: {winners}"
        assert width == 390 or player.look(top) == before
        for part in ("#seats", "#sheet thead"):
            boxes = (
                f"[...root.querySelectorAll('{part} :is(li, b[role=img])')].map(each => each.getBoundingClientRect())"
            )
            assert player.look(f"{boxes}.every(({{ left, right }}) => left >= 0 && right <= {width})")
            numbers = f"[...root.querySelectorAll('{part} b[role=img]')].map(each => each.textContent)"
            assert player.look(numbers) == ["0", "1", "2", "3", "4"]


def test_the_page_says_what_an_action_brings_and_why_another_is_not_possible(browser: Any) -> None:
    session = Session(tilery.load(GAMES[2], sites=["d4ne"]), [None, "random"], seed=4)
    with playing(served(session), browser) as player:
        page = player.page
        for _ in range(40):
            ways = player.turn()
            page.mouse.move(*(ways["confirm"] or ways["ways"])[0])
            if any("chieftain" in page.inner_text("#brings") or page.wait_for_timeout(100) for _ in range(10)):
                break
            player.play("mouse", most=1)
        assert "then move the chieftain" in page.inner_text("#brings")
        before = len(session.moves)
        player.turn()
        wrong = """[...root.querySelectorAll('#board .spot')].map(spot => spot.getBoundingClientRect())
          .map(box => [box.x + box.width / 2, box.y + box.height / 2])
          .filter(at => root.getRootNode().elementFromPoint(...at)?.matches('.spot'))"""
        page.mouse.click(*player.look(wrong)[0])
        player.until("root.querySelector('#say').textContent.startsWith('Not possible: PB-')")
        assert len(session.moves) == before
        assert not player.errors


def test_what_others_chose_is_marked_and_draws_are_folded(browser: Any) -> None:
    """Places that others chose since one did, in the colour of their seat; of draws in a row the last is shown."""
    session = against_bots(GAMES[0])
    with served(session) as server:
        context = browser.new_context(viewport=DESK)
        player = Player(context, server.url)
        picks: set[str] = set()
        for _ in range(30):
            player.play("mouse", most=1)
            player.turn()
            mine = max((i for i, move in enumerate(session.moves) if move.player == 0), default=len(session.moves))
            others = [move for move in session.moves[mine + 1 :] if move.player > 0]
            picks = {pick for move in others for pick in session.game.picks(move.action)}
            if picks:
                break
        marked = "[...root.querySelectorAll('#board .since')].map(each => each.dataset.spot ?? each.dataset.pick)"
        places = player.look(marked)
        assert places
        assert set(places) <= picks
        context.close()
    session = against_bots(GAMES[3])
    with served(session) as server:
        context = browser.new_context(viewport=DESK)
        player = Player(context, server.url)
        player.turn()
        draws = sum(1 for _ in itertools.takewhile(lambda move: move.player < 0, session.moves))
        assert draws > 9
        assert f"(and {draws - 1} before)" in player.page.inner_text("#moves")
        seen = player.look("[...root.querySelectorAll('#moves li')].filter(each => !each.hidden).length")
        assert seen <= len(session.moves) - draws + 1
        context.close()


def test_the_points_if_the_game_ended_are_a_hover_away(browser: Any) -> None:
    session = against_bots(GAMES[0])
    with playing(served(session), browser) as player:
        player.play("mouse", most=12)
        player.turn()
        player.page.hover("#seats")
        player.until("root.querySelector('#seats small').textContent.endsWith('if it ended now')")
        shown = player.look("[...root.querySelectorAll('#seats small')].map(each => parseInt(each.textContent))")
        assert shown == session.state.scores_if_over()


def test_the_wheel_turns_what_the_pointer_shows(browser: Any) -> None:
    """A tile in the place where it would lie; a click then begins with that, and the drawing keeps its size."""
    game = tilery.load(GAMES[0])
    seeds = (Session(game, [None, "random"], seed=seed) for seed in itertools.count())
    session = next(session for session in seeds if session.actor == 0 and session.state.num_legal_actions() > 4)
    with playing(served(session), browser) as player:
        page, whole = player.page, player.page.get_attribute("#board svg", "viewBox")
        for x, y in player.turn()["ways"]:
            before = page.inner_text("#say")
            page.mouse.move(x, y)
            seen = until(
                lambda earlier=before: (now := page.inner_text("#say")) != earlier and now, "the words of the place"
            )
            page.mouse.wheel(0, 100)
            if any(page.inner_text("#say") != seen or page.wait_for_timeout(50) for _ in range(10)):
                break
        turned = page.inner_text("#say")
        assert turned != seen
        assert page.get_attribute("#board svg", "viewBox") == whole
        page.mouse.click(x, y)
        page.click("#choices .go")
        player.until("root.querySelectorAll('#moves li').length > 1")
        assert session.words_seen(1, 0) == turned
        assert not player.errors


def test_the_element_tells_its_page(browser: Any) -> None:
    """By events that leave the shadow tree; the page can play by the element's methods."""
    session = against_bots(GAMES[2])
    with playing(served(session), browser) as player:
        player.turn()
        page, board = player.page, 'document.querySelector("tilery-board")'
        page.evaluate("window.changes = []")
        page.evaluate("""document.addEventListener("tilery-change", event => window.changes.push(event.detail))""")
        token = session.game.action_to_string(session.state.legal_actions()[-1])
        page.evaluate(f"{board}.play({json.dumps(token)})")
        player.until("window.changes.length > 0")
        assert page.evaluate("window.changes[0].moves[0][1]") == token
        page.evaluate(f"{board}.undo()")
        player.until("window.changes.at(-1).moves.length === 0")
        page.evaluate(f"{board}.play('nonsense')")
        player.until("!root.querySelector('#error').hidden")
        page.evaluate(f"{board}.remove()")  # with what it listens to
        page.keyboard.press("?")
        assert len(player.errors) == 1  # of the console, about the refused token


def test_a_game_is_shared_by_its_address(browser: Any, web_build: Path) -> None:
    """A finished game with a branch opens elsewhere, from the address alone; a broken address says so."""
    session = against_bots(GAMES[2])
    while session.actor >= 0:
        session.play(session.game.action_to_string(session.state.legal_actions()[0]))
        session.play_bots()
    begun = session.record().to_json()
    address = (web_build / f"{GAMES[2]}.html").as_uri()
    here, elsewhere = (browser.new_context(viewport=DESK, offline=True) for _ in range(2))
    here.add_init_script(f"localStorage.setItem({json.dumps('tilery-' + GAMES[2])}, {json.dumps(begun)})")
    player = Player(here, address)
    player.page.click("#share")
    player.until("location.hash.startsWith('#record=')")
    shared = player.page.url
    assert len(shared) < len(address) + len(begun)
    opened = Player(elsewhere, shared)
    assert opened.page.locator("#moves li").count() == len(session.moves)
    assert "The game is over" in opened.page.inner_text("#say")
    for broken in (shared[:-40], f"{address}#record=AAAA"):
        page = Player(browser.new_context(viewport=DESK, offline=True), broken).page
        assert "cannot be opened" in page.inner_text("body > p[role=alert]")
    here.close()
    elsewhere.close()


SHOWN = """[...root.querySelectorAll("#panel section")].map(section => [section.querySelector("h2").lastChild.data,
  [...section.querySelectorAll(".thing")].map(({ dataset, lastChild }) => [
    dataset.pick ?? "", lastChild.tagName === "SMALL" ? lastChild.textContent : ""])])"""


@pytest.mark.parametrize("name", GAMES)
def test_what_is_next_to_the_board_is_that_of_the_position(name: str, browser: Any) -> None:
    """Also after moves that leave the board as it is; or that after the only action, which is previewed.

    A preview leaves what would change its size.
    """
    session = against_bots(name)

    def right() -> bool:
        planned, panel = player.look("root.dataset.preview"), session.state.panel(0)
        if planned:
            after = session.state.child(session.game.string_to_action(planned)).panel(0)
            panel = after if len(after["groups"]) == len(panel["groups"]) else panel
        groups = [group for group in panel["groups"] if group["words"]]
        things = [[[each["pick"], each["words"]] for each in group["things"]] for group in groups]
        return bool(player.look(SHOWN) == [[group["words"], each] for group, each in zip(groups, things, strict=True)])

    with playing(served(session), browser) as player:
        for _ in range(12):
            player.turn()
            player.page.mouse.move(1, 1)
            until(right, "the panel of the position")
            player.play("mouse", most=1)


def test_what_stays_next_to_the_board_is_not_made_again(browser: Any) -> None:
    """Also when the board grows: browsers would style each drawing there again."""
    things = "[...root.querySelectorAll('#panel section:last-child .thing')]"
    with playing(served(against_bots(GAMES[0])), browser) as player:
        player.turn()
        player.look(f"{things}.forEach(each => {{ each.before = true }})")
        size = player.look("root.querySelector('#board svg').dataset.whole")
        while player.look("root.querySelector('#board svg').dataset.whole") == size:
            player.play("mouse", most=1)
        player.turn()
        before, count = player.look(f"{things}.filter(each => each.before).length"), player.look(f"{things}.length")
        assert count - 6 < before <= count  # each tile since then left one fewer of its kind


def test_buttons_stay_where_the_pointer_is(browser: Any) -> None:
    """What an action brings is said below them, so that a click hits what the pointer chose."""
    with playing(served(against_bots(GAMES[1])), browser) as player:
        player.turn()
        place = centre("#choices [data-pick='button:extra']")
        before = player.look(place)
        player.page.mouse.move(*before)
        player.until("root.querySelector('#brings li')")
        assert player.look(place) == before


def test_each_tool_is_there_once(browser: Any) -> None:
    """As a button, grey where it is not possible now, and then it says why."""
    session = against_bots(GAMES[1])
    with playing(served(session), browser) as player:
        player.turn()
        buttons = "[...root.querySelectorAll('#choices .icon')].map(({ parentNode: { dataset } }) => dataset)"
        tools = player.look(f"{buttons}.map(each => each.pick ?? each.spot)")
        assert {"tool:3", "tool:palace", "card:open"} <= set(tools)
        assert len(tools) == len(set(tools))
        things = "'use, polygon, path, circle'"
        empty = f"[...root.querySelectorAll('#choices .icon')].filter(icon => !icon.querySelector({things}))"
        assert player.look(f"{empty}.map(icon => icon.parentNode.title)") == []
        assert player.page.locator("#panel [data-pick^=tool]").count() == 0
        player.page.click("#choices [data-spot='tool:palace']", force=True)  # aria-disabled
        player.until("root.querySelector('#say').textContent.startsWith('Not possible: JA-')")


def test_points_since_the_own_last_move_are_beside_the_players(browser: Any) -> None:
    session, gains = against_bots(GAMES[2]), [0, 0]
    while not any(gains):
        session.play_bots()
        session.play(session.game.action_to_string(session.state.legal_actions()[-1]))
        session.play_bots()
        mine = max(i for i, move in enumerate(session.moves) if move.player == 0)
        events = [event for move in session.moves[mine:] for event in move.events]
        gains = [sum(event["points"] for event in events if event["player"] == player) for player in range(2)]
    with playing(served(session), browser) as player:
        player.turn()
        shown = player.look(
            "[...root.querySelectorAll('#seats li')].map(seat => Number(seat.querySelector('i')?.textContent ?? 0))"
        )
        assert shown == gains


def test_the_last_move_is_in_sight(browser: Any) -> None:
    session = against_bots(GAMES[0])
    for _ in range(10):
        session.play_bots()
        session.play(session.game.action_to_string(session.state.legal_actions()[0]))
    with playing(served(session), browser, viewport={"width": 1440, "height": 900}) as player:
        player.turn()
        assert player.look("root.querySelector('#moves li:last-child').getBoundingClientRect().bottom") <= 900


def centre(part: str) -> str:
    """An expression for the middle of the first element of a selector."""
    box = f"root.querySelector({json.dumps(part)}).getBoundingClientRect()"
    return f"(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])({box})"


def in_sight(player: Player, part: str) -> Any:
    """Whether the middle of the first element of a selector is where one can click."""
    return player.look(f"root.querySelector('{part}').contains(root.getRootNode().elementFromPoint(...{centre(part)}))")


def test_symbols_say_what_they_mean(browser: Any) -> None:
    """Under the pointer, and all of them in the legend beside the rules."""
    session = against_bots(GAMES[2])
    with playing(served(session), browser) as player:
        player.turn()
        page = player.page
        page.mouse.move(*player.look(centre(f"#board use[href='#{GAMES[2]}-chieftain']")))
        player.until("root.querySelector('#tip').textContent.includes('the chieftain')")
        page.mouse.move(2, 2)
        player.until("root.querySelector('#tip').hidden")
        page.keyboard.press("?")
        page.wait_for_selector("#rules[open]")
        symbols = player.look("[...root.querySelectorAll('#rules dl use')].map(use => use.getAttribute('href'))")
        assert {f"#{GAMES[2]}-{each}" for each in ("chieftain", "cube-0", "cube-n", "seen")} <= set(symbols)
        words = page.locator("#rules dd").all_inner_texts()
        assert len(words) == len(symbols)
        assert {"your cube", "random's cube"} <= set(words)


def test_what_actions_cost_is_on_tools_and_places(browser: Any) -> None:
    session = against_bots(GAMES[1])
    with playing(served(session), browser) as player:
        while session.actor != 0 or not any(session.state.panel(0)["prices"]):
            player.play("mouse", most=1)
            player.turn()
        player.turn()
        page, game = player.page, session.game
        paths = [game.picks(action) for action in session.state.legal_actions()]
        prices = dict.fromkeys((path[0] for path in paths), 0)
        for path, price in zip(paths, session.state.panel(0)["prices"], strict=True):
            prices[path[0]] = max(prices[path[0]], price)
        shown = "[...root.querySelectorAll('#choices [data-pick]')].map(tool => [tool.dataset.pick, Number("
        shown += "tool.dataset.price?.split('\u2013').at(-1) ?? 0)])"
        assert dict(player.look(shown)) == prices
        tool = next(path[0] for path in paths if path[0] == "tool:rice")
        page.click(f"#choices [data-pick='{tool}']")
        player.until("root.querySelectorAll('#board .badge.price').length > 0")
        places = [price for path, price in zip(paths, session.state.panel(0)["prices"], strict=True) if path[0] == tool]
        badges = "[...root.querySelectorAll('#board .badge.price')].map(badge => Number(badge.textContent))"
        assert sorted(player.look(badges)) == sorted(places)


def test_a_building_is_turned_by_keys_buttons_and_dragging(browser: Any) -> None:
    """The position and its previews; what comes next stays turned."""
    session = against_bots(GAMES[2])
    with playing(served(session), browser) as player:
        player.page.select_option("#pace", "0")
        player.play("mouse", most=2)
        player.turn()
        page, side = player.page, "Number(root.querySelector('#board svg').dataset.solid)"
        front = player.look(side)
        turned = [f"{side} === {(front + by) % 4}" for by in range(4)]
        page.mouse.move(2, 2)
        page.keyboard.press("]")
        player.until(turned[1])
        page.click("#turn button:last-child")
        player.until(turned[2])
        x, y = player.look(centre("#board"))
        page.mouse.move(x - 200, y - 300)
        page.mouse.down()
        page.mouse.move(x - 100, y - 300, steps=4)
        page.mouse.up()
        player.until(turned[3])
        before = len(session.moves)
        player.play("mouse", most=1)
        player.turn()
        assert player.look(turned[3])
        assert before <= len(session.moves)
        page.keyboard.press("[")
        player.until(turned[2])
        assert not player.errors


def test_a_building_that_was_turned_stays_so_when_the_chieftain_rounds_a_corner(browser: Any) -> None:
    """By itself it is seen from the side of the chieftain."""
    session = against_bots(GAMES[2])
    while session.state.num_legal_actions() > 0 and len(session.moves) < 30:
        session.play(session.game.action_to_string(session.state.legal_actions()[-1]))
        session.play_bots()
    solid = re.compile(r'data-solid="(\d)"')
    pictures = [session.state_after(number).to_svg(0, part="board") for number in range(len(session.moves))]
    fronts = [int(solid.findall(picture)[0]) for picture in pictures]
    corner = next(number for number in range(2, len(fronts)) if fronts[number] != fronts[1])
    with playing(served(session), browser) as player:
        page, side = player.page, "Number(root.querySelector('#board svg').dataset.solid)"

        def look_at(number: int) -> Any:
            page.click(f"#moves li:nth-child({number}) button")
            page.wait_for_selector(f"text=The position after {number} actions.")
            return player.look(side)

        player.turn()
        assert [look_at(1), look_at(corner)] == [fronts[1], fronts[corner]]
        page.keyboard.press("]")
        player.until(f"{side} === {(fronts[corner] + 1) % 4}")
        assert [look_at(1), look_at(corner), look_at(1)] == 3 * [(fronts[corner] + 1) % 4]


def test_who_owns_what_is_a_hover_away(browser: Any) -> None:
    """The places of a feature light up with what it would bring; so do the pieces of a player."""
    session = against_bots(GAMES[0])
    for _ in range(40):
        session.play_bots()
        if session.actor == 0:
            session.play(session.game.action_to_string(tilery.policy("greedy").choose(session.state, 1)))
    with playing(served(session), browser) as player:
        player.turn()
        standing = session.state.panel(0)["standing"]
        place = standing[0]["on"][0]
        spot = f"#board [data-spot='{place}']"
        player.page.mouse.move(*player.look(centre(spot)))
        player.until("root.querySelector('#tip').textContent.includes('if the game ended now')")
        here = [each for each in standing if place in each["on"]]
        owned = player.look("[...root.querySelectorAll('.owned')].map(each => each.dataset.spot ?? each.dataset.pick)")
        assert set(owned) == {each for event in here for each in event["on"]}
        assert sum(event["points"] for event in here) == sum(
            int(line.split()[0].replace("\u2212", "-"))
            for line in player.page.locator("#tip div").all_inner_texts()
            if "if the game ended now" in line
        )
        player.page.hover("#seats li:nth-child(2)")
        meeples = sum(1 for *_, seat in session.state.information_state(0)["meeples"] if seat == 1)
        player.until(f"root.querySelectorAll('#board .theirs').length === {meeples}")


def test_a_file_plays_by_its_network(browser: Any, web_build: Path) -> None:
    """The strongest bots are those of the ladder, and hints come from its champion."""
    context = browser.new_context(viewport=DESK, offline=True)
    player = Player(context, (web_build / "offline" / f"{GAMES[2]}.html").as_uri())
    page = player.page
    player.turn()
    page.hover("#seats")
    player.until("root.querySelector('#seats small').textContent.endsWith('if it ended now')")
    page.click("#new")
    strongest = levels(GAMES[2], named=False)[-1]
    player.until(f"root.querySelector('#setup select[name=seat] option[value=\"{strongest[0]}\"]') !== null")
    page.click("#setup button[value=cancel]")
    page.click("#hint")
    page.wait_for_selector("#hints li", timeout=60_000)
    assert not player.errors
    context.close()
