"""Locks on bytes: of this system with real processes, and the calls of Windows against a stand-in."""

from __future__ import annotations

import errno
import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tilery import locks

HOLDER = """
import sys
from locks import lock
with open(sys.argv[1], "ab") as file:
    assert lock(file, int(sys.argv[2]), wait=False)
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "locks"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path), "7"],
        cwd=Path(locks.__file__).parent,  # without the rest of tilery, which takes longer to import
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with holder, path.open("ab") as file:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert not locks.lock(file, 7, wait=False)
        assert locks.lock(file, 6, wait=False)
        holder.kill()
        assert locks.lock(file, 7, wait=True)
        locks.unlock(file, 7)
    assert path.read_bytes() == b""


class Windows:
    """What `msvcrt.locking` does, as its documentation has it, for processes that are modules here."""

    LK_UNLCK, LK_LOCK, LK_NBLCK = 0, 1, 2

    def __init__(self) -> None:
        self.held: dict[int, str] = {}
        self.gave_up: Callable[[], object] = lambda: None
        """Called when LK_LOCK has tried for ten seconds."""

    def locking(self, process: str, file: int, mode: int, count: int) -> None:
        assert count == 1
        at = os.lseek(file, 0, os.SEEK_CUR)
        if mode == self.LK_UNLCK:
            if self.held.get(at) != process:
                raise OSError(errno.EACCES, "Permission denied")
            del self.held[at]
        elif at not in self.held:
            self.held[at] = process
        elif mode == self.LK_NBLCK:
            raise OSError(errno.EACCES, "Permission denied")
        else:
            self.gave_up()
            raise OSError(errno.EDEADLK, "Resource deadlock avoided")

    def process(self, name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
        """The module as a process of Windows has it."""
        msvcrt: Any = SimpleNamespace(
            LK_UNLCK=self.LK_UNLCK,
            LK_LOCK=self.LK_LOCK,
            LK_NBLCK=self.LK_NBLCK,
            locking=lambda *arguments: self.locking(name, *arguments),
        )
        with monkeypatch.context() as changed:
            changed.setattr(sys, "platform", "win32")
            changed.setitem(sys.modules, "msvcrt", msvcrt)
            found = importlib.util.spec_from_file_location(name, locks.__file__)
            assert found is not None
            assert found.loader is not None
            module = importlib.util.module_from_spec(found)
            found.loader.exec_module(module)
        return module


def test_windows_is_asked_for_the_same_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    windows = Windows()
    one, two = (windows.process(name, monkeypatch) for name in ("one", "two"))
    with (tmp_path / "locks").open("ab") as first, (tmp_path / "locks").open("ab") as second:
        assert one.lock(first, 0, wait=True)
        assert one.lock(first, 5, wait=False)
        assert two.lock(second, 4, wait=False)
        assert not two.lock(second, 5, wait=False)
        assert windows.held == {0: "one", 5: "one", 4: "two"}
        tries = []

        def leave_later() -> None:
            tries.append(None)
            if len(tries) == 3:
                one.unlock(first, 5)

        windows.gave_up = leave_later
        assert two.lock(second, 5, wait=True)
        assert len(tries) == 3
        two.unlock(second, 4)
        assert windows.held == {0: "one", 5: "two"}


@pytest.mark.parametrize("wait", [False, True])
def test_other_errors_of_windows_are_raised(wait: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a network drive without locks: waiting for it would never end."""
    windows = Windows()

    def locking(*_arguments: Any) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(windows, "locking", locking)
    process = windows.process("one", monkeypatch)
    with (tmp_path / "locks").open("ab") as file, pytest.raises(OSError, match="Invalid argument"):
        process.lock(file, 1, wait=wait)
