"""The notebooks of docs/notebooks run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.kit.games import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
NEEDED = "pip install nbclient ipykernel 'tilery[plot,widget]'"


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 5


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path) -> None:
    """Without errors, and with pictures; no output is committed. The timeout is for a cell that hangs."""
    nbclient: Any = pytest.importorskip("nbclient", reason=NEEDED)
    nbformat: Any = pytest.importorskip("nbformat", reason=NEEDED)
    for module in ("ipykernel", "matplotlib", "anywidget"):
        pytest.importorskip(module, reason=NEEDED)
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in cells)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = {kind for cell in cells for output in cell.outputs for kind in output.get("data", {})}
    assert shown & {"image/svg+xml", "image/png"}
    board = "application/vnd.jupyter.widget-view+json"
    assert (board in shown) == any("Board(" in cell.source for cell in cells)
