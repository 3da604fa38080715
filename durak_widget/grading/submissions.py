"""The submissions of a class: each file's student and answers, from receipts and cells.

Nothing in them is run or trusted. A file that is broken, cut, renamed, duplicated, another student's, or of another
assignment is reported, and its readable answers count.
"""

from __future__ import annotations

import contextlib
import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.errors import DurakError
from durak_widget.exercises.paper_form import by_hand
from durak_widget.grading.notebook_answers import said_in, sources_of, text_of
from durak_widget.grading.submission_files import TABLES, File, Odd, data_in, parsed, rows_in, shown
from durak_widget.homework.assignment import known_as, student_name
from durak_widget.homework.question_file import FORMAT as QUESTIONS
from durak_widget.homework.receipt import MIME, MOST_TRIES, Receipt, receipt_of
from durak_widget.i18n import Fact
from durak_widget.paper_exams.answer_spreadsheet import (
    COLUMNS,
    is_table,
    lacks_code,
    lost_columns,
    lost_edition,
    printed_paper,
    said_beside,
    typed_off,
)
from durak_widget.paper_exams.sheet_codes import codes_said

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from durak_widget.homework.assignment import Assignment

_FORMAT: Final = "durak_widget.receipt"
_MOST_OUTPUTS: Final = 20_000
_MOST_TEXT: Final = 2**22
_ANYBODY: Final = "X"
"""Name used while the rest of a receipt is checked."""
_MOST_FILES: Final = 12
"""Largest number of files with different answers of which the best counts.

That is a notebook and its receipt, handed in a few times.
"""
_MOST_BESTS: Final = 3
"""Largest number of different answers to a question of which the best counts.

With more of them none counts until the teacher has said which files are the student's.
"""


class Part(NamedTuple):
    """The content of one receipt, or of a notebook's cells."""

    student: str
    """Name of the student; empty if it is not given."""
    assignment: str
    edition: str
    answers: Mapping[int | str, tuple[Any, int, str]]
    """Answer, number of attempts and time by the question's name or number."""
    written: bool = False
    """True if it is from cells."""


class HandedIn(NamedTuple):
    """The content of a file."""

    file: File
    parts: tuple[Part, ...] = ()
    odd: tuple[Fact, ...] = ()
    notebook: bool = False
    table: tuple[tuple[str, ...], ...] = ()
    """Rows of a table that was typed from sheets of many students; see `typed_sheets`."""
    doubt: frozenset[str] = frozenset()
    """Questions for which rows of the table contradict each other."""
    damaged: bool = False
    """True if the file breaks off, so that answers may be lost."""


class Given(NamedTuple):
    """An answer that counts."""

    given: Any
    tries: int
    other: Any = None
    """Different answer in the receipt, which counts if the one in the cell can't be read or run."""
    at: str = ""
    """Time of storing in the receipt; empty if unknown."""


class Work(NamedTuple):
    """A student's answers in one file."""

    student: str
    file: str
    answers: dict[int, Given]
    """Answers by the index of the question."""
    notebook: bool = False
    parts: tuple[Part, ...] = ()
    """Receipts and cells from which they were read."""
    doubt: frozenset[int] = frozenset()
    """Indices of the questions that can't be graded, since rows of a table contradict each other."""
    damaged: bool = False
    """True if the file breaks off, so that answers may be lost."""


def without_table(found: HandedIn) -> HandedIn:
    """Return a file without its table, which the grader has not named.

    A student may have put it among the submissions.
    """
    return HandedIn(found.file, (), (Fact("class.typed.unnamed", {"file": found.file.name, "option": "--typed"}),))


