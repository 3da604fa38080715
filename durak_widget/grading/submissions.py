"""The submissions of a school class: for each submitted file, the student and the answers.

Nothing in a submission is run or trusted. A file that is broken, truncated, renamed, duplicated, or that belongs to another student or
assignment is reported, and its readable answers count.
"""

from __future__ import annotations

import contextlib
import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.errors import DurakError
from durak_widget.exercises.paper_form import is_paper_answer
from durak_widget.grading.notebook_answers import extract_code_sources, join_text, read_notebook_answers
from durak_widget.grading.submission_files import TABLE_SUFFIXES, FileProblem, SubmittedFile, clean_name, parse_json, read_data, read_rows
from durak_widget.homework.assignment import normalize_name, require_student_name
from durak_widget.homework.question_file import is_questions_format
from durak_widget.homework.receipt import MAX_ATTEMPTS, MIME_TYPE, Receipt, receipt_from_dict, update_receipt_dict
from durak_widget.i18n import TranslatableText
from durak_widget.paper_exams.answer_spreadsheet import (
    FIXED_COLUMNS,
    describe_lost_columns,
    describe_lost_edition,
    find_printed_exam,
    is_answer_table,
    is_code_column_missing,
    list_students_and_editions,
    parse_answer_table,
)
from durak_widget.paper_exams.sheet_codes import list_mentioned_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from durak_widget.homework.assignment import Assignment

_RECEIPT_FORMAT_START: Final = "durak_widget.receipt"
_MAX_OUTPUTS: Final = 20_000
_MAX_TEXT_LENGTH: Final = 2**22
_PLACEHOLDER_NAME: Final = "X"
"""A valid student name, used in place of the real name while the package checks a receipt."""
_MAX_DIFFERING_FILES: Final = 12
"""The maximum number of files with different answers to one question that a student may hand in.

With more files, the question is not graded yet. The number allows for a notebook and its receipt, handed in a few times.
"""
_MAX_DIFFERENT_ANSWERS: Final = 3
"""The maximum number of different answers to one question from which the best one counts.

With more different answers, none counts until the teacher has said which files are the student's.
"""


class SubmissionPart(NamedTuple):
    """A student's answers in one receipt file, or in the cells of one notebook."""

    student: str
    """The name of the student; empty if the receipt or notebook names no student."""
    assignment: str
    edition: str
    answers: Mapping[int | str, tuple[Any, int, str]]
    """For each question, by name or number: the answer, the number of attempts, and the time."""
    is_from_cells: bool = False
    """True if the answers are from notebook cells, False if they are from a receipt."""


class FileContents(NamedTuple):
    """The content of a submitted file."""

    file: SubmittedFile
    parts: tuple[SubmissionPart, ...] = ()
    problems: tuple[TranslatableText, ...] = ()
    is_notebook: bool = False
    typed_rows: tuple[tuple[str, ...], ...] = ()
    """The rows of a table that a teacher typed from the sheets of several students."""
    contradicted_questions: frozenset[str] = frozenset()
    """The questions for which two rows of a table typed by the teacher contradict each other."""
    is_damaged: bool = False
    """True if the file is truncated, so that answers may be lost."""


class CountedAnswer(NamedTuple):
    """The one of a student's answers to a question that counts for the grade."""

    answer: Any
    attempt_count: int
    fallback_answer: Any = None
    """A different answer in the receipt, which counts if the answer in the notebook is unreadable."""
    stored_at: str = ""
    """When the answer was stored, according to the receipt; empty if unknown."""


class Submission(NamedTuple):
    """The answers of one student in one file."""

    student: str
    file: str
    answers: dict[int, CountedAnswer]
    """The answers in the file, by question index."""
    is_notebook: bool = False
    parts: tuple[SubmissionPart, ...] = ()
    """The receipts and notebook cells from which these answers were read."""
    contradicted_questions: frozenset[int] = frozenset()
    """The indices of questions for which rows of a typed table contradict each other.

    These questions can't be graded.
    """
    is_damaged: bool = False
    """True if the file is truncated, so that answers may be lost."""


