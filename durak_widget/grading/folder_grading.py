"""Grading of a folder of homework: each instance is rebuilt and each answer graded again.

Nothing that a file says about itself earns points. If the teacher names no edition, the folder's only edition is
used. If there are several, the teacher has to choose one.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from contextlib import nullcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import path_of
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.grading.answer_grading import Answered, AnswerWorth, How, judged
from durak_widget.grading.answer_similarity import DrawnAgain, WrongAnswer, classes_said, copied, meant, right_answers
from durak_widget.grading.attempt_selection import FileWorth, again, best_of, late, people_in, unread, waiting
from durak_widget.grading.attempt_selection import rows as counted
from durak_widget.grading.gradebook import Marked, Marks, Trouble, changed
from durak_widget.grading.grading_cache import Remembered
from durak_widget.grading.output_files import MARKS, place_of, require_writable, write_output
from durak_widget.grading.submission_files import File, Odd, files_in, require_outside_import_path, typed_table
from durak_widget.grading.submissions import HandedIn, fits, handed_in, name_of, named_beside, sort_out, typed_sheets, without_table
from durak_widget.homework.assignment import assignment_of, edition_of, known_as, questions_said
from durak_widget.homework.assignment_edition import is_exact, revised_exactly, word_given
from durak_widget.homework.csv_tables import BOM
from durak_widget.homework.receipt import due_time
from durak_widget.homework.roster import Roster
from durak_widget.i18n import Fact, Voice
from durak_widget.paper_exams.answer_spreadsheet import codes_typed, printed_paper
from durak_widget.paper_exams.sheet_codes import SheetCode, codes_of
from durak_widget.parallel import TIMED_OUT, Failed, WorkerPool, cores
from durak_widget.sandbox.code_runner import Limits, weaker

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from os import PathLike

    from durak_widget.homework.assignment import Assignment

_READING: Final = 60.0
_JUDGING: Final = 120.0
"""Seconds that grading an answer may take."""
_MOST_JOBS: Final = 64
_COPIED: Final = "class.file.copied"
_FOR_TEACHERS: Final = {_COPIED, "class.typed.unread"}
"""Keys of messages that are on no feedback page: suspicions, and what the question there shows already."""


def mark(
    folder: str | PathLike[str],
    assignment: Assignment | str = "econ431",
    *,
    edition: str | int | None = None,
    roster: str | PathLike[str] | Roster | None = None,
    out: str | PathLike[str] | None = None,
    jobs: int | None = None,
    executor: object = None,
    language: str = "en",
    run_code: bool = True,
    changes: str | PathLike[str] | None = None,
    limits: Limits = Limits(),  # noqa: B008 - it is a value
    anew: bool = False,
    questions: Iterable[object] | str | None = None,
    word: object = None,
    due: str | datetime | None = None,
    typed: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
) -> Marks:
    """Return the gradebook for all submissions in a folder, notebooks and receipts.

    Names and subfolders of the files don't matter. `out` is a CSV file for the gradebook, `roster` one with the names
    of the class. Without an `edition` the one that was handed in is taken. Strategies and bots given as code run in
    processes of their own (see `confined`), or not at all with `run_code=False`. `changes` is a CSV file of points
    that the teacher sets: student, question, points, why. Answers that were graded before are not graded again,
    except with `anew`.

    Only some `questions` are graded if no others were asked, as on paper. The folder may be a table that was typed
    from sheets, whose columns say which questions were asked. `word` is the passphrase by which the questions were
    drawn, or the file that keeps it. Students who stored answers after `due`, by the clock of their computer, are
    named; no points are taken off. `typed` names tables that the teacher typed from sheets and that count beside the
    folder. No other table in it does, since a student may have put it there.

    `jobs` is the number of worker processes. An `executor` of `concurrent.futures` or a client of Dask grades the
    answers instead; files are still read on this computer. The grades are the same.

    >>> from tempfile import mkdtemp
    >>> from durak_widget import lessons
    >>> folder = mkdtemp()
    >>> work = lessons.homework("econ431", student="Ann", folder=folder)
    >>> verdict = work.answer("moves", work.assignment.task("moves", "Ann").solution)
    >>> marks = mark(folder, jobs=0)
    >>> marks.students, marks.points("Ann"), marks.rows[0].said
    (('Ann',), Fraction(2, 1), 'No answer.')
    """
    require_outside_import_path(folder)  # before other modules are imported, which could be the student's
    voice = Voice(language)
    if out is not None:
        require_writable(out, folder, MARKS)
    passphrase = None if word is None else word_given(word)
    due_moment = None if due is None else due_time(due)
    named_assignment = assignment_of(assignment)
    graded_assignment = assignment_of(assignment, str(edition)) if edition is not None else named_assignment
    class_roster = Roster.read(roster) if isinstance(roster, (str, os.PathLike)) else roster or Roster([])
    files, problems = files_in(folder)
    other_files = {place_of(path) for path in (out, roster, changes) if isinstance(path, (str, os.PathLike))}
    typed_tables = {place_of(table): typed_table(table) for table in ([typed] if isinstance(typed, (str, os.PathLike)) else typed)}
    files = [*typed_tables.values(), *(file for file in files if file.path not in {*other_files, *typed_tables})]
    if executor is not None and jobs is not None:
        raise DurakError(f"jobs={quoted(jobs)} and executor={quoted(executor)} are two answers to who marks; say one of them")
    with WorkerPool(_jobs(jobs), path_of(folder)) as reading_pool, _judges(reading_pool, executor, path_of(folder)) as grading_pool:
        read_results = reading_pool.run(_reading, files, seconds=_READING)
        is_single_file = bool(os.path.isfile(path_of(folder)))  # noqa: PTH113 - a path may be given as a text
        contents_of_files = [_read(*pair) for pair in zip(files, read_results, strict=True)]
        contents_of_files = [
            contents if is_single_file or not contents.table or contents.file.path in typed_tables else without_table(contents)
            for contents in contents_of_files
        ]
        if (
            edition is None
            and not named_assignment.edition
            and (submitted_edition := edition_handed_in(contents_of_files, named_assignment, class_roster))
        ):
            graded_assignment = named_assignment.of(submitted_edition)
            problems += (
                []
                if contents_of_files[0].table and len(contents_of_files) == 1
                else [Odd("", Fact("class.file.which", {"edition": submitted_edition}))]
            )
        if edition is not None and not is_exact(str(edition)):
            graded_assignment = revision_handed_in(
                contents_of_files, [revision.opened(passphrase) for revision in graded_assignment.every_revision()], class_roster
            )
        graded_assignment = graded_assignment.opened(passphrase)
        graded_assignment = _asked(
            graded_assignment, questions, contents_of_files[0].table if is_single_file and contents_of_files else (), class_roster
        )
        contents_of_files = typed_sheets(
            contents_of_files, graded_assignment, class_roster.names, class_roster.main, chosen=questions is not None
        )
        sorted_submissions = sort_out(contents_of_files, graded_assignment, named_assignment.edition, class_roster.main)
        problems += sorted_submissions.odd
        submissions = [submission for student_submissions in sorted_submissions.works.values() for submission in student_submissions]
        question_names = (
            tuple(question.name for question in graded_assignment.questions)
            if len(graded_assignment.questions) < len(named_assignment.questions)
            else ()
        )
        settings = How(
            assignment if isinstance(assignment, str) else graded_assignment,
            graded_assignment.edition,
            language,
            run_code is True,
            limits,
            question_names,
            passphrase,
        )
        submitted_answers = [
            Answered(submission.student, index, counted_answer)
            for submission in submissions
            for index, counted_answer in submission.answers.items()
        ]
        distinct = {_same(answer): answer for answer in submitted_answers}  # a notebook and its receipt repeat most answers
        cache = Remembered(settings, folder)
        results: dict[str, Any] = {} if anew else {key: cached for key in distinct if (cached := cache.of(key))}
        new_answers = {key: answer for key, answer in distinct.items() if key not in results}
        results |= dict(
            zip(new_answers, grading_pool.run(judged, list(new_answers.values()), common=settings, seconds=_JUDGING), strict=True)
        )
        cache.keep({key: result for key, result in results.items() if isinstance(result, AnswerWorth)})
        grades = {key: _judged(result, voice) for key, result in results.items()}
        wrong_indices = {answer.place for key, answer in distinct.items() if grades[key].credit < 1}
        names = [
            *dict.fromkeys(
                [*class_roster.names, *(student_submissions[0].student for student_submissions in sorted_submissions.works.values())]
            )
        ]
        solution_request = DrawnAgain(settings.assignment, settings.edition, sorted(wrong_indices))
        right_answers_by_student = (
            _right_answers(solution_request, names, grading_pool, cache, anew=anew) if len(sorted_submissions.works) > 1 else {}
        )
    rows_by_student: dict[str, list[Marked]] = {}
    held_by_student: dict[str, dict[int, list[str]]] = {}
    for normal_name, student_submissions in sorted_submissions.works.items():
        graded_files = [
            FileWorth(
                submission,
                {
                    index: grades[_same(Answered(submission.student, index, counted_answer))]
                    for index, counted_answer in submission.answers.items()
                },
            )
            for submission in student_submissions
        ]
        name = class_roster.shown(best_of(graded_files, graded_assignment).work.student)
        held_by_student[name] = sorted_submissions.held.get(normal_name, {})
        rows_by_student[normal_name] = counted(
            name, graded_files, graded_assignment, voice, held_by_student[name], sorted_submissions.unsure.get(normal_name, ())
        )
        problems += again(name, graded_files, rows_by_student[normal_name], graded_assignment)
        problems += unread(graded_files, rows_by_student[normal_name])
    if missing_protections := frozenset().union(*(grade.missing for grade in grades.values())):
        problems.append(Odd("", weaker(missing_protections)))
    file_names = [file.name for file in files] + [problem.file for problem in problems]
    owners = {
        submission.file: class_roster.shown(first.student)
        for student_submissions in sorted_submissions.works.values()
        for first in student_submissions[:1]
        for submission in student_submissions
    }
    gradebook_rows = _with_roster(rows_by_student, problems, class_roster, file_names, graded_assignment, voice)
    problems += [] if due_moment is None else late(gradebook_rows, due_moment, graded_assignment)
    problems += _copies(gradebook_rows, right_answers_by_student, graded_assignment, class_roster)
    if changes is not None:
        gradebook_rows = changed(gradebook_rows, changes, class_roster, graded_assignment, voice)
    problems += waiting(gradebook_rows, held_by_student, graded_assignment)
    gradebook = Marks(
        gradebook_rows,
        _told(_by_student(problems, owners, gradebook_rows, class_roster), voice),
        assignment=graded_assignment,
        roster=class_roster,
        folder=path_of(folder),
    )
    if out is not None:
        write_output(out, BOM + gradebook.csv())
    return gradebook


def _asked(wanted: Assignment, questions: Iterable[object] | str | None, alone: Sequence[Sequence[str]], known: Roster) -> Assignment:
    """Return the assignment with the questions that were asked.

    These are named, or, if a table is graded alone, those of its paper.
    """
    if questions is not None:
        return wanted.chosen(questions_said(questions))
    return printed_paper(alone, wanted, known.names or named_beside(alone)) if alone else wanted


def _judges(readers: WorkerPool, executor: object, folder: str) -> AbstractContextManager[WorkerPool]:
    """Return the worker pool that grades the answers: the given executor, or the readers.

    Files are always read by processes of this machine, since no other may have the folder.
    """
    return nullcontext(readers) if executor is None else WorkerPool(executor, folder)


def _jobs(jobs: int | None) -> int:
    if jobs is None:
        return min(cores(), _MOST_JOBS)
    count = whole_number(jobs)
    if count is None or not 0 <= count <= _MOST_JOBS:
        raise DurakError(
            f"jobs={quoted(jobs)} is in how many processes to mark: a whole number from 1 to {_MOST_JOBS}, or 0 for none but this one"
        )
    return count


def _reading(_: None, file: File) -> HandedIn:
    """Read a file in a worker process, which may crash without harm."""
    return handed_in(file)


def _read(file: File, found: Any) -> HandedIn:  # noqa: ANN401 - it may have failed
    return found if isinstance(found, HandedIn) else HandedIn(file, (), (Fact("class.file.crashed"),))


def _same(one: Answered) -> str:
    """Return a key that is equal for answers with the same grade.

    These are the same answers of the same student, whose name may be written in several ways.
    """
    return json.dumps([known_as(one.student), one.place, one.given.given, one.given.other], sort_keys=True)


def _judged(found: Any, voice: Voice) -> AnswerWorth:  # noqa: ANN401 - it may have failed
    """Return the grade of an answer; one for a failure, if grading it failed."""
    if isinstance(found, AnswerWorth):
        return found
    if isinstance(found, Failed) and found.kind == TIMED_OUT:
        return AnswerWorth(Fraction(0), "", voice.say("class.mark.late", seconds=f"{_JUDGING:g}"))
    return AnswerWorth(
        Fraction(0), "", voice.say("class.mark.failed", kind=found.kind if isinstance(found, Failed) else type(found).__name__)
    )


def _with_roster(
    rows: dict[str, list[Marked]], odd: list[Odd], known: Roster, files: Sequence[str], wanted: Assignment, voice: Voice
) -> list[Marked]:
    """Return all rows, in the order of the roster and then of names.

    For students without a counting answer, the files with their name are reported.
    """
    all_rows: list[Marked] = []
    files_by_name: dict[str, list[str]] = {}
    for file in dict.fromkeys(files):
        for name in known.borne_by(file):
            files_by_name.setdefault(name, []).append(file)
    for name in known.names:
        student_rows = rows.pop(known_as(name), None)
        if student_rows is None:
            problems = [Odd(file, Fact("class.file.theirs", {"student": name})) for file in files_by_name.get(name, ()) if file]
            odd += problems or [Odd("", Fact("class.file.missing", {"student": name}))]
            student_rows = counted(name, [], wanted, voice)
        all_rows += student_rows
    for student_rows in rows.values():
        if known.names:
            odd.append(Odd(student_rows[0].file, Fact("class.file.unlisted", {"student": student_rows[0].student})))
        all_rows += student_rows
    return all_rows


def _right_answers(
    drawn: DrawnAgain, names: Sequence[str], judges: WorkerPool, before: Remembered, *, anew: bool
) -> dict[str, dict[int, str]]:
    """Return the right answers of these students to questions that someone got wrong.

    Stored results are used, and new ones are stored.
    """
    answers_by_student = {
        name: {index: stored.said for index in drawn.places if (stored := before.of(_right_of(name, index)))} for name in names
    }
    new_names = [name for name in names if anew or len(answers_by_student[name]) < len(drawn.places)]
    results = dict(zip(new_names, judges.run(right_answers, new_names, common=drawn, seconds=_JUDGING), strict=True))
    for name, right in results.items():
        answers_by_student[name] = right if isinstance(right, dict) else {}
    keys = {_right_of(name, index): answer for name in results for index, answer in answers_by_student[name].items()}
    before.keep({key: AnswerWorth(Fraction(1), "", answer, lasting=True) for key, answer in keys.items()})
    return answers_by_student


def _right_of(name: str, place: int) -> str:
    """Return the key under which a student's right answer is stored."""
    return json.dumps(["right", known_as(name), place])


