"""The study of docs/balance.md: every game and number of players under two policies, and house rules one by one.

    python bench/study.py play [--folder build/study] [--seconds 180] [--house 30] [--games 1000] [--rows ROW...]
    python bench/study.py write [--folder build/study] [--seconds 180]

`play` simulates into the folder and continues where it was interrupted. The policy of a row, a game with a number of
players, is `mcts:N` with the greatest N whose `--games` games take at most `--seconds` seconds of processor time, by a
short measurement. With 180 the up to four rows of a game together take at most six minutes on two cores. `--house` is
the time for each house rule, 0 for none. `write` makes docs/balance.md and its figures from the rows that were played
with this time; those with more are shown apart.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

import tilery
from tilery.extras import imported
from tilery.runs.shards import Run
from tilery.runs.summary import Summary

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "balance.md"
SEED = 20260
AT_RANDOM = 1_000_000
"""Games at random of a row."""

PAIRS_AT_RANDOM = 200_000
"""Pairs of games at random for a house rule."""

HOUSE = "carcassonne"
"""The game whose options are changed one by one."""

HOUSE_RULES: list[dict[str, Any]] = [
    {"tiles": "base"},
    {"farmers": False},
    {"first_player": "most_roads"},
    {"hand_size": 1},
    {"hand_size": 3},
    {"hand_size": 3, "hands": "open"},
    {"start_tile_in_bag": True},
    {"unplaceable": "return"},
    {"trees_end_roads": False},
    {"tile_sale": True},
    {"gap_bonus": True},
    {"score_unfinished": False},
    {"final_meeples": "home"},
    {"table": [-4, -4, 4, 4]},
    {"table": [-4, -4, 4, 4], "edge_closes": True},
]

COLOURS = ("#0072b2", "#d55e00")


@dataclass(frozen=True)
class Row:
    """A game and its options."""

    name: str
    game: str
    options: dict[str, Any]

    def load(self) -> Any:
        return tilery.load(self.game, **self.options)

    def command(self, path: Path, policy: str, games: int) -> list[str]:
        """The run of this row in a directory."""
        words = ["simulate", self.game, "--players", str(self.options["players"])]
        for option, value in self.options.items():
            if option != "players":
                words += ["--set", f"{option}={json.dumps(value) if not isinstance(value, str) else value}"]
        return [*words, "--policy", policy, "--games", str(games), "--seed", str(SEED), "--out", str(path)]


def rows() -> list[Row]:
    """Every game with every number of players: two first, then the most, then the others."""
    found = []
    for name in tilery.games():
        players = tilery.options(name)["players"]
        low, high = players.low or 2, players.high or 2
        for number in range(low, high + 1):
            found.append(((number > low, number < high), Row(f"{name}-{number}", name, {"players": number})))
    return [row for _, row in sorted(found, key=lambda pair: pair[0])]


def house_rows() -> list[Row]:
    """The game for two at its defaults, and with each house rule."""
    known = {option for rules in HOUSE_RULES for option in rules}
    assert known == tilery.options(HOUSE).keys() - {"players"}, "an option is missing from HOUSE_RULES"
    changed = [Row(f"house-{number}", HOUSE, {"players": 2, **rules}) for number, rules in enumerate(HOUSE_RULES)]
    return [Row("house-none", HOUSE, {"players": 2}), *changed]


class Notes:
    """What the runs themselves do not hold: the policies that were chosen, and processor time."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "notes.json"
        folder.mkdir(parents=True, exist_ok=True)
        self.content: dict[str, Any] = json.loads(self._path.read_text()) if self._path.exists() else {}

    def keep(self, key: str, value: Any) -> None:
        self.content[key] = value
        part = self._path.with_suffix(".part")
        part.write_text(json.dumps(self.content, indent=1))
        part.replace(self._path)


def run_tilery(words: list[str]) -> str:
    """Run a command of tilery in a process; returns what it printed."""
    ended = subprocess.run([sys.executable, "-m", "tilery", *words], stdout=subprocess.PIPE, text=True, check=True)
    return ended.stdout


