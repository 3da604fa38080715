"""Students whose wrong answers are right for another student, and the chance of that.

For a student who works alone, each wrong answer is right for a given other student with some probability,
independently. This probability is the larger of two shares. The first is over all pairs in the class: how
often a wrong answer to this question is right for the other student. The second is over all other students:
how often this very answer is right. The result says how many classes of this size it takes, on average, until
one pair agrees in this much or in something less likely. Answers with the same meaning are compared by one
normal form.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.errors import ENDINGS
from durak_widget.exercises.base_exercise import kind_called
from durak_widget.exercises.paper_form import answer_by_hand, by_hand
from durak_widget.gametheory.number_parsing import readings
from durak_widget.homework.assignment import assignment_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.homework.assignment import Assignment

LEAST: Final = 3
"""Smallest number of wrong answers that must be right for the other student."""
RARE: Final = 100
"""Smallest number of classes in which chance alone would produce one such pair."""
_MOST_SAID: Final = 10**6


class WrongAnswer(NamedTuple):
    """A wrong answer, and the students for whose questions it is right."""

    place: int
    fits: frozenset[str]


class Copied(NamedTuple):
    """Two students, one of whom has wrong answers that are right for the other."""

    student: str
    other: str
    places: tuple[int, ...]
    """Indices of the questions."""
    wrong: int
    """Number of all wrong answers of the student."""
    classes: int
    """Number of classes of this size in which chance would produce one such pair; a million, or more."""


def copied(answers: Mapping[str, Sequence[WrongAnswer]], everybody: Iterable[str]) -> list[Copied]:
    """Find for each student the one other student whose right answers they have given.

    A pair is reported only if chance hardly explains it; in most classes there is none.

    >>> alone = {name: [WrongAnswer(place, frozenset()) for place in range(6)] for name in "abcdefgh"}
    >>> copied(alone, "abcdefgh")
    []
    >>> found = copied({**alone, "a": [WrongAnswer(place, frozenset("b")) for place in range(6)]}, "abcdefgh")
    >>> found[0][:4], found[0].classes > 1000
    (('a', 'b', (0, 1, 2, 3, 4, 5), 6), True)
    """
    names = list(dict.fromkeys(everybody))
    pair_counts, fit_counts = defaultdict[int, int](int), defaultdict[int, int](int)
    for wrong in answers.values():
        for answer in wrong:
            pair_counts[answer.place] += len(names) - 1
            fit_counts[answer.place] += len(answer.fits)
    suspicious = []
    for student, wrong in answers.items():
        best: Copied | None = None
        for other in dict.fromkeys(name for answer in wrong for name in sorted(answer.fits)):
            indices = tuple(answer.place for answer in wrong if other in answer.fits)
            if len(indices) < LEAST:
                continue
            chances = []
            for answer in wrong:
                fits_here = other in answer.fits
                class_rate = (fit_counts[answer.place] - fits_here + 1) / pair_counts[answer.place]
                answer_share = (len(answer.fits) - fits_here) / max(len(names) - 2, 1)
                chances.append(min(max(class_rate, answer_share), 1.0))
            expected = len(names) * (len(names) - 1) * at_least(len(indices), chances)
            classes = _MOST_SAID if expected * _MOST_SAID <= 1 else int(1 / expected)
            if classes >= RARE and (best is None or (classes, len(indices)) > (best.classes, len(best.places))):
                best = Copied(student, other, indices, len(wrong), classes)
        suspicious += [best] if best else []
    return suspicious


def at_least(many: int, chances: Sequence[float]) -> float:
    """Return the probability that at least that many independent events happen.

    >>> at_least(2, [0.5, 0.5, 0.5]), at_least(1, []), at_least(0, [])
    (0.5, 0, 1.0)
    """
    distribution = [1.0]
    for chance in chances:
        distribution = [
            (distribution[count] * (1 - chance) if count < len(distribution) else 0.0)
            + (distribution[count - 1] * chance if count else 0.0)
            for count in range(len(distribution) + 1)
        ]
    return sum(distribution[many:])


def classes_said(classes: int) -> str:
    r"""Format a number of classes with one significant digit, since it is an estimate.

    >>> [classes_said(classes).replace("\u202f", " ") for classes in (128, 98_765, 10**6)]
    ['100', '90 000', '>1 000 000']
    """
    scale = 10 ** (len(str(classes)) - 1)
    text = f"{classes // scale * scale:,}".replace(",", "\u202f")
    return f">{text}" if classes >= _MOST_SAID else text


class DrawnAgain(NamedTuple):
    """The questions whose right answers are to be worked out."""

    assignment: Assignment | str
    edition: str
    places: Sequence[int]
    """Indices of the questions."""


def right_answers(drawn: DrawnAgain, student: str) -> dict[int, str]:
    """Return a student's right answers by the index of the question, if they can be found.

    >>> right_answers(DrawnAgain("econ431", "2027", [4]), "Guest")
    {4: '101/143'}
    """
    assignment = assignment_of(drawn.assignment, drawn.edition)
    right = {}
    for index in drawn.places:
        try:
            exercise = assignment.task(index + 1, student)
            exercise.recall(exercise.solution)  # restoring grades nothing and plays no games
            right[index] = meaning(exercise.given, assignment.questions[index].kind)
        except ENDINGS:  # noqa: PERF203 - a question of anybody's making takes no other with it
            continue
    return right


def meant(assignment: Assignment, student: str, place: int, given: Any) -> str:  # noqa: ANN401 - whatever was answered
    """Return the normal form of a student's answer, as `meaning` does.

    An answer typed from paper uses the letters of that sheet. It is empty if it can't be read.

    >>> from durak_widget.econ431.problem_set import ASSIGNMENT
    >>> meant(ASSIGNMENT, "Guest", 4, {"by_hand": {"": "101/143"}}) == meant(ASSIGNMENT, "Guest", 4, "101/143")
    True
    """
    if by_hand(given):
        try:
            given = answer_by_hand(assignment.task(place + 1, student), given)
        except ENDINGS:
            return ""
    return meaning(given, assignment.questions[place].kind)


def meaning(given: Any, kind: str) -> str:  # noqa: ANN401 - whatever was answered
    """Return one text for all answers with the same meaning.

    >>> meaning("0,5", "number") == meaning(" 1/2 ", "number"), meaning(["9c", "Kd"], "pick") == meaning("Kd 9c", "pick")
    (True, True)
    >>> meaning([[0, 1], [1, 0]], "matrix") == meaning([[1, 0], [0, 1]], "matrix"), meaning(["1", "2"], "matrix") == meaning(["2", "1"], "matrix")
    (True, False)
    """
    form = kind_called(kind).on_paper
    if form is not None and not form.one and isinstance(given, (str, list, tuple)):
        return form.text([*map(str, given.split() if isinstance(given, str) else given)])
    normalized = _plain(given)
    return normalized if isinstance(normalized, str) else json.dumps(normalized, sort_keys=True)


def _plain(given: Any) -> Any:  # noqa: ANN401 - as above
    """Convert numbers and groups to a normal form, without empty entries."""
    if isinstance(given, Mapping):
        return {str(key): normalized for key, item in given.items() if (normalized := _plain(item)) not in ("", "0")}
    if isinstance(given, (list, tuple)):
        items = [_plain(item) for item in given]
        return sorted(items, key=str) if any(isinstance(item, list) for item in items) else items
    text = " ".join(str(given).split())
    parsed = readings(text)
    return str(parsed[0].value) if parsed else text