def _copies(listed: Sequence[Marked], right: Mapping[str, Mapping[int, str]], wanted: Assignment, known: Roster) -> Iterable[Odd]:
    """Report wrong answers that are right for another student, if chance hardly explains it."""
    displayed_names = {name: known.shown(name) for name in right}
    names = {displayed: name for name, displayed in displayed_names.items()}
    files = {row.student: row.file for row in listed if row.file}
    students_by_answer: dict[tuple[int, str], set[str]] = {}
    for name, own_answers in right.items():
        for index, answer in own_answers.items():
            students_by_answer.setdefault((index, answer), set()).add(displayed_names[name])
    for row in listed:
        index = wanted.place(row.question)
        if row.given and row.credit == 1:
            students_by_answer.setdefault((index, meant(wanted, names.get(row.student, row.student), index, row.given[0])), set()).add(
                row.student
            )
    wrong_answers: dict[str, list[WrongAnswer]] = {}
    for row in listed:
        index = wanted.place(row.question)
        if row.given and row.credit < 1:
            right_for = students_by_answer.get((index, meant(wanted, names.get(row.student, row.student), index, row.given[0])), set()) - {
                row.student
            }
            wrong_answers.setdefault(row.student, []).append(WrongAnswer(index, frozenset(right_for)))
    for pair in copied(wrong_answers, [*displayed_names.values(), *files]):
        facts = {"student": pair.student, "other": pair.other, "count": str(len(pair.places)), "wrong": str(pair.wrong)}
        facts |= {"questions": ", ".join(str(index + 1) for index in pair.places), "classes": classes_said(pair.classes)}
        yield Odd(files[pair.student], Fact(_COPIED, facts), tuple(file for file in [files.get(pair.other, "")] if file))


