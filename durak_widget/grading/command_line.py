"""The command line `durak-marks` with four commands: mark, report, hand-out and deals.

`python -m durak_widget.lessons COMMAND` does the same. `mark` prints the grades and all problems, and writes the grades as CSV.
`report` writes the report page on a class. `hand-out` writes an assignment's notebooks and lists them. `deals` writes sheets to print
or, with `--results`, the comparison of results.
"""

from __future__ import annotations

import io
import sys
from argparse import ArgumentParser
from importlib import import_module
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import replace_text
from durak_widget.duplicate_deals import compare, deals, sheets
from durak_widget.duplicate_deals.result_table import format_blank_table
from durak_widget.errors import DurakError, short_repr, suggest_nearest
from durak_widget.grading.class_report_page import NAME_MODES, class_report
from durak_widget.grading.folder_grading import mark
from durak_widget.grading.output_files import GRADEBOOK_START, PAGE_START, require_writable, write_output
from durak_widget.grading.student_feedback import write_feedback
from durak_widget.homework.assignment import prepare_assignment_name
from durak_widget.homework.csv_tables import BOM
from durak_widget.homework.notebook_writer import find_or_generate_passphrase, hand_out
from durak_widget.i18n import list_language_codes
from durak_widget.paper_exams.exam_sheets import write_exam_sheets
from durak_widget.parallel import add_worker_options, open_executor

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from durak_widget.homework.html_page import Page

COMMANDS: Final = {
    "mark": ("durak_widget.grading.command_line:mark_command", "mark a folder of notebooks and receipts, as CSV"),
    "report": ("durak_widget.grading.command_line:report_command", "make a page about a class"),
    "hand-out": ("durak_widget.grading.command_line:hand_out_command", "make a student's and a teacher's version of a notebook"),
    "deals": ("durak_widget.grading.command_line:deals_command", "print the same deals for every desk"),
}
"""For each command: its function as `module:function`, and a description of what it writes.

The module is imported when the command runs.
"""


def main(arguments: Sequence[str]) -> int:
    """Run a command; return exit code 0 for success, 1 for failure, 2 for wrong usage."""
    name, *rest = [*arguments, ""][: max(len(arguments), 1)]
    if name not in COMMANDS:
        is_help = name in ("", "-h", "--help", "help")
        lines = [
            "python -m durak_widget.lessons COMMAND …",
            *(f"  {command:<9} {description}" for command, (_, description) in COMMANDS.items()),
        ]
        error_lines = [] if is_help else [f"there is no command {name[:60]!r}.{suggest_nearest(name[:60], COMMANDS)}"]
        print("\n".join([*error_lines, *lines]), file=sys.stdout if is_help else sys.stderr)
        return 0 if is_help else 2
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # Some consoles can't print every character, so these characters are replaced
    try:
        module_name, _, function = COMMANDS[name][0].partition(":")
        return int(getattr(import_module(module_name), function)(rest))
    except SystemExit as exit_request:  # The argument parser has already printed the error
        return int(exit_request.code or 0)
    except DurakError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command prints its errors
        return 1
    except OSError as error:
        print(f"{error.filename or name}: {error.strerror or type(error).__name__}", file=sys.stderr)  # noqa: T201 - as above
        return 1


def mark_command(arguments: Sequence[str]) -> int:
    """Run the command `mark`, which grades a folder; return 1 if the folder has no answers."""
    parser = ArgumentParser(
        "durak-marks",
        description="Mark a folder of notebooks and receipts.",
        epilog="durak-marks report FOLDER makes a page about the class; for its options, use durak-marks report -h.",
    )
    add_folder_options(parser)
    parser.add_argument("--out", help="CSV file for the marks: one line for each question, with the reason")
    parser.add_argument("--totals", help="CSV file with one line for each student")
    parser.add_argument(
        "--feedback",
        metavar="FOLDER",
        help="folder for feedback: a page to return to each student, with each question, their answer, the right answer and the reason",
    )
    parser.add_argument("--language", default="en", help="the language of the reasons: en, ru or lt")
    options = parser.parse_args(list(arguments))
    if options.totals:
        require_writable(options.totals, options.folder, GRADEBOOK_START)
    with open_executor(options.jobs, options.dask) as executor:
        gradebook = mark(
            options.folder,
            prepare_assignment_name(options.assignment),
            edition=options.edition,
            roster=options.roster,
            out=options.out,
            jobs=options.jobs,
            executor=None if options.dask is None else executor,
            language=options.language,
            run_code=not options.no_code,
            changes=options.changes,
            anew=options.anew,
            questions=options.questions,
            word=options.word,
            due=options.due,
            typed=options.typed,
        )
    if options.totals:
        write_output(options.totals, BOM + gradebook.totals_to_csv())
    if options.feedback:
        write_feedback(gradebook, options.feedback, language=options.language)
    print(gradebook)  # noqa: T201 - the command prints the gradebook
    return 0 if gradebook.rows else 1


