"""Test revisions of an assignment: the edition decides, old work is marked as before, and receipts can't choose."""

from __future__ import annotations

import json

import pytest

from durak_widget import DurakError, lessons
from durak_widget.grading.answer_grading import compute_credit
from durak_widget.grading.class_report_page import class_report
from durak_widget.grading.command_line import hand_out_command
from durak_widget.grading.nbgrader_points import grade_student_folder
from durak_widget.homework.assignment import Assignment, Question, get_assignment
from durak_widget.homework.notebook_writer import AssignmentNotebooks
from durak_widget.homework.question_file import load_questions_file
from support.classroom_handing import first_cell, notebook, receipt, write_files

ASKED = ("strategic-form", "dominance", "how-likely")
NAMES = ("Ann", "Ben", "Cleo")


def receipt_of(student: str, edition: str, *, blind: bool = False) -> dict[str, object]:
    """Return a receipt with right answers, or with the same number everywhere."""
    year = get_assignment("econ431", edition)
    answers = {}
    for name in ASKED:
        task = year.create_exercise(name, student)
        task.answer(["-1"] * 12 if blind and name == "strategic-form" else task.solution)
        answers[name] = {"answer": json.loads(json.dumps(task.last_answer)), "attempts": 1}
    return receipt(student, answers, year)


def write_submissions(folder, editions, **how):
    """Write the submissions of three students, each of an edition."""
    return write_files(
        folder, **{f"{name.casefold()}_json": receipt_of(name, edition, **how) for name, edition in zip(NAMES, editions, strict=False)}
    )


def mark_folder(folder, edition, **options):
    """Return the marks."""
    return lessons.mark(folder, "econ431", edition=edition, jobs=0, **options)


def test_the_year_alone_marks_the_revision_handed_in(tmp_path):
    """All right answers earn everything in either revision."""
    for edition in ("2027", "2027 rev2"):
        marks = mark_folder(write_submissions(tmp_path, [edition] * 3), "2027")
        assert marks.assignment.edition == edition
        assert {row.credit for row in marks.rows if row.question in ASKED} == {1}


def test_the_rule_of_credit_follows_the_edition(tmp_path):
    """The same number everywhere earns something in the old revision, also from the store, and nothing in the new one."""
    for edition, paid in (("2027", True), ("2027 rev2", False)):
        folder = write_submissions(tmp_path, [edition] * 3, blind=True)
        for _ in range(2):
            rows = [row for row in mark_folder(folder, "2027").rows if row.question == "strategic-form"]
            assert any(row.credit for row in rows) is paid
            expected = []
            for row in rows:
                task = get_assignment("econ431", edition).create_exercise("strategic-form", row.student)
                task.answer(["-1"] * 12)
                expected.append(compute_credit(task))
            assert [row.credit for row in rows] == expected


def test_mixed_revisions_are_refused_until_one_is_named(tmp_path):
    """Counts are given. A receipt with a changed edition belongs to that edition."""
    folder = write_submissions(tmp_path, ["2027 rev2", "2027 rev2", "2027"])
    with pytest.raises(DurakError, match=r"2 revisions of econ431.*students: 2027 rev2 \(2\), 2027 rev1 \(1\)"):
        mark_folder(folder, "2027")
    with pytest.raises(DurakError, match=r"2 editions of econ431 .* 2027 rev2 \(2\), 2027 \(1\)"):
        mark_folder(folder, None)
    for edition, names in (("2027 rev2", ["Ann", "Ben"]), ("2027 rev1", ["Cleo"])):
        marks = mark_folder(folder, edition)
        assert [*marks.students] == names
        assert {row.credit for row in marks.rows if row.question in ASKED} == {1}
        assert sum("another edition" in problem.sentence for problem in marks.problems) == 3 - len(names)
    with pytest.raises(DurakError, match="1 to 2"):
        mark_folder(folder, "2027 rev7")


def test_revision_one_in_a_cell_means_the_plain_edition(tmp_path):
    """`2027 rev1` is `2027` in cells, receipts and commands."""
    write_files(tmp_path, ann_ipynb=notebook(first_cell("Ann", "econ431", ', edition="2027 rev1"'), "homework.answer('how-likely', '1/2')"))
    assert mark_folder(tmp_path, "2027").assignment.edition == "2027"
    assert lessons.homework("econ431", student="Ann", edition="2027 rev1", folder=None).receipt["edition"] == "2027"


