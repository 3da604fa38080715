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
"""What nbgrader is told of a course: cells that nobody need fill in raise no error, and marking takes the time that it takes."""
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
"""What whoever writes code begins with: the first move that is allowed."""
_FIRST_MOVE: Final = "view.legal_moves()[0]"
"""So it is called in a game of Durak; whoever makes questions of another game says how there, as `first_move`."""
_GUEST: Final = "Guest"

Cell = dict[str, Any]

WORD_ENDING: Final = ".word.txt"
"""How the file is called that keeps the word of an edition."""


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
        """How notebooks name it: of an assignment of one's own `module:NAME`."""
        self.language = language
        self._voice = Voice(language)

    def student(self, student: str = "", *, begin: str = "", end: str = "", nbgrader: bool = False, questions: str = "") -> dict[str, Any]:
        """What a student is given: each question in a cell, then the one that hands in. `begin` and `end` stand instead of the words for everybody.

        `questions` is the file that has them, where they were handed out ready-made.
        """
        name = student_name(student) if student else ""
        beside = f"\n\n{self._voice.say('class.word.beside', file=f'`{questions}`')}" if questions else ""
        cells = [_text("begin", (begin or self._begin(name)) + beside), _code("homework", self._homework(name, questions))]
        for place, question in enumerate(self.assignment.questions, 1):
            cells += self._asked(place, question)
        cells.append(_text("hand-in", self._say("hand_in", file="`.receipt.json`")))
        cells.append(_code("receipt", f"# {self._say('hand_in.cell')}\nhomework.hand_in()"))
        cells.append(_text("in-code", _small(self._in_code())))
        if nbgrader:
            key = ", ".join(f"{word}={json.dumps(value)}" for word, value in self._which("").items() if word != "student")
            cells.append(solution_cell(_code("solutions", ""), self.name, key))
            cells.append(_text("points", _small(self._say("points"))))
            cells = [locked_cell(cell) if cell["id"].startswith(("question-", "exercise-", "points")) else cell for cell in cells]
            cells += [
                graded_cell(_code(f"count-{place:02}", "", _ASIDE), self.name, self.assignment.edition, one)
                for place, one in self._numbered()
            ]
        if end:
            cells.append(_text("end", end))
        return _notebook(cells)

    def teacher(self, student: str = _GUEST, *, word: str = "") -> dict[str, Any]:
        """What a teacher reads: the same questions with points, solutions as they were worked out for one student, and what students get wrong.

        `word` is the file that keeps the word by which they were drawn.
        """
        name, key = student_name(student), Key(self.assignment, student, self.language)
        begin = f"# {self._title}\n\n{self._say('teacher', student=_plain(name))}"
        which = self._which(name) | ({"word": word} if word else {})
        given = ", ".join(f"{word}={_quoted(value)}" for word, value in which.items())
        cells = [
            _text("begin", begin),
            _code("key", f"from durak_widget.classroom.keys import key\n\nkey = key({_quoted(self.name)}, {given})"),
        ]
        for place, question in self._numbered():
            note = in_words(question.note, self._voice)
            text = "\n\n".join(
                part for part in (self._head(place, question), in_words(question.lead, self._voice), note and f"*{note}*") if part
            )
            cells.append(_text(f"question-{place:02}", text))
            printed = _code(f"solution-{place:02}", f"print(key.told({_quoted(question.name)}))\nkey[{_quoted(question.name)}]")
            stream = {"name": "stdout", "output_type": "stream", "text": _lines(key.told(place) + "\n")}
            cells.append({**printed, "outputs": [stream]})
        return _notebook(cells)

    # Parts

    @property
    def _title(self) -> str:
        return in_words(self.assignment.title, self._voice)

    def _numbered(self) -> list[tuple[int, Question]]:
        return list(enumerate(self.assignment.questions, 1))

    def _say(self, key: str, **facts: object) -> str:
        return self._voice.say(f"class.sheet.{key}", **facts)

    def _begin(self, name: str) -> str:
        count, own = str(len(self.assignment.questions)), self.assignment.name not in ABOUT_DURAK
        if name:
            text = self._say("begin.own.named" if own else "begin.named", count=count, student=_plain(name))
        else:
            text = self._say("begin.own" if own else "begin", count=count)
        return f"# {self._title}\n\n{text}"

    def _in_code(self) -> str:
        """How an answer is written, by the first question that has an example of that."""
        shown = ((place, kind_called(one.kind).example) for place, one in self._numbered())
        number, answer = next((one for one in shown if one[1]), (1, _NUMBER))
        return self._say("in_code", answer=f"`homework.answer({number}, {answer})`", number=str(number), list='`["9c", "Qd"]`')

    def _which(self, student: str) -> dict[str, str]:
        """Whose questions these are, as code names it."""
        edition = {"edition": self.assignment.edition} if self.assignment.edition else {}
        language = {"language": self.language} if self.language != "en" else {}
        return {"student": student, **edition, **language}

    def _homework(self, student: str, questions: str = "") -> str:
        which = self._which(student) | ({"questions": questions} if questions else {})
        given = ", ".join(f"{word}={_quoted(value)}" for word, value in which.items())
        return f"from durak_widget import lessons\n\nhomework = lessons.homework({_quoted(self.name)}, {given})\nhomework"

    def _head(self, place: int, question: Question) -> str:
        points = self._voice.say("class.points", count=question.points)
        return f"## {place}. {in_words(question.title, self._voice)} <small>({points})</small>"

    def _asked(self, place: int, question: Question) -> list[Cell]:
        """A question: what leads to it, the exercise, and for whoever writes code what to begin with."""
        named = f"class.sheet.next.{question.kind}" in language("en").sentences
        following = self._say(f"next.{question.kind if named else 'other'}")
        first = next((number for number, one in self._numbered() if not kind_called(one.kind).at_once), 0)
        keep = f" {self._say('keep')}" if place == first else ""  # an answer that is chosen is kept by the click
        text = "\n\n".join(part for part in (self._head(place, question), in_words(question.lead, self._voice), following + keep) if part)
        shown = f"# {self._say('question', number=str(place))}\nhomework[{_quoted(question.name)}]"
        cells = [_text(f"question-{place:02}", text), _code(f"exercise-{place:02}", shown, _FOLDED)]
        if kind_called(question.kind).takes_code:
            function = _FUNCTION.format(name=_quoted(question.name), move=getattr(question.make, "first_move", _FIRST_MOVE))
            cells.append(_code(f"code-{place:02}", f"# {self._say('code')}\n{function}", _ASIDE))
        return cells


