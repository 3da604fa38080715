"""Chances by counting, each with what the usual mistakes would give: an exercise names a mistake only when its number is given.

>>> asked = HandDrawn(hidden=30, good=1, drawn=6).chance()
>>> asked.right, asked.mistakes["with_replacement"], asked.mistakes["contrary"]
(Fraction(1, 5), Fraction(134176679, 729000000), Fraction(4, 5))
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, perm
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import DurakError, quoted, whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping


class AskedNumber(NamedTuple):
    """A number that is asked for."""

    right: Fraction
    mistakes: Mapping[str, Fraction]
    """What each mistake gives instead, by the name that the words know; some may give the same, or what is right."""


NAMED: Final = (
    "with_replacement", "contrary", "own", "gone", "turned", "seen", "one_card", "added", "exactly", "at_least", "without_trumps", "one_order",
    "ordered", "all_hidden", "unplayed", "inverse", "prior", "joint", "evidence", "no_prior",
)  # fmt: skip
"""The mistakes for which there are words."""


class HandDrawn(NamedTuple):
    """So many cards are hidden, some of them good; a hand of them was drawn."""

    hidden: int
    good: int
    drawn: int
    extra: Mapping[str, tuple[int, int]] = {}
    """Cards that are not hidden, but that one may forget to take off: `own`, `gone`, `turned`; how many, and how many of them good."""
    trumps: int = 0
    """How many of the good ones are good only because they are trumps."""

    @classmethod
    def of(cls, hidden: object, good: object, drawn: object) -> HandDrawn:
        """A draw of what an author gives.

        >>> HandDrawn.of(30, 6, 31)
        Traceback (most recent call last):
        durak_widget.errors.DurakError: of 30 hidden cards 0 to 30 are good, and 0 to 30 are drawn, not 6 and 31
        """
        numbers = [whole_number(one) for one in (hidden, good, drawn)]
        cards, fits, hand = (-1 if one is None else one for one in numbers)
        if not 0 <= fits <= cards or not 0 <= hand <= cards or cards > _MOST:
            raise DurakError(
                f"of {quoted(hidden)} hidden cards 0 to {quoted(hidden)} are good, and 0 to {quoted(hidden)} are drawn, not {quoted(good)} and {quoted(drawn)}"
                if 0 <= cards <= _MOST
                else f"a draw is from so many hidden cards, 0 to {_MOST}, not from {quoted(hidden)}"
            )
        return cls(cards, fits, hand)

    def of_good(self, least: int = 1, most: int | None = None) -> Fraction:
        """How likely it is that so many of the cards drawn are good.

        >>> HandDrawn(23, 5, 5).of_good(), HandDrawn(18, 3, 5).of_good(0, 0)
        (Fraction(3583, 4807), Fraction(143, 408))
        """
        hidden, good, drawn, *_ = self
        kinds = range(least, min(drawn if most is None else most, drawn) + 1)
        return Fraction(sum(comb(good, k) * comb(hidden - good, drawn - k) for k in kinds), comb(hidden, drawn))

    def with_replacement(self, least: int = 1, most: int | None = None) -> Fraction:
        """How likely it were if each card were laid back before the next."""
        share = Fraction(self.good, self.hidden) if self.hidden else Fraction(0)
        kinds = range(least, min(self.drawn if most is None else most, self.drawn) + 1)
        return sum((comb(self.drawn, k) * share**k * (1 - share) ** (self.drawn - k) for k in kinds), Fraction(0))

    def untaken(self) -> dict[str, HandDrawn]:
        """The draws of those who forget to take off what is not hidden: one kind of such cards, or all."""
        every = {name: extra for name, extra in self.extra.items() if extra[0]}
        if len(every) > 1:
            every["seen"] = (sum(cards for cards, _ in every.values()), sum(good for _, good in every.values()))
        return {name: self._replace(hidden=self.hidden + cards, good=self.good + good) for name, (cards, good) in every.items()}

    def chance(self, least: int = 1, most: int | None = None) -> AskedNumber:
        """How likely so many good ones are: at least, at most, or just so many."""
        right = self.of_good(least, most)
        mistakes = {name: draw.of_good(least, most) for name, draw in self.untaken().items()}
        mistakes |= {"contrary": 1 - right, "with_replacement": self.with_replacement(least, most)}
        if self.trumps:
            mistakes["without_trumps"] = self._replace(good=self.good - self.trumps).of_good(least, most)
        if self.drawn > 1 and self.hidden:
            share = Fraction(self.good, self.hidden)
            mistakes["one_card"] = 1 - share if most == 0 else share
            if least == 1 and most is None and self.good > 1:
                mistakes["added"] = share * self.drawn
        if most is None and least > 0:
            mistakes["exactly"] = self.of_good(least, least)
        if least == most and 0 < least <= self.drawn:
            mistakes["at_least"] = self.of_good(least)
            mistakes["one_order"] = right / comb(self.drawn, least)
        return AskedNumber(right, mistakes)

    def average(self) -> AskedNumber:
        """How many good ones there are on average."""
        share = Fraction(self.good, self.hidden) if self.hidden else Fraction(0)
        mistakes = {name: Fraction(draw.drawn * draw.good, draw.hidden) for name, draw in self.untaken().items()}
        mistakes |= {"at_least": self.of_good(), "one_card": share, "all_hidden": Fraction(self.good)}
        return AskedNumber(share * self.drawn, mistakes)

    def hands(self) -> AskedNumber:
        """How many hands there are; with the good ones all in it, if there are any."""
        free = self.drawn - self.good
        if free < 0:
            return AskedNumber(Fraction(0), {})
        others = self.hidden - self.good
        mistakes = {name: Fraction(comb(draw.hidden - draw.good, free)) for name, draw in self.untaken().items()}
        mistakes |= {"ordered": Fraction(perm(others, free)), "with_replacement": Fraction(others**free)}
        return AskedNumber(Fraction(comb(others, free)), mistakes)


_MOST: Final = 1000
"""From so many cards are hands drawn."""


def learned(prior: Fraction, if_so: Fraction, if_not: Fraction) -> AskedNumber:
    """How likely it is now, by Bayes' rule: it was `prior`; what was seen is as likely as this if it is so, and as that if not.

    >>> learned(Fraction(1, 3), Fraction(1, 4), Fraction(1)).right
    Fraction(1, 9)
    """
    evidence = prior * if_so + (1 - prior) * if_not
    if not all(0 <= chance <= 1 for chance in (prior, if_so, if_not)) or not evidence:
        raise DurakError(f"chances are between 0 and 1, and what was seen must be possible, not {prior}, {if_so} and {if_not}")
    right, both = prior * if_so / evidence, prior * if_so
    mistakes = {"inverse": if_so, "prior": prior, "joint": both, "evidence": evidence, "contrary": 1 - right}
    return AskedNumber(right, {**mistakes, "no_prior": if_so / (if_so + if_not)})
