"""Names on a teacher's page: as they are, or replaced so that neither the alphabet nor a file's name tells who it is."""

from __future__ import annotations

import hmac
import re
from collections import Counter
from pathlib import PurePath
from secrets import token_bytes
from typing import TYPE_CHECKING

from durak_widget.classroom.asking.lots import known_as
from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.words import Voice

_DIGITS, _MOST_DIGITS = 4, 60
"""Of a number that stands for a name; of the few names whose numbers begin alike, more."""
_SHORTEST = 3
"""A name of fewer letters is not looked for within sentences."""


class PageNames:
    """What students and their files are called on a page."""

    def __init__(self, students: Iterable[str], files: Iterable[str]) -> None:
        self._students = {name: name for name in students}
        self._files = {name: name for name in files}
        self._within: re.Pattern[str] | None = None
        self._said: dict[str, str] = {}

    @classmethod
    def hidden(cls, students: Iterable[str], files: Iterable[str], key: str, voice: Voice) -> PageNames:
        """Replaced: the same by the same key, whoever else is there, and without a key new on every page.

        >>> from durak_widget.words import Voice
        >>> names = PageNames.hidden(["Ann", "Bob"], ["ann.json"], "a word", Voice())
        >>> later = PageNames.hidden(["Ann", "Bob", "Cyd"], [], "a word", Voice())
        >>> names.student("Ann"), later.student("Ann"), "Ann" in names.text("Ann's file ann.json is cut.")
        ('Student 5457', 'Student 5457', False)
        """
        made = cls(students, files)
        secret = key.encode() if key else token_bytes(32)

        for table, said in ((made._students, "class.report.pseudonym"), (made._files, "class.report.file")):
            for name, number in _numbers(table, secret).items():
                table[name] = voice.say(said, number=number)
        stems = {PurePath(name).stem: called for name, called in made._files.items()}
        words = {part: called for name, called in made._students.items() for part in (name, *name.split())}
        for spoken in (words, stems, made._students, made._files):  # the last one counts where two are written alike
            made._said |= {name.casefold(): called for name, called in spoken.items() if len(name) >= _SHORTEST}
        longest_first = sorted(made._said, key=len, reverse=True)
        whole = r"(?<![^\W_])(?:{})(?![^\W_])".format("|".join(map(re.escape, longest_first)))  # no part of a longer word
        made._within = re.compile(whole, re.IGNORECASE) if longest_first else None
        return made

    def student(self, name: str) -> str:
        """What a student is called."""
        return self._students.get(name, name)

    def file(self, name: str) -> str:
        """What a file is called."""
        return self._files.get(name) or self.text(name)

    def text(self, said: str) -> str:
        """A sentence with every name in it replaced."""
        return self._within.sub(lambda found: self._said.get(found[0].casefold(), "…"), said) if self._within else said


def _numbers(names: Iterable[str], secret: bytes) -> dict[str, str]:
    """A number for each name, which hangs on the name and the secret alone; where two begin alike, both go on until they differ."""
    keyed = {name: hmac.digest(secret, _plain(name).encode("utf-8", "replace"), "sha256") for name in names}
    whole = {name: f"{int.from_bytes(digest, 'big') % 10**_MOST_DIGITS:0{_MOST_DIGITS}}" for name, digest in keyed.items()}
    found: dict[str, str] = {}
    for digits in range(_DIGITS, _MOST_DIGITS + 1):
        many = Counter(number[:digits] for number in whole.values())
        found |= {
            name: number[:digits]
            for name, number in whole.items()
            if name not in found and (many[number[:digits]] == 1 or digits == _MOST_DIGITS)
        }
    return found


def _plain(name: str) -> str:
    try:
        return known_as(name)
    except DurakError:
        return name
