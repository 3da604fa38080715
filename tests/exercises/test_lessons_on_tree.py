"""Test tree exercises: values, information sets and paths, their texts, actions on the view, and refusals."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from durak_widget import Game, Rules, analysis, gametheory
from durak_widget.errors import DurakError
from durak_widget.exercises.information_set_question import separate_information_sets
from durak_widget.lessons import OnTree
from support.sizes import tried
from support.small_trees import ENTRY, hidden_tree
from support.spoken import english, english_text


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ({0: "1, 0"}, english_text("lesson.tree.missing.one", count=1, where="after “go”")),
        ({0: "2, 2", 2: "2, 2"}, " ".join([english_text("lesson.tree.wrong.least", where="After “go”", who="Bob"), english_text("lesson.tree.follows", where=english_text("lesson.tree.start"))])),
        ({0: "1, 0", 2: "3, 0"}, english_text("lesson.tree.wrong.swapped", where="After “go”")),
        ({0: "1, 0", 2: "1, 5/2"}, english_text("lesson.tree.wrong.average", where="After “go”", who="Bob")),
        ({0: "0, 3", 2: "0, 3"}, english_text("lesson.tree.wrong.least", where=english_text("lesson.tree.start"), who="Ann")),
        ({0: "1, 0", 2: "5, 5"}, english_text("lesson.tree.wrong.none", where="after “go”", who="Bob")),
        ({0: "1, 0", 2: "three"}, english_text("lesson.tree.unread.all", where="after “go”", text="three")),
        ({0: "1, 0", 2: "3"}, english_text("lesson.tree.unread.all", where="after “go”", text="3")),
    ],
)  # fmt: skip
def test_each_verdict_on_values_has_its_sentence(answer, sentence):
    """Each mistake has its own."""
    assert str(OnTree.values(ENTRY).answer(answer)) == f"{english_text('lesson.not_yet')} {sentence}"


def test_verdicts_on_chance_moves_have_their_sentence():
    """Test one branch only, a plain average, a sum, and a choice without information."""
    coin = gametheory.build_tree("", {"": gametheory.ChanceNode([("heads", Fraction(1, 4), "h"), ("tails", Fraction(3, 4), "t")]), "h": gametheory.TerminalNode((3, -3)), "t": gametheory.TerminalNode((-1, 1))}.__getitem__, player_count=2)  # fmt: skip
    quiz = OnTree.values(coin)
    for answer, reason in (
        ("3", english("lesson.tree.drawn.one", move="heads")),
        ("1", english("lesson.tree.drawn.plain")),
        ("2", english("lesson.tree.drawn.sum")),
        ("7", english("lesson.tree.drawn.unclear")),
    ):
        assert reason.search(str(quiz.answer([answer])))
    assert quiz.answer(["0"])


def test_values_above_a_mistake_are_judged_by_it():
    """True values are right anyway, and values that follow from a mistake are consistent."""
    quiz = OnTree.values(ENTRY)
    quiz.answer({0: "1, 0", 2: "2, 2"})
    assert [node["mark"] for node in quiz.to_message()["nodes"].values()] == ["right", "wrong"]
    quiz.answer({0: "2, 2", 2: "2, 2"})
    assert [node["mark"] for node in quiz.to_message()["nodes"].values()] == ["follows", "wrong"]


def test_actions_on_the_view_are_judged_by_the_check_button():
    """Changed fields lose their mark, right ones are locked, malformed messages are refused."""
    quiz = OnTree.values(ENTRY)
    quiz.handle_answer({"kind": "answer", "node": 2, "text": "2, 2"})
    assert quiz.view_model()["has_begun"]
    assert quiz.view_model()["state"] == ""
    assert not quiz.grade_current_answer()
    assert quiz.to_message()["nodes"]["2"] == {"text": "2, 2", "mark": "wrong", "open": True}
    quiz.handle_answer({"kind": "answer", "node": 2, "text": "0;3"})
    assert quiz.to_message()["nodes"]["2"]["mark"] == ""
    quiz.handle_answer({"kind": "answer", "node": 0, "text": "1, 0"})
    assert quiz.grade_current_answer()
    assert quiz.attempt_count == 2
    assert not any(node["open"] for node in quiz.to_message()["nodes"].values())
    quiz.handle_answer({"kind": "answer", "node": 0, "text": "5"})
    assert quiz.check()
    quiz.restart()
    for message in ({"node": 1, "text": "1"}, {"node": 2}, {"node": None, "text": "1"}, {"node": "x", "text": "1"}, {"node": [["go"]], "text": "1"}, {"text": 3, "node": 2}, {}):  # fmt: skip
        with pytest.raises(DurakError):
            quiz.handle_answer(message)
    assert not quiz.view_model()["has_begun"]


SEES = english_text("lesson.tree.apart.sees", one="after “high”", who="Ann", label="high", other="after “low”", others="low")
HANDS = analysis.build_tree_from_position(Game.from_position(hands=["7c Jc", "8c"], trump="c", talon="9c"), open_hands=True)


SEES_CARDS = english_text("lesson.tree.apart.sees", one="after “high”", who="Ann", label="high", other="after “low”", others="low")


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ([], english_text("lesson.tree.sets.left.one", count=1)),
        ([[["high"], ["low"]], [["high", "bet"], ["low", "bet"]]], SEES_CARDS),
        ([[1, 2]], f"{SEES_CARDS} {english_text('lesson.tree.sets.left.one', count=1)}"),
        ([[1, 3]], " ".join([english_text("lesson.tree.apart.players", one="After “high”", who="Ann", other="after “high, bet”", next="Bob"), english_text("lesson.tree.sets.left.one", count=1)])),
    ],
)  # fmt: skip
def test_each_verdict_on_information_sets_has_its_sentence(answer, sentence):
    """It names a difference, the number of incomplete groups, and at the second try which."""
    tree = hidden_tree()
    assert str(OnTree.sets(tree).answer(answer)) == f"{english_text('lesson.not_yet')} {sentence}"


def test_a_missing_group_is_named_at_the_second_try():
    """The first try says only that there is one."""
    quiz = OnTree.sets(hidden_tree())
    quiz.answer([])
    assert str(quiz.answer([])) == " ".join(
        [
            english_text("lesson.not_yet"),
            english_text("lesson.tree.sets.same", one="after “high, bet”", other="after “low, bet”", who="Bob"),
        ]
    )


def test_information_sets_of_durak_are_distinguished_by_cards():
    """Every solution is right. For any two sets joined, the text gives their difference."""
    tree = analysis.build_game_tree(
        Rules(suits="cd", ranks="67", hand_size=1, trump="c", attack_limit=1, first_attacker="left_of_dealer"), dealer=1
    )
    quiz = OnTree.sets(tree)
    assert quiz.answer(quiz.solution)
    assert quiz.answer([" ".join(map(str, group)) for group in quiz.solution])
    differences = Counter()
    nodes = [here for here in range(tree.history_count) if tree.actor[here] >= 0]
    for first, other in [*combinations(nodes, 2)][:: tried(20, 1)]:
        verdict = str(quiz.answer([*quiz.solution, [first, other]])) if tree.infoset_of[first] != tree.infoset_of[other] else ""
        differences |= Counter(
            reason
            for reason in ("players", "cards", "moves", "did", "sees", "saw")
            if english(f"lesson.tree.apart.{reason}").search(verdict)
        )
        assert not any(english(f"lesson.tree.sets.left.{form}").search(verdict) for form in ("one", "other"))
    assert differences["cards"]
    assert differences["players"]


def test_the_tree_for_joining_sets_shows_none():
    """Each history is its own set without a label. The exercise's tree is unchanged."""
    tree = hidden_tree()
    alone = separate_information_sets(tree)
    assert sum(alone.infoset_counts) == sum(actor >= 0 for actor in tree.actor)
    assert {infoset.label for infoset in alone.infosets} == {""}
    assert sum(tree.infoset_counts) == 3
    assert (alone.actor, alone.payoffs) == (tree.actor, tree.payoffs)


