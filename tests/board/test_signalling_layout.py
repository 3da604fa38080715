"""Test signalling games drawn from the middle, as in textbooks: which games, and where everything is."""

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


def signalling_game(*, types=("a", "b"), messages=(("x", "y"), ("x", "y")), answers=(2, 2), tells=False, ends=False):
    """Return a signalling game. `tells`: the receiver sees the type. `ends`: one message ends the game."""
    share = Fraction(1, len(types))
    places = {"": ChanceNode([(kind, share, kind) for kind in types])}
    for kind, moves in zip(types, messages, strict=False):
        places[kind] = DecisionNode(0, kind, [(move, f"{kind}{at}") for at, move in enumerate(moves)])
        for at in range(len(moves)):
            over = ends and at == 1
            places[f"{kind}{at}"] = (
                TerminalNode((0, 0))
                if over
                else DecisionNode(1, f"{at}{kind if tells else ''}", [(f"r{n}", f"{kind}{at}{n}") for n in range(answers[at])])
            )
            places |= {f"{kind}{at}{n}": TerminalNode((n, -n)) for n in range(answers[at])}
    return build_tree("", places.__getitem__, player_count=2)


def test_two_textbook_games_are_drawn_from_the_middle():
    """They are beer and quiche, and education."""
    assert [name for name in _list_names() if is_drawn_from_middle(gametheory.textbook(name))] == ["beer-quiche", "spence"]


@pytest.mark.parametrize(
    ("tree", "does"),
    [
        (signalling_game(), True),
        (signalling_game(answers=(1, 4)), True),
        (signalling_game(types="abc", messages=(("x", "y"),) * 3), False),
        (signalling_game(messages=(("x", "y"), ("x", "z"))), False),
        (signalling_game(messages=(("x", "y", "z"),) * 2, answers=(2, 2, 2)), False),
        (signalling_game(tells=True), False),
        (signalling_game(ends=True), False),
    ],
    ids=["two and two", "other answers", "three types", "other messages", "three messages", "the type is seen", "one message ends it"],
)
def test_games_of_another_shape_are_drawn_the_usual_way(tree, does):
    """There must be two types, the same two messages and one information set for each message."""
    assert is_drawn_from_middle(tree) == does
    assert (lay_out_from_middle(TreeExpansion(tree, 9)) is not None) == does
    assert ("signalling_layout" in board.Tree(tree, depth=9).drawing) == does


def test_nodes_drawn_from_the_middle_do_not_overlap():
    """Messages are level, each set is in one column, and chance lies between the types, whatever is open."""
    for depth in [0, 1, 2, 9]:
        for tree in [BEER, gametheory.textbook("spence"), signalling_game(answers=(1, 4))]:
            unfolded = TreeExpansion(tree, depth)
            found, shown_nodes = lay_out_from_middle(unfolded), unfolded.shown_nodes
            place = {history: at for at, history in enumerate(shown_nodes)}
            assert len(found.side) == len(found.row) == len(shown_nodes)
            level = {history: 0 if not history else level + 1 for history, level in ((node, 0) for node in shown_nodes)}
            for history in shown_nodes[1:]:
                level[history] = level[tree.parent[history]] + 1
            assert len({(found.side[at], level[node], found.row[at]) for node, at in place.items() if level[node] != 1}) == len(
                [node for node in shown_nodes if level[node] != 1]
            )
            for node in shown_nodes:
                kids = [place[child] for child in tree.children(node) if child in place]
                middle = [found.row[kid] for kid in kids]
                if kids:
                    assert sum(middle) / len(middle) == found.row[place[node]]
                if level[node] == 1:
                    assert [found.side[kid] for kid in kids] in ([], [-1, 1])
            assert max(found.row) <= found.rows - 0.5
            assert min(found.row) >= 0


def drawn_elements(svg):
    """Return the elements of the drawing."""
    return list(ET.fromstring(svg).iter())  # noqa: S314 - our own text


def test_picture_opens_to_both_sides_and_shows_everything():
    """It has every payoff and move, two upright dashed lines, mixed strategies and values."""
    view = board.Tree(BEER, gametheory.solve(BEER), depth=9, values=True)
    view.add_label(1, "nine in ten")
    found = drawn_elements(view.svg())
    width = float(found[0].get("width"))
    labels = [(element.text, float(element.get("x"))) for element in found if element.tag.endswith("text") and element.get("x")]
    assert all(0 < x < width for _, x in labels)
    assert sorted(word for word, _ in labels if word in ("duel", "defer", "beer", "quiche")) == sorted(
        ["duel", "defer"] * 4 + ["beer", "quiche"] * 2
    )
    assert {word for word, x in labels if x < width / 2 - 20} & {"beer", "quiche", "duel"} == {"beer", "duel"}
    ways = [element.get("d") for element in found if (element.get("class") or "").startswith("t-set")]
    xs = [re.findall(r"[ML](-?[\d.]+) ", way) for way in ways]
    assert len(xs) == 2
    assert all(element == two for element, two in xs)
    assert len([element for element in found if (element.get("class") or "").startswith(("t-line", "t-lit"))]) == 14
    assert any(word and word.endswith("nine in ten") for word, _ in labels)


def test_a_setting_draws_signalling_games_the_usual_way():
    """Drawing downwards does so too. Other trees ignore the setting."""
    usual = board.Tree(BEER, depth=9, from_middle=False).svg()
    assert usual != board.Tree(BEER, depth=9).svg()
    assert "sees beer" in usual
    down = board.Tree(BEER, depth=9, direction="down")
    before = down.svg()
    down.from_middle = False
    assert down.svg() == before
    kuhn = gametheory.textbook("kuhn")
    assert board.Tree(kuhn).svg() == board.Tree(kuhn, from_middle=False).svg()
