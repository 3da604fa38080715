"""Test old homework: it can still be read, and earns what it earned.

`tests/data/saved/README.md` says what each file is. These files are never made again.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from durak_widget import lessons

SAVED = Path(__file__).parent / "data" / "saved"
EXPECTED = json.loads((SAVED / "homework" / "expected.json").read_text(encoding="utf-8"))


def points_by_question(marks):
    """Return the points of each student for each question, as fractions."""
    return {student: {row.question: str(row.points) for row in marks.get_rows(student)} for student in marks.students}


@pytest.fixture
def saved_copy(tmp_path):
    """Return a copy of all saved work, which a test may change."""
    return Path(shutil.copytree(SAVED, tmp_path / "saved"))


# Homework


def test_receipts_and_notebooks_earn_the_same_as_before(saved_copy, monkeypatch) -> None:
    """Test clicks, code, imports, damaged files and notebooks: edition 2027 keeps questions, keys and rules.

    Verdicts stored by another version are neither used nor deleted.
    """
    older = saved_copy / "cache" / "durak_widget" / "judged" / f"{'0' * 64}.json"
    older.parent.mkdir(parents=True, mode=0o700)
    shutil.copy(saved_copy / "homework" / "judged.json", older)
    monkeypatch.setenv("XDG_CACHE_HOME", str(saved_copy / "cache"))
    monkeypatch.chdir(saved_copy / "homework")
    marks = lessons.mark("collected", "econ431", roster="class.csv", changes="changes.csv", jobs=0)
    assert points_by_question(marks) == EXPECTED["econ431"]
    assert {trouble.file for trouble in marks.problems} == {"econ431-2027-dan-ong.receipt.json", ""}
    assert older.read_bytes() == (SAVED / "homework" / "judged.json").read_bytes()


def test_a_receipt_opens_again_in_a_students_notebook(saved_copy) -> None:
    """Every answer is there, also the code of a bot with its imports."""
    folder = saved_copy / "homework" / "collected"
    ann = lessons.homework("econ431", student="ann lee", edition="2027", folder=folder)
    assert (ann.unanswered_questions, ann["bot"].last_answer, ann["dominance"].last_answer[0]) == (
        (),
        {"lead": "low", "beat": "low", "take": "never", "throw": "all"},
        [0, 1],
    )
    shutil.copy(folder / "cleo.receipt.json", folder / "econ431-2027-cleo-díaz.receipt.json")
    cleo = lessons.homework("econ431", student="Cleo Díaz", edition="2027", folder=folder)
    assert "from durak_widget.words._voice import Fact" in cleo["bot"].last_answer["code"]
    dan = lessons.homework("econ431", student="Dan Ong", edition="2027", folder=folder)
    assert (len(dan.unanswered_questions), (folder / "econ431-2027-dan-ong.receipt.unreadable").is_file()) == (15, True)


def test_answers_typed_from_paper_are_marked() -> None:
    """The code on the sheet gives the student and the questions."""
    table = SAVED / "homework" / "typed" / "exam.csv"
    assert points_by_question(lessons.mark(table.parent, "econ431", edition="2027", jobs=0, typed=table)) == EXPECTED["typed"]


def test_sealed_questions_can_be_asked_and_checked() -> None:
    """A choice gets no verdict before marking; long numbers know the right answer and a mistake."""
    tokens = json.loads((SAVED / "homework" / "tokens.json").read_text(encoding="utf-8"))
    choice, number = lessons.sealed(tokens["choice"]), lessons.sealed(tokens["number"])
    choice.answer("nobody")
    assert (choice.last_answer, str(choice.question)) == ("nobody", "Who wins?")
    assert [number.answer(given).right for given in ("3583/4807", "1224/4807", "1/3")] == [True, False, False]


# Notebooks that were handed out


def run_cells(name):
    """Return the names left by the code of a notebook, run cell by cell."""
    space: dict[str, object] = {}
    for cell in json.loads((SAVED / "notebooks" / name).read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), name, "exec"), space)  # noqa: S102 - it is our own notebook
    return space


@pytest.mark.slow
def test_the_students_notebook_runs(tmp_path, monkeypatch, capsys) -> None:
    """Its cells find the package, the assignment and each question by name."""
    monkeypatch.chdir(tmp_path)
    homework = run_cells("student.ipynb")["homework"]
    assert (homework.student, homework.assignment.edition, len(homework.unanswered_questions)) == ("Eva Kuhn", "2027", 15)
    assert "durak_widget.receipt/2" in capsys.readouterr().out


def test_the_teachers_notebook_runs(capsys) -> None:
    """It prints each question with its solution."""
    key = run_cells("teacher.ipynb")["key"]
    assert (key.student, len(key.assignment.questions)) == ("Guest", 15)
    assert capsys.readouterr().out.count("\n") > 60


def test_the_nbgrader_notebook_runs(tmp_path, monkeypatch, capsys) -> None:
    """Its locked cells still work. Without a submission they say nothing."""
    monkeypatch.chdir(tmp_path)
    assert run_cells("nbgrader.ipynb")["homework"] is not None
    assert capsys.readouterr().out


# A custom game


@pytest.fixture
def custom_assignment_folder(saved_copy, monkeypatch):
    """Return the teacher's folder with the assignment."""
    monkeypatch.chdir(saved_copy / "own")
    monkeypatch.syspath_prepend(saved_copy / "own")
    yield saved_copy / "own"
    sys.modules.pop("newcomer", None)


def test_an_assignment_on_a_custom_game_is_marked(custom_assignment_folder) -> None:
    """Students still have the same games."""
    assert (
        points_by_question(lessons.mark(custom_assignment_folder / "collected", "newcomer:ASSIGNMENT", edition="2027", jobs=0))
        == EXPECTED["newcomer"]
    )


def test_a_sealed_edition_is_marked_with_its_word(custom_assignment_folder) -> None:
    """The word file, the questions and the receipt belong together."""
    assert (
        points_by_question(
            lessons.mark(custom_assignment_folder / "sealed", "newcomer:ASSIGNMENT", word=custom_assignment_folder / "word.txt", jobs=0)
        )
        == EXPECTED["newcomer, sealed"]
    )


def test_a_file_of_questions_can_be_opened(custom_assignment_folder) -> None:
    """The student's questions and answers are there without the word."""
    [file] = (custom_assignment_folder / "sealed").glob("*.questions.json")
    homework = lessons.homework(
        "newcomer:ASSIGNMENT", student="Ann Lee", edition="2027 sealed NM6PW", folder=custom_assignment_folder / "sealed", questions=file
    )
    assert (homework.unanswered_questions, homework["plans"].last_answer) == ((4,), "4")


@pytest.mark.slow
def test_the_commands_read_old_work(saved_copy) -> None:
    """Marking runs in its own process, as a teacher calls it."""
    command = [
        sys.executable,
        "-m",
        "durak_widget.lessons",
        "mark",
        str(saved_copy / "own" / "collected"),
        "--assignment",
        "newcomer:ASSIGNMENT",
    ]
    done = subprocess.run(
        [*command, "--edition", "2027", "--jobs", "0"], cwd=saved_copy / "own", capture_output=True, text=True, check=True
    )
    assert "Ann Lee" in done.stdout
    assert "11 of 11" in done.stdout
