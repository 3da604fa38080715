"""Test behaviour strategies from mixed ones: equal payoffs, free choices at unreached information sets, and imperfect recall."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import gametheory
from durak_widget.gametheory.mixed_to_behaviour import behaviour_from_equilibrium, behaviour_from_mixed, complete_with_best_responses
from durak_widget.gametheory.tree import DecisionNode, TerminalNode, build_tree
from support.by_trying import payoffs
from support.random_trees import hidden_tree

HALF = Fraction(1, 2)


@given(st.integers(0, 2**32))
def test_a_behaviour_strategy_has_the_payoffs_of_the_mixed_one(number):
    """Any mixes of all pure strategies of two players with perfect recall: payoffs from the cells of the matrix and from the tree."""
    rng = Random(number)
    tree = hidden_tree(rng, most=3)
    table = gametheory.matrix(tree)
    mixes = []
    for plans in (table.rows, table.columns):
        parts = [rng.choice((0, 0, 1, 2)) for _ in plans]
        parts[rng.randrange(len(parts))] += 1
        mixes.append([(plan.actions, Fraction(part, sum(parts))) for plan, part in zip(plans, parts, strict=True)])
    played = behaviour_from_mixed(tree, mixes)
    expected = [
        sum(
            probability * other * cell[seat]
            for (_, probability), cells in zip(mixes[0], table.payoffs, strict=True)
            for (_, other), cell in zip(mixes[1], cells, strict=True)
        )
        for seat in (0, 1)
    ]
    assert list(payoffs(tree, played.strategy)) == expected
    for place in played.unreached_infosets:
        rows = list(played.strategy.rows)
        rows[place] = tuple(Fraction(int(move == len(rows[place]) - 1)) for move in range(len(rows[place])))
        assert list(payoffs(tree, gametheory.Strategy(tree, rows))) == expected


@given(st.integers(0, 2**32))
def test_equilibria_of_the_matrix_are_equilibria_of_the_tree(number):
    """With any choice at unreached information sets; each has the same payoffs."""
    tree = hidden_tree(Random(number), most=3)
    table = gametheory.matrix(tree)
    for equilibrium in gametheory.equilibria(table).equilibria[:20]:
        played = behaviour_from_equilibrium(tree, table, equilibrium)
        assert gametheory.nash_conv(tree, played.strategy) == 0
        assert payoffs(tree, played.strategy) == equilibrium.payoffs


def test_unreached_information_sets_are_listed_and_filled():
    """At information sets that a player never reaches, the best response is filled in."""
    places = {"": DecisionNode(0, "begins", [("stop", "s"), ("go", "g")]), "g": DecisionNode(0, "goes on", [("badly", "b"), ("well", "w")])}
    ends = {"s": TerminalNode((3, 0)), "b": TerminalNode((0, 0)), "w": TerminalNode((1, 0))}
    tree = build_tree("", (places | ends).__getitem__, player_count=2)
    [equilibrium] = gametheory.equilibria(tree).equilibria
    played = behaviour_from_equilibrium(tree, gametheory.matrix(tree), equilibrium)
    assert (played.unreached_infosets, played.strategy["goes on"]) == ((1,), (0, 1))


def test_imperfect_recall_refuses_a_mixed_strategy():
    """The player would have to remember which pure strategy was drawn. One pure strategy alone is allowed."""
    tree = gametheory.textbook("driver")
    with pytest.raises(gametheory.TreeError, match="would have to remember"):
        behaviour_from_mixed(tree, [[({0: 0}, HALF), ({0: 1}, HALF)]])
    assert behaviour_from_mixed(tree, [[({0: 0}, Fraction(0)), ({0: 1}, Fraction(1))]]).strategy.rows == ((0, 1),)
    assert complete_with_best_responses(tree, [None]).rows == ((1, 0),)
