"""Test an exercise and its tree or matrix: they show the same answer in one language, and reveal nothing."""

from __future__ import annotations

import json

import pytest

from durak_widget import Game, analysis, gametheory
from durak_widget.errors import DurakError
from durak_widget.lessons import OnMatrix, OnTree, Strategy
from support.asked import RecordingPage, coins
from support.small_trees import ENTRY, hidden_tree
from support.spoken import english

ENDING = analysis.build_tree_from_position(Game.from_position(hands=["6c 8d", "7c"]), open_hands=True)
DILEMMA = [[(3, 3), (0, 5)], [(5, 0), (1, 1)]]
EVERY = {
    "values": lambda: OnTree.values(ENTRY),
    "sets": lambda: OnTree.sets(hidden_tree()),
    "path": lambda: OnTree.path(ENTRY),
    "whole": lambda: OnTree.path(ENTRY, whole=True),
    "fill": lambda: OnMatrix.fill(ENDING),
    "strike": lambda: OnMatrix.strike(DILEMMA),
    "best": lambda: OnMatrix.best(DILEMMA),
    "strategy": lambda: Strategy(coins()),
}


def test_an_answer_appears_on_the_view_at_once():
    """Test code, a new start and the solution, as plain values."""
    for make in EVERY.values():
        quiz = make()
        view = quiz.view
        assert view.question_view == quiz.to_message()
        assert json.loads(json.dumps(view.question_view)) == view.question_view
        quiz.answer(quiz.solution)
        assert view.question_view == quiz.to_message()
        quiz.restart()
        quiz.reveal()
        assert view.question_view == quiz.to_message()
        assert view.question_view["question_kind"] == quiz.question_kind


def test_exercise_and_view_use_the_same_language():
    """Either of the two can change it."""
    for make in EVERY.values():
        quiz = make()
        view = quiz.view
        quiz.language = "ru"
        assert view.language == "ru"
        view.language = "lt"
        assert quiz.language == "lt"
        asked = quiz.question
        quiz.language = "en"
        assert quiz.question != asked


def test_the_static_view_does_not_reveal_the_answer():
    """Neither picture nor text has marks, values or probabilities, before and after answering."""
    for name, make in EVERY.items():
        quiz = make()
        before = quiz.view.svg(), str(quiz.view)
        if name == "fill":
            assert "−1" not in before[0] + before[1]
            assert "1" not in before[1].replace("Player 1", "")
        if name == "sets":
            assert quiz.view.drawing["shared_infosets"] == []
        static = quiz.static_mimebundle()
        quiz.reveal()
        assert quiz.static_mimebundle() == static
        if name not in {"strategy", "path", "whole"}:
            assert (quiz.view.svg(), str(quiz.view)) == before


def test_the_check_button_judges_what_the_view_shows():
    """It sends no answer. Malformed messages are refused."""
    for make in EVERY.values():
        quiz = make()
        page = RecordingPage(quiz)
        quiz._page = page
        page._receive_message(page, {"kind": "grade_current_answer"}, [])
        assert quiz.attempt_count == 1
        assert page.exercise_view["state"] == "wrong"
        page._receive_message(page, {"kind": "grade_current_answer", "answer": [1]}, [])
        page._receive_message(page, {"kind": "reveal"}, [])
        assert page.exercise_view["state"] in {"shown", "right"}
        assert not hasattr(page, "told")
        for message in ({"kind": "grade"}, {"kind": "answer", "answer": ["x"]}, {"kind": "answer", "answer": [[]]}):
            page._receive_message(page, message, [])
        assert all(page_message["kind"] == "error" and page_message["text"] for page_message in getattr(page, "told", []))


def test_bad_messages_from_the_page_are_refused():
    """There is no traceback, and nothing changes."""
    for name in ["values", "sets", "path", "fill", "strike", "best"]:
        quiz = EVERY[name]()
        before = quiz.to_message()
        odd = (None, -1, 10**30, 1.5, "x" * 10_000, [1, [2]], {"a": 1}, True)
        for value in odd:
            for other in odd:
                message = {
                    "kind": "answer",
                    "node": value,
                    "action": other,
                    "text": other,
                    "nodes": value,
                    "join": other,
                    "row": value,
                    "column": other,
                }
                for more in (
                    {"player": value, "strategy": other},
                    {"player": 0, "strategy": value},
                    {"player": 0, "strategy": other, "row": 0},
                ):
                    try:
                        quiz.handle_answer({**message, **more})
                    except DurakError as refused:
                        assert str(refused)
                    quiz.restart()
        assert quiz.to_message() == before


def test_an_author_can_set_all_texts():
    """Question, explanation, name and number appear on the sheet in several languages."""
    quiz = OnTree.path(
        ENTRY,
        question={"en": "Who stops?", "ru": "Кто остановится?"},
        why="Bob would take.",
        name="11/stop/challenge",
        number="3a",
        language="ru",
    )
    assert quiz.question == "Кто остановится?"
    sheet = quiz.view_model()
    assert (sheet["number"], sheet["challenge"], quiz.name) == ("3a", True, "11/stop/challenge")
    assert quiz.answer(["stop"]).sentences[-1] == "Bob would take."


