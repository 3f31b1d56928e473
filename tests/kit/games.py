"""The games under test, the two backends under one name, and what each game says of itself in tests/games/<game>/."""

from __future__ import annotations

import functools
import importlib
import json
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import hypothesis.strategies as st
import numpy as np

import tilery
import tilery.reference
from tilery import _core

ROOT = Path(__file__).parents[2]
"""The repository."""
BACKENDS = {"native": tilery.load, "reference": tilery.reference.load}
GAMES = sorted(_core.games)
"""Every game of the engine, the toy included: a test over them runs for a fifth game too."""


@functools.lru_cache(maxsize=len(BACKENDS))
def loaded(backend: str, name: str, options: str) -> Any:
    """A game of a backend with these options, in JSON; the last ones are kept, as loading takes long."""
    return BACKENDS[backend](name, **json.loads(options))


def folder_of(name: str) -> Path:
    """Where the tests of a game are."""
    return ROOT / "tests" / "games" / name


def part_of(name: str, part: str) -> ModuleType:
    """The module tests/games/<game>/<part>.py."""
    return importlib.import_module(f"tests.games.{name}.{part}")


def variants(name: str) -> list[dict[str, Any]]:
    """The options under which a game has fingerprints and is played by name."""
    found: list[dict[str, Any]] = part_of(name, "options").VARIANTS
    return found


def options_of(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """All options of a game, chosen freely among those that go together."""

    @st.composite
    def chosen(draw: st.DrawFn) -> dict[str, Any]:
        options: dict[str, Any] = part_of(name, "options").choose(lambda values: draw(st.sampled_from(values)))
        return options

    return chosen()


def sample_options(name: str, rng: np.random.Generator) -> dict[str, Any]:
    """The same choice by a NumPy generator, for campaigns."""
    options: dict[str, Any] = part_of(name, "options").choose(lambda values: values[int(rng.integers(len(values)))])
    return options


def option_words(options: dict[str, Any]) -> list[str] | None:
    """Options as words for the C++ programs, or None if one is an object: boards and maps go through Python alone."""
    if any(isinstance(value, dict) for value in options.values()):
        return None
    return [f"{option}={json.dumps(value)}" for option, value in options.items()]


def write_configurations(path: Path, games: Sequence[str], seed: int, count: int) -> None:
    """Write the file that tests/lab/fuzz/ reads: for each game its variants and `count` drawn options, a line each."""
    rng = np.random.default_rng([seed, 3])
    lines = []
    for name in games:
        options = [*variants(name), *(sample_options(name, rng) for _ in range(count))]
        lines += ["\t".join([name, *words]) for one in options if (words := option_words(one)) is not None]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
