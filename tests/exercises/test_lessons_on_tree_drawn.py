"""An extensive form that is drawn: what is asked, what is right, what a hand on the tree does, and what is refused."""

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
    """Endings of five cards that are reached when a game is played by lots."""
    lots, found = Random(seed), list[Game]()
    while len(found) < many:
        game = Game(rules, seed=lots.getrandbits(32))
        while game.outcome is None:
            if not game.talon and sum(map(len, game.hands)) == 5 and lots.random() < 0.5:
                found.append(game.copy())
            game.play(lots.choice(game.legal_moves()))
    return found


def drawings(rules: str, many: int) -> list[TreeConstructionQuestion]:
    """What can be asked of them."""
    return [one for game in endings(rules, many) if (one := drawing(game)) is not None]


def drawing(game: Game) -> TreeConstructionQuestion | None:
    """What can be asked of one; None where there is nothing to choose."""
    try:
        return TreeConstructionQuestion(game, "")
    except DurakError:
        return None


def played(game: Game, moves: tuple[str, ...]) -> Game:
    """The same game some moves later."""
    game = game.copy()
    for move in moves:
        game.play(move)
    return game


def lawful(game: Game, moves: tuple[str, ...]) -> int:
    """How many of these moves may be made, one after the other."""
    game = game.copy()
    for number, move in enumerate(moves):
        if game.why_not(move) is not None:
            return number
        game.play(move)
    return len(moves)


@pytest.mark.parametrize(
    "rules", ["econ431", *(pytest.param(rules, marks=pytest.mark.release) for rules in ("podkidnoy", "durnius", "thrown_up"))]
)
def test_the_branches_are_those_of_the_game(rules: str) -> None:
    """At each place that is reached: just its legal moves, and beside them each card of the hand that is to beat or is thrown in."""
    made = drawings(rules, tried(8, 60))
    assert len(made) >= tried(2, 20)
    for one in made:
        right = one.parse_answer(one.solution)
        for here in (0, *right):
            game = played(one._game, one.tree.actions_from_root(here))
            moves = set(map(str, game.legal_moves()))
            assert {one.tree.last_action(end) for end in one.tree.children(here) if end in right} == moves
            thought = {one.tree.last_action(end) for end in one.tree.children(here)}
            assert moves <= thought
            if game.actor is not None and game.table:
                cards = {move.split()[-1] for move in thought if " " in move}
                assert cards == {str(card) for card in game.hands[game.actor]}
        assert one.grade(right).is_right


def test_any_drawing_is_right_just_where_it_is_the_game() -> None:
    """Branches drawn and wiped away by lots: each drawn one has its mark, and each one that is wrong its rule."""
    lots = Random(7)
    for one in drawings("econ431", tried(20, 60)):
        right, given = one.parse_answer(one.solution), one.empty_answer()
        for _ in range(20):
            end = lots.choice([lots.randrange(1, one.tree.history_count), *lots.sample(sorted(right), 2)])
            parent = one.tree.parent[end]
            before, given = given, one.apply_message(given, {"node": parent, "move": end - one.tree.first_child[parent]})
            assert (end in given) is (end not in before)
            assert all(one.tree.parent[end] in {0, *given} for end in given)  # nothing hangs in the air
            judged = one.grade(given)
            assert judged.is_right is (given == right)
            assert set(judged.marks) == set(map(str, given))
            for key, mark in judged.marks.items():
                way = one.tree.actions_from_root(int(key))
                assert mark == {len(way): "right", len(way) - 1: "wrong"}.get(lawful(one._game, way), "follows")
            assert 0 <= one.compute_partial_credit(given, judged.marks) <= 1
            assert json.loads(json.dumps(one.to_plain_data(given))) == one.to_plain_data(given)
            assert one.parse_answer(one.to_plain_data(given)) == given


def test_an_answer_may_be_given_in_any_way() -> None:
    """By histories or by the moves that lead there, or as the ways to the ends; and what was given last says it once more."""
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


def test_what_is_no_drawing_is_refused() -> None:
    """In a sentence, and what was drawn stands."""
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


def test_a_page_that_sends_nonsense_changes_nothing() -> None:
    """The message is refused, and the drawing is as it was."""
    for message in [
        {},
        {"node": 0},
        {"node": 0, "move": 9},
        {"node": -1, "move": 0},
        {"node": "0", "move": [0]},
        {"node": None, "move": None},
    ]:
        quiz = OnTree.draw(SMALL)
        quiz.handle_answer({"node": 0, "move": 0})
        before = quiz.to_message()
        with pytest.raises(DurakError):
            quiz.handle_answer(message)
        assert quiz.to_message() == before


def test_only_an_ending_with_something_to_choose_is_drawn() -> None:
    """No talon, two players, nothing but cards that are played; and some card that does not beat."""
    for game in (
        Game(seed=7),
        Game.from_position("perevodnoy", hands=["9c Kd", "Tc"], trump="h"),
        Game.from_position("players=3", hands=["9c Kd", "Tc", "Jc"], trump="h"),
        Game.from_position("econ431", hands=["9c", "Tc"], trump="h"),
        build_tree_from_position(SMALL, open_hands=True),
    ):
        with pytest.raises(DurakError):
            OnTree.draw(game)  # type: ignore[arg-type] - one of them is none


def test_the_view_grows_as_it_is_drawn_and_tells_nothing() -> None:
    """What is open is what has been drawn; neither a table nor a solver tells which of the moves the rules allow."""
    quiz = OnTree.draw(SMALL)
    view = quiz.view
    assert view.expansion.open_nodes == {0}
    quiz.handle_answer({"node": 0, "move": 0})
    assert view.expansion.open_nodes == {0, 1}
    quiz.handle_answer({"node": 0, "move": 0})
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


def test_what_is_kept_is_not_judged() -> None:
    """Homework says nothing of a drawing, not even how much of it is right."""
    quiz = OnTree.draw(SMALL)
    quiz.defer_grading()
    for answer in (WHOLE, [["attack 9c"]]):
        quiz.answer(answer)
        assert (quiz.credit, quiz.marks, quiz.check()) == (0, {}, False)
    quiz.handle_answer({"node": 0, "move": 1})
    assert quiz.to_message()["drawn"] == [1, 2]


def test_what_hangs_on_a_wiped_branch_goes_with_it() -> None:
    """And whoever draws a branch draws the way that leads to it."""
    quiz = OnTree.draw(SMALL)
    way = quiz._board_question.parse_answer([["attack 9c", "take", "attack Kd"]])
    assert len(way) == 3
    assert quiz._board_question.apply_message(way, {"node": 0, "move": "attack 9c"}) == frozenset()


def test_labels_of_the_tree_are_those_of_the_game() -> None:
    """Each place says whose turn it is and what lies there, as other trees of Durak say it."""
    tree, told = build_tree_with_illegal_moves(SMALL), build_tree_from_position(SMALL, open_hands=True)
    assert {one.label for one in told.infosets} <= {one.label for one in tree.infosets}
