"""Parses the table in which a teacher types exam answers, and finds the matching exam.

A table has one row for each student or page, with a column for each part of a question (`code,1,2,7a,7b`); or one row
for each answer (`code,question,answer`). Impossible entries are reported. The exam is recognized even if a column is
missing or has another name.
"""

from __future__ import annotations

import re
from itertools import combinations, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import USER_CODE_EXCEPTIONS, DurakError
from durak_widget.exercises.paper_form import PAPER_ANSWER_KEY, clean_text, require_paper_question
from durak_widget.homework.assignment import normalize_name, require_student_name
from durak_widget.homework.assignment_edition import split_edition
from durak_widget.i18n import TranslatableText
from durak_widget.paper_exams.sheet_codes import SheetCode, find_near_codes, map_prefixes_to_students, normalize_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from durak_widget.homework.assignment import Assignment, Question

FIXED_COLUMNS: Final = ("code", "student", "edition")
"""The headings of the table's first columns, which come before the answers."""
_CODE_HEADINGS: Final = {"code", "код", "kodas"}
_STUDENT_HEADINGS: Final = {"student", "name", "студент", "имя", "фио", "studentas", "vardas"}
_EDITION_HEADINGS: Final = {"edition", "издание", "laida"}
_QUESTION_HEADINGS: Final = {"question", "вопрос", "klausimas"}
_ANSWER_HEADINGS: Final = {"answer", "ответ", "atsakymas"}
_IGNORED_HEADINGS: Final = {"", "page", "remarks", "points", "note", "notes"}
"""The headings of columns that a teacher may add for their own use; the parser ignores such columns."""
_NUMBERED_HEADING: Final = re.compile(r"(?P<number>\d{1,3})\s*(?P<label>[a-z]{0,2})(?:[\s.:)]+(?P<name>[a-z0-9-]+))?", re.IGNORECASE)
_NAMED_HEADING: Final = re.compile(r"(?P<name>[a-z0-9][a-z0-9-]*)(?:[\s.:)]+(?P<label>[a-z]{1,2}))?", re.IGNORECASE)
_MAX_NEAR_CODES: Final = 3
_MAX_LINES: Final = 5_000
_HEADINGS_BY_COLUMN: Final = {
    "code": _CODE_HEADINGS,
    "student": _STUDENT_HEADINGS,
    "edition": _EDITION_HEADINGS,
    "question": _QUESTION_HEADINGS,
    "answer": _ANSWER_HEADINGS,
}
_MAX_TRIED_EXAMS: Final = 200
"""The maximum number of selections of questions that are tried, to find which questions were printed."""
_MAX_LOST_QUESTIONS: Final = 2


class TypedAnswers(NamedTuple):
    """One student's answers, as the teacher typed them from the exam pages."""

    student: str
    line_numbers: tuple[int, ...]
    """The numbers of the table's rows that have answers of this student, as in a spreadsheet."""
    answers: Mapping[str, Mapping[str, Mapping[str, str]]]
    """The answers by the name of the question; `paper_form.is_paper_answer` accepts the format of each."""
    contradicted_questions: frozenset[str] = frozenset()
    """The names of the questions to which two rows of the table have different answers for this student."""


class _TypedAnswer(NamedTuple):
    """The content of one cell of the table, which answers a question or a part of it."""

    line: int
    question: str
    label: str
    text: str


class _QuestionPart(NamedTuple):
    """A part of a question, such as b in 3b; the table has a column for each part."""

    question: str
    label: str


def is_answer_table(head: Sequence[str]) -> bool:
    """Return whether a row has the headings of a table of typed answers.

    >>> is_answer_table(["Code", "1", "2a"]), is_answer_table(["student", "points"])
    (True, False)
    """
    return bool({cell.strip().casefold() for cell in head} & _CODE_HEADINGS)


def is_code_column_missing(head: Sequence[str]) -> bool:
    """Return whether a row is the heading row of an answer table that lacks page codes.

    The column may be missing or have another name.

    >>> is_code_column_missing(["kod", "student", "edition", "1 moves"]), is_code_column_missing(["Code", "1"]), is_code_column_missing(["student", "question", "points", "why"])
    (True, False, False)
    """
    titles = {" ".join(cell.split()).casefold() for cell in head}
    has_question = any((match := _NUMBERED_HEADING.fullmatch(title)) and match["name"] for title in titles)
    return not titles & _CODE_HEADINGS and bool(
        has_question or titles & _EDITION_HEADINGS or (titles & _QUESTION_HEADINGS and titles & _ANSWER_HEADINGS)
    )


