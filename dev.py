#!/usr/bin/env python3
"""Makes the virtual environment .venv with this checkout installed in it, and runs a session of noxfile.py there.

    python3 dev.py simulate carcassonne --players 4 --games 100000 --seed 7
    python3 dev.py test
    python3 dev.py              # lists the sessions

`simulate` is the command of that name of `tilery`. Needs Python 3.11 and a C++20 compiler, nothing else.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
INPUTS = ("pyproject.toml", "CMakeLists.txt", "cmake", "cpp", "python/tilery/data")
"""What is compiled, and what says how."""


def run(*words: str | Path) -> None:
    """Run a command of the environment in the repository root; exit with its status if it fails."""
    path = f"{PYTHON.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run([str(word) for word in words], cwd=ROOT, env=os.environ | {"PATH": path}, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def digest() -> str:
    """Changes whenever the compiled part, its requirements or the names of modules change.

    An editable installation keeps a list of the modules.
    """
    hashed = hashlib.sha256()
    for path in sorted((ROOT / "python").rglob("*.py*")):
        if "__pycache__" not in path.parts:
            hashed.update(f"{path.relative_to(ROOT)}\0".encode())
    for name in INPUTS:
        for path in sorted((ROOT / name).rglob("*")) or [ROOT / name]:
            if path.is_file() and "__pycache__" not in path.parts:
                hashed.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return hashed.hexdigest()


def prepare(kind: str) -> None:
    """Install this checkout (editable) if it changed: `cli` to play games on this machine, `dev` for all sessions."""
    stamp, now = VENV / "tilery", digest()
    if stamp.exists() and stamp.read_text() in (f"dev {now}", f"{kind} {now}"):
        return
    # The pip of this interpreter, if it has one, fills the environment in half the time that `ensurepip` takes.
    has_pip = importlib.util.find_spec("pip") is not None
    if not PYTHON.exists():
        print("Making a virtual environment in .venv", flush=True)
        venv.create(VENV, with_pip=not has_pip)
    print("Building tilery (a few minutes the first time)", flush=True)
    install = ("--disable-pip-version-check", "install", "--quiet")
    first = (sys.executable, "-m", "pip", "--python", PYTHON) if has_pip else (PYTHON, "-m", "pip")
    run(*first, *install, "--upgrade", "pip>=25.1")  # the first with dependency groups
    pip = (PYTHON, "-m", "pip", *install)
    run(*pip, "--group", "dev" if kind == "dev" else "build")
    # Sessions test both variants of the engine on x86-64. The second goes on from the folder of the first.
    variants = f"-Ccmake.define.TILERY_ONE_VARIANT={'OFF' if kind == 'dev' else 'ON'}"
    run(*pip, "--no-build-isolation", variants, "--editable", ".[all]" if kind == "dev" else ".[cli]")
    stamp.write_text(f"{kind} {now}")


def main(command: str = "--list", *arguments: str) -> None:
    if command in ("-h", "--help"):
        print(__doc__)
    elif command == "simulate":
        prepare("cli")
        run(PYTHON, "-m", "tilery", command, *arguments)
    else:
        prepare("dev")
        if command != "prepare":
            run(PYTHON, "-m", "nox", *(["--list"] if command == "--list" else ["-s", command, "--", *arguments]))


if __name__ == "__main__":
    main(*sys.argv[1:])
