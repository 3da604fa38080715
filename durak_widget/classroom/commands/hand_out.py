"""`python -m durak_widget.lessons hand-out econ431 --out FOLDER`: writes the notebooks, and says which."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from durak_widget.classroom.asking.assignment import as_told
from durak_widget.classroom.sheets.sheets import hand_out

if TYPE_CHECKING:
    from collections.abc import Sequence


def command(arguments: Sequence[str]) -> int:
    """Carry it out."""
    parser = ArgumentParser("python -m durak_widget.lessons hand-out", description="Writes the notebooks of an assignment.")
    parser.add_argument("assignment", help="its name, such as econ431, or module:NAME of one of your own")
    parser.add_argument("--out", required=True, help="the folder to write to: students/ and teacher/, or with --nbgrader a course")
    parser.add_argument("--edition", default="", help="the year or class: each has questions of its own")
    parser.add_argument("--students", "--roster", help="CSV with the names of the class: a notebook for each, with the name filled in")
    parser.add_argument("--nbgrader", action="store_true", help="write source/ASSIGNMENT/ASSIGNMENT.ipynb, as nbgrader wants it")
    parser.add_argument("--language", default="en", help="en, ru or lt")
    parser.add_argument("--force", action="store_true", help="write over what is there")
    told = parser.parse_args(list(arguments))
    made = hand_out(
        as_told(told.assignment),
        told.out,
        edition=told.edition,
        roster=told.students,
        nbgrader=told.nbgrader,
        language=told.language,
        force=told.force,
    )
    for path in made[:3] if len(made) > 5 else made:
        print(path)  # noqa: T201 - that is what it has done
    if len(made) > 5:
        print(f"… {len(made)} files in all; the last is {made[-1]}")  # noqa: T201 - as above
    return 0
