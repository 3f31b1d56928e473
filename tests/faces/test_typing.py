"""Types: mypy --strict on the package, stubs against the compiled module, one protocol for both backends."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.games import GAMES, ROOT
from tests.kit.recording import stub_of, stub_with_options

CONTRACT = """
from tilery.protocol import Game, State
import tilery.{name} as native
import tilery.reference.{name} as reference

def accepts(game: Game, state: State) -> None: ...

def check(a: native.Game, b: native.State, c: reference.Game, d: reference.State) -> None:
    accepts(a, b)
    accepts(c, d)
"""


def mypy(*arguments: str) -> str:
    run = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=600
    )
    return "" if run.returncode == 0 else run.stdout + run.stderr


def test_the_package_is_strictly_typed() -> None:
    assert mypy("mypy") == ""


def test_stubs_agree_with_the_module() -> None:
    arguments = ["tilery._core", "--mypy-config-file", "pyproject.toml", "--concise", "--ignore-unused-allowlist"]
    assert mypy("mypy.stubtest", *arguments, "--allowlist", "tests/faces/stubtest-allowlist.txt") == ""


@pytest.mark.parametrize("name", GAMES)
def test_the_options_in_a_stub_are_those_that_the_engine_declares(name: str) -> None:
    """`python -m tests.lab.record stubs` writes them."""
    assert stub_of(name).read_text(encoding="ascii") == stub_with_options(name)


@pytest.mark.parametrize("name", GAMES)
def test_engine_and_reference_satisfy_one_protocol(name: str, tmp_path: Path) -> None:
    contract = tmp_path / "contract.py"
    contract.write_text(CONTRACT.format(name=name))
    assert mypy("mypy", "--config-file", "pyproject.toml", str(contract)) == ""


TYPED = """
from typing import Any, assert_type
import tilery
import tilery.{name} as native

game = tilery.load("{name}", players=3)
assert_type(game, native.Game)
state = game.new_initial_state()
assert_type(state, native.State)
assert_type(state.game, native.Game)
assert_type(state.child(0), native.State)
assert_type(game.driver(seed=1).state(), native.State)
assert_type(state.information_state(0), dict[str, Any])
assert_type(state.playout(tilery.Rng(1)), list[float])
assert_type(tilery.load("{name}", players=2).deserialize_state(b""), native.State)
tilery.load("{name}").new_initial_state().apply_action("x")  # wrong
native.Game(players="x")  # wrong
"""


@pytest.mark.parametrize("name", GAMES)
def test_games_that_are_loaded_have_their_own_types(name: str, tmp_path: Path) -> None:
    program = tmp_path / "typed.py"
    program.write_text(TYPED.format(name=name))
    output = mypy("mypy", "--config-file", "pyproject.toml", str(program))
    assert re.findall(r"typed\.py:(\d+): error", output) == ["16", "17"], output
