"""Test hostile input: huge payoffs, imperfect recall, names with control characters, and messages that try to get answers."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from board.boards import load_file
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
    """Return a game with one choice between a huge payoff and a tiny one."""
    return tree_of(
        {
            "": DecisionNode(0, "?", [("l", "l"), ("r", "r")]),
            "l": TerminalNode((huge, -huge)),
            "r": TerminalNode((Fraction(1, huge), -Fraction(1, huge))),
        }
    )


def hidden(huge=HUGE):
    """Return matching pennies with such payoffs."""
    ends = {coin + other: TerminalNode((huge, -huge) if coin == other else (-huge, huge)) for coin in "ht" for other in "ht"}
    return tree_of(
        {
            "": DecisionNode(0, "?", [("h", "h"), ("t", "t")]),
            **{coin: DecisionNode(1, "?", [("h", coin + "h"), ("t", coin + "t")]) for coin in "ht"},
            **ends,
        }
    )


def forgetful(*, zero_sum):
    """Return a game in which player 1 forgets their first move."""
    ends = {action + other: TerminalNode((1, -1 if zero_sum else 2) if action != other else (0, 0)) for action in "lr" for other in "lr"}
    return tree_of(
        {
            "": DecisionNode(0, "?", [("l", "l"), ("r", "r")]),
            **{action: DecisionNode(0, "!", [("l", action + "l"), ("r", action + "r")]) for action in "lr"},
            **ends,
        }
    )


def messages_to_page(view):
    """Return the list to which all later messages to the page are added."""
    messages = []
    view.send = lambda content, **_: messages.append(content)
    return messages


def test_huge_payoffs_are_shown_as_powers_of_ten():
    """This is so in solutions, for your own strategy, at each history and in pictures."""
    for language in LANGUAGES:
        view = board.Tree(open_hands(), language=language, values=True)
        view.handle_message({"kind": "start_own_strategy"})
        view.handle_message({"kind": "set_probability", "infoset": 0, "action": 0, "probability": "1/3"})
        view.solve()
        view.mark_best_responses(1)
        assert "≈10⁴⁰⁰" in str(view)
        assert "10⁴⁰⁰" in view.svg()
        assert view.solution_view["values"][0] == ["≈10⁴⁰⁰", "≈-10⁴⁰⁰"]
        assert "10^400" in repr(view.solution)


def test_float_methods_refuse_payoffs_too_large_for_floats():
    """Linear programs, CFR+ and learners refuse with a message. The button takes an exact method."""
    for method in ("lp", "cfr+", "sampling"):
        with pytest.raises(gametheory.TreeError, match="too large"):
            gametheory.solve(hidden(), method)
    view = board.Tree(hidden())
    messages = messages_to_page(view)
    for message in (
        {"kind": "solve"},
        {"kind": "learn", "command": "step"},
        {"kind": "start_own_strategy"},
        {"kind": "set_probability", "infoset": 0, "action": 0, "probability": 1},
    ):
        view._receive_message(view, message, [])
    assert [sent_message["kind"] for sent_message in messages] == ["error"]
    assert "too large" in messages[0]["text"]
    assert (view.solution.method, view.solution.exact) == ("plans", True)
    assert view.solution_view["own_guarantee"]["value"] == "≈-10⁴⁰⁰"


def test_imperfect_recall_refuses_best_responses_and_the_tree_still_works():
    """A request is refused once, other moves work, and you can try your own strategy."""
    for language in LANGUAGES:
        for zero_sum in [True, False]:
            view = board.Tree(forgetful(zero_sum=zero_sum), language=language)
            view.handle_message({"kind": "start_own_strategy"})
            for seat in (0, 1):
                view.solver_panel._find_settable_player()
                view.handle_message({"kind": "set_probability", "infoset": 0, "action": 0, "probability": "1/3"})
                assert view.solution_view["weight"]["0"][0] == pytest.approx(1 / 3)
                if seat == 0:
                    with pytest.raises(RefusedError) as refused:
                        view.mark_best_responses(0)
                    assert refused.value.key == "board.refused.forgets"
            messages = messages_to_page(view)
            view._receive_message(view, {"kind": "mark_best_responses", "player": 0}, [])
            view.values = True
            view.fold()
            view.unfold()
            assert [message["kind"] for message in messages] == ["error"]
            assert len(view.solution_view["values"]) == view.tree.history_count
            assert not view.solver_state["is_busy"]
            assert view.solution_view["own_guarantee"]["text"] in str(view)


def test_a_failed_computation_is_not_repeated(monkeypatch):
    """The failure is shown once; later messages do not fail because of it."""
    view = board.Tree(coins())
    messages = messages_to_page(view)
    monkeypatch.setattr("durak_widget.board.strategy_state.compute_guarantee", lambda *_: (_ for _ in ()).throw(DurakError("no.")))
    view.handle_message({"kind": "start_own_strategy"})
    view.fold()
    view.unfold()
    assert messages == [{"kind": "error", "text": "no."}]
    assert view.solver_state["is_busy"] is False


def test_bidirectional_control_characters_are_removed_from_names():
    """Letters of all scripts stay, and no name becomes empty."""
    turned = "\u202eabc\u2066d\u200f"
    tree = tree_of({"": DecisionNode(0, turned, [(turned, "l"), ("אב", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))})
    assert [move["text"] for move in TreeWording(tree).describe_actions(0)] == ["abc d\u200f", "אב"]
    table = board.Matrix([[1, 2], [3, 4]], rows=["", "\n"], columns=["\ud800", "b"], names=("", "\x00"))
    assert (table.matrix_view["rows"], table.matrix_view["names"]) == ([["1", "1"], ["2", "2"]], ["Player 1", "Player 2"])
    str(table).encode()


TELLING = [
    {"kind": "solve", "method": "backward"},
    {"kind": "mark_best_responses", "player": 0},
    {"kind": "learn", "command": "step"},
    {"kind": "show_matrix", "on": True},
    {"kind": "show_both_payoffs", "on": True},
    {"kind": "list_equilibria", "on": True},
    {"kind": "show_best_responses", "on": True},
    {"kind": "eliminate"},
    {"kind": "show_equilibrium", "index": 0},
    {"kind": "start_own_strategy"},
    {"kind": "set_probability", "infoset": 0, "action": 0, "probability": "1"},
]


def test_no_message_reveals_the_answer_of_an_exercise():
    """Solutions reach the page only after the exercise is over."""
    for make in [OnTree.values, OnTree.path]:
        for message in TELLING:
            quiz = make(coins(seen=True))
            view = quiz.view
            messages = messages_to_page(view)
            view._receive_message(view, message, [])
            assert [sent_message["kind"] for sent_message in messages] == ["error"]
            assert (view.solution_view, view.matrix_view, view.learning) == ({}, {}, {})
            quiz.reveal()
            view._receive_message(view, {"kind": "start_own_strategy"}, [])
            assert view.solution_view["shown_kind"] == "own"


def test_exercises_mark_no_best_response_in_advance():
    """This is so however a strategy starts."""
    quiz = Strategy(load_file("centipede"), player=None)
    for message in (
        {"kind": "delete_own_strategy"},
        {"kind": "start_own_strategy"},
        {"kind": "set_probability", "infoset": 0, "action": 0, "probability": "1"},
    ):
        quiz.view.handle_message(message)
        assert (quiz.view.solution_view or {"best_responses": None})["best_responses"] is None


def test_a_matrix_exercise_does_not_show_the_strategic_form():
    """Students can read the tree, but its strategic form is the answer."""
    quiz = OnMatrix.fill(coins(), cells=[(0, 0)])
    tree = quiz.payoff_tree
    messages = messages_to_page(tree)
    for message in TELLING:
        tree._receive_message(tree, message, [])
    assert {sent_message["kind"] for sent_message in messages} == {"error"}
    assert (tree.matrix_view, tree.solution_view) == ({}, {})
    tree.handle_message({"kind": "toggle", "id": 0})
    quiz.reveal()
    tree.handle_message({"kind": "show_matrix", "on": True})
    assert tree.question_view == {}
    assert tree.matrix_view["rows"]
    assert OnMatrix.best(coins()).payoff_tree is None


def test_lone_surrogates_are_not_stored_in_labels():
    """They could not be sent to the page."""
    quiz = OnTree.values(coins(seen=True))
    quiz.view.handle_message({"kind": "answer", "node": 0, "text": "1\ud800"})
    json.dumps(quiz.view.get_state(["question_view"]), ensure_ascii=False).encode()
    assert not quiz.grade_current_answer()


def test_numbers_too_long_to_print_are_refused():
    """Trees, matrices and questions refuse them at once with a message."""
    for payoff in (10**5000, Fraction(1, 10**5000)):
        with pytest.raises(gametheory.TreeError, match="more than a thousand digits"):
            open_hands(payoff)
        with pytest.raises(gametheory.TreeError, match="more than a thousand digits"):
            board.Matrix([[payoff]])
        with pytest.raises(DurakError, match="number"):
            Number("How many?", payoff)


def test_names_up_to_three_hundred_characters_are_kept_whole():
    """A longer name is cut, and its last character shows that."""
    assert clean_name("x" * 300) == "x" * 300
    assert clean_name("x" * 301) == "x" * 299 + "…"
