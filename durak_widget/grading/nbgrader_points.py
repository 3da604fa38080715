"""The points of a question for nbgrader, which a separate Python process computes.

nbgrader runs the whole notebook again and takes the points from a locked cell. This cell only calls `points`. Another process grades
the submitted file, as folder grading does, and runs none of its cells. A strategy or bot given as code runs in a sandboxed process of
its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from durak_widget.errors import DurakError, short_repr
from durak_widget.grading.folder_grading import mark
from durak_widget.grading.notebook_answers import extract_code_sources, read_notebook_answers
from durak_widget.grading.submission_files import list_files, read_data
from durak_widget.homework.assignment import normalize_name, resolve_assignment
from durak_widget.homework.assignment_edition import with_revision_number

if TYPE_CHECKING:
    from os import PathLike


_TIMEOUT_SECONDS: Final = 580
_WORKER_CODE: Final = (
    "import sys; sys.path[:] = sys.argv[4:]; from durak_widget.grading.nbgrader_points import print_points; print_points(*sys.argv[1:4])"
)
_POINTS_CACHE: dict[tuple[str, str, str, str], dict[str, float]] = {}
"""The points by question, for each submission that this process has already graded."""


def points(assignment: str, question: str, *, edition: str = "", folder: str | PathLike[str] = ".") -> float | None:
    """Return the points of a question if nbgrader is grading now; otherwise return None.

    So students can't use the function to try answers.

    >>> points("econ431", "how-likely")
    """
    if os.environ.get("NBGRADER_EXECUTION") != "autograde":
        return None
    submitted_folder = _find_submitted_folder(Path(folder).resolve())
    cache_key = (str(submitted_folder), _hash_file_states(submitted_folder), assignment, edition)
    if cache_key not in _POINTS_CACHE:
        _POINTS_CACHE[cache_key] = _grade_in_subprocess(
            submitted_folder, assignment, edition, excluded_folders=(submitted_folder, Path(folder).resolve())
        )
    points_by_question = _POINTS_CACHE[cache_key]
    if question not in points_by_question:
        raise DurakError(f"{assignment} has no question {short_repr(question)}; its questions are {', '.join(points_by_question)}")
    return points_by_question[question]


def _find_submitted_folder(folder: Path) -> Path:
    """Return nbgrader's folder with the original submission, or `folder` if there is none.

    The original is beside `autograded/`, where nbgrader has removed the outputs from the notebook.
    """
    student, parts = folder.parent, folder.parents
    submitted_folder = parts[2] / "submitted" / student.name / folder.name if len(parts) > 2 and parts[1].name == "autograded" else folder
    return submitted_folder if submitted_folder.is_dir() else folder


def _hash_file_states(folder: Path) -> str:
    """Return a hash of the names, times and sizes of all files in a folder."""
    files = ((file.name, Path(file.path).stat()) for file in list_files(folder)[0])
    return sha256(repr([(name, file_stat.st_mtime_ns, file_stat.st_size) for name, file_stat in files]).encode()).hexdigest()


def _grade_in_subprocess(folder: Path, assignment: str, edition: str, excluded_folders: tuple[Path, ...]) -> dict[str, float]:
    """Grade a folder in a new process that runs no student code; return the points.

    The process imports nothing from the folders `excluded_folders`.
    """
    root = str(Path(__file__).resolve().parents[2])
    paths = [
        root,
        *(path for path in sys.path if path and not any(Path(path).resolve().is_relative_to(excluded) for excluded in excluded_folders)),
    ]
    try:
        process = subprocess.run(  # noqa: S603 - the same Python interpreter, with a constant program
            [sys.executable, "-I", "-B", "-c", _WORKER_CODE, str(folder), assignment, edition, *paths],
            capture_output=True,
            timeout=_TIMEOUT_SECONDS,
            cwd=root,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DurakError(f"this work could not be marked in {_TIMEOUT_SECONDS} seconds") from None
    if process.returncode:
        raise DurakError(f"this work could not be marked: {process.stderr.decode(errors='replace').strip().rpartition(chr(10))[2]}")
    # An assignment module may print something when it is imported, so only the last line is read
    points_by_question: dict[str, float] = json.loads(process.stdout.splitlines()[-1])
    return points_by_question


def print_points(folder: str, assignment: str, edition: str) -> None:
    """Grade a student's folder, and print the points for each question as JSON.

    The parent process reads this output.
    """
    print(json.dumps(grade_student_folder(folder, assignment, edition)))  # noqa: T201 - the parent process reads it


def grade_student_folder(folder: str | PathLike[str], assignment: str, edition: str) -> dict[str, float]:
    """Grade the work in one student's folder; return the points for each question.

    >>> from tempfile import mkdtemp
    >>> set(grade_student_folder(mkdtemp(), "econ431", "2027").values())
    {0.0}
    """
    # The locked notebook cell names the revision of the questions
    exact_edition = with_revision_number(edition) if len(resolve_assignment(assignment, edition).list_revisions()) > 1 else edition
    # The cache of grades is not trusted, since a student's code may have written to it
    gradebook = mark(folder, assignment, edition=exact_edition, jobs=1, anew=True)
    resolved = resolve_assignment(assignment, edition)
    students = gradebook.students
    if len(students) > 1:
        names = {normalize_name(name) for name in map(_find_student_name, (file for file in list_files(folder)[0])) if name}
        students = tuple(name for name in students if normalize_name(name) in names) or students
    rows = {row.question: row for row in gradebook.get_rows(students[0])} if students else {}
    return {record.name: round(float(rows[record.name].points), 6) if record.name in rows else 0.0 for record in resolved.questions}


def _find_student_name(file: Any) -> str:  # noqa: ANN401 - a `SubmittedFile`
    """Return the student's name in the cells of a notebook, or "" if no cell contains a name."""
    data = read_data(file).data
    cells = data.get("cells") if isinstance(data, dict) else None
    return read_notebook_answers(extract_code_sources(cells)).student if isinstance(cells, list) else ""
