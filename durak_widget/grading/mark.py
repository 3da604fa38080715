"""`durak-marks FOLDER`: prints the marks and what was wrong, and writes them as CSV."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from durak_widget.grading.feedback import feedback
from durak_widget.grading.folder_grading import mark
from durak_widget.grading.output_files import MARKS, require_writable, write_output
from durak_widget.grading.shared import about_a_folder
from durak_widget.homework.assignment import as_told
from durak_widget.homework.csv_tables import BOM
from durak_widget.parallel import open_executor

if TYPE_CHECKING:
    from collections.abc import Sequence


def mark_command(arguments: Sequence[str]) -> int:
    """Run `mark`. Return 1 if no student has handed anything in."""
    parser = ArgumentParser(
        "durak-marks",
        description="Marks a folder of notebooks and receipts.",
        epilog="durak-marks report FOLDER makes a page on how the class stands; durak-marks report -h says more.",
    )
    about_a_folder(parser)
    parser.add_argument("--out", help="CSV for the marks, a line for each question with the reason")
    parser.add_argument("--totals", help="CSV with a line for each student")
    parser.add_argument(
        "--feedback",
        metavar="FOLDER",
        help="a page for each student, to give back: each question, what was answered, what would have been right, and why",
    )
    parser.add_argument("--language", default="en", help="of the reasons: en, ru or lt")
    told = parser.parse_args(list(arguments))
    if told.totals:
        require_writable(told.totals, told.folder, MARKS)
    with open_executor(told.jobs, told.dask) as executor:
        marks = mark(
            told.folder,
            as_told(told.assignment),
            edition=told.edition,
            roster=told.roster,
            out=told.out,
            jobs=told.jobs,
            executor=None if told.dask is None else executor,
            language=told.language,
            run_code=not told.no_code,
            changes=told.changes,
            anew=told.anew,
            questions=told.questions,
            word=told.word,
            due=told.due,
            typed=told.typed,
        )
    if told.totals:
        write_output(told.totals, BOM + marks.totals())
    if told.feedback:
        feedback(marks, told.feedback, language=told.language)
    print(marks)  # noqa: T201 - that is what the command is for
    return 0 if marks.rows else 1
