"""Test the solver for deals with open cards in the fast engine: the same value and positions searched as in Python, for any budget."""

from __future__ import annotations

from math import inf

import pytest

from durak_widget import Game, fast_engine
from durak_widget.analysis import double_dummy_solver
from support.sizes import tried

RULES = (
    "econ431, ranks=QKA",
    "econ431, ranks=JQKA",
    "podkidnoy, ranks=JQKA",
    "econ431, ranks=QKA, out_when=bout_end",
    "podkidnoy, ranks=QKA, throw_in_by=nobody",
    "econ431, ranks=9TJQKA, suits=cd",
)


@pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("budget", [60, tried(20_000, 300_000)])
def test_value_and_positions_searched_equal_python(rules, budget):
    """To the last start of a bout."""
    for seed in range(tried(1, 60)):
        game = Game(rules, seed=seed)
        found = double_dummy_solver.solve_double_dummy(game, budget=budget)
        assert (found.value, found.positions_searched) == double_dummy_solver._solve_in_python(
            double_dummy_solver._DealAsBits.from_state(game.state), budget
        )


@pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())
def test_slices_do_not_change_the_result(monkeypatch):
    """A search that pauses after every seven starts of bouts gives the same result."""
    game = Game("econ431, ranks=QKA", seed=3)
    whole = double_dummy_solver.solve_double_dummy(game)
    monkeypatch.setattr(double_dummy_solver, "SLICE_SIZE", 7)
    assert double_dummy_solver.solve_double_dummy(game) == whole


@pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())
def test_the_table_is_cleared_completely():
    """Clearing takes more than one step; a second search has to search as many positions as the first."""
    game = Game("econ431, ranks=JQKA", seed=3)
    first = double_dummy_solver.solve_double_dummy(game, budget=1_000_000)
    assert first.positions_searched > 10_000
    assert double_dummy_solver.solve_double_dummy(game, budget=1_000_000) == first


def test_without_a_budget_there_is_always_a_value():
    """The search has no limit of positions."""
    game = Game("econ431, ranks=QKA", seed=2)
    assert (
        double_dummy_solver.solve_double_dummy(game, budget=None).value
        == double_dummy_solver._solve_in_python(double_dummy_solver._DealAsBits.from_state(game.state), inf)[0]
    )
