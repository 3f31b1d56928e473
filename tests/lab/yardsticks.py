"""Exact yardsticks: late positions of games of two in which the value of every action is known, and what policies lose.

    python -m tests.lab.yardsticks [GAME ...] [--policy P ...]
    python -m tests.lab.yardsticks GAME --make N [--by mcts:30] [--last 12] [--most 5000]

Prints for each policy the mean loss against best play in points and in shares of the win, with 95% intervals over the
games that the positions are from, and how often it loses nothing. With --make it looks for N positions in the last
actions of games by a policy and writes tests/lab/yardsticks/GAME.npz; tests/kit/exact.py says what is solved. A file
names a position by the number of its game and action, so it stays small, and by its hash.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import tilery
from tests.kit.exact import Solver, Undefined
from tests.kit.games import GAMES
from tilery.statistics import t_interval

FOLDER = Path(__file__).parent / "yardsticks"
SEED = 32
POLICIES = ["random", "greedy", "mcts:200", "mcts:2000", "nn", "champion"]


class Yardstick(NamedTuple):
    """A position, and what each of its legal actions loses against the best: points, and shares of the win."""

    game: int
    at: int
    state: Any
    points: npt.NDArray[np.float32]
    wins: npt.NDArray[np.float32]


def played(game: Any, by: str, number: int) -> list[str]:
    """The tokens of a game from which positions are taken."""
    _, (tokens,) = tilery.simulate(
        game, 1, seed=SEED, first=number, policies=by, records=True, threads=1, separate=True
    )
    return tokens.split()


def loss(values: dict[int, float]) -> npt.NDArray[np.float32]:
    """What each action is worth less than the best."""
    found = np.array(list(values.values()))
    return np.asarray(np.round(found.max() - found, 6), np.float32)


def look(game: Any, by: str, number: int, last: int, most: int) -> Iterator[Yardstick]:
    """The positions among the last actions of a game whose actions have exact values that differ."""
    tokens, state = played(game, by, number), game.new_initial_state()
    lead, win = (Solver(game, worth, most) for worth in ("lead", "win"))
    for at, token in enumerate(tokens):
        if at >= len(tokens) - last and not state.is_chance_node() and len(state.legal_actions()) > 1:
            try:
                points, wins = loss(lead.of_actions(state)), loss(win.of_actions(state))
            except Undefined:
                pass
            else:
                if points.any():
                    yield Yardstick(number, at, state.clone(), points, wins)
        state.apply_action(state.string_to_action(token))


def make(name: str, count: int, by: str, last: int, most: int) -> None:
    """Write the file of a game."""
    game, found, number = tilery.load(name, players=2), list[Yardstick](), 0
    while len(found) < count:
        found += look(game, by, number, last, most)
        number += 1
    FOLDER.mkdir(exist_ok=True)
    np.savez_compressed(
        FOLDER / f"{name}.npz",
        by=np.array(by),
        game=np.array([each.game for each in found], np.uint32),
        at=np.array([each.at for each in found], np.uint16),
        hash=np.array([hash_of(each.state) for each in found], np.uint32),
        actions=np.array([len(each.points) for each in found], np.uint16),
        points=np.concatenate([each.points for each in found]),
        wins=np.concatenate([each.wins for each in found]),
    )
    print(f"{name}: {len(found)} positions of {number} games")


def hash_of(state: Any) -> int:
    """CRC-32 of the position as bytes."""
    return zlib.crc32(state.serialize())


def yardsticks(name: str, most: int | None = None) -> Iterator[Yardstick]:
    """The positions of a game's file, or the first of them. Raises `ValueError` where the games are others now."""
    game: Any = tilery.load(name, players=2)
    with np.load(FOLDER / f"{name}.npz") as file:
        arrays = {key: file[key] for key in file.files}
    ends, by = np.cumsum(arrays["actions"], dtype=int), str(arrays["by"])
    tokens, of = list[str](), -1
    for i in range(len(ends) if most is None else min(most, len(ends))):
        number, at = int(arrays["game"][i]), int(arrays["at"][i])
        if number != of:
            tokens, of = played(game, by, number), number
        state = game.new_initial_state()
        for token in tokens[:at]:
            state.apply_action(state.string_to_action(token))
        if hash_of(state) != int(arrays["hash"][i]):
            raise ValueError(f"{name}: action {at} of game {number} is not the position of the file; write it again")
        part = slice(ends[i] - int(arrays["actions"][i]), ends[i])
        yield Yardstick(number, at, state, arrays["points"][part], arrays["wins"][part])


def losses(policy: str, positions: list[Yardstick]) -> npt.NDArray[np.float64]:
    """float64[positions, 2]: the points and the shares of the win that a policy loses."""
    chosen, found = tilery.policy(policy), []
    for number, each in enumerate(positions):
        place = each.state.legal_actions().index(chosen.choose(each.state, number))
        found.append((float(each.points[place]), float(each.wins[place])))
    return np.array(found)


def row(policy: str, positions: list[Yardstick]) -> str:
    """A row of a table: means with halves of 95% intervals between games."""
    lost, games = losses(policy, positions), np.array([each.game for each in positions])
    lines = []
    for column, scale in ((0, 1), (1, 100)):
        mean, of_games = lost[:, column].mean(), np.unique(games)
        sums = np.array([(lost[games == each, column] - mean).sum() for each in of_games])
        error = float(np.sqrt((sums**2).sum())) / len(lost)
        low, high = t_interval(float(mean), error, len(of_games)) or (mean, mean)
        lines.append(f"{scale * mean:.3f} ±{scale * (high - low) / 2:.3f}")
    return f"| `{policy}` | {lines[0]} | {lines[1]} | {100 * (lost[:, 0] < 1e-6).mean():.1f} % |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", default=[name for name in GAMES if (FOLDER / f"{name}.npz").exists()])
    parser.add_argument("--policy", nargs="*", default=POLICIES)
    parser.add_argument("--make", type=int, metavar="N")
    parser.add_argument("--by", default="mcts:30", help="who plays the games")
    parser.add_argument("--last", type=int, default=12, help="actions at the end of a game that are looked at")
    parser.add_argument("--most", type=int, default=5000, help="positions below one that is solved")
    options = parser.parse_args()
    for name in options.game:
        if options.make is not None:
            make(name, options.make, options.by, options.last, options.most)
            continue
        positions = list(yardsticks(name))
        print(f"{name}, {len(positions)} positions\n\n| policy | points | wins, % | nothing lost |\n|---|---|---|---|")
        for policy in options.policy:
            print(row(policy, positions), flush=True)


if __name__ == "__main__":
    main()
