"""Who is in a class: a table of names as a spreadsheet or a learning platform exports it, read as data."""

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
    """A student of a class."""

    name: str
    others: Sequence[str]
    """What else they are known by."""
    beside: tuple[str, ...]
    """What stands in the columns that have a title."""


class Roster:
    r"""The students of a class in their order, each known by whatever stands in their row.

    >>> roster = Roster.of("id,first name,last name\ns7,Ann,Lee\ns8,Она,Иванова\n")
    >>> roster.names, roster.main("S7"), roster.main("lee,  ann"), roster.main("Bob")
    (('Ann Lee', 'Она Иванова'), 'ann lee', 'ann lee', 'bob')
    """

    def __init__(self, rows: Sequence[Row], columns: Sequence[str] = ()) -> None:
        """A row for each student, and the titles of what stands beside their names."""
        self.names = tuple(dict.fromkeys(row.name for row in rows))
        self.columns = tuple(columns)
        """The titles of what stands beside the names."""
        self._beside: dict[str, tuple[str, ...]] = {}
        for row in rows:
            if self._beside.setdefault(known_as(row.name), row.beside) != row.beside:
                raise DurakError(
                    f"the roster has {quoted(row.name)} twice, and not the same: write one of them so that they can be told apart"
                )
        self._main: dict[str, str] = {}
        twice: set[str] = set()
        for name, others, _ in rows:
            for other in {known_as(one) for one in (name, *others) if any(map(str.isalnum, one)) and len(one) < 200 and one.isprintable()}:
                if self._main.setdefault(other, known_as(name)) != known_as(name):
                    twice.add(other)
        for other in twice - {known_as(name) for name in self.names}:
            del self._main[other]  # a group or a first name that several have says of nobody who it is

    def main(self, name: str) -> str:
        """The name as it counts: of somebody on the roster the one that stands there."""
        return self._main.get(known_as(name), known_as(name))

    def beside(self, name: str) -> tuple[str, ...]:
        """What stands in the columns beside somebody's name; empty of whoever is not on the roster."""
        return self._beside.get(self.main(name), ("",) * len(self.columns))

    def borne_by(self, file: str) -> tuple[str, ...]:
        r"""Whose names a file or one of its folders bears.

        >>> Roster.of("name\nLiu Yang\nGeorge O'Neill\n").borne_by("set-1/George O'Neill_44_file/hw.ipynb")
        ("George O'Neill",)
        """
        words = f" {_words(file)} "
        return tuple(name for name in self.names if f" {_words(name)} " in words)

    def shown(self, name: str) -> str:
        """The name as the roster writes it; as it is, of whoever is not on it."""
        main = self.main(name)
        return next((one for one in self.names if known_as(one) == main), name)

    @staticmethod
    def of(text: str) -> Roster:
        """The roster that a table says: with a line of titles, or names alone."""
        return Roster._told([line for line in cells(text, "roster") if any(line)])

    @staticmethod
    def _told(rows: Sequence[Sequence[str]]) -> Roster:
        titles = [cell.casefold() for cell in rows[0]] if rows else []
        known = bool({*titles} & (_NAMES | _FIRST | _LAST | _OTHER))
        first, last = _place(titles, _FIRST), _place(titles, _LAST)
        whole = _place(titles, _NAMES) if last is None else None
        if len(rows) > _MOST:
            raise DurakError(f"the roster has more than {_MOST} lines, which no class has")
        beside = {title: place for place, title in reversed([*enumerate(rows[0] if known else [])]) if title and place != whole}
        columns = tuple(reversed(beside))
        parts = {first, last} if first is not None else set()
        shared = Counter(row[place].casefold() for row in rows for place in parts if place is not None and place < len(row))
        found: list[Row] = []
        for row in rows[known:]:
            cell = dict(enumerate(row)).get
            if last is not None:
                names = [f"{cell(first or 0) or ''} {cell(last) or ''}" if first is not None else cell(last) or ""]
                names += [f"{cell(last)} {cell(first)}", f"{cell(last)}, {cell(first)}"] if first is not None else []
            else:
                name = (cell(whole) if whole is not None else row[0]) or ""
                back = [part.strip() for part in name.split(",")]
                names = [f"{back[1]} {back[0]}", name] if len(back) == 2 and all(back) else [name]
            try:
                name = student_name(names[0])
            except DurakError:
                continue
            others = [
                one for place, one in enumerate(row) if place not in parts or shared[one.casefold()] == 1
            ]  # a first name of several says nothing
            found.append(Row(name, [*names[1:], *others], tuple(cell(beside[title]) or "" for title in columns)))
        if not found:
            raise DurakError("the roster names nobody: give a table with a column “name”, or one name a line")
        return Roster(found, columns)

    @staticmethod
    def read(path: str | PathLike[str]) -> Roster:
        """The roster in a file of CSV."""
        return Roster._told(table(path, "roster"))


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", normalize("NFKC", text).casefold()))


def _place(titles: Sequence[str], known: set[str]) -> int | None:
    return next((place for place, title in enumerate(titles) if title in known), None)
