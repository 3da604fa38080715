"""A deal with open cards: what the search says, the rules played out say too."""

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


def played_out(state: State, known: dict[Hashable, int]) -> int:
    """What the first seat gets if both play their best: moves are tried one by one, by the engine of all games, till one wins."""
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
            best = max(best, mine * played_out(after, known))
            if best == 1:
                break
        known[key] = mine * best
    return known[key]


@pytest.mark.slow
def test_the_value_is_that_of_every_move_tried() -> None:
    """The search in masks and a walk of the whole game by the engine find the same, deal after deal."""
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
            value = played_out(game.state, {})
            assert solve_double_dummy(game).value == (value if game.attacker == 0 else -value), seed


def test_deals_are_won_by_either() -> None:
    """Attacking first is not everything: some deals of sixteen cards are lost by it."""
    assert {solve_double_dummy(Game("econ431, ranks=JQKA", seed=seed)).value for seed in (0, 1)} == {1, -1}


def test_what_is_not_found_is_not_guessed() -> None:
    """Beyond the budget, and under rules that are not searched so, there is no value."""
    assert solve_double_dummy(Game("econ431", seed=1), budget=50).value is None
    for rules in ("transfer, ranks=KA, hand_size=2", "durnius", "poker", "changeable_trump", "podkidnoy, players=3"):
        assert solve_double_dummy(Game(rules, seed=1), budget=50).value is None, rules


def test_the_budget_is_of_both_searches_together() -> None:
    """Whether it is won and whether it is drawn are two questions: what is looked at for either counts once. Only what was begun before is ended beyond it."""
    for seed in (3, 6, 9):
        game = Game("podkidnoy, ranks=QKA, suits=chs, hand_size=3", seed=seed)
        whole = solve_double_dummy(game)
        assert solve_double_dummy(game, budget=whole.positions_searched) == whole
        looked = [solve_double_dummy(game, budget=budget).positions_searched - budget for budget in range(whole.positions_searched)]
        assert 0 <= min(looked) <= max(looked) < 6, seed
        assert solve_double_dummy(game, budget=whole.positions_searched - 6).value is None
        assert solve_double_dummy(game, budget=0) == (None, game.attacker, 0)


def test_what_cannot_be_asked_is_refused() -> None:
    """What is no deal, or no number of positions, is refused in a sentence."""
    for asked, budget, said in (
        ("7c", 1, "a deal is a game"),
        (None, -1, "budget=-1"),
        (None, "much", "budget='much'"),
        ("played", 1, "start of a bout"),
    ):
        game: object = Game("econ431", seed=1) if asked in (None, "played") else asked
        if asked == "played":
            game.play(game.legal_moves()[0])
        with pytest.raises(PositionError, match=said):
            solve_double_dummy(game, budget=budget)
