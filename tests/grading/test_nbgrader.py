"""Test nbgrader with all of Econ 431: right, half right and wrong submissions get the same marks as from `lessons.mark`."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import sys
import warnings
from pathlib import Path

import nbformat
import pytest

from durak_widget import lessons
from durak_widget.homework.answer_key import key
from durak_widget.homework.assignment import get_assignment
from durak_widget.homework.notebook_writer import hand_out
from durak_widget.homework.receipt import Receipt, StoredAnswer, format_receipt_file_name

EDITION = "2027"
OURS, NAME = get_assignment("econ431").with_edition(EDITION), "econ431"
PLACES = {question.name: place for place, question in enumerate(OURS.questions, 1)}
NUMBERS = {PLACES[name] for name in ("how-many-ways", "how-likely", "mixed-equilibrium", "attack-first")}
NAMES = {"s1": "Ann Lee", "s2": "Bob", "s3": "Она"}
"""Names in the notebooks by nbgrader's names: all right, half right, all wrong."""


def nbgrader_api(course: Path):
    """Return nbgrader's interface for a course."""
    from nbgrader.apps import NbGraderAPI  # noqa: PLC0415 - where it is installed
    from traitlets.config import Config  # noqa: PLC0415 - as above

    config = Config()
    config.CourseDirectory.root = str(course)
    config.ClearSolutions.code_stub = {"python": "# Your code, if you like"}
    config.Execute.timeout = 300
    return NbGraderAPI(config=config)


def answer_to(student: str, place: int, *, right: bool) -> object:
    """Return an answer as given by a click: right, a named mistake, or partly right."""
    task = OURS.create_exercise(place, student)
    if right or not hasattr(task, "mistakes"):
        task.answer(task.solution)
        stored = json.loads(json.dumps(task.last_answer))
        if right or task.kind == "bot":
            return stored if right else {**stored, "lead": "high", "throw": "none"}
        half = len(stored) // 2
        return dict(list(stored.items())[:half]) if isinstance(stored, dict) else stored[:half]
    return str(next(iter(task.mistakes.values())))


def answers(student: str, *, right: set[int], wrong: set[int]) -> dict[str, StoredAnswer]:
    """Return answers to these questions."""
    names = [question.name for question in OURS.questions]
    return {names[place - 1]: StoredAnswer(answer_to(student, place, right=place in right), 1) for place in sorted(right | wrong)}


def submission_folder(folder: Path, released: Path, student: str, kept: dict[str, StoredAnswer], *more: str, forged: str = "") -> None:
    """Write a student's folder: the notebook with name and more cells, and the receipt."""
    folder.mkdir(parents=True)
    notebook = nbformat.read(released, as_version=4)
    first = notebook.cells[1]
    assert 'student=""' in first.source
    first.source = first.source.replace('student=""', f"student={student!r}")
    place = next(n for n, cell in enumerate(notebook.cells) if "homework.hand_in()" in cell.source)
    notebook.cells[place:place] = [nbformat.v4.new_code_cell(source) for source in more]
    if forged:
        for cell in notebook.cells:
            if cell.metadata.get("nbgrader", {}).get("grade"):
                cell.source = forged
    nbformat.write(notebook, folder / released.name)
    if kept:
        receipt = Receipt(NAME, EDITION, student, kept)
        (folder / format_receipt_file_name(NAME, EDITION, student)).write_text(receipt.to_text(), encoding="utf-8")


@pytest.fixture(scope="module")
def submitted_answers() -> dict[str, dict[str, StoredAnswer]]:
    """Return what each student has answered."""
    every = set(PLACES.values())
    odd = {place for place in every if place % 2}
    return {
        "s1": answers(NAMES["s1"], right=every, wrong=set()),
        "s2": answers(NAMES["s2"], right=odd, wrong=every - odd),
        "s3": answers(NAMES["s3"], right=set(), wrong=NUMBERS),
    }


