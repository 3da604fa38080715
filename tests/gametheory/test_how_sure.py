"""What is said of many equilibria, of those that trembles alone refute, and where nothing is found."""

from __future__ import annotations

from fractions import Fraction

from durak_widget import board, gametheory
from durak_widget.gametheory import ChanceNode, DecisionNode, TerminalNode


def half_seen():
    """A card that one player alone sees, who may stay out or ask one of two questions; the other answers without having seen it."""
    half = Fraction(1, 2)
    places: dict[object, object] = {"": ChanceNode([("red", half, "r"), ("black", half, "b")])}
    for card in "rb":
        places[card] = DecisionNode(0, "A", [("out", card + "o"), ("i", card + "i"), ("j", card + "j")])
        places[card + "o"] = TerminalNode((2, 2))
        places[card + "i"] = DecisionNode(1, "X", [("u", card + "iu"), ("d", card + "id")])
        places[card + "iu"], places[card + "id"] = TerminalNode((0, 1 if card == "r" else -3)), TerminalNode((3, 0))
        places[card + "j"] = DecisionNode(1, "Y", [("bad", card + "jb"), ("good", card + "jg")])
        places[card + "jb"], places[card + "jg"] = TerminalNode((0, 0)), TerminalNode((3, 1))
    return gametheory.build_tree("", places.__getitem__, player_count=2)


def test_the_place_at_which_no_belief_helps_is_named():
    """Not the one at which some belief does, though none to which trembles lead."""
    view = board.Tree(half_seen())
    view.solve("answer")
    lines = {one["plays"]: one["lines"] for one in view.told_answer["found"]}
    assert (
        lines["Player 1 (A): out; Player 2 (X): u; Player 2 (Y): bad"][0]
        == "Not sequential: at “Y” (Player 2) no belief makes the move best."
    )
    assert lines["Player 1 (A): j; Player 2 (X): u; Player 2 (Y): good"][0].startswith(
        "Not sequential: at “X” (Player 2) no belief that comes from trembling hands"
    )


def test_where_all_choose_at_once_nobody_speaks_of_trembles():
    """Both rows and columns that are dominated weakly are a Nash equilibrium, and no more."""
    told = {"": DecisionNode(0, "One", [("a", "a"), ("b", "b")])}
    told |= {one: DecisionNode(1, "Two", [("c", one + "c"), ("d", one + "d")]) for one in "ab"}
    told |= {one + two: TerminalNode((1, 1) if one + two == "ac" else (0, 0)) for one in "ab" for two in "cd"}
    view = board.Tree(gametheory.build_tree("", told.__getitem__, player_count=2))
    view.solve("answer")
    assert {(one["said"], tuple(one["lines"][:-1])) for one in view.told_answer["found"]} == {("Nash equilibrium", ())}


def test_of_many_each_is_called_what_it_is_where_nothing_is_hidden():
    """The ultimatum has 33 equilibria in pure plans, two of them subgame-perfect, in whichever list."""
    for method in (None, "answer"):
        found = gametheory.solve(gametheory.textbook("ultimatum"), method).equilibria
        assert [one.name for one in found].count("subgame-perfect equilibrium") == 2
        assert {one.name for one in found} == {"subgame-perfect equilibrium", "Nash equilibrium, not subgame-perfect"}
