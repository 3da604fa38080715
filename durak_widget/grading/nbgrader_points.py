"""Counts the points of a question for nbgrader, in a separate process.

nbgrader runs the whole notebook again and takes the points from a locked cell. That cell only calls `points`.
Another process grades the submitted file as folder grading does and runs none of its cells. A strategy or bot
given as code runs in a sandboxed process of its own.
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
"""What was worked out of the same files before."""


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
