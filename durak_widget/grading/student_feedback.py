"""The feedback page of each student: the points of each question, and why.

For each question it shows what was asked, what was answered, what would have been right, and the reason. It runs
nothing and grades no answer again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from durak_widget.atomic_files import path_of
from durak_widget.errors import ENDINGS, DurakError, quoted
from durak_widget.exercises.answer_form import AnswerPart, in_a_line
from durak_widget.exercises.answer_parsing import in_words
from durak_widget.exercises.paper_form import HAND, ReadByHand, by_hand, form_of_paper, read_by_hand
from durak_widget.grading.output_files import PAGE, require_writable
from durak_widget.homework.html_page import Page, decimal
from durak_widget.homework.receipt import file_name
from durak_widget.i18n import Voice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from durak_widget.exercises.base_exercise import Task
    from durak_widget.exercises.paper_form import OddPart
    from durak_widget.grading.gradebook import Marked, Marks
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
_SIGNS: Final = {"right": "✓", "wrong": "✗", "follows": "(✓)", "unread": "?"}
_FEW: Final = 3
"""Largest number of right parts that are shown unfolded."""
_MOST_SAID: Final = 8000
"""Largest number of characters that are shown of an unreadable answer."""
_PAGE_STYLE = (
    "section{margin:0;padding:1.1rem 0 .4rem;border-top:1px solid var(--line)}section h2{margin:0;font-size:1.05rem}section h2 span{font-weight:400;color:var(--soft)}"
    "section p{margin:.3rem 0}ul.note{padding-left:1.6rem}@media print{section{padding:.7rem 0 .2rem}section p{max-width:none}}"
    + _QUESTION_STYLE
)
Said = TypeVar("Said")


def question_told(task: Task, row: Marked, voice: Voice) -> str:
    """Render a question with its answer, solution and explanation as HTML.

    Nothing in it is run, and no answer is graded again as a whole.

    >>> from fractions import Fraction
    >>> from durak_widget.grading.gradebook import Marked
    >>> from durak_widget.lessons import Pick
    >>> from durak_widget.i18n import Voice
    >>> row = Marked("Ann", "a.json", "q", Fraction(0), 2, Fraction(0), 1, "", "Not right.", given=(["9c"],))
    >>> html = question_told(Pick.beaters("Tc", of="9c Jc", trump="h"), row, Voice())
    >>> [text in html for text in ("Pick every card that beats the 10 of clubs", "9♣", "Not right.", "J♣", "higher in the same suit")]
    [True, True, True, True, True]
    """
    is_right = row.credit >= 1
    own_parts, answer, code = _answered(task, row.given)
    pictures = _pictures(task, answer, voice)
    if is_right and pictures and all(part.mark == "right" for part in own_parts):
        own_parts = ()  # the picture shows the answer
    right_parts: Sequence[AnswerPart] = () if is_right else _safely(task.told_parts, ())
    reasons: Sequence[str] = () if is_right else _safely(task.why_right, [])
    sentences = [reason if reason[-1:] in ".!?…" else f"{reason}." for reason in reasons]
    parts = [f'<p class="asked">{_lines(_asked(task, row.given))}</p>', pictures, _answers(own_parts, right_parts, voice)]
    if code:
        parts.append(f'<p class="soft">{escape(voice.say("class.feedback.program"))}</p><pre>{escape(code[:_MOST_SAID])}</pre>')
    parts.append(f'<p class="said {"yes" if is_right else "no"}">{escape(row.said)}</p>')
    parts.append(f"<p><b>{escape(voice.say('class.feedback.why'))}</b>: {_lines(' '.join(sentences))}</p>" if sentences else "")
    return "".join(parts)


def _asked(task: Task, given: Sequence[Any]) -> str:
    """Return the question's text; on paper it mentions no clicks."""
    return _safely(lambda: form_of_paper(task).question, task.question) if any(map(by_hand, given)) else task.question


def _answered(task: Task, given: Sequence[Any]) -> tuple[Sequence[AnswerPart], object, str]:
    """Return the parts of the answer, its plain data, and the text of a program.

    An unreadable answer is returned as it was handed in.
    """
    for raw in given:
        if isinstance(raw, Mapping) and isinstance(raw.get("code"), str):
            return (), None, raw["code"]
        paper_answer = _safely(lambda raw=raw: read_by_hand(task, raw), ReadByHand(raw))  # type: ignore[misc] # the answer of this turn
        parts = _safely(lambda paper_answer=paper_answer: [] if paper_answer.answer is None else task.told_parts(paper_answer.answer), None)  # type: ignore[misc] # as above
        if parts is not None:
            unreadable_parts = [AnswerPart(where, part.text, "unread") for part in paper_answer.odd for where in _blank_said(task, part)]
            return [*parts, *unreadable_parts] or [AnswerPart("", "")], paper_answer.answer, ""
    return [part for raw in given[:1] for part in _as_it_stands(raw)], None, ""


