"""Test the solver for deals with open cards: its values equal exhaustive play."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from durak_widget import Game
from durak_widget.analysis.double_dummy_solver import solve_double_dummy
from durak_widget.engine import state_transitions
from durak_widget.errors import PositionError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from durak_widget.engine.state import State


def exhaustive_value(state: State, known: dict[Hashable, int]) -> int:
    """Return the value to the first seat under best play, by trying moves with the engine until one wins."""
    if state.outcome is not None:
        winners = state.outcome.winners
        return 0 if len(winners) != 1 else 1 if 0 in winners else -1
    key = state.key()
    if key not in known:
        mine = 1 if state.actor == 0 else -1
        best = -1
        for move in state_transitions.legal_moves(state):
            after = state.copy()
            state_transitions.apply_move(after, move)
            best = max(best, mine * exhaustive_value(after, known))
            if best == 1:
                break
        known[key] = mine * best
    return known[key]


@pytest.mark.slow
def test_the_value_equals_exhaustive_search() -> None:
    """The search in bit masks and the walk with the engine find the same values, deal after deal."""
    for rules in (
        "econ431, ranks=QKA, suits=chs, hand_size=3",
        "podkidnoy, ranks=QKA, suits=chs, hand_size=3",
        "podkidnoy, ranks=KA, hand_size=3",
        "albanian, ranks=QKA, suits=chs, hand_size=3",
        "no_trumps, ranks=QKA, suits=chs, hand_size=3",
        "low_trump, ranks=QKA, suits=chs, hand_size=3",
        "spades_by_spades, ranks=QKA, suits=chs, hand_size=3",
        "railway, ranks=QKA, suits=chs",
        "econ431, ranks=QKA, suits=chs, hand_size=3, attack_limit=1",
        "econ431, ranks=QKA, suits=chs, hand_size=3, throw_in_by=nobody, goal=not_last",
        "podkidnoy, ranks=QKA, suits=chs, hand_size=3, first_bout_limit=1, draw_order=loser_first",
    ):
        for seed in range(20):
            game = Game(rules, seed=seed)
            value = exhaustive_value(game.state, {})
            assert solve_double_dummy(game).value == (value if game.attacker == 0 else -value), seed


def test_either_player_can_win_a_deal() -> None:
    """Attacking first is not enough: some deals of sixteen cards lose."""
    assert {solve_double_dummy(Game("econ431, ranks=JQKA", seed=seed)).value for seed in (0, 1)} == {1, -1}


def test_beyond_the_budget_there_is_no_value() -> None:
    """Also not under rules that the search does not support."""
    assert solve_double_dummy(Game("econ431", seed=1), budget=50).value is None
    for rules in ("transfer, ranks=KA, hand_size=2", "durnius", "poker", "changeable_trump", "podkidnoy, players=3"):
        assert solve_double_dummy(Game(rules, seed=1), budget=50).value is None, rules


def test_the_budget_covers_both_searches_together() -> None:
    """Win and draw are two searches, and positions of both count. A search already begun may end slightly above the budget."""
    for seed in (3, 6, 9):
        game = Game("podkidnoy, ranks=QKA, suits=chs, hand_size=3", seed=seed)
        whole = solve_double_dummy(game)
        assert solve_double_dummy(game, budget=whole.positions_searched) == whole
        looked = [solve_double_dummy(game, budget=budget).positions_searched - budget for budget in range(whole.positions_searched)]
        assert 0 <= min(looked) <= max(looked) < 6, seed
        assert solve_double_dummy(game, budget=whole.positions_searched - 6).value is None
        assert solve_double_dummy(game, budget=0) == (None, game.attacker, 0)


def test_invalid_deals_and_budgets_are_refused() -> None:
    """One sentence each."""
    for argument, budget, message in (
        ("7c", 1, "deal.*game"),
        (None, -1, "budget .*-1"),
        (None, "much", "budget .*'much'"),
        ("played", 1, "start of a bout"),
    ):
        game: object = Game("econ431", seed=1) if argument in (None, "played") else argument
        if argument == "played":
            game.play(game.legal_moves()[0])
        with pytest.raises(PositionError, match=message):
            solve_double_dummy(game, budget=budget)
