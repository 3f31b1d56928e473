"""docs/balance.md: every game and number of players over rungs of its ladder, Pueblo's fair start, and house rules.

    python -m tests.lab.balance play [--folder build/balance] [--rows ROW ...] [--passes 4]
    python -m tests.lab.balance write [--folder build/balance]
    python -m tests.lab.balance check

`play` plays what is missing, in four passes over all rows, so that the page can be written at any time; about half
an hour of one core. `write` makes the page and its figures from what there is. `check` fails when the page is older
than the ladders and networks that ship. A row is a game with a number of players, such as pueblo-4, or house for the
house rules.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import tilery
from tests.kit.games import ROOT
from tilery import ladder
from tilery.extras import imported
from tilery.policies import NN, Champion
from tilery.runs import rungs
from tilery.runs.summary import Figure

PAGE = ROOT / "docs" / "balance.md"
SEED = 20260
PASSES = 4
COLOURS = ("#7f7f7f", "#56b4e9", "#d55e00", "#0072b2")

PLAN = tomllib.loads((ROOT / "tests" / "lab" / "balance.toml").read_text(encoding="utf-8"))

Results = npt.NDArray[np.void]


def rows() -> dict[str, tuple[str, dict[str, Any]]]:
    """Every game with every number of players, where the seat matters most first."""
    found = {}
    for name in PLAN["games"]:
        players = tilery.options(name)["players"]
        for number in range(players.high or 2, (players.low or 2) - 1, -1):
            found[f"{name}-{number}"] = (name, {"players": number})
    fair = PLAN["fair"]
    for number in fair["players"]:
        found[f"{fair['game']}-{number}-auction"] = (fair["game"], {"players": number, **fair["auction"]})
    for number, rules in enumerate([{}, *PLAN["house"]["rules"]]):
        found[f"house-{number}"] = (PLAN["house"]["game"], {"players": 2, **rules})
    return found


def plan(row: str, game: str) -> list[tuple[ladder.Rung, int]]:
    """The rungs of a row, and how many games each plays."""
    chosen = rungs.chosen(game)
    if row.startswith("house"):
        return [(chosen[2], PLAN["house"]["pairs"])]
    if row.endswith("auction"):
        return [(chosen[2], PLAN["fair"]["games"])]
    return list(zip(chosen, PLAN["games"][game], strict=True))


def path_of(folder: Path, row: str, rung: ladder.Rung, turn: int) -> Path:
    """Where a pass of a row is kept; another policy has another name."""
    return folder / f"{row}-{rung.number}-{hashlib.sha256(rung.policy.encode()).hexdigest()[:8]}-{turn}.npy"


def play(folder: Path, names: list[str] | None, passes: int) -> None:
    """Play what is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {row: what for row, what in rows().items() if not names or {row, row.partition("-")[0]} & set(names)}
    todo = [
        (turn, number, row, rung, games)
        for row, (name, _) in wanted.items()
        for number, (rung, games) in enumerate(plan(row, name))
        for turn in range(passes)
    ]
    for turn, _, row, rung, games in sorted(todo, key=lambda each: each[:2]):  # champions take longest, and come last
        path, count = path_of(folder, row, rung, turn), games // PASSES
        if not path.exists():
            (name, options), began = wanted[row], os.times()
            game = tilery.load(name, **options)
            results = rungs.played(game, count, f"rung:{rung.number}", seed=SEED, first=turn * count)
            part = path.with_suffix(".part")
            with part.open("wb") as file:
                np.save(file, results)
            part.replace(path)
            print(f"{path.name}: {count} games, {os.times().user - began.user:.0f} s of processor time", flush=True)


def there(folder: Path, row: str, rung: ladder.Rung) -> Results | None:
    """What has been played of a row by a rung."""
    paths = [path_of(folder, row, rung, turn) for turn in range(PASSES)]
    found = [np.load(path) for path in paths if path.exists()]
    return np.concatenate(found) if found else None


