"""Commands and other builds of the engine, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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


def in_v2_build(code: str, *arguments: str) -> str:
    """What Python code printed with the build for processors without AVX2."""
    code = f"import tilery\nassert tilery._core.build == 'v2'\n{code}"
    return run(sys.executable, "-c", code, *arguments, environment={"TILERY_BUILD": "v2"})
