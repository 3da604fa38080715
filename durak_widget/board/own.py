"""One's own strategy: one probability at a time is set, and what the game is worth is found. What the whole gives away is asked in `gametheory.best_responses`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.gametheory.backward_induction_solver import backward_induction
from durak_widget.gametheory.certificate import rounded
from durak_widget.gametheory.optional_dependencies import MissingError
from durak_widget.gametheory.strategy import made
from durak_widget.gametheory.tree import TreeError
from durak_widget.gametheory.zero_sum_solver import solve
from durak_widget.i18n.user_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree
    from durak_widget.gametheory.zero_sum_solver import Solution

SIMPLE: Final = 1000
FINEST: Final = 1_000_000
"""Where one goes on by hand from a probability with a larger denominator than this, it is first brought to one of at most a thousand."""


def scaled(row: Sequence[Number], move: int, to: Fraction) -> tuple[Fraction, ...]:
    """The probabilities after one of them was set: the others keep their proportions, are alike where all were 0, and all add up to 1 exactly.

    >>> scaled([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], 0, Fraction(1, 4))
    (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    >>> scaled([Fraction(1), Fraction(0), Fraction(0)], 0, Fraction(1, 2))
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    """
    if len(row) == 1:
        return (Fraction(1),)
    held = [Fraction(0) if place == move else _simple(Fraction(one)) for place, one in enumerate(row)]
    rest = sum(held)
    left = 1 - to
    others = [left * one / rest if rest else left / (len(row) - 1) for one in held]
    return tuple([to if place == move else one for place, one in enumerate(others)])


def _simple(one: Fraction) -> Fraction:
    return one if one.denominator <= FINEST else one.limit_denominator(SIMPLE)


def changed(tree: Tree, strategy: Strategy, place: int, move: int, to: Fraction) -> Strategy:
    """The strategy with one probability set anew, exact where it was in floats."""
    one = tree.sets[place]
    if len(one.moves) == 1 and to != 1:
        raise RefusedError("board.refused.one_move")
    rows = list(rounded(tree, strategy).rows)
    rows[place] = scaled(rows[place], move, to)
    return made(tree.sets, rows)


def worth_of(tree: Tree, solution: Solution | None = None) -> Number | None:
    """What a two-player zero-sum game is worth to seat 0, from a solution that proves it or worked out anew; None where it cannot be.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> worth_of(grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2))
    Fraction(1, 1)
    """
    if solution is not None and solution.exact:
        return solution.value
    try:
        return backward_induction(tree).values[0]
    except TreeError:
        pass  # hands are hidden
    try:
        return solve(tree, "lp").value
    except (MissingError, TreeError):  # no numpy, or a seat that forgets
        return None if solution is None or solution.certificate is None else solution.value
