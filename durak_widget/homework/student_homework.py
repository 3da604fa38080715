"""A student's homework: the questions, the stored answers, and a page about the progress.

Until the student types a name, each cell asks for the name and says where to type it. A program that is given as an answer runs once
immediately, in the same way as in grading, so that the student sees its errors in time.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from glob import escape as escape_glob
from html import escape
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import require_path
from durak_widget.errors import DurakError
from durak_widget.exercises.answer_parsing import translate_text
from durak_widget.exercises.notebook_display import NotebookDisplay, empty_view_model
from durak_widget.exercises.program_source import require_program_text
from durak_widget.homework.assignment import Assignment, require_student_name, resolve_assignment
from durak_widget.homework.keyless_exercise import prepare_for_homework
from durak_widget.homework.question_file import load_questions_file
from durak_widget.homework.receipt import MIME_TYPE, Receipt, ReceiptFile, StoredAnswer, format_current_time, format_receipt_file_name
from durak_widget.i18n import CARD_LETTERS, TranslatableText, Translator, choose_card_letters, find_ambiguous_ten
from durak_widget.sandbox.code_runner import Limits, SandboxedBot
from durak_widget.translated_errors import RefusedError
from durak_widget.widgets import user_defaults

if TYPE_CHECKING:
    from os import PathLike

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Task, Verdict

_HAND_IN_CODE: Final = "homework.hand_in()"
_MAX_SCANNED_FILES, _MAX_NAMED_FILES = 100, 3
"""The maximum number of receipt files to search through, and to name in a message."""
_LINE_CSS: Final = "display:flex;align-items:baseline;gap:10px;padding:4px 0;margin:0"
_LINE_CONTENT_CSS: Final = "flex:1;display:flex;flex-wrap:wrap;align-items:baseline;gap:0 10px;min-width:0"
_NAME_EXAMPLE: Final = 'student="Ann Lee"'
_TRY_OUT_LIMITS: Final = Limits(seconds=5)
_NO_SANDBOX_KEY: Final = "class.code.nowhere"


class HomeworkSetupError(RefusedError):
    """An error for a missing name of the student or a missing file of questions.

    A notebook shows it as one sentence in the student's language, without a traceback.
    """

    def _render_traceback_(self) -> list[str]:
        """Return the lines that a notebook shows instead of a traceback."""
        return [self.to_text(user_defaults.get_language())]


class Homework(NotebookDisplay):
    """A student's homework: the questions, and a page that lists unanswered questions.

    `homework[3]` is the exercise of the third question, which stores its answers. The homework itself, when displayed, lists what is
    left to do and explains how to hand in.

    >>> from tempfile import mkdtemp
    >>> from durak_widget.lessons import Assignment, Number, Question
    >>> def sums(rng):
    ...     return Number(f"How much is {rng.randint(10, 99)} + 1?", 7)
    >>> work = homework(Assignment("sums", "Sums", [Question("one", 2, "A sum", sums, "number")]), student="Ann", folder=mkdtemp())
    >>> print(work.answer("one", "12"))
    Your answer is saved. This question has only a few possible answers, so you won't see whether yours is right until your homework is marked. Until then, you can change it.
    >>> work.receipt["answers"]
    {'one': {'answer': '12', 'attempts': 1}}
    >>> work
    Sums: Ann
      1  A sum (2 points): saved
    """

    kind = "progress"

    def __init__(self, assignment: Assignment, student: str, folder: str | PathLike[str] | None, language: str | None) -> None:
        super().__init__(language)
        self.assignment, self.student = assignment, require_student_name(student)
        self._exercises: dict[int, Task] = {}
        self._changed_questions: set[str] = set()
        """The names of the questions that the student has answered in this session."""
        self._unreadable_numbers: list[int] = []
        """The numbers of the questions whose stored answers could not be read."""
        self._blank_receipt = Receipt(assignment.name, assignment.edition, self.student, {})
        name = format_receipt_file_name(assignment.name, assignment.edition, self.student)
        self._folder = "" if folder is None else require_path(folder)
        self._receipt_file = None if folder is None else ReceiptFile(Path(self._folder) / name, self._blank_receipt)
        self._answers: dict[str, StoredAnswer] = self._receipt_file.load_answers() if self._receipt_file else {}

    def __getitem__(self, question: int | str) -> Task:
        index = self.assignment.find_question_index(question)
        if index not in self._exercises:
            self._exercises[index] = self._build_exercise(index)
        return self._exercises[index]

    def _build_exercise(self, index: int) -> Task:
        """Build the exercise for a question, and restore the stored answer."""
        question = self.assignment.questions[index]
        exercise = self.assignment.create_exercise(index + 1, self.student)
        exercise.language = self._language
        exercise = prepare_for_homework(exercise)
        exercise.offline_hint_key = "class.picture"
        stored = self._answers.get(question.name)
        if stored is not None:
            try:
                exercise.restore_answer(stored.answer)
            except DurakError:
                self._unreadable_numbers.append(index + 1)
                del self._answers[question.name]
        exercise.on_answer(lambda _: self._store_answer(index))
        return exercise

    def answer(self, question: int | str, answer: Any) -> Verdict:  # noqa: ANN401 - any value
        """Store an answer to a question, given from code, and return the verdict.

        The package `lessons` describes the answers to each type of exercise. A program is given as `{"code": "def choose(view): …"}`. It
        runs once immediately.
        """
        exercise, index = self[question], self.assignment.find_question_index(question)
        letters = CARD_LETTERS[choose_card_letters(exercise.language)]
        for text in answer if isinstance(answer, (list, tuple)) else [answer]:
            facts = find_ambiguous_ten(text, letters) if isinstance(text, str) else {}
            if facts and facts["text"] == text:  # In the code of a move, T is the ten
                raise RefusedError("refusal.unreadable.ten", **facts)
        if exercise.is_graded_later(answer):
            require_program_text(answer["code"])
            exercise.restore_answer(answer)
            self._store_answer(index, answer)
            return self._check_program(exercise, answer)
        exercise.answer(answer)
        return self._check_program(exercise, exercise.last_answer)

    @staticmethod
    def _check_program(exercise: Task, answer: object) -> Verdict:
        """Return the verdict on an answer; for a program, add the result of a trial run."""
        program_message = (
            try_program(exercise, answer["code"], exercise.language) if isinstance(answer, Mapping) and answer.keys() == {"code"} else None
        )
        verdict = exercise._build_verdict()
        return (
            verdict
            if program_message is None
            else verdict._replace(sentences=(*verdict.sentences, translate_text(program_message, Translator(exercise.language))))
        )

    def _store_answer(self, index: int, answer: object = None) -> None:
        """Add an answer to the student's stored answers, and save all of them to the receipt file."""
        name, exercise = self.assignment.questions[index].name, self._exercises[index]
        answer = exercise.last_answer if answer is None else answer
        if answer is None:
            return
        previous = self._answers.get(name)
        self._answers[name] = StoredAnswer(answer, 1 + (previous.attempt_count if previous else 0), format_current_time())
        self._changed_questions.add(name)
        self._save_answers()
        self._refresh()

    def _save_answers(self) -> None:
        """Save the student's answers to a file; on failure, show a warning at every exercise."""
        if self._receipt_file is None:
            return
        self._receipt_file.save_answers(self._answers, changed_questions=self._changed_questions)
        reason = self._receipt_file.write_error
        warning: Text = TranslatableText("class.kept.unsaved", {"why": reason, "code": _HAND_IN_CODE}) if reason else ""
        for exercise in self._exercises.values():
            if exercise.warning != warning:
                exercise.show_warning(warning)

    @property
    def receipt(self) -> dict[str, Any]:
        """Return the student's answers (receipt) in question order, as JSON-compatible values."""
        answers = {question.name: self._answers[question.name] for question in self.assignment.questions if question.name in self._answers}
        return self._blank_receipt._replace(answers=answers).to_dict()

    @property
    def receipt_path(self) -> Path | None:
        """Return the path of the file with the student's answers; None if it can't be written."""
        return None if self._receipt_file is None or self._receipt_file.write_error else self._receipt_file.path

    @property
    def unanswered_questions(self) -> tuple[int, ...]:
        """Return the numbers of the unanswered questions."""
        return tuple(number for number, question in enumerate(self.assignment.questions, 1) if question.name not in self._answers)

    def hand_in(self) -> None:
        """Show the student's answers as cell output, so that the notebook file contains them."""
        if self._answers:
            self._save_answers()
        self._refresh()
        bundle = self.build_receipt_output()
        shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
        if shell is None:
            print(bundle["text/plain"])  # noqa: T201 - without a notebook, print the text
            return
        from IPython.display import display  # noqa: PLC0415 - IPython is running

        display(bundle, raw=True)  # type: ignore[no-untyped-call]

    def build_receipt_output(self) -> dict[str, Any]:
        """Return the cell output of `hand_in`: the student's answers as data, as text and as HTML."""
        text = json.dumps(self.receipt, ensure_ascii=False, indent=1)
        count = self._voice.translate("class.done", done=len(self._answers), all=len(self.assignment.questions))
        lines = [count, *self._describe_missing(), self._voice.translate("class.handed" if self._answers else "class.handed.none")]
        # The receipt must not have the CSS class of pictures, because a page with a running Python hides pictures
        paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
        html = f'<div class="durak-receipt"><p><b>{escape(self._title)}</b></p>{paragraphs}<details><summary>{escape(self._voice.translate("class.receipt"))}</summary><pre>{escape(text)}</pre></details></div>'
        return {MIME_TYPE: self.receipt, "text/plain": text, "text/html": html}

    @property
    def _voice(self) -> Translator:
        return Translator(self._language)

    @property
    def _title(self) -> str:
        edition = f" ({self.assignment.edition})" if self.assignment.edition else ""
        return f"{translate_text(self.assignment.title, self._voice)}{edition}: {self.student}"

    def _propagate_language(self) -> None:
        for exercise in self._exercises.values():
            exercise.language = self._language

    def _describe_missing(self) -> list[str]:
        """Return sentences on unanswered questions, and on answers that are not saved."""
        unanswered, voice = self.unanswered_questions, self._voice
        unsaved_indices = [index for index in sorted(self._exercises) if self._exercises[index].has_unsaved_changes]
        lines = [voice.translate("class.left", questions=", ".join(map(str, unanswered))) if unanswered else voice.translate("class.all")]
        return [
            *lines,
            *(
                [voice.translate("class.loose", questions=", ".join(str(index + 1) for index in unsaved_indices))]
                if unsaved_indices
                else []
            ),
        ]

    def _describe_other_files(self) -> list[str]:
        """If this student has no answers, return a sentence that names other files with answers.

        The student may have typed the name differently.
        """
        if self._receipt_file is None or self._answers:
            return []
        paths = self._receipt_file.path.parent.glob(f"{escape_glob(self.assignment.name)}-*.receipt.json")
        names = sorted({path.name for path in islice(paths, _MAX_SCANNED_FILES)} - {self._receipt_file.path.name})
        return [self._voice.translate("class.others", files=", ".join(names[:_MAX_NAMED_FILES]))] if names else []

    def _describe_status(self) -> list[str]:
        """Return sentences on unanswered questions, handing in, and problems with saved answers."""
        voice, receipt_file, code = self._voice, self._receipt_file, _HAND_IN_CODE
        if self.receipt_path and self._answers:
            key, file = "class.hand_in" if self._folder == "." else "class.hand_in.folder", self.receipt_path.name
            instruction = voice.translate(key, code=code, file=file, folder=self._folder)
        else:
            instruction = voice.translate("class.hand_in.alone", code=code)
        notes = [voice.translate("class.lost", number=str(number)) for number in self._unreadable_numbers]
        if receipt_file is not None and receipt_file.set_aside_as is not None:
            new_name, reason = receipt_file.set_aside_as
            notes.append(voice.translate("class.aside", file=receipt_file.path.name, aside=new_name, why=reason))
        if receipt_file is not None and receipt_file.write_error:
            notes.append(voice.translate("class.unwritable", why=receipt_file.write_error, code=code))
        return [*self._describe_missing(), instruction, *notes, *self._describe_other_files()]

    def _list_questions(self) -> list[tuple[int, str, str, bool]]:
        """Return each question's number, title and points, and whether it is answered."""
        voice = self._voice
        return [
            (
                number,
                translate_text(question.title, voice),
                voice.translate("class.points", count=question.points),
                question.name in self._answers,
            )
            for number, question in enumerate(self.assignment.questions, 1)
        ]

    def __repr__(self) -> str:
        return "\n".join(self._format_lines())

    def reload(self) -> None:
        """Refresh the homework page when the browser opens the page, which may be outdated."""
        self._refresh()

    def _render_html(self) -> str:
        voice = self._voice
        lines = []
        for number, title, points, is_answered in self._list_questions():
            state = escape(voice.translate("class.row.kept" if is_answered else "class.row.open"))
            state_html = f'<b style="color:#2f8f5b">✓</b> {state}' if is_answered else f'<span style="opacity:.75">{state}</span>'
            points_html = f'<small style="opacity:.75;white-space:nowrap">{escape(points)}</small>'
            lines.append(
                f'<li style="{_LINE_CSS}"><b style="flex:none;width:1.6em;text-align:end">{number}</b> '
                f'<span style="{_LINE_CONTENT_CSS}"><span style="flex:0 1 26em">{escape(title)} {points_html}</span> <span>{state_html}</span></span></li>'
            )
        return f'<ol class="dk-progress-list" style="list-style:none;margin:0;padding:0">{"".join(lines)}</ol>'

    def view_model(self) -> dict[str, object]:
        """Return the data that the front end displays: questions, open tasks, and how to hand in."""
        empty_hint = {} if self.receipt_path else {"instructions": ""}  # Without a receipt file, no instructions for the file are needed
        return {
            **empty_view_model(self.kind),
            **empty_hint,
            "question": self._title,
            "picture": self._render_html(),
            "feedback": self._describe_status(),
        }

    def static_mimebundle(self) -> dict[str, str]:
        """Return the static version of the homework, for print and for pages without Python."""
        lines = [*self._describe_status(), self._voice.translate("class.stood")]
        paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
        html = f'<div class="durak-picture"><p><b>{escape(self._title)}</b></p>{self._render_html()}{paragraphs}</div>'
        return {"text/html": html, "text/plain": "\n".join([*self._format_lines(), *lines])}

    def _format_lines(self) -> list[str]:
        """Return the title and one line of text for each question."""
        voice = self._voice
        rows = (
            f"  {number}  {title} ({points}): {voice.translate('class.row.kept' if is_answered else 'class.row.open')}"
            for number, title, points, is_answered in self._list_questions()
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
) -> Homework | UnnamedHomework:
    """Return a student's homework, with the answers that the student stored earlier.

    Answers are stored beside the notebook or in another `folder`; None stores nothing. Without a name, every cell asks for the name, so
    all students can get the same notebook. `questions` is the file with the questions, if the edition has a passphrase.

    >>> work = homework("econ431", student="Ann Lee", edition="2027", folder=None)
    >>> work[3].number, work.unanswered_questions[:3]
    ('3', (1, 2, 3))
    """
    if isinstance(student, str) and not student.strip():
        return UnnamedHomework(resolve_assignment(assignment, edition), language)
    try:
        require_student_name(student)  # Report an invalid name before any other problem
    except RefusedError as error:
        raise HomeworkSetupError(error.key, **error.facts) from None
    if questions is not None:
        try:
            return Homework(load_questions_file(questions, student, edition), student, folder, language)
        except RefusedError as error:
            raise HomeworkSetupError(error.key, **error.facts) from None
    return Homework(resolve_assignment(assignment, edition), student, folder, language)


