"""Plays the same games on every platform that this machine can build for and run.

    python -m tests.lab.platforms [--only NAME ...] [--games N] [--processes P] [--record] [--ledger]

tests/lab/platforms.toml lists the platforms, and two checksums for each game which all of them must print: of 10,000
games, and of what policies choose. --games plays fewer and compares the platforms with each other alone. --record
writes the checksums of the first platform; --ledger appends a line to tests/lab/ledger.md.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.kit.games import GAMES, ROOT
from tests.lab.campaign import commit, write_line

TABLE = ROOT / "tests" / "lab" / "platforms.toml"
FOLDER = ROOT / "build" / "platforms"
CPP = ROOT / "cpp" / "tilery"
WATCHED = 10
"""How many of the games also enter the checksum action by action, with what players see."""
NETS = "python/tilery/data/nets"
"""The networks that policies judge by; as a relative path, which every platform understands."""
PRINTED = [name for game in GAMES for name in (game, f"{game}_choices")]
"""The names of the checksums."""
POLICIES = ("instance", "learned_instance")
"""The templates of sources that compile the policies of a game."""
FLAGS = ("-std=c++20", "-DNDEBUG", "-ffp-contract=off")


def run(words: list[str], **options: Any) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"failed: {' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


def generated() -> list[Path]:
    """The sources that the build makes: the list of games, the data of the boxes, and the policies of each game."""
    include = FOLDER / "include" / "tilery" / "simulation"
    include.mkdir(parents=True, exist_ok=True)
    template = (CPP / "simulation" / "games.hpp.in").read_text(encoding="utf-8")
    includes = "".join(f'#include "tilery/games/{name}/game.hpp"\n' for name in GAMES)
    visits = "".join(f"    f.template operator()<{name}::Game>();\n" for name in GAMES)
    header = template.replace("@TILERY_INCLUDES@", includes).replace("@TILERY_VISITS@", visits)
    if not (include / "games.hpp").exists() or (include / "games.hpp").read_text(encoding="utf-8") != header:
        (include / "games.hpp").write_text(header, encoding="utf-8")
    sources = []
    for path in sorted((ROOT / "python" / "tilery" / "data").glob("*.json")):
        name = path.stem.replace("-", "_")
        sources.append(FOLDER / "data" / f"{name}.cpp")
        sources[-1].parent.mkdir(exist_ok=True)
        run([sys.executable, str(ROOT / "cmake" / "embed.py"), name, str(path), str(sources[-1])])
    for name in GAMES:
        sources.append(FOLDER / "policies" / f"{name}.cpp")
        sources[-1].parent.mkdir(exist_ok=True)
        parts = ((CPP / "search" / f"{part}.cpp.in").read_text(encoding="utf-8") for part in POLICIES)
        sources[-1].write_text("".join(parts).replace("@game@", name), encoding="utf-8")
    return sources


def joined(folder: Path) -> list[Path]:
    """The sources of a folder, most of them as one source that includes them: headers take most of the time."""
    sources = sorted(folder.rglob("*.cpp"))
    alone = [
        path
        for path in sources
        if path.stem == "inputs"
        or path.parent.name == "words"
        or "\ntemplate class " in path.read_text(encoding="utf-8")
    ]
    path = FOLDER / "joined" / f"{folder.name}.cpp"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f'#include "{source}"\n' for source in sources if source not in alone)
    path.write_text(text, encoding="utf-8")
    return [path, *alone]


def engine() -> list[Path]:
    """The sources of the rules of all games, and what all policies share."""
    folders = ("core", "net", "search", *(f"games/{game}" for game in GAMES))
    return [source for folder in folders for source in joined(CPP / folder)]


def build(platform: dict[str, Any], sources: list[Path], processes: int) -> Path:
    """Compile the program of a platform."""
    folder = FOLDER / platform["name"]
    folder.mkdir(parents=True, exist_ok=True)
    if "python" in platform:
        text = run([sys.executable, "-c", platform["python"], str(folder), *GAMES], cwd=ROOT / "web")
        return folder / text.splitlines()[-1]
    compiler = shlex.split(platform["compiler"])
    ccache = None if len(compiler) > 1 else shutil.which("ccache")  # what takes a command has a cache of its own
    compile_one = [*filter(None, [ccache]), *compiler, *FLAGS, *platform["flags"]]
    compile_one += [f"-I{ROOT / 'cpp'}", f"-I{FOLDER / 'include'}", "-c"]

    def compiled(source: Path) -> str:
        path = folder / "-".join(source.with_suffix(".o").parts[-3:])
        run([*compile_one, str(source), "-o", str(path)])
        return str(path)

    with ThreadPoolExecutor(processes) as pool:
        objects = list(pool.map(compiled, sources))
    program = folder / platform.get("program", "tilery_checksum")
    run([*compiler, *platform["flags"], *objects, *platform.get("link", []), "-o", str(program)])
    return program


def checksums(platform: dict[str, Any], sources: list[Path], games: int, processes: int) -> dict[str, str]:
    """The checksums that the program of a platform prints, by name; none where it is only built."""
    program = build(platform, sources, processes)
    if platform.get("runner") == []:
        return {}
    environment = os.environ | platform.get("environment", {})
    words = [*platform.get("runner", []), str(program), str(games), str(WATCHED), NETS]
    return printed(run(words, env=environment, cwd=ROOT), platform["name"])


def printed(text: str, platform: str) -> dict[str, str]:
    """The checksums in what the program of a platform has printed. Exits if one is missing."""
    found = dict(re.findall(r"^(\w+) ([0-9a-f]{16})$", text, re.MULTILINE))
    if missing := [name for name in PRINTED if name not in found]:
        sys.exit(f"{platform} prints no checksum of {', '.join(missing)}:\n{text}")
    return found


def compared(equal: list[str], recorded: bool) -> str:
    """The platforms that are equal, for the ledger. Exits if that says nothing.

    recorded: whether they were compared with tests/lab/platforms.toml; if not, the first one is equal to itself.
    """
    if len(equal) < (1 if recorded else 2):
        sys.exit(f"no line for the ledger: {equal[0]} was compared with nothing" if equal else "no platform ran")
    return f"equal: {', '.join(equal)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    parser.add_argument("--only", nargs="+", choices=[platform["name"] for platform in table["platform"]])
    parser.add_argument("--games", type=int, default=table["games"])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--ledger", action="store_true")
    options = parser.parse_args()
    from_table = options.games == table["games"] and not options.record
    recorded = table["checksums"] if from_table else None
    sources = [ROOT / "tests" / "lab" / "checksum.cpp", *generated(), *engine()]
    equal: list[str] = []
    wrong: list[str] = []
    tested, started = commit(), time.perf_counter()
    for platform in table["platform"]:
        if options.only and platform["name"] not in options.only:
            continue
        programs = (shlex.split(platform["compiler"])[0], *platform.get("runner", [])[:1])
        missing = [word for word in programs if not shutil.which(word)]
        if missing:
            print(f"{platform['name']:22} cannot run here: needs {platform['debian']}", flush=True)
            continue
        found = checksums(platform, sources, options.games, options.processes)
        if not found:
            print(f"{platform['name']:22} compiled and linked; nothing here runs it", flush=True)
            continue
        if recorded is None:
            recorded = found
        different = [name for name in recorded if found.get(name) != recorded[name]]
        (wrong if different else equal).append(platform["name"])
        print(f"{platform['name']:22} {'differs: ' + ', '.join(different) if different else 'equal'}", flush=True)
    if wrong:
        sys.exit(f"other games on {', '.join(wrong)}")
    if options.record and recorded:
        text = TABLE.read_text(encoding="utf-8")
        for name, number in recorded.items():
            text = re.sub(rf'^{name} = ".*"$', f'{name} = "{number}"', text, flags=re.MULTILINE)
        TABLE.write_text(text, encoding="utf-8")
    if options.ledger:
        minutes = (time.perf_counter() - started) / 60
        summary = f"{options.games:,} games each, {compared(equal, from_table)}"
        write_line("platforms", "all", summary, minutes, tested, 1)


if __name__ == "__main__":
    main()
