"""Instructions per random game under callgrind: exact to the instruction, whatever else the machine does.

    python bench/icount.py PROGRAM            count, compare with bench/icount.toml, and record there what is lower
    python bench/icount.py PROGRAM --write    record all counts there, higher ones too

PROGRAM is tilery_play_v3, which `nox -s icount` builds.

Branches that callgrind's predictor misses are counted beside them, and recorded without a limit: its predictor is a
simple one, and what it misses costs more than any instruction.

Fails if a count is more than 1 % higher than recorded. Counts belong to one compiler, which icount.toml names; with
another one nothing is compared. The cost of starting the program is taken off by counting two runs of different length.
"""

from __future__ import annotations

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

BENCH = Path(__file__).parent
RECORDED = BENCH / "icount.toml"
TOLERANCE = 0.01
GAMES = (100, 400)


def counted(program: Path, label: str, games: int) -> tuple[int, int, int]:
    """Instructions of a run, its mispredicted branches, and the decisions played in it."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                "--branch-sim=yes",
                f"--callgrind-out-file={folder}/out",
                program,
                *label.split()[:1],
                str(games),
                *label.split()[1:],
            ],
            capture_output=True,
            text=True,
            check=True,
        )
    found = re.search(r"Collected : (\d+) \d+ (\d+) \d+ (\d+)$", run.stderr, re.MULTILINE)
    assert found, run.stderr
    return int(found[1]), int(found[2]) + int(found[3]), int(json.loads(run.stdout)["decisions"])


def compiler(program: Path) -> str:
    """The compiler of the counted program, as icount.toml names it: "GNU 12.2.0"."""
    (file,) = (program.parent / "CMakeFiles").glob("*/CMakeCXXCompiler.cmake")
    built_by = dict(re.findall(r'^set\(CMAKE_CXX_COMPILER_(ID|VERSION) "(.*)"\)$', file.read_text(), re.MULTILINE))
    return f"{built_by['ID']} {built_by['VERSION']}"


def per_game(program: Path, label: str) -> tuple[int, int, int]:
    """Instructions of a game, its mispredicted branches, and the instructions of a decision in it."""
    few, many = (counted(program, label, games) for games in GAMES)
    instructions, missed, decisions = (more - less for more, less in zip(many, few, strict=True))
    games = GAMES[1] - GAMES[0]
    return round(instructions / games), round(missed / games), round(instructions / decisions)


def write(compiled_by: str, counts: dict[str, int], missed: dict[str, int]) -> None:
    head = (
        "# Instructions, and mispredicted branches, per random game: v3 build, games 100..399 of seed 1 (icount.py).\n"
    )
    tables = {"games": counts, "mispredictions": missed}
    lines = [
        f"\n[{name}]\n" + "".join(f'"{label}" = {n}\n' for label, n in table.items()) for name, table in tables.items()
    ]
    RECORDED.write_text(head + f'compiler = "{compiled_by}"\n' + "".join(lines))


def main() -> None:
    recorded = tomllib.loads(RECORDED.read_text())
    program, always = Path(sys.argv[1]).resolve(), "--write" in sys.argv
    compiled_by = compiler(program)
    if recorded["compiler"] != compiled_by and not always:
        print(f"nothing compared: {RECORDED.name} is of {recorded['compiler']}, the program of {compiled_by}")
        return
    before: dict[str, int] = recorded["games"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(before, pool.map(partial(per_game, program), before), strict=True))
    counts, missed = ({label: each[i] for label, each in found.items()} for i in (0, 1))
    for label, expected in before.items():
        per_decision = found[label][2]
        change = counts[label] / expected - 1 if expected else 0.0
        line = f"{label:50} {counts[label]:>10,} a game {per_decision:>8,} a decision {change:>+8.2%}"
        print(f"{line} {missed[label]:>8,} mispredicted")
    higher = [label for label, count in counts.items() if count > before[label] * (1 + TOLERANCE)]
    best = {label: min(count, before[label]) for label, count in counts.items()}
    if always:
        write(compiled_by, counts, missed)
    elif higher:
        sys.exit(f"more than {TOLERANCE:.0%} above {RECORDED.name}: {', '.join(higher)}")
    elif best != before:
        write(compiled_by, best, missed)
        print(f"recorded what is lower in {RECORDED.relative_to(BENCH.parent)}")


if __name__ == "__main__":
    main()
