"""Matches on disk: a manifest, and for some deals each the records of their games, and beside them what varies.

A match may be interrupted at any moment and continued. Its records end up the same, byte for byte, if its players
repeat themselves; how long they thought, and what they wrote to standard error, is in files of its own.
"""

from __future__ import annotations

import json
import re
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self

import tilery
from tilery.files import PART, read_json, read_text, write_whole
from tilery.record import Record
from tilery.runs.shards import MANIFEST, Claims, RunError, put_manifest

FORMAT = "tilery-match/1"


@dataclass(frozen=True)
class Plan:
    """The plan of a match: everything its records depend on.

    asked: the texts of the players. deals: at each table. shard: how many of them are in a file. sprt: the hypotheses.
    budget: CPU seconds for each decision. policies: those that play, which a budget has made of those asked.
    """

    game: str
    rules: dict[str, Any]
    asked: list[str]
    deals: int
    seed: int
    shard: int
    seconds: float
    sprt: list[float] | None
    budget: float | None
    policies: list[str] = field(default_factory=list)
    tilery: str = field(default_factory=lambda: tilery.__version__)

    def to_json(self) -> str:
        """The content of the manifest."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1) + "\n"


class Piece(NamedTuple):
    """Some deals of a table: of each in turn the game of each rotation.

    thinking: of each game and seat seconds, decisions, CPU seconds. details: by game, what a failed bot said.
    """

    records: list[Record]
    thinking: list[list[list[float]]]
    details: dict[int, str]


class Deals:
    """The directory of a match. A context manager: only one process plays in it at a time.

    `plan` is that of its manifest: the one given if the directory is new. Raises `RunError` if it holds another match
    or other files, or if another process plays in it.
    """

    def __init__(self, path: str | Path, plan: Plan) -> None:
        self.path = Path(path)
        self._given = plan

    def __enter__(self) -> Self:
        put_manifest(self.path, self._given.to_json())
        with ExitStack() as stack:
            claims = stack.enter_context(Claims(self.path))
            if not claims.take(0):
                raise RunError(f"another process plays the match in {self.path}")
            stack.callback(claims.remove)
            self.plan = self._read_plan()
            for left in self.path.glob(f"*{PART}"):
                left.unlink(missing_ok=True)
            self._held = stack.pop_all()
        return self

    def __exit__(self, *_error: object) -> None:
        self._held.close()

    def _read_plan(self) -> Plan:
        try:
            content = read_json(self.path / MANIFEST)
            if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
                raise ValueError(f"it does not say {FORMAT!r}")
            given = json.loads(json.dumps(asdict(self._given)))
            policies = content.get("policies")
            if content.keys() != given.keys() or not isinstance(policies, list) or len(policies) != len(given["asked"]):
                raise ValueError("it has other keys, or policies for other players")
        except (ValueError, RecursionError) as error:
            raise RunError(f"{self.path / MANIFEST} is not that of a match, or damaged: {error}") from None
        if self._given.budget is None:
            content["policies"] = policies if policies == given["policies"] else None
        else:
            given["policies"] = policies
        for name, here in given.items():
            if content[name] != here:
                raise RunError(f"{self.path} holds another match: {name} is {content[name]!r} there and {here!r} here")
        return Plan(**content)

    def _paths(self, number: int) -> tuple[Path, Path]:
        return self.path / f"deals-{number:06}.jsonl", self.path / f"times-{number:06}.json"

    def read(self, number: int, seats: list[list[str]], first: int, count: int) -> Piece | None:
        """The deals of a file, if it is there.

        seats: the policies by rotation and seat. first, count: which deals. Raises `RunError` naming a damaged file.
        """
        path, times = self._paths(number)
        if not path.is_file():
            return None
        try:
            records = [Record.from_json(line) for line in read_text(path).splitlines()]
            expected = [(first + i, line_up) for i in range(count) for line_up in seats]
            if [(each.more.get("index"), each.more.get("policies")) for each in records] != expected:
                raise ValueError("it has other games")
            if not all(map(_whole, records)):
                raise ValueError("it has games without a result")
        except (ValueError, OSError) as error:
            raise RunError(f"{path} is damaged ({error}); delete it and continue the match") from None
        thinking = [[[0.0, 0.0, 0.0] for _ in line_up] for _, line_up in expected]
        details: dict[int, str] = {}
        with suppress(ValueError, OSError, KeyError, TypeError, AttributeError):
            found = read_json(times)
            thinking = [[[float(a), float(b), float(c)] for a, b, c in game] for game in found["thinking"]]
            details = {int(game): str(text) for game, text in found["details"].items()}
        return Piece(records, thinking, details)

    def write(self, number: int, piece: Piece) -> None:
        """Put the files of some deals into their places; that of the games last, since it says that they are whole."""
        path, times = self._paths(number)
        thinking = {"thinking": piece.thinking, "details": piece.details}
        write_whole(times, json.dumps(thinking).encode(), overwrite=True)
        write_whole(path, "".join(f"{each.to_json()}\n" for each in piece.records).encode(), overwrite=True)

    def drop(self, first: int, last: int) -> None:
        """Remove deals in [first, last), played ahead of a test that has ended the table."""
        for path in list(self.path.iterdir()):
            match = re.fullmatch(r"(?:deals|times)-(\d{6,})\.jsonl?", path.name)
            if match and first <= int(match[1]) < last:
                path.unlink()


def _whole(record: Record) -> bool:
    """Whether a game has a result, or was lost by a failure."""
    lost = record.more.get("lost")
    n = len(record.more["policies"])
    if lost is not None:
        return isinstance(lost, dict) and lost.get("seat") in range(n) and isinstance(lost.get("reason"), str)
    return len(record.scores or ()) == n == len(record.returns or ())