def test_histories_are_joined_and_separated_on_the_view():
    """Groups grow together, and a separated history leaves its group."""
    quiz = OnTree.sets(hidden_tree())
    first, other, third = 3, 5, 1
    quiz.handle_answer({"nodes": [first, other], "join": True})
    assert quiz.to_message()["groups"] == [[3, 5]]
    quiz.handle_answer({"nodes": [other, third], "join": True})
    assert quiz.to_message()["groups"] == [[1, 3, 5]]
    assert not quiz.grade_current_answer()
    assert quiz.to_message()["marks"] == {"0": "wrong"}
    quiz.handle_answer({"nodes": [third], "join": False})
    assert quiz.to_message() == {"question_kind": "sets", "groups": [[3, 5]], "marks": {}, "allowed_nodes": [1, 2, 3, 5]}
    assert quiz.grade_current_answer()
    assert quiz.to_message()["allowed_nodes"] == []
    for message in (
        {"nodes": [0, 1], "join": True},
        {"nodes": [99], "join": True},
        {"nodes": "35"},
        {"nodes": []},
        {"nodes": [[], {}], "join": True},
    ):
        quiz.restart()
        with pytest.raises(DurakError):
            quiz.handle_answer(message)


def test_moves_are_clicked_and_undone_on_the_view():
    """The first wrong one is compared with another move. A short path is incomplete."""
    quiz = OnTree.path(ENTRY)
    assert str(quiz.grade_current_answer()) == " ".join(
        [english_text("lesson.not_yet"), english_text("lesson.tree.path.missing.one", count=1, where=english_text("lesson.tree.start"))]
    )
    quiz.handle_answer({"node": 0, "action": 1})
    assert str(quiz.grade_current_answer()) == " ".join(
        [
            english_text("lesson.not_yet"),
            english_text(
                "lesson.tree.path.better", where=english_text("lesson.tree.start"), move="go", who="Ann", mine="0", better="stop", more="1"
            ),
        ]
    )
    quiz.handle_answer({"node": 0, "action": 1})
    assert quiz.to_message()["moves"] == {}
    quiz.handle_answer({"node": 0, "action": 0})
    assert quiz.grade_current_answer()
    quiz.restart()
    for message in (
        {"node": 0, "action": 2},
        {"node": 1, "action": 0},
        {"node": 0, "action": "x"},
        {"node": 0, "action": [0]},
        {"action": 0},
    ):
        with pytest.raises(DurakError):
            quiz.handle_answer(message)


