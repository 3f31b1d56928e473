"""The C table: the header is C, the declarations for Cython are its own, and through it every game is the same game."""

from __future__ import annotations

import gc
import importlib
import importlib.util
import os
import re
import shutil
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tilery
from tests.kit.comparing import compare_questions, compare_states
from tests.kit.forging import mutations, reseal
from tests.kit.games import GAMES, ROOT, variants
from tests.kit.running import run
from tests.kit.walking import random_game
from tilery import bot_check
from tilery.reference.rng import Rng

BOT = ROOT / "examples" / "cython_bot"
HEADER = Path(tilery.get_include()) / "tilery" / "c" / "capi.h"
VARIANTS = [
    pytest.param(name, options, id=f"{name}-{number}")
    for name in GAMES
    for number, options in enumerate(variants(name))
]
slow = pytest.mark.slow  # waits for the compiler


def compiled(source: Path, folder: Path) -> ModuleType:
    """The Cython module of that source, built in the folder by the setup of the example."""
    name = source.stem
    (folder / source.name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    setup = (BOT / "setup.py").read_text(encoding="utf-8").replace('("bot", "fast_evaluation")', f'("{name}",)')
    (folder / "setup.py").write_text(setup, encoding="utf-8")
    run(sys.executable, "setup.py", "build_ext", "--inplace", cwd=folder, environment={"CFLAGS": "-O0"})
    (built,) = [path for path in folder.glob(f"{name}.*") if path.suffix in (".so", ".pyd")]
    spec = importlib.util.spec_from_file_location(name, built)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return compiled(Path(__file__).with_name("probe.pyx"), tmp_path_factory.mktemp("probe"))


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return compiled(BOT / "bot.pyx", tmp_path_factory.mktemp("bot"))


@pytest.mark.parametrize("language", [("c", "c99"), ("c", "c17"), ("c++", "c++98"), ("c++", "c++20")])
def test_the_header_is_plain_c_and_cpp(language: tuple[str, str], tmp_path: Path) -> None:
    kind, standard = language
    (tmp_path / "include.c").write_text("#include <tilery/capi.h>\n")
    options = ["-x", kind, f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    run("cc", *options, "-I", tilery.get_include(), tmp_path / "include.c")


def members(text: str) -> list[str]:
    """The members of the struct tilery_api, without blanks, in C or in Cython."""
    (body,) = re.findall(r"typedef struct tilery_api\b(.*?)(?:\} tilery_api;|\n\n\n)", text, re.DOTALL)
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL).replace("noexcept nogil", ";").replace("()", "(void)")
    body = re.sub(r"\n( {8}\w[\w ]*\*? \*?\w+)(?=\n)", r"\1;", body)  # plain members in Cython end with the line
    return [member for part in re.split(r"[;{:]", body) if (member := re.sub(r"\s+", "", part))]


def test_cython_declares_what_the_header_declares() -> None:
    """The build makes capi.pxd from the header; nothing of the header is missing in it."""
    (path,) = (path for folder in tilery.__path__ if (path := Path(folder) / "capi.pxd").is_file())
    pxd, header = path.read_text(encoding="utf-8"), HEADER.read_text(encoding="utf-8")
    declared = members(header)
    assert len(declared) > 40
    assert members(pxd) == declared
    words = set(re.findall(r"\bTILERY_\w+", header)) - {"TILERY_CAPI_H"}
    assert {word for word in words if word in pxd} == words


def test_the_table_knows_no_python() -> None:
    for path in sorted((ROOT / "cpp" / "tilery" / "c").iterdir()):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"#include .*(pybind11|Python\.h|bindings|convert|object\.hpp)", text), path


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
    """Illegal ids, up to a few thousand, and numbers that are not ids: nothing happens."""
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
    """Nothing is written, not even a part; the length is given all the same."""
    table = probe.State(tilery.load(name))
    for what in ("action_to_string", "information_state_string", "to_string", "serialize"):
        _, length, _ = table.into(what, 0, None)
        needed = length if what == "serialize" else length + 1
        for room in (None, 0, 1, needed - 1):
            if room is None or room < needed:
                status, reported, content = table.into(what, 0, room)
                assert (status, reported) == (probe.BUFFER_TOO_SMALL, length)
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
    other = tilery.load(name, players=game.num_players % 3 + 2).new_initial_state().serialize()
    wrong = [b"", b"tilery", data[:-1], data + b"\0", other, *mutations(data, np.random.default_rng(1), 300)]
    for mutated in wrong:
        with pytest.raises(tilery.StateDataError):
            table.deserialize(mutated)
        assert before.same_bytes(table)
    impossible = 0
    for mutated in mutations(data[24:-8], np.random.default_rng(2), 300):  # with a checksum that fits
        try:
            probe.State(game).deserialize(reseal(data[:24] + mutated))
        except tilery.StateDataError:
            impossible += 1
            with pytest.raises(tilery.StateDataError):
                table.deserialize(reseal(data[:24] + mutated))
            assert before.same_bytes(table)
    assert impossible > 100


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
        ([b"players=" + b"[" * 100_000 + b"]" * 100_000], "nested too deeply"),
    ):
        with pytest.raises(tilery.OptionError, match=sentence):
            probe.State(game, words)


