"""Test properties of sketches: they stay valid, every step can be undone, and trees survive editing."""

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
from editor.by_chance import draw, finish, scribble
from support.random_trees import hidden_tree, open_tree

if TYPE_CHECKING:
    from durak_widget.editor.tree_draft import TreeDraft
    from durak_widget.gametheory.tree import Tree

SEEDS = st.integers(min_value=0, max_value=2**32)
BOOKS = [
    *("bayes", "beer-quiche", "centipede", "chain-store", "driver", "entry", "horse", "kuhn", "myerson", "outside-option", "pennies"),
    *("spence", "ultimatum"),
]


def check_valid(draft: TreeDraft) -> None:
    """Check that each node has one parent, and that all nodes of a set have the same moves."""
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
def test_any_sequence_of_actions_keeps_the_sketch_valid_and_can_be_undone(seed: int) -> None:
    """All states are the same when everything is undone and done again."""
    rng = Random(seed)
    sketch = TreeEditor(open_tree(rng, most=3) if seed % 2 else None)
    states = [sketch.draft]
    sketch.on_step = lambda step: states.append(step.draft)
    scribble(sketch, rng, 25)
    del sketch.on_step
    for draft in states:
        check_valid(draft)
    for before in reversed(states[:-1]):
        assert sketch.undo()
        assert sketch.draft == before
    assert not sketch.undo()
    for after in states[1:]:
        assert sketch.redo()
        assert sketch.draft == after
    assert not sketch.redo()


@given(SEEDS)
def test_a_drawn_tree_is_the_same_in_every_format(seed: int) -> None:
    """Test a tree, a Gambit file, Python and another sketch. Unfinished sketches are drawn too."""
    rng = Random(seed)
    sketch = TreeEditor()
    scribble(sketch, rng, 18)
    assert DraftViewModel(sketch.draft).drawing["size"]["histories"] == len(sketch.draft.nodes)
    finish(sketch)
    tree = sketch.tree
    assert gametheory.from_efg(sketch.efg) == tree
    assert evaluate(sketch.python) == tree
    assert TreeEditor(tree).tree == tree


def evaluate(python: str) -> object:
    """Return the value of an expression."""
    return eval(python, {"gametheory": gametheory, "Fraction": Fraction})  # noqa: S307 - our own


def draw_tree(tree: Tree) -> TreeEditor:
    """Return that tree, drawn from nothing."""
    sketch = TreeEditor()
    draw(sketch, tree)
    return sketch


@given(SEEDS)
def test_any_tree_can_be_drawn_from_nothing(seed: int) -> None:
    """The actions of a person lead to the same tree."""
    for tree in (hidden_tree(Random(seed), most=3), open_tree(Random(seed), most=3)):
        sketch = draw_tree(tree)
        assert sketch.missing_items == []
        again = TreeEditor(tree)
        assert sketch.tree == again.tree == tree


@pytest.mark.parametrize("name", BOOKS)
def test_textbook_games_can_be_loaded_and_drawn(name: str) -> None:
    """Names, titles, labels, chances and sets are the same."""
    tree = textbook(name)
    assert TreeEditor(tree).tree == tree == evaluate(TreeEditor(tree).python)
    assert draw_tree(tree).tree == tree
