"""Long campaigns. Each adds a line to a ledger.

    python -m tests.lab.campaign differential GAME --positions 2000000 [--seed S] [--processes P] [--as-is]
    python -m tests.lab.campaign hostile GAME --inputs 1000000 [--seed S] [--processes P]
    python -m tests.lab.campaign forged GAME --inputs 100000000 [--seed S] [--processes P]

`differential` plays random games with random options on the engine, lets the reference replay them, and compares every
call of rule G-4: mover, legal actions, chances and scores at every position, everything else at every 1024th, beginning
at a random one, and at the end of every fourth game. In every other game the kind of action is chosen first, so that
rare kinds occur. The reference is compiled by Cython (`replay.py`), but not with `--as-is`.
`hostile` mutates serialized states (with the old checksum and with a correct one), tokens and records, and plays on
with whatever is accepted. `forged` sends states, tokens and option words by the million from C++ (fuzz/hostile.cpp,
built by `nox -s campaign`): for every 1000 forged states one that is accepted is played to its end, and every state on
the way must be accepted. It sends as many tokens as states, and a tenth as many option words.

Each process has its own seeds. The result is one line in ledger.md, with the CPU time. A mismatch is printed with
what is needed to reproduce it. Finished parts are kept in build/campaign; a later call for the same commit and seed
continues there. Only one call at a time may work on a campaign.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import datetime
import functools
import gc
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import compress
from pathlib import Path
from typing import Any, TextIO

import numpy as np

import tilery
from tests.kit.comparing import apply_native, of_position, of_questions
from tests.kit.forging import accept_or_refuse, mutations, reseal
from tests.kit.games import ROOT, loaded, sample_options, write_configurations
from tests.kit.walking import random_game
from tests.lab import replay
from tilery import record
from tilery.locks import lock

LEDGER = ROOT / "tests" / "lab" / "ledger.md"
PIECE = 5000
"""How many inputs one task of a process covers."""
REPLAYED_PIECE = 100_000
"""The same for positions."""
FORGED_PIECE = 1_000_000
"""The same for forged states. Each task draws its own options."""
OF_SAME_OPTIONS = 16
"""How many games of the same options are played in a row: to load a game takes as long as fifty decisions."""
EVERY = 1024
"""At one of this many positions of a game everything is compared, which takes as long as a hundred positions."""
ENDS = 4
"""At the end of one of this many games, too."""
PROGRAM = ROOT / "build" / "release" / "tilery_hostile"
FOLDER = ROOT / "build" / "campaign"


class Kinds(dict[int, str]):
    """The kinds of actions by their ids: tokens without their numbers."""

    def __init__(self, game: Any) -> None:
        self.game = game

    @classmethod
    @functools.lru_cache(maxsize=1)
    def of(cls, game: Any) -> Kinds:
        """Those of a game, kept until the next game is asked for."""
        return cls(game)

    def __missing__(self, action: int) -> str:
        self[action] = kind = re.sub(r"[0-9]+", "", self.game.action_to_string(action))
        return kind

    def drawn(self, legal: list[int], luck: random.Random) -> int:
        """A random action of a random kind, so that rare kinds (a palace, a festival, a bid) occur often."""
        kinds = list(map(self.__getitem__, legal))
        different = list(dict.fromkeys(kinds))
        wanted = luck.choice(different)
        return luck.choice(legal if len(different) == 1 else list(compress(legal, map(wanted.__eq__, kinds))))


def played(name: str, options: dict[str, Any], seed: int) -> replay.Game:
    """A random game of the engine, with its answers at every position."""
    game = loaded("native", name, json.dumps(options))
    kinds = Kinds.of(game)
    luck = random.Random(seed)
    first = luck.randrange(EVERY)
    positions: list[Any] = []
    tokens: list[str] = []
    with replay.reproducible(name, options, tokens):
        state = game.new_initial_state()
        while True:
            answers = of_position(state)
            over = answers["is_terminal"]
            in_full = len(positions) % EVERY == first or (over and first % ENDS == 0)
            questions = of_questions(state, len(positions)) if in_full else None
            if over:
                positions.append((answers, questions, -1, "", []))
                return name, options, positions
            legal = answers["legal_actions"]
            action = kinds.drawn(legal, luck) if seed % 2 else luck.choice(legal)
            tokens.append(game.action_to_string(action))
            positions.append((answers, questions, action, tokens[-1], apply_native(state, action)))


def games(name: str, seed: int) -> Iterator[replay.Game]:
    """Games of random options, a few of each, until they have REPLAYED_PIECE decisions."""
    rng = np.random.default_rng([seed, 1])
    positions = 0
    while positions < REPLAYED_PIECE:
        options = sample_options(name, rng)
        for game in (played(name, options, int(rng.integers(2**32))) for _ in range(OF_SAME_OPTIONS)):
            positions += replay.decisions(game)
            yield game


def differential(name: str, seed: int) -> dict[str, int]:
    """Let the reference replay games of the engine.

    States make no cycles, so that the collector of cycles, which takes a tenth of the time, rests meanwhile.
    """
    gc.disable()
    try:
        return replay.compared(games(name, seed))
    finally:
        gc.enable()


def hostile(name: str, seed: int) -> dict[str, int]:
    """Send mutated bytes, tokens and records to the engine."""
    rng = np.random.default_rng([seed, 2])
    counts = {"inputs": 0, "accepted": 0}
    while counts["inputs"] < PIECE:
        game: Any = tilery.load(name, **sample_options(name, rng))
        state = random_game(game, seed=int(rng.integers(2**32)), actions=int(rng.integers(1, 250)))
        data = state.serialize()
        for changed in mutations(data, rng, 50):
            counts["inputs"] += 1
            with contextlib.suppress(tilery.StateDataError):
                assert game.deserialize_state(changed) == state, "only the same state may come back"
        for changed in mutations(data[24:-8], rng, 150):
            counts["inputs"] += 1
            counts["accepted"] += accept_or_refuse(game, reseal(data[:24] + changed), rng)
        (written,) = record.simulated(game, 1, seed=int(rng.integers(2**32)))
        line = written.to_json().encode()
        for changed in mutations(line, rng, 25):
            counts["inputs"] += 1
            with contextlib.suppress(tilery.RecordError):
                record.replay(changed)
                counts["accepted"] += 1
        tokens = written.actions.split()
        for token in tokens[:: max(1, len(tokens) // 25)]:
            for changed in mutations(token.encode(), rng, 2):
                counts["inputs"] += 1
                text = changed.decode("latin-1")
                with contextlib.suppress(tilery.ParseError):
                    assert game.action_to_string(game.string_to_action(text)) == text
    return counts


def forged(name: str, seed: int) -> dict[str, int]:
    """Forge states, tokens and option words in C++."""
    path = FOLDER / f"{name}-{seed}.txt"
    write_configurations(path, [name], seed, 12)
    wanted = (FORGED_PIECE, FORGED_PIECE // 1000, FORGED_PIECE, FORGED_PIECE // 10, 0)
    words = [str(PROGRAM), str(path), str(seed), *map(str, wanted)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr}")
    path.unlink()
    counts: dict[str, int] = json.loads(done.stdout)
    return {key: count for key, count in counts.items() if count}


CAMPAIGNS: dict[str, tuple[Callable[[str, int], dict[str, int]], int]] = {
    "differential": (differential, REPLAYED_PIECE),
    "hostile": (hostile, PIECE),
    "forged": (forged, FORGED_PIECE),
}


def processor_seconds() -> float:
    """CPU time of this process and of those it has waited for."""
    return sum(os.times()[:4])


def piece(campaign: str, name: str, seed: int) -> dict[str, Any]:
    """Run a part of a campaign; returns its seed, what it counted, and its CPU time."""
    began = processor_seconds()
    counts = CAMPAIGNS[campaign][0](name, seed)
    return {"seed": seed, "counts": counts, "seconds": processor_seconds() - began}


def pieces(campaign: str, name: str, seeds: range, processes: int, kept: Path) -> Iterator[dict[str, Any]]:
    """The parts of a campaign: first those in the file `kept`, then the others as they end. These are added to it."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    with kept.open("a+", encoding="ascii") as file:
        if not lock(file, 0, wait=False):
            sys.exit(f"another call is at work on this campaign: it has locked {kept}")
        if "dirty" in kept.name:
            file.truncate(0)
        done = {seed: one for seed, one in finished(file).items() if seed in seeds}
        yield from done.values()
        with concurrent.futures.ProcessPoolExecutor(processes) as pool:
            tasks = [pool.submit(piece, campaign, name, seed) for seed in seeds if seed not in done]
            try:
                for task in concurrent.futures.as_completed(tasks):
                    file.write(json.dumps(task.result()) + "\n")
                    file.flush()
                    yield task.result()
            except Exception as error:
                for task in tasks:
                    task.cancel()
                sys.exit(f"\n{campaign} {name}: {error}")


