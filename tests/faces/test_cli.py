"""The command line: results, sentences, exit codes."""

from __future__ import annotations

import importlib.metadata
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

import tilery
import tilery.__main__
from tests.kit.games import GAMES
from tests.kit.running import at_call, interrupt, run
from tilery import ladder, record, statistics
from tilery.cli import main, simulate
from tilery.errors import printable
from tilery.tables import Table

LADDER = next(name for name in GAMES if ladder.texts(name))
"""A game with a ladder."""


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
    """--json prints what tilery.simulate returns, whatever the number of threads."""
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
    assert main(["perft", "toy", "--depth", "0", "--json"]) == 0
    assert [(row["depth"], row["paths"]) for row in json.loads(capsys.readouterr().out)["perft"]] == [(0, 1)]
    assert main(["perft", "toy", "--depth", "0"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:2] == ["0", "1"]


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
        (["simulate", "toy", "--set", "hand=" + "[" * 100_000], "--set hand: the value is nested too deeply"),
        (["compare", "toy", "--set", "hand=" + "[" * 100_000], "--set hand: the value is nested too deeply"),
        (["compare", "toy", "--both", "hand=" + "[" * 100_000], "--both hand: the value is nested too deeply"),
        (["play", "toy", "--set", "hand=" + "[" * 100_000], "--set hand: the value is nested too deeply"),
        (["simulate", "toy", "--games", "0"], "at least 1"),
        (["simulate", "toy", "--records", "/nonexistent/x"], "the folder /nonexistent does not exist"),
        (["replay", "/nonexistent/x"], "No such file"),
        (["simulate", "toy", "--moves", "-"], "not for standard output"),
        (["simulate", "toy", "--moves", "moves.csv"], "a file that ends with .parquet, got 'moves.csv'"),
        (["simulate", "toy", "--append"], "--append is for --records"),
        (["simulate", "toy", "--rotate"], "--rotate needs two policies"),
        (["simulate", LADDER, "--rungs", "1", "--policy", "greedy"], "leave out --policy\n"),
        (["simulate", "toy", "--policy", "py:os:getcwd"], "py:os:getcwd: a policy must be a function of a state"),
        (["simulate", "toy", "--policy", "py:tilery:Rng"], "neither a function nor an object with choose(state, rng)"),
        (["report", "run", "--page", "page.html", "--no-page"], "do not go together"),
        (["puzzles", "toy", "--games", "0"], "--games must be at least 1"),
        (["train", "toy", "--out", "net.txt"], "a file that ends with .tnn, got 'net.txt'"),
        (["analyse", "x", "--after", "1", "--all"], "not both"),
        (["ladder", "chess"], "unknown game 'chess'"),
        (["ladder", LADDER, "--less-luck"], "--less-luck is for --enter"),
        (["ladder", LADDER, "--enter", "greedy", "--games", "0"], "--games must be at least 1"),
    ],
)
def test_errors_are_sentences(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tilery: ")
    assert sentence in err
    assert "Traceback" not in err


@pytest.mark.parametrize("wrong", ["-1", "x", "1.5", "15e-1", "1_", "", "9" * 30, str(2**40 + 1), "1e13"])
def test_wrong_numbers_are_usage_errors(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["simulate", "toy", "--games", wrong])
    assert refused.value.code == 2
    assert "expected a" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["play", "toy", "--port", "65536"],
        ["play", "toy", "--seconds", "-1"],
        ["play", "toy", "--seed", str(2**53)],
        ["match", "toy", "greedy", "random", "--seconds", "nan"],
        ["ladder", LADDER, "--enter", "greedy", "--width", "0"],
    ],
)
def test_numbers_out_of_range_are_usage_errors(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(words)
    assert refused.value.code == 2
    assert "expected a" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["1200", "1_200", "1.2e3", "12E+2"])
def test_numbers_may_be_written_as_in_python(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "toy", "--games", text]) == 0
    assert "1,200 random games" in capsys.readouterr().out


