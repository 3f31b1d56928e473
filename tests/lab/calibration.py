"""Compares the shares of the win that the network of a game predicts with what happens in games of `nn` against itself.

    python -m tests.lab.calibration GAME [--players P] [--games 20000] [--seed S] [--threads T] [--folder F] [--ledger]
    python -m tests.lab.calibration GAME --fit FILE [--games 20000] [--seed S]

Takes one random position of each game. A game without chance begins with a turn of each seat by the strongest rung with
luck, since `nn` would play one game over and over. Prints a row for each tenth of the predictions, all seats together;
fails if a tenth is further from what happened than 2 points and the half of its 95% interval. The intervals take the
seats of a game for one sample. What was played lies in build/calibration, 200 games a file, and is not played again.

With --fit it fits the maps from predicted to actual shares of the win in a network's file again, as `tilery train` does
at its end, to games of `nn` by this network, half as many for each number of players above two. Test it with another
seed.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import tilery
from tests.kit.games import GAMES, ROOT
from tests.lab.campaign import commit, processor_seconds, write_line
from tilery.calibration import calibrated, positions
from tilery.files import whole_file

NETS = ROOT / "python" / "tilery" / "data" / "nets"
ALLOWED = 0.02
PART = 200
"""Games in a file."""


class Tenth(NamedTuple):
    """Predictions from `number` / 10 on: games and seats, means of predictions and results, half of the interval."""

    number: int
    games: int
    seats: int
    predicted: float
    happened: float
    half: float

    @property
    def holds(self) -> bool:
        return abs(self.predicted - self.happened) <= ALLOWED + self.half

    def __str__(self) -> str:
        verdict = "" if self.holds else "  OUTSIDE"
        means = f"{self.predicted:.3f} | {self.happened:.3f} | {self.half:.3f}"
        return f"| {self.number}0 % | {self.seats:,} | {means} |{verdict}"


def tenths(predicted: npt.NDArray[np.float64], happened: npt.NDArray[np.float64]) -> list[Tenth]:
    """The tenths in which there are predictions; both arrays have a row for each game and a column for each seat."""
    number = np.minimum((predicted * 10).astype(int), 9)
    found = []
    for which in range(10):
        here = number == which
        seats, games = int(here.sum()), int(here.any(axis=1).sum())
        if games < 2:
            continue
        errors = np.where(here, happened - predicted, 0.0).sum(axis=1)
        # The variance of a sum over games whose terms are dependent within a game.
        spread = float(np.sqrt(np.square(errors - errors.sum() / seats * here.sum(axis=1)).sum())) / seats
        found.append(Tenth(which, games, seats, predicted[here].mean(), happened[here].mean(), 1.96 * spread))
    return found


def played(game: Any, games: int, seed: int, threads: int | None, folder: Path) -> npt.NDArray[np.float64]:
    """What `nn` predicts in a position of each game, and what happened: float64[2, games, players]."""
    network = hashlib.sha256((NETS / f"{game.name}.tnn").read_bytes()).hexdigest()[:8]
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for first in range(0, games, PART):
        count = min(PART, games - first)
        path = folder / f"{game.name}-{game.num_players}-{network}-{seed}-{first}-{count}.npy"
        if not path.exists():
            pairs = [
                (tilery.evaluate(state, "nn").wins, shares)
                for state, shares in positions(game, count, seed=seed, first=first, threads=threads)
            ]
            with whole_file(path) as file:
                np.save(file, np.array(pairs, np.float64).transpose(1, 0, 2))
        found.append(np.load(path))
    return np.concatenate(found, axis=1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=[name for name in GAMES if name != "toy"])
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "calibration")
    parser.add_argument("--ledger", action="store_true", help="append a line to tests/lab/ledger.md")
    parser.add_argument("--fit", type=Path, metavar="FILE", help="the network whose maps are fitted")
    options = parser.parse_args()
    if options.fit is not None:
        made = calibrated(options.fit.read_bytes(), options.games, seed=options.seed, threads=options.threads)
        with whole_file(options.fit, overwrite=True) as file:
            file.write(made)
        print(f"{options.fit}: {tilery.load_weights(made).name}")
        return 0
    game = tilery.load(options.game, players=options.players)
    predicted, happened = played(game, options.games, options.seed, options.threads, options.folder)
    found = tenths(predicted, happened)
    print("| predicted | seats | mean of predictions | happened | ± |\n|---|---|---|---|---|")
    for tenth in found:
        print(tenth)
    wrong = [f"{tenth.number}0 %" for tenth in found if not tenth.holds]
    if options.ledger:
        off = f"tenths off by more than 2 points: {', '.join(wrong) or 'none'}"
        summary = f"{options.games:,} positions, {options.players} players, {off}"
        write_line("calibration", options.game, summary, processor_seconds() / 60, commit(), options.seed)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
