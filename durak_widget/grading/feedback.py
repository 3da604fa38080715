"""What a student is given back: a page with the points of each question, and why."""

from __future__ import annotations

import os
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from durak_widget.atomic_files import path_of
from durak_widget.errors import ENDINGS, DurakError, quoted
from durak_widget.exercises.answer_parsing import in_words
from durak_widget.grading.output_files import PAGE, require_writable
from durak_widget.grading.student_feedback import STYLE, question_told
from durak_widget.homework.html_page import Page, decimal
from durak_widget.homework.receipt import file_name
from durak_widget.i18n import Voice

if TYPE_CHECKING:
    from os import PathLike

    from durak_widget.exercises.task import Task
    from durak_widget.grading.gradebook import Marked, Marks
    from durak_widget.homework.assignment import Assignment

_STYLE = (
    "section{margin:0;padding:1.1rem 0 .4rem;border-top:1px solid var(--line)}section h2{margin:0;font-size:1.05rem}section h2 span{font-weight:400;color:var(--soft)}"
    "section p{margin:.3rem 0}ul.note{padding-left:1.6rem}@media print{section{padding:.7rem 0 .2rem}section p{max-width:none}}" + STYLE
)


def feedback(marks: Marks, folder: str | PathLike[str], *, language: str = "en") -> tuple[Path, ...]:
    """A page for everybody of whom something was marked, in that folder; which they are."""
    if marks.assignment is None:
        raise DurakError("these marks do not say of which assignment they are; take those of lessons.mark")
    home = Path(path_of(folder))
    made: dict[Path, str] = {}
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DurakError(f"the folder {quoted(str(home))} cannot be made: {error.strerror}") from None
    for student in marks.students:
        if any(row.file for row in marks.of(student)):
            name = file_name(marks.assignment.name, marks.assignment.edition, student).removesuffix(".receipt.json")
            made[home / f"{name}.html"] = student
    for path in made:
        require_writable(path, marks.folder or os.devnull, PAGE)  # all of them, or none
    for path, student in made.items():
        page(marks, student, language=language).save(path)
    return tuple(made)


def page(marks: Marks, student: str, *, language: str = "en") -> Page:
    """One student's page.

    >>> from durak_widget.grading.gradebook import Marked, Marks
    >>> row = Marked("Ann", "ann.json", "throw", Fraction(2), 3, Fraction(2, 3), 1, "", "You left out 1 card.")
    >>> "You left out 1 card." in page(Marks([row], []), "Ann").html
    True
    """
    voice, rows = Voice(language), marks.of(student)
    asked = {one.name: in_words(one.title, voice) for one in marks.assignment.questions} if marks.assignment else {}
    title = (
        " \N{MIDDLE DOT} ".join(part for part in (in_words(marks.assignment.title, voice), marks.assignment.edition) if part)
        if marks.assignment
        else ""
    )

    def points(*own: Marked) -> str:
        known = [row.points for row in own if not row.held]
        told = [*([decimal(float(sum(known, Fraction(0))), voice, 2)] if known else []), *(["?"] if len(known) < len(own) else [])]
        return escape(voice.say("class.feedback.points", points=" + ".join(told) or "0", of=str(sum(row.of for row in own))))

    parts = [f"<h1>{escape(student)}</h1>", f'<p class="lead">{escape(title)}</p>' if title else ""]
    parts.append(f"<p><b>{points(*rows)}</b></p>")
    for number, row in enumerate(rows, 1):
        head = f"{number} \N{MIDDLE DOT} {asked.get(row.question, row.question)}"
        task = None if row.held or marks.assignment is None else _drawn_again(marks.assignment, row, language)
        told = f"<p>{escape(row.said)}</p>" if task is None else question_told(task, row, voice)
        parts.append(f"<section><h2>{escape(head)} <span>{points(row)}</span></h2>{told}</section>")
    files = {row.file for row in rows if row.file}
    odd = [f"<li>{escape(trouble.said)}</li>" for trouble in marks.troubles if trouble.file in files and not trouble.private]
    parts.append(f'<ul class="note">{"".join(odd)}</ul>' if odd else "")
    return Page(student, "".join(parts), language=language, style=_STYLE)


def _drawn_again(assignment: Assignment, row: Marked, language: str) -> Task | None:
    """The question as it was drawn for this student; None where it cannot be made, as marking has said."""
    try:
        task = assignment.task(row.question, row.student)
        task.language, task.closed = language, True
    except ENDINGS:
        return None
    return task
