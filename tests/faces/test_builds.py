"""The two variants of the engine for x86-64: which one is imported, and that a checkout compiles nothing twice."""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pybind11
import pytest

import tilery._core
from tests.kit.games import ROOT
from tests.kit.running import run

BOTH = ["v2", "v3"]


def test_the_fastest_build_that_runs_is_imported() -> None:
    choose = tilery._core._choose
    assert choose(BOTH, "", 3) == "v3"
    assert choose(BOTH, "", 2) == "v2"
    assert choose(BOTH, "v2", 3) == "v2"
    assert choose(["v3"], "", 3) == "v3"
    assert choose(["v2"], "", 3) == "v2"
    assert choose(["baseline"], "", 0) == choose(["baseline"], "baseline", 0) == "baseline"


def test_the_former_name_of_v2_warns() -> None:
    with pytest.warns(FutureWarning, match="TILERY_BUILD=baseline is now called v2"):
        assert tilery._core._choose(BOTH, "baseline", 3) == "v2"


def test_a_build_for_other_processors_is_refused_by_name() -> None:
    choose = tilery._core._choose
    with pytest.raises(ImportError, match=r"only for processors with AVX2.*dev\.py prepare"):
        choose(["v3"], "", 2)
    with pytest.raises(ImportError, match=r"asks for 'v2', which was not built.*dev\.py prepare"):
        choose(["v3"], "v2", 3)
    with pytest.raises(ImportError, match=r"must be 'v2' or 'v3', got 'v4'"):
        choose(BOTH, "v4", 3)
    with pytest.raises(ImportError, match=r"must be 'baseline', got 'v2'"):
        choose(["baseline"], "v2", 0)
    with pytest.raises(ImportError, match=r"needs a processor with SSE4\.2 and POPCNT"):
        choose(BOTH, "", 1)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (["CMAKE_SIZEOF_VOID_P=4", "CMAKE_SYSTEM_PROCESSOR=i686"], "64-bit, little-endian processor.* i686"),
        (["CMAKE_SIZEOF_VOID_P=8", "CMAKE_CXX_BYTE_ORDER=BIG_ENDIAN"], "needs a 64-bit, little-endian processor"),
        (["CMAKE_SIZEOF_VOID_P=8", "MSVC=ON"], "compiled by GCC or Clang, not by .* CC=clang CXX=clang"),
    ],
    ids=["32 bits", "big-endian", "MSVC"],
)
def test_what_cannot_be_built_is_refused_in_a_sentence(settings: list[str], says: str, tmp_path: Path) -> None:
    """FORCED keeps CMake from asking the compiler of this machine what it builds for."""
    words = [f"-D{each}" for each in ("CMAKE_CXX_COMPILER_FORCED=ON", f"Python_EXECUTABLE={sys.executable}", *settings)]
    done = subprocess.run(
        ["cmake", "-S", ROOT, "-B", tmp_path, "-G", "Ninja", "-DCMAKE_SYSTEM_NAME=Other", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode != 0
    assert re.search(says, re.sub(r"\s+", " ", done.stderr)), done.stderr


@pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler")
def test_a_free_threaded_python_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """The first module that is imported, compiled as for such a Python, whose headers define the macro."""
    bindings, module = ROOT / "cpp" / "bindings", tmp_path / f"_cpu{sysconfig.get_config_var('EXT_SUFFIX')}"
    include = sysconfig.get_paths()["include"]
    flags = ["-std=c++20", "-shared", "-fPIC", *(["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else [])]
    for macro, says in (("-DPy_GIL_DISABLED", "tilery needs a Python with the GIL"), ("-DOTHER", "")):
        run("c++", *flags, macro, f"-I{include}", f"-I{bindings}", bindings / "cpu.cpp", "-o", module)
        code = "import sys; sys.path.insert(0, sys.argv[1]); import _cpu"
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False, timeout=300
        )
        assert says in done.stderr
        assert (done.returncode != 0) == bool(says)


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="only x86-64 has two variants")
def test_both_variants_go_on_from_the_build_of_one(tmp_path: Path) -> None:
    one = compiled(tmp_path, one="ON")
    written = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.cxx")} | {
        file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.cpp")
    }
    both = compiled(tmp_path, one="OFF")
    assert one.items() < both.items()
    assert {file: file.stat().st_mtime_ns for file in written} == written
    variants = {variant for variant in BOTH if any(f"{variant}.dir" in output for output in one)}
    assert len(variants) == 1
    assert tilery._core.build in variants


def compiled(folder: Path, *, one: str) -> dict[str, str]:
    """The command of each object of a configuration with, or without, a single variant."""
    settings = [f"-DTILERY_ONE_VARIANT={one}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DTILERY_UNITY=ON"]
    settings += [
        "-DTILERY_GAMES=toy",
        f"-DPython_EXECUTABLE={sys.executable}",
        f"-Dpybind11_DIR={pybind11.get_cmake_dir()}",
    ]
    run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *settings)
    commands = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
    return {entry["output"]: entry["command"] for entry in commands}
