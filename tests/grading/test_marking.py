"""Test marking: every answer is judged again, with partial credit and reasons, and files do not affect each other."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from fractions import Fraction
from random import Random
from types import FunctionType, ModuleType

import pytest

from durak_widget import DurakError, Game, lessons
from durak_widget.grading import folder_grading
from durak_widget.grading.answer_grading import compute_credit
from durak_widget.grading.command_line import main
from durak_widget.grading.gradebook import Gradebook, GradebookRow, Problem
from durak_widget.homework.assignment import Assignment, Question
from durak_widget.homework.roster import Roster
from durak_widget.sandbox.code_runner import Limits
from support.classroom_handing import FEW, MINE, SMALL, answers, first_cell, notebook, receipt, write_files
from support.classroom_kinds import ASSIGNMENT, coins, few
from support.spoken import english, english_text

CODED = Assignment("coded", "Coded", [Question("strategy", 4, "A strategy", lambda lots: lessons.Strategy(coins(lots)), "strategy")])
VERDICTS = english_text("lesson.not_right"), english_text("lesson.right")


def test_marks_equal_those_of_the_exercise(tmp_path):
    """Points, reason and mistake are the exercise's own, for right and wrong answers of every kind."""
    students = {"Ann": lambda _: True, "Žydrė Лена": lambda place: place % 2}
    answers_by_student = {name: answers(name, right) for name, right in students.items()}
    folder = write_files(
        tmp_path,
        **{f"f{place}_json": receipt(name, answer_records) for place, (name, answer_records) in enumerate(answers_by_student.items())},
    )
    marks = lessons.mark(folder, MINE, jobs=2)
    assert marks.problems == ()
    for row in marks.rows:
        record, question = answers_by_student[row.student][row.question], ASSIGNMENT.questions[ASSIGNMENT.find_question_index(row.question)]
        task = ASSIGNMENT.create_exercise(row.question, row.student)
        task.is_closed = True
        verdict = task.answer(record["answer"])
        assert (row.credit, row.points, row.max_points) == (compute_credit(task), compute_credit(task) * question.points, question.points)
        assert (row.explanation, row.mistake_name, row.attempt_count) == (str(verdict), task.mistake_name, record["attempts"])
        assert bool(verdict) == (row.credit == 1)
    assert marks.sum_points("Ann") == ASSIGNMENT.points
    assert marks.students == ("Ann", "Žydrė Лена")


def test_a_forged_receipt_gains_nothing(tmp_path):
    """Its claims about credit, verdicts and tries are ignored."""
    answer_records = answers("Ann", lambda _: False, SMALL)
    honest = receipt("Ann", answer_records, SMALL)
    forged = {
        name: {**record, "attempts": 10**6, "credit": 1, "right": True, "points": 99, "verdict": "Right."}
        for name, record in answer_records.items()
    }
    gradebooks = [
        lessons.mark(write_files(tmp_path / str(place), a_json=record), SMALL, jobs=0)
        for place, record in enumerate([honest, {**receipt("Ann", forged, SMALL), "points": 99, "credit": {"few": 1}}])
    ]
    assert [(row.points, row.explanation) for row in gradebooks[0].rows] == [(row.points, row.explanation) for row in gradebooks[1].rows]
    assert {row.attempt_count for row in gradebooks[1].rows} == {10**6}
    assert gradebooks[1].sum_points("Ann") < 3


