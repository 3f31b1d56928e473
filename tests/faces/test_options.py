"""The options as the engine describes them: complete, true, and the same as on the pages."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.kit.games import GAMES, ROOT
from tilery.options import Option, refuse_paths


def wrong_values(option: Option) -> list[Any]:
    """Values just outside of what the description allows."""
    if option.kind == "int":
        assert option.low is not None
        assert option.high is not None
        return [option.low - 1, option.high + 1, True]
    return {"bool": [0, "true"], "choice": ["nosuchword", 1], "file": [3], "value": [object()]}[option.kind]


@pytest.mark.parametrize("name", GAMES)
def test_descriptions_are_true(name: str) -> None:
    """Defaults are those of the game; each allowed value is accepted, values beyond are refused."""
    options = tilery.options(name)
    game = tilery.load(name)
    assert {option: entry.default for option, entry in options.items()} == game.rules.as_dict()
    for option in options.values():
        for value in wrong_values(option):
            with pytest.raises(tilery.OptionError, match=option.name):
                tilery.load(name, **{option.name: value})
        accepted = [*option.choices, option.default]
        if option.kind == "int":
            accepted += [option.low, option.high]
        for value in accepted:
            refusal = ""
            try:
                assert tilery.load(name, **{option.name: value}).rules.as_dict()[option.name] == value
            except tilery.OptionError as error:
                refusal = str(error)
            # Options that do not go together: the message names another one, too.
            named = [other for other in options if re.search(rf"\b{other}\b", refusal)]
            assert not refusal or len(named) > 1, refusal


@pytest.mark.parametrize("name", GAMES)
def test_each_option_has_the_sentence_of_its_page(name: str) -> None:
    """The table of options on a game's page says what the engine says."""
    page = (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
    table = page[page.index("| option |") :].partition("\n\n")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", table, re.MULTILINE))
    for option in tilery.options(name).values():
        assert option.about
        assert rows[option.name].replace("`", "") == option.about


@pytest.mark.parametrize("name", GAMES)
def test_the_signature_of_a_game_shows_its_options(name: str) -> None:
    parameters = inspect.signature(getattr(tilery, name).Game).parameters
    assert {key: value.default for key, value in parameters.items()} == {
        option.name: option.default for option in tilery.options(name).values()
    }
    assert {value.kind for value in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    with pytest.raises(TypeError, match=r"options are given by name, Game\(players=3\)"):
        getattr(tilery, name).Game(3)


@pytest.mark.parametrize("name", GAMES)
def test_paths_are_refused_in_rules_from_outside(name: str, tmp_path: Path) -> None:
    """Shipped names, objects and all other options pass; a path is refused whether or not there is such a file."""
    game = tilery.load(name)
    refuse_paths(name, {})
    refuse_paths(name, game.rules.as_dict())
    there = tmp_path / "there.json"
    there.write_text("{}", encoding="utf-8")
    for option in tilery.options(name).values():
        for choice in option.choices:
            refuse_paths(name, {option.name: choice})
        for path in (str(there), there, "/nonexistent", ""):
            if option.kind == "file":
                with pytest.raises(
                    tilery.OptionError, match=rf"^{option.name} must be .* got {re.escape(repr(path))}$"
                ):
                    refuse_paths(name, {option.name: path})
            else:
                refuse_paths(name, {option.name: path})
    refuse_paths(name, {"no such option": "/nonexistent"})


def test_paths_of_an_unknown_game() -> None:
    with pytest.raises(ValueError, match="unknown game 'chess'"):
        refuse_paths("chess", {})


def test_unknown_names_get_a_hint() -> None:
    for ask in (tilery.load, tilery.options, tilery.rules_page):
        for name in tilery.games():
            for misspelt in (name.title(), name[:-1], name[0] + name, f" {name}"):
                with pytest.raises(ValueError, match=f"did you mean '{name}'"):
                    ask(misspelt)
        with pytest.raises(ValueError, match="unknown game 'chess'; there are"):
            ask("chess")
        with pytest.raises(ValueError, match="unknown game 3; there are"):
            ask(3)  # type: ignore[call-overload]


def test_what_this_build_is() -> None:
    info = tilery.build_info()
    assert info["version"] == tilery.__version__
    assert info["games"] == tilery.games()
    assert json.loads(json.dumps(info)) == info
    assert all(info.values())
