"""Changes single tokens of a game's rules, of the engine around the rules, or of the Python package; counts how many of
these mutants tests kill.

    python -m tests.lab.mutants GAME|engine|python [--count 150] [--seed 1] [--minutes M] [--judge-only] [--ledger]

Works on a copy of the sources in build/mutants/GAME, compiled with assertions for this game and the toy. A mutant
changes one token of a rule file, header or source, drawn with the seed. One that does not compile, or that compiles to
identical machine code, does not count. A mutant is killed if

1. the output of tests/lab/judge.cpp differs from that of the unchanged code: it plays the games of the
   fingerprints, and prints in some what differential tests compare,
2. or a test of the game fails: tests/games/GAME, tests/recorded, tests/laws, and the laws in C++.

With `engine` the bindings, searches, batches, serialization and the C table are changed, compiled for the toy and two
small games. There is no judge: the tests of the file run, and then those of all that may use it. With
`python` single tokens of what runs, matches, records, plays and counts in Python are changed, and calls are left
out. The quick tests of the file run, and then those of all that may use it; none of them opens a browser.

A run that takes much too much processor time counts as failed. mutants.toml lists the mutants that are known to
be equivalent, with the reason; a mutant that passes the judge is looked up there before any test runs. The other
survivors are printed, and the command fails if they are more than 2 % of the mutants that are not equivalent (5 %
around the rules). Results are kept in build/mutants/GAME/results-SEED.json, each with the commit at which it was found.
A later call with the same seed continues there, and tests survivors again, since there may be more tests by then. If
the results are of several commits, the first and the last one are written (FIRST..LAST; "before" for those that were
kept without one). With --judge-only no tests run, which take most of the time, or with `python` those alone that are
called like the file. --ledger appends a line to ledger.md, and writes the row and the survivors of the game in
mutants.md.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys
import time
import tokenize
import tomllib
import venv
from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

import numpy as np

import tilery
from tests.kit.games import GAMES, ROOT, write_configurations
from tests.kit.secrets import secrets_of
from tests.lab.campaign import commit, processor_seconds, write_line

KNOWN = ROOT / "tests" / "lab" / "mutants.toml"
PAGE = ROOT / "tests" / "lab" / "mutants.md"
SURVIVORS = "\n## Survivors\n"
"""The heading of the part of the page that follows the table."""
NOT_RULES = ("text", "print", "picture", "explain", "observation", "position", "views", "valid")
"""Parts of the names of files without rules: they print, draw, describe, or check bytes from outside."""
SWAPS = {
    " + ": " - ",
    " - ": " + ",
    " * ": " + ",
    " / ": " * ",
    " % ": " / ",
    " < ": " <= ",
    " <= ": " < ",
    " > ": " >= ",
    " >= ": " > ",
    " == ": " != ",
    " != ": " == ",
    " && ": " || ",
    " || ": " && ",
    " & ": " | ",
    " | ": " & ",
    " ^ ": " | ",
    " << ": " >> ",
    " >> ": " << ",
    " += ": " -= ",
    " -= ": " += ",
    " |= ": " &= ",
    " &= ": " |= ",
    "++": "--",
    "--": "++",
    "true": "false",
    "false": "true",
    "std::min": "std::max",
    "std::max": "std::min",
}
TOKEN = re.compile(
    "|".join(re.escape(token) for token in sorted(SWAPS, key=len, reverse=True) if not token.isalpha())
    + r"|\btrue\b|\bfalse\b|(?<=[\s(])!(?=[\w(])|(?<![\w.'])\d+(?![\w.'])"
)
SKIPPED = ("#", "//", "static_assert", "using ", "template", "namespace", "assert(", "requires")


def faces(*names: str) -> str:
    """Some of the tests in tests/faces."""
    return " ".join(f"tests/faces/test_{name}.py" for name in names)


NO_BROWSER = "--ignore=tests/play/test_page.py --ignore=tests/play/test_accessible.py"
PYTHON_PARTS = {
    "runs/*.py": "tests/runs",
    "play/*.py": f"tests/play {NO_BROWSER}",
    **dict.fromkeys(("match.py", "ladder.py", "search.py", "bots.py", "policies.py", "agents.py"), "tests/search"),
    "statistics.py": "tests/runs",
    "simulation.py": "tests/search",
    "record.py": "tests/runs/test_records.py tests/faces/test_show.py",
    "pictures.py": "tests/faces/test_show.py tests/play/test_steps.py",
}
"""The Python files that are changed, and the tests of each, which run first."""
OTHER_TESTS = f"tests/runs tests/search tests/play {NO_BROWSER} {faces('cli', 'entrances', 'files', 'show')}"
PAIRS = """
+:- -:+ *:+ /:* //:* %:+ **:* <<:>> >>:<< <:<= <=:< >:>= >=:> ==:!= !=:== +=:-= -=:+= and:or or:and not:
True:False False:True min:max max:min any:all all:any break:continue continue:break
"""
PYTHON_SWAPS: dict[str, str] = dict(pair.split(":") for pair in PAIRS.split())
CALL = re.compile(r"[\w.]+\(.*\)")
"""A statement that is one call on one line; `pass` takes its place."""

LAWS = "tests/laws"
SEARCHES = "tests/search/test_fingerprints.py tests/search"
TABLE = "tests/faces/test_capi.py -m not(long)"
ENGINE_PARTS = {
    "bindings/*.[ch]pp": LAWS,
    "tilery/any/*.[ch]pp": LAWS,
    "tilery/c/*.[ch]pp": TABLE,
    "tilery/core/serialize.hpp": LAWS,
    "tilery/core/value*.[ch]pp": LAWS,
    "tilery/simulation/*.[ch]pp": LAWS,
    "tilery/search/*.[ch]pp": SEARCHES,
}
"""The C++ files around the rules that are changed, and the tests of each, which run first."""
FACES = faces("entrances", "examples", "hostile_objects", "options", "show")
ENGINE_TESTS = (LAWS, SEARCHES, TABLE, f"tests/recorded tests/runs {FACES}")


NOT_COMPILED = "not compiled"
SAME_CODE = "equivalent: the same code"
BY_JUDGE = "killed by the judge"
UNTESTED = "passed the judge"
ALIVE = (UNTESTED, "survived")
"""The fates of mutants that nothing has killed."""
BUILD = "build"
"""The stage before the tests."""
PROGRAMS = ("tilery_judge", "tilery_test")
"""The C++ programs that judge and test."""
SECONDS = 900
"""The most processor time of a stage of the tests; without a mutation they take a third of it on a busy machine."""
SECONDS_NAMED = 60
"""The same for the tests that are called like the file, which take a few seconds."""
PATIENCE = 1800
"""The most wall time, for mutants that wait and do nothing."""
MEMORY = "-v 16000000"
"""The most memory, for mutants that take more and more of it."""
MODULES = ("v3", "_cpu")
"""The compiled parts of the package."""


@dataclass
class Mutant:
    """One changed token, and its fate."""

    file: str
    line: int
    before: str
    after: str
    same: int = 0
    """How many lines above have the same text."""
    fate: str = ""
    seconds: float = 0.0
    """CPU time."""
    commit: str = ""
    """Where the fate was found; "" if it was kept without."""

    @classmethod
    def of(cls, file: str, lines: Sequence[str], number: int, changed: str) -> Mutant:
        """The mutant of a file in which the line of this number, from 0, is changed."""
        before = lines[number].strip()
        return cls(file, number + 1, before, changed.strip(), [above.strip() for above in lines[:number]].count(before))

    @property
    def key(self) -> str:
        return f"{self.file}: {self.before} -> {self.after}" + (f" [{self.same + 1}]" if self.same else "")


def mutants_of(folder: Path, patterns: Iterable[str] = ("*.[ch]pp",)) -> dict[str, tuple[Mutant, str]]:
    """All mutants of some files in a folder, by key, and the text of the changed line with its white space."""
    found = {}
    for path in sorted({path for pattern in patterns for path in folder.glob(pattern)}):
        if any(part in path.stem for part in NOT_RULES):
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            code = line.split("//")[0]
            if code.strip().startswith(SKIPPED) or '"' in code:
                continue
            for match in TOKEN.finditer(code):
                token = match[0]
                other = str(int(token) + 1) if token.isdigit() else "" if token == "!" else SWAPS[token]
                changed = line[: match.start()] + other + line[match.end() :]
                mutant = Mutant.of(path.relative_to(folder).as_posix(), lines, number, changed)
                found[mutant.key] = (mutant, changed)
    return found


def python_changes(text: str) -> Iterator[tuple[int, str]]:
    """For each change of one token of a Python source the number of its line, from 0, and the new text of the line."""
    lines = text.splitlines()
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        number, column, line = token.start[0] - 1, token.start[1], lines[token.start[0] - 1] if token.string else ""
        starts = before.type in (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT)
        if starts and token.type == tokenize.NAME and CALL.fullmatch(line.strip()):
            yield number, line[:column] + "pass"
        if token.type == tokenize.NUMBER and token.string.isdigit():
            yield number, line[:column] + str(int(token.string) + 1) + line[token.end[1] :]
        elif token.type in (tokenize.NAME, tokenize.OP) and token.string in PYTHON_SWAPS:
            # Signs, stars of arguments and the / of a signature are no operations; `is not` and `not in` are one word.
            spaced = before.end < token.start and after.start > token.end
            if spaced if token.type == tokenize.OP else before.string != "is" and after.string != "in":
                yield (
                    number,
                    line[:column] + PYTHON_SWAPS[token.string] + line[token.end[1] + (token.string == "not") :],
                )


def drawn(keys: Iterable[str], seed: int) -> list[str]:
    """The keys in random order. A change of a source line moves the keys of that line and no others."""
    return sorted(keys, key=lambda key: hashlib.sha256(f"{seed} {key}".encode()).digest())


def limited(seconds: int, words: Sequence[str], more: str = "") -> list[str]:
    """The command, killed after this many seconds of processor time."""
    return ["bash", "-c", f'ulimit -t {seconds} {more}; exec "$0" "$@"', *words]


def has_failed(status: int, text: str) -> bool:
    """Whether tests that ended with this exit status have failed. Exits if they could not be run.

    pytest says 1 if a test has failed, and 5 if there is none; a negative status is the signal that killed it. The
    others say that it was interrupted, called in a wrong way, or is itself at fault.
    """
    if status in (0, 5):
        return False
    if status == 1 or status < 0:
        return True
    sys.exit(f"the tests could not be run, exit status {status}:\n{text[-5000:]}")


def fails(words: Sequence[str], source: Path, environment: Mapping[str, str], to: Path, seconds: int) -> bool:
    """Whether tests fail in a copy of the sources; then what they printed is written to a file."""
    try:
        done = subprocess.run(
            limited(seconds, words, MEMORY),
            cwd=source,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return True
    failed = has_failed(done.returncode, text := done.stdout + done.stderr)
    if failed:
        to.write_text(text, encoding="utf-8")
    return failed


def copy(path: Path, to: Path) -> None:
    """Copy only files that differ, so that a second call compiles little."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    for file in files:
        target = to if path.is_file() else to / file.relative_to(path)
        if "__pycache__" in file.parts or (target.exists() and target.read_bytes() == file.read_bytes()):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)


