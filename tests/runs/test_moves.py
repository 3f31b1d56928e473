"""Tables of moves: a row for each action says what a replay of the game says."""

from __future__ import annotations

import importlib
import os
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES
from tests.kit.running import at_call, interrupt
from tilery import record
from tilery.cli import main, simulate
from tilery.runs.moves import mapped

arrow = pytest.importorskip("pyarrow", reason="needs the extra arrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra arrow")


@pytest.mark.parametrize("name", GAMES)
def test_rows_are_the_actions_of_the_games(name: str) -> None:
    game = tilery.load(name)
    records = list(record.simulated(game, 4, seed=5))
    rows = tilery.table(records).to_pylist()
    at = 0
    for number, each in enumerate(records):
        state = game.new_initial_state()
        for ply, token in enumerate(each.actions.split()):
            row, before = rows[at], state.scores()
            at += 1
            seat = state.current_player()
            assert (row["game"], row["ply"], row["seat"], row["token"]) == (number, ply, max(seat, -1), token)
            assert row["legal"] == (state.num_legal_actions() if seat >= 0 else 0)
            assert (row["phase"] == "chance") == (seat < 0)
            assert row["kind"]
            state.apply_action(state.string_to_action(token))
            for player, score in enumerate(state.scores()):
                assert row[f"score_{player}"] == score
                assert row[f"points_{player}"] == score - before[player]
                sources = [f"{source.replace(' ', '_')}_{player}" for source in game.score_sources]
                assert sum(row[source] for source in sources) == score - before[player]
    assert at == len(rows)


@pytest.mark.parametrize("name", GAMES)
def test_every_action_has_a_kind(name: str) -> None:
    """Also of options that random games do not reach."""
    kinds = importlib.import_module(f"tilery.{name}").KINDS
    for rules in ({}, {"hand_size": 3}, {"tile_sale": True}, {"pro": True, "demolition": True}):
        if not rules.keys() <= tilery.options(name).keys():
            continue
        game = tilery.load(name, **rules)
        tokens = map(game.action_to_string, range(game.num_distinct_actions))
        assert [token for token in tokens if not any(re.fullmatch(pattern, token) for pattern in kinds)] == []


def test_the_command_writes_the_same_rows_on_any_number_of_threads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for threads in ("1", "2"):
        file = tmp_path / f"{threads}.parquet"
        words = ["simulate", "toy", "--games", "1200", "--seed", "3", "--threads", threads, "--moves", str(file)]
        assert main(words) == 0
        assert "moves written to" in capsys.readouterr().out
    made = [parquet.read_table(tmp_path / f"{threads}.parquet") for threads in ("1", "2")]
    assert made[0].equals(made[1])
    again = tilery.table(record.simulated(tilery.load("toy"), 1200, seed=3))
    assert made[0].to_pylist() == again.to_pylist()
    assert np.array_equal(np.unique(made[0]["game"].to_numpy()), np.arange(1200))
    assert main(["simulate", "toy", "--moves", str(tmp_path / "1.parquet")]) == 2
    assert "exists" in capsys.readouterr().err
    assert main(["simulate", "toy", "--games", "3", "--moves", str(tmp_path / "1.parquet"), "--overwrite"]) == 0
    assert np.array_equal(np.unique(parquet.read_table(tmp_path / "1.parquet")["game"].to_numpy()), np.arange(3))


def test_a_file_of_an_interrupted_command_holds_the_games_that_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command for the rest writes another file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(simulate, "play", at_call(30, simulate.play, interrupt))
    assert main(["simulate", "toy", "--games", "300", "--seed", "4", "--moves", "some.parquet"]) == 130
    assert main(shlex.split(capsys.readouterr().err.partition("is played by: tilery ")[2])) == 0
    rows = [*parquet.read_table("some.parquet").to_pylist(), *parquet.read_table("some-from-87.parquet").to_pylist()]
    assert rows == tilery.table(record.simulated(tilery.load("toy"), 300, seed=4)).to_pylist()


def test_records_of_different_rules_and_illegal_actions_are_refused() -> None:
    two, three = (next(record.simulated(tilery.load("toy", players=players), 1)) for players in (2, 3))
    with pytest.raises(ValueError, match="of one game with the same rules"):
        tilery.table([two, three])
    with pytest.raises(ValueError, match="at least one game"):
        tilery.table([])
    broken = record.Record(two.game, two.rules, f"{two.actions.split()[0]} 5 5 5 5 5 5")
    with pytest.raises(tilery.RecordError, match=r"game 0: action \d+"):
        tilery.table([broken])


def process_of(_part: int) -> int:
    return os.getpid()


def test_many_parts_are_made_by_other_processes_and_one_by_this_one() -> None:
    assert os.getpid() not in mapped(process_of, range(3), 2)
    assert set(mapped(process_of, range(3), 1)) == set(mapped(process_of, range(1), 2)) == {os.getpid()}
