"""An assignment in the form that nbgrader understands, and the points that it counts there.

nbgrader runs a student's whole notebook again, and takes what a locked cell says for the points. Here that cell only asks `points`, and another process works
them out from what was handed in, which it reads as `lessons.mark` does: no cell of it is run; a strategy or a bot given as code is, in a process of its own.
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
from durak_widget.homework.edition import revised_exactly

if TYPE_CHECKING:
    from os import PathLike

    from durak_widget.homework.assignment import Question

CONFIG: Final = """c = get_config()
c.CourseDirectory.course_id = {course}
c.ClearSolutions.code_stub = {{"python": "# Your code, if you like"}}
c.Execute.timeout = 600
"""
"""What nbgrader is told of a course: cells that nobody need fill in raise no error, and marking takes the time that it takes."""
_SECONDS: Final = 580
_BEGINS: Final = "import sys; sys.path[:] = sys.argv[4:]; from durak_widget.homework.nbgrading import told; told(*sys.argv[1:4])"
_KNOWN: dict[tuple[str, str, str, str], dict[str, float]] = {}
"""What was worked out of the same files before."""


def _marked(cell: dict[str, Any], grade_id: str, *, grade: bool = False, solution: bool = False, locked: bool = False) -> dict[str, Any]:
    told: dict[str, Any] = {
        "grade": grade, "grade_id": grade_id, "locked": locked, "schema_version": 3, "solution": solution, "task": False,
    }  # fmt: skip
    return {**cell, "metadata": {**cell["metadata"], "nbgrader": told}}


def locked(cell: dict[str, Any]) -> dict[str, Any]:
    """A cell that students cannot change: nbgrader lays it again as it was."""
    return _marked(cell, cell["id"], locked=True)


def solutions(cell: dict[str, Any], assignment: str, given: str) -> dict[str, Any]:
    """The cell in which a teacher sees all solutions, and students may answer in code: nbgrader takes out what stands between the marks."""
    asked = ", ".join([json.dumps(assignment, ensure_ascii=False), 'student=homework.student or "Guest"', *([given] if given else [])])
    text = f"### BEGIN SOLUTION\nfrom durak_widget.classroom.keys import key\n\nprint(key({asked}))\n### END SOLUTION"
    return _marked({**cell, "source": text.splitlines(keepends=True)}, "solutions", solution=True)


def graded(cell: dict[str, Any], assignment: str, edition: str, question: Question) -> dict[str, Any]:
    """The locked cell that counts the points of a question: it names the question, and neither answers nor tests."""
    asked = ", ".join(
        [json.dumps(assignment, ensure_ascii=False), json.dumps(question.name), *([f"edition={json.dumps(edition)}"] if edition else [])]
    )
    text = f"# {question.name}\nfrom durak_widget.classroom.nbgrading import points\n\npoints({asked})"
    found = _marked({**cell, "source": text.splitlines(keepends=True)}, question.name, grade=True, locked=True)
    found["metadata"]["nbgrader"]["points"] = question.points
    return found


def points(assignment: str, question: str, *, edition: str = "", folder: str | PathLike[str] = ".") -> float | None:
    """The points of what was handed in, where nbgrader marks it; elsewhere nothing, so that nobody tries answers with it.

    >>> points("econ431", "how-likely")
    """
    if os.environ.get("NBGRADER_EXECUTION") != "autograde":
        return None
    here = _submitted(Path(folder).resolve())
    known = (str(here), _digest(here), assignment, edition)
    if known not in _KNOWN:
        _KNOWN[known] = _asked(here, assignment, edition, aside=(here, Path(folder).resolve()))
    found = _KNOWN[known]
    if question not in found:
        raise DurakError(f"{assignment} has no question {quoted(question)}; it has {', '.join(found)}")
    return found[question]


def _submitted(folder: Path) -> Path:
    """Where the work lies as it was handed in: beside `autograded/`, in which nbgrader has taken the outputs out of it. Else here."""
    student, parts = folder.parent, folder.parents
    there = parts[2] / "submitted" / student.name / folder.name if len(parts) > 2 and parts[1].name == "autograded" else folder
    return there if there.is_dir() else folder


def _digest(folder: Path) -> str:
    """What the files are, so that they are marked again if they have changed."""
    files = ((file.name, Path(file.path).stat()) for file in files_in(folder)[0])
    return sha256(repr([(name, there.st_mtime_ns, there.st_size) for name, there in files]).encode()).hexdigest()


def _asked(folder: Path, assignment: str, edition: str, aside: tuple[Path, ...]) -> dict[str, float]:
    """The points of all questions, from a process in which nothing of the student's has run: nothing is imported from the folders `aside`."""
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, *(path for path in sys.path if path and not any(Path(path).resolve().is_relative_to(one) for one in aside))]
    try:
        done = subprocess.run(  # noqa: S603 - this Python, with a text that stands above
            [sys.executable, "-I", "-B", "-c", _BEGINS, str(folder), assignment, edition, *paths],
            capture_output=True,
            timeout=_SECONDS,
            cwd=root,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DurakError(f"this work could not be marked within {_SECONDS} seconds") from None
    if done.returncode:
        raise DurakError(f"this work could not be marked: {done.stderr.decode(errors='replace').strip().rpartition(chr(10))[2]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])  # an assignment of one's own may print when it is imported
    return found


def told(folder: str, assignment: str, edition: str) -> None:
    """What such a process says: the points of each question, of whoever the notebook names."""
    print(json.dumps(points_in(folder, assignment, edition)))  # noqa: T201 - that is how it is heard


def points_in(folder: str | PathLike[str], assignment: str, edition: str) -> dict[str, float]:
    """The points of each question of what lies in a folder of one student.

    >>> from tempfile import mkdtemp
    >>> set(points_in(mkdtemp(), "econ431", "2027").values())
    {0.0}
    """
    exact = (
        revised_exactly(edition) if len(assignment_of(assignment, edition).every_revision()) > 1 else edition
    )  # the locked cell says which
    marks = mark(folder, assignment, edition=exact, jobs=1, anew=True)  # whatever ran here may have written what was judged before
    wanted = assignment_of(assignment, edition)
    students = marks.students
    if len(students) > 1:
        names = {known_as(name) for name in map(_named_in, (file for file in files_in(folder)[0])) if name}
        students = tuple(one for one in students if known_as(one) in names) or students
    rows = {row.question: row for row in marks.of(students[0])} if students else {}
    return {one.name: round(float(rows[one.name].points), 6) if one.name in rows else 0.0 for one in wanted.questions}


def _named_in(file: Any) -> str:  # noqa: ANN401 - a file of the folder
    """Whose homework the cells of a notebook say that it is."""
    data = data_in(file).data
    cells = data.get("cells") if isinstance(data, dict) else None
    return said_in(sources_of(cells)).student if isinstance(cells, list) else ""
