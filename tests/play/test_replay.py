"""The page of a recorded game in a browser: steps, graph, marks and better turns, in a file without a network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.kit.waiting import until
from tests.kit.web import chromium
from tests.lab.notebooks import executed
from tests.play.test_page import GAMES, HANDS, ROOT
from tests.play.test_server import served
from tilery import pictures, record
from tilery.play import Session
from tilery.reviews import Loss, Review

pytestmark = pytest.mark.slow
MARKED = 3
"""Decisions that are marked, of those with a choice."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def reviewed(name: str) -> tuple[record.Record, Review, list[int]]:
    """A game, a review that marks some of its decisions, and the numbers of the positions after them."""
    (written,) = record.simulated(tilery.load(name), 1, seed=5)
    found = tilery.review(written, rough=True, threads=1)
    moments, marked = list(found.moments), []
    states = [state for _, state in record.positions(written)]
    for number, (moment, state) in enumerate(zip(moments, states, strict=False)):
        if moment.player >= 0 and state.num_legal_actions() > 1 and len(marked) < MARKED:
            others = [token for token in map(state.action_to_string, state.legal_actions()) if token != moment.token]
            loss = Loss(points=3.0, points_error=0.5, wins=0.2, wins_error=0.01)
            moments[number] = replace(moment, loss=loss, best=others[0], mark="blunder", line=(others[0],))
            marked.append(number + 1)
    return written, replace(found, moments=moments, spent={"worlds": 4, "turns": 2}), marked


class Reader:
    """Reads a page as a person does."""

    def __init__(self, browser: Any, file: Path, how: str, theme: str = "light") -> None:
        self.context = browser.new_context(**HANDS[how], color_scheme=theme, bypass_csp=True, offline=True)
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self.errors.append(line.text))
        self.page.on("request", lambda request: request.url == file.as_uri() or self.errors.append(request.url))
        self.page.goto(file.as_uri())
        self.page.wait_for_selector("[data-ready]")

    def look(self, script: str) -> Any:
        return self.page.evaluate(f"() => {{ const root = {ROOT}; return {script}; }}")

    def number(self) -> int:
        """Of the position in sight."""
        shown: str = self.look("root.querySelector('#replay output').textContent")
        return int(shown.partition(" / ")[0])

    def at(self, number: int) -> None:
        """Wait until this position is in sight."""
        until(lambda: self.number() == number, f"position {number}")

    def text(self, selector: str) -> str:
        found: str = self.look(f"root.querySelector({selector!r}).textContent")
        return found


@pytest.mark.parametrize("how", HANDS)
@pytest.mark.parametrize("name", GAMES)
def test_a_review_is_read(name: str, how: str, browser: Any, tmp_path: Path) -> None:
    """Step by step, from mark to mark, and the better turn, by mouse, touch and keys."""
    written, review, marked = reviewed(name)
    last = len(written.actions.split())
    file = tmp_path / "page.html"
    file.write_text(pictures.steps(written, review=review), encoding="utf-8")
    reader = Reader(browser, file, how)
    locate = reader.page.locator

    def do(key: str, selector: str) -> None:
        if how == "keyboard":
            reader.page.keyboard.press(key)
        elif how == "touch":
            locate(selector).tap()
        else:
            locate(selector).click()

    on, mark, back = "#replay [value='1']", "#marks [title='n']", "#marks [title='b']"
    assert reader.number() == 0
    assert review.words(0) in reader.text("#said")
    for number in range(1, 3):
        do("ArrowRight", on)
        reader.at(number)
    do("ArrowLeft", "#replay [value='-1']")
    reader.at(1)
    for number in (number for number in marked if number > 1):
        do("n", mark)
        reader.at(number)
        assert "blunder lost 3.0\u00a0\u00b1\u00a00.5 points of lead" in reader.text("#brings")
        played = reader.look("root.querySelector('#board svg').innerHTML")
        assert "ghost" not in reader.look("root.querySelector('#board svg').classList.value")
        do("b", back)
        until(lambda: reader.text("#say").startswith("Better: "), "the better turn")
        assert "ghost" in reader.look("root.querySelector('#board svg').classList.value")
        do("b", back)
        until(lambda: not reader.text("#say").startswith("Better: "), "what was played")
        assert reader.look("root.querySelector('#board svg').innerHTML") == played
    if how == "keyboard":
        reader.page.keyboard.press("End")
        reader.at(last)
        reader.page.keyboard.press("PageUp")
        reader.at(last - 10)
    else:
        graph = locate("#graph svg")
        box = graph.bounding_box()
        click = graph.tap if how == "touch" else graph.click
        click(position={"x": box["width"] - 2, "y": box["height"] / 2})
        until(lambda: reader.number() > 0.9 * last, "the end of the graph")
        locate("#replay input").fill(str(last))
        reader.at(last)
        assert "The game is over" in reader.text("#say")
    assert reader.page.url.endswith(f"#{reader.number()}")
    assert reader.look("document.documentElement.scrollWidth <= innerWidth")
    assert reader.errors == []
    reader.context.close()


