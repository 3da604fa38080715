"""Assignments, whose questions are drawn at random for each student.

The random generator is seeded from the names of the assignment, edition, student and question, and from the edition's secret if there
is one. So a student's version of a question is the same whenever and wherever it is created.
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
from durak_widget.errors import DurakError, as_whole_number, short_repr, suggest_nearest
from durak_widget.exercises.answer_parsing import require_text
from durak_widget.exercises.base_exercise import Task, find_exercise_class
from durak_widget.homework.assignment_edition import (
    derive_secret,
    format_sealed_edition,
    has_fixed_revision,
    is_invalid_revision,
    name_revision,
    normalize_edition_name,
    parse_revision,
    read_passphrase,
    require_unsealed_edition,
    split_edition,
)
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from durak_widget.exercises.answer_parsing import Text

_ASSIGNMENT_MODULES: Final = {"econ431": "durak_widget.econ431.problem_set"}
"""The module that defines each assignment of the package as `ASSIGNMENT`, by name."""
DURAK_ASSIGNMENTS: Final = frozenset(_ASSIGNMENT_MODULES)
"""The names of assignments about Durak; only their notebooks explain the card game.

Another assignment may be about any game.
"""
_NAME_PATTERN: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?")
_EDITION_PATTERN: Final = re.compile(r"[A-Za-z0-9 ._-]{0,40}")
_MAX_POINTS: Final = 1000
_MAX_QUESTIONS: Final = 100
"""The maximum number of questions in an assignment."""
_MAX_NAME_LENGTH: Final = 200
ExerciseFactory = Callable[[Random], Task]
"""A function that draws one random version of a question, as an exercise."""


class Question(NamedTuple):
    """A question of an assignment.

    >>> from durak_widget.lessons import Number
    >>> Question("throw", 2, "A throw", lambda rng: Number("How much is 1 + 1?", 2), "number").points
    2
    """

    name: str
    """The question's name: lowercase letters, digits and hyphens.

    It seeds the random numbers and identifies the stored answer.
    """
    points: int
    title: Text
    make: ExerciseFactory
    kind: str = ""
    """The type of the exercise, such as `number`, `pick`, `tree` or `bot`."""
    lead: Text = ""
    """The Markdown text above the question in a notebook."""
    note: Text = ""
    """Advice for the teacher, which is shown only in the teacher's notebook."""
    seed_name: str = ""
    """The name that seeds the question's random numbers; if empty, `name` does.

    Questions with the same seed name get the same random numbers, so they can be about one game.
    """