def test_code_runs_in_the_sandbox_and_is_judged(tmp_path):
    """A strategy as code earns the same as its table. Hostile code affects only its own row."""
    half = "def choose(view):\n    return {'heads': '1/2', 'tails': '1/2'}"
    hostile = {
        "Loop": ("while True: pass", english_text("class.code.slow", seconds="1")),
        "Memory": ("x = [0] * 10 ** 9", english_text("class.code.memory", megabytes="300")),
        "Forks": (
            "import os\nfor _ in range(20):\n    os.fork()",
            english_text("class.code.raised.line", error="PermissionError ([Errno 1] Operation not permitted)", line="3"),
        ),
        "Key": (f"open({str(tmp_path / 'ann.json')!r}).read()", ("PermissionError", "FileNotFoundError")),
        "Writes": (f"open({str(tmp_path / 'ann.json')!r}, 'w')", ("PermissionError", "FileNotFoundError")),
        "Rows": (
            "def choose(view):\n    return {'heads': '2', 'tails': '-1'}",
            english_text("class.mark.unread", said="at information set"),
        ),
        "Wrong": ("def choose(view):\n    return 'left'", english_text("class.mark.unread", said="at information set")),
    }
    answers_by_student = {
        "Ann": {"answer": {"code": half}, "attempts": 1},
        "Bob": {"answer": {"begins": {"heads": "1/2", "tails": "1/2"}}, "attempts": 1},
    }
    answers_by_student |= {name: {"answer": {"code": code}, "attempts": 1} for name, (code, _) in hostile.items()}
    for name, record in answers_by_student.items():
        write_files(tmp_path, **{f"{name.lower()}_json": receipt(name, {"strategy": record}, CODED)})
    marks = lessons.mark(tmp_path, CODED, jobs=0, limits=Limits(1, 300))
    rows = {row.student: row for row in marks.rows}
    alone = CODED.create_exercise(1, "Ann")
    alone.is_closed = True
    verdict = alone.answer(answers_by_student["Bob"]["answer"])
    assert (rows["Ann"].credit, rows["Ann"].explanation) == (compute_credit(alone), str(verdict))
    task = CODED.create_exercise(1, "Bob")
    task.is_closed = True
    assert (rows["Bob"].explanation, rows["Bob"].credit) == (str(task.answer(answers_by_student["Bob"]["answer"])), compute_credit(task))
    for name, (_, sentence) in hostile.items():
        assert rows[name].points == 0
        assert (
            any(words in rows[name].explanation for words in (sentence if isinstance(sentence, tuple) else (sentence,)))
            or sys.platform != "linux"
        )
    assert {trouble.file for trouble in marks.problems} <= {"", "rows.json", "wrong.json"}  # unreadable answers are reported
    unrun = lessons.mark(tmp_path, CODED, jobs=0, run_code=False)
    assert {row.student: row for row in unrun.rows}["Ann"].explanation == english_text("class.code.unasked")
    assert {row.student: row for row in unrun.rows}["Bob"] == rows["Bob"]


def test_the_receipt_counts_if_a_cell_cannot_run(tmp_path):
    """Test cells that need missing names, and unreadable answers."""
    answer_records = answers("Ann", assignment=CODED)
    with_receipt = receipt("Ann", answer_records, CODED)
    for place, cell in enumerate(["def mine(view):\n    return loaded[view]\nhomework.answer(1, mine)", "homework.answer(1, 'nobody')"]):
        folder = write_files(tmp_path / str(place), a_ipynb=notebook(first_cell("Ann", "coded"), with_receipt, cell))
        assert lessons.mark(folder, CODED, jobs=0).sum_points("Ann") == 4
    folder = write_files(
        tmp_path / "code",
        a_ipynb=notebook(first_cell("Ann", "coded"), with_receipt, "def mine(view):\n    return 'heads'\nhomework.answer(1, mine)"),
    )
    assert lessons.mark(folder, CODED, jobs=0).sum_points("Ann") < 4  # the last answer counts


def crashing_question(lots):
    """Return a question that kills its process, for one student in four."""
    task = few(lots)
    if lots.random() < 0.25:
        import os  # noqa: PLC0415 - only here

        os._exit(1)
    return task


def failing_question(lots):
    """Raise an error when it is made."""
    raise ZeroDivisionError


FALLING = Assignment("falling", "Falling", [Question("few", 1, "Few", few), Question("falls", 2, "Falls", crashing_question)])
RAISING = Assignment("raising", "Raising", [Question("few", 1, "Few", few), Question("raises", 2, "Raises", failing_question)])


