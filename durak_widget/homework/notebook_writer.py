"""Writes the notebooks of an assignment: for students, for the teacher, and for nbgrader.

nbgrader runs a student's whole notebook again and takes the points from a locked cell. Here that cell only
calls the function that counts points; it holds no answers and no tests.
"""

from __future__ import annotations

import json
import os
import re
from glob import escape as escaped
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import path_of, replace_text
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.answer_parsing import in_words
from durak_widget.exercises.base_exercise import kind_called
from durak_widget.homework.answer_key import Key
from durak_widget.homework.assignment import ABOUT_DURAK, student_name, to_hand_out
from durak_widget.homework.assignment_edition import new_word, word_file, word_given, word_to_hand_out
from durak_widget.homework.question_file import ENDING, questions_file, ready_made
from durak_widget.homework.receipt import file_name
from durak_widget.homework.roster import Roster
from durak_widget.i18n import Voice, language

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from durak_widget.homework.assignment import Assignment, Question

NBGRADER_CONFIG: Final = """c = get_config()
c.CourseDirectory.course_id = {course}
c.ClearSolutions.code_stub = {{"python": "# Your code, if you like"}}
c.Execute.timeout = 600
"""
"""Settings of an nbgrader course: an empty cell raises no error, and grading may take its time."""
_METADATA: Final = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_FOLDED: Final = {"jupyter": {"source_hidden": True}, "tags": ["exercise", "hide-input"]}
_NUMBER: Final = '"5/18"'
_ASIDE: Final = {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]}
_FUNCTION: Final = """# def choose(view):
#     return {move}
#
# homework.answer({name}, choose)"""
"""Code that an answer in code starts from: the first legal move."""
_FIRST_MOVE: Final = "view.legal_moves()[0]"
"""First legal move in a game of Durak; questions about other games set `first_move`."""
_GUEST: Final = "Guest"

Cell = dict[str, Any]

WORD_ENDING: Final = ".word.txt"
"""Suffix of the file that keeps the passphrase of an edition."""


