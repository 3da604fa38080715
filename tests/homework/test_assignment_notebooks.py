"""Test notebooks for students and teachers: they are deterministic, and only the teacher's has answers."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path

import nbformat
import pytest

import problem_set as tool
from durak_widget.errors import DurakError
from durak_widget.exercises.exercise_widget import ExerciseWidget
from durak_widget.grading.command_line import main
from durak_widget.homework.answer_key import key
from durak_widget.homework.assignment import get_assignment
from durak_widget.homework.notebook_writer import AssignmentNotebooks, format_notebook, hand_out
from durak_widget.homework.student_homework import UnnamedHomework, homework
from durak_widget.i18n import LANGUAGES, Translator
from support.classroom_small import ASSIGNMENT, MINE

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "problem-set.md").read_text(encoding="utf-8")


def cell_sources(notebook) -> list[str]:
    """Return the sources of its cells."""
    return ["".join(cell["source"]) for cell in notebook["cells"]]


@pytest.mark.slow
def test_notebooks_are_valid_for_nbformat():
    """Test all languages, for students, teachers and nbgrader. Cell ids are unique and deterministic."""
    for code in sorted(LANGUAGES):
        sheet = AssignmentNotebooks("econ431", "2027", code)
        for document in (
            sheet.build_student_notebook(),
            sheet.build_student_notebook("Ann"),
            sheet.build_student_notebook(nbgrader=True),
            sheet.build_teacher_notebook(),
        ):
            text = format_notebook(document)
            found = nbformat.reads(text, as_version=4)
            nbformat.validate(found)
            assert nbformat.writes(found) + "\n" == text
            assert len({cell.id for cell in found.cells}) == len(found.cells)
        assert format_notebook(AssignmentNotebooks("econ431", "2027", code).build_student_notebook()) == format_notebook(
            sheet.build_student_notebook()
        )


def test_every_question_of_the_problem_set_has_an_introduction():
    """The teacher's notebook has notes. Each question ends with what to do next."""
    for code in LANGUAGES:
        voice, text = Translator(code), "\n".join(cell_sources(AssignmentNotebooks("econ431", "2027", code).build_student_notebook()))
        for question in get_assignment("econ431").questions:
            assert question.lead, f"the words lack class.econ431.lead.{question.name} and class.econ431.note.{question.name}"
            assert voice.translate(question.lead.key) in text
            assert voice.translate(question.note.key)
            assert voice.translate(f"class.sheet.next.{question.kind}") in text


def test_the_code_example_answers_the_question_that_it_names():
    """Copying it keeps an answer, because that question asks for a number."""
    for code in sorted(LANGUAGES):
        [cell] = [
            cell
            for cell in AssignmentNotebooks("econ431", "2027", code).build_student_notebook("Ann Lee")["cells"]
            if cell["id"] == "in-code"
        ]
        text = "".join(cell["source"])
        [(place, given)] = re.findall(r'homework\.answer\((\d+), "(.*?)"\)', text)
        assert re.search(rf"question {place}|вопрос {place}|{place} klausimą", text)
        assert homework("econ431", student="Ann Lee", folder=None).answer(int(place), given) is not None


def test_a_chosen_answer_is_named_by_its_button_text():
    """The code's own name is not used."""
    for code in sorted(LANGUAGES):
        answer = key("econ431", student="Ann Lee", language=code).format_solution("players")
        task = get_assignment("econ431").create_exercise("players", "Ann Lee")
        task.language = code
        [right] = task.solution
        assert f": {dict(task.view_model()['items'])[right]}" in answer.replace("\n", " ")
        assert right not in answer.partition("homework.answer(")[0]


