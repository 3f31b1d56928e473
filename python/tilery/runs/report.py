"""Reports: what runs say, as tables and as one HTML page that needs nothing else.

Figures come from matplotlib and the page from Jinja2, the extra `tilery[plot]`.
"""

from __future__ import annotations

import base64
import html
import io
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

import tilery
from tilery.errors import WeightsError
from tilery.extras import imported
from tilery.files import shipped
from tilery.pictures import size_of, steps
from tilery.policies import Champion
from tilery.runs import worth
from tilery.runs.shards import Run, RunError
from tilery.runs.sources import Sample, sample
from tilery.runs.summary import ROW, Distribution, Summary, mean_of
from tilery.tables import Table

SAMPLE = 1000
"""Games played again at most."""

SHARDS_OF_SAMPLE = 20
"""Shards' worth of games played again at most: about as many seconds."""

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#b8a200")
"""Of seats and sources: told apart also by people who see red and green alike (Okabe and Ito)."""

INCHES = (4.6, 3.1)


class Figure(NamedTuple):
    """A drawing, as an address that holds it."""

    title: str
    caption: str
    source: str
    width: int
    height: int


@dataclass
class Section:
    """The report of one run."""

    heading: str
    at_random: bool
    facts: list[tuple[str, str]]
    tables: list[Table]
    figures: list[Figure] = field(default_factory=list)
    games: list[tuple[str, str]] = field(default_factory=list)
    """Of games to look at a heading, and an HTML page that shows them step by step."""


def sample_of(
    run: Run,
    games: int | None = None,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
    luck: int = 0,
) -> Sample:
    """Play some games of a run again, the first ones: `games`, or by default as many as take about half a minute.

    luck: in how many of them the luck of the draws is judged.
    """
    of_run = run.plan
    with suppress(WeightsError):  # loads what is shipped, which runs name by its hash
        Champion().resolved(of_run.game)
    most = min(SAMPLE, SHARDS_OF_SAMPLE * of_run.shard) if games is None else games
    return sample(run.game, min(of_run.games, most), luck=luck, **of_run.options(threads, progress))


def section(run: Run, found: Sample) -> Section:
    """Tables of a run and of its sample. Raises `RunError` for a run without a shard."""
    summary, of_run = run.summary(), run.plan
    if not summary.seats:
        raise RunError(f"{run.path} has no shard yet")
    facts = [
        ("games", f"{summary.games:,}" + ("" if summary.games == of_run.games else f" of {of_run.games:,}")),
        ("policies", " - ".join(of_run.policies) + (", rotated" if of_run.rotate else "")),
        ("seed", f"{of_run.seed}" + (f", from game {of_run.first:,}" if of_run.first else "")),
        *([("wins", "who has the fewest points")] if run.game.fewest_points_win else []),
        ("rules", ", ".join(f"{name}={_short(value)}" for name, value in of_run.rules.items())),
        ("tilery", of_run.tilery),
        (
            "a game again",
            "the command that played the run, without --out, with --first GAME --games 1 --records FILE.jsonl",
        ),
    ]
    examples = [
        [name, f"{of_run.first + at}", " ".join(map(str, found.scores[at]))]
        for name, at in _examples(run, found).items()
    ]
    return Section(
        heading=f"{run.path.name}: {of_run.game}, {run.game.num_players} players",
        at_random=set(of_run.policies) == {"random"},
        facts=facts,
        tables=[
            summary.table("Wins and scores", of_run.policies),
            _lengths(summary, found),
            _points(found),
            *worth.tables(found, run.game),
            _phases(found),
            Table("Games to look at", ["", "game", "points"], examples),
        ],
    )


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else "custom"


def _lengths(summary: Summary, found: Sample) -> Table:
    leads = Distribution()
    leads.add(np.array(found.lead_changes))
    rows = [
        ["games with a shared win", f"{100 * summary.ties:.2f} %", *[""] * 5],
        [f"changes of the leader in points, first {found.games:,} games", *leads.row()],
        ["winner's lead, points", *summary.margin.row()],
        ["decisions in a game", *summary.decisions.row()],
        ["actions in a game, chance included", *summary.actions.row()],
    ]
    return Table("Margins and lengths", ["", "mean", *ROW], rows)


