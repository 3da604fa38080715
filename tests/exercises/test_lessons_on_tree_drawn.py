"""Test drawing an extensive form: the question, right answers, actions on the tree, and refusals."""

from __future__ import annotations

import json
from random import Random

import pytest

from durak_widget import Game
from durak_widget.analysis import build_tree_from_position
from durak_widget.analysis.trees_with_illegal_moves import build_tree_with_illegal_moves
from durak_widget.errors import DurakError
from durak_widget.exercises.tree_construction_question import TreeConstructionQuestion
from durak_widget.lessons import OnTree
from durak_widget.translated_errors import RefusedError
from support.sizes import tried

SMALL = Game.from_position("econ431", hands=["9c Kd", "Tc"], trump="h")
WHOLE = {(): ["attack 9c", "attack Kd"], ("attack 9c",): ["beat 9c Tc", "take"], ("attack 9c", "take"): "attack Kd", ("attack Kd",): "take", ("attack Kd", "take"): "attack 9c"}  # fmt: skip


def endings(rules: str, many: int, *, seed: int = 1) -> list[Game]:
    """Return endings of five cards from games with random moves."""
    rng, found = Random(seed), list[Game]()
    while len(found) < many:
        game = Game(rules, seed=rng.getrandbits(32))
        while game.outcome is None:
            if not game.talon and sum(map(len, game.hands)) == 5 and rng.random() < 0.5:
                found.append(game.copy())
            game.play(rng.choice(game.legal_moves()))
    return found


def drawings(rules: str, many: int) -> list[TreeConstructionQuestion]:
    """Return drawing exercises from these endings."""
    return [task for game in endings(rules, many) if (task := drawing(game)) is not None]


def drawing(game: Game) -> TreeConstructionQuestion | None:
    """Return the drawing exercise of one ending, or None without choices."""
    try:
        return TreeConstructionQuestion(game, "")
    except DurakError:
        return None


def after_moves(game: Game, moves: tuple[str, ...]) -> Game:
    """Return the same game some moves later."""
    game = game.copy()
    for move in moves:
        game.play(move)
    return game


def count_legal(game: Game, moves: tuple[str, ...]) -> int:
    """Return how many of these moves can be made one after another."""
    game = game.copy()
    for number, move in enumerate(moves):
        if game.why_not(move) is not None:
            return number
        game.play(move)
    return len(moves)


@pytest.mark.parametrize(
    "rules", ["econ431", *(pytest.param(rules, marks=pytest.mark.release) for rules in ("podkidnoy", "durnius", "thrown_up"))]
)
def test_the_branches_are_the_legal_moves_and_tempting_wrong_ones(rules: str) -> None:
    """At each position there are also all cards of the hand that must beat or throw in."""
    exercises = drawings(rules, tried(8, 60))
    assert len(exercises) >= tried(2, 20)
    for exercise in exercises:
        right = exercise.parse_answer(exercise.solution)
        for here in (0, *right):
            game = after_moves(exercise._game, exercise.tree.actions_from_root(here))
            moves = set(map(str, game.legal_moves()))
            assert {exercise.tree.last_action(end) for end in exercise.tree.children(here) if end in right} == moves
            thought = {exercise.tree.last_action(end) for end in exercise.tree.children(here)}
            assert moves <= thought
            if game.actor is not None and game.table:
                cards = {move.split()[-1] for move in thought if " " in move}
                assert cards == {str(card) for card in game.hands[game.actor]}
        assert exercise.grade(right).is_right


def test_a_drawing_is_right_exactly_if_it_is_the_game() -> None:
    """Branches are drawn and removed at random. Each has its mark, and wrong ones their rule."""
    rng = Random(7)
    for task in drawings("econ431", tried(20, 60)):
        right, given = task.parse_answer(task.solution), task.empty_answer()
        for _ in range(20):
            end = rng.choice([rng.randrange(1, task.tree.history_count), *rng.sample(sorted(right), 2)])
            parent = task.tree.parent[end]
            before, given = given, task.apply_message(given, {"node": parent, "action": end - task.tree.first_child[parent]})
            assert (end in given) is (end not in before)
            assert all(task.tree.parent[end] in {0, *given} for end in given)  # every branch is connected
            judged = task.grade(given)
            assert judged.is_right is (given == right)
            assert set(judged.marks) == set(map(str, given))
            for key, mark in judged.marks.items():
                way = task.tree.actions_from_root(int(key))
                assert mark == {len(way): "right", len(way) - 1: "wrong"}.get(count_legal(task._game, way), "follows")
            assert 0 <= task.compute_partial_credit(given, judged.marks) <= 1
            assert json.loads(json.dumps(task.to_plain_data(given))) == task.to_plain_data(given)
            assert task.parse_answer(task.to_plain_data(given)) == given


