"""Test all pure equilibria: exactly those found by trying every pure strategy of every player."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import gametheory
from durak_widget.gametheory.bimatrix_equilibria import find_pure_matrix_equilibria
from durak_widget.gametheory.pure_nash_equilibria import find_pure_equilibria
from durak_widget.gametheory.strategic_form import count_pure_strategies
from durak_widget.gametheory.tree import DecisionNode, TerminalNode, build_tree
from support.by_trying import gains, how_many_strategies, payoffs, pure_strategies
from support.random_trees import hidden_tree, open_tree


def reduced_choices(tree, strategy):
    """Return a pure strategy without the moves at information sets that its own moves never reach."""
    led = set()
    for here, actor in enumerate(tree.actor):
        if actor >= 0:
            ahead = here
            while tree.parent[ahead] >= 0:
                before = tree.parent[ahead]
                if tree.actor[before] == actor and not strategy.rows[tree.infoset_of[before]][ahead - tree.first_child[before]]:
                    break
                ahead = before
            else:
                led.add(tree.infoset_of[here])
    return frozenset((place, strategy.rows[place].index(1)) for place in led)


def pure_equilibria_by_trying(tree):
    """Return the pure equilibria found by trying every profile."""
    return {
        reduced_choices(tree, strategy): payoffs(tree, strategy) for strategy in pure_strategies(tree) if not any(gains(tree, strategy))
    }


@pytest.mark.slow
@given(st.integers(0, 2**32))
def test_all_pure_equilibria_are_found_and_no_others(number):
    """With any hidden information, for one to three players."""
    rng = Random(number)
    trees = [hidden_tree(rng, seats=seats, most=3) for seats in (1, 2, 3)] + [open_tree(rng, most=3)]
    for tree in trees:
        if how_many_strategies(tree) < 130:
            found = find_pure_equilibria(tree)
            assert found.complete
            assert {
                frozenset(equilibrium.actions.items()): equilibrium.payoffs for equilibrium in found.equilibria
            } == pure_equilibria_by_trying(tree)


@given(st.integers(0, 2**32))
def test_pure_equilibria_are_cells_of_the_matrix(number):
    """In a game for two, the cells in which each strategy is a best response to the other."""
    rng = Random(number)
    for tree in (hidden_tree(rng) for _ in range(2)):
        if count_pure_strategies(tree, 0) * count_pure_strategies(tree, 1) > 3000:
            continue
        table = gametheory.matrix(tree)
        known = {
            frozenset((table.rows[row].actions | table.columns[column].actions).items())
            for row, column in find_pure_matrix_equilibria(table)
        }
        found = find_pure_equilibria(tree)
        assert found.complete
        assert {frozenset(equilibrium.actions.items()) for equilibrium in found.equilibria} == known


@given(st.integers(0, 2**32))
def test_each_pure_equilibrium_is_one_in_the_tree(number):
    """With free choices filled in it is still an equilibrium, with the same payoffs."""
    rng = Random(number)
    tree = hidden_tree(rng, seats=rng.choice((2, 3, 4)))
    for equilibrium in find_pure_equilibria(tree).equilibria[:20]:
        played = equilibrium.to_behaviour(tree)
        assert gametheory.nash_conv(tree, played.strategy) == 0
        assert payoffs(tree, played.strategy) == equilibrium.payoffs
        assert {*equilibrium.actions, *played.unreached_infosets} == set(range(len(tree.infosets)))


def test_textbook_games_have_the_known_pure_equilibria():
    """With the payoffs of all players, as in docs/textbook-games.md; for the absent-minded driver only the best pure strategy."""
    for name, expected_payoffs in (
        ("beer-quiche", [("29/10", "9/10"), ("21/10", "9/10")]),
        ("entry", [("2", "2"), ("1", "5")]),
        ("horse", [("3", "2", "2"), ("1", "1", "1")]),
        ("pennies", []),
        ("bayes", [("1", "3/2")]),
        ("driver", [("1",)]),
    ):
        found = find_pure_equilibria(gametheory.textbook(name))
        assert found.complete
        assert {tuple(map(str, equilibrium.payoffs)) for equilibrium in found.equilibria} == set(expected_payoffs)


def test_spence_has_four_pure_equilibria():
    """One separates the types, and in three both types do the same."""
    found = find_pure_equilibria(gametheory.textbook("spence"))
    assert (len(found.equilibria), found.complete) == (4, True)


def test_a_limited_search_says_so():
    """It tries a limited number of profiles, the same ones each time, and says so."""
    tree = gametheory.textbook("chain-store")
    some = find_pure_equilibria(tree, 50)
    assert not some.complete
    assert some == find_pure_equilibria(tree, 50)
    assert all(gametheory.nash_conv(tree, equilibrium.to_behaviour(tree).strategy) == 0 for equilibrium in some.equilibria)


def test_with_imperfect_recall_pure_strategies_are_compared():
    """A player who has forgotten the first move does well to repeat it; a limit below the number of strategies is reported."""
    places = {"": DecisionNode(0, "first", [("h", "h"), ("t", "t")])}
    for move in "ht":
        places[move] = DecisionNode(0, "last", [("h", move + "h"), ("t", move + "t")])
        places |= {move + two: TerminalNode((int(move == two),)) for two in "ht"}
    tree = build_tree("", places.__getitem__, player_count=1)
    found = find_pure_equilibria(tree)
    assert ([dict(equilibrium.actions) for equilibrium in found.equilibria], found.complete) == ([{0: 0, 1: 0}, {0: 1, 1: 1}], True)
    assert find_pure_equilibria(tree, 3) == ((), False)