def strongest(game: Any, seconds: float) -> str:
    """`mcts:N` with the greatest N of 25, 50, 100, ... whose games take at most so many seconds of one core.

    Measured in two steps of 16 games.
    """

    def cost(simulations: int) -> float:
        began = time.process_time()
        tilery.simulate(game, 16, seed=SEED + 1, policies=f"mcts:{simulations}", threads=1)
        return (time.process_time() - began) / 16

    simulations = 100
    for _ in range(2):
        fit = simulations * seconds / cost(simulations)
        simulations = 25 * 2 ** max(0, math.floor(math.log2(fit / 25)))
    return f"mcts:{simulations}"


def play_row(folder: Path, notes: Notes, row: Row, policy: str, games: int) -> Path:
    """Play what is missing of a row under a policy, and note the processor time."""
    path = folder / f"{row.name}-{policy.replace(':', '-')}"
    run = Run.open(path) if (path / "manifest.json").exists() else None
    if run is not None and len(run.finished()) == run.shards:
        return path
    before = sum(map(run.games_in, run.finished())) if run else 0
    began = os.times()
    run_tilery(row.command(path, policy, games))
    ended = os.times()
    used = ended.children_user + ended.children_system - began.children_user - began.children_system
    notes.keep(f"{path.name} seconds", used * games / (games - before))
    print(f"{path.name}: {games:,} games, {used:.0f} s of processor time", flush=True)
    return path


def chosen(notes: Notes, row: Row, seconds: float, games: int) -> str:
    """The policy of a row for this time, measured once."""
    key = f"{row.name} in {seconds:g} s"
    if key not in notes.content:
        notes.keep(key, strongest(row.load(), seconds / games))
    return str(notes.content[key])


def play(folder: Path, seconds: float, house: float, games: int, names: list[str] | None) -> None:
    """Play what is missing."""
    notes = Notes(folder)
    for row in rows():
        if not names or row.name in names:
            play_row(folder, notes, row, "random", AT_RANDOM)
            play_row(folder, notes, row, chosen(notes, row, seconds, games), games)
            match(notes, row, chosen(notes, row, seconds, games), games)
    if house:
        play_house(folder, notes, house, games)


