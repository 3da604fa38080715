"""Makes the feedback page of each student: the points of each question, and why.

For each question it shows what was asked, what was answered, what would have been right, and the reason. It
runs nothing and judges no answer again.
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
"""So many parts that are right stand among the others; more of them are folded."""
_MOST_SAID: Final = 8000
"""So much of an answer that is no answer is shown."""
_PAGE_STYLE = (
    "section{margin:0;padding:1.1rem 0 .4rem;border-top:1px solid var(--line)}section h2{margin:0;font-size:1.05rem}section h2 span{font-weight:400;color:var(--soft)}"
    "section p{margin:.3rem 0}ul.note{padding-left:1.6rem}@media print{section{padding:.7rem 0 .2rem}section p{max-width:none}}"
    + _QUESTION_STYLE
)
Said = TypeVar("Said")


def question_told(task: Task, row: Marked, voice: Voice) -> str:
    """A question with all that there is to say of it, as HTML; nothing in it is run, and no answer is judged again as a whole.

    >>> from fractions import Fraction
    >>> from durak_widget.grading.gradebook import Marked
    >>> from durak_widget.lessons import Pick
    >>> from durak_widget.i18n import Voice
    >>> row = Marked("Ann", "a.json", "q", Fraction(0), 2, Fraction(0), 1, "", "Not right.", given=(["9c"],))
    >>> told = question_told(Pick.beaters("Tc", of="9c Jc", trump="h"), row, Voice())
    >>> [one in told for one in ("Pick every card that beats the 10 of clubs", "9♣", "Not right.", "J♣", "higher in the same suit")]
    [True, True, True, True, True]
    """
    done = row.credit >= 1
    mine, plain, code = _answered(task, row.given)
    pictures = _pictures(task, plain, voice)
    if done and pictures and all(part.mark == "right" for part in mine):
        mine = ()  # it stands in the picture
    sure: Sequence[AnswerPart] = () if done else _safely(task.told_parts, ())
    reasons: Sequence[str] = () if done else _safely(task.why_right, [])
    why = [one if one[-1:] in ".!?…" else f"{one}." for one in reasons]
    parts = [f'<p class="asked">{_lines(_asked(task, row.given))}</p>', pictures, _answers(mine, sure, voice)]
    if code:
        parts.append(f'<p class="soft">{escape(voice.say("class.feedback.program"))}</p><pre>{escape(code[:_MOST_SAID])}</pre>')
    parts.append(f'<p class="said {"yes" if done else "no"}">{escape(row.said)}</p>')
    parts.append(f"<p><b>{escape(voice.say('class.feedback.why'))}</b>: {_lines(' '.join(why))}</p>" if why else "")
    return "".join(parts)


def _asked(task: Task, given: Sequence[Any]) -> str:
    """What was asked: on paper nothing is clicked."""
    return _safely(lambda: form_of_paper(task).question, task.question) if any(map(by_hand, given)) else task.question


def _answered(task: Task, given: Sequence[Any]) -> tuple[Sequence[AnswerPart], object, str]:
    """What was answered: its parts, itself as plain values, and the text of a program; what cannot be read stands as it was handed in."""
    for one in given:
        if isinstance(one, Mapping) and isinstance(one.get("code"), str):
            return (), None, one["code"]
        read = _safely(lambda one=one: read_by_hand(task, one), ReadByHand(one))  # type: ignore[misc] # the answer of this turn
        parts = _safely(lambda read=read: [] if read.answer is None else task.told_parts(read.answer), None)  # type: ignore[misc] # as above
        if parts is not None:
            odd = [AnswerPart(where, part.text, "unread") for part in read.odd for where in _blank_said(task, part)]
            return [*parts, *odd] or [AnswerPart("", "")], read.answer, ""
    return [part for one in given[:1] for part in _as_it_stands(one)], None, ""


def _blank_said(task: Task, part: OddPart) -> list[str]:
    """Where what cannot be read stands, as whatever is right there would be told; else the letters of its blanks."""
    form = form_of_paper(task)
    labels = [one.label for one in form.blanks]
    nothing: Sequence[AnswerPart] = ()
    several = [label for label in part.label.split(", ") if label in labels]  # of one group, if they are several
    if len(several) > 1:
        return [next(one.group or part.label for one in form.blanks if one.label == several[0])]
    told = _safely(lambda: task.told_parts(form.read({**dict.fromkeys(labels, ""), part.label: form.write()[part.label]})), nothing)
    if len(told) == 1 and told[0].where:
        return [told[0].where]
    said = [" · ".join(filter(None, (one.group, one.said))) for one in form.blanks if one.label == part.label]
    return [said[0] or part.label if said else part.label]


def _as_it_stands(given: object) -> list[AnswerPart]:
    """What was handed in and cannot be read; of what was typed off a sheet, what stood in each blank."""
    if by_hand(given) and isinstance(given, Mapping):
        written = given[HAND]
        if isinstance(written, Mapping):
            return [AnswerPart(str(label), in_a_line(text)[:_MOST_SAID]) for label, text in written.items()]
    return [AnswerPart("", in_a_line(given)[:_MOST_SAID])]


def _safely(make: Callable[[], Said], otherwise: Said) -> Said:
    """What a question says, which may be of anybody's making; else something in its stead, so that all others are said."""
    try:
        return make()
    except ENDINGS:
        return otherwise


