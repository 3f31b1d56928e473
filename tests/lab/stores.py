"""Finds narrow stores that a wider load reads back soon after, in random games.

    python -m tests.lab.stores PROGRAM GAME [OPTION=VALUE ...] [--games 3] [--within 60]

PROGRAM is tilery_play_v3. A processor passes a stored value on to a load only if one store wrote all bytes of the load;
otherwise the load waits until the stores have left for the cache, some 12 cycles. Runs the program under valgrind's
lackey, which prints each access, and lists the functions in which a load reads bytes of several stores, or of one
narrower than itself, the last of them within a given number of instructions, with the number of times in a game. The
first game, in which tables are made, does not count.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

LOADED_AT = 0x108000
"""Where valgrind loads a position-independent program."""
Pair = tuple[int, int]
"""The addresses of two instructions: a store, and the load that waits for it."""


def stalled(trace: Iterable[str], within: int) -> Counter[Pair]:
    """How often a load cannot be served by one store among the last `within` instructions.

    trace: lines of lackey: `I  address,size` for an instruction, ` S`, ` L` and ` M` for its stores, loads, and both.
    """
    found: Counter[Pair] = Counter()
    stored: dict[int, tuple[int, int, int]] = {}
    """For each byte the store that wrote it last: its time, its instruction, its number."""
    time = instruction = stores = 0
    for line in trace:
        kind, (first, comma, count) = line[:3].strip(), line[3:].strip().partition(",")
        if kind not in ("I", "S", "L", "M") or not comma:
            continue
        address, size = int(first, 16), int(count)
        if kind == "I":
            time, instruction = time + 1, address
            continue
        if kind != "S":
            writers = {stored.get(byte, (-within, 0, 0)) for byte in range(address, address + size)}
            last = max(writers)
            if len(writers) > 1 and time - last[0] < within:
                found[last[1], instruction] += 1
        if kind != "L":
            stores += 1
            stored.update(dict.fromkeys(range(address, address + size), (time, instruction, stores)))
    return found


def trace_of(program: Path, words: list[str]) -> Iterable[str]:
    """The lines that lackey prints while a program runs."""
    command = ["valgrind", "--tool=lackey", "--trace-mem=yes", "--basic-counts=no", str(program), *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        yield from running.stderr


def functions_of(program: Path, addresses: Iterable[int]) -> dict[int, str]:
    """The function of each address of a program, as valgrind loads it."""
    asked = sorted(set(addresses))
    words = ["addr2line", "-Cfe", str(program), *(hex(address - LOADED_AT) for address in asked)]
    names = subprocess.check_output(words, text=True).splitlines()[::2]
    return {at: re.sub(r"\(.*|tilery::", "", name) or name for at, name in zip(asked, names, strict=True)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("game")
    parser.add_argument("options", nargs="*")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument(
        "--within", type=int, default=60, help="instructions between the store and the load (default 60)"
    )
    words = parser.parse_args()
    if missing := [tool for tool in ("valgrind", "addr2line") if shutil.which(tool) is None]:
        sys.exit(f"{' and '.join(missing)} not found: apt install valgrind binutils")
    one, all_games = (
        stalled(trace_of(words.program, [words.game, str(games), *words.options]), words.within)
        for games in (1, 1 + words.games)
    )
    all_games.subtract(one)
    names = functions_of(words.program, {address for pair in all_games for address in pair})
    by_functions: Counter[tuple[str, str]] = Counter()
    for (store, load), count in all_games.items():
        by_functions[names[store], names[load]] += count
    for (stored, loaded), count in by_functions.most_common(20):
        if count > 0:
            print(f"{count / words.games:>8,.0f} a game: stored in {stored}, loaded in {loaded}")
    print(f"{sum(all_games.values()) / words.games:>8,.0f} a game in all")


if __name__ == "__main__":
    main()
