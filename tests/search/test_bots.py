"""Bots in other processes: the protocol, and those that break it."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import tilery
from tests.kit.games import GAMES, ROOT
from tests.kit.secrets import secrets_of
from tests.kit.waiting import until
from tests.kit.walking import random_game
from tilery import bots, match, record
from tilery.reference.rng import Rng

TILERY_BOT = f"{sys.executable} -m tilery bot"

FIRST = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "wants": ["legal"]}), flush=True)
    elif message["type"] == "choose":
        print(json.dumps({"type": "action", "token": message["legal"][0]}), flush=True)
"""
"""The simplest bot: the first legal action."""

READY = 'import sys, time, os\nsys.stdin.readline()\nprint(\'{"type": "ready"}\', flush=True)\nsys.stdin.readline()\n'
BROKEN = {
    "crashes": ("sys.exit(3)", "exit status 3"),
    "is killed": ("os.kill(os.getpid(), 9)", "ended by signal 9"),
    "hangs": ("time.sleep(600)", "did not answer within 0.5 s"),
    "floods": ("while True: print('x' * 1000)", "not JSON|nobody asked"),
    "floods without a line": ("while True: sys.stdout.write('x' * 1000)", "more than 65536 bytes"),
    "talks nonsense": ("print('hello', flush=True); time.sleep(600)", "not JSON"),
    "sends another type": ("print('{}', flush=True); time.sleep(600)", "type 'action'"),
    "sends no string": ('print(\'{"type": "action"}\', flush=True); time.sleep(600)', "must be a string"),
    "lies": ('print(\'{"type": "action", "token": "9"}\', flush=True); time.sleep(600)', "invalid token|not legal"),
    "leaves a child": ("os.fork(); time.sleep(600)", "did not answer"),
    "nests": ("print('[' * 50000, flush=True); time.sleep(600)", "not JSON"),
}


def script(folder: Path, text: str) -> str:
    """The command of a bot of this text."""
    path = folder / f"bot{len(list(folder.iterdir()))}.py"
    path.write_text(text, encoding="utf-8")
    return f"{sys.executable} {path}"


def test_a_policy_behind_the_protocol_plays_the_same_games() -> None:
    game: Any = tilery.load("toy", players=3, hand=2)
    behind: list[record.Record] = []
    within: list[record.Record] = []
    (table,) = match.play(game, [f"cmd:{TILERY_BOT} uct:30", "greedy"], games=3, seed=5, records=behind.append)
    (other,) = match.play(game, ["uct:30", "greedy"], games=3, seed=5, records=within.append)
    assert [each.actions for each in behind] == [each.actions for each in within]
    assert [side.shares for side in table.sides] == [side.shares for side in other.sides]


def test_bots_of_several_kinds_play_each_other(tmp_path: Path) -> None:
    games: list[record.Record] = []
    first = f"cmd:{script(tmp_path, FIRST)}"
    source = tmp_path / "bot.sh"
    source.write_text('read hello; echo \'{"type": "ready"}\'; read choose; exit 7\n', encoding="ascii")
    shell = f"cmd:sh {source}"
    tables = match.play(tilery.load("toy"), [first, shell, "random"], games=2, records=games.append)
    assert len(tables) == 3
    for each in games:
        if shell in each.more["policies"]:
            assert each.more["lost"]["reason"] == "ended with exit status 7"
            assert each.more["policies"][each.more["lost"]["seat"]] == shell
        else:
            assert "lost" not in each.more
            record.replay(each)
    assert [side.share for side in tables[0].sides] == [1, 0]


SHELL = r"""
while read -r line; do
    case "$line" in
    *'"type":"hello"'*) echo '{"type": "ready", "wants": ["legal"]}' ;;
    *'"type":"choose"'*)
        token=${line##*'"legal":["'}
        echo "{\"type\": \"action\", \"token\": \"${token%%'"'*}\"}"
        ;;
    esac
done
"""
CPP = r"""
#include <iostream>
#include <string>
int main() {
    const std::string before = "\"legal\":[\"";
    for (std::string line; std::getline(std::cin, line);) {
        const std::size_t at = line.find(before);
        if (line.find("\"type\":\"hello\"") != std::string::npos) {
            std::cout << "{\"type\": \"ready\", \"wants\": [\"legal\"]}" << std::endl;
        } else if (at != std::string::npos) {
            const std::size_t begin = at + before.size(), end = line.find('"', begin);
            const std::string token = line.substr(begin, end - begin);
            std::cout << "{\"type\": \"action\", \"token\": \"" << token << "\"}" << std::endl;
        }
    }
}
"""
"""The same bot in two more languages."""

