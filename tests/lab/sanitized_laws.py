"""Runs the C++ laws of every game on all the options that have fingerprints, or the tests of threads.

    python -m tests.lab.sanitized_laws PROGRAM [--threads] [--ledger]

PROGRAM is tilery_test, built with sanitizers by the session `cpp`, or by `threads`. --ledger appends a line to
tests/lab/ledger.md.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from tests.kit.games import GAMES, option_words, variants
from tests.kit.running import passed
from tests.lab.campaign import commit, processor_seconds, write_line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--ledger", action="store_true")
    options = parser.parse_args()
    tested, began = commit(), processor_seconds()
    commands = {
        " ".join([name, *words]): [options.program, name, *words]
        for name in GAMES
        for words in ([["--threads"]] if options.threads else map(option_words, variants(name)))
        if words is not None
    }
    printed = passed(commands, at_once=1 if options.threads else None)
    checks = sum(int(re.findall(r"(\d+) passed", text)[-1]) for text in printed)
    if options.ledger:
        minutes = (processor_seconds() - began) / 60
        write_line("threads" if options.threads else "laws", "all", f"{checks:,} checks", minutes, tested, 0)


if __name__ == "__main__":
    main()
