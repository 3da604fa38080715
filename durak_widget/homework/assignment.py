"""Defines an assignment and its questions, which make a random instance for every student.

The random generator is seeded from the names of the assignment, edition, student and question, and from the
secret if the edition has one. So an instance is the same whenever and wherever it is made.
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
"""Those whose questions are about the card game, which is said where they begin; an assignment of somebody's own may be about any game."""
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?")
_EDITION: Final = re.compile(r"[A-Za-z0-9 ._-]{0,40}")
_MOST_POINTS: Final = 1000
_MOST: Final = 100
"""So many questions an assignment may have."""
_LONGEST: Final = 200
Make = Callable[[Random], Task]
"""Draws an instance, and gives the exercise that asks it, with its key."""


class Question(NamedTuple):
    """A question of an assignment.

    >>> from durak_widget.lessons import Number
    >>> Question("throw", 2, "A throw", lambda lots: Number("How much is 1 + 1?", 2), "number").points
    2
    """

    name: str
    """Small letters, digits and hyphens: lots are drawn by it, and answers kept under it."""
    points: int
    title: Text
    make: Make
    kind: str = ""
    """What is done there: `number`, `pick`, `sort`, `choose`, `tree`, `matrix`, `strategy`, `position`, `bot`."""
    lead: Text = ""
    """What stands above the question in a notebook, in Markdown; see `sheets`."""
    note: Text = ""
    """What a teacher should know of it, which only the teacher's notebook has."""
    drawn_by: str = ""
    """By which name lots are drawn: questions of one such name get the same, and may be about one game; nothing: by its own."""


