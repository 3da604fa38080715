"""Defines the code on an exam page, which identifies the student and the page number.

It is short enough to be typed, and ends with a check character that reveals typing errors.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.homework.assignment import normalize_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from durak_widget.homework.assignment import Assignment

CODE_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The 31 characters that may occur in a code. No two look alike, and the check character needs a prime number of
characters."""
PREFIX_LENGTH: Final = 5
"""The number of characters in a code that identify the student; there are 28 million combinations."""
MAX_PAGES: Final = 30
"""The maximum number of pages of a student's exam; with more pages, the check character could miss typing errors."""
_CYRILLIC_LOOKALIKES: Final = str.maketrans("АВЕКМНРСТУХавекмнрстух", "ABEKMHPCTYXABEKMHPCTYX")
"""Maps each Cyrillic letter that looks like a Latin letter to that Latin letter."""
_DIGIT_LOOKALIKES: Final = str.maketrans("OQIL", "0011")
_CODE_PATTERN: Final = re.compile(rf"([{CODE_ALPHABET}]{{{PREFIX_LENGTH}}})([0-9OQIL]{{1,2}})([{CODE_ALPHABET}])")


class SheetCode(NamedTuple):
    """The code that is printed on one exam page of one student.

    >>> code = SheetCode("K7QM4", 2)
    >>> code.text, SheetCode.parse("k7qm4 2 " + code.text[-1]) == code, SheetCode.parse("K7QN4-2-" + code.text[-1])
    ('K7QM4-2-Y', True, None)
    """

    prefix: str
    page: int

    @property
    def text(self) -> str:
        """Return the code as printed: student, page number and check character."""
        return f"{self.prefix}-{self.page}-{self._check_character}"

    @property
    def _check_character(self) -> str:
        """Return the last character of the code, by which a typing error is found.

        Each position has its own weight and 31 is prime, so that one wrong character, or two exchanged ones, change
        it.
        """
        total = (
            sum(weight * CODE_ALPHABET.index(character) for weight, character in enumerate(self.prefix, 1))
            + (PREFIX_LENGTH + 1) * self.page
        )
        return CODE_ALPHABET[total % len(CODE_ALPHABET)]

    @classmethod
    def parse(cls, text: str) -> SheetCode | None:
        """Parse a code that a teacher typed; return None if it is not a correct code."""
        match = _CODE_PATTERN.fullmatch(normalize_code(text))
        if match is None:
            return None
        code = cls(match[1], int(match[2].translate(_DIGIT_LOOKALIKES)))
        return code if 0 < code.page <= MAX_PAGES and code.text.replace("-", "") == match[1] + str(code.page) + match[3] else None


def normalize_code(text: str) -> str:
    """Convert a typed page code to capital letters without spaces and dashes.

    >>> normalize_code(" k7qm4 – 2 – t ")
    'K7QM42T'
    """
    return re.sub(r"[\s\-–—−.·_']+", "", text[:60].translate(_CYRILLIC_LOOKALIKES)).upper()


def build_code_prefix(assignment: Assignment, student: str) -> str:
    """Return the first characters of the codes on all exam pages of a student.

    They differ for another exam, edition or choice of questions.

    >>> from durak_widget.homework.assignment import get_assignment
    >>> build_code_prefix(get_assignment("econ431", "2027"), "Ann Lee") == build_code_prefix(get_assignment("econ431", "2027"), "ann  lee"), len(build_code_prefix(get_assignment("econ431"), "Ann Lee"))
    (True, 5)
    """
    questions = [question.name for question in assignment.questions]
    key = json.dumps(["paper", assignment.name, assignment.edition, normalize_name(student), questions])
    number, prefix = int.from_bytes(sha256(key.encode()).digest(), "big"), ""
    for _ in range(PREFIX_LENGTH):
        number, index = divmod(number, len(CODE_ALPHABET))
        prefix += CODE_ALPHABET[index]
    return prefix


def list_mentioned_codes(facts: Mapping[str, object]) -> tuple[str, ...]:
    """Return all page codes that a message about a typing error contains.

    `facts` has the values in the message: the typed code, and correct codes that are similar.

    A page without names must not show them, since they identify students.

    >>> list_mentioned_codes({"line": 4, "code": "K7QN4-2", "near": "K7QM4-2-Y (Ann)"})
    ('K7QN4-2', 'K7QM4-2-Y')
    """
    near = re.findall(rf"[{CODE_ALPHABET}]{{{PREFIX_LENGTH}}}-\d+-[{CODE_ALPHABET}]", str(facts.get("near", "")))
    return (*([str(facts["code"])] if facts.get("code") else []), *near)


def find_near_codes(text: str, student_by_prefix: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the page codes, with their students, that differ from `text` by a typing error.

    A typing error is a wrong, missing or additional character, or two exchanged ones.

    >>> find_near_codes("K7QN4-2-Y", {"K7QM4": "Ann", "ZZZZZ": "Bob"})
    [('K7QM4-2-Y', 'Ann')]
    """
    typed = normalize_code(text)
    if not PREFIX_LENGTH <= len(typed) <= PREFIX_LENGTH + 4:
        return []
    near: list[tuple[str, str]] = []
    for prefix, student in student_by_prefix.items():
        if sum(character not in typed for character in prefix) > 1:  # One typing error can change at most one character of the prefix
            continue
        for page in range(1, MAX_PAGES + 1):
            code = SheetCode(prefix, page).text
            if _is_one_typo_apart(typed, code.replace("-", "")):
                near.append((code, student))
                break
    return near


def _is_one_typo_apart(first: str, second: str) -> bool:
    """Return whether one typing error can turn one text into the other."""
    if len(first) == len(second):
        differences = [index for index in range(len(first)) if first[index] != second[index]]
        swapped = (
            len(differences) == 2
            and differences[1] - differences[0] == 1
            and first[differences[0]] == second[differences[1]]
            and first[differences[1]] == second[differences[0]]
        )
        return len(differences) <= 1 or swapped
    short, long = sorted((first, second), key=len)
    return len(long) - len(short) == 1 and any(long[:index] + long[index + 1 :] == short for index in range(len(long)))


def map_prefixes_to_students(assignment: Assignment, students: Iterable[str]) -> dict[str, str]:
    """Return a dict that finds the student for the first characters of a page code."""
    return {build_code_prefix(assignment, student): student for student in students}
