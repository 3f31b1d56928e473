"""Runs the C++ laws of every game on all the options that have fingerprints.

    python tools/sanitized_laws.py PROGRAM

PROGRAM is tilery_test, built with sanitizers by `python3 dev.py cpp`.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support import GAMES


def main() -> None:
    program = sys.argv[1]
    for name in GAMES:
        for options in importlib.import_module(f"options.{name}").VARIANTS:
            if any(isinstance(value, dict) for value in options.values()):
                continue  # boards and maps as objects come through Python alone
            words = [f"{option}={json.dumps(value)}" for option, value in options.items()]
            print(name, *words, flush=True)
            done = subprocess.run([program, name, *words], check=False)
            if done.returncode:
                sys.exit(f"{program} {name} {' '.join(words)} failed")


if __name__ == "__main__":
    main()
