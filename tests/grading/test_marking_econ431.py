"""Test marking the problem set from cells, receipts and code, compared with the exercises themselves."""

from __future__ import annotations

import json

import pytest

from durak_widget import lessons
from durak_widget.grading.answer_grading import compute_credit
from durak_widget.homework.assignment import get_assignment
from support.classroom_handing import first_cell, notebook, receipt, write_files

YEAR = get_assignment("econ431").with_edition("2027")
RIGHT = [question.name for question in YEAR.questions if question.kind != "bot"]
BOT = """
RANKS = "6789TJQKA"

def price(view, card):
    return 10 * (card.suit == view.trump) + RANKS.index(card.rank)

def my_bot(view):
    return min(view.legal_moves(), key=lambda move: (move.verb in ("take", "pass"), sum(price(view, card) for card in move.cards[-1:])))
"""


@pytest.mark.slow
def test_the_problem_set_is_marked(tmp_path):
    """Right answers earn everything from receipts and cells. A bot function earns the same in the sandbox, hostile ones nothing."""
    answer_records = {}
    for student in ("Ann", "Борис", "Žydrė"):
        answer_records[student] = {}
        for name in RIGHT:
            task = YEAR.create_exercise(name, student)
            assert task.answer(task.solution)
            answer_records[student][name] = json.loads(json.dumps(task.last_answer))
    cells = [f"homework.answer({name!r}, {given!r})" for name, given in answer_records["Ann"].items()]
    hostile = "import os\\nfor _ in range(20):\\n    os.fork()\\nopen('/etc/passwd', 'a')\\ndef choose(view):\\n    while True: pass"
    written = {
        "ann_ipynb": notebook(first_cell("Ann", "econ431", ", edition=2027"), *cells, BOT, "homework.answer('bot', my_bot)"),
        "boris_json": receipt("Борис", {name: {"answer": given, "attempts": 1} for name, given in answer_records["Борис"].items()}, YEAR),
        "zydre_json": receipt("Žydrė", {name: {"answer": given, "attempts": 1} for name, given in answer_records["Žydrė"].items()}, YEAR),
    }
    written["zydre_json"]["answers"]["bot"] = {"answer": {"code": hostile.replace("\\n", "\n")}, "attempts": 1}
    marks = lessons.mark(write_files(tmp_path, **written), edition=2027, jobs=1)
    assert {row.credit for row in marks.rows if row.question != "bot"} == {1}
    rows = {row.student: row for row in marks.rows if row.question == "bot"}
    here = YEAR.create_exercise("bot", "Ann")
    here.is_closed = True
    space = {}
    exec(BOT, space)  # noqa: S102 - it stands above
    verdict = here.answer(space["my_bot"])
    assert (rows["Ann"].credit, rows["Ann"].explanation) == (compute_credit(here), str(verdict))
    assert rows["Ann"].credit > 0
    assert rows["Борис"].explanation == "No answer."
    assert rows["Žydrė"].points == 0
    assert {trouble.file for trouble in marks.problems} <= {""}  # missing protections are reported