class Assignment:
    """Questions that ask each student something else, and the same student the same again.

    >>> from durak_widget.lessons import Number
    >>> def sums(lots):
    ...     a, b = lots.randint(10, 99), lots.randint(10, 99)
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
        """Make an assignment; `later` has the same questions as revisions 2, 3, … ask and mark them.

        The edition says which revision is meant: `"2027 rev2"`. One that names none is of revision 1 for ever, so that what was handed out stays as it was.
        """
        self.name = _checked(name, "an assignment")
        self.title = author_text(title)
        self._revisions = (tuple(questions), *map(tuple, later))
        self.edition = self.edition_named(edition_of(edition))
        """In another year, other questions are drawn."""
        self.questions = self._revisions[self._revision - 1]
        self._secret = b""
        """What comes of a word that stays with the teacher."""
        if not 0 < len(self.questions) <= _MOST:
            raise DurakError(f"an assignment has 1 to {_MOST} questions, and {self.name} has {len(self.questions)}")
        for question in (one for revised in self._revisions for one in revised):
            _check(question)
        names = [question.name for question in self.questions]
        if twice := [name for name in names if names.count(name) > 1]:
            raise DurakError(f"two questions of {self.name} are called {twice[0]!r}: each needs a name of its own")
        for revised in self._revisions:
            if [(one.name, one.points) for one in revised] != [(one.name, one.points) for one in self._revisions[0]]:
                raise DurakError(f"all revisions of {self.name} have the same questions, with the same names and points")

    @property
    def points(self) -> int:
        """The points of all questions."""
        return sum(question.points for question in self.questions)

    def of(self, edition: object) -> Assignment:
        """This assignment in another year."""
        return Assignment(self.name, self.title, self._revisions[0], edition_of(edition), later=self._revisions[1:])

    @property
    def _revision(self) -> int:
        """Which revision the edition names."""
        number = revision_in(self.edition) if len(self._revisions) > 1 else 0
        if number > len(self._revisions):
            raise DurakError(f"{self.name} has the revisions 1 to {len(self._revisions)}, and the edition {self.edition!r} names another")
        return number or 1

    def edition_named(self, edition: str) -> str:
        """Return the name under which an edition is kept: `2027 rev1` is the plain `2027`, where there are revisions."""
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
        """Some of its questions alone, in their order and numbered anew: the same that a student is asked in the whole.

        >>> from durak_widget.lessons import Number
        >>> make = lambda lots: Number("How much is 1 + 1?", 2)
        >>> whole = Assignment("sums", "Sums", [Question(name, 1, name, make, "number") for name in ("one", "two", "three")])
        >>> [one.name for one in whole.chosen(["three", 1]).questions]
        ['one', 'three']
        """
        places = {self.place(question) for question in questions}
        first, *later = ([one for place, one in enumerate(revised) if place in places] for revised in self._revisions)
        made = Assignment(self.name, self.title, first, self.edition, later=later)
        made._secret = self._secret
        return made

    def with_word(self, word: object) -> Assignment:
        """This assignment in the edition of a word, which stays with the teacher: without it nobody draws its questions, or marks them.

        >>> from durak_widget.lessons import Number
        >>> homework = Assignment("sums", "Sums", [Question("one", 1, "A sum", lambda lots: Number(f"{lots.random()}?", 2), "number")], "2027")
        >>> sealed = homework.with_word("willow by the brook")
        >>> sealed.edition, sealed.task(1, "Ann").question == homework.task(1, "Ann").question
        ('2027 sealed AADDF', False)
        >>> homework.of(sealed.edition).task(1, "Ann")
        Traceback (most recent call last):
        durak_widget.translated_errors.RefusedError: The questions of the edition “2027 sealed AADDF” are drawn by a word that stays with the teacher: without it they can neither be drawn again nor be marked.
        """
        edition, mark = parted_edition(self.edition)
        found = secret_of(word_given(word), self.name, edition)
        if mark not in ("", found.mark):
            raise RefusedError("class.word.other", edition=self.edition)
        made = self.of(sealed_edition(edition, found.mark))
        made._secret = found.key
        return made

    def opened(self, word: object = None) -> Assignment:
        """This assignment, so that its questions can be drawn: with its word, where it has one; refused without."""
        if word is not None:
            return self.with_word(word)
        self._require_word()
        return self

    def _require_word(self) -> None:
        if not self._secret:
            refuse_without_word(self.edition)

    def place(self, question: object) -> int:
        """Which question that is: by its name or its number, from 1 on."""
        known = {one.name: place for place, one in enumerate(self.questions)}
        number = whole_number(question)
        if number is not None and 0 < number <= len(known):
            return number - 1
        if isinstance(question, str) and question in known:
            return known[question]
        raise DurakError(
            f"{self.name} has no question {quoted(question)}; they are numbered from 1 to {len(known)}, or {', '.join(known)}."
            f"{nearest(question[:60] if isinstance(question, str) else '', known)}"
        )

    def task(self, question: object, student: str) -> Task:
        """What this student is asked there: the exercise with its key, the same each time it is made."""
        place = self.place(question)
        self._require_word()
        one = self.questions[place]
        task = one.make(lots(self.name, self.edition, student, one.drawn_by or one.name, self._secret))
        if not isinstance(task, Task):
            raise DurakError(f"the question {one.name!r} made {quoted(task)}: it makes an exercise, such as lessons.Number(…)")
        for kind in (
            kind_called(task.called or task.kind),
            kind_called(one.kind),
        ):  # that a program may answer it is known before it is made
            name = kind.called or kind.kind if kind.takes_code else None
            if name is not None and (name != one.kind or not isinstance(task, kind)):
                raise DurakError(
                    f"the question {one.name!r} has kind={quoted(one.kind)} and made {quoted(task)}: "
                    f"say kind={name!r} of lessons.{kind.__name__}, and of that alone"
                )
        task.number = place + 1
        return task

    def __repr__(self) -> str:
        edition = f", edition {self.edition!r}" if self.edition else ""
        return f"<Assignment {self.name!r}{edition}: {len(self.questions)} questions, {self.points} points>"


def get(name: str, edition: str = "") -> Assignment:
    """An assignment that comes with the package, by its name."""
    if not isinstance(name, str) or name not in _KNOWN:
        raise DurakError(
            f"there is no assignment {quoted(name)}; there is {', '.join(_KNOWN)}. One of your own is given as lessons.Assignment(…), "
            f'or from code as "module:NAME".{nearest(str(name)[:60], _KNOWN)}'
        )
    found: Assignment = import_module(_KNOWN[name]).ASSIGNMENT
    return found.of(edition) if edition else found


def assignment_of(assignment: object, edition: str = "") -> Assignment:
    """An assignment as a teacher names it: itself, by its name, or as `module:NAME`, which is imported; never what a file of a student's names.

    >>> assignment_of("econ413")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: there is no assignment 'econ413'; there is econ431. One of your own is given as lessons.Assignment(…), or from code as "module:NAME". Did you mean 'econ431'?
    """
    if isinstance(assignment, str) and ":" in assignment:
        module, _, name = assignment.partition(":")
        try:
            assignment = getattr(import_module(module), name)
        except (ImportError, AttributeError, ValueError) as error:
            raise DurakError(f"{quoted(module)} gives no assignment {quoted(name)}: {error}") from None
    if isinstance(assignment, Assignment):
        return assignment.of(edition) if edition else assignment
    return get(assignment, edition)  # type: ignore[arg-type] # it says what is no name


def to_hand_out(assignment: object, edition: str = "") -> Assignment:
    """Return an assignment as it is handed out today: in its newest revision, unless the edition names one.

    >>> to_hand_out("econ431", "2027").edition, to_hand_out("econ431", "2027 rev1").edition
    ('2027 rev2', '2027')
    """
    own = assignment_of(assignment, edition)
    return own if is_exact(edition or own.edition) else own.newest()


def as_told(assignment: str) -> str:
    """An assignment as a command was told it: a module of the teacher's own may lie in the current folder, which no command has on its path."""
    if ":" in assignment:
        safe_import_path.append_current_folder()
    return assignment


