"""Assignments and their questions, which make a random instance for every student.

The random generator is seeded from the names of the assignment, edition, student and question, and from the secret if
the edition has one. So an instance is the same whenever and wherever it is made.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Callable, Iterable
from hashlib import sha256
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import normalize

from durak_widget import safe_import_path
from durak_widget.errors import DurakError, nearest, quoted, whole_number
from durak_widget.exercises.answer_parsing import author_text
from durak_widget.exercises.base_exercise import Task, kind_called
from durak_widget.homework.assignment_edition import (
    edition_name,
    is_exact,
    is_wrong_revision,
    parted_edition,
    refuse_without_word,
    revised_name,
    revision_in,
    sealed_edition,
    secret_of,
    word_given,
)
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from durak_widget.exercises.answer_parsing import Text

_KNOWN: Final = {"econ431": "durak_widget.econ431.problem_set"}
"""The assignments that come with the package: each is called ASSIGNMENT in its module."""
ABOUT_DURAK: Final = frozenset(_KNOWN)
"""Names of the assignments about the card game, which their first page says.

Another assignment may be about any game.
"""
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?")
_EDITION: Final = re.compile(r"[A-Za-z0-9 ._-]{0,40}")
_MOST_POINTS: Final = 1000
_MOST: Final = 100
"""Largest number of questions of an assignment."""
_LONGEST: Final = 200
Make = Callable[[Random], Task]
"""Function that draws an instance and returns its exercise, with the key."""


class Question(NamedTuple):
    """A question of an assignment.

    >>> from durak_widget.lessons import Number
    >>> Question("throw", 2, "A throw", lambda rng: Number("How much is 1 + 1?", 2), "number").points
    2
    """

    name: str
    """Lowercase letters, digits and hyphens: it seeds the random numbers, and answers are stored under it."""
    points: int
    title: Text
    make: Make
    kind: str = ""
    """Kind of answer: `number`, `pick`, `sort`, `choose`, `tree`, `matrix`, `strategy`, `position`, `bot`."""
    lead: Text = ""
    """Text above the question in a notebook, in Markdown; see `sheets`."""
    note: Text = ""
    """Advice for the teacher, shown only in the teacher's notebook."""
    drawn_by: str = ""
    """Name that seeds the random numbers instead of the question's own.

    Questions with the same one get the same numbers, so they can be about one game.
    """


