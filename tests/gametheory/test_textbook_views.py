"""Test the textbook games on the board: the tree view draws them whole, with the labels of their authors."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest
from test_textbook_games import SIZES

from durak_widget import board, gametheory
from durak_widget.gametheory.tree import CHANCE, TERMINAL

every_game = pytest.mark.parametrize("name", SIZES)


def opened_view(name):
    """Return the game, its view with all nodes open, and the data sent to the page."""
    tree = gametheory.textbook(name)
    view = board.Tree(tree)
    view.unfold()
    return tree, view, view.drawing


def test_every_history_is_drawn():
    """Every history is drawn once, below the one it continues; players and title are those of the file."""
    for name in SIZES:
        tree, _, drawing = opened_view(name)
        nodes = drawing["nodes"]
        assert sorted(nodes["id"]) == list(range(tree.history_count))
        for node, up in zip(nodes["id"], nodes["parent"], strict=True):
            assert tree.parent[node] == (nodes["id"][up] if up >= 0 else -1)
        assert not any(nodes["hidden_count"])
        assert (drawing["title"], tuple(drawing["players"])) == (tree.title, tree.names)


def test_labels_and_numbers_are_those_of_the_tree():
    """Moves, information set labels, chance probabilities and payoffs are drawn as in the tree."""
    for name in SIZES:
        tree, _, drawing = opened_view(name)
        for node, info in zip(drawing["nodes"]["id"], drawing["nodes"]["info"], strict=True):
            place = tree.infoset_of[node]
            if tree.actor[node] == TERMINAL:
                assert [Fraction(text) for text in drawing["payoffs"][str(info)]] == list(tree.payoffs[place])
            elif tree.actor[node] == CHANCE:
                moves = drawing["chance_moves"][str(info)]["moves"]
                assert [(move["text"], Fraction(move["probability"])) for move in moves] == list(
                    zip(tree.chance_moves[place].actions, tree.chance_moves[place].probabilities, strict=True)
                )
            else:
                drawn_set = drawing["infosets"][str(info)]
                assert (drawn_set["label"], tuple(move["text"] for move in drawn_set["moves"])) == (
                    tree.infosets[place].label,
                    tree.infosets[place].actions,
                )


def test_information_sets_are_joined_by_dashed_lines():
    """There is a dashed line for each information set of several histories, also across levels, and for no other."""
    for name in SIZES:
        tree, _, drawing = opened_view(name)
        known = {}
        for here, actor in enumerate(tree.actor):
            if actor >= 0:
                known.setdefault(tree.infoset_of[here], set()).add(here)
        joined = [{drawing["nodes"]["id"][place] for place in group} for group in drawing["shared_infosets"]]
        assert sorted(map(sorted, joined)) == sorted(sorted(group) for group in known.values() if len(group) > 1)


def test_the_search_finds_a_move():
    """The text in the search field leads to the histories with that move."""
    for name in SIZES:
        tree, view, _ = opened_view(name)
        node = next(here for here, actor in enumerate(tree.actor) if actor >= 0)
        assert tree.first_child[node] in view.find(tree.infosets[tree.infoset_of[node]].actions[0])


def test_a_game_is_drawn_for_print():
    """As one picture with every player, move and payoff; and as an outline with a line for each history."""
    for name in SIZES:
        tree, view, _ = opened_view(name)
        picture = ET.fromstring(view.svg(whole=True))  # noqa: S314 - our own
        texts = [" ".join(text.split()) for text in picture.itertext() if text.strip()]
        assert {*tree.names, tree.title} <= set(texts)
        assert {move for infoset in tree.infosets for move in infoset.actions} <= set(texts)
        outline = str(view).splitlines()
        assert sum(line.lstrip().startswith("[") for line in outline) == tree.history_count
