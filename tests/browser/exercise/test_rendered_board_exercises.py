"""Test exercises on trees and matrices in an empty page, by clicks, touch and keys, and read aloud."""

from __future__ import annotations

from functools import cache

import pytest
from board_clicks import BOARDS, node_of, write
from rendered_board_exercise import JUDGED, BoardExercisePage, load_board_exercise_page

from durak_widget import Game, analysis
from durak_widget.lessons import OnMatrix, OnTree, Strategy
from support.asked import coins
from support.spoken import english, english_text

DRAWN = Game.from_position("econ431", hands=["9c Kd", "Tc"], trump="h")
DILEMMA = {"rows": ["silent", "talks"], "columns": ["silent", "talks"], "names": ("Ann", "Bob")}
PAYOFFS = [[(3, 3), (0, 5)], [(5, 0), (1, 1)]]


@cache
def small_ending():
    """Return a small ending as a tree."""
    return analysis.build_tree_from_position(Game.from_position(hands=["6c 8d", "7c"]), open_hands=True)


EVERY = {
    "values": lambda **more: OnTree.values(small_ending(), **more),
    "draw": lambda **more: OnTree.draw(DRAWN, **more),
    "fill": lambda **more: OnMatrix.fill(small_ending(), **more),
    "strike": lambda **more: OnMatrix.strike(PAYOFFS, **DILEMMA, **more),
    "best": lambda **more: OnMatrix.best(PAYOFFS, **DILEMMA, **more),
    "strategy": lambda **more: Strategy(coins(3), **more),
}
"""Every kind of question on a small board, except paths and information sets, which are answered by keys."""


@pytest.fixture(scope="module")
def board(pages):
    """Open a page with one exercise and its tree or matrix."""
    context = pages.context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    yield load_board_exercise_page(context.new_page())
    context.close()


@pytest.mark.parametrize(
    ("name", "width"),
    [
        ("values", 1000),
        *(pytest.param(name, 350, marks=pytest.mark.slow) for name in ("draw", "fill", "strike", "best", "strategy")),
    ],
)
def test_every_question_can_be_answered_by_clicks(board: BoardExercisePage, name: str, width: int):
    """Wrongly, with a reason, then again and rightly. After that nothing can be changed."""
    quiz = EVERY[name]()
    board.ask(quiz, width)
    wrongly, rightly = BOARDS[quiz.question_kind]
    for click, state in ((wrongly, "wrong"), (rightly, "right")):
        click(board)
        board.press(english_text("screen.check"))
        assert board.state == state
        assert board.said == list(quiz.view_model()["feedback"])
        if state == "wrong":
            assert len(board.said) > 1
            board.press(english_text("screen.again"))
            assert board.state is None
    assert quiz.check()
    before = quiz.to_message()
    try_wrong_action(board, quiz.question_kind)
    assert quiz.to_message() == before


@pytest.mark.slow
@pytest.mark.parametrize("width", [350])
def test_a_field_for_three_values_is_wide_enough(board: BoardExercisePage, width: int):
    """It covers no move. A field for two values stays narrow."""
    three = Game.from_position("podkidnoy, players=3", hands=["Qc", "8c", "Ad 7h"], trump="h", attacker=0, table="9d/Qd")
    wide = {}
    for many, tree in ((3, analysis.build_tree_from_position(three, open_hands=True)), (2, small_ending())):
        quiz = OnTree.values(tree)
        assert quiz.to_message().get("has_many_values", False) is (many == 3)
        board.ask(quiz, width)
        for node, text in zip(quiz.to_message()["nodes"], quiz.solution, strict=True):
            field = node_of(board, int(node)).locator("input")
            write(field, text)
            assert field.evaluate("one => one.scrollWidth <= one.clientWidth"), (many, text)
            wide[many] = field.evaluate("one => one.offsetWidth")
    assert wide[3] > wide[2]


def try_wrong_action(board: BoardExercisePage, asks: str) -> None:
    """Do something wrong on the view, if that is possible."""
    if asks in ("path", "draw"):
        board.click(board.page.locator(".dk-move").first)
    elif asks == "sets":
        board.click(board.page.locator(".dk-node .dk-node-content").nth(1))
    elif asks == "strike":
        board.click(board.page.locator(".dk-matrix-header").first)
    elif asks == "best":
        board.click(board.page.locator("button.dk-payoff").first)
    else:
        assert board.page.locator("input:not([readonly]):not([type=range]).dk-node-answer, .dk-matrix-field:not([readonly])").count() == 0