BREAKS = {
    "crash": ("exit 7", "ended with exit status 7"),
    "hang": ("sleep 600", "did not answer within"),
    "flood": ("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done", "not JSON|nobody asked"),
    "lie": ('echo \'{"type": "action", "token": "99"}\'', "invalid token|not legal"),
}
"""Shell scripts by what they do when they are to choose."""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler")
def test_bots_in_three_languages_play_a_match_with_four_that_break(tmp_path: Path) -> None:
    (tmp_path / "bot.sh").write_text(SHELL, encoding="ascii")
    (tmp_path / "bot.cpp").write_text(CPP, encoding="ascii")
    subprocess.run(["c++", "-o", tmp_path / "bot", tmp_path / "bot.cpp"], check=True)
    broken = {}
    for kind, (body, reason) in BREAKS.items():
        source = tmp_path / f"{kind}.sh"
        source.write_text(f'read hello\necho \'{{"type": "ready"}}\'\nread choose\n{body}\n', encoding="ascii")
        broken[f"cmd:sh {source}"] = reason
    good = [f"cmd:{script(tmp_path, FIRST)}", f"cmd:{tmp_path / 'bot'}", f"cmd:sh {tmp_path / 'bot.sh'}"]
    games: list[record.Record] = []
    game: Any = tilery.load("toy", hand=2)
    # Whoever is to lose by its time plays one who cannot: on a busy machine the others may take long to begin.
    (late,) = (name for name, reason in broken.items() if "answer within" in reason)
    (table,) = match.play(game, [late, "random"], games=2, seconds=1.5, records=games.append)
    assert [side.share for side in table.sides] == [0, 1]
    in_time = [name for name in (*good, *broken) if name != late]
    tables = match.play(game, in_time, games=2, seconds=60, records=games.append)
    assert len(tables) == 15
    assert len(games) == 32
    for each in games:
        playing = each.more["policies"]
        breaking = [policy for policy in playing if policy in broken]
        if not breaking:
            assert "lost" not in each.more
            record.replay(each)
            continue
        lost = each.more["lost"]
        assert playing[lost["seat"]] in breaking
        assert re.search(broken[playing[lost["seat"]]], lost["reason"])
    for table in tables:
        names = [side.policy for side in table.sides]
        if names[0] in good and names[1] in broken:
            assert [side.share for side in table.sides] == [1, 0]
    # All good bots take the first legal action, so they play the same games.
    assert (
        len({(each.more["index"], each.actions) for each in games if not set(each.more["policies"]) & set(broken)}) == 1
    )
    until(lambda: not processes_of(str(tmp_path)), "processes are left")


def processes_of(marker: str) -> list[str]:
    """The processes that have this word in their command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if marker in words and entry.name != str(os.getpid()):
            found.append(words)
    return found


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_bot_loses_with_the_reason_and_leaves_nothing_behind(tmp_path: Path, kind: str) -> None:
    body, reason = BROKEN[kind]
    game: Any = tilery.load("toy")
    began, seconds = time.monotonic(), 0.5 if "answer" in reason else 60
    with (
        pytest.raises(bots.BotError, match=reason) as error,
        bots.CommandBot(script(tmp_path, READY + body), game, 0, seconds=seconds) as bot,
    ):
        tilery.simulate(game, 1, policies=[bot, "random"])
    assert error.value.seat == 0
    assert time.monotonic() - began < 300, "it slept to its end"
    until(lambda: not processes_of(str(tmp_path)), "processes are left")


@pytest.mark.parametrize("end", ["sleep 600", "exit 3"])
def test_a_process_that_left_the_group_of_a_bot_holds_nobody_up(tmp_path: Path, end: str) -> None:
    """It keeps the bot's output open, also after the bot has been killed."""
    left = tmp_path / "left"
    source = tmp_path / "bot.sh"
    source.write_text(
        f"setsid sh -c 'echo $$ >{left}; exec sleep 600' &\nread hello\necho '{{\"type\": \"ready\"}}'\n"
        f"while ! [ -s {left} ]; do :; done\n{end}\n",
        encoding="ascii",
    )
    threads = threading.active_count()
    with bots.CommandBot(f"sh {source}", tilery.load("toy"), 0, seconds=60) as bot:
        until(lambda: left.exists() and left.read_text(encoding="ascii").strip(), "nothing has left")
        began = time.monotonic()
    try:
        assert time.monotonic() - began < 300
        assert threading.active_count() == threads
        assert bot._process.returncode is not None, "a zombie"
    finally:
        os.kill(int(left.read_text(encoding="ascii")), signal.SIGKILL)


