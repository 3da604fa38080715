"""The gradebook: one row for each question of each student, as a table and as CSV.

A teacher can set points in a table with the columns student, question, points and why. The table is kept beside the submissions, so it
applies again at every later grading. A line that matches no student is an error.
"""

from __future__ import annotations

import unicodedata
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.errors import DurakError, short_repr
from durak_widget.homework.assignment import normalize_name
from durak_widget.homework.csv_tables import format_csv, read_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from durak_widget.homework.assignment import Assignment
    from durak_widget.homework.roster import Roster
    from durak_widget.i18n import Translator

_MAX_CELL_WIDTH: Final = 28
CSV_COLUMNS: Final = ("student", "question", "points", "of", "credit", "tries", "mistake", "said", "file", "at")
OVERRIDE_COLUMNS: Final = ("student", "question", "points", "why")


class GradebookRow(NamedTuple):
    """A gradebook row: a student's points for one question, with an explanation."""

    student: str
    file: str
    """The file with the answer; empty if the student handed in no answer."""
    question: str
    points: Fraction
    max_points: int
    credit: Fraction
    """The credit for the answer, from 0 to 1."""
    attempt_count: int
    """How often the student tried the question according to the receipt; 0 if there is no answer."""
    mistake_name: str
    """The name of the mistake; empty if it is unknown."""
    explanation: str
    """A text that explains the grade."""
    is_held: bool = False
    """True if the answer is not graded until the teacher decides which files are the student's own."""
    answers: tuple[Any, ...] = ()
    """The answer as JSON-compatible values; if it may be unreadable, also a fallback answer.

    It is empty if there is no answer.
    """
    stored_at: str = ""
    """When the answer was stored, in UTC by the clock of the student's computer; empty if unknown."""


class Problem(NamedTuple):
    """A problem with a file or a student; an empty `file` means the whole folder."""

    file: str
    sentence: str
    other_files: tuple[str, ...] = ()
    """Other files that are named in the text of the problem."""
    is_for_teacher_only: bool = False
    """True if only the teacher may see the problem; then feedback pages for students omit it."""
    people_named: tuple[str, ...] | None = None
    """The people who are named in the text of the problem; None if the package can't tell who they are."""

    def __str__(self) -> str:
        return f"{self.file}: {self.sentence}" if self.file else self.sentence