def _points(found: Sample) -> Table:
    """By source: each seat, and what winners have more than the mean of the others, game by game."""
    won = np.array(found.winners)
    decided = ~won.all(axis=1)
    sides = won[decided], ~won[decided]
    rows = []
    for source in [*found.points_per_game(), None]:
        points = found.of_source(source)
        ours, theirs = (np.average(points[decided], axis=1, weights=side) for side in sides)
        columns = [*points.T, ours, theirs, ours - theirs]
        rows.append([source or "all", *(mean_of(each) if len(each) else "-" for each in columns)])
    seats = [f"seat {seat}" for seat in range(found.seats)]
    title = f"Where points come from, with 95% sampling intervals: the first {found.games:,} games"
    return Table(title, ["", *seats, "winners", "others", "more by"], rows, (len(rows) - 1,))


def _examples(run: Run, found: Sample) -> dict[str, int]:
    """Games to look at, by their number in the sample."""
    ordered = np.sort(np.array(found.scores), axis=1)
    lead = ordered[:, 1] - ordered[:, 0] if run.game.fewest_points_win else ordered[:, -1] - ordered[:, -2]
    return {
        "closest": int(lead.argmin()),
        "greatest lead": int(lead.argmax()),
        "most changes of the leader": int(np.argmax(found.lead_changes)),
    }


def games(run: Run, found: Sample) -> list[tuple[str, str]]:
    """The games to look at, as headings and pages, a game only once."""
    pages = {at: f"{name}: game {run.plan.first + at}" for name, at in _examples(run, found).items()}
    return [(heading, steps(found.records[at])) for at, heading in pages.items()]


def _phases(found: Sample) -> Table:
    rows = [[name, f"{mean:.1f}", f"{often:.1f}"] for name, (mean, often) in found.branching_by_phase().items()]
    title = f"Legal actions by phase: mean of the first {found.games:,} games"
    return Table(title, ["", "legal actions", "decisions in a game"], rows)


def figures(run: Run, found: Sample) -> list[Figure]:
    """The figures of a run. Raises `ImportError` without matplotlib."""
    summary, players = run.summary(), run.game.num_players
    seats = [f"seat {seat}" for seat in range(players)]
    sample_games = f"the first {found.games:,} games, played again"

    def wins(axes: Any) -> None:
        axes.axvline(100 / players, color="#999", linewidth=0.8, linestyle="--")
        for seat, side in enumerate(summary.seats):
            low, high = side.win_share_95
            apart = [[max(0.0, 100 * (side.win_share - low))], [max(0.0, 100 * (high - side.win_share))]]
            axes.errorbar(100 * side.win_share, seat, xerr=apart, fmt="o", color=COLOURS[seat], capsize=4, markersize=5)
        axes.set_yticks(range(players), seats)
        axes.set(ylim=(players - 0.5, -0.5), xlabel="share of the wins, %")

    def scores(axes: Any) -> None:
        for seat, side in enumerate(summary.seats):
            _steps(axes, side.score, COLOURS[seat], seats[seat], summary.seats[0].score)
        axes.set(xlabel="points", ylabel="games, %")
        axes.legend(frameon=False)

    def branching(axes: Any) -> None:
        means = found.branching_by_tenth()
        axes.bar(np.arange(len(means)) * 10 + 5, means, width=9, color=COLOURS[0])
        axes.set(xlabel="part of the game, % of its decisions", ylabel="legal actions")

    drawn: list[tuple[str, str, Callable[[Any], None]]] = [
        ("Win share by seat", "with 95% intervals; the line is an equal share", wins),
        ("Score distribution", "by seat", scores),
        ("Winner's lead", "over the next seat, in points", lambda axes: _single(axes, summary.margin, "points")),
        ("Length of a game", "decisions by players", lambda axes: _single(axes, summary.decisions, "decisions")),
        ("Legal actions at a decision", sample_games, branching),
        ("Where points come from", sample_games, lambda axes: _stacked(axes, found.points_per_game(), seats)),
    ]
    return [*(_drawn(*each) for each in drawn), *([_heat(found)] if 'data-spot="' in found.board else [])]