def _blank_said(task: Task, part: OddPart) -> list[str]:
    """Return the location of an unreadable part, as for a right answer, else its label."""
    form = form_of_paper(task)
    labels = [blank.label for blank in form.blanks]
    nothing: Sequence[AnswerPart] = ()
    labels_in_part = [label for label in part.label.split(", ") if label in labels]  # several labels always belong to one group
    if len(labels_in_part) > 1:
        return [next(blank.group or part.label for blank in form.blanks if blank.label == labels_in_part[0])]
    located_parts = _safely(
        lambda: task.told_parts(form.read({**dict.fromkeys(labels, ""), part.label: form.write()[part.label]})), nothing
    )
    if len(located_parts) == 1 and located_parts[0].where:
        return [located_parts[0].where]
    descriptions = [" · ".join(filter(None, (blank.group, blank.said))) for blank in form.blanks if blank.label == part.label]
    return [descriptions[0] or part.label if descriptions else part.label]


def _as_it_stands(given: object) -> list[AnswerPart]:
    """Return an unreadable answer as parts: for paper, the text of each blank."""
    if by_hand(given) and isinstance(given, Mapping):
        text_by_label = given[HAND]
        if isinstance(text_by_label, Mapping):
            return [AnswerPart(str(label), in_a_line(text)[:_MOST_SAID]) for label, text in text_by_label.items()]
    return [AnswerPart("", in_a_line(given)[:_MOST_SAID])]


def _safely(make: Callable[[], Said], otherwise: Said) -> Said:
    """Call a function, or return a default if it fails.

    An exercise may be the teacher's own, and its errors must not affect other questions.
    """
    try:
        return make()
    except ENDINGS:
        return otherwise


def _pictures(task: Task, answer: object, voice: Voice) -> str:
    """Render the picture of a question: a large tree or matrix scrolls on narrow screens."""
    picture = _safely(lambda: task.pictured(answer), "")
    if not picture:
        return ""
    attributes = f' tabindex="0" role="group" aria-label="{escape(voice.say("class.feedback.picture"))}"' if task.wide else ""
    return f'<div class="{"board" if task.wide else "cards"}"{attributes}>{picture}</div>'


def _answers(mine: Sequence[AnswerPart], sure: Sequence[AnswerPart], voice: Voice) -> str:
    """Render the answer beside a right one, as a table if its parts have locations."""
    heads = [voice.say(f"class.feedback.{key}") for key in ("answered", "right")]
    if any(part.where for part in (*mine, *sure)):
        return _table(mine, sure, [voice.say("class.feedback.where"), *heads], voice)
    lists = [(head, parts) for head, parts in zip(heads, (mine, sure), strict=True) if parts]
    items = "".join(f"<dt>{escape(head)}</dt><dd>{_listed(parts, voice)}</dd>" for head, parts in lists)
    return f'<dl class="lists">{items}</dl>' if items else ""


def _table(mine: Sequence[AnswerPart], sure: Sequence[AnswerPart], heads: Sequence[str], voice: Voice) -> str:
    """Render a row for each location that has an answer or should have one."""
    own_by_location = {part.where: part for part in mine}
    right_by_location = {part.where: part.said for part in sure}
    rows: dict[bool, list[str]] = {False: [], True: []}
    for location in dict.fromkeys([*own_by_location, *right_by_location]):
        part = own_by_location.get(location, AnswerPart(location, "–"))
        right_cell = f"<td>{escape(right_by_location.get(location, '–'))}</td>" if right_by_location else ""
        rows[part.mark == "right"].append(f'<tr><th scope="row">{escape(location)}</th><td>{_marked(part, voice)}</td>{right_cell}</tr>')
    if len(rows[True]) <= _FEW:
        return _rows(heads[: 2 + bool(right_by_location)], [*rows[False], *rows[True]])
    summary = escape(voice.say("class.feedback.rest", count=str(len(rows[True]))))
    folded = f"<details><summary>{summary}</summary>{_rows(heads[: 2 + bool(right_by_location)], rows[True])}</details>"
    return (_rows(heads[: 2 + bool(right_by_location)], rows[False]) if rows[False] else "") + folded