class Assignment:
    """Questions with a random instance for each student, the same one every time.

    >>> from durak_widget.lessons import Number
    >>> def sums(rng):
    ...     a, b = rng.randint(10, 99), rng.randint(10, 99)
    ...     return Number(f"How much is {a} + {b}?", a + b)
    >>> homework = Assignment("sums", "Sums", [Question("first", 2, "A sum", sums, "number"), Question("second", 1, "Another", sums, "number")])
    >>> homework.task("first", "Ann").question == homework.task(1, "ann").question, homework.points
    (True, 3)
    >>> homework.task(1, "Ann").question == homework.of("2028").task(1, "Ann").question
    False
    """

    def __init__(
        self, name: str, title: Text, questions: Iterable[Question], edition: str = "", *, later: Iterable[Iterable[Question]] = ()
    ) -> None:
        """Make an assignment; `later` has the questions of revisions 2, 3, ….

        Later revisions ask and grade the same questions differently. The edition says which revision is meant: `"2027
        rev2"`. An edition that names none is of revision 1 for ever, so that what was handed out stays as it was.
        """
        self.name = _checked(name, "an assignment")
        self.title = author_text(title)
        self._revisions = (tuple(questions), *map(tuple, later))
        self.edition = self.edition_named(edition_of(edition))
        """The year or class: each edition has questions of its own."""
        self.questions = self._revisions[self._revision - 1]
        self._secret = b""
        """Bytes derived from the teacher's passphrase; empty if there is none."""
        if not 0 < len(self.questions) <= _MOST:
            raise DurakError(f"an assignment has 1 to {_MOST} questions, and {self.name} has {len(self.questions)}")
        for question in (question for revision in self._revisions for question in revision):
            _check(question)
        names = [question.name for question in self.questions]
        if duplicates := [name for name in names if names.count(name) > 1]:
            raise DurakError(f"two questions of {self.name} are called {duplicates[0]!r}: each needs a name of its own")
        for revision in self._revisions:
            if [(question.name, question.points) for question in revision] != [
                (question.name, question.points) for question in self._revisions[0]
            ]:
                raise DurakError(f"all revisions of {self.name} have the same questions, with the same names and points")

    @property
    def points(self) -> int:
        """Return the points of all questions."""
        return sum(question.points for question in self.questions)

    def of(self, edition: object) -> Assignment:
        """Return this assignment in another edition."""
        return Assignment(self.name, self.title, self._revisions[0], edition_of(edition), later=self._revisions[1:])

    @property
    def _revision(self) -> int:
        """Return the number of the revision that the edition names."""
        number = revision_in(self.edition) if len(self._revisions) > 1 else 0
        if number > len(self._revisions):
            raise DurakError(f"{self.name} has the revisions 1 to {len(self._revisions)}, and the edition {self.edition!r} names another")
        return number or 1

    def edition_named(self, edition: str) -> str:
        """Return the stored name of an edition: `2027 rev1` is `2027` if there are revisions."""
        return edition_name(edition) if len(self._revisions) > 1 else edition

    def every_revision(self) -> tuple[Assignment, ...]:
        """Return this edition in each of its revisions, the first one first."""
        if len(self._revisions) == 1:
            return (self,)
        return tuple(self.of(revised_name(self.edition, number)) for number in range(1, len(self._revisions) + 1))

    def newest(self) -> Assignment:
        """Return this edition in its newest revision."""
        return self.every_revision()[-1]

    def chosen(self, questions: Iterable[object]) -> Assignment:
        """Return an assignment of some of its questions, in their order and renumbered.

        A student's instance of each question stays the same.

        >>> from durak_widget.lessons import Number
        >>> make = lambda rng: Number("How much is 1 + 1?", 2)
        >>> whole = Assignment("sums", "Sums", [Question(name, 1, name, make, "number") for name in ("one", "two", "three")])
        >>> [question.name for question in whole.chosen(["three", 1]).questions]
        ['one', 'three']
        """
        indices = {self.place(question) for question in questions}
        first, *later_revisions = (
            [question for index, question in enumerate(revision) if index in indices] for revision in self._revisions
        )
        chosen_assignment = Assignment(self.name, self.title, first, self.edition, later=later_revisions)
        chosen_assignment._secret = self._secret
        return chosen_assignment

    def with_word(self, word: object) -> Assignment:
        """Return this assignment in the edition that the teacher's passphrase seals.

        Without the passphrase its questions can neither be drawn nor graded.

        >>> from durak_widget.lessons import Number
        >>> homework = Assignment("sums", "Sums", [Question("one", 1, "A sum", lambda rng: Number(f"{rng.random()}?", 2), "number")], "2027")
        >>> sealed = homework.with_word("willow by the brook")
        >>> sealed.edition, sealed.task(1, "Ann").question == homework.task(1, "Ann").question
        ('2027 sealed AADDF', False)
        >>> homework.of(sealed.edition).task(1, "Ann")
        Traceback (most recent call last):
        durak_widget.translated_errors.RefusedError: The questions of the edition “2027 sealed AADDF” are drawn by a word that stays with the teacher: without it they can neither be drawn again nor be marked.
        """
        edition, mark = parted_edition(self.edition)
        derived = secret_of(word_given(word), self.name, edition)
        if mark not in ("", derived.mark):
            raise RefusedError("class.word.other", edition=self.edition)
        sealed_assignment = self.of(sealed_edition(edition, derived.mark))
        sealed_assignment._secret = derived.key
        return sealed_assignment

    def opened(self, word: object = None) -> Assignment:
        """Return this assignment with its passphrase, or refuse if it needs one."""
        if word is not None:
            return self.with_word(word)
        self._require_word()
        return self

    def _require_word(self) -> None:
        if not self._secret:
            refuse_without_word(self.edition)

    def place(self, question: object) -> int:
        """Return the index of a question that is given by its name, or by its number from 1."""
        indices = {record.name: index for index, record in enumerate(self.questions)}
        number = whole_number(question)
        if number is not None and 0 < number <= len(indices):
            return number - 1
        if isinstance(question, str) and question in indices:
            return indices[question]
        raise DurakError(
            f"{self.name} has no question {quoted(question)}; they are numbered from 1 to {len(indices)}, or {', '.join(indices)}."
            f"{nearest(question[:60] if isinstance(question, str) else '', indices)}"
        )

    def task(self, question: object, student: str) -> Task:
        """Return the exercise of this student, with its key; the same one every time."""
        index = self.place(question)
        self._require_word()
        record = self.questions[index]
        exercise = record.make(lots(self.name, self.edition, student, record.drawn_by or record.name, self._secret))
        if not isinstance(exercise, Task):
            raise DurakError(f"the question {record.name!r} made {quoted(exercise)}: it makes an exercise, such as lessons.Number(…)")
        # notebooks say in advance that code may be the answer, so the declared kind has to agree
        for kind in (
            kind_called(exercise.called or exercise.kind),
            kind_called(record.kind),
        ):
            name = kind.called or kind.kind if kind.takes_code else None
            if name is not None and (name != record.kind or not isinstance(exercise, kind)):
                raise DurakError(
                    f"the question {record.name!r} has kind={quoted(record.kind)} and made {quoted(exercise)}: "
                    f"say kind={name!r} of lessons.{kind.__name__}, and of that alone"
                )
        exercise.number = index + 1
        return exercise

    def __repr__(self) -> str:
        edition = f", edition {self.edition!r}" if self.edition else ""
        return f"<Assignment {self.name!r}{edition}: {len(self.questions)} questions, {self.points} points>"


