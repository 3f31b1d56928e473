"""Everything that a tag does short of the upload, twice, and what has come of it used as a user would.

    python -m tests.lab.release --dry [--of COMMIT] [--games NAME ...] [--once] [--restart]

Each of two clean clones of a commit, HEAD unless --of names another, builds the source distribution, the wheel of this
platform, the WebAssembly files with the pages that need no server, the npm packages, and the documentation, without a
compiler cache. The first builds the wheel from its files, the second from its source distribution, both in an empty
environment, as pip does for a user. Both must have the same bytes, in build/rehearsal. Then each artefact is installed
in an empty environment, with an empty HOME and without the checkout, and plays. --games builds the engine for fewer
games, to try this out; --once builds one clone. Started again for the same commit and games, this goes on after the
last step that passed; --restart begins with the first.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import unquote

import tilery
from tests.kit.games import ROOT
from tests.kit.waiting import until
from tests.kit.web import chromium

FOLDER = ROOT / "build" / "rehearsal"
KEPT = ("PIP_", "CMAKE_", "CC", "CXX", "LANG", "SSL_", "http", "HTTP")
"""How the variables begin that commands get besides PATH and HOME: where packages come from, and the compiler."""
CACHES = ("CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER")
"""Variables that no command gets: with a cache, the second build would be a copy of the first."""
LARGEST, LARGEST_WITHOUT_WEIGHTS = 5_300_000, 3_700_000
"""Bytes of a wheel with both variants."""
TOY = "toy"
"""In every wheel; it has no pages."""

PLAY = """
import json, sys, tilery
scores = {name: tilery.simulate(tilery.load(name), 50, seed=7)["scores"].tolist() for name in sys.argv[1:]}
print(json.dumps(scores))
"""
PACKAGES = ("engine", "board")
"""The npm packages that web/build.py describes."""
NODE = """
import fs from "node:fs";
const { load, Rng } = await import(process.argv[2] + "/tilery.mjs");
const engine = await load(fs.readFileSync(new URL(process.argv[2] + "/tilery.wasm")));
for (const name of process.argv.slice(3)) {
  const game = engine.game(name, {}), state = game.newInitialState(), rng = new Rng(engine, 7, 0);
  while (!state.isTerminal()) state.apply(state.randomAction(rng));
  console.log(name + " " + state.scores().join(" "));
}
"""


class Steps:
    """The steps of a rehearsal, each done once: what a step has printed is kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, name: str, do: Callable[[], object]) -> None:
        """Do a step unless it has passed before, and print what it tells."""
        kept = self._folder / name.replace(" ", "-")
        if not kept.exists():
            print(f"{name} ...", flush=True)
            began = time.perf_counter()
            text = str(do() or "done")
            kept.write_text(f"{name}, {(time.perf_counter() - began) / 60:.1f} min: {text}", encoding="utf-8")
        print(kept.read_text(encoding="utf-8"), flush=True)


