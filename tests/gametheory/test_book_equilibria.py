"""Test that `solve` finds the equilibria that textbooks name, with their names, and that they satisfy the definitions."""

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


def answer_for(name):
    """Return the cached result of `solve` for a game."""
    if name not in ANSWERS:
        ANSWERS[name] = solve(BOOKS[name].tree)
    return ANSWERS[name]


def test_there_are_thirty_games_from_five_textbooks():
    """Each has its place in a book, and none appears twice."""
    assert not MATRICES.keys() & TREES.keys()
    assert len(BOOKS) >= 30
    for book in FIVE:
        assert sum(book in textbook_game.source for textbook_game in BOOKS.values()) >= 4, book
    assert all(any(book in textbook_game.source for book in FIVE) for textbook_game in BOOKS.values())


def test_every_equilibrium_named_by_a_book_is_found_and_classified():
    """With its payoffs; subgame-perfect, weak perfect Bayesian, sequential or not, pooling or separating."""
    for name in BOOKS:
        answer = answer_for(name)
        assert isinstance(answer, GameAnswer)
        for claim in BOOKS[name].said:
            found = [equilibrium for equilibrium in answer.equilibria if does(answer.tree, equilibrium.strategy, claim.plays)]
            assert found, f"{BOOKS[name].source}: {claim.plays} is not among\n{answer}"
            equilibrium = found[0]
            assert (equilibrium.payoffs, equilibrium.name, equilibrium.total_gain) == (claim.payoffs, claim.name, 0)
            is_so = {
                "subgame-perfect": equilibrium.classification.subgame_perfect,
                "weak": equilibrium.classification.weak_perfect_bayesian,
            }
            assert all(is_so[kind] is True for kind in claim.holds)
            assert all(is_so[kind] is False for kind in claim.fails)
            assert equilibrium.classification.message_pattern == claim.messages


def test_every_equilibrium_found_satisfies_its_definition():
    """All pure strategies of all players are tried, in each subgame, and from each information set with some belief; trembles are constructed, and are small."""
    for name in BOOKS:
        answer = answer_for(name)
        for equilibrium in answer.equilibria:
            assert is_nash(answer.tree, equilibrium.strategy)
            assert payoffs(answer.tree, equilibrium.strategy) == equilibrium.payoffs
            if equilibrium.classification is None:
                continue
            assert equilibrium.classification.subgame_perfect is is_subgame_perfect(answer.tree, equilibrium.strategy)
            assert equilibrium.classification.weak_perfect_bayesian is is_weakly_perfect(answer.tree, equilibrium.strategy)
            if equilibrium.sequential_result is not None and equilibrium.sequential_result.holds:
                assert trembles_lead(answer.tree, equilibrium.strategy, equilibrium.sequential_result.trembles)
            if equilibrium.classification.sequential is False:
                assert not (equilibrium.classification.subgame_perfect and equilibrium.classification.weak_perfect_bayesian), (
                    "what refutes it is none of these"
                )


def test_the_number_of_equilibria_is_that_of_the_book():
    """The number of pure equilibria, and of all equilibria if the book lists them all."""
    for name in BOOKS:
        book, answer = BOOKS[name], answer_for(name)
        if book.pure is not None:
            assert len(find_pure_equilibria(book.tree).equilibria) == book.pure
        if book.every is not None:
            assert len(answer.equilibria) == book.every
            assert answer.complete


def test_pure_equilibria_for_three_players_have_the_payoffs_of_the_exercise():
    """Osborne and Rubinstein 1994, exercise 48.1: (1, 0, 0), (0, 1, 0) and (0, 0, 0), and nothing else."""
    found = {equilibrium.payoffs for equilibrium in find_pure_equilibria(BOOKS["boxes"].tree).equilibria}
    assert found == {(1, 0, 0), (0, 1, 0), (0, 0, 0)}


def test_dominated_strategies_are_eliminated_as_in_the_book():
    """Gibbons: (Up, Middle) is left, and in figure 1.1.4 nothing can be eliminated. Osborne and Rubinstein: the player who could burn money goes to Bach, and so does the other."""
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
