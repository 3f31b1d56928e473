"""The command line: results, sentences, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import tilery
from tests.kit.games import GAMES
from tilery.cli import main


@pytest.mark.parametrize("name", GAMES)
def test_simulate_prints_a_table(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", name, "--players", "3", "--games", "50", "--seed", "7"]) == 0
    out, err = capsys.readouterr()
    assert f"{name}, 3 players: 50 random games, seed 7" in out
    assert "games/s" in out
    assert "decisions per game" in out
    assert "win share" in out
    assert err == ""


@pytest.mark.parametrize("name", GAMES)
def test_simulate_agrees_with_the_library(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """--json prints what tilery.simulate answers, whatever the number of threads."""
    arguments = ["simulate", name, "--games", "130", "--seed", "7", "--json"]
    assert main(arguments) == 0
    summary = json.loads(capsys.readouterr().out)
    assert main([*arguments, "--threads", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["seats"] == summary["seats"]
    results = tilery.simulate(tilery.load(name), 130, seed=7)
    assert [seat["score_mean"] for seat in summary["seats"]] == results["scores"].mean(axis=0).tolist()
    assert sum(seat["win_share"] for seat in summary["seats"]) == pytest.approx(1)
    assert summary["rules"] == tilery.load(name).rules.as_dict()


@pytest.mark.parametrize("name", GAMES)
def test_records_replay_and_show(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    assert main(["simulate", name, "--games", "5", "--records", str(file)]) == 0
    assert len(file.read_text().splitlines()) == 5
    assert main(["replay", str(file)]) == 0
    assert "5 games" in capsys.readouterr().out
    assert main(["show", str(file), "--game", "2", "--after", "9"]) == 0
    assert "after 9 actions" in capsys.readouterr().out
    assert main(["show", str(file), "--game", "6"]) == 2
    assert "no game 6" in capsys.readouterr().err
    assert main(["show", str(file), "--after", "999999"]) == 2
    broken = json.loads(file.read_text().splitlines()[0])
    broken["actions"] = broken["actions"].replace(" ", " zzz ", 1)
    file.write_text(json.dumps(broken) + "\n")
    assert main(["replay", str(file)]) == 1
    assert "action 1 ('zzz')" in capsys.readouterr().err


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "toy", "--depth", "3", "--json"]) == 0
    assert [row["paths"] for row in json.loads(capsys.readouterr().out)["perft"]] == [5, 25, 125]
    assert main(["perft", "toy", "--depth", "2"]) == 0
    assert "25" in capsys.readouterr().out


def test_games_lists_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    for name in tilery.games():
        assert name in out
        assert all(option in out for option in tilery.load(name).rules)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["simulate", "nogame"], "unknown game 'nogame'"),
        (["simulate", "toy", "--players", "9"], "players must be an integer from 2 to 4, got 9"),
        (["simulate", "toy", "--set", "hand=x"], "hand must be"),
        (["simulate", "toy", "--set", "hand"], "OPTION=VALUE"),
        (["simulate", "toy", "--games", "0"], "at least 1"),
        (["simulate", "toy", "--records", "/nonexistent/x"], "No such file"),
        (["replay", "/nonexistent/x"], "No such file"),
    ],
)
def test_errors_are_sentences(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tilery: ")
    assert sentence in err
    assert "Traceback" not in err


@pytest.mark.parametrize("wrong", ["-1", "x", "1e5", "", "9" * 30])
def test_wrong_numbers_are_usage_errors(wrong: str) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["simulate", "toy", "--games", wrong])
    assert refused.value.code == 2


def test_as_a_program() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tilery", "simulate", "toy", "--games", "20"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert "20 random games" in run.stdout
    assert run.stderr == ""
