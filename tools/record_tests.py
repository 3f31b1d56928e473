"""Records what tests compare with: fingerprints, perft tables and golden games.

    python tools/record_tests.py fingerprints | perft GAME | golden GAME SEED [OPTION=VALUE ...]

Recorded is what the engine answers now; a person reads the difference before it is committed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import tilery

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from recorded import FINGERPRINTS, Golden, PerftTable, fingerprint, fingerprint_games  # noqa: E402


def record_fingerprints() -> None:
    lines = [
        "# A hash of 1,000 random games each (tests/recorded.py). A commit that moves one says so.",
        *(f'"{label}" = "{fingerprint(game)}"' for label, game in fingerprint_games().items()),
    ]
    FINGERPRINTS.write_text("\n".join(lines) + "\n", encoding="ascii")


def record_perft(name: str) -> None:
    table = PerftTable.read(name)
    table.count()
    table.write()


def record_golden(name: str, seed: str, *settings: str) -> None:
    options: dict[str, Any] = {}
    for setting in settings:
        key, _, text = setting.partition("=")
        try:
            options[key] = json.loads(text)
        except ValueError:
            options[key] = text
    golden = Golden.recorded(tilery.load(name, **options), int(seed))
    print(golden.write())


def main() -> None:
    match sys.argv[1:]:
        case ["fingerprints"]:
            record_fingerprints()
        case ["perft", name]:
            record_perft(name)
        case ["golden", name, seed, *settings]:
            record_golden(name, seed, *settings)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