def _by_student(odd: Iterable[Odd], owners: Mapping[str, str], listed: Sequence[Marked], known: Roster) -> list[Odd]:
    """Sort problems: those of the whole folder, then by student as in the table, then others."""
    position_of = {student: position for position, student in enumerate(dict.fromkeys(row.student for row in listed))}

    def sort_key(problem: Odd) -> tuple[int, int, str]:
        student = problem.fact.facts.get("student")
        names = [
            owners.get(problem.file),
            *([student] if isinstance(student, str) else []),
            *(known.borne_by(problem.file) if problem.file else ()),
        ]
        student_position = next((position_of[name] for name in names if name in position_of), None)
        if student_position is not None:
            return 1, student_position, problem.file
        return (2 if problem.file else 0), 0, problem.file

    return sorted(odd, key=sort_key)


def _told(odd: Iterable[Odd], voice: Voice) -> list[Trouble]:
    """Translate the problems, each one once."""
    translated = [
        Trouble(
            problem.file,
            voice.say(problem.fact.key, **problem.fact.facts),
            problem.others,
            problem.fact.key in _FOR_TEACHERS,
            people_in(problem.fact),
        )
        for problem in odd
    ]
    return list(dict.fromkeys(translated))


# Editions and revisions


def edition_handed_in(handed: Iterable[HandedIn], own: Assignment, roster: Roster) -> str:
    """Return the only edition of an assignment that the class has handed in.

    Receipts and cells say it. With a roster, only students on it count.

    A name counts once, however many files have it, and for each edition that is handed in with it: nobody is
    outvoted.
    """
    students_by_edition = _students_by_edition(handed, own, roster)
    return _the_only_one(students_by_edition, own.name, "editions", roster)