def handed_in(file: File) -> HandedIn:
    """Read the content of a file: a notebook, a receipt, or a table typed from sheets."""
    if file.path.casefold().endswith(TABLES) and (rows := rows_in(file)):
        if isinstance(rows, Fact):
            return HandedIn(file, (), (rows,))
        if is_table(rows[0]):
            student_parts = tuple(Part(name_of(student), "", edition, {}) for student, edition in said_beside(rows) if edition)
            return HandedIn(file, student_parts, table=tuple(map(tuple, rows)))
        if lacks_code(rows[0]):
            return HandedIn(file, (), (Fact("class.typed.lost.code", {"column": COLUMNS[0], "head": ",".join(COLUMNS)}),))
    data, file_problems, open_at_break = data_in(file)
    messages = list(file_problems)
    if not isinstance(data, dict):
        return HandedIn(file, (), (*messages, *([] if messages else [Fact("class.file.other")])))
    if data.get("format") == QUESTIONS:  # a file that was handed out came back with the answers
        return HandedIn(file)
    if isinstance(data.get("cells"), list):
        parts = tuple(_of_notebook(data["cells"], messages))
    elif _is_receipt(data):
        parts = tuple(_of_receipt(data, messages))
    else:
        return HandedIn(file, (), (*messages, Fact("class.file.other")))
    if not any(part.answers for part in parts) and not any(fact.key == "class.file.form" for fact in messages):
        messages.append(Fact("class.file.nothing"))
    has_answers = data.keys() & {"answers", "cells"}
    is_damaged = any(fact.key == "class.file.broken" for fact in messages) and (
        open_at_break > 1 or not has_answers
    )  # otherwise all answers are complete
    return HandedIn(file, parts, tuple(messages), isinstance(data.get("cells"), list), damaged=is_damaged)


def _is_receipt(found: object) -> bool:
    return isinstance(found, dict) and isinstance(found.get("format"), str) and found["format"].startswith(_FORMAT)


def _of_receipt(found: dict[str, Any], odd: list[Fact]) -> Iterator[Part]:
    """Read a receipt; an unreadable answer is left out."""
    answers = found.get("answers", {})
    header: Receipt | None = None
    with contextlib.suppress(DurakError, RecursionError):
        header = receipt_of({**found, "student": _ANYBODY, "answers": {}})
    if header is None or not isinstance(answers, dict):
        odd.append(Fact("class.file.form"))
        return
    answers_by_question: dict[int | str, tuple[Any, int, str]] = {}
    for name, answer_data in list(answers.items())[:1000]:
        tries = answer_data.get("tries") if isinstance(answer_data, dict) else None
        is_valid = isinstance(tries, int) and not isinstance(tries, bool) and 0 < tries <= MOST_TRIES
        try:
            receipt = receipt_of({**found, "student": _ANYBODY, "answers": {name: {**answer_data, "tries": tries if is_valid else 1}}})
            answers_by_question |= {question: (answer.given, answer.tries, answer.at) for question, answer in receipt.answers.items()}
        except (DurakError, RecursionError, TypeError):
            odd.append(Fact("class.file.answer", {"question": shown(str(name))[:60]}))
    yield Part(name_of(found.get("student")), header.assignment, header.edition, answers_by_question)


def _of_notebook(cells: Sequence[object], odd: list[Fact]) -> Iterator[Part]:
    """Read the receipts in a notebook's outputs, then its cells."""
    for receipt in _receipts(cells):
        yield from _of_receipt(receipt, odd)
    notebook_answers = said_in(sources_of(cells))
    odd += notebook_answers.odd
    student = name_of(notebook_answers.student)
    if student or notebook_answers.answers:
        yield Part(
            student,
            notebook_answers.assignment,
            notebook_answers.edition,
            {question: (answer, 1, "") for question, answer in notebook_answers.answers.items()},
            written=True,
        )


def _receipts(cells: Sequence[object]) -> Iterator[dict[str, Any]]:
    """Find the receipts among the outputs in order, as data or as text."""
    outputs = (output for cell in cells if isinstance(cell, dict) and isinstance(cell.get("outputs"), list) for output in cell["outputs"])
    for count, output in enumerate(outputs):
        if count >= _MOST_OUTPUTS or not isinstance(output, dict):
            continue
        data = output.get("data")
        stored = data.get(MIME) if isinstance(data, dict) else None
        receipt = stored if isinstance(stored, dict) else _read_off(text_of(stored))
        if not _is_receipt(receipt):
            receipt = _read_off(text_of(data.get("text/plain")) if isinstance(data, dict) else text_of(output.get("text")))
        if isinstance(receipt, dict) and _is_receipt(receipt):
            yield receipt


