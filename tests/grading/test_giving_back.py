"""What a teacher does once marks are there: brings them into a gradebook, changes one, gives each student theirs, and finds out whose a lost file is."""

from __future__ import annotations

import csv

import pytest

from durak_widget import lessons
from durak_widget.errors import DurakError
from durak_widget.grading.command_line import main
from durak_widget.grading.gradebook import Gradebook
from durak_widget.grading.student_feedback import write_feedback
from durak_widget.homework.roster import Roster
from support.classroom_handing import FEW, MINE, SMALL, answers, begins, notebook, receipt, write
from support.classroom_pages import harmless

CLASS = "Student ID,First name,Last name,Email address\ns1,Ann,Lee,ann@example.org\ns2,Žydrė,O'Neill,=cmd()\ns3,Liu,Yang,liu@example.org\n"


@pytest.fixture
def folder(tmp_path):
    """A folder with the work of two, one of whom has mistyped, and the list of the class beside it."""
    (tmp_path / "class.csv").write_text(CLASS, encoding="utf-8")
    write(
        tmp_path / "collected",
        ann_json=receipt("Ann Lee", answers("Ann Lee", assignment=SMALL), SMALL),
        **{"Žydrė O'Neill_44_assignsubmission_file__hw_ipynb": notebook(begins("Zydre ONeill", "small"), "homework.answer(1, [])")},
    )
    return tmp_path


def marked(folder, *more):
    """The command, and the tables that it leaves."""
    out, totals = folder / "marks.csv", folder / "totals.csv"
    words = ["mark", str(folder / "collected"), "--assignment", FEW, "--roster", str(folder / "class.csv"), "--jobs", "0"]
    assert main([*words, "--out", str(out), "--totals", str(totals), *more]) == 0
    return [list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines())) for path in (out, totals)]


def test_marks_come_with_what_the_roster_says_of_students(folder):
    """Numbers and addresses, so that a gradebook knows whose marks they are; in no cell a formula, and nothing of whoever is not on it."""
    rows, totals = marked(folder)
    assert list(totals[0]) == ["student", "Student ID", "First name", "Last name", "Email address", "picked", "few", "path", "points", "of"]
    assert [(row["student"], row["Student ID"]) for row in totals] == [
        ("Ann Lee", "s1"),
        ("Žydrė O'Neill", "s2"),
        ("Liu Yang", "s3"),
        ("Zydre ONeill", ""),
    ]
    assert totals[1]["Email address"] == "'=cmd()"
    assert {row["Email address"] for row in rows if row["student"] == "Ann Lee"} == {"ann@example.org"}


def test_a_file_is_found_by_the_name_it_bears(folder, capsys):
    """Of whom nothing counts, the file that bears the name is named; once the other spelling stands in their row, it is theirs."""
    marked(folder)
    said = capsys.readouterr().out
    assert "hw.ipynb: By its name it is of Žydrė O'Neill, of whom nothing counts so far." in said
    assert "Nothing was handed in by Liu Yang." in said
    assert "Nothing was handed in by Žydrė" not in said
    (folder / "class.csv").write_text(
        CLASS.replace("Email address", "Email address,also").replace("=cmd()", "=cmd(),Zydre ONeill"), encoding="utf-8"
    )
    _, totals = marked(folder)
    assert [row["student"] for row in totals] == ["Ann Lee", "Žydrė O'Neill", "Liu Yang"]
    assert "of whom nothing counts" not in capsys.readouterr().out


def test_points_that_a_teacher_sets_stay_when_it_is_marked_again(folder):
    """By name or number of the student and of the question, with the reason, which is what the student reads."""
    (folder / "changes.csv").write_text("student;question;points;why\nS1;few;0,5;Copied.\nzydre oneill;1;1;\n", encoding="utf-8")
    for _ in range(2):
        rows, totals = marked(folder, "--changes", str(folder / "changes.csv"))
        found = {(row["student"], row["question"]): row for row in rows}
        assert (found["Ann Lee", "few"]["points"], found["Ann Lee", "few"]["said"]) == ("0.5", "Copied.")
        assert (found["Zydre ONeill", "picked"]["points"], found["Zydre ONeill", "picked"]["said"]) == (
            "1",
            "The teacher has set these points.",
        )
        assert totals[0]["points"] == "2.5"


