"""Sentences, tables and progress of the commands.

Tables and progress come from rich, the extra `tilery[cli]`.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from tilery.extras import imported


def say(text: str, *, to_errors: bool = False) -> None:
    """Print a line."""
    stream = sys.stderr if to_errors else sys.stdout
    stream.write(text + "\n")
    stream.flush()


def rich_package() -> Any:
    """rich, with the modules of it that are used here."""
    for module in ("rich.box", "rich.console", "rich.progress", "rich.table"):
        imported(module, "cli", "tables")
    return imported("rich", "cli", "tables")


def console(*, to_errors: bool = False) -> Any:
    """A console that leaves a closed pipe to `tilery.cli.main`."""
    rich = rich_package()
    stream = sys.stderr if to_errors else sys.stdout

    class Console(rich.console.Console):  # type: ignore[misc, name-defined]
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Console(width=None if stream.isatty() else 100, stderr=to_errors)


@contextlib.contextmanager
def progress(total: int) -> Iterator[Callable[[int], None]]:
    """A function to be called with the number of games that are done; on a terminal it moves a bar."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    rich = rich_package()
    columns = (
        rich.progress.TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        rich.progress.BarColumn(),
        rich.progress.TextColumn("{task.fields[rate]}"),
        rich.progress.TimeRemainingColumn(),
    )
    began, there = time.perf_counter(), -1
    with rich.progress.Progress(*columns, console=rich.console.Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=total, rate="")

        def update(done: int) -> None:
            nonlocal there
            there = done if there < 0 else there
            rate = (done - there) / (time.perf_counter() - began)
            bar.update(task, completed=done, rate=f"{rate:,.0f} games/s")

        yield update