def _read_off(text: str) -> object:
    """Parse the receipt in a text, or return None."""
    start = text.find("{")
    if start < 0 or _FORMAT not in text or len(text) > _MOST_TEXT:
        return None
    return parsed(text[start : text.rfind("}") + 1], []).data


def typed_sheets(
    handed: Iterable[HandedIn], assignment: Assignment, students: Sequence[str], alias: Callable[[str], str], *, chosen: bool = False
) -> list[HandedIn]:
    """Split each typed table into the content of each student.

    `assignment` has the questions that are graded. With `chosen` the teacher has named them: they were printed.
    """
    split_contents: list[HandedIn] = []
    for contents in handed:
        if not contents.table:
            split_contents.append(contents)
            continue
        student_names = [*students] or named_beside(contents.table)
        printed = assignment if chosen else printed_paper(contents.table, assignment, student_names)
        sheets, sheet_problems = typed_off(contents.table, printed, student_names, alias)
        messages = [
            *(sheet_problems if sheets else lost_edition(contents.table, printed, sheet_problems)),
            *([] if student_names else [Fact("class.typed.roster", {"column": "student"})]),
        ]
        messages += lost_columns(contents.table, printed, student_names) if sheets else []
        split_contents.append(HandedIn(contents.file, (), tuple(messages), table=contents.table))
        for sheet in sheets:
            name = f"{contents.file.name}:{'+'.join(map(str, sheet.lines))}"
            answers: dict[int | str, tuple[Any, int, str]] = {question: (answer, 1, "") for question, answer in sheet.answers.items()}
            part = Part(sheet.student, assignment.name, assignment.edition, answers)
            split_contents.append(HandedIn(contents.file._replace(name=name), (part,), doubt=sheet.doubt))
    return split_contents


