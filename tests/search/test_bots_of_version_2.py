"""The bot protocol, version 2: the referee's end, the bot's end, and what breaks it."""

from __future__ import annotations

import io
import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.search.test_bots import FIRST, TILERY_BOT, script
from tilery import bot_check, bots, cli
from tilery.errors import BotError

SECOND = """
import json, sys, time

def answer(**message):
    print(json.dumps(message), flush=True)

options, seat = {"depth": 4}, None
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        seat = message["seat"]
        described = [{"name": "depth", "kind": "int", "default": 4, "about": "plies"}]
        answer(type="ready", protocol=2, name="second", wants=["legal"], options=described)
    elif kind == "options":
        options.update(message["values"])
        answer(type="ready")
    elif kind == "new":
        seat = message["seat"]
        answer(type="ready")
    elif kind == "choose":
        for depth in range(options["depth"]):
            answer(type="info", depth=depth, seat=seat, clock=message.get("clock"))
        answer(type="action", token=message["legal"][0])
    elif kind == "analyse":
        answer(type="info", expectation=[0.5, 0.5], line=[message["legal"][0]])
        answer(type="analysis", best=message["legal"][0])
    elif kind == "quit":
        break
"""
"""A bot of version 2: the first legal action, after saying how deep it looked."""


def test_the_analysis_of_version_1_is_its_choice(tmp_path: Path) -> None:
    state = tilery.load("toy").new_initial_state()
    while state.current_player() < 0:
        state.apply_action(state.legal_actions()[0])
    for text in (FIRST, SECOND):
        found = bots.CommandPolicy(script(tmp_path, text)).analysis(state, 1)
        best = state.action_to_string(state.legal_actions()[0])
        assert found == ({"best": best} if text == FIRST else {"type": "analysis", "best": best})


def decision(game: Any, seat: int = 0) -> tuple[Any, list[int]]:
    """A decision of a seat, and the actions before it as it saw them."""
    state, seen, rng = game.new_initial_state(), list[int](), tilery.Rng(1)
    while state.current_player() != seat:
        action = state.random_action(rng)
        seen.append(state.action_seen_by(seat, action))
        state.apply_action(action)
    return state, seen


@pytest.fixture
def game() -> Any:
    return tilery.load("toy", hand=3)


def second(folder: Path, game: Any, text: str = SECOND, **given: Any) -> bots.CommandBot:
    return bots.CommandBot(script(folder, text), game, 0, seconds=60, **given)


def test_a_bot_that_answers_1_is_spoken_to_in_1(tmp_path: Path, game: Any) -> None:
    with second(tmp_path, game, FIRST) as bot:
        assert (bot.protocol, bot.options) == (1, {})
        state, seen = decision(game)
        assert bot.choose(state, 1, seen) == state.legal_actions()[0]
    with (
        pytest.raises(BotError, match="has no option 'depth'; it has none"),
        second(tmp_path, game, FIRST, options={"depth": 3}),
    ):
        pass
    chatty = FIRST.replace(
        'print(json.dumps({"type": "action"',
        'print(\'{"type": "info"}\', flush=True); \\\n        print(json.dumps({"type": "action"',
    )
    with (
        pytest.raises(BotError, match="must answer with a message of type 'action'"),
        second(tmp_path, game, chatty) as bot,
    ):
        bot.choose(state, 1, seen)


def test_names_options_and_info(tmp_path: Path, game: Any) -> None:
    state, seen = decision(game)
    with second(tmp_path, game, options={"depth": 900}) as bot:
        assert (bot.protocol, bot.name) == (2, "second")
        assert bot.options["depth"] == {"name": "depth", "kind": "int", "default": 4, "about": "plies"}
        assert bot.choose(state, 1, seen) == state.legal_actions()[0]
        assert bot.info["depth"] == 899
        assert bot.info["clock"] is None
    for options, says in (
        ({"width": 1}, "has no option 'width'; it has depth"),
        ({"depth": "x"}, "is of kind int, not 'x'"),
    ):
        with pytest.raises(BotError, match=says), second(tmp_path, game, options=options):
            pass


def test_analyses_new_games_and_games_under_way(tmp_path: Path, game: Any) -> None:
    with second(tmp_path, game) as bot:
        state, seen = decision(game)
        assert bot.analyse(state, 1, seen)["best"] == state.action_to_string(state.legal_actions()[0])
        assert bot.info["expectation"] == [0.5, 0.5]
        bot.over([1, 0], [1.0, -1.0])
        bot.new(game, 1, seen)
        state, seen = decision(game, 1)
        bot.choose(state, 1, seen)
        assert bot.info["seat"] == 1


def test_a_clock_runs_while_the_bot_thinks(tmp_path: Path, game: Any) -> None:
    state, seen = decision(game)
    with second(tmp_path, game, clock=bots.Clock(50, 2)) as bot:
        bot.choose(state, 1, seen)
        assert bot.info["clock"] == {"left": 50, "increment": 2}
        first = bot.left
        assert first is not None
        assert 50 > first - 2 > 0
        bot.choose(state, 1, seen)
        assert bot.info["clock"]["left"] == first
    sleeps = SECOND.replace('answer(type="action"', 'time.sleep(600); answer(type="action"')
    with (
        second(tmp_path, game, sleeps, clock=bots.Clock(0.5, 0)) as bot,
        pytest.raises(BotError, match=r"within 0\.5 s"),
    ):
        bot.choose(state, 1, seen)


