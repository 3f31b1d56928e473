"""How soon the page is ready, a preview shown, and an own move on the screen, in headless Chromium.

    python bench/page_speed.py [FOLDER] [--games NAME ...] [--moves N]

FOLDER is what `python3 dev.py web` makes (build/web). Each game is opened from `tilery play`, and from its file. Ready
is the time from the request of the page until things can be pointed at; a preview takes from the arrival of the pointer
to the frame that shows the action as it would be, a move from the last click to the frame that shows the position after
it, without the bot's thinking. A line gives the median, what 19 of 20 take at most, and the maximum in milliseconds of
wall time; the goal is for 19 of 20. That needs a quiet machine.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright

import tilery

ROOT = Path(__file__).parents[1]
READY, PREVIEW, MOVE = 1000, 50, 100
"""Milliseconds that are the goals."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
OPENED = """() => new Promise(done => {
  const look = () => {
    const page = document.querySelector("tilery-board")?.shadowRoot;
    if (!page?.querySelector("#board .on, #choices [data-pick]")) setTimeout(look, 1);
    else requestAnimationFrame(() => done(performance.now()));
  };
  look();
})"""
"""Milliseconds from the request of the page until something can be picked and was drawn."""
SEEN = """const seen = (name, page, then) => {
  const changes = new MutationObserver(() => {
    if (!page.dataset[name]) return;
    changes.disconnect();
    requestAnimationFrame(() => setTimeout(then, 0));
  });
  changes.observe(page, { attributes: true, attributeFilter: [`data-${name}`] });
  return changes;
};"""
"""Waits for the first frame after an attribute of the page has a value; a timer would see that a frame later."""
POINT = f"""luck => new Promise(done => {{
  {SEEN}
  const page = document.querySelector("tilery-board").shadowRoot.querySelector(".page");
  const ways = [...page.querySelectorAll("#board .on:not(.chosen), #choices [data-pick]")];
  if (ways.length === 0 || page.dataset.busy) return done(null);
  const way = ways[Math.floor(luck * ways.length)];
  requestIdleCallback(() => {{ // not while the move before is still being drawn
    const began = performance.now(), changes = seen("preview", page, () => done(performance.now() - began));
    way.dispatchEvent(new PointerEvent("pointerover", {{ bubbles: true, pointerType: "mouse" }}));
    setTimeout(() => {{ // several actions begin so
      changes.disconnect();
      done(null);
    }}, 300);
  }});
}})"""
"""Points at something; milliseconds until the board after it is on the screen, if that is one action."""
CLICK = f"""luck => new Promise(done => {{
  {SEEN}
  const page = document.querySelector("tilery-board").shadowRoot.querySelector(".page");
  const ways = [...page.querySelectorAll("#board .on:not(.chosen), #choices [data-pick]")];
  if (page.dataset.over) return done("over");
  if (ways.length === 0 || page.dataset.busy) return setTimeout(() => done(null), 5);
  const began = performance.now(), changes = seen("ready", page, () => done(performance.now() - began));
  ways[Math.floor(luck * ways.length)].dispatchEvent(new MouseEvent("click", {{ bubbles: true }}));
  if (page.dataset.busy) return undefined;
  changes.disconnect();
  return done(null);
}})"""
"""Picks something; milliseconds until the position after a move is on the screen, if that was one."""


@contextmanager
def served(name: str) -> Iterator[str]:
    """The address of `tilery play`."""
    words = [sys.executable, "-m", "tilery", "play", name, "--bot", "random", "--seed", "1", "--no-browser"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def line(label: str, figures: list[float], goal: float) -> None:
    most = float(np.quantile(figures, 0.95))
    verdict = "reached" if most <= goal else "MISSED"
    print(
        f"{label:34} {statistics.median(figures):7.0f} {most:7.0f} {max(figures):7.0f} ms   goal {goal}: {verdict}",
        flush=True,
    )


def measure(browser: Any, label: str, url: str, moves: int) -> None:
    """Print the lines of one page."""
    ready: list[float] = []
    for _ in range(3):
        context = browser.new_context(viewport={"width": 1600, "height": 900})
        page = context.new_page()
        page.goto(url, wait_until="commit")
        ready.append(page.evaluate(OPENED))
        if len(ready) < 3:
            context.close()
    line(f"{label}: ready", ready, READY)
    times: list[float] = []
    previews: list[float] = []
    luck = random.Random(1)
    while len(times) < moves:
        way = luck.random()
        seen = page.evaluate(POINT, way)
        if seen is not None:
            previews.append(seen)
        took = page.evaluate(CLICK, way)
        if took == "over":
            break
        if took is not None:
            times.append(took)
    assert times, "a game has moves"
    line(f"{label}: preview ({len(previews)})", previews, PREVIEW)
    line(f"{label}: own move ({len(times)})", times, MOVE)
    context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "web")
    parser.add_argument("--games", nargs="+", default=tilery.games(), metavar="NAME")
    parser.add_argument("--moves", type=int, default=40)
    options = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        for name in options.games:
            with served(name) as url:
                measure(browser, f"{name}, served", url, options.moves)
            measure(browser, f"{name}, file", (options.folder.resolve() / f"{name}.html").as_uri(), options.moves)
        browser.close()


if __name__ == "__main__":
    main()
