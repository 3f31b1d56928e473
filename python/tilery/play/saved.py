"""The file that keeps a session: its last line is the record of the game."""

from __future__ import annotations

import os
from pathlib import Path

from tilery import record
from tilery.errors import RecordError
from tilery.play.session import PlayError, Session

LARGEST = 64 * 2**20
"""Bytes of a file that sessions are kept in; it is written whole after every action."""


class SavedGame:
    """A file of records (rule G-8), of which a session writes the last.

    `unfinished` is the record of the last game if that is not over, to be played on; otherwise, or with `new_game`, a
    new game is added after those in the file. Raises `RecordError` for a file whose last line is not a record,
    which stays as it is.
    """

    def __init__(self, path: Path, *, new_game: bool = False) -> None:
        self.path = path
        self.unfinished: record.Record | None = None
        self._before = b""
        if not path.exists():
            return
        if path.stat().st_size > LARGEST:
            raise PlayError(f"{path} is too large to keep a game in; choose another file")
        self._before = path.read_bytes()
        lines = [line for line in self._before.splitlines(keepends=True) if line.strip()]
        if not lines:
            return
        try:
            last = record.Record.from_json(lines[-1])
            state = record.replay(last)
        except RecordError as error:
            raise RecordError(f"{path}: the last line cannot be played on: {error}") from None
        if not new_game and not state.is_terminal():
            self.unfinished = last
            self._before = b"".join(lines[:-1])
        elif not self._before.endswith(b"\n"):
            self._before += b"\n"

    def save(self, session: Session) -> None:
        """Write the record of the session; a reader sees the old file or the new one."""
        temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            temporary.write_bytes(self._before + session.record().to_json().encode("ascii") + b"\n")
            temporary.replace(self.path)
        finally:
            temporary.unlink(missing_ok=True)