class Assignment:
    """An assignment, which always gives the same student the same random questions.

    >>> from durak_widget.lessons import Number
    >>> def sums(rng):
    ...     a, b = rng.randint(10, 99), rng.randint(10, 99)
    ...     return Number(f"How much is {a} + {b}?", a + b)
    >>> homework = Assignment("sums", "Sums", [Question("first", 2, "A sum", sums, "number"), Question("second", 1, "Another", sums, "number")])
    >>> homework.create_exercise("first", "Ann").question == homework.create_exercise(1, "ann").question, homework.points
    (True, 3)
    >>> homework.create_exercise(1, "Ann").question == homework.with_edition("2028").create_exercise(1, "Ann").question
    False
    """

    def __init__(
        self,
        name: str,
        title: Text,
        questions: Iterable[Question],
        edition: str = "",
        *,
        later_revisions: Iterable[Iterable[Question]] = (),
    ) -> None:
        """Create an assignment; `later_revisions` lists the questions of revisions 2, 3, ….

        Later revisions ask and grade the same questions differently. The edition names the revision: `"2027 rev2"`. An edition that
        names no revision always has revision 1, so that questions that were handed out never change.
        """
        self.name = _require_name(name, "an assignment")
        self.title = require_text(title)
        self._revisions = (tuple(questions), *map(tuple, later_revisions))
        self.edition = self.normalize_edition(parse_edition(edition))
        """The year or class; each edition has its own random questions."""
        self.questions = self._revisions[self._revision_number - 1]
        self._secret = b""
        """Bytes derived from the teacher's passphrase; empty if there is no passphrase."""
        if not 0 < len(self.questions) <= _MAX_QUESTIONS:
            raise DurakError(f"an assignment must have 1 to {_MAX_QUESTIONS} questions, but {self.name} has {len(self.questions)}")
        for question in (question for revision in self._revisions for question in revision):
            _require_valid_question(question)
        names = [question.name for question in self.questions]
        if duplicates := [name for name in names if names.count(name) > 1]:
            raise DurakError(f"two questions of {self.name} have the name {duplicates[0]!r}; give each its own name")
        for revision in self._revisions:
            if [(question.name, question.points) for question in revision] != [
                (question.name, question.points) for question in self._revisions[0]
            ]:
                raise DurakError(f"all revisions of {self.name} must have the same questions, with the same names and points")

    @property
    def points(self) -> int:
        """Return the total points of all questions."""
        return sum(question.points for question in self.questions)

    def with_edition(self, edition: object) -> Assignment:
        """Return the assignment for another edition (year or class), with other random questions."""
        return Assignment(self.name, self.title, self._revisions[0], parse_edition(edition), later_revisions=self._revisions[1:])

    @property
    def _revision_number(self) -> int:
        """Return the revision number in an edition's name, or 1 if the name contains none."""
        number = parse_revision(self.edition) if len(self._revisions) > 1 else 0
        if number > len(self._revisions):
            raise DurakError(
                f"{self.name} has revisions 1 to {len(self._revisions)}, but the edition {self.edition!r} asks for another one"
            )
        return number or 1

    def normalize_edition(self, edition: str) -> str:
        """Return the name under which an edition is stored: `2027 rev1` is stored as `2027`."""
        return normalize_edition_name(edition) if len(self._revisions) > 1 else edition

    def list_revisions(self) -> tuple[Assignment, ...]:
        """Return all revisions of the assignment, for the same edition (year or class)."""
        if len(self._revisions) == 1:
            return (self,)
        return tuple(self.with_edition(name_revision(self.edition, number)) for number in range(1, len(self._revisions) + 1))

    def get_newest_revision(self) -> Assignment:
        """Return the newest revision of the assignment, for the same edition (year or class)."""
        return self.list_revisions()[-1]

    def select_questions(self, questions: Iterable[object]) -> Assignment:
        """Return an assignment with only the given questions, in the old order with new numbers.

        A student's random version of each question stays the same.

        >>> from durak_widget.lessons import Number
        >>> make = lambda rng: Number("How much is 1 + 1?", 2)
        >>> whole = Assignment("sums", "Sums", [Question(name, 1, name, make, "number") for name in ("one", "two", "three")])
        >>> [question.name for question in whole.select_questions(["three", 1]).questions]
        ['one', 'three']
        """
        indices = {self.find_question_index(question) for question in questions}
        first, *later_revisions = (
            [question for index, question in enumerate(revision) if index in indices] for revision in self._revisions
        )
        chosen_assignment = Assignment(self.name, self.title, first, self.edition, later_revisions=later_revisions)
        chosen_assignment._secret = self._secret
        return chosen_assignment

    def with_passphrase(self, passphrase: object) -> Assignment:
        """Return the assignment in an edition whose random questions depend on a passphrase.

        Without the passphrase, its questions can neither be drawn nor graded.

        >>> from durak_widget.lessons import Number
        >>> homework = Assignment("sums", "Sums", [Question("one", 1, "A sum", lambda rng: Number(f"{rng.random()}?", 2), "number")], "2027")
        >>> sealed = homework.with_passphrase("willow by the brook")
        >>> sealed.edition, sealed.create_exercise(1, "Ann").question == homework.create_exercise(1, "Ann").question
        ('2027 sealed AADDF', False)
        >>> homework.with_edition(sealed.edition).create_exercise(1, "Ann")
        Traceback (most recent call last):
        durak_widget.translated_errors.RefusedError: The questions of the edition “2027 sealed AADDF” depend on the teacher's passphrase (a secret word). Without it, nobody can create them again or mark them.
        """
        edition, fingerprint = split_edition(self.edition)
        secret = derive_secret(read_passphrase(passphrase), self.name, edition)
        if fingerprint not in ("", secret.fingerprint):
            raise RefusedError("class.word.other", edition=self.edition)
        sealed_assignment = self.with_edition(format_sealed_edition(edition, secret.fingerprint))
        sealed_assignment._secret = secret.key
        return sealed_assignment

    def unlock(self, passphrase: object = None) -> Assignment:
        """Return the assignment, unlocked with `passphrase` if its edition needs a passphrase.

        Raises an error if the passphrase is needed but missing.
        """
        if passphrase is not None:
            return self.with_passphrase(passphrase)
        self._require_passphrase()
        return self

    def _require_passphrase(self) -> None:
        """Raise an error if the edition needs a passphrase that was not given."""
        if not self._secret:
            require_unsealed_edition(self.edition)

    def find_question_index(self, question: object) -> int:
        """Return the index of a question, given its name or its number (from 1)."""
        indices = {record.name: index for index, record in enumerate(self.questions)}
        number = as_whole_number(question)
        if number is not None and 0 < number <= len(indices):
            return number - 1
        if isinstance(question, str) and question in indices:
            return indices[question]
        raise DurakError(
            f"{self.name} has no question {short_repr(question)}; give a number from 1 to {len(indices)}, or one of {', '.join(indices)}.{suggest_nearest(question[:60] if isinstance(question, str) else '', indices)}"
        )

    def create_exercise(self, question: object, student: str) -> Task:
        """Return a student's exercise for a question, including the answer key.

        Every call returns an equal exercise.
        """
        index = self.find_question_index(question)
        self._require_passphrase()
        record = self.questions[index]
        exercise = record.make(create_question_rng(self.name, self.edition, student, record.seed_name or record.name, self._secret))
        if not isinstance(exercise, Task):
            raise DurakError(
                f"the question {record.name!r} made {short_repr(exercise)}; its function must return an exercise, such as lessons.Number(…)"
            )
        # Notebooks say which questions accept code, judging only by `Question.kind`; so an exercise of another kind is an error
        for exercise_class in (
            find_exercise_class(exercise.assignment_kind or exercise.kind),
            find_exercise_class(record.kind),
        ):
            kind = exercise_class.assignment_kind or exercise_class.kind if exercise_class.takes_code else None
            if kind is not None and (kind != record.kind or not isinstance(exercise, exercise_class)):
                raise DurakError(
                    f"the question {record.name!r} has kind={short_repr(record.kind)} but made {short_repr(exercise)}; use kind={kind!r} for lessons.{exercise_class.__name__}, and only for that"
                )
        exercise.number = index + 1
        return exercise

    def __repr__(self) -> str:
        edition = f", edition {self.edition!r}" if self.edition else ""
        return f"<Assignment {self.name!r}{edition}: {len(self.questions)} questions, {self.points} points>"


