"""CSV tables: written so that spreadsheets open them correctly, and read back."""

from __future__ import annotations

import csv
import io
import os
import re
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import path_of
from durak_widget.errors import DurakError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

BOM: Final = "\ufeff"
"""Byte order mark, by which spreadsheets recognize UTF-8."""
_MOST_BYTES: Final = 2**22
FORM: Final = "CSV UTF-8"
"""Name that spreadsheets give to the format in which to save a table."""
WORKBOOKS: Final = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".numbers")
"""File name extensions of spreadsheet workbooks."""
_PACKED: Final = b"PK\x03\x04"
_INSIDE: Final = (b"xl/workbook", b"opendocument.spreadsheet", b"Index/Tables")
"""Names inside the archive that a workbook is: Excel, OpenDocument, Numbers."""
_OLD: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""First bytes of an old Excel workbook."""
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff")
"""First bytes of a UTF-16 text."""
_SAID: Final = re.compile(r"sep=([,;\t|])(?:\r\n|\r|\n)", re.IGNORECASE)
_QUOTED: Final = re.compile(r'"[^"]*"')
_FORMULA: Final = tuple("=+-@\t\r＝＋－＠")
"""Characters that a spreadsheet takes for the start of a formula."""
_AFTER: Final = re.compile(r";\s*(?=[=+\-@＝＋－＠])")
"""A formula after a semicolon, which separates cells in the spreadsheets of many countries."""


def as_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""Return a table as CSV in which no formula runs and each row is one line.

    >>> as_csv(["who", "worth"], [["=1+1", -1], ["  @a\nb", None], ["Ann; =1+1", 2]]).splitlines()
    ['who,worth', "'=1+1,-1", "'@a b,", "Ann; '=1+1,2"]
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in (head, *rows))
    return text.getvalue()


def _cell(said: str) -> str:
    cell = " ".join("".join(char if char.isprintable() else " " for char in said).split())
    cell = _AFTER.sub(lambda match: f"{match[0]}'", cell)
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def table(path: str | PathLike[str], what: str) -> list[list[str]]:
    """Return the cells of a CSV file by rows, without empty rows.

    `what` names the file in error messages.
    """
    name = path_of(path)
    try:
        if not os.path.isfile(name) or os.path.getsize(name) > _MOST_BYTES:  # noqa: PTH113, PTH202 - a path may be given as a text
            raise DurakError(f"there is no {what} {quoted(name)} that can be read; give a file of CSV")
        with open(name, "rb") as file:  # noqa: PTH123 - as above
            data = file.read(_MOST_BYTES)
    except OSError as error:
        raise DurakError(f"the {what} {quoted(name)} cannot be read: {error.strerror}") from None
    if is_workbook(name, data):
        raise DurakError(
            f"the {what} {quoted(name)} is a workbook of a spreadsheet; save its table from there as “CSV UTF-8”, and give that"
        )
    try:
        return [line for line in cells(decoded(data), what) if any(line)]
    except UnicodeDecodeError:
        raise DurakError(f"the {what} {quoted(name)} is not in UTF-8; save it from the spreadsheet as “CSV UTF-8”") from None


def decoded(data: bytes) -> str:
    r"""Decode the text that a spreadsheet wrote, in UTF-8 or in UTF-16 with its mark.

    Any other encoding raises `UnicodeDecodeError`, since the letters can't be known.

    >>> decoded("\ufeffŽydrė".encode("utf-16")), decoded("Žydrė".encode("utf-8-sig"))
    ('Žydrė', 'Žydrė')
    >>> decoded("Žydrė".encode("cp1257"))  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    UnicodeDecodeError: 'utf-8' codec can't decode byte 0xde in position 0: invalid continuation byte
    """
    if data[:2] in _WIDE:
        return data.decode("utf-16").lstrip(BOM)
    if b"\0" in data:  # UTF-16 without its mark, or not text
        raise UnicodeDecodeError("utf-8", data[:20], 0, 1, "there are no zeros in a text")
    return data.decode("utf-8-sig")


def is_workbook(path: str, data: bytes) -> bool:
    r"""Return whether a file is a spreadsheet's workbook, by its name or its first bytes.

    >>> is_workbook("typed.xlsx", b""), is_workbook("typed.csv", b"code;1"), is_workbook("typed.csv", b"PK\x03\x04 xl/workbook.xml")
    (True, False, True)
    """
    is_packed = data.startswith(_PACKED) and any(member in data for member in _INSIDE)
    return path.casefold().endswith(WORKBOOKS) or is_packed or data.startswith(_OLD)


def cells(text: str, what: str) -> list[list[str]]:
    r"""Return the cells of a text by rows, for any of the usual separators.

    >>> cells("name; points\nAnn;1,5\n", "roster")
    [['name', 'points'], ['Ann', '1,5']]
    """
    text = text.lstrip(BOM)
    if separator_line := _SAID.match(text):  # Excel's line that names the separator
        text, separator = text[separator_line.end() :], separator_line[1]
    else:
        first_line = _QUOTED.sub("", re.split(r"[\r\n]", text.lstrip("\r\n"), maxsplit=1)[0])
        separator = max(",;\t", key=first_line.count)
    try:
        return [[cell.strip() for cell in line] for line in csv.reader(io.StringIO(text, newline=""), delimiter=separator)]
    except csv.Error:
        raise DurakError(f"the {what} is no table that can be read; save it from the spreadsheet as “CSV UTF-8”") from None
