"""Which exact equilibrium lies beside a rounded one? It is proved by best responses in fractions, and only then believed."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.best_responses import nash_conv
from durak_widget.gametheory.sequential_equilibrium import sequential
from durak_widget.gametheory.strategy import Strategy, made
from durak_widget.gametheory.tree import TreeError, forgets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import Tree

NEARNESS: Final = (2e-3, 3e-4, 5e-5, 1e-5, 2e-6)
"""No further off may the probabilities be that are tried, one after another: a coarser one may be another equilibrium, with other beliefs."""
FINEST: Final = 2000
"""No denominator is larger."""


def exact_beside(tree: Tree, strategy: Strategy) -> Strategy | None:
    """An exact equilibrium beside a strategy in floats; None where none is found with small denominators. One that no information set refutes as sequential comes before one that is no more than Nash.

    >>> from durak_widget.gametheory.textbook_games import textbook
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
            if sequential(tree, one, tries=0).holds is not False:
                return one
            other = other or one
    return other


def near_strategies(tree: Tree, strategy: Strategy) -> Iterator[Strategy]:
    """Strategies ever nearer to this one, each once: at each information set that of the smallest denominator.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("pennies")
    >>> [str(one[0][0]) for one in near_strategies(tree, Strategy(tree, [(0.3329, 0.6671), (0.5, 0.5)]))]
    ['1/3', '152/457', '230/691', '251/754', '255/766']
    """
    seen = set[Strategy]()
    for off in NEARNESS:
        rows = [_simplest(row, off) for row in strategy.rows]
        found = [row for row in rows if row is not None]
        if len(found) == len(rows) and (one := made(tree.sets, found)) not in seen:
            seen.add(one)
            yield one


def _simplest(row: Sequence[Number], off: float) -> tuple[Fraction, ...] | None:
    """The probabilities of the smallest denominator that are no further off."""
    for parts in range(1, FINEST + 1):
        cut = [round(float(one) * parts) for one in row]
        if sum(cut) == parts and all(abs(float(one) - share / parts) <= off for one, share in zip(row, cut, strict=True)):
            return tuple([Fraction(share, parts) for share in cut])
    return None
