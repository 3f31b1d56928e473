"""The files of the page, and modules of it as one script."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

PAGE = Path(__file__).parents[1] / "page"
"""The files of the page."""


def bundled(files: Iterable[Path]) -> str:
    """Modules as one script: their imports are of each other, in this order."""
    script = "\n".join(file.read_text(encoding="utf-8") for file in files)
    script = re.sub(r"^import .*?;\n", "", script, flags=re.MULTILINE)
    return re.sub(r"^export ", "", script, flags=re.MULTILINE)


def markup() -> str:
    """What the page has in its body, without the script."""
    text = (PAGE / "index.html").read_text(encoding="utf-8")
    return text.partition("<body>\n")[2].partition("<script")[0]
