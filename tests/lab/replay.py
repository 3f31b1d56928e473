"""The reference replays games that the engine has played, and compares every answer, for `campaign.py`.

Compiled by Cython the reference takes half of the time. The sources are the same; tests of every change run them as
they are.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import tilery.reference
from tests.kit.comparing import agree, apply_reference, of_position, of_questions
from tests.kit.games import loaded

Game = tuple[str, dict[str, Any], list[Any]]
"""Name, options, and for each position: the answers of the engine (`of_position`), those to `of_questions` or None, the
action taken there (-1 at the end), its token, and its score events."""


@contextlib.contextmanager
def reproducible(name: str, options: dict[str, Any], tokens: list[str]) -> Iterator[None]:
    """What fails inside is reported with the game and the tokens until then."""
    try:
        yield
    except Exception as error:
        raise RuntimeError(f"{name} {options} after {' '.join(tokens)}: {type(error).__name__} {error}") from None


def replay(game: Game) -> None:
    """Play a game again, and compare every answer; the seed of `of_questions` is the number of the position."""
    name, options, positions = game
    tokens: list[str] = []
    with reproducible(name, options, tokens):
        state: Any = loaded("reference", name, json.dumps(options)).new_initial_state()
        for number, (answers, questions, action, token, events) in enumerate(positions):
            agree(answers, of_position(state))
            if questions is not None:
                agree(questions, of_questions(state, number))
            if action >= 0:
                tokens.append(token)
                agree({"score_events": events}, {"score_events": apply_reference(state, action)})


def decisions(game: Game) -> int:
    return sum(answers["current_player"] >= 0 for answers, *_ in game[2])


def compared(games: Iterable[Game]) -> dict[str, int]:
    """Replay games; returns what was compared. `RuntimeError` for a mismatch."""
    counts = {"positions": 0, "games": 0}
    for game in games:
        replay(game)
        counts["positions"] += decisions(game)
        counts["games"] += 1
    return counts


SHARED = ("rng", "base")
"""Modules of the reference that those of the games import, in the order in which they import each other."""


def compile_reference(game: str, kept: Path) -> Path:
    """Compile the reference of a game in a folder of `kept`, unless it is there; returns the folder."""
    sources = [Path(tilery.reference.__path__[0], f"{name}.py") for name in (*SHARED, game)]
    content = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    folder = kept / f"reference-{game}-{content[:12]}"
    if folder.exists():
        return folder
    kept.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=kept))
    try:
        copies = [shutil.copy(source, work) for source in sources]
        words = ["-m", "Cython.Build.Cythonize", "--inplace", "-3", "--parallel", "2", "-X", "annotation_typing=False"]
        subprocess.run([sys.executable, *words, *copies], cwd=work, env={**os.environ, "CFLAGS": "-O1"}, check=True)
        with contextlib.suppress(OSError):  # another call may have been sooner
            work.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return folder


def use_compiled(game: str, folder: Path) -> None:
    """Let `tilery.reference` have the compiled modules of a game."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    for name in (*SHARED, game):
        spec = importlib.util.spec_from_file_location(f"tilery.reference.{name}", folder / f"{name}{suffix}")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        setattr(tilery.reference, name, module)
