"""What may include or import what: the layers, read from the sources."""

from __future__ import annotations

import ast
import graphlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.games import GAMES, ROOT

CPP = ROOT / "cpp" / "tilery"
PYTHON = ROOT / "python" / "tilery"


def imports(path: Path, *, when_loaded: bool = False) -> Iterator[str]:
    """The modules a Python file imports, or only those that it imports when it is imported itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body if when_loaded else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    names = {path: ".".join(path.relative_to(PYTHON.parent).with_suffix("").parts) for path in PYTHON.rglob("*.py")}
    modules = {name.removesuffix(".__init__"): path for path, name in names.items()}
    graph = {
        name: set(imports(path, when_loaded=True)) & (modules.keys() - {"tilery", name})
        for name, path in modules.items()
    }
    assert sum(map(len, graph.values())) > 100
    list(graphlib.TopologicalSorter(graph).static_order())  # raises CycleError with the names of a circle


@pytest.mark.parametrize("word", ["Reader", "Run", "Sample", "Side", "Table", "ValueReader"])
def test_a_word_names_one_class(word: str) -> None:
    definition = re.compile(rf"^(class|struct) {word}\b(?!;)", re.MULTILINE)
    paths = [*PYTHON.rglob("*.py"), *sources(ROOT / "cpp")]
    found = [path for path in paths if definition.search(path.read_text("utf-8"))]
    assert len(found) <= 1
    assert not (PYTHON / f"{word.lower()}.py").exists()


GATHERING = {"Climb", "Comparison", "Difference", "Failure", "Referee", "Sample", "Section", "Side", "Standings"}


def test_only_dataclasses_that_gather_something_may_change() -> None:
    definition = re.compile(r"^@dataclass(?!\(frozen=True\b).*\nclass ([A-Z]\w*)", re.MULTILINE)
    assert {name for path in PYTHON.rglob("*.py") for name in definition.findall(path.read_text("utf-8"))} == GATHERING


def includes(path: Path) -> list[str]:
    """What a C++ file includes."""
    return re.findall(r'^#include [<"]([^>"]+)[>"]', path.read_text(encoding="utf-8"), re.MULTILINE)


def sources(folder: Path) -> list[Path]:
    return sorted([*folder.rglob("*.hpp"), *folder.rglob("*.cpp")])


def test_the_reference_never_imports_the_engine() -> None:
    neutral = {"tilery.errors", "tilery.files", "tilery.protocol", "tilery.rules", "tilery.seen", "tilery.reference"}
    for path in sorted((PYTHON / "reference").glob("*.py")):
        for module in imports(path):
            if module.startswith("tilery"):
                assert any(module == known or module.startswith(known + ".") for known in neutral), (path, module)


def test_the_engine_never_imports_the_reference() -> None:
    for path in sorted(PYTHON.rglob("*.py")):
        if "reference" not in path.parts:
            assert not [module for module in imports(path) if "reference" in module], path


def test_references_do_not_import_each_other() -> None:
    for name in GAMES:
        others = [f"tilery.reference.{other}" for other in GAMES if other != name]
        found = set(imports(PYTHON / "reference" / f"{name}.py"))
        assert not [module for module in found if module in others], name


LAYERS = {
    "simd": {"simd"},
    "core": {"core", "simd"},
    "games": {"core", "simd", "games", "views"},
    "net": {"core", "net", "simd"},
    "search": {"core", "net", "search"},
    "simulation": {"core", "net", "search", "simd", "simulation"},
    "any": {"core", "games", "net", "search", "simulation", "any", "views"},
    "c": {"core", "net", "search", "simulation", "any", "c"},
    "views": set(),
}
"""What the files of each folder may include."""


@pytest.mark.parametrize("folder", sorted(path.name for path in CPP.iterdir() if path.is_dir()))
def test_layers_include_only_those_below(folder: str) -> None:
    allowed = LAYERS[folder]
    for path in sources(CPP / folder):
        for include in includes(path):
            assert "pybind11" not in include, path
            assert include != "Python.h", path
            if include.startswith("tilery/"):
                assert include.split("/")[1] in allowed, (path, include)


def test_bindings_know_games_by_an_interface() -> None:
    for path in sources(ROOT / "cpp" / "bindings"):
        assert not [name for name in includes(path) if name.startswith("tilery/games/") or "_of.hpp" in name], path


def test_games_know_no_other_game() -> None:
    for path in sources(CPP / "games"):
        for include in includes(path):
            if include.startswith("tilery/games/"):
                assert include.split("/")[2] == path.relative_to(CPP / "games").parts[0], (path, include)


def test_core_and_games_have_no_threads_files_or_foreign_luck() -> None:
    """So that they compile to WebAssembly, and so that luck comes from one generator only."""
    banned = {"thread", "mutex", "atomic", "future", "fstream", "filesystem", "iostream", "random"}
    for folder in ("core", "games"):
        for path in sources(CPP / folder):
            assert not banned & set(includes(path)), path
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"\b(std::rand|rand\(|random_device|std::shuffle|uniform_int_distribution)", text), (
                path
            )
            assert not re.search(r"\bvirtual\b", text), path


def test_intrinsics_are_in_simd() -> None:
    for path in sources(ROOT / "cpp"):
        if path.parent != CPP / "simd":
            assert not {"immintrin.h", "arm_neon.h", "wasm_simd128.h"} & set(includes(path)), path
            named = re.search(r"\b(_mm\w*_|_p(dep|ext)_|__builtin_ia32|v(ld1|st1)q|wasm_v128)", path.read_text("utf-8"))
            assert named is None, (path, named)


def test_files_named_in_comments_exist() -> None:
    names = {path.name for path in ROOT.rglob("*.hpp") if "build" not in path.parts}
    names |= {path.name.removesuffix(".in") for path in CPP.rglob("*.in")} | {path.name for path in CPP.rglob("*.h")}
    names |= {path.name for path in ROOT.glob("*/**/*.cpp") if "build" not in path.parts}
    for path in sources(ROOT / "cpp"):
        for comment in re.findall(r"//(.*)", path.read_text(encoding="utf-8")):
            for name in re.findall(r"\b([a-z_]+\.[ch]pp)\b", comment):
                assert name in names, (path, comment)


LONGEST_FILE = 500


def test_files_of_games_are_short() -> None:
    for path in sources(CPP / "games"):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= LONGEST_FILE, f"{path} has {lines} lines"


def test_no_check_is_silenced() -> None:
    """What clang-tidy finds (`nox -s tidy`) is corrected, not marked."""
    for path in sources(ROOT / "cpp"):
        assert "NOLINT" not in path.read_text(encoding="utf-8"), path


CASTS = 108
"""Casts in the rules of all games. Lower this when there are fewer: where casts pile up, a type is missing."""


def casts(path: Path) -> int:
    """The casts of a source in any spelling: `static_cast<T>(x)`, `T(x)` and `(T)x`."""
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    number = r"(?:std::)?(?:u?int\d+_t|size_t|ptrdiff_t)|unsigned|int|char|float|double|Action|Player"
    spellings = (
        r"\b(?:static|reinterpret|const)_cast<",
        rf"(?<![\w:<])(?:{number})\((?![)*]|\w+\)\s*const)",
        rf"\((?:{number})\)\s*[\w(]",
    )
    return sum(len(re.findall(spelling, text)) for spelling in spellings)


def test_games_need_few_casts() -> None:
    assert sum(casts(path) for path in sources(CPP / "games")) <= CASTS
    assert sum(casts(path) for path in sources(CPP / "games" / "toy")) == 0, "the worked example"


def test_no_game_is_named_outside_its_files() -> None:
    """A fifth game is one word in one list; nothing else has to learn its name."""
    games = [name for name in GAMES if name != "toy"]
    # Where a game is described to people, or listed once on purpose.
    exempt = {"CMakeLists.txt", "__init__.pyi", "test_architecture.py"}
    for path in sorted(
        [*sources(ROOT / "cpp"), *PYTHON.rglob("*.py"), *PYTHON.rglob("*.pyi"), *ROOT.glob("tests/*/*.py")]
    ):
        if path.name in exempt or any(path.stem.split("_")[-1] in (name, f"test_{name}") for name in games):
            continue
        if any(path.stem == name or path.stem.startswith(f"{name}_") or name in path.parts for name in games):
            continue
        text = re.sub(r'"""(?:.|\n)*?"""', "", path.read_text(encoding="utf-8"))
        for name in games:
            assert not re.search(rf"\b{name}\b", text), f"{path.relative_to(ROOT)} names {name}"


def test_the_engine_embeds_only_data_that_it_reads() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in sources(CPP))
    for path in sorted((PYTHON / "data").glob("*.json")):
        function = path.stem.replace("-", "_")
        assert re.search(rf"\b{function}\(\)", text), f"{path.name} makes every module larger; nothing reads it"


def test_nothing_is_put_on_the_path() -> None:
    """Tests and tools are packages of the repository: `from tests.kit import ...`, never a short name of their own."""
    for folder in ("bench", "cmake", "examples", "python", "tests"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            lines = path.read_text(encoding="utf-8").splitlines()
            puts = [line for line in lines if line.strip().startswith("sys.path")]
            assert not puts or path == PYTHON / "policies.py", path  # finds py:MODULE:FUNCTION of a user


def test_modules_of_unix_are_imported_by_what_needs_them() -> None:
    """On Windows every test can be collected, and every module imported."""
    only = {"fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty"}
    found = []
    paths = (path for folder in ("examples", "python", "tests") for path in (ROOT / folder).rglob("*.py"))
    for path in sorted(paths):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            names = (
                [alias.name for alias in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", "")]
            )
            found += [f"{path.relative_to(ROOT)}:{node.lineno}: {name}" for name in names if name in only]
    assert not found, "\n".join(found)


def test_every_game_has_the_same_test_files() -> None:
    for name in GAMES:
        folder = ROOT / "tests" / "games" / name
        for needed in ("test_rules.py", "test_reachable.cpp", "options.py", "secrets.py", "perft.txt"):
            assert (folder / needed).exists(), folder / needed
        assert list(folder.glob("golden/*.txt")), folder
    assert {path.name for path in (ROOT / "tests" / "games").iterdir() if path.name != "__pycache__"} == set(GAMES)


OPENERS = re.compile(
    r"(open|fdopen|read_text|write_text|read_bytes|write_bytes|touch|fromfile|tofile|memmap|loadtxt|savetxt|genfromtxt"
    r"|savez.*|mkstemp|mkdtemp|NamedTemporaryFile|TemporaryFile|read_table|write_table|FileIO|copyfile.*)"
)
"""Functions and methods that open a file by its name, whatever they belong to."""

OPENS_NO_FILE = {
    "Run.open": "reads its manifest by tilery.files",
    "cls.open": "the same",
    "archive.open": "a member of an open archive",
    "image.open": "bytes in memory",
    "webbrowser.open": "an address",
    "parquet.write_table": "into an open file",
    "self._writer.write_table": "the same",
}


def test_only_one_module_opens_files() -> None:
    """tilery.files looks at what a name leads to, and bounds what is read; nothing goes past it."""
    found = []
    for path in sorted(PYTHON.rglob("*.py")):
        if path == PYTHON / "files.py":
            continue
        known = set(imports(path))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                last = called.rpartition(".")[2]
                ours = called.startswith("files.") or f"tilery.files.{called}" in known
                if OPENERS.fullmatch(last) and not ours and called not in OPENS_NO_FILE:
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {called}")
    assert not found, "\n".join(found)
