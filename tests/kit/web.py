"""What tests of the web build and of pages need: node, a browser, and the build itself."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.kit.games import ROOT
from tests.kit.once import made_once

BUILD = ROOT / "build" / "web"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]


def need(found: object, what: str, install: str) -> None:
    """Skip unless something is there; in CI it has to be."""
    if found:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing ({install})")
    pytest.skip(f"needs {what} ({install})")


def built() -> Path:
    """The folder of the web build, made once in a run of the tests.

    A second build would replace files that the tests of another worker are reading.
    """
    try:
        import ziglang  # noqa: F401
    except ImportError:
        need(None, "ziglang", "pip install --group web")
    build = [sys.executable, ROOT / "web" / "build.py", BUILD]
    return made_once(BUILD, lambda: subprocess.run(build, check=True, cwd=ROOT))


def content_of(page: str) -> dict[str, Any]:
    """What `tilery.pictures.steps` tells a page."""
    (content,) = re.findall(r'replay\("([^"]+)"\)', page)
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(content)))
    return data


class Node:
    """A node process with the engine, asked by lines of JSON."""

    def __init__(self, folder: Path) -> None:
        node = shutil.which("node")
        need(node, "node", "Debian: apt-get install nodejs")
        self._process = subprocess.Popen(
            [str(node), str(ROOT / "tests" / "web" / "engine.mjs"), str(folder), str(ROOT / "web")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, call: str, **data: Any) -> Any:
        """The answer to a request of tests/web/engine.mjs."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"call": call, **data}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert not (isinstance(answer, dict) and "failed" in answer), answer["failed"]
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def chromium() -> Iterator[Any]:
    """A headless browser of playwright."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    need(program, "a browser", "Debian: apt-get install chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        need(None, "playwright", "pip install playwright")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()
