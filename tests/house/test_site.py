"""The documentation site is built from the pages without a warning, and found through."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tilery
from tests.kit.games import ROOT
from tests.kit.web import chromium

SOUGHT = {"quick start": "docs/start", "tutorial": "docs/start", "undo": "docs/start"}
"""What a new user types into the search, and a page that must be among the first three found; so must be the page of a
game for the number of one of its rules."""


def ninth_rule(game: str) -> str:
    return re.findall(r"^- \*\*([A-Z]+-9)\*\*", tilery.rules_page(game), re.MULTILINE)[0]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As Read the Docs makes it, with a link to the pages that need no server."""
    output = tmp_path_factory.mktemp("site")
    folder = output / "html"
    settings = (ROOT / ".readthedocs.yaml").read_text(encoding="utf-8")
    (command,) = re.findall(r"^ +- python (-m sphinx .+)$", settings, re.MULTILINE)
    words = [sys.executable, *command.replace("$READTHEDOCS_OUTPUT", str(output)).split(), "--quiet", "-D", "play=1"]
    run = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert run.returncode == 0, run.stderr
    return folder


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(site: Path) -> None:
    pages = {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    for name in tilery.games():
        assert f"docs/rules/{name}.html" in pages
        assert "<img" in pages[f"docs/games/{name}.html"]
        assert f'id="tilery.{name}.Game"' in pages[f"docs/reference/{name}.html"]
    assert 'id="tilery.simulate"' in pages["docs/reference/tilery.html"]
    assert "What you get" in pages["index.html"]
    assert 'href="play/index.html"' in pages["index.html"]
    assert "\n\n</pre>" not in pages["index.html"] + pages["docs/start.html"]
    assert "data:image/svg+xml" in pages["docs/notebooks/first-steps.html"]
    for name, text in pages.items():
        if name.startswith("docs/reference/"):
            assert len(text.encode()) <= 150_000, name


@pytest.mark.slow
def test_a_new_user_finds_what_they_look_for(site: Path) -> None:
    """By the site's own search, in a browser; the pages are served from files."""
    with chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(120_000)
        rules = {ninth_rule(name): f"docs/rules/{name}" for name in tilery.games()}
        for sought, expected in (SOUGHT | rules).items():
            page.goto(f"{(site / 'search.html').as_uri()}?q={sought.replace(' ', '+')}")
            page.wait_for_function(
                "document.querySelector('#search-results .search-summary')?.textContent.includes('found')"
            )
            found = page.eval_on_selector_all("#search-results ul.search li > a", "all => all.map(each => each.href)")
            assert any(address.partition(".html")[0].endswith(expected) for address in found[:3]), (sought, found[:8])
