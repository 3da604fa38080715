"""Names on a teacher's page: as they are, or replaced so that neither the alphabet nor a file's name tells who it is."""

from __future__ import annotations

import hmac
import re
from pathlib import PurePath
from secrets import token_bytes
from typing import TYPE_CHECKING

from durak_widget.classroom.lots import known_as
from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from durak_widget.words import Voice

_SHORTEST = 3
"""A name of fewer letters is not looked for within sentences."""


class Names:
    """What students and their files are called on a page."""

    def __init__(self, students: Iterable[str], files: Iterable[str]) -> None:
        self._students = {name: name for name in students}
        self._files = {name: name for name in files}
        self._within: re.Pattern[str] | None = None
        self._said: dict[str, str] = {}

    @classmethod
    def hidden(cls, students: Iterable[str], files: Iterable[str], key: str, voice: Voice) -> Names:
        """Replaced: the same by the same key in the same class, and without a key new on every page.

        >>> from durak_widget.words import Voice
        >>> names = Names.hidden(["Ann", "Bob"], ["ann.json"], "a word", Voice())
        >>> sorted(map(names.student, ["Ann", "Bob"])), "Ann" in names.text("Ann's file ann.json is cut.")
        (['Student 1', 'Student 2'], False)
        """
        made = cls(students, files)
        secret = key.encode() if key else token_bytes(32)

        def order(name: str) -> bytes:
            return hmac.digest(secret, _plain(name).encode("utf-8", "replace"), "sha256")

        for table, said in ((made._students, "class.report.pseudonym"), (made._files, "class.report.file")):
            wide = len(str(len(table)))
            for place, name in enumerate(sorted(table, key=order), 1):
                table[name] = voice.say(said, number=f"{place:0{wide}}")
        stems = {PurePath(name).stem: called for name, called in made._files.items()}
        words = {part: called for name, called in made._students.items() for part in (name, *name.split())}
        for spoken in (words, made._students, stems, made._files):
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


def _plain(name: str) -> str:
    try:
        return known_as(name)
    except DurakError:
        return name
