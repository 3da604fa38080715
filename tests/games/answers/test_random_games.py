"""Random games of every kind are answered without a fault: whatever is said of them holds by trying all plans of everybody."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from durak_widget.games.answers.answer import solve
from support.answers_tried import _holds, check_matrix, tried_of
from support.books_trees import BOOKS
from support.kinds_of_games import KINDS, merged
from support.random_trees import hidden_tree
from support.sizes import tried


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_said_of_random_games_holds(kind):
    """Equilibria, what they are worth and called, and that all pure ones are there: five hundred games before a release, a few at other times."""
    found, faults = tried_of(kind, tried(4, 500))
    assert not faults
    assert found


@pytest.mark.parametrize(
    ("name", "claims"), [("quarrel", {"subgame_perfect": True}), ("mwg-entry", {"weak": True}), ("quarrel", {"weak": False})]
)
def test_a_false_claim_would_be_seen(name, claims):
    """Of the equilibria that rest on a threat: that they were subgame-perfect, or that some belief made them good, or none."""
    tree = BOOKS[name].tree
    one = solve(tree).found[-1]
    _holds(tree, one)
    with pytest.raises(AssertionError):
        _holds(tree, one._replace(named=one.named._replace(**claims)))


def test_an_equilibrium_that_is_missing_or_none_would_be_seen(monkeypatch):
    """Of a matrix: one left out, or one with other numbers."""
    from durak_widget import theory  # noqa: PLC0415 - to be told something else

    cells = [[(2, 1), (0, 0)], [(0, 0), (1, 2)]]
    check_matrix(cells)
    whole = theory.equilibria(cells)
    for wrong in (whole.found[1:], (whole.found[0]._replace(worth=(1, 1)), *whole.found[1:])):
        monkeypatch.setattr(theory, "equilibria", lambda _, wrong=wrong: replace(whole, found=wrong))
        with pytest.raises(AssertionError):
            check_matrix(cells)


def test_who_cannot_tell_two_sets_apart_forgets():
    """Sets that are merged are of one seat, with as many moves; the game has as many ends as before."""
    rng = Random(4)
    for _ in range(20):
        tree = hidden_tree(rng, most=4)
        other = merged(tree, rng)
        if other is not None:
            assert (other.histories, other.terminals, len(other.sets)) == (tree.histories, tree.terminals, len(tree.sets) - 1)
