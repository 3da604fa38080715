"""Files in a folder of submissions, which are only read as data and never run as code.

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
from durak_widget.atomic_files import parse_json_text, require_path
from durak_widget.errors import DurakError, short_repr
from durak_widget.homework.csv_tables import CSV_FORMAT_NAME, WORKBOOK_SUFFIXES, decode_text, is_workbook, parse_cells
from durak_widget.i18n import TranslatableText
from durak_widget.translated_errors import explain_error

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

_MAX_FILES: Final = 20_000
_MAX_DEPTH: Final = 12
_MAX_BYTES: Final = 2**25
_MAX_JSON_PARTS: Final = 2_000_000
"""The maximum number of lists, objects and commas in a JSON file.

Each of them may take a hundred times as much memory as its character.
"""
_MAX_DIGITS: Final = 640
"""The maximum number of digits of a number in a JSON file.

Python may refuse to parse longer numbers.
"""
_MAX_NAME_LENGTH: Final = 200
_IGNORED_NAMES: Final = {"__macosx", "__pycache__", "thumbs.db", "desktop.ini", "timestamp.txt", "submission_secret.txt"}
"""Names of files and folders that operating systems or nbgrader put among submissions."""
_ARCHIVE_SUFFIXES: Final = {".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".7z", ".rar"}
TABLE_SUFFIXES: Final = (".csv", ".tsv")
"""The file name extensions of tables with typed answers."""
_JSON_SUFFIXES: Final = {".ipynb", ".json"}
_JSON_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\(?:.|\Z)[^"\\]*)*(?:"|\Z)|[\[\]{},]', re.DOTALL)


class SubmittedFile(NamedTuple):
    """A file in a folder of submissions."""

    path: str
    name: str
    """The file's path relative to the folder of submissions, cleaned for display."""
    student_folder: str
    """The student in whose folder the file is, if the submissions are in nbgrader's folder layout; otherwise empty.

    The layout is `submitted/STUDENT/ASSIGNMENT/`.
    """


class FileProblem(NamedTuple):
    """A problem with a submitted file, as a message that can be translated."""

    file: str
    message: TranslatableText
    other_files: tuple[str, ...] = ()
    """Other files that are named in the message."""


class ParsedFile(NamedTuple):
    """The data of a file, or None if the file is unreadable, with the problems found."""

    data: Any
    problems: tuple[TranslatableText, ...] = ()
    open_at_break: int = 0
    """How many lists and objects are not closed where a truncated file ends."""


def require_typed_table(path: str | PathLike[str]) -> SubmittedFile:
    """Return the file of a table that a teacher typed in from paper; reject other file types.

    >>> require_typed_table("missing.csv")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: there is no table 'missing.csv'; give the CSV file that you typed
    """
    root = os.path.realpath(require_path(path))
    if not os.path.isfile(root) or not root.casefold().endswith((*TABLE_SUFFIXES, *WORKBOOK_SUFFIXES)):  # noqa: PTH113 - as below
        raise DurakError(f"there is no table {short_repr(require_path(path))}; give the CSV file that you typed")
    return SubmittedFile(root, clean_name(os.path.basename(root)), "")  # noqa: PTH119 - as below


def list_files(folder: str | PathLike[str]) -> tuple[list[SubmittedFile], list[FileProblem]]:
    """List the files in a folder and its subfolders, sorted by name, and the problems found.

    Links are reported as problems and never followed.

    >>> list_files("there is none")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: cannot read a folder 'there is none'; give the folder with the work that students handed in
    """
    root = os.path.realpath(require_path(folder))
    if os.path.isfile(root) and root.casefold().endswith((*TABLE_SUFFIXES, *WORKBOOK_SUFFIXES)):  # noqa: PTH113 - as below
        return [require_typed_table(root)], []
    if not os.path.isdir(root):  # noqa: PTH112 - a path may be a string
        raise DurakError(f"cannot read a folder {short_repr(require_path(folder))}; give the folder with the work that students handed in")
    files: list[SubmittedFile] = []
    problems: list[FileProblem] = []
    for parts, entry in _walk_entries(root, (), problems):
        name = clean_name("/".join(parts))
        if len(files) >= _MAX_FILES:
            problems.append(FileProblem("", TranslatableText("class.file.many", {"most": _MAX_FILES})))
            break
        try:
            file_stat = entry.stat(follow_symlinks=False)
        except OSError as error:
            problems.append(FileProblem(name, _describe_read_error(error)))
            continue
        if stat.S_ISLNK(file_stat.st_mode):
            problems.append(FileProblem(name, TranslatableText("class.file.link")))
        elif not stat.S_ISREG(file_stat.st_mode):
            problems.append(FileProblem(name, TranslatableText("class.file.odd")))
        else:
            files.append(SubmittedFile(entry.path, name, _find_student_folder(root, parts)))
    return files, problems


