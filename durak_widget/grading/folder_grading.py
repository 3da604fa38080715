"""Grading of a folder of submissions, in which all answers are graded anew.

Nothing that a file says about itself earns points. If the teacher names no edition, the only edition in the folder is used. If there
are several, the teacher has to choose one.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from contextlib import nullcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import require_path
from durak_widget.errors import DurakError, as_whole_number, short_repr
from durak_widget.grading.answer_grading import GradedAnswer, GradingSettings, SubmittedAnswer, grade_answer
from durak_widget.grading.answer_similarity import (
    SolutionRequest,
    WrongAnswer,
    compute_right_answers,
    find_suspicious_pairs,
    format_class_count,
    normalize_student_answer,
)
from durak_widget.grading.attempt_selection import (
    GradedFile,
    find_best_file,
    find_people_named,
    report_held_questions,
    report_late_answers,
    report_repeated_files,
    report_unreadable_answers,
    select_rows,
)
from durak_widget.grading.gradebook import Gradebook, GradebookRow, Problem, apply_overrides
from durak_widget.grading.grading_cache import GradingCache
from durak_widget.grading.output_files import GRADEBOOK_START, require_writable, resolve_parent_links, write_output
from durak_widget.grading.submission_files import FileProblem, SubmittedFile, list_files, require_outside_import_path, require_typed_table
from durak_widget.grading.submissions import (
    FileContents,
    get_valid_name,
    ignore_table,
    is_for_assignment,
    list_named_students,
    read_submission,
    sort_submissions,
    split_typed_tables,
)
from durak_widget.homework.assignment import normalize_name, parse_edition, parse_question_list, resolve_assignment
from durak_widget.homework.assignment_edition import has_fixed_revision, read_passphrase, with_revision_number
from durak_widget.homework.csv_tables import BOM
from durak_widget.homework.receipt import parse_due_time
from durak_widget.homework.roster import Roster
from durak_widget.i18n import TranslatableText, Translator
from durak_widget.paper_exams.answer_spreadsheet import find_printed_exam, list_typed_codes
from durak_widget.paper_exams.sheet_codes import SheetCode, map_prefixes_to_students
from durak_widget.parallel import TIMED_OUT, Failed, WorkerPool, count_cores
from durak_widget.sandbox.code_runner import Limits, warn_of_missing_restrictions
from durak_widget.translated_errors import explain_error_class

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from os import PathLike

    from durak_widget.homework.assignment import Assignment

_READ_SECONDS: Final = 60.0
_GRADE_SECONDS: Final = 120.0
"""The time limit for grading one answer, in seconds."""
_MAX_JOBS: Final = 64
_SIMILARITY_KEY: Final = "class.file.copied"
_TEACHER_ONLY_KEYS: Final = {_SIMILARITY_KEY, "class.typed.unread"}
"""The ids of messages that no student may see, for example because they suspect copying."""


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
    limits: Limits = Limits(),  # noqa: B008 - `Limits` is immutable
    anew: bool = False,
    questions: Iterable[object] | str | None = None,
    word: object = None,
    due: str | datetime | None = None,
    typed: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
) -> Gradebook:
    """Grade all notebooks and receipts in a folder; return the gradebook.

    The names of files and subfolders don't matter. `out` is a CSV file for the gradebook, and `roster` a CSV file with the names of the
    school class. Without an `edition`, the edition that was handed in is used. Strategies and bots given as code run in processes
    of their own (see `sandbox`), or not at all with `run_code=False`. `changes` is a CSV file of points that the teacher has set,
    with the columns student, question, points, why. Answers that were graded before are not graded again, except with `anew`.

    With `questions`, only these questions are graded, as if no others were asked. The folder may also be a table that was typed from
    printed sheets, whose columns say which questions were asked. `word` is the passphrase of the edition, or the file that stores
    it. Students who stored answers after `due`, by the clock of their computer, are reported; they lose no points. `typed` names
    tables that the teacher typed from sheets and that count together with the folder. Other tables in the folder are ignored, since
    a student may have put them there.

    `jobs` is the number of worker processes. An `executor` of `concurrent.futures` or a client of Dask grades the
    answers instead; files are still read on this computer. The grades are the same.

    >>> from tempfile import mkdtemp
    >>> from durak_widget import lessons
    >>> folder = mkdtemp()
    >>> work = lessons.homework("econ431", student="Ann", folder=folder)
    >>> verdict = work.answer("moves", work.assignment.create_exercise("moves", "Ann").solution)
    >>> marks = mark(folder, jobs=0)
    >>> marks.students, marks.sum_points("Ann"), marks.rows[0].explanation
    (('Ann',), Fraction(2, 1), 'No answer.')
    """
    require_outside_import_path(folder)  # The folder is checked before modules are imported, since Python could import a student's file
    voice = Translator(language)
    if out is not None:
        require_writable(out, folder, GRADEBOOK_START)
    passphrase = None if word is None else read_passphrase(word)
    due_moment = None if due is None else parse_due_time(due)
    named_assignment = resolve_assignment(assignment)
    graded_assignment = resolve_assignment(assignment, str(edition)) if edition is not None else named_assignment
    class_roster = Roster.load(roster) if isinstance(roster, (str, os.PathLike)) else roster or Roster([])
    files, problems = list_files(folder)
    other_files = {resolve_parent_links(path) for path in (out, roster, changes) if isinstance(path, (str, os.PathLike))}
    typed_tables = {
        resolve_parent_links(table): require_typed_table(table) for table in ([typed] if isinstance(typed, (str, os.PathLike)) else typed)
    }
    files = [*typed_tables.values(), *(file for file in files if file.path not in {*other_files, *typed_tables})]
    if executor is not None and jobs is not None:
        raise DurakError(
            f"use either jobs={short_repr(jobs)} or executor={short_repr(executor)}, not both: each one says which processes mark"
        )
    with (
        WorkerPool(_require_job_count(jobs), require_path(folder)) as reading_pool,
        _open_grading_pool(reading_pool, executor, require_path(folder)) as grading_pool,
    ):
        read_results = reading_pool.run(_read_in_worker, files, seconds=_READ_SECONDS)
        is_single_file = bool(os.path.isfile(require_path(folder)))  # noqa: PTH113 - a path may be a string
        contents_of_files = [_get_contents(*pair) for pair in zip(files, read_results, strict=True)]
        contents_of_files = [
            contents if is_single_file or not contents.typed_rows or contents.file.path in typed_tables else ignore_table(contents)
            for contents in contents_of_files
        ]
        if (
            edition is None
            and not named_assignment.edition
            and (submitted_edition := find_submitted_edition(contents_of_files, named_assignment, class_roster))
        ):
            graded_assignment = named_assignment.with_edition(submitted_edition)
            problems += (
                []
                if contents_of_files[0].typed_rows and len(contents_of_files) == 1
                else [FileProblem("", TranslatableText("class.file.which", {"edition": submitted_edition}))]
            )
        if edition is not None and not has_fixed_revision(str(edition)):
            graded_assignment = find_submitted_revision(
                contents_of_files, [revision.unlock(passphrase) for revision in graded_assignment.list_revisions()], class_roster
            )
        graded_assignment = graded_assignment.unlock(passphrase)
        graded_assignment = _select_questions(
            graded_assignment, questions, contents_of_files[0].typed_rows if is_single_file and contents_of_files else (), class_roster
        )
        contents_of_files = split_typed_tables(
            contents_of_files,
            graded_assignment,
            class_roster.names,
            class_roster.find_canonical_name,
            are_questions_given=questions is not None,
        )
        sorted_submissions = sort_submissions(
            contents_of_files, graded_assignment, named_assignment.edition, class_roster.find_canonical_name
        )
        problems += sorted_submissions.problems
        submissions = [submission for student_submissions in sorted_submissions.submissions.values() for submission in student_submissions]
        question_names = (
            tuple(question.name for question in graded_assignment.questions)
            if len(graded_assignment.questions) < len(named_assignment.questions)
            else ()
        )
        settings = GradingSettings(
            assignment if isinstance(assignment, str) else graded_assignment,
            graded_assignment.edition,
            language,
            run_code is True,
            limits,
            question_names,
            passphrase,
        )
        submitted_answers = [
            SubmittedAnswer(submission.student, index, counted_answer)
            for submission in submissions
            for index, counted_answer in submission.answers.items()
        ]
        # A notebook and its receipt usually contain equal answers, so equal answers are graded only once
        distinct = {_format_answer_key(answer): answer for answer in submitted_answers}
        cache = GradingCache(settings, folder)
        results: dict[str, Any] = {} if anew else {key: cached for key in distinct if (cached := cache.get(key))}
        new_answers = {key: answer for key, answer in distinct.items() if key not in results}
        results |= dict(
            zip(
                new_answers,
                grading_pool.run(grade_answer, list(new_answers.values()), common=settings, seconds=_GRADE_SECONDS),
                strict=True,
            )
        )
        cache.store({key: result for key, result in results.items() if isinstance(result, GradedAnswer)})
        grades = {key: _grade_or_failure(result, voice) for key, result in results.items()}
        wrong_indices = {answer.question_index for key, answer in distinct.items() if grades[key].credit < 1}
        names = [
            *dict.fromkeys(
                [*class_roster.names, *(student_submissions[0].student for student_submissions in sorted_submissions.submissions.values())]
            )
        ]
        solution_request = SolutionRequest(settings.assignment, settings.edition, sorted(wrong_indices))
        right_answers_by_student = (
            _collect_right_answers(solution_request, names, grading_pool, cache, anew=anew)
            if len(sorted_submissions.submissions) > 1
            else {}
        )
    rows_by_student: dict[str, list[GradebookRow]] = {}
    held_by_student: dict[str, dict[int, list[str]]] = {}
    for normal_name, student_submissions in sorted_submissions.submissions.items():
        graded_files = [
            GradedFile(
                submission,
                {
                    index: grades[_format_answer_key(SubmittedAnswer(submission.student, index, counted_answer))]
                    for index, counted_answer in submission.answers.items()
                },
            )
            for submission in student_submissions
        ]
        name = class_roster.format_name(find_best_file(graded_files, graded_assignment).submission.student)
        held_by_student[name] = sorted_submissions.held_questions.get(normal_name, {})
        rows_by_student[normal_name] = select_rows(
            name,
            graded_files,
            graded_assignment,
            voice,
            held_by_student[name],
            sorted_submissions.contradicted_questions.get(normal_name, ()),
        )
        problems += report_repeated_files(name, graded_files, rows_by_student[normal_name], graded_assignment)
        problems += report_unreadable_answers(graded_files, rows_by_student[normal_name])
    if missing_protections := frozenset().union(*(grade.missing_protections for grade in grades.values())):
        problems.append(FileProblem("", warn_of_missing_restrictions(missing_protections)))
    file_names = [file.name for file in files] + [problem.file for problem in problems]
    owners = {
        submission.file: class_roster.format_name(first.student)
        for student_submissions in sorted_submissions.submissions.values()
        for first in student_submissions[:1]
        for submission in student_submissions
    }
    gradebook_rows = _order_by_roster(rows_by_student, problems, class_roster, file_names, graded_assignment, voice)
    problems += [] if due_moment is None else report_late_answers(gradebook_rows, due_moment, graded_assignment)
    problems += _report_similar_answers(gradebook_rows, right_answers_by_student, graded_assignment, class_roster)
    if changes is not None:
        gradebook_rows = apply_overrides(gradebook_rows, changes, class_roster, graded_assignment, voice)
    problems += report_held_questions(gradebook_rows, held_by_student, graded_assignment)
    gradebook = Gradebook(
        gradebook_rows,
        _translate_problems(_sort_problems(problems, owners, gradebook_rows, class_roster), voice),
        assignment=graded_assignment,
        roster=class_roster,
        folder=require_path(folder),
    )
    if out is not None:
        write_output(out, BOM + gradebook.to_csv())
    return gradebook


def _select_questions(
    assignment: Assignment, questions: Iterable[object] | str | None, typed_rows: Sequence[Sequence[str]], roster: Roster
) -> Assignment:
    """Return the assignment with only the questions that the school class was asked.

    The caller names these questions. If only a typed table is graded, they are the questions of its printed sheets.
    """
    if questions is not None:
        return assignment.select_questions(parse_question_list(questions))
    return find_printed_exam(typed_rows, assignment, roster.names or list_named_students(typed_rows)) if typed_rows else assignment


def _open_grading_pool(readers: WorkerPool, executor: object, folder: str) -> AbstractContextManager[WorkerPool]:
    """Return the workers that grade answers: a new pool for `executor`, or else `readers`.

    Processes of this computer always read the files, since other computers may not have the folder.
    """
    return nullcontext(readers) if executor is None else WorkerPool(executor, folder)


def _require_job_count(jobs: int | None) -> int:
    if jobs is None:
        return min(count_cores(), _MAX_JOBS)
    count = as_whole_number(jobs)
    if count is None or not 0 <= count <= _MAX_JOBS:
        raise DurakError(
            f"jobs must be a whole number from 1 to {_MAX_JOBS}, the number of processes that mark, or 0 for only this one; not {short_repr(jobs)}"
        )
    return count


def _read_in_worker(_: None, file: SubmittedFile) -> FileContents:
    """Read a file in a worker process, so that a crash does not stop the grading."""
    return read_submission(file)


def _get_contents(file: SubmittedFile, result: Any) -> FileContents:  # noqa: ANN401 - a result or a failure
    """Return the file contents that a worker read; if the worker failed, return a problem."""
    return result if isinstance(result, FileContents) else FileContents(file, (), (TranslatableText("class.file.crashed"),))


def _format_answer_key(answer: SubmittedAnswer) -> str:
    """Return a key for an answer, so that answers with equal keys must get equal grades.

    These are equal answers of one student, whose name may be spelled in different ways.
    """
    return json.dumps(
        [normalize_name(answer.student), answer.question_index, answer.counted_answer.answer, answer.counted_answer.fallback_answer],
        sort_keys=True,
    )


def _grade_or_failure(result: Any, voice: Translator) -> GradedAnswer:  # noqa: ANN401 - a result or a failure
    """Return the grade that a worker computed; if the worker failed, return a grade of 0."""
    if isinstance(result, GradedAnswer):
        return result
    if isinstance(result, Failed) and result.kind == TIMED_OUT:
        return GradedAnswer(Fraction(0), "", voice.translate("class.mark.late", seconds=f"{_GRADE_SECONDS:g}"))
    kind = explain_error_class(result.kind if isinstance(result, Failed) else type(result).__name__)
    return GradedAnswer(Fraction(0), "", voice.translate("class.mark.failed", kind=kind))


def _order_by_roster(
    rows_by_student: dict[str, list[GradebookRow]],
    all_problems: list[FileProblem],
    roster: Roster,
    files: Sequence[str],
    assignment: Assignment,
    voice: Translator,
) -> list[GradebookRow]:
    """Sort gradebook rows: first students on the roster, in the roster's order, then others.

    If a student has no answer that counts, report the files with the student's name.
    """
    all_rows: list[GradebookRow] = []
    files_by_name: dict[str, list[str]] = {}
    for file in dict.fromkeys(files):
        for name in roster.find_names_in_path(file):
            files_by_name.setdefault(name, []).append(file)
    for name in roster.names:
        student_rows = rows_by_student.pop(normalize_name(name), None)
        if student_rows is None:
            problems = [
                FileProblem(file, TranslatableText("class.file.theirs", {"student": name})) for file in files_by_name.get(name, ()) if file
            ]
            all_problems += problems or [FileProblem("", TranslatableText("class.file.missing", {"student": name}))]
            student_rows = select_rows(name, [], assignment, voice)
        all_rows += student_rows
    for student_rows in rows_by_student.values():
        if roster.names:
            all_problems.append(
                FileProblem(student_rows[0].file, TranslatableText("class.file.unlisted", {"student": student_rows[0].student}))
            )
        all_rows += student_rows
    return all_rows


def _collect_right_answers(
    request: SolutionRequest, names: Sequence[str], pool: WorkerPool, cache: GradingCache, *, anew: bool
) -> dict[str, dict[int, str]]:
    """Compute all students' correct answers to the questions that someone answered wrongly.

    Cached results are reused, and new results are cached.
    """
    answers_by_student = {
        name: {
            index: stored.explanation for index in request.question_indices if (stored := cache.get(_format_right_answer_key(name, index)))
        }
        for name in names
    }
    new_names = [name for name in names if anew or len(answers_by_student[name]) < len(request.question_indices)]
    results = dict(zip(new_names, pool.run(compute_right_answers, new_names, common=request, seconds=_GRADE_SECONDS), strict=True))
    for name, right_answers in results.items():
        answers_by_student[name] = right_answers if isinstance(right_answers, dict) else {}
    keys = {_format_right_answer_key(name, index): answer for name in results for index, answer in answers_by_student[name].items()}
    cache.store({key: GradedAnswer(Fraction(1), "", answer, is_reproducible=True) for key, answer in keys.items()})
    return answers_by_student


def _format_right_answer_key(name: str, question_index: int) -> str:
    """Return the key under which a student's correct answer to a question is cached."""
    return json.dumps(["right", normalize_name(name), question_index])


