"""Reports: tables that say what the results say, and a page that opens in a browser and needs nothing else."""

from __future__ import annotations

import importlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import tilery
from tests.kit.games import GAMES
from tests.kit.web import content_of
from tilery.cli import main
from tilery.options import declared
from tilery.runs import report, worth
from tilery.runs.report import sample_of, section
from tilery.runs.shards import Run, plan
from tilery.runs.sources import Sample
from tilery.runs.summary import Distribution
from tilery.statistics import over_others


def run_of(path: Path, name: str, games: int = 40, **options: Any) -> Run:
    run = Run.start(path, plan(tilery.load(name, **options), games, seed=3, shard=30, files="npz"))
    run.work()
    return run


def needs_plot() -> None:
    for module in ("matplotlib", "jinja2"):
        pytest.importorskip(module, reason=f"needs {module}: pip install 'tilery[plot]'")


class Tags(HTMLParser):
    """The tags of a page with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in {"meta", "link", "img"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_page_is_called_like_its_run_or_after_their_number() -> None:
    pytest.importorskip("jinja2")
    sections = [report.Section(f"run {number}", True, [], []) for number in range(2)]
    for several, title in ((sections[:1], "run 0"), (sections, "2 runs")):
        assert f"<title>{title}, report of tilery</title>" in report.page(several)


def test_the_tables_are_those_of_the_results(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", "toy")
    results = tilery.simulate(tilery.load("toy"), 40, seed=3)
    found = section(run, sample_of(run))
    wins, lengths, points, phases, examples = found.tables
    summary = tilery.summary(results)
    assert wins.rows[1][:2] == ["seat 1", f"{100 * summary.seats[1].win_share:.2f} %"]
    assert wins.rows[0][-1] == f"{results['scores'][:, 0].min()} .. {results['scores'][:, 0].max()}"
    assert lengths.rows[3][1] == f"{results['num_decisions'].mean():.2f}"
    scores, won = results["scores"], results["returns"] > 0
    assert [cell.split(" ")[0] for cell in points.rows[-1][1:3]] == [f"{mean:.2f}" for mean in scores.mean(axis=0)]
    decided = won.any(axis=1)
    more = (scores[decided][won[decided]] - scores[decided][~won[decided]]).mean()
    assert points.rows[-1][-1].split(" ")[0] == f"{more:.2f}"
    apart = np.abs(scores[:, 0] - scores[:, 1])
    assert examples.rows[1][1:] == [f"{apart.argmax()}", " ".join(map(str, scores[apart.argmax()]))]
    assert [row[0] for row in phases.rows] == ["play"]
    assert all(len(row) == len(table.head) for table in found.tables for row in table.rows)
    assert found.at_random


@pytest.mark.parametrize("name", GAMES)
def test_places_and_actions_are_counted_once(name: str, tmp_path: Path) -> None:
    found = sample_of(run_of(tmp_path / "run", name), 10)
    results, records = tilery.simulate(tilery.load(name), 10, seed=3, records=True)
    placed = 0
    for line in records:
        state = tilery.load(name).new_initial_state()
        for token in line.split():
            events = state.score_events(state.string_to_action(token))
            placed += sum(abs(event["points"]) for event in events if event["on"])
            state.apply_action(state.string_to_action(token))
    assert sum(found.places.values()) == pytest.approx(placed)
    kinds = [sum(len(each) for (_, what), each in game.items() if not what) for game in found.done]
    assert kinds == results["num_decisions"].tolist()
    assert ('data-spot="' in found.board) == (name != "toy")


def test_a_planted_worth_and_a_planted_share_of_luck_are_found() -> None:
    rng = np.random.default_rng(3)
    count, luck = rng.integers(0, 4, (400, 3)).astype(float), rng.normal(size=(400, 1))
    leads = over_others(2 * count + rng.normal(size=(400, 3)) + [5, 0, 0])
    found = worth.worth(leads, count)
    assert found is not None
    assert abs(found.points - 2) < found.half < 0.2
    assert worth.worth(leads, count, np.zeros(400)) == pytest.approx(found)
    assert found.half == pytest.approx(1.96593 * found.error, rel=1e-5)  # of Student's t with 399 degrees of freedom
    assert found.p < 1e-9
    assert found.games_for(found.half) == 400
    share = worth.share_of_luck(luck + rng.normal(size=(400, 1)), luck)
    assert share is not None
    assert share[1] < 0.5 < share[2] < 0.65
    # Fisher's transformation of a correlation has a standard error of 1 / sqrt(n - 3).
    assert np.diff(np.arctanh(np.sqrt(share[1:]))) / 2 == pytest.approx(1.96593 / math.sqrt(397), rel=0.2)
    assert worth.worth(over_others(count), np.ones((400, 3))) is None
    assert worth.worth(over_others(count[:20]), count[:20]) is None
    assert worth.share_of_luck(luck, np.zeros((400, 1))) is None
    assert worth.share_of_luck(luck, np.eye(400, 1)) is None  # without its only game with luck there is none


@pytest.mark.parametrize("name", GAMES)
def test_what_goes_along_with_a_lead_has_a_name(name: str, tmp_path: Path) -> None:
    run, names = run_of(tmp_path / "run", name), declared(name, "NAMES", {})
    found = sample_of(run)
    things = {each for done in found.done for each in done}
    assert names.keys() <= {f"{kind} {what}" for kind, what in things}
    rows = {row[0] for table in worth.tables(found, run.game) if "worth" in table.head for row in table.rows}
    assert rows or not names
    assert not rows & (names.keys() | {kind for kind, what in things if what})


def sample_with_luck(rng: np.random.Generator, games: int) -> tuple[Sample, list[npt.NDArray[np.float64]]]:
    """Games of 20 draws after each of which a seat that had luck is likelier to act; an action brings a point."""
    found, luck = Sample(2), [rng.normal(size=(20, 2)) for _ in range(games)]
    for given in luck:
        acts = [(draw + 1, seat) for draw, seat in np.argwhere(given + rng.normal(size=(20, 2)) > 1).tolist()]
        found.done.append({("act", ""): acts})
        found.by_game.append({})
        found.scores.append([100 * given[:, seat].sum() + 100 * sum(s == seat for _, s in acts) for seat in (0, 1)])
    return found, luck


def test_luck_as_a_control_variate_narrows_intervals_and_moves_nothing() -> None:
    """Even where luck leads to what is regressed on, and so is a part of its worth."""
    rng, estimates = np.random.default_rng(5), []
    for _ in range(100):
        found, luck = sample_with_luck(rng, 60)
        leads, count = over_others(found.of_source(None)), found.counts(("act", ""))
        control = worth.control_of(found, ("act", ""), [over_others(each) for each in luck])
        with_luck, without = worth.worth(leads, count, control), worth.worth(leads, count)
        assert with_luck is not None
        assert without is not None
        estimates.append((with_luck.points, without.points, control.mean(), with_luck.error, without.error))
    mean, error = np.mean(estimates, axis=0), np.std(estimates, axis=0) / math.sqrt(len(estimates))
    moved = np.array([a - b for a, b, *_ in estimates])
    assert abs(moved.mean()) < 4 * moved.std() / math.sqrt(len(moved)) + 0.01 * mean[1]
    assert mean[1] > 130  # much more than the 100 points of an action
    assert abs(mean[2]) < 4 * error[2]
    assert np.std(estimates, axis=0)[0] < 0.95 * np.std(estimates, axis=0)[1]
    assert abs(mean[3] / np.std(estimates, axis=0)[0] - 1) < 0.25  # the error is that of the estimates


def test_luck_is_judged_where_that_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_of(tmp_path / "run", "toy", games=30)
    assert main(["report", str(tmp_path / "run"), "--luck", "30", "--no-page", "--threads", "1"]) == 0
    printed = capsys.readouterr().out
    assert "Luck of the draws: the first 30 games" in printed
    assert re.search(r"seat 1( +-?[\d.]+ ±[\d.]+){2}( +[\d.]+){2} +\d+ % \(\d+ to \d+\)", printed)


def test_a_report_of_networks_has_figures_over_rungs(tmp_path: Path) -> None:
    """In a process that has not loaded the networks, which the run names by their hash."""
    name = next(name for name in tilery.games() if tilery.load(name).fewest_points_win)
    run = Run.start(tmp_path / "run", plan(tilery.load(name), 4, policies="nn", files="npz"))
    run.work()
    words = ["report", str(run.path), "--no-page", "--rungs", "1,2"]
    code = f"import sys, tilery.cli; sys.exit(tilery.cli.main({words!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    assert "wins: who has the fewest points" in done.stdout
    assert "moved from rung 1 to 2" in done.stdout
    assert "per 100 Elo" in done.stdout


def test_the_sample_of_slow_policies_is_smaller(tmp_path: Path) -> None:
    run = Run.start(tmp_path / "run", plan(tilery.load("toy"), 500, shard=2, files="npz"))
    assert sample_of(run).games == 40
    assert sample_of(run, 7).games == 7


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_page_needs_nothing_else(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs_plot()
    run_of(tmp_path / "a & <b>", name, 40, players=3)
    page = tmp_path / "page.html"
    command = ["report", str(tmp_path / "a & <b>"), "--page", str(page), "--sample", "5"]
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert (err, out.count("Where points come from")) == ("", 1)
    text = page.read_text(encoding="utf-8")
    read = Tags(text)
    assert f"a & <b>: {name}, 3 players" in read.text
    sources = [attributes["src"] for tag, attributes in read.tags if tag == "img"]
    assert len(sources) == (6 if name == "toy" else 7)
    assert all(str(source).startswith("data:image/svg+xml;base64,") for source in sources)
    assert not [tag for tag, _ in read.tags if tag in {"script", "object"}]
    frames = [attributes for tag, attributes in read.tags if tag == "iframe"]
    assert 1 <= len(frames) <= 3
    assert all("src" not in each and len(content_of(str(each["srcdoc"]))["positions"]) > 1 for each in frames)
    assert not re.search(r"(?:src|href)=\"(?!data:)|@import|url\(", text)
    before = page.read_bytes()
    assert main([*command, "--overwrite"]) == 0
    assert page.read_bytes() == before


def test_unfinished_and_rotated_runs_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = plan(tilery.load("toy"), 90, shard=30, files="npz", policies=["greedy", "random"], rotate=True)
    run = Run.start(tmp_path / "run", chosen)
    run.work()
    run.path_of(2).unlink()
    assert main(["report", str(run.path), "--no-page", "--json"]) == 0
    (content,) = json.loads(capsys.readouterr().out)
    assert [row[0] for row in content["tables"][0]["rows"]] == ["seat 0", "seat 1", "greedy", "random"]
    assert main(["report", str(run.path), "--no-page"]) == 0
    out = capsys.readouterr().out
    assert "games: 60 of 90" in out
    assert "choose at random" not in out


def test_wrong_reports_are_sentences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(tmp_path / "run", "toy")
    thesis = tmp_path / "thesis.html"
    thesis.write_text("<p>my thesis")
    Run.start(tmp_path / "empty", plan(tilery.load("toy"), 9, files="npz"))
    (run.path_of(1)).write_bytes(b"x")
    monkeypatch.chdir(tmp_path)
    for arguments, sentence in (
        (["run", "--page", "thesis.html"], "thesis.html exists; name a new file, or add --overwrite"),
        (["run", "--page", "run"], "run: it is a directory"),
        (["none"], "none is not the directory of a run"),
        (["empty"], "empty has no shard yet"),
        (["run", "--no-page"], "games-000001.npz is damaged"),
        (["run", "--sample", "0"], "--sample must be at least 1"),
    ):
        assert main(["report", *arguments]) == 2
        err = capsys.readouterr().err
        assert sentence in err
        assert err.count("\n") == 1
    assert thesis.read_text() == "<p>my thesis"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["empty", "run", "thesis.html"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_page_is_not_written_to_a_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs_plot()
    run = run_of(tmp_path / "run", "toy")
    os.mkfifo(tmp_path / "page.html")
    assert main(["report", str(run.path), "--page", str(tmp_path / "page.html")]) == 2
    assert "page.html: it is a pipe that nobody reads" in capsys.readouterr().err


def test_a_missing_extra_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(tmp_path / "run", "toy")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    assert main(["report", str(run.path)]) == 2
    assert "figures need the extra: pip install 'tilery[plot]'" in capsys.readouterr().err
    assert main(["report", str(run.path), "--no-page"]) == 0


@pytest.fixture
def chromium() -> Iterator[Any]:
    """Headless Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("needs chromium (Debian: apt-get install chromium)")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.mark.slow