def named_beside(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the students who are named beside the codes of a table."""
    return [name for name in dict.fromkeys(name_of(student) for student, _ in said_beside(rows)) if name]


# Students, and the answers that count


class Sorted(NamedTuple):
    """The submissions of each student by name, and the problems with files."""

    works: dict[str, list[Work]]
    """Submissions by the normal form of the student's name."""
    odd: list[Odd]
    held: dict[str, dict[int, list[str]]]
    """Questions of a student with too many different answers, each with its files."""
    unsure: Mapping[str, frozenset[int]] = {}
    """Questions of a student for which rows of a table contradict each other."""


def sort_out(handed: Iterable[HandedIn], assignment: Assignment, own_edition: str = "", alias: Callable[[str], str] = known_as) -> Sorted:
    """Sort the contents of files by student, and report problems.

    `own_edition` is that of the assignment itself, which a cell may leave out. `alias` returns the one name for all
    names of a student.
    """
    problems: list[Odd] = []
    submissions_by_student: dict[str, list[tuple[Work, str]]] = defaultdict(list)
    for contents in handed:
        problems += [Odd(contents.file.name, message, codes_said(message.facts) if contents.table else ()) for message in contents.odd]
        submission = _work(contents, assignment, own_edition, problems)
        if submission is not None:
            submissions_by_student[alias(submission.student)].append((submission, contents.file.folder))
    own_submissions = {
        normal_name: _own(normal_name, submissions_by_student[normal_name], assignment, alias, problems)
        for normal_name in sorted(submissions_by_student)
    }
    held_questions = {
        normal_name: too_many for normal_name, student_submissions in own_submissions.items() if (too_many := _unlike(student_submissions))
    }
    unsure_questions = {normal_name: _unsure(student_submissions) for normal_name, student_submissions in own_submissions.items()}
    own_submissions = {
        normal_name: [_without_doubt(submission) for submission in student_submissions]
        for normal_name, student_submissions in own_submissions.items()
    }
    counted_submissions = {
        normal_name: _without({*held_questions.get(normal_name, {}), *unsure_questions[normal_name]}, student_submissions)
        for normal_name, student_submissions in own_submissions.items()
    }
    excused_files = {
        submission.file
        for normal_name, student_submissions in own_submissions.items()
        if any(sibling.answers for sibling in student_submissions)
        for submission in _spared(submissions_by_student[normal_name])
    }
    reported = [problem for problem in problems if problem.file not in excused_files or problem.fact.key != "class.file.nothing"]
    return Sorted(
        counted_submissions,
        reported,
        held_questions,
        {normal_name: indices for normal_name, indices in unsure_questions.items() if indices},
    )


def _unsure(several: Sequence[Work]) -> frozenset[int]:
    """Return the questions for which only contradictory table rows have an answer."""
    doubt = frozenset[int]().union(*(submission.doubt for submission in several))
    return doubt - {index for submission in several for index, answer in submission.answers.items() if not by_hand(answer.given)}


def _without_doubt(work: Work) -> Work:
    """Remove the answers for which rows of a table contradict each other."""
    return work._replace(answers={index: answer for index, answer in work.answers.items() if index not in work.doubt})


def _spared(files: Sequence[tuple[Work, str]]) -> Iterator[Work]:
    """Return the files that may be empty, since another file of the student has the answers."""
    is_pair = are_a_pair([submission for submission, _ in files])
    return (submission for submission, folder in files if not submission.answers and (is_pair or folder))


def are_a_pair(several: Sequence[Work]) -> bool:
    """Return whether these are a notebook and its receipt.

    What is missing in one of them is then no problem.

    >>> work = Work("Ann", "ann.ipynb", {}, notebook=True)
    >>> are_a_pair([work]), are_a_pair([work, work._replace(file="ann.receipt.json", notebook=False)])
    (False, True)
    """
    return sorted(submission.notebook for submission in several) == [False, True]


def fits(part: Part, name: str) -> bool:
    """Return whether a part is for the assignment of that name."""
    return part.assignment in ("", name) or (part.written and ":" in part.assignment)


def _work(one: HandedIn, assignment: Assignment, own_edition: str, odd: list[Odd]) -> Work | None:
    """Return a student's counting answers in a file, or None, and report problems."""
    name = one.file.name
    parts = [part for part in one.parts if fits(part, assignment.name)]
    if not parts:
        if one.parts:
            odd.append(Odd(name, Fact("class.file.assignment", {"other": shown(one.parts[-1].assignment)[:60]})))
        return None
    implied_editions = {own_edition, *(part.edition for part in parts if not part.written)}  # editions that a cell without one may mean
    normalize = assignment.edition_named
    matching_parts = [
        part
        for part in parts
        if assignment.edition in (implied_editions if part.written and not part.edition else {normalize(part.edition)})
    ]
    if not matching_parts:
        odd.append(Odd(name, Fact("class.file.edition", {"other": shown(parts[-1].edition)[:60] or "–"})))
        return None
    names = [part.student for part in matching_parts if part.written and part.student] or [
        part.student for part in matching_parts if part.student
    ]
    student = names[-1] if names else name_of(one.file.folder)
    if not student:
        odd.append(Odd(name, Fact("class.file.nobody", {"code": 'lessons.homework(…, student="Ann Lee")'})))
        return None
    normal_name = known_as(student)
    other_names = {
        known_as(part.student): part.student for part in matching_parts if part.student and known_as(part.student) != normal_name
    }
    odd += [Odd(name, Fact("class.file.foreign", {"student": other})) for other in other_names.values()]
    own_parts = tuple(part for part in matching_parts if known_as(part.student or student) == normal_name)
    contradicted = frozenset(assignment.place(question) for question in one.doubt)
    return Work(student, name, _answers(own_parts, assignment, name, odd), one.notebook, own_parts, contradicted, one.damaged)


def name_of(said: object) -> str:
    """Return a student's name from a receipt, cell or folder; empty if it is invalid."""
    try:
        return student_name(said)
    except DurakError:
        return ""


def _answers(parts: Sequence[Part], assignment: Assignment, name: str, odd: list[Odd]) -> dict[int, Given]:
    """Collect the answers that count: from the receipt with most attempts, then from cells."""
    counted: dict[int, Given] = {}
    for part in sorted(parts, key=lambda part: part.written):
        for question, (answer, tries, stored_at) in part.answers.items():
            try:
                index = assignment.place(question)
            except DurakError:
                odd.append(Odd(name, Fact("class.file.question", {"question": shown(str(question))[:60]})))
                continue
            previous = counted.get(index)
            if part.written:
                is_same = previous is None or json.dumps(previous.given, sort_keys=True) == json.dumps(answer, sort_keys=True)
                known_time = previous.at if is_same and previous is not None else ""
                counted[index] = Given(
                    answer, previous.tries if previous else tries, None if is_same or previous is None else previous.given, known_time
                )
            elif previous is None or tries >= previous.tries:
                counted[index] = Given(answer, tries, at=stored_at)
    return counted


def _own(who: str, files: Sequence[tuple[Work, str]], assignment: Assignment, alias: Callable[[str], str], odd: list[Odd]) -> list[Work]:
    """Return a student's submissions.

    If some are in a folder of their name, files in other students' folders don't count.
    """
    is_elsewhere = [folder != "" and alias(name_of(folder) or "0") != who for _, folder in files]
    has_own_folder = any(folder and not elsewhere for (_, folder), elsewhere in zip(files, is_elsewhere, strict=True))
    if has_own_folder or len({folder for _, folder in files if folder}) > 1:  # a student has handed in another's work
        for (submission, folder), elsewhere in zip(files, is_elsewhere, strict=True):
            if elsewhere:
                odd.append(Odd(submission.file, Fact("class.file.somebody", {"student": submission.student, "other": folder})))
    if has_own_folder:
        files = [file for file, elsewhere in zip(files, is_elsewhere, strict=True) if not elsewhere]
    return list(_together(files, assignment))


def _unlike(works: Sequence[Work]) -> dict[int, list[str]]:
    """Return the questions with more different answers than may be tried, and their files."""
    files_by_answer: dict[int, dict[frozenset[str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for submission in works:
        for index, answer in submission.answers.items():
            normal_answers = frozenset(_plain(given) for given in (answer.given, answer.other) if given is not None)
            files_by_answer[index][normal_answers].append(submission.file)
    return {
        index: sorted(file for files in answers.values() for file in files)
        for index, answers in sorted(files_by_answer.items())
        if len(answers) > _MOST_BESTS or (len(answers) > 1 and sum(map(len, answers.values())) > _MOST_FILES)
    }


def _plain(given: Any) -> str:  # noqa: ANN401 - whatever somebody has answered
    """Return one text for an answer that is a value or its text, or cards as a list or a line.

    >>> _plain(36) == _plain("36"), _plain(["7c", "8c"]) == _plain("7c 8c"), _plain([["a"], ["b"]]) == _plain([["a", "b"]])
    (True, True, False)
    """
    if isinstance(given, list) and all(isinstance(item, str) for item in given):
        given = " ".join(given)
    return " ".join(given.split()) if isinstance(given, str) else json.dumps(given, sort_keys=True)


def _without(held: Collection[int], works: list[Work]) -> list[Work]:
    """Remove the held questions from submissions.

    Files with no other answers are dropped, except if all would be.
    """
    left = [
        submission._replace(answers={index: answer for index, answer in submission.answers.items() if index not in held})
        for submission in works
    ]
    return [reduced for reduced, submission in zip(left, works, strict=True) if reduced.answers or not submission.answers] or left[:1]


def _together(files: Sequence[tuple[Work, str]], assignment: Assignment) -> Iterator[Work]:
    """Merge what is in a student's nbgrader folder into one submission.

    Only that student has put it there, so each question is answered once.
    """
    submissions_by_folder: dict[tuple[str, str], list[Work]] = defaultdict(list)
    for submission, folder in files:
        submissions_by_folder[folder, known_as(submission.student) if folder else submission.file].append(submission)
    for several in submissions_by_folder.values():
        if len(several) == 1:
            yield several[0]
            continue
        parts = tuple(part for submission in several for part in submission.parts)
        first = max(several, key=lambda submission: submission.notebook)
        yield first._replace(answers=_answers(parts, assignment, first.file, []), parts=parts)