class Sheet:
    """The notebooks of one assignment, in one language.

    >>> sheet = Sheet("econ431", "2027")
    >>> print(sheet.student("Ann Lee")["cells"][1]["source"][2], end="")
    homework = lessons.homework("econ431", student="Ann Lee", edition="2027 rev2")
    >>> sheet.student() == sheet.student()
    True
    """

    def __init__(self, assignment: Assignment | str, edition: str = "", language: str = "en", word: object = None) -> None:
        self.assignment = to_hand_out(assignment, edition).opened(word)
        self.name = assignment if isinstance(assignment, str) else self.assignment.name
        """Name in the notebooks' code; `module:NAME` for a teacher's own assignment."""
        self.language = language
        self._voice = Voice(language)

    def student(self, student: str = "", *, begin: str = "", end: str = "", nbgrader: bool = False, questions: str = "") -> dict[str, Any]:
        """Build a student's notebook: a cell for each question, then the cell that hands in.

        `begin` and `end` replace the general texts. `questions` is the file with the questions, if they were handed
        out as a file.
        """
        name = student_name(student) if student else ""
        file_hint = f"\n\n{self._voice.say('class.word.beside', file=f'`{questions}`')}" if questions else ""
        cells = [_text("begin", (begin or self._begin(name)) + file_hint), _code("homework", self._homework(name, questions))]
        for number, question in enumerate(self.assignment.questions, 1):
            cells += self._asked(number, question)
        cells.append(_text("hand-in", self._say("hand_in", file="`.receipt.json`")))
        cells.append(_code("receipt", f"# {self._say('hand_in.cell')}\nhomework.hand_in()"))
        cells.append(_text("in-code", _small(self._in_code())))
        if nbgrader:
            arguments = ", ".join(f"{keyword}={json.dumps(value)}" for keyword, value in self._which("").items() if keyword != "student")
            cells.append(solution_cell(_code("solutions", ""), self.name, arguments))
            cells.append(_text("points", _small(self._say("points"))))
            cells = [locked_cell(cell) if cell["id"].startswith(("question-", "exercise-", "points")) else cell for cell in cells]
            cells += [
                graded_cell(_code(f"count-{number:02}", "", _ASIDE), self.name, self.assignment.edition, question)
                for number, question in self._numbered()
            ]
        if end:
            cells.append(_text("end", end))
        return _notebook(cells)

    def teacher(self, student: str = _GUEST, *, word: str = "") -> dict[str, Any]:
        """Build the teacher's notebook: the questions with points, solutions and mistakes.

        Solutions are those of one student. `word` is the file that keeps the passphrase by which the questions were
        drawn.
        """
        name, key = student_name(student), Key(self.assignment, student, self.language)
        introduction = f"# {self._title}\n\n{self._say('teacher', student=_plain(name))}"
        arguments = self._which(name) | ({"word": word} if word else {})
        call_arguments = ", ".join(f"{word}={_quoted(value)}" for word, value in arguments.items())
        cells = [
            _text("begin", introduction),
            _code("key", f"from durak_widget.classroom.keys import key\n\nkey = key({_quoted(self.name)}, {call_arguments})"),
        ]
        for number, question in self._numbered():
            note = in_words(question.note, self._voice)
            text = "\n\n".join(
                part for part in (self._head(number, question), in_words(question.lead, self._voice), note and f"*{note}*") if part
            )
            cells.append(_text(f"question-{number:02}", text))
            cell = _code(f"solution-{number:02}", f"print(key.told({_quoted(question.name)}))\nkey[{_quoted(question.name)}]")
            stream = {"name": "stdout", "output_type": "stream", "text": _lines(key.told(number) + "\n")}
            cells.append({**cell, "outputs": [stream]})
        return _notebook(cells)

    @property
    def _title(self) -> str:
        return in_words(self.assignment.title, self._voice)

    def _numbered(self) -> list[tuple[int, Question]]:
        return list(enumerate(self.assignment.questions, 1))

    def _say(self, key: str, **facts: object) -> str:
        return self._voice.say(f"class.sheet.{key}", **facts)

    def _begin(self, name: str) -> str:
        count, is_own_game = str(len(self.assignment.questions)), self.assignment.name not in ABOUT_DURAK
        if name:
            text = self._say("begin.own.named" if is_own_game else "begin.named", count=count, student=_plain(name))
        else:
            text = self._say("begin.own" if is_own_game else "begin", count=count)
        return f"# {self._title}\n\n{text}"

    def _in_code(self) -> str:
        """Describe how to answer in code, with the first question that has an example."""
        examples = ((number, kind_called(question.kind).example) for number, question in self._numbered())
        number, answer = next((example for example in examples if example[1]), (1, _NUMBER))
        return self._say("in_code", answer=f"`homework.answer({number}, {answer})`", number=str(number), list='`["9c", "Qd"]`')

    def _which(self, student: str) -> dict[str, str]:
        """Return the keyword arguments that identify a student's questions in code."""
        edition = {"edition": self.assignment.edition} if self.assignment.edition else {}
        language = {"language": self.language} if self.language != "en" else {}
        return {"student": student, **edition, **language}

    def _homework(self, student: str, questions: str = "") -> str:
        arguments = self._which(student) | ({"questions": questions} if questions else {})
        argument_text = ", ".join(f"{keyword}={_quoted(value)}" for keyword, value in arguments.items())
        return f"from durak_widget import lessons\n\nhomework = lessons.homework({_quoted(self.name)}, {argument_text})\nhomework"

    def _head(self, place: int, question: Question) -> str:
        points = self._voice.say("class.points", count=question.points)
        return f"## {place}. {in_words(question.title, self._voice)} <small>({points})</small>"

    def _asked(self, place: int, question: Question) -> list[Cell]:
        """Build the cells of a question: its text, the exercise, and a start for code."""
        has_own_hint = f"class.sheet.next.{question.kind}" in language("en").sentences
        hint = self._say(f"next.{question.kind if has_own_hint else 'other'}")
        first = next((other_number for other_number, other in self._numbered() if not kind_called(other.kind).at_once), 0)
        save_hint = f" {self._say('keep')}" if place == first else ""  # a click stores a chosen answer, so that needs no hint
        text = "\n\n".join(part for part in (self._head(place, question), in_words(question.lead, self._voice), hint + save_hint) if part)
        code = f"# {self._say('question', number=str(place))}\nhomework[{_quoted(question.name)}]"
        cells = [_text(f"question-{place:02}", text), _code(f"exercise-{place:02}", code, _FOLDED)]
        if kind_called(question.kind).takes_code:
            function = _FUNCTION.format(name=_quoted(question.name), move=getattr(question.make, "first_move", _FIRST_MOVE))
            cells.append(_code(f"code-{place:02}", f"# {self._say('code')}\n{function}", _ASIDE))
        return cells


