"""A tree is flat arrays, says the same however it was grown, and refuses what is no game."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durak_widget.gametheory.tree import CHANCE, OVER, Chance, Draw, End, InfoSet, TreeError, Turn, forgets, grow

HALF = Fraction(1, 2)
PLACES = {
    "": Draw([("heads", HALF, "h"), ("tails", HALF, "t")]),
    "h": Turn(0, "?", [("left", "hl"), ("right", "hr")]),
    "t": Turn(0, "?", [("left", "tl"), ("right", "tr")]),
    "hl": Turn(1, "left", [("up", "win"), ("down", "loss")]),
    "tl": Turn(1, "left", [("up", "loss"), ("down", "win")]),
    "hr": End((0, 0)),
    "tr": End((0, 0)),
    "win": End((1, -1)),
    "loss": End((-1, 1)),
}


def tree_of(places, **more):
    """The tree of places by their names, from the empty one on."""
    return grow("", places.__getitem__, seats=2, **more)


def test_histories_are_numbered_level_by_level():
    """The root is first, children stand side by side, and parents and levels fit."""
    tree = tree_of(PLACES)
    assert tree.levels == [0, 1, 3, 7, 11]
    assert [list(tree.children(node)) for node in range(3)] == [[1, 2], [3, 4], [5, 6]]
    assert all(tree.parent[child] == node for node in range(tree.histories) for child in tree.children(node))
    assert list(tree.actor) == [CHANCE, 0, 0, 1, OVER, 1, OVER, OVER, OVER, OVER, OVER]
    assert tree.moves_to(7) == ("heads", "left", "up")
    assert (tree.histories, tree.terminals, tree.infosets) == (11, 6, (1, 1))
    assert tree.sets == [InfoSet(0, "?", ("left", "right")), InfoSet(1, "left", ("up", "down"))]
    assert tree.chances == [Chance(("heads", "tails"), (HALF, HALF))]
    assert tree.payoffs[tree.info[7]] == (1, -1)


def test_no_move_led_to_the_root():
    """Asked for one, it says so."""
    with pytest.raises(TreeError, match="no move led to the root"):
        tree_of(PLACES).move_to(0)


def test_equal_trees_are_the_same_game_however_their_sets_are_numbered():
    """Numbers of information sets, chances and payoffs do not count; what they say does."""
    tree, other = tree_of(PLACES), tree_of(PLACES)
    other.sets.reverse()
    other.payoffs.append((Fraction(3), Fraction(3)))
    for node in range(other.histories):
        if other.actor[node] >= 0:
            other.info[node] = 1 - other.info[node]
    assert tree == other
    assert hash(tree) == hash(other)
    assert tree != "a tree"


def test_trees_that_differ_are_not_equal():
    """A payoff, an information set parted, a probability, a name, a move more: each is another game."""
    for change in (
        {"win": End((2, -2))},
        {"t": Turn(0, "!", [("left", "tl"), ("right", "tr")])},
        {"": Draw([("heads", Fraction(1, 3), "h"), ("tails", Fraction(2, 3), "t")])},
        {"": Draw([("heads", HALF, "h"), ("edge", HALF, "t")])},
        {"hl": Turn(1, "left", [("up", "win"), ("in", "loss")]), "tl": Turn(1, "left", [("up", "loss"), ("in", "win")])},
        {"hr": Turn(1, "right", [("up", "win"), ("down", "loss")])},
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
        ({"": Draw([("heads", HALF, "h"), ("tails", Fraction(1, 3), "t")])}, "add up to 1, not 5/6"),
        ({"": Draw([("heads", Fraction(3, 2), "h"), ("tails", -HALF, "t")])}, "at least 0"),
        ({"t": Turn(0, "?", [("left", "tl"), ("middle", "tr")])}, "has other moves"),
        ({"h": Turn(0, "?", [])}, "has no move"),
        ({"win": End((1, 0, -1))}, "each of the 2 seats"),
    ):
        with pytest.raises(TreeError, match=says):
            tree_of(PLACES | change)


def test_a_tree_may_have_as_many_histories_as_its_limit_and_not_one_more():
    """The limit is met exactly."""
    assert tree_of(PLACES, limit=11).histories == 11
    with pytest.raises(TreeError, match="more than 10 histories"):
        tree_of(PLACES, limit=10)


def test_who_forgets_is_named():
    """Perfect recall is found wanting where a seat forgets what it knew, what it did, or that it was asked before."""
    assert forgets(tree_of(PLACES)) is None
    forgot = {"hl": Turn(0, "x", [("up", "win"), ("down", "loss")]), "hr": Turn(0, "x", [("up", "loss"), ("down", "win")])}
    assert forgets(tree_of(PLACES | forgot)) == "Player 1 forgets what they knew or did before 'x'"
    absent = {"": Turn(0, "here", [("on", "a"), ("off", "win")]), "a": Turn(0, "here", [("on", "loss"), ("off", "win")])}
    assert forgets(tree_of(PLACES | absent)) == "Player 1 forgets what they knew or did before 'here'"
