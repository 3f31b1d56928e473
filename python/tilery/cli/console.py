"""Sentences and progress of the commands."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

from tilery.errors import printable


def say(text: str, *, to_errors: bool = False) -> None:
    print(printable(text, keep="\n"), file=sys.stderr if to_errors else sys.stdout, flush=True)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back Ctrl-C until the block is done, so that what it writes and what it counts agree."""
    held: list[int] = []
    handler = signal.getsignal(signal.SIGINT)
    if handler is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, lambda number, _frame: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if held:
        raise KeyboardInterrupt


def interrupted(out: object) -> int:
    """Say how to go on after Ctrl-C with a command that has --out DIR; returns the exit code."""
    rest = "the same command goes on" if out else "with --out DIR the same command would go on"
    say(f"tilery: interrupted; {rest}", to_errors=True)
    return 130


def show_page(text: str) -> None:
    """Print Markdown; on a terminal by rich (the extra `tilery[cli]`) where that is installed."""
    if sys.stdout.isatty():
        try:
            import rich.console
            import rich.markdown
        except ImportError:
            pass  # the text as it is can be read too
        else:
            rich.console.Console().print(rich.markdown.Markdown(text))
            return
    print(text, end="")


@contextlib.contextmanager
def progress(total: int, what: str = "games") -> Iterator[Callable[[int], None]]:
    """A function to be called with the number of games that are done, or of what else there is.

    On a terminal it moves a bar of rich (the extra `tilery[cli]`), or writes a line over itself where that is missing.
    """
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    try:
        import rich.console
        import rich.progress
    except ImportError:
        try:
            yield lambda done: print(f"\r{done:,} of {total:,} {what}", end="", file=sys.stderr, flush=True)
        finally:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        return
    columns = (
        rich.progress.TextColumn(f"{{task.completed:,.0f}} of {{task.total:,.0f}} {what}"),
        rich.progress.BarColumn(),
        rich.progress.TextColumn("{task.fields[rate]}"),
        rich.progress.TimeRemainingColumn(),
    )
    began, there = time.perf_counter(), -1
    with rich.progress.Progress(*columns, console=rich.console.Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, rate="")

        def update(done: int) -> None:
            nonlocal there
            there = done if there < 0 else there
            rate = (done - there) / (time.perf_counter() - began)
            bar.update(task, completed=done, rate=f"{rate:,.0f} {what}/s")

        yield update
