"""The roster of a class: a table of names that a spreadsheet or learning platform exports."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import normalize

from durak_widget.errors import DurakError, quoted
from durak_widget.homework.assignment import known_as, student_name
from durak_widget.homework.csv_tables import cells, table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

_MOST: Final = 10_000
_NAMES: Final = {
    "student",
    "name",
    "full name",
    "fullname",
    "студент",
    "имя",
    "фио",
    "studentas",
    "vardas",
    "vardas, pavardė",
    "vardas pavardė",
}
_FIRST: Final = {"first name", "firstname", "given name", "имя", "vardas"}
_LAST: Final = {"last name", "lastname", "surname", "family name", "фамилия", "pavardė"}
_OTHER: Final = {"id", "username", "user name", "login", "email", "email address", "id number", "number", "логин", "группа", "grupė"}


class Row(NamedTuple):
    """A student in a roster."""

    name: str
    others: Sequence[str]
    """Other names by which the student is known."""
    beside: tuple[str, ...]
    """Cells of the columns that have a title."""


class Roster:
    r"""The students of a class in order, each found by any cell of their row.

    >>> roster = Roster.of("id,first name,last name\ns7,Ann,Lee\ns8,Она,Иванова\n")
    >>> roster.names, roster.main("S7"), roster.main("lee,  ann"), roster.main("Bob")
    (('Ann Lee', 'Она Иванова'), 'ann lee', 'ann lee', 'bob')
    """

    def __init__(self, rows: Sequence[Row], columns: Sequence[str] = ()) -> None:
        """Take a row for each student, and the titles of the columns beside the names."""
        self.names = tuple(dict.fromkeys(row.name for row in rows))
        self.columns = tuple(columns)
        """Titles of the columns beside the names."""
        self._beside: dict[str, tuple[str, ...]] = {}
        for row in rows:
            if self._beside.setdefault(known_as(row.name), row.beside) != row.beside:
                raise DurakError(
                    f"the roster has {quoted(row.name)} twice, and not the same: write one of them so that they can be told apart"
                )
        self._main: dict[str, str] = {}
        shared_aliases: set[str] = set()
        for name, others, _ in rows:
            for alias in {
                known_as(text) for text in (name, *others) if any(map(str.isalnum, text)) and len(text) < 200 and text.isprintable()
            }:
                if self._main.setdefault(alias, known_as(name)) != known_as(name):
                    shared_aliases.add(alias)
        for alias in shared_aliases - {known_as(name) for name in self.names}:
            del self._main[alias]  # a group or first name that several share identifies nobody

    def main(self, name: str) -> str:
        """Return the normal form of the name on the roster, or of the given name."""
        return self._main.get(known_as(name), known_as(name))

    def beside(self, name: str) -> tuple[str, ...]:
        """Return the cells beside a student's name; empty cells for an unknown student."""
        return self._beside.get(self.main(name), ("",) * len(self.columns))

    def borne_by(self, file: str) -> tuple[str, ...]:
        r"""Return the students whose names occur in the path of a file.

        >>> Roster.of("name\nLiu Yang\nGeorge O'Neill\n").borne_by("set-1/George O'Neill_44_file/hw.ipynb")
        ("George O'Neill",)
        """
        words = f" {_words(file)} "
        return tuple(name for name in self.names if f" {_words(name)} " in words)

    def shown(self, name: str) -> str:
        """Return a name as the roster writes it, or unchanged if it is not there."""
        main = self.main(name)
        return next((listed for listed in self.names if known_as(listed) == main), name)

    @staticmethod
    def of(text: str) -> Roster:
        """Parse a roster from CSV: a table with titles, or names alone."""
        return Roster._told([line for line in cells(text, "roster") if any(line)])

    @staticmethod
    def _told(rows: Sequence[Sequence[str]]) -> Roster:
        titles = [cell.casefold() for cell in rows[0]] if rows else []
        has_titles = bool({*titles} & (_NAMES | _FIRST | _LAST | _OTHER))
        first, last = _place(titles, _FIRST), _place(titles, _LAST)
        full = _place(titles, _NAMES) if last is None else None
        if len(rows) > _MOST:
            raise DurakError(f"the roster has more than {_MOST} lines, which no class has")
        beside = {title: column for column, title in reversed([*enumerate(rows[0] if has_titles else [])]) if title and column != full}
        columns = tuple(reversed(beside))
        parts = {first, last} if first is not None else set()
        shared = Counter(row[column].casefold() for row in rows for column in parts if column is not None and column < len(row))
        roster_rows: list[Row] = []
        for row in rows[has_titles:]:
            cell = dict(enumerate(row)).get
            if last is not None:
                names = [f"{cell(first or 0) or ''} {cell(last) or ''}" if first is not None else cell(last) or ""]
                names += [f"{cell(last)} {cell(first)}", f"{cell(last)}, {cell(first)}"] if first is not None else []
            else:
                name = (cell(full) if full is not None else row[0]) or ""
                parts_of_name = [part.strip() for part in name.split(",")]
                names = [f"{parts_of_name[1]} {parts_of_name[0]}", name] if len(parts_of_name) == 2 and all(parts_of_name) else [name]
            try:
                name = student_name(names[0])
            except DurakError:
                continue
            aliases = [
                cell_text for column, cell_text in enumerate(row) if column not in parts or shared[cell_text.casefold()] == 1
            ]  # a shared first name identifies nobody
            roster_rows.append(Row(name, [*names[1:], *aliases], tuple(cell(beside[title]) or "" for title in columns)))
        if not roster_rows:
            raise DurakError("the roster names nobody: give a table with a column “name”, or one name a line")
        return Roster(roster_rows, columns)

    @staticmethod
    def read(path: str | PathLike[str]) -> Roster:
        """Load a roster from a CSV file."""
        return Roster._told(table(path, "roster"))


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", normalize("NFKC", text).casefold()))


def _place(titles: Sequence[str], known: set[str]) -> int | None:
    return next((column for column, title in enumerate(titles) if title in known), None)