def tests_of(file: str, parts: Mapping[str, str]) -> list[str]:
    """The tests of a file, by the patterns that it matches."""
    return [tests for part, tests in parts.items() if PurePath(file).match(part)]


def lines_in(folder: Path) -> int:
    """How many lines the sources and headers of a folder have."""
    return sum(path.read_bytes().count(b"\n") for path in folder.glob("*.[ch]pp"))


class Workshop(ABC):
    """A copy of the repository, in which mutants are made and tested."""

    rules: Path
    """The folder with the files that are changed."""
    parts: Mapping[str, str] = {}
    """The tests of each file, by patterns, which run first."""
    tests: Sequence[str] = ()
    """Those of all files, in order: words of pytest."""
    left_out: Sequence[str] = ()
    """Tests that cannot run here, as pytest names them."""

    def __init__(self, game: str, build: str) -> None:
        self.game = game
        self.folder = ROOT / "build" / "mutants" / game
        self.source = self.folder / "source"
        self.package = self.source / "python" / "tilery"
        for name in subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines():
            copy(ROOT / name, self.source / name)
        # An environment of its own: that of this program would put the installed package before the copy.
        self.python = self.folder / "venv" / "bin" / "python"
        if not self.python.exists():
            venv.create(self.folder / "venv", symlinks=True)
        command = self.python.with_name("tilery")
        command.write_text(f"#!{self.python}\nimport sys\nfrom tilery.cli.main import main\nsys.exit(main())\n")
        command.chmod(0o755)
        path = os.pathsep.join(map(str, (self.source / "python", self.source, Path(np.__file__).parents[1])))
        self.environment = os.environ | {"PYTHONPATH": path, "TILERY_BUILD": build}

    @abstractmethod
    def mutants(self) -> dict[str, tuple[Mutant, str]]:
        """All mutants, by key, and the text of the changed line."""

    def named(self, file: str) -> str:
        """The tests that are called like a file: few, and those that most often notice."""
        own = sorted(self.source.glob(f"tests/[a-z]*/test_{PurePath(file).stem}*.py")) if file else []
        return " ".join(str(path.relative_to(self.source)) for path in own)

    def test(self, file: str = "", named_only: bool = False) -> str:
        """The first stage of the tests that fails after a change of this file ("" for none), or "" if none does."""
        passed: set[str] = set()
        others = () if named_only else (*tests_of(file, self.parts), *self.tests)
        for stage in (named := self.named(file), *others):
            words = [word for word in stage.split() if word not in passed]
            paths = [word for word in words if word.startswith("tests/")]
            if paths and self.kills(" ".join(words), SECONDS_NAMED if stage == named else SECONDS):
                return words[0]
            if "-k" not in words:  # all tests of these files and folders have run
                passed.update(paths)
        return ""

    def kills(self, stage: str, seconds: int = SECONDS) -> bool:
        """Whether a test of a stage fails, and fails again: one that waits may fail when the machine is busy."""
        shutil.rmtree(self.cache, ignore_errors=True)
        words = self.pytest("-x", *stage.split())
        if not self.fails(words, seconds):
            return False
        # What was stopped for its processor time has written no list of failures.
        return not self.last_failed.exists() or self.fails([*words, "--last-failed"], seconds)

    def check(self) -> str:
        """The first stage of the tests that fails without a mutation, or "" if none does."""
        return self.test()

    def pytest(self, *words: str) -> list[str]:
        """The command that tests. A module that cannot be imported fails as a test does."""
        command = [str(self.python), "-m", "pytest", "-q", "-p", "no:xdist", "--continue-on-collection-errors"]
        command += ["-o", f"cache_dir={self.cache}", "-m", "not slow"]
        return [*command, *words, *(f"--deselect={name}" for name in self.left_out)]

    @property
    def cache(self) -> Path:
        """Where pytest keeps which tests have failed."""
        return self.folder / "cache"

    @property
    def last_failed(self) -> Path:
        """The file in which pytest keeps which tests have failed."""
        return self.cache / "v" / "cache" / "lastfailed"

    def fails(self, words: Sequence[str], seconds: int = SECONDS) -> bool:
        return fails(words, self.source, self.environment, self.folder / "last-failure.txt", seconds)

    @abstractmethod
    def fate_of(self, path: Path, text: str, judge_only: bool) -> str:
        """The fate of the mutant that has this text in this file."""