def revision_handed_in(handed: Sequence[HandedIn], revisions: Sequence[Assignment], roster: Roster) -> Assignment:
    """Return the only revision of an edition that the class has handed in.

    Receipts, cells and codes of sheets say it. It is the first revision if nobody has handed anything in.

    Several revisions are refused, with the number of students for each: nobody chooses by the text of a receipt.
    """
    if len(revisions) == 1:
        return revisions[0]
    by_edition = {revision.edition: revision for revision in revisions}
    students_by_edition = _students_by_edition(handed, revisions[0], roster)
    students_by_revision = {edition: set(students_by_edition.get(edition, ())) for edition in by_edition}
    for contents in handed:
        if contents.table:
            for edition, revision in by_edition.items():
                students_by_revision[edition] |= _by_codes(contents.table, revision, roster)
    chosen_edition = _the_only_one(
        {edition: students for edition, students in students_by_revision.items() if students}, revisions[0].name, "revisions", roster
    )
    return by_edition.get(chosen_edition, revisions[0])


def _by_codes(rows: Sequence[Sequence[str]], wanted: Assignment, roster: Roster) -> set[str]:
    """Return the students whose sheets of this revision were typed into a table."""
    students = roster.names or named_beside(rows)
    student_by_code = codes_of(printed_paper(rows, wanted, students), students)
    typed_codes = [sheet_code.whose for code in codes_typed(rows) if (sheet_code := SheetCode.read(code))]
    return {roster.main(student_by_code[student_code]) for student_code in typed_codes if student_code in student_by_code}


