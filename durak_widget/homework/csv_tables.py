"""Tables of CSV: written so that spreadsheets open them rightly, and read as spreadsheets write them."""

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
"""The first sign of a file, by which spreadsheets know its letters."""
_MOST_BYTES: Final = 2**22
FORM: Final = "CSV UTF-8"
"""As what spreadsheets are to save a table, by the name that they have for it."""
WORKBOOKS: Final = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".numbers")
"""What the files of spreadsheets themselves are called."""
_PACKED: Final = b"PK\x03\x04"
_INSIDE: Final = (b"xl/workbook", b"opendocument.spreadsheet", b"Index/Tables")
"""What is in the archive that such a file is: of Excel, of OpenDocument, of Numbers."""
_OLD: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How those of old Excel begin."""
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff")
"""How a text of UTF-16 begins that says so."""
_SAID: Final = re.compile(r"sep=([,;\t|])(?:\r\n|\r|\n)", re.IGNORECASE)
_QUOTED: Final = re.compile(r'"[^"]*"')
_FORMULA: Final = tuple("=+-@\t\r＝＋－＠")
"""What a spreadsheet would take for the beginning of a formula."""
_AFTER: Final = re.compile(r";\s*(?=[=+\-@＝＋－＠])")
"""The same after what parts cells in the spreadsheets of half the world."""


def as_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""A table as text, in which no formula runs and each row is one line.

    >>> as_csv(["who", "worth"], [["=1+1", -1], ["  @a\nb", None], ["Ann; =1+1", 2]]).splitlines()
    ['who,worth', "'=1+1,-1", "'@a b,", "Ann; '=1+1,2"]
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([_cell(one) if isinstance(one, str) else one for one in row] for row in (head, *rows))
    return text.getvalue()


def _cell(said: str) -> str:
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in said).split())
    text = _AFTER.sub(lambda found: f"{found[0]}'", text)
    return f"'{text}" if text.startswith(_FORMULA) else text


def table(path: str | PathLike[str], what: str) -> list[list[str]]:
    """The cells of a file of CSV, line by line, without lines that are empty; `what` says in a refusal what was to be read."""
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
    r"""The text that a spreadsheet wrote, in UTF-8, or in UTF-16 as its first bytes say; a `UnicodeDecodeError` of any other, since nobody can tell which letters were meant.

    >>> decoded("\ufeffŽydrė".encode("utf-16")), decoded("Žydrė".encode("utf-8-sig"))
    ('Žydrė', 'Žydrė')
    >>> decoded("Žydrė".encode("cp1257"))  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    UnicodeDecodeError: 'utf-8' codec can't decode byte 0xde in position 0: invalid continuation byte
    """
    if data[:2] in _WIDE:
        return data.decode("utf-16").lstrip(BOM)
    if b"\0" in data:  # UTF-16 without its mark, or no text at all
        raise UnicodeDecodeError("utf-8", data[:20], 0, 1, "there are no zeros in a text")
    return data.decode("utf-8-sig")


def is_workbook(path: str, data: bytes) -> bool:
    r"""Whether that is a file of a spreadsheet itself, by its name or, whatever it is called, by how it begins.

    >>> is_workbook("typed.xlsx", b""), is_workbook("typed.csv", b"code;1"), is_workbook("typed.csv", b"PK\x03\x04 xl/workbook.xml")
    (True, False, True)
    """
    packed = data.startswith(_PACKED) and any(mark in data for mark in _INSIDE)
    return path.casefold().endswith(WORKBOOKS) or packed or data.startswith(_OLD)


def cells(text: str, what: str) -> list[list[str]]:
    r"""The cells of a text, line by line, whichever sign stands between them.

    >>> cells("name; points\nAnn;1,5\n", "roster")
    [['name', 'points'], ['Ann', '1,5']]
    """
    text = text.lstrip(BOM)
    if told := _SAID.match(text):  # as a spreadsheet is told by hand
        text, between = text[told.end() :], told[1]
    else:
        head = _QUOTED.sub("", re.split(r"[\r\n]", text.lstrip("\r\n"), maxsplit=1)[0])
        between = max(",;\t", key=head.count)
    try:
        return [[cell.strip() for cell in line] for line in csv.reader(io.StringIO(text, newline=""), delimiter=between)]
    except csv.Error:
        raise DurakError(f"the {what} is no table that can be read; save it from the spreadsheet as “CSV UTF-8”") from None
