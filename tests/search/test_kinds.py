"""One kind of policy everywhere: what `tilery.policy` takes, and that every command and call takes it."""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.games import GAMES
from tests.kit.walking import random_game
from tilery import bots, cli, policies, protocol, record

BOT = f"cmd:{sys.executable} -m tilery bot greedy"
TEXTS = ["greedy", f"py:{__name__}:last", f"py:{__name__}:drawn", BOT]


def last(state: Any) -> int:
    """The last legal action."""
    action: int = state.legal_actions()[-1]
    return action


def drawn(state: Any, rng: np.random.Generator) -> int:
    """A random legal action."""
    return int(rng.choice(state.legal_actions()))


def decision(name: str) -> Any:
    state: Any = random_game(tilery.load(name), seed=3, actions=9)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


@pytest.mark.parametrize("text", TEXTS)
def test_every_text_is_a_policy_of_one_protocol(text: str) -> None:
    policy = tilery.policy(text)
    assert isinstance(policy, protocol.Policy)
    assert tilery.policy(policy) is policy
    assert tilery.policy(str(policy)) == policy == pickle.loads(pickle.dumps(policy))
    state = decision("toy")
    before = state.clone()
    rng = tilery.Rng(5)
    action = policy.choose(state, rng)
    assert action in state.legal_actions()
    assert state == before
    taken = tilery.Rng(5)
    taken.next()
    assert rng == taken, "exactly one number"
    assert policy.choose(state, 5) == action
    for wrong in (tilery.load("toy").new_initial_state(), random_game(tilery.load("toy"), seed=1, actions=999)):
        with pytest.raises(ValueError, match=r"chance is to act|the game is over"):
            policy.choose(wrong, 1)
    with pytest.raises(TypeError, match="state of the engine"):
        policy.choose(7, 1)


def with_options(state: Any, depth: int = 3) -> int:
    """A function of a state with an argument of its own."""
    assert depth == 3
    return last(state)


@pytest.mark.parametrize("function", [last, drawn, with_options, lambda state, rng=None: rng and last(state)])
def test_functions_of_a_state_are_policies(function: Callable[..., int]) -> None:
    policy = tilery.policy(function)
    assert str(policy).startswith(f"py:{__name__}:")
    state = decision("toy")
    assert policy.choose(state, 1) in state.legal_actions()
    assert tilery.simulate(state.game, 3, policies=[function, "random"]).shape == (3,)


def test_objects_that_choose_are_policies() -> None:
    class Chooser:
        def choose(self, state: Any, rng: Any) -> int:  # noqa: ARG002
            return last(state)

    state = decision("toy")
    assert tilery.policy(Chooser()).choose(state, 1) == last(state)  # type: ignore[arg-type]


def test_a_function_sees_what_its_player_knows() -> None:
    game: Any = tilery.load("toy", hand=4)
    states = [random_game(game, seed=3, actions=12)]
    while states[0].is_chance_node():
        states[0].apply_action(states[0].legal_actions()[0])
    player = states[0].current_player()
    states.append(states[0].determinize(player, 8))
    seen: list[Any] = []
    policy = tilery.policy(lambda state: seen.append(state) or last(state))  # type: ignore[func-returns-value]
    for state in states:
        policy.choose(state, 5)
    assert seen[0] == seen[1]
    assert seen[0].information_state_string(player) == states[0].information_state_string(player)


