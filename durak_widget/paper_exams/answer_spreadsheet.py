"""Reads the table of answers typed from paper sheets, and finds which exam it answers.

A table has one row for each student or page, with a column for each part of a question (`code,1,2,7a,7b`); or one row
for each answer (`code,question,answer`). Impossible entries are reported. The exam is recognized even if a column is
missing or has another name.
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
"""The columns before those of questions."""
_CODE: Final = {"code", "код", "kodas"}
_STUDENT: Final = {"student", "name", "студент", "имя", "фио", "studentas", "vardas"}
_EDITION: Final = {"edition", "издание", "laida"}
_QUESTION: Final = {"question", "вопрос", "klausimas"}
_ANSWER: Final = {"answer", "ответ", "atsakymas"}
_BESIDE: Final = {"", "page", "remarks", "points", "note", "notes"}
"""Headings of columns that a teacher may add."""
_HEAD: Final = re.compile(r"(?P<number>\d{1,3})\s*(?P<label>[a-z]{0,2})(?:[\s.:)]+(?P<name>[a-z0-9-]+))?", re.IGNORECASE)
_NAMED: Final = re.compile(r"(?P<name>[a-z0-9][a-z0-9-]*)(?:[\s.:)]+(?P<label>[a-z]{1,2}))?", re.IGNORECASE)
_MOST_NEAR: Final = 3
_MOST_LINES: Final = 5_000
_WHAT: Final = {"code": _CODE, "student": _STUDENT, "edition": _EDITION, "question": _QUESTION, "answer": _ANSWER}
_MOST_TRIED: Final = 200
"""The most choices of questions that are tried."""
_MOST_LOST: Final = 2


class TypedSheet(NamedTuple):
    """The answers typed from the sheets of one student."""

    student: str
    lines: tuple[int, ...]
    """The row numbers in the table, as a spreadsheet counts them."""
    answers: Mapping[str, Mapping[str, Mapping[str, str]]]
    """The answers by the name of the question, in the form of `paper_form.by_hand`."""
    doubt: frozenset[str] = frozenset()
    """The questions to which two rows give different answers."""


class _Cell(NamedTuple):
    """One typed answer."""

    line: int
    question: str
    label: str
    text: str


class _Column(NamedTuple):
    """The part of a question that a column is for."""

    question: str
    label: str


def is_table(head: Sequence[str]) -> bool:
    """Return whether a line is the head of such a table.

    >>> is_table(["Code", "1", "2a"]), is_table(["student", "points"])
    (True, False)
    """
    return bool({cell.strip().casefold() for cell in head} & _CODE)


def lacks_code(head: Sequence[str]) -> bool:
    """Return whether a line is the head of such a table, but without a column of codes.

    The column may be missing or have another name.

    >>> lacks_code(["kod", "student", "edition", "1 moves"]), lacks_code(["Code", "1"]), lacks_code(["student", "question", "points", "why"])
    (True, False, False)
    """
    titles = {" ".join(cell.split()).casefold() for cell in head}
    has_question = any((match := _HEAD.fullmatch(title)) and match["name"] for title in titles)
    return not titles & _CODE and bool(has_question or titles & _EDITION or (titles & _QUESTION and titles & _ANSWER))


def codes_typed(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the codes of a table as they were typed."""
    column = next((index for index, title in enumerate(rows[0]) if title.strip().casefold() in _CODE), None)
    return [code for row in rows[1:] if (code := _at(row, column))]


def columns_typed(head: Sequence[str], assignment: Assignment) -> set[tuple[str, str]] | None:
    """Return the parts of questions with a column; None for a table with a row per answer."""
    titles = {cell.strip().casefold() for cell in head}
    if titles & _QUESTION and titles & _ANSWER:
        return None
    return {(column.question, column.label) for cell in head if (column := _column(cell, assignment))}


def heading(number: int, label: str, name: str) -> str:
    """Return the heading of a column: number of the question, letter of the part, and name.

    The name identifies the question whichever questions there are.

    >>> heading(7, "a", "backward-induction"), heading(2, "", "moves")
    ('7a backward-induction', '2 moves')
    """
    return f"{number}{label} {name}"


def questions_named(head: Sequence[str], assignment: Assignment) -> tuple[str, ...]:
    """Return the questions that the columns name; none if they have numbers only.

    >>> from durak_widget.homework.assignment import get
    >>> questions_named(["code", "1 how-likely", "2a backward-induction", "2b backward-induction"], get("econ431"))
    ('how-likely', 'backward-induction')
    """
    names = [question.name for question in assignment.questions]
    matches = (_HEAD.fullmatch(cell.strip()) for cell in head)
    named = {match["name"].casefold() for match in matches if match and match["name"]}
    return tuple(name for name in names if name in named)


