"""A student's homework: their questions, a page that shows what is left, and the receipt.

Until the student types a name, each cell asks for it and says where to type it. A program given as an answer
is run once immediately, in the same way as in grading. So the student sees errors in time.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from glob import escape as escaped
from html import escape
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import path_of
from durak_widget.errors import DurakError
from durak_widget.exercises.answer_parsing import in_words
from durak_widget.exercises.notebook_display import Displayed, blank_sheet
from durak_widget.exercises.program_source import text_of_program
from durak_widget.homework.assignment import Assignment, assignment_of, student_name
from durak_widget.homework.keyless_exercise import kept_form
from durak_widget.homework.question_file import taken_up
from durak_widget.homework.receipt import MIME, Drawer, Kept, Receipt, file_name, kept_now
from durak_widget.i18n import Fact, Voice
from durak_widget.sandbox.code_runner import Confined, Limits
from durak_widget.translated_errors import RefusedError
from durak_widget.widgets import user_defaults

if TYPE_CHECKING:
    from os import PathLike

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Task, Verdict

_HAND_IN: Final = "homework.hand_in()"
_MANY, _FEW = 100, 3
"""Largest numbers of files to look at, and to name."""
_LINE: Final = "display:flex;align-items:baseline;gap:10px;padding:4px 0;margin:0"
_REST: Final = "flex:1;display:flex;flex-wrap:wrap;align-items:baseline;gap:0 10px;min-width:0"
_EXAMPLE: Final = 'student="Ann Lee"'
_LIMITS: Final = Limits(seconds=5)
_NOWHERE: Final = "class.code.nowhere"


class NamelessError(RefusedError):
    """The error that the name or the file of questions is missing.

    A notebook shows it as one sentence in the student's language, without a traceback.
    """

    def _render_traceback_(self) -> list[str]:
        """Return the lines that a notebook shows instead of a traceback."""
        return [self.said(user_defaults.language())]


class Homework(Displayed):
    """The questions of one student, and a page that shows what is left.

    `homework[3]` is the third question, which stores its answers. Displayed, the homework shows what is left and how
    to hand in.

    >>> from tempfile import mkdtemp
    >>> from durak_widget.lessons import Assignment, Number, Question
    >>> def sums(rng):
    ...     return Number(f"How much is {rng.randint(10, 99)} + 1?", 7)
    >>> work = homework(Assignment("sums", "Sums", [Question("one", 2, "A sum", sums, "number")]), student="Ann", folder=mkdtemp())
    >>> print(work.answer("one", "12"))
    Your answer is kept. There are so few possible answers that nothing is said of it before the homework is marked; until then you can change it.
    >>> work.receipt["answers"]
    {'one': {'given': '12', 'tries': 1}}
    >>> work
    Sums: Ann
      1  A sum (2 points): kept
    """

    kind = "progress"

    def __init__(self, assignment: Assignment, student: str, folder: str | PathLike[str] | None, language: str | None) -> None:
        super().__init__(language)
        self.assignment, self.student = assignment, student_name(student)
        self._tasks: dict[int, Task] = {}
        self._own: set[str] = set()
        """Names of the questions that were answered here."""
        self._lost: list[int] = []
        """Numbers of the questions whose stored answers could not be read."""
        self._blank = Receipt(assignment.name, assignment.edition, self.student, {})
        name = file_name(assignment.name, assignment.edition, self.student)
        self._folder = "" if folder is None else path_of(folder)
        self._drawer = None if folder is None else Drawer(Path(self._folder) / name, self._blank)
        self._answers: dict[str, Kept] = self._drawer.read() if self._drawer else {}

    def __getitem__(self, question: int | str) -> Task:
        index = self.assignment.place(question)
        if index not in self._tasks:
            self._tasks[index] = self._made(index)
        return self._tasks[index]

    def _made(self, place: int) -> Task:
        """Build the exercise of a question, with its stored answer."""
        question = self.assignment.questions[place]
        exercise = self.assignment.task(place + 1, self.student)
        exercise.language = self._language
        exercise = kept_form(exercise)
        exercise.to_answer = "class.picture"
        stored = self._answers.get(question.name)
        if stored is not None:
            try:
                exercise.recall(stored.given)
            except DurakError:
                self._lost.append(place + 1)
                del self._answers[question.name]
        exercise.on_answer(lambda _: self._keep(place))
        return exercise

    def answer(self, question: int | str, answer: Any) -> Verdict:  # noqa: ANN401 - whatever somebody gives
        """Answer a question from code; see `lessons` for what each takes.

        A program is given as `{"code": "def choose(view): …"}`, and runs once immediately.
        """
        exercise, index = self[question], self.assignment.place(question)
        if exercise.lays_by(answer):
            text_of_program(answer["code"])
            exercise.recall(answer)
            self._keep(index, answer)
            return self._tried(exercise, answer)
        exercise.answer(answer)
        return self._tried(exercise, exercise.given)

    @staticmethod
    def _tried(task: Task, given: object) -> Verdict:
        """Return the verdict; for a program, run it once and say if it works."""
        result = tried(task, given["code"], task.language) if isinstance(given, Mapping) and given.keys() == {"code"} else None
        verdict = task._verdict()
        return verdict if result is None else verdict._replace(said=(*verdict.said, in_words(result, Voice(task.language))))

    def _keep(self, place: int, given: object = None) -> None:
        """Store an answer in the receipt and its file."""
        name, exercise = self.assignment.questions[place].name, self._tasks[place]
        given = exercise.given if given is None else given
        if given is None:
            return
        previous = self._answers.get(name)
        self._answers[name] = Kept(given, 1 + (previous.tries if previous else 0), kept_now())
        self._own.add(name)
        self._write()
        self._changed()

    def _write(self) -> None:
        """Save the answers in their file; if that fails, every question shows a warning."""
        if self._drawer is None:
            return
        self._drawer.write(self._answers, own=self._own)
        reason = self._drawer.trouble
        warning: Text = Fact("class.kept.unsaved", {"why": reason, "code": _HAND_IN}) if reason else ""
        for exercise in self._tasks.values():
            if exercise.caution != warning:
                exercise.warn(warning)

    @property
    def receipt(self) -> dict[str, Any]:
        """Return the receipt as plain data, with the questions in order."""
        answers = {question.name: self._answers[question.name] for question in self.assignment.questions if question.name in self._answers}
        return self._blank._replace(answers=answers).plain()

    @property
    def file(self) -> Path | None:
        """Return the path of the receipt file, or None if none is written."""
        return None if self._drawer is None or self._drawer.trouble else self._drawer.path

    @property
    def left(self) -> tuple[int, ...]:
        """Return the numbers of the questions that are not answered yet."""
        return tuple(number for number, question in enumerate(self.assignment.questions, 1) if question.name not in self._answers)

    def hand_in(self) -> None:
        """Show the receipt as output of this cell, so that the notebook alone can be handed in."""
        if self._answers:
            self._write()
        self._changed()
        bundle = self.handed_in()
        shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
        if shell is None:
            print(bundle["text/plain"])  # noqa: T201 - where there is no notebook, it is told so
            return
        from IPython.display import display  # noqa: PLC0415 - it is there

        display(bundle, raw=True)  # type: ignore[no-untyped-call]

    def handed_in(self) -> dict[str, Any]:
        """Return the output of `hand_in`: the receipt as data, as text and as HTML."""
        text = json.dumps(self.receipt, ensure_ascii=False, indent=1)
        count = self._voice.say("class.done", done=len(self._answers), all=len(self.assignment.questions))
        lines = [count, *self._missing(), self._voice.say("class.handed" if self._answers else "class.handed.none")]
        paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)  # no picture class, which would be hidden beside a live page
        html = f'<div class="durak-receipt"><p><b>{escape(self._title)}</b></p>{paragraphs}<details><summary>{escape(self._voice.say("class.receipt"))}</summary><pre>{escape(text)}</pre></details></div>'
        return {MIME: self.receipt, "text/plain": text, "text/html": html}

    @property
    def _voice(self) -> Voice:
        return Voice(self._language)

    @property
    def _title(self) -> str:
        edition = f" ({self.assignment.edition})" if self.assignment.edition else ""
        return f"{in_words(self.assignment.title, self._voice)}{edition}: {self.student}"

    def _respoken(self) -> None:
        for exercise in self._tasks.values():
            exercise.language = self._language

    def _missing(self) -> list[str]:
        """Describe which questions are left, and which have an unsaved answer."""
        left, voice = self.left, self._voice
        unsaved = [index for index in sorted(self._tasks) if self._tasks[index].loose]
        lines = [voice.say("class.left", questions=", ".join(map(str, left))) if left else voice.say("class.all")]
        return [*lines, *([voice.say("class.loose", questions=", ".join(str(index + 1) for index in unsaved))] if unsaved else [])]

    def _others(self) -> list[str]:
        """Name other receipts in the folder, if this student has none.

        Perhaps the name was typed differently.
        """
        if self._drawer is None or self._answers:
            return []
        paths = self._drawer.path.parent.glob(f"{escaped(self.assignment.name)}-*.receipt.json")
        names = sorted({path.name for path in islice(paths, _MANY)} - {self._drawer.path.name})
        return [self._voice.say("class.others", files=", ".join(names[:_FEW]))] if names else []

    def _how(self) -> list[str]:
        """Describe what is left, how to hand in, and problems with the file."""
        voice, receipt_file, code = self._voice, self._drawer, _HAND_IN
        if self.file and self._answers:
            key, file = "class.hand_in" if self._folder == "." else "class.hand_in.folder", self.file.name
            instruction = voice.say(key, code=code, file=file, folder=self._folder)
        else:
            instruction = voice.say("class.hand_in.alone", code=code)
        notes = [voice.say("class.lost", number=str(number)) for number in self._lost]
        if receipt_file is not None and receipt_file.aside is not None:
            new_name, reason = receipt_file.aside
            notes.append(voice.say("class.aside", file=receipt_file.path.name, aside=new_name, why=reason))
        if receipt_file is not None and receipt_file.trouble:
            notes.append(voice.say("class.unwritable", why=receipt_file.trouble, code=code))
        return [*self._missing(), instruction, *notes, *self._others()]

    def _rows(self) -> list[tuple[int, str, str, bool]]:
        """Return for each question its number, title and points, and if it is answered."""
        voice = self._voice
        return [
            (number, in_words(question.title, voice), voice.say("class.points", count=question.points), question.name in self._answers)
            for number, question in enumerate(self.assignment.questions, 1)
        ]

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def look(self) -> None:
        """Refresh the page when it is opened, since answers may be unsaved by now."""
        self._changed()

    def _picture(self) -> str:
        voice = self._voice
        lines = []
        for number, title, points, is_answered in self._rows():
            state = escape(voice.say("class.row.kept" if is_answered else "class.row.open"))
            state_html = f'<b style="color:#2f8f5b">✓</b> {state}' if is_answered else f'<span style="opacity:.75">{state}</span>'
            points_html = f'<small style="opacity:.75;white-space:nowrap">{escape(points)}</small>'
            lines.append(
                f'<li style="{_LINE}"><b style="flex:none;width:1.6em;text-align:end">{number}</b> '
                f'<span style="{_REST}"><span style="flex:0 1 26em">{escape(title)} {points_html}</span> <span>{state_html}</span></span></li>'
            )
        return f'<ol class="dk-road" style="list-style:none;margin:0;padding:0">{"".join(lines)}</ol>'

    def sheet(self) -> dict[str, object]:
        """Return the fields that the page shows: the questions, what is left, how to hand in."""
        empty_hint = {} if self.file else {"how": ""}  # without a file there is nothing to say about it
        return {**blank_sheet(self.kind), **empty_hint, "question": self._title, "picture": self._picture(), "said": self._how()}

    def static(self) -> dict[str, str]:
        """Return the homework for print, and for pages without Python."""
        lines = [*self._how(), self._voice.say("class.stood")]
        paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
        html = f'<div class="durak-picture"><p><b>{escape(self._title)}</b></p>{self._picture()}{paragraphs}</div>'
        return {"text/html": html, "text/plain": "\n".join([*self._lines(), *lines])}

    def _lines(self) -> list[str]:
        """Return the questions as lines of text."""
        voice = self._voice
        rows = (
            f"  {number}  {title} ({points}): {voice.say('class.row.kept' if is_answered else 'class.row.open')}"
            for number, title, points, is_answered in self._rows()
        )
        return [self._title, *rows]


def homework(
    assignment: Assignment | str,
    *,
    student: str,
    edition: str = "",
    folder: str | PathLike[str] | None = ".",
    language: str | None = None,
    questions: str | PathLike[str] | None = None,
) -> Homework | Unnamed:
    """Return a student's homework, with the answers that were stored before.

    Answers are stored beside the notebook, or in another `folder` (None: nowhere). Without a name, every cell asks
    for one, so the same notebook can be handed out to everybody. `questions` is the file with the questions, if they
    are drawn by a passphrase that stays with the teacher.

    >>> work = homework("econ431", student="Ann Lee", edition="2027", folder=None)
    >>> work[3].number, work.left[:3]
    ('3', (1, 2, 3))
    """
    if isinstance(student, str) and not student.strip():
        return Unnamed(assignment_of(assignment, edition), language)
    try:
        student_name(student)  # a wrong name is reported before other problems
    except RefusedError as error:
        raise NamelessError(error.key, **error.facts) from None
    if questions is not None:
        try:
            return Homework(taken_up(questions, student, edition), student, folder, language)
        except RefusedError as error:
            raise NamelessError(error.key, **error.facts) from None
    return Homework(assignment_of(assignment, edition), student, folder, language)


class Unnamed(Displayed):
    """Homework without a name: nothing is drawn, asked or stored.

    >>> from durak_widget import lessons
    >>> work = lessons.homework("econ431", student="")
    >>> work[3]
    Type your name between the quotation marks, as in student="Ann Lee": your questions are drawn for it.
    """

    kind = "progress"
    student: Final = ""

    def __init__(self, assignment: Assignment, language: str | None) -> None:
        super().__init__(language)
        self.assignment = assignment

    @property
    def wanted(self) -> str:
        """Return the sentence that asks for a name."""
        return Voice(self._language).say("class.no_name", example=_EXAMPLE)

    @property
    def _where(self) -> str:
        """Return the sentence that says which cell to change."""
        return Voice(self._language).say("class.no_name.where")

    @property
    def left(self) -> tuple[int, ...]:
        """Return the numbers of all questions."""
        return tuple(range(1, len(self.assignment.questions) + 1))

    def __getitem__(self, question: int | str) -> Unnamed:
        self.assignment.place(question)
        return self

    def answer(self, question: int | str, answer: object) -> None:  # noqa: ARG002 - there is no question yet
        """Refuse an answer, since no student has a name yet."""
        raise RefusedError("class.no_name", example=_EXAMPLE)

    @property
    def receipt(self) -> None:
        """Refuse a receipt, since nobody has answered."""
        raise RefusedError("class.no_name", example=_EXAMPLE)

    file: Final = None
    """No file is written."""

    def handed_in(self) -> None:
        """Refuse to hand in, since nobody has answered."""
        raise RefusedError("class.no_name", example=_EXAMPLE)

    def hand_in(self) -> None:
        """Show the sentence that asks for a name."""
        if getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)() is None:
            print(self.wanted)  # noqa: T201 - where there is no notebook, it is told so
        else:
            self._ipython_display_()

    def look(self) -> None:
        """Do nothing, since nothing changes."""

    def sheet(self) -> dict[str, object]:
        """Return the fields that the page shows."""
        return {**blank_sheet(self.kind), "how": "", "question": self.wanted, "said": [self._where]}

    def static(self) -> dict[str, str]:
        """Return the homework without a name for print."""
        return {
            "text/html": f'<div class="durak-picture"><p><b>{escape(self.wanted)}</b></p><p>{escape(self._where)}</p></div>',
            "text/plain": self.wanted,
        }

    def __repr__(self) -> str:
        return self.wanted


def tried(task: Task, code: str, language: str) -> Fact:
    """Run a program once, and say if it works, but not how well it plays.

    Where no process can be started, as in a browser, the result says that.
    """
    with Confined(code, _LIMITS) as confined:
        message = ""
        try:
            message = task.try_out(confined)
        except DurakError as error:
            message = str(error)
        code_error = confined.trouble
    if code_error is not None:
        return (
            Fact("class.tried.nowhere")
            if code_error.fact.key == _NOWHERE
            else Fact("class.tried.broke", {"said": code_error.said(language)})
        )
    return Fact("class.tried.broke", {"said": message}) if message else Fact("class.tried")
