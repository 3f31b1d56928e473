"""Runs clang-tidy over the sources in cpp/ with .clang-tidy.

    python -m tests.lab.tidy [SOURCE ...]

With sources it checks what is compiled together with them. Needs clang-tidy; the compilation database is made in
build/tidy. Sources are checked as a fresh build compiles them, many in one translation unit, in a fifth of the time.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.kit.games import ROOT
from tests.kit.running import side_by_side

BUILD = ROOT / "build" / "tidy"


def units() -> dict[Path, list[str]]:
    """The translation units of one variant of the engine and of its module, and the sources in each; largest first."""
    settings = ["-DTILERY_UNITY=ON", "-DTILERY_V2=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
    settings.append(f"-DPython_EXECUTABLE={sys.executable}")
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", *settings, "--log-level=WARNING"], check=True)
    commands = json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8"))
    files = {Path(command["file"]) for command in commands}
    together = {
        file: re.findall(r'^#include "(.+)"', file.read_text(encoding="utf-8"), re.MULTILINE)
        for file in files
        if file.name.startswith("unity_") and file.name != "unity_data_cxx.cxx"
    }
    rest = {str(file) for file in files if file.is_relative_to(ROOT / "cpp")}.difference(*together.values())
    return dict(sorted(together.items(), key=lambda unit: -len(unit[1]))) | {Path(name): [name] for name in rest}


def main() -> None:
    wanted = {str(Path(name).resolve()) for name in sys.argv[1:]}
    checked = [str(unit) for unit, sources in units().items() if not wanted or not wanted.isdisjoint(sources)]
    if not checked:
        sys.exit(f"not compiled: {' '.join(sys.argv[1:])}")

    results = side_by_side(["clang-tidy", "-p", BUILD, "--quiet", file] for file in checked)
    found = sorted(
        {line for done in results for line in done.stdout.splitlines() if re.search(r" (error|warning): ", line)}
    )
    print(*found, sep="\n")
    if found:
        sys.exit(f"clang-tidy: {len(found)} findings")


if __name__ == "__main__":
    main()
