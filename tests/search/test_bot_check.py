"""`tilery bot check`: programs that keep the protocol pass it, and each that does not is named with what it did."""

from __future__ import annotations

import doctest
import re
import shutil
import sys
from pathlib import Path

import pytest

import tilery
from tests.kit.games import ROOT
from tests.kit.web import need
from tests.search.test_bots import FIRST, SHELL, TILERY_BOT, script
from tilery import bot_check, cli

JAVASCRIPT = """
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "hello") console.log('{"type": "ready", "wants": ["legal"]}');
    if (message.type === "choose") console.log(JSON.stringify({ type: "action", token: message.legal.at(-1) }));
});
"""


def verdicts(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """The verdict on each case."""
    lines = capsys.readouterr().out.splitlines()
    return {line[8:].partition(":")[0]: line[:6] for line in lines if re.match("passed|FAILED", line)}


EXAMPLES = {
    "Python": f"{sys.executable} {ROOT / 'examples' / 'python_bot.py'}",
    "JavaScript": f"node {ROOT / 'examples' / 'javascript_bot.mjs'}",
}


@pytest.mark.parametrize("language", EXAMPLES)
def test_the_examples_pass_in_version_2(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Those that are compiled are tested where they are compiled."""
    if language == "JavaScript":
        need(shutil.which("node"), "node", "Debian: apt-get install nodejs")
    words = ["bot", "check", f"cmd:{EXAMPLES[language]}", "--seconds", "120", "--set", "hand=3"]
    assert cli.main(words) == 0
    printed = capsys.readouterr().out
    assert printed.count("passed") == len(bot_check.CASES)
    assert "is not asked" not in printed
    assert "takes its options: " in printed


@pytest.mark.parametrize("kind", ["of tilery", "Python", "shell", "JavaScript"])
def test_programs_that_keep_the_protocol_pass(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bot.sh").write_text(SHELL, encoding="ascii")
    (tmp_path / "bot.js").write_text(JAVASCRIPT, encoding="ascii")
    if kind == "JavaScript":
        need(shutil.which("node"), "node", "Debian: apt-get install nodejs")
    command = {
        "of tilery": f"{TILERY_BOT} greedy",
        "Python": script(tmp_path, FIRST),
        "shell": f"sh {tmp_path / 'bot.sh'}",
        "JavaScript": f"node {tmp_path / 'bot.js'}",
    }[kind]
    words = ["bot", "check", f"cmd:{command}", "--seconds", "120", "--players", "3", "--set", "hand=2"]
    assert cli.main(words) == 0
    assert verdicts(capsys) == dict.fromkeys(bot_check.CASES, "passed")


ANSWERS = 'print(json.dumps({"type": "action", "token": message["legal"][0]}), flush=True)'
WRONG = {
    "plays": (FIRST.replace(ANSWERS, "raise KeyError('legal')"), "KeyError: 'legal'"),
    "unknown messages": (FIRST + '    else:\n        raise ValueError(message["type"])\n', "a-message-of-a-later"),
    "any position": (FIRST.replace(ANSWERS, f'message["actions"][0]; {ANSWERS}'), "TypeError"),
    "ends": (f"{FIRST}import time\ntime.sleep(600)\n", "runs on for 10 s after its input has ended"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_breaks_the_protocol_is_told(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, says = WRONG[case]
    seconds = "10" if case == "ends" else "60"
    assert cli.main(["bot", "check", f"cmd:{script(tmp_path, text)}", "--seconds", seconds, "--set", "hand=2"]) == 1
    out = capsys.readouterr().out
    assert f"FAILED  {case}: " in out
    assert says in out


def test_what_does_not_begin_is_checked_no_further(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bot", "check", "cmd:no-such-program-here"]) == 1
    assert verdicts(capsys) == {"begins": "FAILED"}
    for wrong in (["check"], ["check", "greedy"], ["greedy", "cmd:x"], ["check", "cmd:x", "--seconds", "0"]):
        assert cli.main(["bot", *wrong]) == 2
        assert capsys.readouterr().err.startswith("tilery: ")


def test_the_examples_of_the_module() -> None:
    assert doctest.testmod(bot_check, extraglobs={"tilery": tilery}).failed == 0