class PythonWorkshop(Workshop):
    """A copy with the engine as it is installed, to change the Python package."""

    parts = PYTHON_PARTS
    tests = ("tests/house/test_architecture.py -k dataclasses", OTHER_TESTS)

    def __init__(self) -> None:
        super().__init__("python", tilery._core.build)
        self.rules = self.package
        for name in ("_cpu", tilery._core.build):
            module = Path(importlib.import_module(f"tilery._core.{name}").__file__ or "")
            copy(module, self.package / "_core" / module.name)

    def mutants(self) -> dict[str, tuple[Mutant, str]]:
        found = {}
        for part in PYTHON_PARTS:
            for path in sorted(self.rules.glob(part)):
                file = path.relative_to(self.rules).as_posix()
                text = path.read_text(encoding="utf-8")
                for number, changed in python_changes(text):
                    mutant = Mutant.of(file, text.splitlines(), number, changed)
                    found[mutant.key] = (mutant, changed)
        return found

    def fate_of(self, path: Path, text: str, judge_only: bool) -> str:
        kept = path.read_text(encoding="utf-8")
        try:
            compile(text, path, "exec")
        except SyntaxError:
            return NOT_COMPILED
        path.write_text(text, encoding="utf-8")
        try:
            stage = self.test(path.relative_to(self.rules).as_posix(), named_only=judge_only)
            return f"killed by {stage}" if stage else UNTESTED if judge_only else "survived"
        finally:
            path.write_text(kept, encoding="utf-8")