def list_typed_codes(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return all page codes in the table, exactly as they were typed."""
    column = next((index for index, title in enumerate(rows[0]) if title.strip().casefold() in _CODE_HEADINGS), None)
    return [code for row in rows[1:] if (code := _get_cell(row, column))]


def find_question_columns(head: Sequence[str], assignment: Assignment) -> set[tuple[str, str]] | None:
    """Return the parts of questions (such as 3b) for which the table has columns.

    Return None if each row has only one answer, with the question in another column.
    """
    titles = {cell.strip().casefold() for cell in head}
    if titles & _QUESTION_HEADINGS and titles & _ANSWER_HEADINGS:
        return None
    return {(column.question, column.label) for cell in head if (column := _match_column(cell, assignment))}


def format_heading(number: int, label: str, name: str) -> str:
    """Return a column heading: number of the question, letter of the part, and name.

    The name identifies the question whichever questions there are.

    >>> format_heading(7, "a", "backward-induction"), format_heading(2, "", "moves")
    ('7a backward-induction', '2 moves')
    """
    return f"{number}{label} {name}"


def find_named_questions(head: Sequence[str], assignment: Assignment) -> tuple[str, ...]:
    """Return all questions whose names occur in the table's column headings.

    >>> from durak_widget.homework.assignment import get_assignment
    >>> find_named_questions(["code", "1 how-likely", "2a backward-induction", "2b backward-induction"], get_assignment("econ431"))
    ('how-likely', 'backward-induction')
    """
    names = [question.name for question in assignment.questions]
    matches = (_NUMBERED_HEADING.fullmatch(cell.strip()) for cell in head)
    named = {match["name"].casefold() for match in matches if match and match["name"]}
    return tuple(name for name in names if name in named)


def list_students_and_editions(rows: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Return the student and the edition of the exam in each row, exactly as typed."""
    titles = [cell.strip().casefold() for cell in rows[0]]
    columns = [
        next((index for index, title in enumerate(titles) if title in headings), None)
        for headings in (_STUDENT_HEADINGS, _EDITION_HEADINGS)
    ]
    return [(_get_cell(row, columns[0]), _get_cell(row, columns[1])) for row in rows[1:] if any(map(str.strip, row))]


def parse_answer_table(
    rows: Sequence[Sequence[str]], assignment: Assignment, students: Sequence[str], find_main_name: Callable[[str], str] = normalize_name
) -> tuple[list[TypedAnswers], list[TranslatableText]]:
    """Parse a table of typed answers; return the answers by student, and all problems.

    `assignment` has exactly the questions of the exam. `find_main_name` returns one name for all names of a student.

    >>> from durak_widget.homework.assignment import get_assignment
    >>> from durak_widget.paper_exams.sheet_codes import build_code_prefix
    >>> paper = get_assignment("econ431", "2027")
    >>> code = SheetCode(build_code_prefix(paper, "Ann"), 1).text
    >>> sheets, problems = parse_answer_table([["code", "1", "5"], [code, "b", "5/18"], ["X" + code[1:], "a", ""]], paper, ["Ann"])
    >>> sheets[0].answers["how-likely"], [fact.key for fact in problems]
    ({'by_hand': {'': '5/18'}}, ['class.typed.code.near'])
    """
    titles = [cell.strip().casefold() for cell in rows[0]]
    column_of = {
        name: next((column_index for column_index, title in enumerate(titles) if title in headings), None)
        for name, headings in _HEADINGS_BY_COLUMN.items()
    }
    students_by_prefix = map_prefixes_to_students(assignment, students)
    problems: list[TranslatableText] = []
    cells: dict[str, list[_TypedAnswer]] = {}
    lines: dict[str, list[int]] = {}
    columns = {} if _has_row_per_answer(column_of) else _match_columns(rows[0], set(column_of.values()), assignment, problems)
    if len(rows) > _MAX_LINES + 1:
        problems.append(TranslatableText("class.typed.many", {"lines": len(rows) - 1, "most": _MAX_LINES}))
    for line, row in enumerate(rows[1 : _MAX_LINES + 1], 2):
        if not any(map(str.strip, row)):
            continue
        student = _find_student(
            line, _get_cell(row, column_of["code"]), _get_cell(row, column_of["student"]), students_by_prefix, find_main_name, problems
        )
        if student is None:
            continue
        lines.setdefault(student, []).append(line)
        student_cells = cells.setdefault(student, [])
        if _has_row_per_answer(column_of):
            column = _match_column(_get_cell(row, column_of["question"]), assignment)
            if column is None:
                problems.append(
                    TranslatableText(
                        "class.typed.question.line", {"line": line, "question": _get_cell(row, column_of["question"])[:40] or "–"}
                    )
                )
            elif clean_text(_get_cell(row, column_of["answer"])):
                student_cells.append(_TypedAnswer(line, *column, _get_cell(row, column_of["answer"])))
        else:
            student_cells += [
                _TypedAnswer(line, *column, text) for index, column in columns.items() if clean_text(text := _get_cell(row, index))
            ]
    return [_merge_answers(student, lines[student], typed, assignment, problems) for student, typed in cells.items()], problems


def _has_row_per_answer(columns: Mapping[str, int | None]) -> bool:
    """Return whether each row has one answer, in columns named "question" and "answer"."""
    return columns["question"] is not None and columns["answer"] is not None


def _get_cell(row: Sequence[str], index: int | None) -> str:
    return row[index].strip().removeprefix("'") if index is not None and index < len(row) else ""


def _match_columns(
    head: Sequence[str], fixed_columns: set[int | None], assignment: Assignment, problems: list[TranslatableText]
) -> dict[int, _QuestionPart]:
    """Match the columns of the table to parts of questions, and report unknown columns."""
    columns: dict[int, _QuestionPart] = {}
    for index, cell in enumerate(head):
        if index in fixed_columns or cell.strip().casefold() in _IGNORED_HEADINGS:
            continue
        column = _match_column(cell, assignment)
        if column is None:
            problems.append(TranslatableText("class.typed.question", {"question": " ".join(cell.split())[:40]}))
        elif column in columns.values():
            problems.append(TranslatableText("class.typed.column", {"question": " ".join(cell.split())[:40]}))
        else:
            columns[index] = column
    return columns


def _match_column(cell: str, assignment: Assignment) -> _QuestionPart | None:
    """Return the part of a question that a heading stands for; None if the heading is unknown."""
    names = [question.name for question in assignment.questions]
    text = " ".join(cell.split()).casefold()
    if match := _NUMBERED_HEADING.fullmatch(text):
        number, name = int(match["number"]), match["name"]
        question_name = name if name in names else names[number - 1] if not name and 0 < number <= len(names) else None
        return None if question_name is None else _QuestionPart(question_name, match["label"])
    match = _NAMED_HEADING.fullmatch(text)
    return _QuestionPart(match["name"], match["label"] or "") if match and match["name"] in names else None


def _find_student(
    line: int,
    code: str,
    typed_name: str,
    students_by_prefix: Mapping[str, str],
    find_main_name: Callable[[str], str],
    problems: list[TranslatableText],
) -> str | None:
    """Return the student to whom a row belongs; if there is none, report a problem."""
    if not normalize_code(code):
        problems.append(TranslatableText("class.typed.code.none", {"line": line}))
        return None
    facts: dict[str, object] = {"line": line, "code": " ".join(code.split())[:20]}
    sheet_code = SheetCode.parse(code)
    if sheet_code is None or sheet_code.prefix not in students_by_prefix:
        near = [] if sheet_code else find_near_codes(code, students_by_prefix)
        if near and len(near) <= _MAX_NEAR_CODES:
            suggestions = "; ".join(f"{near_code} ({near_student})" for near_code, near_student in near)
            problems.append(TranslatableText("class.typed.code.near", {**facts, "near": suggestions}))
        else:
            problems.append(TranslatableText("class.typed.code.foreign" if sheet_code else "class.typed.code.wrong", facts))
        return None
    student = students_by_prefix[sheet_code.prefix]
    try:
        named_student = require_student_name(typed_name) if typed_name else ""
    except DurakError:
        named_student = ""
    if named_student and find_main_name(named_student) != find_main_name(student):
        problems.append(TranslatableText("class.typed.other", {**facts, "student": student, "other": named_student}))
        return None
    return student


def _merge_answers(
    student: str, lines: Sequence[int], cells: Sequence[_TypedAnswer], assignment: Assignment, problems: list[TranslatableText]
) -> TypedAnswers:
    """Combine one student's answers, which may be in several rows of the table.

    If two rows give different answers to a question, it is reported and neither counts.
    """
    first_cells: dict[tuple[str, str], _TypedAnswer] = {}
    contradicted: set[str] = set()
    differing_lines: set[int] = set()
    for cell in cells:
        first_cell = first_cells.setdefault((cell.question, cell.label), cell)
        if clean_text(first_cell.text) != clean_text(cell.text):
            contradicted.add(cell.question)
            differing_lines |= {first_cell.line, cell.line}
    if contradicted:
        numbers = ", ".join(str(number) for number, question in enumerate(assignment.questions, 1) if question.name in contradicted)
        line_numbers = ", ".join(map(str, sorted(differing_lines)))
        problems.append(TranslatableText("class.typed.twice", {"lines": line_numbers, "student": student, "questions": numbers}))
    answers: dict[str, dict[str, dict[str, str]]] = {}
    for (question_name, label), cell in first_cells.items():
        answers.setdefault(question_name, {PAPER_ANSWER_KEY: {}})[PAPER_ANSWER_KEY][label] = cell.text
    return TypedAnswers(student, tuple(lines), answers, frozenset(contradicted))


def find_printed_exam(rows: Sequence[Sequence[str]], assignment: Assignment, students: Sequence[str]) -> Assignment:
    """Return an assignment that has only those questions that were printed in the exam.

    These are the questions that the columns name, perhaps with others, such that the codes are of this class.

    >>> from durak_widget.homework.assignment import get_assignment
    >>> from durak_widget.paper_exams.sheet_codes import build_code_prefix
    >>> econ = get_assignment("econ431", "2027")
    >>> code = SheetCode(build_code_prefix(econ.select_questions(["moves", "how-likely", "players"]), "Ann"), 1).text
    >>> [question.name for question in find_printed_exam([["code", "1 players", "3 how-likely"], [code, "a", "1/2"]], econ, ["Ann"]).questions]
    ['players', 'moves', 'how-likely']
    """
    named = find_named_questions(rows[0], assignment)
    if not named:
        return assignment
    typed = {sheet_code.prefix for code in list_typed_codes(rows) if (sheet_code := SheetCode.parse(code))}
    for exam in islice(_iterate_possible_exams(named, assignment), _MAX_TRIED_EXAMS):
        if typed & map_prefixes_to_students(exam, students).keys():
            return exam
    return assignment.select_questions(named)


def _iterate_possible_exams(named_questions: Sequence[str], assignment: Assignment) -> Iterator[Assignment]:
    """Yield possible selections of printed questions, the most probable first."""
    yield assignment.select_questions(named_questions)
    yield assignment
    other_names = [question.name for question in assignment.questions if question.name not in named_questions]
    for count in range(1, _MAX_LOST_QUESTIONS + 1):
        for lost_names in combinations(other_names, count):
            yield assignment.select_questions([*named_questions, *lost_names])


def describe_lost_columns(rows: Sequence[Sequence[str]], exam: Assignment, students: Sequence[str]) -> list[TranslatableText]:
    """Return a list with one text, which names the columns that the answer table lacks.

    The list is empty if no columns are missing.
    """
    typed_columns = find_question_columns(rows[0], exam)
    if typed_columns is None or not students:
        return []
    students_by_prefix = map_prefixes_to_students(exam, students)
    typed = (sheet_code.prefix for code in list_typed_codes(rows) if (sheet_code := SheetCode.parse(code)))
    student = next((students_by_prefix[prefix] for prefix in typed if prefix in students_by_prefix), students[0])
    lost_headings: list[str] = []
    for number, question in enumerate(exam.questions, 1):
        typed_labels = [label for name, label in typed_columns if name == question.name]
        if typed_labels != [""]:
            lost_headings += [
                format_heading(number, label, question.name)
                for label in _list_part_labels(exam, question, student)
                if label not in typed_labels
            ]
    return [TranslatableText("class.typed.lost", {"columns": "; ".join(lost_headings)})] if lost_headings else []


def _list_part_labels(exam: Assignment, question: Question, student: str) -> list[str]:
    """Return the letters of all parts of a question, as in one student's exam.

    The list has only an empty letter if the question can't be drawn.
    """
    try:
        return [blank.label for blank in require_paper_question(exam.create_exercise(question.name, student)).blanks]
    except USER_CODE_EXCEPTIONS:
        return [""]


def describe_lost_edition(rows: Sequence[Sequence[str]], exam: Assignment, problems: Sequence[TranslatableText]) -> list[TranslatableText]:
    """If no edition was typed, replace all problems with unknown page codes by one problem.

    The merged problem says that the edition is missing. Return it and all other problems.
    """
    foreign = [fact for fact in problems if fact.key == "class.typed.code.foreign"]
    is_edition_missing = not split_edition(exam.edition)[0] and not any(edition for _, edition in list_students_and_editions(rows))
    if not foreign or not is_edition_missing:
        return [*problems]
    return [
        TranslatableText("class.typed.lost.edition", {"column": "edition", "option": "--edition"}),
        *(fact for fact in problems if fact not in foreign),
    ]
