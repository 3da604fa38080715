"""Reads the table of answers that were typed off paper sheets, and finds which exam it answers.

A table has one row for each student or page, with a column for each part of a question (`code,1,2,7a,7b`); or
one row for each answer (`code,question,answer`). Impossible entries are reported. The exam is recognized even
if a column is missing or has another name.
"""

from __future__ import annotations

import re
from itertools import combinations, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import ENDINGS, DurakError
from durak_widget.exercises.paper_form import HAND, bare_text, form_of_paper
from durak_widget.homework.assignment import known_as, student_name
from durak_widget.homework.assignment_edition import parted_edition
from durak_widget.i18n import Fact
from durak_widget.paper_exams.sheet_codes import SheetCode, codes_of, near_codes, plain_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from durak_widget.homework.assignment import Assignment, Question

COLUMNS: Final = ("code", "student", "edition")
"""What stands before the columns of questions."""
_CODE: Final = {"code", "код", "kodas"}
_STUDENT: Final = {"student", "name", "студент", "имя", "фио", "studentas", "vardas"}
_EDITION: Final = {"edition", "издание", "laida"}
_QUESTION: Final = {"question", "вопрос", "klausimas"}
_ANSWER: Final = {"answer", "ответ", "atsakymas"}
_BESIDE: Final = {"", "page", "remarks", "points", "note", "notes"}
"""Columns of a teacher's own."""
_HEAD: Final = re.compile(r"(?P<number>\d{1,3})\s*(?P<label>[a-z]{0,2})(?:[\s.:)]+(?P<name>[a-z0-9-]+))?", re.IGNORECASE)
_NAMED: Final = re.compile(r"(?P<name>[a-z0-9][a-z0-9-]*)(?:[\s.:)]+(?P<label>[a-z]{1,2}))?", re.IGNORECASE)
_MOST_NEAR: Final = 3
_MOST_LINES: Final = 5_000
_WHAT: Final = {"code": _CODE, "student": _STUDENT, "edition": _EDITION, "question": _QUESTION, "answer": _ANSWER}
_MOST_TRIED: Final = 200
"""So many choices of questions are tried."""
_MOST_LOST: Final = 2


class TypedSheet(NamedTuple):
    """What was typed off the sheets of one student."""

    student: str
    lines: tuple[int, ...]
    """Of the table, counted as a spreadsheet counts them."""
    answers: Mapping[str, Mapping[str, Mapping[str, str]]]
    """By the names of questions, as `by_hand` has them."""
    doubt: frozenset[str] = frozenset()
    """The questions to which two lines say different things."""


class _Cell(NamedTuple):
    """What was typed into one cell."""

    line: int
    question: str
    label: str
    text: str


class _Column(NamedTuple):
    """Which part of which question a column is of."""

    question: str
    label: str


def is_table(head: Sequence[str]) -> bool:
    """Whether a line heads such a table.

    >>> is_table(["Code", "1", "2a"]), is_table(["student", "points"])
    (True, False)
    """
    return bool({cell.strip().casefold() for cell in head} & _CODE)


def lacks_code(head: Sequence[str]) -> bool:
    """Whether a line heads such a table, but that the column of the codes was lost or is called otherwise.

    >>> lacks_code(["kod", "student", "edition", "1 moves"]), lacks_code(["Code", "1"]), lacks_code(["student", "question", "points", "why"])
    (True, False, False)
    """
    titles = {" ".join(cell.split()).casefold() for cell in head}
    asked = any((found := _HEAD.fullmatch(title)) and found["name"] for title in titles)
    return not titles & _CODE and bool(asked or titles & _EDITION or (titles & _QUESTION and titles & _ANSWER))


def codes_typed(rows: Sequence[Sequence[str]]) -> list[str]:
    """The codes of a table, as they were typed."""
    place = next((place for place, title in enumerate(rows[0]) if title.strip().casefold() in _CODE), None)
    return [code for row in rows[1:] if (code := _at(row, place))]


