"""A deal with open cards, by the kernel and the plain way: the same value after the same search, however little may be looked at."""

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
def test_value_and_search_are_the_same(rules, budget):
    """To the last start of a bout."""
    for seed in range(tried(1, 60)):
        game = Game(rules, seed=seed)
        found = double_dummy_solver.solve_double_dummy(game, budget=budget)
        assert (found.value, found.positions_searched) == double_dummy_solver._solve_in_python(
            double_dummy_solver._DealAsBits.from_state(game.state), budget
        )


@pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())
def test_slices_change_nothing(monkeypatch):
    """Paused after every seven starts of bouts, the search comes to the same."""
    game = Game("econ431, ranks=QKA", seed=3)
    whole = double_dummy_solver.solve_double_dummy(game)
    monkeypatch.setattr(double_dummy_solver, "SLICE_SIZE", 7)
    assert double_dummy_solver.solve_double_dummy(game) == whole


@pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())
def test_a_room_is_cleared_to_its_end():
    """It takes more than one step; asked again, as much has to be looked at as before."""
    game = Game("econ431, ranks=JQKA", seed=3)
    first = double_dummy_solver.solve_double_dummy(game, budget=1_000_000)
    assert first.positions_searched > 10_000
    assert double_dummy_solver.solve_double_dummy(game, budget=1_000_000) == first


def test_without_a_budget_the_answer_is_known():
    """As many as it takes."""
    game = Game("econ431, ranks=QKA", seed=2)
    assert (
        double_dummy_solver.solve_double_dummy(game, budget=None).value
        == double_dummy_solver._solve_in_python(double_dummy_solver._DealAsBits.from_state(game.state), inf)[0]
    )
