"""Holds the gradebook: one row for each question of each student, as a table and as CSV.

A teacher can override points in a table with the columns student, question, points and why. The table is kept
beside the submissions, so it applies again at every later grading. A line that matches nobody is an error.
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
    """What a student has earned with a question, and why."""

    student: str
    file: str
    """What it was read from; empty of whoever handed in nothing."""
    question: str
    points: Fraction
    of: int
    credit: Fraction
    """The part of the points, from 0 to 1."""
    tries: int
    """How many answers were given, as the receipt says; 0 without an answer."""
    mistake: str
    """The mistake by its name, where it is known."""
    said: str
    """Why, in words."""
    held: bool = False
    """Whether it is not marked yet: whoever marks is to say first which files are the student's."""
    given: tuple[Any, ...] = ()
    """What was answered, as plain values; behind it what counts where that cannot be read. Nothing without an answer."""
    at: str = ""
    """When it was kept, in UTC, by the clock of the student's computer; nothing where no receipt says it."""


class Trouble(NamedTuple):
    """Something that is wrong with a file, or with who is there; without a file, of the whole."""

    file: str
    said: str
    others: tuple[str, ...] = ()
    """Files that it names."""
    private: bool = False
    """Whether it is for whoever marks alone, and stands on no page that is given back."""
    people: tuple[str, ...] | None = None
    """Whom it names, as they stand there: all else in it are words; None where that is not known."""

    def __str__(self) -> str:
        return f"{self.file}: {self.said}" if self.file else self.said


class Marks:
    """The marks of a class; printed, a table and whatever was wrong.

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
        """What was marked, in the edition that it was."""
        self.folder = folder
        """What was handed in; empty where that is not known."""
        self._roster = roster

    @property
    def students(self) -> tuple[str, ...]:
        """Who is there, in the order of the rows."""
        return tuple(dict.fromkeys(row.student for row in self.rows))

    @property
    def questions(self) -> tuple[str, ...]:
        """What was asked, in its order."""
        return tuple(dict.fromkeys(row.question for row in self.rows))

    def of(self, student: str) -> tuple[Marked, ...]:
        """The rows of a student."""
        return tuple(row for row in self.rows if row.student == student)

    def points(self, student: str) -> Fraction:
        """All that a student has earned; what is held is not in it."""
        return sum((row.points for row in self.rows if row.student == student), Fraction(0))

    def csv(self) -> str:
        """All rows as CSV; what would be a formula in a spreadsheet is made a text."""
        return self._csv(
            COLUMNS,
            (
                (r.student, r.question, _worth(r), r.of, "" if r.held else _decimal(r.credit), r.tries, r.mistake, r.said, r.file, r.at)
                for r in self.rows
            ),
        )

    def totals(self) -> str:
        """A line for each student as CSV: the points of each question, and of all; nothing stands where something is held."""
        return self._csv(
            ("student", *self.questions, "points", "of"),
            (
                (name, *map(_worth, rows), "" if any(r.held for r in rows) else _decimal(self.points(name)), sum(r.of for r in rows))
                for name, rows in self._each()
            ),
        )

    def _csv(self, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
        """A table whose first column has the students, with what the roster has beside their names, such as numbers and addresses."""
        beside = [(place, title) for place, title in enumerate(self._roster.columns) if title not in head] if self._roster else []

        def of(student: str) -> list[str]:
            told = self._roster.beside(student) if self._roster else ()
            return [told[place] for place, _ in beside]

        return as_csv([head[0], *(title for _, title in beside), *head[1:]], ([row[0], *of(str(row[0])), *row[1:]] for row in rows))

    def _each(self) -> list[tuple[str, list[Marked]]]:
        found: dict[str, list[Marked]] = {}
        for row in self.rows:
            found.setdefault(row.student, []).append(row)
        return list(found.items())

    def __str__(self) -> str:
        table = [["student", *(str(number) for number in range(1, len(self.questions) + 1)), "points"]]
        for name, rows in self._each():
            points, most = sum((row.points for row in rows), Fraction(0)), sum(row.of for row in rows)
            cells = ["?" if row.held else _decimal(row.points, 2) for row in rows]
            table.append([name, *cells, f"{_decimal(points, 2)}{' + ?' if '?' in cells else ''} of {most}"])
        lines = _laid(table) if self.rows else ["nobody has handed in anything that can be read"]
        named = ", ".join(f"{number} {name}" for number, name in enumerate(self.questions, 1))
        return "\n".join([*lines, *(["", named] if named else []), *([""] if self.troubles else []), *map(str, self.troubles)])

    __repr__ = __str__


def _worth(row: Marked) -> str:
    """The points of a row, as a spreadsheet takes them; of one that is held none, and no zero either."""
    return "" if row.held else _decimal(row.points)


def _decimal(value: Fraction, places: int = 4) -> str:
    """A number as spreadsheets read it.

    >>> _decimal(Fraction(2, 3)), _decimal(Fraction(3)), _decimal(Fraction(1, 2), 2)
    ('0.6667', '3', '0.5')
    """
    return f"{float(value):.{places}f}".rstrip("0").rstrip(".")


def _laid(table: Sequence[Sequence[str]]) -> list[str]:
    """Columns below one another, numbers to the right; the totals by their points."""
    cut = [[_cut(cell) for cell in row] for row in table]
    before = [len(row[-1].partition(" of ")[0]) for row in cut]
    cut = [[*row[:-1], " " * (max(before) - own) + row[-1]] for row, own in zip(cut, before, strict=True)]
    widths = [max(map(_width, column)) for column in zip(*cut, strict=True)]
    return [
        "  ".join(
            cell + " " * (width - _width(cell)) if place in (0, len(row) - 1) else " " * (width - _width(cell)) + cell
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cut
    ]


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def _width(text: str) -> int:
    """How many columns a text takes where all letters are of one width, or of two."""
    return sum(0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def changed(rows: Sequence[Marked], path: str | PathLike[str], known: Roster, assignment: Assignment, voice: Voice) -> list[Marked]:
    """The rows with the points that the table sets; whatever in it fits nobody is refused, so that no change is lost unseen."""
    head, *lines = table(path, "table of changes") or [[]]
    titles = [cell.casefold() for cell in head]
    if not {*OVERRIDE_COLUMNS[:3]} <= {*titles}:
        raise DurakError(f"the table of changes has the columns {', '.join(OVERRIDE_COLUMNS)}, and its first line is to name them")
    place = {(known_as(row.student), row.question): at for at, row in enumerate(rows)}
    found = list(rows)
    for number, line in enumerate(lines, 2):
        told = dict(zip(titles, line, strict=False))
        student, question, points = (told.get(name, "") for name in OVERRIDE_COLUMNS[:3])
        try:
            asked = assignment.questions[assignment.place(int(question) if question.isdecimal() else question)]
            at = place[known.main(student), asked.name]
            worth = Fraction(points.replace(",", "."))
        except KeyError:
            raise DurakError(f"line {number} of the changes: nobody is called {quoted(student)} in these marks") from None
        except (ValueError, ZeroDivisionError):
            raise DurakError(f"line {number} of the changes: {quoted(points)} is no number of points, such as 2 or 1.5") from None
        if not 0 <= worth <= asked.points:
            raise DurakError(f"line {number} of the changes: {asked.name} has from 0 to {asked.points} points, not {points}")
        why = told.get("why", "") or voice.say("class.mark.changed")
        found[at] = found[at]._replace(points=worth, credit=worth / asked.points, mistake="", said=why, held=False)
    return found
