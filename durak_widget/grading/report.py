"""How a class stands, as one page: who is stuck where, each question's difficulty, the commonest mistakes, tries and marks."""

from __future__ import annotations

from html import escape
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.answer_parsing import in_words
from durak_widget.grading.class_report_page import STYLE, Telling
from durak_widget.grading.counts import ClassStanding
from durak_widget.grading.pseudonyms import PageNames
from durak_widget.grading.submission_files import require_outside_import_path
from durak_widget.homework.assignment import assignment_of
from durak_widget.homework.html_page import Page
from durak_widget.i18n import Voice

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from durak_widget.grading.gradebook import Marks
    from durak_widget.homework.assignment import Assignment

NAMES: Final = ("shown", "hidden")


class Report(Page):
    """The page: `.html`, `.save("class.html")`, and itself in a notebook; `.standing` has its numbers.

    >>> from durak_widget.grading.gradebook import Marked, Marks
    >>> from fractions import Fraction
    >>> rows = [Marked("Ann", "a.json", "q", Fraction(1), 2, Fraction(1, 2), 2, "turned", "You turned it round.")]
    >>> page = Report(Marks(rows, []), titles={"q": "A question"})
    >>> page, page.standing.asked[0].mean
    (<Report 'How the class stands'>, 0.5)
    """

    def __init__(
        self,
        marks: Marks,
        *,
        title: str = "",
        titles: Mapping[str, str] | None = None,
        notes: Mapping[str, str] | None = None,
        names: str = "shown",
        key: str = "",
        language: str = "en",
    ) -> None:
        """The page of these marks; with `names="hidden"` students and files have other names, the same again by the same `key`."""
        if names not in NAMES:
            raise DurakError(f"names={quoted(names)} is how students stand on the page: {' or '.join(map(repr, NAMES))}")
        if not isinstance(key, str):
            raise DurakError(f'a key is a word of yours, as in key="willow", not {quoted(key)}')
        voice = Voice(language)
        self.standing = standing = ClassStanding(marks.rows)
        people = [name for trouble in marks.troubles for name in trouble.people or ()]
        students = [*dict.fromkeys([*standing.students, *standing.absent, *people])]
        files = list(
            dict.fromkeys(
                [*(row.file for row in marks.rows), *(file for trouble in marks.troubles for file in (trouble.file, *trouble.others))]
            )
        )
        files = [file for file in files if file]
        called = PageNames(students, files) if names == "shown" else PageNames.hidden(students, files, key, voice)
        heading = voice.say("class.report.title")
        many = voice.say("class.report.many", students=len(standing.students), questions=len(standing.asked), points=standing.of)
        lead = " · ".join(part for part in (title, many) if part)
        hidden = f'<p class="note">{escape(voice.say("class.report.hidden"))}</p>' if names == "hidden" else ""
        told = Telling(standing, titles or {}, notes or {}, called, voice).whole(marks.troubles)
        body = f'<h1>{escape(heading)}</h1><p class="lead">{escape(lead)}</p>{hidden}{told}'
        super().__init__(heading, body, language=language, style=STYLE)


def class_report(
    folder: str | PathLike[str] | Marks,
    assignment: Assignment | str | None = None,
    *,
    edition: str | int | None = None,
    roster: str | PathLike[str] | None = None,
    names: str = "shown",
    key: str = "",
    language: str = "en",
    jobs: int | None = None,
    executor: object = None,
    run_code: bool = True,
    anew: bool = False,
    changes: str | PathLike[str] | None = None,
    questions: Iterable[object] | str | None = None,
    word: object = None,
    due: str | datetime | None = None,
    typed: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
) -> Report:
    """The page of a folder of homework, which is marked for it as `mark` does; or of marks that there are already.

    >>> from tempfile import mkdtemp
    >>> class_report(mkdtemp(), jobs=0)
    <Report 'How the class stands'>
    """
    if isinstance(folder, (str, PathLike)):
        require_outside_import_path(folder)  # before anything else is imported
        from durak_widget.grading.folder_grading import mark  # noqa: PLC0415 - marks that there are need none of it

        how: Any = {"roster": roster, "jobs": jobs, "executor": executor, "language": language, "run_code": run_code}
        how |= {"changes": changes, "anew": anew, "questions": questions, "word": word, "due": due, "typed": typed}
        folder = mark(folder, assignment or "econ431", edition=edition, **how)
    if not (hasattr(folder, "rows") and hasattr(folder, "troubles")):
        raise DurakError(
            f'a class is reported from its folder, as in "submissions", or from the marks of lessons.mark, not from {quoted(folder)}'
        )
    voice = Voice(language)
    own = assignment_of(assignment or "econ431", str(edition or "")) if folder.assignment is None else folder.assignment
    titles = {question.name: in_words(question.title, voice) for question in own.questions}
    notes = {question.name: in_words(question.note, voice) for question in own.questions}
    title = " · ".join(part for part in (in_words(own.title, voice), own.edition) if part)
    return Report(folder, title=title, titles=titles, notes=notes, names=names, key=key, language=language)
