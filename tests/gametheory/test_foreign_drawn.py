"""Games of the textbooks on the blackboard: the tree that was made for cards draws them whole, in their authors' words."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest
from test_foreign import SIZES

from durak_widget import board, gametheory
from durak_widget.gametheory.tree import CHANCE, TERMINAL

every_game = pytest.mark.parametrize("name", SIZES)


def opened(name):
    """The game, its view with everything unfolded, and what its page is told."""
    tree = gametheory.textbook(name)
    view = board.Tree(tree)
    view.unfold()
    return tree, view, view.drawing


def test_all_of_it_is_drawn():
    """Every history once, each below the one it continues; the players and the title are called as in the file."""
    for name in SIZES:
        tree, _, drawing = opened(name)
        nodes = drawing["nodes"]
        assert sorted(nodes["id"]) == list(range(tree.history_count))
        for node, up in zip(nodes["id"], nodes["up"], strict=True):
            assert tree.parent[node] == (nodes["id"][up] if up >= 0 else -1)
        assert not any(nodes["more"])
        assert (drawing["title"], tuple(drawing["seats"])) == (tree.title, tree.names)


def test_its_words_and_numbers_are_the_authors():
    """Moves, what is known, how likely chance is and what is paid stand there as in the tree."""
    for name in SIZES:
        tree, _, drawing = opened(name)
        for node, info in zip(drawing["nodes"]["id"], drawing["nodes"]["info"], strict=True):
            place = tree.infoset_of[node]
            if tree.actor[node] == TERMINAL:
                assert [Fraction(text) for text in drawing["ends"][str(info)]] == list(tree.payoffs[place])
            elif tree.actor[node] == CHANCE:
                moves = drawing["chances"][str(info)]["moves"]
                assert [(one["said"], Fraction(one["likely"])) for one in moves] == list(
                    zip(tree.chance_moves[place].actions, tree.chance_moves[place].probabilities, strict=True)
                )
            else:
                told = drawing["sets"][str(info)]
                assert (told["said"], tuple(one["said"] for one in told["moves"])) == (
                    tree.infosets[place].label,
                    tree.infosets[place].actions,
                )


def test_what_cannot_be_told_apart_is_joined():
    """A dashed line for each information set of several histories, across levels too, and for no other."""
    for name in SIZES:
        tree, _, drawing = opened(name)
        known = {}
        for here, actor in enumerate(tree.actor):
            if actor >= 0:
                known.setdefault(tree.infoset_of[here], set()).add(here)
        joined = [{drawing["nodes"]["id"][place] for place in group} for group in drawing["joined"]]
        assert sorted(map(sorted, joined)) == sorted(sorted(group) for group in known.values() if len(group) > 1)


def test_a_move_is_found():
    """What is typed leads to the histories that it names."""
    for name in SIZES:
        tree, view, _ = opened(name)
        node = next(here for here, actor in enumerate(tree.actor) if actor >= 0)
        assert tree.first_child[node] in view.find(tree.infosets[tree.infoset_of[node]].actions[0])


def test_it_is_drawn_for_print_too():
    """The whole of it as one picture, in which every player, move and payoff stands; and as an outline of a line for each history."""
    for name in SIZES:
        tree, view, _ = opened(name)
        picture = ET.fromstring(view.svg(whole=True))  # noqa: S314 - our own
        said = [" ".join(text.split()) for text in picture.itertext() if text.strip()]
        assert {*tree.names, tree.title} <= set(said)
        assert {move for one in tree.infosets for move in one.actions} <= set(said)
        outline = str(view).splitlines()
        assert sum(line.lstrip().startswith("[") for line in outline) == tree.history_count
