"""Test game trees: flat arrays, equality however they were built, and errors for invalid games."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from durak_widget.gametheory.tree import (
    CHANCE,
    TERMINAL,
    ChanceMove,
    ChanceNode,
    DecisionNode,
    InfoSet,
    TerminalNode,
    TreeError,
    build_tree,
    describe_imperfect_recall,
)

HALF = Fraction(1, 2)
PLACES = {
    "": ChanceNode([("heads", HALF, "h"), ("tails", HALF, "t")]),
    "h": DecisionNode(0, "?", [("left", "hl"), ("right", "hr")]),
    "t": DecisionNode(0, "?", [("left", "tl"), ("right", "tr")]),
    "hl": DecisionNode(1, "left", [("up", "win"), ("down", "loss")]),
    "tl": DecisionNode(1, "left", [("up", "loss"), ("down", "win")]),
    "hr": TerminalNode((0, 0)),
    "tr": TerminalNode((0, 0)),
    "win": TerminalNode((1, -1)),
    "loss": TerminalNode((-1, 1)),
}


def tree_from(places, **more):
    """Return the tree of nodes by name, starting at the empty name."""
    return build_tree("", places.__getitem__, player_count=2, **more)


def test_histories_are_numbered_level_by_level():
    """The root is first, children are side by side, and parents and levels are consistent."""
    tree = tree_from(PLACES)
    assert tree.level_starts == [0, 1, 3, 7, 11]
    assert [list(tree.children(node)) for node in range(3)] == [[1, 2], [3, 4], [5, 6]]
    assert all(tree.parent[child] == node for node in range(tree.history_count) for child in tree.children(node))
    assert list(tree.actor) == [CHANCE, 0, 0, 1, TERMINAL, 1, TERMINAL, TERMINAL, TERMINAL, TERMINAL, TERMINAL]
    assert tree.actions_from_root(7) == ("heads", "left", "up")
    assert (tree.history_count, tree.terminal_count, tree.infoset_counts) == (11, 6, (1, 1))
    assert tree.infosets == [InfoSet(0, "?", ("left", "right")), InfoSet(1, "left", ("up", "down"))]
    assert tree.chance_moves == [ChanceMove(("heads", "tails"), (HALF, HALF))]
    assert tree.payoffs[tree.infoset_of[7]] == (1, -1)


def test_the_root_has_no_last_action():
    """Asking for it raises an error that says so."""
    with pytest.raises(TreeError, match="root has no move"):
        tree_from(PLACES).last_action(0)


def test_equal_trees_are_equal_whatever_their_numbering():
    """The numbers of information sets, chance moves and payoffs do not matter, only their contents."""
    tree, other = tree_from(PLACES), tree_from(PLACES)
    other.infosets.reverse()
    other.payoffs.append((Fraction(3), Fraction(3)))
    for node in range(other.history_count):
        if other.actor[node] >= 0:
            other.infoset_of[node] = 1 - other.infoset_of[node]
    assert tree == other
    assert hash(tree) == hash(other)
    assert tree != "a tree"


def test_different_trees_are_not_equal():
    """Another payoff, a divided information set, another probability, name or move: each is another game."""
    for change in (
        {"win": TerminalNode((2, -2))},
        {"t": DecisionNode(0, "!", [("left", "tl"), ("right", "tr")])},
        {"": ChanceNode([("heads", Fraction(1, 3), "h"), ("tails", Fraction(2, 3), "t")])},
        {"": ChanceNode([("heads", HALF, "h"), ("edge", HALF, "t")])},
        {"hl": DecisionNode(1, "left", [("up", "win"), ("in", "loss")]), "tl": DecisionNode(1, "left", [("up", "loss"), ("in", "win")])},
        {"hr": DecisionNode(1, "right", [("up", "win"), ("down", "loss")])},
    ):
        assert tree_from(PLACES) != tree_from(PLACES | change)
        assert tree_from(PLACES | change) != tree_from(PLACES)


def test_title_and_names_are_part_of_a_tree():
    """A tree with another title, or other names of players, is not equal."""
    assert tree_from(PLACES, title="one") != tree_from(PLACES, title="two")
    assert tree_from(PLACES).names == ("Player 1", "Player 2")
    assert tree_from(PLACES, names=("Ann", "Bob")) != tree_from(PLACES)


def test_an_invalid_game_is_refused():
    """Probabilities, moves and payoffs must be consistent."""
    for change, says in (
        ({"": ChanceNode([("heads", HALF, "h"), ("tails", Fraction(1, 3), "t")])}, "add up to 1, not 5/6"),
        ({"": ChanceNode([("heads", Fraction(3, 2), "h"), ("tails", -HALF, "t")])}, "at least 0"),
        ({"t": DecisionNode(0, "?", [("left", "tl"), ("middle", "tr")])}, r"different moves: \('left', 'right'\)"),
        ({"h": DecisionNode(0, "?", [])}, "has no move"),
        ({"win": TerminalNode((1, 0, -1))}, "each of the 2 players"),
    ):
        with pytest.raises(TreeError, match=says):
            tree_from(PLACES | change)


def test_the_limit_of_histories_is_exact():
    """A tree may have as many histories as the limit, and not one more."""
    assert tree_from(PLACES, limit=11).history_count == 11
    with pytest.raises(TreeError, match="more than 10 histories"):
        tree_from(PLACES, limit=10)


def test_imperfect_recall_names_the_player():
    """A player forgets what the player knew, did, or that a move was made before."""
    assert describe_imperfect_recall(tree_from(PLACES)) is None
    forgot = {"hl": DecisionNode(0, "x", [("up", "win"), ("down", "loss")]), "hr": DecisionNode(0, "x", [("up", "loss"), ("down", "win")])}
    assert re.fullmatch("Player 1 .*'x'", describe_imperfect_recall(tree_from(PLACES | forgot)))
    absent = {"": DecisionNode(0, "here", [("on", "a"), ("off", "win")]), "a": DecisionNode(0, "here", [("on", "loss"), ("off", "win")])}
    assert re.fullmatch("Player 1 .*'here'", describe_imperfect_recall(tree_from(PLACES | absent)))