def _report_similar_answers(
    rows: Sequence[GradebookRow], right_answers_by_student: Mapping[str, Mapping[int, str]], assignment: Assignment, roster: Roster
) -> Iterable[FileProblem]:
    """Report each student who gave many wrong answers that are correct for another student."""
    displayed_names = {name: roster.format_name(name) for name in right_answers_by_student}
    name_of_displayed = {displayed: name for name, displayed in displayed_names.items()}
    files = {row.student: row.file for row in rows if row.file}
    students_by_answer: dict[tuple[int, str], set[str]] = {}
    for name, own_answers in right_answers_by_student.items():
        for index, answer in own_answers.items():
            students_by_answer.setdefault((index, answer), set()).add(displayed_names[name])
    for row in rows:
        index = assignment.find_question_index(row.question)
        if row.answers and row.credit == 1:
            students_by_answer.setdefault(
                (index, normalize_student_answer(assignment, name_of_displayed.get(row.student, row.student), index, row.answers[0])), set()
            ).add(row.student)
    wrong_answers: dict[str, list[WrongAnswer]] = {}
    for row in rows:
        index = assignment.find_question_index(row.question)
        if row.answers and row.credit < 1:
            right_for = students_by_answer.get(
                (index, normalize_student_answer(assignment, name_of_displayed.get(row.student, row.student), index, row.answers[0])), set()
            ) - {row.student}
            wrong_answers.setdefault(row.student, []).append(WrongAnswer(index, frozenset(right_for)))
    for pair in find_suspicious_pairs(wrong_answers, [*displayed_names.values(), *files]):
        facts = {
            "student": pair.student,
            "other": pair.other_student,
            "count": str(len(pair.question_indices)),
            "wrong": str(pair.wrong_count),
        }
        facts |= {
            "questions": ", ".join(str(index + 1) for index in pair.question_indices),
            "classes": format_class_count(pair.class_count),
        }
        yield FileProblem(
            files[pair.student],
            TranslatableText(_SIMILARITY_KEY, facts),
            tuple(file for file in [files.get(pair.other_student, "")] if file),
        )


