"""The files that tilery opens: no other module opens, reads or writes one.

Their names and contents come from outside. A name may be that of a pipe, a device or a link; these are refused, or
opened without waiting. What is read whole is bounded. What holds data is not written over unless that is asked for.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import json
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO, TypeAlias

LARGEST = 1 << 24
"""Bytes of a file, or characters of a line, that are read whole: a thousand times those of a board or a record."""

PART = ".part"
"""The suffix of a file that is being written."""

PACKAGE = Path(__file__).parent

Name: TypeAlias = "str | os.PathLike[str]"
WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags for opening what may be a pipe that nobody is at the other end of."""


# --- Reading. ---


def open_regular(path: Name, flags: int = os.O_RDONLY) -> BinaryIO:
    """Open a file for reading whose content lies on disk; to open or read a pipe or device may never end.

    flags: of `os.open`, for other ways than reading.

    Raises `OSError` where it cannot be opened, and `ValueError` if it is not a regular file, without having waited.
    """
    opened = os.open(path, flags | WITHOUT_WAITING, 0o666)
    try:
        found = os.fstat(opened).st_mode
        if not stat.S_ISREG(found):
            raise ValueError("it is a directory" if stat.S_ISDIR(found) else "it is not a regular file")
        return os.fdopen(opened, "rb" if flags == os.O_RDONLY else "r+b")
    except BaseException:
        os.close(opened)
        raise


def open_input(path: Name) -> BinaryIO:
    """Open a regular file for reading, or a stream of this process that a shell names, as in `replay <(zcat FILE)`.

    Raises `OSError` where it cannot be opened, and `ValueError` naming a file that is not regular.
    """
    if re.fullmatch(r"/dev/(stdin|fd/\d+)", os.fspath(path)):
        return Path(path).open("rb")
    try:
        return open_regular(path)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def read(path: Name, most: int = LARGEST) -> bytes:
    """The content of a regular file. Raises `ValueError` if it is not one or has more than `most` bytes."""
    with open_regular(path) as file:
        return _whole(file, most)


def read_text(path: Name) -> str:
    """The content of a regular file in UTF-8. Raises `ValueError` as `read`, and if it is not UTF-8."""
    return read(path).decode("utf-8")


def read_json(path: Name) -> Any:
    """The content of a JSON file in UTF-8.

    Raises `OSError` where it cannot be read, and `ValueError` if it is no regular file, over 16 MiB, or not JSON.
    """
    return json.loads(read_text(path))


def read_arrays(path: Name, most: int) -> dict[str, Any]:
    """The arrays of an `.npz` file, by name.

    Raises `OSError` where it cannot be read, and `ValueError` if it is none, has pickles, or has more than `most`
    bytes, packed or unpacked.
    """
    import io
    import zipfile

    import numpy as np

    content = io.BytesIO(read(path, most))
    try:
        with zipfile.ZipFile(content) as archive:
            if sum(each.file_size for each in archive.infolist()) > most:
                raise ValueError(f"it holds more than {most:,} bytes")
        with np.load(content, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (TypeError, EOFError, RecursionError, NotImplementedError, zipfile.error) as error:
        raise ValueError(str(error)) from None


@functools.cache
def shipped(*names: str) -> str:
    """The text of a file of the package."""
    return PACKAGE.joinpath(*names).read_text(encoding="utf-8")


def folder(installed: str, checkout: str, file: str, what: str = "") -> Path:
    """The folder with a file, one of the package or of a checkout around it; `what` names it if there is none."""
    for found in (PACKAGE / installed, PACKAGE.parents[1] / checkout):
        if (found / file).is_file():
            return found
    raise FileNotFoundError(f"{what or file} is neither in this package nor in a checkout around it")


def lines(file: IO[str]) -> Iterator[str]:
    """The lines of an open text. Raises `ValueError` at one of more than 16 Mi characters."""
    while line := file.readline(LARGEST + 1):
        if len(line) > LARGEST:
            raise ValueError(f"the line has more than {LARGEST:,} characters")
        yield line


def _whole(file: BinaryIO, most: int) -> bytes:
    content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"the file has more than {most:,} bytes")
    return content


# --- Writing. ---


