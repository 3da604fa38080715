"""Defines a student's homework: their questions, a page that shows what is left, and the receipt.

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
"""So many files are looked at, and so many named."""
_LINE: Final = "display:flex;align-items:baseline;gap:10px;padding:4px 0;margin:0"
_REST: Final = "flex:1;display:flex;flex-wrap:wrap;align-items:baseline;gap:0 10px;min-width:0"
_EXAMPLE: Final = 'student="Ann Lee"'
_LIMITS: Final = Limits(seconds=5)
_NOWHERE: Final = "class.code.nowhere"


class NamelessError(RefusedError):
    """Somebody has typed no name yet, or has not the file with the questions: a sentence in the cell, in their language, instead of what only programmers read."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows of it."""
        return [self.said(user_defaults.language())]


class Homework(Displayed):
    """The questions of one student: `homework[3]` is the third, which keeps what is answered; displayed, it says what is left and how to hand in.

    >>> from tempfile import mkdtemp
    >>> from durak_widget.lessons import Assignment, Number, Question
    >>> def sums(lots):
    ...     return Number(f"How much is {lots.randint(10, 99)} + 1?", 7)
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
        """The questions that were answered here."""
        self._lost: list[int] = []
        """Whose kept answers could not be read."""
        self._blank = Receipt(assignment.name, assignment.edition, self.student, {})
        name = file_name(assignment.name, assignment.edition, self.student)
        self._folder = "" if folder is None else path_of(folder)
        self._drawer = None if folder is None else Drawer(Path(self._folder) / name, self._blank)
        self._answers: dict[str, Kept] = self._drawer.read() if self._drawer else {}

    def __getitem__(self, question: int | str) -> Task:
        place = self.assignment.place(question)
        if place not in self._tasks:
            self._tasks[place] = self._made(place)
        return self._tasks[place]

    def _made(self, place: int) -> Task:
        """The question in its kept form, with the answer that was kept before."""
        one = self.assignment.questions[place]
        task = self.assignment.task(place + 1, self.student)
        task.language = self._language
        task = kept_form(task)
        task.to_answer = "class.picture"
        before = self._answers.get(one.name)
        if before is not None:
            try:
                task.recall(before.given)
            except DurakError:
                self._lost.append(place + 1)
                del self._answers[one.name]
        task.on_answer(lambda _: self._keep(place))
        return task

    def answer(self, question: int | str, answer: Any) -> Verdict:  # noqa: ANN401 - whatever somebody gives
        """Answer a question from code; see `lessons` for what each takes. The text of a program is `{"code": "def choose(view): …"}`, and is tried at once."""
        task, place = self[question], self.assignment.place(question)
        if task.lays_by(answer):
            text_of_program(answer["code"])
            task.recall(answer)
            self._keep(place, answer)
            return self._tried(task, answer)
        task.answer(answer)
        return self._tried(task, task.given)

    @staticmethod
    def _tried(task: Task, given: object) -> Verdict:
        """The verdict, and of a program, whether it runs by itself."""
        found = tried(task, given["code"], task.language) if isinstance(given, Mapping) and given.keys() == {"code"} else None
        verdict = task._verdict()
        return verdict if found is None else verdict._replace(said=(*verdict.said, in_words(found, Voice(task.language))))

    def _keep(self, place: int, given: object = None) -> None:
        """One more answer, which goes to the receipt and its file."""
        name, task = self.assignment.questions[place].name, self._tasks[place]
        given = task.given if given is None else given
        if given is None:
            return
        before = self._answers.get(name)
        self._answers[name] = Kept(given, 1 + (before.tries if before else 0), kept_now())
        self._own.add(name)
        self._write()
        self._changed()

    def _write(self) -> None:
        """Put the answers into their file; where that cannot be done, every question says so."""
        if self._drawer is None:
            return
        self._drawer.write(self._answers, own=self._own)
        why = self._drawer.trouble
        caution: Text = Fact("class.kept.unsaved", {"why": why, "code": _HAND_IN}) if why else ""
        for task in self._tasks.values():
            if task.caution != caution:
                task.warn(caution)

    @property
    def receipt(self) -> dict[str, Any]:
        """What is kept, as plain values; questions in their order."""
        answers = {one.name: self._answers[one.name] for one in self.assignment.questions if one.name in self._answers}
        return self._blank._replace(answers=answers).plain()

    @property
    def file(self) -> Path | None:
        """Where the receipt lies; None where no file is kept, or none can be."""
        return None if self._drawer is None or self._drawer.trouble else self._drawer.path

    @property
    def left(self) -> tuple[int, ...]:
        """The numbers of the questions that are not answered yet."""
        return tuple(place for place, one in enumerate(self.assignment.questions, 1) if one.name not in self._answers)

    def hand_in(self) -> None:
        """Show the receipt as an output of this cell: whoever is given the notebook has it, and the file is not needed."""
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
        """What `hand_in` shows: the receipt for marking, as a text, and in words."""
        text = json.dumps(self.receipt, ensure_ascii=False, indent=1)
        count = self._voice.say("class.done", done=len(self._answers), all=len(self.assignment.questions))
        lines = [count, *self._missing(), self._voice.say("class.handed" if self._answers else "class.handed.none")]
        told = "".join(f"<p>{escape(line)}</p>" for line in lines)  # no picture of something live, beside which it would be hidden
        html = f'<div class="durak-receipt"><p><b>{escape(self._title)}</b></p>{told}<details><summary>{escape(self._voice.say("class.receipt"))}</summary><pre>{escape(text)}</pre></details></div>'
        return {MIME: self.receipt, "text/plain": text, "text/html": html}

    # In words

    @property
    def _voice(self) -> Voice:
        return Voice(self._language)

    @property
    def _title(self) -> str:
        edition = f" ({self.assignment.edition})" if self.assignment.edition else ""
        return f"{in_words(self.assignment.title, self._voice)}{edition}: {self.student}"

    def _respoken(self) -> None:
        for task in self._tasks.values():
            task.language = self._language

    def _missing(self) -> list[str]:
        """Which questions are left, and which are begun and not kept."""
        left, voice = self.left, self._voice
        loose = [place for place in sorted(self._tasks) if self._tasks[place].loose]
        lines = [voice.say("class.left", questions=", ".join(map(str, left))) if left else voice.say("class.all")]
        return [*lines, *([voice.say("class.loose", questions=", ".join(str(place + 1) for place in loose))] if loose else [])]

    def _others(self) -> list[str]:
        """What else lies there, where nothing of this student's does: perhaps a name was typed otherwise."""
        if self._drawer is None or self._answers:
            return []
        there = self._drawer.path.parent.glob(f"{escaped(self.assignment.name)}-*.receipt.json")
        found = sorted({one.name for one in islice(there, _MANY)} - {self._drawer.path.name})
        return [self._voice.say("class.others", files=", ".join(found[:_FEW]))] if found else []

    def _how(self) -> list[str]:
        """What is left, how to hand in, and what went wrong with the file."""
        voice, drawer, code = self._voice, self._drawer, _HAND_IN
        if self.file and self._answers:
            key, file = "class.hand_in" if self._folder == "." else "class.hand_in.folder", self.file.name
            how = voice.say(key, code=code, file=file, folder=self._folder)
        else:
            how = voice.say("class.hand_in.alone", code=code)
        notes = [voice.say("class.lost", number=str(number)) for number in self._lost]
        if drawer is not None and drawer.aside is not None:
            aside, why = drawer.aside
            notes.append(voice.say("class.aside", file=drawer.path.name, aside=aside, why=why))
        if drawer is not None and drawer.trouble:
            notes.append(voice.say("class.unwritable", why=drawer.trouble, code=code))
        return [*self._missing(), how, *notes, *self._others()]

    def _rows(self) -> list[tuple[int, str, str, bool]]:
        """Of each question its number, its title, what it counts, and whether it is answered."""
        voice = self._voice
        return [
            (place, in_words(one.title, voice), voice.say("class.points", count=one.points), one.name in self._answers)
            for place, one in enumerate(self.assignment.questions, 1)
        ]

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    # What is shown

    def look(self) -> None:
        """Somebody comes to see it: what was begun since is seen too."""
        self._changed()

    def _picture(self) -> str:
        voice = self._voice
        lines = []
        for place, title, points, done in self._rows():
            state = escape(voice.say("class.row.kept" if done else "class.row.open"))
            mark = f'<b style="color:#2f8f5b">✓</b> {state}' if done else f'<span style="opacity:.75">{state}</span>'
            counts = f'<small style="opacity:.75;white-space:nowrap">{escape(points)}</small>'
            lines.append(
                f'<li style="{_LINE}"><b style="flex:none;width:1.6em;text-align:end">{place}</b> '
                f'<span style="{_REST}"><span style="flex:0 1 26em">{escape(title)} {counts}</span> <span>{mark}</span></span></li>'
            )
        return f'<ol class="dk-road" style="list-style:none;margin:0;padding:0">{"".join(lines)}</ol>'

    def sheet(self) -> dict[str, object]:
        """What the page shows: a line for each question, what is left, and how to hand in."""
        how = {} if self.file else {"how": ""}  # nothing is kept in a file then
        return {**blank_sheet(self.kind), **how, "question": self._title, "picture": self._picture(), "said": self._how()}

    def static(self) -> dict[str, str]:
        """Homework for print, and where nothing is live."""
        lines = [*self._how(), self._voice.say("class.stood")]
        told = "".join(f"<p>{escape(line)}</p>" for line in lines)
        html = f'<div class="durak-picture"><p><b>{escape(self._title)}</b></p>{self._picture()}{told}</div>'
        return {"text/html": html, "text/plain": "\n".join([*self._lines(), *lines])}

    def _lines(self) -> list[str]:
        """The questions as text."""
        voice = self._voice
        rows = (
            f"  {place}  {title} ({points}): {voice.say('class.row.kept' if done else 'class.row.open')}"
            for place, title, points, done in self._rows()
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
    """The homework of a student, with what was answered before: it lies beside the notebook, or in another `folder` (None: nowhere).

    Without a name, all of it says that one is wanted: so a notebook can be handed out to everybody. `questions` is the file in which they were handed out,
    where they are drawn by a word that stays with the teacher.

    >>> work = homework("econ431", student="Ann Lee", edition="2027", folder=None)
    >>> work[3].number, work.left[:3]
    ('3', (1, 2, 3))
    """
    if isinstance(student, str) and not student.strip():
        return Unnamed(assignment_of(assignment, edition), language)
    try:
        student_name(student)  # before anything else
    except RefusedError as error:
        raise NamelessError(error.key, **error.facts) from None
    if questions is not None:
        try:
            return Homework(taken_up(questions, student, edition), student, folder, language)
        except RefusedError as error:
            raise NamelessError(error.key, **error.facts) from None
    return Homework(assignment_of(assignment, edition), student, folder, language)


class Unnamed(Displayed):
    """Homework without a name: nothing is drawn, asked or kept.

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
        """The sentence that a name is wanted."""
        return Voice(self._language).say("class.no_name", example=_EXAMPLE)

    @property
    def _where(self) -> str:
        """In which cell, since every question says it."""
        return Voice(self._language).say("class.no_name.where")

    @property
    def left(self) -> tuple[int, ...]:
        """The numbers of the questions that are not answered yet: all."""
        return tuple(range(1, len(self.assignment.questions) + 1))

    def __getitem__(self, question: int | str) -> Unnamed:
        self.assignment.place(question)
        return self

    def answer(self, question: int | str, answer: object) -> None:  # noqa: ARG002 - there is no question yet
        """Refuse an answer: nobody has given it."""
        raise RefusedError("class.no_name", example=_EXAMPLE)

    @property
    def receipt(self) -> None:
        """Refused: nobody has answered."""
        raise RefusedError("class.no_name", example=_EXAMPLE)

    file: Final = None
    """Nothing is kept."""

    def handed_in(self) -> None:
        """Refused: nobody has answered."""
        raise RefusedError("class.no_name", example=_EXAMPLE)

    def hand_in(self) -> None:
        """Say that a name is wanted."""
        if getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)() is None:
            print(self.wanted)  # noqa: T201 - where there is no notebook, it is told so
        else:
            self._ipython_display_()

    def look(self) -> None:
        """Somebody comes to see it: it stands there as it is."""

    def sheet(self) -> dict[str, object]:
        """What the page shows."""
        return {**blank_sheet(self.kind), "how": "", "question": self.wanted, "said": [self._where]}

    def static(self) -> dict[str, str]:
        """Homework without a name for print."""
        return {
            "text/html": f'<div class="durak-picture"><p><b>{escape(self.wanted)}</b></p><p>{escape(self._where)}</p></div>',
            "text/plain": self.wanted,
        }

    def __repr__(self) -> str:
        return self.wanted


def tried(task: Task, code: str, language: str) -> Fact:
    """What came of it, and nothing of how well it plays; where no process can be started, as in a browser, that it was not tried."""
    with Confined(code, _LIMITS) as confined:
        said = ""
        try:
            said = task.try_out(confined)
        except DurakError as error:
            said = str(error)
        trouble = confined.trouble
    if trouble is not None:
        return Fact("class.tried.nowhere") if trouble.fact.key == _NOWHERE else Fact("class.tried.broke", {"said": trouble.said(language)})
    return Fact("class.tried.broke", {"said": said}) if said else Fact("class.tried")
