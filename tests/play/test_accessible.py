"""The page by axe-core: WCAG 2.2 AA without a violation, in every game, on light desks and dark phones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.kit.games import ROOT
from tests.kit.web import chromium
from tests.play.test_page import GAMES, HANDS, Player
from tests.play.test_replay import Reader, reviewed
from tests.play.test_server import served
from tilery import pictures
from tilery.play import Session

pytestmark = pytest.mark.long
axe = pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="needs axe: pip install axe-playwright-python"
)
HOW, THEMES = ("mouse", "touch"), ("light", "dark")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(page: Any) -> list[tuple[str, str]]:
    """The rules that the page breaks, each with the first element that does."""
    found = axe.Axe().run(page, options={"runOnly": RULES}).response["violations"]
    return [(each["id"], each["nodes"][0]["html"]) for each in found]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.mark.parametrize(("how", "theme"), [*zip(HOW, THEMES, strict=True)])
@pytest.mark.parametrize("name", GAMES)
def test_axe_finds_nothing(name: str, how: str, theme: str, browser: Any) -> None:
    """In the middle of a game and at its end."""
    game = tilery.load(name)
    session = Session(game, [None, *["random"] * (game.num_players - 1)], seed=4)
    session.play_bots()
    for stop in (30, 10_000):
        while len(session.moves) < stop and session.actor >= 0:
            session.play(session.game.action_to_string(session.state.legal_actions()[-1]))
            session.play_bots()
        with served(session) as server:
            context = browser.new_context(**HANDS[how], color_scheme=theme, bypass_csp=True)
            page = Player(context, server.url).page
            assert violations(page) == []
            context.close()


@pytest.mark.parametrize(("name", "how", "theme"), [*zip(GAMES, cycle(HOW), cycle(THEMES), strict=False)])
def test_axe_finds_nothing_on_a_review(name: str, how: str, theme: str, browser: Any, tmp_path: Path) -> None:
    """With the summary, at a mark with the better turn, and at the end; pictures are left in build/screens."""
    written, review, _ = reviewed(name)
    file = tmp_path / "page.html"
    file.write_text(pictures.steps(written, review=review), encoding="utf-8")
    screens = ROOT / "build" / "screens"
    screens.mkdir(parents=True, exist_ok=True)
    reader = Reader(browser, file, how, theme)
    for keys in ([], ["n"], ["b"], ["End"]):
        for key in keys:
            reader.page.keyboard.press(key)
        assert violations(reader.page) == []
        reader.page.screenshot(path=screens / f"review-{name}-{how}-{theme}-{'-'.join(keys) or 'begin'}.png")
    reader.context.close()