def _pictures(task: Task, answer: object, voice: Voice) -> str:
    """What is asked about: a tree or a matrix as large as it is, to be scrolled on a narrow screen, or a position."""
    drawn = _safely(lambda: task.pictured(answer), "")
    if not drawn:
        return ""
    named = f' tabindex="0" role="group" aria-label="{escape(voice.say("class.feedback.picture"))}"' if task.wide else ""
    return f'<div class="{"board" if task.wide else "cards"}"{named}>{drawn}</div>'


def _answers(mine: Sequence[AnswerPart], sure: Sequence[AnswerPart], voice: Voice) -> str:
    """The answer beside a right one: as a table where its parts stand somewhere, else below one another."""
    heads = [voice.say(f"class.feedback.{key}") for key in ("answered", "right")]
    if any(part.where for part in (*mine, *sure)):
        return _table(mine, sure, [voice.say("class.feedback.where"), *heads], voice)
    lists = [(head, parts) for head, parts in zip(heads, (mine, sure), strict=True) if parts]
    told = "".join(f"<dt>{escape(head)}</dt><dd>{_listed(parts, voice)}</dd>" for head, parts in lists)
    return f'<dl class="lists">{told}</dl>' if told else ""


def _table(mine: Sequence[AnswerPart], sure: Sequence[AnswerPart], heads: Sequence[str], voice: Voice) -> str:
    """A row for each place at which something was, or should have been."""
    own = {part.where: part for part in mine}
    right = {part.where: part.said for part in sure}
    rows: dict[bool, list[str]] = {False: [], True: []}
    for where in dict.fromkeys([*own, *right]):
        part = own.get(where, AnswerPart(where, "–"))
        better = f"<td>{escape(right.get(where, '–'))}</td>" if right else ""
        rows[part.mark == "right"].append(f'<tr><th scope="row">{escape(where)}</th><td>{_marked(part, voice)}</td>{better}</tr>')
    if len(rows[True]) <= _FEW:
        return _rows(heads[: 2 + bool(right)], [*rows[False], *rows[True]])
    rest = escape(voice.say("class.feedback.rest", count=str(len(rows[True]))))
    folded = f"<details><summary>{rest}</summary>{_rows(heads[: 2 + bool(right)], rows[True])}</details>"
    return (_rows(heads[: 2 + bool(right)], rows[False]) if rows[False] else "") + folded


def _rows(heads: Sequence[str], rows: Sequence[str]) -> str:
    head = "".join(f'<th scope="col">{escape(one)}</th>' for one in heads)
    return f'<div class="wide" tabindex="0"><table class="parts"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _listed(parts: Sequence[AnswerPart], voice: Voice) -> str:
    """One thing, or several in their order."""
    if len(parts) == 1:
        return _marked(parts[0], voice)
    return f"<ol>{''.join(f'<li>{_marked(part, voice)}</li>' for part in parts)}</ol>"


def _marked(part: AnswerPart, voice: Voice) -> str:
    """A part of an answer, with the sign of what was thought of it."""
    said = _lines(part.said) if part.said else escape(voice.say("class.feedback.nothing"))
    if part.mark not in _SIGNS:
        return said
    kind = "no" if part.mark in ("wrong", "unread") else "yes"
    name = escape(voice.say(f"class.feedback.mark.{part.mark}"))
    return f'{said}\N{NO-BREAK SPACE}<span class="{kind}" role="img" aria-label="{name}" title="{name}">{_SIGNS[part.mark]}</span>'


def _lines(text: str) -> str:
    return escape(text).replace("\n", "<br>")


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
    return Page(student, "".join(parts), language=language, style=_PAGE_STYLE)


def _drawn_again(assignment: Assignment, row: Marked, language: str) -> Task | None:
    """The question as it was drawn for this student; None where it cannot be made, as marking has said."""
    try:
        task = assignment.task(row.question, row.student)
        task.language, task.closed = language, True
    except ENDINGS:
        return None
    return task
