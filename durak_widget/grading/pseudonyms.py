"""The names on a teacher's page: real names of students and files, or pseudonyms for them.

With pseudonyms, neither the alphabetical order nor a file name shows who a student is.
"""

from __future__ import annotations

import hmac
import re
from collections import Counter
from pathlib import PurePath
from secrets import token_bytes
from typing import TYPE_CHECKING

from durak_widget.errors import DurakError
from durak_widget.homework.assignment import normalize_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.i18n import Translator

_MIN_DIGITS, _MAX_DIGITS = 4, 60
"""The minimum and maximum number of digits in a pseudonym."""
_MIN_NAME_LENGTH = 3
"""A name inside a sentence is replaced by a pseudonym only if it has at least this many characters."""


class DisplayNames:
    """The names of students and files, as a page for the teacher displays them."""

    def __init__(self, students: Iterable[str], files: Iterable[str]) -> None:
        self._students = {name: name for name in students}
        self._files = {name: name for name in files}
        self._name_pattern: re.Pattern[str] | None = None
        self._unambiguous_pattern: re.Pattern[str] | None = None
        self._pseudonyms: dict[str, str] = {}

    @classmethod
    def with_pseudonyms(cls, students: Iterable[str], files: Iterable[str], key: str, voice: Translator) -> DisplayNames:
        """Create pseudonyms from a secret key; without a key, create new random pseudonyms.

        A student's pseudonym does not depend on which other students there are.

        >>> from durak_widget.i18n import Translator
        >>> names = DisplayNames.with_pseudonyms(["Ann", "Bob"], ["ann.json"], "a word", Translator())
        >>> later = DisplayNames.with_pseudonyms(["Ann", "Bob", "Cyd"], [], "a word", Translator())
        >>> names.get_student_name("Ann"), later.get_student_name("Ann"), "Ann" in names.replace_names("Ann's file ann.json is cut.")
        ('Student 5457', 'Student 5457', False)
        """
        page_names = cls(students, files)
        secret = key.encode() if key else token_bytes(32)

        for table, message_key in ((page_names._students, "class.report.pseudonym"), (page_names._files, "class.report.file")):
            for name, number in _assign_numbers(table, secret).items():
                table[name] = voice.translate(message_key, number=number)
        pseudonym_by_stem = {PurePath(name).stem: pseudonym for name, pseudonym in page_names._files.items()}
        pseudonym_by_name_part = {part: pseudonym for name, pseudonym in page_names._students.items() for part in (name, *name.split())}
        # If two dicts have the same name, the pseudonym in the later dict is used
        for names in (pseudonym_by_name_part, pseudonym_by_stem, page_names._students, page_names._files):
            page_names._pseudonyms |= {name.casefold(): pseudonym for name, pseudonym in names.items() if len(name) >= _MIN_NAME_LENGTH}
        page_names._name_pattern = _compile_name_pattern(page_names._pseudonyms)
        page_names._unambiguous_pattern = _compile_name_pattern(
            {name.casefold() for name in (*page_names._students, *page_names._files) if _is_unambiguous(name)}
            & page_names._pseudonyms.keys()
        )
        return page_names

    def get_student_name(self, name: str) -> str:
        """Return the name or the pseudonym of a student."""
        return self._students.get(name, name)

    def get_file_name(self, name: str) -> str:
        """Return the name or the pseudonym of a file."""
        return self._files.get(name) or self.replace_names(name)

    def replace_names(self, text: str, people: Iterable[str] | None = None) -> str:
        """Replace the names in a sentence by pseudonyms.

        If `people` is given, only these names and file names are replaced, since a player of a game may have a student's name.

        >>> from durak_widget.i18n import Translator
        >>> names = DisplayNames.with_pseudonyms(["Ann Lee"], ["lee.json"], "a word", Translator())
        >>> names.replace_names("Ann Lee: Ann gets 3 in lee.json", ["Ann Lee"]), names.replace_names("Ann's file")
        ('Student 9280: Ann gets 3 in file 3224', "Student 9280's file")
        """
        if self._name_pattern is None:
            return text
        replaceable = None if people is None else {name.casefold() for name in (*people, *self._files)}
        return self._name_pattern.sub(
            lambda match: self._find_pseudonym(match[0]) if replaceable is None or match[0].casefold() in replaceable else match[0], text
        )

    def replace_unambiguous_names(self, text: str) -> str:
        """Replace full names and file names in a message by pseudonyms, but keep first names.

        The message is about a game, whose players may have a student's first name.

        >>> from durak_widget.i18n import Translator
        >>> names = DisplayNames.with_pseudonyms(["Ann Lee", "Bob"], ["ann.json"], "a word", Translator())
        >>> names.replace_unambiguous_names("Here Ann gets 3, and Bob 1.")
        'Here Ann gets 3, and Bob 1.'
        """
        return self._unambiguous_pattern.sub(lambda match: self._find_pseudonym(match[0]), text) if self._unambiguous_pattern else text

    def _find_pseudonym(self, name: str) -> str:
        return self._pseudonyms.get(name.casefold(), "…")


def _compile_name_pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    """Compile a regular expression that matches any of several names, as whole words."""
    longest_first = sorted(names, key=len, reverse=True)
    pattern = r"(?<![^\W_])(?:{})(?![^\W_])".format("|".join(map(re.escape, longest_first)))
    return re.compile(pattern, re.IGNORECASE) if longest_first else None


def _is_unambiguous(name: str) -> bool:
    """Return whether a name identifies one person or file, unlike a first name alone."""
    return len(name.split()) > 1 or any(map(str.isdigit, name)) or "." in name


def _assign_numbers(names: Iterable[str], secret: bytes) -> dict[str, str]:
    """Assign a number to each name; a name and a secret always give the same number.

    If two numbers start with equal digits, both get more digits until they differ.
    """
    digests = {name: hmac.digest(secret, _normalize_if_valid(name).encode("utf-8", "replace"), "sha256") for name in names}
    full_numbers = {name: f"{int.from_bytes(digest, 'big') % 10**_MAX_DIGITS:0{_MAX_DIGITS}}" for name, digest in digests.items()}
    numbers: dict[str, str] = {}
    for digits in range(_MIN_DIGITS, _MAX_DIGITS + 1):
        counts = Counter(number[:digits] for number in full_numbers.values())
        numbers |= {
            name: number[:digits]
            for name, number in full_numbers.items()
            if name not in numbers and (counts[number[:digits]] == 1 or digits == _MAX_DIGITS)
        }
    return numbers


def _normalize_if_valid(name: str) -> str:
    """Return a student's name in its normal form; return any other text unchanged."""
    try:
        return normalize_name(name)
    except DurakError:
        return name