def test_a_whole_strategy_is_judged_by_the_moves_clicked_below():
    """If it follows another player's mistake, the text says where."""
    quiz = OnTree.path(ENTRY, whole=True)
    assert str(quiz.answer(["go", "share"])) == (
        " ".join(
            [
                english_text("lesson.not_yet"),
                english_text("lesson.tree.path.better", where="after “go”", move="share", who="Bob", mine="2", better="take", more="3"),
                english_text("lesson.tree.path.follows", where=english_text("lesson.tree.start")),
            ]
        )
    )
    assert quiz.to_message()["marks"] == {"0": "follows", "2": "wrong"}
    assert quiz.answer({(): "stop", ("go",): "take"})


def test_durak_moves_are_named_in_the_page_language():
    """They are the same as on the tree."""
    for code in ["en", "ru", "lt"]:
        quiz = OnTree.path(HANDS, language=code)
        text = quiz.reveal() + str(quiz.answer([HANDS.last_action(1)]))
        assert "attack" not in text.replace("attacks", "") or code == "en"
        assert "7c" not in text


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: OnTree.values("tree"), "'tree' is"),
        (lambda: OnTree.values(hidden_tree()), "OnTree.sets or Strategy"),
        (lambda: OnTree.path(hidden_tree()), "best path"),
        (lambda: OnTree.sets(ENTRY), "nothing to join; take"),
        (lambda: OnTree.values(ENTRY, nodes=[1]), "at history 1 the game is over, and"),
        (lambda: OnTree.values(ENTRY, nodes=[9]), "there is no history 9;"),
        (lambda: OnTree.values(ENTRY, nodes=[]), "1 to 60 histories, not at 0"),
        (lambda: OnTree.values(ENTRY, player=2), "there is no"),
        (lambda: OnTree.values(ENTRY, nmae="x"), "OnTree has no option 'nmae'. Did you mean 'name'?"),
        (lambda: OnTree.values(ENTRY).answer([1, 2, 3]), "0, 2"),
        (lambda: OnTree.values(ENTRY).answer({1: "1"}), "1, but at 0, 2"),
        (lambda: OnTree.values(ENTRY).answer({0: None}), "a value"),
        (lambda: OnTree.path(ENTRY).answer(["stop", "take"]), "1 moves too many: the game is over before 'take'"),
        (lambda: OnTree.path(ENTRY).answer(["stpo"]), "at history 0 there is no move 'stpo'; there are stop, go. Did you mean 'stop'?"),
    ],
)  # fmt: skip
def test_invalid_tree_exercises_and_answers_are_refused(make, sentence):
    """Authors and students get a message."""
    with pytest.raises(DurakError) as refused:
        make()
    assert sentence in str(refused.value)
