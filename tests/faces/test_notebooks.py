"""The notebooks of docs/notebooks run, and show what is stored in them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.lab.notebooks import NOTEBOOKS, executed, joined, stored

NEEDED = "pip install nbclient ipykernel duckdb 'tilery[arrow,plot,widget]'"
ROUNDED = {"training"}
"""Their numbers depend on how NumPy rounds on this machine."""


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 5


def test_what_is_printed_at_a_stretch_is_one_output() -> None:
    def printed(text: str, name: str = "stdout") -> dict[str, Any]:
        return {"output_type": "stream", "name": name, "text": text}

    shown = {"output_type": "display_data", "data": {}}
    parts = [printed("a"), printed("\nb"), printed("c", "stderr"), shown, printed("d"), printed("e")]
    assert joined(parts) == [printed("a\nb"), printed("c", "stderr"), shown, printed("de")]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_shows_what_is_stored(path: Path) -> None:
    """Text and drawings are those of this run; of plots, which depend on Matplotlib, only that they are there."""
    for module in ("nbclient", "nbformat", "ipykernel", "matplotlib", "anywidget", "duckdb", "pyarrow"):
        pytest.importorskip(module, reason=NEEDED)
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    kept = [output for cell in cells for output in cell.get("outputs", [])]
    notebook = executed(path)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    outputs = [output for cell in code for output in cell.outputs]
    assert [comparable(stored(output), path) for output in outputs] == [comparable(output, path) for output in kept]
    shown = {kind for output in outputs for kind in output.get("data", {})}
    assert shown & {"image/svg+xml", "image/png"}
    board = "application/vnd.jupyter.widget-view+json"
    assert (board in shown) == any("Board(" in cell.source for cell in code)


def comparable(output: dict[str, Any], path: Path) -> dict[str, Any]:
    if "image/png" in output.get("data", {}):
        return output | {"data": "a plot"}
    if "text" in output:
        text = "".join(output["text"])
        return output | {"text": re.sub(r"[-+]?\d+(\.\d+)?", "0", text) if path.stem in ROUNDED else text}
    return output
