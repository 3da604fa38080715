"""Creation of an assignment's notebooks for students, for the teacher and for nbgrader.

nbgrader runs a student's whole notebook again and takes the points from a locked cell. This cell only calls the function that computes
points; it contains no answers and no tests.
"""

from __future__ import annotations

import json
import os
import re
from glob import escape as escape_glob
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import replace_text, require_path
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.answer_parsing import translate_text
from durak_widget.exercises.base_exercise import find_exercise_class
from durak_widget.homework.answer_key import Key
from durak_widget.homework.assignment import DURAK_ASSIGNMENTS, require_student_name, resolve_newest_revision
from durak_widget.homework.assignment_edition import format_passphrase_file, generate_passphrase, read_passphrase, require_strong_passphrase
from durak_widget.homework.question_file import QUESTIONS_FILE_SUFFIX, format_questions_file, format_questions_file_name
from durak_widget.homework.receipt import format_receipt_file_name
from durak_widget.homework.roster import Roster
from durak_widget.i18n import Translator, get_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from durak_widget.homework.assignment import Assignment, Question

NBGRADER_CONFIG: Final = """c = get_config()
c.CourseDirectory.course_id = {course}
c.ClearSolutions.code_stub = {{"python": "# Your code, if you like"}}
c.Execute.timeout = 600
"""
"""The settings of an nbgrader course: accept empty answer cells, and allow slow grading."""
_METADATA: Final = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_EXERCISE_CELL_METADATA: Final = {"jupyter": {"source_hidden": True}, "tags": ["exercise", "hide-input"]}
_EXAMPLE_ANSWER: Final = '"5/18"'
_HIDDEN_CELL_METADATA: Final = {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]}
_CODE_ANSWER_TEMPLATE: Final = """# def choose(view):
#     return {move}
#
# homework.answer({name}, choose)"""
"""The starter code for a student's program, which chooses the first legal move."""
_FIRST_MOVE: Final = "view.legal_moves()[0]"
"""The code with which a student's program chooses the first legal move in Durak.

Functions for questions on other games have an attribute `first_move`.
"""
_EXAMPLE_STUDENT: Final = "Guest"

Cell = dict[str, Any]

WORD_FILE_SUFFIX: Final = ".word.txt"
"""The suffix of a teacher's file with the passphrase of an edition."""