class CompiledWorkshop(Workshop):
    """A copy that is compiled with assertions for some games."""

    targets: tuple[str, ...] = MODULES
    """What is compiled first."""
    others: tuple[str, ...] = ()
    """What else a header may be compiled into, if equal machine code of all this shows that a mutant is equivalent."""
    once = False
    """Whether sources are compiled together: a mutant of a header then costs as much as one of a source."""
    programs: Sequence[str] = ()
    """What the C++ tests are asked for after those in Python: the laws of a game, or "" for all others."""

    def __init__(self, game: str, games: Sequence[str]) -> None:
        super().__init__(game, "v3")
        self.games = games
        self.build = self.folder / "build"
        settings = {
            "TILERY_GAMES": ";".join(games),
            "TILERY_V2": "OFF",
            "TILERY_NATIVE": "ON",
            "TILERY_PYTHON": "ON",
            "CMAKE_BUILD_TYPE": "Debug",
            "CMAKE_CXX_FLAGS_DEBUG": "",  # without -g: source locations in the objects would make all mutants differ
            "CMAKE_CXX_FLAGS": "-O1 -DTILERY_NO_FLATTEN -D_GLIBCXX_ASSERTIONS",
            "TILERY_UNITY": "ON" if self.once else "OFF",
            "Python_EXECUTABLE": sys.executable,
        }
        words = ["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "--log-level=WARNING"]
        self._must([*words, *(f"-D{key}={value}" for key, value in settings.items())])
        self._must(["cmake", "--build", self.build, "--target", *self.targets])
        copy(self.build / "capi.pxd", self.package / "capi.pxd")  # for the tests of the C table

    def _must(self, words: list[Any]) -> None:
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"failed: {words}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")

    def compile(self, *targets: str) -> bool:
        words = ["cmake", "--build", str(self.build), "--target", *targets]
        return subprocess.run(words, capture_output=True, check=False).returncode == 0

    def built(self) -> list[Path]:
        """All that was compiled and linked."""
        files = self.build.rglob("*")
        return sorted(path for path in files if path.suffix in {".o", ".a", ".so"} or path.name in PROGRAMS)

    def judge(self) -> bool:
        """Whether the mutant may be as good as the unchanged code, before any test."""
        return True

    def install(self) -> bool:
        """Compile the modules, and put them into the package."""
        if not self.compile(*MODULES):
            return False
        for name in MODULES:
            (module,) = self.build.glob(f"{name}.*.so")
            copy(module, self.package / "_core" / module.name)
        return True

    def test(self, file: str = "", named_only: bool = False) -> str:
        if not self.install():
            return BUILD
        return super().test(file, named_only) or self.test_programs()

    def test_programs(self) -> str:
        """The same for the tests in C++."""
        if not self.compile("tilery_test"):
            return BUILD
        for game in self.programs:
            if self.fails([str(self.build / "tilery_test"), *game.split()]):
                return "C++ laws" if game else "C++ tests"
        return ""

    def fate_of(self, path: Path, text: str, judge_only: bool) -> str:
        kept = {file: (file.read_bytes(), file.stat()) for file in [*self.built(), path]}

        def unchanged() -> bool:
            return all(file.read_bytes() == was for file, (was, _) in kept.items() if file.suffix == ".o")

        path.write_text(text, encoding="utf-8")
        try:
            if not self.compile(*self.targets):
                return NOT_COMPILED
            # A header may be compiled into what was not built, so equal objects prove nothing.
            all_built = path.suffix == ".cpp" or (self.others and unchanged() and self.compile(*self.others))
            if all_built and unchanged():
                return SAME_CODE
            if not self.judge():
                return BY_JUDGE
            if judge_only:
                return UNTESTED
            stage = self.test(path.relative_to(self.rules).as_posix())
            if stage == BUILD:
                return NOT_COMPILED
            return f"killed by {stage}" if stage else "survived"
        finally:
            # With the old times nothing is compiled again. The source comes last: a call that is interrupted here
            # leaves the mutant, which the next call replaces and compiles.
            for file, (content, status) in kept.items():
                file.write_bytes(content)
                os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