def ignore_table(contents: FileContents) -> FileContents:
    """Report and ignore a table of typed answers in a file that the teacher did not name.

    A student may have put the file among the submissions.
    """
    return FileContents(contents.file, (), (TranslatableText("class.typed.unnamed", {"file": contents.file.name, "option": "--typed"}),))


def read_submission(file: SubmittedFile) -> FileContents:
    """Read a submitted file: a notebook, a receipt, or a table typed from printed sheets."""
    if file.path.casefold().endswith(TABLE_SUFFIXES) and (rows := read_rows(file)):
        if isinstance(rows, TranslatableText):
            return FileContents(file, (), (rows,))
        if is_answer_table(rows[0]):
            student_parts = tuple(
                SubmissionPart(get_valid_name(student), "", edition, {}) for student, edition in list_students_and_editions(rows) if edition
            )
            return FileContents(file, student_parts, typed_rows=tuple(map(tuple, rows)))
        if is_code_column_missing(rows[0]):
            return FileContents(
                file, (), (TranslatableText("class.typed.lost.code", {"column": FIXED_COLUMNS[0], "head": ",".join(FIXED_COLUMNS)}),)
            )
    data, file_problems, open_at_break = read_data(file)
    messages = list(file_problems)
    if not isinstance(data, dict):
        return FileContents(file, (), (*messages, *([] if messages else [TranslatableText("class.file.other")])))
    if is_questions_format(data.get("format")):  # If a student hands in the file of questions itself, it contains no answers
        return FileContents(file)
    if isinstance(data.get("cells"), list):
        parts = tuple(_read_notebook(data["cells"], messages))
    elif _is_receipt(data):
        parts = tuple(_read_receipt(data, messages))
    else:
        return FileContents(file, (), (*messages, TranslatableText("class.file.other")))
    if not any(part.answers for part in parts) and not any(fact.key == "class.file.form" for fact in messages):
        messages.append(TranslatableText("class.file.nothing"))
    has_answers = data.keys() & {"answers", "cells"}
    # If all answers in a truncated file are complete, the file does not count as damaged
    is_damaged = any(fact.key == "class.file.broken" for fact in messages) and (open_at_break > 1 or not has_answers)
    return FileContents(file, parts, tuple(messages), isinstance(data.get("cells"), list), is_damaged=is_damaged)


def _is_receipt(data: object) -> bool:
    """Return whether data from a file form a receipt, of any version."""
    return isinstance(data, dict) and isinstance(data.get("format"), str) and data["format"].startswith(_RECEIPT_FORMAT_START)


def _read_receipt(data: dict[str, Any], problems: list[TranslatableText]) -> Iterator[SubmissionPart]:
    """Read the answers in a receipt; report unreadable answers and leave them out."""
    data = update_receipt_dict(data)
    answers = data.get("answers", {})
    header: Receipt | None = None
    with contextlib.suppress(DurakError, RecursionError):
        header = receipt_from_dict({**data, "student": _PLACEHOLDER_NAME, "answers": {}})
    if header is None or not isinstance(answers, dict):
        problems.append(TranslatableText("class.file.form"))
        return
    answers_by_question: dict[int | str, tuple[Any, int, str]] = {}
    for name, answer_data in list(answers.items())[:1000]:
        attempts = answer_data.get("attempts") if isinstance(answer_data, dict) else None
        is_valid = isinstance(attempts, int) and not isinstance(attempts, bool) and 0 < attempts <= MAX_ATTEMPTS
        try:
            receipt = receipt_from_dict(
                {**data, "student": _PLACEHOLDER_NAME, "answers": {name: {**answer_data, "attempts": attempts if is_valid else 1}}}
            )
            answers_by_question |= {
                question: (answer.answer, answer.attempt_count, answer.stored_at) for question, answer in receipt.answers.items()
            }
        except (DurakError, RecursionError, TypeError):
            problems.append(TranslatableText("class.file.answer", {"question": clean_name(str(name))[:60]}))
        problems += (
            TranslatableText("class.file.answer", {"question": clean_name(question)[:60]})
            for question in _list_misplaced_answers(answer_data)
        )
    yield SubmissionPart(get_valid_name(data.get("student")), header.assignment, header.edition, answers_by_question)