def _students_by_edition(handed: Iterable[HandedIn], own: Assignment, roster: Roster) -> dict[str, set[str]]:
    """Return the students who have handed in each edition."""
    students_by_edition: dict[str, set[str]] = defaultdict(set)
    for contents in handed:
        parts = [part for part in contents.parts if fits(part, own.name) and _is_edition(part.edition)]
        for part in [part for part in parts if not part.written] or parts:
            student = (
                part.student or next((other.student for other in contents.parts if other.student), "") or name_of(contents.file.folder)
            )
            if student:
                students_by_edition[own.edition_named(part.edition)].add(roster.main(student))
    return students_by_edition


def _the_only_one(whose: dict[str, set[str]], name: str, what: str, roster: Roster) -> str:
    """Return the only edition that the class has, or an empty text; refuse several."""
    listed = {known_as(listed_name) for listed_name in roster.names}
    in_class = {edition: names & listed for edition, names in whose.items() if names & listed} or whose
    if len(in_class) > 1:
        editions = sorted(in_class, key=lambda edition: (-len(in_class[edition]), edition))
        edition_list = ", ".join(f"{_said(edition, what)} ({len(in_class[edition])})" for edition in editions[:5])
        further = f" and {len(editions) - 5} more" if len(editions) > 5 else ""
        raise DurakError(
            f"{len(editions)} {what} of {name} were handed in, by so many students: {edition_list}{further}; "
            f"say by --edition which is to be marked (in Python by edition=)"
        )
    return next(iter(in_class), "")


def _said(edition: str, what: str) -> str:
    """Return an edition as a teacher can name it, with its revision number if needed."""
    return revised_exactly(edition) if what == "revisions" else edition or "none"


def _is_edition(edition: str) -> bool:
    try:
        return edition_of(edition) == edition
    except DurakError:
        return False
