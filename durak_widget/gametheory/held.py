"""What a seat has by its strategy, and what it gives away: to whoever answers it best, or by not answering best itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from durak_widget.gametheory.best_responses import Answers, answers, value
from durak_widget.gametheory.fitting import zero_sum
from durak_widget.gametheory.tree import TreeError

if TYPE_CHECKING:
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree


class Held(NamedTuple):
    """What a seat has by its strategy, and what it could have.

    >>> from fractions import Fraction
    >>> Held(0, Fraction(1, 2), Fraction(1)).lost, Held(0, Fraction(1, 2), None).lost
    (Fraction(1, 2), None)
    """

    seat: int
    sure: Number
    """What it has while the other answers as well as possible; where nobody else answers, what it has when all play so."""
    best: Number | None
    """What it could have: what the game is worth to it, or else what its own best response to the others brings; None where that is not known."""
    by: int | None = None
    """Whose best response shows it, where a tree asks."""

    @property
    def lost(self) -> Number | None:
        """How much it gives away; None where it is not known what it could have."""
        lost = None if self.best is None else self.best - self.sure
        return max(lost, 0.0) if isinstance(lost, float) else lost  # in floats even the best may seem to lose or gain a little


def answerer(tree: Tree, seat: int) -> int:
    """Whose best response shows what a seat gives away: the other's, who wins what it loses; in any other game its own."""
    return 1 - seat if zero_sum(tree) else seat


def held_by(tree: Tree, strategy: Strategy, seat: int, worth: Number | None, by: int | None = None) -> tuple[Held, Answers | None]:
    """What a seat has by its strategy, and the best response that shows it, None where who answers forgets; `worth` is what the game is worth to seat 0.

    `by`: who answers, where that is not who answers in such a game: the seat itself, where how the others play is known.

    >>> from fractions import Fraction
    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> held_by(tree, Strategy.uniform(tree), 0, Fraction(1))[0]
    Held(seat=0, sure=Fraction(1, 2), best=Fraction(1, 1), by=1)
    """
    by = answerer(tree, seat) if by is None else by
    try:
        found = answers(tree, strategy, by)
    except TreeError:  # that seat forgets what it did
        return Held(seat, value(tree, strategy, seat), None, by), None
    if by == seat:
        return Held(seat, value(tree, strategy, seat), found.value, by), found
    return Held(seat, -found.value, worth if worth is None or seat == 0 else -worth, by), found
