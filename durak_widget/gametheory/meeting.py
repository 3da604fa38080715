"""A tree gone through side by side with another writing of the same game."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from durak_widget.gametheory.tree import Tree

There = TypeVar("There")


def side_by_side(tree: Tree, root: There, below: Callable[[int, There], Sequence[There]]) -> Iterator[tuple[int, int, There]]:
    """Of each information set of the tree its place, its first history, and what stands there in the other writing.

    `below` says what follows a history there, in the order of the tree's own moves. Only what leads to an information set is gone through.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> places = {"": Turn(0, "?", [("a", "a"), ("b", "b")]), "a": End((0,)), "b": Turn(0, "!", [("c", "a")])}
    >>> tree = grow("", places.__getitem__, seats=1)
    >>> list(side_by_side(tree, "root", lambda history, there: [f"{there}, {move}" for move in tree.sets[tree.info[history]].moves]))
    [(0, 0, 'root'), (1, 2, 'root, b')]
    """
    first: dict[int, int] = {}
    for here, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if who >= 0:
            first.setdefault(place, here)
    wanted, at = set(first.values()), {here: place for place, here in first.items()}
    for here in first.values():
        before = tree.parent[here]
        while before >= 0 and before not in wanted:
            wanted.add(before)
            before = tree.parent[before]
    waiting = [(0, root)] if wanted else []
    while waiting:
        here, there = waiting.pop()
        if here in at:
            yield at[here], here, there
        waiting += [(child, other) for child, other in zip(tree.children(here), below(here, there), strict=True) if child in wanted]
