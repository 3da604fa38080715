"""A proof of what a game is worth: both sides' strategies, in exact fractions, and what each of them guarantees."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import best_response, edges, order_of, require_two_player_zero_sum
from durak_widget.gametheory.strategy import made, require_strategy
from durak_widget.gametheory.tree import require_tree

if TYPE_CHECKING:
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

FINENESS: Final = 1 << 48
"""Into so many equal parts a seat's play is cut when floats are made fractions: far finer than a float's own error in it."""


class Certificate(NamedTuple):
    """What a two-player zero-sum game is worth to seat 0: at least `lower`, by seat 0's strategy, and at most `upper`, by seat 1's."""

    strategy: Strategy
    lower: Fraction
    """What seat 0's strategy guarantees to it, whatever seat 1 does."""
    upper: Fraction
    """The most that seat 1's strategy lets seat 0 have."""

    @property
    def gap(self) -> Fraction:
        """What is left open between the two; 0 where the value is exact. Half of it is the strategy's exploitability."""
        return self.upper - self.lower

    @property
    def exact(self) -> bool:
        """Whether the two guarantees meet."""
        return self.lower == self.upper

    @property
    def value(self) -> Number:
        """The exact value, a Fraction, where it is proved; otherwise a float, the middle of what is left open."""
        return self.lower if self.exact else float((self.lower + self.upper) / 2)

    def __str__(self) -> str:
        if self.exact:
            return f"the value is exactly {self.lower}: each side guarantees it"
        return f"the value lies between {float(self.lower):.12g} and {float(self.upper):.12g} (gap {float(self.gap):.2g})"

    def __repr__(self) -> str:
        return f"<Certificate: {self}>"


def certify(tree: Tree, strategy: Strategy) -> Certificate:
    """The strategy in exact fractions, and what it guarantees to each side; floats are rounded first, so that they add up to 1.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> certify(tree, Strategy.uniform(tree)), certify(tree, Strategy.of(tree, {"begins": "l"}))
    (<Certificate: the value lies between 0.5 and 1 (gap 0.5)>, <Certificate: the value is exactly 1: each side guarantees it>)
    """
    require_tree(tree)
    require_strategy(strategy)
    require_two_player_zero_sum(tree, "a certificate")
    exact = rounded(tree, strategy)
    upper, lower = best_response(tree, exact, 0).value, -best_response(tree, exact, 1).value
    return Certificate(exact, Fraction(lower), Fraction(upper))


def rounded(tree: Tree, strategy: Strategy, parts: int = FINENESS) -> Strategy:
    """The strategy in fractions that add up to 1.

    A seat's whole play is cut into so many equal parts, and each move given a whole number of those with which its information set is
    reached: however long the game, what is multiplied along it keeps that one denominator.

    >>> from durak_widget.gametheory import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> rounded(tree, Strategy(tree, [(0.1, 0.9)]), 1000)["begins"]
    (Fraction(1, 10), Fraction(9, 10))
    """
    if strategy.exact:
        return strategy
    rows = list(strategy.rows)
    starts = edges(tree)
    for seat in range(tree.seats):
        held = [parts] * (starts[-1] + 1)
        for place, before in order_of(tree, seat).items():
            whole, row = held[before], rows[place]
            cut = whole or parts  # where it never comes by its own play, nothing depends on what it does
            shares = [int(cut * one) for one in row]
            shares[max(range(len(row)), key=row.__getitem__)] += cut - sum(shares)
            rows[place] = tuple([Fraction(share, cut) for share in shares])
            held[starts[place] + 1 : starts[place + 1] + 1] = shares if whole else [0] * len(shares)
    return made(tree.sets, rows)
