"""Test the work after marking: gradebooks, changed marks, feedback pages, and files with mistyped names."""

from __future__ import annotations

import csv

import pytest

from durak_widget import lessons
from durak_widget.errors import DurakError
from durak_widget.grading.command_line import main
from durak_widget.grading.gradebook import Gradebook
from durak_widget.grading.student_feedback import write_feedback
from durak_widget.homework.roster import Roster
from support.classroom_handing import FEW, MINE, SMALL, answers, first_cell, notebook, receipt, write_files
from support.classroom_pages import harmless
from support.spoken import english, english_text

CLASS = "Student ID,First name,Last name,Email address\ns1,Ann,Lee,ann@example.org\ns2,Žydrė,O'Neill,=cmd()\ns3,Liu,Yang,liu@example.org\n"


@pytest.fixture
def folder(tmp_path):
    """Return a folder with the work of two students, one with a mistyped name, and the class list."""
    (tmp_path / "class.csv").write_text(CLASS, encoding="utf-8")
    write_files(
        tmp_path / "collected",
        ann_json=receipt("Ann Lee", answers("Ann Lee", assignment=SMALL), SMALL),
        **{"Žydrė O'Neill_44_assignsubmission_file__hw_ipynb": notebook(first_cell("Zydre ONeill", "small"), "homework.answer(1, [])")},
    )
    return tmp_path


def run_marking(folder, *more):
    """Run the command, and return its tables."""
    out, totals = folder / "marks.csv", folder / "totals.csv"
    words = ["mark", str(folder / "collected"), "--assignment", FEW, "--roster", str(folder / "class.csv"), "--jobs", "0"]
    assert main([*words, "--out", str(out), "--totals", str(totals), *more]) == 0
    return [list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines())) for path in (out, totals)]


def test_marks_include_the_students_data_from_the_roster(folder):
    """Numbers and addresses allow import into a gradebook; no cell is a formula, others are left out."""
    rows, totals = run_marking(folder)
    assert list(totals[0]) == ["student", "Student ID", "First name", "Last name", "Email address", "picked", "few", "path", "points", "of"]
    assert [(row["student"], row["Student ID"]) for row in totals] == [
        ("Ann Lee", "s1"),
        ("Žydrė O'Neill", "s2"),
        ("Liu Yang", "s3"),
        ("Zydre ONeill", ""),
    ]
    assert totals[1]["Email address"] == "'=cmd()"
    assert {row["Email address"] for row in rows if row["student"] == "Ann Lee"} == {"ann@example.org"}


def test_a_file_with_a_mistyped_name_is_suggested_and_can_be_assigned(folder, capsys):
    """A student without work gets the suggestion, and a spelling in the roster row assigns it."""
    run_marking(folder)
    printed = capsys.readouterr().out
    assert "hw.ipynb: " + english_text("class.file.theirs", student="Žydrė O'Neill") in printed
    assert english_text("class.file.missing", student="Liu Yang") in printed
    assert not english("class.file.missing", student="Žydrė").search(printed)
    (folder / "class.csv").write_text(
        CLASS.replace("Email address", "Email address,also").replace("=cmd()", "=cmd(),Zydre ONeill"), encoding="utf-8"
    )
    _, totals = run_marking(folder)
    assert [row["student"] for row in totals] == ["Ann Lee", "Žydrė O'Neill", "Liu Yang"]
    assert not english("class.file.theirs").search(capsys.readouterr().out)


def test_points_set_by_the_teacher_survive_marking_again(folder):
    """Students and questions are given by name or number, with a reason for the student."""
    (folder / "changes.csv").write_text("student;question;points;why\nS1;few;0,5;Copied.\nzydre oneill;1;1;\n", encoding="utf-8")
    for _ in range(2):
        rows, totals = run_marking(folder, "--changes", str(folder / "changes.csv"))
        found = {(row["student"], row["question"]): row for row in rows}
        assert (found["Ann Lee", "few"]["points"], found["Ann Lee", "few"]["said"]) == ("0.5", "Copied.")
        assert (found["Zydre ONeill", "picked"]["points"], found["Zydre ONeill", "picked"]["said"]) == (
            "1",
            english_text("class.mark.changed"),
        )
        assert totals[0]["points"] == "2.5"


def test_a_change_for_an_unknown_student_is_refused(folder, capsys):
    """The message gives the line, so no change is lost."""
    for table, sentence in (
        ("name,points\nAnn Lee,1\n", "columns student, question, points,"),
        ("student,question,points\nBob,few,1\n", "'Bob'"),
        ("student,question,points\nAnn Lee,none,1\n", "'none'"),
        ("student,question,points\nAnn Lee,few,many\n", "'many'"),
        ("student,question,points\nAnn Lee,few,1/0\n", "'1/0'"),
        ("student,question,points\nAnn Lee,few,9\n", "0 to 1 points, not 9"),
        ("student,question,points\nAnn Lee,few,nan\n", "not a number of points"),
    ):
        (folder / "changes.csv").write_text(table, encoding="utf-8")
        words = ["mark", str(folder / "collected"), "--assignment", FEW, "--roster", str(folder / "class.csv"), "--jobs", "0"]
        assert main([*words, "--changes", str(folder / "changes.csv")]) == 1
        assert sentence in capsys.readouterr().err