def written(notebook: dict[str, Any]) -> str:
    """A notebook as a text, as nbformat writes it."""
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
    r"""A text as Python has it, between the quotation marks of the house.

    >>> print(_quoted('Ann "the Fool" Lee'))
    "Ann \"the Fool\" Lee"
    """
    return json.dumps(text, ensure_ascii=False)


def _plain(text: str) -> str:
    r"""A name that means nothing else in Markdown.

    >>> _plain("Ann <b>*Lee*")
    'Ann \\<b\\>\\*Lee\\*'
    """
    return re.sub(r"([\\`*_\[\]<>#|~$&!])", r"\\\1", text)


# Written into a folder


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
    """Write an assignment into a folder: `students/`, in one notebook for all or one for each of the roster, and `teacher/`, with solutions.

    With `nbgrader` the folder is that of a course: what students get is made by nbgrader of `source/`. What was changed there is written over only by `force`.
    With a `word` each notebook has a file of questions beside it, and `teacher/` the word, which stays there.
    """
    if not isinstance(assignment, str):
        raise DurakError(
            'notebooks find their assignment by a name: "econ431", or one of your own as "module:NAME", in a file that lies beside them'
        )
    kept = None if word is None else word_to_hand_out(word)
    sheet = Sheet(assignment, str(edition), language, kept)
    known = Roster.read(roster) if isinstance(roster, (str, os.PathLike)) else roster
    if nbgrader and known is not None:
        raise DurakError("nbgrader gives everybody the same notebook, in which they type their names: leave the roster out, or nbgrader")
    folder, name = Path(path_of(out)), sheet.assignment.name
    files: dict[Path, str] = {}
    if kept is not None:
        if known is None:
            raise DurakError(
                "with a word each student has questions of their own, handed out ready-made: give the names of the class, by --students"
            )
        files |= _sealed(sheet, known.names, folder, kept)
    elif nbgrader:
        files[folder / "source" / name / f"{name}.ipynb"] = written(sheet.student(nbgrader=True))
    elif known is None:
        files[folder / "students" / f"{name}.ipynb"] = written(sheet.student())
    else:
        for student in known.names:
            own = file_name(name, sheet.assignment.edition, student).removesuffix(".receipt.json")
            files[folder / "students" / f"{own}.ipynb"] = written(sheet.student(student))
    if kept is None:
        files[folder / "teacher" / f"{name}.ipynb"] = written(sheet.teacher())
    config = folder / "nbgrader_config.py"
    if nbgrader and not config.exists():
        files[config] = NBGRADER_CONFIG.format(course=json.dumps(re.sub(r"\W+", "-", folder.resolve().name) or name))
    write_files(files, force=force)
    return tuple(files)