def test_a_match_by_the_clock(tmp_path: Path, game: Any, capsys: pytest.CaptureFixture[str]) -> None:
    command = f"cmd:{script(tmp_path, SECOND)}"
    words = ["match", "toy", command, "random", "--games", "4", "--clock", "60+0.5", "--json"]
    assert cli.main(words) == 0
    assert json.loads(capsys.readouterr().out)["tables"][0]["games"] == 4
    for wrong in ("60", "0+1", "-1+1", "1+x"):
        with pytest.raises(SystemExit):
            cli.main([*words[:-3], f"--clock={wrong}"])
        assert "such as 60+0.5" in capsys.readouterr().err
    with pytest.raises(ValueError, match="not kept in a directory"):
        tilery.match.play(game, ["random", "greedy"], games=2, clock=(1, 1), out=tmp_path / "out")
    bad: Any
    for bad in (3, "60+0.5", (1,), (1, None), (0, 1), (1, -1), (float("nan"), 1)):
        with pytest.raises(ValueError, match="a clock"):
            tilery.match.play(game, ["random", "greedy"], games=2, clock=bad)


BROKEN = {
    'protocol="2"': '"protocol" must be one of',
    "protocol=3": '"protocol" must be one of',
    'protocol=2, options="x"': '"options" must be a list of objects',
    'protocol=2, options=[{"name": "a"}]': '"options" must be a list of objects',
    'protocol=2, options=[{"name": "a", "kind": "int", "default": True}]': '"options" must be a list of objects',
    'protocol=2, options=[{"name": "a", "kind": [], "default": 1}]': '"options" must be a list of objects',
    "protocol=[]": '"protocol" must be one of',
}


@pytest.mark.parametrize("ready", BROKEN)
def test_what_a_bot_must_not_say_of_itself(ready: str, tmp_path: Path, game: Any) -> None:
    says = f"print(json.dumps(dict(type='ready', {ready})), flush=True)"
    text = f"import sys, json\nsys.stdin.readline()\n{says}\nsys.stdin.read()"
    with pytest.raises(BotError, match=BROKEN[ready]), second(tmp_path, game, text):
        pass


ANSWERS = {
    'answer(type="error", reason="out of memory")': "reported an error: out of memory",
    'answer(type="analysis", best="nothing")': "whose best action is 'nothing', which is not legal",
    'answer(type="analysis", best=[])': r"whose best action is \[\], which is not legal",
    'answer(type="action", token="1")': "must answer with a message of type 'analysis'",
    "print([1], flush=True)": "must answer with a JSON object",
}


@pytest.mark.parametrize("answers", ANSWERS)
def test_what_breaks_version_2_is_named(answers: str, tmp_path: Path, game: Any) -> None:
    text = SECOND.replace('answer(type="analysis", best=message["legal"][0])', answers)
    state, seen = decision(game)
    with second(tmp_path, game, text) as bot, pytest.raises(BotError, match=ANSWERS[answers]):
        bot.analyse(state, 1, seen)


def test_our_bot_stops_a_search_that_would_take_hours(game: Any) -> None:
    state, seen = decision(game)
    stop = threading.Event()
    with bots.CommandBot(f"{TILERY_BOT} mcts:1000000000", game, 0, seconds=120) as bot:
        assert (bot.protocol, bot.name) == (2, "mcts:1000000000")
        threading.Timer(0.5, stop.set).start()
        found = bot.analyse(state, 1, seen, stop=stop)
        assert found["best"] in [state.action_to_string(action) for action in state.legal_actions()]
        assert found["simulations"] < 10**9
        assert found["actions"][0]["token"] == found["best"]
    with bots.CommandBot(f"{TILERY_BOT} greedy", game, 0, seconds=120, options=None) as bot:
        assert "best" in bot.analyse(state, 1, seen)
        bot.new(game, 0)
        assert bot.choose(state, 1, seen) in state.legal_actions()


def test_the_end_of_the_bot_answers_version_2() -> None:
    hello = {"type": "hello", "protocol": 1, "protocols": [1, 2], "game": "toy", "rules": {}}
    out = io.StringIO()
    lines = [
        json.dumps(each) for each in (hello, {"type": "options", "values": {"a": 1}}, {"type": "quit"}, {"type": 3})
    ]
    bots.serve("greedy", lines, out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert answers[0] == {"type": "ready", "name": "greedy", "protocol": 2}
    assert answers[1] == {"type": "error", "reason": "there are no options"}
    assert len(answers) == 2
    for protocols in ([1], "12", None, [[2]]):
        out = io.StringIO()
        bots.serve("greedy", [json.dumps(hello | {"protocols": protocols})], out)
        assert json.loads(out.getvalue()) == {"type": "ready", "name": "greedy"}


def test_the_check_asks_for_version_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bot", "check", f"cmd:{script(tmp_path, SECOND)}", "--seconds", "120"]) == 0
    out = capsys.readouterr().out
    assert out.count("passed") == len(bot_check.CASES)
    assert "and said why" in out
    assert "speaks version 1" not in out
    one_game = SECOND.replace(
        'seat = message["seat"]\n        answer(type="ready")', 'answer(type="error", reason="no more")'
    )
    assert cli.main(["bot", "check", f"cmd:{script(tmp_path, one_game)}", "--seconds", "120"]) == 1
    assert re.search("FAILED  new games: .*reported an error: no more", capsys.readouterr().out)
