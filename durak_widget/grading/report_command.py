"""`durak-marks report FOLDER`: the page on how a class stands, kept as a file."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from durak_widget.grading.output_files import PAGE, require_writable
from durak_widget.grading.report import NAMES, class_report
from durak_widget.grading.shared import about_a_folder
from durak_widget.homework.assignment import as_told
from durak_widget.i18n import codes
from durak_widget.parallel import open_executor

if TYPE_CHECKING:
    from collections.abc import Sequence


def report_command(arguments: Sequence[str]) -> int:
    """Run `report`, which writes the page of the class."""
    parser = ArgumentParser(prog="durak-marks report", description="A page on how a class stands.")
    about_a_folder(parser)
    parser.add_argument("--names", choices=NAMES, default="shown", help="hidden: students and files have other names")
    parser.add_argument("--key", default="", help="a word of yours: by it hidden names are the same on the next page")
    parser.add_argument("--language", default="en", choices=codes(), help="in which the page speaks")
    parser.add_argument("--out", default="class.html", metavar="FILE", help="the page (class.html)")
    asked = parser.parse_args(arguments)
    require_writable(asked.out, asked.folder, PAGE)
    with open_executor(asked.jobs, asked.dask) as executor:
        page = class_report(
            asked.folder,
            as_told(asked.assignment),
            edition=asked.edition,
            roster=asked.roster,
            names=asked.names,
            key=asked.key,
            language=asked.language,
            jobs=asked.jobs,
            executor=None if asked.dask is None else executor,
            run_code=not asked.no_code,
            anew=asked.anew,
            due=asked.due,
            changes=asked.changes,
            questions=asked.questions,
            word=asked.word,
            typed=asked.typed,
        )
    page.save(asked.out)
    print(f"{asked.out}: {page.title}, {len(page.standing.students)} students")  # noqa: T201 - a command says what it did
    return 0
