"""Locks of the operating system on single bytes of a file, which end with the process that holds them."""

from __future__ import annotations

import errno
import sys
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt

    def lock(file: BinaryIO, number: int, *, wait: bool) -> bool:
        """Lock a byte of an open file, which may be beyond its end; False if another process holds it.

        wait: until it is free. Raises `OSError` if the file system has no locks.
        """
        while True:
            file.seek(number)
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError as error:
                if wait and error.errno == errno.EDEADLK:  # it gives up after ten seconds
                    continue
                if not wait and error.errno == errno.EACCES:
                    return False
                raise
            return True

    def unlock(file: BinaryIO, number: int) -> None:
        file.seek(number)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def lock(file: BinaryIO, number: int, *, wait: bool) -> bool:
        """Lock a byte of an open file, which may be beyond its end; False if another process holds it.

        wait: until it is free. Raises `OSError` if the file system has no locks.
        """
        try:
            fcntl.lockf(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
        except (BlockingIOError, PermissionError):
            return False
        return True

    def unlock(file: BinaryIO, number: int) -> None:
        fcntl.lockf(file, fcntl.LOCK_UN, 1, number)