@pytest.mark.slow
def test_handouts_name_their_revision(tmp_path):
    """Test notebooks, nbgrader, paper and secret editions. The old revision appears only on request."""
    roster = tmp_path / "class.csv"
    roster.write_text("name\nAnn\n", encoding="utf-8")
    cell = {
        edition: "".join(AssignmentNotebooks("econ431", edition).build_student_notebook("Ann")["cells"][1]["source"])
        for edition in ("2027", "2027 rev1", "")
    }
    assert [value.count("rev2") for value in cell.values()] == [1, 0, 1]
    assert '"2027 rev2"' in json.dumps(AssignmentNotebooks("econ431", "2027").build_student_notebook(nbgrader=True)).replace('\\"', '"')
    hand_out_command(["econ431", "--edition", "2027", "--out", str(tmp_path / "books"), "--students", str(roster)])
    assert (tmp_path / "books" / "students" / "econ431-2027-rev2-ann.ipynb").is_file()
    hand_out_command(
        ["econ431", "--edition", "2027", "--out", str(tmp_path / "word"), "--students", str(roster), "--word", "willow by the brook"]
    )
    [questions] = (tmp_path / "word" / "students").glob("*.questions.json")
    sealed = load_questions_file(questions, "Ann").edition
    assert sealed.startswith("2027 rev2 sealed ")
    task = get_assignment("econ431").with_edition(sealed).with_passphrase("willow by the brook").create_exercise("how-likely", "Ann")
    answers = {"how-likely": {"answer": task.solution[0], "attempts": 1}}
    folder = write_files(tmp_path / "in", ann_json=receipt("Ann", answers, get_assignment("econ431").with_edition(sealed)))
    marks = mark_folder(folder, "2027", word="willow by the brook")
    assert (marks.assignment.edition, marks.sum_points("Ann")) == (sealed, 3)


def test_a_typed_table_belongs_to_the_printed_revision(tmp_path):
    """It has an edition column, or the codes are enough."""
    for column in (True, False):
        roster = tmp_path / "class.csv"
        roster.write_text("name\nAnn\nBen\n", encoding="utf-8")
        ask = ["econ431", "--edition", "2027", "--students", str(roster), "--paper", "--questions", "5", "--out", str(tmp_path / "exam")]
        hand_out_command(ask)
        head, *rows = (tmp_path / "exam" / "teacher" / "econ431-2027-rev2.csv").read_text(encoding="utf-8-sig").splitlines()
        right = [get_assignment("econ431", "2027 rev2").create_exercise("how-likely", name).solution[0] for name in ("Ann", "Ben")]
        lines = [[*row.split(",")[:3], answer] for row, answer in zip(rows, right, strict=True)]
        table = [head.split(","), *lines]
        typed = tmp_path / "typed.csv"
        typed.write_text("\n".join(",".join(line if column else [*line[:2], *line[3:]]) for line in table) + "\n", encoding="utf-8")
        marks = mark_folder(typed, "2027", roster=roster)
        assert (marks.assignment.edition, [marks.sum_points(name) for name in ("Ann", "Ben")]) == ("2027 rev2", [3, 3])


@pytest.mark.slow
def test_nbgrader_marks_by_the_edition_of_its_locked_cell(tmp_path):
    """A changed edition in the receipt does not change the rule."""
    for edition in ("2027", "2027 rev2"):
        for other in ("2027", "2027 rev2"):
            folder = write_files(tmp_path / f"{edition} {other}", ann_json=receipt_of("Ann", other))
            assert (grade_student_folder(folder, "econ431", edition)["how-likely"] > 0) is (edition == other)


def test_the_class_report_names_its_revision(tmp_path):
    """It is in the title."""
    assert "2027 rev2" in class_report(write_submissions(tmp_path, ["2027 rev2"] * 3), "econ431", edition="2027", jobs=0).html


def test_impossible_revisions_are_refused(tmp_path):
    """They would be taken for plain editions, so such receipts do not count."""
    for edition in ("2027 rev0", "rev10", "2027 Rev2"):
        with pytest.raises(DurakError, match="1 to 9"):
            get_assignment("econ431", edition)
        folder = write_files(
            tmp_path,
            ann_json={**receipt("Ann", {"moves": {"answer": "7", "attempts": 1}}, get_assignment("econ431", "2027")), "edition": edition},
        )
        marks = lessons.mark(folder, "econ431", edition="2027", jobs=0)
        assert not marks.rows
        assert any(trouble.file == "ann.json" for trouble in marks.problems)


def test_an_assignment_without_revisions_may_use_such_an_edition_name():
    """It is an ordinary name there, otherwise all have the same questions."""
    sums = [Question("one", 1, "A sum", lambda lots: lessons.Number(f"{lots.random()}?", 2), "number")]
    alone = Assignment("sums", "Sums", sums, "spring rev2")
    assert (alone.edition, alone.get_newest_revision() is alone) == ("spring rev2", True)
    with pytest.raises(DurakError, match="the same questions"):
        Assignment("sums", "Sums", sums, later_revisions=[[sums[0]._replace(points=2)]])
    two = Assignment("sums", "Sums", sums, later_revisions=[[sums[0]._replace(title="Two")]])
    assert [revision.questions[0].title for revision in two.list_revisions()] == ["A sum", "Two"]
    assert two.with_edition("x rev2").select_questions([1]).edition == "x rev2"
