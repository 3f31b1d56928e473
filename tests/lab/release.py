"""Everything that a tag does short of the upload, twice, and what has come of it used as a user would.

    python -m tests.lab.release [--games NAME ...] [--once]

Each of two clean clones of the commit builds the source distribution, the wheel of this platform, the WebAssembly files
with the pages that need no server, the npm packages, and the documentation. Both must have
the same bytes, in build/rehearsal. Then each artefact is installed in an empty environment, with an empty HOME and
without the checkout, and plays. --games builds the engine for fewer games, to try this out; --once builds one clone.
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
from functools import partial
from pathlib import Path
from urllib.parse import unquote

import tilery
from tests.kit.games import ROOT
from tests.kit.waiting import until
from tests.kit.web import chromium

FOLDER = ROOT / "build" / "rehearsal"
KEPT = ("PIP_", "CCACHE_", "CMAKE_", "CC", "CXX", "LANG", "SSL_", "http", "HTTP")
"""How the variables begin that commands get besides PATH and HOME: where packages come from, and the compiler."""

PLAY = """
import json, sys, tilery
told = {name: tilery.simulate(tilery.load(name), 50, seed=7)["scores"].tolist() for name in sys.argv[1:]}
print(json.dumps(told))
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


def run(*words: str | Path, cwd: Path, home: Path | None = None, **more: str) -> str:
    """What a command prints; with `home`, in an environment without anything of this one but what `KEPT` names."""
    environment = dict(os.environ)
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
    run(sys.executable, "-m", "venv", folder, cwd=home, home=home)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = (python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    run(*pip, "--upgrade", "pip>=25.1", cwd=home, home=home)
    run(*pip, *packages, cwd=home, home=home)
    return python


def built(folder: Path, games: list[str]) -> Path:
    """The artefacts of a clean clone, in a folder."""
    clone, out = folder / "tilery", folder / "out"
    run("git", "clone", "--quiet", ROOT, clone, cwd=folder)
    time = run("git", "log", "-1", "--format=%ct", cwd=clone).strip()
    out.mkdir()
    print(f"{clone}: source distribution", flush=True)
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", out, cwd=clone, SOURCE_DATE_EPOCH=time)
    print(f"{clone}: wheel", flush=True)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps")
    settings = ["cmake.define.TILERY_ONE_VARIANT=OFF", f"cmake.define.TILERY_GAMES={';'.join(games)}"]
    options = [f"--config-settings={setting}" for setting in settings]
    run(*pip, "--no-build-isolation", *options, "--wheel-dir", out, clone, cwd=clone, SOURCE_DATE_EPOCH=time)
    (wheel,) = out.glob("*.whl")
    print(f"{clone}: WebAssembly, pages and site", flush=True)
    groups = ("--group", f"{clone / 'pyproject.toml'}:docs", "--group", f"{clone / 'pyproject.toml'}:web")
    python = environment_in(folder / "tools", folder, wheel, "cmake>=3.25", "ninja>=1.11", *groups)
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    run(python, "web/build.py", folder / "web", *games, cwd=clone, PATH=path, SOURCE_DATE_EPOCH=time)
    shutil.rmtree(folder / "web" / "engine")
    for package in PACKAGES:
        run("npm", "pack", "--silent", "--pack-destination", out, folder / "web" / "npm" / package, cwd=folder)
    shutil.rmtree(folder / "web" / "npm")
    sphinx = (python, "-m", "sphinx", "--fail-on-warning", "--quiet", "-d", folder / "doctrees", "-c", "docs", ".")
    if set(games) >= set(tilery.games()):
        run(*sphinx, out / "site", cwd=clone, SOURCE_DATE_EPOCH=time)
    (out / "site").mkdir(exist_ok=True)
    shutil.move(folder / "web", out / "site" / "play")
    return out


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


def plays(artefact: Path, games: list[str], *settings: str) -> None:
    """Install an artefact as a user would, and compare its games with those of this checkout."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        python = environment_in(home / "venv", home, artefact, *settings)
        expected = {one: tilery.simulate(tilery.load(one), 50, seed=7)["scores"].tolist() for one in games}
        found = json.loads(run(python, "-I", "-c", PLAY, *games, cwd=home, home=home))
        if found != expected:
            sys.exit(f"{artefact.name} plays other games than this checkout")
        command = python.parent / "tilery"
        run(command, "simulate", games[0], "--games", "100", cwd=home, home=home)
        run(command, "docs", "start", cwd=home, home=home)
        print(run(command, "doctor", cwd=home, home=home).split("extra")[0].rstrip())


def opens(folder: Path, games: list[str]) -> None:
    """Open the page of each game as a file in a browser, and play the first action that it offers."""
    offered = "document.querySelector('tilery-board')?.view?.actions?.length > 0"
    moves = "(document.querySelector('tilery-board')?.view?.moves ?? []).length"
    with chromium() as browser:
        for name in games:
            page, errors = browser.new_page(), []
            page.on("pageerror", errors.append)
            page.goto((folder / f"{name}.html").as_uri())
            wait = partial(page.wait_for_timeout, 50)
            until(partial(page.evaluate, offered), f"{name}.html offers an action", pause=wait)
            page.evaluate("(board => board.play(board.view.actions[0].token))(document.querySelector('tilery-board'))")
            until(partial(page.evaluate, f"{moves} > 0"), f"{name}.html plays it", pause=wait)
            if errors:
                sys.exit(f"{name}.html: {errors}")
            page.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=["toy", *tilery.games()])
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--dry", action="store_true", required=True, help="this uploads nothing; a tag does that")
    options = parser.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    made = []
    for name in ("first",) if options.once else ("first", "second"):
        (FOLDER / name).mkdir(parents=True)
        made.append(built(FOLDER / name, options.games))
    first = digests(made[0])
    for other in map(digests, made[1:]):
        if different := sorted(name for name in first.keys() | other.keys() if first.get(name) != other.get(name)):
            sys.exit(f"two builds differ in {', '.join(different)}")
    if dead := dead_links(made[0] / "site"):
        sys.exit("dead links:\n" + "\n".join(dead))
    (wheel,), (sdist,) = made[0].glob("*.whl"), made[0].glob("*.tar.gz")
    plays(wheel, options.games)
    plays(sdist, options.games, f"--config-settings=cmake.define.TILERY_GAMES={';'.join(options.games)}")
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        (home / "play.mjs").write_text(NODE, encoding="utf-8")
        run("npm", "install", "--offline", "--silent", *made[0].glob("*.tgz"), cwd=home, home=home)
        installed = home / "node_modules" / "@tilery"
        played = {
            run("node", "play.mjs", folder.as_uri(), *options.games, cwd=home, home=home).rstrip()
            for folder in (made[0] / "site" / "play", installed / "engine")
        }
        print(*played)
    opens(made[0] / "site" / "play", options.games)
    for name, digest in first.items():
        if "/" not in name:
            print(f"{digest}  {name}")
    pages = len(list((made[0] / "site").rglob("*.html")))
    print(f"{len(first):,} files, {pages} of them pages{'' if options.once else '; both builds are equal'}")


if __name__ == "__main__":
    main()