def open_output(path: Name, *, overwrite: bool = False, append: bool = False) -> BinaryIO:
    """Open a file for writing: a new or empty one, or a device or a pipe that is being read.

    overwrite: empty a file that holds data. append: write after what it holds.

    Raises `FileExistsError` for a file that holds data, and `FileNotFoundError` for a link to nothing or a folder that
    does not exist; nothing is changed then.
    """
    may_write(path, overwrite=overwrite or append)
    with contextlib.suppress(FileExistsError):
        return Path(path).open("xb")
    try:
        file = open(path, "ab", opener=_that_exists)  # noqa: SIM115  it is returned open
    except OSError as error:
        if error.errno == errno.ENXIO:
            error.strerror = "it is a pipe that nobody reads"
        raise
    if overwrite and not append and Path(path).is_file():
        file.truncate(0)
    os.set_blocking(file.fileno(), True)
    return file


def _that_exists(path: str, flags: int) -> int:
    return os.open(path, flags & ~os.O_CREAT | WITHOUT_WAITING)


def may_write(path: Name, *, overwrite: bool = False) -> None:
    """Raise what `open_output` and `whole_file` would, before the work that makes the content."""
    path = Path(path)
    if path.is_symlink() and not path.exists():
        raise FileNotFoundError(errno.ENOENT, "it is a link to nothing", str(path))
    if not (path.exists() or path.parent.is_dir()):
        raise FileNotFoundError(errno.ENOENT, f"the folder {path.parent} does not exist")
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a directory", str(path))
    if not overwrite and path.is_file() and path.stat().st_size:
        raise FileExistsError(errno.EEXIST, "it exists and holds data", str(path))


@contextlib.contextmanager
def whole_file(path: Name, *, overwrite: bool = False) -> Iterator[BinaryIO]:
    """Write a file under another name; at the end it is synced and renamed, so that it is there whole or not at all.

    A device, or a pipe that is being read, is written as it is. Raises as `open_output`.
    """
    may_write(path, overwrite=overwrite)
    target = Path(os.path.realpath(path))
    if Path(path).exists() and not target.is_file():
        with open_output(path) as file:
            yield file
        return
    part = target.with_name(f"{target.name}.{os.getpid()}-{secrets.token_hex(4)}{PART}")
    try:
        with part.open("xb") as file:
            yield file
        with part.open("r+b") as file:  # again: a stream on top of the other one may have closed it
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def write_whole(path: Name, content: bytes, *, overwrite: bool = False) -> None:
    """Write a file with this content, whole or not at all. Raises as `open_output`."""
    with whole_file(path, overwrite=overwrite) as file:
        file.write(content)


def write_arrays(path: Name, arrays: dict[str, Any], *, overwrite: bool = False) -> None:
    """Write arrays into an `.npz` file without pickles. Raises as `open_output`."""
    import numpy as np

    with whole_file(path, overwrite=overwrite) as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def update(path: Name, change: Callable[[bytes], bytes], most: int) -> None:
    """Replace the content of a file by a function of it, while no other process or thread does the same.

    A reader sees the old file or the new one; a file that does not exist is empty.

    Raises as `open_output`, and `ValueError` for what is not a regular file or has more than `most` bytes.
    """
    may_write(path, overwrite=True)
    while True:
        with open_regular(path, os.O_RDWR | os.O_CREAT) as file:
            _lock(file)
            if not _leads_to(path, file):
                continue  # another one has replaced it meanwhile
            content = change(_whole(file, most))
            if sys.platform == "win32":  # where an open file cannot be replaced
                file.close()
            write_whole(path, content, overwrite=True)
            return


def _lock(file: BinaryIO) -> None:
    """Lock a file until it is closed, as soon as no other process or thread has."""
    if sys.platform == "win32":
        from tilery.locks import lock

        lock(file, 0, wait=True)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


def _leads_to(path: Name, file: BinaryIO) -> bool:
    try:
        return os.path.samestat(Path(path).stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def open_lock(path: Name) -> BinaryIO:
    """Open a file of no content for locks, made if need be; links are not followed.

    Raises `OSError` where it cannot be opened, and `ValueError` if it is not a regular file.
    """
    try:
        return open_regular(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0))
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EISDIR):
            raise ValueError("it is a link or a directory") from None
        raise


def sync_folder(folder: Name) -> None:
    """Make a rename in a folder last through a loss of power, where the system can."""
    if os.name == "nt":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def discard(stream: IO[str]) -> None:
    """Let what is still written to a stream of this process vanish."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