@pytest.mark.slow
def test_a_crash_of_marking_is_reported_in_its_row(tmp_path):
    """Test a question that raises and one that ends the process. Everything else is marked."""
    for place in range(6):
        write_files(
            tmp_path,
            **{
                f"s{place}_json": receipt(
                    f"S{place}", {name: {"answer": "7", "attempts": 1} for name in ("few", "falls", "raises")}, FALLING
                )
            },
        )
    marks = lessons.mark(tmp_path, "test_marking:FALLING", jobs=2)
    fallen = {row.student for row in marks.rows if english("class.mark.failed", kind=english_text("error.ended")).search(row.explanation)}
    assert 0 < len(fallen) < 6
    assert len(marks.rows) == 12
    assert [row for row in marks.rows if row.question == "few" and not row.explanation.startswith(VERDICTS)] == []
    for place in range(6):
        write_files(
            tmp_path,
            **{f"s{place}_json": receipt(f"S{place}", {name: {"answer": "7", "attempts": 1} for name in ("few", "raises")}, RAISING)},
        )
    marks = lessons.mark(tmp_path, RAISING, jobs=2)
    assert {row.explanation for row in marks.rows if row.question == "raises"} == {
        english_text("class.mark.failed", kind="ZeroDivisionError")
    }
    assert all(row.explanation.startswith(VERDICTS) for row in marks.rows if row.question == "few")


@pytest.mark.slow
def test_an_assignment_known_only_to_this_process_is_marked_here(tmp_path, monkeypatch):
    """Other processes can't import its module."""
    module = ModuleType("only_here")
    module.few = FunctionType(few.__code__, few.__globals__, "few")
    module.few.__module__, module.few.__qualname__ = "only_here", "few"
    monkeypatch.setitem(sys.modules, "only_here", module)
    folder = write_files(tmp_path, a_json=receipt("Ann", {"few": {"answer": "7", "attempts": 1}}, SMALL))
    explanations = [lessons.mark(folder, Assignment("small", "Small", [Question("few", 1, "Few", few)]), jobs=1).rows[0].explanation]
    with pytest.warns(UserWarning, match="runs in one process, because .* 'only_here'"):
        marks = lessons.mark(folder, Assignment("small", "Small", [Question("few", 1, "Few", module.few)]), jobs=1, anew=True)
    explanations.append(marks.rows[0].explanation)
    assert len(set(explanations)) == 1
    assert explanations[0].startswith(VERDICTS)


class Trusting(lessons.Number):
    """An exercise that runs its answer, as a student's own notebook may."""

    takes_code = True

    def answer(self, answer):
        """Run code, or ask a bot for a move."""
        if isinstance(answer, dict):
            exec(answer["code"])  # noqa: S102 - that must not happen
        self.earned = Fraction(1, 2) if not isinstance(answer, str) and answer.choose(Game(seed=7).view(0), Random(1)) else Fraction(0)
        return super().answer("1")

    @property
    def last_answer(self):
        """Return None: a bot has no plain form."""
        return None

    @property
    def credit(self):
        """Return what the bot has earned."""
        return self.earned


def test_no_code_runs_outside_the_sandbox(tmp_path):
    """Whatever a question's kind is and wherever code is in an answer, it runs in the sandbox or not at all."""
    asked = {"trusting": lambda _: Trusting("How many?", 1), "few": few}
    for kind in ("", "number"):
        assignment = Assignment("trusting", "Trusting", [Question(name, 1, name, make, kind) for name, make in asked.items()])
        for place, given in enumerate(
            [{"code": code} for code in ("{0}", "{0}\ndef choose(view):\n    return 'take'")] + [{"code": "{0}", "x": 1}, {"code": 1}]
        ):
            program = json.loads(json.dumps(given).replace("{0}", f"open({str(tmp_path / 'x')!r}, 'w')"))
            answer_records = {name: {"answer": program, "attempts": 1} for name in asked}
            write_files(tmp_path, **{f"s{place}_json": receipt(f"S{place}", answer_records, assignment)})
        marks = lessons.mark(tmp_path, assignment, jobs=0)
        assert {row.points for row in marks.rows} == {0}
        assert {row.explanation for row in marks.rows if row.question == "few"} == {english_text("class.mark.no_code")}
        assert not (tmp_path / "x").exists()
        fine = {"trusting": {"answer": {"code": "def choose(view):\n    return view.legal_moves()[0]"}, "attempts": 1}}
        marks = lessons.mark(write_files(tmp_path / f".fine{kind}", a_json=receipt("Ann", fine, assignment)), assignment, jobs=0)
        assert marks.sum_points("Ann") == Fraction(1, 2)


