# /// script
# dependencies = ["nox>=2025.5"]
# ///
"""The sessions: `nox -l` lists them, `nox -s quick -- -k java` runs one with further arguments.

All of them run in .venv, which dev.py makes and keeps up to date: compiling the engine for each session would take
minutes. A session whose tools are not installed on this machine skips and says how to install them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import nox
from nox.command import CommandFailed

ROOT = Path(__file__).resolve().parent
PYTHON = ROOT / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
CPP = ("cpp", "python", "tests", "bench", "examples", "web")

SCHEMAS = {
    "citation-file-format": "CITATION.cff",
    "github-issue-config": ".github/ISSUE_TEMPLATE/config.yml",
    "github-issue-forms": ".github/ISSUE_TEMPLATE/[!c]*.yml",
    "github-workflows": ".github/workflows/*.yml",
    "readthedocs": ".readthedocs.yaml",
}
"""Schema of check-jsonschema -> the files that it describes."""

PYTEST = ("-m", "pytest", "-n", "2", "--dist", "worksteal")
"""On two processes; the one that is done first takes tests from the other."""

nox.needs_version = ">=2025.5"
nox.options.sessions = ["test"]
nox.options.default_venv_backend = "none"


def run(session: nox.Session, *words: str | Path) -> None:
    """Run a command of the environment in the repository root."""
    path = f"{PYTHON.parent}{os.pathsep}{os.environ['PATH']}"
    session.run(*map(str, words), env={"PATH": path}, external=True)


def python(session: nox.Session, *words: str | Path) -> None:
    """Run Python in the environment, after bringing that up to date."""
    session.run(sys.executable, str(ROOT / "dev.py"), "prepare", external=True, log=False)
    run(session, PYTHON, *words)


def cmake(session: nox.Session, preset: str, target: str) -> Path:
    """Configure and build a target of a preset; returns the folder with the result."""
    run(session, "cmake", "--preset", preset, "--log-level=WARNING")
    run(session, "cmake", "--build", "--preset", preset, "--target", target)
    return ROOT / "build" / preset


def need(session: nox.Session, *tools: str, packages: str = "") -> None:
    """Skip the session unless all these programs are installed; `packages`: Debian's, if named otherwise."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        session.skip(f"needs {' and '.join(missing)} (Debian: apt-get install {packages or ' '.join(missing)})")


def group_environment(session: nox.Session, group: str = "adapters") -> Path:
    """Bring the environment .venv-GROUP up to date, and return its Python.

    It has the packages of the dependency group of this name.
    """
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"][group]
    return environment(session, group, wanted)


