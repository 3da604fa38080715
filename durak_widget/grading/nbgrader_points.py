"""Points of a question for nbgrader, counted in a separate process.

nbgrader runs the whole notebook again and takes the points from a locked cell. That cell only calls `points`. Another
process grades the submitted file as folder grading does and runs none of its cells. A strategy or bot given as code
runs in a sandboxed process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from durak_widget.errors import DurakError, quoted
from durak_widget.grading.folder_grading import mark
from durak_widget.grading.notebook_answers import said_in, sources_of
from durak_widget.grading.submission_files import data_in, files_in
from durak_widget.homework.assignment import assignment_of, known_as
from durak_widget.homework.assignment_edition import revised_exactly

if TYPE_CHECKING:
    from os import PathLike


_SECONDS: Final = 580
_BEGINS: Final = "import sys; sys.path[:] = sys.argv[4:]; from durak_widget.grading.nbgrader_points import told; told(*sys.argv[1:4])"
_KNOWN: dict[tuple[str, str, str, str], dict[str, float]] = {}
"""Points of each question, for files that were graded before."""


def points(assignment: str, question: str, *, edition: str = "", folder: str | PathLike[str] = ".") -> float | None:
    """Return the points of a question, or None unless nbgrader is grading.

    So nobody can try answers with it.

    >>> points("econ431", "how-likely")
    """
    if os.environ.get("NBGRADER_EXECUTION") != "autograde":
        return None
    submitted_folder = _submitted(Path(folder).resolve())
    cache_key = (str(submitted_folder), _digest(submitted_folder), assignment, edition)
    if cache_key not in _KNOWN:
        _KNOWN[cache_key] = _asked(submitted_folder, assignment, edition, aside=(submitted_folder, Path(folder).resolve()))
    points_by_question = _KNOWN[cache_key]
    if question not in points_by_question:
        raise DurakError(f"{assignment} has no question {quoted(question)}; it has {', '.join(points_by_question)}")
    return points_by_question[question]


def _submitted(folder: Path) -> Path:
    """Return the folder with the work as it was handed in, else this folder.

    It is beside `autograded/`, where nbgrader has removed the outputs from the notebook.
    """
    student, parts = folder.parent, folder.parents
    submitted_folder = parts[2] / "submitted" / student.name / folder.name if len(parts) > 2 and parts[1].name == "autograded" else folder
    return submitted_folder if submitted_folder.is_dir() else folder


def _digest(folder: Path) -> str:
    """Return a hash of the names, times and sizes of the files, to notice changes."""
    files = ((file.name, Path(file.path).stat()) for file in files_in(folder)[0])
    return sha256(repr([(name, file_stat.st_mtime_ns, file_stat.st_size) for name, file_stat in files]).encode()).hexdigest()


def _asked(folder: Path, assignment: str, edition: str, aside: tuple[Path, ...]) -> dict[str, float]:
    """Return the points of all questions, from a process that runs none of the student's code.

    Nothing is imported from the folders `aside`.
    """
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, *(path for path in sys.path if path and not any(Path(path).resolve().is_relative_to(excluded) for excluded in aside))]
    try:
        process = subprocess.run(  # noqa: S603 - this Python, with a text that stands above
            [sys.executable, "-I", "-B", "-c", _BEGINS, str(folder), assignment, edition, *paths],
            capture_output=True,
            timeout=_SECONDS,
            cwd=root,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DurakError(f"this work could not be marked within {_SECONDS} seconds") from None
    if process.returncode:
        raise DurakError(f"this work could not be marked: {process.stderr.decode(errors='replace').strip().rpartition(chr(10))[2]}")
    points_by_question: dict[str, float] = json.loads(process.stdout.splitlines()[-1])  # an assignment may print when imported
    return points_by_question


def told(folder: str, assignment: str, edition: str) -> None:
    """Print the points of each question as JSON, for the process that started this one."""
    print(json.dumps(points_in(folder, assignment, edition)))  # noqa: T201 - that is how it is heard


def points_in(folder: str | PathLike[str], assignment: str, edition: str) -> dict[str, float]:
    """Return the points of each question for the work in one student's folder.

    >>> from tempfile import mkdtemp
    >>> set(points_in(mkdtemp(), "econ431", "2027").values())
    {0.0}
    """
    exact_edition = (
        revised_exactly(edition) if len(assignment_of(assignment, edition).every_revision()) > 1 else edition
    )  # the locked cell names the revision
    gradebook = mark(folder, assignment, edition=exact_edition, jobs=1, anew=True)  # code that ran here may have written to the cache
    resolved = assignment_of(assignment, edition)
    students = gradebook.students
    if len(students) > 1:
        names = {known_as(name) for name in map(_named_in, (file for file in files_in(folder)[0])) if name}
        students = tuple(name for name in students if known_as(name) in names) or students
    rows = {row.question: row for row in gradebook.of(students[0])} if students else {}
    return {record.name: round(float(rows[record.name].points), 6) if record.name in rows else 0.0 for record in resolved.questions}


def _named_in(file: Any) -> str:  # noqa: ANN401 - a file of the folder
    """Return the student's name that the cells of a notebook give."""
    data = data_in(file).data
    cells = data.get("cells") if isinstance(data, dict) else None
    return said_in(sources_of(cells)).student if isinstance(cells, list) else ""