def require_outside_import_path(folder: str | PathLike[str]) -> None:
    """Raise an error if Python could import modules out of the folder of submissions.

    Python would run a student's file in that folder as a module, outside the sandbox.
    """
    root = os.path.realpath(require_path(folder))
    if os.path.isfile(root):  # noqa: PTH113 - a typed table is not a folder with students' files
        return
    if safe_import_path.is_inside(sys.prefix, root):
        raise DurakError(
            f"{short_repr(root)} contains the Python that runs this program, {short_repr(os.path.realpath(sys.prefix))}, and its packages; put the students' work in a separate folder, and mark that"
        )
    if entry := safe_import_path.find_entry_inside(root):
        raise DurakError(
            f"Python looks for modules in {short_repr(os.path.realpath(entry))}, which is part of the students' work, so it would run students' files there. Go to a folder above it and run durak-marks {clean_name(Path(root).name)}. Don't start Python or a notebook in that folder"
        )


def _walk_entries(
    folder: str, parent_parts: tuple[str, ...], problems: list[FileProblem]
) -> Iterator[tuple[tuple[str, ...], os.DirEntry[str]]]:
    """Yield each file in a folder and its subfolders, with the folder names in its path."""
    try:
        with os.scandir(folder) as scanner:
            entries = sorted(scanner, key=lambda entry: entry.name)
    except OSError as error:
        problems.append(FileProblem(clean_name("/".join(parent_parts)), _describe_read_error(error)))
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.name.casefold() in _IGNORED_NAMES:
            continue
        parts = (*parent_parts, entry.name)
        if not entry.is_dir(follow_symlinks=False):
            yield parts, entry
        elif len(parts) > _MAX_DEPTH:
            problems.append(FileProblem(clean_name("/".join(parts)), TranslatableText("class.file.far")))
        else:
            yield from _walk_entries(entry.path, parts, problems)


def _find_student_folder(root: str, parts: tuple[str, ...]) -> str:
    """Return the student's name from a path in nbgrader's folder layout, or else "".

    The outermost `submitted` folder counts, since a student may have created folders with this name.
    """
    root_parts = Path(root).parts[-3:]
    all_parts = (*root_parts, *parts)
    indices = [index for index, part in enumerate(all_parts[:-2]) if part == "submitted"]
    return clean_name(all_parts[indices[0] + 1]) if indices else ""


def clean_name(name: str) -> str:
    r"""Clean a name that a student chose, so that it fits on one line and is printable.

    >>> clean_name("a\nb\udcff"), len(clean_name("x" * 999))
    ('a�b�', 200)
    """
    return "".join(char if char.isprintable() else "\ufffd" for char in name[:_MAX_NAME_LENGTH])


def _describe_read_error(error: OSError) -> TranslatableText:
    return TranslatableText("class.file.closed", {"why": explain_error(error)})


def read_data(file: SubmittedFile) -> ParsedFile:
    """Read the JSON data of a submitted file."""
    try:
        data = _read_content(file.path)
    except OSError as error:
        return ParsedFile(None, (_describe_read_error(error),))
    if isinstance(data, TranslatableText):
        return ParsedFile(None, (data,))
    suffix = Path(file.path).suffix.casefold()
    if message := _find_unsupported_format(file.path, data):
        return ParsedFile(None, (message,))
    if not data.strip():
        return ParsedFile(None, (TranslatableText("class.file.empty"),))
    problems: list[TranslatableText] = []
    try:
        text = data.decode(json.detect_encoding(data))
    except UnicodeDecodeError:
        text = data.decode("utf-8-sig", errors="replace")
        problems.append(TranslatableText("class.file.letters"))
    if text.lstrip("\ufeff \t\r\n")[:1] != "{":
        return ParsedFile(None, (TranslatableText("class.file.no_text" if suffix in _JSON_SUFFIXES else "class.file.other"),))
    if sum(map(text.count, "[{,")) > _MAX_JSON_PARTS:
        return ParsedFile(None, (TranslatableText("class.file.parts", {"most": _MAX_JSON_PARTS}),))
    return parse_json(text, problems)