class AssignmentNotebooks:
    """The notebooks of one assignment in one language.

    >>> sheet = AssignmentNotebooks("econ431", "2027")
    >>> print(sheet.build_student_notebook("Ann Lee")["cells"][1]["source"][2], end="")
    homework = lessons.homework("econ431", student="Ann Lee", edition="2027 rev2")
    >>> sheet.build_student_notebook() == sheet.build_student_notebook()
    True
    """

    def __init__(self, assignment: Assignment | str, edition: str = "", language: str = "en", passphrase: object = None) -> None:
        self.assignment = resolve_newest_revision(assignment, edition).unlock(passphrase)
        self.name = assignment if isinstance(assignment, str) else self.assignment.name
        """The assignment's name in the notebooks' code; `module:NAME` for a teacher's own assignment."""
        self.language = language
        self._voice = Translator(language)

    def build_student_notebook(
        self, student: str = "", *, opening_text: str = "", closing_text: str = "", nbgrader: bool = False, questions_file_name: str = ""
    ) -> dict[str, Any]:
        """Build a student's notebook: a cell for each question, and a cell to hand in the answers.

        `opening_text` and `closing_text` replace the general texts. `questions_file_name` names the file with the questions, if the
        questions were handed out as a file.
        """
        name = require_student_name(student) if student else ""
        file_hint = f"\n\n{self._voice.translate('class.word.beside', file=f'`{questions_file_name}`')}" if questions_file_name else ""
        cells = [
            _build_markdown_cell("begin", (opening_text or self._format_opening(name)) + file_hint),
            _build_code_cell("homework", self._format_homework_code(name, questions_file_name)),
        ]
        for number, question in enumerate(self.assignment.questions, 1):
            cells += self._build_question_cells(number, question)
        cells.append(_build_markdown_cell("hand-in", self._translate("hand_in", file="`.receipt.json`")))
        cells.append(_build_code_cell("receipt", f"# {self._translate('hand_in.cell')}\nhomework.hand_in()"))
        cells.append(_build_markdown_cell("in-code", _wrap_in_small(self._describe_code_answers())))
        if nbgrader:
            arguments = ", ".join(
                f"{keyword}={json.dumps(value)}" for keyword, value in self._identifying_arguments("").items() if keyword != "student"
            )
            cells.append(make_solution_cell(_build_code_cell("solutions", ""), self.name, arguments))
            cells.append(_build_markdown_cell("points", _wrap_in_small(self._translate("points"))))
            cells = [lock_cell(cell) if cell["id"].startswith(("question-", "exercise-", "points")) else cell for cell in cells]
            cells += [
                make_graded_cell(
                    _build_code_cell(f"count-{number:02}", "", _HIDDEN_CELL_METADATA), self.name, self.assignment.edition, question
                )
                for number, question in self._number_questions()
            ]
        if closing_text:
            cells.append(_build_markdown_cell("end", closing_text))
        return _build_notebook(cells)

    def build_teacher_notebook(self, student: str = _EXAMPLE_STUDENT, *, passphrase_file: str = "") -> dict[str, Any]:
        """Build the teacher's notebook: the questions, points, solutions and typical mistakes.

        It has the solutions of one student. `passphrase_file` is the file that stores the passphrase of the edition.
        """
        name, key = require_student_name(student), Key(self.assignment, student, self.language)
        introduction = f"# {self._title}\n\n{self._translate('teacher', student=_escape_markdown(name))}"
        arguments = self._identifying_arguments(name) | ({"word": passphrase_file} if passphrase_file else {})
        call_arguments = ", ".join(f"{word}={_format_string_literal(value)}" for word, value in arguments.items())
        cells = [
            _build_markdown_cell("begin", introduction),
            _build_code_cell(
                "key", f"from durak_widget.classroom.keys import key\n\nkey = key({_format_string_literal(self.name)}, {call_arguments})"
            ),
        ]
        for number, question in self._number_questions():
            note = translate_text(question.note, self._voice)
            text = "\n\n".join(
                part
                for part in (self._format_heading(number, question), translate_text(question.lead, self._voice), note and f"*{note}*")
                if part
            )
            cells.append(_build_markdown_cell(f"question-{number:02}", text))
            cell = _build_code_cell(
                f"solution-{number:02}",
                f"print(key.format_solution({_format_string_literal(question.name)}))\nkey[{_format_string_literal(question.name)}]",
            )
            stream = {"name": "stdout", "output_type": "stream", "text": _split_lines(key.format_solution(number) + "\n")}
            cells.append({**cell, "outputs": [stream]})
        return _build_notebook(cells)

    @property
    def _title(self) -> str:
        return translate_text(self.assignment.title, self._voice)

    def _number_questions(self) -> list[tuple[int, Question]]:
        return list(enumerate(self.assignment.questions, 1))

    def _translate(self, key: str, **facts: object) -> str:
        return self._voice.translate(f"class.sheet.{key}", **facts)

    def _format_opening(self, name: str) -> str:
        count, is_own_game = len(self.assignment.questions), self.assignment.name not in DURAK_ASSIGNMENTS
        if name:
            text = self._translate("begin.own.named" if is_own_game else "begin.named", count=count, student=_escape_markdown(name))
        else:
            text = self._translate("begin.own" if is_own_game else "begin", count=count)
        return f"# {self._title}\n\n{text}"

    def _describe_code_answers(self) -> str:
        """Explain how to answer from code, with an example answer to one of the questions."""
        examples = ((number, find_exercise_class(question.kind).example_answer) for number, question in self._number_questions())
        number, answer = next((example for example in examples if example[1]), (1, _EXAMPLE_ANSWER))
        return self._translate("in_code", answer=f"`homework.answer({number}, {answer})`", number=str(number), list='`["9c", "Qd"]`')

    def _identifying_arguments(self, student: str) -> dict[str, str]:
        """Return the arguments of `homework` that select a student, an edition and a language."""
        edition = {"edition": self.assignment.edition} if self.assignment.edition else {}
        language = {"language": self.language} if self.language != "en" else {}
        return {"student": student, **edition, **language}

    def _format_homework_code(self, student: str, questions_file_name: str = "") -> str:
        arguments = self._identifying_arguments(student) | ({"questions": questions_file_name} if questions_file_name else {})
        argument_text = ", ".join(f"{keyword}={_format_string_literal(value)}" for keyword, value in arguments.items())
        return f"from durak_widget import lessons\n\nhomework = lessons.homework({_format_string_literal(self.name)}, {argument_text})\nhomework"

    def _format_heading(self, number: int, question: Question) -> str:
        points = self._voice.translate("class.points", count=question.points)
        return f"## {number}. {translate_text(question.title, self._voice)} <small>({points})</small>"

    def _build_question_cells(self, number: int, question: Question) -> list[Cell]:
        """Build the notebook cells of a question: its text, its exercise, and starter code."""
        has_own_hint = f"class.sheet.next.{question.kind}" in get_language("en").sentences
        hint = self._translate(f"next.{question.kind if has_own_hint else 'other'}")
        first_number = next(
            (other_number for other_number, other in self._number_questions() if not find_exercise_class(other.kind).is_single_click), 0
        )
        save_hint = f" {self._translate('keep')}" if number == first_number else ""  # Single-click exercises have no button for saving
        introduction = "\n\n".join(
            part for part in (self._format_heading(number, question), translate_text(question.lead, self._voice), hint + save_hint) if part
        )
        code = f"# {self._translate('question', number=str(number))}\nhomework[{_format_string_literal(question.name)}]"
        cells = [
            _build_markdown_cell(f"question-{number:02}", introduction),
            _build_code_cell(f"exercise-{number:02}", code, _EXERCISE_CELL_METADATA),
        ]
        if find_exercise_class(question.kind).takes_code:
            function = _CODE_ANSWER_TEMPLATE.format(
                name=_format_string_literal(question.name), move=getattr(question.make, "first_move", _FIRST_MOVE)
            )
            cells.append(_build_code_cell(f"code-{number:02}", f"# {self._translate('code')}\n{function}", _HIDDEN_CELL_METADATA))
        return cells


