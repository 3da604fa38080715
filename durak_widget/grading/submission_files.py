"""The files in a folder of submissions, read as data.

Nothing in them is run, followed or trusted.
"""

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
"""Largest number of lists, objects and commas.

Each may take a hundred times as much memory as its character.
"""
_DIGITS: Final = 640
"""Longest number; Python itself may refuse longer ones."""
_LONGEST: Final = 200
_BESIDE: Final = {"__macosx", "__pycache__", "thumbs.db", "desktop.ini", "timestamp.txt", "submission_secret.txt"}
"""Names of files and folders that systems and nbgrader add."""
_PACKED: Final = {".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".7z", ".rar"}
TABLES: Final = (".csv", ".tsv")
"""Suffixes of tables."""
_OURS: Final = {".ipynb", ".json"}
_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\(?:.|\Z)[^"\\]*)*(?:"|\Z)|[\[\]{},]', re.DOTALL)


class File(NamedTuple):
    """A file that was found."""

    path: str
    name: str
    """Path inside the folder, cleaned for display."""
    folder: str
    """Student whose folder it is in, as in nbgrader's `submitted/STUDENT/ASSIGNMENT/`; else empty."""


class Odd(NamedTuple):
    """A problem with a file."""

    file: str
    fact: Fact
    others: tuple[str, ...] = ()
    """Other files that the message names."""


class Read(NamedTuple):
    """The data in a file, or None, and the problems with it."""

    data: Any
    odd: tuple[Fact, ...] = ()
    open_at_break: int = 0
    """Number of lists and objects that are open where a text breaks off."""


def typed_table(path: str | PathLike[str]) -> File:
    """Return a table that the teacher typed from sheets and names.

    >>> typed_table("missing.csv")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: there is no table 'missing.csv'; name the CSV file that you typed
    """
    root = os.path.realpath(path_of(path))
    if not os.path.isfile(root) or not root.casefold().endswith((*TABLES, *WORKBOOKS)):  # noqa: PTH113 - as below
        raise DurakError(f"there is no table {quoted(path_of(path))}; name the CSV file that you typed")
    return File(root, shown(os.path.basename(root)), "")  # noqa: PTH119 - as below


def files_in(folder: str | PathLike[str]) -> tuple[list[File], list[Odd]]:
    """List the files in a folder and its subfolders by name, without following links.

    Also return the problems that were found.

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
    problems: list[Odd] = []
    for parts, entry in _entries(root, (), problems):
        name = shown("/".join(parts))
        if len(files) >= _MOST_FILES:
            problems.append(Odd("", Fact("class.file.many", {"most": _MOST_FILES})))
            break
        try:
            file_stat = entry.stat(follow_symlinks=False)
        except OSError as error:
            problems.append(Odd(name, _closed(error)))
            continue
        if stat.S_ISLNK(file_stat.st_mode):
            problems.append(Odd(name, Fact("class.file.link")))
        elif not stat.S_ISREG(file_stat.st_mode):
            problems.append(Odd(name, Fact("class.file.odd")))
        else:
            files.append(File(entry.path, name, _handed_in_by(root, parts)))
    return files, problems


def require_outside_import_path(folder: str | PathLike[str]) -> None:
    """Refuse a folder in which Python looks for modules.

    Python would run a file there as a module, outside the sandbox.
    """
    root = os.path.realpath(path_of(folder))
    if os.path.isfile(root):  # noqa: PTH113 - a table that was typed, and no folder with anything of a student's
        return
    if safe_import_path.is_inside(sys.prefix, root):
        raise DurakError(
            f"{quoted(root)} holds the Python that runs this, {quoted(os.path.realpath(sys.prefix))}, and what is installed for it; "
            "lay what was handed in into a folder of its own, and mark that"
        )
    if entry := safe_import_path.entry_inside(root):
        raise DurakError(
            f"Python looks for its modules in {quoted(os.path.realpath(entry))}, among what was handed in, and would run files there as such; "
            f"go to a folder above and say durak-marks {shown(Path(root).name)}, and start no Python, and no notebook, in that folder"
        )


def _entries(place: str, above: tuple[str, ...], odd: list[Odd]) -> Iterator[tuple[tuple[str, ...], os.DirEntry[str]]]:
    """Iterate over everything except folders, with the path inside the folder."""
    try:
        with os.scandir(place) as scanner:
            entries = sorted(scanner, key=lambda entry: entry.name)
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
    """Return whose folder it is in nbgrader's layout.

    The outermost one counts, since a student may have made folders of such names in their own.
    """
    root_parts = Path(root).parts[-3:]
    all_parts = (*root_parts, *parts)
    indices = [index for index, part in enumerate(all_parts[:-2]) if part == "submitted"]
    return shown(all_parts[indices[0] + 1]) if indices else ""


def shown(name: str) -> str:
    r"""Clean a name that others have chosen, so that it fits in a line.

    >>> shown("a\nb\udcff"), len(shown("x" * 999))
    ('a�b�', 200)
    """
    return "".join(char if char.isprintable() else "\ufffd" for char in name[:_LONGEST])


def _closed(error: OSError) -> Fact:
    return Fact("class.file.closed", {"why": type(error).__name__})


def data_in(file: File) -> Read:
    """Read the data in a file."""
    try:
        data = _content(file.path)
    except OSError as error:
        return Read(None, (_closed(error),))
    if isinstance(data, Fact):
        return Read(None, (data,))
    suffix = Path(file.path).suffix.casefold()
    if message := _other_form(file.path, data):
        return Read(None, (message,))
    if not data.strip():
        return Read(None, (Fact("class.file.empty"),))
    problems: list[Fact] = []
    try:
        text = data.decode(json.detect_encoding(data))
    except UnicodeDecodeError:
        text = data.decode("utf-8-sig", errors="replace")
        problems.append(Fact("class.file.letters"))
    if text.lstrip("\ufeff \t\r\n")[:1] != "{":
        return Read(None, (Fact("class.file.no_text" if suffix in _OURS else "class.file.other"),))
    if sum(map(text.count, "[{,")) > _MOST_PARTS:
        return Read(None, (Fact("class.file.parts", {"most": _MOST_PARTS}),))
    return parsed(text, problems)


def rows_in(file: File) -> list[list[str]] | Fact:
    """Read the rows of a CSV table; return a message if it is unreadable.

    The list is empty if there is no table.
    """
    try:
        data = _content(file.path)
        if isinstance(data, Fact):
            return data
        if message := _other_form(file.path, data):
            return message
        if data.lstrip()[:1] == b"{":  # a notebook or receipt with the wrong suffix
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
    """Return a message if a file is a spreadsheet workbook or an archive."""
    if is_workbook(path, data):
        return Fact("class.file.workbook", {"form": FORM})
    if Path(path).suffix.casefold() in _PACKED or data[:4] in (b"PK\x03\x04", b"Rar!", b"7z\xbc\xaf") or data[:2] == b"\x1f\x8b":
        return Fact("class.file.packed")
    return None


def _content(path: str) -> bytes | Fact:
    """Return the bytes of a regular file of acceptable size, or a message.

    If something else has replaced the file meanwhile, it is neither followed nor waited for.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as file:  # noqa: PTH123 - it is open already
        file_stat = os.fstat(descriptor)
        if not stat.S_ISREG(file_stat.st_mode):
            return Fact("class.file.odd")
        data = b"" if file_stat.st_size > _MOST_BYTES else file.read(_MOST_BYTES + 1)
        if file_stat.st_size > _MOST_BYTES or len(data) > _MOST_BYTES:
            return Fact("class.file.large", {"most": _MOST_BYTES >> 20})
        return data


def parsed(text: str, odd: list[Fact]) -> Read:
    """Parse JSON; of a text that breaks off, the complete part.

    >>> parsed('{"a": [1, 2, {"b": "x', [])
    Read(data={'a': [1, 2, {}]}, odd=(Fact(key='class.file.broken', facts={'line': 1}),), open_at_break=3)
    >>> parsed('{"a": NaN, "a": 1e999}', [])
    Read(data={'a': '1e999'}, odd=(Fact(key='class.file.key_twice', facts={'name': 'a'}),), open_at_break=0)
    """
    duplicates: list[str] = []

    def build_object(key_value_pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        parsed_object = dict(key_value_pairs)
        if len(parsed_object) < len(key_value_pairs):
            duplicates.append(next(name for name, times in Counter(name for name, _ in key_value_pairs).items() if times > 1))
        return parsed_object

    def parse(json_text: str) -> Any:  # noqa: ANN401 - what JSON says
        return read_json(json_text, object_pairs_hook=build_object, parse_int=_whole, parse_float=_real, parse_constant=str)

    text, data, open_at_break = text.lstrip("\ufeff"), None, 0
    try:
        data = parse(text)
    except json.JSONDecodeError as error:
        odd.append(Fact("class.file.broken", {"line": error.lineno}))
        end, closing = _whole_part(text, error.pos)
        open_at_break = len(closing)
        with contextlib.suppress(ValueError):
            data = parse(text[:end] + closing)
    except ValueError:
        odd.append(Fact("class.file.deep"))
    odd += [Fact("class.file.key_twice", {"name": shown(name)[:60]}) for name in duplicates[:1]]
    return Read(data, tuple(odd), open_at_break)


def _whole_part(text: str, until: int) -> tuple[int, str]:
    """Return where the complete part of a text ends, and the brackets that close it.

    It ends at the last comma before the given position.
    """
    closing_brackets: list[str] = []
    cut = 0
    for token in _TOKEN.finditer(text, 0, until):
        bracket = token[0]
        if bracket in "{[":
            closing_brackets.append("}" if bracket == "{" else "]")
            cut = token.end()
        elif bracket in "}]":
            if not closing_brackets or closing_brackets[-1] != bracket:
                break
            closing_brackets.pop()
            cut = token.end()
        elif bracket == ",":
            cut = token.start()
    return cut, "".join(reversed(closing_brackets))  # every bracket that was counted is before the cut


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= _DIGITS else digits


def _real(digits: str) -> float | str:
    value = float(digits)
    return value if math.isfinite(value) else digits
