"""Editions set options and are not kept; options that were added later do not change what was written before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.kit.games import GAMES, ROOT, variants
from tilery import record
from tilery.cli import main
from tilery.options import game_of_rules
from tilery.runs.shards import MANIFEST, Run, RunError, plan

EDITIONS = ["default", "official", "source"]
FINGERPRINTS = {
    "carcassonne": "d1d8ae4f26221ee5 ed1f51230313e3e9 f5111d4074a4ee91 8c687fae77598999 0eb7cecc58d6f726 "
    "762a2dd762648e99 1b4af913b8755a3c fb16acf82753aea9 9d8df8dca06e3edd",
    "java": "6dc4f00b3ef63d62 d2f1e24eeb3dfced 783d5f1234acead4",
    "pueblo": "a5d72225d661b25d 62f5f69387b42bb5 86d5df24d26c9d66 b08d51b0347241e5",
    "tajmahal": "e314b8c9157330f2 6b7b46c3bca2e1f7 67c0c48426a4aad1 019179792f884242",
    "toy": "86f859ac7ec1a1c8 1765a33fe5201703",
}
"""Of game and rules, in the states of each variant, as they were before any option was added later."""
ADDED = [("java", "land_reserve", "after"), ("carcassonne", "final_meeples", "home")]


@pytest.mark.parametrize("name", GAMES)
def test_an_edition_sets_options_and_nothing_else(name: str) -> None:
    editions = tilery.editions(name)
    assert list(editions) == EDITIONS
    defaults = tilery.load(name).rules.as_dict()
    for edition, chosen in editions.items():
        game = tilery.load(name, edition=edition)
        assert game.rules.as_dict() == defaults | chosen
        assert game == tilery.load(name, **chosen)
        assert game.new_initial_state().serialize() == tilery.load(name, **chosen).new_initial_state().serialize()
        assert edition == "default" or "edition" not in str(game.rules)
        (written,) = record.simulated(game, 1, seed=1)
        assert "edition" not in written.to_json()
        for option, value in chosen.items():  # what is given wins
            assert tilery.load(name, edition=edition, **{option: defaults[option]}).rules[option] == defaults[option]
            assert tilery.options(name)[option].editions[edition] == value
    assert tilery.load(name, edition="default") == tilery.load(name)


def test_what_editions_set() -> None:
    assert {name: tilery.editions(name)["official"] for name in tilery.games()} == {
        "carcassonne": {"final_meeples": "home"},
        "java": {
            "token_timing": "turn_start",
            "two_on_three": True,
            "irrigation_on_perimeter": False,
            "irrigation_scoring": "per_space",
        },
        "pueblo": {},
        "tajmahal": {},
    }
    assert {name: tilery.editions(name)["source"] for name in tilery.games()} == {
        "carcassonne": {"final_meeples": "home"},
        "java": {
            "token_timing": "any",
            "two_on_three": False,
            "irrigation_on_perimeter": True,
            "irrigation_scoring": "per_body",
            "land_reserve": "after",
        },
        "pueblo": {"max_bid": 99},
        "tajmahal": {},
    }
    assert tilery.java.Game.official(players=3) == tilery.load("java", edition="official", players=3)


@pytest.mark.parametrize("edition", ["offical", "", None, 3, ["source"]])
def test_unknown_editions_are_refused(edition: Any) -> None:
    with pytest.raises(tilery.OptionError, match="unknown edition"):
        tilery.load("java", edition=edition)
    with pytest.raises(ValueError, match="did you mean 'java'"):
        tilery.editions("jawa")


@pytest.mark.parametrize("name", GAMES)
def test_rules_from_outside_have_no_edition(name: str) -> None:
    with pytest.raises(tilery.OptionError, match="unknown option 'edition'"):
        game_of_rules(name, {"edition": "source"})
    (written,) = record.simulated(tilery.load(name), 1, seed=1)
    content = json.loads(written.to_json())
    content["rules"]["edition"] = "default"
    with pytest.raises(tilery.RecordError, match="edition"):
        record.replay(json.dumps(content))


COMMANDS: dict[str, list[str]] = {
    "simulate": ["java", "--games", "2", "--json"],
    "match": ["java", "random", "random", "--games", "2", "--json"],
    "perft": ["java", "--depth", "1", "--json"],
    "compare": ["java", "--games", "2", "--json"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_take_an_edition(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, *COMMANDS[command], "--edition", "official"]) == 0
    out = capsys.readouterr().out
    assert command == "perft" or "turn_start" in out
    assert "edition" not in out
    assert main([command, *COMMANDS[command], "--edition", "nosuch"]) == 2
    assert "unknown edition 'nosuch'" in capsys.readouterr().err


def test_what_is_given_wins_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "java", "--games", "1", "--json", "--edition", "official", "--set", "token_timing=any"]
    assert main(words) == 0
    rules = json.loads(capsys.readouterr().out)["rules"]
    assert (rules["token_timing"], rules["irrigation_scoring"]) == ("any", "per_space")


@pytest.mark.parametrize("name", tilery.games())
def test_games_lists_what_editions_set(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["games"], ["games", name]):
        assert main(words) == 0
        part = capsys.readouterr().out.partition(f"{name}\n")[2]
        for edition in ("official", "source"):
            line = next(line for line in part.splitlines() if line.startswith(f"    edition {edition}: "))
            chosen = tilery.editions(name)[edition]
            named = [f"{option}={json.dumps(value)}" for option, value in chosen.items()]
            assert line.partition(": ")[2] == (", ".join(named) or "as default")


@pytest.mark.parametrize("name", tilery.games())
def test_pages_say_what_editions_set(name: str) -> None:
    page = (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
    (paragraph,) = (part for part in page.split("\n\n") if part.startswith("Editions (["))
    for edition, chosen in tilery.editions(name).items():
        assert edition == "default" or f'`"{edition}"`' in paragraph
        for option in chosen:
            assert f"`{option}`" in paragraph


# Options that were added later.


@pytest.mark.parametrize("name", GAMES)
def test_states_of_default_options_keep_their_fingerprint(name: str) -> None:
    found = [tilery.load(name, **each).new_initial_state().serialize()[8:16].hex() for each in variants(name)]
    assert found == FINGERPRINTS[name].split()


@pytest.mark.parametrize(("name", "option", "other"), ADDED)
def test_states_of_another_value_have_another_fingerprint(name: str, option: str, other: str) -> None:
    plain, changed = tilery.load(name), tilery.load(name, **{option: other})
    with pytest.raises(tilery.StateDataError, match="under other rules"):
        changed.deserialize_state(plain.new_initial_state().serialize())
    assert changed.deserialize_state(changed.new_initial_state().serialize()) == changed.new_initial_state()
    assert changed.num_distinct_actions == plain.num_distinct_actions
    assert changed.observation_tensor_shape == plain.observation_tensor_shape
    assert plain != changed


@pytest.mark.parametrize(("name", "option", "other"), ADDED)
def test_records_without_an_added_option_have_its_default(name: str, option: str, other: str) -> None:
    del other
    (written,) = record.simulated(tilery.load(name), 1, seed=3)
    content = json.loads(written.to_json())
    default = content["rules"].pop(option)
    assert record.replay(json.dumps(content)).game.rules[option] == default


@pytest.mark.parametrize(("name", "option", "other"), ADDED)
def test_runs_without_an_added_option_go_on(name: str, option: str, other: str, tmp_path: Path) -> None:
    planned = plan(tilery.load(name), games=4, shard=2, seed=5, files="npz")
    run = Run.start(tmp_path / "run", planned)
    run.work(threads=1)
    manifest = tmp_path / "run" / MANIFEST
    content = json.loads(manifest.read_text(encoding="utf-8"))
    del content["rules"][option]
    manifest.write_text(json.dumps(content), encoding="utf-8")
    assert Run.start(tmp_path / "run", planned).finished() == {0, 1}
    with pytest.raises(RunError, match=option):
        Run.start(tmp_path / "run", plan(tilery.load(name, **{option: other}), games=4, shard=2, seed=5, files="npz"))
