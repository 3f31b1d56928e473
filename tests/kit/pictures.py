"""The positions whose drawings are recorded: of each game in tests/games/<game>/pictures/, and those of docs/games."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tilery
from tests.kit.games import ROOT, folder_of
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


def drawings() -> dict[str, dict[str, Any]]:
    """What is drawn on the pages of docs/games, by the name of the file."""
    return tomllib.loads((ROOT / "tests" / "kit" / "drawings.toml").read_text(encoding="utf-8"))


def drawn(name: str) -> str:
    """A drawing of docs/games as it is now."""
    asked = drawings()[name]
    if "record" in asked:
        (written,) = record.read(ROOT / "docs" / "games" / f"{asked['record']}.jsonl")
        game, tokens = record.game_of(written), written.actions.split()[: asked["after"]]
    else:
        game, tokens = tilery.load(asked["game"], **asked.get("options", {})), asked["actions"].split()
    state, last = game.new_initial_state(), None
    for token in tokens:
        last = state.string_to_action(token)
        state.apply_action(last)
    how = {key: asked[key] for key in ("player", "part") if key in asked}
    if "ghost" in asked:
        how["ghost"] = state.string_to_action(asked["ghost"])
    elif last is not None and not state.is_terminal():
        how["last"] = last
    return state.to_svg(**how)  # type: ignore[attr-defined, no-any-return]
