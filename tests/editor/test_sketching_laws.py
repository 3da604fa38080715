"""Laws of sketches: whatever is done to one, it is whole in itself; every step comes back; a tree goes in and comes out."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import gametheory
from durak_widget.editor.tree_editor import TreeEditor
from durak_widget.editor.view_model import DraftViewModel
from durak_widget.gametheory.textbook_games import textbook
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from editor.by_chance import draw, finish, scribbled
from support.random_trees import hidden_tree, open_tree

if TYPE_CHECKING:
    from durak_widget.editor.tree_draft import TreeDraft
    from durak_widget.gametheory.tree import Tree

SEEDS = st.integers(min_value=0, max_value=2**32)
BOOKS = [
    *("bayes", "beer-quiche", "centipede", "chain-store", "driver", "entry", "horse", "kuhn", "myerson", "outside-option", "pennies"),
    *("spence", "ultimatum"),
]


def whole(draft: TreeDraft) -> None:
    """A sketch hangs together: each place on one other, each set with the same moves at all of its places."""
    assert sorted(draft.iterate_nodes()) == sorted(draft.nodes)
    assert {place.infoset for place in draft.nodes.values() if place.infoset >= 0} == {*draft.infosets}
    for node, place in draft.nodes.items():
        assert all(draft.nodes[child].parent == node for child in place.children)
        assert len(draft.get_actions(node)) == len(place.children)
        if place.actor == TERMINAL:
            assert (len(place.payoffs), place.children, place.infoset) == (draft.player_count, (), -1)
        elif place.actor == CHANCE:
            assert len(place.probabilities) == len(place.children) > 0
        else:
            assert draft.infosets[place.infoset].player == place.actor < draft.player_count
            assert place.children
    assert max(draft.nodes) < draft.next_number


@given(SEEDS)
def test_whatever_is_done_the_sketch_is_whole_and_every_step_comes_back(seed: int) -> None:
    """States before and after a step are the same when it is taken back and done again, all the way."""
    rng = Random(seed)
    sketch = TreeEditor(open_tree(rng, most=3) if seed % 2 else None)
    states = [sketch.draft]
    sketch.on_step = lambda step: states.append(step.draft)
    scribbled(sketch, rng, 25)
    del sketch.on_step
    for draft in states:
        whole(draft)
    for before in reversed(states[:-1]):
        assert sketch.undo()
        assert sketch.draft == before
    assert not sketch.undo()
    for after in states[1:]:
        assert sketch.redo()
        assert sketch.draft == after
    assert not sketch.redo()


@given(SEEDS)
def test_whatever_is_drawn_comes_out_in_every_form_and_is_the_same(seed: int) -> None:
    """As a tree, as a file of Gambit, as Python, and as a sketch again; unfinished it is painted all the same."""
    rng = Random(seed)
    sketch = TreeEditor()
    scribbled(sketch, rng, 18)
    assert DraftViewModel(sketch.draft).drawing["size"]["histories"] == len(sketch.draft.nodes)
    finish(sketch)
    tree = sketch.tree
    assert gametheory.from_efg(sketch.efg) == tree
    assert made_by(sketch.python) == tree
    assert TreeEditor(tree).tree == tree


def made_by(python: str) -> object:
    """What an expression makes."""
    return eval(python, {"gametheory": gametheory, "Fraction": Fraction})  # noqa: S307 - our own


def drawn(tree: Tree) -> TreeEditor:
    """That tree, drawn from nothing."""
    sketch = TreeEditor()
    draw(sketch, tree)
    return sketch


@given(SEEDS)
def test_any_tree_can_be_drawn_from_nothing(seed: int) -> None:
    """What a person does, move by move, ends in the same tree."""
    for tree in (hidden_tree(Random(seed), most=3), open_tree(Random(seed), most=3)):
        sketch = drawn(tree)
        assert sketch.missing_items == []
        again = TreeEditor(tree)
        assert sketch.tree == again.tree == tree


@pytest.mark.parametrize("name", BOOKS)
def test_games_of_the_books_go_in_and_come_out(name: str) -> None:
    """Names, titles, labels, chances, joined places and all: drawn from nothing, too."""
    tree = textbook(name)
    assert TreeEditor(tree).tree == tree == made_by(TreeEditor(tree).python)
    assert drawn(tree).tree == tree