def test_a_drawing_can_be_given_in_many_forms() -> None:
    """Test histories, moves, paths to the ends, and the last answer given again."""
    quiz = OnTree.draw(SMALL)
    for answer in (
        WHOLE,
        quiz.solution,
        [tuple(way) for way in quiz.solution],
        sorted(quiz._board_question._legal_branches),
        set(quiz._board_question._legal_branches),
    ):
        quiz.restart()
        assert quiz.answer(answer)
        assert quiz.credit == 1
    again = OnTree.draw(SMALL)
    assert again.answer(json.loads(json.dumps(quiz.last_answer)))


def test_invalid_drawings_are_refused() -> None:
    """A message says why, and the old drawing stays."""
    for answer in [
        None,
        7,
        "attack 9c",
        {0: "attack Ad"},
        {"nowhere": "take"},
        [99],
        [["attack 9c", "pass"]],
        {0: [None]},
        [object()],
        {9: "take"},
    ]:
        quiz = OnTree.draw(SMALL)
        quiz.answer([["attack 9c"]])
        with pytest.raises(DurakError) as refused:
            quiz.answer(answer)
        assert "\n" not in str(refused.value)
        assert quiz.last_answer == {"0": ["attack 9c"]}


def test_malformed_messages_do_not_change_the_drawing() -> None:
    """The message is refused."""
    for message in [
        {},
        {"node": 0},
        {"node": 0, "action": 9},
        {"node": -1, "action": 0},
        {"node": "0", "action": [0]},
        {"node": None, "action": None},
    ]:
        quiz = OnTree.draw(SMALL)
        quiz.handle_answer({"node": 0, "action": 0})
        before = quiz.to_message()
        with pytest.raises(DurakError):
            quiz.handle_answer(message)
        assert quiz.to_message() == before


def test_only_endings_with_choices_can_be_drawn() -> None:
    """There is no talon, two players play single cards, and some card does not beat."""
    for game in (
        Game(seed=7),
        Game.from_position("perevodnoy", hands=["9c Kd", "Tc"], trump="h"),
        Game.from_position("players=3", hands=["9c Kd", "Tc", "Jc"], trump="h"),
        Game.from_position("econ431", hands=["9c", "Tc"], trump="h"),
        build_tree_from_position(SMALL, open_hands=True),
    ):
        with pytest.raises(DurakError):
            OnTree.draw(game)  # type: ignore[arg-type] - one of them is none


def test_the_view_shows_only_drawn_branches() -> None:
    """Neither table nor solver reveals the legal moves."""
    quiz = OnTree.draw(SMALL)
    view = quiz.view
    assert view.expansion.open_nodes == {0}
    quiz.handle_answer({"node": 0, "action": 0})
    assert view.expansion.open_nodes == {0, 1}
    quiz.handle_answer({"node": 0, "action": 0})
    assert view.expansion.open_nodes == {0}
    quiz.answer(WHOLE)
    assert view.expansion.open_nodes == {0, *(end for end in quiz._board_question._legal_branches if quiz.tree.child_count[end])}
    quiz.restart()
    for node in (0, 1):
        with pytest.raises(RefusedError):
            view.open_on_table(node)
    for kind in ("solve", "learn", "own"):
        view._receive_message(view, {"kind": kind, "what": "start"}, [])
        assert view.solution is None


def test_graded_drawings_are_not_judged() -> None:
    """Homework does not even say how much is right."""
    quiz = OnTree.draw(SMALL)
    quiz.defer_grading()
    for answer in (WHOLE, [["attack 9c"]]):
        quiz.answer(answer)
        assert (quiz.credit, quiz.marks, quiz.check()) == (0, {}, False)
    quiz.handle_answer({"node": 0, "action": 1})
    assert quiz.to_message()["drawn_nodes"] == [1, 2]


def test_removing_a_branch_removes_everything_after_it() -> None:
    """Drawing a branch draws the path to it."""
    quiz = OnTree.draw(SMALL)
    way = quiz._board_question.parse_answer([["attack 9c", "take", "attack Kd"]])
    assert len(way) == 3
    assert quiz._board_question.apply_message(way, {"node": 0, "action": "attack 9c"}) == frozenset()


def test_drawn_nodes_have_the_labels_of_the_game() -> None:
    """They give the player and the cards, as other Durak trees do."""
    tree, game_tree = build_tree_with_illegal_moves(SMALL), build_tree_from_position(SMALL, open_hands=True)
    assert {infoset.label for infoset in game_tree.infosets} <= {infoset.label for infoset in tree.infosets}