def _sort_problems(
    problems: Iterable[FileProblem], owners: Mapping[str, str], rows: Sequence[GradebookRow], roster: Roster
) -> list[FileProblem]:
    """Sort problems: those of the folder first, then each student's problems, then all others."""
    position_of = {student: position for position, student in enumerate(dict.fromkeys(row.student for row in rows))}

    def sort_key(problem: FileProblem) -> tuple[int, int, str]:
        """Return the sort key of a problem: folder, student or other, and then file name."""
        student = problem.message.facts.get("student")
        names = [
            owners.get(problem.file),
            *([student] if isinstance(student, str) else []),
            *(roster.find_names_in_path(problem.file) if problem.file else ()),
        ]
        student_position = next((position_of[name] for name in names if name in position_of), None)
        if student_position is not None:
            return 1, student_position, problem.file
        return (2 if problem.file else 0), 0, problem.file

    return sorted(problems, key=sort_key)


def _translate_problems(problems: Iterable[FileProblem], voice: Translator) -> list[Problem]:
    """Translate the sentences on problems with submissions, and drop repeated sentences."""
    translated = [
        Problem(
            problem.file,
            voice.translate(problem.message.key, **problem.message.facts),
            problem.other_files,
            problem.message.key in _TEACHER_ONLY_KEYS,
            find_people_named(problem.message),
        )
        for problem in problems
    ]
    return list(dict.fromkeys(translated))


