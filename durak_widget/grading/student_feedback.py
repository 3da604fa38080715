"""A feedback page for each student, with the points and explanations for all questions.

For each question, the page has the question, the student's answer, a correct answer and the reason. The module runs no code and grades
no answer again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from durak_widget.atomic_files import require_path
from durak_widget.errors import USER_CODE_EXCEPTIONS, DurakError, short_repr
from durak_widget.exercises.answer_form import AnswerPart, format_answer
from durak_widget.exercises.answer_parsing import translate_text
from durak_widget.exercises.paper_form import PAPER_ANSWER_KEY, PaperAnswer, is_paper_answer, parse_paper_answer, require_paper_question
from durak_widget.grading.output_files import PAGE_START, require_writable
from durak_widget.homework.html_page import Page, format_decimal
from durak_widget.homework.receipt import format_receipt_file_name
from durak_widget.i18n import Translator

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from durak_widget.exercises.base_exercise import Task
    from durak_widget.exercises.paper_form import UnreadablePart
    from durak_widget.grading.gradebook import Gradebook, GradebookRow
    from durak_widget.homework.assignment import Assignment

_QUESTION_STYLE: Final = (
    ".asked{margin:.45rem 0}.board{margin:.5rem 0;overflow-x:auto}.board:focus-visible{outline:2px solid var(--mark);outline-offset:2px}.board img{display:block;max-width:100%!important;max-height:none!important;height:auto!important;margin:0 0 .5rem}"
    ".cards img{max-width:min(100%,30rem)!important}.cards details{display:none}.parts{margin:.5rem 0;font-size:.95rem}.parts caption{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}"
    ".parts td,.parts th{overflow-wrap:break-word}.parts tbody th{max-width:26rem}.parts tbody th::first-letter{text-transform:uppercase}.parts td{min-width:4rem}"
    ".no{color:var(--warn)}.yes{color:var(--mark)}.parts b,.lists b{font-weight:600}.lists{display:grid;grid-template-columns:minmax(7.5rem,auto) 1fr;gap:.15rem .9rem;margin:.5rem 0}.lists dt{color:var(--soft)}.lists dd{margin:0;overflow-wrap:anywhere}"
    ".lists ol{margin:0;padding-left:1.3rem}pre{background:var(--field);padding:.6rem .8rem;border-radius:.4rem;font-size:.82rem;white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0}"
    ".said{border-left:3px solid var(--line);padding-left:.8rem}.said.yes,.said.no{color:inherit}.said.yes{border-color:var(--mark)}.said.no{border-color:var(--warn)}"
    "@media (max-width:480px){.lists{grid-template-columns:1fr;gap:.05rem}.lists dd{margin-bottom:.4rem}.parts{font-size:.88rem}.parts th,.parts td{padding-inline:.35rem}.parts tbody th{min-width:8.5rem}}"
    "@media screen and (max-width:700px){.board img{max-width:none!important;height:revert-layer!important}.board::before{content:'\\2194';position:sticky;left:0;display:block;color:var(--soft);font-size:1.3rem;line-height:1}}"
    "@media print{.board{overflow:visible;break-inside:avoid}.board img{max-width:100%!important;max-height:11cm!important}}"
)
_MARK_SIGNS: Final = {"right": "✓", "wrong": "✗", "follows": "(✓)", "unread": "?"}
_MAX_UNFOLDED_PARTS: Final = 3
"""The maximum number of correct parts of an answer that a page shows openly; a longer list is folded."""
_MAX_SHOWN_LENGTH: Final = 8000
"""The maximum number of characters that a page shows of an unreadable answer or of a program."""
_PAGE_STYLE = (
    "section{margin:0;padding:1.1rem 0 .4rem;border-top:1px solid var(--line)}section h2{margin:0;font-size:1.05rem}section h2 span{font-weight:400;color:var(--soft)}"
    "section p{margin:.3rem 0}ul.note{padding-left:1.6rem}@media print{section{padding:.7rem 0 .2rem}section p{max-width:none}}"
    + _QUESTION_STYLE
)
ResultT = TypeVar("ResultT")


def render_question(exercise: Task, row: GradebookRow, voice: Translator) -> str:
    """Render a question as HTML, with the student's answer, the solution and an explanation.

    No program is run, and the answer as a whole is not graded again.

    >>> from fractions import Fraction
    >>> from durak_widget.grading.gradebook import GradebookRow
    >>> from durak_widget.lessons import Pick
    >>> from durak_widget.i18n import Translator
    >>> row = GradebookRow("Ann", "a.json", "q", Fraction(0), 2, Fraction(0), 1, "", "Not right.", answers=(["9c"],))
    >>> html = render_question(Pick.beaters("Tc", of="9c Jc", trump="h"), row, Translator())
    >>> [text in html for text in ("Pick every card that beats the 10 of clubs", "9♣", "Not right.", "J♣", "a higher card of the same suit")]
    [True, True, True, True, True]
    """
    is_right = row.credit >= 1
    own_parts, answer, code = _read_answer(exercise, row.answers)
    pictures = _render_picture(exercise, answer, voice)
    if is_right and pictures and all(part.mark == "right" for part in own_parts):
        own_parts = ()  # The picture already shows the correct answer, so the answer's parts are not listed
    right_parts: Sequence[AnswerPart] = () if is_right else _call_or_default(exercise.describe_answer_parts, ())
    reasons: Sequence[str] = () if is_right else _call_or_default(exercise.explain_solution, [])
    sentences = [reason if reason[-1:] in ".!?…" else f"{reason}." for reason in reasons]
    parts = [
        f'<p class="asked">{_escape_lines(_format_question(exercise, row.answers))}</p>',
        pictures,
        _render_answers(own_parts, right_parts, voice),
    ]
    if code:
        parts.append(
            f'<p class="soft">{escape(voice.translate("class.feedback.program"))}</p><pre>{escape(code[:_MAX_SHOWN_LENGTH])}</pre>'
        )
    parts.append(f'<p class="said {"yes" if is_right else "no"}">{escape(row.explanation)}</p>')
    parts.append(
        f"<p><b>{escape(voice.translate('class.feedback.why'))}</b>: {_escape_lines(' '.join(sentences))}</p>" if sentences else ""
    )
    return "".join(parts)


def _format_question(exercise: Task, answers: Sequence[Any]) -> str:
    """Return the text of a question as the student saw it, on the screen or on paper."""
    return (
        _call_or_default(lambda: require_paper_question(exercise).question, exercise.question)
        if any(map(is_paper_answer, answers))
        else exercise.question
    )


def _read_answer(exercise: Task, answers: Sequence[Any]) -> tuple[Sequence[AnswerPart], object, str]:
    """Return an answer's parts and the answer itself; for a program, return only the code.

    An unreadable answer is returned as it was handed in.
    """
    for raw in answers:
        if isinstance(raw, Mapping) and isinstance(raw.get("code"), str):
            return (), None, raw["code"]
        paper_answer = _call_or_default(lambda raw=raw: parse_paper_answer(exercise, raw), PaperAnswer(raw))  # type: ignore[misc] # bind the current value
        parts = _call_or_default(
            lambda paper_answer=paper_answer: (  # type: ignore[misc] # as above
                [] if paper_answer.answer is None else exercise.describe_answer_parts(paper_answer.answer)
            ),
            None,
        )
        if parts is not None:
            unreadable_parts = [
                AnswerPart(where, part.text, "unread")
                for part in paper_answer.unreadable_parts
                for where in _describe_blank(exercise, part)
            ]
            return [*parts, *unreadable_parts] or [AnswerPart("", "")], paper_answer.answer, ""
    return [part for raw in answers[:1] for part in _list_unreadable_parts(raw)], None, ""


def _describe_blank(exercise: Task, part: UnreadablePart) -> list[str]:
    """Return the place in a question to which an unreadable part of an answer belongs.

    If this is unknown, return the label of the part.
    """
    form = require_paper_question(exercise)
    labels = [blank.label for blank in form.blanks]
    no_parts: Sequence[AnswerPart] = ()
    labels_in_part = [label for label in part.label.split(", ") if label in labels]  # Blanks that form one part are in one group
    if len(labels_in_part) > 1:
        return [next(blank.group_heading or part.label for blank in form.blanks if blank.label == labels_in_part[0])]
    located_parts = _call_or_default(
        lambda: exercise.describe_answer_parts(
            form.parse_texts({**dict.fromkeys(labels, ""), part.label: form.write_solution()[part.label]})
        ),
        no_parts,
    )
    if len(located_parts) == 1 and located_parts[0].location:
        return [located_parts[0].location]
    descriptions = [" · ".join(filter(None, (blank.group_heading, blank.prompt))) for blank in form.blanks if blank.label == part.label]
    return [descriptions[0] or part.label if descriptions else part.label]


def _list_unreadable_parts(answer: object) -> list[AnswerPart]:
    """Return the parts of an unreadable answer; on paper, these are the texts in the blanks."""
    if is_paper_answer(answer) and isinstance(answer, Mapping):
        text_by_label = answer[PAPER_ANSWER_KEY]
        if isinstance(text_by_label, Mapping):
            return [AnswerPart(str(label), format_answer(text)[:_MAX_SHOWN_LENGTH]) for label, text in text_by_label.items()]
    return [AnswerPart("", format_answer(answer)[:_MAX_SHOWN_LENGTH])]


def _call_or_default(function: Callable[[], ResultT], default: ResultT) -> ResultT:
    """Call a function and return its result; if it raises an exception, return `default`.

    An exercise may be the teacher's own, and its errors must not affect other questions.
    """
    try:
        return function()
    except USER_CODE_EXCEPTIONS:
        return default


def _render_picture(exercise: Task, answer: object, voice: Translator) -> str:
    """Render the picture of a question with an answer in it; return "" if it has no picture."""
    picture = _call_or_default(lambda: exercise.render_answer_picture(answer), "")
    if not picture:
        return ""
    attributes = (
        f' tabindex="0" role="group" aria-label="{escape(voice.translate("class.feedback.picture"))}"' if exercise.is_full_width else ""
    )
    return f'<div class="{"board" if exercise.is_full_width else "cards"}"{attributes}>{picture}</div>'


def _render_answers(own_parts: Sequence[AnswerPart], right_parts: Sequence[AnswerPart], voice: Translator) -> str:
    """Render a student's answer beside a correct one, as a table or as two lists."""
    heads = [voice.translate(f"class.feedback.{key}") for key in ("answered", "right")]
    if any(part.location for part in (*own_parts, *right_parts)):
        return _render_table(own_parts, right_parts, [voice.translate("class.feedback.where"), *heads], voice)
    lists = [(head, parts) for head, parts in zip(heads, (own_parts, right_parts), strict=True) if parts]
    items = "".join(f"<dt>{escape(head)}</dt><dd>{_render_list(parts, voice)}</dd>" for head, parts in lists)
    return f'<dl class="lists">{items}</dl>' if items else ""


