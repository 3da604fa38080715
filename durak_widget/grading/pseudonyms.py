"""Names on a teacher's page: as they are, or replaced by pseudonyms.

Neither the alphabetical order nor the name of a file then shows who it is.
"""

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
"""Smallest and largest number of digits of a pseudonym; more are used if two start alike."""
_SHORTEST = 3
"""Names shorter than this are not replaced within sentences."""


class PageNames:
    """The names of students and their files on a page."""

    def __init__(self, students: Iterable[str], files: Iterable[str]) -> None:
        self._students = {name: name for name in students}
        self._files = {name: name for name in files}
        self._within: re.Pattern[str] | None = None
        self._quoted: re.Pattern[str] | None = None
        self._said: dict[str, str] = {}

    @classmethod
    def hidden(cls, students: Iterable[str], files: Iterable[str], key: str, voice: Voice) -> PageNames:
        """Return pseudonyms: the same ones for the same key, and new ones without a key.

        They don't depend on which other students there are.

        >>> from durak_widget.i18n import Voice
        >>> names = PageNames.hidden(["Ann", "Bob"], ["ann.json"], "a word", Voice())
        >>> later = PageNames.hidden(["Ann", "Bob", "Cyd"], [], "a word", Voice())
        >>> names.student("Ann"), later.student("Ann"), "Ann" in names.text("Ann's file ann.json is cut.")
        ('Student 5457', 'Student 5457', False)
        """
        page_names = cls(students, files)
        secret = key.encode() if key else token_bytes(32)

        for table, message_key in ((page_names._students, "class.report.pseudonym"), (page_names._files, "class.report.file")):
            for name, number in _numbers(table, secret).items():
                table[name] = voice.say(message_key, number=number)
        stems = {PurePath(name).stem: pseudonym for name, pseudonym in page_names._files.items()}
        words = {part: pseudonym for name, pseudonym in page_names._students.items() for part in (name, *name.split())}
        for names in (words, stems, page_names._students, page_names._files):  # later entries replace equal earlier ones
            page_names._said |= {name.casefold(): pseudonym for name, pseudonym in names.items() if len(name) >= _SHORTEST}
        page_names._within = _any_of(page_names._said)
        page_names._quoted = _any_of(
            {name.casefold() for name in (*page_names._students, *page_names._files) if _told_by(name)} & page_names._said.keys()
        )
        return page_names

    def student(self, name: str) -> str:
        """Return the name of a student on the page."""
        return self._students.get(name, name)

    def file(self, name: str) -> str:
        """Return the name of a file on the page."""
        return self._files.get(name) or self.text(name)

    def text(self, said: str, people: Iterable[str] | None = None) -> str:
        """Replace the names in a sentence.

        If the people that it names are known, only these and files are replaced, since a player of a game may have a
        student's name.

        >>> from durak_widget.i18n import Voice
        >>> names = PageNames.hidden(["Ann Lee"], ["lee.json"], "a word", Voice())
        >>> names.text("Ann Lee: Ann gets 3 in lee.json", ["Ann Lee"]), names.text("Ann's file")
        ('Student 9280: Ann gets 3 in file 3224', "Student 9280's file")
        """
        if self._within is None:
            return said
        replaceable = None if people is None else {name.casefold() for name in (*people, *self._files)}
        return self._within.sub(
            lambda match: self._called(match[0]) if replaceable is None or match[0].casefold() in replaceable else match[0], said
        )

    def quoted(self, said: str) -> str:
        """Replace only unambiguous names in a message about an answer: full names and files.

        The message is about a game, whose players may have a student's first name.

        >>> from durak_widget.i18n import Voice
        >>> names = PageNames.hidden(["Ann Lee", "Bob"], ["ann.json"], "a word", Voice())
        >>> names.quoted("Here Ann gets 3, and Bob 1.")
        'Here Ann gets 3, and Bob 1.'
        """
        return self._quoted.sub(lambda match: self._called(match[0]), said) if self._quoted else said

    def _called(self, name: str) -> str:
        return self._said.get(name.casefold(), "…")


def _any_of(names: Iterable[str]) -> re.Pattern[str] | None:
    """Compile a pattern for these names as whole words, the longest first."""
    longest_first = sorted(names, key=len, reverse=True)
    pattern = r"(?<![^\W_])(?:{})(?![^\W_])".format("|".join(map(re.escape, longest_first)))
    return re.compile(pattern, re.IGNORECASE) if longest_first else None


def _told_by(name: str) -> bool:
    """Return whether a name identifies one person or file; a first name alone does not."""
    return len(name.split()) > 1 or any(map(str.isdigit, name)) or "." in name


def _numbers(names: Iterable[str], secret: bytes) -> dict[str, str]:
    """Assign a number to each name, which depends on the name and the secret alone.

    If two start alike, both get more digits until they differ.
    """
    digests = {name: hmac.digest(secret, _plain(name).encode("utf-8", "replace"), "sha256") for name in names}
    full_numbers = {name: f"{int.from_bytes(digest, 'big') % 10**_MOST_DIGITS:0{_MOST_DIGITS}}" for name, digest in digests.items()}
    numbers: dict[str, str] = {}
    for digits in range(_DIGITS, _MOST_DIGITS + 1):
        counts = Counter(number[:digits] for number in full_numbers.values())
        numbers |= {
            name: number[:digits]
            for name, number in full_numbers.items()
            if name not in numbers and (counts[number[:digits]] == 1 or digits == _MOST_DIGITS)
        }
    return numbers


def _plain(name: str) -> str:
    try:
        return known_as(name)
    except DurakError:
        return name