def columns_typed(head: Sequence[str], assignment: Assignment) -> set[tuple[str, str]] | None:
    """Of which part of which question there is a column; None of a table with a line for each answer."""
    titles = {cell.strip().casefold() for cell in head}
    if titles & _QUESTION and titles & _ANSWER:
        return None
    return {(found.question, found.label) for cell in head if (found := _column(cell, assignment))}


def heading(number: int, label: str, name: str) -> str:
    """What stands over a column: the number of a question, the letter of the part, and its name, by which it is known whichever questions there are.

    >>> heading(7, "a", "backward-induction"), heading(2, "", "moves")
    ('7a backward-induction', '2 moves')
    """
    return f"{number}{label} {name}"


def questions_named(head: Sequence[str], assignment: Assignment) -> tuple[str, ...]:
    """The questions that the columns of a table name; none where they bear numbers alone.

    >>> from durak_widget.homework.assignment import get
    >>> questions_named(["code", "1 how-likely", "2a backward-induction", "2b backward-induction"], get("econ431"))
    ('how-likely', 'backward-induction')
    """
    known = [question.name for question in assignment.questions]
    found = (_HEAD.fullmatch(cell.strip()) for cell in head)
    named = {one["name"].casefold() for one in found if one and one["name"]}
    return tuple(name for name in known if name in named)