def test_student_notebooks_contain_no_answer():
    """Neither right answers nor explanations are there. The teacher's has both."""
    sheet = AssignmentNotebooks("econ431", "2027")
    text = format_notebook(sheet.build_student_notebook("Ann")) + format_notebook(sheet.build_student_notebook(nbgrader=True)).replace(
        "classroom.keys", ""
    )
    solved = key("econ431", student="Ann", edition="2027 rev2")
    teacher = "\n".join(
        output
        for cell in sheet.build_teacher_notebook("Ann")["cells"]
        for shown_output in cell.get("outputs", ())
        for output in ["".join(shown_output["text"])]
    )
    for place in range(1, len(sheet.assignment.questions) + 1):
        explanation = str(solved[place].reveal())
        assert explanation not in text
        assert " ".join(explanation.split()) in " ".join(teacher.split())
        answer = json.dumps(solved[place].solution, default=str)
        assert len(answer) < 9 or answer not in text


def test_a_notebook_shows_its_students_questions(tmp_path, monkeypatch):
    """Its cells, run in order, ask Ann's questions. Without a name each asks for one, and none fails."""
    monkeypatch.chdir(tmp_path)
    for student in ("Ann", ""):
        names: dict[str, object] = {}
        for source in cell_sources(AssignmentNotebooks(MINE, "2027").build_student_notebook(student)):
            if "homework" in source and not source.startswith(("#", "<")):
                exec(source, names)  # noqa: S102 - our own notebook
        work = names["homework"]
        if student:
            assert work[2].question == ASSIGNMENT.with_edition("2027").create_exercise(2, "Ann").question
        else:
            assert work.unanswered_questions == (1, 2, 3)
            assert isinstance(work, UnnamedHomework)
    assert list(tmp_path.iterdir()) == [], "nothing is written before something is answered"


def test_everything_asks_for_a_missing_name(capsys: pytest.CaptureFixture[str]):
    """Test the overview, each question and handing in, live and static."""
    for code in sorted(LANGUAGES):
        work = homework(ASSIGNMENT, student="  ", language=code)
        wanted = Translator(code).translate("class.no_name", example='student="Ann Lee"')
        assert repr(work) == repr(work[1]) == work.static_mimebundle()["text/plain"] == work.view_model()["question"] == wanted
        page = ExerciseWidget(work)
        page._receive_message(None, {"kind": "reload"}, [])  # as when somebody scrolls to it
        assert wanted in json.dumps(page.exercise_view, ensure_ascii=False).replace('\\"', '"')
        assert "look" not in json.dumps(page.exercise_view)
        work.hand_in()
        assert capsys.readouterr().out == wanted + "\n"
        with pytest.raises(DurakError, match='as in student="Ann Lee"'):
            work.answer(1, "9c")
        with pytest.raises(DurakError, match="has no question"):
            work[99]


def test_names_are_escaped_in_notebooks_and_file_names(tmp_path):
    """Any name is plain text in the notebook and makes a safe file name."""
    names = ['Ann "the Fool" Lee', "<b>Bob</b> *x*", "../../etc", "Она", "a\\b"]
    roster = tmp_path / "class.csv"
    with roster.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["name"], *([name] for name in names)])
    written = hand_out(MINE, tmp_path / "out", roster=roster)
    assert len(written) == len(names) + 1
    assert {path.parent for path in written} == {tmp_path / "out" / "students", tmp_path / "out" / "teacher"}
    for name, path in zip(names, written, strict=False):
        found: dict[str, object] = {}
        exec("".join(json.loads(path.read_text(encoding="utf-8"))["cells"][1]["source"]), found)  # noqa: S102 - our own notebook
        assert found["homework"].student == name
        assert "<b>" not in "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])


def test_a_changed_notebook_is_not_overwritten(tmp_path, capsys: pytest.CaptureFixture[str]):
    """A flag allows it. The same command writes the same again."""
    line = ["hand-out", "econ431", "--out", str(tmp_path)]
    assert main(line) == main(line) == 0
    path = tmp_path / "students" / "econ431.ipynb"
    before = path.read_text(encoding="utf-8")
    path.write_text("mine", encoding="utf-8")
    assert main(line) == 1
    assert "--force" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == "mine"
    assert main([*line, "--force"]) == 0
    assert path.read_text(encoding="utf-8") == before