def _render_table(own_parts: Sequence[AnswerPart], right_parts: Sequence[AnswerPart], headings: Sequence[str], voice: Translator) -> str:
    """Render a table of an answer and a correct answer, with a row for each place."""
    own_by_location = {part.location: part for part in own_parts}
    right_by_location = {part.location: part.text for part in right_parts}
    rows: dict[bool, list[str]] = {False: [], True: []}
    for location in dict.fromkeys([*own_by_location, *right_by_location]):
        part = own_by_location.get(location, AnswerPart(location, "–"))
        right_cell = f"<td>{escape(right_by_location.get(location, '–'))}</td>" if right_by_location else ""
        rows[part.mark == "right"].append(
            f'<tr><th scope="row">{escape(location)}</th><td>{_render_part(part, voice)}</td>{right_cell}</tr>'
        )
    if len(rows[True]) <= _MAX_UNFOLDED_PARTS:
        return _render_rows(headings[: 2 + bool(right_by_location)], [*rows[False], *rows[True]])
    summary = escape(voice.translate("class.feedback.rest", count=len(rows[True])))
    folded = f"<details><summary>{summary}</summary>{_render_rows(headings[: 2 + bool(right_by_location)], rows[True])}</details>"
    return (_render_rows(headings[: 2 + bool(right_by_location)], rows[False]) if rows[False] else "") + folded


