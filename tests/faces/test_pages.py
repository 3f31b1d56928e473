"""The pages of the documentation come with the package, and help() begins with them."""

from __future__ import annotations

import importlib.metadata
import inspect
import pickle
import pydoc
from typing import Any

import pytest

import tilery
from tests.kit.games import GAMES, ROOT
from tilery import pages


@pytest.mark.parametrize("name", GAMES)
def test_rules_page_is_the_page_of_the_documentation(name: str) -> None:
    assert tilery.rules_page(name) == (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")


def test_unknown_pages_are_named() -> None:
    with pytest.raises(ValueError, match="unknown game 'chess'"):
        tilery.rules_page("chess")
    with pytest.raises(FileNotFoundError, match=r"chess\.md"):
        pages.page("chess.md")


def test_all_pages_are_installed() -> None:
    """Whatever is in docs/ is in the wheel: also what a page links to."""
    installed = {str(path) for path in importlib.metadata.files("tilery") or ()}
    for page in (ROOT / "docs").rglob("*.md"):
        assert f"tilery/{page.relative_to(ROOT).as_posix()}" in installed


@pytest.mark.parametrize("name", GAMES)
def test_help_of_a_game_begins_with_the_game_in_short(name: str) -> None:
    opening = pages.opening(tilery.rules_page(name))
    assert 2 <= len(opening.splitlines()) <= 20
    assert getattr(tilery, name).__doc__.split("\n\n", 1)[1].startswith(opening)


def test_help_of_tilery_begins_with_the_three_usual_tasks() -> None:
    lines = pydoc.plaintext.document(tilery).splitlines()
    first_screen = "\n".join(lines[:32])
    assert all(call in first_screen for call in ("tilery.load(", "tilery.simulate(", "tilery.rules_page("))
    assert lines.index("FUNCTIONS") < 80


MODULES = [getattr(tilery, name) for name in GAMES]
PUBLIC = [tilery.Rng, tilery.Batch] + [
    getattr(module, name) for module in MODULES for name in module.__all__ if inspect.isclass(getattr(module, name))
]


@pytest.mark.parametrize("kind", PUBLIC, ids=lambda kind: f"{kind.__module__}.{kind.__qualname__}")
def test_help_shows_a_method_once_and_in_the_words_of_python(kind: Any) -> None:
    assert "pybind11_detail" not in pydoc.plaintext.document(kind)
    checked = 0
    for name, member in vars(kind).items():
        method = getattr(kind, name)
        if name[0] == "_" or isinstance(member, property) or not callable(method):
            continue
        assert method.__qualname__ == f"{kind.__qualname__}.{name}"
        if kind is not tilery.Batch:  # whose docstrings begin with the signatures that pybind11 writes
            assert inspect.signature(method)
            assert not method.__doc__.startswith(f"{name}(")
        assert pickle.loads(pickle.dumps(method)) == method
        checked += 1
    assert checked >= 3
