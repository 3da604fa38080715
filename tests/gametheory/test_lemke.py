"""Test Lemke's algorithm: one exact equilibrium of any two-player game, with hidden information, chance and ties."""

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


def test_textbook_games_give_a_known_equilibrium():
    """From any starting pure strategies, the path ends at an equilibrium in the table of docs/textbook-games.md."""
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
            found = find_lemke_equilibrium(tree, [rng.randrange(len(infoset.actions)) for infoset in tree.infosets])
            assert max(gains(tree, found)) == 0


def test_games_with_many_equilibria_give_one_of_them():
    """The textbook games that have more equilibria than their table names."""
    for name in ("spence", "ultimatum"):
        tree = gametheory.textbook(name)
        assert max(gains(tree, find_lemke_equilibrium(tree))) == 0


def test_myersons_game_gives_its_only_equilibrium():
    """Myerson (1991): black is raised with 1/3, a raise is called with 2/3."""
    found = find_lemke_equilibrium(gametheory.textbook("myerson"))
    assert (found["holds black"], found["after a raise"]) == ((F(1, 3), F(2, 3)), (F(2, 3), F(1, 3)))


@given(st.integers(0, 2**32))
def test_lemke_finds_exact_equilibria_of_random_games(number):
    """With hidden information and ties: every pure strategy is tried, and the result is in fractions."""
    rng = Random(number)
    for tree in (hidden_tree(rng) for _ in range(10)):
        start = [rng.randrange(len(infoset.actions)) for infoset in tree.infosets]
        found = find_lemke_equilibrium(tree, start)
        assert found.exact
        assert gametheory.nash_conv(tree, found) == 0
        if max(how_many_strategies(tree, seat) for seat in (0, 1)) < 200:
            assert max(gains(tree, found)) == 0


@given(textbook.zero_sum())
def test_a_zero_sum_game_has_the_value_of_the_linear_program(tree):
    """A second method gives exactly the same number."""
    assert payoffs(tree, find_lemke_equilibrium(tree))[0] == gametheory.solve(tree, "plans").value


def test_a_small_leduc_poker_has_the_known_value():
    """A poker of two rounds and hundreds of histories."""
    tree = textbook.leduc("JQ")
    assert tree.history_count > 150
    assert gametheory.value(tree, find_lemke_equilibrium(tree)) == gametheory.solve(tree, "plans").value


def test_unreached_information_sets_have_best_responses():
    """The player's best response is filled in, so no empty threat remains."""
    places = {"": DecisionNode(0, "begins", [("stop", "s"), ("go", "g")]), "g": DecisionNode(0, "goes on", [("badly", "b"), ("well", "w")])}
    ends = {"s": TerminalNode((3, 0)), "b": TerminalNode((0, 0)), "w": TerminalNode((1, 0))}
    assert find_lemke_equilibrium(build_tree("", (places | ends).__getitem__, player_count=2))["goes on"] == (0, 1)


def test_a_game_without_decisions_has_one_equilibrium():
    """Nobody has a choice, or only one player has."""
    assert find_lemke_equilibrium(build_tree("", {"": TerminalNode((1, 2))}.__getitem__, player_count=2)).rows == ()
    alone = {"": DecisionNode(1, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((0, 1)), "b": TerminalNode((9, 2))}
    assert find_lemke_equilibrium(build_tree("", alone.__getitem__, player_count=2)).rows == ((0, 1),)


def forgotten_coin_game():
    """Return a game: a player chooses a coin side twice and forgets the first before a guess; the other only watches."""
    places = {"": DecisionNode(0, "first", [("h", "h"), ("t", "t")])}
    for move in "ht":
        places[move] = DecisionNode(1, "between", [("h", move + "h"), ("t", move + "t")])
        for two in "ht":
            places[move + two] = DecisionNode(0, "last", [("h", move + two + "h"), ("t", move + two + "t")])
            places |= {move + two + three: TerminalNode((1, -1) if move == three else (-1, 1)) for three in "ht"}
    return build_tree("", places.__getitem__, player_count=2)


def test_imperfect_recall_is_refused():
    """It is refused at the start: with imperfect recall the algorithm would end at a wrong result."""
    for tree, says in (
        (
            forgotten_coin_game(),
            r"Player 1 .*'last'\. Lemke's",
        ),
        (gametheory.textbook("driver"), "needs two.*tree has 1"),
        (gametheory.textbook("chain-store"), "needs two.*tree has 4"),
        (7, "7 is not a game tree"),
    ):
        with pytest.raises(gametheory.TreeError, match=says):
            find_lemke_equilibrium(tree)
