"""Runs on disk: a manifest and shards, each a pure function of its number.

A run may be interrupted at any moment and continued, by several processes at a time; its files end up the same, byte
for byte.
"""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import NoneType
from typing import Any, BinaryIO, Self, cast

import numpy as np

import tilery
from tilery import _core
from tilery.errors import TileryError, integer
from tilery.extras import imported
from tilery.files import PART, open_lock, read_text, sync_folder, whole_file, write_whole
from tilery.locks import lock, unlock
from tilery.options import game_of_rules, options
from tilery.policies import EnginePolicy, of_engine, policy, repeatable
from tilery.protocol import Game, Policy
from tilery.runs.columns import Columns, columns
from tilery.runs.files import SHARDS
from tilery.runs.summary import Summary
from tilery.simulation import Options, PolicyLike, result_dtype, simulate, threads_of

FORMAT = "tilery-run/1"
MANIFEST = "manifest.json"
CLAIMS = ".claims"
"""A file of no content; byte k + 1 is locked while a process plays shard k, byte 0 while it makes the manifest."""

ACTIONS_OF_SHARD = 40_000_000
"""About as many random actions as two cores play in a second."""

GAMES_OF_THREAD = 4
"""Games for each thread that are played at once, from as many shards as that needs (slow policies have small ones)."""

MOST = 2**23
"""No score and no number of actions is as large; a `Summary` can count all that are smaller."""

VERSIONS = ("tilery", "pyarrow")
"""Entries of the manifest on which the bytes of shards depend, besides what is played."""


class RunError(TileryError):
    """A directory that is no run, another run, or damaged."""


