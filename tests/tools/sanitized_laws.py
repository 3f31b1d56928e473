"""Runs the C++ laws of every game on all the options that have fingerprints, or the tests of threads.

    python -m tests.tools.sanitized_laws PROGRAM [--threads]

PROGRAM is tilery_test, built with sanitizers by the session `cpp`, or by `threads`.
"""

from __future__ import annotations

import subprocess
import sys

from tests.kit.games import GAMES, option_words, variants


def main() -> None:
    program, *threads = sys.argv[1:]
    for name in GAMES:
        for words in [threads] if threads else map(option_words, variants(name)):
            if words is None:
                continue
            print(name, *words, flush=True)
            done = subprocess.run([program, name, *words], check=False)
            if done.returncode:
                sys.exit(f"{program} {name} {' '.join(words)} failed")


if __name__ == "__main__":
    main()