def test_seconds_may_be_more_than_a_lock_can_wait(tmp_path: Path) -> None:
    (tmp_path / "bot.sh").write_text(SHELL, encoding="ascii")
    game: Any = tilery.load("toy", hand=1)
    with bots.CommandBot(f"sh {tmp_path / 'bot.sh'}", game, 0, seconds=1e12) as bot:
        tilery.simulate(game, 1, policies=[bot, "random"])


def test_a_process_with_many_open_files_plays_bots(tmp_path: Path) -> None:
    """The pipes of a bot have numbers above 1,023, which select() does not take."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2048:
        pytest.skip("needs 2,048 open files")
    (tmp_path / "bot.sh").write_text(SHELL, encoding="ascii")
    game: Any = tilery.load("toy", hand=1)
    with ExitStack() as stack:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2048), hard))
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for _ in range(1100):
            stack.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        with bots.CommandBot(f"sh {tmp_path / 'bot.sh'}", game, 0) as bot:
            tilery.simulate(game, 1, policies=[bot, "random"])


@pytest.mark.parametrize(
    ("command", "reason"), [("", "the command is empty"), (" ", "the command is empty"), ('"', "No closing quotation")]
)
def test_a_command_that_cannot_be_split_is_a_sentence(command: str, reason: str) -> None:
    with pytest.raises(bots.BotError, match=f"seat 1: cannot be started: {reason}"):
        bots.CommandBot(command, tilery.load("toy"), 1)


@pytest.mark.parametrize("command", ["no-such-command-here", "", '"', "true", "sleep 60"])
def test_what_is_no_bot(command: str) -> None:
    with (
        pytest.raises(bots.BotError, match=r"started|ended|answer|read"),
        bots.CommandBot(command, tilery.load("toy"), 1, seconds=0.3),
    ):
        pass


@pytest.mark.parametrize("name", [name for name in GAMES if secrets_of(name)])
def test_positions_that_a_seat_cannot_tell_apart_have_equal_messages(name: str) -> None:
    for options, actions in secrets_of(name).POSITIONS:  # type: ignore[union-attr]
        state, rng = random_game(tilery.load(name, **options), seed=4, actions=actions), Rng(1)
        while state.is_chance_node():
            legal = state.legal_actions()
            state.apply_action(legal[rng.below(len(legal))])
        player = state.current_player()
        # The referee hands over a determinization, whose seed is the same for both.
        one = bots.position_message(state.determinize(player, 9), 1, [0], seconds=1, legal=True)
        other = state.determinize(player, 3).determinize(player, 9)
        assert bots.position_message(other, 1, [0], seconds=1, legal=True) == one
        assert json.loads(json.dumps(one)) == one
        assert "legal" in one
        assert "legal" not in bots.position_message(state.determinize(player, 9), 1, [0], seconds=1)


def test_a_seat_is_told_what_it_saw_and_no_more() -> None:
    """Every hidden draw of the toy is unseen, every open one and every decision is sent."""
    game: Any = tilery.load("toy", hand=3)
    messages: list[list[int]] = []

    class Watcher(tilery.policies.Seen):
        def choose(self, state: Any, number: int, seen: list[int] | None) -> int:  # noqa: ARG002
            assert seen is not None
            messages.append(seen)
            action: int = state.legal_actions()[0]
            return action

    _, (tokens,) = tilery.simulate(game, 1, policies=[Watcher(), "random"], records=True)
    played = [game.string_to_action(token) for token in tokens.split()]
    last = messages[-1]
    assert len(last) <= len(played)
    assert all(seen in (action, -1) for seen, action in zip(last, played, strict=False))
    assert -1 in last
    assert [seen for seen in last if seen >= 0]


def test_the_transcript_of_the_protocol_is_what_happens() -> None:
    """The messages in docs/protocol.md are those of a game of the toy, but for the version of tilery."""
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    block = page.split("```text\n")[1].split("```")[0].strip().splitlines()
    assert block[0].startswith("> ")
    lines = [json.loads(line[2:]) for line in block]
    sent, answers = ([each for line, each in zip(block, lines, strict=True) if line[0] == sign] for sign in "><")
    heard: list[dict[str, Any]] = []

    class Spy(bots.CommandBot):
        def _send(self, message: dict[str, Any], deadline: float) -> None:
            heard.append(message)
            super()._send(message, deadline)

    game: Any = tilery.load("toy", hand=1)
    with Spy(f"{TILERY_BOT} greedy", game, 0) as bot:
        results, (tokens,) = tilery.simulate(game, 1, seed=1, policies=[bot, "random"], records=True)
        bot.over(results["scores"][0].tolist(), results["returns"][0].tolist())
    assert [{**each, "tilery": ""} if "tilery" in each else each for each in heard] == [
        {**each, "tilery": ""} if "tilery" in each else each for each in sent
    ]
    assert answers[0] == {"type": "ready", "name": "greedy"}
    assert answers[1]["token"] in tokens.split()


HELLO: dict[str, Any] = {"type": "hello", "protocol": 1, "game": "toy", "rules": {}}
CHOOSE: dict[str, Any] = {"type": "choose", "state": "", "number": "1"}


def served(*lines: str) -> list[str]:
    """What `tilery bot greedy` answers to lines of input."""
    out = io.StringIO()
    bots.serve("greedy", lines, out)
    return out.getvalue().splitlines()


def without(message: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in message.items() if name != key}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "must be a JSON object"),
        ('"x"', "must be a JSON object"),
        ("null", "must be a JSON object"),
        ("{}", "'type' of a message must be a string, got nothing"),
        ('{"type": ["hello"]}', "'type' of a message must be a string"),
        (json.dumps(without(HELLO, "protocol")), "protocol None is not known"),
        (json.dumps(HELLO | {"protocol": []}), r"protocol \[\] is not known"),
        (json.dumps(without(HELLO, "game")), "'game' of a message must be a string, got nothing"),
        (json.dumps(HELLO | {"game": ["toy"]}), "'game' of a message must be a string"),
        (json.dumps(HELLO | {"game": "chess"}), "unknown game 'chess'"),
        (json.dumps(without(HELLO, "rules")), "'rules' of a message must be an object, got nothing"),
        (json.dumps(HELLO | {"rules": []}), "'rules' of a message must be an object"),
        (json.dumps(HELLO | {"rules": {"name": 1}}), "unknown option 'name'"),
        (json.dumps(HELLO | {"rules": {"players": 9}}), "players must be"),
        (json.dumps(CHOOSE), "before"),
    ],
)
def test_what_is_no_message_is_refused(line: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        served(line)


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"state": None}, "'state' of a message must be a string"),
        ({"state": 5}, "'state' of a message must be a string"),
        ({"state": "?"}, r"\w"),
        ({"state": "\xe9"}, "ASCII"),
        ({"number": 5}, "'number' of a message must be a string"),
        ({"number": "x"}, "'number' of a message must be below"),
        ({"number": "-1"}, "'number' of a message must be below"),
        ({"number": str(2**64)}, "'number' of a message must be below"),
        ({"number": "9" * 5000}, "'number' of a message must be below"),
    ],
)
def test_what_is_no_position_is_refused(more: dict[str, Any], reason: str) -> None:
    state: Any = random_game(tilery.load("toy"), seed=1, actions=0)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    right = {"type": "choose", **bots.position_message(state, 1, [], seconds=1)}
    assert json.loads(served(json.dumps(HELLO), json.dumps(right))[1])["type"] == "action"
    with pytest.raises(ValueError, match=reason):
        served(json.dumps(HELLO), json.dumps(right | more))


def test_a_referee_cannot_make_a_bot_read_a_file(tmp_path: Path) -> None:
    files = [
        (name, option.name)
        for name in tilery.games()
        for option in tilery.options(name).values()
        if option.kind == "file"
    ]
    assert files
    for name, option in files:
        path = tmp_path / "secret.json"
        path.write_text('{"secret": 1}', encoding="utf-8")
        with pytest.raises(tilery.OptionError, match=f"{option} must be .* not a path") as refused:
            served(json.dumps(HELLO | {"game": name, "rules": {option: str(path)}}))
        assert '"secret"' not in str(refused.value)
        assert served(json.dumps(HELLO | {"game": name, "rules": tilery.load(name).rules.as_dict()}))