def format_notebook(notebook: dict[str, Any]) -> str:
    """Return a notebook as the text of an `.ipynb` file."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _build_notebook(cells: list[Cell]) -> dict[str, Any]:
    return {"cells": cells, "metadata": _METADATA, "nbformat": 4, "nbformat_minor": 5}


def _build_markdown_cell(cell_id: str, text: str) -> Cell:
    return {"cell_type": "markdown", "id": cell_id, "metadata": {}, "source": _split_lines(text)}


def _build_code_cell(cell_id: str, text: str, metadata: dict[str, Any] | None = None) -> Cell:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": cell_id,
        "metadata": metadata or {},
        "outputs": [],
        "source": _split_lines(text),
    }


def _wrap_in_small(text: str) -> str:
    return f"<small>{text}</small>"


def _split_lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _format_string_literal(text: str) -> str:
    r"""Format a text as a Python string literal in double quotes.

    >>> print(_format_string_literal('Ann "the Fool" Lee'))
    "Ann \"the Fool\" Lee"
    """
    return json.dumps(text, ensure_ascii=False)


def _escape_markdown(text: str) -> str:
    r"""Escape a name so that Markdown displays it unchanged.

    >>> _escape_markdown("Ann <b>*Lee*")
    'Ann \\<b\\>\\*Lee\\*'
    """
    return re.sub(r"([\\`*_\[\]<>#|~$&!])", r"\\\1", text)


# --- Writing notebooks into a folder ---


def hand_out(
    assignment: str,
    out: str | PathLike[str],
    *,
    edition: str = "",
    roster: str | PathLike[str] | Roster | None = None,
    nbgrader: bool = False,
    language: str = "en",
    force: bool = False,
    word: object = None,
) -> tuple[Path, ...]:
    """Write the notebooks of an assignment into a folder, for students and for the teacher.

    Students get one notebook for all or, with a roster, one notebook each. The teacher's notebook has the solutions.

    With `nbgrader`, the folder is the folder of an nbgrader course: nbgrader builds the students' notebook from `source/`. Files that
    were changed there are overwritten only with `force`.

    With a passphrase in `word`, each notebook has a file of questions beside it, and the passphrase stays in `teacher/`.
    """
    if not isinstance(assignment, str):
        raise DurakError(
            'a notebook finds its assignment by name; give "econ431", or for your own "module:NAME", in a file beside the notebooks'
        )
    passphrase = None if word is None else require_strong_passphrase(word)
    notebooks = AssignmentNotebooks(assignment, str(edition), language, passphrase)
    class_roster = Roster.load(roster) if isinstance(roster, (str, os.PathLike)) else roster
    if nbgrader and class_roster is not None:
        raise DurakError("nbgrader gives all students the same notebook, and they type their names in it; use either a roster or nbgrader")
    folder, name = Path(require_path(out)), notebooks.assignment.name
    files: dict[Path, str] = {}
    if passphrase is not None:
        if class_roster is None:
            raise DurakError(
                "with a passphrase each student gets a file with their own questions; give the names of the class with --students"
            )
        files |= _build_sealed_files(notebooks, class_roster.names, folder, passphrase)
    elif nbgrader:
        files[folder / "source" / name / f"{name}.ipynb"] = format_notebook(notebooks.build_student_notebook(nbgrader=True))
    elif class_roster is None:
        files[folder / "students" / f"{name}.ipynb"] = format_notebook(notebooks.build_student_notebook())
    else:
        for student in class_roster.names:
            file_stem = format_receipt_file_name(name, notebooks.assignment.edition, student).removesuffix(".receipt.json")
            files[folder / "students" / f"{file_stem}.ipynb"] = format_notebook(notebooks.build_student_notebook(student))
    if passphrase is None:
        files[folder / "teacher" / f"{name}.ipynb"] = format_notebook(notebooks.build_teacher_notebook())
    config = folder / "nbgrader_config.py"
    if nbgrader and not config.exists():
        files[config] = NBGRADER_CONFIG.format(course=json.dumps(re.sub(r"\W+", "-", folder.resolve().name) or name))
    write_files(files, force=force)
    return tuple(files)


def _build_sealed_files(notebooks: AssignmentNotebooks, students: Iterable[str], folder: Path, passphrase: str) -> dict[Path, str]:
    """Build the notebooks and other files of an edition that has a passphrase.

    Each student gets a notebook and a file of questions. The teacher gets the answer key and the passphrase.
    """
    files: dict[Path, str] = {}
    assignment, voice = notebooks.assignment, Translator(notebooks.language)
    for student in students:
        questions_name = format_questions_file_name(assignment, student)
        files[folder / "students" / questions_name] = format_questions_file(assignment, student)
        files[folder / "students" / f"{questions_name.removesuffix(QUESTIONS_FILE_SUFFIX)}.ipynb"] = format_notebook(
            notebooks.build_student_notebook(student, questions_file_name=questions_name)
        )
    passphrase_file, stem = (
        format_passphrase_file_name(assignment),
        format_questions_file_name(assignment, "x").removesuffix(f"-x{QUESTIONS_FILE_SUFFIX}"),
    )
    files[folder / "teacher" / f"{stem}.ipynb"] = format_notebook(notebooks.build_teacher_notebook(passphrase_file=passphrase_file))
    files[folder / "teacher" / passphrase_file] = format_passphrase_text(assignment, passphrase, voice)
    return files


def format_passphrase_file_name(assignment: Assignment) -> str:
    """Return the name of the file that stores an edition's passphrase."""
    return format_questions_file_name(assignment, "x").removesuffix(f"-x{QUESTIONS_FILE_SUFFIX}") + WORD_FILE_SUFFIX


