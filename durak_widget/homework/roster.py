"""The roster of a school class: a table of names from a spreadsheet or learning platform."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import normalize

from durak_widget.errors import DurakError, short_repr
from durak_widget.homework.assignment import normalize_name, require_student_name
from durak_widget.homework.csv_tables import parse_cells, read_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

_MAX_STUDENTS: Final = 10_000
_FULL_NAME_TITLES: Final = {
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
_FIRST_NAME_TITLES: Final = {"first name", "firstname", "given name", "имя", "vardas"}
_LAST_NAME_TITLES: Final = {"last name", "lastname", "surname", "family name", "фамилия", "pavardė"}
_OTHER_TITLES: Final = {"id", "username", "user name", "login", "email", "email address", "id number", "number", "логин", "группа", "grupė"}


class RosterRow(NamedTuple):
    """One student in the roster of a school class."""

    name: str
    aliases: Sequence[str]
    """Other names by which the student is known."""
    extra_cells: tuple[str, ...]
    """The student's cells in the additional columns of the roster."""


class Roster:
    r"""The students of a school class.

    A student is found by the full name, or by any cell of the row that no other row shares.

    >>> roster = Roster.from_text("id,first name,last name\ns7,Ann,Lee\ns8,Она,Иванова\n")
    >>> roster.names, roster.find_canonical_name("S7"), roster.find_canonical_name("lee,  ann"), roster.find_canonical_name("Bob")
    (('Ann Lee', 'Она Иванова'), 'ann lee', 'ann lee', 'bob')
    """

    def __init__(self, rows: Sequence[RosterRow], extra_titles: Sequence[str] = ()) -> None:
        """Build a roster from one row per student and the titles of the additional columns."""
        self.names = tuple(dict.fromkeys(row.name for row in rows))
        self.extra_titles = tuple(extra_titles)
        """The titles of the columns that contain no names."""
        self._extra_cells: dict[str, tuple[str, ...]] = {}
        for row in rows:
            if self._extra_cells.setdefault(normalize_name(row.name), row.extra_cells) != row.extra_cells:
                raise DurakError(
                    f"the roster has {short_repr(row.name)} twice, with different details; change one name so that they differ"
                )
        self._name_by_alias: dict[str, str] = {}
        shared_aliases: set[str] = set()
        for name, aliases, _ in rows:
            for alias in {
                normalize_name(text) for text in (name, *aliases) if any(map(str.isalnum, text)) and len(text) < 200 and text.isprintable()
            }:
                if self._name_by_alias.setdefault(alias, normalize_name(name)) != normalize_name(name):
                    shared_aliases.add(alias)
        for alias in shared_aliases - {normalize_name(name) for name in self.names}:
            del self._name_by_alias[alias]  # A group or first name that several students share can't identify a student

    def find_canonical_name(self, name: str) -> str:
        """Return a student's normalized name in the roster, given any form of the name.

        Names that are not in the roster are only normalized.
        """
        return self._name_by_alias.get(normalize_name(name), normalize_name(name))

    def get_extra_cells(self, name: str) -> tuple[str, ...]:
        """Return a student's cells in the roster's extra columns; empty for unknown students."""
        return self._extra_cells.get(self.find_canonical_name(name), ("",) * len(self.extra_titles))

    def find_names_in_path(self, path: str) -> tuple[str, ...]:
        r"""Return the names of students in the roster that occur in a file path.

        >>> Roster.from_text("name\nLiu Yang\nGeorge O'Neill\n").find_names_in_path("set-1/George O'Neill_44_file/hw.ipynb")
        ("George O'Neill",)
        """
        words = f" {_normalize_words(path)} "
        return tuple(name for name in self.names if f" {_normalize_words(name)} " in words)

    def format_name(self, name: str) -> str:
        """Return a student's name as the roster writes it; return unlisted names unchanged."""
        canonical_name = self.find_canonical_name(name)
        return next((roster_name for roster_name in self.names if normalize_name(roster_name) == canonical_name), name)

    @staticmethod
    def from_text(text: str) -> Roster:
        """Parse a roster from CSV text: a table with column titles, or a list of names."""
        return Roster._from_rows([line for line in parse_cells(text, "roster") if any(line)])

    @staticmethod
    def _from_rows(rows: Sequence[Sequence[str]]) -> Roster:
        """Build a roster from the rows of a table, with or without column titles."""
        titles = [get_cell.casefold() for get_cell in rows[0]] if rows else []
        has_titles = bool({*titles} & (_FULL_NAME_TITLES | _FIRST_NAME_TITLES | _LAST_NAME_TITLES | _OTHER_TITLES))
        first_name_column, last_name_column = _find_column(titles, _FIRST_NAME_TITLES), _find_column(titles, _LAST_NAME_TITLES)
        full_name_column = _find_column(titles, _FULL_NAME_TITLES) if last_name_column is None else None
        if len(rows) > _MAX_STUDENTS:
            raise DurakError(f"the roster has more than {_MAX_STUDENTS} lines, too many for a class")
        column_of_title = {
            title: column for column, title in reversed([*enumerate(rows[0] if has_titles else [])]) if title and column != full_name_column
        }
        extra_titles = tuple(reversed(column_of_title))
        name_columns = {first_name_column, last_name_column} if first_name_column is not None else set()
        cell_counts = Counter(row[column].casefold() for row in rows for column in name_columns if column is not None and column < len(row))
        roster_rows: list[RosterRow] = []
        for row in rows[has_titles:]:
            get_cell = dict(enumerate(row)).get
            if last_name_column is not None:
                names = [
                    f"{get_cell(first_name_column or 0) or ''} {get_cell(last_name_column) or ''}"
                    if first_name_column is not None
                    else get_cell(last_name_column) or ""
                ]
                names += (
                    [
                        f"{get_cell(last_name_column)} {get_cell(first_name_column)}",
                        f"{get_cell(last_name_column)}, {get_cell(first_name_column)}",
                    ]
                    if first_name_column is not None
                    else []
                )
            else:
                name = (get_cell(full_name_column) if full_name_column is not None else row[0]) or ""
                parts_of_name = [part.strip() for part in name.split(",")]
                names = [f"{parts_of_name[1]} {parts_of_name[0]}", name] if len(parts_of_name) == 2 and all(parts_of_name) else [name]
            try:
                name = require_student_name(names[0])
            except DurakError:
                continue
            # A first name that several students share can't identify a student
            aliases = [
                cell_text for column, cell_text in enumerate(row) if column not in name_columns or cell_counts[cell_text.casefold()] == 1
            ]
            roster_rows.append(
                RosterRow(name, [*names[1:], *aliases], tuple(get_cell(column_of_title[title]) or "" for title in extra_titles))
            )
        if not roster_rows:
            raise DurakError("the roster has no names; give a table with a column “name”, or one name per line")
        return Roster(roster_rows, extra_titles)

    @staticmethod
    def load(path: str | PathLike[str]) -> Roster:
        """Load a roster from a CSV file."""
        return Roster._from_rows(read_table(path, "roster"))


def _normalize_words(text: str) -> str:
    """Normalize a text to its words, for comparisons of names."""
    return " ".join(re.findall(r"[^\W_]+", normalize("NFKC", text).casefold()))


def _find_column(titles: Sequence[str], wanted_titles: set[str]) -> int | None:
    return next((column for column, title in enumerate(titles) if title in wanted_titles), None)
