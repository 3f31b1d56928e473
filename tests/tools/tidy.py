"""Runs clang-tidy over the C++ sources with .clang-tidy.

    python -m tests.tools.tidy [FILE ...]

Needs clang-tidy and a compilation database, which it makes without precompiled headers in build/tidy.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.kit.games import ROOT

BUILD = ROOT / "build" / "tidy"


def compilation_database() -> list[str]:
    """The sources of one variant and of the C++ tests, from a configured build."""
    settings = ["-DTILERY_ONCE=OFF", "-DTILERY_PYTHON=OFF", "-DTILERY_NATIVE=ON", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
    settings.append("-DTILERY_BASELINE=OFF")
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", *settings, "--log-level=WARNING"], check=True)
    commands = json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8"))
    ours = [ROOT / "cpp", ROOT / "tests", ROOT / "bench"]
    return sorted({c["file"] for c in commands if any(Path(c["file"]).is_relative_to(folder) for folder in ours)})


def main() -> None:
    files = compilation_database()
    wanted = [str(Path(name).resolve()) for name in sys.argv[1:]] or files

    def check(file: str) -> str:
        words = ["clang-tidy", "-p", str(BUILD), "--quiet", file]
        return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False).stdout

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, wanted))
    found = sorted({line for text in results for line in text.splitlines() if "[readability-" in line})
    print(*found, sep="\n")
    if found:
        sys.exit(f"clang-tidy: {len(found)} findings")


if __name__ == "__main__":
    main()