@pytest.mark.slow
def test_a_tree_exercise_works_by_keys(board: BoardExercisePage):
    """Arrows go to a node, Enter into its field and back. Tab leads to the button."""
    quiz = OnTree.values(small_ending())
    board.ask(quiz)
    board.page.locator(".dk-view").focus()
    for way, text in ((("ArrowRight",), "-1"), (("ArrowDown",), "1"), (("ArrowLeft",), "1")):
        board.keys(*way, "Enter", *text, "Enter")
    assert [node["text"] for node in quiz.to_message()["nodes"].values()] == ["1", "-1", "1"]
    button = board.page.locator(JUDGED).get_by_role("button", name=english_text("screen.check"), exact=True)
    button.focus()
    board.keys("Enter")
    board.look()
    assert board.state == "right"


@pytest.mark.slow
def test_moves_and_information_sets_are_chosen_by_keys(board: BoardExercisePage):
    """M chooses the move to the focused node. Shift and the space bar select a node to join."""
    board.ask(quiz := OnTree.path(small_ending()))
    board.page.locator(".dk-view").focus()
    board.keys("ArrowRight", "ArrowDown", "m", "ArrowRight", "m")
    assert quiz.grade_current_answer(), quiz.to_message()
    board.ask(quiz := OnTree.sets(coins()))
    board.page.locator(".dk-view").focus()
    board.keys("ArrowRight", "Shift+Space", "ArrowDown", "Shift+Space")
    board.page.get_by_role("button", name=english_text("screen.tree.join"), exact=True).focus()
    board.keys("Enter")
    assert quiz.grade_current_answer(), quiz.to_message()


@pytest.mark.slow
def test_a_cell_highlights_its_path_once_the_matrix_is_filled(board: BoardExercisePage):
    """By clicks or keys. Text being typed survives updates, and the line below says what to do."""
    quiz = OnMatrix.fill(small_ending(), cells=[(0, 0), (1, 1)])
    tree = quiz.payoff_tree
    board.ask(quiz)
    status_text = board.page.locator(".dk-matrix-status").inner_text()
    field = board.cell(0, 0).locator("input")
    board.click(field)
    assert quiz.view.selected_cell == (0, 0)
    board.keys("7", "7")
    quiz.view.refresh()
    board.sync()
    assert (field.input_value(), board.page.locator(".dk-matrix-status").inner_text()) == ("77", status_text)
    field.fill(quiz.solution[0])
    board.keys("Enter")
    assert (quiz.view.selected_cell, quiz.to_message()["cells"]["0,0"]["text"]) == ((1, 0), quiz.solution[0])
    board.press(english_text("screen.check"))
    board.click(board.cell(1, 1).locator("input"))
    assert tree.matrix_view == {}
    board.click(field)
    board.mount(tree)
    lit = board.page.locator(".dk-node[data-lit]").evaluate_all("(all) => all.map((one) => Number(one.dataset.id))")
    assert sorted(lit) == sorted(tree.matrix_view["reached_nodes"])
    assert len(lit) == 3
    assert board.page.locator(".dk-matrix-panel").is_hidden()


@pytest.mark.slow
def test_equilibria_are_marked_cell_by_cell(board: BoardExercisePage):
    """A click on a payoff marks both and announces it. A key unmarks. A wrong cell names the player who deviates."""
    board.ask(quiz := OnMatrix.equilibria(PAYOFFS, **DILEMMA), 350)
    pay = board.cell(0, 0).locator("button")
    board.click(pay.nth(1))
    assert [pay.nth(seat).get_attribute("aria-pressed") for seat in (0, 1)] == ["true", "true"]
    assert english_text("screen.matrix.ask.cells") in board.page.locator(".dk-matrix-status").inner_text()
    board.press(english_text("screen.check"))
    assert (board.state, quiz.last_answer) == ("wrong", [[0, 0]])
    assert english("lesson.matrix.cells.left", who="Ann", more="5", better="talks", mine="3").search(" ".join(board.said))
    assert [pay.nth(seat).get_attribute("data-mark") for seat in (0, 1)] == ["wrong", "wrong"]
    pay.nth(0).focus()
    board.keys("Enter", "ArrowDown", "ArrowRight", "ArrowRight", "Enter")
    board.press(english_text("screen.check"))
    assert (board.state, quiz.last_answer) == ("right", [[1, 1]])


