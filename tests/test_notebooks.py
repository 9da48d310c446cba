"""The notebooks of the documentation run from beginning to end, and hold pictures."""

import os
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from squall import locate
from squall.errors import UserError

pytestmark = pytest.mark.regression

NOTEBOOKS = sorted((locate.CHECKOUT / "docs").rglob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.long
def test_a_notebook_runs_and_draws_the_pictures_that_it_holds(path, tmp_path, monkeypatch):
    try:
        monkeypatch.setenv("SQUALL_MODEL", str(locate.model_binary()))
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    monkeypatch.setenv("PYTHONPATH", str(locate.CHECKOUT / "python"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    notebook = nbformat.read(path, 4)
    held = [pictures(cell) for cell in notebook.cells]
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert sum(held) >= 3
    assert [pictures(cell) for cell in notebook.cells] == held


def pictures(cell):
    """The number of pictures below a cell."""
    return sum("image/png" in output.get("data", {}) for output in cell.get("outputs", []))