def test_a_change_that_fits_nobody_is_refused(folder, capsys):
    """In a sentence with its line, so that none is lost unseen."""
    for table, said in (
        ("name,points\nAnn Lee,1\n", "has the columns student, question, points, why"),
        ("student,question,points\nBob,few,1\n", "line 2 of the changes: nobody is called 'Bob'"),
        ("student,question,points\nAnn Lee,none,1\n", "'none'"),
        ("student,question,points\nAnn Lee,few,many\n", "'many' is no number of points"),
        ("student,question,points\nAnn Lee,few,1/0\n", "'1/0' is no number of points"),
        ("student,question,points\nAnn Lee,few,9\n", "has from 0 to 1 points, not 9"),
        ("student,question,points\nAnn Lee,few,nan\n", "no number of points"),
    ):
        (folder / "changes.csv").write_text(table, encoding="utf-8")
        words = ["mark", str(folder / "collected"), "--assignment", FEW, "--roster", str(folder / "class.csv"), "--jobs", "0"]
        assert main([*words, "--changes", str(folder / "changes.csv")]) == 1
        assert said in capsys.readouterr().err


def test_each_student_gets_a_page(folder):
    """Of whoever handed something in: the points of each question and why, and nothing of anybody else; a name is words."""
    marked(folder, "--feedback", str(folder / "back"))
    assert sorted(path.name for path in (folder / "back").iterdir()) == ["small-ann-lee.html", "small-zydre-oneill.html"]
    page = harmless((folder / "back" / "small-ann-lee.html").read_text(encoding="utf-8"))
    assert page.text.startswith("Ann Lee Ann Lee Small 3 of 3 points 1 · Picked 1 of 1 points Pick every card that beats ")
    assert "ONeill" not in page.text
    with pytest.raises(DurakError, match="do not say of which assignment"):
        write_feedback(Gradebook([], []), folder)


def test_two_of_one_name_are_told_apart_or_refused():
    """On a list; the same line twice is one student."""
    assert Roster.from_text("id,name\n1,Ann Lee\n1,Ann Lee\n").names == ("Ann Lee",)
    with pytest.raises(DurakError, match="has 'Ann Lee' twice"):
        Roster.from_text("id,name\n1,Ann Lee\n2,Ann Lee\n")


def test_a_name_that_was_typed_is_somebodys_once_it_stands_in_their_row():
    """Also a first name that two have, of whom one has typed it alone; until then it is nobody's."""
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


def test_the_page_of_a_class_says_which_edition_was_marked(tmp_path):
    """Also where nobody has asked for one, and where marks are given that are of another assignment than the usual one."""
    later = SMALL.with_edition("2031")
    write(tmp_path, ann_json=receipt("Ann", answers("Ann", assignment=later), later))
    assert "Small · 2031" in harmless(lessons.class_report(tmp_path, FEW, jobs=0).html).text
    marks = lessons.mark(tmp_path, FEW, jobs=0)
    assert "Small · 2031" in harmless(lessons.class_report(marks).html).text


def test_what_is_odd_about_a_student_stands_together(tmp_path):
    """In the order of the table above it; first what is of the whole, last files of nobody, whatever they are called."""
    write(
        tmp_path,
        z1_ipynb=notebook(begins("Ann Lee", "small"), "homework.answer(1, x)", "homework.answer(2, 'many')"),
        a9_ipynb=notebook(begins("Ann Lee", "small"), "homework.answer(1, [])", "homework.answer(2, 1"),
        m5_ipynb=notebook(begins("Liu Yang", "small"), "homework.answer(2, 'few')"),
        b_zip=b"PK\x03\x04",
    )
    (tmp_path / "b_zip").rename(tmp_path / "b.zip")
    (tmp_path / "Žydrė O'Neill.ipynb").write_text("{", encoding="utf-8")
    marks = lessons.mark(tmp_path, FEW, roster=Roster.from_text(CLASS), jobs=0)
    files = [trouble.file for trouble in marks.problems]
    assert files == sorted(files, key=["a9.ipynb", "z1.ipynb", "Žydrė O'Neill.ipynb", "m5.ipynb", "b.zip"].index)
    assert set(files) == {"a9.ipynb", "z1.ipynb", "Žydrė O'Neill.ipynb", "m5.ipynb", "b.zip"}


def test_an_answer_of_which_nothing_can_be_read_has_a_line_below_the_marks(tmp_path):
    """Wherever it stands, and each time it is marked; where some of it can be read, it is an answer."""
    for name in ("values", "fill", "few"):
        write(tmp_path, a_ipynb=notebook(begins("Ann"), f"homework.answer({name!r}, 'many')"))
        for _ in range(2):
            [trouble] = lessons.mark(tmp_path, MINE, jobs=0).problems
            assert "cannot be read, and so earn nothing, to the questions" in trouble.sentence
        if name != "few":
            write(tmp_path, a_ipynb=notebook(begins("Ann"), f"homework.answer({name!r}, ['many', '1'])"))
            assert not lessons.mark(tmp_path, MINE, jobs=0).problems
