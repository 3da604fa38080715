"""What is first asked of a game: who remembers what, what the payoffs add up to, whether moves are seen, where its parts begin.

All answers are keys and numbers: whoever says them in words has the words.
"""

from __future__ import annotations

from copy import copy
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

from durak_widget.gametheory.fitting import moves_are_seen
from durak_widget.gametheory.subgames import subgames
from durak_widget.gametheory.tree import CHANCE, TreeError, require_tree

if TYPE_CHECKING:
    from durak_widget.gametheory.tree import Tree

Recall = Literal["perfect", "imperfect", "absent-minded"]
"""Whether a seat forgets nothing, forgets what it knew or did, or even that it has been asked already."""
Sums = Literal["zero", "constant", "general"]
"""What the payoffs of an end add up to: nothing, always as much, or now this and now that."""


class Remembers(NamedTuple):
    """What one seat remembers."""

    recall: Recall
    place: int | None = None
    """The first of its information sets at which it has forgotten something, or at which it may be twice."""


class Kind(NamedTuple):
    """What is first asked of a game.

    >>> from durak_widget import analysis
    >>> kind_of_tree(analysis.textbook("outside-option"))
    Kind(seats=2, memories=(Remembers(recall='perfect', place=None), Remembers(recall='perfect', place=None)), sums='general', total=None, seen=False, known=False, chance=False, begins=(0, 2))
    """

    seats: int
    memories: tuple[Remembers, ...]
    """Of each seat, what it remembers."""
    sums: Sums
    total: Fraction | None
    """What the payoffs of every end add up to; None where that differs."""
    seen: bool
    """Whether nobody's moves are hidden, so that backward induction applies where nobody forgets."""
    known: bool
    """Whether, besides, nothing else is hidden: each information set is of one history."""
    chance: bool
    """Whether anything is drawn."""
    begins: tuple[int, ...]
    """The histories at which subgames begin, the root first, which begins the whole."""

    @property
    def recall(self) -> Recall:
        """What the most forgetful seat remembers."""
        ranks: tuple[Recall, ...] = ("absent-minded", "imperfect", "perfect")
        return next(rank for rank in ranks if rank == "perfect" or any(one.recall == rank for one in self.memories))


def kind_of_tree(tree: Tree) -> Kind:
    """What kind of game it is.

    >>> from durak_widget import analysis
    >>> [kind_of_tree(analysis.textbook(name)).recall for name in ("kuhn", "driver")], kind_of_tree(analysis.textbook("kuhn")).sums
    (['perfect', 'absent-minded'], 'zero')
    """
    require_tree(tree)
    totals = {sum(paid, Fraction(0)) for paid in tree.payoffs}
    total = None if len(totals) > 1 else next(iter(totals))
    decisions = sum(actor >= 0 for actor in tree.actor)
    return Kind(
        tree.seats,
        memories(tree),
        "general" if total is None else "constant" if total else "zero",
        total,
        moves_are_seen(tree),
        decisions == len(tree.sets),
        CHANCE in tree.actor,
        subgames(tree),
    )


def memories(tree: Tree) -> tuple[Remembers, ...]:
    """Of each seat, what it remembers.

    >>> from durak_widget import analysis
    >>> memories(analysis.textbook("driver"))
    (Remembers(recall='absent-minded', place=0),)
    """
    forgotten: list[int | None] = [None] * tree.seats
    twice: list[int | None] = [None] * tree.seats
    before: dict[int, tuple[int, int] | None] = {}
    last: list[dict[int, tuple[int, int]]] = [{}] * tree.histories
    for here, (actor, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
        own = last[here]
        if actor >= 0 and before.setdefault(place, own.get(actor)) != own.get(actor):
            if forgotten[actor] is None:
                forgotten[actor] = place
            if twice[actor] is None and _been(tree, here):
                twice[actor] = place
        for move, child in enumerate(tree.children(here)):
            last[child] = own | {actor: (place, move)} if actor >= 0 else own
    return tuple(
        [
            Remembers("absent-minded", again) if again is not None else Remembers("perfect" if place is None else "imperfect", place)
            for place, again in zip(forgotten, twice, strict=True)
        ]
    )


def _been(tree: Tree, here: int) -> bool:
    """Whether whoever is to act has been at the same information set on the way."""
    place, above = tree.info[here], tree.parent[here]
    while above >= 0:
        if tree.actor[above] >= 0 and tree.info[above] == place:
            return True
        above = tree.parent[above]
    return False


def lessened(tree: Tree) -> Tree:
    """Return a constant-sum game as a zero-sum game: the second player's payoffs less the constant.

    Histories and information sets stay, so a strategy of the one is a strategy of the other.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> pie = grow("", {"": Turn(0, "cuts", [("half", "h"), ("all", "a")]), "h": End((5, 5)), "a": End((9, 1))}.__getitem__, seats=2)
    >>> from durak_widget import analysis
    >>> analysis.solve(lessened(pie), "plans").value
    Fraction(9, 1)
    """
    require_tree(tree)
    totals = {sum(paid, Fraction(0)) for paid in tree.payoffs}
    if tree.seats != 2 or len(totals) > 1:
        raise TreeError("a constant can be taken away where two play and their payoffs always add up to as much, and here they do not")
    (total,) = totals
    other = copy(tree)
    other.payoffs = [(one, two - total) for one, two in tree.payoffs]
    return other


def measured(tree: Tree) -> Tree:
    """A game as it is, but that each seat has from 0 to 1, by the range of its own payoffs: nobody plays otherwise for it, and nothing is too large or too near to another for decimals.

    >>> from durak_widget import analysis
    >>> measured(analysis.textbook("entry")).payoffs
    [(Fraction(1, 1), Fraction(2, 5)), (Fraction(0, 1), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 1))]
    """
    require_tree(tree)
    ranges = [(min(paid), (max(paid) - min(paid)) or Fraction(1)) for paid in zip(*tree.payoffs, strict=True)]
    other = copy(tree)
    other.payoffs = [
        tuple([Fraction(one - least) / span for one, (least, span) in zip(paid, ranges, strict=True)]) for paid in tree.payoffs
    ]
    return other
