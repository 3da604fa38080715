"""Check weakly dominated strategies on matrices, and strategies that the reduced strategic form merges."""

from __future__ import annotations

import pytest

from durak_widget import board, gametheory
from durak_widget.translated_errors import RefusedError


def test_a_weakly_dominated_plan_is_played_in_an_equilibrium_and_the_order_matters() -> None:
    """In `entry` the threat; and of three plans against two, one order leaves another cell than the other."""
    table = gametheory.matrix(gametheory.textbook("entry"))
    [weak] = table.dominated_strategies()
    assert (weak.is_strict, weak.strategy) == (False, "fight")
    assert [str(one.text) for one in gametheory.equilibria(table) if "fight" in one.text]
    game = [[(1, 1), (0, 0)], [(1, 1), (2, 1)], [(0, 0), (2, 1)]]
    left = set()
    for row, column in (("A", "a"), ("C", "b")):
        view = board.Matrix(game)
        view.eliminate(row)
        view.eliminate(column)
        while view.remaining_matrix.dominated_strategies():
            view.eliminate()
        with pytest.raises(RefusedError, match="No plan that is left is dominated by another, not even weakly"):
            view.eliminate()
        left.add(str(view.remaining_matrix))
    assert len(left) == 2


def test_what_a_mix_dominates_weakly_is_not_called_undominated() -> None:
    """Only mixes that are strictly better are looked for, so it is said of single plans alone."""
    view = board.Matrix([[2, 0, 1], [0, 2, 1], [1, 1, 0]])
    mixed = [(one + other) / 2 for one, other in zip((2, 0, 1), (0, 2, 1), strict=True)]
    assert all(one >= other for one, other in zip(mixed, (1, 1, 0), strict=True))
    with pytest.raises(RefusedError, match="Row: no other plan dominates C: A comes nearest"):
        view.eliminate("C")


def test_plans_that_differ_only_where_they_never_lead_are_one() -> None:
    """Two moves, of which one ends the game, and two later: three rows, not four."""
    tree = gametheory.from_efg(
        'EFG 2 R "" { "A" "B" } p "" 1 1 "" { "stop" "go" } 0 t "" 1 "" { 0 0 } p "" 2 1 "" { "l" "r" } 0 '
        'p "" 1 2 "" { "x" "y" } 0 t "" 2 "" { 1 -1 } t "" 3 "" { 2 -2 } p "" 1 3 "" { "x" "y" } 0 t "" 2 t "" 3'
    )
    assert len(gametheory.matrix(tree).rows) == 1 + 2 * 2