def test_each_student_gets_their_own_page(folder):
    """It has points and reasons of those who handed in, nothing on others, and escaped names."""
    run_marking(folder, "--feedback", str(folder / "back"))
    assert sorted(path.name for path in (folder / "back").iterdir()) == ["small-ann-lee.html", "small-zydre-oneill.html"]
    page = harmless((folder / "back" / "small-ann-lee.html").read_text(encoding="utf-8"))
    assert page.text.startswith("Ann Lee Ann Lee Small 3 of 3 points 1 · Picked 1 of 1 points ")
    assert "ONeill" not in page.text
    with pytest.raises(DurakError, match="assignment"):
        write_feedback(Gradebook([], []), folder)


def test_two_students_of_the_same_name_are_distinguished_or_refused():
    """The same line twice is one student."""
    assert Roster.from_text("id,name\n1,Ann Lee\n1,Ann Lee\n").names == ("Ann Lee",)
    with pytest.raises(DurakError, match="has 'Ann Lee' twice"):
        Roster.from_text("id,name\n1,Ann Lee\n2,Ann Lee\n")


def test_a_spelling_in_a_roster_row_belongs_to_that_student():
    """A first name shared by two belongs to nobody until then."""
    plain = Roster.from_text("Vardas,Pavardė,Nr.\nAnn,Lee,1\nAnn,Smith,2\n")
    assert (plain.find_canonical_name("Ann"), plain.find_canonical_name("Smith"), plain.find_canonical_name("2"), plain.extra_titles) == (
        "ann",
        "ann smith",
        "ann smith",
        ("Vardas", "Pavardė", "Nr."),
    )
    written = Roster.from_text("Vardas,Pavardė,also\nAnn,Lee,\nAnn,Smith,Ann\n")
    assert (written.find_canonical_name("Ann"), written.get_extra_cells("Ann"), written.get_extra_cells("Bob")) == (
        "ann smith",
        ("Ann", "Smith", "Ann"),
        ("", "", ""),
    )
    with pytest.raises(DurakError, match="more than 10000 lines"):
        Roster.from_text("name\n" + "".join(f"student {number}\n" for number in range(10_001)))


def test_the_class_report_names_the_marked_edition(tmp_path):
    """This includes the default edition and marks of another assignment."""
    later = SMALL.with_edition("2031")
    write_files(tmp_path, ann_json=receipt("Ann", answers("Ann", assignment=later), later))
    assert "Small · 2031" in harmless(lessons.class_report(tmp_path, FEW, jobs=0).html).text
    marks = lessons.mark(tmp_path, FEW, jobs=0)
    assert "Small · 2031" in harmless(lessons.class_report(marks).html).text


def test_messages_are_grouped_by_student(tmp_path):
    """They follow the table's order: general ones first, files of nobody last."""
    write_files(
        tmp_path,
        z1_ipynb=notebook(first_cell("Ann Lee", "small"), "homework.answer(1, x)", "homework.answer(2, 'many')"),
        a9_ipynb=notebook(first_cell("Ann Lee", "small"), "homework.answer(1, [])", "homework.answer(2, 1"),
        m5_ipynb=notebook(first_cell("Liu Yang", "small"), "homework.answer(2, 'few')"),
        b_zip=b"PK\x03\x04",
    )
    (tmp_path / "b_zip").rename(tmp_path / "b.zip")
    (tmp_path / "Žydrė O'Neill.ipynb").write_text("{", encoding="utf-8")
    marks = lessons.mark(tmp_path, FEW, roster=Roster.from_text(CLASS), jobs=0)
    files = [trouble.file for trouble in marks.problems]
    assert files == sorted(files, key=["a9.ipynb", "z1.ipynb", "Žydrė O'Neill.ipynb", "m5.ipynb", "b.zip"].index)
    assert set(files) == {"a9.ipynb", "z1.ipynb", "Žydrė O'Neill.ipynb", "m5.ipynb", "b.zip"}


def test_a_completely_unreadable_answer_is_listed_below_the_marks(tmp_path):
    """This is so for all sources, each time. Partly readable answers count."""
    for name in ("values", "fill", "few"):
        write_files(tmp_path, a_ipynb=notebook(first_cell("Ann"), f"homework.answer({name!r}, 'many')"))
        for _ in range(2):
            [trouble] = lessons.mark(tmp_path, MINE, jobs=0).problems
            assert english("class.file.unread").search(trouble.sentence)
        if name != "few":
            write_files(tmp_path, a_ipynb=notebook(first_cell("Ann"), f"homework.answer({name!r}, ['many', '1'])"))
            assert not lessons.mark(tmp_path, MINE, jobs=0).problems
