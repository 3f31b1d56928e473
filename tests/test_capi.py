"""The C table: the header is C, the declarations for Cython are its own, and through it every game is the same game."""

from __future__ import annotations

import gc
import importlib
import importlib.util
import os
import re
import subprocess
import sys
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tilery
from comparing import compare_questions, compare_states
from hostile import mutations
from support import GAMES, random_game
from tilery.reference.rng import Rng

ROOT = Path(__file__).parents[1]
HEADER = Path(tilery.get_include()) / "tilery" / "capi.h"
VARIANTS = [
    pytest.param(name, options, id=f"{name}-{number}")
    for name in GAMES
    for number, options in enumerate(importlib.import_module(f"options.{name}").VARIANTS)
]
slow = pytest.mark.slow  # waits for the compiler

SETUP = """
from Cython.Build import cythonize
from setuptools import Extension, setup

extension = Extension({name!r}, [{name!r} + ".pyx"], include_dirs=[{include!r}], extra_compile_args=["-O1"])
setup(name={name!r}, ext_modules=cythonize([extension], include_path=[{package!r}], language_level=3))
"""


def compiled(source: Path, folder: Path) -> ModuleType:
    """The Cython module of that source, built in the folder as a user would build it."""
    name = source.stem
    (folder / source.name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    package = str(Path(tilery.__file__).parents[1])
    setup = SETUP.format(name=name, include=tilery.get_include(), package=package)
    (folder / "setup.py").write_text(setup, encoding="utf-8")
    command = [sys.executable, "setup.py", "build_ext", "--inplace"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    assert run.returncode == 0, run.stdout + run.stderr
    (built,) = [path for path in folder.glob(f"{name}.*") if path.suffix in (".so", ".pyd")]
    spec = importlib.util.spec_from_file_location(name, built)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return compiled(ROOT / "tests" / "capi" / "probe.pyx", tmp_path_factory.mktemp("probe"))


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return compiled(ROOT / "examples" / "cython_bot" / "bot.pyx", tmp_path_factory.mktemp("bot"))


@pytest.mark.parametrize("language", [("c", "c99"), ("c", "c17"), ("c++", "c++98"), ("c++", "c++20")])
def test_the_header_is_plain_c_and_cpp(language: tuple[str, str]) -> None:
    kind, standard = language
    options = ["-x", kind, f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    text = "#include <tilery/capi.h>\n"
    run = subprocess.run(
        ["cc", *options, "-I", tilery.get_include(), "-"], input=text, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr


def members(text: str) -> list[str]:
    """The members of the struct tilery_api, without blanks, in C or in Cython."""
    (body,) = re.findall(r"typedef struct tilery_api\b(.*?)(?:\} tilery_api;|\n\n\n)", text, re.DOTALL)
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL).replace("noexcept nogil", ";").replace("()", "(void)")
    body = re.sub(r"\n( {8}\w[\w ]* \*?\w+)(?=\n)", r"\1;", body)  # plain members in Cython end with the line
    return [member for part in re.split(r"[;{:]", body) if (member := re.sub(r"\s+", "", part))]


def test_cython_declares_what_the_header_declares() -> None:
    pxd = (Path(tilery.__file__).parent / "capi.pxd").read_text(encoding="utf-8")
    header = HEADER.read_text(encoding="utf-8")
    declared = members(header)
    assert len(declared) > 30
    assert members(pxd) == declared
    words = set(re.findall(r"\bTILERY_\w+", header)) - {"TILERY_CAPI_H"}
    assert {word for word in words if word in pxd} == words


def test_the_table_knows_no_python() -> None:
    for name in ("c_table.hpp", "c_tables.cpp"):
        text = (ROOT / "cpp" / "bindings" / name).read_text(encoding="utf-8")
        assert not re.search(r"#include .*(pybind11|Python\.h|convert|object\.hpp)", text), name


def test_a_handle_and_its_game_keep_each_other() -> None:
    """The pointer in a handle is good as long as the handle or the game lives."""
    for name in GAMES:
        game = tilery.load(name)
        alive, handle = weakref.ref(game), game._c_handle()
        del game
        gc.collect()
        assert alive() is not None
        assert f'"tilery.{name}.Game"' in repr(handle)
        del handle
        gc.collect()
        assert alive() is None


@slow
@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_the_table_answers_as_python_does(probe: Any, name: str, options: dict[str, Any]) -> None:
    game = tilery.load(name, **options)
    native, table, rng = game.new_initial_state(), probe.State(game), Rng(3)
    facts = table.facts()
    assert facts.pop("version") == 1
    assert facts == {fact: getattr(game, fact) for fact in facts}
    step = 0
    while not native.is_terminal():
        compare_states(native, table)
        legal = native.legal_actions()
        i = rng.below(len(legal))
        assert table.legal_action(i) == legal[i]
        assert table.is_legal(legal[i])
        if step % 40 == 0:
            compare_questions(native, table, seed=step)
            assert str(native) == str(table)
            assert native.serialize() == table.serialize()
            weights, total = table.weights()[1:]
            assert sum(weights) == total
        before = table.clone()
        native.apply_action(legal[i])
        if step % 2:
            table.apply_action(legal[i])
        else:
            table.apply_trusting(legal[i])
        assert before != table
        step += 1
    compare_questions(native, table, seed=step)
    hashed = table.hash_state()
    assert hash(native) == (hashed - 2**64 if hashed >= 2**63 else hashed)
    with pytest.raises(IndexError, match="over"):
        table.random_action()
    with pytest.raises(IndexError, match="over"):
        table.legal_action(0)


@slow
@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_the_same_games_from_the_same_seeds(probe: Any, name: str, options: dict[str, Any]) -> None:
    game = tilery.load(name, **options)
    games = 20
    expected = tilery.simulate(game, games, seed=11, threads=1)
    for index in range(games):
        played_out, played = probe.State(game), probe.State(game)
        lengths = (expected["num_actions"][index], expected["num_decisions"][index])
        assert played_out.playout(11, index) == lengths
        assert played.play(11, index) == lengths
        assert played_out == played
        assert played.scores() == expected["scores"][index].tolist()
        assert played.returns() == expected["returns"][index].tolist()
    by_hand = probe.State(game)
    by_hand.play_by_index(11, games - 1)
    assert by_hand == played


@slow
def test_streams_are_those_of_the_reference(probe: Any) -> None:
    for seed, index in ((0, 0), (7, 3), (2**64 - 1, 2**64 - 1)):
        rng = Rng(seed, index)
        assert probe.draws(tilery.load("toy"), seed, index, 20) == [rng.next() for _ in range(20)]


@slow
@pytest.mark.parametrize("name", GAMES)
def test_illegal_actions_are_refused(probe: Any, name: str) -> None:
    """Every id beside the legal ones, up to a few thousand, and numbers that are no ids: nothing happens."""
    game = tilery.load(name)
    table, rng = probe.State(game), Rng(5)
    for _ in range(12):
        legal = table.legal_actions()
        before = table.clone()
        outside = [-1, -(2**31), 2**31 - 1, game.num_distinct_actions]
        wrong = sorted(set(range(min(game.num_distinct_actions, 2000))) - set(legal))
        for action in [*outside, *wrong[:: max(1, len(wrong) // 100)]]:
            assert not table.is_legal(action)
            with pytest.raises(tilery.IllegalActionError, match=rf"^{name}: .*{action}"):
                table.apply_action(action)
        with pytest.raises(IndexError, match=f"{len(legal)} legal actions"):
            table.legal_action(len(legal))
        assert before.same_bytes(table)
        table.apply_action(legal[rng.below(len(legal))])
    for player in (-1, game.num_players, 2**31 - 1):
        for question in (table.information_state_string, table.observation_tensor, lambda p: table.determinize(p, 1)):
            with pytest.raises(IndexError, match="player"):
                question(player)
    for token in ("", "x" * 10_000, "\0", "\ud800"):
        with pytest.raises(tilery.ParseError):
            table.string_to_action(token)
    for action in outside:
        with pytest.raises(tilery.ParseError):
            table.action_to_string(action)


@slow
@pytest.mark.parametrize("name", GAMES)
def test_small_buffers_are_refused(probe: Any, name: str) -> None:
    """Nothing is written, not even a part; the length is told all the same."""
    table = probe.State(tilery.load(name))
    for what in ("action_to_string", "information_state_string", "to_string", "serialize"):
        _, length, _ = table.into(what, 0, None)
        needed = length if what == "serialize" else length + 1
        for room in (None, 0, 1, needed - 1):
            if room is None or room < needed:
                status, told, content = table.into(what, 0, room)
                assert (status, told) == (probe.BUFFER_TOO_SMALL, length)
                assert set(content) <= {probe.GUARD}
        status, _, _ = table.into(what, 0, needed)
        assert status == 0
    statuses, untouched = table.lists_into(0)
    assert untouched
    assert all(status == (probe.BUFFER_TOO_SMALL if count else 0) for status, count in statuses)
    assert len(set(table.nulls())) == 1


@slow
@pytest.mark.parametrize("name", GAMES)
def test_wrong_bytes_are_refused(probe: Any, name: str) -> None:
    game = tilery.load(name)
    native = random_game(game, seed=4, actions=30)
    data = native.serialize()
    table = probe.State(game)
    table.deserialize(data)
    compare_states(native, table)
    assert game.deserialize_state(table.serialize()) == native
    before = table.clone()
    other = tilery.load(name, players=3).new_initial_state().serialize()
    wrong = [b"", b"tilery", data[:-1], data + b"\0", other, *mutations(data, np.random.default_rng(1), 300)]
    for mutated in wrong:
        with pytest.raises(tilery.StateDataError):
            table.deserialize(mutated)
    assert before.same_bytes(table)


@slow
@pytest.mark.parametrize("name", GAMES)
def test_games_are_made_from_words(probe: Any, name: str) -> None:
    game = tilery.load(name, players=3)
    table = probe.State(game, [b"players=3"])
    assert table.facts()["num_players"] == 3
    assert table.serialize() == game.new_initial_state().serialize()
    for words, sentence in (
        ([b"players=99"], "players must be"),
        ([b"players"], "OPTION=VALUE"),
        ([b"colour=red"], "unknown option 'colour'"),
        ([b"players=" + b"9" * 1000], "players must be"),
    ):
        with pytest.raises(tilery.OptionError, match=sentence):
            probe.State(game, words)


@slow
@pytest.mark.parametrize("name", GAMES)
def test_the_cython_bot_plays_every_game(bot: Any, name: str) -> None:
    game = tilery.load(name)
    random_games = tilery.simulate(game, 4, seed=9)["scores"].tolist()
    play: Callable[[int], Any] = lambda index: bot.play(game, 0, 9, index)  # noqa: E731
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(play, range(4))) == random_games
    assert bot.play(game, 1, 9) == bot.play(game, 1, 9)


@slow
def test_the_embedded_engine_plays_the_same_games(tmp_path: Path) -> None:
    """examples/embed, with the toy alone, since the compiler takes minutes for all games."""
    settings = ["-G", "Ninja", "-DTILERY_GAMES=toy", "-DCMAKE_C_FLAGS=-std=c99 -Wall -Wextra -Werror"]
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for words in (
        [
            "cmake",
            "-S",
            ROOT / "examples" / "embed",
            "-B",
            tmp_path,
            *settings,
            f"-DPython_EXECUTABLE={sys.executable}",
        ],
        ["cmake", "--build", tmp_path, "--target", "embed"],
    ):
        run = subprocess.run(words, capture_output=True, text=True, check=False, timeout=900, env=environment)
        assert run.returncode == 0, run.stdout + run.stderr
    run = subprocess.run([tmp_path / "embed", "toy", "5", "players=3"], capture_output=True, text=True, check=True)
    expected = tilery.simulate(tilery.load("toy", players=3), 5, seed=1)["scores"]
    assert [[int(score) for score in line.split()] for line in run.stdout.splitlines()] == expected.tolist()
    run = subprocess.run([tmp_path / "embed", "toy", "5", "players=9"], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "players must be" in run.stderr
