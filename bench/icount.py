"""Instructions per random game under callgrind: exact to the instruction, whatever else the machine does.

    python bench/icount.py PROGRAM            count, compare with bench/icount.toml, and record there what is lower
    python bench/icount.py PROGRAM --write    record all counts there, higher ones too
    python bench/icount.py PROGRAM --plugin FILE [--write]    the same of a program for AArch64, under QEMU

PROGRAM is tilery_play_v3, which `nox -s icount` builds, or with --plugin tilery_play_baseline of `nox -s
icount_aarch64`; FILE is tests/lab/instructions.c, compiled.

Branches that callgrind's predictor misses are counted beside them, and recorded without a limit: its predictor is a
simple one, and what it misses costs more than any instruction.

Fails if a count is more than 1 % higher than recorded. Counts belong to the compilers that icount.toml names; with
another one nothing is compared. The cost of starting the program is taken off by counting two runs of different length.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

BENCH = Path(__file__).parent
RECORDED = BENCH / "icount.toml"
TOLERANCE = 0.01
GAMES = (100, 400)


def counted(program: Path, plugin: Path | None, label: str, games: int) -> tuple[int, int, int]:
    """Instructions of a run, its mispredicted branches (0 under QEMU), and the decisions played in it."""
    game, *rules = label.split()
    with tempfile.TemporaryDirectory() as folder:
        callgrind = ("valgrind", "--tool=callgrind", "--branch-sim=yes", f"--callgrind-out-file={folder}/out")
        under = callgrind if plugin is None else ("qemu-aarch64", "-plugin", plugin)
        run = subprocess.run([*under, program, game, str(games), *rules], capture_output=True, text=True, check=True)
    wanted = r"Collected : (\d+) \d+ (\d+) \d+ (\d+)$" if plugin is None else r"^instructions (\d+)()()$"
    found = re.search(wanted, run.stderr, re.MULTILINE)
    assert found, run.stderr
    return int(found[1]), int(found[2] or 0) + int(found[3] or 0), int(json.loads(run.stdout)["decisions"])


def compiler(program: Path) -> str:
    """The compiler of the counted program, as icount.toml names it: "GNU 12.2.0"."""
    (file,) = (program.parent / "CMakeFiles").glob("*/CMakeCXXCompiler.cmake")
    built_by = dict(re.findall(r'^set\(CMAKE_CXX_COMPILER_(ID|VERSION) "(.*)"\)$', file.read_text(), re.MULTILINE))
    return f"{built_by['ID']} {built_by['VERSION']}"


def per_game(program: Path, plugin: Path | None, label: str) -> tuple[int, int, int]:
    """Instructions of a game, its mispredicted branches, and the instructions of a decision in it."""
    few, many = (counted(program, plugin, label, games) for games in GAMES)
    instructions, missed, decisions = (more - less for more, less in zip(many, few, strict=True))
    games = GAMES[1] - GAMES[0]
    return round(instructions / games), round(missed / games), round(instructions / decisions)


def write(recorded: dict[str, Any]) -> None:
    head = """\
# Instructions, and mispredicted branches, per random game: v3 build, games 100..399 of seed 1; and the instructions on
# AArch64 (icount.py).
"""
    single = "".join(f'{name} = "{value}"\n' for name, value in recorded.items() if isinstance(value, str))
    tables = [
        f"\n[{name}]\n" + "".join(f'"{label}" = {n}\n' for label, n in table.items())
        for name, table in recorded.items()
        if isinstance(table, dict)
    ]
    RECORDED.write_text(head + single + "".join(tables), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--plugin", type=Path, help="of QEMU, for a program for AArch64")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    recorded: dict[str, Any] = tomllib.loads(RECORDED.read_text(encoding="utf-8"))
    named, table = ("compiler", "games") if options.plugin is None else ("aarch64_compiler", "aarch64")
    compiled_by = compiler(options.program.resolve())
    if recorded[named] != compiled_by and not options.write:
        print(f"nothing compared: {RECORDED.name} is of {recorded[named]}, the program of {compiled_by}")
        return
    before: dict[str, int] = recorded[table]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        count = partial(per_game, options.program.resolve(), options.plugin)
        found = dict(zip(before, pool.map(count, before), strict=True))
    for label, (instructions, missed, per_decision) in found.items():
        change = instructions / before[label] - 1
        beside = f"{missed:,} mispredicted"
        if options.plugin is not None:
            beside = f"{instructions / recorded['games'][label]:.2f} of v3"
        print(f"{label:50} {instructions:>10,} a game {per_decision:>8,} a decision {change:>+8.2%} {beside:>20}")
    higher = [label for label, each in found.items() if each[0] > before[label] * (1 + TOLERANCE)]
    best = {label: each[0] if options.write else min(each[0], before[label]) for label, each in found.items()}
    if higher and not options.write:
        sys.exit(f"more than {TOLERANCE:.0%} above {RECORDED.name}: {', '.join(higher)}")
    if options.write or best != before:
        recorded |= {named: compiled_by, table: best}
        if options.plugin is None:
            recorded["mispredictions"] = {label: each[1] for label, each in found.items()}
        write(recorded)
        print(f"recorded {'all' if options.write else 'what is lower'} in {RECORDED.relative_to(BENCH.parent)}")


if __name__ == "__main__":
    main()