def match(notes: Notes, row: Row, policy: str, games: int) -> None:
    """Let a policy play for two against `greedy`, a tenth as many games."""
    key = f"{row.name} {policy} : greedy"
    if row.options["players"] == 2 and key not in notes.content:
        words = ["match", row.game, policy, "greedy", "--players", "2", "--games", str(games // 10)]
        notes.keep(key, json.loads(run_tilery([*words, "--seed", str(SEED + 2), "--json"])))
        print(key, flush=True)


def play_house(folder: Path, notes: Notes, seconds: float, games: int) -> None:
    """Play each house rule, and compare it with the game at its defaults."""
    plain, *changed = house_rows()
    policy = chosen(notes, plain, seconds, games)
    path = play_row(folder, notes, plain, policy, games)
    for row in changed:
        words = row.command(folder, "random", PAIRS_AT_RANDOM)
        words = ["compare", *words[1 : words.index("--out")], "--json"]
        keep_comparison(folder / f"{row.name}-random.json", words)
        other = play_row(folder, notes, row, policy, games)
        keep_comparison(other.with_name(f"{other.name}.json"), ["compare", str(path), str(other), "--json"])


def keep_comparison(path: Path, words: list[str]) -> None:
    """Keep what `tilery compare` prints."""
    if not path.exists():
        found = run_tilery(words)
        json.loads(found)
        path.write_text(found)
        print(path.name, flush=True)


def runs_of(folder: Path, row: Row) -> list[Run]:
    """The finished runs of a row by the search, fewest simulations first."""
    found = []
    for path in folder.glob(f"{row.name}-mcts-*"):
        if (path / "manifest.json").exists():
            run = Run.open(path)
            if len(run.finished()) == run.shards:
                found.append(run)
    return sorted(found, key=lambda run: tilery.policy(run.plan.policies[0]).parameters["simulations"])


@dataclass(frozen=True)
class Played:
    """A row that has been played at random and by the search: the summaries, and what the second run was."""

    row: Row
    run: Run
    at_random: Summary
    searched: Summary

    @property
    def name(self) -> str:
        return f"{self.row.game}, {self.row.options['players']}"


def played(folder: Path, seconds: float) -> tuple[list[Played], list[Played]]:
    """The rows that have been played with this time, by game, and those that were given more."""
    notes, found, more = Notes(folder), [], []
    for row in sorted(rows(), key=lambda row: row.name):
        policy = notes.content.get(f"{row.name} in {seconds:g} s")
        searched = {run.plan.policies[0]: run for run in runs_of(folder, row)}
        if policy in searched:
            at_random = Run.open(folder / f"{row.name}-random").summary()
            found.append(Played(row, searched[policy], at_random, searched[policy].summary()))
            last = list(searched)[-1]
            if last != policy:
                more.append(Played(row, searched[last], at_random, searched[last].summary()))
    return found, more


def table(head: list[str], lines: list[list[str]]) -> str:
    lines = [head, ["---", "---", *["---:"] * (len(head) - 2)], *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def advantage(summary: Summary) -> tuple[float, float, float]:
    """The win share of the first player less an equal share, with its interval, in percentage points."""
    side, equal = summary.seats[0], 1 / len(summary.seats)
    low, high = side.win_share_95 or (side.win_share, side.win_share)
    return 100 * (side.win_share - equal), 100 * (low - equal), 100 * (high - equal)


def with_interval(middle: float, low: float, high: float, digits: int = 1) -> str:
    return f"{middle:+.{digits}f} ({low:+.{digits}f} .. {high:+.{digits}f})"


def table_of_games(found: list[Played]) -> str:
    """The table of games: two lines for each number of players."""
    lines = []
    for each in found:
        for policy, summary in (("random", each.at_random), (each.run.plan.policies[0], each.searched)):
            digits = 2 if policy == "random" else 1
            lines.append(
                [
                    each.name,
                    f"`{policy}`",
                    f"{summary.games:,}",
                    with_interval(*advantage(summary), digits),
                    " ".join(f"{side.score.mean:.1f}" for side in summary.seats),
                    f"{summary.margin.mean:.1f}",
                    f"{100 * summary.ties:.1f}",
                    f"{summary.decisions.mean:.0f}",
                ]
            )
    head = ["game, players", "policy", "games", "first player's advantage", "mean scores by seat", "lead", "ties, %"]
    return table([*head, "decisions"], lines)


def table_of_policies(notes: Notes, found: list[Played]) -> str:
    """What the search was given, what it took, and how it does against `greedy`."""
    lines = []
    for each in found:
        policy = each.run.plan.policies[0]
        seconds = notes.content.get(f"{each.run.path.name} seconds")
        rival = notes.content.get(f"{each.row.name} {policy} : greedy")
        against = "" if rival is None else share_of_wins(rival)
        lines.append([each.name, f"`{policy}`", "" if seconds is None else f"{seconds:.0f}", against])
    return table(["game, players", "policy", "seconds of processor time", "wins against `greedy`"], lines)


def share_of_wins(told: dict[str, Any]) -> str:
    """The share of the first policy of `tilery match --json`."""
    (of_table,) = told["tables"]
    side = of_table["sides"][0]
    low, high = side["share_95"]
    return f"{100 * side['share']:.1f} % ({100 * low:.1f} .. {100 * high:.1f}), {of_table['games']} games"


HOUSE_FIGURES = {
    "score_0": ("points, seat 0", 1),
    "score_1": ("points, seat 1", 1),
    "win_share_0": ("win share, seat 0", 100),
    "margin": ("lead", 1),
    "num_decisions": ("decisions", 1),
}
"""Figures of a comparison: what they are called here, and a factor."""


def comparisons(folder: Path, policy: str) -> dict[str, dict[str, Any]]:
    """By the words of a house rule, what `tilery compare` has printed. policy: "random" or "mcts"."""
    found = {}
    for number, rules in enumerate(HOUSE_RULES):
        paths = sorted(folder.glob(f"house-{number}-{policy}*.json"))
        if paths:
            words = ", ".join(f"{option}={json.dumps(value)}" for option, value in rules.items())
            found[words] = json.loads(paths[-1].read_text())
    return found


def differences(told: dict[str, Any]) -> dict[str, tuple[float, float, float]]:
    """The differences of a comparison with their intervals, by name, scaled."""
    found = {}
    for row in told["differences"]:
        if row["name"] in HOUSE_FIGURES:
            scale = HOUSE_FIGURES[row["name"]][1]
            low, high = row["difference_95"] or (row["difference"], row["difference"])
            found[row["name"]] = (scale * row["difference"], scale * low, scale * high)
    return found


def table_of_house_rules(folder: Path) -> str:
    """The table of house rules: differences to the game for two at its defaults, two lines for each rule."""
    lines = []
    at_random, searched = comparisons(folder, "random"), comparisons(folder, "mcts")
    for words in at_random:
        for told in (at_random[words], searched.get(words)):
            if told is not None:
                digits = 2 if told is at_random[words] else 1
                cells = [with_interval(*differences(told)[name], digits) for name in HOUSE_FIGURES]
                policy = told["second"].rpartition(": ")[2]
                lines.append([f"`{words}`", f"`{policy}`", f"{told['games']:,}", *cells])
    return table(["changed", "policy", "pairs", *(title for title, _ in HOUSE_FIGURES.values())], lines)


def figure_of(width: float, height: float) -> Any:
    """An empty figure of matplotlib."""
    matplotlib = imported("matplotlib", "plot", "figures")
    matplotlib.rc("font", size=10)
    return imported("matplotlib.figure", "plot", "figures").Figure(figsize=(width, height), layout="constrained")


def save(figure: Any, name: str) -> None:
    path = PAGE.parent / "balance" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def plain(axes: Any) -> Any:
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def marks(axes: Any, values: list[tuple[float, float, float]], which: int, label: str) -> None:
    """Draw values with their intervals, one below the other; those of two policies side by side."""
    middle, low, high = np.array(values).T
    axes.errorbar(
        middle,
        np.arange(len(values)) + 0.24 * (which - 0.5),
        xerr=[np.maximum(middle - low, 0), np.maximum(high - middle, 0)],
        fmt="so"[which],
        color=COLOURS[which],
        capsize=3,
        markersize=5,
        label=label,
    )


def draw_advantage(found: list[Played]) -> None:
    """The first player's advantage in every game, by policy."""
    figure = figure_of(7, 1.2 + 0.36 * len(found))
    axes = plain(figure.add_subplot())
    axes.axvline(0, color="#999", linewidth=0.8, linestyle="--")
    marks(axes, [advantage(each.at_random) for each in found], 0, "random")
    marks(axes, [advantage(each.searched) for each in found], 1, "mcts")
    axes.set_yticks(range(len(found)), [f"{each.name} players" for each in found])
    axes.set_ylim(len(found) - 0.5, -0.5)
    axes.set_xlabel("win share of the first player less an equal share\n(percentage points, with 95% intervals)")
    figure.legend(frameon=False, ncols=2, loc="outside upper right")
    save(figure, "advantage.png")


def draw_spread(found: list[Played]) -> None:
    """Points of a seat and decisions of a game: median and the middle 90%, by policy."""
    games = sorted({each.row.game for each in found})
    figure = figure_of(7.6, 1.0 + 0.5 * len(found))
    panels = figure.subplots(
        len(games), 2, squeeze=False, height_ratios=[sum(each.row.game == game for each in found) for game in games]
    )
    for line, game in zip(panels, games, strict=True):
        of_game = [each for each in found if each.row.game == game]
        for axes, figure_name in zip(line, ("points", "decisions"), strict=True):
            plain(axes)
            for which, label in enumerate(("random", "mcts")):
                values = []
                for each in of_game:
                    summary = each.searched if which else each.at_random
                    counted = summary.decisions if figure_name == "decisions" else summary.seats[0].score
                    values.append((counted.quantile(0.5), counted.quantile(0.05), counted.quantile(0.95)))
                marks(axes, values, which, label)
            axes.set_yticks(range(len(of_game)), [f"{each.row.options['players']} players" for each in of_game])
            axes.set_ylim(len(of_game) - 0.5, -0.5)
            axes.set_title(game, loc="left", fontsize=10)
    for axes, title in zip(panels[-1], ("points of seat 0", "decisions in a game"), strict=True):
        axes.set_xlabel(title)
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, frameon=False, ncols=2, loc="outside upper right")
    save(figure, "spread.png")


def draw_house(folder: Path) -> None:
    """What each house rule changes, by policy."""
    at_random, searched = comparisons(folder, "random"), comparisons(folder, "mcts")
    words = [each for each in at_random if each in searched]
    figure = figure_of(9.6, 1.2 + 0.42 * len(words))
    panels = figure.subplots(1, 3, sharey=True)
    for axes, name in zip(panels, ("score_0", "win_share_0", "num_decisions"), strict=True):
        plain(axes).axvline(0, color="#999", linewidth=0.8, linestyle="--")
        for which, (label, told) in enumerate((("random", at_random), ("mcts", searched))):
            marks(axes, [differences(told[each])[name] for each in words], which, label)
        axes.set_xlabel(HOUSE_FIGURES[name][0] + (", percentage points" if name == "win_share_0" else ""))
    panels[0].set_yticks(range(len(words)), [each.replace("], ", "],\n") for each in words])
    panels[0].invert_yaxis()
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, frameon=False, ncols=2, loc="outside upper right")
    save(figure, "house.png")


def write(folder: Path, seconds: float) -> None:
    """Write the page and its figures."""
    notes, (found, more) = Notes(folder), played(folder, seconds)
    draw_advantage(found)
    draw_spread(found)
    draw_house(folder)
    house = comparisons(folder, "mcts")
    told = {
        "date": date.today().isoformat(),
        "version": tilery.__version__,
        "seed": SEED,
        "at_random": f"{AT_RANDOM:,}",
        "pairs": f"{PAIRS_AT_RANDOM:,}",
        "games": table_of_games(found),
        "policies": table_of_policies(notes, found),
        "seconds": f"{seconds:g}",
        "more": "" if not more else MORE.format(rows=table_of_games(more)),
        "house": table_of_house_rules(folder),
        "house_policy": next(iter(house.values()))["second"].rpartition(": ")[2],
        "commands": "\n".join(notes.content["commands"]),
    }
    PAGE.write_text(TEXT.format(**told), encoding="utf-8")


MORE = """With more time (`--seconds 720`) than the other rows:

{rows}

"""

TEXT = """# Balance

**Figures of random play mislead.** Players who choose at random do not defend, do not finish what they have begun, and
do not use what being first gives: the seat that does better at random may do worse between people. Here they are beside
those of a search ([the policies](bots.md#how-strong-they-are)) with as many simulations as 1,000 games in some minutes
allow. Where the two disagree, believe the search; it is still weaker than good players, and with 1,000 games its
intervals are wider. **Intervals are those of luck alone**: another policy may give another answer, and did.

Made on {date} with tilery {version} by

```sh
{commands}
```

with seed {seed} and default options. Intervals are 95%; where one contains 0 these games do not say which way it goes.
About one in twenty of these 95% intervals misses the true value by chance.

## First-player advantage, scores and length

The advantage is the win share of seat 0 less an equal share, in percentage points; the lead is the winner's, over the
next seat. In Pueblo the fewest points win.

![The first player's advantage by game](balance/advantage.png)

![Points and decisions by game: the median and the middle 90%](balance/spread.png)

{games}

{more}### The policies

A row has {at_random} games at random and 1,000 by `mcts:N`. N is the greatest of 25, 50, 100 and so on whose 1,000
games take at most {seconds} seconds of processor time, estimated from 16 games. So all numbers of players of a game
together, at most four, take six minutes on two cores; `--seconds 720` gives every row that much, and about four times
the N. The last column is the share of the wins in a `tilery match` for two of this policy against `greedy`.

{policies}

## House rules of Carcassonne

Differences to the game for two at its defaults, game by game with the same seeds (`tilery compare`), win shares in
percentage points: {pairs} pairs of games at random, and 1,000 by `{house_policy}`. With `first_player="most_roads"`
seat 0 is first no more often than seat 1, so what it loses there is the advantage.

![What each house rule changes](balance/house.png)

{house}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["play", "write"])
    names = ", ".join(row.name for row in rows())
    parser.add_argument("--rows", nargs="+", metavar="ROW", help=f"default all: {names}")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "study")
    parser.add_argument("--seconds", type=float, default=180.0, help="of processor time for a row; default 180")
    parser.add_argument("--house", type=float, default=30.0, help="the same for each house rule; default 30")
    parser.add_argument("--games", type=int, default=1000, help="of the search; default 1000")
    options = parser.parse_args()
    if options.step == "play":
        notes = Notes(options.folder)
        command = shlex.join(["python", "bench/study.py", *sys.argv[1:]])
        notes.keep("commands", [*dict.fromkeys([*notes.content.get("commands", []), command])])
        play(options.folder, options.seconds, options.house, options.games, options.rows)
    else:
        write(options.folder, options.seconds)


if __name__ == "__main__":
    main()
