"""Computes probabilities about hidden cards, and the numbers that typical mistakes would give.

Probabilities about another player's hand are counted as in `analysis.possible_worlds`. An exercise names a
mistake only if the student gave exactly its number.

>>> asked = HandDrawn(hidden=30, good=1, drawn=6).chance()
>>> asked.right, asked.mistakes["with_replacement"], asked.mistakes["contrary"]
(Fraction(1, 5), Fraction(134176679, 729000000), Fraction(4, 5))
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb, factorial, perm, prod
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.possible_worlds import worlds
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.game import Game
from durak_widget.engine.observation import View
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.exercises.answer_parsing import cards_given, seat_asked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.analysis.possible_worlds import Worlds
    from durak_widget.cards import Card

_MOST_GOOD: Final = 12
"""Of so many cards one may ask how many somebody holds."""
_MOST_HANDS: Final = 20_000
"""So many worlds are gone through to count hands."""
NAMED: Final = (
    "with_replacement", "contrary", "own", "gone", "turned", "seen", "one_card", "added", "exactly", "at_least", "without_trumps", "one_order",
    "ordered", "all_hidden", "unplayed", "inverse", "prior", "joint", "evidence", "no_prior",
)  # fmt: skip
"""The mistakes for which there are words."""
_MOST: Final = 1000
"""From so many cards are hands drawn."""


class HiddenHand:
    """What a seat cannot see of another's hand.

    >>> hidden = HiddenHand(Game(seed=7).view(0))
    >>> hidden.chance("Ah").right, hidden.chance("Ah").mistakes["own"]
    (Fraction(6, 29), Fraction(6, 35))
    """

    def __init__(self, view: object, holder: int | None = None, seat: int | None = None) -> None:
        """Look at the holder's hand, or at that of the only other seat; at a game as a seat sees it, or who is to act."""
        self.view = _view(view, seat)
        self.seat = _other(self.view, holder)
        if kit_of(self.view.rules).twins:
            raise DurakError("what is hidden is counted with one deck: with two, every card is there twice")
        self.worlds: Worlds = worlds(self.view, each="deal")
        memory = self.view.memory
        assert memory is not None  # noqa: S101 - worlds refuse a view without one
        self._unseen, self._known, self._gone = memory.unseen, memory.known[self.seat], memory.discarded
        self._places = [count - len(memory.known[at]) for at, count in enumerate(self.view.counts) if at != self.view.seat]
        self._drawn = self.view.counts[self.seat] - len(self._known)
        self._talon = self.view.talon_count - len(memory.talon)

    def draw(self, good: Iterable[Card], trumps: Iterable[Card] = ()) -> HandDrawn:
        """A hidden hand as one drawn from all that is hidden, as it would be if nothing had been played."""
        wanted = {card.face for card in good}
        turned = self.view.turn_up
        lying = [card.face for pair in self.view.table for card in pair if card is not None]
        seen = {
            "own": list(self.view.hand),
            "gone": [*self._gone, *lying],
            "turned": [turned] if turned is not None and turned not in self._unseen and turned not in self.view.hand else [],
        }
        extra = {name: (len(cards), _among(cards, wanted)) for name, cards in seen.items()}
        return HandDrawn(len(self._unseen), _among(self._unseen, wanted), self._drawn, extra, _among(self._unseen, set(trumps) & wanted))

    @property
    def is_free(self) -> bool:
        """Whether every way to lay what is hidden is possible."""
        return worlds(self.view).count() == _ways(len(self._unseen), self._places, self._talon)

    def chance(self, holds: object, least: object = 1, most: object = None, *, beats: Card | str | None = None) -> AskedNumber:
        """How likely it is that it holds so many of these cards, or of those that beat one."""
        low, high = _number("least", least), None if most is None else _number("most", most)
        good, trumps = self.good(holds, beats)
        right = sum(self.held(good)[low : None if high is None else high + 1], Fraction(0))
        return self._asked(right, good, self.draw(good, trumps).chance(low, high))

    def average(self, holds: object) -> AskedNumber:
        """How many of these cards it holds on average."""
        good, _ = self.good(holds, None)
        right = sum((self.worlds.chance(self.seat, card) for card in good), Fraction(0))
        return self._asked(right, good, self.draw(good).average())

    def hands(self, holds: object = "") -> AskedNumber:
        """How many hands it may hold, with all of these cards."""
        good = self.good(holds, None)[0] if holds else ()
        plain = self.draw(good).hands()
        if self.is_free:
            return self._asked(plain.right, good, plain)
        found = {world.hands[self.seat] for world in self.worlds.all(most=_MOST_HANDS)}
        return self._asked(Fraction(sum(all(card in hand for card in good) for hand in found)), good, plain)

    def good(self, holds: object, beats: Card | str | None) -> tuple[Sequence[Card], Sequence[Card]]:
        """The cards that are asked for: named, all trumps, or all that beat one; and which of these only trumps make so."""
        if beats is not None:
            [target] = cards_given([beats])
            beaters = list(self.view.beaters(target))
            return beaters, [card for card in beaters if card.suit != target.suit]
        if holds == "trumps":
            if self.view.trump is None:
                raise DurakError("there are no trumps in this game: name the cards that are asked for")
            return [card for card in self._unseen | self._known if card.suit == self.view.trump], ()
        if not (cards := tuple(dict.fromkeys(card.face for card in cards_given(holds)))):
            raise DurakError("name the cards that are asked for, as in 'Ah Kh', or say 'trumps'")
        return cards, ()

    def held(self, good: Sequence[Card]) -> list[Fraction]:
        """How likely it is that it holds none of these cards, one, two …

        >>> from durak_widget import Card
        >>> HiddenHand(Game(seed=7).view(0)).held([Card("Ah"), Card("Kh")])
        [Fraction(253, 406), Fraction(69, 203), Fraction(15, 406)]
        """
        certain = [card for card in good if card in self._known]
        open_ = [card for card in good if card in self._unseen and card not in certain]
        if len(open_) > _MOST_GOOD:
            raise DurakError(f"that asks of {len(open_)} hidden cards at once; ask of {_MOST_GOOD} at most")
        draw = self.draw(open_)
        chances = [draw.of_good(k, k) for k in range(len(open_) + 1)]
        plain = self.is_free and 1 - chances[0] == self.worlds.chance_of_any(self.seat, open_)
        return [Fraction(0)] * len(certain) + (chances if plain else self._counted(open_))

    def _counted(self, cards: Sequence[Card]) -> list[Fraction]:
        """How likely a hand is, from how likely it is that it lacks all of some, for any of them: by inclusion and exclusion."""
        most = len(cards)
        lacks = [
            sum((1 - self.worlds.chance_of_any(self.seat, some) for some in combinations(cards, size)), Fraction(0))
            for size in range(most + 1)
        ]
        missing = [
            sum(((-1) ** (size - n) * comb(size, n) * lacks[size] for size in range(n, most + 1)), Fraction(0)) for n in range(most + 1)
        ]
        return missing[::-1]

    def _asked(self, right: Fraction, good: Sequence[Card], plain: AskedNumber) -> AskedNumber:
        """What play has proved is a mistake to forget; where a card is known to be held the plain draw tells nothing."""
        if any(card in self._known for card in good):
            return AskedNumber(right, {})
        if plain.right == right:
            return plain
        others = {
            name: value for name, value in plain.mistakes.items() if value != plain.right
        }  # what comes to the same is no mistake of its own
        contrary = {"contrary": 1 - right} if "contrary" in others else {}
        return AskedNumber(right, {**others, **contrary, "unplayed": plain.right})


