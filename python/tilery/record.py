"""Records: whole games as text (rule G-8), one JSON object on one line.

>>> import tilery
>>> from tilery import record
>>> game = tilery.load("toy")
>>> [written] = record.simulated(game, 1, seed=7)
>>> record.replay(written.to_json()).scores() == written.scores
True
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Literal, Self

import numpy as np
import numpy.typing as npt

from tilery import files
from tilery.errors import RecordError, is_real
from tilery.extras import imported
from tilery.options import game_of_rules
from tilery.protocol import Game, State
from tilery.simulation import simulate

FORMAT = "tilery/1"


@dataclass(frozen=True)
class Variation:
    """Actions that were also played, instead of those of the main line after its first `after` actions."""

    after: int
    actions: str

    @classmethod
    def of_json(cls, value: object) -> Self:
        """The variation of an object of JSON; `RecordError` for anything else."""
        if not isinstance(value, dict) or value.keys() != {"after", "actions"}:
            raise RecordError("record: a variation must be an object of 'after' and 'actions'")
        after, actions = value["after"], value["actions"]
        if isinstance(after, bool) or not isinstance(after, int) or after < 0:
            raise RecordError(f"record: 'after' of a variation must be a number of actions, got {_kind(after)}")
        if not isinstance(actions, str) or not actions:
            raise RecordError(f"record: 'actions' of a variation must be tokens, got {_kind(actions)}")
        return cls(after, actions)


@dataclass(frozen=True)
class Record:
    """One game: its rules, its actions and its result.

    `scores` and `returns` are None in a game that is not over (they may be missing in one that is).
    `variations` are the other lines of a tree whose main line is `actions`; each is written from where it leaves the
    main line. `more` has all further keys, unchanged: `seed` and `index` of a simulated game, or whatever `of_state`
    was given, for example a date, names of players or a comment.
    """

    game: str
    rules: Mapping[str, Any]
    actions: str
    scores: list[int] | None = None
    returns: list[float] | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    variations: Sequence[Variation] = ()

    def __post_init__(self) -> None:
        for key, kind in (("game", str), ("rules", Mapping), ("actions", str), ("more", Mapping)):
            if not isinstance(value := getattr(self, key), kind):
                raise RecordError(f"record: {key!r} must be {_NAMES[kind]}, got {_kind(value)}")
        for key in self.more.keys() & _KEYS:
            raise RecordError(f"record: {key!r} is a key of its own, not one of the further ones")

    def to_json(self) -> str:
        """The record as one line of JSON. Raises `RecordError` naming a key whose value JSON cannot hold."""
        content: dict[str, Any] = {
            "format": FORMAT,
            "game": self.game,
            "rules": dict(self.rules),
            "actions": self.actions,
        }
        content |= {key: value for key in ("scores", "returns") if (value := getattr(self, key)) is not None}
        if self.variations:
            content["variations"] = [asdict(each) for each in self.variations]
        content |= self.more
        try:
            return _JSON.encode(content)
        except (TypeError, ValueError):
            for key, value in content.items():
                try:
                    _JSON.encode({key: value})
                except (TypeError, ValueError) as error:
                    raise RecordError(f"record: {key!r} cannot be written: {error}") from None
            raise

    @classmethod
    def from_json(cls, line: str | bytes) -> Self:
        """The record on a line. Checks its form, not the game in it: `replay` does.

        Raises `RecordError` naming what is missing or of the wrong kind.
        """
        try:
            content = json.loads(line)
        except (TypeError, ValueError, RecursionError) as error:
            raise RecordError(f"record: not JSON: {error}") from None
        if not isinstance(content, dict):
            raise RecordError(f"record: must be a JSON object, got {_kind(content)}")
        if content.get("format") != FORMAT:
            raise RecordError(f"record: format must be {FORMAT!r}, got {content.get('format')!r}")
        for key in ("scores", "returns"):
            numbers = content.get(key)
            if not (numbers is None or (isinstance(numbers, list) and all(map(is_real, numbers)))):
                raise RecordError(f"record: {key!r} must be a list of numbers")
        variations = content.pop("variations", [])
        if not isinstance(variations, list):
            raise RecordError(f"record: 'variations' must be a list, got {_kind(variations)}")
        content.pop("format")
        known = {key: content.pop(key, None) for key in ("game", "rules", "actions", "scores", "returns")}
        return cls(**known, more=content, variations=tuple(map(Variation.of_json, variations)))

    def lines(self) -> Iterator[list[str]]:
        """The tokens of each line from the beginning of the game, the main line first.

        Raises `RecordError` for a variation that leaves the main line after its end.
        """
        main = self.actions.split(" ") if self.actions else []
        yield main
        for number, variation in enumerate(self.variations):
            if variation.after > len(main):
                raise RecordError(
                    f"record: variation {number} begins after {variation.after} actions of a line of {len(main)}"
                )
            yield main[: variation.after] + variation.actions.split(" ")


_NAMES = {str: "a string", dict: "an object", Mapping: "an object", list: "a list", type(None): "nothing"}
_JSON = json.JSONEncoder(allow_nan=False)
_KEYS = {"format", *Record.__dataclass_fields__} - {"more"}


def _kind(value: object) -> str:
    return _NAMES.get(type(value), repr(value))


def of_state(state: State, actions: str, **more: Any) -> Record:
    """The record of a game that reached `state` by these actions (tokens separated by blanks).

    Further keys become keys of the record: `of_state(state, actions, when="2026-01-02", names=["Ann", "Bo"])`.
    """
    game = state.game
    scores, returns = (state.scores(), state.returns()) if state.is_terminal() else (None, None)
    return Record(game.name, game.rules.as_dict(), actions, scores, returns, more)


def simulated(game: Game, n: int, *, seed: int = 0, threads: int | None = None, first: int = 0) -> Iterator[Record]:
    """The records of n random games, as `tilery.simulate` plays them; each notes its seed and index."""
    results, tokens = simulate(game, n, seed=seed, threads=threads, first=first, records=True)
    return of_results(game, results, tokens, seed=seed, first=first)


def of_results(
    game: Game, results: npt.NDArray[np.void], tokens: Sequence[str], *, seed: int, first: int = 0
) -> Iterator[Record]:
    """The records of what `tilery.simulate(game, n, seed=seed, first=first, records=True)` returned."""
    rules = game.rules.as_dict()
    for i, (result, actions) in enumerate(zip(results, tokens, strict=True)):
        scores, returns = result["scores"].tolist(), result["returns"].tolist()
        yield Record(game.name, rules, actions, scores, returns, {"seed": int(seed), "index": int(first) + i})


def game_of(record: Record) -> Game:
    """The game of a record; `RecordError` if its name or its rules are invalid, or if a rule is a path."""
    try:
        return game_of_rules(record.game, record.rules)
    except ValueError as error:
        raise RecordError(f"record: {error}") from None


def positions(record: Record | str | bytes) -> Iterator[tuple[str | None, State]]:
    """Every position of the main line of a game with the token that led to it (None for the first).

    Each state is an independent copy. Raises `RecordError` at the first token that is illegal, with its position.
    """
    if not isinstance(record, Record):
        record = Record.from_json(record)
    state = game_of(record).new_initial_state()
    yield None, state.clone()
    for number, token in enumerate(next(record.lines())):
        _apply(state, token, f"action {number}")
        yield token, state.clone()


def _apply(state: State, token: str, what: str) -> None:
    try:
        state.apply_action(state.string_to_action(token))
    except ValueError as error:
        raise RecordError(f"record: {what} ({token!r}): {error}") from None


def replay(record: Record | str | bytes) -> State:
    """The last position of the main line of a game, every action of every line and the final scores checked (G-8).

    record: a `Record` or a line of JSON. Raises `RecordError` naming the first illegal token and its
    position (counted from 0), or the score that is wrong.
    """
    if not isinstance(record, Record):
        record = Record.from_json(record)
    states = [state for _, state in positions(record)]
    for number, line in enumerate(list(record.lines())[1:]):
        after = record.variations[number].after
        branch = states[after].clone()
        for i, token in enumerate(line[after:], start=after):
            _apply(branch, token, f"variation {number}, action {i}")
    state = states[-1]
    for key in ("scores", "returns"):
        claimed, actual = getattr(record, key), getattr(state, key)()
        if claimed is None:
            continue
        if not state.is_terminal():
            raise RecordError(f"record: {key!r} are given, but the game is not over after its last action")
        if claimed != actual:
            raise RecordError(f"record: {key!r} are {claimed}, but the game ends with {actual}")
    return state


@contextlib.contextmanager
def opened(path: str | Path, mode: Literal["r", "x", "w", "a"], *, whole: bool = False) -> Iterator[IO[str]]:
    """Open a file of records: `.gz` and `.zst` are compressed, "-" is standard input or output.

    mode: "r" reads; "x" writes a file that holds nothing yet, "w" replaces what it holds, "a" writes after that.
    whole: replace it at the end, and only if nothing is raised until then.

    Raises `ImportError` for `.zst` without pyarrow (the extra `tilery[arrow]`), `FileExistsError` for "x" and a file
    that holds data, and `ValueError` for reading what is not a regular file.
    """
    if str(path) == "-":
        yield sys.stdin if mode == "r" else sys.stdout
        return
    arrow = imported("pyarrow", "arrow", "files .zst") if str(path).endswith(".zst") else None
    with ExitStack() as stack:
        binary: Any = stack.enter_context(
            files.open_input(path)
            if mode == "r"
            else files.whole_file(path, overwrite=mode == "w")
            if whole
            else files.open_output(path, overwrite=mode == "w", append=mode == "a")
        )
        if arrow is not None:
            stream = arrow.CompressedInputStream if mode == "r" else arrow.CompressedOutputStream
            binary = stack.enter_context(stream(binary, "zstd"))
        elif str(path).endswith(".gz"):
            way = "rb" if mode == "r" else "wb"
            binary = stack.enter_context(gzip.GzipFile("", way, fileobj=binary, mtime=0))
        if mode == "r":
            yield stack.enter_context(io.TextIOWrapper(binary, encoding="utf-8-sig", errors="surrogateescape"))
        else:
            yield stack.enter_context(io.TextIOWrapper(binary, encoding="ascii", newline="\n"))


def write(path: str | Path, records: Iterable[Record]) -> int:
    """Write records to a file, one per line, replacing its contents once all are written; returns how many.

    A name that ends with `.gz` or `.zst` is compressed, as `opened` says.
    """
    count = 0
    with opened(path, "w", whole=True) as file:
        for record in records:
            file.write(record.to_json() + "\n")
            count += 1
    return count


def read(path: str | Path) -> Iterator[Record]:
    """The records of a file; `RecordError` names the line that cannot be read."""
    for number, record in lines(path):
        if isinstance(record, RecordError):
            raise RecordError(f"{path}, line {number}: {record}")
        yield record


def lines(path: str | Path) -> Iterator[tuple[int, Record | RecordError]]:
    """Each line of a file that is not blank, by its number from 1: its record, or why it cannot be read.

    A line of more than 16 Mi characters is the last one that is looked at.
    """
    number = 0
    with opened(path, "r") as file:
        try:
            for number, line in enumerate(files.lines(file), start=1):
                if not line.strip():
                    continue
                try:
                    yield number, Record.from_json(line)
                except RecordError as error:
                    cut = "record: the line is cut off" if not line.endswith("\n") else None
                    yield number, RecordError(cut) if cut else error
        except UnicodeDecodeError:
            raise
        except ValueError as error:
            yield number + 1, RecordError(f"record: {error}")
        except (EOFError, zlib.error, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:  # of the file, not of what is in it
                raise
            yield number + 1, RecordError(f"record: the compressed file is cut off or damaged: {error}")
