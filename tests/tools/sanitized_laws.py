"""Runs the C++ laws of every game on all the options that have fingerprints.

    python -m tests.tools.sanitized_laws PROGRAM

PROGRAM is tilery_test, built with sanitizers by the session `cpp`.
"""

from __future__ import annotations

import json
import subprocess
import sys

from tests.kit.games import GAMES, variants


def main() -> None:
    program = sys.argv[1]
    for name in GAMES:
        for options in variants(name):
            if any(isinstance(value, dict) for value in options.values()):
                continue  # boards and maps as objects come through Python alone
            words = [f"{option}={json.dumps(value)}" for option, value in options.items()]
            print(name, *words, flush=True)
            done = subprocess.run([program, name, *words], check=False)
            if done.returncode:
                sys.exit(f"{program} {name} {' '.join(words)} failed")


if __name__ == "__main__":
    main()
