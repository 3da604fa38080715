"""Revisions of an assignment: the edition says which, what was handed out before is marked as before, and nobody chooses by a receipt."""

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
from support.classroom_handing import begins, notebook, receipt, write

ASKED = ("strategic-form", "dominance", "how-likely")
NAMES = ("Ann", "Ben", "Cleo")


def kept(student: str, edition: str, *, blind: bool = False) -> dict[str, object]:
    """A receipt with right answers, or with the same number everywhere."""
    year = get_assignment("econ431", edition)
    answers = {}
    for name in ASKED:
        task = year.create_exercise(name, student)
        task.answer(["-1"] * 12 if blind and name == "strategic-form" else task.solution)
        answers[name] = {"answer": json.loads(json.dumps(task.last_answer)), "attempts": 1}
    return receipt(student, answers, year)


def handed(folder, editions, **how):
    """What three students hand in, each of an edition."""
    return write(folder, **{f"{name.casefold()}_json": kept(name, one, **how) for name, one in zip(NAMES, editions, strict=False)})


def marked(folder, edition, **told):
    """The marks."""
    return lessons.mark(folder, "econ431", edition=edition, jobs=0, **told)


def test_the_year_alone_marks_the_revision_that_was_handed_in(tmp_path):
    """All right answers earn everything, whichever revision the class has had."""
    for edition in ("2027", "2027 rev2"):
        marks = marked(handed(tmp_path, [edition] * 3), "2027")
        assert marks.assignment.edition == edition
        assert {row.credit for row in marks.rows if row.question in ASKED} == {1}


def test_the_rule_of_credit_belongs_to_the_edition(tmp_path):
    """One number everywhere earns in the old revision what it earned, also when it is marked again from what is remembered, and nothing in the new one."""
    for edition, paid in (("2027", True), ("2027 rev2", False)):
        folder = handed(tmp_path, [edition] * 3, blind=True)
        for _ in range(2):
            rows = [row for row in marked(folder, "2027").rows if row.question == "strategic-form"]
            assert any(row.credit for row in rows) is paid
            expected = []
            for row in rows:
                task = get_assignment("econ431", edition).create_exercise("strategic-form", row.student)
                task.answer(["-1"] * 12)
                expected.append(compute_credit(task))
            assert [row.credit for row in rows] == expected


def test_several_revisions_are_refused_and_each_can_be_named(tmp_path):
    """With how many students have each; a receipt whose edition was changed is of the other edition, and changes nobody's rule."""
    folder = handed(tmp_path, ["2027 rev2", "2027 rev2", "2027"])
    with pytest.raises(DurakError, match=r"2 revisions of econ431 were handed in, by so many students: 2027 rev2 \(2\), 2027 rev1 \(1\)"):
        marked(folder, "2027")
    with pytest.raises(DurakError, match=r"2 editions of econ431 .* 2027 rev2 \(2\), 2027 \(1\)"):
        marked(folder, None)
    for edition, names in (("2027 rev2", ["Ann", "Ben"]), ("2027 rev1", ["Cleo"])):
        marks = marked(folder, edition)
        assert [*marks.students] == names
        assert {row.credit for row in marks.rows if row.question in ASKED} == {1}
        assert sum("another edition" in one.sentence for one in marks.problems) == 3 - len(names)
    with pytest.raises(DurakError, match="has the revisions 1 to 2"):
        marked(folder, "2027 rev7")


def test_a_cell_that_says_revision_one_means_the_plain_edition(tmp_path):
    """`2027 rev1` is `2027`: in a cell, in a receipt and on the command line."""
    write(tmp_path, ann_ipynb=notebook(begins("Ann", "econ431", ', edition="2027 rev1"'), "homework.answer('how-likely', '1/2')"))
    assert marked(tmp_path, "2027").assignment.edition == "2027"
    assert lessons.homework("econ431", student="Ann", edition="2027 rev1", folder=None).receipt["edition"] == "2027"


