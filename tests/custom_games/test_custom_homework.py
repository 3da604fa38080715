"""Test homework about a teacher's own game, from its file to the class report."""

from __future__ import annotations

import csv
import json

import pytest

from durak_widget import lessons
from durak_widget.grading.command_line import main
from durak_widget.homework.answer_key import key
from durak_widget.homework.assignment import resolve_assignment
from support.guide_games import PRINTED, import_guide_module, write_guide_files
from support.spoken import english

NAMES = ["Ann Lee", "Ben Moss", "Cem Öz"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with the guide's files and a class of three."""
    write_guide_files(tmp_path)
    (tmp_path / "class.csv").write_text("name\n" + "\n".join(NAMES) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    import_guide_module("newcomer", tmp_path, monkeypatch)
    return tmp_path


def test_each_student_gets_a_notebook_without_answers(folder, capsys):
    """It has their name, the story and the questions. Solutions are separate."""
    assert main(["hand-out", "newcomer:ASSIGNMENT", "--edition", "2027", "--students", "class.csv", "--out", "week"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4
    [own] = [path for path in (folder / "week" / "students").iterdir() if "ann-lee" in path.name]
    text = own.read_text(encoding="utf-8")
    sources = ["".join(cell["source"]) for cell in json.loads(text)["cells"]]
    assert 'lessons.homework("newcomer:ASSIGNMENT", student="Ann Lee", edition="2027")' in "\n".join(sources)
    assert "fool" not in text
    assert sum("A newcomer may open a shop" in source for source in sources) == 1
    assert next(source for source in sources if source.startswith("# Question")).endswith('homework["values"]')
    teacher = (folder / "week" / "teacher" / "newcomer.ipynb").read_text(encoding="utf-8")
    assert "2 · 2 = 4" in teacher
    assert "2 · 2 = 4" not in text


def test_custom_homework_is_marked_and_reported_like_any_other(folder):
    """The key earns full marks, a consistent error costs one part, a neighbour's answers earn only what is shared."""
    assignment = resolve_assignment("newcomer:ASSIGNMENT", "2027")
    ann, ben, cem = (lessons.homework("newcomer:ASSIGNMENT", student=name, edition="2027", folder="collected") for name in NAMES)
    for question in assignment.questions:
        right = assignment.create_exercise(question.name, NAMES[0]).solution
        assert ann.answer(question.name, right).right is False
        cem.answer(question.name, right)
    values = assignment.create_exercise("values", NAMES[1])
    below = [values.tree.payoffs[values.tree.infoset_of[child]] for child in values.tree.children(3)]
    worse = min(below)  # at one node the newcomer takes the worse payoff
    shop = [worse, values.tree.payoffs[values.tree.infoset_of[4]]]
    after = max(shop, key=lambda payoffs: payoffs[1])
    begins = max([after, values.tree.payoffs[values.tree.infoset_of[2]]])
    ben.answer("values", dict(zip((0, 1, 3), (", ".join(map(str, value)) for value in (begins, after, worse)), strict=True)))
    arguments = ["collected", "--assignment", "newcomer:ASSIGNMENT", "--edition", "2027", "--jobs", "0", "--out"]
    assert main(["mark", *arguments, "marks.csv", "--feedback", "back"]) == 0
    rows = list(csv.DictReader((folder / "marks.csv").read_text(encoding="utf-8-sig").splitlines()))
    credit = {(row["student"], row["question"]): row["credit"] for row in rows}
    assert {credit[NAMES[0], question.name] for question in assignment.questions} == {"1"}
    assert 0.3 < float(credit[NAMES[1], "values"]) < 1  # two values above follow from it; a wrong one cancels a right one
    assert credit[NAMES[1], "path"] == "0"
    assert credit[NAMES[2], "plans"] == "1"
    assert credit[NAMES[2], "values"] != "1"
    assert len(list((folder / "back").glob("*.html"))) == 3
    assert main(["report", *arguments, "class.html"]) == 0
    assert "Cem Öz" in (folder / "class.html").read_text(encoding="utf-8")


def test_matrix_homework_is_handed_out_and_marked(tmp_path, monkeypatch):
    """The key answers all five questions. Another year has other questions."""
    module = import_guide_module("bakers", tmp_path, monkeypatch)
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
    printed_key = str(key(assignment, student="Ann Lee").format_solution("penalty-mixing"))
    assert english("class.own.mixing.other").search(" ".join(printed_key.split()))
    assert len(PRINTED) == 1