@pytest.mark.parametrize("threads", ["0", "1025", "x"])
def test_threads_are_from_1_to_1024(threads: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["simulate", "toy", "--threads", threads])
    assert refused.value.code == 2
    assert "from 1 to 1024" in capsys.readouterr().err


def test_simulate_says_what_random_play_is_worth(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "toy", "--games", "10"]) == 0
    assert "say little about the game" in capsys.readouterr().out


@pytest.mark.parametrize("name", GAMES)
def test_the_summary_is_that_of_the_results(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The sums that simulate keeps give the mean, deviation and shares of the array of results."""
    assert main(["simulate", name, "--games", "230", "--seed", "3", "--json"]) == 0
    seats = json.loads(capsys.readouterr().out)["seats"]
    results = tilery.simulate(tilery.load(name), 230, seed=3)
    winners = results["returns"] == results["returns"].max(axis=1, keepdims=True)
    shares = winners / winners.sum(axis=1, keepdims=True)
    for seat, row in enumerate(seats):
        scores, share = results["scores"][:, seat], shares[:, seat]
        assert row["score_sd"] == pytest.approx(scores.std(ddof=1))
        assert (row["score_min"], row["score_max"]) == (scores.min(), scores.max())
        assert row["win_share"] == pytest.approx(share.mean())
        assert row["win_share_95"] == pytest.approx(statistics.share_interval(statistics.counted(share)))


def test_a_custom_data_set_is_named_as_it_was_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [name] = [name for name in GAMES if "data" in tilery.load(name).rules]
    shipped = Path(tilery.__file__).parent / "data" / f"{name}.json"
    file = tmp_path / "my.json"
    file.write_text(shipped.read_text())
    assert main(["simulate", name, "--games", "2", "--set", f"data={file}"]) == 0
    assert capsys.readouterr().out.count("deck") == 0
    assert main(["simulate", name, "--games", "2", "--set", f"data={file.read_text()}"]) == 0
    assert "data=custom" in capsys.readouterr().out


def test_show_scores_lists_the_actions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    [written] = record.simulated(tilery.load("toy"), 1, seed=7)
    record.write(file, [written])
    assert main(["show", str(file), "--scores"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    states = list(record.positions(written))
    assert [line[2] for line in lines] == written.actions.split()
    assert [[int(points) for points in line[3:]] for line in lines] == [state.scores() for _, state in states[1:]]
    actors = [state.current_player() for _, state in states[:-1]]
    assert [line[1] for line in lines] == ["chance" if actor < 0 else str(actor) for actor in actors]


@pytest.fixture
def three_games(tmp_path: Path) -> Path:
    file = tmp_path / "games.jsonl"
    record.write(file, record.simulated(tilery.load("toy"), 3, seed=7))
    return file


def test_replay_says_what_is_good_before_a_line_that_is_cut_off(
    three_games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    three_games.write_text(three_games.read_text()[:-40])
    assert main(["replay", str(three_games)]) == 1
    err = capsys.readouterr().err
    assert "line 3: record: the line is cut off; the 2 games before it replay" in err
    assert main(["replay", str(three_games), "--skip-broken"]) == 1
    out, err = capsys.readouterr()
    assert "2 games" in out
    assert "1 do not" in out
    assert "line 3" in err


def test_replay_reads_a_file_with_a_byte_order_mark(three_games: Path) -> None:
    three_games.write_bytes(b"\xef\xbb\xbf" + three_games.read_bytes())
    assert main(["replay", str(three_games)]) == 0


@pytest.mark.parametrize("name", tilery.games())
def test_games_explains_the_options_of_one(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", name]) == 0
    out = capsys.readouterr().out
    described = tilery.options(name)
    for option in described.values():
        _, found, after = out.partition(f"    {option.name}={json.dumps(option.default)}\n")
        assert found
        values, about = after.splitlines()[:2]
        assert values.strip()
        assert about.strip() == option.about
    assert main(["games", name, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert list(printed) == list(tilery.load(name).rules) == list(described)
    assert all(printed[key]["about"] == option.about for key, option in described.items())


@pytest.mark.parametrize("name", GAMES)
def test_rules_prints_the_page_as_it_is_into_a_pipe(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", name]) == 0
    assert capsys.readouterr().out == tilery.rules_page(name)


def test_rules_are_rendered_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    assert main(["rules", "toy"]) == 0
    out = capsys.readouterr().out
    assert "T-5" in out
    assert "**T-5**" not in out


def test_a_narrow_terminal_loses_nothing_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    texts, shown = ["policy", "interval", "mcts:1000,tuning=depth:8+width:4", "83.2 .. 100.0 %"], Terminal()
    monkeypatch.setenv("COLUMNS", "30")
    Table("", texts[:2], [texts[2:]]).print(shown)
    text = re.sub(r"\x1b\[[0-9;]*m", "", shown.getvalue())
    assert max(map(len, text.splitlines())) <= 30
    assert not Counter("".join(texts).replace(" ", "")) - Counter(text)


def test_perft_prints_each_depth_when_it_is_counted() -> None:
    """The rows of the depths before a long one are there while it is counted."""
    with subprocess.Popen(
        [sys.executable, "-m", "tilery", "perft", "toy", "--depth", "1000"], stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        rows = [program.stdout.readline().split()[0] for _ in range(3)]
        program.kill()
    assert rows == ["depth", "1", "2"]


@pytest.mark.parametrize("command", [["simulate", "toy", "--games", "10"], ["games"], ["perft", "toy"]])
def test_a_closed_pipe_is_no_error(command: list[str]) -> None:
    """As in `... | true`: nothing on standard error, and the status is 0."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as pipe:
        run = subprocess.run(
            [sys.executable, "-m", "tilery", *command], stdout=pipe, stderr=subprocess.PIPE, check=False, timeout=300
        )
    assert (run.returncode, run.stderr) == (0, b"")


def test_closed_standard_output_is_a_sentence() -> None:
    command = f'"{sys.executable}" -m tilery games >&-'
    run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 2
    assert run.stderr == "tilery: standard output is closed\n"


READS_INPUT = [["bot", "greedy"], ["replay", "-"], ["show", "-"], ["analyse", "-", "--all"], ["play", "toy", "--text"]]


@pytest.mark.parametrize("words", READS_INPUT)
def test_closed_standard_input_is_a_sentence(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert main(words) == 2
    assert capsys.readouterr().err == "tilery: standard input is closed\n"


def test_other_commands_need_no_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    file = tmp_path / "games.jsonl"
    assert main(["simulate", "toy", "--games", "2", "--records", str(file)]) == 0
    assert main(["replay", str(file)]) == 0


def test_flags_are_not_abbreviated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run that is interrupted prints its own words to go on; `--rec` in them would be taken for another flag."""
    file = tmp_path / "games.jsonl"
    words = ["simulate", "toy", "--games", "2", "--seed", "1"]
    for short, meant in ((["--rec", str(file)], "records"), ([f"--record={file}"], "records"), (["--rot"], "rotate")):
        with pytest.raises(SystemExit, match="2"):
            main([*words, *short])
        err = capsys.readouterr().err
        assert err.startswith("usage: tilery simulate ")
        assert f"unknown flag '{short[0].partition('=')[0]}'; did you mean '--{meant}'? There are --append, " in err
    assert not file.exists()
    for words in (
        ["--vers"],
        ["perft", "toy", "--dep", "1"],
        ["report", "run", "--no-p"],
        ["compare", "toy", "--pol", "x"],
    ):
        with pytest.raises(SystemExit, match="2"):
            main(words)
        capsys.readouterr()


def test_characters_that_the_encoding_lacks_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the locale C, where Python writes ASCII."""
    for name in GAMES:
        written = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
        assert main(["rules", name]) == 0
        assert written.getvalue() == tilery.rules_page(name).encode("ascii", errors="replace")


def test_an_interrupt_during_imports_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            if name == "tilery.cli":
                raise KeyboardInterrupt

    monkeypatch.setattr(sys, "meta_path", [Interrupted, *sys.meta_path])
    monkeypatch.delitem(sys.modules, "tilery.cli")
    assert tilery.__main__.main() == 130
    assert capsys.readouterr() == ("", "tilery: interrupted\n")


def test_as_a_program() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tilery", "simulate", "toy", "--games", "20"],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert "20 random games" in run.stdout
    assert run.stderr == ""


def test_the_command_is_installed_with_its_version() -> None:
    assert run("tilery", "--version") == f"tilery {importlib.metadata.version('tilery')}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_knows_the_commands(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "simulate" in script
    assert "skip-broken" in script


def test_bash_reads_the_completion(capsys: pytest.CaptureFixture[str]) -> None:
    """After `tilery repl`, bash offers `replay`."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs bash")
    assert main(["completion", "bash"]) == 0
    ask = "COMP_WORDS=(tilery repl); COMP_CWORD=1; _shtab_tilery tilery repl tilery; echo ${COMPREPLY[@]}"
    script = f"{capsys.readouterr().out}\n{ask}\n"
    run = subprocess.run([bash], input=script, capture_output=True, text=True, check=True, timeout=300)
    assert run.stdout.split() == ["replay"]


def test_a_command_that_is_not_known_is_named_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["simulat", "toy"])
    assert "unknown command 'simulat'; did you mean 'simulate'? There are analyse, bot" in capsys.readouterr().err


NAMES = ["a[/b]c", "a[red]b", ":smile:", "a\x1b[31mb", "a\nb", "a\udcffb", "a\u202eb"]
"""Markup, control characters, what is not UTF-8, and text that turns around."""


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_names_from_outside_are_printed_as_they_are(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever they contain, through every command that takes one: no traceback, and no control character."""
    monkeypatch.chdir(tmp_path)
    Path(name).parent.mkdir(exist_ok=True)
    few = ["--games", "4"]
    file, missing = f"{name}.jsonl", f"{name}.nowhere"
    for words, status in (
        (["simulate", "toy", *few, "--records", file], 0),
        (["simulate", "toy", *few, "--out", f"{name}/"], 0),
        (["compare", f"{name}/", f"{name}/"], 0),
        (["report", f"{name}/", "--no-page", "--sample", "2"], 0),
        (["report", f"{name}/", "--sample", "2", "--page", f"{name}.html"], 0),
        (["match", "toy", f"cmd:/bin/false {name}", "random", *few], None),
        (["replay", file], 0),
        (["show", file, "--svg", f"{name}.svg"], 0),
        (["show", file, "--svg", f"{name}.svg"], 2),
        (["analyse", file, "--all", "--policy", "mcts:10"], 0),
        (["replay", missing], 2),
        (["show", missing], 2),
        (["compare", missing, missing], 2),
        (["report", missing], 2),
        (["simulate", "toy", "--policy", name], 2),
        (["simulate", "toy", "--set", f"{name}=1"], 2),
        (["simulate", "toy", "--set", f"hand={name}"], 2),
        (["simulate", "toy", "--records", f"{name}/x/y"], 2),
        (["play", "toy", "--text", "--bot", name], 2),
        (["games", name], 2),
        (["rules", name], 2),
        (["bot", name], 2),
    ):
        assert main(words) in ((status,) if status is not None else (0, 1, 2)), words
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        assert all(c.isprintable() or c in "\n\t" for c in out + err), (words, out, err)
        if words[0] == "match":
            assert printable(name) in out + err
    for words in (
        [name],
        ["simulate", "toy", f"--{name}"],
        ["simulate", "toy", name],
        ["simulate", "toy", "--games", name],
    ):
        with pytest.raises(SystemExit, match="2"):
            main(words)
        assert all(c.isprintable() or c == "\n" for c in capsys.readouterr().err)


def test_a_defect_is_told_in_a_sentence(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_options: object) -> int:
        raise KeyError("what")

    monkeypatch.setattr("tilery.cli.games.run", broken)
    assert main(["games"]) == 70
    err = capsys.readouterr().err
    assert err == "tilery: a defect of tilery: KeyError: 'what'; please report it, with what --debug prints\n"
    for words in (["games", "--debug"], ["--debug", "games"]):
        with pytest.raises(KeyError):
            main(words)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (MemoryError(), "there is not enough memory"),
        (RecursionError("deep"), "a value is nested too deeply"),
        (RuntimeError("cannot start thread 5 of 64"), "cannot start thread 5 of 64"),
        (PermissionError(13, "Permission denied", "x"), "x: Permission denied"),
    ],
)
def test_the_machine_and_the_input_are_no_defects(
    error: Exception, sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_options: object) -> int:
        raise error

    monkeypatch.setattr("tilery.cli.games.run", fail)
    assert main(["games"]) == 2
    assert capsys.readouterr().err == f"tilery: {sentence}\n"


