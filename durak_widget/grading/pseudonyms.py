"""Names on a teacher's page: as they are, or replaced so that neither the alphabet nor a file's name tells who it is."""

from __future__ import annotations

import hmac
import re
from collections import Counter
from pathlib import PurePath
from secrets import token_bytes
from typing import TYPE_CHECKING

from durak_widget.errors import DurakError
from durak_widget.homework.assignment import known_as

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.i18n import Voice

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
        self._quoted: re.Pattern[str] | None = None
        self._said: dict[str, str] = {}

    @classmethod
    def hidden(cls, students: Iterable[str], files: Iterable[str], key: str, voice: Voice) -> PageNames:
        """Replaced: the same by the same key, whoever else is there, and without a key new on every page.

        >>> from durak_widget.i18n import Voice
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
        made._within = _any_of(made._said)
        made._quoted = _any_of({name.casefold() for name in (*made._students, *made._files) if _told_by(name)} & made._said.keys())
        return made

    def student(self, name: str) -> str:
        """What a student is called."""
        return self._students.get(name, name)

    def file(self, name: str) -> str:
        """What a file is called."""
        return self._files.get(name) or self.text(name)

    def text(self, said: str, people: Iterable[str] | None = None) -> str:
        """A sentence with every name in it replaced: where it is known which people it names, of these and of files alone, since a player of a game may be called like a student.

        >>> from durak_widget.i18n import Voice
        >>> names = PageNames.hidden(["Ann Lee"], ["lee.json"], "a word", Voice())
        >>> names.text("Ann Lee: Ann gets 3 in lee.json", ["Ann Lee"]), names.text("Ann's file")
        ('Student 9280: Ann gets 3 in file 3224', "Student 9280's file")
        """
        if self._within is None:
            return said
        named = None if people is None else {one.casefold() for one in (*people, *self._files)}
        return self._within.sub(lambda found: self._called(found[0]) if named is None or found[0].casefold() in named else found[0], said)

    def quoted(self, said: str) -> str:
        """What somebody was told of an answer, which is about a game and its players: only what nobody else is called is replaced, whole names and files.

        >>> from durak_widget.i18n import Voice
        >>> names = PageNames.hidden(["Ann Lee", "Bob"], ["ann.json"], "a word", Voice())
        >>> names.quoted("Here Ann gets 3, and Bob 1.")
        'Here Ann gets 3, and Bob 1.'
        """
        return self._quoted.sub(lambda found: self._called(found[0]), said) if self._quoted else said

    def _called(self, name: str) -> str:
        return self._said.get(name.casefold(), "…")


def _any_of(names: Iterable[str]) -> re.Pattern[str] | None:
    """What finds each of these that is no part of a longer word, the longest first."""
    longest_first = sorted(names, key=len, reverse=True)
    whole = r"(?<![^\W_])(?:{})(?![^\W_])".format("|".join(map(re.escape, longest_first)))
    return re.compile(whole, re.IGNORECASE) if longest_first else None


def _told_by(name: str) -> bool:
    """Whether only one person or file is called so: of a first name alone nobody knows whose it is."""
    return len(name.split()) > 1 or any(map(str.isdigit, name)) or "." in name


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
