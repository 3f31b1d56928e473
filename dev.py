#!/usr/bin/env python3
"""The front door: makes its own virtual environment, builds the engine, and runs what you name.

    python3 dev.py simulate carcassonne --players 4 --games 100000 --seed 7
    python3 dev.py test

`python3 dev.py --help` lists the rest. Needs Python 3.11 and a C++20 compiler, nothing else.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def run(*words: str | Path, **environment: str) -> None:
    """Run a command of the environment in the repository; its failure is ours."""
    path = f"{PYTHON.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [str(word) for word in words], cwd=ROOT, env=os.environ | {"PATH": path} | environment, check=False
    )
    if done.returncode:
        sys.exit(done.returncode)


def fingerprint(extra: str) -> str:
    """Changes when the compiled part, or what it needs, does."""
    digest = hashlib.sha256(extra.encode())
    files = [ROOT / "pyproject.toml", ROOT / "CMakeLists.txt"]
    for folder in ("cmake", "cpp", "python/tilery/data"):
        files += sorted(
            path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts
        )
    for path in files:
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def compiler_is_known() -> bool:
    """Whether the engine is known to compile without a warning: with GCC 12, which runs the tests of every change."""
    try:
        said = subprocess.run(
            [os.environ.get("CXX", "c++"), "-dM", "-E", "-x", "c++", os.devnull],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return False
    return "#define __GNUC__ 12\n" in said


def prepare(extra: str) -> None:
    """A virtual environment with this checkout installed (editable), up to date."""
    stamp = VENV / f"tilery-{extra}"
    now = fingerprint(extra)
    if stamp.exists() and stamp.read_text() == now:
        return
    if not PYTHON.exists():
        print("Making a virtual environment in .venv", flush=True)
        venv.create(VENV, with_pip=True)
    print("Building tilery (a few minutes the first time)", flush=True)
    pip = (PYTHON, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    run(*pip, "scikit-build-core>=1.1", "pybind11>=3.1", "cmake>=3.25", "ninja>=1.11")
    # Whoever develops gets warnings as errors; whoever only plays is spared those of compilers we have not met.
    # Where both get them, nothing is compiled twice.
    strict = "ON" if extra == "dev" or compiler_is_known() else "OFF"
    setting = f"--config-settings=cmake.define.TILERY_WERROR={strict}"
    run(*pip, "--no-build-isolation", setting, "--editable", f".[{extra}]")
    stamp.write_text(now)


def cmake_build(preset: str, target: str) -> Path:
    """Configure and build a target by a preset of CMakePresets.json; answers the folder with what came of it."""
    pybind11 = subprocess.run(
        [str(PYTHON), "-m", "pybind11", "--cmakedir"], capture_output=True, text=True, check=True
    ).stdout.strip()
    run(
        *("cmake", "--preset", preset, "--log-level=WARNING"),
        *(f"-Dpybind11_DIR={pybind11}", f"-DPython_EXECUTABLE={PYTHON}"),
    )
    run("cmake", "--build", "--preset", preset, "--target", target)
    return ROOT / "build" / preset


def cpp_sources() -> list[Path]:
    folders, endings = ("cpp", "tests/cpp", "bench", "examples"), ("*.cpp", "*.hpp", "*.c", "*.h")
    return sorted(path for folder in folders for ending in endings for path in (ROOT / folder).rglob(ending))


def simulate(arguments: list[str]) -> None:
    prepare("cli")
    run(PYTHON, "-m", "tilery", "simulate", *arguments)


def lint(_arguments: list[str]) -> None:
    prepare("dev")
    run("ruff", "check", ".")
    run("ruff", "format", "--check", ".")
    run("clang-format", "--dry-run", "--Werror", *cpp_sources())


def cpp(arguments: list[str]) -> None:
    """The C++ tests, under AddressSanitizer and UndefinedBehaviorSanitizer.

    Warnings are no errors here (they are when the module is built): instrumented code makes GCC warn of
    conversions that are none.
    """
    prepare("dev")
    program = cmake_build("asan", "tilery_test") / "tilery_test"
    if arguments:
        run(program, *arguments)
    else:
        run(program)
        run(PYTHON, "-m", "tests.tools.sanitized_laws", program)


def quick(arguments: list[str]) -> None:
    prepare("dev")
    run(PYTHON, "-m", "pytest", "-m", "not slow", "-n", "2", *arguments)


def test(arguments: list[str]) -> None:
    """Everything: format, lint, types, C++ under sanitizers, all Python tests."""
    lint([])
    cpp([])
    run(PYTHON, "-m", "pytest", "-n", "2", *arguments)


def native() -> None:
    """The bare loops of the benchmarks, one for each build."""
    prepare("dev")
    cmake_build("release", "programs")


def bench(arguments: list[str]) -> None:
    native()
    run(PYTHON, "-m", "pytest", "bench", "-p", "no:xdist", "--benchmark-disable-gc", *arguments)


def speed(arguments: list[str]) -> None:
    native()
    run(PYTHON, "bench/speed.py", *arguments)


def icount(arguments: list[str]) -> None:
    native()
    if shutil.which("valgrind") is None:
        sys.exit("dev.py: instruction counts need valgrind")
    run(PYTHON, "bench/icount.py", *arguments)


def campaign(arguments: list[str]) -> None:
    prepare("dev")
    run(PYTHON, "-m", "tests.tools.campaign", *arguments)


def record(arguments: list[str]) -> None:
    prepare("dev")
    run(PYTHON, "-m", "tests.tools.record", *arguments)


COMMANDS = {
    "simulate": (simulate, "play random games and print how they went (`simulate --help`)"),
    "test": (test, "run all tests and checks"),
    "quick": (quick, "run the quick tests; further words go to pytest"),
    "lint": (lint, "check format and style"),
    "cpp": (cpp, "run the C++ tests under sanitizers (`cpp GAME OPTION=VALUE ...`: the laws of one)"),
    "bench": (bench, "run the benchmarks; further words go to pytest"),
    "speed": (speed, "measure the games against the bare C++ loop and the reference"),
    "icount": (icount, "count instructions per game under callgrind"),
    "campaign": (campaign, "compare engine and reference at length, or throw bad bytes at the engine"),
    "record": (record, "record fingerprints, perft tables and golden games anew"),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="dev.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    listing = "\n".join(f"  {name:10}{text}" for name, (_, text) in COMMANDS.items())
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help=f"one of:\n{listing}")
    parser.epilog = f"commands:\n{listing}"
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="handed on to the command")
    options = parser.parse_args()
    COMMANDS[options.command][0](options.arguments)


if __name__ == "__main__":
    main()
