"""Tables of text that print themselves: plain, by rich on a terminal where that is installed, as HTML in notebooks.

>>> from tilery.tables import Table
>>> print(Table("Points", ["seat", "mean"], [["0", "12.5"], ["1", "9.0"]]))
Points
<BLANKLINE>
  seat   mean
 ─────────────
  0      12.5
  1       9.0

"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import NamedTuple, TextIO

from tilery.errors import printable


class Table(NamedTuple):
    """A table of text.

    title: of any number of lines. head: the headings; the first column is aligned to the left, the others to the
    right. rows: as many texts each as there are headings, or fewer. sections: the rows that begin a new section.
    """

    title: str
    head: list[str]
    rows: list[list[str]]
    sections: Sequence[int] = ()

    def __str__(self) -> str:
        rows = [[printable(text) for text in row] for row in self.rows]
        whole = [row for row in (self.head, *rows) if len(row) == len(self.head)]
        widths = [max(map(len, column)) for column in zip(*whole, strict=True)]
        lines = [*(self.title.splitlines() or [""]), ""] if self.title else [""]

        def line(row: list[str]) -> str:
            cells = [
                text.rjust(width) if at else text.ljust(width)
                for at, (text, width) in enumerate(zip(row, widths, strict=True))
            ]
            return (" " + "  ".join(cells)).rstrip()

        lines += [line(self.head), " " + "─" * (sum(widths) + 2 * len(widths) - 2)]
        for number, row in enumerate(rows):
            lines += [""] * (number in self.sections) + [line(row) if len(row) > 1 else f" {row[0]}"]
        return "\n".join(lines) + "\n"

    def _repr_html_(self) -> str:
        """The table as HTML, with the alignment of `str`."""
        bodies: list[str] = []
        for number, row in enumerate(self.rows):
            cells = "".join(f"<td>{html.escape(text)}</td>" for text in row)
            bodies.append(("</tbody><tbody>" if number in self.sections else "") + f"<tr>{cells}</tr>")
        heads = "".join(f"<th>{html.escape(text)}</th>" for text in self.head)
        title = html.escape(self.title).replace("\n", "<br>")
        return (
            f'<table style="font-variant-numeric: tabular-nums"><caption>{title}</caption>'
            f"<thead><tr>{heads}</tr></thead><tbody>{''.join(bodies)}</tbody></table>"
        )

    def print(self, stream: TextIO) -> None:
        """Print it; on a terminal by rich (the extra `tilery[cli]`) where that is installed."""
        written = printable(str(self), keep="\n") + "\n"
        if not stream.isatty():
            stream.write(written)
            return
        try:
            import rich.box
            import rich.console
            import rich.table
            import rich.text
        except ImportError:
            stream.write(written)
            return
        title = rich.text.Text(printable(self.title, keep="\n")) if self.title else None
        shown = rich.table.Table(box=rich.box.SIMPLE_HEAD, padding=(0, 1, 0, 0), title_justify="left", title=title)
        for number, heading in enumerate(self.head):
            shown.add_column(rich.text.Text(heading), justify="right" if number else "left", overflow="fold")
        for number, row in enumerate(self.rows):
            if number in self.sections:
                shown.add_section()
            shown.add_row(*(rich.text.Text(printable(text)) for text in row))
        rich.console.Console(file=stream).print(shown, crop=False)