def said_beside(rows: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """The students and editions that stand beside the codes, where they do."""
    titles = [cell.strip().casefold() for cell in rows[0]]
    places = [next((place for place, title in enumerate(titles) if title in known), None) for known in (_STUDENT, _EDITION)]
    return [(_at(row, places[0]), _at(row, places[1])) for row in rows[1:] if any(map(str.strip, row))]


def typed_off(
    rows: Sequence[Sequence[str]], assignment: Assignment, students: Sequence[str], main: Callable[[str], str] = known_as
) -> tuple[list[TypedSheet], list[Fact]]:
    """What was typed, student by student, and what is wrong with it; `assignment` has just the questions of the paper, `main` gives the one name for all of somebody's.

    >>> from durak_widget.homework.assignment import get
    >>> from durak_widget.paper_exams.sheet_codes import whose_sheet
    >>> paper = get("econ431", "2027")
    >>> code = SheetCode(whose_sheet(paper, "Ann"), 1).text
    >>> sheets, odd = typed_off([["code", "1", "5"], [code, "b", "5/18"], ["X" + code[1:], "a", ""]], paper, ["Ann"])
    >>> sheets[0].answers["how-likely"], [fact.key for fact in odd]
    ({'by_hand': {'': '5/18'}}, ['class.typed.code.near'])
    """
    titles = [cell.strip().casefold() for cell in rows[0]]
    at = {name: next((place for place, title in enumerate(titles) if title in known), None) for name, known in _WHAT.items()}
    known = codes_of(assignment, students)
    odd: list[Fact] = []
    cells: dict[str, list[_Cell]] = {}
    lines: dict[str, list[int]] = {}
    columns = {} if _is_long(at) else _columns(rows[0], set(at.values()), assignment, odd)
    if len(rows) > _MOST_LINES + 1:
        odd.append(Fact("class.typed.many", {"lines": len(rows) - 1, "most": _MOST_LINES}))
    for line, row in enumerate(rows[1 : _MOST_LINES + 1], 2):
        if not any(map(str.strip, row)):
            continue
        student = _whose(line, _at(row, at["code"]), _at(row, at["student"]), known, main, odd)
        if student is None:
            continue
        lines.setdefault(student, []).append(line)
        own = cells.setdefault(student, [])
        if _is_long(at):
            column = _column(_at(row, at["question"]), assignment)
            if column is None:
                odd.append(Fact("class.typed.question.line", {"line": line, "question": _at(row, at["question"])[:40] or "–"}))
            elif bare_text(_at(row, at["answer"])):
                own.append(_Cell(line, *column, _at(row, at["answer"])))
        else:
            own += [_Cell(line, *column, text) for place, column in columns.items() if bare_text(text := _at(row, place))]
    return [_sheet(student, lines[student], own, assignment, odd) for student, own in cells.items()], odd


def _is_long(at: Mapping[str, int | None]) -> bool:
    """Whether each answer has a line of its own."""
    return at["question"] is not None and at["answer"] is not None


def _at(row: Sequence[str], place: int | None) -> str:
    return row[place].strip().removeprefix("'") if place is not None and place < len(row) else ""


def _columns(head: Sequence[str], other: set[int | None], assignment: Assignment, odd: list[Fact]) -> dict[int, _Column]:
    """Of each column which part of which question it is; what is none is named once."""
    found: dict[int, _Column] = {}
    for place, cell in enumerate(head):
        if place in other or cell.strip().casefold() in _BESIDE:
            continue
        column = _column(cell, assignment)
        if column is None:
            odd.append(Fact("class.typed.question", {"question": " ".join(cell.split())[:40]}))
        elif column in found.values():
            odd.append(Fact("class.typed.column", {"question": " ".join(cell.split())[:40]}))
        else:
            found[place] = column
    return found


def _column(cell: str, assignment: Assignment) -> _Column | None:
    """Which part of which question is meant: by its name if it is there, else by its number."""
    names = [question.name for question in assignment.questions]
    text = " ".join(cell.split()).casefold()
    if found := _HEAD.fullmatch(text):
        number, name = int(found["number"]), found["name"]
        known = name if name in names else names[number - 1] if not name and 0 < number <= len(names) else None
        return None if known is None else _Column(known, found["label"])
    found = _NAMED.fullmatch(text)
    return _Column(found["name"], found["label"] or "") if found and found["name"] in names else None


def _whose(line: int, code: str, beside: str, known: Mapping[str, str], main: Callable[[str], str], odd: list[Fact]) -> str | None:
    """Whose line it is; None, and why, where that cannot be told."""
    if not plain_code(code):
        odd.append(Fact("class.typed.code.none", {"line": line}))
        return None
    said: dict[str, object] = {"line": line, "code": " ".join(code.split())[:20]}
    read = SheetCode.read(code)
    if read is None or read.whose not in known:
        near = [] if read else near_codes(code, known)
        if near and len(near) <= _MOST_NEAR:
            meant = "; ".join(f"{right} ({student})" for right, student in near)
            odd.append(Fact("class.typed.code.near", {**said, "near": meant}))
        else:
            odd.append(Fact("class.typed.code.foreign" if read else "class.typed.code.wrong", said))
        return None
    student = known[read.whose]
    try:
        other = student_name(beside) if beside else ""
    except DurakError:
        other = ""
    if other and main(other) != main(student):
        odd.append(Fact("class.typed.other", {**said, "student": student, "other": other}))
        return None
    return student


def _sheet(student: str, lines: Sequence[int], cells: Sequence[_Cell], assignment: Assignment, odd: list[Fact]) -> TypedSheet:
    """All that was typed of one student; what two lines say differently counts for neither, and is named."""
    there: dict[tuple[str, str], _Cell] = {}
    doubt: set[str] = set()
    apart: set[int] = set()
    for cell in cells:
        before = there.setdefault((cell.question, cell.label), cell)
        if bare_text(before.text) != bare_text(cell.text):
            doubt.add(cell.question)
            apart |= {before.line, cell.line}
    if doubt:
        numbers = ", ".join(str(place) for place, one in enumerate(assignment.questions, 1) if one.name in doubt)
        told = ", ".join(map(str, sorted(apart)))
        odd.append(Fact("class.typed.twice", {"lines": told, "student": student, "questions": numbers}))
    answers: dict[str, dict[str, dict[str, str]]] = {}
    for (question, label), cell in there.items():
        answers.setdefault(question, {HAND: {}})[HAND][label] = cell.text
    return TypedSheet(student, tuple(lines), answers, frozenset(doubt))


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
