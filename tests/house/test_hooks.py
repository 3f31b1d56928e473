"""A hook with a misspelt name is found: nothing calls it (cpp/tilery/core/game.hpp)."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

CPP = Path(__file__).parents[2] / "cpp"
GAMES = sorted(path.parent.name for path in CPP.glob("tilery/games/*/game.hpp"))


@cache
def called() -> dict[Path, set[str]]:
    """What each source calls, or takes the address of."""
    name = re.compile(r"(?<!Game::)\b(\w+)\(|&(?:\w+::)*Game::(\w+)")
    return {path: {a or b for a, b in name.findall(path.read_text())} for path in CPP.rglob("*.[ch]pp")}


def uncalled_members(header: Path, text: str) -> set[str]:
    """The public member functions of a Game that nothing calls."""
    public = text[text.index("\nclass Game {") :].split("\n  private:", maxsplit=1)[0]
    members = set(re.findall(r"^    (?:\[\[.*?\]\] )?[\w:<>,&*\[\] ]+ (\w+)\(", public, re.MULTILINE))
    assert {"legal_actions", "apply_action", "fault"} <= members
    return members - set().union(*(names for path, names in called().items() if path != header))


@pytest.mark.parametrize("game", GAMES)
def test_every_member_of_a_game_is_called(game: str) -> None:
    header = CPP / "tilery" / "games" / game / "game.hpp"
    text = header.read_text()
    assert not uncalled_members(header, text)
    public = "class Game {\n  public:\n"
    misspelt = text.replace(public, f"{public}    bool is_leagl(const State&, Action) const;\n")
    assert uncalled_members(header, misspelt) == {"is_leagl"}
