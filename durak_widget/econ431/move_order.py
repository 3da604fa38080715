"""The moves of a tree in random order, so that the same place on the screen means something else for every student."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.gametheory.outcome_sampling_mccfr import look_at
from durak_widget.gametheory.tree import End, Tree, Turn, grow

if TYPE_CHECKING:
    from random import Random

    from durak_widget.gametheory.tree import Draw


def moves_shuffled(tree: Tree, lots: Random) -> Tree:
    """Return the same game with the moves of each information set, and of each chance move, in random order.

    >>> from random import Random
    >>> places = {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}
    >>> tree = grow("", places.__getitem__, seats=2)
    >>> {moves_shuffled(tree, Random(seed)).sets[0].moves for seed in range(9)} == {("l", "r"), ("r", "l")}
    True
    """
    look, labels = look_at(tree), [one.label for one in tree.sets]
    orders = [lots.sample(range(len(one.moves)), len(one.moves)) for one in tree.sets]

    def shuffled(here: int) -> Turn | Draw | End:
        found = look(here)
        if isinstance(found, End):
            return found
        if isinstance(found, Turn):
            return found._replace(moves=[found.moves[place] for place in orders[tree.info[here]]])
        return found._replace(moves=lots.sample(found.moves, len(found.moves)))

    new = grow(0, shuffled, seats=tree.seats, title=tree.title, names=tree.names, say=lambda _, place: labels[place])  # type: ignore[call-overload] # as in `settled`
    new.origin = tree.origin
    return new
