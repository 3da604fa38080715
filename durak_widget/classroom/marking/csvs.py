"""Tables of CSV: written so that spreadsheets open them rightly, and read as spreadsheets write them."""

from __future__ import annotations

import csv
import io
import os
import re
from typing import TYPE_CHECKING, Final

from durak_widget.errors import DurakError, quoted
from durak_widget.files import path_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

BOM: Final = "\ufeff"
"""The first sign of a file, by which spreadsheets know its letters."""
_MOST_BYTES: Final = 2**22
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
    try:
        return [line for line in cells(decoded(data), what) if any(line)]
    except UnicodeDecodeError:
        raise DurakError(f"the {what} {quoted(name)} is not in UTF-8; save it from the spreadsheet as “CSV UTF-8”") from None


def decoded(data: bytes) -> str:
    """The text that a spreadsheet wrote, in UTF-8 or UTF-16."""
    return data.decode("utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig").replace("\0", "")


def cells(text: str, what: str) -> list[list[str]]:
    r"""The cells of a text, line by line, whichever sign stands between them.

    >>> cells("name; points\nAnn;1,5\n", "roster")
    [['name', 'points'], ['Ann', '1,5']]
    """
    text = text.lstrip(BOM)
    head = text.lstrip("\r\n").partition("\n")[0]
    try:
        return [[cell.strip() for cell in line] for line in csv.reader(io.StringIO(text), delimiter=max(",;\t", key=head.count))]
    except csv.Error as error:
        raise DurakError(f"the {what} is no table of CSV: {error}") from None
