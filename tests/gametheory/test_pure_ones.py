"""All equilibria in which nobody mixes: those that are found by trying every pure strategy of everybody, and no others."""

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


def reduced(tree, strategy):
    """A pure strategy without what it says where its own moves never lead."""
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


def by_trying(tree):
    """The same by trying all."""
    return {reduced(tree, one): payoffs(tree, one) for one in pure_strategies(tree) if not any(gains(tree, one))}


@pytest.mark.slow
@given(st.integers(0, 2**32))
def test_all_are_found_and_no_others(number):
    """Whatever is hidden, for one to three seats."""
    rng = Random(number)
    trees = [hidden_tree(rng, seats=seats, most=3) for seats in (1, 2, 3)] + [open_tree(rng, most=3)]
    for tree in trees:
        if how_many_strategies(tree) < 130:
            found = find_pure_equilibria(tree)
            assert found.complete
            assert {frozenset(one.actions.items()): one.payoffs for one in found.equilibria} == by_trying(tree)


@given(st.integers(0, 2**32))
def test_they_are_the_cells_of_the_matrix(number):
    """Of a game for two, those at which each plan answers the other best."""
    rng = Random(number)
    for tree in (hidden_tree(rng) for _ in range(2)):
        if count_pure_strategies(tree, 0) * count_pure_strategies(tree, 1) > 3000:
            continue
        table = gametheory.matrix(tree)
        known = {
            frozenset((table.rows[one].actions | table.columns[two].actions).items()) for one, two in find_pure_matrix_equilibria(table)
        }
        found = find_pure_equilibria(tree)
        assert found.complete
        assert {frozenset(one.actions.items()) for one in found.equilibria} == known


@given(st.integers(0, 2**32))
def test_each_is_one_as_a_strategy_too(number):
    """Filled in where it is free, it is still one, and worth as much."""
    rng = Random(number)
    tree = hidden_tree(rng, seats=rng.choice((2, 3, 4)))
    for one in find_pure_equilibria(tree).equilibria[:20]:
        played = one.to_behaviour(tree)
        assert gametheory.nash_conv(tree, played.strategy) == 0
        assert payoffs(tree, played.strategy) == one.payoffs
        assert {*one.actions, *played.unreached_infosets} == set(range(len(tree.infosets)))


def test_the_books_have_the_same():
    """Each with what it is worth to everybody, as docs/textbook-games.md has it; of the absent-minded driver the best plan alone, as books have it."""
    for name, worths in (
        ("beer-quiche", [("29/10", "9/10"), ("21/10", "9/10")]),
        ("entry", [("2", "2"), ("1", "5")]),
        ("horse", [("3", "2", "2"), ("1", "1", "1")]),
        ("pennies", []),
        ("bayes", [("1", "3/2")]),
        ("driver", [("1",)]),
    ):
        found = find_pure_equilibria(gametheory.textbook(name))
        assert found.complete
        assert {tuple(map(str, one.payoffs)) for one in found.equilibria} == set(worths)


def test_spence_has_four():
    """One that tells the able from the others, and three in which all do alike."""
    found = find_pure_equilibria(gametheory.textbook("spence"))
    assert (len(found.equilibria), found.complete) == (4, True)


def test_what_was_not_tried_is_said():
    """So many profiles and no more, and the same ones each time."""
    tree = gametheory.textbook("chain-store")
    some = find_pure_equilibria(tree, 50)
    assert not some.complete
    assert some == find_pure_equilibria(tree, 50)
    assert all(gametheory.nash_conv(tree, one.to_behaviour(tree).strategy) == 0 for one in some.equilibria)


def test_of_a_forgetful_seat_plans_are_compared():
    """Who has forgotten its own first move does well to make the same one twice; a limit below its plans is said."""
    places = {"": DecisionNode(0, "first", [("h", "h"), ("t", "t")])}
    for one in "ht":
        places[one] = DecisionNode(0, "last", [("h", one + "h"), ("t", one + "t")])
        places |= {one + two: TerminalNode((int(one == two),)) for two in "ht"}
    tree = build_tree("", places.__getitem__, player_count=1)
    found = find_pure_equilibria(tree)
    assert ([dict(one.actions) for one in found.equilibria], found.complete) == ([{0: 0, 1: 0}, {0: 1, 1: 1}], True)
    assert find_pure_equilibria(tree, 3) == ((), False)
