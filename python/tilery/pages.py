"""The pages of the documentation that come with the package."""

from __future__ import annotations

import html
from functools import cache
from pathlib import Path

from tilery.files import folder, read_text


def _folder() -> Path:
    return folder("docs", "docs", "interface.md", "the documentation")


def names() -> list[str]:
    """The names of all pages: "bots", "rules/java" and so on."""
    docs = _folder()
    found = [path.relative_to(docs).with_suffix("").as_posix() for path in docs.rglob("*.md")]
    return sorted(found, key=lambda name: ("/" in name, name))


@cache
def page(name: str) -> str:
    """The text of a page as Markdown: `page("interface.md")`.

    Raises `FileNotFoundError` for a page that does not exist.
    """
    return read_text(_folder() / name)


def opening(text: str) -> str:
    """The paragraphs of a page between its title and its first section."""
    return text.partition("\n")[2].partition("\n## ")[0].strip()


def section(text: str, title: str) -> str:
    """The text under a heading of a page, up to the next one of its rank."""
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0].strip("\n")


def as_html(text: str) -> str:
    """A page as a part of another, without its links; as it is written where there is no markdown-it (tilery[cli])."""
    try:
        from markdown_it import MarkdownIt
    except ImportError:
        return f"<pre>{html.escape(text)}</pre>"
    writer = MarkdownIt().enable("table")
    for rule in ("link_open", "link_close"):
        writer.add_render_rule(rule, lambda *_: "")
    return str(writer.render(text))


def with_opening(docstring: str, name: str) -> str:
    """The docstring of a game's module with the opening of its page after the first line."""
    synopsis, _, rest = docstring.partition("\n")
    try:
        return f"{synopsis}\n\n{opening(page(name))}\n{rest}"
    except FileNotFoundError:
        return docstring
