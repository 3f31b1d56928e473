"""The documentation site, from the pages of the repository: `nox -s docs` builds it into build/docs.

The sources are the Markdown files where they are, so links between them work here as in the repository.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
from pathlib import Path
from typing import Any

import tilery
from tilery.pictures import title_of

project = "tilery"
version = release = tilery.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext", ".ipynb": "markdown"}
include_patterns = ["*.md", "docs/**", "bench/README.md", "examples/*/README.md", "tests/lab/*.md"]
exclude_patterns = [".*", "build", "cpp", "python", "tools"]
root_doc = "README"
html_theme = "furo"
html_title = f"tilery {release}"
project_copyright = "tilery developers"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_copy_source = False
myst_heading_anchors = 3

default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True}

GAMES = tilery.games()
CHAPTERS = {
    "Start": [
        "docs/start",
        "docs/questions",
        *(
            f"docs/notebooks/{name}"
            for name in ("first-steps", "greedy-bot", "search", "statistics", "moves", "training")
        ),
        "docs/pictures",
    ],
    "Games": [f"docs/games/{name}" for name in GAMES]
    + [f"{title_of(tilery.load(name))} for programs <docs/rules/{name}>" for name in [*GAMES, "toy"]],
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
    "Reference": [
        "docs/interface",
        "docs/protocol",
        *(f"docs/reference/{name}" for name in ("tilery", "protocol", *GAMES, "toy", "errors")),
        *(f"docs/reference/{name}" for name in ("policies", "search", "match", "ladder", "agents", "train")),
        *(
            f"docs/reference/{name}"
            for name in ("runs", "statistics", "record", "reviews", "play", "widget", "pictures")
        ),
        "CHANGELOG",
    ],
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
    "Performance": ["bench/README", "docs/performance"],
}
"""The pages of the site, in the order of its navigation."""
_root = Path(__file__).parents[1]
_listed = {page.rpartition("<")[2].rstrip(">") for pages in CHAPTERS.values() for page in pages}
_others = {
    path.relative_to(_root).with_suffix("").as_posix()
    for pattern in ("docs/*.md", "examples/*/README.md")
    for path in _root.glob(pattern)
} - _listed
CHAPTERS["Background"] += sorted(_others)


PLAY = re.compile(r"\[([^\]]+)\]\(docs/play\.md#without-a-server-webassembly\)")
"""How the README links to the pages that need no server. A site that has them, in play/, links to them themselves."""
DOCTEST = re.compile(r"^(```python\n(?:(?!```).*\n)*?)\n```$", re.MULTILINE)
"""A snippet that ends in an empty line, as doctest needs it; readers do not."""


def setup(app: Any) -> None:
    app.add_config_value("play", False, "env")
    app.connect("source-read", complete)
    app.connect("autodoc-process-docstring", as_restructured_text)
    app.connect("build-finished", name_the_first_page)


def complete(app: Any, page: str, source: list[str]) -> None:
    """Add what the site has and the repository does not: the table of contents, notebooks as pages, pages that play."""
    if page == root_doc:
        if app.config.play:
            source[0] = PLAY.sub(r'<a href="play/index.html">\1</a>', source[0])
        for caption, pages in CHAPTERS.items():
            source[0] += "\n".join(["\n```{toctree}", ":hidden:", f":caption: {caption}\n", *pages, "```\n"])
    source[0] = DOCTEST.sub(r"\1```", source[0])
    if page.startswith("docs/notebooks/"):
        source[0] = "\n\n".join(as_markdown(cell) for cell in json.loads(source[0])["cells"])


def as_markdown(cell: dict[str, Any]) -> str:
    """A cell of a notebook with its stored outputs."""
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return text
    parts = [f"```python\n{text}\n```"]
    for output in cell["outputs"]:
        shown = output.get("data", {})
        if "image/svg+xml" in shown:
            drawn = base64.b64encode("".join(shown["image/svg+xml"]).encode()).decode()
            parts.append(f'<img alt="what the cell shows" src="data:image/svg+xml;base64,{drawn}">')
        elif "image/png" in shown:
            drawn = "".join(shown["image/png"]).replace("\n", "")
            parts.append(f'<img alt="what the cell shows" src="data:image/png;base64,{drawn}">')
        else:
            parts.append(f"```text\n{''.join(output.get('text') or shown['text/plain']).rstrip()}\n```")
    return "\n\n".join(parts)


def as_restructured_text(_app: Any, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    """Docstrings are plain text with Markdown's backticks, lists and tables."""
    text = re.sub(r"docs/([a-z/-]+)\.md", r":doc:`/docs/\1`", "\n".join(lines))
    text = re.sub(r"\n(?:\|.*\n?)+", lambda found: as_code(found.group()), text)
    text = "\n\n".join(as_list(paragraph) for paragraph in text.split("\n\n"))
    lines[:] = re.sub(r"(`[^`]*`)|\*", lambda found: found[1] or r"\*", text).split("\n")


def as_code(table: str) -> str:
    return "\n::\n\n" + "".join(f"   {line}\n" for line in table.strip().split("\n")) + "\n"


def as_list(paragraph: str) -> str:
    """Lines `name: what it is`, or `a, b: what they are`, perhaps continued on indented lines, as items of a list."""
    items = re.sub(r"\n\s+", " ", paragraph.strip("\n")).split("\n")
    if not all(re.match(r"[a-z_]+(, [a-z_]+)*: ", item) for item in items):
        return paragraph
    return "\n".join(re.sub(r"^([\w, ]+)", r"- `\1`", item) for item in items) + "\n"


def name_the_first_page(app: Any, failed: Exception | None) -> None:
    if failed is None and app.builder.name == "html":
        shutil.copy(Path(app.outdir) / "README.html", Path(app.outdir) / "index.html")
