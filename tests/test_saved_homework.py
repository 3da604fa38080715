"""Read homework that was handed out and handed in before, and check that it earns what it earned.

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


def points(marks):
    """The points of each student for each question, as fractions."""
    return {student: {row.question: str(row.points) for row in marks.get_rows(student)} for student in marks.students}


@pytest.fixture
def saved(tmp_path):
    """A copy of all saved work, which a test may change."""
    return Path(shutil.copytree(SAVED, tmp_path / "saved"))


# Homework


def test_receipts_and_notebooks_earn_what_they_earned(saved, monkeypatch) -> None:
    """By clicks, by code, with imports, damaged, from a notebook: edition 2027 keeps its questions, keys and rule of credit.

    What marking remembered with another version is neither believed nor removed.
    """
    older = saved / "cache" / "durak_widget" / "judged" / f"{'0' * 64}.json"
    older.parent.mkdir(parents=True, mode=0o700)
    shutil.copy(saved / "homework" / "judged.json", older)
    monkeypatch.setenv("XDG_CACHE_HOME", str(saved / "cache"))
    monkeypatch.chdir(saved / "homework")
    marks = lessons.mark("collected", "econ431", roster="class.csv", changes="changes.csv", jobs=0)
    assert points(marks) == EXPECTED["econ431"]
    assert {trouble.file for trouble in marks.problems} == {"econ431-2027-dan-ong.receipt.json", ""}
    assert older.read_bytes() == (SAVED / "homework" / "judged.json").read_bytes()


def test_a_receipt_opens_again_in_a_students_notebook(saved) -> None:
    """Every answer stands where it was: also the code of a bot, with the modules that it imports."""
    folder = saved / "homework" / "collected"
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


def test_what_was_typed_off_paper_is_marked() -> None:
    """The code on the sheet says whose it is and which questions were asked."""
    table = SAVED / "homework" / "typed" / "exam.csv"
    assert points(lessons.mark(table.parent, "econ431", edition="2027", jobs=0, typed=table)) == EXPECTED["typed"]


def test_sealed_questions_are_asked_and_checked() -> None:
    """A choice says nothing before it is marked; of a long number the seals know the right answer and a mistake."""
    tokens = json.loads((SAVED / "homework" / "tokens.json").read_text(encoding="utf-8"))
    choice, number = lessons.sealed(tokens["choice"]), lessons.sealed(tokens["number"])
    choice.answer("nobody")
    assert (choice.last_answer, str(choice.question)) == ("nobody", "Who wins?")
    assert [number.answer(given).right for given in ("3583/4807", "1224/4807", "1/3")] == [True, False, False]


# Notebooks that were handed out


def run_cells(name):
    """The names that the code of a notebook leaves, run cell by cell."""
    space: dict[str, object] = {}
    for cell in json.loads((SAVED / "notebooks" / name).read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), name, "exec"), space)  # noqa: S102 - it is our own notebook
    return space


@pytest.mark.slow
def test_the_students_notebook_runs(tmp_path, monkeypatch, capsys) -> None:
    """Its cells find the package, the assignment and each question by their names."""
    monkeypatch.chdir(tmp_path)
    homework = run_cells("student.ipynb")["homework"]
    assert (homework.student, homework.assignment.edition, len(homework.unanswered_questions)) == ("Eva Kuhn", "2027", 15)
    assert "durak_widget.receipt/1" in capsys.readouterr().out


def test_the_teachers_notebook_runs(capsys) -> None:
    """It prints each question with its solution."""
    key = run_cells("teacher.ipynb")["key"]
    assert (key.student, len(key.assignment.questions)) == ("Guest", 15)
    assert capsys.readouterr().out.count("\n") > 60


def test_the_nbgrader_notebook_runs(tmp_path, monkeypatch, capsys) -> None:
    """Its locked cells still call what they called; for who has handed in nothing they say nothing."""
    monkeypatch.chdir(tmp_path)
    assert run_cells("nbgrader.ipynb")["homework"] is not None
    assert capsys.readouterr().out


# A game of one's own


@pytest.fixture
def own(saved, monkeypatch):
    """The teacher's folder, in which the assignment is found."""
    monkeypatch.chdir(saved / "own")
    monkeypatch.syspath_prepend(saved / "own")
    yield saved / "own"
    sys.modules.pop("newcomer", None)


def test_an_assignment_on_a_game_of_ones_own_is_marked(own) -> None:
    """Students still have the games that they had."""
    assert points(lessons.mark(own / "collected", "newcomer:ASSIGNMENT", edition="2027", jobs=0)) == EXPECTED["newcomer"]


def test_a_sealed_edition_is_marked_with_its_word(own) -> None:
    """The file of the word, the questions that were handed out, and the receipt belong together."""
    assert points(lessons.mark(own / "sealed", "newcomer:ASSIGNMENT", word=own / "word.txt", jobs=0)) == EXPECTED["newcomer, sealed"]


def test_a_file_of_questions_is_opened(own) -> None:
    """The student's questions and answers are there without the word."""
    [file] = (own / "sealed").glob("*.questions.json")
    homework = lessons.homework(
        "newcomer:ASSIGNMENT", student="Ann Lee", edition="2027 sealed NM6PW", folder=own / "sealed", questions=file
    )
    assert (homework.unanswered_questions, homework["plans"].last_answer) == ((4,), "4")


@pytest.mark.slow
def test_the_commands_read_saved_work(saved) -> None:
    """Marking, as a teacher calls it, in a process of its own."""
    told = [sys.executable, "-m", "durak_widget.lessons", "mark", str(saved / "own" / "collected"), "--assignment", "newcomer:ASSIGNMENT"]
    done = subprocess.run([*told, "--edition", "2027", "--jobs", "0"], cwd=saved / "own", capture_output=True, text=True, check=True)
    assert "Ann Lee" in done.stdout
    assert "11 of 11" in done.stdout