def get_assignment(name: str, edition: str = "") -> Assignment:
    """Return one of the package's own assignments by its name."""
    if not isinstance(name, str) or name not in _ASSIGNMENT_MODULES:
        raise DurakError(
            f"there is no assignment {short_repr(name)}; there is {', '.join(_ASSIGNMENT_MODULES)}. Give your own as lessons.Assignment(…), "
            f'or on the command line as "module:NAME".{suggest_nearest(str(name)[:60], _ASSIGNMENT_MODULES)}'
        )
    assignment: Assignment = import_module(_ASSIGNMENT_MODULES[name]).ASSIGNMENT
    return assignment.with_edition(edition) if edition else assignment


def resolve_assignment(assignment: object, edition: str = "") -> Assignment:
    """Return an assignment, given as an object, as a name, or as a text `module:NAME`.

    A name `module:NAME` is imported, so it must never come from a student's file.

    >>> resolve_assignment("econ413")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: there is no assignment 'econ413'; there is econ431. Give your own as lessons.Assignment(…), or on the command line as "module:NAME". Did you mean 'econ431'?
    """
    if isinstance(assignment, str) and ":" in assignment:
        module_name, _, name = assignment.partition(":")
        try:
            assignment = getattr(import_module(module_name), name)
        except (ImportError, AttributeError, ValueError) as error:
            raise DurakError(f"cannot find the assignment {short_repr(name)} in {short_repr(module_name)}: {error}") from None
    if isinstance(assignment, Assignment):
        return assignment.with_edition(edition) if edition else assignment
    return get_assignment(assignment, edition)  # type: ignore[arg-type] # the function checks the value


def resolve_newest_revision(assignment: object, edition: str = "") -> Assignment:
    """Return an assignment's newest revision, or the revision that the edition's name fixes.

    >>> resolve_newest_revision("econ431", "2027").edition, resolve_newest_revision("econ431", "2027 rev1").edition
    ('2027 rev2', '2027')
    """
    resolved = resolve_assignment(assignment, edition)
    return resolved if has_fixed_revision(edition or resolved.edition) else resolved.get_newest_revision()


def prepare_assignment_name(assignment: str) -> str:
    """Let Python import a teacher's module from the current folder if `assignment` needs one.

    Return `assignment` unchanged. Only a name such as `module:NAME` needs the current folder, which commands don't search for modules.
    """
    if ":" in assignment:
        safe_import_path.append_current_folder()
    return assignment


