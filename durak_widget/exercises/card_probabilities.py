"""Probabilities about hidden cards, and the numbers that typical mistakes would give.

Probabilities about another player's hand are counted as in `analysis.possible_worlds`. An exercise names a
mistake only if the student gave exactly its number.

>>> key = HandDrawn(hidden=30, good=1, drawn=6).chance()
>>> key.right, key.mistakes["with_replacement"], key.mistakes["contrary"]
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
"""The maximum number of cards in a question about how many of them a hand has."""
_MOST_HANDS: Final = 20_000
"""The maximum number of worlds that are enumerated to count hands."""
NAMED: Final = (
    "with_replacement", "contrary", "own", "gone", "turned", "seen", "one_card", "added", "exactly", "at_least", "without_trumps", "one_order",
    "ordered", "all_hidden", "unplayed", "inverse", "prior", "joint", "evidence", "no_prior",
)  # fmt: skip
"""The mistakes for which there are texts."""
_MOST: Final = 1000
"""The maximum number of hidden cards."""


class HiddenHand:
    """The hidden part of another player's hand, as seen from one seat.

    >>> hidden = HiddenHand(Game(seed=7).view(0))
    >>> hidden.chance("Ah").right, hidden.chance("Ah").mistakes["own"]
    (Fraction(6, 29), Fraction(6, 35))
    """

    def __init__(self, view: object, holder: int | None = None, seat: int | None = None) -> None:
        """Take the hand of `holder`, by default of the only other seat.

        `view` is a view, or a game as seen by `seat` (by default the one to act).
        """
        self.view = _view(view, seat)
        self.seat = _other(self.view, holder)
        if kit_of(self.view.rules).twins:
            raise DurakError("what is hidden is counted with one deck: with two, every card is there twice")
        self.worlds: Worlds = worlds(self.view, each="deal")
        memory = self.view.memory
        assert memory is not None  # noqa: S101 - worlds refuse a view without one
        self._unseen, self._known, self._gone = memory.unseen, memory.known[self.seat], memory.discarded
        self._places = [
            count - len(memory.known[other_seat]) for other_seat, count in enumerate(self.view.counts) if other_seat != self.view.seat
        ]
        self._drawn = self.view.counts[self.seat] - len(self._known)
        self._talon = self.view.talon_count - len(memory.talon)

    def draw(self, good: Iterable[Card], trumps: Iterable[Card] = ()) -> HandDrawn:
        """Return the hand as a random draw from all hidden cards, as if nothing had been played."""
        faces = {card.face for card in good}
        turn_up = self.view.turn_up
        table_cards = [card.face for pair in self.view.table for card in pair if card is not None]
        visible = {
            "own": list(self.view.hand),
            "gone": [*self._gone, *table_cards],
            "turned": [turn_up] if turn_up is not None and turn_up not in self._unseen and turn_up not in self.view.hand else [],
        }
        extra = {name: (len(cards), _among(cards, faces)) for name, cards in visible.items()}
        return HandDrawn(len(self._unseen), _among(self._unseen, faces), self._drawn, extra, _among(self._unseen, set(trumps) & faces))

    @property
    def is_free(self) -> bool:
        """Return whether every arrangement of the hidden cards is possible."""
        return worlds(self.view).count() == _ways(len(self._unseen), self._places, self._talon)

    def chance(self, holds: object, least: object = 1, most: object = None, *, beats: Card | str | None = None) -> AskedNumber:
        """Return the probability that the hand has `least` to `most` of these cards.

        `holds` names the cards, or `beats` the card that they must beat.
        """
        low, high = _number("least", least), None if most is None else _number("most", most)
        wanted, trumps = self.good(holds, beats)
        right = sum(self.held(wanted)[low : None if high is None else high + 1], Fraction(0))
        return self._asked(right, wanted, self.draw(wanted, trumps).chance(low, high))

    def average(self, holds: object) -> AskedNumber:
        """Return how many of these cards the hand has on average."""
        wanted, _ = self.good(holds, None)
        right = sum((self.worlds.chance(self.seat, card) for card in wanted), Fraction(0))
        return self._asked(right, wanted, self.draw(wanted).average())

    def hands(self, holds: object = "") -> AskedNumber:
        """Return how many hands are possible that have all of these cards."""
        wanted = self.good(holds, None)[0] if holds else ()
        drawn_key = self.draw(wanted).hands()
        if self.is_free:
            return self._asked(drawn_key.right, wanted, drawn_key)
        hands = {world.hands[self.seat] for world in self.worlds.all(most=_MOST_HANDS)}
        return self._asked(Fraction(sum(all(card in hand for card in wanted) for hand in hands)), wanted, drawn_key)

    def good(self, holds: object, beats: Card | str | None) -> tuple[Sequence[Card], Sequence[Card]]:
        """Return the cards in question: named, all trumps, or all that beat one card.

        The second result has those that beat it only as trumps.
        """
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
        """Return the probabilities that the hand has 0, 1, 2 … of these cards.

        >>> from durak_widget import Card
        >>> HiddenHand(Game(seed=7).view(0)).held([Card("Ah"), Card("Kh")])
        [Fraction(253, 406), Fraction(69, 203), Fraction(15, 406)]
        """
        certain = [card for card in good if card in self._known]
        hidden = [card for card in good if card in self._unseen and card not in certain]
        if len(hidden) > _MOST_GOOD:
            raise DurakError(f"that asks of {len(hidden)} hidden cards at once; ask of {_MOST_GOOD} at most")
        random_draw = self.draw(hidden)
        probabilities = [random_draw.of_good(k, k) for k in range(len(hidden) + 1)]
        is_plain = self.is_free and 1 - probabilities[0] == self.worlds.chance_of_any(self.seat, hidden)
        return [Fraction(0)] * len(certain) + (probabilities if is_plain else self._counted(hidden))

    def _counted(self, cards: Sequence[Card]) -> list[Fraction]:
        """Return these probabilities by inclusion and exclusion.

        They follow from the probabilities that the hand has none of some cards.
        """
        count = len(cards)
        none_held_sums = [
            sum((1 - self.worlds.chance_of_any(self.seat, subset) for subset in combinations(cards, size)), Fraction(0))
            for size in range(count + 1)
        ]
        missing = [
            sum(((-1) ** (size - n) * comb(size, n) * none_held_sums[size] for size in range(n, count + 1)), Fraction(0))
            for n in range(count + 1)
        ]
        return missing[::-1]

    def _asked(self, right: Fraction, good: Sequence[Card], plain: AskedNumber) -> AskedNumber:
        """Return the key with the mistakes that are wrong after what was played.

        If a card is known to be in the hand, the random draw says nothing about mistakes.
        """
        if any(card in self._known for card in good):
            return AskedNumber(right, {})
        if plain.right == right:
            return plain
        wrong_values = {
            name: value for name, value in plain.mistakes.items() if value != plain.right
        }  # a mistake with the right result cannot be noticed
        contrary = {"contrary": 1 - right} if "contrary" in wrong_values else {}
        return AskedNumber(right, {**wrong_values, **contrary, "unplayed": plain.right})


def _among(cards: Iterable[Card], wanted: set[Card]) -> int:
    return sum(card.face in wanted for card in cards)


def _ways(hidden: int, hands: Iterable[int], talon: int) -> int:
    """Return the number of ways to deal hidden cards: only the talon has an order."""
    sizes = list(hands)
    return factorial(hidden) // (prod(map(factorial, sizes)) * factorial(hidden - sum(sizes) - talon))


def _view(view: object, seat: int | None) -> View:
    observation = view.view(seat_asked(view, seat)) if isinstance(view, Game) else view
    if not isinstance(observation, View):
        raise DurakError(f"what is hidden is asked of a game or of a view, such as game.view(0), not of {quoted(view)}")
    return observation


def _other(view: View, seat: int | None) -> int:
    others = [other_seat for other_seat in range(len(view.counts)) if other_seat != view.seat]
    number = others[0] if seat is None and len(others) == 1 else whole_number(seat)
    if number not in others:
        raise DurakError(f"holder={quoted(seat)}: say whose hand is asked for, one of the seats {', '.join(map(str, others))}")
    return number


def _number(name: str, number: object) -> int:
    count = whole_number(number)
    if count is None or count < 0:
        raise DurakError(f"{name}={quoted(number)}: say how many cards, 0 or more")
    return count


class AskedNumber(NamedTuple):
    """The right number of a question, and the wrong numbers of typical mistakes."""

    right: Fraction
    mistakes: Mapping[str, Fraction]
    """The result of each mistake, by its name; some may be equal, or even right."""


class HandDrawn(NamedTuple):
    """A hand drawn at random from hidden cards, some of which are wanted."""

    hidden: int
    good: int
    drawn: int
    extra: Mapping[str, tuple[int, int]] = {}
    """Visible cards by kind, as pairs: how many, and how many of them wanted.

    Some students forget to exclude them: `own`, `gone`, `turned`.
    """
    trumps: int = 0
    """The number of cards that are wanted only because they are trumps."""

    @classmethod
    def of(cls, hidden: object, good: object, drawn: object) -> HandDrawn:
        """Return a draw from an author's numbers, or raise an error if they are not valid.

        >>> HandDrawn.of(30, 6, 31)
        Traceback (most recent call last):
        durak_widget.errors.DurakError: of 30 hidden cards 0 to 30 are good, and 0 to 30 are drawn, not 6 and 31
        """
        numbers = [whole_number(number) for number in (hidden, good, drawn)]
        cards, wanted, drawn_cards = (-1 if number is None else number for number in numbers)
        if not 0 <= wanted <= cards or not 0 <= drawn_cards <= cards or cards > _MOST:
            raise DurakError(
                f"of {quoted(hidden)} hidden cards 0 to {quoted(hidden)} are good, and 0 to {quoted(hidden)} are drawn, not {quoted(good)} and {quoted(drawn)}"
                if 0 <= cards <= _MOST
                else f"a draw is from so many hidden cards, 0 to {_MOST}, not from {quoted(hidden)}"
            )
        return cls(cards, wanted, drawn_cards)

    def of_good(self, least: int = 1, most: int | None = None) -> Fraction:
        """Return the probability that `least` to `most` of the drawn cards are wanted.

        >>> HandDrawn(23, 5, 5).of_good(), HandDrawn(18, 3, 5).of_good(0, 0)
        (Fraction(3583, 4807), Fraction(143, 408))
        """
        hidden_count, wanted_count, drawn_count, *_ = self
        counts = range(least, min(drawn_count if most is None else most, drawn_count) + 1)
        return Fraction(
            sum(comb(wanted_count, k) * comb(hidden_count - wanted_count, drawn_count - k) for k in counts), comb(hidden_count, drawn_count)
        )

    def with_replacement(self, least: int = 1, most: int | None = None) -> Fraction:
        """Return this probability if each card were put back before the next draw."""
        share = Fraction(self.good, self.hidden) if self.hidden else Fraction(0)
        counts = range(least, min(self.drawn if most is None else most, self.drawn) + 1)
        return sum((comb(self.drawn, k) * share**k * (1 - share) ** (self.drawn - k) for k in counts), Fraction(0))

    def untaken(self) -> dict[str, HandDrawn]:
        """Return the wrong draws that include visible cards: of one kind, or of all kinds."""
        kinds = {name: counts for name, counts in self.extra.items() if counts[0]}
        if len(kinds) > 1:
            kinds["seen"] = (sum(cards for cards, _ in kinds.values()), sum(wanted for _, wanted in kinds.values()))
        return {name: self._replace(hidden=self.hidden + cards, good=self.good + wanted) for name, (cards, wanted) in kinds.items()}

    def chance(self, least: int = 1, most: int | None = None) -> AskedNumber:
        """Return the probability of this number of wanted cards: at least, at most, or exactly."""
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
        """Return the average number of wanted cards."""
        share = Fraction(self.good, self.hidden) if self.hidden else Fraction(0)
        mistakes = {name: Fraction(draw.drawn * draw.good, draw.hidden) for name, draw in self.untaken().items()}
        mistakes |= {"at_least": self.of_good(), "one_card": share, "all_hidden": Fraction(self.good)}
        return AskedNumber(share * self.drawn, mistakes)

    def hands(self) -> AskedNumber:
        """Return the number of hands; if there are wanted cards, of those that have them all."""
        free_places = self.drawn - self.good
        if free_places < 0:
            return AskedNumber(Fraction(0), {})
        unwanted = self.hidden - self.good
        mistakes = {name: Fraction(comb(draw.hidden - draw.good, free_places)) for name, draw in self.untaken().items()}
        mistakes |= {"ordered": Fraction(perm(unwanted, free_places)), "with_replacement": Fraction(unwanted**free_places)}
        return AskedNumber(Fraction(comb(unwanted, free_places)), mistakes)


def learned(prior: Fraction, if_so: Fraction, if_not: Fraction) -> AskedNumber:
    """Return the probability after an observation, by Bayes' rule.

    `prior` was the probability before; the observation has the probability `if_so` if it is true, and `if_not` otherwise.

    >>> learned(Fraction(1, 3), Fraction(1, 4), Fraction(1)).right
    Fraction(1, 9)
    """
    evidence = prior * if_so + (1 - prior) * if_not
    if not all(0 <= chance <= 1 for chance in (prior, if_so, if_not)) or not evidence:
        raise DurakError(f"chances are between 0 and 1, and what was seen must be possible, not {prior}, {if_so} and {if_not}")
    right, joint = prior * if_so / evidence, prior * if_so
    mistakes = {"inverse": if_so, "prior": prior, "joint": joint, "evidence": evidence, "contrary": 1 - right}
    return AskedNumber(right, {**mistakes, "no_prior": if_so / (if_so + if_not)})