@dataclass(frozen=True)
class Plan:
    """The plan of a run: everything its bytes depend on.

    game, rules: the name and all options. games, seed, first: which games. policies: one text, or one for each seat.
    rotate, separate: as `tilery.simulate` has them. shard: how many games are in a shard. files: "parquet" or "npz".
    tilery, pyarrow: the versions that write it; pyarrow is None with npz.
    """

    game: str
    rules: dict[str, Any]
    games: int
    seed: int = 0
    first: int = 0
    policies: list[str] = field(default_factory=lambda: ["random"])
    rotate: bool = False
    shard: int = 1
    files: str = "npz"
    tilery: str = field(default_factory=lambda: tilery.__version__)
    pyarrow: str | None = None
    separate: bool = False

    def options(self, threads: int | None, progress: Callable[[int], object] | None, begin: int = 0) -> Options:
        """The arguments of `tilery.simulate` for the games of the run from number `begin` on."""
        policies = self.policies[0] if len(self.policies) == 1 else self.policies
        how: Options = {"seed": self.seed, "first": self.first + begin, "threads": threads, "progress": progress}
        return {**how, "policies": policies, "rotate": self.rotate, "separate": self.separate}

    def to_json(self) -> str:
        """The content of the manifest; `separate` stands in it where it is true."""
        content = asdict(self)
        if not self.separate:
            del content["separate"]
        return json.dumps({"format": FORMAT, **content}, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The plan of a manifest. Raises `ValueError` for anything else."""
        content = json.loads(text)
        if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
            raise ValueError(f"it does not say {FORMAT!r}, as the manifest of a run of tilery simulate --out does")
        content.setdefault("separate", False)
        example = asdict(cls(game="", rules={}, games=1))
        for name, value in example.items():
            if name not in content:
                raise ValueError(f"{name!r} is missing")
            if type(content[name]) not in ((str, NoneType) if name == "pyarrow" else (type(value),)):
                raise ValueError(f"{name!r} is {content[name]!r}")
        if extra := content.keys() - example.keys():
            raise ValueError(f"{min(extra)!r} is not known")
        if not content["policies"] or not all(isinstance(each, str) for each in content["policies"]):
            raise ValueError(f"'policies' is {content['policies']!r}")
        return cls(**content).checked()

    def checked(self) -> Self:
        """The plan, its numbers as int.

        Raises `ValueError` for numbers out of range, a format that is not known, and policies that may vary.
        """
        ranges = {"games": (1, 2**40), "first": (0, 2**62), "seed": (0, 2**64 - 1), "shard": (1, 10**8)}
        numbers: dict[str, Any] = {name: integer(name, getattr(self, name), *ends) for name, ends in ranges.items()}
        if self.files not in SHARDS:
            raise ValueError(f"files must be one of {', '.join(SHARDS)}, got {self.files!r}")
        for text in self.policies:
            repeatable(text)
        return replace(self, **numbers)


def put_manifest(path: Path, manifest: str) -> None:
    """Put a manifest into a directory that is new or empty; one that is there stays.

    Raises `RunError` if the directory holds other files.
    """
    if path.exists() and not path.is_dir():
        raise RunError(f"{path} is not a directory")
    path.mkdir(parents=True, exist_ok=True)
    if (path / MANIFEST).exists():
        return
    foreign = [each.name for each in path.iterdir() if each.name != CLAIMS and each.suffix != PART]
    if foreign:
        raise RunError(f"{path} holds {min(foreign)!r} and no {MANIFEST}; name a new or empty directory")
    with Claims(path) as claims:
        claims.wait(0)
        if not (path / MANIFEST).exists():
            write_whole(path / MANIFEST, manifest.encode())


def _flat(plan: Plan) -> dict[str, Any]:
    content = asdict(plan)
    rules = content.pop("rules")
    # A manifest without an option that was added later holds a run with its default.
    known = options(plan.game) if plan.game in _core.games else {}
    return {**content, **{name: option.default for name, option in known.items()}, **rules}


def games_of_shard(game: Game, policies: Sequence[str]) -> int:
    """The number of games that take about a second, by game and policies alone: 1, 2 or 5 times a power of ten."""
    sample = simulate(game, 16, seed=0)
    actions = max(1.0, float(sample["num_actions"].mean()))
    decisions = max(1.0, float(sample["num_decisions"].mean()))
    at_random = 0.0
    for text in policies:
        of_policy: Mapping[str, Any] = cast(EnginePolicy, policy(text)).parameters
        playouts = of_policy.get("simulations", 0) + 16 * of_policy.get("playouts", 0)
        positions = 32 * of_policy.get("worlds", 0) + (500 * (1 + of_policy["best"]) if "best" in of_policy else 0)
        at_random += actions + decisions * (playouts * actions / 2 + positions)
    games = ACTIONS_OF_SHARD * len(policies) / at_random
    sizes: list[int] = [step * 10**power for power in range(7) for step in (1, 2, 5)]
    return max([1, *(size for size in sizes if size <= min(games, 1e6))])


class Run:
    """A run in a directory.

    path: of the directory. plan: its `Plan`.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self.plan = plan
        self._summary = Summary()
        self._counted: set[int] = set()

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """The run of a directory. Raises `RunError` for a directory without a manifest, or with a damaged one."""
        path = Path(path)
        try:
            return cls(path, Plan.from_json(read_text(path / MANIFEST)))
        except FileNotFoundError:
            raise RunError(f"{path} is not the directory of a run: it has no {MANIFEST}") from None
        except NotADirectoryError:
            raise RunError(f"{path} is not a directory") from None
        except (ValueError, RecursionError) as error:
            raise RunError(f"{path / MANIFEST} is damaged: {error}") from None

    @classmethod
    def start(cls, path: str | os.PathLike[str], plan: Plan) -> Self:
        """The run of this plan in a directory: a new one, or the one that is there, to be continued.

        Raises `RunError` if the directory holds another run or other files; nothing is changed then.
        """
        put_manifest(Path(path), plan.to_json())
        run = cls.open(path)
        run._compare(plan)
        return run

    def must_be(self, manifest: str) -> None:
        """Raise `RunError` unless this manifest lies here, and was made by the versions that are installed here."""
        self._compare(Plan.from_json(manifest))
        pyarrow = None if self.plan.pyarrow is None else _pyarrow_version()
        self._compare(replace(self.plan, tilery=tilery.__version__, pyarrow=pyarrow))

    def _compare(self, plan: Plan) -> None:
        there, here = _flat(self.plan), _flat(plan)
        for name in {**there, **here}:
            found, wanted = there.get(name), here.get(name)
            if found != wanted:
                hint = "; continue with that version, or name another directory" if name in VERSIONS else ""
                raise RunError(f"{self.path} holds another run: {name} is {found!r} there and {wanted!r} here{hint}")

    @cached_property
    def game(self) -> Game:
        """The game. Raises `RunError` if the manifest has other rules, paths in them, or wrong policies."""
        try:
            game = game_of_rules(self.plan.game, self.plan.rules)
            if len(self.plan.policies) not in (1, game.num_players):
                raise ValueError(f"it has {len(self.plan.policies)} policies for {game.num_players} seats")
            for text in self.plan.policies:
                if not of_engine(text):  # a manifest runs no code and starts no programs
                    raise ValueError(f"{text!r} is no policy of the engine")
        except (ValueError, TypeError) as error:
            raise RunError(f"{self.path / MANIFEST} is damaged: {error}") from None
        return game

    @property
    def shards(self) -> int:
        """The number of shards of the complete run."""
        return -(-self.plan.games // self.plan.shard)

    def games_in(self, shard: int) -> int:
        """The number of games of a shard: all but the last one have `plan.shard`."""
        return min(self.plan.shard, self.plan.games - shard * self.plan.shard)

    def path_of(self, shard: int) -> Path:
        return self.path / f"games-{shard:0{max(6, len(str(self.shards - 1)))}}.{self.plan.files}"

    def finished(self) -> set[int]:
        """The numbers of the shards that are there."""
        names = re.compile(rf"games-(\d{{6,}})\.{self.plan.files}")
        with os.scandir(self.path) as entries:
            found = [match for entry in entries if (match := names.fullmatch(entry.name))]
        numbers = {int(match[1]) for match in found if self.path_of(int(match[1])).name == match[0]}
        return {number for number in numbers if number < self.shards}

    def play(
        self, shard: int, threads: int, progress: Callable[[int], object] | None = None, *, count: int = 1
    ) -> Columns:
        """The columns of `count` shards from this one on: a function of the plan and these numbers alone."""
        games = sum(map(self.games_in, range(shard, shard + count)))
        return columns(simulate(self.game, games, **self.plan.options(threads, progress, shard * self.plan.shard)))

    def write(self, shard: int, flat: Columns) -> None:
        """Put the file of a shard into its place, whole."""
        with whole_file(self.path_of(shard), overwrite=True) as file:
            SHARDS[self.plan.files][0](file, flat)

    def read(self, shard: int) -> Columns:
        """The columns of a shard that is there. Raises `RunError` naming a file that is damaged."""
        path = self.path_of(shard)
        try:
            expected = columns(np.zeros(0, result_dtype(self.game.num_players, rotate=self.plan.rotate)))
            flat = SHARDS[self.plan.files][1](path, self.games_in(shard), expected)
            _check(flat, self.games_in(shard), self.game.num_players, expected)
        except FileNotFoundError:
            if path.is_symlink():  # `finished` counts it, so that it would never be played again
                raise RunError(f"{path} is a link to nothing; delete it and continue the run") from None
            raise
        except (RunError, PermissionError, UnicodeEncodeError):  # of the manifest, of the file or of its name
            raise
        except Exception as error:  # of zipfile, zlib, NumPy and pyarrow, which raise many types
            raise RunError(f"{path} is damaged ({error}); delete it and continue the run") from None
        return flat

    def summary(self) -> Summary:
        """The `Summary` of the shards that are there; each is read once."""
        for shard in sorted(self.finished() - self._counted):
            self._count(shard, self.read(shard))
        return self._summary

    def _count(self, shard: int, flat: Columns) -> None:
        self._summary.add_columns(flat)
        self._counted.add(shard)

    def __iter__(self) -> Iterator[Columns]:
        return (self.read(shard) for shard in sorted(self.finished()))

    def work(self, *, threads: int | None = None, progress: Callable[[int], object] | None = None) -> None:
        """Play and write all shards that are missing.

        threads: as `tilery.simulate` has them. progress: called with the number of games that are there, of all
            processes; what it raises ends the work after the shard that is being written.

        Any number of processes may work on a run; each shard is played by one of them.
        """
        with ExitStack() as stack:
            stack.callback(self.clean)
            claims, writer = stack.enter_context(Claims(self.path)), stack.enter_context(ThreadPoolExecutor(1))
            _Worker(self, claims, writer, threads_of(threads), progress or (lambda _games: None)).play_all()

    def clean(self) -> None:
        """Remove what processes that were killed have left, and when all is played the claims."""
        names = re.compile(rf"games-(\d+)\.{self.plan.files}\..*{re.escape(PART)}")
        with Claims(self.path) as claims:
            for entry in list(self.path.iterdir()):
                match = names.fullmatch(entry.name)
                if match and claims.take(int(match[1]) + 1):
                    entry.unlink(missing_ok=True)
                    claims.leave(int(match[1]) + 1)
                elif entry.name.startswith(MANIFEST) and entry.suffix == PART:
                    entry.unlink(missing_ok=True)
            if len(self.finished()) == self.shards:
                claims.remove()
                sync_folder(self.path)


def _check(flat: Mapping[str, Any], games: int, seats: int, expected: Columns) -> None:
    """Raise `ValueError` unless these are columns of `games` results, with values that results may have."""
    for name, column in flat.items():
        if not isinstance(column, np.ndarray) or column.dtype != expected[name].dtype or column.ndim != 1:
            raise ValueError(f"{name} is not a column of {expected[name].dtype}")
        if len(column) != games:
            raise ValueError(f"it has {len(column)} games instead of {games}")
        if name.startswith("policy_"):
            allowed = column < seats
        elif column.dtype == np.float64:
            allowed = np.isfinite(column)
        else:
            allowed = (column > -MOST) & (column < MOST)
        if not allowed.all():
            raise ValueError(f"{name} has the value {column[~allowed][0]}, which no game has")


@dataclass
class _Worker:
    """One process's part of a run: it plays a shard while the one before is written."""

    run: Run
    claims: Claims
    writer: ThreadPoolExecutor
    threads: int
    progress: Callable[[int], object]
    there: int = 0
    """Games of the shards that are there."""
    writing: Future[None] | None = None

    def play_all(self) -> None:
        found = self.run.finished()
        self.there = sum(map(self.run.games_in, found))
        missing = (shard for shard in range(self.run.shards) if shard not in found)
        together = max(1, GAMES_OF_THREAD * self.threads // self.run.plan.shard)
        self._tell(0)
        left = []
        while some := list(itertools.islice(missing, together)):
            claimed = [shard for shard in some if self.claims.take(shard + 1)]
            self._play_claimed(claimed)
            left += [shard for shard in some if shard not in claimed]
        for shard in left:  # claimed by others: wait until they have written them, or have ended without
            self._settle()  # a process that waits holds no claim, so that two processes cannot wait for each other
            self.claims.wait(shard + 1)
            self._play_claimed([shard])
        self._settle()

    def _play_claimed(self, shards: list[int]) -> None:
        """Play those of some shards that no other process has written meanwhile, consecutive ones together."""
        missing: list[int] = []
        for shard in shards:
            if self.run.path_of(shard).exists():
                self.claims.leave(shard + 1)
                self.there += self.run.games_in(shard)
                self._tell(0)
            else:
                missing.append(shard)
        for _, group in itertools.groupby(enumerate(missing), lambda each: each[1] - each[0]):
            together = [shard for _, shard in group]
            flat = self.run.play(together[0], self.threads, self._tell, count=len(together))
            self._settle()
            self.there += sum(map(self.run.games_in, together))
            self.writing = self.writer.submit(self._write, together, flat)

    def _write(self, shards: list[int], flat: Columns) -> None:
        size, first = self.run.plan.shard, shards[0]
        for shard in shards:
            begin = (shard - first) * size
            one = {name: column[begin : begin + size] for name, column in flat.items()}
            self.run.write(shard, one)
            self.claims.leave(shard + 1)
            self.run._count(shard, one)

    def _settle(self) -> None:
        if self.writing is not None:
            self.writing.result()

    def _tell(self, playing: int) -> None:
        self.progress(self.there + playing)


class Claims(AbstractContextManager["Claims"]):
    """Claims of a process on the shards of a run: locks of the operating system, which end with the process.

    They save work; files are written whole and have the same bytes from every process, with claims or without.
    """

    def __init__(self, path: Path) -> None:
        self._path = path / CLAIMS
        try:
            self._file: BinaryIO = open_lock(self._path)
        except ValueError as error:
            raise RunError(f"{self._path} is no file for claims: {error}") from None

    def __exit__(self, *_error: object) -> None:
        self._file.close()

    def take(self, number: int) -> bool:
        """Take a claim; False if another process has it."""
        return lock(self._file, number, wait=False)

    def wait(self, number: int) -> None:
        """Take a claim as soon as no other process has it. To be called without a claim."""
        lock(self._file, number, wait=True)

    def leave(self, number: int) -> None:
        """Give a claim back."""
        unlock(self._file, number)

    def remove(self) -> None:
        """Remove the file, when there is nothing left to claim."""
        if os.name != "nt":
            self._path.unlink(missing_ok=True)


def _pyarrow_version() -> str:
    return str(imported("pyarrow", "arrow", "files .parquet").__version__)


def plan(
    game: Game,
    games: int,
    *,
    seed: int = 0,
    first: int = 0,
    policies: PolicyLike | Sequence[PolicyLike] = "random",
    rotate: bool = False,
    separate: bool = False,
    shard: int | None = None,
    files: str | None = None,
) -> Plan:
    """The plan of a run, its arguments those of `tilery.simulate`.

    shard: how many games a shard has; None for about a second of work, a number that depends on game and policies
        alone. files: "parquet" or "npz"; None for Parquet if pyarrow is installed.

    Raises `ValueError` for arguments out of range and for policies that do not play the same again, and `ImportError`
    for Parquet without pyarrow.
    """
    chosen = [policies] if isinstance(policies, str | Policy) or callable(policies) else list(policies)
    texts = [str(repeatable(each).resolved(game.name)) for each in chosen]
    if len(texts) not in (1, game.num_players):
        raise ValueError(f"policies must be one, or one for each of {game.num_players} seats, got {len(texts)}")
    numbers: dict[str, Any] = {"games": games, "seed": seed, "first": first, "shard": 1 if shard is None else shard}
    how: dict[str, Any] = {"policies": texts, "rotate": bool(rotate), "separate": bool(separate)}
    made = Plan(game=game.name, rules=game.rules.as_dict(), files=files or "npz", **numbers, **how).checked()
    if files is None:
        try:
            imported("pyarrow.parquet", "arrow", "files .parquet")
            files = "parquet"
        except ImportError:
            files = "npz"
    size = min(made.games, games_of_shard(game, texts)) if shard is None else made.shard
    return replace(made, shard=size, files=files, pyarrow=_pyarrow_version() if files == "parquet" else None)