def report_command(arguments: Sequence[str]) -> int:
    """Run the command `report`, which writes a report page about a school class."""
    parser = ArgumentParser(prog="durak-marks report", description="Make a page about a class.")
    add_folder_options(parser)
    parser.add_argument("--names", choices=NAME_MODES, default="shown", help="hidden: show other names for students and files")
    parser.add_argument("--key", default="", help="a text that you choose: with the same text, hidden names stay the same on the next page")
    parser.add_argument("--language", default="en", choices=list_language_codes(), help="the language of the page")
    parser.add_argument("--out", default="class.html", metavar="FILE", help="the file for the page (class.html)")
    options = parser.parse_args(arguments)
    require_writable(options.out, options.folder, PAGE_START)
    with open_executor(options.jobs, options.dask) as executor:
        page = class_report(
            options.folder,
            prepare_assignment_name(options.assignment),
            edition=options.edition,
            roster=options.roster,
            names=options.names,
            key=options.key,
            language=options.language,
            jobs=options.jobs,
            executor=None if options.dask is None else executor,
            run_code=not options.no_code,
            anew=options.anew,
            due=options.due,
            changes=options.changes,
            questions=options.questions,
            word=options.word,
            typed=options.typed,
        )
    page.save(options.out)
    print(f"{options.out}: {page.title}, {len(page.statistics.students)} students")  # noqa: T201 - a command reports what it did
    return 0


def hand_out_command(arguments: Sequence[str]) -> int:
    """Run the command `hand-out`, which writes notebooks or printed sheets."""
    parser = ArgumentParser("python -m durak_widget.lessons hand-out", description="Write the notebooks of an assignment.")
    parser.add_argument("assignment", help="the assignment's name, such as econ431, or module:NAME for your own")
    parser.add_argument(
        "--out", required=True, help="the folder to write to: it will contain students/ and teacher/, or with --nbgrader a course"
    )
    parser.add_argument("--edition", default="", help="the year or class: each has its own questions")
    parser.add_argument(
        "--students", "--roster", help="CSV file with the names of the class: each student gets a notebook with their name in it"
    )
    parser.add_argument("--nbgrader", action="store_true", help="write source/ASSIGNMENT/ASSIGNMENT.ipynb, as nbgrader needs it")
    parser.add_argument(
        "--paper",
        action="store_true",
        help="write sheets to print, an answer key, and a table for the answers that you type from the sheets",
    )
    parser.add_argument(
        "--word",
        nargs="?",
        const="",
        help="draw the questions with a passphrase, which is stored in teacher/: without it nobody can draw or mark them (--word alone uses the stored passphrase, or makes one)",
    )
    parser.add_argument("--questions", help="with --paper: print only these questions, such as 1,3,7, or their names")
    parser.add_argument("--language", default="en", help="the language: en, ru or lt")
    parser.add_argument("--force", action="store_true", help="overwrite existing files")
    options = parser.parse_args(list(arguments))
    if options.paper and options.nbgrader:
        raise DurakError("nbgrader needs notebooks, not paper: use either --paper or --nbgrader")
    if options.word is not None and options.nbgrader:
        raise DurakError("nbgrader marks with the files in its course, and a passphrase must not be there: use either --word or --nbgrader")
    passphrase = (
        find_or_generate_passphrase(prepare_assignment_name(options.assignment), options.edition, options.out)
        if options.word == ""
        else options.word
    )
    if options.questions and not options.paper:
        raise DurakError(
            "--questions chooses which questions to print: add --paper. For a notebook with some of the questions, make your own assignment"
        )
    if options.paper:
        paths = write_exam_sheets(
            prepare_assignment_name(options.assignment),
            options.out,
            edition=options.edition,
            roster=options.students,
            questions=options.questions,
            language=options.language,
            force=options.force,
            word=passphrase,
        )
        return _print_paths(paths)
    paths = hand_out(
        prepare_assignment_name(options.assignment),
        options.out,
        edition=options.edition,
        roster=options.students,
        nbgrader=options.nbgrader,
        language=options.language,
        force=options.force,
        word=passphrase,
    )
    return _print_paths(paths)