def test_a_large_tree_is_opened_where_the_question_is():
    """Two levels and the paths to the question are open."""
    tree = analysis.build_tree_from_position(
        Game.from_position("suits=c, ranks=6789TJ, hand_size=2", hands=["7c Jc", "8c"], trump="c", talon="9c Tc", discard="6c"),
        open_hands=True,
    )
    assert tree.history_count == 285
    node = next(here for here in reversed(range(tree.history_count)) if tree.actor[here] >= 0)
    quiz = OnTree.values(tree, nodes=[node])
    assert quiz.view.expansion.is_shown(node)
    assert all(quiz.view.expansion.is_shown(child) for child in tree.children(node))
    assert quiz.view.current_node == 0
    assert quiz.view.expansion.shown_count < 285


NAMELESS = gametheory.build_tree(
    "",
    lambda where: (
        gametheory.TerminalNode((1, -1) if where == "r" else (0, 0)) if where else gametheory.DecisionNode(0, "?", [("l", "l"), ("r", "r")])
    ),
    player_count=2,
)
SPOKEN = {"en": "What is it worth to you?", "ru": "Чего это стоит для вас?", "lt": "Ko tai verta jums?"}


@pytest.mark.parametrize(
    ("make", "answer", "sentence", "otherwise"),
    [
        (lambda **more: OnTree.values(ENDING, player=1, **more), {0: "-1", 1: "0", 2: "0"}, english("lesson.tree.wrong.average.you", who="you"), english("lesson.tree.wrong.average", who="Player 2")),
        (lambda **more: OnTree.path(ENDING, **more), {0: "attack 6c", 1: "beat 6c 7c"}, *[english("lesson.tree.path.better", who="Player 1", mine="−1")] * 2),
        (lambda **more: OnMatrix.fill(ENDING, **more), ["-1"] * 8, english("lesson.matrix.fill.turned.you", who="you"), english("lesson.matrix.fill.turned", who="Player 1")),
        (lambda **more: OnMatrix.best(DILEMMA, **more), [(0, 0, 0)], *[english("lesson.matrix.best.wrong", who="Row", mine="3")] * 2),
        (lambda **more: Strategy(coins(), player=0, **more), {0: "heads"}, *[english("lesson.strategy.loses.one", who="Even", got="−1")] * 2),
        (lambda **more: Strategy(NAMELESS, player=0, **more), {0: "l"}, english("lesson.strategy.loses.one.you", who="you", got="0"), english("lesson.strategy.loses.one", who="Player 1", got="0")),
        (lambda **more: Strategy(NAMELESS, player=0, **more), {0: "r"}, english("lesson.strategy.right.one.you", who="you", got="1"), english("lesson.strategy.right.one", who="Player 1", got="1")),
    ],
)  # fmt: skip
def test_reasons_say_you_if_the_question_is_about_you(make, answer, sentence, otherwise):
    """This is so if one unnamed player is asked about, in the question's language."""
    for question, wanted in ((SPOKEN, sentence), ("What is it worth?", otherwise)):
        assert wanted.search(str(make(question=question).answer(answer)))
    quiz = make(question=SPOKEN)
    quiz.answer(answer)
    for language, you in (("ru", {"вы", "вам"}), ("lt", {"jūs", "jums"})):
        quiz.language = language
        words = str(quiz.grade_current_answer()).lower().replace(",", " ").replace(":", " ").replace(".", " ").split()
        assert bool(you & set(words)) is (sentence != otherwise)


def test_an_author_can_choose_which_player_is_you():
    """Another player is refused, also player 2 where player 1's payoffs are filled in."""
    assert english("lesson.tree.path.better.you", move="attacks with 6♣︎", who="you", mine="−1").search(
        str(OnTree.path(ENDING, you=0).answer({0: "attack 6c", 1: "beat 6c 7c"}))
    )
    with pytest.raises(DurakError, match=r"you .*2"):
        OnTree.path(ENDING, you=2)
    with pytest.raises(DurakError, match="here it can only be 0"):
        OnMatrix.fill(ENDING, you=1)


def test_the_selected_cell_highlights_its_path_only_when_answered():
    """The path would reveal the payoff at its end. Cells that are not asked about may be highlighted."""
    quiz = OnMatrix.fill(ENDING, cells=[(0, 0), (1, 1)])
    tree, view = quiz.payoff_tree, quiz.view
    paths = lambda: tree.matrix_view.get("reached_nodes")  # noqa: E731 - said often
    stand = lambda row, column: view.handle_message({"kind": "select_cell", "row": row, "column": column})  # noqa: E731
    stand(0, 0)
    assert paths() is None
    view.handle_message({"kind": "answer", "row": 0, "column": 0, "text": quiz.solution[0]})
    assert paths() is None
    stand(0, 1)
    assert [tree.tree.actions_from_root(path) for path in paths()] == [(), ("attack 6c",), ("attack 6c", "beat 6c 7c")]
    stand(1, 1)
    assert paths() is None
    view.handle_message({"kind": "answer", "row": 1, "column": 1, "text": "77"})
    quiz.grade_current_answer()
    assert paths() is None
    stand(0, 0)
    assert len(paths()) == 3
    stand(None, None)
    assert paths() is None
    stand(1, 1)
    quiz.reveal()
    assert len(paths()) == 3
    quiz.restart()
    assert paths() is None
    assert "names" not in tree.matrix_view
