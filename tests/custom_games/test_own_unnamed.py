"""A teacher's file as Gambit mostly writes it, without names for information sets: what is asked of it can be answered, on the screen and on paper."""

from __future__ import annotations

import re
from fractions import Fraction

from durak_widget.exercises.paper_form import require_paper_question
from durak_widget.grading.gradebook import GradebookRow
from durak_widget.grading.student_feedback import render_question
from durak_widget.homework.notebook_writer import AssignmentNotebooks
from durak_widget.homework.student_homework import homework
from durak_widget.i18n import Translator
from durak_widget.lessons import ask, between, own_game
from durak_widget.paper_exams.exam_sheets import PrintedExam

STRIKE = """EFG 2 R "Strike or settle" { "Union" "Firm" }
c "" 1 "" { "good year" 1/2 "bad year" 1/2 } 0
p "" 2 1 "" { "offer" "refuse" } 0
p "" 1 1 "" { "settle" "strike" } 0
t "" 1 "" { 2, 4 }
t "" 2 "" { 1, 0 }
p "" 1 1 "" { "settle" "strike" } 0
t "" 3 "" { 0, 6 }
t "" 4 "" { 3, 1 }
p "" 2 2 "" { "offer" "refuse" } 0
p "" 1 1 "" { "settle" "strike" } 0
t "" 5 "" { 2, 1 }
t "" 6 "" { -1, -1 }
p "" 1 1 "" { "settle" "strike" } 0
t "" 7 "" { 0, 2 }
t "" 8 "" { -2, -3 }
"""
GAME = own_game(STRIKE, name="strike", lots={"payoffs": between(-4, 9)})
PENALTY = own_game([[0, 1], [1, 0]], names=("Kicker", "Keeper"), name="penalty", lots={"payoffs": between(1, 9)}, so_that="somebody mixes")


def test_they_are_called_by_what_leads_there():
    """Neither twice the same name in a question, nor a number that stands nowhere."""
    game = GAME.assignment("strike", "Strike", ["beliefs", "plan", "best response", "equilibrium"])
    beliefs, plan, response, equilibrium = (game.create_exercise(number, "Ann Lee") for number in (1, 2, 3, 4))
    for task in (beliefs, response):
        assert "Firm (good year): offer" in task.question
        assert "Firm (bad year): offer" in task.question
    assert "Union is to act. How likely" in beliefs.question
    assert any(option.startswith("Firm (good year): ") and "; Firm (bad year): " in option for option in plan._option_reasons)
    assert not any(re.search(r"(?:Firm|Union) \d", option) for option in plan._option_reasons)
    assert {one.group_heading for one in require_paper_question(equilibrium).blanks} == {
        "A. Firm: good year",
        "B. Union",
        "C. Firm: bad year",
    }
    assert [part.location for part in equilibrium.describe_answer_parts()] == ["good year", "Union", "bad year"]


def test_what_is_written_into_the_cell_for_code_is_an_answer(tmp_path):
    """As it stands in the notebook, without its signs: it is kept, and marked."""
    game = GAME.assignment("strike", "Strike", ["best response"])
    [code] = [
        "".join(cell["source"]) for cell in AssignmentNotebooks(game).build_student_notebook("Ann Lee")["cells"] if cell["id"] == "code-01"
    ]
    told: dict[str, object] = {"homework": homework(game, student="Ann Lee", folder=tmp_path)}
    exec("\n".join(line.removeprefix("# ") for line in code.splitlines()[1:] if line != "#"), told)  # noqa: S102 - our own cell
    assert told["homework"].receipt["answers"]["best-response"]["attempts"] == 1


def test_what_does_not_go_together_is_named_by_where_it_stands():
    """Two chances of one place that are more than 1: the page given back names the place, not the letters of the sheet."""
    task = GAME.assignment("strike", "Strike", ["equilibrium"]).create_exercise(1, "Ann Lee")
    written = {**require_paper_question(task).write_solution(), "a": "1", "b": "1"}
    row = GradebookRow(
        "Ann Lee", "typed.csv", "equilibrium", Fraction(0), 5, Fraction(0), 1, "", "Not right.", answers=({"by_hand": written},)
    )
    told = render_question(task, row, Translator())
    assert re.search(r"A\. Firm: good year</th><td>1, 1\s", told)
    assert ">a, b<" not in told


def test_the_game_is_printed_where_it_is_asked_about():
    """A number or one of several answers about a tree or a matrix: it stands on the sheet, in the very question."""
    for language in ("en", "lt", "ru"):
        for game, asked, drawn in (
            (GAME, ["beliefs"], "<img "),
            (GAME, [ask("plans", of="Firm")], "<img "),
            (GAME, [ask("plan", of="Firm")], "<img "),
            (PENALTY, ["mixing"], "</table>"),
            (PENALTY, ["value"], "</table>"),
        ):
            [sheets] = PrintedExam(game.assignment("one", "One", asked), ["Ann Lee"], language).student_sheets
            [page] = sheets.pages
            assert drawn in page.partition('class="ask"')[2]
