"""Selection of the answers that count: one for each question, from all files of a student."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.exercises.paper_form import by_hand
from durak_widget.grading.gradebook import Marked
from durak_widget.grading.submission_files import Odd
from durak_widget.grading.submissions import are_a_pair
from durak_widget.homework.receipt import kept_after, time_said
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from durak_widget.grading.answer_grading import AnswerWorth
    from durak_widget.grading.submissions import Work
    from durak_widget.homework.assignment import Assignment
    from durak_widget.i18n import Voice


_OF_TWO: Final = {"class.file.copied", "class.file.somebody", "class.typed.other"}
"""Messages whose fact `other` is a person."""
_MOST_NAMED: Final = 50
"""Largest number of files that a message names."""


class FileWorth(NamedTuple):
    """A student's answers in one file, and their grades by the index of the question."""

    work: Work
    found: Mapping[int, AnswerWorth]

    def points(self, assignment: Assignment) -> Fraction:
        """Return the points that this file would earn alone."""
        return sum((grade.credit * assignment.questions[index].points for index, grade in self.found.items()), Fraction(0))


def rows(
    student: str,
    several: Sequence[FileWorth],
    assignment: Assignment,
    voice: Voice,
    held: Collection[int] = (),
    unsure: Collection[int] = (),
) -> list[Marked]:
    """Return a gradebook row for each question, with the answer that earns most.

    So no file takes points from anybody. A question without an answer earns nothing.

    A held question is not graded: too many files answer it (`held`), lines of a typed table contradict each other
    (`unsure`), or all files of the student are damaged.

    An answer that earns nothing, and its explanation, counts only in the file that earns most, or in both files of a
    pair: somebody else may have written the others.
    """
    gradebook_rows = []
    best = best_of(several, assignment) if several else None
    trusted_files = several if _are_a_pair(several) else [best]
    damage_message = voice.say("class.mark.damaged")
    for index, question in enumerate(assignment.questions):
        if index in held or index in unsure:
            hold_message = voice.say("class.mark.held" if index in held else "class.mark.unsure")
            gradebook_rows.append(
                Marked(student, "", question.name, Fraction(0), question.points, Fraction(0), 0, "", hold_message, held=True)
            )
            continue
        candidates = [file for file in several if index in file.found and (file in trusted_files or file.found[index].credit)]
        if not candidates and several and all(file.work.damaged for file in several):
            gradebook_rows.append(
                Marked(
                    student,
                    several[0].work.file,
                    question.name,
                    Fraction(0),
                    question.points,
                    Fraction(0),
                    0,
                    "",
                    damage_message,
                    held=True,
                )
            )
            continue
        if best is None or not candidates:
            no_answer_message = voice.say("class.mark.none")
            gradebook_rows.append(
                Marked(
                    student,
                    best.work.file if best else "",
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
        chosen = max(candidates, key=lambda file: (file.found[index].credit, file is best))
        grade, (answer_data, _, fallback, _) = chosen.found[index], chosen.work.answers[index]
        same_answers = [file.work.answers[index] for file in candidates if file.work.answers[index].given == answer_data]
        attempt_count, stored_at = (
            max(answer.tries for answer in same_answers),
            min((answer.at for answer in same_answers if answer.at), default=""),
        )
        earned = grade.credit * question.points
        row = Marked(
            student, chosen.work.file, question.name, earned, question.points, grade.credit, attempt_count, grade.mistake, grade.said
        )
        gradebook_rows.append(row._replace(given=(answer_data,) if fallback is None else (answer_data, fallback), at=stored_at))
    return gradebook_rows


def waiting(made: Iterable[Marked], held: Mapping[str, Mapping[int, Sequence[str]]], assignment: Assignment) -> Iterator[Odd]:
    """Report for each student the questions that are held, and the files that answer them.

    The report is attached to none of the files, since others may have chosen their names.
    """
    indices_by_student: dict[str, list[int]] = {}
    for row in made:
        if row.held and assignment.place(row.question) in held.get(row.student, {}):
            indices_by_student.setdefault(row.student, []).append(assignment.place(row.question))
    for student, indices in indices_by_student.items():
        files = sorted({file for index in indices for file in held[student][index]})
        file_list = ", ".join(files[:_MOST_NAMED]) + (", …" if len(files) > _MOST_NAMED else "")
        questions = ", ".join(str(index + 1) for index in indices)
        facts = {"student": student, "count": len(files), "files": file_list, "questions": questions}
        yield Odd("", Fact("class.file.held", facts), tuple(files))


def late(made: Iterable[Marked], due: datetime, assignment: Assignment) -> Iterator[Odd]:
    """Report the answers that were stored after the due time, and students without times."""
    late_rows: dict[str, list[Marked]] = {}
    untimed_students: dict[str, None] = {}
    for row in made:
        if kept_after(row.at, due):
            late_rows.setdefault(row.student, []).append(row)
        elif row.given and not row.at:
            untimed_students[row.student] = None
    for student, student_rows in late_rows.items():
        question_list = ", ".join(f"{assignment.place(row.question) + 1} ({time_said(row.at, due)})" for row in student_rows)
        yield Odd(
            student_rows[0].file, Fact("class.file.late", {"student": student, "due": time_said(due, due), "questions": question_list})
        )
    if untimed_students:
        student_list = ", ".join([*untimed_students][:_MOST_NAMED]) + (", …" if len(untimed_students) > _MOST_NAMED else "")
        yield Odd("", Fact("class.file.untimed", {"students": student_list}))


def people_in(fact: Fact) -> tuple[str, ...]:
    """Return the people that a message about files names.

    >>> people_in(Fact("class.file.copied", {"student": "Ann Lee", "other": "Bob", "questions": "1"})), people_in(Fact("class.file.edition", {"other": "2026"}))
    (('Ann Lee', 'Bob'), ())
    """
    names = [fact.facts.get("student"), fact.facts.get("other") if fact.key in _OF_TWO else None]
    names += str(fact.facts.get("students", "")).split(", ") + re.findall(r"\((.+?)\)(?:; |$)", str(fact.facts.get("near", "")))
    return tuple([name for name in names if isinstance(name, str) and name])


def unread(several: Sequence[FileWorth], made: Sequence[Marked]) -> Iterator[Odd]:
    """Report the files with counting answers that can't be read, and the question numbers.

    Each answer typed from paper is reported separately, with the reason.
    """
    numbers_by_file: dict[str, list[str]] = {}
    for index, row in enumerate(made):
        answering_files = [file for file in several if file.work.file == row.file and index in file.found]
        unreadable_files = [file for file in answering_files if file.found[index].unread]
        message = next(
            (
                message_here
                for file in (*unreadable_files, *answering_files)
                if (message_here := file.found[index].odd or (file.found[index].said if file in unreadable_files else ""))
            ),
            "",
        )
        if message and by_hand(answering_files[0].work.answers[index].given):
            yield Odd(row.file, Fact("class.typed.unread", {"question": str(index + 1), "student": row.student, "said": message}))
        elif unreadable_files:
            numbers_by_file.setdefault(row.file, []).append(str(index + 1))
    for file_name, numbers in numbers_by_file.items():
        yield Odd(file_name, Fact("class.file.unread", {"questions": ", ".join(numbers)}))


def _are_a_pair(several: Sequence[FileWorth]) -> bool:
    """Return whether all answers are in a notebook and its receipt.

    A file without answers, which anybody may add, changes nothing.
    """
    return are_a_pair([file.work for file in several]) or are_a_pair([file.work for file in several if file.work.answers])


def best_of(several: Sequence[FileWorth], assignment: Assignment) -> FileWorth:
    """Return the file that earns most.

    If a notebook and a receipt earn the same, that is the receipt, which knows the number of attempts.
    """
    return max(several, key=lambda file: (file.points(assignment), len(file.found), not file.work.notebook))


def again(student: str, several: Sequence[FileWorth], made: Sequence[Marked], assignment: Assignment) -> Iterator[Odd]:
    """Report further files of a student with other answers, even if these are fewer.

    A notebook and its receipt count as one, unless an answer in one of them earns less.
    """
    best = best_of(several, assignment)
    is_pair = _are_a_pair(several)
    for file in several:
        if file is best:
            continue
        if is_pair:
            differs = any(grade.credit != best.found[index].credit for index, grade in file.found.items() if index in best.found)
        else:
            best_answers = best.work.answers
            differs = any(
                index not in best_answers or answer.given != best_answers[index].given for index, answer in file.work.answers.items()
            )
        if differs:
            is_used = any(row.file == file.work.file for row in made)
            facts = {"student": student} if is_used else {"student": student, "file": best.work.file}
            yield Odd(file.work.file, Fact("class.file.partly" if is_used else "class.file.again", facts))
