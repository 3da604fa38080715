"""Backward induction: who knows all that was done thinks the game through from its end.

Exact, for any number of seats. It applies wherever nobody's *moves* are hidden: what chance does may be, as long as all know the same.
Then what a seat believes does not depend on how anybody plays, and each information set can be decided before those that lead to it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.games.solving.fitting import instead
from durak_widget.games.solving.responses import edges
from durak_widget.games.solving.strategy import Strategy
from durak_widget.games.trees.naming import set_named
from durak_widget.games.trees.tree import CHANCE, OVER, TreeError, a_tree, forgets

if TYPE_CHECKING:
    from durak_widget.games.trees.tree import Tree


class Tie(NamedTuple):
    """Where moves are equally good for the seat to act; the first of them was taken."""

    place: int
    label: str
    moves: tuple[str, ...]


class Backward(NamedTuple):
    """What backward induction finds."""

    values: tuple[Fraction, ...]
    """What the game is worth to each seat."""
    strategy: Strategy
    """A pure strategy that is best at every information set, also where play never comes: subgame-perfect."""
    line: tuple[str, ...]
    """The moves from the root on when all play by it; where chance draws, the likeliest draw, the first of those equally likely."""
    ties: tuple[Tie, ...]
    """Where other moves would have been as good, if all play on as here; another choice may change what the others get: see `perfect_payoffs`."""


def backward_induction(tree: Tree) -> Backward:
    """The game solved from its end.

    >>> from durak_widget.games.trees.tree import End, Turn, grow
    >>> places = {"": Turn(0, "begins", [("stop", "s"), ("go", "g")]), "s": End((1, 0)), "g": Turn(1, "answers", [("take", "t"), ("share", "h")])}
    >>> found = backward_induction(grow("", {**places, "t": End((0, 3)), "h": End((2, 2))}.__getitem__, seats=2))
    >>> found.values, found.line, found.strategy["answers"], found.ties
    ((Fraction(1, 1), Fraction(0, 1)), ('stop',), (Fraction(1, 1), Fraction(0, 1)), ())
    """
    passed = forward(tree)
    starts, worth, before, least = passed
    choices, ties = [0] * len(tree.sets), []
    for place in reversed(before):
        one, following = tree.sets[place], worth[starts[place] + 1 : starts[place + 1] + 1]
        counts = least[place] * tree.seats + one.seat
        best = max(way[counts] for way in following)
        equal = [move for move, way in enumerate(following) if way[counts] == best]
        choices[place] = equal[0]
        if len(equal) > 1:
            ties.append(Tie(place, one.label, tuple([one.moves[move] for move in equal])))
        led, gained = worth[before[place]], following[equal[0]]
        for at, more in enumerate(gained):
            led[at] += more
    strategy = Strategy.choosing(tree, choices)
    return Backward(tuple(worth[0][: tree.seats]), strategy, line(tree, strategy), tuple(reversed(ties)))


class Forward(NamedTuple):
    """A game whose moves are all seen, gone through once from the root."""

    starts: list[int]
    """As `edges` gives them."""
    worth: list[list[Fraction]]
    """By the number of the last move: what the ends pay that come next, each counted with its probability. The payoffs of all seats, once for each number of draws that chance never makes."""
    before: dict[int, int]
    """By information set, those from the root first: the number of the last move before it."""
    least: dict[int, int]
    """By information set: the least number of draws on the way there that chance never makes."""


def forward(tree: Tree) -> Forward:
    """Go through a game from the root, and refuse it where a player does not see a move.

    >>> from durak_widget.games.trees.books import textbook
    >>> forward(textbook("entry")).before
    {0: 0, 1: 1}
    """
    a_tree(tree)
    starts, seats = edges(tree), range(tree.seats)
    never = _never_drawn(tree)
    worth = [[Fraction(0)] * (tree.seats * (1 + max(never))) for _ in range(starts[-1] + 1)]  # apart, by what chance never draws
    before: dict[int, int] = {}
    least: dict[int, int] = {}
    last, weights = [0] * tree.histories, [Fraction(1)] * tree.histories
    for here, (who, place, child) in enumerate(zip(tree.actor, tree.info, tree.first, strict=True)):
        edge, weight = last[here], weights[here]
        if who == OVER:
            for seat in seats:
                worth[edge][never[here] * tree.seats + seat] += weight * tree.payoffs[place][seat]
        elif who == CHANCE:
            for below, likely in enumerate(tree.chances[place].probabilities, child):
                last[below], weights[below] = edge, weight * (likely or 1)
        else:
            least[place] = min(never[here], least.get(place, never[here]))
            if before.setdefault(place, edge) != edge:
                if forgotten := forgets(tree):
                    raise TreeError(f"{forgotten}; solvers need a tree with perfect recall")
                raise TreeError(
                    f"backward induction needs a game in which all moves are seen, and {set_named(tree, place)} does not know what the others did: {instead(tree)}"
                )
            for below, mine in enumerate(range(starts[place] + 1, starts[place + 1] + 1), child):
                last[below], weights[below] = mine, weight
    return Forward(starts, worth, before, least)


def _never_drawn(tree: Tree) -> list[int]:
    """Of each history, how many draws lead there that chance never makes: there too it is decided what is best, though it counts for nothing before."""
    never = [0] * tree.histories
    if not any(0 in one.probabilities for one in tree.chances):
        return never
    for here, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
        for move, child in enumerate(tree.children(here)):
            never[child] = never[here] + (who == CHANCE and not tree.chances[place].probabilities[move])
    return never


def line(tree: Tree, strategy: Strategy) -> tuple[str, ...]:
    """The likeliest moves from the root to an end, the first of those equally likely.

    >>> from durak_widget.games.trees.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> line(tree, Strategy.of(tree, {"begins": "r"}))
    ('r',)
    """
    return tree.moves_to((line_of(tree, strategy) or [0])[-1])


def line_of(tree: Tree, strategy: Strategy) -> list[int]:
    """Return the histories after the root on that line.

    >>> from durak_widget.games.trees.books import textbook
    >>> line_of(textbook("entry"), Strategy.of(textbook("entry"), {"begins": "stay out"}))
    [2]
    """
    here, found = 0, list[int]()
    while tree.actor[here] != OVER:
        place = tree.info[here]
        likely = tree.chances[place].probabilities if tree.actor[here] == CHANCE else strategy.rows[place]
        here = tree.first[here] + max(range(len(likely)), key=likely.__getitem__)
        found.append(here)
    return found