def finished(file: TextIO) -> dict[int, dict[str, Any]]:
    """The parts in a file by seed. A line that a killed process has cut off is skipped, and ended for the next one."""
    file.seek(0)
    text = file.read()
    if text and not text.endswith("\n"):
        file.write("\n")
        file.flush()  # before the pool copies the process, and what is not yet written with it
    found: dict[int, dict[str, Any]] = {}
    for line in text.splitlines():
        with contextlib.suppress(json.JSONDecodeError):
            one = json.loads(line)
            found.setdefault(one["seed"], one)
    return found


def commit() -> str:
    """The commit that was tested, marked if files other than the ledger and the table of mutants differ.

    New files of source folders count: the build and the tests take what lies there.
    """

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", ":!tests/lab/ledger.md", ":!tests/lab/mutants.md")
    new = git("ls-files", "--others", "--exclude-standard", "--", "cpp", "python", "tests", "cmake")
    return (git("rev-parse", "--short=10", "HEAD") or "unknown") + ("-dirty" if changed or new else "")


def write_line(campaign: str, game: str, found: str, minutes: float, tested: str, seed: int) -> None:
    """Print a line and append it to the ledger."""
    time = f"{minutes:.0f} min" if minutes > 0.5 else "< 1 min"
    line = f"| {datetime.date.today()} | {campaign} | {game} | {found} | none | {time} | {tested} | {seed} |"
    print(line)
    with LEDGER.open("a", encoding="ascii") as file:
        file.write(line + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("campaign", choices=CAMPAIGNS)
    parser.add_argument("game")
    parser.add_argument("--positions", "--inputs", dest="wanted", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0, help="other seeds give other games and inputs")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--as-is", action="store_true", help="do not compile the reference")
    parser.add_argument("--no-ledger", action="store_true")
    options = parser.parse_args()
    if options.campaign == "differential" and not options.as_is:
        replay.use_compiled(options.game, replay.compile_reference(options.game, FOLDER))
    tested = commit()
    count = -(-options.wanted // CAMPAIGNS[options.campaign][1])
    seeds = range(options.seed * 10**6, options.seed * 10**6 + count)
    kept = FOLDER / f"{options.campaign}-{options.game}-{tested}.jsonl"
    total: dict[str, int] = {}
    seconds = 0.0
    for one in pieces(options.campaign, options.game, seeds, options.processes, kept):
        seconds += one["seconds"]
        for key, number in one["counts"].items():
            total[key] = total.get(key, 0) + number
        if sys.stderr.isatty():
            print(f"\r{total}", end="", file=sys.stderr, flush=True)
    found = ", ".join(f"{count:,} {key}" for key, count in total.items())
    if options.no_ledger:
        print(json.dumps(total))
    else:
        write_line(options.campaign, options.game, found, seconds / 60, tested, options.seed)


if __name__ == "__main__":
    main()
