"""The study of docs/balance.md: every game and number of players under two policies, and house rules one by one.

    python bench/study.py play [--folder build/study] [--policy greedy] [--games 1000] [--seconds 360]
    python bench/study.py write [--folder build/study]

`play` simulates runs into the folder, on one thread, and goes on where it was interrupted. A run by the policy has
`--games` games if these take at most `--seconds`, otherwise as many as take that long; runs at random have ten times
as many. `write` makes docs/balance.md and its figure from what is there.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

import tilery
from tilery.extras import imported
from tilery.runs.commands import special_rules
from tilery.runs.compare import Comparison, compare
from tilery.runs.shards import Run, plan
from tilery.runs.summary import Summary

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "balance.md"
SEED = 20260
HOUSE = "carcassonne"
"""The game whose options are looked at one by one."""

HOUSE_RULES: list[dict[str, Any]] = [
    {"tiles": "base"},
    {"farmers": False},
    {"trees_end_roads": False},
    {"gap_bonus": True},
    {"tile_sale": True},
    {"hand_size": 1},
    {"hand_size": 3},
    {"score_unfinished": False},
    {"start_tile_in_bag": True},
    {"first_player": "most_roads"},
    {"table": [-4, -4, 4, 4]},
    {"table": [-4, -4, 4, 4], "edge_closes": True},
]


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """A name and options for every game and number of players, and for every house rule with two players."""
    for name in tilery.games():
        players = tilery.options(name)["players"]
        for number in range(players.low or 2, (players.high or 2) + 1):
            yield f"{name}-{number}", {"game": name, "players": number}
    for number, changed in enumerate(HOUSE_RULES):
        yield f"{HOUSE}-house-{number}", {"game": HOUSE, "players": 2, **changed}


def play(folder: Path, policy: str, games: int, seconds: float) -> None:
    """Play what is missing."""
    for name, chosen in cases():
        options = dict(chosen)
        game = tilery.load(options.pop("game"), **options)
        for text, most in (("random", 10 * games), (policy, games)):
            path = folder / f"{name}-{text.partition(':')[0]}"
            if (path / "manifest.json").exists():
                run = Run.open(path)
            else:
                began = time.process_time()
                tilery.simulate(game, 4, seed=SEED, policies=text, threads=1)
                affordable = int(seconds / max(1e-6, (time.process_time() - began) / 4))
                run = Run.start(path, plan(game, max(10, min(most, affordable)), seed=SEED, policies=text))
            run.work(threads=1)
            print(path.name, f"{run.plan.games:,} games", flush=True)


def runs(folder: Path, policy: str) -> Iterator[tuple[str, Run]]:
    """The finished runs of a policy."""
    for name, _ in cases():
        path = folder / f"{name}-{policy}"
        if (path / "manifest.json").exists():
            run = Run.open(path)
            if len(run.finished()) == run.shards:
                yield name, run


def advantage(summary: Summary) -> str:
    """The win share of the first player, with its interval, less an equal share."""
    side, equal = summary.seats[0], 1 / len(summary.seats)
    low, high = side.win_share_95 or (side.win_share, side.win_share)
    return f"{100 * (side.win_share - equal):+.1f} ({100 * (low - equal):+.1f} .. {100 * (high - equal):+.1f})"


def rows_of(folder: Path, policies: list[str]) -> Iterator[list[str]]:
    """The table of games: a line for each number of players and policy."""
    found = [dict(runs(folder, policy)) for policy in policies]
    for name, _ in cases():
        if "-house-" in name or not all(name in each for each in found):
            continue
        for each in found:
            run = each[name]
            summary, scores = run.summary(), []
            for side in summary.seats:
                scores.append(f"{side.score.mean:.1f}")
            yield [
                f"{run.plan.game}, {run.game.num_players}",
                f"`{run.plan.policies[0]}`",
                f"{summary.games:,}",
                advantage(summary),
                " ".join(scores),
                f"{summary.margin.mean:.1f}",
                f"{100 * summary.ties:.1f}",
                f"{summary.decisions.mean:.0f}",
            ]


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---", "---", *["---:"] * (len(head) - 2)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def house_rows(folder: Path, policies: list[str]) -> Iterator[list[str]]:
    """The table of house rules: differences to the game with two players at its defaults."""
    for policy in policies:
        there = dict(runs(folder, policy))
        plain = there.get(f"{HOUSE}-2")
        for number, changed in enumerate(HOUSE_RULES):
            run = there.get(f"{HOUSE}-house-{number}")
            if plain is None or run is None:
                continue
            found: Comparison = compare(plain, run)
            by_name = {each.name: each for each in found.differences}
            cells = []
            for name, scale in (
                ("score_0", 1),
                ("score_1", 1),
                ("win_share_0", 100),
                ("margin", 1),
                ("num_decisions", 1),
            ):
                each = by_name[name]
                low, high = each.difference_95 or (each.difference, each.difference)
                cells.append(f"{scale * each.difference:+.1f} ({scale * low:+.1f} .. {scale * high:+.1f})")
            words = ", ".join(f"{option}={json.dumps(value)}" for option, value in changed.items())
            yield [f"`{words}`", f"`{policy}`", f"{found.games:,}", *cells]


def draw(folder: Path, policies: list[str], path: Path) -> None:
    """The first player's advantage in every game, by policy."""
    matplotlib = imported("matplotlib", "plot", "figures")
    figure_module = imported("matplotlib.figure", "plot", "figures")
    found = [dict(runs(folder, policy)) for policy in policies]
    names = [name for name, _ in cases() if "-house-" not in name and all(name in each for each in found)]
    with matplotlib.rc_context({"svg.hashsalt": "balance", "font.size": 10}):
        figure = figure_module.Figure(figsize=(7, 1 + 0.42 * len(names)), layout="constrained")
        axes = figure.add_subplot()
        axes.spines[["top", "right"]].set_visible(False)
        axes.axvline(0, color="#999", linewidth=0.8, linestyle="--")
        for which, (policy, each) in enumerate(zip(policies, found, strict=True)):
            sides = [each[name].summary().seats[0] for name in names]
            equal = np.array([1 / each[name].game.num_players for name in names])
            share = np.array([side.win_share for side in sides])
            error = 1.96 * np.array([side.win_share_error for side in sides])
            at = np.arange(len(names)) + 0.2 * (which - 0.5)
            axes.errorbar(
                100 * (share - equal), at, xerr=100 * error, fmt="so"[which], capsize=3, label=policy, markersize=5
            )
        axes.set_yticks(range(len(names)), [name.replace("-", ", ") + " players" for name in names])
        axes.invert_yaxis()
        axes.set_xlabel("win share of the first player less an equal share\n(percentage points, with 95% intervals)")
        axes.legend(frameon=False)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=110, metadata={"Software": None})


