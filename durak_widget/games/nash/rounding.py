"""Which exact equilibrium lies beside a rounded one? It is proved by best responses in fractions, and only then believed."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.games.nash.beliefs import weakly_perfect
from durak_widget.games.solving.responses import nash_conv
from durak_widget.games.solving.strategy import Strategy, made
from durak_widget.games.trees.tree import TreeError, forgets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.games.solving.strategy import Number
    from durak_widget.games.trees.tree import Tree

DENOMINATORS: Final = (1, 2, 3, 6, 12, 60, 200, 1000)
"""How fine the probabilities may be that are tried, one after another."""
BESIDE: Final = 2e-3
"""No probability is moved further: a coarser one may be another equilibrium, with other beliefs."""


def exact_beside(tree: Tree, strategy: Strategy) -> Strategy | None:
    """An exact equilibrium beside a strategy in floats; None where none is found with small denominators. One that beliefs can stand by comes before one that is no more than Nash.

    >>> from durak_widget.games.trees.books import textbook
    >>> tree = textbook("pennies")
    >>> exact_beside(tree, Strategy(tree, [(0.4999, 0.5001), (0.5003, 0.4997)])).rows
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)))
    >>> exact_beside(tree, Strategy(tree, [(0.9, 0.1), (0.5, 0.5)])) is None
    True
    """
    if said := forgets(tree):
        raise TreeError(f"an equilibrium is proved where everybody remembers, and {said}")
    other = None
    for one in near_strategies(tree, strategy):
        if nash_conv(tree, one) == 0:
            if weakly_perfect(tree, one).holds:
                return one
            other = other or one
    return other


def near_strategies(tree: Tree, strategy: Strategy) -> Iterator[Strategy]:
    """Strategies of ever larger denominators beside this one, each once.

    >>> from durak_widget.games.trees.books import textbook
    >>> tree = textbook("pennies")
    >>> [str(one[0][0]) for one in near_strategies(tree, Strategy(tree, [(0.3329, 0.6671), (0.5, 0.5)]))]
    ['1/3', '256/769']
    """
    seen = set[Strategy]()
    for denominator in DENOMINATORS:
        rows = [_simple_row(row, denominator) for row in strategy.rows]
        if all(
            min(row) >= 0 and all(abs(float(one) - float(was)) < BESIDE for one, was in zip(row, old, strict=True))
            for row, old in zip(rows, strategy.rows, strict=True)
        ):
            one = made(tree.sets, rows)
            if one not in seen:
                seen.add(one)
                yield one


def _simple_row(row: Sequence[Number], denominator: int) -> tuple[Fraction, ...]:
    """The nearest probabilities with denominators that are not larger; the largest takes up what is missing."""
    near = [Fraction(one).limit_denominator(denominator) for one in row]
    near[max(range(len(row)), key=row.__getitem__)] += 1 - sum(near)
    return tuple(near)