def _among(cards: Iterable[Card], wanted: set[Card]) -> int:
    return sum(card.face in wanted for card in cards)


def _ways(hidden: int, hands: Iterable[int], talon: int) -> int:
    """In how many ways hidden cards can be laid: hands have no order, the talon has one."""
    held = list(hands)
    return factorial(hidden) // (prod(map(factorial, held)) * factorial(hidden - sum(held) - talon))


def _view(view: object, seat: int | None) -> View:
    found = view.view(seat_asked(view, seat)) if isinstance(view, Game) else view
    if not isinstance(found, View):
        raise DurakError(f"what is hidden is asked of a game or of a view, such as game.view(0), not of {quoted(view)}")
    return found


def _other(view: View, seat: int | None) -> int:
    others = [at for at in range(len(view.counts)) if at != view.seat]
    number = others[0] if seat is None and len(others) == 1 else whole_number(seat)
    if number not in others:
        raise DurakError(f"holder={quoted(seat)}: say whose hand is asked for, one of the seats {', '.join(map(str, others))}")
    return number


def _number(name: str, number: object) -> int:
    found = whole_number(number)
    if found is None or found < 0:
        raise DurakError(f"{name}={quoted(number)}: say how many cards, 0 or more")
    return found


class AskedNumber(NamedTuple):
    """A number that is asked for."""

    right: Fraction
    mistakes: Mapping[str, Fraction]
    """What each mistake gives instead, by the name that the words know; some may give the same, or what is right."""


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