def parse_edition(edition: object) -> str:
    """Return the name of an edition as text: a year, or a short text for one school class.

    >>> parse_edition(2027), parse_edition("spring 2027")
    ('2027', 'spring 2027')
    """
    text = str(edition) if isinstance(edition, int) and not isinstance(edition, bool) else edition
    if not isinstance(text, str) or not _EDITION_PATTERN.fullmatch(text):
        raise DurakError(f'edition must be a short text, as in edition="2027", not {short_repr(edition)}')
    if is_invalid_revision(text):
        raise DurakError(f'a revision must have a number from 1 to 9, as in edition="2027 rev2"; {short_repr(edition)} has none')
    return text


def parse_question_list(questions: object) -> list[object]:
    """Parse a list of questions from the command line: numbers, ranges or names.

    >>> parse_question_list("1, 3-5,how-likely"), parse_question_list([1, "moves"])
    ([1, 3, 4, 5, 'how-likely'], [1, 'moves'])
    """
    if not isinstance(questions, str):
        return list(questions) if isinstance(questions, Iterable) else [questions]
    parsed: list[object] = []
    for part in questions.replace(",", " ").split():
        first, _, last = part.partition("-")
        if part.isdecimal():
            parsed.append(int(part))
        elif first.isdecimal() and last.isdecimal() and int(first) <= int(last) <= _MAX_QUESTIONS:
            parsed += range(int(first), int(last) + 1)
        else:
            parsed.append(part)
    return parsed


def _require_name(name: object, noun: str) -> str:
    if not isinstance(name, str) or not _NAME_PATTERN.fullmatch(name):
        raise DurakError(
            f"the name of {noun} must have only small letters, digits and hyphens, as in 'what-beats-what', not {short_repr(name)}"
        )
    return name


def _require_valid_question(question: object) -> None:
    """Raise an error if a question of an assignment is invalid."""
    if not isinstance(question, Question):
        raise DurakError(f"an assignment must be made of lessons.Question(name, points, title, make), not of {short_repr(question)}")
    _require_name(question.name, "a question")
    if question.seed_name:
        _require_name(question.seed_name, "a random seed")
    points = as_whole_number(question.points)
    if points is None or not 0 < points <= _MAX_POINTS:
        raise DurakError(f"the question {question.name!r} must have 1 to {_MAX_POINTS} points, not points={short_repr(question.points)}")
    for text in (question.title, question.lead, question.note):
        require_text(text)
    if not callable(question.make):
        raise DurakError(
            f"make of the question {question.name!r} must be a function that takes a random generator and returns an exercise, not {short_repr(question.make)}"
        )


def create_question_rng(assignment: str, edition: str, student: str, question: str, secret: bytes = b"") -> Random:
    """Create the random generator that draws a student's version of a question.

    If there is a secret, the random numbers can't be computed without it.

    >>> create_question_rng("econ431", "2027", "Ann  Lee", "what-beats-what").random() == create_question_rng("econ431", "2027", "ann lee", "what-beats-what").random()
    True
    >>> create_question_rng("econ431", "2027", "Ann", "what-beats-what").random() == create_question_rng("econ431", "2028", "Ann", "what-beats-what").random()
    False
    """
    names = json.dumps([assignment, edition, normalize_name(student), question])
    digest = hmac.digest(secret, names.encode(), "sha256") if secret else sha256(names.encode()).digest()
    return Random(int.from_bytes(digest, "big"))


def normalize_name(student: object) -> str:
    r"""Normalize a student's name, so that different spellings compare as equal.

    Capital letters, spaces and the composition of accents don't matter.

    >>> normalize_name("  Żaneta\u00a0 KOWALSKA "), normalize_name("Straße"), normalize_name("Е\u0308лкина")
    ('żaneta kowalska', 'strasse', 'ёлкина')
    """
    return " ".join(normalize("NFKC", normalize("NFKC", require_student_name(student)).casefold()).split())


def require_student_name(student: object) -> str:
    """Return a student's name, cleaned for display; raise an error if it is invalid.

    Any text that fits in one line is allowed, in any script.

    >>> require_student_name(" 李  明 ")
    '李 明'
    >>> require_student_name("  ")
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: Type your name between the quotation marks, as in student="Ann Lee". Your questions depend on your name.
    """
    if not isinstance(student, str):
        raise DurakError(f'a student\'s name must be a text, as in student="Ann Lee", not {short_repr(student)}')
    name = " ".join(normalize("NFC", student).split())
    if not any(char.isalnum() for char in name):
        raise RefusedError("class.no_name", example='student="Ann Lee"')
    if len(name) > _MAX_NAME_LENGTH or not all(
        char.isprintable() or char in "\u200c\u200d" for char in name
    ):  # Some scripts, such as Persian, need the two invisible joiner characters
        raise RefusedError("class.bad_name", most=str(_MAX_NAME_LENGTH))
    return name
