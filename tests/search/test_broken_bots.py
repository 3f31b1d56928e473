"""A broken bot does not look like a weak bot: what `tilery match` says of each kind, and how it ends."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

import tilery
from tilery import cli, match, simulation
from tilery.errors import BotError, IllegalActionError

READY = """read hello; echo '{"type": "ready"}'; read choose; """

REFUSED = {
    "is not there": ("/no/such/bot", "cannot be started: No such file or directory: '/no/such/bot'"),
    "has no name": ("", "cannot be started: the command is empty"),
    "raises at its first line": ("echo 'ZeroDivisionError: oops' >&2; exit 1", "ended with exit status 1"),
    "greets before it is asked": (
        "echo welcome; read hello; sleep 60",
        "sent (what is not JSON: b'welcome'|a line before it)",
    ),
    "says nothing": ("exec sleep 60", "did not answer within 2 s"),
    "asks for what there is not": (
        """read hello; echo '{"type": "ready", "wants": ["all"]}'; sleep 60""",
        '"wants" must be a list',
    ),
}
"""Programs that do not even start: what they do, and the message about each."""

LOSING = {
    "ends": ("exit 3", "ended with exit status 3"),
    "is killed": ("kill -9 $$", "was ended by signal 9"),
    "is late": ("exec sleep 60", "did not answer within 6 s"),
    "prints what it thinks": ("echo 'I think e4'; exec sleep 60", "sent what is not JSON: b'I think e4'"),
    "sends another message": ("echo '{}'; exec sleep 60", "must answer with a message of type 'action'"),
    "sends no token": ("""echo '{"type": "action"}'; exec sleep 60""", "token must be a string, got None"),
    "invents a token": ("""echo '{"type": "action", "token": "xyz"}'; exec sleep 60""", "sent an invalid token: "),
    "plays an illegal action": (
        """echo '{"type": "action", "token": "*1"}'; exec sleep 60""",
        "sent '\\*1', which is not legal",
    ),
    "floods": ("while :; do echo '{}'; done", "(must answer with|.*that nobody asked for|.*before it was asked)"),
    "floods without a line": (
        "while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done",
        "sent a line of more than 65536 bytes",
    ),
    "fills a line to its end": ("printf '%65536s' ''; exec sleep 60", "sent a line of more than 65536 bytes"),
    "closes its output": ("exec >&-; exec sleep 60", "closed its output"),
}
"""Programs that start and fail when they are to choose."""


def illegal(state: Any) -> int:
    """A function that plays what is not legal."""
    return int(state.game.num_distinct_actions) + 5


def raising(state: Any) -> int:
    """A function with a mistake in it."""
    return int(1 / len(state.legal_actions()[:0]))


def nothing(state: Any) -> None:
    """A function that forgets to return its choice."""


searching = tilery.search.MCTS(9, value=raising)  # type: ignore[arg-type]  # a wrong function, on purpose
"""A search by an evaluation with a mistake in it."""

FUNCTIONS = {
    illegal: "returned [0-9]+: G-4",
    raising: "raised ZeroDivisionError: division by zero",
    nothing: "returned None, which is not an action id",
}


def command_of(folder: Path, body: str) -> str:
    """The text of a program that does this."""
    if body.startswith("/") or not body:
        return f"cmd:{body}"
    path = folder / "bot.sh"
    path.write_text(f"{body}\n", encoding="ascii")
    return f"cmd:sh {shlex.quote(str(path))}"


def matched(*words: str, says: str = "") -> list[str]:
    """A match; bots have a minute, but where they are to be late."""
    seconds = re.search("within ([0-9]+) s", says)
    return ["match", "toy", "--games", "2", "--set", "hand=1", "--seconds", seconds[1] if seconds else "60", *words]


@pytest.mark.parametrize("kind", REFUSED)
def test_a_program_that_does_not_start_is_refused_before_the_first_game(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body, says = REFUSED[kind]
    text, games = command_of(tmp_path, body), tmp_path / "games.jsonl"
    assert cli.main(matched("random", text, "--records", str(games), says=says)) == 1
    captured = capsys.readouterr()
    assert re.match(f"tilery: {re.escape(text)} {says}", captured.err), captured.err
    assert ("    ZeroDivisionError: oops" in captured.err) == (">&2" in body)
    assert captured.out == f"toy, 2 players: random, {text}\n"
    assert not games.exists() or not games.read_bytes()
    assert cli.main(matched("random", text, "--allow-failures", says=says)) == 0
    captured = capsys.readouterr()
    table = " ".join(captured.out.split())
    assert re.search(rf"{re.escape(text)} lost 2 of 2 games by failing: {says}", table), table
    with pytest.raises(BotError, match=says):
        match.play(tilery.load("toy"), ["random", text], games=2, seconds=2 if "within" in says else 60)


@pytest.mark.parametrize("kind", LOSING)
def test_a_program_that_fails_is_named_under_the_table(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body, says = LOSING[kind]
    text, log = command_of(tmp_path, f"printf 'a last\\033[2J word\\n' >&2; {READY}{body}"), tmp_path / "log"
    assert cli.main(matched(text, "random", "--bot-log", str(log), says=says)) == 1
    captured = capsys.readouterr()
    assert re.search(rf"{re.escape(text)} lost 2 of 2 games by failing: {says}", " ".join(captured.out.split())), (
        captured.out
    )
    assert captured.err.endswith("The end of what it said:\n    a last\\x1b[2J word\n")
    assert "a last\x1b[2J word" in log.read_text(encoding="utf-8")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_that_fails_is_named_under_the_table(function: Any, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"py:{__name__}:{function.__name__}"
    assert cli.main(matched(text, "greedy", "--json")) == 1
    captured = capsys.readouterr()
    assert re.search(rf"{text} lost 2 of 2 games by failing: {FUNCTIONS[function]}", captured.err), captured.err
    content = json.loads(captured.out)
    failures = content["tables"][0]["failures"]
    assert [(each["side"], each["deal"], each["seat"]) for each in failures] == [(0, 0, 0), (0, 0, 1)]
    assert ("Traceback" in failures[0]["details"]) == (function is raising)
    assert cli.main(matched(text, "greedy", "--allow-failures")) == 0


@pytest.mark.parametrize("function", FUNCTIONS)
def test_other_commands_end_with_what_a_function_did(
    function: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, games = f"py:{__name__}:{function.__name__}", str(tmp_path / "games.jsonl")
    assert cli.main(["match", "toy", "greedy", "random", "--games", "2", "--records", games]) == 0
    policy = ["--policy", text]
    for words in (
        ["simulate", "toy", "--games", "2", *policy],
        ["compare", "toy", "--games", "2", *policy, "--policy", "random"],
        ["analyse", games, "--all", *policy],
        ["review", games, *policy],
    ):
        capsys.readouterr()
        assert cli.main(words) == 1, words
        errors = capsys.readouterr().err
        assert re.match(f"tilery: {text} {FUNCTIONS[function]}", errors), errors
        assert ("Traceback" in errors) == (function is raising)
    capsys.readouterr()
    assert cli.main(["analyse", games, "--all", "--policy", f"py:{__name__}:searching"]) == 1
    assert f"{__name__}:searching raised ZeroDivisionError: division by zero" in capsys.readouterr().err
    own = ZeroDivisionError if function is raising else IllegalActionError
    with pytest.raises(own):
        tilery.simulate("toy", 1, policies=function)


def test_the_others_share_what_a_failure_loses() -> None:
    game, referee = tilery.load("toy", players=3), simulation.Referee()
    policies = ["greedy", f"py:{__name__}:raising", "greedy"]
    how: dict[str, Any] = {"seed": 1, "threads": 1, "first": 0, "records": False}
    progress: list[int] = []
    results, _ = simulation.play(game, 2, policies=policies, referee=referee, progress=progress.append, **how)
    assert progress == [1, 2]
    assert results["returns"].tolist() == [[0.5, -1, 0.5]] * 2
    assert sorted(referee.failures) == [0, 1]


def test_a_match_with_a_bot_that_cannot_play_is_refused_unless_it_may_fail() -> None:
    with pytest.raises(BotError, match="cannot be started"):
        match.play(tilery.load("toy"), ["random", "cmd:/no/such/bot"], games=2)


def test_who_never_played_has_no_rating(capsys: pytest.CaptureFixture[str]) -> None:
    words = matched("random", "greedy", "cmd:/no/such/bot", "--allow-failures", "--json")
    assert cli.main(words) == 0
    assert list(json.loads(capsys.readouterr().out)["ratings"]) == ["random", "greedy"]


def test_reasons_are_counted() -> None:
    table = match.Standings([match.Side("a"), match.Side("b")], games=9)
    table.failures = [match.Failure(1, 0, 0, reason) for reason in ("x", "y", "y", "z", "q")]
    assert table.broken() == ["b lost 5 of 9 games by failing: y (2 times); x; z; and 1 other reason"]
    table.failures = [match.Failure(0, 0, 0, "x")] * 3
    assert table.broken() == ["a lost 3 of 9 games by failing: x"]


def test_a_healthy_match_says_nothing_and_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(matched(f"cmd:{sys.executable} -m tilery bot greedy", "random", "--seconds", "60")) == 0
    captured = capsys.readouterr()
    assert "failing" not in captured.out + captured.err
