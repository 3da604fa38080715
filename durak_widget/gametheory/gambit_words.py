"""Words as Gambit's files have them: names in quotation marks, numbers, braces; what is wrong is told with its line and what would be right."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final

from durak_widget.errors import DurakError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from re import Match

_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}]|[^\s{},"]+|"', re.DOTALL)
"""A word; white space and commas stand between words."""
_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4}|/\d+)?")
_LARGEST: Final = 10**300  # what a float still holds
_MOST_SIGNS: Final = 20 * 2**20
_LONGEST: Final = 10_000
"""So many signs has what something is called."""


def gambit_text(text: object, kind: str, error: type[DurakError]) -> str:
    """The text of such a file, if it is one and not too long.

    >>> gambit_text("NFG 1 R", "nfg", DurakError)
    'NFG 1 R'
    >>> gambit_text(b"NFG 1 R", "nfg", DurakError)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: an .nfg file is read as its text, not as b'NFG 1 R'; say from_nfg(path.read_text())
    """
    if not isinstance(text, str):
        raise error(f"an .{kind} file is read as its text, not as {quoted(text)}; say from_{kind}(path.read_text())")
    if len(text) > _MOST_SIGNS:
        raise error(f"an .{kind} file has at most {_MOST_SIGNS >> 20} MB, and this has {len(text) >> 20}; write a smaller game")
    return text.removeprefix("\ufeff")


def in_quotes(names: Sequence[str]) -> str:
    r"""Names in quotation marks, with a stroke before each such mark within.

    >>> print(in_quotes(["left", 'so "called"']))
    "left" "so \"called\""
    """
    return " ".join('"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"' for name in names)


class GambitWords:
    """Reads a text word by word.

    >>> words = GambitWords('{ "a" 1/2 }')
    >>> words._expect("{", "here"), words._name("a name"), words._number("a number")
    (None, 'a', Fraction(1, 2))
    >>> words._whole("a count", 1)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: line 1: a count is a whole number from 1 on, not '}'
    """

    error: ClassVar[type[DurakError]] = DurakError
    """What is raised of a text that is none."""

    def __init__(self, text: str) -> None:
        self._words = _TOKEN.finditer(text)
        self._text = text
        self._next = self._last = next(self._words, None)

    def _wrong(self, says: str, word: Match[str] | None) -> DurakError:
        """The error that is told of a word, or of the last where there is none."""
        where = word or self._last
        return self.error(f"line {self._text.count(chr(10), 0, where.start() if where else 0) + 1}: {says}")

    def _step(self) -> None:
        self._next = next(self._words, None)
        self._last = self._next or self._last

    def _take(self, wanted: str) -> Match[str]:
        word = self._next
        if word is None:
            raise self._wrong(f"the text ends here, and {wanted} is missing; is the file whole?", None)
        self._step()
        return word

    def _sees(self, sign: str) -> bool:
        return self._next is not None and self._text[self._next.start()] == sign

    def _name(self, of: str) -> str:
        word = self._take(of)
        if len(word[0]) < 2 or word[0][0] != '"':
            raise self._wrong(f'{of} stands in quotation marks, such as "1", not {quoted(word[0])}', word)
        if len(word[0]) > _LONGEST:
            raise self._wrong(f"{of} has more than {_LONGEST:,} signs; a shorter one can be read", word)
        return re.sub(r'\\(["\\])', r"\1", word[0][1:-1])

    def _whole(self, of: str, least: int) -> int:
        word = self._take(of)
        if not (word[0].isascii() and word[0].isdigit() and len(word[0]) < 10 and int(word[0]) >= least):
            raise self._wrong(f"{of} is a whole number from {least} on, not {quoted(word[0])}", word)
        return int(word[0])

    def _number(self, of: str) -> Fraction:
        word = self._take(of)
        try:
            if _NUMBER.fullmatch(word[0]) and abs(found := Fraction(word[0])) < _LARGEST:
                return found
        except (ValueError, ZeroDivisionError):
            pass
        raise self._wrong(f"{of} is a number such as 2, -0.5 or 1/3, not {quoted(word[0])}", word)

    def _expect(self, sign: str, where: str) -> None:
        word = self._take(f"{sign!r} {where}")
        if word[0] != sign:
            raise self._wrong(f"{sign!r} belongs here, {where}, not {quoted(word[0])}", word)