# --- Edition and revision of the submissions ---


def find_submitted_edition(contents_of_files: Iterable[FileContents], assignment: Assignment, roster: Roster) -> str:
    """Return the edition of the assignment (for a year or class) that students handed in.

    Raise an error if they handed in several editions. Receipts and notebook cells name the edition. With a roster, only students on the
    roster count, unless none of them handed anything in.

    A student counts once for each edition that was handed in under their name, however many files there are. So nobody can outvote
    others.
    """
    students_by_edition = _group_students_by_edition(contents_of_files, assignment, roster)
    return _require_single_edition(students_by_edition, assignment.name, "editions", roster)


def find_submitted_revision(contents_of_files: Sequence[FileContents], revisions: Sequence[Assignment], roster: Roster) -> Assignment:
    """Return the revision of the assignment that the students handed in.

    Raise an error if they handed in several revisions. Receipts, notebook cells and the codes on printed sheets name the revision. If
    nobody has handed anything in, return the first revision.

    If there are several revisions, the error gives the number of students for each. So no student can choose the revision by the text
    of a receipt.
    """
    if len(revisions) == 1:
        return revisions[0]
    by_edition = {revision.edition: revision for revision in revisions}
    students_by_edition = _group_students_by_edition(contents_of_files, revisions[0], roster)
    students_by_revision = {edition: set(students_by_edition.get(edition, ())) for edition in by_edition}
    for contents in contents_of_files:
        if contents.typed_rows:
            for edition, revision in by_edition.items():
                students_by_revision[edition] |= _find_students_by_codes(contents.typed_rows, revision, roster)
    chosen_edition = _require_single_edition(
        {edition: students for edition, students in students_by_revision.items() if students}, revisions[0].name, "revisions", roster
    )
    return by_edition.get(chosen_edition, revisions[0])


