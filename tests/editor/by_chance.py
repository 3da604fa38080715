"""Random sketches, and a tree drawn action by action, for tests of sketches."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.board.message_parsing import MessageError
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from durak_widget.editor.tree_editor import TreeEditor
    from durak_widget.gametheory.tree import Tree

WORTHS = ("1, -1", "0 0", "1/3; -2", "0,5, 1", "2*3, 1")
DEEDS: dict[str, Callable[[TreeEditor, Random, list[int]], object]] = {
    "move": lambda sketch, rng, all_: sketch.add_action(rng.choice(all_), player=rng.choice((None, 0, 1))),
    "chance": lambda sketch, rng, all_: sketch.add_chance_move(rng.choice(all_)),
    "remove": lambda sketch, rng, all_: sketch.remove_branch(rng.choice(all_)),
    "cut": lambda sketch, rng, all_: sketch.remove_children(rng.choice(all_)),
    "rename": lambda sketch, rng, all_: sketch.rename_action(rng.choice(all_), rng.choice(("stop", "go", "a", "b"))),
    "shift": lambda sketch, rng, all_: sketch.shift_branch(rng.choice(all_), rng.choice((-1, 1, 2))),
    "copy": lambda sketch, rng, all_: sketch.copy(rng.choice(all_)),
    "paste": lambda sketch, rng, all_: sketch.paste(rng.choice(all_), joined=rng.random() < 0.5),
    "give": lambda sketch, rng, all_: sketch.set_actor(rng.choice(all_), rng.choice((None, 0, 1))),
    "know": lambda sketch, rng, all_: sketch.set_label(rng.choice(all_), rng.choice(("", "high", "low"))),
    "join": lambda sketch, rng, all_: sketch.join_infosets(rng.choice(all_), rng.choice(all_)),
    "part": lambda sketch, rng, all_: sketch.split_infoset(rng.choice(all_)),
    "likely": lambda sketch, rng, all_: sketch.set_probability(rng.choice(all_), rng.choice(("1/2", "30 %", None, "1", "0"))),
    "pay": lambda sketch, rng, all_: sketch.set_payoffs(rng.choice(all_), rng.choice(WORTHS)),
    "player": lambda sketch, rng, _: sketch.rename_player(rng.randrange(2), rng.choice(("Ann", "Bob", ""))),
    "add_player": lambda sketch, *_: sketch.add_player(),
    "drop_player": lambda sketch, rng, _: sketch.remove_player(rng.randrange(2)),
    "call": lambda sketch, rng, _: sketch.set_title(rng.choice(("", "A game"))),
}
"""Every action on a sketch."""


def scribble(sketch: TreeEditor, rng: Random, deeds: int) -> None:
    """Do random actions on a sketch; refused ones change nothing."""
    usual = ("move", "chance", "join", "pay")  # otherwise most of the tree is removed
    for _ in range(deeds):
        deed = rng.choice((*DEEDS, *usual, *usual, *usual))
        with suppress(RefusedError, MessageError):  # this player was removed
            DEEDS[deed](sketch, rng, [*sketch.draft.nodes])


def finish(sketch: TreeEditor) -> None:
    """Add everything that is missing."""
    for node in list(sketch.draft.iterate_nodes()):
        place = sketch.draft.nodes[node]
        if place.actor == TERMINAL and None in place.payoffs:
            sketch.set_payoffs(node, *(Fraction(node + seat, 3) for seat in range(sketch.draft.player_count)))
        elif place.actor == CHANCE:
            for child in place.children:
                sketch.set_probability(child, None)


class DrawingAction(NamedTuple):
    """One action that draws a part of a tree: its history and what it does."""

    what: str
    history: int
    names: tuple[str, ...] = ()
    """The typed text: names of moves, a number, or a view."""
    other: int = -1
    """The player to move, or the history to join with."""


def way_to(tree: Tree) -> Iterator[DrawingAction]:
    """Yield the actions that draw a tree from nothing."""
    first: dict[int, int] = {}
    for here, (actor, info) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
        if actor == TERMINAL:
            yield DrawingAction("pay", here, (", ".join(map(str, tree.payoffs[info])),))
        elif actor == CHANCE:
            yield DrawingAction("chance", here, tree.chance_moves[info].actions)
            for child, probability in zip(tree.children(here), tree.chance_moves[info].probabilities, strict=True):
                yield DrawingAction("likely", child, (str(probability),))
        elif info in first:
            yield DrawingAction("join", here, other=first[info])
        else:
            first[info] = here
            yield DrawingAction("moves", here, tree.infosets[info].actions, actor)
            if tree.infosets[info].label:
                yield DrawingAction("know", here, (tree.infosets[info].label,))


def draw(sketch: TreeEditor, tree: Tree) -> None:
    """Draw a tree from nothing."""
    ids = {0: 0}
    if tree.player_count == 1:
        sketch.remove_player(1)
    for seat, name in enumerate(tree.names):
        if seat >= sketch.draft.player_count:
            sketch.add_player()
        sketch.rename_player(seat, "" if name == f"seat {seat}" else name)
    sketch.set_title(tree.title)
    for what, history, names, other in way_to(tree):
        node = ids[history]
        if what == "moves":
            for name in names:
                sketch.add_action(node, name, player=other)
        elif what == "chance":
            sketch.add_chance_move(node)
            for _ in names[2:]:
                sketch.add_action(node)
            for _ in range(len(names), 2):
                sketch.remove_branch(sketch.draft.nodes[node].children[-1])
            for child, name in reversed(list(zip(sketch.draft.nodes[node].children, names, strict=True))):
                sketch.rename_action(child, name)
        elif what == "join":
            sketch.join_infosets(node, ids[other])
        else:
            {"likely": sketch.set_probability, "know": sketch.set_label, "pay": sketch.set_payoffs}[what](node, names[0])
        ids.update(zip(tree.children(history), sketch.draft.nodes[node].children, strict=False))