@pytest.fixture(scope="module")
def course(submitted_answers: dict[str, dict[str, StoredAnswer]], tmp_path_factory: pytest.TempPathFactory):
    """Return a course with the marked submissions of three students."""
    pytest.importorskip("nbgrader", reason="nbgrader is not installed: it wants Python 3.11 or later", exc_type=ImportError)
    root = tmp_path_factory.mktemp("course")
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nbgrader's own tools
        patch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))  # it runs alembic
        homes = [str(Path(lessons.__file__).parents[2]), str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        patch.setenv("PYTHONPATH", os.pathsep.join(homes))
        patch.chdir(root)
        hand_out(NAME, root, edition=EDITION, nbgrader=True)
        grader = nbgrader_api(root)
        done = grader.generate_assignment(NAME, force=True)
        assert done["success"], done
        released = root / "release" / NAME / f"{NAME}.ipynb"
        hand = {who: root / "submitted" / who / NAME for who in NAMES}
        codes = [f"homework.answer({question!r}, {answer.answer!r})" for question, answer in submitted_answers["s1"].items()]
        submission_folder(hand["s1"], released, NAMES["s1"], {}, *codes)
        submission_folder(hand["s2"], released, NAMES["s2"], submitted_answers["s2"])
        submission_folder(hand["s3"], released, NAMES["s3"], submitted_answers["s3"], "homework = None", forged="99")
        for name in ("timestamp.txt", "submission_secret.txt"):  # like `nbgrader collect`
            (hand["s2"] / name).write_text("2027-03-01 12:00:00.000000 UTC", encoding="utf-8")
        for who in NAMES:
            done = grader.autograde(NAME, who)
            assert done["success"], done
            done = grader.generate_feedback(NAME, who)
            assert done["success"], done
        yield root


def points_in_gradebook(course: Path, who: str) -> dict[str, float]:
    """Return nbgrader's points, by question."""
    from nbgrader.api import Gradebook  # noqa: PLC0415 - where it is installed

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        found = book.find_submission_notebook(NAME, NAME, who)
        return {grade.name: grade.score for grade in found.grades}


@pytest.mark.release
def test_nbgrader_receipts_and_the_command_give_the_same_points(
    course: Path, submitted_answers: dict[str, dict[str, StoredAnswer]], tmp_path: Path
):
    """Test all fifteen questions: clicks, cells, and changed graded cells."""
    for who, stored_answers in submitted_answers.items():
        (tmp_path / f"{who}.json").write_text(Receipt(NAME, EDITION, NAMES[who], stored_answers).to_text(), encoding="utf-8")
    command = lessons.mark(course / "submitted", NAME, edition=EDITION, jobs=2)
    receipts = lessons.mark(tmp_path, NAME, edition=EDITION, jobs=2)
    assert sorted(command.students) == sorted(receipts.students) == sorted(NAMES.values())
    for who, name in NAMES.items():
        wanted = {row.question: row.points for row in command.get_rows(name)}
        assert {row.question: row.points for row in receipts.get_rows(name)} == wanted
        assert points_in_gradebook(course, who) == pytest.approx(
            {question: float(credits_by_question) for question, credits_by_question in wanted.items()}, abs=1e-5
        ), name
    assert command.sum_points("Ann Lee") == OURS.points
    assert command.sum_points("Она") == 0
    credits_by_question = {row.question: row.credit for row in command.get_rows("Bob")}
    assert all(credits_by_question[question] == 1 for question, place in PLACES.items() if place % 2)
    assert sum(0 < credit < 1 for credit in credits_by_question.values()) > 2, "something is to be half right"
    assert [trouble for trouble in command.problems if trouble.file] == []


def secrets(student: str, known: set[int] = frozenset()) -> list[str]:
    """Return what students must not read: long answers and their explanations, except known ones."""
    solved, found = key(OURS, student=student), []
    for place in {*PLACES.values()} - known:
        task = solved[place]
        found += [line for line in str(task.reveal()).split(". ") if len(line) > 25]
        if isinstance(task.solution, list):
            found.append(", ".join(map(str, task.solution)))
            found.append(json.dumps(task.solution))
    return [text for text in found if len(text) > 5]


@pytest.mark.release
def test_released_files_and_feedback_contain_no_answers(course: Path):
    """Neither right answers nor explanations are there, except those the student gave."""
    released = (course / "release" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")
    assert "SOLUTION" not in released
    assert "classroom.keys" not in released
    for name in ("Guest", *NAMES.values()):
        assert [secret for secret in secrets(name) if secret in released] == []
    for who in ("s2", "s3"):
        page = (course / "feedback" / who / NAME / f"{NAME}.html").read_text(encoding="utf-8")
        text = html.unescape(re.sub(r"<[^>]*>", "", page))
        assert text.count("points(") == len(OURS.questions)
        assert "rror" not in text.partition("From here on")[2]
        known = {place for place in PLACES.values() if place % 2 and who == "s2"}
        revealed = [secret for secret in secrets(NAMES[who], known) if secret in page or secret in text]
        assert revealed == [], who


def test_graded_cells_reveal_nothing_to_a_student(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Running them does not say whether an answer is right."""
    from durak_widget.grading.nbgrader_points import points as asked  # noqa: PLC0415

    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    assert asked(NAME, "how-likely", edition=EDITION) is None
    assert capsys.readouterr().out == ""


@pytest.mark.release
def test_a_receipt_written_while_the_notebook_runs_gains_nothing(course: Path, tmp_path: Path):
    """Only the receipt handed in counts."""
    there = course / "autograded" / "s3" / NAME
    assert there.is_dir()
    answer_records = answers(NAMES["s3"], right={PLACES["what-beats-what"]}, wrong=set())
    receipt = Receipt(NAME, EDITION, NAMES["s3"], answer_records)
    shutil.copytree(course, tmp_path / "course")
    there = tmp_path / "course" / "autograded" / "s3" / NAME
    (there / format_receipt_file_name(NAME, EDITION, NAMES["s3"])).write_text(receipt.to_text(), encoding="utf-8")
    from durak_widget.grading.nbgrader_points import grade_student_folder, points as asked  # noqa: PLC0415, I001 - one import statement

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NBGRADER_EXECUTION", "autograde")
        assert asked(NAME, "what-beats-what", edition=EDITION, folder=there) == 0
    assert grade_student_folder(there, NAME, EDITION)["what-beats-what"] == 2
