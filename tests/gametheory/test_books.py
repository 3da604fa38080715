"""What the textbooks say of their games is what `solve` says: each equilibrium that they name is found, and called what they call it; and it is so by their definitions."""

from __future__ import annotations

import pytest

from durak_widget import gametheory
from durak_widget.gametheory.pure_nash_equilibria import find_pure_equilibria
from durak_widget.gametheory.solver_selection import GameAnswer, solve
from support.books_matrices import BOOKS as MATRICES
from support.books_trees import BOOKS as TREES
from support.by_definition import is_nash, is_subgame_perfect, is_weakly_perfect, trembles_lead
from support.by_trying import payoffs
from support.typed import does

BOOKS = MATRICES | TREES
FIVE = (
    "Osborne 2004",
    "Osborne and Rubinstein 1994",
    "Gibbons 1992",
    "Maschler, Solan and Zamir 2013",
    "Mas-Colell, Whinston and Green 1995",
)
every_book = pytest.mark.parametrize("name", BOOKS)
ANSWERS = {}


def answered(name):
    """What is said of a game; asked once."""
    if name not in ANSWERS:
        ANSWERS[name] = solve(BOOKS[name].tree)
    return ANSWERS[name]


def test_there_are_thirty_games_of_five_textbooks():
    """Each with its place in a book; none twice."""
    assert not MATRICES.keys() & TREES.keys()
    assert len(BOOKS) >= 30
    for book in FIVE:
        assert sum(book in one.source for one in BOOKS.values()) >= 4, book
    assert all(any(book in one.source for book in FIVE) for one in BOOKS.values())


def test_each_equilibrium_that_a_book_names_is_found_and_called_so():
    """With what it is worth to each; subgame-perfect, weak perfect Bayesian, sequential or not, pooling or separating."""
    for name in BOOKS:
        answer = answered(name)
        assert isinstance(answer, GameAnswer)
        for said in BOOKS[name].said:
            found = [one for one in answer.equilibria if does(answer.tree, one.strategy, said.plays)]
            assert found, f"{BOOKS[name].source}: {said.plays} is not among\n{answer}"
            one = found[0]
            assert (one.payoffs, one.name, one.total_gain) == (said.worth, said.name, 0)
            is_so = {"subgame-perfect": one.classification.subgame_perfect, "weak": one.classification.weak_perfect_bayesian}
            assert all(is_so[kind] is True for kind in said.holds)
            assert all(is_so[kind] is False for kind in said.fails)
            assert one.classification.message_pattern == said.messages


def test_whatever_is_found_is_so_by_definition():
    """All plans of everybody are tried, in each subgame, and from each information set by some belief; trembles are made, and are small."""
    for name in BOOKS:
        answer = answered(name)
        for one in answer.equilibria:
            assert is_nash(answer.tree, one.strategy)
            assert payoffs(answer.tree, one.strategy) == one.payoffs
            if one.classification is None:
                continue
            assert one.classification.subgame_perfect is is_subgame_perfect(answer.tree, one.strategy)
            assert one.classification.weak_perfect_bayesian is is_weakly_perfect(answer.tree, one.strategy)
            if one.sequential_result is not None and one.sequential_result.holds:
                assert trembles_lead(answer.tree, one.strategy, one.sequential_result.trembles)
            if one.classification.sequential is False:
                assert not (one.classification.subgame_perfect and one.classification.weak_perfect_bayesian), (
                    "what refutes it is none of these"
                )


def test_there_are_as_many_as_the_book_has():
    """In pure plans, and where the book has them all, at all."""
    for name in BOOKS:
        book, answer = BOOKS[name], answered(name)
        if book.pure is not None:
            assert len(find_pure_equilibria(book.tree).equilibria) == book.pure
        if book.every is not None:
            assert len(answer.equilibria) == book.every
            assert answer.complete


def test_pure_equilibria_for_three_are_worth_what_the_exercise_says():
    """Osborne and Rubinstein 1994, exercise 48.1: (1, 0, 0), (0, 1, 0) and (0, 0, 0), and nothing else."""
    found = {one.payoffs for one in find_pure_equilibria(BOOKS["boxes"].tree).equilibria}
    assert found == {(1, 0, 0), (0, 1, 0), (0, 0, 0)}


def test_what_is_dominated_is_struck_as_in_the_book():
    """Gibbons: (Up, Middle) is left, and in figure 1.1.4 nothing can be struck; Osborne and Rubinstein: whoever might have burned money goes to Bach, and is met."""
    for name, weak, left in (
        ("dilemma", False, {(1, 1)}),
        ("struck", False, {(1, 2)}),
        ("burning", True, {(3, 1)}),
        ("middle", False, None),
        ("unstruck", False, None),
    ):
        table = gametheory.matrix(BOOKS[name].tree)
        gone = table.eliminate_dominated(weak=weak)
        if left is None:
            assert not gone.steps
        else:
            assert {cell for row in gone.remaining.payoffs for cell in row} == left
