"""What is strange about a game, or meant badly: huge payoffs, seats that forget, names that turn sentences round, messages that would answer an exercise."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from board.boards import of_file
from durak_widget import board, gametheory
from durak_widget.board.tree_wording import TreeWording, clean_name
from durak_widget.errors import DurakError
from durak_widget.gametheory.tree import DecisionNode, TerminalNode
from durak_widget.lessons import Number, OnMatrix, OnTree, Strategy
from durak_widget.translated_errors import RefusedError
from support.asked import coins
from support.textbook import tree_of

HUGE = 10**400
LANGUAGES = ("en", "ru", "lt")


def open_hands(huge=HUGE):
    """One choice between more than any float can hold and next to nothing."""
    return tree_of(
        {
            "": DecisionNode(0, "?", [("l", "l"), ("r", "r")]),
            "l": TerminalNode((huge, -huge)),
            "r": TerminalNode((Fraction(1, huge), -Fraction(1, huge))),
        }
    )


def hidden(huge=HUGE):
    """Matching pennies for that."""
    ends = {one + other: TerminalNode((huge, -huge) if one == other else (-huge, huge)) for one in "ht" for other in "ht"}
    return tree_of(
        {
            "": DecisionNode(0, "?", [("h", "h"), ("t", "t")]),
            **{one: DecisionNode(1, "?", [("h", one + "h"), ("t", one + "t")]) for one in "ht"},
            **ends,
        }
    )


def forgetful(*, zero_sum):
    """Who begins forgets what it did."""
    ends = {one + other: TerminalNode((1, -1 if zero_sum else 2) if one != other else (0, 0)) for one in "lr" for other in "lr"}
    return tree_of(
        {
            "": DecisionNode(0, "?", [("l", "l"), ("r", "r")]),
            **{one: DecisionNode(0, "!", [("l", one + "l"), ("r", one + "r")]) for one in "lr"},
            **ends,
        }
    )


def says(view):
    """What it says to its page by itself, from now on."""
    said = []
    view.send = lambda content, **_: said.append(content)
    return said


def test_no_payoff_is_too_large_to_be_told():
    """A number that no float can hold is told by its power of ten: as the solution, as what one's own strategy has, at each history, in a picture."""
    for language in LANGUAGES:
        view = board.Tree(open_hands(), language=language, values=True)
        view.handle_message({"kind": "own"})
        view.handle_message({"kind": "likely", "set": 0, "move": 0, "to": "1/3"})
        view.solve()
        view.mark_best_responses(1)
        assert "≈10⁴⁰⁰" in str(view)
        assert "10⁴⁰⁰" in view.svg()
        assert view.told_solution["value"][0] == ["≈10⁴⁰⁰", "≈-10⁴⁰⁰"]
        assert "10^400" in repr(view.solution)


def test_what_reckons_in_floats_refuses_what_no_float_can_hold():
    """A linear program, CFR+, a learner: in a sentence, and the tree goes on; the button takes what needs no decimals."""
    for method in ("lp", "cfr+", "sampling"):
        with pytest.raises(gametheory.TreeError, match="too large for decimals"):
            gametheory.solve(hidden(), method)
    view = board.Tree(hidden())
    said = says(view)
    for message in (
        {"kind": "solve"},
        {"kind": "learn", "what": "step"},
        {"kind": "own"},
        {"kind": "likely", "set": 0, "move": 0, "to": 1},
    ):
        view._receive_message(view, message, [])
    assert [one["kind"] for one in said] == ["error"]
    assert "too large for decimals" in said[0]["said"]
    assert (view.solution.method, view.solution.exact) == ("plans", True)
    assert view.told_solution["own"]["value"] == "≈-10⁴⁰⁰"


def test_of_who_forgets_no_best_response_is_marked_and_the_tree_goes_on():
    """Asked for once it is refused in a sentence; whatever is done then is done, and one's own strategy can be tried."""
    for language in LANGUAGES:
        for zero_sum in [True, False]:
            view = board.Tree(forgetful(zero_sum=zero_sum), language=language)
            view.handle_message({"kind": "own"})
            for seat in (0, 1):
                view.solver_panel._find_settable_player()
                view.handle_message({"kind": "likely", "set": 0, "move": 0, "to": "1/3"})
                assert view.told_solution["weight"]["0"][0] == pytest.approx(1 / 3)
                if seat == 0:
                    with pytest.raises(RefusedError) as refused:
                        view.mark_best_responses(0)
                    assert refused.value.key == "board.refused.forgets"
            said = says(view)
            view._receive_message(view, {"kind": "best", "seat": 0}, [])
            view.values = True
            view.fold()
            view.unfold()
            assert [one["kind"] for one in said] == ["error"]
            assert len(view.told_solution["value"]) == view.tree.history_count
            assert not view.solving["busy"]
            assert view.told_solution["own"]["said"] in str(view)


