"""CSV tables that spreadsheets open correctly: writing and reading."""

from __future__ import annotations

import csv
import io
import os
import re
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import require_path
from durak_widget.errors import DurakError, short_repr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

BOM: Final = "\ufeff"
"""The byte order mark, by which spreadsheets recognize that a file is in UTF-8."""
_MAX_BYTES: Final = 2**22
CSV_FORMAT_NAME: Final = "CSV UTF-8"
"""The name of the CSV format in the “save as” dialog of spreadsheets."""
WORKBOOK_SUFFIXES: Final = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".numbers")
"""The file name extensions of spreadsheet workbooks, which are not CSV files."""
_ZIP_SIGNATURE: Final = b"PK\x03\x04"
_WORKBOOK_MEMBERS: Final = (b"xl/workbook", b"opendocument.spreadsheet", b"Index/Tables")
"""File names that occur inside workbooks of Excel, OpenDocument and Numbers (zip files)."""
_OLD_EXCEL_SIGNATURE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of a workbook in the old Excel format."""
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
"""The byte order marks at the start of texts in UTF-16."""
_SEPARATOR_LINE: Final = re.compile(r"sep=([,;\t|])(?:\r\n|\r|\n)", re.IGNORECASE)
_QUOTED_TEXT: Final = re.compile(r'"[^"]*"')
_FORMULA_STARTS: Final = tuple("=+-@\t\r＝＋－＠")
"""The characters with which a formula can start in a spreadsheet cell."""
_FORMULA_AFTER_SEMICOLON: Final = re.compile(r";\s*(?=[=+\-@＝＋－＠])")
"""A regular expression for a formula after a semicolon, which separates cells in some CSV."""


def format_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""Format a table as CSV in which no cell is a formula and each row is one line.

    >>> format_csv(["who", "worth"], [["=1+1", -1], ["  @a\nb", None], ["Ann; =1+1", 2]]).splitlines()
    ['who,worth', "'=1+1,-1", "'@a b,", "Ann; '=1+1,2"]
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([_escape_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in (header, *rows))
    return text.getvalue()


def _escape_cell(text: str) -> str:
    """Make a CSV cell one line, and keep spreadsheets from reading it as a formula."""
    cell = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    cell = _FORMULA_AFTER_SEMICOLON.sub(lambda match: f"{match[0]}'", cell)
    return f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell


def read_table(path: str | PathLike[str], noun: str) -> list[list[str]]:
    """Read a CSV file as a list of rows of cells; skip empty rows.

    `noun` names the file in error messages.
    """
    name = require_path(path)
    try:
        if not os.path.isfile(name) or os.path.getsize(name) > _MAX_BYTES:  # noqa: PTH113, PTH202 - a path may be a string
            raise DurakError(f"cannot read a {noun} {short_repr(name)}; give a CSV file")
        with open(name, "rb") as file:  # noqa: PTH123 - as above
            data = file.read(_MAX_BYTES)
    except OSError as error:
        raise DurakError(f"cannot read the {noun} {short_repr(name)}: {error.strerror}") from None
    if is_workbook(name, data):
        raise DurakError(
            f"the {noun} {short_repr(name)} is a spreadsheet file; in the spreadsheet, save its table as “CSV UTF-8”, and give that file"
        )
    try:
        return [line for line in parse_cells(decode_text(data), noun) if any(line)]
    except UnicodeDecodeError:
        raise DurakError(f"the {noun} {short_repr(name)} is not in UTF-8; in the spreadsheet, save it as “CSV UTF-8”") from None


def decode_text(data: bytes) -> str:
    r"""Decode a CSV file's bytes as UTF-8, or as UTF-16 if they start with a byte order mark.

    Any other encoding raises `UnicodeDecodeError`, since the letters can't be known.

    >>> decode_text("\ufeffŽydrė".encode("utf-16")), decode_text("Žydrė".encode("utf-8-sig"))
    ('Žydrė', 'Žydrė')
    >>> decode_text("Žydrė".encode("cp1257"))  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    UnicodeDecodeError: 'utf-8' codec can't decode byte 0xde in position 0: invalid continuation byte
    """
    if data[:2] in _UTF16_MARKS:
        return data.decode("utf-16").lstrip(BOM)
    if b"\0" in data:  # Zero bytes mean UTF-16 without a byte order mark, or data that is not text
        raise UnicodeDecodeError("utf-8", data[:20], 0, 1, "a text has no zero bytes")
    return data.decode("utf-8-sig")


def is_workbook(path: str, data: bytes) -> bool:
    r"""Return whether a file is a spreadsheet workbook, judging by its name or first bytes.

    >>> is_workbook("typed.xlsx", b""), is_workbook("typed.csv", b"code;1"), is_workbook("typed.csv", b"PK\x03\x04 xl/workbook.xml")
    (True, False, True)
    """
    is_packed = data.startswith(_ZIP_SIGNATURE) and any(member in data for member in _WORKBOOK_MEMBERS)
    return path.casefold().endswith(WORKBOOK_SUFFIXES) or is_packed or data.startswith(_OLD_EXCEL_SIGNATURE)


def parse_cells(text: str, noun: str) -> list[list[str]]:
    r"""Parse CSV text with any common separator; return the cells of each row.

    >>> parse_cells("name; points\nAnn;1,5\n", "roster")
    [['name', 'points'], ['Ann', '1,5']]
    """
    text = text.lstrip(BOM)
    if separator_line := _SEPARATOR_LINE.match(text):  # Excel may write a first line such as `sep=;`, which names the separator
        text, separator = text[separator_line.end() :], separator_line[1]
    else:
        first_line = _QUOTED_TEXT.sub("", re.split(r"[\r\n]", text.lstrip("\r\n"), maxsplit=1)[0])
        separator = max(",;\t", key=first_line.count)
    try:
        return [[cell.strip() for cell in line] for line in csv.reader(io.StringIO(text, newline=""), delimiter=separator)]
    except csv.Error:
        raise DurakError(f"the {noun} cannot be read as a table; in the spreadsheet, save it as “CSV UTF-8”") from None