def get(name: str, edition: str = "") -> Assignment:
    """Return an assignment that comes with the package, by its name."""
    if not isinstance(name, str) or name not in _KNOWN:
        raise DurakError(
            f"there is no assignment {quoted(name)}; there is {', '.join(_KNOWN)}. One of your own is given as lessons.Assignment(…), "
            f'or from code as "module:NAME".{nearest(str(name)[:60], _KNOWN)}'
        )
    assignment: Assignment = import_module(_KNOWN[name]).ASSIGNMENT
    return assignment.of(edition) if edition else assignment


def assignment_of(assignment: object, edition: str = "") -> Assignment:
    """Return the assignment that a teacher names.

    It may be an assignment itself, the name of one, or `module:NAME`, which is imported. It must never come from a
    student's file.

    >>> assignment_of("econ413")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: there is no assignment 'econ413'; there is econ431. One of your own is given as lessons.Assignment(…), or from code as "module:NAME". Did you mean 'econ431'?
    """
    if isinstance(assignment, str) and ":" in assignment:
        module_name, _, name = assignment.partition(":")
        try:
            assignment = getattr(import_module(module_name), name)
        except (ImportError, AttributeError, ValueError) as error:
            raise DurakError(f"{quoted(module_name)} gives no assignment {quoted(name)}: {error}") from None
    if isinstance(assignment, Assignment):
        return assignment.of(edition) if edition else assignment
    return get(assignment, edition)  # type: ignore[arg-type] # it says what is no name


def to_hand_out(assignment: object, edition: str = "") -> Assignment:
    """Return an assignment in its newest revision, unless the edition names one.

    >>> to_hand_out("econ431", "2027").edition, to_hand_out("econ431", "2027 rev1").edition
    ('2027 rev2', '2027')
    """
    resolved = assignment_of(assignment, edition)
    return resolved if is_exact(edition or resolved.edition) else resolved.newest()


def as_told(assignment: str) -> str:
    """Prepare the name of an assignment from the command line, and return it.

    A teacher's own module may be in the current folder, which commands don't have on their import path.
    """
    if ":" in assignment:
        safe_import_path.append_current_folder()
    return assignment


