"""The options as the engine describes them: complete, true, and the same as on the pages."""

from __future__ import annotations

import inspect
import json
import re
from typing import Any

import pytest

import tilery
from tests.kit.games import GAMES, ROOT
from tilery.options import Option


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