def _list_misplaced_answers(answer_data: object) -> list[str]:
    """Return the names of all answers that damage has moved into the data of another answer.

    >>> _list_misplaced_answers({"answer": "1/2", "attem": {"how-likely": {"answer": "5/18", "attempts": 1}}})
    ['how-likely']
    """
    names, records = [], [answer_data]
    while records:
        record = records.pop()
        inner_records = {str(key): value for key, value in record.items() if key != "answer"} if isinstance(record, dict) else {}
        names += [key for key, value in inner_records.items() if isinstance(value, dict) and value.keys() & {"answer", "given"}]
        records += inner_records.values()
    return names


def _read_notebook(cells: Sequence[object], problems: list[TranslatableText]) -> Iterator[SubmissionPart]:
    """Read the answers in a notebook: first from receipts in outputs, then from code cells."""
    for receipt in _find_receipts(cells):
        yield from _read_receipt(receipt, problems)
    notebook_answers = read_notebook_answers(extract_code_sources(cells))
    problems += notebook_answers.problems
    student = get_valid_name(notebook_answers.student)
    if student or notebook_answers.answers:
        yield SubmissionPart(
            student,
            notebook_answers.assignment,
            notebook_answers.edition,
            {question: (answer, 1, "") for question, answer in notebook_answers.answers.items()},
            is_from_cells=True,
        )


def _find_receipts(cells: Sequence[object]) -> Iterator[dict[str, Any]]:
    """Find all receipts in the outputs of a notebook, whether stored as data or as text."""
    outputs = (output for cell in cells if isinstance(cell, dict) and isinstance(cell.get("outputs"), list) for output in cell["outputs"])
    for count, output in enumerate(outputs):
        if count >= _MAX_OUTPUTS or not isinstance(output, dict):
            continue
        data = output.get("data")
        stored = data.get(MIME_TYPE) if isinstance(data, dict) else None
        receipt = stored if isinstance(stored, dict) else _parse_receipt_text(join_text(stored))
        if not _is_receipt(receipt):
            receipt = _parse_receipt_text(join_text(data.get("text/plain")) if isinstance(data, dict) else join_text(output.get("text")))
        if isinstance(receipt, dict) and _is_receipt(receipt):
            yield receipt


def _parse_receipt_text(text: str) -> object:
    """Parse a text that is a receipt; return None if the text is not a receipt."""
    start = text.find("{")
    if start < 0 or _RECEIPT_FORMAT_START not in text or len(text) > _MAX_TEXT_LENGTH:
        return None
    return parse_json(text[start : text.rfind("}") + 1], []).data


def split_typed_tables(
    contents_of_files: Iterable[FileContents],
    assignment: Assignment,
    students: Sequence[str],
    find_canonical_name: Callable[[str], str],
    *,
    are_questions_given: bool = False,
) -> list[FileContents]:
    """Split each table that a teacher typed into one entry for each student.

    `assignment` has the questions to grade. With `are_questions_given`, the teacher has named them, so exactly these questions were
    printed.
    """
    split_contents: list[FileContents] = []
    for contents in contents_of_files:
        if not contents.typed_rows:
            split_contents.append(contents)
            continue
        student_names = [*students] or list_named_students(contents.typed_rows)
        printed = assignment if are_questions_given else find_printed_exam(contents.typed_rows, assignment, student_names)
        sheets, sheet_problems = parse_answer_table(contents.typed_rows, printed, student_names, find_canonical_name)
        messages = [
            *(sheet_problems if sheets else describe_lost_edition(contents.typed_rows, printed, sheet_problems)),
            *([] if student_names else [TranslatableText("class.typed.roster", {"column": "student"})]),
        ]
        messages += describe_lost_columns(contents.typed_rows, printed, student_names) if sheets else []
        split_contents.append(FileContents(contents.file, (), tuple(messages), typed_rows=contents.typed_rows))
        for sheet in sheets:
            name = f"{contents.file.name}:{'+'.join(map(str, sheet.line_numbers))}"
            answers: dict[int | str, tuple[Any, int, str]] = {question: (answer, 1, "") for question, answer in sheet.answers.items()}
            part = SubmissionPart(sheet.student, assignment.name, assignment.edition, answers)
            split_contents.append(
                FileContents(contents.file._replace(name=name), (part,), contradicted_questions=sheet.contradicted_questions)
            )
    return split_contents