def written(notebook: dict[str, Any]) -> str:
    """Return a notebook as text, formatted as nbformat does."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _notebook(cells: list[Cell]) -> dict[str, Any]:
    return {"cells": cells, "metadata": _METADATA, "nbformat": 4, "nbformat_minor": 5}


def _text(name: str, text: str) -> Cell:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": _lines(text)}


def _code(name: str, text: str, metadata: dict[str, Any] | None = None) -> Cell:
    return {"cell_type": "code", "execution_count": None, "id": name, "metadata": metadata or {}, "outputs": [], "source": _lines(text)}


def _small(text: str) -> str:
    return f"<small>{text}</small>"


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _quoted(text: str) -> str:
    r"""Return a Python string literal in double quotation marks.

    >>> print(_quoted('Ann "the Fool" Lee'))
    "Ann \"the Fool\" Lee"
    """
    return json.dumps(text, ensure_ascii=False)


def _plain(text: str) -> str:
    r"""Escape a name for Markdown.

    >>> _plain("Ann <b>*Lee*")
    'Ann \\<b\\>\\*Lee\\*'
    """
    return re.sub(r"([\\`*_\[\]<>#|~$&!])", r"\\\1", text)


# Writing into a folder


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
    """Write an assignment's notebooks into a folder: `students/` and `teacher/`.

    Students get one notebook for all, or one each with a roster. The teacher's has the solutions.

    With `nbgrader` the folder is that of a course: nbgrader makes the students' notebook from `source/`. Only `force`
    overwrites files that were changed there.

    With a `word`, each notebook has a file of questions beside it, and the passphrase stays in `teacher/`.
    """
    if not isinstance(assignment, str):
        raise DurakError(
            'notebooks find their assignment by a name: "econ431", or one of your own as "module:NAME", in a file that lies beside them'
        )
    passphrase = None if word is None else word_to_hand_out(word)
    sheet = Sheet(assignment, str(edition), language, passphrase)
    class_roster = Roster.read(roster) if isinstance(roster, (str, os.PathLike)) else roster
    if nbgrader and class_roster is not None:
        raise DurakError("nbgrader gives everybody the same notebook, in which they type their names: leave the roster out, or nbgrader")
    folder, name = Path(path_of(out)), sheet.assignment.name
    files: dict[Path, str] = {}
    if passphrase is not None:
        if class_roster is None:
            raise DurakError(
                "with a word each student has questions of their own, handed out ready-made: give the names of the class, by --students"
            )
        files |= _sealed(sheet, class_roster.names, folder, passphrase)
    elif nbgrader:
        files[folder / "source" / name / f"{name}.ipynb"] = written(sheet.student(nbgrader=True))
    elif class_roster is None:
        files[folder / "students" / f"{name}.ipynb"] = written(sheet.student())
    else:
        for student in class_roster.names:
            file_stem = file_name(name, sheet.assignment.edition, student).removesuffix(".receipt.json")
            files[folder / "students" / f"{file_stem}.ipynb"] = written(sheet.student(student))
    if passphrase is None:
        files[folder / "teacher" / f"{name}.ipynb"] = written(sheet.teacher())
    config = folder / "nbgrader_config.py"
    if nbgrader and not config.exists():
        files[config] = NBGRADER_CONFIG.format(course=json.dumps(re.sub(r"\W+", "-", folder.resolve().name) or name))
    write_files(files, force=force)
    return tuple(files)


def _sealed(sheet: Sheet, students: Iterable[str], folder: Path, word: str) -> dict[Path, str]:
    """Build the files of an edition with a passphrase.

    Each student gets a notebook and the questions, the teacher gets the key and the passphrase.
    """
    files: dict[Path, str] = {}
    assignment, voice = sheet.assignment, Voice(sheet.language)
    for student in students:
        questions_name = questions_file(assignment, student)
        files[folder / "students" / questions_name] = ready_made(assignment, student)
        files[folder / "students" / f"{questions_name.removesuffix(ENDING)}.ipynb"] = written(
            sheet.student(student, questions=questions_name)
        )
    passphrase_file, stem = word_name(assignment), questions_file(assignment, "x").removesuffix(f"-x{ENDING}")
    files[folder / "teacher" / f"{stem}.ipynb"] = written(sheet.teacher(word=passphrase_file))
    files[folder / "teacher" / passphrase_file] = word_told(assignment, word, voice)
    return files


def word_name(assignment: Assignment) -> str:
    """Return the name of the file that keeps the passphrase of an edition."""
    return questions_file(assignment, "x").removesuffix(f"-x{ENDING}") + WORD_ENDING


def word_for(assignment: Assignment | str, edition: str, out: str | PathLike[str]) -> str:
    """Return the passphrase of an edition in that folder, or generate one.

    So the same command writes the same files again.
    """
    resolved = to_hand_out(assignment, edition)
    stem = questions_file(resolved, "x").removesuffix(f"-x{ENDING}")
    found_files = sorted(Path(path_of(out), "teacher").glob(f"{escaped(stem)}-sealed-*{WORD_ENDING}"))
    if len(found_files) > 1:
        raise DurakError(
            f"{found_files[0].parent} keeps {len(found_files)} words of this edition: say which is meant, by --word and its file"
        )
    return word_given(found_files[0]) if found_files else new_word()


def word_told(assignment: Assignment, word: str, voice: Voice) -> str:
    """Return the text of the file that keeps the passphrase."""
    return word_file(word, voice.say("class.word.file", title=in_words(assignment.title, voice), edition=assignment.edition))


def write_files(files: Mapping[Path, str], *, force: bool) -> None:
    """Write all of these files, or none if one of them would overwrite another text.

    With `force`, existing files are overwritten.
    """
    try:
        conflicts = [path for path, text in files.items() if path.exists() and path.read_text(encoding="utf-8", errors="replace") != text]
        if conflicts and not force:
            raise DurakError(
                f"{conflicts[0]} is there already, and is something else; choose another folder, or write over it with --force"
            )
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_text(path, text, private=path.name.endswith(WORD_ENDING))
    except OSError as error:
        raise DurakError(f"{quoted(str(error.filename))} cannot be written: {error.strerror}") from None


def _nbgrader_cell(
    cell: dict[str, Any], grade_id: str, *, grade: bool = False, solution: bool = False, locked: bool = False
) -> dict[str, Any]:
    nbgrader_fields: dict[str, Any] = {
        "grade": grade, "grade_id": grade_id, "locked": locked, "schema_version": 3, "solution": solution, "task": False,
    }  # fmt: skip
    return {**cell, "metadata": {**cell["metadata"], "nbgrader": nbgrader_fields}}


def locked_cell(cell: dict[str, Any]) -> dict[str, Any]:
    """Lock a cell, so that nbgrader restores it if students change it."""
    return _nbgrader_cell(cell, cell["id"], locked=True)


def solution_cell(cell: dict[str, Any], assignment: str, given: str) -> dict[str, Any]:
    """Make the cell that shows all solutions to the teacher.

    Students may answer in it in code: nbgrader removes the text between the marks.
    """
    arguments = ", ".join([json.dumps(assignment, ensure_ascii=False), 'student=homework.student or "Guest"', *([given] if given else [])])
    text = f"### BEGIN SOLUTION\nfrom durak_widget.classroom.keys import key\n\nprint(key({arguments}))\n### END SOLUTION"
    return _nbgrader_cell({**cell, "source": text.splitlines(keepends=True)}, "solutions", solution=True)


def graded_cell(cell: dict[str, Any], assignment: str, edition: str, question: Question) -> dict[str, Any]:
    """Make the locked cell that counts the points of a question.

    It names the question, and has neither answers nor tests.
    """
    arguments = ", ".join(
        [json.dumps(assignment, ensure_ascii=False), json.dumps(question.name), *([f"edition={json.dumps(edition)}"] if edition else [])]
    )
    text = f"# {question.name}\nfrom durak_widget.classroom.nbgrading import points\n\npoints({arguments})"
    graded = _nbgrader_cell({**cell, "source": text.splitlines(keepends=True)}, question.name, grade=True, locked=True)
    graded["metadata"]["nbgrader"]["points"] = question.points
    return graded
