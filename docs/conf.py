"""The documentation site, from the pages of the repository: `nox -s docs` builds it into build/docs.

The sources are the Markdown files where they are, so links between them work here as in the repository.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import tilery

project = "tilery"
version = release = tilery.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
include_patterns = ["*.md", "docs/**", "bench/README.md", "examples/*/README.md"]
exclude_patterns = [".*", "build", "cpp", "python", "tests", "tools"]
root_doc = "README"
html_theme = "furo"
html_title = f"tilery {release}"
project_copyright = "tilery developers"
html_copy_source = False
myst_heading_anchors = 3

default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True}

CHAPTERS = {
    "Start": ["docs/start", "docs/pictures"],
    "Games": [f"docs/rules/{name}" for name in [*tilery.games(), "toy"]],
    "How-to": [
        *(
            "docs/play",
            "docs/bots",
            "docs/champions",
            "docs/review",
            "docs/batches",
            "docs/runs",
            "docs/scale",
            "docs/training",
            "docs/adapters",
        ),
        *("docs/openspiel", "docs/embedding", "examples/cython_bot/README", "docs/adding-a-game"),
    ],
    "Reference": ["docs/interface", "docs/protocol", "docs/api", "CHANGELOG"],
    "Background": [
        "docs/design",
        "docs/sources",
        "docs/balance",
        "tests/lab/README",
        "tests/lab/ledger",
        "tests/lab/mutants",
        "SECURITY",
        "CONTRIBUTING",
        "CODE_OF_CONDUCT",
    ],
    "Performance": ["docs/performance", "bench/README"],
}
"""The pages of the site, in the order of its navigation."""
_root = Path(__file__).parents[1]
_listed = {page for pages in CHAPTERS.values() for page in pages}
_others = {
    path.relative_to(_root).with_suffix("").as_posix()
    for pattern in ("docs/*.md", "examples/*/README.md")
    for path in _root.glob(pattern)
} - _listed
CHAPTERS["Background"] += sorted(_others)


def setup(app: Any) -> None:
    app.connect("source-read", complete)
    app.connect("autodoc-process-docstring", as_restructured_text)
    app.connect("build-finished", name_the_first_page)


def complete(_app: Any, page: str, source: list[str]) -> None:
    """Add what the site has and the repository does not: the table of contents, and the games of the API."""
    if page == root_doc:
        for caption, pages in CHAPTERS.items():
            source[0] += "\n".join(["\n```{toctree}", ":hidden:", f":caption: {caption}\n", *pages, "```\n"])
    if page == "docs/api":
        source[0] += "".join(f".. automodule:: tilery.{name}\n   :imported-members:\n\n" for name in tilery.games())


def as_restructured_text(_app: Any, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    """Docstrings are plain text with Markdown's backticks, lists and tables."""
    text = "\n".join(lines)
    text = re.sub(r"\n(?:\|.*\n?)+", lambda found: as_code(found.group()), text)
    text = "\n\n".join(as_list(paragraph) for paragraph in text.split("\n\n"))
    lines[:] = re.sub(r"(`[^`]*`)|\*", lambda found: found[1] or r"\*", text).split("\n")


def as_code(table: str) -> str:
    return "\n::\n\n" + "".join(f"   {line}\n" for line in table.strip().split("\n")) + "\n"


def as_list(paragraph: str) -> str:
    """Lines `name: what it is`, perhaps continued on indented lines, as items of a list."""
    items = re.sub(r"\n\s+", " ", paragraph).split("\n")
    if not all(re.match(r"[a-z_]+: ", item) for item in items):
        return paragraph
    return "\n".join(re.sub(r"^(\w+)", r"- `\1`", item) for item in items)


def name_the_first_page(app: Any, failed: Exception | None) -> None:
    if failed is None and app.builder.name == "html":
        shutil.copy(Path(app.outdir) / "README.html", Path(app.outdir) / "index.html")
