"""Runs the fuzzer of the C table (tests/lab/fuzz/) over all games under drawn options.

    python -m tests.lab.fuzzing PROGRAM [--minutes N] [--game GAME] [--seed S] [--ledger]
    python -m tests.lab.fuzzing PROGRAM --replay

PROGRAM is tilery_fuzz, built by the session `fuzz`. It runs for N minutes of CPU time, half of them for forged states.
The corpus of each kind of input is kept in build/fuzz/GAME/KIND; without one it starts from states of random games.
Inputs that break a law are written to build/fuzz/GAME/found; run `PROGRAM FILE`, with the environment variable
TILERY_SUBJECTS set to build/fuzz/GAME/configurations.txt, to reproduce one. Without --game, GAME is `all`.

With --replay, PROGRAM is tilery_hostile, built with sanitizers by the session `cpp`. It runs a small part of a campaign
for each game, which takes some seconds.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.kit.games import GAMES, ROOT, write_configurations
from tests.kit.running import passed
from tests.lab.campaign import commit, processor_seconds, write_line

FOLDER = ROOT / "build" / "fuzz"
LONGEST = 8192
"""The most bytes of an input: enough for any state."""
SHARES = {"state": 0.5, "envelope": 0.1, "ids": 0.1, "token": 0.1, "words": 0.1, "policy": 0.1}
"""The share of the time for each kind of input. In a common corpus, kinds that cover more would displace the states."""


def fuzz(program: Path, game: str | None, minutes: float, seed: int) -> tuple[str, float]:
    """Run libFuzzer for `minutes` of CPU time; returns what it counted, and the minutes that it used."""
    folder = FOLDER / (game or "all")
    folder.mkdir(parents=True, exist_ok=True)
    subjects = folder / "configurations.txt"
    write_configurations(subjects, [game] if game else GAMES, seed, 6)
    counted, covered, kept, seconds = [], [], 0, 0.0
    for kind, share in SHARES.items():
        run = fuzz_kind(program, folder, subjects, kind, 60 * minutes * share, seed)
        counted.append(f"{run.executed:,} {kind}")
        covered.append(run.covered)
        kept += run.kept
        seconds += run.seconds
        print(f"{game or 'all'}: {counted[-1]}, {run.covered:,} edges covered, {run.kept:,} kept", flush=True)
    text = f"inputs: {', '.join(counted)}; up to {max(covered):,} edges covered, {kept:,} inputs kept"
    return text, seconds / 60


@dataclass(frozen=True)
class Run:
    """What libFuzzer counted for one kind of input."""

    executed: int
    covered: int
    kept: int
    seconds: float
    """CPU time."""


def fuzz_kind(program: Path, folder: Path, subjects: Path, kind: str, seconds: float, seed: int) -> Run:
    """Run libFuzzer on one kind of input for `seconds` of CPU time."""
    corpus, found, log = folder / kind, folder / "found", folder / f"{kind}.txt"
    for made in (corpus, found):
        made.mkdir(exist_ok=True)
    environment = os.environ | {"TILERY_SUBJECTS": str(subjects), "TILERY_KIND": kind}
    executed, used, began = 0, 0.0, processor_seconds()
    text = ""
    while (left := round(seconds - used)) > 0:
        # libFuzzer limits wall time, of which it gets only a part on a busy machine.
        words = [program, corpus, f"-artifact_prefix={found}/", f"-max_total_time={max(left, 10)}"]
        words += [f"-max_len={LONGEST}", f"-seed={seed + executed + 1}", "-timeout=60", "-rss_limit_mb=4096"]
        words += ["-print_final_stats=1"]
        with log.open("w", encoding="utf-8") as file:
            done = subprocess.run(list(map(str, words)), stderr=file, env=environment, check=False)
        text = log.read_text(encoding="utf-8", errors="replace")
        if done.returncode:
            sys.exit(f"{text[-5000:]}\n{program} found what is in {found}; the whole text is in {log}")
        executed += executed_of(text)
        used = processor_seconds() - began
    covered, kept = re.findall(r"cov: (\d+) .*?corp: (\d+)", text)[-1] if text else (0, 0)
    return Run(executed, int(covered), int(kept), used)


def executed_of(text: str) -> int:
    """How many inputs libFuzzer made and ran, from what it printed.

    Its own count includes the inputs of the corpus, which it reads again at every start.
    """
    total = int(re.findall(r"number_of_executed_units: (\d+)", text)[-1])
    read = re.findall(r"^#(\d+)\s+INITED\b", text, re.MULTILINE)
    return total - int(read[-1]) if read else total


def replay(program: Path) -> None:
    """Run a small part of a campaign for each game."""

    commands: dict[str, list[str | Path]] = {}
    for game in GAMES:
        subjects = FOLDER / f"replay-{game}.txt"
        write_configurations(subjects, [game], 1, 1)
        commands[game] = [program, subjects, "1", *map(str, REPLAYED)]
    list(passed(commands))


REPLAYED = (20_000, 8, 20_000, 200, 100)
"""Forged states, accepted ones played on, tokens, option words, and inputs of the fuzzer."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ledger", action="store_true", help="append a line to tests/lab/ledger.md")
    parser.add_argument("--replay", action="store_true")
    options = parser.parse_args()
    if options.replay:
        replay(options.program)
        return
    tested = commit()
    counted, minutes = fuzz(options.program, options.game, options.minutes, options.seed)
    print(counted)
    if options.ledger:
        write_line("fuzz", options.game or "all", counted, minutes, tested, options.seed)


if __name__ == "__main__":
    main()