@pytest.mark.slow
def test_exercises_work_by_touch(pages):
    """On a phone."""
    context = pages.context(viewport={"width": 360, "height": 740}, reduced_motion="reduce", has_touch=True, is_mobile=True)
    board = load_board_exercise_page(context.new_page())
    board.ask(quiz := OnTree.path(small_ending()), 350)
    for history in (2, 5):
        board.page.locator(f".dk-node[data-id='{history}'] .dk-move").tap()
        board.rest()
    board.page.locator(JUDGED).get_by_role("button", name=english_text("screen.check"), exact=True).tap()
    board.look()
    assert board.state == "right", quiz.to_message()
    board.ask(quiz := OnMatrix.strike(PAYOFFS, **DILEMMA), 350)
    for seat in (0, 1):
        board.header(seat, 0).tap()
        board.rest()
    assert quiz.grade_current_answer()
    context.close()


@pytest.mark.slow
def test_branches_are_drawn_by_keys(board: BoardExercisePage):
    """A missing branch is announced as such. Enter draws and erases it, and so does a click on its node."""
    quiz = OnTree.draw(DRAWN)
    board.ask(quiz)
    board.page.locator(".dk-view").focus()
    board.keys("ArrowRight")
    assert board.node(1).locator("> .dk-sr-only").inner_text().endswith(english_text("screen.tree.undrawn"))
    board.keys("ArrowRight")  # there is no next exercise
    assert (board.at, quiz.to_message()["drawn_nodes"]) == (1, [])
    board.keys("Enter", "ArrowRight", "Enter")
    assert quiz.to_message()["drawn_nodes"] == [1, board.at]
    board.click(board.node(2).locator(".dk-sign"))
    assert quiz.to_message()["drawn_nodes"][:2] == [1, 2]
    board.page.locator(".dk-view").focus()
    board.keys("Enter")
    assert 2 not in quiz.to_message()["drawn_nodes"]
    assert english_text("screen.tree.undrawn") not in board.node(1).locator("> .dk-sr-only").inner_text()


@pytest.mark.slow
def test_fields_announce_their_purpose_and_result(board: BoardExercisePage):
    """Also that a value follows from an earlier mistake."""
    board.ask(OnTree.values(small_ending()))
    for node, text in ((1, "0"), (2, "0"), (0, "0")):
        write(node_of(board, node).locator("input"), text)
        board.rest()
    board.press(english_text("screen.check"))
    names = [node_of(board, node).locator("input").get_attribute("aria-label") for node in (0, 1)]
    assert names[0].endswith(english_text("screen.mark.follows"))
    assert names[1].endswith("wrong")
    assert board.page.locator(".dk-exercise").get_attribute("aria-label").startswith("Exercise: ")


@pytest.mark.slow
@pytest.mark.parametrize(("code", "width"), [("lt", 350)])
def test_feedback_does_not_move_buttons_or_boards(board: BoardExercisePage, code: str, width: int):
    """“Check” stays in place below the board, or above a board that grows. Nothing is wider than the page."""
    for name in ("values", "best", "strategy"):
        quiz = EVERY[name](language=code)
        board.ask(quiz, width)
        check = board.page.locator(f"{JUDGED} .dk-primary").first
        asked_on = board.page.locator(".dk-board").bounding_box()
        assert (check.bounding_box()["y"] > asked_on["y"] + asked_on["height"] - 1) == (name != "strategy")
        before = check.bounding_box()
        board.press(quiz._voice.translate("screen.check"))
        board.rest()
        if not quiz.is_over:
            assert check.bounding_box() == before
        assert (
            board.page.evaluate("document.querySelector('.dk-exercise').scrollWidth - document.querySelector('.dk-exercise').clientWidth")
            <= 1
        )
