"""What there is for a game: which kind of solver takes it; and where none does, what says something of it all the same.

A refusal that says what to do instead asks here, so that it never names what would refuse this game too.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Literal

from durak_widget.gametheory.strategic_form import CELLS, how_many
from durak_widget.gametheory.tree import CHANCE, forgets

if TYPE_CHECKING:
    from durak_widget.gametheory.tree import Tree

Fit = Literal["backward", "lp", "plans", "matrix", "answers", "values"]
"""What takes a game, the best first: backward induction, solvers of zero-sum games, that of them which needs no decimals, equilibria of the strategic form, best responses, or nothing but what a strategy is worth."""

PLAIN: Final = 20_000
"""Trees of so many histories are solved plan by plan, in plain Python."""
_SAID: Final[dict[Fit, str]] = {
    "backward": "analysis.solve(tree, 'backward') takes it",
    "lp": "analysis.solve(tree) takes it",
    "plans": "analysis.solve(tree, 'plans') takes it",
    "matrix": "analysis.solve(tree), without a method, answers it",
    "answers": "analysis.solve(tree), without a method, answers it",
    "values": "analysis.solve(tree), without a method, answers it",
}


def fit(tree: Tree) -> Fit:
    """What takes this game.

    >>> from durak_widget import analysis
    >>> [fit(analysis.textbook(name)) for name in ("entry", "kuhn", "beer-quiche", "horse", "driver")]
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
    """Whether a method of `analysis.solve` takes games of this kind.

    >>> from durak_widget import analysis
    >>> [method_takes(analysis.textbook("kuhn"), method) for method in ("lp", "backward")]
    [True, False]
    """
    return forgets(tree) is None and (moves_are_seen(tree) if method == "backward" else zero_sum(tree))


def instead(tree: Tree) -> str:
    """What there is for a game, as the end of a sentence that refuses it.

    >>> from durak_widget import analysis
    >>> instead(analysis.textbook("entry"))
    "analysis.solve(tree, 'backward') takes it"
    """
    return _SAID[fit(tree)]


def zero_sum(tree: Tree) -> bool:
    """Whether two seats play and one wins just what the other loses."""
    return tree.seats == 2 and not any(sum(one) for one in tree.payoffs)


def has_value(tree: Tree) -> bool:
    """Say whether the game has a value: two players whose payoffs always add up to the same.

    >>> from durak_widget import analysis
    >>> has_value(analysis.textbook("kuhn")), has_value(analysis.textbook("entry"))
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

    >>> from durak_widget import analysis
    >>> moves_are_seen(analysis.textbook("entry")), moves_are_seen(analysis.textbook("horse"))
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
