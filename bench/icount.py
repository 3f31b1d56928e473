"""Instructions per random game under callgrind: exact to the instruction, whatever the machine does.

    python bench/icount.py            count, and compare with bench/icount.toml
    python bench/icount.py --write    record the counts there

Fails if a count has moved by more than 1 %. The cost of starting the program is taken off by
counting two runs of different length.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

BENCH = Path(__file__).parent
PROGRAM = BENCH.parent / "build" / "release" / "tilery_play_v3"
RECORDED = BENCH / "icount.toml"
TOLERANCE = 0.01
GAMES = (100, 400)


def instructions(label: str, games: int) -> tuple[int, int]:
    """Instructions of a run, and the decisions played in it."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                f"--callgrind-out-file={folder}/out",
                PROGRAM,
                *label.split()[:1],
                str(games),
                *label.split()[1:],
            ],
            capture_output=True,
            text=True,
            check=True,
        )
    found = re.search(r"Collected : (\d+)", run.stderr)
    assert found, run.stderr
    return int(found[1]), int(json.loads(run.stdout)["decisions"])


def main() -> None:
    recorded = tomllib.loads(RECORDED.read_text())
    counts, moved = {}, []
    for label, expected in recorded.items():
        (few, few_decisions), (many, many_decisions) = (instructions(label, games) for games in GAMES)
        games = GAMES[1] - GAMES[0]
        counts[label] = round((many - few) / games)
        change = counts[label] / expected - 1 if expected else 0.0
        per_decision = (many - few) / (many_decisions - few_decisions)
        print(f"{label:50} {counts[label]:>10,} a game {per_decision:>8,.0f} a decision {change:>+8.2%}")
        if abs(change) > TOLERANCE:
            moved.append(label)
    if "--write" in sys.argv:
        head = "# Instructions per random game, v3 build, games 100..399 of seed 1 (bench/icount.py --write).\n"
        RECORDED.write_text(head + "".join(f'"{label}" = {count}\n' for label, count in counts.items()))
    elif moved:
        sys.exit(f"moved by more than {TOLERANCE:.0%}: {', '.join(moved)}")


if __name__ == "__main__":
    main()
