"""The code on each exam sheet, which says whose page it is and which.

It is short enough to be typed, and ends with a check character that reveals typing errors.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.homework.assignment import known_as

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from durak_widget.homework.assignment import Assignment

SIGNS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The characters of a code: no two look alike, and there are 31, a prime number."""
LONG: Final = 5
"""The number of characters that identify a student; they allow nearly thirty million codes."""
MOST_PAGES: Final = 30
"""The most pages of an exam; the check character does not protect larger numbers."""
_ALIKE: Final = str.maketrans("АВЕКМНРСТУХавекмнрстух", "ABEKMHPCTYXABEKMHPCTYX")
"""Cyrillic letters that look like those of a code."""
_DIGITS: Final = str.maketrans("OQIL", "0011")
_CODE: Final = re.compile(rf"([{SIGNS}]{{{LONG}}})([0-9OQIL]{{1,2}})([{SIGNS}])")


class SheetCode(NamedTuple):
    """The code of one page of one student.

    >>> code = SheetCode("K7QM4", 2)
    >>> code.text, SheetCode.read("k7qm4 2 " + code.text[-1]) == code, SheetCode.read("K7QN4-2-" + code.text[-1])
    ('K7QM4-2-Y', True, None)
    """

    whose: str
    page: int

    @property
    def text(self) -> str:
        """Return the code as it is printed: prefix, page and check character."""
        return f"{self.whose}-{self.page}-{self._sign}"

    @property
    def _sign(self) -> str:
        """Return the check character.

        Each position has its own weight and 31 is prime, so that one wrong character, or two exchanged ones, change
        it.
        """
        total = sum(weight * SIGNS.index(character) for weight, character in enumerate(self.whose, 1)) + (LONG + 1) * self.page
        return SIGNS[total % len(SIGNS)]

    @classmethod
    def read(cls, text: str) -> SheetCode | None:
        """Return the code that was typed; None if it is not a code or has a typing error."""
        match = _CODE.fullmatch(plain_code(text))
        if match is None:
            return None
        code = cls(match[1], int(match[2].translate(_DIGITS)))
        return code if 0 < code.page <= MOST_PAGES and code.text.replace("-", "") == match[1] + str(code.page) + match[3] else None


def plain_code(text: str) -> str:
    """Return a typed code in capitals, without spaces and dashes.

    >>> plain_code(" k7qm4 – 2 – t ")
    'K7QM42T'
    """
    return re.sub(r"[\s\-–—−.·_']+", "", text[:60].translate(_ALIKE)).upper()


def whose_sheet(assignment: Assignment, student: str) -> str:
    """Return the first characters of the codes of a student's sheets.

    They differ for another exam, edition or choice of questions.

    >>> from durak_widget.homework.assignment import get
    >>> whose_sheet(get("econ431", "2027"), "Ann Lee") == whose_sheet(get("econ431", "2027"), "ann  lee"), len(whose_sheet(get("econ431"), "Ann Lee"))
    (True, 5)
    """
    questions = [question.name for question in assignment.questions]
    key = json.dumps(["paper", assignment.name, assignment.edition, known_as(student), questions])
    number, prefix = int.from_bytes(sha256(key.encode()).digest(), "big"), ""
    for _ in range(LONG):
        number, index = divmod(number, len(SIGNS))
        prefix += SIGNS[index]
    return prefix


def codes_said(facts: Mapping[str, object]) -> tuple[str, ...]:
    """Return the codes in the facts of a message, as typed or corrected.

    A page without names must not show them, since they identify students.

    >>> codes_said({"line": 4, "code": "K7QN4-2", "near": "K7QM4-2-Y (Ann)"})
    ('K7QN4-2', 'K7QM4-2-Y')
    """
    near = re.findall(rf"[{SIGNS}]{{{LONG}}}-\d+-[{SIGNS}]", str(facts.get("near", "")))
    return (*([str(facts["code"])] if facts.get("code") else []), *near)


def near_codes(text: str, known: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the codes one typing error away from a text, each with its student.

    A typing error is a wrong, missing or additional character, or two exchanged ones.

    >>> near_codes("K7QN4-2-Y", {"K7QM4": "Ann", "ZZZZZ": "Bob"})
    [('K7QM4-2-Y', 'Ann')]
    """
    typed = plain_code(text)
    if not LONG <= len(typed) <= LONG + 4:
        return []
    near: list[tuple[str, str]] = []
    for prefix, student in known.items():
        if sum(character not in typed for character in prefix) > 1:  # one typing error removes at most one character
            continue
        for page in range(1, MOST_PAGES + 1):
            code = SheetCode(prefix, page).text
            if _is_near(typed, code.replace("-", "")):
                near.append((code, student))
                break
    return near


def _is_near(one: str, other: str) -> bool:
    """Return whether one typing error turns one text into the other."""
    if len(one) == len(other):
        differences = [index for index in range(len(one)) if one[index] != other[index]]
        swapped = (
            len(differences) == 2
            and differences[1] - differences[0] == 1
            and one[differences[0]] == other[differences[1]]
            and one[differences[1]] == other[differences[0]]
        )
        return len(differences) <= 1 or swapped
    short, long = sorted((one, other), key=len)
    return len(long) - len(short) == 1 and any(long[:index] + long[index + 1 :] == short for index in range(len(long)))


def codes_of(assignment: Assignment, students: Iterable[str]) -> dict[str, str]:
    """Return the student of each code prefix of a class."""
    return {whose_sheet(assignment, student): student for student in students}