@slow
@pytest.mark.parametrize("name", GAMES)
def test_the_cython_bot_plays_every_game(bot: Any, name: str) -> None:
    game = tilery.load(name)
    random_games = tilery.simulate(game, 4, seed=9)["scores"].tolist()
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(lambda index: bot.play(game, 0, 9, index), range(4))) == random_games
    assert len(bot.play(game, 1, 9)) == game.num_players
    assert len(bot.play(game, 1, 9, policy="greedy")) == game.num_players
    with pytest.raises(ValueError, match="unknown policy 'best'"):
        bot.play(game, 1, 9, policy="best")


def checked(command: str, **environment: str) -> None:
    """The check of the bot protocol passes, for version 2."""
    words = (sys.executable, "-m", "tilery", "bot", "check", f"cmd:{command}", "--seconds", "120", "--set", "hand=3")
    printed = run(*words, environment=environment)
    assert printed.count("passed") == len(bot_check.CASES)
    assert "is not asked" not in printed


def where(module: Any) -> dict[str, str]:
    """The environment in which Python finds a module that was built."""
    path = [str(Path(module.__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {"PYTHONPATH": os.pathsep.join(path)}


@slow
def test_the_cython_bot_speaks_the_protocol(bot: Any) -> None:
    checked(f"{sys.executable} -m tilery bot py:bot:choose", **where(bot))


@slow
def test_an_evaluation_in_cython_is_that_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At one ply, and as evaluation and order of a search; speed.py compares them and prints how long they took."""
    fast = compiled(BOT / "fast_evaluation.pyx", tmp_path)
    monkeypatch.syspath_prepend(str(BOT))
    monkeypatch.setitem(sys.modules, "fast_evaluation", fast)
    speed, slow = importlib.import_module("speed"), importlib.import_module("evaluation")
    found = speed.decisions(1)
    assert len(found) > 50
    monkeypatch.setattr(speed, "decisions", lambda _games: found)
    speed.main()
    assert " times" in capsys.readouterr().out
    for state in found[::25]:
        own = tilery.search.MCTS(1000, value=slow.value, order=slow.order)
        luck = int(np.random.default_rng(5).integers(1 << 63))
        assert fast.search(state, np.random.default_rng(5)) == own.choose(state, tilery.Rng(luck, 0))


@slow
def test_the_example_runs(bot: Any) -> None:
    words = (sys.executable, BOT / "run.py", "toy", "--games", "9", "--playouts", "50")
    first, second = (run(*words, environment=where(bot)).splitlines() for _ in range(2))
    assert len(first) == 10
    assert first[1:] == second[1:]
    scores = np.array([[int(score) for score in line.split()] for line in first[1:]])
    assert scores[:, 0].sum() > scores[:, 1].sum(), "a bot that looks ahead beats one that does not"


@pytest.mark.long
def test_the_embedded_engine_plays_the_same_games(tmp_path: Path) -> None:
    """examples/embed and examples/c_bot, with the toy alone, since the compiler takes minutes for all games."""
    python = f"-DPython_EXECUTABLE={sys.executable}"
    settings = [
        "-G",
        "Ninja",
        f"-Dtilery_DIR={tilery.cmake_dir()}",
        "-DTILERY_GAMES=toy",
        "-DCMAKE_C_FLAGS=-std=c99 -Wall -Wextra -Werror",
        python,
    ]
    project = shutil.copytree(ROOT / "examples" / "embed", tmp_path / "project")
    examples = tmp_path / "examples"
    shutil.copytree(ROOT / "examples" / "c_bot", examples / "c_bot")
    shutil.copy(ROOT / "examples" / "bot_lines.h", examples)
    (project / "old.cpp").write_text(
        '#include "tilery/capi.h"\nstatic_assert(__cplusplus < 202002L);\n', encoding="ascii"
    )
    with (project / "CMakeLists.txt").open("a", encoding="ascii") as file:
        file.write("add_library(old OBJECT old.cpp)\ntarget_link_libraries(old PRIVATE tilery::c)\n")
        file.write(f"add_subdirectory({examples.as_posix()}/c_bot c_bot)\n")
    run("cmake", "-S", project, "-B", tmp_path, "-DCMAKE_CXX_STANDARD=17", *settings)
    run("cmake", "--build", tmp_path, "--target", "embed", "old", "c_bot")
    checked(f"{tmp_path / 'c_bot' / 'c_bot'}")
    expected = tilery.simulate(tilery.load("toy", players=3), 5, seed=1)["scores"]
    printed = run(tmp_path / "embed", "toy", "5", "players=3")
    assert [[int(score) for score in line.split()] for line in printed.splitlines()] == expected.tolist()
    with pytest.raises(AssertionError, match="players must be"):
        run(tmp_path / "embed", "toy", "5", "players=9")
    with pytest.raises(AssertionError, match="unknown game 'chess'"):
        run(tmp_path / "embed", "chess", "5")
    for wrong in ("x", "-3", "0", "5x"):
        with pytest.raises(AssertionError, match="N must be"):
            run(tmp_path / "embed", "toy", wrong)
