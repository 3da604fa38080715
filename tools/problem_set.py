"""Writes notebook 14, which is the problem set for an example student named Guest.

It is equal to what `python -m durak_widget.lessons hand-out` writes. `tools/notebooks.py` runs it afterwards.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat

from durak_widget.homework.notebook_writer import AssignmentNotebooks, format_notebook

PLACE = Path(__file__).resolve().parent.parent / "notebooks" / "14_problem_set.ipynb"
STUDENT = "Guest"
BEGIN = """# The problem set

Is it good to attack first? When is it wise to take a card that you could beat? {count} questions, {points} points, and cards drawn for your name.

**Next: type your name below,** between the quotation marks, instead of *{student}*. Then press **Shift + Enter** (or ▶ above) again and again. Each press goes one step down, and the questions come alive."""
END = """## You can now

- turn a text of rules into players, moves, information sets and payoffs
- count, draw and solve with *your* cards, not the book's
- hand in your answers, and leave the marking to somebody else

**Next: [what did we play?](15_what_did_we_play.ipynb)** Count what happens in your class's own games.

## Where these rules come from

- The game is that of *Econ 431, Problem Set 1*, a text of rules for students of economics: 24 cards, and five in a hand. The questions are ours.
- [A page for teachers](../docs/problem-set.md) says how to make such a notebook for a class, hand it out and mark it, with or without nbgrader. The notebook contains no answers: model and solver work them out when it is marked.

[Back to mixing](13_mixing.ipynb) · [Glossary](../docs/glossary.md) · Next: [what did we play?](15_what_did_we_play.ipynb)"""


def made() -> dict[str, Any]:
    """Return the problem set notebook, before it is run."""
    sheet = AssignmentNotebooks("econ431")
    count, points = len(sheet.assignment.questions), sheet.assignment.points
    return sheet.build_student_notebook(STUDENT, opening_text=BEGIN.format(count=count, points=points, student=STUDENT), closing_text=END)


def parts(notebook: nbformat.NotebookNode) -> list[tuple[str, str, list[str]]]:
    """Return the type, the source and the tags of each cell of a notebook."""
    return [(cell.cell_type, cell.source, cell.metadata.get("tags", [])) for cell in notebook.cells]


def main() -> int:
    """Write the notebook if its cells have changed; run `tools/notebooks.py` for the outputs."""
    fresh = nbformat.reads(format_notebook(made()), as_version=4)
    if PLACE.exists():
        stored = nbformat.read(PLACE, as_version=4)
        if parts(stored) == parts(fresh):
            print(f"{PLACE.name}: unchanged")
            return 0
    PLACE.write_text(nbformat.writes(fresh) + "\n", encoding="utf-8")
    print(f"{PLACE.name}: written; now run tools/notebooks.py {PLACE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
