"""The gradebook: one row for each question of each student, as a table and as CSV.

A teacher can override points in a table with the columns student, question, points and why. The table is kept beside
the submissions, so it applies again at every later grading. A line that matches nobody is an error.
"""

from __future__ import annotations

import unicodedata
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.errors import DurakError, quoted
from durak_widget.homework.assignment import known_as
from durak_widget.homework.csv_tables import as_csv, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from durak_widget.homework.assignment import Assignment
    from durak_widget.homework.roster import Roster
    from durak_widget.i18n import Voice

_WIDEST: Final = 28
COLUMNS: Final = ("student", "question", "points", "of", "credit", "tries", "mistake", "said", "file", "at")
OVERRIDE_COLUMNS: Final = ("student", "question", "points", "why")


class Marked(NamedTuple):
    """The points of a student for a question, and the reason."""

    student: str
    file: str
    """File of the answer; empty if the student handed in nothing."""
    question: str
    points: Fraction
    of: int
    credit: Fraction
    """Share of the points, from 0 to 1."""
    tries: int
    """Number of attempts in the receipt; 0 without an answer."""
    mistake: str
    """Name of the mistake; empty if unknown."""
    said: str
    """Explanation in words."""
    held: bool = False
    """True if it is not graded yet, since the teacher has to say which files are the student's."""
    given: tuple[Any, ...] = ()
    """Answer as plain data, then the fallback for an unreadable one; empty without an answer."""
    at: str = ""
    """Time of storing in UTC by the student's computer; empty if no receipt has it."""


class Trouble(NamedTuple):
    """A problem with a file or a student, or, without a file, with the whole folder."""

    file: str
    said: str
    others: tuple[str, ...] = ()
    """Other files that the sentence names."""
    private: bool = False
    """True if only the teacher should see it, so that it is on no feedback page."""
    people: tuple[str, ...] | None = None
    """Names of people in the sentence; None if unknown."""

    def __str__(self) -> str:
        return f"{self.file}: {self.said}" if self.file else self.said