class UnnamedHomework(NotebookDisplay):
    """Homework without a student's name, which asks for the name and stores nothing.

    >>> from durak_widget import lessons
    >>> work = lessons.homework("econ431", student="")
    >>> work[3]
    Type your name between the quotation marks, as in student="Ann Lee". Your questions depend on your name.
    """

    kind = "progress"
    student: Final = ""

    def __init__(self, assignment: Assignment, language: str | None) -> None:
        super().__init__(language)
        self.assignment = assignment

    @property
    def name_request(self) -> str:
        """Return the sentence that asks for the student's name."""
        return Translator(self._language).translate("class.no_name", example=_NAME_EXAMPLE)

    @property
    def _name_location(self) -> str:
        """Return the sentence that says in which notebook cell students type their name."""
        return Translator(self._language).translate("class.no_name.where")

    @property
    def unanswered_questions(self) -> tuple[int, ...]:
        """Return the numbers of all questions, since homework without a name has no answers."""
        return tuple(range(1, len(self.assignment.questions) + 1))

    def __getitem__(self, question: int | str) -> UnnamedHomework:
        self.assignment.find_question_index(question)
        return self

    def answer(self, question: int | str, answer: object) -> None:  # noqa: ARG002 - the method always raises
        """Raise an error, since homework without a student's name accepts no answers."""
        raise RefusedError("class.no_name", example=_NAME_EXAMPLE)

    @property
    def receipt(self) -> None:
        """Raise an error, since homework without a student's name stores no answers."""
        raise RefusedError("class.no_name", example=_NAME_EXAMPLE)

    receipt_path: Final = None
    """Always None, since homework without a student's name writes no file."""

    def build_receipt_output(self) -> None:
        """Raise an error, since homework without a student's name can't be handed in."""
        raise RefusedError("class.no_name", example=_NAME_EXAMPLE)

    def hand_in(self) -> None:
        """Show the sentence that asks for the student's name."""
        if getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)() is None:
            print(self.name_request)  # noqa: T201 - without a notebook, print the text
        else:
            self._ipython_display_()

    def reload(self) -> None:
        """Do nothing, since homework without a student's name never changes."""

    def view_model(self) -> dict[str, object]:
        """Return the data that the front end displays, as JSON-compatible values."""
        return {**empty_view_model(self.kind), "instructions": "", "question": self.name_request, "feedback": [self._name_location]}

    def static_mimebundle(self) -> dict[str, str]:
        """Return the static version of homework without a name, for print."""
        return {
            "text/html": f'<div class="durak-picture"><p><b>{escape(self.name_request)}</b></p><p>{escape(self._name_location)}</p></div>',
            "text/plain": self.name_request,
        }

    def __repr__(self) -> str:
        return self.name_request


def try_program(exercise: Task, code: str, language: str) -> TranslatableText:
    """Run a program once; return a sentence that says whether the program works.

    The sentence does not say how well the program plays. If no process can be started, as in a browser, it says so.
    """
    with SandboxedBot(code, _TRY_OUT_LIMITS) as confined:
        message = ""
        try:
            message = exercise.find_code_error(confined)
        except DurakError as error:
            message = str(error)
        code_error = confined.error
    if code_error is not None:
        return (
            TranslatableText("class.tried.nowhere")
            if code_error.fact.key == _NO_SANDBOX_KEY
            else TranslatableText("class.tried.broke", {"said": code_error.to_text(language)})
        )
    return TranslatableText("class.tried.broke", {"said": message}) if message else TranslatableText("class.tried")