def list_named_students(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the students whom a teacher's table names beside the codes of printed sheets."""
    return [name for name in dict.fromkeys(get_valid_name(student) for student, _ in list_students_and_editions(rows)) if name]


# --- Sorting by student ---


class SortedSubmissions(NamedTuple):
    """The submissions by student, with the problems that were found in all files."""

    submissions: dict[str, list[Submission]]
    """The submissions of each student, by the normalized name of the student."""
    problems: list[FileProblem]
    held_questions: dict[str, dict[int, list[str]]]
    """The questions to which a student gave too many different answers, with the files; by student.

    For each question index it lists the files with these answers.
    """
    contradicted_questions: Mapping[str, frozenset[int]] = {}
    """The questions for which two rows of a typed table contradict each other; by student."""


def sort_submissions(
    contents_of_files: Iterable[FileContents],
    assignment: Assignment,
    own_edition: str = "",
    find_canonical_name: Callable[[str], str] = normalize_name,
) -> SortedSubmissions:
    """Sort the contents of submitted files by student, and report problems with these files.

    `own_edition` is the edition of the assignment itself, which a notebook cell may leave out. `find_canonical_name` returns the same
    name for all names of one student.
    """
    problems: list[FileProblem] = []
    submissions_by_student: dict[str, list[tuple[Submission, str]]] = defaultdict(list)
    for contents in contents_of_files:
        problems += [
            FileProblem(contents.file.name, message, list_mentioned_codes(message.facts) if contents.typed_rows else ())
            for message in contents.problems
        ]
        submission = _build_submission(contents, assignment, own_edition, problems)
        if submission is not None:
            submissions_by_student[find_canonical_name(submission.student)].append((submission, contents.file.student_folder))
    own_submissions = {
        normal_name: _select_own_files(normal_name, submissions_by_student[normal_name], assignment, find_canonical_name, problems)
        for normal_name in sorted(submissions_by_student)
    }
    held_questions = {
        normal_name: too_many
        for normal_name, student_submissions in own_submissions.items()
        if (too_many := _find_excess_answers(student_submissions))
    }
    contradicted_questions = {
        normal_name: _find_contradictions(student_submissions) for normal_name, student_submissions in own_submissions.items()
    }
    own_submissions = {
        normal_name: [_remove_contradictions(submission) for submission in student_submissions]
        for normal_name, student_submissions in own_submissions.items()
    }
    counted_submissions = {
        normal_name: _remove_questions({*held_questions.get(normal_name, {}), *contradicted_questions[normal_name]}, student_submissions)
        for normal_name, student_submissions in own_submissions.items()
    }
    excused_files = {
        submission.file
        for normal_name, student_submissions in own_submissions.items()
        if any(sibling.answers for sibling in student_submissions)
        for submission in _find_excused_files(submissions_by_student[normal_name])
    }
    reported = [problem for problem in problems if problem.file not in excused_files or problem.message.key != "class.file.nothing"]
    return SortedSubmissions(
        counted_submissions,
        reported,
        held_questions,
        {normal_name: indices for normal_name, indices in contradicted_questions.items() if indices},
    )


def _find_contradictions(submissions: Sequence[Submission]) -> frozenset[int]:
    """Return the questions that are answered only by contradictory rows of a teacher's table."""
    contradicted = frozenset[int]().union(*(submission.contradicted_questions for submission in submissions))
    return contradicted - {
        index for submission in submissions for index, answer in submission.answers.items() if not is_paper_answer(answer.answer)
    }


def _remove_contradictions(submission: Submission) -> Submission:
    """Remove the answers for which two rows of a teacher's table contradict each other."""
    return submission._replace(
        answers={index: answer for index, answer in submission.answers.items() if index not in submission.contradicted_questions}
    )


def _find_excused_files(files: Sequence[tuple[Submission, str]]) -> Iterator[Submission]:
    """Yield files without answers that are not reported, because another file has answers."""
    is_pair = is_notebook_receipt_pair([submission for submission, _ in files])
    return (submission for submission, folder in files if not submission.answers and (is_pair or folder))


def is_notebook_receipt_pair(submissions: Sequence[Submission]) -> bool:
    """Return whether the given submissions are one notebook and one receipt.

    An answer that is missing in one of them is then no problem.

    >>> work = Submission("Ann", "ann.ipynb", {}, is_notebook=True)
    >>> is_notebook_receipt_pair([work]), is_notebook_receipt_pair([work, work._replace(file="ann.receipt.json", is_notebook=False)])
    (False, True)
    """
    return sorted(submission.is_notebook for submission in submissions) == [False, True]


def is_for_assignment(part: SubmissionPart, name: str) -> bool:
    """Return whether the answers in one receipt or notebook are for the assignment `name`."""
    return part.assignment in ("", name) or (part.is_from_cells and ":" in part.assignment)


def _build_submission(contents: FileContents, assignment: Assignment, own_edition: str, problems: list[FileProblem]) -> Submission | None:
    """Build a submission from a file's contents; return None if no answer in the file counts.

    All problems are reported.
    """
    name = contents.file.name
    parts = [part for part in contents.parts if is_for_assignment(part, assignment.name)]
    if not parts:
        if contents.parts:
            problems.append(
                FileProblem(name, TranslatableText("class.file.assignment", {"other": clean_name(contents.parts[-1].assignment)[:60]}))
            )
        return None
    # A notebook cell without an edition may belong to any of these editions of the assignment
    implied_editions = {
        own_edition,
        *(part.edition for part in parts if not part.is_from_cells),
    }
    normalize = assignment.normalize_edition
    matching_parts = [
        part
        for part in parts
        if assignment.edition in (implied_editions if part.is_from_cells and not part.edition else {normalize(part.edition)})
    ]
    if not matching_parts:
        problems.append(FileProblem(name, TranslatableText("class.file.edition", {"other": clean_name(parts[-1].edition)[:60] or "–"})))
        return None
    names = [part.student for part in matching_parts if part.is_from_cells and part.student] or [
        part.student for part in matching_parts if part.student
    ]
    student = names[-1] if names else get_valid_name(contents.file.student_folder)
    if not student:
        problems.append(FileProblem(name, TranslatableText("class.file.nobody", {"code": 'lessons.homework(…, student="Ann Lee")'})))
        return None
    normal_name = normalize_name(student)
    other_names = {
        normalize_name(part.student): part.student
        for part in matching_parts
        if part.student and normalize_name(part.student) != normal_name
    }
    problems += [FileProblem(name, TranslatableText("class.file.foreign", {"student": other})) for other in other_names.values()]
    own_parts = tuple(part for part in matching_parts if normalize_name(part.student or student) == normal_name)
    contradicted = frozenset(assignment.find_question_index(question) for question in contents.contradicted_questions)
    return Submission(
        student,
        name,
        _collect_answers(own_parts, assignment, name, problems),
        contents.is_notebook,
        own_parts,
        contradicted,
        contents.is_damaged,
    )


def get_valid_name(name: object) -> str:
    """Return a student's name if it is valid; otherwise return ""."""
    try:
        return require_student_name(name)
    except DurakError:
        return ""


def _collect_answers(
    parts: Sequence[SubmissionPart], assignment: Assignment, file_name: str, problems: list[FileProblem]
) -> dict[int, CountedAnswer]:
    """Return the answers that count: those in code cells, or else those in receipts.

    Of several receipts, the one with most attempts counts.
    """
    counted: dict[int, CountedAnswer] = {}
    for part in sorted(parts, key=lambda part: part.is_from_cells):
        for question, (answer, tries, stored_at) in part.answers.items():
            try:
                index = assignment.find_question_index(question)
            except DurakError:
                problems.append(
                    FileProblem(file_name, TranslatableText("class.file.question", {"question": clean_name(str(question))[:60]}))
                )
                continue
            previous = counted.get(index)
            if part.is_from_cells:
                is_same = previous is None or json.dumps(previous.answer, sort_keys=True) == json.dumps(answer, sort_keys=True)
                known_time = previous.stored_at if is_same and previous is not None else ""
                counted[index] = CountedAnswer(
                    answer,
                    previous.attempt_count if previous else tries,
                    None if is_same or previous is None else previous.answer,
                    known_time,
                )
            elif previous is None or tries >= previous.attempt_count:
                counted[index] = CountedAnswer(answer, tries, stored_at=stored_at)
    return counted


def _select_own_files(
    normal_name: str,
    files: Sequence[tuple[Submission, str]],
    assignment: Assignment,
    find_canonical_name: Callable[[str], str],
    problems: list[FileProblem],
) -> list[Submission]:
    """Select the submissions of one student, and report files in other students' folders.

    If some of the files are in a folder with the student's name, files in other students' folders don't count.
    """
    is_elsewhere = [folder != "" and find_canonical_name(get_valid_name(folder) or "0") != normal_name for _, folder in files]
    has_own_folder = any(folder and not elsewhere for (_, folder), elsewhere in zip(files, is_elsewhere, strict=True))
    # Each file that names one student but is in the folder of another is reported
    if has_own_folder or len({folder for _, folder in files if folder}) > 1:
        for (submission, folder), elsewhere in zip(files, is_elsewhere, strict=True):
            if elsewhere:
                problems.append(
                    FileProblem(submission.file, TranslatableText("class.file.somebody", {"student": submission.student, "other": folder}))
                )
    if has_own_folder:
        files = [file for file, elsewhere in zip(files, is_elsewhere, strict=True) if not elsewhere]
    return list(_merge_folder(files, assignment))


def _find_excess_answers(submissions: Sequence[Submission]) -> dict[int, list[str]]:
    """Return the questions with too many different answers, and the files that give them."""
    files_by_answer: dict[int, dict[frozenset[str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for submission in submissions:
        for index, answer in submission.answers.items():
            normal_answers = frozenset(
                _normalize_answer(variant) for variant in (answer.answer, answer.fallback_answer) if variant is not None
            )
            files_by_answer[index][normal_answers].append(submission.file)
    return {
        index: sorted(file for files in answers.values() for file in files)
        for index, answers in sorted(files_by_answer.items())
        if len(answers) > _MAX_DIFFERENT_ANSWERS or (len(answers) > 1 and sum(map(len, answers.values())) > _MAX_DIFFERING_FILES)
    }


def _normalize_answer(answer: Any) -> str:  # noqa: ANN401 - any value
    """Return the text of an answer in a standard form, which is equal for equivalent answers.

    >>> _normalize_answer(36) == _normalize_answer("36"), _normalize_answer(["7c", "8c"]) == _normalize_answer("7c 8c"), _normalize_answer([["a"], ["b"]]) == _normalize_answer([["a", "b"]])
    (True, True, False)
    """
    if isinstance(answer, list) and all(isinstance(item, str) for item in answer):
        answer = " ".join(answer)
    return " ".join(answer.split()) if isinstance(answer, str) else json.dumps(answer, sort_keys=True)


def _remove_questions(question_indices: Collection[int], submissions: list[Submission]) -> list[Submission]:
    """Remove answers to given questions, which can't be graded yet, from all submissions.

    Files without other answers are dropped, unless all files would be dropped.
    """
    reduced_submissions = [
        submission._replace(answers={index: answer for index, answer in submission.answers.items() if index not in question_indices})
        for submission in submissions
    ]
    return [
        reduced for reduced, submission in zip(reduced_submissions, submissions, strict=True) if reduced.answers or not submission.answers
    ] or reduced_submissions[:1]


def _merge_folder(files: Sequence[tuple[Submission, str]], assignment: Assignment) -> Iterator[Submission]:
    """Merge all files in a student's folder, in nbgrader's layout, into one submission.

    Only that student has put files into the folder, so each question is answered once.
    """
    submissions_by_folder: dict[tuple[str, str], list[Submission]] = defaultdict(list)
    for submission, folder in files:
        submissions_by_folder[folder, normalize_name(submission.student) if folder else submission.file].append(submission)
    for folder_submissions in submissions_by_folder.values():
        if len(folder_submissions) == 1:
            yield folder_submissions[0]
            continue
        parts = tuple(part for submission in folder_submissions for part in submission.parts)
        first = max(folder_submissions, key=lambda submission: submission.is_notebook)
        yield first._replace(answers=_collect_answers(parts, assignment, first.file, []), parts=parts)
