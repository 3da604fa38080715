"""Finds the structure of a game: recall, constant sum, perfect information, subgames, fitting solvers.

A subgame begins at a chance node, or at a node where the player knows that they are there. No information set
may be partly inside it. The answers are keys and numbers, which other modules put into words. An error that
suggests another method asks here, so that it never suggests one that refuses this game too.
"""

from __future__ import annotations

import math
from copy import copy
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from durak_widget.gametheory.strategic_form import CELLS, how_many
from durak_widget.gametheory.strategy import made
from durak_widget.gametheory.tree import CHANCE, OVER, Draw, End, TreeError, Turn, forgets, grow, require_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

PLAIN: Final = 20_000
"""Trees of so many histories are solved plan by plan, in plain Python."""
_SAID: Final[dict[Fit, str]] = {
    "backward": "gametheory.solve(tree, 'backward') takes it",
    "lp": "gametheory.solve(tree) takes it",
    "plans": "gametheory.solve(tree, 'plans') takes it",
    "matrix": "gametheory.solve(tree), without a method, answers it",
    "answers": "gametheory.solve(tree), without a method, answers it",
    "values": "gametheory.solve(tree), without a method, answers it",
}
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

    >>> from durak_widget import gametheory
    >>> kind_of_tree(gametheory.textbook("outside-option"))
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

    >>> from durak_widget import gametheory
    >>> [kind_of_tree(gametheory.textbook(name)).recall for name in ("kuhn", "driver")], kind_of_tree(gametheory.textbook("kuhn")).sums
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

    >>> from durak_widget import gametheory
    >>> memories(gametheory.textbook("driver"))
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
    >>> from durak_widget import gametheory
    >>> gametheory.solve(lessened(pie), "plans").value
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

    >>> from durak_widget import gametheory
    >>> measured(gametheory.textbook("entry")).payoffs
    [(Fraction(1, 1), Fraction(2, 5)), (Fraction(0, 1), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 1))]
    """
    require_tree(tree)
    ranges = [(min(paid), (max(paid) - min(paid)) or Fraction(1)) for paid in zip(*tree.payoffs, strict=True)]
    other = copy(tree)
    other.payoffs = [
        tuple([Fraction(one - least) / span for one, (least, span) in zip(paid, ranges, strict=True)]) for paid in tree.payoffs
    ]
    return other


Fit = Literal["backward", "lp", "plans", "matrix", "answers", "values"]
"""What takes a game, the best first: backward induction, solvers of zero-sum games, that of them which needs no decimals, equilibria of the strategic form, best responses, or nothing but what a strategy is worth."""


def fit(tree: Tree) -> Fit:
    """What takes this game.

    >>> from durak_widget import gametheory
    >>> [fit(gametheory.textbook(name)) for name in ("entry", "kuhn", "beer-quiche", "horse", "driver")]
    ['backward', 'lp', 'matrix', 'answers', 'values']
    """
    if forgets(tree) is not None:
        return "values"
    if moves_are_seen(tree):
        return "backward"
    if zero_sum(tree) and in_decimals(tree):
        return "lp"
    if zero_sum(tree) and tree.histories <= PLAIN:
        return "plans"
    return "matrix" if tree.seats == 2 and how_many(tree, 0) * how_many(tree, 1) <= CELLS else "answers"


def method_takes(tree: Tree, method: str) -> bool:
    """Whether a method of `gametheory.solve` takes games of this kind.

    >>> from durak_widget import gametheory
    >>> [method_takes(gametheory.textbook("kuhn"), method) for method in ("lp", "backward")]
    [True, False]
    """
    return forgets(tree) is None and (moves_are_seen(tree) if method == "backward" else zero_sum(tree))


def instead(tree: Tree) -> str:
    """What there is for a game, as the end of a sentence that refuses it.

    >>> from durak_widget import gametheory
    >>> instead(gametheory.textbook("entry"))
    "gametheory.solve(tree, 'backward') takes it"
    """
    return _SAID[fit(tree)]


def zero_sum(tree: Tree) -> bool:
    """Whether two seats play and one wins just what the other loses."""
    return tree.seats == 2 and not any(sum(one) for one in tree.payoffs)


def has_value(tree: Tree) -> bool:
    """Say whether the game has a value: two players whose payoffs always add up to the same.

    >>> from durak_widget import gametheory
    >>> has_value(gametheory.textbook("kuhn")), has_value(gametheory.textbook("entry"))
    (True, False)
    """
    return tree.seats == 2 and len({sum(one) for one in tree.payoffs}) == 1


def in_decimals(tree: Tree) -> bool:
    """Whether a float can hold every payoff, as solvers of zero-sum games need it."""
    try:
        return all(math.isfinite(float(one)) for paid in tree.payoffs for one in paid)
    except OverflowError:
        return False


def moves_are_seen(tree: Tree) -> bool:
    """Whether nobody's moves are hidden from anybody, so that backward induction applies where nobody forgets.

    >>> from durak_widget import gametheory
    >>> moves_are_seen(gametheory.textbook("entry")), moves_are_seen(gametheory.textbook("horse"))
    (True, False)
    """
    before: dict[int, int] = {}
    last = [0] * tree.histories
    for here, (who, place, child, count) in enumerate(zip(tree.actor, tree.info, tree.first, tree.count, strict=True)):
        if who >= 0:
            if before.setdefault(place, last[here]) != last[here]:
                return False
            last[child : child + count] = [(place << 16) + move + 1 for move in range(count)]
        elif who == CHANCE:
            last[child : child + count] = [last[here]] * count
    return True


def subgames(tree: Tree) -> tuple[int, ...]:
    """The histories at which subgames begin, the root first; those with nothing left to decide do not count.

    >>> from durak_widget import gametheory
    >>> [subgames(gametheory.textbook(name)) for name in ("entry", "outside-option", "kuhn")]
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

    >>> from durak_widget import gametheory
    >>> entry = gametheory.textbook("entry")
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