class GameWorkshop(CompiledWorkshop):
    """A copy for the rules of a game, with the judge of its mutants."""

    targets = ("tilery_judge",)

    def __init__(self, game: str, seed: int) -> None:
        super().__init__(game, ["toy", game])  # tests use the toy where they need another game
        self.rules = self.source / "cpp" / "tilery" / "games" / game
        self.tests = (f"tests/games/{game}", f"tests/recorded -k {game}", f"tests/laws -k {game}")
        self.programs = (game,)
        self.configurations = self.folder / "configurations.txt"
        write_configurations(self.configurations, [game], seed, 0)
        began = processor_seconds()
        self.verdict = subprocess.check_output([self.build / "tilery_judge", self.configurations], text=True)
        self.patience = math.ceil(2 + 3 * (processor_seconds() - began))

    def mutants(self) -> dict[str, tuple[Mutant, str]]:
        return mutants_of(self.rules)

    def judge(self) -> bool:
        """Whether the judge prints what it prints of the unchanged code; it is stopped at the first other line."""
        words = limited(self.patience, [str(self.build / "tilery_judge"), str(self.configurations)], "-v 8000000")
        printed = ""
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
            assert running.stdout is not None
            for line in running.stdout:
                printed += line
                if not self.verdict.startswith(printed):
                    running.kill()
        return running.returncode == 0 and printed == self.verdict


