"""A game whose hooks and list of hooks differ does not compile (cpp/tilery/core/game.hpp)."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

CPP = Path(__file__).parents[2] / "cpp"
COMPILER = shutil.which("c++")

MEMBERS = {
    "listed": ("Hook::kIsLegal", "bool is_legal(const State&, Action) const;", None),
    "misspelt": ("Hook::kIsLegal", "bool is_leagl(const State&, Action) const;", "is_legal and kHooks differ"),
    "not_listed": ("Hook::kCanonical", "bool is_legal(const State&, Action) const;", "is_legal and kHooks differ"),
    "other_signature": ("Hook::kIsLegal", "int is_legal(const State&) const;", "is_legal and kHooks differ"),
}


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
@pytest.mark.parametrize("case", MEMBERS)
def test_hooks_agree_with_their_list(case: str, tmp_path: Path) -> None:
    listed, member, error = MEMBERS[case]
    source = tmp_path / "game.cpp"
    source.write_text(
        f"""
#include "tilery/games/toy/game.hpp"
namespace tilery {{
struct Bare : toy::Game {{
    using toy::Game::Game;
    static constexpr std::array kHooks{{{listed}, Hook::kWhyIllegal, Hook::kActionSeenBy, Hook::kPublicState,
                                       Hook::kPlayerToString, Hook::kPosition, Hook::kDescribeAction, Hook::kPicks,
                                       Hook::kInputs, Hook::kScoreEvents}};
    {member}
}};
static_assert(Game<Bare>);
}}
"""
    )
    assert COMPILER is not None
    run = subprocess.run(
        [COMPILER, "-std=c++20", "-fsyntax-only", f"-I{CPP}", str(source)], capture_output=True, text=True, check=False
    )
    if error is None:
        assert run.returncode == 0, run.stderr
    else:
        assert run.returncode != 0
        assert error in run.stderr