@pytest.mark.slow
def test_marks_do_not_depend_on_the_number_of_processes(tmp_path):
    """The order of files does not matter either."""
    rng = Random(1)
    for place in range(12):
        answer_records = answers(f"S{place}", lambda _: rng.random() < 0.5, SMALL)
        write_files(tmp_path, **{f"{rng.random()}_json": receipt(f"S{place}", answer_records, SMALL)})
    rows = [lessons.mark(tmp_path, FEW, jobs=jobs).rows for jobs in (0, 2)]
    assert rows[0] == rows[1]


def test_no_cell_of_the_table_is_a_formula():
    """Names and file contents are harmless in spreadsheets, and names are complete."""
    names = [
        "=1+1",
        "+cmd|' /C calc'!A0",
        "-2",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        " =1",
        "＝1",
        'a,"b"',
        "Žaneta",
        "Лена",
        "'=1",
        "x;=1",
        "x; +1;-2",
    ]
    rows = [GradebookRow(name, "=file", "=few", Fraction(-1, 3), 1, Fraction(1, 3), 1, "=m", "=said\n=1") for name in names]
    for text in (Gradebook(rows, []).to_csv(), Gradebook(rows, []).totals_to_csv()):
        cells = list(csv.reader(io.StringIO(text)))
        assert len(cells) == len(names) + 1
        assert not [line for line in text.splitlines()[1:] for cell in line.split(";")[1:] if cell.strip().startswith(("=", "+", "-", "@"))]
        assert not [
            cell
            for row in cells[1:]
            for cell in row
            if cell.startswith(("=", "+", "@", "\t", "\r", "＝")) or (cell[:1] == "-" and not cell[1:2].isdigit())
        ]
        assert {"Žaneta", "Лена", 'a,"b"', "'=1"} <= {row[0] for row in cells}


def test_the_printed_table_has_aligned_columns():
    """Names of any script and points are aligned, with mistakes below."""
    rows = [
        GradebookRow(name, "f", "few", Fraction(1, place), 2, Fraction(1, 2), 1, "", "")
        for place, name in enumerate(["Ann", "Лена", "李明", "x" * 99], 1)
    ]
    lines = str(Gradebook(rows, [Problem("", "A."), Problem("b.json", "B.")])).splitlines()
    assert lines[0].split() == ["student", "1", "points"]
    assert lines[3].startswith("李明" + " " * 26)
    assert {line.index(" of ") for line in (lines[1], lines[2], lines[4])} == {lines[1].index(" of ")}
    assert lines[5:] == ["", "1 few", "", "A.", "b.json: B."]
    assert "handed in" in str(Gradebook([], []))


def test_rosters_are_read_in_many_formats():
    """Test headers, one or two columns, commas, semicolons and tabs. Shared groups name nobody."""
    for text, names in (
        ("Ann\nBob\n", ("Ann", "Bob")),
        ("name\nAnn\n\nBob\n", ("Ann", "Bob")),
        ('Student,ID\n"Lee, Ann",7\n', ("Ann Lee",)),
        ("Vardas\tPavardė\nŽydrė\tPetraitė\n", ("Žydrė Petraitė",)),
        ("Фамилия;Имя;Группа\nПетрова;Лена;1\nИванов;Пётр;1\n", ("Лена Петрова", "Пётр Иванов")),
        ("id,last name\n1,Lee\n,\n", ("Lee",)),
    ):
        roster = Roster.from_text(text)
        assert roster.names == names
        assert all(roster.find_canonical_name(name.upper()) == roster.find_canonical_name(name) for name in names)
        assert roster.find_canonical_name("1") in {"1", "lee"}


