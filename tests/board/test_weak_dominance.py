"""Check weakly dominated strategies on matrices, and strategies that the reduced strategic form merges."""

from __future__ import annotations

import pytest

from durak_widget import board, gametheory
from durak_widget.translated_errors import RefusedError
from support.spoken import english


def test_a_weakly_dominated_strategy_can_be_played_and_order_matters() -> None:
    """Test the threat in `entry`, and three strategies whose elimination order changes the result."""
    table = gametheory.matrix(gametheory.textbook("entry"))
    [weak] = table.dominated_strategies()
    assert (weak.is_strict, weak.strategy) == (False, "fight")
    assert [str(equilibrium.text) for equilibrium in gametheory.equilibria(table) if "fight" in equilibrium.text]
    game = [[(1, 1), (0, 0)], [(1, 1), (2, 1)], [(0, 0), (2, 1)]]
    left = set()
    for row, column in (("A", "a"), ("C", "b")):
        view = board.Matrix(game)
        view.eliminate(row)
        view.eliminate(column)
        while view.remaining_matrix.dominated_strategies():
            view.eliminate()
        with pytest.raises(RefusedError, match=english("matrix.nothing")):
            view.eliminate()
        left.add(str(view.remaining_matrix))
    assert len(left) == 2


def test_weak_dominance_by_a_mix_is_not_reported_as_undominated() -> None:
    """Mixes are searched only for strict dominance, so the text speaks of pure strategies."""
    view = board.Matrix([[2, 0, 1], [0, 2, 1], [1, 1, 0]])
    mixed = [(payoff + other) / 2 for payoff, other in zip((2, 0, 1), (0, 2, 1), strict=True)]
    assert all(payoff >= other for payoff, other in zip(mixed, (1, 1, 0), strict=True))
    with pytest.raises(RefusedError, match=english("matrix.kept.near", name="Row", plan="C", by="A")):
        view.eliminate("C")


def test_strategies_that_differ_only_at_unreached_nodes_are_merged() -> None:
    """Two moves, one of which ends the game, and two later moves give three rows, not four."""
    tree = gametheory.from_efg(
        'EFG 2 R "" { "A" "B" } p "" 1 1 "" { "stop" "go" } 0 t "" 1 "" { 0 0 } p "" 2 1 "" { "l" "r" } 0 '
        'p "" 1 2 "" { "x" "y" } 0 t "" 2 "" { 1 -1 } t "" 3 "" { 2 -2 } p "" 1 3 "" { "x" "y" } 0 t "" 2 t "" 3'
    )
    assert len(gametheory.matrix(tree).rows) == 1 + 2 * 2
