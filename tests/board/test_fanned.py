"""Signalling games open from the middle, as books draw them: which do, where everything lies then, and what the picture has."""

from __future__ import annotations

import re
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest

from durak_widget import board, gametheory
from durak_widget.board.tree_expansion import TreeExpansion
from durak_widget.board.tree_layout import is_drawn_from_middle, lay_out_from_middle
from durak_widget.gametheory import ChanceNode, DecisionNode, TerminalNode, build_tree
from durak_widget.gametheory.textbook_games import _list_names

BEER = gametheory.textbook("beer-quiche")


def signals(*, types=("a", "b"), messages=(("x", "y"), ("x", "y")), answers=(2, 2), tells=False, ends=False):
    """A signalling game; `tells`: its receiver sees the type too; `ends`: one message ends the game."""
    share = Fraction(1, len(types))
    places = {"": ChanceNode([(one, share, one) for one in types])}
    for one, moves in zip(types, messages, strict=False):
        places[one] = DecisionNode(0, one, [(move, f"{one}{at}") for at, move in enumerate(moves)])
        for at in range(len(moves)):
            over = ends and at == 1
            places[f"{one}{at}"] = (
                TerminalNode((0, 0))
                if over
                else DecisionNode(1, f"{at}{one if tells else ''}", [(f"r{n}", f"{one}{at}{n}") for n in range(answers[at])])
            )
            places |= {f"{one}{at}{n}": TerminalNode((n, -n)) for n in range(answers[at])}
    return build_tree("", places.__getitem__, player_count=2)


def test_of_the_textbooks_two_do():
    """Beer and quiche, and education."""
    assert [name for name in _list_names() if is_drawn_from_middle(gametheory.textbook(name))] == ["beer-quiche", "spence"]


@pytest.mark.parametrize(
    ("tree", "does"),
    [
        (signals(), True),
        (signals(answers=(1, 4)), True),
        (signals(types="abc", messages=(("x", "y"),) * 3), False),
        (signals(messages=(("x", "y"), ("x", "z"))), False),
        (signals(messages=(("x", "y", "z"),) * 2, answers=(2, 2, 2)), False),
        (signals(tells=True), False),
        (signals(ends=True), False),
    ],
    ids=["two and two", "other answers", "three types", "other messages", "three messages", "the type is seen", "one message ends it"],
)
def test_what_has_another_shape_is_drawn_as_ever(tree, does):
    """Two types, the same two messages, one information set for each: nothing less, and nothing more."""
    assert is_drawn_from_middle(tree) == does
    assert (lay_out_from_middle(TreeExpansion(tree, 9)) is not None) == does
    assert ("fan" in board.Tree(tree, depth=9).drawing) == does


def test_everything_has_a_place_of_its_own():
    """However much is open: messages run level, each set stands in one column, chance lies between its types, and answers lie about their question."""
    for depth in [0, 1, 2, 9]:
        for tree in [BEER, gametheory.textbook("spence"), signals(answers=(1, 4))]:
            unfolded = TreeExpansion(tree, depth)
            found, shown = lay_out_from_middle(unfolded), unfolded.shown_nodes
            place = {history: at for at, history in enumerate(shown)}
            assert len(found.side) == len(found.row) == len(shown)
            level = {history: 0 if not history else level + 1 for history, level in ((one, 0) for one in shown)}
            for history in shown[1:]:
                level[history] = level[tree.parent[history]] + 1
            assert len({(found.side[at], level[one], found.row[at]) for one, at in place.items() if level[one] != 1}) == len(
                [one for one in shown if level[one] != 1]
            )
            for one in shown:
                kids = [place[child] for child in tree.children(one) if child in place]
                middle = [found.row[kid] for kid in kids]
                if kids:
                    assert sum(middle) / len(middle) == found.row[place[one]]
                if level[one] == 1:
                    assert [found.side[kid] for kid in kids] in ([], [-1, 1])
            assert max(found.row) <= found.rows - 0.5
            assert min(found.row) >= 0


def drawn(svg):
    """What is drawn, element by element."""
    return list(ET.fromstring(svg).iter())  # noqa: S314 - our own text


def test_the_picture_opens_to_both_sides_and_holds_all():
    """Every payoff and every move, within the picture; two dashed lines upright; with the mixes of an equilibrium, and what places are worth."""
    view = board.Tree(BEER, gametheory.solve(BEER), depth=9, values=True)
    view.add_label(1, "nine in ten")
    found = drawn(view.svg())
    width = float(found[0].get("width"))
    said = [(one.text, float(one.get("x"))) for one in found if one.tag.endswith("text") and one.get("x")]
    assert all(0 < x < width for _, x in said)
    assert sorted(word for word, _ in said if word in ("duel", "defer", "beer", "quiche")) == sorted(
        ["duel", "defer"] * 4 + ["beer", "quiche"] * 2
    )
    assert {word for word, x in said if x < width / 2 - 20} & {"beer", "quiche", "duel"} == {"beer", "duel"}
    ways = [one.get("d") for one in found if (one.get("class") or "").startswith("t-set")]
    xs = [re.findall(r"[ML](-?[\d.]+) ", way) for way in ways]
    assert len(xs) == 2
    assert all(one == two for one, two in xs)
    assert len([one for one in found if (one.get("class") or "").startswith(("t-line", "t-lit"))]) == 14
    assert any(word and word.endswith("nine in ten") for word, _ in said)


def test_it_is_drawn_the_usual_way_where_one_wants_that():
    """By the setting, or downwards; and other trees hear nothing of it."""
    usual = board.Tree(BEER, depth=9, from_middle=False).svg()
    assert usual != board.Tree(BEER, depth=9).svg()
    assert "sees beer" in usual
    down = board.Tree(BEER, depth=9, direction="down")
    before = down.svg()
    down.from_middle = False
    assert down.svg() == before
    kuhn = gametheory.textbook("kuhn")
    assert board.Tree(kuhn).svg() == board.Tree(kuhn, from_middle=False).svg()