def find_or_generate_passphrase(assignment: Assignment | str, edition: str, out: str | PathLike[str]) -> str:
    """Return an edition's passphrase from a file in a folder, or generate a new passphrase.

    So the same command writes the same files again.
    """
    resolved = resolve_newest_revision(assignment, edition)
    stem = format_questions_file_name(resolved, "x").removesuffix(f"-x{QUESTIONS_FILE_SUFFIX}")
    found_files = sorted(Path(require_path(out), "teacher").glob(f"{escape_glob(stem)}-sealed-*{WORD_FILE_SUFFIX}"))
    if len(found_files) > 1:
        raise DurakError(f"{found_files[0].parent} has {len(found_files)} passphrases of this edition; choose one with --word and its file")
    return read_passphrase(found_files[0]) if found_files else generate_passphrase()


def format_passphrase_text(assignment: Assignment, passphrase: str, voice: Translator) -> str:
    """Return the text of the file that stores an edition's passphrase."""
    return format_passphrase_file(
        passphrase, voice.translate("class.word.file", title=translate_text(assignment.title, voice), edition=assignment.edition)
    )


def write_files(files: Mapping[Path, str], *, force: bool) -> None:
    """Write all given files, or no file if a different file would be overwritten.

    With `force`, existing files are overwritten.
    """
    try:
        conflicts = [path for path, text in files.items() if path.exists() and path.read_text(encoding="utf-8", errors="replace") != text]
        if conflicts and not force:
            raise DurakError(f"{conflicts[0]} already exists with other contents; choose another folder, or overwrite it with --force")
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_text(path, text, private=path.name.endswith(WORD_FILE_SUFFIX))
    except OSError as error:
        raise DurakError(f"cannot write {short_repr(str(error.filename))}: {error.strerror}") from None


