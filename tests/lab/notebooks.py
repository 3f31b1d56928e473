"""Runs the notebooks of docs/notebooks and stores what their cells show.

    python -m tests.lab.notebooks

A person looks at the differences before they are committed. A widget is stored
as a remark. Needs nbclient,
ipykernel and the extras `tilery[plot,widget]`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.kit.games import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
TIMEOUT = 600
"""Seconds after which a cell is taken to hang."""
STORED = ("image/svg+xml", "image/png", "text/plain")
"""The forms that are stored, the preferred first."""
BOARD = "(a board to play on, which needs a kernel that runs)"
"""What is stored in place of a widget."""


def executed(path: Path) -> Any:
    """The notebook after a run, with all that its cells show."""
    import nbclient
    import nbformat

    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    nbclient.NotebookClient(notebook, timeout=TIMEOUT, kernel_name="python3").execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
    return notebook


def joined(outputs: list[Any]) -> list[Any]:
    """The outputs with what was printed at a stretch in one: a kernel sends it in as many as its clock makes of it."""
    found: list[Any] = []
    for output in outputs:
        if output["output_type"] == "stream" and found and found[-1].get("name") == output["name"]:
            found[-1]["text"] += output["text"]
        else:
            found.append(output)
    return found


def stored(output: Any) -> dict[str, Any]:
    """An output as it is kept: printed text, or the best form of what is shown."""
    if output["output_type"] == "stream":
        return {"name": output["name"], "output_type": "stream", "text": lines(output["text"])}
    kind = next((kind for kind in STORED if kind in output["data"]), None)
    if kind is None:
        return {"data": {"text/plain": [BOARD]}, "metadata": {}, "output_type": "display_data"}
    text = re.sub(r"0x[0-9a-f]+", "0x...", output["data"][kind])
    return {"data": {kind: lines(text)}, "metadata": {}, "output_type": "display_data"}


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> None:
    for path in NOTEBOOKS:
        ran = executed(path)
        kept = json.loads(path.read_text(encoding="utf-8"))
        for cell, shown in zip(kept["cells"], ran.cells, strict=True):
            if cell["cell_type"] == "code":
                cell["outputs"] = [stored(output) for output in shown.outputs]
        path.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(path.relative_to(ROOT), path.stat().st_size)


if __name__ == "__main__":
    main()
