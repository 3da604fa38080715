"""Where Lemke's path ends if it is walked in floats, and the exact weights there: for trees on which whole numbers take long.

Floats say only which unknowns are something at the end; their values are then worked out from the equations in fractions. Nothing of it is believed: whoever asks
proves it by best responses, and walks in whole numbers where that fails.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np

from durak_widget.games.solving.exact import solved_exactly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.games.solving.exact import Equation
    from durak_widget.games.solving.sequence import Floats, Ints

_NEAR: Final = 1e-9
"""What floats tell apart."""
_TAX: Final = 0
_CONSTANT: Final = -1
"""The key of an equation's constant."""


def weights_guessed(lines: Sequence[Sequence[int]], basis: Sequence[int], others: Sequence[int], most: int) -> dict[int, Fraction] | None:
    """The unknowns that are something at the end of the path, in fractions; None where more corners than `most` would come first, or something goes wrong.

    What is given is the path's beginning: lines of whole numbers with the tax and the constant at their end, what each is solved for, and the unknown of
    each column. Here one seat chooses between 1, which brings nothing, and 2, which brings 1: at the end 2 is certain, and 1 would lose 1.

    >>> weights_guessed([[0, 1, 0, 1], [-1, 0, -1, -1]], [1, -2], [-1, 2, 0], most=10)
    {2: Fraction(1, 1), -1: Fraction(1, 1)}
    """
    ended = _walked(lines, basis, others, most)
    if ended is None:
        return None
    column = {unknown: place for place, unknown in enumerate(others)}
    entered = [unknown for unknown in ended if unknown in column]
    number = {unknown: place for place, unknown in enumerate(entered)}
    equations: list[Equation] = []
    stay: list[tuple[int, Equation]] = []
    for unknown, line in zip(basis, lines, strict=True):
        equation = {number[one]: Fraction(line[column[one]]) for one in entered if line[column[one]]}
        equation[_CONSTANT] = Fraction(line[-1])
        if unknown in ended:
            stay.append((unknown, equation))
        else:
            equations.append(equation)
    values = solved_exactly(equations, [ended[unknown] for unknown in entered])
    if values is None:
        return None
    found = dict(zip(entered, values, strict=True))
    for unknown, equation in stay:
        found[unknown] = equation.pop(_CONSTANT) - sum(times * values[key] for key, times in equation.items())
    return found if min(found.values(), default=Fraction(0)) >= 0 else None


def _walked(lines: Sequence[Sequence[int]], basis: Sequence[int], others: Sequence[int], most: int) -> dict[int, float] | None:
    """What is something at the end of the path, and about how much."""
    here, there, first = list(basis), list(others), list(basis)
    try:
        table: Floats = np.array(lines, dtype=np.float64).reshape(len(lines), len(others) + 1)
    except OverflowError:
        return None
    taxed = np.flatnonzero(table[:, -2])
    if not len(taxed) or table[taxed, -1].min() >= 0:
        return dict(zip(here, table[:, -1].tolist(), strict=True))
    paid = np.ix_(taxed, np.flatnonzero(np.array([*others, 1]) > 0))
    table[paid] /= np.abs(table[paid]).max()  # so that what is near does not depend on the coin in which one pays
    row = int(taxed[np.flatnonzero(table[taxed, -1] == table[taxed, -1].min())[-1]])
    left = _exchange(table, here, there, row, len(lines))
    for _ in range(most):
        column = there.index(-left)
        rising = np.flatnonzero(table[:, column] > _NEAR)
        if not len(rising):
            return None
        left = _exchange(table, here, there, _first_to_go(table, here, there, first, rising, column), column)
        if left == _TAX:
            return dict(zip(here, table[:, -1].tolist(), strict=True))
    return None


def _first_to_go(table: Floats, here: list[int], there: list[int], first: list[int], tied: Ints, column: int) -> int:
    """The line whose unknown is the first to be nothing, as `lemke` chooses it."""
    tied = _least(table[tied, -1], table[tied, column], tied)
    if len(tied) > 1 and _TAX in here and here.index(_TAX) in tied:
        return here.index(_TAX)
    line = {unknown: place for place, unknown in enumerate(here)}
    for unknown in first if len(tied) > 1 else ():
        at = line.get(unknown)
        tied = _least(table[tied, there.index(unknown)], table[tied, column], tied) if at is None else tied[tied != at]
        if len(tied) == 1:
            break
    return int(tied[0])


def _least(values: Floats, rises: Floats, tied: Ints) -> Ints:
    """The lines whose value is least in proportion."""
    ratios = values / rises
    least: Ints = tied[ratios <= ratios.min() + _NEAR]
    return least


def _exchange(table: Floats, here: list[int], there: list[int], row: int, column: int) -> int:
    """Solve a line for the unknown of a column."""
    pivot = table[row, column]
    rest, chosen = table[:, column].copy(), table[row] / pivot
    table -= np.outer(rest, chosen)
    table[row], table[:, column] = chosen, -rest / pivot
    table[row, column] = 1 / pivot
    here[row], there[column] = there[column], here[row]
    return there[column]