def _find_students_by_codes(rows: Sequence[Sequence[str]], revision: Assignment, roster: Roster) -> set[str]:
    """Return the students for whom a teacher's table has a sheet code of the given revision."""
    students = roster.names or list_named_students(rows)
    student_by_code = map_prefixes_to_students(find_printed_exam(rows, revision, students), students)
    typed_codes = [sheet_code.prefix for code in list_typed_codes(rows) if (sheet_code := SheetCode.parse(code))]
    return {roster.find_canonical_name(student_by_code[student_code]) for student_code in typed_codes if student_code in student_by_code}


def _group_students_by_edition(contents_of_files: Iterable[FileContents], assignment: Assignment, roster: Roster) -> dict[str, set[str]]:
    """Return the names of the students who handed in each edition of the assignment."""
    students_by_edition: dict[str, set[str]] = defaultdict(set)
    for contents in contents_of_files:
        parts = [part for part in contents.parts if is_for_assignment(part, assignment.name) and _is_valid_edition(part.edition)]
        for part in [part for part in parts if not part.is_from_cells] or parts:
            student = (
                part.student
                or next((other.student for other in contents.parts if other.student), "")
                or get_valid_name(contents.file.student_folder)
            )
            if student:
                students_by_edition[assignment.normalize_edition(part.edition)].add(roster.find_canonical_name(student))
    return students_by_edition


