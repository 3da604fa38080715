"""Finds students whose wrong answers are right for another student, and how likely that is by chance.

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
"""So many wrong answers are right for another, at least."""
RARE: Final = 100
"""In so many classes one pair is named by chance, at most."""
_MOST_SAID: Final = 10**6


class WrongAnswer(NamedTuple):
    """An answer that is not right, and for whose questions it would be."""

    place: int
    fits: frozenset[str]


class Copied(NamedTuple):
    """Who has answers that are right for whom."""

    student: str
    other: str
    places: tuple[int, ...]
    """The questions."""
    wrong: int
    """How many wrong answers there are in all."""
    classes: int
    """In so many classes of that size one such pair is to be expected by chance; a million, or more."""


def copied(answers: Mapping[str, Sequence[WrongAnswer]], everybody: Iterable[str]) -> list[Copied]:
    """Of each student the one other whose questions the wrong answers fit so well that chance hardly does it; nobody in most classes.

    >>> alone = {name: [WrongAnswer(place, frozenset()) for place in range(6)] for name in "abcdefgh"}
    >>> copied(alone, "abcdefgh")
    []
    >>> found = copied({**alone, "a": [WrongAnswer(place, frozenset("b")) for place in range(6)]}, "abcdefgh")
    >>> found[0][:4], found[0].classes > 1000
    (('a', 'b', (0, 1, 2, 3, 4, 5), 6), True)
    """
    names = list(dict.fromkeys(everybody))
    pairs, hits = defaultdict[int, int](int), defaultdict[int, int](int)
    for wrong in answers.values():
        for one in wrong:
            pairs[one.place] += len(names) - 1
            hits[one.place] += len(one.fits)
    found = []
    for student, wrong in answers.items():
        best: Copied | None = None
        for other in dict.fromkeys(name for one in wrong for name in sorted(one.fits)):
            places = tuple(one.place for one in wrong if other in one.fits)
            if len(places) < LEAST:
                continue
            chances = []
            for one in wrong:
                own = other in one.fits
                rate = (hits[one.place] - own + 1) / pairs[one.place]
                share = (len(one.fits) - own) / max(len(names) - 2, 1)
                chances.append(min(max(rate, share), 1.0))
            expected = len(names) * (len(names) - 1) * at_least(len(places), chances)
            classes = _MOST_SAID if expected * _MOST_SAID <= 1 else int(1 / expected)
            if classes >= RARE and (best is None or (classes, len(places)) > (best.classes, len(best.places))):
                best = Copied(student, other, places, len(wrong), classes)
        found += [best] if best else []
    return found


def at_least(many: int, chances: Sequence[float]) -> float:
    """How likely so many of these things happen, or more, each independently by its own chance.

    >>> at_least(2, [0.5, 0.5, 0.5]), at_least(1, []), at_least(0, [])
    (0.5, 0, 1.0)
    """
    found = [1.0]
    for chance in chances:
        found = [
            (found[count] * (1 - chance) if count < len(found) else 0.0) + (found[count - 1] * chance if count else 0.0)
            for count in range(len(found) + 1)
        ]
    return sum(found[many:])


def classes_said(classes: int) -> str:
    r"""So many classes, in one digit: what is estimated is told no finer.

    >>> [classes_said(classes).replace("\u202f", " ") for classes in (128, 98_765, 10**6)]
    ['100', '90 000', '>1 000 000']
    """
    scale = 10 ** (len(str(classes)) - 1)
    said = f"{classes // scale * scale:,}".replace(",", "\u202f")
    return f">{said}" if classes >= _MOST_SAID else said


class DrawnAgain(NamedTuple):
    """Whose questions are drawn once more."""

    assignment: Assignment | str
    edition: str
    places: Sequence[int]
    """Which of them."""


def right_answers(drawn: DrawnAgain, student: str) -> dict[int, str]:
    """What is right for a student, by the places of the questions; nothing where that cannot be said.

    >>> right_answers(DrawnAgain("econ431", "2027", [4]), "Guest")
    {4: '101/143'}
    """
    assignment = assignment_of(drawn.assignment, drawn.edition)
    found = {}
    for place in drawn.places:
        try:
            task = assignment.task(place + 1, student)
            task.recall(task.solution)  # which judges nothing, and plays no games
            found[place] = meaning(task.given, assignment.questions[place].kind)
        except ENDINGS:  # noqa: PERF203 - a question of anybody's making takes no other with it
            continue
    return found


def meant(assignment: Assignment, student: str, place: int, given: Any) -> str:  # noqa: ANN401 - whatever was answered
    """What an answer of a student means, as `meaning` has it; what was typed off a sheet has letters that are that sheet's own, and nothing where it cannot be read.

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
    """One text for all answers that mean the same, whatever is right there.

    >>> meaning("0,5", "number") == meaning(" 1/2 ", "number"), meaning(["9c", "Kd"], "pick") == meaning("Kd 9c", "pick")
    (True, True)
    >>> meaning([[0, 1], [1, 0]], "matrix") == meaning([[1, 0], [0, 1]], "matrix"), meaning(["1", "2"], "matrix") == meaning(["2", "1"], "matrix")
    (True, False)
    """
    form = kind_called(kind).on_paper
    if form is not None and not form.one and isinstance(given, (str, list, tuple)):
        return form.text([*map(str, given.split() if isinstance(given, str) else given)])
    plain = _plain(given)
    return plain if isinstance(plain, str) else json.dumps(plain, sort_keys=True)


def _plain(given: Any) -> Any:  # noqa: ANN401 - as above
    """Numbers in one writing, groups in one order, and without what is empty."""
    if isinstance(given, Mapping):
        return {str(key): plain for key, one in given.items() if (plain := _plain(one)) not in ("", "0")}
    if isinstance(given, (list, tuple)):
        found = [_plain(one) for one in given]
        return sorted(found, key=str) if any(isinstance(one, list) for one in found) else found
    text = " ".join(str(given).split())
    meant = readings(text)
    return str(meant[0].value) if meant else text
