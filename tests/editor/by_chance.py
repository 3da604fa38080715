"""A sketch drawn by chance, and a tree drawn deed by deed: for whoever asks something of sketches."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.board.message_parsing import MessageError
from durak_widget.gametheory.tree import CHANCE, OVER
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from durak_widget.editor.tree_editor import Sketched
    from durak_widget.gametheory.tree import Tree

WORTHS = ("1, -1", "0 0", "1/3; -2", "0,5, 1", "2*3, 1")
DEEDS: dict[str, Callable[[Sketched, Random, list[int]], object]] = {
    "move": lambda sketch, rng, all_: sketch.move(rng.choice(all_), seat=rng.choice((None, 0, 1))),
    "chance": lambda sketch, rng, all_: sketch.chance(rng.choice(all_)),
    "remove": lambda sketch, rng, all_: sketch.remove(rng.choice(all_)),
    "cut": lambda sketch, rng, all_: sketch.cut(rng.choice(all_)),
    "rename": lambda sketch, rng, all_: sketch.rename(rng.choice(all_), rng.choice(("stop", "go", "a", "b"))),
    "shift": lambda sketch, rng, all_: sketch.shift(rng.choice(all_), rng.choice((-1, 1, 2))),
    "copy": lambda sketch, rng, all_: sketch.copy(rng.choice(all_)),
    "paste": lambda sketch, rng, all_: sketch.paste(rng.choice(all_), joined=rng.random() < 0.5),
    "give": lambda sketch, rng, all_: sketch.give(rng.choice(all_), rng.choice((None, 0, 1))),
    "know": lambda sketch, rng, all_: sketch.know(rng.choice(all_), rng.choice(("", "high", "low"))),
    "join": lambda sketch, rng, all_: sketch.join(rng.choice(all_), rng.choice(all_)),
    "part": lambda sketch, rng, all_: sketch.part(rng.choice(all_)),
    "likely": lambda sketch, rng, all_: sketch.likely(rng.choice(all_), rng.choice(("1/2", "30 %", None, "1", "0"))),
    "pay": lambda sketch, rng, all_: sketch.pay(rng.choice(all_), rng.choice(WORTHS)),
    "player": lambda sketch, rng, _: sketch.player(rng.randrange(2), rng.choice(("Ann", "Bob", ""))),
    "add_player": lambda sketch, *_: sketch.add_player(),
    "drop_player": lambda sketch, rng, _: sketch.drop_player(rng.randrange(2)),
    "call": lambda sketch, rng, _: sketch.call(rng.choice(("", "A game"))),
}
"""Everything that can be done to a sketch, somewhere."""


def scribbled(sketch: Sketched, rng: Random, deeds: int) -> None:
    """So many things done, wherever chance leads; what is refused is not done."""
    usual = ("move", "chance", "join", "pay")  # else it is mostly taken away
    for _ in range(deeds):
        deed = rng.choice((*DEEDS, *usual, *usual, *usual))
        with suppress(RefusedError, MessageError):  # a seat that has been taken away
            DEEDS[deed](sketch, rng, [*sketch.draft.places])


def finish(sketch: Sketched) -> None:
    """Whatever is missing is given."""
    for node in list(sketch.draft.order()):
        place = sketch.draft.places[node]
        if place.actor == OVER and None in place.worth:
            sketch.pay(node, *(Fraction(node + seat, 3) for seat in range(sketch.draft.seats)))
        elif place.actor == CHANCE:
            for child in place.below:
                sketch.likely(child, None)


class Drawn(NamedTuple):
    """One thing that is done to draw a tree: at which history, and what."""

    what: str
    history: int
    names: tuple[str, ...] = ()
    """What is typed: the names of moves, a number, what a player knows."""
    other: int = -1
    """The seat that acts, or the history that it is joined with."""


def way_to(tree: Tree) -> Iterator[Drawn]:
    """What a person does to draw a tree from nothing, history by history."""
    first: dict[int, int] = {}
    for here, (actor, info) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if actor == OVER:
            yield Drawn("pay", here, (", ".join(map(str, tree.payoffs[info])),))
        elif actor == CHANCE:
            yield Drawn("chance", here, tree.chances[info].moves)
            for child, likely in zip(tree.children(here), tree.chances[info].probabilities, strict=True):
                yield Drawn("likely", child, (str(likely),))
        elif info in first:
            yield Drawn("join", here, other=first[info])
        else:
            first[info] = here
            yield Drawn("moves", here, tree.sets[info].moves, actor)
            if tree.sets[info].label:
                yield Drawn("know", here, (tree.sets[info].label,))


def draw(sketch: Sketched, tree: Tree) -> None:
    """Draw a tree from nothing."""
    ids = {0: 0}
    if tree.seats == 1:
        sketch.drop_player(1)
    for seat, name in enumerate(tree.names):
        if seat >= sketch.draft.seats:
            sketch.add_player()
        sketch.player(seat, "" if name == f"seat {seat}" else name)
    sketch.call(tree.title)
    for what, history, names, other in way_to(tree):
        node = ids[history]
        if what == "moves":
            for name in names:
                sketch.move(node, name, seat=other)
        elif what == "chance":
            sketch.chance(node)
            for _ in names[2:]:
                sketch.move(node)
            for _ in range(len(names), 2):
                sketch.remove(sketch.draft.places[node].below[-1])
            for child, name in reversed(list(zip(sketch.draft.places[node].below, names, strict=True))):
                sketch.rename(child, name)
        elif what == "join":
            sketch.join(node, ids[other])
        else:
            {"likely": sketch.likely, "know": sketch.know, "pay": sketch.pay}[what](node, names[0])
        ids.update(zip(tree.children(history), sketch.draft.places[node].below, strict=False))
