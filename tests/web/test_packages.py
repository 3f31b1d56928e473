"""The npm packages, from the tarballs of `npm pack`: the programs of their READMEs run in node and in a page."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import tilery
from tests.kit.waiting import until
from tests.kit.web import chromium

pytestmark = pytest.mark.slow
PAGE = """<!doctype html><meta charset="utf-8"><title>a page</title>
<script type="importmap">{"imports": {"@tilery/board": "/@tilery/board/board.mjs", "@tilery/": "/@tilery/"}}</script>
<script type="module">
"""


@pytest.fixture(scope="module")
def modules(web_build: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder node_modules of a project that installed both tarballs."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("needs npm (Debian: apt-get install npm)")
    folder, project = web_build / "npm", tmp_path_factory.mktemp("project")
    subprocess.run([npm, "init", "--yes"], cwd=project, check=True, capture_output=True)
    for name in ("engine", "board"):
        printed = subprocess.check_output([npm, "pack", "--json", folder / name], cwd=project, text=True)
        tarball = project / f"tilery-{name}-{tilery.__version__}.tgz"
        assert tarball.exists(), printed
        words = [npm, "install", "--offline", "--no-audit", "--no-fund", tarball.name]
        subprocess.run(words, cwd=project, check=True, capture_output=True)
    return project / "node_modules"


@pytest.fixture
def address(modules: Path) -> Iterator[str]:
    """Where node_modules is served as files."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(modules)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def program(modules: Path, name: str) -> str:
    """The program in the README of a package."""
    text = (modules / "@tilery" / name / "README.md").read_text(encoding="utf-8")
    (found,) = re.findall(r"```javascript\n(.*?)```", text, re.DOTALL)
    return str(found)


def test_packages_say_what_they_are(modules: Path) -> None:
    for name in ("engine", "board"):
        about = json.loads((modules / "@tilery" / name / "package.json").read_text(encoding="utf-8"))
        assert (about["name"], about["version"], about["license"]) == (f"@tilery/{name}", tilery.__version__, "MIT")
        assert about["repository"]["url"].startswith("git+https://"), "npm compares it with who publishes"
        assert {"LICENSE", "NOTICE", "README.md"} <= {path.name for path in (modules / "@tilery" / name).iterdir()}


def test_the_engine_plays_in_node(modules: Path) -> None:
    script = modules.parent / "program.mjs"
    script.write_text(program(modules, "engine") + "console.log(JSON.stringify(state.scores()));\n", encoding="utf-8")
    printed = subprocess.check_output(["node", script], cwd=modules.parent, text=True, timeout=120)
    assert json.loads(printed) == [0, 0, 0]


def test_the_board_plays_on_a_page(modules: Path, address: str) -> None:
    (modules / "page.html").write_text(f"{PAGE}{program(modules, 'board')}</script>", encoding="utf-8")
    with chromium() as browser:
        page = browser.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{address}page.html")
        moves = "(document.querySelector('tilery-board')?.view?.moves ?? []).length"
        until(
            lambda: page.evaluate("document.querySelector('tilery-board')?.view?.actions?.length > 0"),
            "there is an action",
            pause=lambda: page.wait_for_timeout(50),
        )
        before = page.evaluate(moves)
        page.evaluate("(board => board.play(board.view.actions[0].token))(document.querySelector('tilery-board'))")
        until(lambda: page.evaluate(moves) > before, "the action is played", pause=lambda: page.wait_for_timeout(50))
        assert not errors
        page.close()