@pytest.mark.parametrize("width", [400, 1400])
def test_the_page_opens_in_a_browser(width: int, chromium: Any, tmp_path: Path) -> None:
    """Every figure is drawn, nothing is wider than the window, no text is small, and the console is silent."""
    needs_plot()
    for name in GAMES:
        run_of(tmp_path / name, name)
    runs = [str(tmp_path / name) for name in GAMES]
    assert main(["report", *runs, "--page", str(tmp_path / "page.html"), "--sample", "3"]) == 0
    window = chromium.new_page(viewport={"width": width, "height": 900})
    messages: list[str] = []
    window.on("console", lambda message: messages.append(message.text))
    window.on("pageerror", lambda error: messages.append(str(error)))
    window.on("request", lambda request: request.url.startswith(("file:", "data:")) or messages.append(request.url))
    window.goto((tmp_path / "page.html").as_uri())
    window.wait_for_load_state("load")
    images = window.evaluate(
        "[...document.images].map(i => [i.complete && i.naturalWidth > 0, i.getBoundingClientRect().width])"
    )
    assert messages == []
    assert len(images) == 7 * len(GAMES) - 1  # the toy has no board
    assert all(drawn and 300 <= wide <= width for drawn, wide in images)
    assert window.evaluate("document.documentElement.scrollWidth") <= width
    sizes = window.evaluate(
        "[...document.querySelectorAll('p,td,th,dd,dt,figcaption')].map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) >= 12
    window.emulate_media(media="print")
    window.set_viewport_size({"width": 660, "height": 900})  # A4 less the margins of a browser
    rights = window.evaluate("[...document.querySelectorAll('table')].map(e => e.getBoundingClientRect().right)")
    assert max(rights) <= 660


def test_charts_show_every_game_and_every_source() -> None:
    needs_plot()
    axes, stacked = importlib.import_module("matplotlib.figure").Figure().subplots(2)
    scores = Distribution()
    scores.add(np.repeat(np.arange(-20, 220), 3))
    report._single(axes, scores, "points")
    outline, filled = axes.patches
    for shares, edges, _ in (outline.get_data(), filled.get_data()):
        assert sum(shares) == pytest.approx(100)
        assert len(shares) == 60
        assert (edges[0], edges[-1]) == (-20.5, 219.5)
    constant = Distribution()
    constant.add(np.full(5, 7))
    report._single(axes, constant, "points")
    assert axes.get_xlim() == (4, 10)
    report._stacked(stacked, {"tiles": [3.0, 1.0], "sales": [-2.0, -4.0], "gaps": [1.0, 5.0]}, ["seat 0", "seat 1"])
    parts = [(bar.get_x(), bar.get_width()) for bar in stacked.patches]
    assert parts == [(0, 3), (0, 1), (0, -2), (0, -4), (3, 1), (1, 5)]
