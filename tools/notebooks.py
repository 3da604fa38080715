"""Runs all notebooks (or the given ones) in place, and stores only what readers need.

A second run changes nothing.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal, DeadKernelError

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
LIVE = "application/vnd.jupyter.widget-view+json"  # A live widget is useless without its kernel; a static image is stored next to it
FOLDED = {"jupyter": {"source_hidden": True}, "tags": ["exercise", "hide-input"]}  # The code contains the answer
ASIDE = {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]}  # The code only draws an image


def stored(notebook: nbformat.NotebookNode) -> str:
    """Return a notebook as text to store, without the outputs of live widgets."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02}"
        tags = cell.metadata.get("tags", ())
        cell.metadata = nbformat.from_dict(FOLDED if "exercise" in tags else ASIDE if "hide-input" in tags else {})
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if LIVE not in output.get("data", {})]
    return nbformat.writes(notebook, version=4) + "\n"


def run(path: Path) -> bool:
    """Run one notebook, and return whether its file had to be changed."""
    before = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(before, as_version=4)
    NotebookClient(
        notebook,
        kernel_name="python3",
        record_timing=False,
        timeout=60,
        store_widget_state=False,
        coalesce_streams=True,  # Join pieces of output, because the kernel may split them differently each time
        resources={"metadata": {"path": str(FOLDER)}},
    ).execute()
    after = stored(notebook)
    if after != before:
        path.write_text(after, encoding="utf-8")
    return after != before


def main() -> int:
    """Run the notebooks in order of name; return 1 at the first one with an error."""
    os.environ["PYTHONHASHSEED"] = "0"  # Sets are then printed in the same order each time
    paths = [FOLDER / Path(name).name for name in sys.argv[1:]] or sorted(FOLDER.glob("*.ipynb"))
    if missing := [path.name for path in paths if not path.is_file()]:
        print(f"notebooks/ has no {', '.join(missing)}")
        return 1
    with TemporaryDirectory() as home:
        os.environ["DURAK_WIDGET_HOME"] = home  # Run as a student who has solved nothing yet
        for path in paths:
            try:
                changed = run(path)
            except (CellControlSignal, DeadKernelError) as error:
                print(f"{path.name}: a cell failed, ran longer than a minute, or stopped its kernel\n{error}")
                return 1
            except ValueError as error:
                print(f"{path.name}: this is not a notebook that can be read: {error}")
                return 1
            print(f"{path.name}: {'updated' if changed else 'unchanged'}")
    if not paths:
        print("there are no notebooks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
