"""Which paper was typed into a table, where a column of it was lost or is called otherwise; and which columns these are."""

from __future__ import annotations

from itertools import combinations, islice
from typing import TYPE_CHECKING, Final

from durak_widget.errors import ENDINGS
from durak_widget.exercises.paper_form import form_of_paper
from durak_widget.homework.edition import parted_edition
from durak_widget.i18n import Fact
from durak_widget.paper_exams.answer_table import codes_typed, columns_typed, heading, questions_named, said_beside
from durak_widget.paper_exams.sheet_codes import SheetCode, codes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.homework.assignment import Assignment, Question

_MOST_TRIED: Final = 200
"""So many choices of questions are tried."""
_MOST_LOST: Final = 2


def printed_paper(rows: Sequence[Sequence[str]], assignment: Assignment, students: Sequence[str]) -> Assignment:
    """The assignment with the questions that were printed: those that the columns name, or with those besides by which the codes are of this class.

    >>> from durak_widget.homework.assignment import get
    >>> from durak_widget.paper_exams.sheet_codes import whose_sheet
    >>> econ = get("econ431", "2027")
    >>> code = SheetCode(whose_sheet(econ.chosen(["moves", "how-likely", "players"]), "Ann"), 1).text
    >>> [one.name for one in printed_paper([["code", "1 players", "3 how-likely"], [code, "a", "1/2"]], econ, ["Ann"]).questions]
    ['players', 'moves', 'how-likely']
    """
    named = questions_named(rows[0], assignment)
    if not named:
        return assignment
    typed = {read.whose for one in codes_typed(rows) if (read := SheetCode.read(one))}
    for paper in islice(_papers(named, assignment), _MOST_TRIED):
        if typed & codes_of(paper, students).keys():
            return paper
    return assignment.chosen(named)


def _papers(named: Sequence[str], assignment: Assignment) -> Iterator[Assignment]:
    """What may have been printed, what is likeliest first."""
    yield assignment.chosen(named)
    yield assignment
    others = [one.name for one in assignment.questions if one.name not in named]
    for count in range(1, _MOST_LOST + 1):
        for lost in combinations(others, count):
            yield assignment.chosen([*named, *lost])


def lost_columns(rows: Sequence[Sequence[str]], paper: Assignment, students: Sequence[str]) -> list[Fact]:
    """Which columns of the paper are not there, in one sentence."""
    there = columns_typed(rows[0], paper)
    if there is None or not students:
        return []
    known = codes_of(paper, students)
    typed = (read.whose for one in codes_typed(rows) if (read := SheetCode.read(one)))
    student = next((known[whose] for whose in typed if whose in known), students[0])
    lost: list[str] = []
    for number, question in enumerate(paper.questions, 1):
        own = [label for name, label in there if name == question.name]
        if own != [""]:
            lost += [heading(number, label, question.name) for label in _labels(paper, question, student) if label not in own]
    return [Fact("class.typed.lost", {"columns": "; ".join(lost)})] if lost else []


def _labels(paper: Assignment, question: Question, student: str) -> list[str]:
    """The letters of the parts of a question on the sheet of a student; one without a letter where it cannot be drawn."""
    try:
        return [one.label for one in form_of_paper(paper.task(question.name, student)).blanks]
    except ENDINGS:
        return [""]


def lost_edition(rows: Sequence[Sequence[str]], paper: Assignment, odd: Sequence[Fact]) -> list[Fact]:
    """What is odd, where no line says of which edition its sheet is: that alone, instead of a line for each code."""
    foreign = [fact for fact in odd if fact.key == "class.typed.code.foreign"]
    unsaid = not parted_edition(paper.edition)[0] and not any(edition for _, edition in said_beside(rows))
    if not foreign or not unsaid:
        return [*odd]
    return [Fact("class.typed.lost.edition", {"column": "edition", "option": "--edition"}), *(fact for fact in odd if fact not in foreign)]