def write(folder: Path) -> None:
    """Write the page."""
    policies = ["random", *sorted({run.name.rpartition("-")[2] for run in folder.iterdir()} - {"random"})]
    draw(folder, policies, PAGE.parent / "balance" / "advantage.png")
    head = ["game, players", "policy", "games", "first player's advantage", "mean scores by seat", "lead", "ties, %"]
    games = table([*head, "decisions"], list(rows_of(folder, policies)))
    house_head = ["changed", "policy", "pairs", "score, seat 0", "score, seat 1", "win share, seat 0", "lead"]
    house = table([*house_head, "decisions"], list(house_rows(folder, policies)))
    told = {
        "date": date.today().isoformat(),
        "policy": policies[-1],
        "version": tilery.__version__,
        "seed": SEED,
        "most": max(run.plan.games for _, run in runs(folder, policies[-1])),
        "games": games,
        "house": house,
        "rules": special_rules(tilery.load(HOUSE, players=2).rules.as_dict(), HOUSE),
    }
    PAGE.write_text(TEXT.format(**told), encoding="utf-8")


TEXT = """# Balance

**Figures of random play mislead.** Players who choose at random do not defend, do not finish what they have begun, and
do not use what being first gives; the seat that does better at random may do worse between people. They are here to
show how far apart the two policies are. The other one, `{policy}`, looks one action ahead: it is better than random
play and much worse than a person or a search ([bots.md](bots.md#how-strong-they-are)), so its figures too say only how
such players fare.

Made on {date} with tilery {version} by

```sh
python bench/study.py play --games {most}
python bench/study.py write
```

on one thread; seed {seed}, default options. Intervals are 95%; with fewer games they are wider, and where an interval
contains 0 these games do not say which way it goes. Of so many intervals, one in twenty misses by chance. Give
`--policy mcts:200 --games 1000` and some hours for a stronger player.

## First-player advantage, scores and length

The advantage is the win share of seat 0 less an equal share, in percentage points; the lead is the winner's, over the
next seat. In Pueblo the fewest points win.

![The first player's advantage by game](balance/advantage.png)

{games}

## House rules of Carcassonne

Differences to the game for two at its defaults, game by game with the same seeds (`tilery compare`); win shares in
percentage points.

{house}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["play", "write"])
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "study")
    parser.add_argument("--policy", default="greedy")
    parser.add_argument("--games", type=int, default=1000, help="1000; of runs at random ten times as many")
    parser.add_argument("--seconds", type=float, default=360)
    options = parser.parse_args()
    if options.step == "play":
        play(options.folder, str(tilery.policy(options.policy)), options.games, options.seconds)
    else:
        write(options.folder)


if __name__ == "__main__":
    main()
