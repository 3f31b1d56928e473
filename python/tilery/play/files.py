"""The files of the page, and modules of it as one script."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tilery.files import read_text, shipped

PAGE = Path(__file__).parents[1] / "page"
"""The files of the page."""
PARTS = ("steps", "zoom", "drawing", "setup", "replay", "page", "served", "messages", "board")


def bundled(files: Iterable[Path]) -> str:
    """Modules as one script: their imports are of each other, in this order."""
    script = "\n".join(read_text(file) for file in files)
    script = re.sub(r"^import .*?;\n", "", script, flags=re.MULTILINE)
    return re.sub(r"^export (?!default)", "", script, flags=re.MULTILINE)


@cache
def component() -> str:
    """The script of the element `<tilery-board>`, with its style and markup, for all pages that have one."""
    style, markup = (json.dumps(shipped("page", file)) for file in ("style.css", "board.html"))
    modules = bundled(PAGE / f"{name}.js" for name in PARTS)
    return f"const STYLE = {style};\nconst MARKUP = {markup};\n{modules}"


def alone(title: str, modules: Iterable[Path], start: str) -> str:
    """A page that is one file: the component with these modules, and a script that makes a board by them."""
    code = f"(() => {{\n{component()}\n{{\n{bundled(modules)}\n{start}\n}}\n}})();"
    code = code.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    page = shipped("page", "index.html").replace("<title>tilery</title>", f"<title>{html.escape(title)}</title>")
    page = page.replace("<tilery-board full></tilery-board>\n", "")
    return page.replace('<script type="module" src="board.js"></script>', f"<script>\n{code}\n</script>")
