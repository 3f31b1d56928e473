"""A call for all games, added to a copy of the sources as docs/adding-a-game.md says: a line in each place."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from pathlib import Path

import pybind11
import pytest

CPP = Path(__file__).parents[2] / "cpp"
COMPILER = shutil.which("c++")

LINES = {
    "tilery/core/views.hpp": (
        "// The least utility of a player",
        "template <Game G>\n[[nodiscard]] int spread(const G& game, const typename G::State& state) {\n"
        "    const auto scores = game.scores(state);\n    return *std::ranges::max_element(scores);\n}\n\n",
    ),
    "tilery/any/game.hpp": (
        "    // Texts.\n",
        "    [[nodiscard]] virtual int spread(const void* state) const = 0;\n",
    ),
    "tilery/any/game_of.hpp": (
        "    [[nodiscard]] std::string action_to_string(",
        "    [[nodiscard]] int spread(const void* state) const override { return tilery::spread(game_, of(state)); }\n",
    ),
    "tilery/c/capi.h": (
        "} tilery_api;",
        "    int32_t (*spread)(const tilery_game* game, const void* state);\n",
    ),
    "tilery/c/table.cpp": (
        "    api.serialize =",
        "    api.spread = answer<&AnyGame::spread>;\n",
    ),
    "bindings/state_object.cpp": (
        "PyMethodDef methods[] = {",
        "PyObject* spread(const StateObject& self) { return PyLong_FromLong(self.game->spread(self.state())); }\n",
    ),
}


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_a_call_is_a_line_in_each_place(tmp_path: Path) -> None:
    shutil.copytree(CPP, tmp_path / "cpp")
    for name, (before, line) in LINES.items():
        path = tmp_path / "cpp" / name
        text = path.read_text(encoding="utf-8")
        assert text.count(before) >= 1, name
        path.write_text(text.replace(before, line + before, 1), encoding="utf-8")
    methods = tmp_path / "cpp" / "bindings" / "state_object.cpp"
    row = '{"scores", plain<of_players<&AnyGame::scores>>, METH_NOARGS, nullptr},'
    text = methods.read_text(encoding="utf-8")
    assert row in text
    methods.write_text(text.replace(row, row + ' {"spread", plain<spread>, METH_NOARGS, nullptr},'), encoding="utf-8")
    folders = [tmp_path / "cpp", pybind11.get_include(), sysconfig.get_path("include")]
    assert COMPILER is not None
    for source in ("tilery/any/toy.cpp", "tilery/c/table.cpp", "bindings/state_object.cpp"):
        run = subprocess.run(
            [
                COMPILER,
                "-std=c++20",
                "-fsyntax-only",
                *(f"-I{folder}" for folder in folders),
                tmp_path / "cpp" / source,
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