def run(*words: str | Path, cwd: Path, home: Path | None = None, **more: str) -> str:
    """What a command prints; with `home`, in an environment without anything of this one but what `KEPT` names."""
    environment = {name: value for name, value in os.environ.items() if name not in CACHES}
    if home is not None:
        environment = {name: value for name, value in environment.items() if name.startswith(KEPT)}
        environment |= {"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    command = [str(word) for word in words]
    done = subprocess.run(command, cwd=cwd, env=environment | more, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"failed: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def environment_in(folder: Path, home: Path, *packages: str | Path) -> Path:
    """The Python of a new virtual environment with these packages."""
    run(sys.executable, "-m", "venv", "--clear", folder, cwd=home, home=home)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = (python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    run(*pip, "--upgrade", "pip>=25.1", cwd=home, home=home)
    run(*pip, *packages, cwd=home, home=home)
    return python


class Build:
    """A clean clone in a folder, and what is built of it; the artefacts are in `out`."""

    def __init__(self, folder: Path, commit: str, games: list[str], *, packed: bool) -> None:
        self.folder, self.commit, self.games, self.packed = folder, commit, games, packed
        self.clone, self.out = folder / "tilery", folder / "out"
        self.python = folder / "tools" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def steps(self, step: Steps) -> None:
        """Build everything."""
        for each in (self.cloned, self.sdist, self.wheel, self.tools, self.pages, self.packages, self.site):
            step(f"{self.folder.name} {each.__name__}", each)

    def in_clone(self, *words: str | Path, home: Path | None = None, **more: str) -> None:
        """Run a command in the clone, at the time of its commit."""
        more["SOURCE_DATE_EPOCH"] = run("git", "log", "-1", "--format=%ct", cwd=self.clone).strip()
        run(*words, cwd=self.clone, home=home, **more)

    def cloned(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.out.mkdir(parents=True)
        run("git", "clone", "--quiet", "--no-checkout", ROOT, self.clone, cwd=self.folder)
        run("git", "checkout", "--quiet", "--detach", self.commit, cwd=self.clone)

    def sdist(self) -> None:
        self.in_clone(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", self.out)

    def wheel(self) -> str:
        """The wheel, from the source distribution if `packed`, and its size, which must be in the budget."""
        (sdist,) = self.out.glob("*.tar.gz")
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps")
        settings = ["TILERY_ONE_VARIANT=OFF", f"TILERY_GAMES={';'.join([TOY, *self.games])}"]
        options = [f"--config-settings=cmake.define.{setting}" for setting in settings]
        with tempfile.TemporaryDirectory() as home:
            source = sdist if self.packed else self.clone
            self.in_clone(*pip, *options, "--wheel-dir", self.out, source, home=Path(home))
        (wheel,) = self.out.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            weights = sum(one.compress_size for one in archive.infolist() if one.filename.endswith(".tnn"))
        whole = wheel.stat().st_size
        sizes = f"{whole / 1e6:.2f} MB, {(whole - weights) / 1e6:.2f} without weights"
        if whole > LARGEST or whole - weights > LARGEST_WITHOUT_WEIGHTS:
            sys.exit(f"the wheel is too large: {sizes}")
        return sizes

    def tools(self) -> None:
        """An environment with the wheel and its extras, which makes the pages and the documentation."""
        (wheel,) = self.out.glob("*.whl")
        groups = (f"{self.clone / 'pyproject.toml'}:{group}" for group in ("docs", "web"))
        words = (word for group in groups for word in ("--group", group))
        environment_in(self.folder / "tools", self.folder, f"{wheel}[all]", "cmake>=3.25", "ninja>=1.11", *words)

    def pages(self) -> None:
        """The WebAssembly files, the pages that need no server, and what goes into the npm packages."""
        path = f"{self.python.parent}{os.pathsep}{os.environ['PATH']}"
        self.in_clone(self.python, "web/build.py", self.folder / "web", *self.games, PATH=path)

    def packages(self) -> None:
        for package in PACKAGES:
            source = self.folder / "web" / "npm" / package
            run("npm", "pack", "--silent", "--pack-destination", self.out, source, cwd=self.folder)

    def site(self) -> None:
        """The documentation, which needs all games, with the pages in play/."""
        shutil.rmtree(self.out / "site", ignore_errors=True)
        words = ("-m", "sphinx", "--fail-on-warning", "--quiet", "-d", self.folder / "doctrees", "-c", "docs", ".")
        words += ("-D", "play=1")
        if set(self.games) >= set(tilery.games()):
            self.in_clone(self.python, *words, self.out / "site")
        ignore = shutil.ignore_patterns("engine", "npm")
        shutil.copytree(self.folder / "web", self.out / "site" / "play", ignore=ignore)


def digests(folder: Path) -> dict[str, str]:
    """File -> SHA-256 of its bytes."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def dead_links(site: Path) -> list[str]:
    """The links and pictures of a site's pages that lead to no file of it."""
    dead = []
    for page in site.rglob("*.html"):
        for target in re.findall(r'(?:href|src)="([^"#?]+)', page.read_text(encoding="utf-8")):
            if not re.match(r"[a-z]+:|//", target) and not (page.parent / unquote(html.unescape(target))).exists():
                dead.append(f"{page.relative_to(site)}: {target}")
    return dead


def equal(first: Path, *others: Path) -> str:
    """The digests of artefacts, which must be those of the same artefacts in the other folders; without dead links."""
    ours = digests(first)
    for other in map(digests, others):
        if different := sorted(name for name in ours.keys() | other.keys() if ours.get(name) != other.get(name)):
            sys.exit(f"two builds differ in {', '.join(different)}")
    whole = (first / "site" / "index.html").exists()  # with fewer games pages lead to a documentation that is not built
    if whole and (dead := dead_links(first / "site")):
        sys.exit("dead links:\n" + "\n".join(dead))
    run(sys.executable, "-m", "twine", "check", "--strict", *first.glob("*.whl"), *first.glob("*.tar.gz"), cwd=first)
    pages = len(list((first / "site").rglob("*.html")))
    files = f"{len(ours):,} files, {pages} of them pages{'; both builds are equal' if others else ''}"
    return "\n".join([files, *(f"{digest}  {name}" for name, digest in ours.items() if "/" not in name)])


def plays(wheel: Path, games: list[str]) -> str:
    """Install a wheel as a user would, and compare its games with those of this checkout; what its doctor says."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        python = environment_in(home / "venv", home, wheel)
        expected = {one: tilery.simulate(tilery.load(one), 50, seed=7)["scores"].tolist() for one in games}
        found = json.loads(run(python, "-I", "-c", PLAY, *games, cwd=home, home=home))
        if found != expected:
            sys.exit(f"{wheel.name} plays other games than this checkout")
        command = python.parent / "tilery"
        run(command, "simulate", games[0], "--games", "100", cwd=home, home=home)
        run(command, "docs", "start", cwd=home, home=home)
        return run(command, "doctor", cwd=home, home=home).split("extra")[0].rstrip()


def plays_in_node(out: Path, games: list[str]) -> str:
    """Install the npm packages, and play with theirs and with the files of the site; both print the same scores."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        (home / "play.mjs").write_text(NODE, encoding="utf-8")
        run("npm", "install", "--offline", "--silent", *out.glob("*.tgz"), cwd=home, home=home)
        folders = (out / "site" / "play", home / "node_modules" / "@tilery" / "engine")
        played = {run("node", "play.mjs", each.as_uri(), *games, cwd=home, home=home).rstrip() for each in folders}
        if len(played) > 1:
            sys.exit("the npm package plays other games than the site")
        return played.pop()


def opens(folder: Path, games: list[str]) -> str:
    """Open the page of each game as a file in a browser, and play the first action that it offers."""
    offered = "document.querySelector('tilery-board')?.view?.actions?.length > 0"
    moves = "(document.querySelector('tilery-board')?.view?.moves ?? []).length"
    errors: list[str] = []
    with chromium() as browser:
        for name in games:
            page = browser.new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.goto((folder / f"{name}.html").as_uri())
            wait = partial(page.wait_for_timeout, 50)
            until(partial(page.evaluate, offered), f"{name}.html offers an action", pause=wait)
            page.evaluate("(board => board.play(board.view.actions[0].token))(document.querySelector('tilery-board'))")
            until(partial(page.evaluate, f"{moves} > 0"), f"{name}.html plays it", pause=wait)
            if errors:
                sys.exit(f"{name}.html: {errors}")
            page.close()
    return f"{len(games)} pages play"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", default="HEAD", metavar="COMMIT")
    parser.add_argument("--games", nargs="+", choices=tilery.games(), default=tilery.games())
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--restart", action="store_true")
    parser.add_argument("--dry", action="store_true", required=True, help="this uploads nothing; a tag does that")
    options = parser.parse_args()
    games, names = options.games, ("first",) if options.once else ("first", "second")
    commit = run("git", "rev-parse", f"{options.of}^{{commit}}", cwd=ROOT).strip()
    plan, kept = " ".join([commit, *names, *games]), FOLDER / "plan"
    if options.restart or not kept.exists() or kept.read_text(encoding="utf-8") != plan:
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        kept.write_text(plan, encoding="utf-8")
    step = Steps(FOLDER / "steps")
    builds = [Build(FOLDER / name, commit, games, packed=name == "second") for name in names]
    for build in builds:
        build.steps(step)
    out = builds[0].out
    step("equal", partial(equal, *(build.out for build in builds)))
    (wheel,) = out.glob("*.whl")
    step("wheel plays", partial(plays, wheel, [TOY, *games]))
    step("npm plays", partial(plays_in_node, out, games))
    step("pages play", partial(opens, out / "site" / "play", games))


if __name__ == "__main__":
    main()
