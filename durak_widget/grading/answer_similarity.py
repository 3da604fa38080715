"""Whose questions the wrong answers of a student would be right for, and how likely that is by chance: who hands in another's answers hands in what was right for the other.

The model: of a student who answers alone, each wrong answer is right for a given other with some probability, independently. It is the larger of two shares: of all pairs
of that class, how often a wrong answer to that question is right for the other; and of all others, for how many this very answer is right. What is counted is then a sum of
such chances, and what is told is how many classes of that size one would have to see, on average, until one pair agrees in so much or in something less likely.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LEAST: Final = 3
"""So many wrong answers are right for another, at least."""
RARE: Final = 100
"""In so many classes one pair is named by chance, at most."""
_MOST_SAID: Final = 10**6


class WrongAnswer(NamedTuple):
    """An answer that is not right, and for whose questions it would be."""

    place: int
    fits: frozenset[str]


class Copied(NamedTuple):
    """Who has answers that are right for whom."""

    student: str
    other: str
    places: tuple[int, ...]
    """The questions."""
    wrong: int
    """How many wrong answers there are in all."""
    classes: int
    """In so many classes of that size one such pair is to be expected by chance; a million, or more."""


def copied(answers: Mapping[str, Sequence[WrongAnswer]], everybody: Iterable[str]) -> list[Copied]:
    """Of each student the one other whose questions the wrong answers fit so well that chance hardly does it; nobody in most classes.

    >>> alone = {name: [WrongAnswer(place, frozenset()) for place in range(6)] for name in "abcdefgh"}
    >>> copied(alone, "abcdefgh")
    []
    >>> found = copied({**alone, "a": [WrongAnswer(place, frozenset("b")) for place in range(6)]}, "abcdefgh")
    >>> found[0][:4], found[0].classes > 1000
    (('a', 'b', (0, 1, 2, 3, 4, 5), 6), True)
    """
    names = list(dict.fromkeys(everybody))
    pairs, hits = defaultdict[int, int](int), defaultdict[int, int](int)
    for wrong in answers.values():
        for one in wrong:
            pairs[one.place] += len(names) - 1
            hits[one.place] += len(one.fits)
    found = []
    for student, wrong in answers.items():
        best: Copied | None = None
        for other in dict.fromkeys(name for one in wrong for name in sorted(one.fits)):
            places = tuple(one.place for one in wrong if other in one.fits)
            if len(places) < LEAST:
                continue
            chances = []
            for one in wrong:
                own = other in one.fits
                rate = (hits[one.place] - own + 1) / pairs[one.place]
                share = (len(one.fits) - own) / max(len(names) - 2, 1)
                chances.append(min(max(rate, share), 1.0))
            expected = len(names) * (len(names) - 1) * at_least(len(places), chances)
            classes = _MOST_SAID if expected * _MOST_SAID <= 1 else int(1 / expected)
            if classes >= RARE and (best is None or (classes, len(places)) > (best.classes, len(best.places))):
                best = Copied(student, other, places, len(wrong), classes)
        found += [best] if best else []
    return found


def at_least(many: int, chances: Sequence[float]) -> float:
    """How likely so many of these things happen, or more, each independently by its own chance.

    >>> at_least(2, [0.5, 0.5, 0.5]), at_least(1, []), at_least(0, [])
    (0.5, 0, 1.0)
    """
    found = [1.0]
    for chance in chances:
        found = [
            (found[count] * (1 - chance) if count < len(found) else 0.0) + (found[count - 1] * chance if count else 0.0)
            for count in range(len(found) + 1)
        ]
    return sum(found[many:])


def classes_said(classes: int) -> str:
    r"""So many classes, in one digit: what is estimated is told no finer.

    >>> [classes_said(classes).replace("\u202f", " ") for classes in (128, 98_765, 10**6)]
    ['100', '90 000', '>1 000 000']
    """
    scale = 10 ** (len(str(classes)) - 1)
    said = f"{classes // scale * scale:,}".replace(",", "\u202f")
    return f">{said}" if classes >= _MOST_SAID else said