@pytest.mark.parametrize("wrong", [3, None, int, [], lambda: 0, lambda a, b, c: a + b + c])
def test_what_is_no_policy_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="policy must be"):
        tilery.policy(wrong)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("best", "there are random, .*, py:MODULE:FUNCTION, cmd:COMMAND, agent:FILE"),
        ("py:", "written py:MODULE:FUNCTION"),
        ("py:nothing", "written py:MODULE:FUNCTION"),
        ("py:tilery:nothing", "has no attribute 'nothing'"),
        ("py:no_such_module:f", "No module named"),
        (f"py:{__name__}:TEXTS", "is neither a function nor an object with choose"),
    ],
)
def test_a_wrong_text_names_what_there_is(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        tilery.policy(text)


def test_a_wrong_choice_is_refused_with_the_rule() -> None:
    state = decision("toy")
    for wrong, says in ((lambda _: 10**6, "returned 1000000: G-"), (lambda _: "x", "not an action id")):
        with pytest.raises(tilery.IllegalActionError, match=says):
            tilery.policy(wrong).choose(state, 1)  # type: ignore[arg-type]


def test_a_module_in_the_current_folder_is_found_by_the_command(tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text("def choose(state):\n    return state.legal_actions()[0]\n", encoding="ascii")
    command = Path(sys.executable).with_name("tilery")
    words = [command, "match", "toy", "py:mybot:choose", "random", "--games", "2", "--json"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [side["policy"] for side in json.loads(done.stdout)["tables"][0]["sides"]] == ["py:mybot:choose", "random"]


@pytest.mark.parametrize("text", TEXTS)
def test_every_command_takes_every_kind(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", "toy", "--games", "2", "--policy", text, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["policies"] == [text]
    assert cli.main(["compare", "toy", "--games", "2", "--policy", text, "--policy", "random"]) == 0
    assert text in re.sub(r"\s", "", capsys.readouterr().out).replace("cmd:", "cmd:") or " " in text
    file = tmp_path / "games.jsonl"
    assert cli.main(["match", "toy", text, "random", "--games", "2", "--records", str(file)]) == 0
    written = next(iter(record.read(file)))
    record.replay(written)
    steps = [step for step, (_, state) in enumerate(record.positions(written)) if state.current_player() >= 0]
    capsys.readouterr()
    assert cli.main(["analyse", str(file), "--after", str(steps[0]), "--policy", text, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["policy"] == text
    assert found["token"] in written.actions.split() or found["best"] >= 0
    assert cli.main(["analyse", str(file), "--all", "--policy", text]) == 0


def test_a_program_says_what_it_thinks_of_a_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A search says it by the message "analysis", any other policy says only what it would choose."""
    [played] = record.simulated(tilery.load("toy"), 1, seed=5)
    file = tmp_path / "games.jsonl"
    file.write_text(played.to_json() + "\n", encoding="ascii")
    step = next(step for step, (_, state) in enumerate(record.positions(played)) if state.current_player() >= 0)
    words = ["analyse", str(file), "--after", str(step), "--policy"]
    program = f"cmd:{sys.executable} -m tilery bot"
    assert cli.main([*words, f"{program} mcts:20", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["simulations"] == 20
    assert found["actions"][0]["token"] == found["token"] == found["line"][0]
    assert cli.main([*words, f"{program} mcts:20"]) == 0
    assert f"chooses {found['token']}, simulations 20, line [" in capsys.readouterr().out
    assert cli.main([*words, f"{program} greedy"]) == 0
    assert "and says no more" in capsys.readouterr().out


@pytest.mark.parametrize("text", TEXTS[1:])
def test_a_run_refuses_what_it_cannot_repeat(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", "toy", "--games", "2", "--policy", text, "--out", str(tmp_path / "run")]) == 2
    assert "may choose otherwise the next time" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_manifest_runs_no_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    assert cli.main(["simulate", "toy", "--games", "2", "--policy", "greedy", "--out", str(run)]) == 0
    manifest = run / "manifest.json"
    (tmp_path / "evil.py").write_text("raise SystemExit(99)", encoding="ascii")
    for text in ("py:evil:f", f"cmd:touch {tmp_path / 'touched'}"):
        manifest.write_text(manifest.read_text("utf-8").replace('"greedy"', json.dumps(text)), encoding="utf-8")
        for shard in run.glob("games-*"):
            shard.unlink()
        capsys.readouterr()
        assert cli.main(["report", str(run), "--no-page"]) == 2
        assert "is damaged: a run in shards needs policies that play the same again" in capsys.readouterr().err
        manifest.write_text(manifest.read_text("utf-8").replace(json.dumps(text), '"greedy"'), encoding="utf-8")
    assert not (tmp_path / "touched").exists()


@pytest.mark.parametrize("name", GAMES)
def test_a_policy_behind_each_wall_plays_the_same_games(name: str) -> None:
    """The engine's greedy, and the same asked as a function, through a line-up of any kind."""
    game: Any = tilery.load(name)
    greedy = tilery.policy("greedy")
    seats = ["random"] * (game.num_players - 1)
    one, records = tilery.simulate(game, 2, policies=["greedy", *seats], seed=4, records=True)

    def asked(state: Any, rng: np.random.Generator) -> int:
        return greedy.choose(state, 1)

    for played, line in zip(one, records, strict=True):
        assert played["num_actions"] == len(line.split())
    two = tilery.simulate(game, 2, policies=[asked, *seats], seed=4)
    assert two["num_actions"].min() > 0


def test_a_program_that_fails_in_a_simulation_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nsys.stderr.write('first\\nlast words\\x1b[2J\\n')\nsys.exit(3)\n", encoding="ascii")
    text = f"cmd:{sys.executable} {bot}"
    with pytest.raises(bots.BotError, match="seat 1 in game 6: ended with exit status 3") as error:
        tilery.simulate(tilery.load("toy"), 2, first=6, policies=["random", text])
    assert error.value.details.splitlines() == ["first", r"last words\x1b[2J"]
    assert cli.main(["simulate", "toy", "--games", "2", "--policy", text]) == 1
    errors = capsys.readouterr().err
    assert errors.startswith(f"tilery: {text}, seat 0 in game 0: ended with exit status 3\n")
    assert "    first\n" in errors
    assert os.sep in errors


def test_kinds_are_described() -> None:
    page = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")
    for kind in policies.OUTSIDE.values():
        assert f"`{kind.written}`" in page