def test_options_are_read_as_python_writes_them(capsys: pytest.CaptureFixture[str]) -> None:
    [name] = [name for name in GAMES if "farmers" in tilery.load(name).rules]
    for text in ("False", "false"):
        assert main(["simulate", name, "--games", "2", "--set", f"farmers={text}", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["rules"]["farmers"] is False


@pytest.mark.parametrize("flag", ["--svg", "--png", "--steps"])
def test_a_suffix_of_another_format_is_refused(
    flag: str, three_games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = three_games.parent / ("x.svg" if flag == "--png" else "x.png")
    assert main(["show", str(three_games), flag, str(wrong)]) == 2
    assert f"{flag} writes a file that ends with ." in capsys.readouterr().err
    assert not wrong.exists()


def test_games_of_a_file_count_from_0(three_games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["show"], ["analyse", "--all", "--policy", "mcts:10"]):
        outputs = []
        for more in ([], ["--game", "0"], ["--game", "2"]):
            assert main([words[0], str(three_games), *words[1:], *more]) == 0
            outputs.append(capsys.readouterr().out)
        assert main([words[0], str(three_games), *words[1:], "--game", "3"]) == 2
        assert "has no game 3" in capsys.readouterr().err
        assert words[0] == "analyse" or outputs[0] == outputs[1] != outputs[2]


def test_an_interrupted_simulation_goes_on_in_the_same_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command that it prints appends the other records."""
    monkeypatch.chdir(tmp_path)
    words = ["simulate", "toy", "--games", "300", "--seed", "4", "--records"]
    assert main([*words, "whole.jsonl"]) == 0
    monkeypatch.setattr(simulate, "play", at_call(30, simulate.play, interrupt))
    assert main([*words, "cut.jsonl", "--overwrite"]) == 130
    rest = capsys.readouterr().err.partition("is played by: tilery ")[2]
    assert main(shlex.split(rest)) == 0
    assert Path("cut.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()


def test_many_games_are_played_and_written_once_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough games to be played and written in more than one piece."""
    played = Mock(wraps=simulate.play)
    monkeypatch.setattr(simulate, "play", played)
    words = ["simulate", "toy", "--games", "60000", "--seed", "4"]
    assert main([*words, "--out", str(tmp_path / "games.npy")]) == 0
    assert sum(call.args[1] for call in played.mock_calls) == 60_000
    assert np.array_equal(np.load(tmp_path / "games.npy"), tilery.simulate(tilery.load("toy"), 60_000, seed=4))
    assert main([*words, "--records", str(tmp_path / "games.jsonl")]) == 0
    assert sum(call.args[1] for call in played.mock_calls) == 120_000
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 60_000


def test_a_simulation_interrupted_while_it_writes_counts_the_games_that_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["simulate", "toy", "--games", "300", "--seed", "4", "--records"]
    assert main([*words, "whole.jsonl"]) == 0
    interrupted = at_call(100, record.Record.to_json, lambda: signal.raise_signal(signal.SIGINT))
    monkeypatch.setattr(record.Record, "to_json", interrupted)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs may ignore it
    assert main([*words, "cut.jsonl"]) == 130
    signal.signal(signal.SIGINT, handler)
    out, err = capsys.readouterr()
    assert f"{len(Path('cut.jsonl').read_text().splitlines())} games written to cut.jsonl" in out
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(err.partition("is played by: tilery ")[2])) == 0
    assert Path("cut.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()