class EngineWorkshop(CompiledWorkshop):
    """A copy for what lies around the rules in C++: bindings, searches, batches, serialization, the C table.

    It is compiled for the toy and for the smallest of the other games, of those that hide something and of those that
    do not; the files of the rest are not changed.
    """

    others = ("tilery_test",)
    once = True
    parts = ENGINE_PARTS

    def __init__(self) -> None:
        sizes = {name: lines_in(ROOT / "cpp" / "tilery" / "games" / name) for name in GAMES if name != "toy"}
        hiding = {name for name in sizes if secrets_of(name) is not None}
        found = [min(names, key=sizes.__getitem__) for names in (sizes.keys() - hiding, hiding)]
        super().__init__("engine", ["toy", *found])
        self.rules = self.source / "cpp"
        self.tests = (*ENGINE_TESTS, " ".join(f"tests/games/{name}" for name in self.games))
        self.programs = ("", *found)

    def check(self) -> str:
        """Tests in Python that fail without a mutation are left out: they ask for games, or a build, not there.

        They are kept for a later call at the same commit.
        """
        kept, tested = self.folder / "left-out.json", commit()
        found = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
        if not self.install():
            return BUILD
        if tested.endswith("-dirty") or tested not in found:
            found = {tested: self.failing()}
            if stage := self.test_programs():
                return stage
            kept.write_text(json.dumps(found, indent=1), encoding="utf-8")
        self.left_out = found[tested]
        print(f"{len(self.left_out)} tests fail without a mutation, and are left out", flush=True)
        return ""

    def failing(self) -> list[str]:
        """The tests in Python that fail, as pytest names them."""
        shutil.rmtree(self.cache, ignore_errors=True)
        for stage in self.tests:
            self.fails(self.pytest(*stage.split()))
        return list(json.loads(self.last_failed.read_text(encoding="utf-8"))) if self.last_failed.exists() else []

    def mutants(self) -> dict[str, tuple[Mutant, str]]:
        left_out = set(GAMES) - set(self.games)
        found = mutants_of(self.rules, ENGINE_PARTS)
        return {key: one for key, one in found.items() if PurePath(one[0].file).stem not in left_out}


