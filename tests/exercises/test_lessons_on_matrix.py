"""Test matrix exercises on a thousand random matrices: right answers are accepted, wrong ones are explained by a cell."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from durak_widget import Game, analysis, gametheory
from durak_widget.errors import DurakError
from durak_widget.exercises.dominance_question import all_strategies, find_dominated_strategies
from durak_widget.lessons import OnMatrix
from support.asked import coins
from support.random_trees import random_notation
from support.sizes import tried
from support.spoken import english, english_text

MANY = tried(150, 1000)
PAYOFFS = [[(3, 3), (0, 5)], [(5, 0), (1, 1)]]
NAMES = {"rows": ["silent", "talks"], "columns": ["silent", "talks"], "names": ("Ann", "Bob")}
ENDING = analysis.build_tree_from_position(Game.from_position(hands=["6c 8d", "7c"]), open_hands=True)


def random_matrix(rng):
    """Return payoffs with ties, of up to four strategies each."""
    rows, columns = rng.randint(1, 4), rng.randint(2, 4)
    pick = lambda: Fraction(rng.randint(-2, 3), rng.choice((1, 1, 2)))  # noqa: E731 - said once
    if rng.random() < 0.4:
        return [[pick() for _ in range(columns)] for _ in range(rows)]
    return [[(pick(), pick()) for _ in range(columns)] for _ in range(rows)]


@pytest.mark.release
def test_best_responses_are_exactly_the_undominated_cells():
    """Missing and extra ones get a comparison. Equilibria follow from them."""
    for seed in range(MANY):
        rng = Random(seed)
        quiz = OnMatrix.best(random_matrix(rng))
        cells = quiz.matrix.payoffs
        right = {
            *((0, row, column) for column in range(len(cells[0])) for row in range(len(cells)) if all(cells[row][column][0] >= other[column][0] for other in cells)),
            *((1, row, column) for row in range(len(cells)) for column in range(len(cells[0])) if all(cells[row][column][1] >= other[1] for other in cells[row])),
        }  # fmt: skip
        assert set(quiz.solution) == right
        shuffled = rng.sample(sorted(right), len(right))
        verdict = str(quiz.answer(shuffled))
        both = [(row, column) for seat, row, column in sorted(right) if seat == 0 and (1, row, column) in right]
        assert verdict.count("against") == min(len(both), 6)
        quiz.restart()
        assert not quiz.answer(shuffled[1:])
        assert "more than" in str(quiz.answer(shuffled[1:]))
        others = [
            (seat, row, column)
            for seat in (0, 1)
            for row in range(len(cells))
            for column in range(len(cells[0]))
            if (seat, row, column) not in right
        ]
        if others:
            added = rng.choice(others)
            quiz.restart()
            assert not quiz.answer([*right, added])
            mine, more = re.search(r" brings \w+ (\S+), and “\S+” (\S+)\.", str(quiz.answer([*right, added]))).groups()
            assert Fraction(mine.replace("−", "-")) < Fraction(more.replace("−", "-"))


@pytest.mark.parametrize("weak", [False, pytest.param(True, marks=pytest.mark.release)])
def test_every_valid_order_of_elimination_is_accepted(weak):
    """For strict dominance any order works. A wrong one is explained by a cell or its turn."""
    struck = refused = 0
    for seed in range(MANY):
        rng = Random(seed)
        try:
            quiz = OnMatrix.strike(random_matrix(rng), weak=weak)
        except DurakError as error:
            assert "nothing" in str(error)
            continue
        struck += 1
        left, order = all_strategies(quiz.matrix), []
        while all_ := list(find_dominated_strategies(quiz.matrix, left, weak=weak)):
            seat, place, _ = rng.choice(all_)
            order.append((seat, place))
            left = left.without(seat, place)
        assert quiz.answer(order), seed
        assert quiz.answer(quiz.solution), seed
        quiz.restart()
        if len(order) > 1:
            assert not quiz.answer(order[:-1])
            assert english("lesson.matrix.strike.by").search(str(quiz.answer(order[:-1])))
        may = {(seat, place) for seat, place, _ in find_dominated_strategies(quiz.matrix, all_strategies(quiz.matrix), weak=weak)}
        other = rng.choice([(seat, place) for seat in (0, 1) for place in all_strategies(quiz.matrix)[seat]])
        if other not in may:
            refused += 1
            verdict = str(quiz.answer([other]))
            reasons = [
                reason for reason in ("better", "equal", "same", "last") if english(f"lesson.matrix.strike.{reason}").search(verdict)
            ]
            assert reasons, verdict
            if reasons == ["better"]:
                mine, more = (Fraction(found.replace("−", "-")) for found in re.findall(r"(?<!\S)−?[\d/]+(?=[,.])", verdict))
                assert mine > more
    assert struck > MANY / 4
    assert refused > MANY / 10


def test_the_order_of_elimination_counts_and_is_explained():
    """A strategy eliminated too early is right in its turn."""
    quiz = OnMatrix.strike(
        [[(1, 0), (1, 2), (0, 1)], [(0, 3), (0, 1), (2, 0)]], rows=["up", "down"], columns=["left", "middle", "right"], names=("Ann", "Bob")
    )
    right = ["Bob: right", "Ann: down", "Bob: left"]
    assert quiz.solution == right
    assert [list(order) == right for order in permutations(right) if quiz.answer(list(order))] == [True]
    assert str(quiz.answer(["Ann: down", "Bob: right", "Bob: left"])).startswith(
        " ".join(
            [
                english_text("lesson.not_yet"),
                english_text("lesson.matrix.strike.better", plan="down", better="up", against="right", mine="2", more="0"),
                english_text("lesson.matrix.strike.early", plan="down"),
            ]
        )
    )


@pytest.mark.parametrize(
    ("payoffs", "answer", "weak", "sentence"),
    [
        (PAYOFFS, [(0, 1)], False, english_text("lesson.matrix.strike.better", plan="talks", better="silent", against="silent", mine="5", more="3")),
        (PAYOFFS, [(0, 0)], False, english_text("lesson.matrix.strike.more", who="Bob")),
        (PAYOFFS, [(0, 0), (0, 1)], False, english_text("lesson.matrix.strike.last", plan="talks", who="Ann")),
        ([[(1, 0), (0, 1)], [(1, 0), (1, 1)]], [(1, 0), (0, 0), (0, 1)], False, english_text("lesson.matrix.strike.last", plan="talks", who="Ann")),
        ([[(1, 0), (0, 1)], [(1, 0), (1, 1)]], [(0, 0)], False, english_text("lesson.matrix.strike.equal", plan="silent", better="talks", against="silent", mine="1")),
        ([[(1, 0), (1, 1)], [(1, 0), (1, 1)]], [(0, 0)], True, english_text("lesson.matrix.strike.same", plan="silent", better="talks")),
    ],
)  # fmt: skip
def test_each_verdict_on_elimination_has_its_sentence(payoffs, answer, weak, sentence):
    """The texts are compared word for word."""
    assert sentence in OnMatrix.strike(payoffs, weak=weak, **NAMES).answer(answer).sentences


def test_matrix_cells_of_a_tree_are_accepted_in_every_notation():
    """One number is enough for zero-sum games. Wrong ones are explained by the path, at the second try by its end."""
    quiz, rng = OnMatrix.fill(ENDING), Random(1)
    cells = [cell for row in quiz.matrix.payoffs for cell in row]
    for _ in range(100):
        first_only = [random_notation(cell[0], rng) for cell in cells]
        both = ["; ".join(random_notation(number, rng) for number in cell) for cell in cells]
        assert quiz.answer(first_only)
        assert quiz.answer(both)
    quiz = OnMatrix.fill(ENDING, cells=[(0, 1)])
    assert str(quiz.answer(["7"])) == " ".join(
        [
            english_text("lesson.not_yet"),
            english_text(
                "lesson.matrix.fill.leads",
                row=english_text("did.attack", cards="6♣︎"),
                column=english_text("tree.beat", target="6♣︎", card="7♣︎, takes"),
                moves=english_text("did.attack", cards="6♣︎, beats 6♣︎ with 7♣︎"),
            ),
        ]
    )
    assert english("lesson.matrix.fill.leads.end", worth="−1, 1").search(str(quiz.answer(["7"])))
    assert english("lesson.matrix.fill.unread", row="attacks with 6♣︎", column="beats 6♣︎ with 7♣︎, takes", text="x").search(
        str(quiz.answer(["x"]))
    )


def test_chance_moves_are_weighted_by_their_probability():
    """Using one chance move, or the plain average, is a named mistake."""
    places = {"": gametheory.ChanceNode([("h", Fraction(1, 4), "h"), ("l", Fraction(3, 4), "l")])}
    for card, payoffs in (("h", (8, 0)), ("l", (0, 4))):
        places[card] = gametheory.DecisionNode(0, "?", [("go", card + "g"), ("stop", card + "s")])
        places |= {card + "g": gametheory.TerminalNode(payoffs), card + "s": gametheory.TerminalNode((1, 1))}
    quiz = OnMatrix.fill(gametheory.build_tree("", places.__getitem__, player_count=2, names=("Ann", "Bob")), cells=[("go", 0)])
    assert quiz.answer(["2, 3"])
    for answer, reason in (
        ("8, 0", english("lesson.matrix.fill.drawn")),
        ("4, 2", english("lesson.matrix.fill.plain")),
        ("3, 2", english("lesson.matrix.fill.swapped")),
        ("9, 9", english("lesson.matrix.fill.chance", count="2")),
    ):
        quiz.restart()
        assert reason.search(str(quiz.answer([answer]))), answer
    assert "1/4 · (8, 0) + 3/4 · (0, 4)" in str(quiz.answer(["9, 9"]))
    assert english("lesson.matrix.fill.unread").search(str(quiz.answer(["9"])))


def test_actions_on_the_view_are_judged_by_the_check_button():
    """Cells, eliminations and marks are undone by a second click. Malformed messages change nothing."""
    fill, strike, best = OnMatrix.fill(coins()), OnMatrix.strike(PAYOFFS, **NAMES), OnMatrix.best(PAYOFFS, **NAMES)
    for row, column, text in ((0, 0, "1"), (0, 1, "-1"), (1, 0, "−1"), (1, 1, "100 %")):
        fill.handle_answer({"row": row, "column": column, "text": text})
    assert fill.grade_current_answer()
    assert fill.to_message()["cells"]["0,1"] == {"text": "-1", "mark": "right", "open": False}
    for _ in range(3):
        strike.handle_answer({"player": 0, "strategy": 0})
    strike.handle_answer({"player": 1, "strategy": 0})
    assert strike.to_message()["eliminated"] == [[0, 0], [1, 0]]
    assert strike.grade_current_answer()
    for seat, row, column in (*best.solution, (0, 0, 0), (0, 0, 0)):
        best.handle_answer({"player": seat, "row": row, "column": column})
    assert best.grade_current_answer()
    for quiz, messages in (
        (fill, ({"row": 2, "column": 0, "text": "1"}, {"row": 0, "column": 0}, {"text": "1"}, {"row": None, "column": [], "text": "1"})),
        (strike, ({"player": 2, "strategy": 0}, {"player": 0, "strategy": 9}, {"player": "Cem", "strategy": 0}, {"player": None}, {})),
        (best, ({"player": 0, "row": 2, "column": 0}, {"player": {}, "row": 0, "column": 0}, {"player": 0}, {})),
    ):
        quiz.restart()
        before = quiz.to_message()
        for message in messages:
            with pytest.raises(DurakError):
                quiz.handle_answer(message)
        assert quiz.to_message() == before


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: OnMatrix.fill(PAYOFFS), "this exercise needs a tree"),
        (lambda: OnMatrix.fill(ENDING, cells=[(0, 9)]), "there is no"),
        (lambda: OnMatrix.fill(ENDING, cells=[0]), "a cell"),
        (lambda: OnMatrix.fill(ENDING, cells=[]), "cells=[(0, 0), …]"),
        (lambda: OnMatrix.strike([[1, -1], [-1, 1]]), "in this matrix no"),
        (lambda: OnMatrix.strike([[1]], nmae="x"), "in this matrix no"),
        (lambda: OnMatrix.best(PAYOFFS, nmae="x"), "OnMatrix has no option 'nmae'. Did you mean 'name'?"),
        (lambda: OnMatrix.best(PAYOFFS).answer(7), "[(0, 0, 1)]"),
        (lambda: OnMatrix.best(PAYOFFS).answer([7]), "a mark"),
        (lambda: OnMatrix.strike(PAYOFFS, **NAMES).answer(["Ann: tlaks"]), "'Ann: silent' or (0, 0), not 'Ann: tlaks'"),
        (lambda: OnMatrix.best([[0] * 65]), "64 × 64"),
    ],
)  # fmt: skip
def test_invalid_matrix_exercises_and_answers_are_refused(make, sentence):
    """Authors and students get a message."""
    with pytest.raises(DurakError) as refused:
        make()
    assert sentence in str(refused.value)


def test_the_tree_beside_a_matrix_cannot_be_solved():
    """It shows the matrix only after the answer."""
    quiz = OnMatrix.fill(coins(), cells=[(0, 0)])
    assert quiz.payoff_tree.question_view == {"question_kind": "fill"}
    for message in ({"kind": "solve"}, {"kind": "show_matrix", "on": True}, {"kind": "learn", "command": "start"}):
        with pytest.raises(DurakError):
            quiz.payoff_tree.handle_message(message)
    with pytest.raises(DurakError, match="on the matrix below"):
        quiz.payoff_tree.handle_message({"kind": "answer", "node": 0, "text": "1"})
    quiz.reveal()
    quiz.payoff_tree.handle_message({"kind": "show_matrix", "on": True})
    assert quiz.payoff_tree.matrix_view
    assert OnMatrix.strike(PAYOFFS).payoff_tree is None


def test_old_answers_with_seat_numbers_are_read():
    """Unnamed players were "seat 0" and "seat 1" in notebooks handed in then."""
    for called in ["seat 0", "Player 1"]:
        task = OnMatrix.strike(ENDING, weak=True)
        assert task.answer([named.replace("Player 1", called) for named in task.solution])
