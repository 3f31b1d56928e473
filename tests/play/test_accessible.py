"""The page by axe-core: WCAG 2.2 AA without a violation, in every game, both themes, on desks and phones."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
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

pytestmark = pytest.mark.slow
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture(scope="module")
def axe() -> str:
    """The script of axe-core, where node finds it: in the checkout or by NODE_PATH."""
    if shutil.which("node") is None:
        pytest.skip("needs node")
    words = ["node", "-p", "require.resolve('axe-core/axe.min.js')"]
    found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if found.returncode != 0:
        pytest.skip("needs axe-core (npm install --no-save axe-core, or NODE_PATH)")
    return Path(found.stdout.strip()).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("how", ["mouse", "touch"])
@pytest.mark.parametrize("name", GAMES)
def test_axe_finds_nothing(name: str, how: str, theme: str, browser: Any, axe: str) -> None:
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
            page.evaluate(axe)
            found = page.evaluate(f"axe.run(document, {{ runOnly: {RULES} }})")["violations"]
            assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
            context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("how", ["mouse", "touch"])
@pytest.mark.parametrize("name", GAMES)
def test_axe_finds_nothing_on_a_review(name: str, how: str, theme: str, browser: Any, axe: str, tmp_path: Path) -> None:
    """With the summary, at a mark with the better turn, and at the end; pictures are left in build/screens."""
    written, review, _ = reviewed(name)
    file = tmp_path / "page.html"
    file.write_text(pictures.steps(written, review=review), encoding="utf-8")
    screens = ROOT / "build" / "screens"
    screens.mkdir(parents=True, exist_ok=True)
    reader = Reader(browser, file, how, theme)
    reader.page.evaluate(axe)
    for keys in ([], ["n"], ["b"], ["End"]):
        for key in keys:
            reader.page.keyboard.press(key)
        found = reader.page.evaluate(f"axe.run(document, {{ runOnly: {RULES} }})")["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
        reader.page.screenshot(path=screens / f"review-{name}-{how}-{theme}-{'-'.join(keys) or 'begin'}.png")
    reader.context.close()
