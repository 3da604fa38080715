"""`python -m durak_widget.lessons hand-out econ431 --out FOLDER`: writes the notebooks, and says which."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from durak_widget.errors import DurakError
from durak_widget.homework.assignment import as_told
from durak_widget.homework.notebook_writer import hand_out, word_for
from durak_widget.paper_exams.exam_sheets import on_paper

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def hand_out_command(arguments: Sequence[str]) -> int:
    """Run `hand-out`, which writes notebooks or sheets."""
    parser = ArgumentParser("python -m durak_widget.lessons hand-out", description="Writes the notebooks of an assignment.")
    parser.add_argument("assignment", help="its name, such as econ431, or module:NAME of one of your own")
    parser.add_argument("--out", required=True, help="the folder to write to: students/ and teacher/, or with --nbgrader a course")
    parser.add_argument("--edition", default="", help="the year or class: each has questions of its own")
    parser.add_argument("--students", "--roster", help="CSV with the names of the class: a notebook for each, with the name filled in")
    parser.add_argument("--nbgrader", action="store_true", help="write source/ASSIGNMENT/ASSIGNMENT.ipynb, as nbgrader wants it")
    parser.add_argument("--paper", action="store_true", help="write sheets to be printed, a key, and a table for what is typed off them")
    parser.add_argument(
        "--word",
        nargs="?",
        const="",
        help="draw the questions by a word that stays with you, in teacher/: without it nobody can draw or mark them (nothing said: one is made, or that which is kept there)",
    )
    parser.add_argument("--questions", help="on paper: these alone, as in 1,3,7 or by their names")
    parser.add_argument("--language", default="en", help="en, ru or lt")
    parser.add_argument("--force", action="store_true", help="write over what is there")
    told = parser.parse_args(list(arguments))
    if told.paper and told.nbgrader:
        raise DurakError("nbgrader takes notebooks: say --paper or --nbgrader")
    if told.word is not None and told.nbgrader:
        raise DurakError("nbgrader marks with what lies in its course, and a word stays with you: say --word or --nbgrader")
    word = word_for(as_told(told.assignment), told.edition, told.out) if told.word == "" else told.word
    if told.questions and not told.paper:
        raise DurakError("--questions chooses what is printed: say --paper too; a notebook of some questions is an assignment of your own")
    if told.paper:
        said = on_paper(
            as_told(told.assignment),
            told.out,
            edition=told.edition,
            roster=told.students,
            questions=told.questions,
            language=told.language,
            force=told.force,
            word=word,
        )
        return _told(said)
    made = hand_out(
        as_told(told.assignment),
        told.out,
        edition=told.edition,
        roster=told.students,
        nbgrader=told.nbgrader,
        language=told.language,
        force=told.force,
        word=word,
    )
    return _told(made)


def _told(made: Sequence[Path]) -> int:
    """Say which files there are now."""
    for path in made[:3] if len(made) > 5 else made:
        print(path)  # noqa: T201 - that is what it has done
    if len(made) > 5:
        print(f"… {len(made)} files in all; the last is {made[-1]}")  # noqa: T201 - as above
    return 0