def read_rows(file: SubmittedFile) -> list[list[str]] | TranslatableText:
    """Return the rows of a CSV table; if the table can't be read, return a message.

    The list is empty if the file is not a table.
    """
    try:
        data = _read_content(file.path)
        if isinstance(data, TranslatableText):
            return data
        if message := _find_unsupported_format(file.path, data):
            return message
        if data.lstrip()[:1] == b"{":  # A file that starts with a brace is a notebook or receipt with the wrong extension
            return []
        rows = parse_cells(decode_text(data), "table")
    except OSError as error:
        return _describe_read_error(error)
    except UnicodeDecodeError:
        return TranslatableText("class.file.encoding", {"form": CSV_FORMAT_NAME, "letters": CSV_FORMAT_NAME.split()[-1]})
    except DurakError:
        return TranslatableText("class.file.no_table", {"form": CSV_FORMAT_NAME})
    return rows if any(map(any, rows)) else []


def _find_unsupported_format(path: str, data: bytes) -> TranslatableText | None:
    """Return a message if a file is a spreadsheet workbook or an archive, or else None."""
    if is_workbook(path, data):
        return TranslatableText("class.file.workbook", {"form": CSV_FORMAT_NAME})
    if Path(path).suffix.casefold() in _ARCHIVE_SUFFIXES or data[:4] in (b"PK\x03\x04", b"Rar!", b"7z\xbc\xaf") or data[:2] == b"\x1f\x8b":
        return TranslatableText("class.file.packed")
    return None


def _read_content(path: str) -> bytes | TranslatableText:
    """Return the bytes of a file; if it is too large or not a regular file, return a message.

    If something else has replaced the file since it was listed, it is neither followed nor waited for.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as file:  # noqa: PTH123 - the file is already open
        file_stat = os.fstat(descriptor)
        if not stat.S_ISREG(file_stat.st_mode):
            return TranslatableText("class.file.odd")
        data = b"" if file_stat.st_size > _MAX_BYTES else file.read(_MAX_BYTES + 1)
        if file_stat.st_size > _MAX_BYTES or len(data) > _MAX_BYTES:
            return TranslatableText("class.file.large", {"most": _MAX_BYTES >> 20})
        return data


def parse_json(text: str, problems: list[TranslatableText]) -> ParsedFile:
    """Parse a JSON text; if the text is truncated, parse only its complete part.

    >>> parse_json('{"a": [1, 2, {"b": "x', [])
    ParsedFile(data={'a': [1, 2, {}]}, problems=(TranslatableText(key='class.file.broken', facts={'line': 1}),), open_at_break=3)
    >>> parse_json('{"a": NaN, "a": 1e999}', [])
    ParsedFile(data={'a': '1e999'}, problems=(TranslatableText(key='class.file.key_twice', facts={'name': 'a'}),), open_at_break=0)
    """
    duplicates: list[str] = []

    def build_object(key_value_pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        parsed_object = dict(key_value_pairs)
        if len(parsed_object) < len(key_value_pairs):
            duplicates.append(next(name for name, times in Counter(name for name, _ in key_value_pairs).items() if times > 1))
        return parsed_object

    def parse(json_text: str) -> Any:  # noqa: ANN401 - any JSON value
        return parse_json_text(
            json_text, object_pairs_hook=build_object, parse_int=_parse_int, parse_float=_parse_float, parse_constant=str
        )

    text, data, open_at_break = text.lstrip("\ufeff"), None, 0
    try:
        data = parse(text)
    except json.JSONDecodeError as error:
        problems.append(TranslatableText("class.file.broken", {"line": error.lineno}))
        end, closing = _find_complete_part(text, error.pos)
        open_at_break = len(closing)
        with contextlib.suppress(ValueError):
            data = parse(text[:end] + closing)
    except ValueError:
        problems.append(TranslatableText("class.file.deep"))
    problems += [TranslatableText("class.file.key_twice", {"name": clean_name(name)[:60]}) for name in duplicates[:1]]
    return ParsedFile(data, tuple(problems), open_at_break)


def _find_complete_part(text: str, end: int) -> tuple[int, str]:
    """Find the end of the complete part of truncated JSON, and the missing closing brackets.

    The complete part ends at the last bracket or comma before the position `end`.
    """
    closing_brackets: list[str] = []
    cut = 0
    for token in _JSON_TOKEN.finditer(text, 0, end):
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
    return cut, "".join(reversed(closing_brackets))  # Each of these brackets closes a bracket before `cut`


def _parse_int(digits: str) -> int | str:
    return int(digits) if len(digits) <= _MAX_DIGITS else digits


def _parse_float(digits: str) -> float | str:
    value = float(digits)
    return value if math.isfinite(value) else digits