def _sealed(sheet: Sheet, students: Iterable[str], folder: Path, word: str) -> dict[Path, str]:
    """The files of an edition with a word: for each student a notebook and the questions; for the teacher the key, and the word."""
    files: dict[Path, str] = {}
    own, voice = sheet.assignment, Voice(sheet.language)
    for student in students:
        name = questions_file(own, student)
        files[folder / "students" / name] = ready_made(own, student)
        files[folder / "students" / f"{name.removesuffix(ENDING)}.ipynb"] = written(sheet.student(student, questions=name))
    secret, stem = word_name(own), questions_file(own, "x").removesuffix(f"-x{ENDING}")
    files[folder / "teacher" / f"{stem}.ipynb"] = written(sheet.teacher(word=secret))
    files[folder / "teacher" / secret] = word_told(own, word, voice)
    return files


def word_name(assignment: Assignment) -> str:
    """What the file is called that keeps the word of an edition."""
    return questions_file(assignment, "x").removesuffix(f"-x{ENDING}") + WORD_ENDING


def word_for(assignment: Assignment | str, edition: str, out: str | PathLike[str]) -> str:
    """The word of an edition that was handed out into that folder before, or else a new one: so the same command writes the same files again."""
    own = to_hand_out(assignment, edition)
    stem = questions_file(own, "x").removesuffix(f"-x{ENDING}")
    there = sorted(Path(path_of(out), "teacher").glob(f"{escaped(stem)}-sealed-*{WORD_ENDING}"))
    if len(there) > 1:
        raise DurakError(f"{there[0].parent} keeps {len(there)} words of this edition: say which is meant, by --word and its file")
    return word_given(there[0]) if there else new_word()


def word_told(assignment: Assignment, word: str, voice: Voice) -> str:
    """What stands in that file."""
    return word_file(word, voice.say("class.word.file", title=in_words(assignment.title, voice), edition=assignment.edition))


def write_files(files: Mapping[Path, str], *, force: bool) -> None:
    """All of these files; none of them where something else lies already, unless it is to be written over."""
    try:
        there = [path for path, text in files.items() if path.exists() and path.read_text(encoding="utf-8", errors="replace") != text]
        if there and not force:
            raise DurakError(f"{there[0]} is there already, and is something else; choose another folder, or write over it with --force")
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_text(path, text, private=path.name.endswith(WORD_ENDING))
    except OSError as error:
        raise DurakError(f"{quoted(str(error.filename))} cannot be written: {error.strerror}") from None


def _nbgrader_cell(
    cell: dict[str, Any], grade_id: str, *, grade: bool = False, solution: bool = False, locked: bool = False
) -> dict[str, Any]:
    told: dict[str, Any] = {
        "grade": grade, "grade_id": grade_id, "locked": locked, "schema_version": 3, "solution": solution, "task": False,
    }  # fmt: skip
    return {**cell, "metadata": {**cell["metadata"], "nbgrader": told}}


def locked_cell(cell: dict[str, Any]) -> dict[str, Any]:
    """A cell that students cannot change: nbgrader lays it again as it was."""
    return _nbgrader_cell(cell, cell["id"], locked=True)


def solution_cell(cell: dict[str, Any], assignment: str, given: str) -> dict[str, Any]:
    """The cell in which a teacher sees all solutions, and students may answer in code: nbgrader takes out what stands between the marks."""
    asked = ", ".join([json.dumps(assignment, ensure_ascii=False), 'student=homework.student or "Guest"', *([given] if given else [])])
    text = f"### BEGIN SOLUTION\nfrom durak_widget.classroom.keys import key\n\nprint(key({asked}))\n### END SOLUTION"
    return _nbgrader_cell({**cell, "source": text.splitlines(keepends=True)}, "solutions", solution=True)


def graded_cell(cell: dict[str, Any], assignment: str, edition: str, question: Question) -> dict[str, Any]:
    """The locked cell that counts the points of a question: it names the question, and neither answers nor tests."""
    asked = ", ".join(
        [json.dumps(assignment, ensure_ascii=False), json.dumps(question.name), *([f"edition={json.dumps(edition)}"] if edition else [])]
    )
    text = f"# {question.name}\nfrom durak_widget.classroom.nbgrading import points\n\npoints({asked})"
    found = _nbgrader_cell({**cell, "source": text.splitlines(keepends=True)}, question.name, grade=True, locked=True)
    found["metadata"]["nbgrader"]["points"] = question.points
    return found