def edition_of(edition: object) -> str:
    """A year, or whatever else tells one class from the next.

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
    """Questions as they are named on a command line: by numbers, by spans of numbers, by names.

    >>> questions_said("1, 3-5,how-likely"), questions_said([1, "moves"])
    ([1, 3, 4, 5, 'how-likely'], [1, 'moves'])
    """
    if not isinstance(questions, str):
        return list(questions) if isinstance(questions, Iterable) else [questions]
    found: list[object] = []
    for part in questions.replace(",", " ").split():
        first, _, last = part.partition("-")
        if part.isdecimal():
            found.append(int(part))
        elif first.isdecimal() and last.isdecimal() and int(first) <= int(last) <= _MOST:
            found += range(int(first), int(last) + 1)
        else:
            found.append(part)
    return found


def _checked(name: object, what: str) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise DurakError(f"{what} is named by small letters, digits and hyphens, as in 'what-beats-what', not by {quoted(name)}")
    return name


def _check(question: object) -> None:
    """Refuse what is no question."""
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
    """The lots of one student for one question; where there is a secret, nobody draws them without it.

    >>> lots("econ431", "2027", "Ann  Lee", "what-beats-what").random() == lots("econ431", "2027", "ann lee", "what-beats-what").random()
    True
    >>> lots("econ431", "2027", "Ann", "what-beats-what").random() == lots("econ431", "2028", "Ann", "what-beats-what").random()
    False
    """
    names = json.dumps([assignment, edition, known_as(student), question])
    found = hmac.digest(secret, names.encode(), "sha256") if secret else sha256(names.encode()).digest()
    return Random(int.from_bytes(found, "big"))


def known_as(student: object) -> str:
    r"""A student's name as it counts: however it is written large or small, spaced or composed.

    >>> known_as("  Żaneta\u00a0 KOWALSKA "), known_as("Straße"), known_as("Е\u0308лкина")
    ('żaneta kowalska', 'strasse', 'ёлкина')
    """
    return " ".join(normalize("NFKC", normalize("NFKC", student_name(student)).casefold()).split())


def student_name(student: object) -> str:
    """A student's name as it is shown: any text that can be written in a line, in any script.

    >>> student_name(" 李  明 ")
    '李 明'
    >>> student_name("  ")
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: Type your name between the quotation marks, as in student="Ann Lee": your questions are drawn for it.
    """
    if not isinstance(student, str):
        raise DurakError(f'a student is named by a text, as in student="Ann Lee", not by {quoted(student)}')
    name = " ".join(normalize("NFC", student).split())
    if not any(sign.isalnum() for sign in name):
        raise RefusedError("class.no_name", example='student="Ann Lee"')
    if len(name) > _LONGEST or not all(sign.isprintable() or sign in "\u200c\u200d" for sign in name):  # joiners are part of some scripts
        raise RefusedError("class.bad_name", most=str(_LONGEST))
    return name
