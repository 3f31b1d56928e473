"""The positions whose drawings are recorded: three of a game in tests/games/<game>/pictures/."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.kit.games import folder_of
from tilery import record

STAGES = {"opening": 12, "middle": 60, "end": 100}
"""How much of the game is over, in percent."""


def recorded(name: str) -> Iterator[tuple[Path, str]]:
    """The file of each drawing, and the drawing as it is now: all hands are shown, the action before is marked."""
    folder = folder_of(name) / "pictures"
    (written,) = record.read(folder / "game.jsonl")
    positions = list(record.positions(written))
    for stage, percent in STAGES.items():
        i = (len(positions) - 1) * percent // 100
        while positions[i][1].is_chance_node():
            i += 1
        token, state = positions[i]
        last = None if token is None else state.string_to_action(token)
        yield folder / f"{stage}.svg", state.to_svg(last=last)  # type: ignore[attr-defined]
