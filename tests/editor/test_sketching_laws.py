"""Laws of sketches: whatever is done to one, it is whole in itself; every step comes back; a tree goes in and comes out."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import gametheory
from durak_widget.editor.tree_editor import Sketched
from durak_widget.editor.view_model import Seen
from durak_widget.gametheory.textbook_games import textbook
from durak_widget.gametheory.tree import CHANCE, OVER
from editor.by_chance import draw, finish, scribbled
from support.random_trees import hidden_tree, open_tree

if TYPE_CHECKING:
    from durak_widget.editor.tree_draft import GameDraft
    from durak_widget.gametheory.tree import Tree

SEEDS = st.integers(min_value=0, max_value=2**32)
BOOKS = [
    *("bayes", "beer-quiche", "centipede", "chain-store", "driver", "entry", "horse", "kuhn", "myerson", "outside-option", "pennies"),
    *("spence", "ultimatum"),
]


def whole(draft: GameDraft) -> None:
    """A sketch hangs together: each place on one other, each set with the same moves at all of its places."""
    assert sorted(draft.order()) == sorted(draft.places)
    assert {place.known for place in draft.places.values() if place.known >= 0} == {*draft.sets}
    for node, place in draft.places.items():
        assert all(draft.places[child].up == node for child in place.below)
        assert len(draft.moves(node)) == len(place.below)
        if place.actor == OVER:
            assert (len(place.worth), place.below, place.known) == (draft.seats, (), -1)
        elif place.actor == CHANCE:
            assert len(place.likely) == len(place.below) > 0
        else:
            assert draft.sets[place.known].seat == place.actor < draft.seats
            assert place.below
    assert max(draft.places) < draft.free


@given(SEEDS)
def test_whatever_is_done_the_sketch_is_whole_and_every_step_comes_back(seed: int) -> None:
    """States before and after a step are the same when it is taken back and done again, all the way."""
    rng = Random(seed)
    sketch = Sketched(open_tree(rng, most=3) if seed % 2 else None)
    states = [sketch.draft]
    sketch.stepped = lambda step: states.append(step.draft)
    scribbled(sketch, rng, 25)
    del sketch.stepped
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
    sketch = Sketched()
    scribbled(sketch, rng, 18)
    assert Seen(sketch.draft).drawing["size"]["histories"] == len(sketch.draft.places)
    finish(sketch)
    tree = sketch.tree
    assert gametheory.from_efg(sketch.efg) == tree
    assert made_by(sketch.python) == tree
    assert Sketched(tree).tree == tree


def made_by(python: str) -> object:
    """What an expression makes."""
    return eval(python, {"gametheory": gametheory, "Fraction": Fraction})  # noqa: S307 - our own


def drawn(tree: Tree) -> Sketched:
    """That tree, drawn from nothing."""
    sketch = Sketched()
    draw(sketch, tree)
    return sketch


@given(SEEDS)
def test_any_tree_can_be_drawn_from_nothing(seed: int) -> None:
    """What a person does, move by move, ends in the same tree."""
    for tree in (hidden_tree(Random(seed), most=3), open_tree(Random(seed), most=3)):
        sketch = drawn(tree)
        assert sketch.lacks == []
        again = Sketched(tree)
        assert sketch.tree == again.tree == tree


@pytest.mark.parametrize("name", BOOKS)
def test_games_of_the_books_go_in_and_come_out(name: str) -> None:
    """Names, titles, labels, chances, joined places and all: drawn from nothing, too."""
    tree = textbook(name)
    assert Sketched(tree).tree == tree == made_by(Sketched(tree).python)
    assert drawn(tree).tree == tree
