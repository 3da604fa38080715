"""Selection of the answer that counts for each question, from all of a student's files."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.exercises.paper_form import is_paper_answer
from durak_widget.grading.gradebook import GradebookRow
from durak_widget.grading.submission_files import FileProblem
from durak_widget.grading.submissions import is_notebook_receipt_pair
from durak_widget.homework.receipt import format_time, is_stored_after
from durak_widget.i18n import TranslatableText

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from durak_widget.grading.answer_grading import GradedAnswer
    from durak_widget.grading.submissions import Submission
    from durak_widget.homework.assignment import Assignment
    from durak_widget.i18n import Translator


_KEYS_NAMING_OTHERS: Final = {"class.file.copied", "class.file.somebody", "class.typed.other"}
"""The ids of the messages that name a person in their field `other`."""
_MAX_NAMED_FILES: Final = 50
"""The maximum number of files that a message lists by name."""


class GradedFile(NamedTuple):
    """The answers in one file of a student, with their grades."""

    submission: Submission
    grades: Mapping[int, GradedAnswer]

    def points(self, assignment: Assignment) -> Fraction:
        """Return the points that the student would get if only this file counted."""
        return sum((grade.credit * assignment.questions[index].points for index, grade in self.grades.items()), Fraction(0))


def select_rows(
    student: str,
    graded_files: Sequence[GradedFile],
    assignment: Assignment,
    voice: Translator,
    held_questions: Collection[int] = (),
    contradicted_questions: Collection[int] = (),
) -> list[GradebookRow]:
    """Return a gradebook row for each question, with the answer that earns the student most.

    So no additional file can take points from a student. A question without an answer earns nothing.

    A held question is not graded yet: too many files answer it (`held_questions`), rows of a typed table contradict each other
    (`contradicted_questions`), or all files of the student are damaged.

    An answer that earns nothing counts, with its explanation, only in the file that earns most, or in both files of a notebook-receipt
    pair. Other people may have written the other files.
    """
    gradebook_rows = []
    best = find_best_file(graded_files, assignment) if graded_files else None
    trusted_files = graded_files if _is_notebook_receipt_pair(graded_files) else [best]
    damage_message = voice.translate("class.mark.damaged")
    for index, question in enumerate(assignment.questions):
        if index in held_questions or index in contradicted_questions:
            hold_message = voice.translate("class.mark.held" if index in held_questions else "class.mark.unsure")
            gradebook_rows.append(
                GradebookRow(student, "", question.name, Fraction(0), question.points, Fraction(0), 0, "", hold_message, is_held=True)
            )
            continue
        candidates = [file for file in graded_files if index in file.grades and (file in trusted_files or file.grades[index].credit)]
        if not candidates and graded_files and all(file.submission.is_damaged for file in graded_files):
            gradebook_rows.append(
                GradebookRow(
                    student,
                    graded_files[0].submission.file,
                    question.name,
                    Fraction(0),
                    question.points,
                    Fraction(0),
                    0,
                    "",
                    damage_message,
                    is_held=True,
                )
            )
            continue
        if best is None or not candidates:
            no_answer_message = voice.translate("class.mark.none")
            gradebook_rows.append(
                GradebookRow(
                    student,
                    best.submission.file if best else "",
                    question.name,
                    Fraction(0),
                    question.points,
                    Fraction(0),
                    0,
                    "",
                    no_answer_message,
                )
            )
            continue
        best_candidate = max(candidates, key=lambda file: (file.grades[index].credit, file is best))
        grade, (answer_data, _, fallback, _) = best_candidate.grades[index], best_candidate.submission.answers[index]
        same_answers = [file.submission.answers[index] for file in candidates if file.submission.answers[index].answer == answer_data]
        attempt_count, stored_at = (
            max(answer.attempt_count for answer in same_answers),
            min((answer.stored_at for answer in same_answers if answer.stored_at), default=""),
        )
        earned = grade.credit * question.points
        row = GradebookRow(
            student,
            best_candidate.submission.file,
            question.name,
            earned,
            question.points,
            grade.credit,
            attempt_count,
            grade.mistake_name,
            grade.explanation,
        )
        gradebook_rows.append(row._replace(answers=(answer_data,) if fallback is None else (answer_data, fallback), stored_at=stored_at))
    return gradebook_rows


def report_held_questions(
    gradebook_rows: Iterable[GradebookRow], held_files: Mapping[str, Mapping[int, Sequence[str]]], assignment: Assignment
) -> Iterator[FileProblem]:
    """Report questions to which one student's files give too many different answers.

    These questions are not graded yet. The report belongs to no file, since other people may have chosen the names of the files.
    """
    indices_by_student: dict[str, list[int]] = {}
    for row in gradebook_rows:
        if row.is_held and assignment.find_question_index(row.question) in held_files.get(row.student, {}):
            indices_by_student.setdefault(row.student, []).append(assignment.find_question_index(row.question))
    for student, indices in indices_by_student.items():
        files = sorted({file for index in indices for file in held_files[student][index]})
        file_list = ", ".join(files[:_MAX_NAMED_FILES]) + (", …" if len(files) > _MAX_NAMED_FILES else "")
        questions = ", ".join(str(index + 1) for index in indices)
        facts = {"student": student, "count": len(files), "files": file_list, "questions": questions}
        yield FileProblem("", TranslatableText("class.file.held", facts), tuple(files))


def report_late_answers(gradebook_rows: Iterable[GradebookRow], due: datetime, assignment: Assignment) -> Iterator[FileProblem]:
    """Report answers stored after the due time, and students whose answers have no time."""
    late_rows: dict[str, list[GradebookRow]] = {}
    untimed_students: dict[str, None] = {}
    for row in gradebook_rows:
        if is_stored_after(row.stored_at, due):
            late_rows.setdefault(row.student, []).append(row)
        elif row.answers and not row.stored_at:
            untimed_students[row.student] = None
    for student, student_rows in late_rows.items():
        question_list = ", ".join(
            f"{assignment.find_question_index(row.question) + 1} ({format_time(row.stored_at, due)})" for row in student_rows
        )
        yield FileProblem(
            student_rows[0].file,
            TranslatableText("class.file.late", {"student": student, "due": format_time(due, due), "questions": question_list}),
        )
    if untimed_students:
        student_list = ", ".join([*untimed_students][:_MAX_NAMED_FILES]) + (", …" if len(untimed_students) > _MAX_NAMED_FILES else "")
        yield FileProblem("", TranslatableText("class.file.untimed", {"students": student_list}))


def find_people_named(message: TranslatableText) -> tuple[str, ...]:
    """Return the names of the people who appear in a message about files.

    >>> find_people_named(TranslatableText("class.file.copied", {"student": "Ann Lee", "other": "Bob", "questions": "1"})), find_people_named(TranslatableText("class.file.edition", {"other": "2026"}))
    (('Ann Lee', 'Bob'), ())
    """
    names = [message.facts.get("student"), message.facts.get("other") if message.key in _KEYS_NAMING_OTHERS else None]
    names += str(message.facts.get("students", "")).split(", ") + re.findall(r"\((.+?)\)(?:; |$)", str(message.facts.get("near", "")))
    return tuple([name for name in names if isinstance(name, str) and name])


def report_unreadable_answers(graded_files: Sequence[GradedFile], gradebook_rows: Sequence[GradebookRow]) -> Iterator[FileProblem]:
    """Report the unreadable answers among those that count for a student's grade.

    Answers typed from paper are reported one by one, each with the reason. Other answers are reported by file and question number.
    """
    numbers_by_file: dict[str, list[str]] = {}
    for index, row in enumerate(gradebook_rows):
        answering_files = [file for file in graded_files if file.submission.file == row.file and index in file.grades]
        unreadable_files = [file for file in answering_files if file.grades[index].is_unreadable]
        message = next(
            (
                message_here
                for file in (*unreadable_files, *answering_files)
                if (
                    message_here := file.grades[index].unreadable_message
                    or (file.grades[index].explanation if file in unreadable_files else "")
                )
            ),
            "",
        )
        if message and is_paper_answer(answering_files[0].submission.answers[index].answer):
            yield FileProblem(
                row.file, TranslatableText("class.typed.unread", {"question": str(index + 1), "student": row.student, "said": message})
            )
        elif unreadable_files:
            numbers_by_file.setdefault(row.file, []).append(str(index + 1))
    for file_name, numbers in numbers_by_file.items():
        yield FileProblem(file_name, TranslatableText("class.file.unread", {"questions": ", ".join(numbers)}))


def _is_notebook_receipt_pair(graded_files: Sequence[GradedFile]) -> bool:
    """Return whether a student's files are one notebook and the receipt of this notebook.

    A file without answers changes nothing, since anybody may add one.
    """
    return is_notebook_receipt_pair([file.submission for file in graded_files]) or is_notebook_receipt_pair(
        [file.submission for file in graded_files if file.submission.answers]
    )


def find_best_file(graded_files: Sequence[GradedFile], assignment: Assignment) -> GradedFile:
    """Return the student's file that would earn most points if only this file counted.

    If a notebook and a receipt earn equal points, return the receipt, which has the number of attempts.
    """
    return max(graded_files, key=lambda file: (file.points(assignment), len(file.grades), not file.submission.is_notebook))


def report_repeated_files(
    student: str, graded_files: Sequence[GradedFile], gradebook_rows: Sequence[GradebookRow], assignment: Assignment
) -> Iterator[FileProblem]:
    """Report a student's files whose answers differ from those in the student's best file.

    A notebook and its receipt are regarded as one file, unless an answer in one of them earns less.
    """
    best = find_best_file(graded_files, assignment)
    is_pair = _is_notebook_receipt_pair(graded_files)
    for file in graded_files:
        if file is best:
            continue
        if is_pair:
            differs = any(grade.credit != best.grades[index].credit for index, grade in file.grades.items() if index in best.grades)
        else:
            best_answers = best.submission.answers
            differs = any(
                index not in best_answers or answer.answer != best_answers[index].answer
                for index, answer in file.submission.answers.items()
            )
        if differs:
            is_used = any(row.file == file.submission.file for row in gradebook_rows)
            facts = {"student": student} if is_used else {"student": student, "file": best.submission.file}
            yield FileProblem(file.submission.file, TranslatableText("class.file.partly" if is_used else "class.file.again", facts))