def said_beside(rows: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Return the students and editions typed beside the codes."""
    titles = [cell.strip().casefold() for cell in rows[0]]
    columns = [next((index for index, title in enumerate(titles) if title in headings), None) for headings in (_STUDENT, _EDITION)]
    return [(_at(row, columns[0]), _at(row, columns[1])) for row in rows[1:] if any(map(str.strip, row))]


def typed_off(
    rows: Sequence[Sequence[str]], assignment: Assignment, students: Sequence[str], main: Callable[[str], str] = known_as
) -> tuple[list[TypedSheet], list[Fact]]:
    """Return the typed answers of each student, and the problems found in the table.

    `assignment` has exactly the questions of the exam. `main` returns one name for all names of a student.

    >>> from durak_widget.homework.assignment import get
    >>> from durak_widget.paper_exams.sheet_codes import whose_sheet
    >>> paper = get("econ431", "2027")
    >>> code = SheetCode(whose_sheet(paper, "Ann"), 1).text
    >>> sheets, problems = typed_off([["code", "1", "5"], [code, "b", "5/18"], ["X" + code[1:], "a", ""]], paper, ["Ann"])
    >>> sheets[0].answers["how-likely"], [fact.key for fact in problems]
    ({'by_hand': {'': '5/18'}}, ['class.typed.code.near'])
    """
    titles = [cell.strip().casefold() for cell in rows[0]]
    column_of = {
        name: next((column_index for column_index, title in enumerate(titles) if title in headings), None)
        for name, headings in _WHAT.items()
    }
    students_by_prefix = codes_of(assignment, students)
    problems: list[Fact] = []
    cells: dict[str, list[_Cell]] = {}
    lines: dict[str, list[int]] = {}
    columns = {} if _is_long(column_of) else _columns(rows[0], set(column_of.values()), assignment, problems)
    if len(rows) > _MOST_LINES + 1:
        problems.append(Fact("class.typed.many", {"lines": len(rows) - 1, "most": _MOST_LINES}))
    for line, row in enumerate(rows[1 : _MOST_LINES + 1], 2):
        if not any(map(str.strip, row)):
            continue
        student = _whose(line, _at(row, column_of["code"]), _at(row, column_of["student"]), students_by_prefix, main, problems)
        if student is None:
            continue
        lines.setdefault(student, []).append(line)
        student_cells = cells.setdefault(student, [])
        if _is_long(column_of):
            column = _column(_at(row, column_of["question"]), assignment)
            if column is None:
                problems.append(Fact("class.typed.question.line", {"line": line, "question": _at(row, column_of["question"])[:40] or "–"}))
            elif bare_text(_at(row, column_of["answer"])):
                student_cells.append(_Cell(line, *column, _at(row, column_of["answer"])))
        else:
            student_cells += [_Cell(line, *column, text) for index, column in columns.items() if bare_text(text := _at(row, index))]
    return [_sheet(student, lines[student], typed, assignment, problems) for student, typed in cells.items()], problems


def _is_long(at: Mapping[str, int | None]) -> bool:
    """Return whether each answer has a row of its own."""
    return at["question"] is not None and at["answer"] is not None


def _at(row: Sequence[str], place: int | None) -> str:
    return row[place].strip().removeprefix("'") if place is not None and place < len(row) else ""


def _columns(head: Sequence[str], other: set[int | None], assignment: Assignment, odd: list[Fact]) -> dict[int, _Column]:
    """Return the part of a question for each column; report each unknown column once."""
    columns: dict[int, _Column] = {}
    for index, cell in enumerate(head):
        if index in other or cell.strip().casefold() in _BESIDE:
            continue
        column = _column(cell, assignment)
        if column is None:
            odd.append(Fact("class.typed.question", {"question": " ".join(cell.split())[:40]}))
        elif column in columns.values():
            odd.append(Fact("class.typed.column", {"question": " ".join(cell.split())[:40]}))
        else:
            columns[index] = column
    return columns


def _column(cell: str, assignment: Assignment) -> _Column | None:
    """Return the part of a question that a heading means: by name, or else by number."""
    names = [question.name for question in assignment.questions]
    text = " ".join(cell.split()).casefold()
    if match := _HEAD.fullmatch(text):
        number, name = int(match["number"]), match["name"]
        question_name = name if name in names else names[number - 1] if not name and 0 < number <= len(names) else None
        return None if question_name is None else _Column(question_name, match["label"])
    match = _NAMED.fullmatch(text)
    return _Column(match["name"], match["label"] or "") if match and match["name"] in names else None


def _whose(line: int, code: str, beside: str, known: Mapping[str, str], main: Callable[[str], str], odd: list[Fact]) -> str | None:
    """Return the student of a row; None, with a reported problem, if it is unknown."""
    if not plain_code(code):
        odd.append(Fact("class.typed.code.none", {"line": line}))
        return None
    facts: dict[str, object] = {"line": line, "code": " ".join(code.split())[:20]}
    sheet_code = SheetCode.read(code)
    if sheet_code is None or sheet_code.whose not in known:
        near = [] if sheet_code else near_codes(code, known)
        if near and len(near) <= _MOST_NEAR:
            suggestions = "; ".join(f"{near_code} ({near_student})" for near_code, near_student in near)
            odd.append(Fact("class.typed.code.near", {**facts, "near": suggestions}))
        else:
            odd.append(Fact("class.typed.code.foreign" if sheet_code else "class.typed.code.wrong", facts))
        return None
    student = known[sheet_code.whose]
    try:
        named_student = student_name(beside) if beside else ""
    except DurakError:
        named_student = ""
    if named_student and main(named_student) != main(student):
        odd.append(Fact("class.typed.other", {**facts, "student": student, "other": named_student}))
        return None
    return student


def _sheet(student: str, lines: Sequence[int], cells: Sequence[_Cell], assignment: Assignment, odd: list[Fact]) -> TypedSheet:
    """Return all answers of one student.

    If two rows give different answers to a question, it is reported and neither counts.
    """
    first_cells: dict[tuple[str, str], _Cell] = {}
    contradicted: set[str] = set()
    differing_lines: set[int] = set()
    for cell in cells:
        first_cell = first_cells.setdefault((cell.question, cell.label), cell)
        if bare_text(first_cell.text) != bare_text(cell.text):
            contradicted.add(cell.question)
            differing_lines |= {first_cell.line, cell.line}
    if contradicted:
        numbers = ", ".join(str(number) for number, question in enumerate(assignment.questions, 1) if question.name in contradicted)
        line_numbers = ", ".join(map(str, sorted(differing_lines)))
        odd.append(Fact("class.typed.twice", {"lines": line_numbers, "student": student, "questions": numbers}))
    answers: dict[str, dict[str, dict[str, str]]] = {}
    for (question_name, label), cell in first_cells.items():
        answers.setdefault(question_name, {HAND: {}})[HAND][label] = cell.text
    return TypedSheet(student, tuple(lines), answers, frozenset(contradicted))


def printed_paper(rows: Sequence[Sequence[str]], assignment: Assignment, students: Sequence[str]) -> Assignment:
    """Return the assignment with the questions that were printed.

    These are the questions that the columns name, perhaps with others, such that the codes are of this class.

    >>> from durak_widget.homework.assignment import get
    >>> from durak_widget.paper_exams.sheet_codes import whose_sheet
    >>> econ = get("econ431", "2027")
    >>> code = SheetCode(whose_sheet(econ.chosen(["moves", "how-likely", "players"]), "Ann"), 1).text
    >>> [question.name for question in printed_paper([["code", "1 players", "3 how-likely"], [code, "a", "1/2"]], econ, ["Ann"]).questions]
    ['players', 'moves', 'how-likely']
    """
    named = questions_named(rows[0], assignment)
    if not named:
        return assignment
    typed = {sheet_code.whose for code in codes_typed(rows) if (sheet_code := SheetCode.read(code))}
    for exam in islice(_papers(named, assignment), _MOST_TRIED):
        if typed & codes_of(exam, students).keys():
            return exam
    return assignment.chosen(named)


def _papers(named: Sequence[str], assignment: Assignment) -> Iterator[Assignment]:
    """Yield the exams that may have been printed, the most likely first."""
    yield assignment.chosen(named)
    yield assignment
    others = [question.name for question in assignment.questions if question.name not in named]
    for count in range(1, _MOST_LOST + 1):
        for lost_names in combinations(others, count):
            yield assignment.chosen([*named, *lost_names])


def lost_columns(rows: Sequence[Sequence[str]], paper: Assignment, students: Sequence[str]) -> list[Fact]:
    """Return a sentence about the columns of the exam that are missing."""
    typed_columns = columns_typed(rows[0], paper)
    if typed_columns is None or not students:
        return []
    students_by_prefix = codes_of(paper, students)
    typed = (sheet_code.whose for code in codes_typed(rows) if (sheet_code := SheetCode.read(code)))
    student = next((students_by_prefix[prefix] for prefix in typed if prefix in students_by_prefix), students[0])
    lost_headings: list[str] = []
    for number, question in enumerate(paper.questions, 1):
        typed_labels = [label for name, label in typed_columns if name == question.name]
        if typed_labels != [""]:
            lost_headings += [
                heading(number, label, question.name) for label in _labels(paper, question, student) if label not in typed_labels
            ]
    return [Fact("class.typed.lost", {"columns": "; ".join(lost_headings)})] if lost_headings else []


def _labels(paper: Assignment, question: Question, student: str) -> list[str]:
    """Return the letters of the parts of a question on a student's sheet.

    The list has only an empty letter if the question can't be drawn.
    """
    try:
        return [blank.label for blank in form_of_paper(paper.task(question.name, student)).blanks]
    except ENDINGS:
        return [""]


def lost_edition(rows: Sequence[Sequence[str]], paper: Assignment, odd: Sequence[Fact]) -> list[Fact]:
    """Return the problems, shortened if no row names an edition.

    Then there is one sentence about that, instead of one for each foreign code.
    """
    foreign = [fact for fact in odd if fact.key == "class.typed.code.foreign"]
    is_edition_missing = not parted_edition(paper.edition)[0] and not any(edition for _, edition in said_beside(rows))
    if not foreign or not is_edition_missing:
        return [*odd]
    return [Fact("class.typed.lost.edition", {"column": "edition", "option": "--edition"}), *(fact for fact in odd if fact not in foreign)]
