"""Records what tests compare with: fingerprints, perft tables and golden games; and the options in the stubs.

    python -m tests.lab.record fingerprints | search-fingerprints | stubs | perft GAME
    python -m tests.lab.record golden GAME SEED [OPTION=VALUE ...]

It records what the engine returns now; a person reads the difference before it is committed.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import tilery
from tests.kit.games import GAMES
from tests.kit.recording import (
    FINGERPRINTS,
    SEARCH_FINGERPRINTS,
    Golden,
    PerftTable,
    fingerprint,
    fingerprint_games,
    search_fingerprint,
    stub_of,
    stub_with_options,
)


def record_fingerprints() -> None:
    head = FINGERPRINTS.read_text(encoding="ascii").partition("\n")[0]
    lines = [head, *(f'"{label}" = "{fingerprint(game)}"' for label, game in fingerprint_games().items())]
    FINGERPRINTS.write_text("\n".join(lines) + "\n", encoding="ascii")


def record_search_fingerprints() -> None:
    head = SEARCH_FINGERPRINTS.read_text(encoding="ascii").partition("\n")[0]
    lines = [head, *(f'"{name}" = "{search_fingerprint(name)}"' for name in GAMES)]
    SEARCH_FINGERPRINTS.write_text("\n".join(lines) + "\n", encoding="ascii")


def record_stubs() -> None:
    for name in GAMES:
        stub_of(name).write_text(stub_with_options(name), encoding="ascii")


def record_perft(name: str) -> None:
    """A game's table, counted; one is begun for a game without."""
    table = PerftTable.read(name) if PerftTable.path(name).exists() else PerftTable.begun(name)
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
        case ["search-fingerprints"]:
            record_search_fingerprints()
        case ["stubs"]:
            record_stubs()
        case ["perft", name]:
            record_perft(name)
        case ["golden", name, seed, *settings]:
            record_golden(name, seed, *settings)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