def _render_rows(headings: Sequence[str], rows: Sequence[str]) -> str:
    head_row = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    return f'<div class="wide" tabindex="0"><table class="parts"><thead><tr>{head_row}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _render_list(parts: Sequence[AnswerPart], voice: Translator) -> str:
    """Render the parts of an answer: a single part as text, several as a numbered list."""
    if len(parts) == 1:
        return _render_part(parts[0], voice)
    return f"<ol>{''.join(f'<li>{_render_part(part, voice)}</li>' for part in parts)}</ol>"


def _render_part(part: AnswerPart, voice: Translator) -> str:
    """Render a part of an answer, with a symbol that shows how the part was graded."""
    text = _escape_lines(part.text) if part.text else escape(voice.translate("class.feedback.nothing"))
    if part.mark not in _MARK_SIGNS:
        return text
    css_class = "no" if part.mark in ("wrong", "unread") else "yes"
    name = escape(voice.translate(f"class.feedback.mark.{part.mark}"))
    return (
        f'{text}\N{NO-BREAK SPACE}<span class="{css_class}" role="img" aria-label="{name}" title="{name}">{_MARK_SIGNS[part.mark]}</span>'
    )


def _escape_lines(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def write_feedback(gradebook: Gradebook, folder: str | PathLike[str], *, language: str = "en") -> tuple[Path, ...]:
    """Write a feedback page for each student with a graded file; return the pages' paths."""
    if gradebook.assignment is None:
        raise DurakError("these marks do not say which assignment they are for; use the marks that lessons.mark returned")
    target = Path(require_path(folder))
    student_by_path: dict[Path, str] = {}
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DurakError(f"cannot make the folder {short_repr(str(target))}: {error.strerror}") from None
    for student in gradebook.students:
        if any(row.file for row in gradebook.get_rows(student)):
            name = format_receipt_file_name(gradebook.assignment.name, gradebook.assignment.edition, student).removesuffix(".receipt.json")
            student_by_path[target / f"{name}.html"] = student
    for path in student_by_path:
        # All files are checked before the first page is written, so that either all pages are written or none
        require_writable(path, gradebook.folder or os.devnull, PAGE_START)
    for path, student in student_by_path.items():
        build_feedback_page(gradebook, student, language=language).save(path)
    return tuple(student_by_path)


def build_feedback_page(gradebook: Gradebook, student: str, *, language: str = "en") -> Page:
    """Build the feedback page of one student.

    >>> from durak_widget.grading.gradebook import GradebookRow, Gradebook
    >>> row = GradebookRow("Ann", "ann.json", "throw", Fraction(2), 3, Fraction(2, 3), 1, "", "You left out 1 card.")
    >>> "You left out 1 card." in build_feedback_page(Gradebook([row], []), "Ann").html
    True
    """
    voice, rows = Translator(language), gradebook.get_rows(student)
    titles = (
        {question.name: translate_text(question.title, voice) for question in gradebook.assignment.questions}
        if gradebook.assignment
        else {}
    )
    title = (
        " \N{MIDDLE DOT} ".join(part for part in (translate_text(gradebook.assignment.title, voice), gradebook.assignment.edition) if part)
        if gradebook.assignment
        else ""
    )

    def format_points(*counted_rows: GradebookRow) -> str:
        graded_points = [row.points for row in counted_rows if not row.is_held]
        summands = [
            *([format_decimal(float(sum(graded_points, Fraction(0))), voice, 2)] if graded_points else []),
            *(["?"] if len(graded_points) < len(counted_rows) else []),
        ]
        return escape(
            voice.translate(
                "class.feedback.points", points=" + ".join(summands) or "0", of=str(sum(row.max_points for row in counted_rows))
            )
        )

    parts = [f"<h1>{escape(student)}</h1>", f'<p class="lead">{escape(title)}</p>' if title else ""]
    parts.append(f"<p><b>{format_points(*rows)}</b></p>")
    for number, row in enumerate(rows, 1):
        heading = f"{number} \N{MIDDLE DOT} {titles.get(row.question, row.question)}"
        exercise = None if row.is_held or gradebook.assignment is None else _rebuild_exercise(gradebook.assignment, row, language)
        body = f"<p>{escape(row.explanation)}</p>" if exercise is None else render_question(exercise, row, voice)
        parts.append(f"<section><h2>{escape(heading)} <span>{format_points(row)}</span></h2>{body}</section>")
    files = {row.file for row in rows if row.file}
    problem_items = [
        f"<li>{escape(problem.sentence)}</li>"
        for problem in gradebook.problems
        if problem.file in files and not problem.is_for_teacher_only
    ]
    parts.append(f'<ul class="note">{"".join(problem_items)}</ul>' if problem_items else "")
    return Page(student, "".join(parts), language=language, style=_PAGE_STYLE)


def _rebuild_exercise(assignment: Assignment, row: GradebookRow, language: str) -> Task | None:
    """Build a student's exercise again; return None if that is impossible.

    The grades already say so in that case.
    """
    try:
        exercise = assignment.create_exercise(row.question, row.student)
        exercise.language, exercise.is_closed = language, True
    except USER_CODE_EXCEPTIONS:
        return None
    return exercise
