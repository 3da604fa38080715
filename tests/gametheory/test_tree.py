"""A tree is flat arrays, says the same however it was grown, and refuses what is no game."""

from __future__ import annotations

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


def tree_of(places, **more):
    """The tree of places by their names, from the empty one on."""
    return build_tree("", places.__getitem__, player_count=2, **more)


def test_histories_are_numbered_level_by_level():
    """The root is first, children stand side by side, and parents and levels fit."""
    tree = tree_of(PLACES)
    assert tree.level_starts == [0, 1, 3, 7, 11]
    assert [list(tree.children(node)) for node in range(3)] == [[1, 2], [3, 4], [5, 6]]
    assert all(tree.parent[child] == node for node in range(tree.history_count) for child in tree.children(node))
    assert list(tree.actor) == [CHANCE, 0, 0, 1, TERMINAL, 1, TERMINAL, TERMINAL, TERMINAL, TERMINAL, TERMINAL]
    assert tree.actions_from_root(7) == ("heads", "left", "up")
    assert (tree.history_count, tree.terminal_count, tree.infoset_counts) == (11, 6, (1, 1))
    assert tree.infosets == [InfoSet(0, "?", ("left", "right")), InfoSet(1, "left", ("up", "down"))]
    assert tree.chance_moves == [ChanceMove(("heads", "tails"), (HALF, HALF))]
    assert tree.payoffs[tree.infoset_of[7]] == (1, -1)


def test_no_move_led_to_the_root():
    """Asked for one, it says so."""
    with pytest.raises(TreeError, match="no move led to the root"):
        tree_of(PLACES).last_action(0)


def test_equal_trees_are_the_same_game_however_their_sets_are_numbered():
    """Numbers of information sets, chances and payoffs do not count; what they say does."""
    tree, other = tree_of(PLACES), tree_of(PLACES)
    other.infosets.reverse()
    other.payoffs.append((Fraction(3), Fraction(3)))
    for node in range(other.history_count):
        if other.actor[node] >= 0:
            other.infoset_of[node] = 1 - other.infoset_of[node]
    assert tree == other
    assert hash(tree) == hash(other)
    assert tree != "a tree"


def test_trees_that_differ_are_not_equal():
    """A payoff, an information set parted, a probability, a name, a move more: each is another game."""
    for change in (
        {"win": TerminalNode((2, -2))},
        {"t": DecisionNode(0, "!", [("left", "tl"), ("right", "tr")])},
        {"": ChanceNode([("heads", Fraction(1, 3), "h"), ("tails", Fraction(2, 3), "t")])},
        {"": ChanceNode([("heads", HALF, "h"), ("edge", HALF, "t")])},
        {"hl": DecisionNode(1, "left", [("up", "win"), ("in", "loss")]), "tl": DecisionNode(1, "left", [("up", "loss"), ("in", "win")])},
        {"hr": DecisionNode(1, "right", [("up", "win"), ("down", "loss")])},
    ):
        assert tree_of(PLACES) != tree_of(PLACES | change)
        assert tree_of(PLACES | change) != tree_of(PLACES)


def test_another_title_or_other_names_are_another_tree():
    """What a game and its players are called is part of it."""
    assert tree_of(PLACES, title="one") != tree_of(PLACES, title="two")
    assert tree_of(PLACES).names == ("Player 1", "Player 2")
    assert tree_of(PLACES, names=("Ann", "Bob")) != tree_of(PLACES)


def test_what_is_no_game_is_refused():
    """Probabilities, moves and payoffs must fit."""
    for change, says in (
        ({"": ChanceNode([("heads", HALF, "h"), ("tails", Fraction(1, 3), "t")])}, "add up to 1, not 5/6"),
        ({"": ChanceNode([("heads", Fraction(3, 2), "h"), ("tails", -HALF, "t")])}, "at least 0"),
        ({"t": DecisionNode(0, "?", [("left", "tl"), ("middle", "tr")])}, "has other moves"),
        ({"h": DecisionNode(0, "?", [])}, "has no move"),
        ({"win": TerminalNode((1, 0, -1))}, "each of the 2 seats"),
    ):
        with pytest.raises(TreeError, match=says):
            tree_of(PLACES | change)


def test_a_tree_may_have_as_many_histories_as_its_limit_and_not_one_more():
    """The limit is met exactly."""
    assert tree_of(PLACES, limit=11).history_count == 11
    with pytest.raises(TreeError, match="more than 10 histories"):
        tree_of(PLACES, limit=10)


def test_who_forgets_is_named():
    """Perfect recall is found wanting where a seat forgets what it knew, what it did, or that it was asked before."""
    assert describe_imperfect_recall(tree_of(PLACES)) is None
    forgot = {"hl": DecisionNode(0, "x", [("up", "win"), ("down", "loss")]), "hr": DecisionNode(0, "x", [("up", "loss"), ("down", "win")])}
    assert describe_imperfect_recall(tree_of(PLACES | forgot)) == "Player 1 forgets what they knew or did before 'x'"
    absent = {"": DecisionNode(0, "here", [("on", "a"), ("off", "win")]), "a": DecisionNode(0, "here", [("on", "loss"), ("off", "win")])}
    assert describe_imperfect_recall(tree_of(PLACES | absent)) == "Player 1 forgets what they knew or did before 'here'"