def climbs(folder: Path) -> dict[str, rungs.Climb]:
    """The figures of all rows of which there is something."""
    found = {}
    for row, (name, options) in rows().items():
        if row.startswith("house") or len(options) > 1:
            continue
        steps = []
        for rung, _ in plan(row, name):
            results = there(folder, row, rung)
            if results is not None:
                steps.append(rungs.Step(rung, len(results), rungs.figures(results)))
        if steps:
            found[row] = rungs.Climb(steps)
    return found


def shares(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The share of the wins of each seat, where the fewest points win."""
    won = scores == scores.min(axis=1, keepdims=True)
    found: npt.NDArray[np.float64] = np.divide(1, won.sum(axis=1)) @ won / len(won)
    return found


def fair(scores: npt.NDArray[np.float64], begin: npt.NDArray[np.float64] | float = 0.0) -> npt.NDArray[np.float64]:
    """Points for each seat, 0 for seat 0, with which all win equally often where the fewest points win.

    begin: points that are nearly so.
    """
    n = scores.shape[1]
    spread, given = scores.std(), np.zeros(n) + begin
    for number in range(60):
        given += spread / (1 + number / 5) * (shares(scores + given) - 1 / n)
    found: npt.NDArray[np.float64] = given - given[0]
    return found


def compensation(scores: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """`fair`, and its 95% intervals by the bootstrap: float64[n] and float64[2, n]."""
    rng, found = np.random.default_rng(SEED), fair(scores)
    drawn = [fair(scores[rng.integers(len(scores), size=len(scores))], found) for _ in range(60)]
    return found, np.quantile(drawn, (0.025, 0.975), axis=0)


def whole(points: npt.NDArray[np.float64]) -> str:
    return ", ".join(f"{round(each):+d}" if round(each) else "0" for each in points)


def table(head: list[str], lines: list[list[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def short(policy: str) -> str:
    return f"`{policy.partition(',eval=')[0]}`"


def example(found: dict[str, rungs.Climb]) -> str:
    """How the share of one seat changes over the rungs, as a sentence."""
    row = f"{PLAN['fair']['game']}-{PLAN['fair']['players'][0]}"
    content = [f"{step.figures[0].short()} % between players of rung {step.rung.number}" for step in found[row].steps]
    return f"Seat 0 of {row.replace('-', ' for ')} wins {', '.join(content)}".replace(", ", ",\n")


def progress(folder: Path) -> str:
    """How much of the plan has been played, as a sentence."""
    pieces = [
        path_of(folder, row, rung, turn).exists()
        for row, (name, _) in rows().items()
        for rung, _ in plan(row, name)
        for turn in range(PASSES)
    ]
    rest = "" if all(pieces) else " The column of games says how far each row is; the same command plays the rest."
    return f"Of the plan in tests/lab/balance.toml {sum(pieces)} of {len(pieces)} pieces have been played.{rest}"


def table_of_seats(found: dict[str, rungs.Climb]) -> str:
    """A line for each row and rung."""
    lines = []
    for row, climb in found.items():
        for number, step in enumerate(climb.steps):
            figures = {each.name: each for each in step.figures}
            wins = [each for each in step.figures if each.name.startswith("wins")]
            points = [f"{each.value:.1f}" for each in step.figures if each.name.startswith("points")]
            lines.append(
                [
                    row.replace("-", ", ") if number == 0 else "",
                    f"{step.rung.number} {short(step.rung.policy)}",
                    f"{step.games:,}",
                    ", ".join(each.short() for each in wins),
                    " ".join(points),
                    figures["winner's lead"].short(),
                    f"{100 * figures['shared wins'].value:.1f}",
                    f"{figures['decisions'].value:.0f}",
                ]
            )
    head = ["game, players", "rung", "games", "wins by seat, %", "points by seat", "winner's lead", "shared, %"]
    return table([*head, "decisions"], lines)


def table_of_trends(found: dict[str, rungs.Climb]) -> str:
    """How the win share of the first and the last seat changes with the strength of play, and what may still change."""
    lines = []
    for row, climb in found.items():
        names = [each.name for each in climb.steps[-1].figures if each.name.startswith("wins")]
        cells = []
        for name in (names[0], names[-1]):
            trend = climb.trend(name)
            cells.append("" if trend is None else f"{100 * trend[0]:+.2f} ±{196 * trend[1]:.2f}")
        last = ladder.rungs(rows()[row][0])[-1]
        missing = "" if climb.steps[-1].rung == last else "The champion has not played this yet. "
        lines.append([row.replace("-", ", "), *cells, missing + climb.may_change()])
    return table(["game, players", "first seat", "last seat", "what may still change"], lines)


def section_of_fairness(folder: Path) -> str:
    """Compensation, and the auction."""
    lines, bids = [], []
    game = PLAN["fair"]["game"]
    for number in PLAN["fair"]["players"]:
        row = f"{game}-{number}"
        learned, champion = (there(folder, row, rung) for rung, _ in plan(row, game)[2:])
        for name, results in (("first network", learned), ("champion", champion)):
            if results is None:
                continue
            scores = results["scores"].astype(float)
            given, (low, high) = compensation(scores)
            half = fair(scores[::2])
            after = shares(scores[1::2] + np.round(half))
            lines.append(
                [
                    f"{number}, {name}",
                    f"{len(results):,}",
                    ", ".join(f"{100 * each:.1f}" for each in shares(scores)),
                    ", ".join(
                        f"{a:+.1f} ({b:+.1f} .. {c:+.1f})" for a, b, c in zip(given[1:], low[1:], high[1:], strict=True)
                    ),
                    whole(half[1:]),
                    ", ".join(f"{100 * each:.1f}" for each in after),
                ]
            )
        ((rung, _),) = plan(f"{row}-auction", game)
        pro = there(folder, f"{row}-auction", rung)
        if pro is not None:
            content = {each.name: each for each in rungs.figures(pro)}
            bids.append(
                [
                    f"{number}",
                    f"{len(pro):,}",
                    ", ".join(content[f"wins, seat {seat}"].short() for seat in range(number)),
                    " ".join(f"{content[f'points, seat {seat}'].value:.1f}" for seat in range(number)),
                ]
            )
    head = ["players, policy", "games", "wins by seat, %", "points that make seats 1, 2, ... equal to seat 0"]
    head += ["whole points from half of the games", "wins with these in the other half, %"]
    if not lines:
        return ""
    return FAIR.format(
        compensation=table(head, lines),
        pro=table(["players", "games", "wins by seat, %", "points by seat"], bids),
        compensated=compensated(folder),
    )


def compensated(folder: Path) -> str:
    """A sentence with the compensation in whole points by the network."""
    content = []
    game = PLAN["fair"]["game"]
    for number in PLAN["fair"]["players"]:
        row = f"{game}-{number}"
        results = there(folder, row, plan(row, game)[2][0])
        if results is not None:
            content.append(f"for {number} players {whole(fair(results['scores'].astype(float))[1:])}")
    return "; ".join(content)


def house_rules(folder: Path) -> dict[str, tuple[int, dict[str, Figure]]]:
    """By the words of a house rule, how many pairs there are and what changes."""
    all_rows, found = rows(), {}
    rung, _ = plan("house-0", PLAN["house"]["game"])[0]
    plain = there(folder, "house-0", rung)
    for row in all_rows:
        changed = there(folder, row, rung) if row.startswith("house") and row != "house-0" else None
        if plain is not None and changed is not None:
            n = min(len(plain), len(changed))
            words = ", ".join(f"{option}={value}" for option, value in all_rows[row][1].items() if option != "players")
            found[words] = (n, {each.name: each for each in rungs.figures(plain[:n], changed[:n])})
    return found


HOUSE_FIGURES = {
    "score, seat 0": "points, seat 0",
    "score, seat 1": "points, seat 1",
    "win share, seat 0": "wins of seat 0, percentage points",
    "margin": "winner's lead",
    "decisions": "decisions",
}


def table_of_house_rules(found: dict[str, tuple[int, dict[str, Figure]]]) -> str:
    lines = [
        [
            f"`{words}`",
            f"{n:,}",
            *(f"{'+' * (content[each].value > 0)}{content[each].short()}" for each in HOUSE_FIGURES),
        ]
        for words, (n, content) in found.items()
    ]
    return table(["changed", "pairs", *HOUSE_FIGURES.values()], lines)


def figure_of(width: float, height: float) -> Any:
    """An empty figure of matplotlib."""
    imported("matplotlib", "plot", "figures").rc("font", size=10)
    return imported("matplotlib.figure", "plot", "figures").Figure(figsize=(width, height), layout="constrained")


def save(figure: Any, name: str) -> None:
    path = PAGE.parent / "balance" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def draw_seats(found: dict[str, rungs.Climb]) -> None:
    """The win share of every seat less an equal share, by rung."""
    figure = figure_of(9.6, 1.0 + 0.55 * len(found))
    most = max(len([1 for each in climb.steps[-1].figures if each.name.startswith("wins")]) for climb in found.values())
    panels = figure.subplots(1, most, sharex=True, sharey=True)
    kinds = ("weakest", "in the middle", "first network", "champion")
    for seat, axes in enumerate(panels):
        axes.spines[["top", "right"]].set_visible(False)
        axes.axvline(0, color="#999", linewidth=0.8, linestyle="--")
        axes.set_title(f"seat {seat}", loc="left", fontsize=10)
        for line, climb in enumerate(found.values()):
            for number, step in enumerate(climb.steps):
                content = {each.name: each for each in step.figures}
                if (each := content.get(f"wins, seat {seat}")) is not None:
                    players = sum(name.startswith("wins") for name in content)
                    at, half = 100 * (each.value - 1 / players), 196 * each.error
                    where = line + 0.17 * (number - 1.5)
                    style = {"color": COLOURS[number], "fmt": "sv^o"[number], "markersize": 4, "capsize": 2}
                    axes.errorbar(at, where, xerr=half, label=kinds[number], **style)
    panels[0].set_yticks(range(len(found)), [row.replace("-", ", ") for row in found])
    panels[0].set_ylim(len(found) - 0.5, -0.5)
    figure.supxlabel(
        "share of the wins less an equal share (percentage points, with 95% sampling intervals)", fontsize=10
    )
    handles, labels = panels[0].get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    figure.legend(unique.values(), unique.keys(), frameon=False, ncols=4, loc="outside upper right")
    save(figure, "seats.png")


def draw_house(found: dict[str, tuple[int, dict[str, Figure]]]) -> None:
    """What each house rule changes."""
    figure = figure_of(9.6, 1.0 + 0.36 * len(found))
    names = ("score, seat 0", "win share, seat 0", "decisions")
    for axes, name in zip(figure.subplots(1, 3, sharey=True), names, strict=True):
        axes.spines[["top", "right"]].set_visible(False)
        axes.axvline(0, color="#999", linewidth=0.8, linestyle="--")
        for line, (_, content) in enumerate(found.values()):
            each = content[name]
            at, half = each.scale * each.value, 1.96 * each.scale * each.error
            axes.errorbar(at, line, xerr=half, color=COLOURS[3], fmt="o", markersize=5, capsize=3)
        axes.set_yticks(range(len(found)), [words.replace("], ", "],\n") for words in found])
        axes.set_ylim(len(found) - 0.5, -0.5)
        axes.set_xlabel(HOUSE_FIGURES[name])
    save(figure, "house.png")


def networks() -> dict[str, str]:
    """By game, the SHA-256 of the network that ships."""
    return {name: str(NN().resolved(name).parameters["eval"]) for name in tilery.games()}


def players() -> dict[str, list[str]]:
    """By game, the full texts of the rungs; the last is the champion."""
    for name in tilery.games():
        assert str(Champion().resolved(name)) == ladder.rungs(name)[-1].policy
    return {name: [rung.policy for rung in ladder.rungs(name)] for name in tilery.games()}


def stale(page: str) -> list[str]:
    """The players that ship and are not named in a page."""
    texts = [text for name in players() for text in {rung.policy for rung in rungs.chosen(name)}]
    return sorted(each for each in [*texts, *networks().values()] if f"`{each}`" not in page)


def write(folder: Path) -> None:
    """Write the page and its figures."""
    found, house = climbs(folder), house_rules(folder)
    draw_seats(found)
    if house:
        draw_house(house)
    named = [
        [name, f"{rung.number}", f"{rung.rating:.0f}", f"`{rung.policy}`"]
        for name in tilery.games()
        for rung in rungs.chosen(name)
    ]
    files = [[name, f"`{digest}`"] for name, digest in networks().items()]
    text = TEXT.format(
        version=tilery.__version__,
        example=example(found),
        progress=progress(folder),
        seed=SEED,
        seats=table_of_seats(found),
        trends=table_of_trends(found),
        fair=section_of_fairness(folder),
        pairs=PLAN["house"]["pairs"],
        house=table_of_house_rules(house),
        players=table(["game", "rung", "rating", "policy"], named),
        networks=table(["game", "network"], files),
    )
    PAGE.write_text(text, encoding="utf-8")


FAIR = """## Pueblo for three and four: what a fair start would be

The first seat of Pueblo is the best one and the last the worst when networks play, which is the greatest imbalance
in the library. Fewest points win. What would make it fair?

**Compensation.** Each seat gets points at the end so that all seats win equally often in the games that were
played; the interval is that of the bootstrap. The whole points are found from every second game, and the last
column is what comes of them in the other half. The players did not know of the points, and might play otherwise
if they did.

{compensation}

By the network: {compensated} points for the seats after the first.

**The pro game.** With `pro=true` the players bid points for their place in the order of turns, so the price of a
place is found at the table (PB-23 to PB-26). Between networks that gives:

{pro}

These shares are those of players who bid badly: they moved by up to 48 percentage points when `nn` came to judge 20
blocks instead of 12. They say nothing of whether an auction is fair between players who know what a place is worth.

"""

TEXT = """# Balance

**How well the players play decides the answer.** {example}. So every figure here is given over rungs of the
game's [ladder](champions.md#the-ladder), from random play to the champion, all seats by the same rung. `±` is the
half of the 95% **sampling interval**: how far luck may have moved the figure of this rung in that many games. It
does not say what a better player would make of it; that is what the trend is for.

Made with tilery {version} by

```sh
nox -s balance
```

(`python -m tests.lab.balance play` and `write`), seed {seed}, default options.
{progress}
`nox -s release` fails when the [players](#the-players) that ship are others than those named below.
To play one row again: `tilery simulate pueblo --players 4 --rungs --games 300`.

## Seats, points and length

Seat 0 begins. In Pueblo the fewest points win, and there each seat's first turn is played by `mcts:100`, since
networks would otherwise play one and the same game over and over.

![Win share of each seat by game and rung](balance/seats.png)

{seats}

## What may still change

By how many percentage points the win share of the first and of the last seat changes per 100 Elo points above
random play, and which figures moved between the two highest rungs by more than luck explains (with Holm's
correction for the number of figures). Ratings are those of games of two players.

{trends}

{fair}## House rules of Carcassonne

What changes for two when one rule is changed, game by game with the same seeds: up to {pairs} pairs between
networks (rung 9). The intervals are not corrected for the number of rows; about one in twenty does not hold the
true value.

![What each house rule changes](balance/house.png)

{house}

## The players

The rungs above. A network is named by its SHA-256.

{players}

The networks that ship:

{networks}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("play", "write", "check"))
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "balance")
    parser.add_argument("--rows", nargs="+")
    parser.add_argument("--passes", type=int, default=PASSES)
    options = parser.parse_args()
    if options.what == "play":
        play(options.folder, options.rows, options.passes)
    elif options.what == "write":
        write(options.folder)
    elif missing := stale(PAGE.read_text(encoding="utf-8")):
        sys.exit(f"{PAGE.name} is older than the players that ship: {', '.join(missing)}")


if __name__ == "__main__":
    main()