def environment(session: nox.Session, name: str, wanted: list[str], *flags: str) -> Path:
    """Bring an environment .venv-NAME up to date, and return its Python.

    It has these packages, and sees those of .venv. Tests of a package that cannot be installed skip. flags: of pip.
    """
    folder = ROOT / f".venv-{name}"
    interpreter = folder / PYTHON.relative_to(ROOT / ".venv")
    stamp = folder / "installed"
    if stamp.exists() and stamp.read_text() == "\n".join(wanted) and "--upgrade" not in flags:
        return interpreter
    run(session, PYTHON, "-m", "venv", "--clear", "--without-pip", folder)
    find = ("-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
    base, own = (
        str(session.run(str(python), *find, silent=True, external=True)).strip() for python in (PYTHON, interpreter)
    )
    (Path(own) / "dev.pth").write_text(f"import site; site.addsitedir({base!r})\n")
    pip = (PYTHON, "-m", "pip", "--disable-pip-version-check", "--python", interpreter, "install", "--quiet", *flags)
    complete = True
    for package in wanted:
        try:
            run(session, *pip, package)
        except CommandFailed:
            session.warn(f"{package} cannot be installed here; its tests skip")
            complete = False
    if complete:
        stamp.write_text("\n".join(wanted))
    return interpreter


def cpp_sources() -> list[Path]:
    endings = (".cpp", ".hpp", ".c", ".h")
    return sorted(path for folder in CPP for path in (ROOT / folder).rglob("*") if path.suffix in endings)


@nox.session
def test(session: nox.Session) -> None:
    """The tests of every change: format, style, the Python tests but for long ones, instruction counts."""
    for name in ("lint", "tests", "icount"):
        session.notify(name, session.posargs if name == "tests" else ())


@nox.session(name="all")
def everything(session: nox.Session) -> None:
    """What `test` leaves out: long tests, clang-tidy, sanitizers, WebAssembly, the site, adapters of both ages, Ray."""
    for name in ("long", "tidy", "cpp", "web", "adapters", "ray"):
        session.notify(name)


@nox.session
def tests(session: nox.Session) -> None:
    """The Python tests but those of `all`; further words go to pytest."""
    python(session, *PYTEST, "-m", "not long and not web", *session.posargs)


@nox.session
def long(session: nox.Session) -> None:
    """Python tests that take long: whole games by clicks, wheels, hostile objects, runs killed; words go to pytest."""
    python(session, *PYTEST, "-m", "long and not web", *session.posargs)


@nox.session
def web(session: nox.Session) -> None:
    """WebAssembly: pages in build/web, the site with them in build/docs, npm packages in build/release; their tests."""
    python(session, "-m", "pip", "install", "--quiet", "--group", "web")
    run(session, PYTHON, "web/build.py", "build/web")
    site(session)
    run(session, PYTHON, *PYTEST, "-m", "web", "tests/play", "tests/web", *session.posargs)
    need(session, "npm")
    (ROOT / "build" / "release").mkdir(exist_ok=True)
    for package in ("engine", "board"):
        run(session, "npm", "pack", "--silent", "--pack-destination", "build/release", f"./build/web/npm/{package}")


@nox.session
def adapters(session: nox.Session) -> None:
    """The adapters to other projects, with the oldest and newest versions that are supported, in .venv-adapters*.

    `adapters -- -m long` plays a hundred of OpenSpiel's random simulations of every kind of game.
    """
    python(session, "--version")
    environment = group_environment(session)
    run(session, environment, *PYTEST, "-m", "not long", "tests/adapters", *session.posargs)
    if not session.posargs:
        newest = group_environment(session, "adapters-newest")
        run(session, newest, *PYTEST, "tests/adapters", "--ignore=tests/adapters/test_training.py")


@nox.session
def resolutions(session: nox.Session) -> None:
    """Tests of what uses other packages: with the oldest versions that tilery allows, and with the newest."""
    python(session, "--version")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    alone = [word for extra in ("cli", "arrow", "plot", "png", "match", "widget") for word in extras[extra]]
    direct = [*project["dependencies"], *alone]
    tested = session.posargs or ["tests/runs", "tests/faces/test_cli.py", "tests/laws/test_pictures.py"]
    if not session.posargs:
        tested += ["tests/play/test_widget.py", "tests/search/test_match.py"]
    lowest = environment(session, "lowest", [word.replace(">=", "==") for word in direct])
    newest = environment(session, "newest", [word.partition(">=")[0] for word in direct], "--upgrade")
    words = (*PYTEST, "-m", "not slow", *tested)
    run(session, lowest, *words, "-W", "ignore::DeprecationWarning")  # of packages that are older than what they use
    run(session, newest, *words)


@nox.session
def ray(session: nox.Session) -> None:
    """Runs on a local Ray cluster, with Ray installed in .venv."""
    python(session, "--version")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["optional-dependencies"]["ray"]
    try:
        run(session, PYTHON, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *wanted)
    except CommandFailed:
        session.skip("needs Ray, which cannot be installed here: pip install 'tilery[ray]'")
    run(session, PYTHON, "-m", "pytest", "tests/runs/test_ray.py", *session.posargs)


@nox.session
def quick(session: nox.Session) -> None:
    """The quick Python tests, under two minutes; further words go to pytest."""
    python(session, *PYTEST, "-m", "not slow", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Format and style."""
    python(session, "-m", "ruff", "check", ".")
    run(session, "ruff", "format", "--check", ".")
    names = ROOT / "build" / "clang-format.txt"  # two hundred names on a command line would hide what failed
    names.parent.mkdir(exist_ok=True)
    names.write_text("\n".join(map(str, cpp_sources())))
    run(session, "clang-format", "--dry-run", "--Werror", f"--files={names}")
    run(session, "zizmor", "--offline", "--quiet", ".github")
    for schema, files in SCHEMAS.items():
        run(session, "check-jsonschema", "--builtin-schema", f"vendor.{schema}", *ROOT.glob(files))


@nox.session
def typing(session: nox.Session) -> None:
    """mypy --strict on the package, stubs against the compiled module, one protocol for both backends."""
    python(session, "-m", "pytest", "tests/faces/test_typing.py", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation: its snippets, quotations, links, commands and rule numbers, and the site in build/docs."""
    python(session, "-m", "pytest", "tests/house", "-k", "docs or rule", *session.posargs)
    site(session)


def site(session: nox.Session) -> None:
    """Make the documentation in build/docs, and copy what `web` has built to build/docs/play."""
    pages = ROOT / "build" / "web"
    play = (pages / "index.html").exists()
    words = ("--fail-on-warning", "--quiet", "-D", f"play={play:d}", "-c", "docs", ".", "build/docs")
    run(session, PYTHON, "-m", "sphinx", *words)
    if play:
        inner = shutil.ignore_patterns("engine", "npm", "lock")
        shutil.copytree(pages, ROOT / "build" / "docs" / "play", ignore=inner, dirs_exist_ok=True)


JOINED = """
import pathlib, sys, nbformat
for path in pathlib.Path(sys.argv[1]).glob("*.ipynb"):
    nbformat.write(nbformat.read(path, 4), pathlib.Path(sys.argv[2], path.name), split_lines=False)
"""
"""Copies notebooks with their outputs as single texts: JupyterLite does not join lists of lines."""


@nox.session
def lite(session: nox.Session) -> None:
    """The notebooks as a JupyterLite site in build/lite, with the wheel for Pyodide if build/release has one."""
    python(session, "--version")
    interpreter = group_environment(session, "lite")
    words = [word for path in (ROOT / "build" / "release").glob("*wasm32.whl") for word in ("--piplite-wheels", path)]
    folder = ROOT / "build" / "lite"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "notebooks").mkdir(parents=True)
    run(session, interpreter, "-c", JOINED, ROOT / "docs" / "notebooks", folder / "notebooks")
    with session.chdir(folder):  # JupyterLite writes a file for itself there
        build = ("build", "--output-dir", "site", "--contents", "notebooks")
        run(session, interpreter, "-m", "jupyterlite_core", *build, *words)
    if not words:
        session.warn("without tilery: there is no wheel for Pyodide in build/release")


@nox.session
def wheel(session: nox.Session) -> None:
    """The wheel: its C++ package, the example that builds against it, the sdist, auditwheel."""
    python(session, "-m", "pytest", "tests/faces/test_wheel.py", *session.posargs)


@nox.session
def sdist(session: nox.Session) -> None:
    """The source distribution, in build/release, and how its README looks on a package index."""
    python(session, "-m", "tests.lab.balance", "check")
    built_from_commit(session)
    run(session, PYTHON, "-m", "build", "--sdist", "--outdir", "build/release")
    run(session, PYTHON, "-m", "twine", "check", "--strict", *(ROOT / "build" / "release").glob("*.tar.gz"))


@nox.session
def wheels(session: nox.Session) -> None:
    """The wheels of this platform for every supported Python, built and tested by cibuildwheel, in build/release."""
    session.run(sys.executable, "-m", "pip", "install", "--quiet", "cibuildwheel>=4.3", external=True)
    built_from_commit(session)
    command = ("-m", "cibuildwheel", "--output-dir", "build/release", *session.posargs)
    session.run(sys.executable, *command, external=True)


def built_from_commit(session: nox.Session) -> None:
    """Files in archives get the time of the commit, so that two builds of it give the same bytes."""
    time = session.run("git", "log", "-1", "--format=%ct", silent=True, external=True)
    os.environ.setdefault("SOURCE_DATE_EPOCH", str(time).strip())


@nox.session
def release(session: nox.Session) -> None:
    """Everything a tag does short of the upload, twice, and each artefact tried: `release -- --dry`."""
    python(session, "-m", "tests.lab.release", *session.posargs)


@nox.session
def cpp(session: nox.Session) -> None:
    """The C++ tests under AddressSanitizer and UndefinedBehaviorSanitizer; `cpp -- GAME OPTION=VALUE`: laws of one."""
    python(session, "--version")
    program = cmake(session, "asan", "tilery_test") / "tilery_test"
    if session.posargs:
        run(session, program, *session.posargs)
    else:
        run(session, program)
        python(session, "-m", "tests.lab.sanitized_laws", program)
        program = cmake(session, "asan", "tilery_hostile") / "tilery_hostile"
        python(session, "-m", "tests.lab.fuzzing", program, "--replay")


@nox.session
def fuzz(session: nox.Session) -> None:
    """libFuzzer over the C table of all games; `fuzz -- --minutes N --game GAME` (tests/lab/fuzzing.py)."""
    need(session, "clang")
    python(session, "--version")
    program = cmake(session, "fuzz", "tilery_fuzz") / "tilery_fuzz"
    python(session, "-m", "tests.lab.fuzzing", program, *session.posargs)


@nox.session
def tidy(session: nox.Session) -> None:
    """clang-tidy: the length of functions in cpp/."""
    need(session, "clang-tidy")
    python(session, "-m", "tests.lab.tidy", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """The benchmarks, also of adapters, in .venv-adapters; further words go to pytest."""
    python(session, "--version")
    cmake(session, "release", "programs")
    environment = group_environment(session)
    run(session, environment, "-m", "pytest", "bench", "-p", "no:xdist", "--benchmark-disable-gc", *session.posargs)


@nox.session
def speed(session: nox.Session) -> None:
    """Games per second against the bare C++ loop and the reference; --write puts the table into bench/README.md."""
    python(session, "--version")
    cmake(session, "release", "programs")
    python(session, "bench/speed.py", *session.posargs)


@nox.session
def search_speed(session: nox.Session) -> None:
    """Simulations of the search against playouts and OpenSpiel's bots; --write puts the table into bench/README.md."""
    python(session, "--version")
    cmake(session, "release", "tilery_search_v3")
    run(session, group_environment(session), "bench/search_speed.py", *session.posargs)


@nox.session
def icount(session: nox.Session) -> None:
    """Instructions per game under callgrind, compared with bench/icount.toml."""
    need(session, "valgrind")
    python(session, "--version")
    # Where the module was built, since there the rules are compiled already. Not if that was with a compiler cache:
    # each source is then compiled alone, which inlines otherwise than the build of a user; counts differ by a tenth.
    caches = (ROOT / "build").glob("cp*/CMakeCache.txt")
    cache = max(caches, key=lambda path: path.stat().st_mtime)
    if "TILERY_UNITY:BOOL=ON" in cache.read_text(encoding="utf-8"):
        folder = cache.parent
        run(session, "cmake", "--build", folder, "--target", "tilery_play_v3")
    else:
        folder = cmake(session, "release", "tilery_play_v3")
    python(session, "bench/icount.py", folder / "tilery_play_v3", *session.posargs)


@nox.session
def icount_aarch64(session: nox.Session) -> None:
    """Instructions per game on AArch64 under QEMU, compared with bench/icount.toml."""
    need(session, "aarch64-linux-gnu-g++", "qemu-aarch64", packages="g++-aarch64-linux-gnu qemu-user")
    python(session, "--version")
    folder = cmake(session, "aarch64", "tilery_play_baseline")
    plugin = folder / "instructions.so"
    run(session, "cc", "-shared", "-fPIC", "-Wall", "-Werror", ROOT / "tests" / "lab" / "instructions.c", "-o", plugin)
    python(session, "bench/icount.py", folder / "tilery_play_baseline", "--plugin", plugin, *session.posargs)


@nox.session
def pace(session: nox.Session) -> None:
    """Games a second relative to the engine of an earlier commit, both run in turn, compared with bench/pace.toml."""
    python(session, "--version")
    today = cmake(session, "release", "tilery_play_v3") / "tilery_play_v3"
    commit = tomllib.loads((ROOT / "bench" / "pace.toml").read_text(encoding="utf-8"))["before"]
    folder = ROOT / "build" / "pace" / commit
    if not (folder / "build" / "tilery_play_v3").exists():
        folder.mkdir(parents=True, exist_ok=True)
        run(session, "git", "archive", f"--output={folder}.tar", commit)
        shutil.unpack_archive(f"{folder}.tar", folder)
        settings = ("-DTILERY_PYTHON=OFF", "-DTILERY_BASELINE=OFF", "-DCMAKE_BUILD_TYPE=Release", "--log-level=WARNING")
        run(session, "cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", *settings)
        run(session, "cmake", "--build", folder / "build", "--target", "tilery_play_v3")
    python(session, "bench/pace.py", today, folder / "build" / "tilery_play_v3", *session.posargs)


@nox.session
def campaign(session: nox.Session) -> None:
    """Compare engine and reference at length, or send invalid bytes to the engine (tests/lab/campaign.py)."""
    if "forged" in session.posargs:
        python(session, "--version")
        cmake(session, "release", "tilery_hostile")
    python(session, "-m", "tests.lab.campaign", *session.posargs)


@nox.session
def pictures(session: nox.Session) -> None:
    """Record the drawings that tests compare with, and draw those of the documentation (tests/lab/pictures.py)."""
    python(session, "-m", "tests.lab.pictures", *session.posargs)


@nox.session
def platforms(session: nox.Session) -> None:
    """The same games by other compilers, levels of optimisation and processors (tests/lab/platforms.py)."""
    python(session, "-m", "tests.lab.platforms", *session.posargs)


@nox.session
def mutants(session: nox.Session) -> None:
    """Break rules, `engine` or `python` by single tokens: `mutants -- GAME --count 150` (tests/lab/mutants.py)."""
    python(session, "-m", "tests.lab.mutants", *session.posargs)


@nox.session
def threads(session: nox.Session) -> None:
    """Simulations, batches and searches on several threads under ThreadSanitizer."""
    python(session, "--version")
    program = cmake(session, "tsan", "tilery_test") / "tilery_test"
    python(session, "-m", "tests.lab.sanitized_laws", program, "--threads", *session.posargs)


@nox.session
def soak(session: nox.Session) -> None:
    """Make, copy, serialize, refuse and search states by the million; the memory stays flat (tests/lab/soak.py)."""
    python(session, "-m", "tests.lab.soak", *session.posargs)


@nox.session
def honest(session: nox.Session) -> None:
    """Coverage of intervals and error rates of tests, exact or by simulation (tests/lab/honest.py)."""
    python(session, "-m", "tests.lab.honest", *session.posargs)


@nox.session
def debug(session: nox.Session) -> None:
    """The quick tests in a debug build of Python, on an engine with assertions; further words go to pytest."""
    need(session, "python3.11-dbg")
    python(session, "--version")
    definitions = ["CMAKE_CXX_FLAGS=-O1 -DTILERY_NO_FLATTEN -D_GLIBCXX_ASSERTIONS", "CMAKE_CXX_FLAGS_DEBUG="]
    settings = ["cmake.build-type=Debug", *(f"cmake.define.{one}" for one in ("TILERY_V2=OFF", *definitions))]
    interpreter = other_python(session, "python3.11-dbg", "debug", settings)
    tested = session.posargs or [f"tests/{part}" for part in ("laws", "games", "recorded", "search", "faces")]
    run(session, interpreter, "-X", "dev", "-m", "pytest", "-q", "-m", "not slow", *tested)


@nox.session
def pythons(session: nox.Session) -> None:
    """The build and quick tests on every supported Python of this machine but that of .venv; words go to pytest."""
    python(session, "--version")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    minors = [kind.rpartition(" ")[2] for kind in project["classifiers"] if "Python :: 3." in kind]
    tested = session.posargs or [f"tests/{part}" for part in ("laws", "games", "recorded", "search", "runs")]
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = [(minor, path) for minor in minors if minor != own and (path := working(f"python{minor}"))]
    if not found:
        session.skip(f"needs another Python than {own}, one of {', '.join(minors)}")
    for minor, path in found:
        interpreter = other_python(session, path, minor, [])
        run(session, interpreter, "-m", "pytest", "-q", "-m", "not slow", *tested)


def working(program: str) -> str | None:
    """The path of a program that runs; version managers have names for programs that do not."""
    path = shutil.which(program)
    if path is None or subprocess.run([path, "--version"], capture_output=True, check=False).returncode:
        return None
    return path


def other_python(session: nox.Session, program: str, name: str, settings: list[str]) -> Path:
    """Install tilery in .venv-NAME with this Python, compiled in build/NAME; returns the Python there.

    settings: of the build.
    """
    folder = ROOT / f".venv-{name}"
    interpreter = folder / PYTHON.relative_to(ROOT / ".venv")
    if not interpreter.exists():
        run(session, program, "-m", "venv", "--without-pip", folder)
    pip = (PYTHON, "-m", "pip", "--disable-pip-version-check", "--python", interpreter, "install", "--quiet")
    run(session, *pip, "--group", "build", "hypothesis", "mypy", "numpy", "pytest", "scipy")
    words = [f"--config-settings={one}" for one in (f"build-dir={ROOT / 'build' / name}", *settings)]
    run(session, *pip, "--no-build-isolation", *words, ".[cli,match]")
    return interpreter


@nox.session
def balance(session: nox.Session) -> None:
    """Make docs/balance.md anew: play what is missing, and write it (tests/lab/balance.py)."""
    for word in ("play", "write"):
        python(session, "-m", "tests.lab.balance", word)


@nox.session
def record(session: nox.Session) -> None:
    """Record fingerprints, path counts and golden games (tests/lab/record.py)."""
    python(session, "-m", "tests.lab.record", *session.posargs)


if __name__ == "__main__":
    nox.main()