@pytest.mark.slow
def test_what_is_handed_out_says_its_revision(tmp_path):
    """Notebooks, those for nbgrader, sheets of paper and an edition of a word; the old revision only where it is named."""
    roster = tmp_path / "class.csv"
    roster.write_text("name\nAnn\n", encoding="utf-8")
    cell = {
        edition: "".join(AssignmentNotebooks("econ431", edition).build_student_notebook("Ann")["cells"][1]["source"])
        for edition in ("2027", "2027 rev1", "")
    }
    assert [one.count("rev2") for one in cell.values()] == [1, 0, 1]
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
    folder = write(tmp_path / "in", ann_json=receipt("Ann", answers, get_assignment("econ431").with_edition(sealed)))
    marks = marked(folder, "2027", word="willow by the brook")
    assert (marks.assignment.edition, marks.sum_points("Ann")) == (sealed, 3)


def test_a_table_typed_off_sheets_is_of_the_revision_that_was_printed(tmp_path):
    """By its column of editions, or by the codes alone."""
    for column in (True, False):
        roster = tmp_path / "class.csv"
        roster.write_text("name\nAnn\nBen\n", encoding="utf-8")
        ask = ["econ431", "--edition", "2027", "--students", str(roster), "--paper", "--questions", "5", "--out", str(tmp_path / "exam")]
        hand_out_command(ask)
        head, *rows = (tmp_path / "exam" / "teacher" / "econ431-2027-rev2.csv").read_text(encoding="utf-8-sig").splitlines()
        right = [get_assignment("econ431", "2027 rev2").create_exercise("how-likely", name).solution[0] for name in ("Ann", "Ben")]
        lines = [[*row.split(",")[:3], answer] for row, answer in zip(rows, right, strict=True)]
        told = [head.split(","), *lines]
        typed = tmp_path / "typed.csv"
        typed.write_text("\n".join(",".join(one if column else [*one[:2], *one[3:]]) for one in told) + "\n", encoding="utf-8")
        marks = marked(typed, "2027", roster=roster)
        assert (marks.assignment.edition, [marks.sum_points(name) for name in ("Ann", "Ben")]) == ("2027 rev2", [3, 3])


@pytest.mark.slow
def test_nbgrader_marks_by_the_edition_of_its_locked_cell(tmp_path):
    """A student who writes another edition into the receipt is not marked by its rule."""
    for edition in ("2027", "2027 rev2"):
        for other in ("2027", "2027 rev2"):
            folder = write(tmp_path / f"{edition} {other}", ann_json=kept("Ann", other))
            assert (grade_student_folder(folder, "econ431", edition)["how-likely"] > 0) is (edition == other)


def test_the_class_report_says_which_revision_it_is_of(tmp_path):
    """In its title."""
    assert "2027 rev2" in class_report(handed(tmp_path, ["2027 rev2"] * 3), "econ431", edition="2027", jobs=0).html


def test_a_revision_that_cannot_be_is_refused(tmp_path):
    """It would be taken for a plain edition, with other questions; a receipt that says so does not count."""
    for edition in ("2027 rev0", "rev10", "2027 Rev2"):
        with pytest.raises(DurakError, match="a revision has a number from 1 to 9"):
            get_assignment("econ431", edition)
        folder = write(
            tmp_path,
            ann_json={**receipt("Ann", {"moves": {"answer": "7", "attempts": 1}}, get_assignment("econ431", "2027")), "edition": edition},
        )
        marks = lessons.mark(folder, "econ431", edition="2027", jobs=0)
        assert not marks.rows
        assert any(trouble.file == "ann.json" for trouble in marks.problems)


def test_an_assignment_without_revisions_may_have_an_edition_of_such_a_name():
    """There it is a name like any other; with revisions all of them have the same questions."""
    sums = [Question("one", 1, "A sum", lambda lots: lessons.Number(f"{lots.random()}?", 2), "number")]
    alone = Assignment("sums", "Sums", sums, "spring rev2")
    assert (alone.edition, alone.get_newest_revision() is alone) == ("spring rev2", True)
    with pytest.raises(DurakError, match="the same questions"):
        Assignment("sums", "Sums", sums, later_revisions=[[sums[0]._replace(points=2)]])
    two = Assignment("sums", "Sums", sums, later_revisions=[[sums[0]._replace(title="Two")]])
    assert [one.questions[0].title for one in two.list_revisions()] == ["A sum", "Two"]
    assert two.with_edition("x rev2").select_questions([1]).edition == "x rev2"
