"""Commands and other builds of the engine, in processes of their own."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.kit.games import ROOT

QUIET_FORKS = ("-W", "ignore:This process:DeprecationWarning")
"""Words of Python for programs that fork while they have threads; Python 3.12 and later warn about that."""


def run(*words: str | Path, cwd: Path = ROOT, environment: dict[str, str] | None = None) -> str:
    """What a command printed; it must succeed. The tools of this Python's environment come first."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=os.environ | {"PATH": path} | (environment or {}),
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def at_call(number: int, function: Callable[..., Any], act: Callable[[], object]) -> Callable[..., Any]:
    """The function, with something done before its call of this number."""
    calls = itertools.count(1)

    def called(*arguments: object, **more: object) -> Any:
        if next(calls) == number:
            act()
        return function(*arguments, **more)

    return called


def interrupt() -> None:
    raise KeyboardInterrupt


def side_by_side(
    commands: Iterable[Sequence[str | Path]], at_once: int | None = None
) -> Iterator[subprocess.CompletedProcess[str]]:
    """Run commands, as many at once as there are processors; yields what they printed, in their order."""

    def done(words: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            list(map(str, words)), cwd=ROOT, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )

    with ThreadPoolExecutor(at_once or os.cpu_count()) as pool:
        try:
            yield from pool.map(done, commands)
        finally:
            pool.shutdown(cancel_futures=True)


def passed(commands: Mapping[str, Sequence[str | Path]], at_once: int | None = None) -> Iterator[str]:
    """Run commands side by side and print what they do, each under its name; exits at the first that fails."""
    for name, done in zip(commands, side_by_side(commands.values(), at_once), strict=True):
        sys.stdout.write(f"{name} {done.stdout}")
        sys.stdout.flush()
        if done.returncode:
            sys.exit(f"failed: {' '.join(done.args)}")
        yield done.stdout


def in_v2_build(code: str, *arguments: str) -> str:
    """What Python code printed with the build for processors without AVX2."""
    code = f"import tilery\nassert tilery._core.build == 'v2'\n{code}"
    return run(sys.executable, "-c", code, *arguments, environment={"TILERY_BUILD": "v2"})
