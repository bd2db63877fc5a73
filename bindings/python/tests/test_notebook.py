"""The notebook in examples/ runs, and prints what it shows.

Run as a program, this file stores the outputs in the notebook.
"""

import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

PATH = Path(__file__).parents[3] / "examples" / "dosimeter.ipynb"


def execute() -> nbformat.NotebookNode:
    """The notebook with fresh outputs, by the running interpreter."""
    notebook = nbformat.read(PATH, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return notebook


def printed(notebook: nbformat.NotebookNode) -> list[str]:
    """What each cell printed."""
    return ["".join(output.text for output in cell.get("outputs", [])
                    if output.output_type == "stream")
            for cell in notebook.cells]


def test_notebook() -> None:
    stored = nbformat.read(PATH, as_version=4)
    fresh = execute()
    assert printed(fresh) == printed(stored)
    shown = [set(output.data) for cell in fresh.cells
             for output in cell.get("outputs", [])
             if output.output_type == "execute_result"]
    assert sum("image/svg+xml" in types for types in shown) == 2
    assert sum("text/html" in types for types in shown) == 3


def store() -> None:
    """Writes the fresh outputs into the notebook, without their times."""
    notebook = execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    notebook.metadata.pop("language_info", None)
    text = nbformat.writes(notebook)
    PATH.write_text(re.sub(r"[ \t]+$", "", text, flags=re.M) + "\n",
                    encoding="utf-8")


if __name__ == "__main__":
    sys.exit(store())