def edition_of(edition: object) -> str:
    """Return the name of an edition: a year, or another short text for one class.

    >>> edition_of(2027), edition_of("spring 2027")
    ('2027', 'spring 2027')
    """
    text = str(edition) if isinstance(edition, int) and not isinstance(edition, bool) else edition
    if not isinstance(text, str) or not _EDITION.fullmatch(text):
        raise DurakError(f'an edition is a short text, as in edition="2027", not {quoted(edition)}')
    if is_wrong_revision(text):
        raise DurakError(f'a revision has a number from 1 to 9, as in edition="2027 rev2"; {quoted(edition)} names none')
    return text


def questions_said(questions: object) -> list[object]:
    """Parse a list of questions from the command line: numbers, ranges or names.

    >>> questions_said("1, 3-5,how-likely"), questions_said([1, "moves"])
    ([1, 3, 4, 5, 'how-likely'], [1, 'moves'])
    """
    if not isinstance(questions, str):
        return list(questions) if isinstance(questions, Iterable) else [questions]
    parsed: list[object] = []
    for part in questions.replace(",", " ").split():
        first, _, last = part.partition("-")
        if part.isdecimal():
            parsed.append(int(part))
        elif first.isdecimal() and last.isdecimal() and int(first) <= int(last) <= _MOST:
            parsed += range(int(first), int(last) + 1)
        else:
            parsed.append(part)
    return parsed


def _checked(name: object, what: str) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise DurakError(f"{what} is named by small letters, digits and hyphens, as in 'what-beats-what', not by {quoted(name)}")
    return name


def _check(question: object) -> None:
    """Refuse an invalid question."""
    if not isinstance(question, Question):
        raise DurakError(f"an assignment is made of lessons.Question(name, points, title, make), not of {quoted(question)}")
    _checked(question.name, "a question")
    if question.drawn_by:
        _checked(question.drawn_by, "what lots are drawn by")
    points = whole_number(question.points)
    if points is None or not 0 < points <= _MOST_POINTS:
        raise DurakError(f"the question {question.name!r} has points={quoted(question.points)}: give 1 to {_MOST_POINTS}")
    for text in (question.title, question.lead, question.note):
        author_text(text)
    if not callable(question.make):
        raise DurakError(
            f"the question {question.name!r} is made by a function of its lots, which returns an exercise, not by {quoted(question.make)}"
        )


def lots(assignment: str, edition: str, student: str, question: str, secret: bytes = b"") -> Random:
    """Return the random generator of one student for one question.

    If there is a secret, it can't be worked out without it.

    >>> lots("econ431", "2027", "Ann  Lee", "what-beats-what").random() == lots("econ431", "2027", "ann lee", "what-beats-what").random()
    True
    >>> lots("econ431", "2027", "Ann", "what-beats-what").random() == lots("econ431", "2028", "Ann", "what-beats-what").random()
    False
    """
    names = json.dumps([assignment, edition, known_as(student), question])
    digest = hmac.digest(secret, names.encode(), "sha256") if secret else sha256(names.encode()).digest()
    return Random(int.from_bytes(digest, "big"))


def known_as(student: object) -> str:
    r"""Return the normal form of a student's name, by which names are compared.

    Capital letters, spaces and the composition of accents don't matter.

    >>> known_as("  Żaneta\u00a0 KOWALSKA "), known_as("Straße"), known_as("Е\u0308лкина")
    ('żaneta kowalska', 'strasse', 'ёлкина')
    """
    return " ".join(normalize("NFKC", normalize("NFKC", student_name(student)).casefold()).split())


def student_name(student: object) -> str:
    """Return a student's name for display, or refuse it.

    Any text that fits in one line is allowed, in any script.

    >>> student_name(" 李  明 ")
    '李 明'
    >>> student_name("  ")
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: Type your name between the quotation marks, as in student="Ann Lee": your questions are drawn for it.
    """
    if not isinstance(student, str):
        raise DurakError(f'a student is named by a text, as in student="Ann Lee", not by {quoted(student)}')
    name = " ".join(normalize("NFC", student).split())
    if not any(char.isalnum() for char in name):
        raise RefusedError("class.no_name", example='student="Ann Lee"')
    if len(name) > _LONGEST or not all(char.isprintable() or char in "\u200c\u200d" for char in name):  # joiners are part of some scripts
        raise RefusedError("class.bad_name", most=str(_LONGEST))
    return name
