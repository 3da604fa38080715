"""A game of a teacher's own from its file to the page of the class: handed out to three, answered from the key, in part and wrongly, marked, reported."""

from __future__ import annotations

import csv
import json

import pytest

from durak_widget import lessons
from durak_widget.grading.command_line import main
from durak_widget.homework.answer_key import key
from durak_widget.homework.assignment import resolve_assignment
from support.own_worked import PRINTED, imported, lay

NAMES = ["Ann Lee", "Ben Moss", "Cem Öz"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files of the guide and a class of three, in which a teacher types commands."""
    lay(tmp_path)
    (tmp_path / "class.csv").write_text("name\n" + "\n".join(NAMES) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    imported("newcomer", tmp_path, monkeypatch)
    return tmp_path


def test_everybody_gets_a_notebook_without_an_answer(folder, capsys):
    """With the name filled in, the story on top, no word of a fool, and each question in a cell; solutions are the teacher's alone."""
    assert main(["hand-out", "newcomer:ASSIGNMENT", "--edition", "2027", "--students", "class.csv", "--out", "week"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4
    [own] = [path for path in (folder / "week" / "students").iterdir() if "ann-lee" in path.name]
    text = own.read_text(encoding="utf-8")
    sources = ["".join(cell["source"]) for cell in json.loads(text)["cells"]]
    assert 'lessons.homework("newcomer:ASSIGNMENT", student="Ann Lee", edition="2027")' in "\n".join(sources)
    assert "fool" not in text
    assert sum("A newcomer may open a shop" in one for one in sources) == 1
    assert next(one for one in sources if one.startswith("# Question")).endswith('homework["values"]')
    teacher = (folder / "week" / "teacher" / "newcomer.ipynb").read_text(encoding="utf-8")
    assert "2 · 2 = 4" in teacher
    assert "2 · 2 = 4" not in text


def test_it_is_marked_and_reported_like_any_homework(folder):
    """All from the key: all points. A slip above that is gone on with rightly: the others count. A neighbour's answers: what is the same for all, and no more."""
    assignment = resolve_assignment("newcomer:ASSIGNMENT", "2027")
    ann, ben, cem = (lessons.homework("newcomer:ASSIGNMENT", student=name, edition="2027", folder="collected") for name in NAMES)
    for question in assignment.questions:
        right = assignment.create_exercise(question.name, NAMES[0]).solution
        assert ann.answer(question.name, right).right is False
        cem.answer(question.name, right)
    values = assignment.create_exercise("values", NAMES[1])
    below = [values.tree.payoffs[values.tree.infoset_of[child]] for child in values.tree.children(3)]
    worse = min(below)  # the newcomer, who goes on or leaves there, takes what is worse
    shop = [worse, values.tree.payoffs[values.tree.infoset_of[4]]]
    after = max(shop, key=lambda worth: worth[1])
    begins = max([after, values.tree.payoffs[values.tree.infoset_of[2]]])
    ben.answer("values", dict(zip((0, 1, 3), (", ".join(map(str, one)) for one in (begins, after, worse)), strict=True)))
    told = ["collected", "--assignment", "newcomer:ASSIGNMENT", "--edition", "2027", "--jobs", "0", "--out"]
    assert main(["mark", *told, "marks.csv", "--feedback", "back"]) == 0
    rows = list(csv.DictReader((folder / "marks.csv").read_text(encoding="utf-8-sig").splitlines()))
    credit = {(row["student"], row["question"]): row["credit"] for row in rows}
    assert {credit[NAMES[0], question.name] for question in assignment.questions} == {"1"}
    assert 0.3 < float(credit[NAMES[1], "values"]) < 1  # the two above it follow, and one that is wrong takes back one that is right
    assert credit[NAMES[1], "path"] == "0"
    assert credit[NAMES[2], "plans"] == "1"
    assert credit[NAMES[2], "values"] != "1"
    assert len(list((folder / "back").glob("*.html"))) == 3
    assert main(["report", *told, "class.html"]) == 0
    assert "Cem Öz" in (folder / "class.html").read_text(encoding="utf-8")


def test_the_matrices_are_handed_out_and_marked_too(tmp_path, monkeypatch):
    """All five questions from the key, in this process; another year asks something else."""
    module = imported("bakers", tmp_path, monkeypatch)
    assignment = module.ASSIGNMENT.with_edition("2027")
    work = lessons.homework(assignment, student="Ann Lee", folder=tmp_path / "collected")
    for question in assignment.questions:
        work.answer(question.name, assignment.create_exercise(question.name, "Ann Lee").solution)
    marks = lessons.mark(tmp_path / "collected", assignment, jobs=0)
    assert marks.sum_points("Ann Lee") == assignment.points
    assert (
        assignment.with_edition("2028").create_exercise("penalty-value", "Ann Lee").solution
        != assignment.create_exercise("penalty-value", "Ann Lee").solution
    )
    told = str(key(assignment, student="Ann Lee").told("penalty-mixing"))
    assert "So likely" in told
    assert len(PRINTED) == 1