class Marks:
    """The gradebook of a class, which prints as a table and a list of problems.

    >>> row = Marked("Ann", "ann.json", "throw", Fraction(2, 3), 2, Fraction(1, 3), 1, "", "Not yet.")
    >>> print(Marks([row], [Trouble("bob.zip", "It is packed.")]))
    student     1  points
    Ann      0.67    0.67 of 2
    <BLANKLINE>
    1 throw
    <BLANKLINE>
    bob.zip: It is packed.
    >>> Marks([row._replace(student="=cmd()")], []).csv().splitlines()[1]
    "'=cmd(),throw,0.6667,2,0.3333,1,,Not yet.,ann.json,"
    """

    def __init__(
        self,
        rows: Iterable[Marked],
        troubles: Iterable[Trouble],
        *,
        assignment: Assignment | None = None,
        roster: Roster | None = None,
        folder: str = "",
    ) -> None:
        self.rows = tuple(rows)
        self.troubles = tuple(troubles)
        self.assignment = assignment
        """Assignment in the edition that was graded."""
        self.folder = folder
        """Path of the submissions; empty if unknown."""
        self._roster = roster

    @property
    def students(self) -> tuple[str, ...]:
        """Return the students in the order of the rows."""
        return tuple(dict.fromkeys(row.student for row in self.rows))

    @property
    def questions(self) -> tuple[str, ...]:
        """Return the names of the questions in order."""
        return tuple(dict.fromkeys(row.question for row in self.rows))

    def of(self, student: str) -> tuple[Marked, ...]:
        """Return the rows of a student."""
        return tuple(row for row in self.rows if row.student == student)

    def points(self, student: str) -> Fraction:
        """Return the total points of a student, without held questions."""
        return sum((row.points for row in self.rows if row.student == student), Fraction(0))

    def csv(self) -> str:
        """Return all rows as CSV, with formulas changed to plain text."""
        return self._csv(
            COLUMNS,
            (
                (r.student, r.question, _worth(r), r.of, "" if r.held else _decimal(r.credit), r.tries, r.mistake, r.said, r.file, r.at)
                for r in self.rows
            ),
        )

    def totals(self) -> str:
        """Return a CSV line for each student with the points of each question and the total.

        Cells are empty where a question is held.
        """
        return self._csv(
            ("student", *self.questions, "points", "of"),
            (
                (name, *map(_worth, rows), "" if any(r.held for r in rows) else _decimal(self.points(name)), sum(r.of for r in rows))
                for name, rows in self._each()
            ),
        )

    def _csv(self, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
        """Build CSV with the students in the first column, and the roster's other columns beside."""
        extra_columns = [(index, title) for index, title in enumerate(self._roster.columns) if title not in head] if self._roster else []

        def extra_cells_of(student: str) -> list[str]:
            cells = self._roster.beside(student) if self._roster else ()
            return [cells[index] for index, _ in extra_columns]

        return as_csv(
            [head[0], *(title for _, title in extra_columns), *head[1:]], ([row[0], *extra_cells_of(str(row[0])), *row[1:]] for row in rows)
        )

    def _each(self) -> list[tuple[str, list[Marked]]]:
        rows_by_student: dict[str, list[Marked]] = {}
        for row in self.rows:
            rows_by_student.setdefault(row.student, []).append(row)
        return list(rows_by_student.items())

    def __str__(self) -> str:
        grid = [["student", *(str(number) for number in range(1, len(self.questions) + 1)), "points"]]
        for name, rows in self._each():
            points, max_points = sum((row.points for row in rows), Fraction(0)), sum(row.of for row in rows)
            cells = ["?" if row.held else _decimal(row.points, 2) for row in rows]
            grid.append([name, *cells, f"{_decimal(points, 2)}{' + ?' if '?' in cells else ''} of {max_points}"])
        lines = _laid(grid) if self.rows else ["nobody has handed in anything that can be read"]
        legend = ", ".join(f"{number} {name}" for number, name in enumerate(self.questions, 1))
        return "\n".join([*lines, *(["", legend] if legend else []), *([""] if self.troubles else []), *map(str, self.troubles)])

    __repr__ = __str__


def _worth(row: Marked) -> str:
    """Format the points of a row for a spreadsheet; a held row has an empty text."""
    return "" if row.held else _decimal(row.points)


def _decimal(value: Fraction, places: int = 4) -> str:
    """Format a number for spreadsheets.

    >>> _decimal(Fraction(2, 3)), _decimal(Fraction(3)), _decimal(Fraction(1, 2), 2)
    ('0.6667', '3', '0.5')
    """
    return f"{float(value):.{places}f}".rstrip("0").rstrip(".")


def _laid(table: Sequence[Sequence[str]]) -> list[str]:
    """Align the columns of a table, numbers to the right and totals at their points."""
    shortened_rows = [[_cut(cell) for cell in row] for row in table]
    point_widths = [len(row[-1].partition(" of ")[0]) for row in shortened_rows]
    shortened_rows = [
        [*row[:-1], " " * (max(point_widths) - point_width) + row[-1]]
        for row, point_width in zip(shortened_rows, point_widths, strict=True)
    ]
    widths = [max(map(_width, column)) for column in zip(*shortened_rows, strict=True)]
    return [
        "  ".join(
            cell + " " * (width - _width(cell)) if column_index in (0, len(row) - 1) else " " * (width - _width(cell)) + cell
            for column_index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in shortened_rows
    ]


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def _width(text: str) -> int:
    """Return the display width of a text, where some characters take two columns."""
    return sum(0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def changed(rows: Sequence[Marked], path: str | PathLike[str], known: Roster, assignment: Assignment, voice: Voice) -> list[Marked]:
    """Apply the teacher's table of points to the rows.

    A line of the table that matches nobody is refused, so that no change gets lost.
    """
    head, *lines = table(path, "table of changes") or [[]]
    titles = [cell.casefold() for cell in head]
    if not {*OVERRIDE_COLUMNS[:3]} <= {*titles}:
        raise DurakError(f"the table of changes has the columns {', '.join(OVERRIDE_COLUMNS)}, and its first line is to name them")
    index_by_key = {(known_as(row.student), row.question): index for index, row in enumerate(rows)}
    changed_rows = list(rows)
    for number, line in enumerate(lines, 2):
        fields = dict(zip(titles, line, strict=False))
        student, question, points = (fields.get(name, "") for name in OVERRIDE_COLUMNS[:3])
        try:
            question_record = assignment.questions[assignment.place(int(question) if question.isdecimal() else question)]
            index = index_by_key[known.main(student), question_record.name]
            new_points = Fraction(points.replace(",", "."))
        except KeyError:
            raise DurakError(f"line {number} of the changes: nobody is called {quoted(student)} in these marks") from None
        except (ValueError, ZeroDivisionError):
            raise DurakError(f"line {number} of the changes: {quoted(points)} is no number of points, such as 2 or 1.5") from None
        if not 0 <= new_points <= question_record.points:
            raise DurakError(
                f"line {number} of the changes: {question_record.name} has from 0 to {question_record.points} points, not {points}"
            )
        reason = fields.get("why", "") or voice.say("class.mark.changed")
        changed_rows[index] = changed_rows[index]._replace(
            points=new_points, credit=new_points / question_record.points, mistake="", said=reason, held=False
        )
    return changed_rows