def _print_paths(paths: Sequence[Path]) -> int:
    """Print the paths of the files that were written."""
    for path in paths[:3] if len(paths) > 5 else paths:
        print(path)  # noqa: T201 - a command reports what it did
    if len(paths) > 5:
        print(f"… {len(paths)} files in total; the last is {paths[-1]}")  # noqa: T201 - as above
    return 0


def deals_command(arguments: Sequence[str]) -> int:
    """Run the command `deals`, which writes card deals for print or compares game results."""
    parser = ArgumentParser(prog="python -m durak_widget.lessons deals", description="Print the same deals for every desk.")
    parser.add_argument("--desks", type=int, default=15, help="the number of desks (15)")
    parser.add_argument("--deals", type=int, default=4, help="the number of deals for each desk (4)")
    parser.add_argument("--edition", default="", help="another edition, such as the year, has other deals")
    parser.add_argument(
        "--rules", default="econ431", help="the rules: econ431, or a smaller deck, which can be solved exactly: 'econ431, ranks=JQKA'"
    )
    parser.add_argument("--language", default="en", choices=list_language_codes(), help="the language of the sheets")
    parser.add_argument("--csv", metavar="FILE", help="also write a table for the results, to fill in")
    parser.add_argument("--results", metavar="FILE", help="compare these results instead of printing the deals")
    parser.add_argument("--out", default="deals.html", metavar="FILE", help="the file for the page (deals.html)")
    options = parser.parse_args(arguments)
    deal_set = deals(desks=options.desks, deals=options.deals, edition=options.edition, rules=options.rules, language=options.language)
    if options.csv:
        _write_text(options.csv, BOM + format_blank_table(deal_set))
    if options.results:
        comparison = compare(options.results, deal_set)
        for problem in comparison.results.problems:
            print(problem, file=sys.stderr)  # noqa: T201 - a command reports what it did
        page: Page = comparison
    else:
        page = sheets(deal_set)
    page.save(options.out)
    print(f"{options.out}: {page.title}; {deal_set!r}")  # noqa: T201 - as above
    return 0


def _write_text(path: str, text: str) -> None:
    try:
        replace_text(path, text)
    except OSError as error:
        raise DurakError(f"cannot write {short_repr(path)}: {error.strerror or type(error).__name__}") from None


def add_folder_options(parser: ArgumentParser) -> None:
    """Add the command-line options for the folder, for the questions and for the grading."""
    parser.add_argument(
        "folder",
        help="the folder that students handed in, in any structure, also nbgrader's submitted/; or a table with answers that you typed from sheets",
    )
    parser.add_argument("--assignment", default="econ431", help="the assignment's name, or module:NAME for your own (econ431)")
    parser.add_argument("--edition", help="the year or class that the questions are for (if only one was handed in, that one)")
    parser.add_argument(
        "--questions", help="the questions that you asked, if not all: 1,3,7 or their names; for a table, its columns say which"
    )
    parser.add_argument(
        "--word", help="the passphrase of the edition, or the file that stores it, if hand-out made the edition with --word"
    )
    parser.add_argument(
        "--typed", metavar="FILE", action="append", default=[], help="a table that you typed from sheets, marked together with FOLDER"
    )
    parser.add_argument("--roster", metavar="FILE", help="CSV file with the names of the class")
    parser.add_argument("--changes", metavar="FILE", help="CSV file with points that you set yourself: student, question, points, why")
    add_worker_options(parser, "one for each core")
    parser.add_argument("--no-code", action="store_true", help="do not run strategies and bots that students gave as code")
    parser.add_argument(
        "--due",
        metavar="TIME",
        help="the deadline, such as 2027-03-01T23:59: the marks name each student who kept answers later; no points are deducted",
    )
    parser.add_argument("--anew", action="store_true", help="mark everything again, also what was marked before")
