"""Tables of Markdown pages."""

from __future__ import annotations

from tilery import pages


def table(text: str, title: str) -> list[dict[str, str]]:
    """The rows of the first table of a section, each a dict by the table's headings, without backticks."""
    after = "\n" + pages.section(text, title)
    lines = [line for line in after[after.index("\n|") :].strip().partition("\n\n")[0].splitlines() if line[1] == " "]
    headings, *rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [dict(zip(headings, (cell.replace("`", "") for cell in row), strict=True)) for row in rows]
