"""Where do subgames begin, and what is a tree without them?

A subgame begins at a history where whoever acts knows that it is there, or chance draws, if no information set lies half below it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from durak_widget.gametheory.strategy import made
from durak_widget.gametheory.tree import CHANCE, OVER, Draw, End, Turn, grow, require_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree


def subgames(tree: Tree) -> tuple[int, ...]:
    """The histories at which subgames begin, the root first; those with nothing left to decide do not count.

    >>> from durak_widget import analysis
    >>> [subgames(analysis.textbook(name)) for name in ("entry", "outside-option", "kuhn")]
    [(0, 1), (0, 2), (0,)]
    """
    require_tree(tree)
    depth = [0] * tree.histories
    for here in range(1, tree.histories):
        depth[here] = depth[tree.parent[here]] + 1
    above: dict[int, int] = {}
    many: dict[int, int] = {}
    for here, (actor, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if actor >= 0:
            above[place] = _fork(tree, depth, above.get(place, here), here)
            many[place] = many.get(place, 0) + 1
    least: list[int | None] = [None] * tree.histories
    """Of each history: how high up the histories begin from which all information sets at it and below it come; None where there are none."""
    begins = []
    for here in reversed(range(tree.histories)):
        actor, place = tree.actor[here], tree.info[here]
        found = [one for child in tree.children(here) if (one := least[child]) is not None]
        if actor >= 0:
            found.append(depth[above[place]])
        least[here] = min(found, default=None)
        whole = bool(found) and min(found) >= depth[here] and (actor == CHANCE or many[place] == 1)
        if whole or not here:
            begins.append(here)
    return tuple(reversed(begins))


def _fork(tree: Tree, depth: Sequence[int], one: int, other: int) -> int:
    """The last history that both of these continue."""
    while one != other:
        if depth[one] < depth[other]:
            one, other = other, one
        one = tree.parent[one]
    return one


class Cut(NamedTuple):
    """A part of a tree, as a tree of its own."""

    tree: Tree
    places: tuple[int, ...]
    """Of each of its information sets: the number that it has in the whole."""

    def restricted(self, strategy: Strategy) -> Strategy:
        """What a strategy of the whole does in this part."""
        return made(self.tree.sets, [strategy.rows[place] for place in self.places])


def cut(tree: Tree, root: int = 0, worths: Mapping[int, Sequence[Fraction]] | None = None) -> Cut:
    """The tree from a history on, in which some other histories are ends that are worth so much.

    >>> from durak_widget import analysis
    >>> entry = analysis.textbook("entry")
    >>> cut(entry, 1)
    Cut(tree=<Tree: 3 histories, 2 terminals, 0 + 1 information sets>, places=(1,))
    >>> cut(entry, 0, {1: (2, 2)}).tree.payoffs
    [(Fraction(2, 1), Fraction(2, 1)), (Fraction(1, 1), Fraction(5, 1))]
    """
    given = {} if worths is None else worths
    places: dict[int, None] = {}

    def look(here: int) -> Turn | Draw | End:
        place, below = tree.info[here], tree.children(here)
        if here in given:
            return End(tuple(given[here]))
        if tree.actor[here] == OVER:
            return End(tree.payoffs[place])
        if tree.actor[here] == CHANCE:
            drawn = tree.chances[place]
            return Draw(list(zip(drawn.moves, drawn.probabilities, below, strict=True)))
        places[place] = None
        return Turn(tree.actor[here], place, list(zip(tree.sets[place].moves, below, strict=True)))

    found = grow(root, look, seats=tree.seats, title=tree.title, names=tree.names)
    found.sets = [tree.sets[place] for place in places]
    return Cut(found, tuple(places))