def _require_single_edition(students_by_edition: dict[str, set[str]], name: str, noun: str, roster: Roster) -> str:
    """Return the only edition that was handed in, or "" if there is none.

    Raise an error if there are several.
    """
    roster_names = {normalize_name(listed_name) for listed_name in roster.names}
    students_of_class = {
        edition: names & roster_names for edition, names in students_by_edition.items() if names & roster_names
    } or students_by_edition
    if len(students_of_class) > 1:
        editions = sorted(students_of_class, key=lambda edition: (-len(students_of_class[edition]), edition))
        edition_list = ", ".join(f"{_format_edition(edition, noun)} ({len(students_of_class[edition])})" for edition in editions[:5])
        further = f" and {len(editions) - 5} more" if len(editions) > 5 else ""
        raise DurakError(
            f"{len(editions)} {noun} of {name} were handed in. Here they are, with the number of students: {edition_list}{further}. Use --edition to choose one (in Python, edition=)"
        )
    return next(iter(students_of_class), "")


def _format_edition(edition: str, noun: str) -> str:
    """Format an edition's name as an argument of the command line, with any revision number."""
    return with_revision_number(edition) if noun == "revisions" else edition or "none"


def _is_valid_edition(edition: str) -> bool:
    try:
        return parse_edition(edition) == edition
    except DurakError:
        return False