def test_what_cannot_be_worked_out_is_tried_once(monkeypatch):
    """It is said; then nothing that is done on the tree fails for it again."""
    view = board.Tree(coins())
    said = says(view)
    monkeypatch.setattr("durak_widget.board.strategy_state.compute_guarantee", lambda *_: (_ for _ in ()).throw(DurakError("no.")))
    view.handle_message({"kind": "own"})
    view.fold()
    view.unfold()
    assert said == [{"kind": "error", "said": "no."}]
    assert view.solving["busy"] is False


def test_a_name_does_not_turn_round_the_rest_of_a_sentence():
    """Letters of any script stay; what only commands the reader's eye does not, nor is anything called nothing."""
    turned = "\u202eabc\u2066d\u200f"
    tree = tree_of({"": DecisionNode(0, turned, [(turned, "l"), ("אב", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))})
    assert [move["said"] for move in TreeWording(tree).describe_actions(0)] == ["abc d\u200f", "אב"]
    table = board.Matrix([[1, 2], [3, 4]], rows=["", "\n"], columns=["\ud800", "b"], names=("", "\x00"))
    assert (table.told_matrix["rows"], table.told_matrix["names"]) == ([["1", "1"], ["2", "2"]], ["Player 1", "Player 2"])
    str(table).encode()


TELLING = [
    {"kind": "solve", "method": "backward"},
    {"kind": "best", "seat": 0},
    {"kind": "learn", "what": "step"},
    {"kind": "matrix", "on": True},
    {"kind": "pairs", "on": True},
    {"kind": "equilibria", "on": True},
    {"kind": "marks", "on": True},
    {"kind": "strike"},
    {"kind": "mix", "place": 0},
    {"kind": "own"},
    {"kind": "likely", "set": 0, "move": 0, "to": "1"},
]


def test_no_message_answers_an_exercise():
    """Nothing that is worked out of the game gets to the page before the exercise is over; then all of it may."""
    for make in [OnTree.values, OnTree.path]:
        for message in TELLING:
            quiz = make(coins(seen=True))
            view = quiz.view
            said = says(view)
            view._receive_message(view, message, [])
            assert [one["kind"] for one in said] == ["error"]
            assert (view.told_solution, view.told_matrix, view.learning) == ({}, {}, {})
            quiz.reveal()
            view._receive_message(view, {"kind": "own"}, [])
            assert view.told_solution["which"] == "own"


def test_in_an_exercise_no_best_response_is_marked_beforehand():
    """However a strategy is begun."""
    quiz = Strategy(of_file("centipede"), player=None)
    for message in ({"kind": "forget"}, {"kind": "own"}, {"kind": "likely", "set": 0, "move": 0, "to": "1"}):
        quiz.view.handle_message(message)
        assert (quiz.view.told_solution or {"best": None})["best"] is None


def test_the_tree_of_a_matrix_to_be_filled_in_does_not_fill_it_in():
    """It is there to be read; its strategic form is what is asked for, so that it shows none before it is filled in."""
    quiz = OnMatrix.fill(coins(), cells=[(0, 0)])
    tree = quiz.payoff_tree
    said = says(tree)
    for message in TELLING:
        tree._receive_message(tree, message, [])
    assert {one["kind"] for one in said} == {"error"}
    assert (tree.told_matrix, tree.told_solution) == ({}, {})
    tree.handle_message({"kind": "toggle", "id": 0})
    quiz.reveal()
    tree.handle_message({"kind": "matrix", "on": True})
    assert tree.told_task == {}
    assert tree.told_matrix["rows"]
    assert OnMatrix.best(coins()).payoff_tree is None


def test_half_a_sign_is_not_kept():
    """What could not be sent to the page again would silence it for good."""
    quiz = OnTree.values(coins(seen=True))
    quiz.view.handle_message({"kind": "give", "node": 0, "text": "1\ud800"})
    json.dumps(quiz.view.get_state(["told_task"]), ensure_ascii=False).encode()
    assert not quiz.grade_current_answer()


def test_a_number_that_nobody_could_write_down_is_refused():
    """In a tree, in a matrix, in a question: in a sentence, not when it is first to be shown."""
    for worth in (10**5000, Fraction(1, 10**5000)):
        with pytest.raises(gametheory.TreeError, match="more than a thousand digits"):
            open_hands(worth)
        with pytest.raises(gametheory.TreeError, match="more than a thousand digits"):
            board.Matrix([[worth]])
        with pytest.raises(DurakError, match="a number is given as in"):
            Number("How many?", worth)


def test_a_name_of_three_hundred_signs_stays_as_it_is():
    """One more, and the last of those that are shown says that there were more."""
    assert clean_name("x" * 300) == "x" * 300
    assert clean_name("x" * 301) == "x" * 299 + "…"
