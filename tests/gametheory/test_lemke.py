"""One equilibrium of any game for two, exactly: nobody gains by any pure strategy, whatever is hidden, drawn or tied."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import gametheory
from durak_widget.gametheory.sequence_form_lcp import find_lemke_equilibrium
from durak_widget.gametheory.tree import DecisionNode, TerminalNode, build_tree
from support import textbook
from support.by_trying import gains, how_many_strategies, payoffs
from support.random_trees import hidden_tree
from support.sizes import tried

F = Fraction


def test_what_is_found_is_worth_what_the_books_say():
    """The path ends at an equilibrium that the table of docs/textbook-games.md names; from whichever pure strategies it begins, at one."""
    for name, known in (
        ("bayes", [(1, F(3, 2)), (F(2, 3), 1)]),  # the second is mixed, and a corner of the matrix
        ("beer-quiche", [(F(29, 10), F(9, 10)), (F(21, 10), F(9, 10))]),
        ("centipede", [(F(2, 5), F(1, 10))]),
        ("entry", [(2, 2), (1, 5)]),
        ("kuhn", [(F(-1, 18), F(1, 18))]),
        ("myerson", [(F(1, 3), F(-1, 3))]),
        ("outside-option", [(3, 1), (2, 2)]),
        ("pennies", [(0, 0)]),
    ):
        tree = gametheory.textbook(name)
        assert payoffs(tree, find_lemke_equilibrium(tree)) in known
        rng = Random(name)
        for _ in range(tried(5, 50)):
            found = find_lemke_equilibrium(tree, [rng.randrange(len(one.actions)) for one in tree.infosets])
            assert max(gains(tree, found)) == 0


def test_nobody_gains_where_there_are_many():
    """Of the textbooks' games those that have more equilibria than their table names."""
    for name in ("spence", "ultimatum"):
        tree = gametheory.textbook(name)
        assert max(gains(tree, find_lemke_equilibrium(tree))) == 0


def test_myersons_bluff_is_the_only_one():
    """Myerson (1991): black is raised with 1/3, a raise met with 2/3."""
    found = find_lemke_equilibrium(gametheory.textbook("myerson"))
    assert (found["holds black"], found["after a raise"]) == ((F(1, 3), F(2, 3)), (F(2, 3), F(1, 3)))


@given(st.integers(0, 2**32))
def test_nobody_gains_in_random_games(number):
    """Whatever is hidden, and whatever is tied: every pure strategy is tried, and the answer is in fractions."""
    rng = Random(number)
    for tree in (hidden_tree(rng) for _ in range(10)):
        start = [rng.randrange(len(one.actions)) for one in tree.infosets]
        found = find_lemke_equilibrium(tree, start)
        assert found.exact
        assert gametheory.nash_conv(tree, found) == 0
        if max(how_many_strategies(tree, seat) for seat in (0, 1)) < 200:
            assert max(gains(tree, found)) == 0


@given(textbook.zero_sum())
def test_a_zero_sum_game_is_worth_what_the_linear_program_says(tree):
    """Another way to the same number: plan by plan, exactly."""
    assert payoffs(tree, find_lemke_equilibrium(tree))[0] == gametheory.solve(tree, "plans").value


def test_a_small_leduc_poker_is_worth_what_the_solver_says():
    """A poker of two rounds, of hundreds of histories."""
    tree = textbook.leduc("JQ")
    assert tree.history_count > 150
    assert gametheory.value(tree, find_lemke_equilibrium(tree)) == gametheory.solve(tree, "plans").value


def test_where_play_never_comes_what_is_best_is_done():
    """Where one's own moves never lead, one's best answer is filled in, so that no threat to oneself is told."""
    places = {"": DecisionNode(0, "begins", [("stop", "s"), ("go", "g")]), "g": DecisionNode(0, "goes on", [("badly", "b"), ("well", "w")])}
    ends = {"s": TerminalNode((3, 0)), "b": TerminalNode((0, 0)), "w": TerminalNode((1, 0))}
    assert find_lemke_equilibrium(build_tree("", (places | ends).__getitem__, player_count=2))["goes on"] == (0, 1)


def test_a_game_without_decisions_has_its_one_equilibrium():
    """Nobody can do anything, or one alone can."""
    assert find_lemke_equilibrium(build_tree("", {"": TerminalNode((1, 2))}.__getitem__, player_count=2)).rows == ()
    alone = {"": DecisionNode(1, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((0, 1)), "b": TerminalNode((9, 2))}
    assert find_lemke_equilibrium(build_tree("", alone.__getitem__, player_count=2)).rows == ((0, 1),)


def forgetful():
    """Two draws of a coin for one player, who forgets the first before it guesses whether both are alike; the other looks on."""
    places = {"": DecisionNode(0, "first", [("h", "h"), ("t", "t")])}
    for one in "ht":
        places[one] = DecisionNode(1, "between", [("h", one + "h"), ("t", one + "t")])
        for two in "ht":
            places[one + two] = DecisionNode(0, "last", [("h", one + two + "h"), ("t", one + two + "t")])
            places |= {one + two + three: TerminalNode((1, -1) if one == three else (-1, 1)) for three in "ht"}
    return build_tree("", places.__getitem__, player_count=2)


def test_what_it_cannot_solve_it_refuses():
    """Before it begins: on a forgetful tree it would end at what is no equilibrium."""
    for tree, says in (
        (forgetful(), r"Player 1 forgets what they knew or did before 'last'; Lemke's algorithm needs a tree with perfect recall"),
        (gametheory.textbook("driver"), "needs two seats, and this tree has 1"),
        (gametheory.textbook("chain-store"), "needs two seats, and this tree has 4"),
        (7, "7 is no tree of a game"),
    ):
        with pytest.raises(gametheory.TreeError, match=says):
            find_lemke_equilibrium(tree)