def _add_nbgrader_metadata(
    cell: dict[str, Any], grade_id: str, *, is_graded: bool = False, is_solution: bool = False, is_locked: bool = False
) -> dict[str, Any]:
    nbgrader_fields: dict[str, Any] = {
        "grade": is_graded, "grade_id": grade_id, "locked": is_locked, "schema_version": 3, "solution": is_solution, "task": False,
    }  # fmt: skip
    return {**cell, "metadata": {**cell["metadata"], "nbgrader": nbgrader_fields}}


def lock_cell(cell: dict[str, Any]) -> dict[str, Any]:
    """Lock a notebook cell, so that nbgrader restores the cell if students change it."""
    return _add_nbgrader_metadata(cell, cell["id"], is_locked=True)


def make_solution_cell(cell: dict[str, Any], assignment: str, extra_arguments: str) -> dict[str, Any]:
    """Build the notebook cell that shows all solutions to the teacher.

    nbgrader removes the text between the marks, so students may use this cell for answers in code.
    """
    arguments = ", ".join(
        [json.dumps(assignment, ensure_ascii=False), 'student=homework.student or "Guest"', *([extra_arguments] if extra_arguments else [])]
    )
    text = f"### BEGIN SOLUTION\nfrom durak_widget.classroom.keys import key\n\nprint(key({arguments}))\n### END SOLUTION"
    return _add_nbgrader_metadata({**cell, "source": text.splitlines(keepends=True)}, "solutions", is_solution=True)


def make_graded_cell(cell: dict[str, Any], assignment: str, edition: str, question: Question) -> dict[str, Any]:
    """Build the locked notebook cell that computes the points of a question.

    The cell names the question, and has neither answers nor tests.
    """
    arguments = ", ".join(
        [json.dumps(assignment, ensure_ascii=False), json.dumps(question.name), *([f"edition={json.dumps(edition)}"] if edition else [])]
    )
    text = f"# {question.name}\nfrom durak_widget.classroom.nbgrading import points\n\npoints({arguments})"
    graded = _add_nbgrader_metadata({**cell, "source": text.splitlines(keepends=True)}, question.name, is_graded=True, is_locked=True)
    graded["metadata"]["nbgrader"]["points"] = question.points
    return graded