def _heat(found: Sample) -> Figure:
    """The board, its places the redder the more points they were for."""
    most = max(found.places.values())

    def coloured(match: re.Match[str]) -> str:
        share = found.places[html.unescape(match[1])] / most
        return f'{match[0]} fill="#c00000" fill-opacity="{0.85 * share:.3f}"'

    drawing = re.sub(r'data-spot="([^"]*)"', coloured, found.board)
    source = "data:image/svg+xml;base64," + base64.b64encode(drawing.encode()).decode("ascii")
    title = "Where on the board points are made"
    caption = f"{title}: {most / found.games:.1f} points a game at the reddest place, the first {found.games:,} games"
    return Figure(title, caption, source, *size_of(found.board))


def _steps(axes: Any, counted: Distribution, colour: str, label: str, like: Distribution) -> None:
    """Draw a distribution as an outline, in bars of a width of which another has at most 60."""
    width = max(1, -(-(like.quantile(0.999) - like.quantile(0.001) + 1) // 60))
    values, counts = (np.array(each) for each in zip(*counted.items(), strict=True))
    bars = np.bincount(values // width - values.min() // width, weights=counts)
    left = (values.min() // width + np.arange(len(bars) + 1)) * width - 0.5
    share = 100 * bars / counted.count
    axes.stairs(share, left, color=colour, label=label, linewidth=1.4)
    axes.stairs(share, left, color=colour, fill=True, alpha=0.12)


def _single(axes: Any, counted: Distribution, what: str) -> None:
    _steps(axes, counted, COLOURS[0], "", counted)
    axes.set(xlabel=what, ylabel="games, %")
    axes.xaxis.get_major_locator().set_params(integer=True)
    if counted.min == counted.max:
        axes.set_xlim(counted.min - 3, counted.max + 3)


def _stacked(axes: Any, points: dict[str, list[float]], seats: list[str]) -> None:
    """Draw a bar for each seat, with a part for each source; sources that cost points go to the left."""
    above, below = np.zeros(len(seats)), np.zeros(len(seats))
    for number, (name, by_seat) in enumerate(points.items()):
        values = np.array(by_seat)
        begin = np.where(values < 0, below, above)
        colour = COLOURS[number % len(COLOURS)]
        axes.barh(seats, values, left=begin, height=0.62, color=colour, label=name)
        above += np.maximum(values, 0)
        below += np.minimum(values, 0)
    axes.invert_yaxis()
    axes.set_xlabel("points in a game")
    axes.legend(frameon=False, fontsize=8, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.2))


def _drawn(title: str, caption: str, draw: Callable[[Any], None]) -> Figure:
    """Draw one figure as SVG, the same for the same data."""
    matplotlib = imported("matplotlib", "plot", "figures")
    figure_module = imported("matplotlib.figure", "plot", "figures")
    with matplotlib.rc_context({"svg.hashsalt": title, "svg.fonttype": "path", "font.size": 9.5}):
        figure = figure_module.Figure(figsize=INCHES, layout="constrained")
        axes = figure.add_subplot()
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_title(title, loc="left", fontsize=11)
        draw(axes)
        file = io.BytesIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    source = "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode("ascii")
    return Figure(title, caption, source, *(round(96 * each) for each in INCHES))


def page(sections: Sequence[Section]) -> str:
    """The HTML of a report. Raises `ImportError` without Jinja2."""
    jinja2 = imported("jinja2", "plot", "pages")
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string(shipped("runs", "report.html"))
    title = sections[0].heading if len(sections) == 1 else f"{len(sections)} runs"
    written: str = template.render(title=title, runs=sections, version=tilery.__version__)
    return written + "\n"
