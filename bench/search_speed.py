"""Measures the search: simulations per second against playouts and against OpenSpiel's bots.

    python bench/search_speed.py [CASE ...] [--repeat R] [--write]

bench/README.md says what each line means. --write puts the table there.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import signal
import statistics
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import tilery

ROOT = Path(__file__).parents[1]
PROGRAM = ROOT / "build" / "release" / "tilery_search_v3"
BEGIN, END = "<!-- search: dev.py search_speed --write -->", "<!-- end of search -->"
SEEDS = range(11, 15)
"""Of the random games to the positions, as in bench/search.cpp."""
MOST_IDS = 20_000
"""Of a game whose leaves are counted."""


@dataclass(frozen=True)
class Case:
    """A game, how many random decisions lead to its middle, the simulations of one search, and the goals."""

    game: str
    skip: int
    simulations: int
    options: dict[str, Any] = field(default_factory=dict)
    goals: dict[str, str] = field(default_factory=dict)


EVERYWHERE = {"bytes per edge": "32", "two threads : one": "1.8x", "Ctrl-C to its error, ms": "100"}
SHARE, MCTS, JSON_KEYS, HASH_KEYS = "uct : playouts", "uct : MCTSBot", "uct : ISMCTSBot", "uct : ISMCTSBot, hash keys"
CASES = {
    "pueblo": Case("pueblo", 30, 40_000, goals={SHARE: "60%", MCTS: "3x", "leaves/s": "150,000"}),
    "carcassonne": Case("carcassonne", 50, 8_000, goals={SHARE: "92%", MCTS: "3x"}),
    "carcassonne, hand of one": Case(
        *("carcassonne", 50, 8_000, {"hand_size": 1}),
        goals={"determinize, us": "0.4", JSON_KEYS: "12x", HASH_KEYS: "3x"},
    ),
    "java": Case(
        *("java", 96, 2_000),
        goals={SHARE: "80%", "determinize, us": "0.4", MCTS: "1.6x", JSON_KEYS: "10x", HASH_KEYS: "1.3x"},
    ),
    "tajmahal, 3 players": Case(
        *("tajmahal", 96, 20_000, {"players": 3}),
        goals={SHARE: "92%", "determinize, us": "0.7", MCTS: "2.5x", JSON_KEYS: "15x", HASH_KEYS: "4x"},
    ),
}


def programs(count: int, case: Case, policy: str, repeat: int, positions: int) -> list[list[dict[str, Any]]]:
    """This many processes at once, each of which searches from positions of the middle of a game."""
    words = [f"{key}={json.dumps(value)}" for key, value in case.options.items()]
    words += ["--policy", policy, "--repeat", str(repeat), "--positions", str(positions)]
    command = [str(PROGRAM), case.game, str(case.skip), str(case.simulations), *words]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(count)]
    printed = [process.communicate()[0] for process in running]
    assert not any(process.returncode for process in running)
    all_found = [[json.loads(line) for line in text.splitlines()] for text in printed]
    for found in all_found:
        assert len(found) == positions, "no game is over before its middle"
        assert all(each["simulations"] == case.simulations for each in found)
    return all_found


def program(case: Case, policy: str, repeat: int) -> list[dict[str, Any]]:
    """Searches from four positions, in turn with as many playouts."""
    return programs(1, case, policy, repeat, len(SEEDS))[0]


def ratios(found: list[dict[str, Any]], above: str, below: str) -> Iterator[float]:
    """Of all positions and repetitions."""
    for each in found:
        yield from (a / b for a, b in zip(each[above], each[below], strict=True) if b > 0)


def per_second(found: list[dict[str, Any]], what: str) -> float:
    """The median rate over positions and repetitions."""
    return statistics.median(each["simulations"] / seconds for each in found for seconds in each[what])


def path_to_middle(case: Case, seed: int) -> tuple[Any, list[int]]:
    """The position of bench/search.cpp and the actions that lead to it."""
    game, rng = tilery.load(case.game, **case.options), tilery.Rng(seed)
    state, decisions, actions = game.new_initial_state(), 0, []
    while state.is_chance_node() or decisions < case.skip or len(state.legal_actions()) == 1:
        decisions += not state.is_chance_node()
        actions.append(state.random_action(rng))
        state.apply_action(actions[-1])
    return state, actions


def two_threads(case: Case, repeat: int) -> float:
    """How much faster two threads search two trees than one does: the fastest runs of each, in turn.

    The processors of a virtual machine may run at different speeds for some time.
    """
    policy, (state, _) = tilery.policies.UCT(2 * case.simulations, trees=2), path_to_middle(case, SEEDS[0])
    found = []
    for _ in range(4 * repeat):
        one, two = (policy.analyse(state, 7, threads=threads) for threads in (1, 2))
        assert one.actions == two.actions
        found.append((one.seconds, two.seconds))
    return min(one for one, _ in found) / min(two for _, two in found)


def two_processes(case: Case, repeat: int) -> float:
    """The same of two processes that share nothing: what the machine allows at most."""
    (alone,), pair = (programs(count, case, "uct", 2 * repeat, 1) for count in (1, 2))
    return sum(per_second(each, "search_seconds") for each in pair) / per_second(alone, "search_seconds")


def stopping(case: Case, repeat: int) -> float:
    """Seconds from Ctrl-C until a search has raised KeyboardInterrupt."""
    state, pressed, found = path_to_middle(case, SEEDS[0])[0], 0.0, []

    def press() -> None:
        nonlocal pressed
        pressed = time.perf_counter()
        signal.raise_signal(signal.SIGINT)

    for _ in range(repeat):
        threading.Timer(0.2, press).start()
        try:
            tilery.policies.UCT(seconds=20).choose(state, 1)
        except KeyboardInterrupt:
            found.append(time.perf_counter() - pressed)
    assert len(found) == repeat
    return max(found)


def leaves_per_second(case: Case, repeat: int) -> float | None:
    """Leaves per second of CPU time with 256 positions at once and an evaluator that returns zeros.

    None where there are so many ids that the arrays of priors would be what is measured.
    """
    game = tilery.load(case.game, **case.options)
    if game.num_distinct_actions > MOST_IDS:
        return None
    states = [path_to_middle(case, seed)[0] for seed in range(256)]
    players = game.num_players
    leaves = 0

    def zeros(_observations: Any, masks: Any, _players: Any) -> tuple[Any, Any]:
        nonlocal leaves
        leaves += len(masks)
        return np.zeros(masks.shape, np.float32), np.zeros((len(masks), players), np.float32)

    found = []
    for _ in range(repeat):
        leaves, began = 0, time.process_time()
        tilery.search.run(states, zeros, simulations=100)
        assert leaves > 256
        found.append(leaves / (time.process_time() - began))
    return statistics.median(found)


class OpenSpiel:
    """Simulations per second of CPU time of OpenSpiel's C++ bots on the same rules, through the plug-in."""

    def __init__(self) -> None:
        import pyspiel

        from tilery.openspiel import game_string, plugin, register

        plugin.build()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            register()
        self.pyspiel, self.game_string = pyspiel, game_string

    def rate(self, case: Case, kind: str, repeat: int) -> float:
        keys = "hash" if kind == HASH_KEYS else "json"
        simulations = case.simulations if kind == MCTS else max(case.simulations // 8, 1_000)
        game = self.pyspiel.load_game(self.game_string(case.game, keys=keys, **case.options))
        found = []
        for seed in SEEDS:
            state = game.new_initial_state()
            for action in path_to_middle(case, seed)[1]:
                state.apply_action(action)
            for repetition in range(max(1, repeat // 2)):
                bot, began = self.bot(game, kind, simulations, repetition), time.process_time()
                if kind == MCTS:
                    visits = bot.mcts_search(state).explore_count
                    assert visits == simulations
                else:
                    assert bot.step(state) in state.legal_actions()
                found.append(simulations / (time.process_time() - began))
        return statistics.median(found)

    def bot(self, game: Any, kind: str, simulations: int, seed: int) -> Any:
        evaluator = self.pyspiel.RandomRolloutEvaluator(1, seed + 1)
        if kind == MCTS:
            return self.pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, seed, False)
        final = self.pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        observation = kind == HASH_KEYS
        return self.pyspiel.ISMCTSBot(seed, evaluator, 1.4, simulations, -1, final, observation, True)


def open_spiel() -> OpenSpiel | None:
    """OpenSpiel's bots; None, with the reason on standard error, where they are not installed."""
    try:
        return OpenSpiel()
    except (ImportError, RuntimeError) as error:
        print(f"no rows of OpenSpiel: {error}", file=sys.stderr, flush=True)
        return None


def measure(case: Case, repeat: int, other: OpenSpiel | None) -> list[tuple[str, str]]:
    """The rows of one case: what, figure."""
    uct, mcts = program(case, "uct", repeat), program(case, "mcts", repeat)
    hides = tilery.load(case.game, **case.options).hides_information
    ours, leaves = per_second(uct, "search_seconds"), leaves_per_second(case, repeat)
    rows = [
        ("playouts/s", f"{per_second(uct, 'playout_seconds'):,.0f}"),
        ("uct, simulations/s", f"{ours:,.0f}"),
        (SHARE, f"{statistics.median(ratios(uct, 'playout_seconds', 'search_seconds')):.0%}"),
        ("- difference, us", f"{1e6 / ours - 1e6 / per_second(uct, 'playout_seconds'):.2f}"),
        ("mcts, simulations/s", f"{per_second(mcts, 'search_seconds'):,.0f}"),
    ]
    for kind in (MCTS, JSON_KEYS, HASH_KEYS):
        if other is None or (kind != MCTS and not hides):
            rows.append((kind, "-"))
        else:
            rows.append((kind, f"{ours / other.rate(case, kind, repeat):.1f}x"))
    rows += [
        ("determinize, us", f"{1e6 / per_second(uct, 'determinize_seconds'):.2f}" if hides else "-"),
        ("bytes per edge", f"{statistics.median(each['bytes'] / each['edges'] for each in uct):.0f}"),
        ("two threads : one", f"{two_threads(case, repeat):.2f}x"),
        ("two processes : one", f"{two_processes(case, repeat):.2f}x"),
        ("Ctrl-C to its error, ms", f"{1000 * stopping(case, repeat):.0f}"),
        ("leaves/s", "-" if leaves is None else f"{leaves:,.0f}"),
    ]
    goals = EVERYWHERE | case.goals
    return [(what, f"{figure} ({goals[what]})" if what in goals and figure != "-" else figure) for what, figure in rows]


def table(labels: list[str], repeat: int) -> str:
    columns, other = {}, open_spiel()
    for label in labels:
        print(f"measuring {label}", file=sys.stderr, flush=True)
        columns[label] = measure(CASES[label], repeat, other)
    lines = ["| | " + " | ".join(columns) + " |", "|---|" + "---:|" * len(columns)]
    for row in zip(*columns.values(), strict=True):
        lines.append(f"| {row[0][0]} | " + " | ".join(figure for _, figure in row) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(map(repr, CASES))}")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="replace the table in bench/README.md")
    options = parser.parse_args()
    if unknown := set(options.cases) - set(CASES):
        parser.error(f"unknown case {unknown.pop()!r}; there are {', '.join(map(repr, CASES))}")
    measured = table(options.cases or list(CASES), options.repeat)
    stamp = (
        f"Measured {datetime.date.today()} with `python3 dev.py search_speed` on one core of a {platform.machine()} "
        f"machine, CPython {platform.python_version()}: CPU time, medians of {options.repeat} runs from each of 4 "
        "positions in the middle of random games. In brackets is what is to be reached."
    )
    print(f"{measured}\n\n{stamp}")
    if options.write:
        page = ROOT / "bench" / "README.md"
        before, rest = page.read_text(encoding="utf-8").split(BEGIN)
        page.write_text(f"{before}{BEGIN}\n{measured}\n\n{stamp}\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
