"""Test questions about a game file without names for information sets, as Gambit usually writes it."""

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
from support.spoken import english

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


def test_unnamed_sets_are_named_by_the_moves_before_them():
    """Names are unique in a question, and use no number that is not shown."""
    game = GAME.assignment("strike", "Strike", ["beliefs", "plan", "best response", "equilibrium"])
    beliefs, plan, response, equilibrium = (game.create_exercise(number, "Ann Lee") for number in (1, 2, 3, 4))
    for task in (beliefs, response):
        assert "Firm (good year): offer" in task.question
        assert "Firm (bad year): offer" in task.question
    assert english("class.own.beliefs.asked.alone", who="Union").search(beliefs.question)
    assert any(option.startswith("Firm (good year): ") and "; Firm (bad year): " in option for option in plan._option_reasons)
    assert not any(re.search(r"(?:Firm|Union) \d", option) for option in plan._option_reasons)
    assert {blank.group_heading for blank in require_paper_question(equilibrium).blanks} == {
        "A. Firm: good year",
        "B. Union",
        "C. Firm: bad year",
    }
    assert [part.location for part in equilibrium.describe_answer_parts()] == ["good year", "Union", "bad year"]


def test_the_example_in_the_code_cell_is_a_valid_answer(tmp_path):
    """Without its comment signs it is kept and marked."""
    game = GAME.assignment("strike", "Strike", ["best response"])
    [code] = [
        "".join(cell["source"]) for cell in AssignmentNotebooks(game).build_student_notebook("Ann Lee")["cells"] if cell["id"] == "code-01"
    ]
    names: dict[str, object] = {"homework": homework(game, student="Ann Lee", folder=tmp_path)}
    exec("\n".join(line.removeprefix("# ") for line in code.splitlines()[1:] if line != "#"), names)  # noqa: S102 - our own cell
    assert names["homework"].receipt["answers"]["best-response"]["attempts"] == 1


def test_contradictions_are_reported_by_their_place():
    """Two chances of one node over 1: the feedback names the node, not the letters of the sheet."""
    task = GAME.assignment("strike", "Strike", ["equilibrium"]).create_exercise(1, "Ann Lee")
    written = {**require_paper_question(task).write_solution(), "a": "1", "b": "1"}
    row = GradebookRow(
        "Ann Lee", "typed.csv", "equilibrium", Fraction(0), 5, Fraction(0), 1, "", "Not right.", answers=({"by_hand": written},)
    )
    feedback = render_question(task, row, Translator())
    assert re.search(r"A\. Firm: good year</th><td>1, 1\s", feedback)
    assert ">a, b<" not in feedback


def test_printed_questions_show_the_game():
    """Number and choice questions on trees and matrices have it on the sheet."""
    for language in ("en", "lt", "ru"):
        for game, asked, picture in (
            (GAME, ["beliefs"], "<img "),
            (GAME, [ask("plans", of="Firm")], "<img "),
            (GAME, [ask("plan", of="Firm")], "<img "),
            (PENALTY, ["mixing"], "</table>"),
            (PENALTY, ["value"], "</table>"),
        ):
            [sheets] = PrintedExam(game.assignment("one", "One", asked), ["Ann Lee"], language).student_sheets
            [page] = sheets.pages
            assert picture in page.partition('class="ask"')[2]