def test_invalid_handouts_are_refused(tmp_path, capsys: pytest.CaptureFixture[str]):
    """Test assignment, language, unwritable places, and a roster with nbgrader."""
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "class.csv").write_text("name\nAnn\n", encoding="utf-8")
    for line in (
        ["econ999", "--out", str(tmp_path)],
        ["econ431", "--out", str(tmp_path / "file")],
        ["econ431", "--out", str(tmp_path), "--language", "xx"],
        ["econ431", "--out", str(tmp_path), "--nbgrader", "--students", str(tmp_path / "class.csv")],
        ["econ431", "--out", str(tmp_path), "--students", str(tmp_path / "none.csv")],
    ):
        assert main(["hand-out", *line]) == 1
        error_text = capsys.readouterr().err
        assert error_text.strip()
        assert "Traceback" not in error_text
    assert main(["hand-out"]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["class.csv", "file"]


def test_graded_cells_contain_only_their_questions_name():
    """They are locked, have the question's points, and reveal nothing."""
    document = AssignmentNotebooks("econ431", "2027").build_student_notebook(nbgrader=True)
    graded_cells = [(cell["metadata"]["nbgrader"], "".join(cell["source"])) for cell in document["cells"] if "nbgrader" in cell["metadata"]]
    assert len({metadata["grade_id"] for metadata, _ in graded_cells}) == len(graded_cells)
    graded = [(metadata, source) for metadata, source in graded_cells if metadata["grade"]]
    assert [(metadata["grade_id"], metadata["points"]) for metadata, _ in graded] == [
        (question.name, question.points) for question in get_assignment("econ431").questions
    ]
    for metadata, source in graded:
        assert (metadata["locked"], metadata["solution"], metadata["schema_version"]) == (True, False, 3)
        assert re.fullmatch(
            rf'# {metadata["grade_id"]}\nfrom durak_widget.classroom.nbgrading import points\n\npoints\("econ431", "{metadata["grade_id"]}", edition="2027 rev2"\)',
            source,
        )
    for metadata, source in graded_cells:
        assert metadata["solution"] == ("BEGIN SOLUTION" in source)


def test_notebook_14_equals_the_output_of_its_tool():
    """`python tools/problem_set.py` writes it, then it is run."""
    fresh = nbformat.reads(format_notebook(tool.made()), as_version=4)
    assert tool.parts(nbformat.read(tool.PLACE, as_version=4)) == tool.parts(fresh)


COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines() if line]


@pytest.mark.slow
def test_the_commands_of_the_docs_page_work(tmp_path, monkeypatch, capsys: pytest.CaptureFixture[str]):
    """They are run in order, and write the files that they name."""
    monkeypatch.chdir(tmp_path)
    Path("class.csv").write_text("name\nAnn Lee\nBob\n", encoding="utf-8")
    for folder in (Path("collected"), Path("course/submitted/ann/econ431")):
        folder.mkdir(parents=True)
        work = homework("econ431", student="Ann Lee", edition="2027", folder=folder)
        work.answer("what-beats-what", get_assignment("econ431", "2027").create_exercise("what-beats-what", "Ann Lee").solution)
    assert len(COMMANDS) == 5
    for line in COMMANDS:
        words = shlex.split(line)
        assert words[0] == "durak-marks"
        asked = words[1:] if words[1] == "hand-out" else ["mark", *words[1:]]
        assert main(asked) == 0, capsys.readouterr().err
    for name in re.findall(r"`((?:econ|course)/[\w/.-]+\.(?:ipynb|py))`", PAGE):
        assert Path(name.replace("econ/students/econ431-2027", "named/students/econ431-2027")).is_file(), name
    for name, points in (("marks.csv", "Ann Lee,what-beats-what,2,2,1,1,,"), ("totals.csv", "Ann Lee")):
        assert points in Path(name).read_text(encoding="utf-8-sig")


def test_an_assignment_without_an_importable_name_is_not_handed_out(tmp_path):
    """A student's notebook could not find it."""
    with pytest.raises(DurakError, match="assignment"):
        hand_out(ASSIGNMENT, tmp_path / "out")
    assert not (tmp_path / "out").exists()