WORKSHOPS = {"python": PythonWorkshop, "engine": EngineWorkshop}
"""What is changed besides the rules of games."""


def attempt(workshop: Workshop, mutant: Mutant, changed: str, judge_only: bool) -> None:
    """Make a mutant and set its fate."""
    path, began = workshop.rules / mutant.file, processor_seconds()
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[mutant.line - 1] = changed
    text = "\n".join(lines) + "\n"
    mutant.fate = workshop.fate_of(path, text, judge_only or mutant.key in known(workshop.game))
    mutant.seconds += round(processor_seconds() - began, 2)
    print(f"{mutant.fate:28} {mutant.seconds:6.1f} s  {mutant.key}", flush=True)


def run(
    workshop: Workshop, seed: int, count: int, minutes: float, judge_only: bool, tested: str
) -> tuple[list[Mutant], str]:
    """Try mutants until `count` of them were killed or survived, or `minutes` have passed.

    Returns them, and the commits at which their fates were found: `tested` is that of this call.
    """
    found = workshop.mutants()
    results = workshop.folder / f"results-{seed}.json"
    kept = {key: fate for key, *fate in json.loads(results.read_text())} if results.exists() else {}
    ends = time.monotonic() + 60 * minutes
    tried: list[Mutant] = []
    for key in drawn(found, seed):
        if sum(mutant.fate.startswith("killed") or mutant.fate in ALIVE for mutant in tried) >= count:
            break
        mutant, changed = found[key]
        mutant.fate, mutant.seconds, mutant.commit = (*kept.get(key, ("", 0.0)), "")[:3]  # old files have no commits
        again = mutant.fate in ALIVE and not judge_only and key not in known(workshop.game)
        if (not mutant.fate or again) and time.monotonic() < ends:
            attempt(workshop, mutant, changed, judge_only)
            mutant.commit = tested
            kept.pop(key, None)  # so that the file is in the order in which the fates were found
            kept[key] = [mutant.fate, mutant.seconds, mutant.commit]
            results.write_text(json.dumps([[key, *fate] for key, fate in kept.items()], indent=1), encoding="utf-8")
        if not mutant.fate:
            break
        tried.append(mutant)
    order = list(kept)
    return tried, span(mutant.commit for mutant in sorted(tried, key=lambda mutant: order.index(mutant.key)))


def span(commits: Iterable[str]) -> str:
    """The first and the last of some commits, or the only one."""
    names = [commit or "before" for commit in dict.fromkeys(commits)] or ["none"]
    return names[0] if len(names) == 1 else f"{names[0]}..{names[-1]}"


def known(game: str) -> dict[str, str]:
    """The mutants that are known to be equivalent, with the reason."""
    reasons: dict[str, str] = tomllib.loads(KNOWN.read_text(encoding="utf-8")).get(game, {})
    return reasons