def test_the_command_marks_and_reports_errors(tmp_path, capsys):
    """`durak-marks` prints a table, writes two spreadsheet files, and gives a message and exit code for each wrong argument."""
    folder, out, totals = (
        write_files(tmp_path / "in", a_json=receipt("Žaneta", assignment=SMALL, kept=answers("Žaneta", assignment=SMALL))),
        tmp_path / "m.csv",
        tmp_path / "t.csv",
    )
    command = ["mark", str(folder), "--assignment", FEW, "--jobs", "0"]
    assert main([*command, "--out", str(out), "--totals", str(totals), "--language", "lt"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["Žaneta", "1", "1", "1", "3", "of", "3"]
    assert out.read_bytes().startswith(b"\xef\xbb\xbfstudent,question,")
    assert list(csv.reader(io.StringIO(totals.read_text(encoding="utf-8-sig"))))[1] == ["Žaneta", "1", "1", "1", "3", "3"]
    assert next(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8-sig"))))["said"].startswith("Teisingai")
    for arguments, code, sentence in [
        (["mark"], 2, "folder"),
        ([*command, "--what"], 2, "--what"),
        ([*command, "--jobs", "x"], 2, "--jobs"),
        ([*command, "--jobs", "-1"], 1, "jobs must be"),
        (["mark", str(tmp_path / "none"), *command[2:]], 1, "folder"),
        (["mark", str(folder), "--assignment", "econ413"], 1, "there is no assignment 'econ413'"),
        ([*command, "--roster", str(tmp_path / "none.csv")], 1, "roster"),
        ([*command, "--out", str(tmp_path / "none" / "m.csv")], 1, "there is no folder for"),
        ([*command, "--edition", "a/b"], 1, "short text"),
        ([*command, "--language", "xx"], 1, "xx"),
    ]:
        assert main(arguments) == code, arguments
        heard = capsys.readouterr()
        assert sentence in heard.err
        assert "Traceback" not in heard.err
    with pytest.raises(DurakError, match=r"jobs .*'2'"):
        lessons.mark(folder, SMALL, jobs="2")


def test_the_command_runs_in_its_own_process(tmp_path):
    """A teacher types it like that."""
    folder = write_files(tmp_path, a_json=receipt("Ann", {}, SMALL))
    here = [sys.executable, "-m", "durak_widget.lessons", "mark", str(folder), "--assignment", FEW, "--jobs", "0"]
    done = subprocess.run(
        here, capture_output=True, text=True, check=False, env={**folder_grading.os.environ, "PYTHONPATH": ":".join(sys.path)}
    )
    assert done.returncode == 0, done.stderr
    assert english("class.file.nothing").search(done.stdout.splitlines()[-1])


def test_marking_changes_nothing_in_the_folder(tmp_path):
    """It writes no files there either."""
    folder = write_files(
        tmp_path,
        a_json=receipt("Ann", answers("Ann", assignment=SMALL), SMALL),
        b_ipynb="{",
        c_ipynb=notebook(first_cell("Bob", "small"), "homework.answer(2, 7)"),
    )
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    lessons.mark(folder, SMALL, jobs=0)
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()} == before


def test_oversized_files_are_read_with_limits(tmp_path):
    """Test a thousand answers, unknown questions and long names: known questions are marked, the rest is reported."""
    answer_records = {
        **answers("Ann", assignment=SMALL),
        **{f"q{place}": {"answer": place, "attempts": 1} for place in range(1000)},
        "": {"answer": 1, "attempts": 1},
    }
    marks = lessons.mark(write_files(tmp_path, a_json=json.dumps(receipt("Ann", answer_records, SMALL))), SMALL, jobs=0)
    assert marks.sum_points("Ann") == 3
    assert len(marks.rows) == 3


def test_marking_reads_what_homework_writes(tmp_path):
    """The receipt and the `hand_in` output, alone or together, earn full marks."""
    for student, source in {"Ann": "both", "Bob": "receipt", "Žydrė": "notebook"}.items():
        folder = tmp_path / student
        folder.mkdir()
        homework = lessons.homework(ASSIGNMENT, student=student, folder=folder)
        for question in ASSIGNMENT.questions:
            homework.answer(question.name, ASSIGNMENT.create_exercise(question.name, student).solution)
        with_output = notebook(first_cell(student), "homework.hand_in()")
        with_output["cells"][1]["outputs"] = [{"output_type": "display_data", "data": homework.build_receipt_output(), "metadata": {}}]
        if source != "receipt":
            write_files(folder, work_ipynb=with_output)
        if source == "notebook":
            homework.receipt_path.unlink()
    marks = lessons.mark(tmp_path, ASSIGNMENT, jobs=0)
    assert {name: marks.sum_points(name) for name in marks.students} == dict.fromkeys(("Ann", "Bob", "Žydrė"), ASSIGNMENT.points)
    assert marks.problems == ()
