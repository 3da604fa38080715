"""What may be drawn for a payoff or a chance: one of some numbers, each as likely as the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import DurakError, quoted
from durak_widget.gametheory.number_parsing import exactly

if TYPE_CHECKING:
    from fractions import Fraction
    from random import Random

_MOST: Final = 10_000
"""Out of so many numbers one may be drawn."""


class Lot(NamedTuple):
    """Numbers of which one is drawn.

    >>> from random import Random
    >>> between(1, 9).drawn(Random(1)) in range(1, 10)
    True
    """

    numbers: tuple[Fraction, ...]

    def drawn(self, rng: Random) -> Fraction:
        """One of them."""
        return self.numbers[rng.randrange(len(self.numbers))]


def between(low: object, high: object, step: object = 1) -> Lot:
    """A number between these two, either of them too, in steps: whole ones, if nothing else is said.

    >>> [str(one) for one in between(0, 1, "1/4").numbers]
    ['0', '1/4', '1/2', '3/4', '1']
    >>> between(9, 1)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: between(9, 1) has no number in it: give the lower one first, and a step above 0
    """
    least, most, by = (_number(one, "between(1, 9)") for one in (low, high, step))
    if least > most or by <= 0:
        more = "" if by == 1 else f", {by}"
        raise DurakError(f"between({least}, {most}{more}) has no number in it: give the lower one first, and a step above 0")
    count = (most - least) // by + 1
    if count > _MOST:
        raise DurakError(f"between({least}, {most}, {by}) has {count:,} numbers in it; {_MOST:,} are enough: give a larger step")
    return Lot(tuple([least + place * by for place in range(count)]))


def any_of(*numbers: object) -> Lot:
    """One of these numbers.

    >>> [str(one) for one in any_of("1/4", 0.5, 3).numbers]
    ['1/4', '1/2', '3']
    """
    listed = list(numbers[0]) if len(numbers) == 1 and isinstance(numbers[0], (list, tuple, range)) else list(numbers)
    if not 0 < len(listed) <= _MOST:
        raise DurakError(f"any_of takes 1 to {_MOST:,} numbers, as in any_of('1/4', '1/2'), not {len(listed)}")
    return Lot(tuple([_number(one, "any_of('1/4', '1/2')") for one in listed]))


def _number(given: object, example: str) -> Fraction:
    number = exactly(given)
    if number is None:
        raise DurakError(f"what is drawn is a number, as in {example}, not {quoted(given)}")
    return number