def test_steps_without_a_review_have_neither_graph_nor_marks(browser: Any, tmp_path: Path) -> None:
    (written,) = record.simulated(tilery.load(GAMES[0]), 1, seed=5)
    file = tmp_path / "page.html"
    file.write_text(pictures.steps(written, player=0), encoding="utf-8")
    reader = Reader(browser, file, "mouse")
    reader.page.keyboard.press("ArrowRight")
    reader.at(1)
    for hidden in ("#graph", "#said", "#marks", "#hint", "#undo", "#new", "#teach", "#record", "#resign", "#open"):
        assert not reader.page.locator(hidden).is_visible(), hidden
    reader.page.keyboard.press("n")
    assert reader.number() == 1
    assert reader.errors == []
    reader.context.close()


def test_players_of_a_record_have_their_names(browser: Any, tmp_path: Path) -> None:
    written, review, marked = reviewed(GAMES[0])
    named = replace(written, more=written.more | {"names": ["Anna", None], "seats": [None, "mcts:300"]})
    file = tmp_path / "page.html"
    file.write_text(pictures.steps(named, review=review), encoding="utf-8")
    reader = Reader(browser, file, "keyboard")
    summary = reader.text("#said")
    assert "Anna ended" in summary
    assert "mcts:300's play" in summary
    reader.page.locator("#marks [title='n']").focus()
    for number in marked:
        reader.page.keyboard.press("Enter")  # the button keeps the focus
        reader.at(number)
    assert "Anna: " in reader.text("#moves")
    assert reader.errors == []
    reader.context.close()


@pytest.mark.filterwarnings("ignore")
def test_a_notebook_shows_the_page_of_a_review(browser: Any, tmp_path: Path) -> None:
    """As nbconvert writes it: the board can be stepped through, and the text is short."""
    for module in ("nbclient", "nbconvert", "ipykernel"):
        pytest.importorskip(module, reason="pip install nbclient nbconvert ipykernel")
    import nbconvert
    import nbformat

    (written,) = record.simulated(tilery.load(GAMES[0]), 1, seed=5)
    source = f"import tilery\ntilery.review({written.to_json()!r}, rough=True)"
    notebook: Any = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    path, file = tmp_path / "review.ipynb", tmp_path / "review.html"
    nbformat.write(notebook, path)
    ran = executed(path)
    assert ran.cells[0].outputs[0].data["text/plain"].count("\n") == tilery.load(GAMES[0]).num_players
    file.write_text(nbconvert.HTMLExporter().from_notebook_node(ran)[0], encoding="utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    frame = page.frame_locator("iframe[title=review]")
    for number in range(1, 3):
        frame.locator("#replay [value='1']").click()
        frame.locator("#replay output", has_text=f"{number} / ").wait_for()
    assert frame.locator("#board svg").is_visible()
    context.close()


def test_the_rough_review_of_a_served_game_gives_way_to_the_closer_one(browser: Any) -> None:
    session = Session(tilery.load("toy"), ["greedy", "random"], seed=3)
    session.play_bots()
    errors: list[str] = []
    with served(session) as server:
        page = browser.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: errors.append(line.text))
        page.goto(server.url + "review#2")
        page.wait_for_url(server.url + "closer-review#2")
        page.wait_for_selector("[data-ready]")
        assert "decisions with a choice" in page.locator("#said").text_content()
        assert page.locator("#replay output").text_content().startswith("2 / ")
        page.close()
    assert errors == []
