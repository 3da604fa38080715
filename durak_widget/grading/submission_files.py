"""The files of a folder that students have handed in, each read as data: nothing in them is run, followed or believed."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import stat
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget import safe_import_path
from durak_widget.atomic_files import path_of, read_json
from durak_widget.errors import DurakError, quoted
from durak_widget.homework.csv_tables import FORM, WORKBOOKS, cells, decoded, is_workbook
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

_MOST_FILES: Final = 20_000
_DEEPEST: Final = 12
_MOST_BYTES: Final = 2**25
_MOST_PARTS: Final = 2_000_000
"""So many lists, objects and commas: each may take a hundred times as much memory as its sign."""
_DIGITS: Final = 640
"""Longer numbers may be refused by Python itself."""
_LONGEST: Final = 200
_BESIDE: Final = {"__macosx", "__pycache__", "thumbs.db", "desktop.ini", "timestamp.txt", "submission_secret.txt"}
"""What systems and nbgrader lay beside."""
_PACKED: Final = {".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".7z", ".rar"}
TABLES: Final = (".csv", ".tsv")
"""What a table is called."""
_OURS: Final = {".ipynb", ".json"}
_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\(?:.|\Z)[^"\\]*)*(?:"|\Z)|[\[\]{},]', re.DOTALL)


class File(NamedTuple):
    """A file that was found."""

    path: str
    name: str
    """Its place in the folder, as it may be shown."""
    folder: str
    """The student whose folder it lies in, as nbgrader lays them: `submitted/STUDENT/ASSIGNMENT/`; nothing where folders say nothing."""


class Odd(NamedTuple):
    """Something that is wrong with a file."""

    file: str
    fact: Fact
    others: tuple[str, ...] = ()
    """Files that it names."""


class Read(NamedTuple):
    """What a file holds: some data, or none; and what is wrong with it."""

    data: Any
    odd: tuple[Fact, ...] = ()
    open_at_break: int = 0
    """How many lists and objects were open where a text breaks off."""


def typed_table(path: str | PathLike[str]) -> File:
    """Return a table that somebody typed off sheets and names.

    >>> typed_table("missing.csv")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: there is no table 'missing.csv'; name the CSV file that you typed
    """
    root = os.path.realpath(path_of(path))
    if not os.path.isfile(root) or not root.casefold().endswith((*TABLES, *WORKBOOKS)):  # noqa: PTH113 - as below
        raise DurakError(f"there is no table {quoted(path_of(path))}; name the CSV file that you typed")
    return File(root, shown(os.path.basename(root)), "")  # noqa: PTH119 - as below


def files_in(folder: str | PathLike[str]) -> tuple[list[File], list[Odd]]:
    """The plain files of a folder and of all folders in it, in the order of their names; links are not followed.

    >>> files_in("there is none")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: there is no folder 'there is none' that can be read; give the one that holds what students handed in
    """
    root = os.path.realpath(path_of(folder))
    if os.path.isfile(root) and root.casefold().endswith((*TABLES, *WORKBOOKS)):  # noqa: PTH113 - as below
        return [typed_table(root)], []
    if not os.path.isdir(root):  # noqa: PTH112 - a path may be given as a text
        raise DurakError(f"there is no folder {quoted(path_of(folder))} that can be read; give the one that holds what students handed in")
    files: list[File] = []
    odd: list[Odd] = []
    for parts, entry in _entries(root, (), odd):
        name = shown("/".join(parts))
        if len(files) >= _MOST_FILES:
            odd.append(Odd("", Fact("class.file.many", {"most": _MOST_FILES})))
            break
        try:
            there = entry.stat(follow_symlinks=False)
        except OSError as error:
            odd.append(Odd(name, _closed(error)))
            continue
        if stat.S_ISLNK(there.st_mode):
            odd.append(Odd(name, Fact("class.file.link")))
        elif not stat.S_ISREG(there.st_mode):
            odd.append(Odd(name, Fact("class.file.odd")))
        else:
            files.append(File(entry.path, name, _handed_in_by(root, parts)))
    return files, odd


def require_outside_import_path(folder: str | PathLike[str]) -> None:
    """Refuse a folder in which Python looks for modules: a file in it would be run as one, outside of all walls."""
    root = os.path.realpath(path_of(folder))
    if os.path.isfile(root):  # noqa: PTH113 - a table that was typed, and no folder with anything of a student's
        return
    if safe_import_path.is_inside(sys.prefix, root):
        raise DurakError(
            f"{quoted(root)} holds the Python that runs this, {quoted(os.path.realpath(sys.prefix))}, and what is installed for it; "
            "lay what was handed in into a folder of its own, and mark that"
        )
    if place := safe_import_path.entry_inside(root):
        raise DurakError(
            f"Python looks for its modules in {quoted(os.path.realpath(place))}, among what was handed in, and would run files there as such; "
            f"go to a folder above and say durak-marks {shown(Path(root).name)}, and start no Python, and no notebook, in that folder"
        )


def _entries(place: str, above: tuple[str, ...], odd: list[Odd]) -> Iterator[tuple[tuple[str, ...], os.DirEntry[str]]]:
    """All that is no folder, with the folders that lead there."""
    try:
        with os.scandir(place) as found:
            entries = sorted(found, key=lambda one: one.name)
    except OSError as error:
        odd.append(Odd(shown("/".join(above)), _closed(error)))
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.name.casefold() in _BESIDE:
            continue
        parts = (*above, entry.name)
        if not entry.is_dir(follow_symlinks=False):
            yield parts, entry
        elif len(parts) > _DEEPEST:
            odd.append(Odd(shown("/".join(parts)), Fact("class.file.far")))
        else:
            yield from _entries(entry.path, parts, odd)


def _handed_in_by(root: str, parts: tuple[str, ...]) -> str:
    """Whose folder it is, where folders are laid as nbgrader does: the outermost, since a student may lay folders of such names in their own."""
    above = Path(root).parts[-3:]
    whole = (*above, *parts)
    places = [place for place, part in enumerate(whole[:-2]) if part == "submitted"]
    return shown(whole[places[0] + 1]) if places else ""


def shown(name: str) -> str:
    r"""A name that others have chosen, as it may stand in a line.

    >>> shown("a\nb\udcff"), len(shown("x" * 999))
    ('a�b�', 200)
    """
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in name[:_LONGEST])


def _closed(error: OSError) -> Fact:
    return Fact("class.file.closed", {"why": type(error).__name__})


def data_in(file: File) -> Read:
    """What a file holds, as data."""
    try:
        data = _content(file.path)
    except OSError as error:
        return Read(None, (_closed(error),))
    if isinstance(data, Fact):
        return Read(None, (data,))
    ending = Path(file.path).suffix.casefold()
    if fact := _other_form(file.path, data):
        return Read(None, (fact,))
    if not data.strip():
        return Read(None, (Fact("class.file.empty"),))
    odd: list[Fact] = []
    try:
        text = data.decode(json.detect_encoding(data))
    except UnicodeDecodeError:
        text = data.decode("utf-8-sig", errors="replace")
        odd.append(Fact("class.file.letters"))
    if text.lstrip("\ufeff \t\r\n")[:1] != "{":
        return Read(None, (Fact("class.file.no_text" if ending in _OURS else "class.file.other"),))
    if sum(map(text.count, "[{,")) > _MOST_PARTS:
        return Read(None, (Fact("class.file.parts", {"most": _MOST_PARTS}),))
    return parsed(text, odd)


def rows_in(file: File) -> list[list[str]] | Fact:
    """The cells of a table of CSV, line by line; none where there are none; else what is wrong with it."""
    try:
        data = _content(file.path)
        if isinstance(data, Fact):
            return data
        if fact := _other_form(file.path, data):
            return fact
        if data.lstrip()[:1] == b"{":  # a notebook or a receipt, whatever it is called
            return []
        rows = cells(decoded(data), "table")
    except OSError as error:
        return _closed(error)
    except UnicodeDecodeError:
        return Fact("class.file.encoding", {"form": FORM, "letters": FORM.split()[-1]})
    except DurakError:
        return Fact("class.file.no_table", {"form": FORM})
    return rows if any(map(any, rows)) else []


def _other_form(path: str, data: bytes) -> Fact | None:
    """What it is that nobody can read as it is: a workbook of a spreadsheet, or an archive."""
    if is_workbook(path, data):
        return Fact("class.file.workbook", {"form": FORM})
    if Path(path).suffix.casefold() in _PACKED or data[:4] in (b"PK\x03\x04", b"Rar!", b"7z\xbc\xaf") or data[:2] == b"\x1f\x8b":
        return Fact("class.file.packed")
    return None


def _content(path: str) -> bytes | Fact:
    """The bytes of a plain file of a sensible size; whatever else has come into its place meanwhile is neither followed nor waited for."""
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(number, "rb") as file:  # noqa: PTH123 - it is open already
        there = os.fstat(number)
        if not stat.S_ISREG(there.st_mode):
            return Fact("class.file.odd")
        data = b"" if there.st_size > _MOST_BYTES else file.read(_MOST_BYTES + 1)
        if there.st_size > _MOST_BYTES or len(data) > _MOST_BYTES:
            return Fact("class.file.large", {"most": _MOST_BYTES >> 20})
        return data


def parsed(text: str, odd: list[Fact]) -> Read:
    """The data that a text of JSON says; of one that breaks off, what stands before.

    >>> parsed('{"a": [1, 2, {"b": "x', [])
    Read(data={'a': [1, 2, {}]}, odd=(Fact(key='class.file.broken', facts={'line': 1}),), open_at_break=3)
    >>> parsed('{"a": NaN, "a": 1e999}', [])
    Read(data={'a': '1e999'}, odd=(Fact(key='class.file.key_twice', facts={'name': 'a'}),), open_at_break=0)
    """
    twice: list[str] = []

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(found)
        if len(made) < len(found):
            twice.append(next(name for name, times in Counter(name for name, _ in found).items() if times > 1))
        return made

    def told(said: str) -> Any:  # noqa: ANN401 - what JSON says
        return read_json(said, object_pairs_hook=pairs, parse_int=_whole, parse_float=_real, parse_constant=str)

    text, data, open_at_break = text.lstrip("\ufeff"), None, 0
    try:
        data = told(text)
    except json.JSONDecodeError as error:
        odd.append(Fact("class.file.broken", {"line": error.lineno}))
        until, closing = _whole_part(text, error.pos)
        open_at_break = len(closing)
        with contextlib.suppress(ValueError):
            data = told(text[:until] + closing)
    except ValueError:
        odd.append(Fact("class.file.deep"))
    odd += [Fact("class.file.key_twice", {"name": shown(name)[:60]}) for name in twice[:1]]
    return Read(data, tuple(odd), open_at_break)


def _whole_part(text: str, until: int) -> tuple[int, str]:
    """Return how much of what stands before a place is whole, which is up to the last comma, and the brackets that close it."""
    opened: list[str] = []
    cut = 0
    for token in _TOKEN.finditer(text, 0, until):
        sign = token[0]
        if sign in "{[":
            opened.append("}" if sign == "{" else "]")
            cut = token.end()
        elif sign in "}]":
            if not opened or opened[-1] != sign:
                break
            opened.pop()
            cut = token.end()
        elif sign == ",":
            cut = token.start()
    return cut, "".join(reversed(opened))  # whatever was opened or closed is before the cut


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= _DIGITS else digits


def _real(digits: str) -> float | str:
    value = float(digits)
    return value if math.isfinite(value) else digits
