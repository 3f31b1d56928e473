"""The file that keeps a session: its last line is the record of the game."""

from __future__ import annotations

from pathlib import Path

from tilery import files, record
from tilery.errors import RecordError
from tilery.play.session import PlayError, Session

LARGEST = 64 * 2**20
"""Bytes of a file that sessions are kept in; it is written whole after every action."""


class SavedGame:
    """A file of records (rule G-8), of which a session writes one.

    `unfinished` is the record of the last game if that is not over, to be played on; otherwise, or with `new_game`, a
    new game is added after those in the file. What other sessions write into the file meanwhile stays.

    Raises `RecordError` for a file whose last line is not a record, which stays as it is, and `PlayError` for one that
    is too large or is not a regular file.
    """

    def __init__(self, path: Path, *, new_game: bool = False) -> None:
        self.path = path
        self.unfinished: record.Record | None = None
        self._line: bytes | None = None
        """The line of this session in the file."""
        files.may_write(path, overwrite=True)
        try:
            lines = [line for line in files.read(path, LARGEST).splitlines() if line.strip()]
        except FileNotFoundError:
            return
        except ValueError as error:
            raise PlayError(f"{path} cannot keep a game: {error}") from None
        if not lines:
            return
        try:
            last = record.Record.from_json(lines[-1])
            state = record.replay(last)
        except RecordError as error:
            raise RecordError(f"{path}: the last line cannot be played on: {error}") from None
        if not new_game and not state.is_terminal() and "resigned" not in last.more:
            self.unfinished = last
            self._line = lines[-1]

    def save(self, session: Session) -> None:
        """Write the record of the session; a reader sees the old file or the new one."""
        line = session.record().to_json().encode("ascii")

        def with_line(content: bytes) -> bytes:
            lines = content.splitlines()
            if self._line is not None and self._line in lines:
                lines[len(lines) - 1 - lines[::-1].index(self._line)] = line
            else:
                lines.append(line)
            return b"\n".join(lines) + b"\n"

        files.update(self.path, with_line, LARGEST)
        self._line = line
