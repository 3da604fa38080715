"""The code of a sheet: whose it is, of which paper, which page; short enough to be typed, with a sign by which a wrong one is known."""

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
"""Of digits and letters those that nobody takes for another: 31, which is a prime number."""
LONG: Final = 5
"""So many signs say whose sheet it is: of thirty million such codes two in a class are hardly ever alike."""
MOST_PAGES: Final = 30
"""A paper has no more: of other pages the last sign would not tell."""
_ALIKE: Final = str.maketrans("АВЕКМНРСТУХавекмнрстух", "ABEKMHPCTYXABEKMHPCTYX")
"""Letters of Cyrillic that look like those of a code."""
_DIGITS: Final = str.maketrans("OQIL", "0011")
_CODE: Final = re.compile(rf"([{SIGNS}]{{{LONG}}})([0-9OQIL]{{1,2}})([{SIGNS}])")


class SheetCode(NamedTuple):
    """Whose sheet it is, and which of its pages.

    >>> code = SheetCode("K7QM4", 2)
    >>> code.text, SheetCode.read("k7qm4 2 " + code.text[-1]) == code, SheetCode.read("K7QN4-2-" + code.text[-1])
    ('K7QM4-2-Y', True, None)
    """

    whose: str
    page: int

    @property
    def text(self) -> str:
        """The code as it is printed: whose sheet, the page, and a sign that hangs on all of it."""
        return f"{self.whose}-{self.page}-{self._sign}"

    @property
    def _sign(self) -> str:
        """Each place counts otherwise, and 31 is prime: one wrong sign, or two that were exchanged, give another."""
        total = sum(weight * SIGNS.index(sign) for weight, sign in enumerate(self.whose, 1)) + (LONG + 1) * self.page
        return SIGNS[total % len(SIGNS)]

    @classmethod
    def read(cls, text: str) -> SheetCode | None:
        """A code as somebody typed it, however it is spaced; None of what is none, or has a wrong sign."""
        found = _CODE.fullmatch(plain_code(text))
        if found is None:
            return None
        code = cls(found[1], int(found[2].translate(_DIGITS)))
        return code if 0 < code.page <= MOST_PAGES and code.text.replace("-", "") == found[1] + str(code.page) + found[3] else None


def plain_code(text: str) -> str:
    """What was typed for a code, without what only spaces it.

    >>> plain_code(" k7qm4 – 2 – t ")
    'K7QM42T'
    """
    return re.sub(r"[\s\-–—−.·_']+", "", text[:60].translate(_ALIKE)).upper()


def whose_sheet(assignment: Assignment, student: str) -> str:
    """The signs of a student's sheets: of another paper, edition or choice of questions they are others.

    >>> from durak_widget.homework.assignment import get
    >>> whose_sheet(get("econ431", "2027"), "Ann Lee") == whose_sheet(get("econ431", "2027"), "ann  lee"), len(whose_sheet(get("econ431"), "Ann Lee"))
    (True, 5)
    """
    questions = [question.name for question in assignment.questions]
    said = json.dumps(["paper", assignment.name, assignment.edition, known_as(student), questions])
    number, found = int.from_bytes(sha256(said.encode()).digest(), "big"), ""
    for _ in range(LONG):
        number, place = divmod(number, len(SIGNS))
        found += SIGNS[place]
    return found


def codes_said(facts: Mapping[str, object]) -> tuple[str, ...]:
    """The codes that a sentence about a table tells, as they were typed or are right: a page without names has them no more than names.

    >>> codes_said({"line": 4, "code": "K7QN4-2", "near": "K7QM4-2-Y (Ann)"})
    ('K7QN4-2', 'K7QM4-2-Y')
    """
    near = re.findall(rf"[{SIGNS}]{{{LONG}}}-\d+-[{SIGNS}]", str(facts.get("near", "")))
    return (*([str(facts["code"])] if facts.get("code") else []), *near)


def near_codes(text: str, known: Mapping[str, str]) -> list[tuple[str, str]]:
    """The codes that somebody may have meant who mistyped one: one sign is another, is missing, is too many, or two were exchanged; each with its student.

    >>> near_codes("K7QN4-2-Y", {"K7QM4": "Ann", "ZZZZZ": "Bob"})
    [('K7QM4-2-Y', 'Ann')]
    """
    typed = plain_code(text)
    if not LONG <= len(typed) <= LONG + 4:
        return []
    close: list[tuple[str, str]] = []
    for whose, student in known.items():
        if sum(sign not in typed for sign in whose) > 1:  # one slip takes no more than one sign away
            continue
        for page in range(1, MOST_PAGES + 1):
            code = SheetCode(whose, page).text
            if _is_near(typed, code.replace("-", "")):
                close.append((code, student))
                break
    return close


def _is_near(one: str, other: str) -> bool:
    """Whether one slip of the fingers makes one of the other."""
    if len(one) == len(other):
        apart = [place for place in range(len(one)) if one[place] != other[place]]
        swapped = len(apart) == 2 and apart[1] - apart[0] == 1 and one[apart[0]] == other[apart[1]] and one[apart[1]] == other[apart[0]]
        return len(apart) <= 1 or swapped
    short, long = sorted((one, other), key=len)
    return len(long) - len(short) == 1 and any(long[:place] + long[place + 1 :] == short for place in range(len(long)))


def codes_of(assignment: Assignment, students: Iterable[str]) -> dict[str, str]:
    """Whose the sheets of a class are, by the first signs of their codes."""
    return {whose_sheet(assignment, student): student for student in students}