class Gradebook:
    """The gradebook of a school class, which prints as a table and a list of problems.

    >>> row = GradebookRow("Ann", "ann.json", "throw", Fraction(2, 3), 2, Fraction(1, 3), 1, "", "Not yet.")
    >>> print(Gradebook([row], [Problem("bob.zip", "It is packed.")]))
    student     1  points
    Ann      0.67    0.67 of 2
    <BLANKLINE>
    1 throw
    <BLANKLINE>
    bob.zip: It is packed.
    >>> Gradebook([row._replace(student="=cmd()")], []).to_csv().splitlines()[1]
    "'=cmd(),throw,0.6667,2,0.3333,1,,Not yet.,ann.json,"
    """

    def __init__(
        self,
        rows: Iterable[GradebookRow],
        problems: Iterable[Problem],
        *,
        assignment: Assignment | None = None,
        roster: Roster | None = None,
        folder: str = "",
    ) -> None:
        self.rows = tuple(rows)
        self.problems = tuple(problems)
        self.assignment = assignment
        """The assignment, in the edition that was graded."""
        self.folder = folder
        """The path of the submissions' folder; empty if unknown."""
        self._roster = roster

    @property
    def students(self) -> tuple[str, ...]:
        """Return the names of all students, in the order of the rows."""
        return tuple(dict.fromkeys(row.student for row in self.rows))

    @property
    def questions(self) -> tuple[str, ...]:
        """Return the names of all questions, in the order of the assignment."""
        return tuple(dict.fromkeys(row.question for row in self.rows))

    def get_rows(self, student: str) -> tuple[GradebookRow, ...]:
        """Return the gradebook rows of a student."""
        return tuple(row for row in self.rows if row.student == student)

    def sum_points(self, student: str) -> Fraction:
        """Return a student's total points, leaving out answers that are not graded yet."""
        return sum((row.points for row in self.rows if row.student == student), Fraction(0))

    def to_csv(self) -> str:
        """Return all gradebook rows as CSV; no cell can act as a formula in a spreadsheet."""
        return self._format_with_roster(
            CSV_COLUMNS,
            (
                (
                    row.student,
                    row.question,
                    _format_points(row),
                    row.max_points,
                    "" if row.is_held else _format_decimal(row.credit),
                    row.attempt_count,
                    row.mistake_name,
                    row.explanation,
                    row.file,
                    row.stored_at,
                )
                for row in self.rows
            ),
        )

    def totals_to_csv(self) -> str:
        """Return CSV with one line for each student: points for each question, and total points.

        The cell of a question that is not graded yet is empty.
        """
        return self._format_with_roster(
            ("student", *self.questions, "points", "of"),
            (
                (
                    name,
                    *map(_format_points, rows),
                    "" if any(row.is_held for row in rows) else _format_decimal(self.sum_points(name)),
                    sum(row.max_points for row in rows),
                )
                for name, rows in self._group_by_student()
            ),
        )

    def _format_with_roster(self, header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
        """Format CSV whose first column has the students; add the roster's additional columns."""
        extra_columns = (
            [(index, title) for index, title in enumerate(self._roster.extra_titles) if title not in header] if self._roster else []
        )

        def extra_cells_of(student: str) -> list[str]:
            """Return a student's cells in the additional columns of the roster."""
            cells = self._roster.get_extra_cells(student) if self._roster else ()
            return [cells[index] for index, _ in extra_columns]

        return format_csv(
            [header[0], *(title for _, title in extra_columns), *header[1:]],
            ([row[0], *extra_cells_of(str(row[0])), *row[1:]] for row in rows),
        )

    def _group_by_student(self) -> list[tuple[str, list[GradebookRow]]]:
        rows_by_student: dict[str, list[GradebookRow]] = {}
        for row in self.rows:
            rows_by_student.setdefault(row.student, []).append(row)
        return list(rows_by_student.items())

    def __str__(self) -> str:
        table = [["student", *(str(number) for number in range(1, len(self.questions) + 1)), "points"]]
        for name, rows in self._group_by_student():
            points, max_points = sum((row.points for row in rows), Fraction(0)), sum(row.max_points for row in rows)
            cells = ["?" if row.is_held else _format_decimal(row.points, 2) for row in rows]
            table.append([name, *cells, f"{_format_decimal(points, 2)}{' + ?' if '?' in cells else ''} of {max_points}"])
        lines = _align_columns(table) if self.rows else ["no student handed in a file that can be read"]
        legend = ", ".join(f"{number} {name}" for number, name in enumerate(self.questions, 1))
        return "\n".join([*lines, *(["", legend] if legend else []), *([""] if self.problems else []), *map(str, self.problems)])

    __repr__ = __str__


def _format_points(row: GradebookRow) -> str:
    """Format the points in a gradebook row for CSV; return "" if the answer is not graded yet."""
    return "" if row.is_held else _format_decimal(row.points)


def _format_decimal(value: Fraction, digits: int = 4) -> str:
    """Format a number with at most `digits` decimal places, as spreadsheets write it.

    >>> _format_decimal(Fraction(2, 3)), _format_decimal(Fraction(3)), _format_decimal(Fraction(1, 2), 2)
    ('0.6667', '3', '0.5')
    """
    return f"{float(value):.{digits}f}".rstrip("0").rstrip(".")


def _align_columns(table: Sequence[Sequence[str]]) -> list[str]:
    """Align the columns of a table of text: names to the left, numbers to the right.

    Totals are aligned by the word “of”.
    """
    shortened_rows = [[_truncate(cell) for cell in row] for row in table]
    point_widths = [len(row[-1].partition(" of ")[0]) for row in shortened_rows]
    shortened_rows = [
        [*row[:-1], " " * (max(point_widths) - point_width) + row[-1]]
        for row, point_width in zip(shortened_rows, point_widths, strict=True)
    ]
    widths = [max(map(_display_width, column)) for column in zip(*shortened_rows, strict=True)]
    return [
        "  ".join(
            cell + " " * (width - _display_width(cell))
            if column_index in (0, len(row) - 1)
            else " " * (width - _display_width(cell)) + cell
            for column_index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in shortened_rows
    ]


def _truncate(text: str) -> str:
    return text if len(text) <= _MAX_CELL_WIDTH else text[: _MAX_CELL_WIDTH - 1] + "…"


def _display_width(text: str) -> int:
    """Return how many terminal columns a text takes; some characters take two."""
    return sum(0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def apply_overrides(
    rows: Sequence[GradebookRow], path: str | PathLike[str], roster: Roster, assignment: Assignment, voice: Translator
) -> list[GradebookRow]:
    """Return the gradebook rows with the points that the teacher has set in a CSV file.

    A line that matches no row raises an error, so that no change gets lost.
    """
    head, *lines = read_table(path, "table of changes") or [[]]
    titles = [cell.casefold() for cell in head]
    if not {*OVERRIDE_COLUMNS[:3]} <= {*titles}:
        raise DurakError(f"the table of changes must have the columns {', '.join(OVERRIDE_COLUMNS)}, with these names in its first line")
    index_by_key = {(normalize_name(row.student), row.question): index for index, row in enumerate(rows)}
    changed_rows = list(rows)
    for number, line in enumerate(lines, 2):
        fields = dict(zip(titles, line, strict=False))
        student, question, points = (fields.get(name, "") for name in OVERRIDE_COLUMNS[:3])
        try:
            question_record = assignment.questions[assignment.find_question_index(int(question) if question.isdecimal() else question)]
            index = index_by_key[roster.find_canonical_name(student), question_record.name]
            new_points = Fraction(points.replace(",", "."))
        except KeyError:
            raise DurakError(f"line {number} of the changes: there is no student {short_repr(student)} in these marks") from None
        except (ValueError, ZeroDivisionError):
            raise DurakError(f"line {number} of the changes: {short_repr(points)} is not a number of points, such as 2 or 1.5") from None
        if not 0 <= new_points <= question_record.points:
            raise DurakError(
                f"line {number} of the changes: {question_record.name} can have 0 to {question_record.points} points, not {points}"
            )
        reason = fields.get("why", "") or voice.translate("class.mark.changed")
        changed_rows[index] = changed_rows[index]._replace(
            points=new_points, credit=new_points / question_record.points, mistake_name="", explanation=reason, is_held=False
        )
    return changed_rows