def _rows(heads: Sequence[str], rows: Sequence[str]) -> str:
    head_row = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in heads)
    return f'<div class="wide" tabindex="0"><table class="parts"><thead><tr>{head_row}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _listed(parts: Sequence[AnswerPart], voice: Voice) -> str:
    """Render one part, or several as a numbered list."""
    if len(parts) == 1:
        return _marked(parts[0], voice)
    return f"<ol>{''.join(f'<li>{_marked(part, voice)}</li>' for part in parts)}</ol>"


def _marked(part: AnswerPart, voice: Voice) -> str:
    """Render a part of an answer, with the sign of its grade."""
    text = _lines(part.said) if part.said else escape(voice.say("class.feedback.nothing"))
    if part.mark not in _SIGNS:
        return text
    css_class = "no" if part.mark in ("wrong", "unread") else "yes"
    name = escape(voice.say(f"class.feedback.mark.{part.mark}"))
    return f'{text}\N{NO-BREAK SPACE}<span class="{css_class}" role="img" aria-label="{name}" title="{name}">{_SIGNS[part.mark]}</span>'


def _lines(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def feedback(marks: Marks, folder: str | PathLike[str], *, language: str = "en") -> tuple[Path, ...]:
    """Write a page for each student with a graded file into a folder; return the paths."""
    if marks.assignment is None:
        raise DurakError("these marks do not say of which assignment they are; take those of lessons.mark")
    target = Path(path_of(folder))
    student_by_path: dict[Path, str] = {}
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DurakError(f"the folder {quoted(str(target))} cannot be made: {error.strerror}") from None
    for student in marks.students:
        if any(row.file for row in marks.of(student)):
            name = file_name(marks.assignment.name, marks.assignment.edition, student).removesuffix(".receipt.json")
            student_by_path[target / f"{name}.html"] = student
    for path in student_by_path:
        require_writable(path, marks.folder or os.devnull, PAGE)  # before any page is written, so that all are or none
    for path, student in student_by_path.items():
        page(marks, student, language=language).save(path)
    return tuple(student_by_path)


def page(marks: Marks, student: str, *, language: str = "en") -> Page:
    """Build one student's page.

    >>> from durak_widget.grading.gradebook import Marked, Marks
    >>> row = Marked("Ann", "ann.json", "throw", Fraction(2), 3, Fraction(2, 3), 1, "", "You left out 1 card.")
    >>> "You left out 1 card." in page(Marks([row], []), "Ann").html
    True
    """
    voice, rows = Voice(language), marks.of(student)
    titles = {question.name: in_words(question.title, voice) for question in marks.assignment.questions} if marks.assignment else {}
    title = (
        " \N{MIDDLE DOT} ".join(part for part in (in_words(marks.assignment.title, voice), marks.assignment.edition) if part)
        if marks.assignment
        else ""
    )

    def format_points(*counted_rows: Marked) -> str:
        known = [row.points for row in counted_rows if not row.held]
        summands = [
            *([decimal(float(sum(known, Fraction(0))), voice, 2)] if known else []),
            *(["?"] if len(known) < len(counted_rows) else []),
        ]
        return escape(voice.say("class.feedback.points", points=" + ".join(summands) or "0", of=str(sum(row.of for row in counted_rows))))

    parts = [f"<h1>{escape(student)}</h1>", f'<p class="lead">{escape(title)}</p>' if title else ""]
    parts.append(f"<p><b>{format_points(*rows)}</b></p>")
    for number, row in enumerate(rows, 1):
        heading = f"{number} \N{MIDDLE DOT} {titles.get(row.question, row.question)}"
        exercise = None if row.held or marks.assignment is None else _drawn_again(marks.assignment, row, language)
        body = f"<p>{escape(row.said)}</p>" if exercise is None else question_told(exercise, row, voice)
        parts.append(f"<section><h2>{escape(heading)} <span>{format_points(row)}</span></h2>{body}</section>")
    files = {row.file for row in rows if row.file}
    problem_items = [f"<li>{escape(trouble.said)}</li>" for trouble in marks.troubles if trouble.file in files and not trouble.private]
    parts.append(f'<ul class="note">{"".join(problem_items)}</ul>' if problem_items else "")
    return Page(student, "".join(parts), language=language, style=_PAGE_STYLE)


def _drawn_again(assignment: Assignment, row: Marked, language: str) -> Task | None:
    """Rebuild the student's exercise, or return None if that is impossible.

    The grades say so already.
    """
    try:
        exercise = assignment.task(row.question, row.student)
        exercise.language, exercise.closed = language, True
    except ENDINGS:
        return None
    return exercise