@dataclass(frozen=True)
class Summary:
    """How many mutants of a game had which fate."""

    drawn: int
    not_compiled: int
    same_code: int
    by_judge: int
    by_tests: int
    equivalent: int
    """Those alive that are known to change nothing that a rule says."""
    survivors: tuple[Mutant, ...]

    @classmethod
    def of(cls, tried: Sequence[Mutant], equivalents: Container[str]) -> Summary:
        fates = [mutant.fate for mutant in tried]
        alive = [mutant for mutant in tried if mutant.fate in ALIVE]
        survivors = tuple(mutant for mutant in alive if mutant.key not in equivalents)
        by_judge = fates.count(BY_JUDGE)
        return cls(
            drawn=len(tried),
            not_compiled=fates.count(NOT_COMPILED),
            same_code=fates.count(SAME_CODE),
            by_judge=by_judge,
            by_tests=sum(fate.startswith("killed") for fate in fates) - by_judge,
            equivalent=len(alive) - len(survivors),
            survivors=survivors,
        )

    @property
    def killed(self) -> int:
        return self.by_judge + self.by_tests

    @property
    def valid(self) -> int:
        """The mutants that count."""
        return self.killed + len(self.survivors)

    def __str__(self) -> str:
        return f"{self.killed} of {self.valid} mutants killed, {self.equivalent} known to be equivalent"


def write_row(game: str, summary: Summary, tested: str, seed: int) -> None:
    """Replace the row of a game in the table of mutants.md, and the game's section of survivors, or add them."""
    counts = (summary.drawn, summary.not_compiled, summary.same_code, summary.by_judge, summary.by_tests)
    share = f"{summary.killed / max(1, summary.valid):.1%}"
    cells = (game, *counts, summary.equivalent, len(summary.survivors), share, tested, seed)
    row = f"| {' | '.join(map(str, cells))} |"
    page, heading, survivors = PAGE.read_text(encoding="utf-8").partition(SURVIVORS)
    lines = page.splitlines()
    rows = {line.split(" | ")[0]: line for line in lines if line.startswith("| ") and line.endswith(" |")}
    if old := rows.get(f"| {game}"):
        lines[lines.index(old)] = row
    else:
        lines.insert(max(i for i, line in enumerate(lines) if line.startswith("|")) + 1, row)
    intro, *sections = re.split(r"^(?=### )", survivors, flags=re.MULTILINE)
    kept = {section.split()[1]: section.strip() for section in sections}
    kept[game] = f"### {game}\n\n{listed(summary.survivors)}"
    parts = ["\n".join(lines).strip(), heading.strip(), intro.strip(), *(kept[name] for name in sorted(kept))]
    PAGE.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def listed(survivors: Iterable[Mutant]) -> str:
    """Mutants as Markdown: the file, the line, and what was changed in it."""
    texts = (
        f"`{mutant.file}`, line {mutant.line}:\n\n```diff\n-{mutant.before}\n+{mutant.after}\n```"
        for mutant in survivors
    )
    return "\n\n".join(texts) or "None."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=[*GAMES, *WORKSHOPS], help="what is changed")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--judge-only", action="store_true", help="leave the tests to a later call")
    parser.add_argument("--ledger", action="store_true", help="write the results in ledger.md and mutants.md")
    options = parser.parse_args()
    tested = commit()
    workshop = WORKSHOPS[options.game]() if options.game in WORKSHOPS else GameWorkshop(options.game, options.seed)
    if not options.judge_only and (failed := workshop.check()):
        sys.exit(f"{failed} fails without a mutation; see {workshop.folder}")
    tried, tested = run(workshop, options.seed, options.count, options.minutes, options.judge_only, tested)
    summary = Summary.of(tried, known(options.game))
    for mutant in summary.survivors:
        print(f"{mutant.fate}: {mutant.file}:{mutant.line}\n    {mutant.before}\n    {mutant.after}")
    print(summary)
    if options.ledger:
        minutes = sum(mutant.seconds for mutant in tried) / 60
        write_line("mutants", options.game, str(summary), minutes, tested, options.seed)
        write_row(options.game, summary, tested, options.seed)
    if len(summary.survivors) > (0.05 if options.game in WORKSHOPS else 0.02) * summary.valid:
        sys.exit(1)


if __name__ == "__main__":
    main()
