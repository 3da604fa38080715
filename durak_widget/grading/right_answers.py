"""What is right for each student, as a text that is the same for all answers that mean the same, so that answers of some are held against questions of others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from durak_widget.errors import ENDINGS
from durak_widget.exercises.paper_form import answer_by_hand, by_hand
from durak_widget.exercises.task import kind_called
from durak_widget.gametheory.number_parsing import readings
from durak_widget.homework.assignment import assignment_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.homework.assignment import Assignment


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
