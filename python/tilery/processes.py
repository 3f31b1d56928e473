"""Processes that talk over pipes: started as groups, killed whole, and never waited for without an end.

The same on POSIX and on Windows, where pipes can be asked but not waited for.
"""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from typing import Any

ASKING = 0.002
"""Seconds after which a pipe of Windows is asked again."""

if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    _NO_WAIT = wintypes.DWORD(1)

    GROUP: dict[str, Any] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    """Arguments of `subprocess.Popen` that make the process the first of a group."""

    def kill_group(process: subprocess.Popen[bytes]) -> None:
        """Kill a process and those that it has started."""
        command = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        process.kill()

    def do_not_block(file: int) -> None:
        """Let writing to a pipe return at once when it is full."""
        handle = wintypes.HANDLE(msvcrt.get_osfhandle(file))
        _kernel.SetNamedPipeHandleState(handle, ctypes.byref(_NO_WAIT), None, None)

    def readable(files: Iterable[int], seconds: float) -> set[int]:
        """The pipes that have bytes or have ended, as soon as there are any; waits `seconds` at most."""
        kept, deadline = list(files), time.monotonic() + seconds
        while not (found := set(filter(_has_bytes, kept))) and time.monotonic() < deadline:
            time.sleep(ASKING)
        return found

    def _has_bytes(file: int) -> bool:
        many = wintypes.DWORD()
        handle = wintypes.HANDLE(msvcrt.get_osfhandle(file))
        asked = _kernel.PeekNamedPipe(handle, None, 0, None, ctypes.byref(many), None)
        return not asked or many.value > 0  # a pipe that cannot be asked has ended, as reading it will tell

    def write(file: int, data: memoryview, seconds: float) -> int:
        """Write what a pipe takes within `seconds`; returns the number of bytes. Raises `OSError` if it is closed."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                return os.write(file, data)
            except OSError as error:
                if error.errno not in (errno.EAGAIN, errno.ENOSPC):  # what a full pipe gives
                    raise
            if time.monotonic() >= deadline:
                return 0
            time.sleep(ASKING)

else:
    import math
    import select
    import signal

    GROUP: dict[str, Any] = {"start_new_session": True}
    """Arguments of `subprocess.Popen` that make the process the first of a group."""

    def kill_group(process: subprocess.Popen[bytes]) -> None:
        """Kill the processes of a group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)

    def do_not_block(file: int) -> None:
        """Let writing to a pipe return at once when it is full."""
        os.set_blocking(file, False)

    def readable(files: Iterable[int], seconds: float) -> set[int]:
        """The pipes that have bytes or have ended, as soon as there are any; waits `seconds` at most."""
        return _polled(files, select.POLLIN, seconds)

    def _polled(files: Iterable[int], event: int, seconds: float) -> set[int]:
        """Unlike `select`, for descriptors of any number. A minute at most, since longer times overflow."""
        poll = select.poll()
        for file in files:
            poll.register(file, event)
        return {file for file, _ in poll.poll(math.ceil(1000 * min(seconds, 60.0)))}

    def write(file: int, data: memoryview, seconds: float) -> int:
        """Write what a pipe takes within `seconds`; returns the number of bytes. Raises `OSError` if it is closed."""
        if not _polled([file], select.POLLOUT, seconds):
            return 0
        try:
            return os.write(file, data)
        except BlockingIOError:
            return 0
