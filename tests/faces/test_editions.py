"""Editions set options and are not kept; options that were added later do not change what was written before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.kit.games import GAMES, ROOT, part_of, variants
from tilery import record
from tilery.cli import main
from tilery.options import game_of_rules
from tilery.runs.shards import MANIFEST, Run, RunError, plan

EDITIONS = ["default", "official", "source"]
ADDED = [(name, *added) for name in GAMES for added in part_of(name, "options").ADDED.items()]
NAME = max(tilery.games(), key=lambda name: len(tilery.editions(name)["official"]))
"""A game whose editions differ."""
OFFICIAL = tilery.editions(NAME)["official"]


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


@pytest.mark.parametrize("name", GAMES)
def test_what_editions_set(name: str) -> None:
    assert tilery.editions(name) == {"default": {}} | part_of(name, "options").EDITIONS


@pytest.mark.parametrize("edition", ["offical", "", None, 3, ["source"]])
def test_unknown_editions_are_refused(edition: Any) -> None:
    with pytest.raises(tilery.OptionError, match="unknown edition"):
        tilery.load(NAME, edition=edition)
    with pytest.raises(ValueError, match=f"did you mean '{NAME}'"):
        tilery.editions(NAME.title())


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
    "simulate": [NAME, "--games", "2", "--json"],
    "match": [NAME, "random", "random", "--games", "2", "--json"],
    "perft": [NAME, "--depth", "1", "--json"],
    "compare": [NAME, "--games", "2", "--json"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_take_an_edition(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, *COMMANDS[command], "--edition", "official"]) == 0
    out = capsys.readouterr().out
    assert command == "perft" or next(value for value in OFFICIAL.values() if isinstance(value, str)) in out
    assert "edition" not in out
    assert main([command, *COMMANDS[command], "--edition", "nosuch"]) == 2
    assert "unknown edition 'nosuch'" in capsys.readouterr().err


def test_what_is_given_wins_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    given = next(name for name in OFFICIAL if OFFICIAL[name] != tilery.options(NAME)[name].default)
    default = tilery.options(NAME)[given].default
    words = ["simulate", NAME, "--games", "1", "--json", "--edition", "official", "--set", f"{given}={default}"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["rules"] == (
        tilery.load(NAME).rules.as_dict() | OFFICIAL | {given: default}
    )


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
    assert found == part_of(name, "options").FINGERPRINTS.split()


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
